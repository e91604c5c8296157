//! The tokenizer of HTML: its registers, its byte classes, and the actions that several states share.
//!
//! [`HtmlMachine`] is the `StateMachine` that all dialects share, with the registers that only HTML needs
//! ([`HtmlState`]). The states are functions in `states/`. A tree builder or balanced events can control the
//! tokenizer through [`Feedback`]; otherwise the tokenizer derives the state after a start tag from the tag's name.

use super::feedback::Feedback;
use super::foreign::Foreign;
use super::options::{Html, InitialState};
use super::state::{ScriptName, State};
use super::stream::{self, Reported};
use crate::dialects::html::balanced::{Balances, Balancing};
use crate::engine::error::{ErrorCode, ErrorKind};
use crate::engine::event::ParserData;
use crate::engine::event::details::DoctypeDetails;
use crate::engine::event::queue::Queue;
use crate::engine::event::record::Record;
use crate::engine::event::strings::Cleaned;
use crate::engine::input::BufferOffset;
use crate::engine::input::encoding::Encoding;
#[cfg(feature = "inspect")]
use crate::engine::input::sizes::Sizes;
use crate::engine::input::sniff::Sniffed;
use crate::engine::input::sniff::html::HtmlSniffer;
use crate::engine::input::{Input, Supply};
use crate::engine::limits::Limits;
use crate::engine::scan::{Classes, Masks, Set, classify};
use crate::engine::text::html_references::Match;
use crate::engine::tokenizer::Confidence;
use crate::engine::tokenizer::{self, StateMachine, TextBuffer, Tokenizer, Unit};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::take;

/// Class of bytes that end a run of plain text: `<`, `&`, U+0000 and CR.
pub(super) const TEXT: usize = 0;
/// Class of bytes that end the name of a tag or an attribute, or that a name needs to have converted or reported
/// (uppercase letters, U+0000, quotes).
pub(super) const NAME: usize = 1;
/// Class of bytes that end a value between double quotes, or that have another meaning there: `"`, `&`, U+0000 and
/// CR.
pub(super) const DOUBLE_QUOTED: usize = 2;

/// The sets of bytes for which masks are computed for each window, in the order of the constants above.
///
/// PERF: each further class costs a page 1 to 4 % of the instructions (callgrind, a program that reads the page). The
/// sets below have no masks and are searched byte by byte.
const SETS: [Set; 3] = [
    Set::of(b"<&\0\r"),
    Set::of(b"\t\n\x0C\r />=\0\"'<ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    Set::of(b"\"&\0\r"),
];

/// Bytes with a meaning in RAWTEXT, scripts and PLAINTEXT.
static RAW_TEXT: Set = Set::of(b"<\0\r");
/// Bytes that end a value between single quotes, or that have another meaning there.
pub(super) static SINGLE_QUOTED: Set = Set::of(b"'&\0\r");
/// Bytes that end a value without quotes, or that have another meaning there.
pub(super) static UNQUOTED: Set = Set::of(b"\t\n\x0C\r &>\0\"'<=`");
/// Bytes with a meaning in comments, and in the parts of scripts after `<!--`.
pub(super) static COMMENT: Set = Set::of(b"-<\0\r");
/// Bytes with a meaning in CDATA sections.
pub(super) static CDATA: Set = Set::of(b"]\0\r");
/// Bytes with a meaning in processing instructions, bogus comments and bogus DOCTYPEs.
pub(super) static BOGUS: Set = Set::of(b">?\0\r");
/// Bytes other than whitespace.
pub(super) static NOT_SPACE: Set = Set::of(b"\t\n\x0C\r ").complement();

/// The byte classes of HTML, as a type parameter of the lexer.
#[derive(Clone, Copy, Debug)]
pub struct HtmlClasses;

impl Classes for HtmlClasses {
    const SETS: &'static [Set] = &SETS;
    const TELLS_ILL_FORMED: bool = false;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Masks) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

pub(super) type Lexer<'w> = tokenizer::Lexer<'w, HtmlClasses>;

/// The tokenizer of [`Html`]. Its register `value` holds any string that is being read and is not text: an attribute
/// value, a comment, an identifier, or the data of a processing instruction.
pub(super) type HtmlMachine = StateMachine<State, HtmlState>;

/// The registers that only the tokenizer of HTML has.
#[derive(Clone, Debug)]
pub struct HtmlState {
    pub(super) options: Html,
    /// The flag `NULLS` if the run of text that is not emitted yet contains a U+0000, otherwise 0.
    pub(super) nulls: u8,
    /// True if the name of the current tag differs from its source: the source has uppercase letters or U+0000.
    pub(super) odd_name: bool,
    /// True if the current tag is an end tag.
    pub(super) is_end_tag: bool,
    /// Progress in the current named character reference.
    pub(super) named: Match,
    /// Progress in comparing a name with `script`, in the escaped states of scripts.
    pub(super) script: ScriptName,
    /// The current DOCTYPE.
    pub(super) doctype: DoctypeDetails,
    /// Errors of the input stream in the current window: control characters and noncharacters.
    pub(super) stream: Vec<Reported>,
    /// Index in `stream` of the first error that is not reported yet.
    pub(super) reported: usize,

    /// Name of the last start tag whose content is text. Only an end tag of this name is an "appropriate end tag"
    /// there.
    pub(super) last_start_tag: String,
    /// True if the content of the last start tag is text that extends to its end tag.
    pub(super) in_text_element: bool,
    /// The open elements, as far as foreign content depends on them. Unused if there is `feedback`.
    pub(super) foreign: Foreign,
    /// The last answer of the consumer of the tags, if there is one: the state to switch to, and whether CDATA
    /// sections are recognized. `None` if the tokenizer decides by itself.
    pub(super) feedback: Option<Feedback>,
    /// The tree construction that turns the tokens into balanced events, if balanced events are requested.
    pub(super) balancing: Option<Box<dyn Balances>>,
    /// The detection of the encoding.
    sniffer: HtmlSniffer,
    /// The encoding in use, once it is detected.
    pub(super) sniffed: Option<Sniffed>,
    /// True if the encoding is tentative and no `meta` has declared an encoding yet.
    pub(super) is_tentative: bool,
    /// True if all input so far is ASCII and the encoding is undecided. The encoding that a `meta` declares then
    /// takes effect.
    pub(super) is_open: bool,
    /// The encoding that a `meta` declared while the encoding was undecided, until the input has switched to it.
    pub(super) adopted: Option<Encoding>,
    /// The encoding that a `meta` declared after the encoding in use was decided, if it is another one.
    pub(super) late: Option<Encoding>,
}

impl HtmlMachine {
    #[inline(always)]
    pub(super) fn of(options: Html) -> HtmlMachine {
        let state = State::from(options.initial_state);
        let last_start_tag = options.last_start_tag.as_deref();
        let fragment = options.fragment.as_deref();
        let dialect = HtmlState {
            last_start_tag: last_start_tag.map_or_else(String::new, str::to_ascii_lowercase),
            in_text_element: options.initial_state != InitialState::Data,
            foreign: fragment.map_or_else(Foreign::default, Foreign::within),
            options,
            nulls: 0,
            odd_name: false,
            is_end_tag: false,
            named: Match::new(),
            script: ScriptName::default(),
            doctype: DoctypeDetails::default(),
            stream: Vec::new(),
            reported: 0,
            feedback: None,
            balancing: None,
            sniffer: HtmlSniffer::default(),
            sniffed: None,
            is_tentative: false,
            is_open: false,
            adopted: None,
            late: None,
        };
        StateMachine::new(state, TextBuffer::at(BufferOffset::ZERO), dialect)
    }

    /// Switches to balanced events.
    pub(super) fn balance(&mut self) {
        let mut balancing: Box<dyn Balances> = Box::new(Balancing::new(&self.dialect.options));
        self.expect_feedback();
        self.take_feedback(&mut *balancing);
        self.dialect.balancing = Some(balancing);
    }

    /// Switches to balanced events that keep the order of the input, so that nothing is delayed.
    pub(super) fn balance_in_order(&mut self) {
        self.balance();
        if let Some(balancing) = &mut self.dialect.balancing {
            balancing.set_in_order();
        }
    }

    fn take_feedback(&mut self, balancing: &mut dyn Balances) {
        let feedback = balancing.feedback();
        self.give_feedback(feedback.state, feedback.cdata, feedback.alone);
    }

    /// Returns the number of steps of the tree construction for balanced events. See `TreeBuilder::steps`.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn balancing_steps(&self) -> u64 {
        let balancing = self.dialect.balancing.as_ref();
        balancing.map_or(0, |balancing| balancing.steps())
    }

    /// Ends the run of text at the offset `end` and emits it. An empty run is not emitted.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        if self.text.start < end {
            self.emit_stream_errors(lex.out, self.text.end(end));
            lex.emit_text(&mut self.text, end, take(&mut self.dialect.nulls));
        }
        self.text.start = BufferOffset::NONE;
    }

    /// Like [`flush_text`](Self::flush_text), but not inlined, for tokens that are rare.
    #[inline(never)]
    pub(super) fn end_text_before(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.flush_text(lex, end);
    }

    /// Emits a record, after the errors of the input stream that precede its end. If the batch is full, the next read
    /// suspends.
    #[inline(always)]
    pub(super) fn push(&mut self, lex: &mut Lexer<'_>, record: Record) {
        self.emit_stream_errors(lex.out, record.end);
        lex.emit(record);
    }

    /// Starts a run of text at the cursor, after a token has ended.
    #[inline(always)]
    pub(super) fn content(&mut self, lex: &Lexer<'_>) {
        self.token = BufferOffset::NONE;
        self.text = TextBuffer::at(lex.mark());
    }

    /// Discards the unfinished token, whose characters become text. Returns `state`.
    #[inline(always)]
    pub(super) fn emit_as_text(&mut self, state: State) -> State {
        self.token = BufferOffset::NONE;
        state
    }

    /// Starts a token at the `<` in text that was just consumed. Returns `state`.
    #[inline(always)]
    pub(super) fn less_than_sign(&mut self, lex: &Lexer<'_>, state: State) -> State {
        self.token = lex.mark() - 1;
        state
    }

    /// Returns whether a CDATA section is recognized at this point.
    pub(super) fn allows_cdata(&self) -> bool {
        match self.dialect.feedback {
            Some(feedback) => feedback.cdata.unwrap_or(true),
            None => self.dialect.foreign.reads_cdata(),
        }
    }

    /// Called after `<!`, before a keyword such as `[CDATA[`. If CDATA sections are not recognized here, ends the text
    /// before the `<!`, because nothing can continue it. If that is undecided, because inserting this text can change
    /// the current node, ends the text and also the batch, so that the consumer of the batch can answer first.
    #[inline(always)]
    pub(super) fn settle_cdata(&mut self, lex: &mut Lexer<'_>) {
        let is_open = self
            .dialect
            .feedback
            .is_some_and(|feedback| feedback.cdata.is_none());
        if is_open || !self.allows_cdata() {
            self.end_text_before(lex, self.token);
        }
        if is_open {
            lex.out.end_run();
            // If a CDATA section follows, its text is a run that starts here.
            self.text = TextBuffer::at(self.token);
            if !lex.out.records.is_empty() {
                lex.suspend();
            }
        }
    }

    /// Ends the last run of text and emits the end-of-file token. Returns the final state.
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.end_text_before(lex, end);
        State::Finished
    }

    /// Handles the end of the input in an unfinished construct: reports `code` and emits the end-of-file token.
    pub(super) fn end_in(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) -> State {
        self.error_at(lex, code, Unit::Eof);
        self.end_of_file(lex)
    }
}

impl Tokenizer for HtmlMachine {
    type Classes = HtmlClasses;
    type State = State;
    type Dialect = HtmlState;

    fn reuse_buffers(&mut self, other: &mut Self) {
        self.open.inherit(&mut other.open);
        self.dialect.foreign.keep_sizes(&other.dialect.foreign);
    }

    #[cfg(feature = "inspect")]
    fn set_sizes(&mut self, sizes: &Sizes) {
        self.dialect.foreign.set_sizes(sizes);
        if let Some(balancing) = &mut self.dialect.balancing {
            balancing.set_sizes(sizes);
        }
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        let dialect = &mut self.dialect;
        let (certain, hint) = (dialect.options.encoding, dialect.options.fallback_encoding);
        dialect.sniffed = dialect.sniffer.sniff(prefix, finished, certain, hint);
        dialect.is_tentative = dialect
            .sniffed
            .is_some_and(|sniffed| sniffed.is_tentative());
        dialect.is_open = dialect.sniffed.is_some_and(|sniffed| sniffed.is_open());
        dialect.sniffed
    }

    fn confidence(&self) -> Confidence {
        match (self.dialect.late, self.dialect.sniffed) {
            (Some(encoding), _) => Confidence::Changed(encoding),
            (None, Some(_)) if !self.dialect.is_tentative => Confidence::Certain,
            _ => Confidence::Tentative,
        }
    }

    fn set_encoding(&mut self, sniffed: Sniffed) {
        self.dialect.sniffed = Some(sniffed);
        self.dialect.is_tentative = false;
    }

    fn states(&mut self, lex: Lexer<'_>) -> (usize, u32) {
        self.run_states(lex)
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    const RETAINS_EVENTS: bool = true;

    #[inline(always)]
    fn balance_batch(&mut self, data: &mut ParserData) {
        if let Some(mut balancing) = self.dialect.balancing.take() {
            let by = balancing.balance_batch(data, self.state == State::Finished);
            if by > 0 {
                self.rebase_all_scratch(by.wrapping_neg());
            }
            self.take_feedback(&mut *balancing);
            self.dialect.balancing = Some(balancing);
        }
    }

    fn depth(&self) -> u64 {
        let balancing = self.dialect.balancing.as_ref();
        balancing.map_or(self.open.len() as u64, |balancing| balancing.depth())
    }

    fn earliest_delayed(&self) -> u64 {
        let balancing = self.dialect.balancing.as_ref();
        balancing.map_or(u64::MAX, |balancing| balancing.earliest_delayed())
    }

    fn earliest_released(&self, head: usize) -> (u64, BufferOffset) {
        let none = (u64::MAX, BufferOffset::NONE);
        let balancing = self.dialect.balancing.as_ref();
        balancing.map_or(none, |balancing| balancing.earliest_released(head))
    }

    fn raw_terminators(&self) -> Option<&'static Set> {
        match self.state {
            State::Rawtext | State::ScriptData | State::Plaintext => Some(&RAW_TEXT),
            State::ScriptDataEscaped | State::ScriptDataDoubleEscaped | State::Comment => {
                Some(&COMMENT)
            }
            State::BogusComment => Some(&BOGUS),
            State::CdataSection => Some(&CDATA),
            _ => None,
        }
    }

    #[cfg(feature = "select")]
    fn is_between_raw_pieces(&self, taken: BufferOffset) -> bool {
        let is_raw = self.raw_terminators().is_some() && self.is_in_text() && !self.is_in_cdata();
        // A line feed after a carriage return belongs to the newline before it.
        is_raw && !self.after_cr && self.text.start == taken
    }

    fn limits_changed(&mut self, limits: &Limits) {
        if let Some(balancing) = &mut self.dialect.balancing {
            balancing.set_limits(limits);
        }
    }

    fn ill_formed(&mut self, _: &mut Lexer<'_>, _: BufferOffset, _: BufferOffset) {
        // The standard defines no error for ill-formed bytes. The text contains U+FFFD for them.
    }

    fn certain(&self, until: BufferOffset) -> BufferOffset {
        match self.state {
            State::CharacterReference
            | State::NamedCharacterReference
            | State::NumericCharacterReference
            | State::HexadecimalCharacterReferenceStart
            | State::HexadecimalCharacterReference
            | State::DecimalCharacterReference => until.min(self.reference),
            State::CdataSectionBracket => until.saturating_sub(1),
            State::CdataSectionEnd => until.saturating_sub(2),
            _ => until,
        }
    }

    fn abort(&mut self) {
        self.state = State::Finished;
    }

    fn is_in_text(&self) -> bool {
        matches!(
            self.state,
            State::Data
                | State::Rcdata
                | State::Rawtext
                | State::ScriptData
                | State::Plaintext
                | State::ScriptDataEscaped
                | State::ScriptDataEscapedDash
                | State::ScriptDataEscapedDashDash
                | State::ScriptDataDoubleEscaped
                | State::ScriptDataDoubleEscapedDash
                | State::ScriptDataDoubleEscapedDashDash
                | State::CdataSection
        )
    }

    fn is_in_cdata(&self) -> bool {
        matches!(
            self.state,
            State::CdataSection | State::CdataSectionBracket | State::CdataSectionEnd
        )
    }

    fn before_window(&mut self, input: &mut Input, _: &mut Queue) {
        if let Some(encoding) = self.dialect.adopted.take()
            && self.dialect.is_open
        {
            input.adopt(encoding);
        }
    }

    fn after_window(&mut self, input: &Input, out: &Queue, supply: Supply) {
        if self.dialect.is_open {
            self.dialect.sniffed = input.sniffed();
            self.dialect.is_open = input.is_open();
        }
        if out.settings.reports_errors && supply == Supply::Window {
            self.dialect.stream.clear();
            self.dialect.reported = 0;
            let view = input.view();
            let (rest, mark) = view.rest();
            stream::look_through(rest, mark, &mut self.dialect.stream);
        }
    }

    fn line_feed_after(&mut self, lex: &mut Lexer<'_>) {
        self.drop_line_feed(lex);
    }

    fn end_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.end_text_before(lex, end);
    }

    fn fail_at(
        &mut self,
        lex: &mut Lexer<'_>,
        kind: ErrorKind,
        (start, end): (BufferOffset, BufferOffset),
    ) {
        self.emit_stream_errors(lex.out, lex.mark());
        lex.out.fail(kind, start, end);
    }

    fn flush(&mut self, lex: &mut Lexer<'_>, until: BufferOffset, flags: u8) {
        let flags = take(&mut self.dialect.nulls) | flags;
        self.emit_stream_errors(lex.out, self.text.end(until));
        lex.emit_cleaned_text(&mut self.text, until, flags);
        self.text = TextBuffer::at(until);
    }
}

/// Reconsumes `unit`, which was just consumed, in `state`. At the end of the input there is nothing to give back.
#[inline(always)]
pub(super) fn reconsume(lex: &mut Lexer<'_>, unit: Unit, state: State) -> State {
    if unit != Unit::Eof {
        lex.back();
    }
    state
}

/// Copies the name between two offsets to the scratch buffer, in lowercase and with U+FFFD in place of U+0000.
/// Returns the copy.
pub(super) fn clean(lex: &mut Lexer<'_>, from: BufferOffset, to: BufferOffset) -> Cleaned {
    let start = lex.copy(from, to).start;
    let scratch = &mut lex.out.scratch;
    scratch[start.index()..].make_ascii_lowercase();
    if scratch[start.index()..].contains('\0') {
        let name = scratch.split_off(start.index());
        scratch.push_str(&name.replace('\0', "\u{FFFD}"));
    }
    Cleaned::since(start, scratch)
}

crate::checkpoint::checkpointable! {
    struct HtmlState {
        nulls, odd_name, is_end_tag, named, script, doctype, stream, reported, last_start_tag,
        in_text_element, foreign, feedback, sniffer, sniffed, is_tentative, is_open, adopted, late,
        options
        ; skip balancing = None
    }
}
