//! The machine: the registers as the standard names them, the dispatch, and the actions that states
//! share.

use super::foreign::Foreign;
use super::state::State;
use super::states::ScriptName;
use super::stream::{self, Reported};
use super::{Html, InitialState};
use crate::attributes::AttributeNames;
use crate::dialect::Machine;
use crate::error::Code;
use crate::event::record::{Attr, DoctypeDetails, MORE, NONE, Piece, Queue, Record};
use crate::html::references::Match;
use crate::input::cursor::{Cursor, Unit};
use crate::input::sniff::Sniffed;
use crate::input::sniff::html::HtmlSniffer;
use crate::input::{Advance, Input, Supply};
use crate::lexer;
use crate::limits::Limits;
use crate::scan::{Classes, Set, classify};
use crate::text::numeric::Number;
use alloc::string::String;
use alloc::vec::Vec;

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
pub(super) struct HtmlClasses;

impl Classes for HtmlClasses {
    const SETS: &'static [Set] = &SETS;

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

pub(super) type Lexer<'w> = lexer::Lexer<'w, HtmlClasses>;

/// A word, in capitals, of which a part was matched in any case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyword {
    pub(super) word: &'static [u8],
    pub(super) matched: usize,
    /// Whether only capitals match.
    pub(super) exact: bool,
}

impl Keyword {
    /// The first letter of `word` was taken.
    pub(super) fn new(word: &'static [u8], exact: bool) -> Keyword {
        Keyword {
            word,
            matched: 1,
            exact,
        }
    }

    /// Takes the next byte: `None` if it is not the word's, else whether the word is whole.
    pub(super) fn take(&mut self, byte: u8) -> Option<bool> {
        let byte = if self.exact {
            byte
        } else {
            byte.to_ascii_uppercase()
        };
        if self.word[self.matched] != byte {
            return None;
        }
        self.matched += 1;
        Some(self.matched == self.word.len())
    }
}

/// The machine of [`Html`].
#[derive(Clone, Debug)]
pub struct HtmlMachine {
    pub(super) options: Html,
    pub(super) limits: Limits,
    pub(super) state: State,
    pub(super) return_state: State,

    /// The characters emitted and not yet handed out: one run.
    pub(super) text: Piece,
    /// `NULLS`, if there is U+0000 among them.
    pub(super) nulls: u8,
    /// The `<` of the token being read.
    pub(super) token: u32,
    /// Tag name, target, or keyword.
    pub(super) name: u32,
    pub(super) name_end: u32,
    /// The name is written with what it does not mean: capitals, or U+0000.
    pub(super) odd_name: bool,
    /// The tag is an end tag.
    pub(super) is_end_tag: bool,
    /// The current attribute, and whether it is to be dropped.
    pub(super) attribute: Attr,
    pub(super) dropped: bool,
    /// Names of the attributes of the current tag, once there are many.
    pub(super) names: AttributeNames,
    /// A value, comment, identifier or data on its way.
    pub(super) string: Piece,
    /// The `&` of a reference, and what is known of it.
    pub(super) reference: u32,
    pub(super) named: Match,
    pub(super) number: Number,
    pub(super) keyword: Keyword,
    pub(super) script: ScriptName,
    pub(super) doctype: DoctypeDetails,
    /// The byte before the window is a CR: an LF at its start is the same line end.
    pub(super) after_cr: bool,
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
    sniffer: HtmlSniffer,
    pub(super) sniffed: Option<Sniffed>,
    /// The encoding is tentative, and no `meta` has confirmed it.
    pub(super) is_tentative: bool,
}

/// What the consumer of the tags, a tree builder, has said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feedback {
    /// The state to go on in, where it is another one than that which the tags tell.
    pub(crate) state: Option<InitialState>,
    /// Whether the adjusted current node is foreign, so that CDATA sections are read; `None`: it is, but
    /// the first text will come into a formatting element.
    pub(crate) cdata: Option<bool>,
    /// Whether any open element is foreign: then every tag ends its batch.
    pub(crate) foreign: bool,
}

impl HtmlMachine {
    pub(super) fn new(options: Html) -> HtmlMachine {
        HtmlMachine {
            state: State::from(options.initial_state),
            last_start_tag: options
                .last_start_tag
                .as_deref()
                .map_or_else(String::new, str::to_ascii_lowercase),
            in_text_element: options.initial_state != InitialState::Data,
            foreign: options
                .fragment
                .as_deref()
                .map_or_else(Foreign::default, Foreign::within),
            options,
            limits: Limits::default(),
            return_state: State::Data,
            text: Piece::at(0),
            nulls: 0,
            token: NONE,
            name: 0,
            name_end: 0,
            odd_name: false,
            is_end_tag: false,
            attribute: Attr::EMPTY,
            dropped: false,
            names: AttributeNames::default(),
            string: Piece::NONE,
            reference: NONE,
            named: Match::new(),
            number: Number::default(),
            keyword: Keyword::new(b"", true),
            script: ScriptName::default(),
            doctype: DoctypeDetails::default(),
            after_cr: false,
            stream: Vec::new(),
            told: 0,
            feedback: None,
            sniffer: HtmlSniffer::default(),
            sniffed: None,
            is_tentative: false,
        }
    }

    /// The mark up to which characters are certainly text, if all before `mark` was taken.
    pub(super) fn certain(&self, mark: u32) -> u32 {
        let until = mark.min(self.token);
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

    /// Ends the run of characters at the mark `end` and hands it out.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: u32) {
        if self.text.start < end {
            self.tell(lex.out, self.text.end(end));
            lex.emit_text(&mut self.text, end, core::mem::take(&mut self.nulls));
        }
        self.text.start = NONE;
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
        self.token = NONE;
        self.text = Piece::at(lex.mark());
    }

    /// What was taken for the beginning of a token is text.
    #[inline(always)]
    pub(super) fn emit_as_text(&mut self, state: State) -> State {
        self.token = NONE;
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
        match self.feedback {
            Some(feedback) => feedback.cdata.unwrap_or(true),
            None => self.foreign.reads_cdata(),
        }
    }

    /// A `!` was taken after a `<`: the text before may decide whether CDATA sections are read. Then the
    /// batch ends with it.
    #[inline(always)]
    pub(super) fn settle_cdata(&mut self, lex: &mut Lexer<'_>) {
        let is_open = self
            .feedback
            .is_some_and(|feedback| feedback.cdata.is_none());
        if is_open || !self.allows_cdata() {
            self.flush_text(lex, self.token);
        }
        if is_open {
            // A CDATA section would be text, from here on.
            self.text = Piece::at(self.token);
            if !lex.out.records.is_empty() {
                lex.fence();
            }
        }
    }

    /// Emits the end-of-file token.
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.flush_text(lex, end);
        State::Finished
    }

    /// The end of the input, with what it is an error in.
    pub(super) fn end_in(&mut self, lex: &mut Lexer<'_>, code: Code) -> State {
        self.error_at(lex, code, Unit::Eof);
        self.end_of_file(lex)
    }
}

impl Machine for HtmlMachine {
    fn set_limits(&mut self, limits: &Limits) {
        self.limits = *limits;
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        let (certain, hint) = (self.options.encoding, self.options.encoding_hint);
        self.sniffed = self.sniffer.sniff(prefix, finished, certain, hint);
        self.is_tentative = self.sniffed.is_some_and(|sniffed| sniffed.is_tentative());
        self.sniffed
    }

    fn keep(&self, end: u32) -> u32 {
        end.min(self.text.start).min(self.token)
    }

    fn token(&self) -> u32 {
        self.token
    }

    fn advance(&mut self, input: &mut Input, out: &mut Queue, most: usize) -> Advance {
        let keep = self.keep(input.end());
        let advance = input.advance::<HtmlClasses>(keep, &mut out.carry, most);
        let by = advance.rebase;
        if by > 0 {
            self.text.rebase(by);
            self.string.rebase(by);
            if self.token != NONE {
                self.token -= by;
            }
            for mark in [&mut self.name, &mut self.name_end, &mut self.reference] {
                *mark = mark.wrapping_sub(by);
            }
            self.attribute.rebase(by);
        }
        if out.report && advance.supply == Supply::Window {
            self.stream.clear();
            self.told = 0;
            let cursor: Cursor<'_, HtmlClasses> = input.cursor(false);
            stream::look_through(cursor.rest(), cursor.mark(), &mut self.stream);
        }
        advance
    }

    fn ill_formed(&mut self, _: &mut Input, _: &mut Queue) {
        // The standard has no name for this error; the text says it with U+FFFD.
    }

    fn run(&mut self, input: &mut Input, out: &mut Queue, eof: bool) {
        let mut lex = Lexer::new(input.cursor(eof), out);
        if self.after_cr && !eof {
            self.after_cr = false;
            if lex.peek() == Some(b'\n') {
                lex.skip(1);
                let at = lex.mark() - 1;
                lex.replace(self.piece(), at, at + 1, "");
            }
        }
        let (at, again) = self.states(lex);
        let taken = input.took(at);
        out.work.states += taken as u64 + u64::from(again);
    }

    fn flush(&mut self, input: &mut Input, out: &mut Queue, more: bool) {
        let mut lex = Lexer::new(input.cursor(false), out);
        let until = self.certain(lex.mark());
        if self.text.start < until && !self.text.is_empty(until) {
            let flags = core::mem::take(&mut self.nulls) | if more { MORE } else { 0 };
            self.tell(lex.out, self.text.end(until));
            lex.emit_cleaned_text(&mut self.text, until, flags);
            self.text = Piece::at(until);
        }
    }

    fn rebase_scratch(&mut self, by: u32) {
        self.text.rebase_scratch(by);
        self.string.rebase_scratch(by);
        self.attribute.rebase_scratch(by);
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }
}
