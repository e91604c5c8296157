//! The machine: the registers as the standard names them, the dispatch, and the actions that states
//! share.

use super::foreign::Foreign;
use super::state::State;
use super::states::ScriptName;
use super::stream::{self, Reported};
use super::{Html, InitialState};
use crate::dialect::{Confidence, Machine};
use crate::error::{ErrorCode, ErrorKind};
use crate::event::Held;
use crate::event::record::{DoctypeDetails, Queue, Record};
use crate::html::balanced::{Balances, Balancing};
use crate::input::Mark;
use crate::input::encoding::Encoding;
use crate::input::sniff::Sniffed;
use crate::input::sniff::html::HtmlSniffer;
use crate::input::{Advance, Input, Supply};
use crate::lexer::{self, Lexing, StateMachine, TextBuffer, Unit};
use crate::limits::Limits;
#[cfg(feature = "checkpoints")]
use crate::saved::CheckpointError;
use crate::scan::{Classes, Set, classify};
use crate::text::html_references::Match;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::take;

/// In text: what does not stand for itself.
pub(super) const TEXT: usize = 0;
/// Anything but a character of a tag's or attribute's name that stands for itself.
pub(super) const NAME: usize = 1;
/// In a value between double quotes.
pub(super) const DOUBLE_QUOTED: usize = 2;

/// The classes that windows have masks of, in the order of these constants.
///
/// PERF: each more costs a page one to four instructions in a hundred, by callgrind over a program that
/// reads it; the sets below are looked for byte by byte.
const SETS: [Set; 3] = [
    Set::of(b"<&\0\r"),
    Set::of(b"\t\n\x0C\r />=\0\"'<ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    Set::of(b"\"&\0\r"),
];

/// In a value between single quotes.
pub(super) static SINGLE_QUOTED: Set = Set::of(b"'&\0\r");
/// In a value without quotes.
pub(super) static UNQUOTED: Set = Set::of(b"\t\n\x0C\r &>\0\"'<=`");
/// In comments, and scripts like comments.
pub(super) static COMMENT: Set = Set::of(b"-<\0\r");
/// In CDATA sections.
pub(super) static CDATA: Set = Set::of(b"]\0\r");
/// In processing instructions, bogus comments and bogus DOCTYPEs.
pub(super) static BOGUS: Set = Set::of(b">?\0\r");
/// Anything but white space.
pub(super) static NOT_SPACE: Set = Set::of(b"\t\n\x0C\r ").complement();

/// The byte classes of HTML.
#[derive(Clone, Copy, Debug)]
pub struct HtmlClasses;

impl Classes for HtmlClasses {
    const SETS: &'static [Set] = &SETS;
    const TELLS_ILL_FORMED: bool = false;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

pub(super) type Lexer<'w> = lexer::Lexer<'w, HtmlClasses>;

/// The machine of [`Html`]. Its value is any string on its way: a comment, an identifier, data.
pub(super) type HtmlMachine = StateMachine<State, Registers>;

/// What only the machine of HTML has.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Registers {
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    pub(super) options: Html,
    /// `NULLS`, if there is U+0000 among the characters not yet handed out.
    pub(super) nulls: u8,
    /// The name is written with what it does not mean: capitals, or U+0000.
    pub(super) odd_name: bool,
    /// The tag is an end tag.
    pub(super) is_end_tag: bool,
    /// What is known of a named reference.
    pub(super) named: Match,
    pub(super) script: ScriptName,
    pub(super) doctype: DoctypeDetails,
    /// What the input stream reports of the window, from `told` on not yet told.
    pub(super) stream: Vec<Reported>,
    pub(super) told: usize,

    /// The name of the last start tag, where its end tag matters.
    pub(super) last_start_tag: String,
    /// The content of the last start tag is text, up to its end tag.
    pub(super) in_text_element: bool,
    pub(super) foreign: Foreign,
    /// A consumer of the tags says what they switch to, and whether CDATA sections are read.
    pub(super) feedback: Option<Feedback>,
    /// What makes the events a tree, if they are to be one.
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    balancing: Option<Box<dyn Balances>>,
    sniffer: HtmlSniffer,
    pub(super) sniffed: Option<Sniffed>,
    /// The encoding is tentative, and no `meta` has confirmed it.
    pub(super) is_tentative: bool,
    /// All was ASCII so far, and nothing has said the encoding; what a `meta` says then is obeyed.
    pub(super) is_open: bool,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) adopted: Option<Encoding>,
    /// What a `meta` has said too late.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) late: Option<Encoding>,
}

/// What the consumer of the tags, a tree builder, has said.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Feedback {
    /// The state to go on in, where it is another one than that which the tags tell.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) state: Option<InitialState>,
    /// Whether the adjusted current node is foreign, so that CDATA sections are read; `None`: it is, but
    /// the first text will come into a formatting element.
    pub(crate) cdata: Option<bool>,
    /// Whether every tag ends its batch: any open element is foreign, or the current one a script.
    pub(crate) alone: bool,
}

impl HtmlMachine {
    pub(super) fn of(options: Html) -> HtmlMachine {
        let state = State::from(options.initial_state);
        let last_start_tag = options.last_start_tag.as_deref();
        let fragment = options.fragment.as_deref();
        let own = Registers {
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
            told: 0,
            feedback: None,
            balancing: None,
            sniffer: HtmlSniffer::default(),
            sniffed: None,
            is_tentative: false,
            is_open: false,
            adopted: None,
            late: None,
        };
        StateMachine::new(state, TextBuffer::at(Mark::ZERO), own)
    }

    /// Lets the events be a tree.
    pub(super) fn balance(&mut self) {
        let mut balancing: Box<dyn Balances> = Box::new(Balancing::new(&self.own.options));
        self.expect_feedback();
        self.take_feedback(&mut *balancing);
        self.own.balancing = Some(balancing);
    }

    /// The same with nothing held back.
    pub(super) fn balance_in_order(&mut self) {
        self.balance();
        if let Some(balancing) = &mut self.own.balancing {
            balancing.set_in_order();
        }
    }

    /// Whether the text of a table is held back.
    pub(super) fn holds_text(&self) -> bool {
        let balancing = self.own.balancing.as_ref();
        balancing.is_some_and(|balancing| balancing.holds_text())
    }

    fn take_feedback(&mut self, balancing: &mut dyn Balances) {
        let feedback = balancing.feedback();
        self.give_feedback(feedback.state, feedback.cdata, feedback.alone);
    }

    /// The steps that balancing has taken: see `TreeBuilder::steps`.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn balancing_steps(&self) -> u64 {
        let balancing = self.own.balancing.as_ref();
        balancing.map_or(0, |balancing| balancing.steps())
    }

    /// Ends the run of characters at the mark `end` and hands it out.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        if self.text.start < end {
            self.tell(lex.out, self.text.end(end));
            lex.emit_text(&mut self.text, end, take(&mut self.own.nulls));
        }
        self.text.start = Mark::NONE;
    }

    /// The same out of line, before what is seldom.
    #[inline(never)]
    pub(super) fn end_text_before(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        self.flush_text(lex, end);
    }

    /// Adds a record, and lets nothing more be taken once the batch is full.
    #[inline(always)]
    pub(super) fn push(&mut self, lex: &mut Lexer<'_>, record: Record) {
        self.tell(lex.out, record.end);
        lex.emit(record);
    }

    /// A token has ended: text begins here.
    #[inline(always)]
    pub(super) fn content(&mut self, lex: &Lexer<'_>) {
        self.token = Mark::NONE;
        self.text = TextBuffer::at(lex.mark());
    }

    /// What was taken for the beginning of a token is text.
    #[inline(always)]
    pub(super) fn emit_as_text(&mut self, state: State) -> State {
        self.token = Mark::NONE;
        state
    }

    /// A `<` was taken in text.
    #[inline(always)]
    pub(super) fn less_than_sign(&mut self, lex: &Lexer<'_>, state: State) -> State {
        self.token = lex.mark() - 1;
        state
    }

    /// Whether CDATA sections are read here.
    pub(super) fn allows_cdata(&self) -> bool {
        match self.own.feedback {
            Some(feedback) => feedback.cdata.unwrap_or(true),
            None => self.own.foreign.reads_cdata(),
        }
    }

    /// A `!` was taken after a `<`: the text before may decide whether CDATA sections are read. Then the
    /// batch ends with it.
    #[inline(always)]
    pub(super) fn settle_cdata(&mut self, lex: &mut Lexer<'_>) {
        let is_open = self
            .own
            .feedback
            .is_some_and(|feedback| feedback.cdata.is_none());
        if is_open || !self.allows_cdata() {
            self.end_text_before(lex, self.token);
        }
        if is_open {
            // A CDATA section would be text, from here on.
            self.text = TextBuffer::at(self.token);
            if !lex.out.records.is_empty() {
                lex.fence();
            }
        }
    }

    /// Emits the end-of-file token.
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.end_text_before(lex, end);
        State::Finished
    }

    /// The end of the input, with what it is an error in.
    pub(super) fn end_in(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) -> State {
        self.error_at(lex, code, Unit::Eof);
        self.end_of_file(lex)
    }
}

impl Lexing for HtmlMachine {
    type Classes = HtmlClasses;

    #[cfg(feature = "checkpoints")]
    fn apart(&self) -> Vec<u8> {
        let balancing = self.own.balancing.as_ref();
        balancing.map_or_else(Vec::new, |balancing| balancing.save())
    }

    #[cfg(feature = "checkpoints")]
    fn load_apart(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        match &mut self.own.balancing {
            Some(balancing) => balancing.load(bytes),
            None if bytes.is_empty() => Ok(()),
            None => Err(CheckpointError::Damaged),
        }
    }

    #[cfg(feature = "checkpoints")]
    fn complete(&mut self, fresh: Self) {
        self.own.options = fresh.own.options;
        self.own.balancing = fresh.own.balancing;
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        let own = &mut self.own;
        let (certain, hint) = (own.options.encoding, own.options.fallback_encoding);
        own.sniffed = own.sniffer.sniff(prefix, finished, certain, hint);
        own.is_tentative = own.sniffed.is_some_and(|sniffed| sniffed.is_tentative());
        own.is_open = own.sniffed.is_some_and(|sniffed| sniffed.is_open());
        own.sniffed
    }

    fn confidence(&self) -> Confidence {
        match (self.own.late, self.own.sniffed) {
            (Some(encoding), _) => Confidence::Changed(encoding),
            (None, Some(_)) if !self.own.is_tentative => Confidence::Certain,
            _ => Confidence::Tentative,
        }
    }

    fn told(&mut self, sniffed: Sniffed) {
        self.own.sniffed = Some(sniffed);
        self.own.is_tentative = false;
    }

    fn states(&mut self, lex: Lexer<'_>) -> (usize, u32) {
        self.run_states(lex)
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    const KEEPS: bool = true;

    #[inline(always)]
    fn settle(&mut self, held: &mut Held) {
        if let Some(mut balancing) = self.own.balancing.take() {
            let by = balancing.settle(held, self.state == State::Finished);
            if by > 0 {
                Machine::rebase_scratch(self, by.wrapping_neg());
            }
            self.take_feedback(&mut *balancing);
            self.own.balancing = Some(balancing);
        }
    }

    fn open_elements(&self) -> Option<u64> {
        let balancing = self.own.balancing.as_ref()?;
        Some(balancing.open_elements())
    }

    fn limits_set(&mut self, limits: &Limits) {
        if let Some(balancing) = &mut self.own.balancing {
            balancing.set_limits(limits);
        }
    }

    fn ill_formed(&mut self, _: &mut Lexer<'_>, _: Mark, _: Mark) {
        // The standard has no name for this error; the text says it with U+FFFD.
    }

    fn certain(&self, until: Mark) -> Mark {
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

    fn advance(&mut self, input: &mut Input, out: &mut Queue, keep: Mark, most: usize) -> Advance {
        let is_open = input.is_open();
        if let Some(encoding) = self.own.adopted.take()
            && is_open
        {
            input.adopt(encoding);
        }
        let advance = input.advance::<HtmlClasses>(keep, &mut out.retained, most, &mut ());
        if is_open {
            self.own.sniffed = input.sniffed();
            self.own.is_open = input.is_open();
        }
        if out.report && advance.supply == Supply::Window {
            self.own.stream.clear();
            self.own.told = 0;
            let view = input.view();
            let (rest, mark) = view.rest();
            stream::look_through(rest, mark, &mut self.own.stream);
        }
        advance
    }

    fn line_feed_after(&mut self, lex: &mut Lexer<'_>) {
        self.drop_line_feed(lex);
    }

    fn end_text(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        self.end_text_before(lex, end);
    }

    fn fail_at(&mut self, lex: &mut Lexer<'_>, kind: ErrorKind, (start, end): (Mark, Mark)) {
        self.tell(lex.out, lex.mark());
        lex.out.fail(kind, start, end);
    }

    fn flush(&mut self, lex: &mut Lexer<'_>, until: Mark, more: u8) {
        let flags = take(&mut self.own.nulls) | more;
        self.tell(lex.out, self.text.end(until));
        lex.emit_cleaned_text(&mut self.text, until, flags);
        self.text = TextBuffer::at(until);
    }
}
