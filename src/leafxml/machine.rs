//! The machine: its registers, the dispatch, and the actions that states share.

use super::LeafXml;
use super::errors;
use super::normal::Normality;
use super::state::State;
use super::states::TagName;
use crate::error::{ErrorCode, ErrorKind};
use crate::event::record::{Kind, MORE, Queue, Record};
use crate::event::referred::Referred;
use crate::event::strings::{Cleaned, Str};
use crate::input::Mark;
use crate::input::sniff::{Sniffed, sniff_mark};
use crate::input::{Advance, Input};
use crate::lexer::{self, Lexing, StateMachine, TextBuffer};
use crate::namespaces::Bindings;
use crate::scan::{Classes, Set, classify};
use crate::text::leafxml_names::is_char;
use crate::text::normal::{ODD_LEADS, is_plain};
use alloc::vec::Vec;
use unicode_normalization::UnicodeNormalization;

// Beyond ASCII, characters that begin otherwise than with an odd byte are plain: nothing has to be done
// with them but in names.

/// In text: what may be markup, and what must be looked at.
pub(super) const TEXT: usize = 0;
/// Anything but an ASCII character that may stand in any name and has no further meaning.
pub(super) const NAME: usize = 1;
/// In a double-quoted value.
pub(super) const DOUBLE_QUOTED: usize = 2;
/// In a single-quoted value.
pub(super) const SINGLE_QUOTED: usize = 3;
/// In comments, CDATA, instructions.
pub(super) const DELIMITED: usize = 4;
/// Anything but ASCII white space.
pub(super) const NOT_SPACE: usize = 5;

const SETS: [Set; 6] = [
    Set::of(b"<&\x7F").and_controls().and_some_high(&ODD_LEADS),
    Set::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-").complement(),
    Set::of(b"\"<& \t\n\x7F")
        .and_controls()
        .and_some_high(&ODD_LEADS),
    Set::of(b"'<& \t\n\x7F")
        .and_controls()
        .and_some_high(&ODD_LEADS),
    Set::of(b"-?]\x7F").and_controls().and_some_high(&ODD_LEADS),
    Set::of(b"\t\n\r ").complement(),
];

/// The byte classes of LeafXML.
#[derive(Clone, Copy, Debug)]
pub struct LeafXmlClasses;

impl Classes for LeafXmlClasses {
    const SETS: &'static [Set] = &SETS;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

pub(super) type Lexer<'w> = lexer::Lexer<'w, LeafXmlClasses>;

/// The states of the tag stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) enum TagStack {
    Initial,
    Active,
    Finished,
}

/// The letters of an escape's name so far.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Letters {
    pub(super) letters: [u8; 4],
    pub(super) length: usize,
}

/// The machine of [`LeafXml`]. Its text is the content assembly.
pub(super) type LeafXmlMachine = StateMachine<State, Registers>;

/// What only the machine of LeafXML has.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Registers {
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    pub(super) options: LeafXml,
    /// The last character of the content assembly that was not taken as it was written, and its marks.
    pub(super) meant: (char, Mark, Mark),
    /// The last character of the content assembly is a CR: an LF or NEL is the same line break.
    pub(super) after_cr: bool,
    /// The state that follows the keyword.
    pub(super) then: State,
    pub(super) letters: Letters,
    /// The name of the tag.
    pub(super) name: TagName,
    /// The last character of the value so far is white space, or there is none.
    pub(super) space: bool,
    /// The mark up to which `space` has seen the value.
    pub(super) seen: Mark,
    /// Some names of attributes of the current tag are not as written.
    pub(super) cleaned_names: bool,
    /// Some attribute of the tag may declare the default namespace; so many have prefixes.
    pub(super) declares: bool,
    pub(super) prefixed: u32,
    /// NFC of the content assembly, and of the name or value on its way.
    pub(super) normal: Normality,
    pub(super) tag_normal: Normality,
    pub(super) stack: TagStack,
    pub(super) bindings: Bindings,
    pub(super) seen_doctype: bool,
}

impl LeafXmlMachine {
    pub(super) fn of(options: LeafXml) -> LeafXmlMachine {
        let own = Registers {
            options,
            meant: ('\0', Mark::NONE, Mark::NONE),
            after_cr: false,
            then: State::Text,
            letters: Letters::default(),
            name: TagName::default(),
            space: false,
            seen: Mark::ZERO,
            cleaned_names: false,
            declares: false,
            prefixed: 0,
            normal: Normality::at(Mark::NONE),
            tag_normal: Normality::at(Mark::NONE),
            stack: TagStack::Initial,
            bindings: Bindings::new(),
            seen_doctype: false,
        };
        StateMachine::new(State::Outside, TextBuffer::NONE, own)
    }

    /// Ends the parse with an error at what stands between two marks. The state given is none that
    /// will run.
    #[inline(always)]
    pub(super) fn fail(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        start: Mark,
        end: Mark,
    ) -> State {
        lex.aside(|lex| self.end_parse(lex, ErrorKind::Syntax(code), start, end));
        self.state
    }

    /// The same, where that refers to something else.
    #[cold]
    pub(super) fn fail_about(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        at: (Mark, Mark),
        referred: Option<Referred>,
    ) -> State {
        self.end_parse_about(lex, ErrorKind::Syntax(code), at, referred);
        self.state
    }

    /// Fails at the end of the input.
    pub(super) fn fail_at_end(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) -> State {
        let end = lex.mark();
        self.fail(lex, code, end, end)
    }

    /// Fails at the character whose first byte was taken last: with `code`, unless the character may
    /// stand nowhere.
    pub(super) fn fail_here(&mut self, lex: &mut Lexer<'_>, byte: u8, code: ErrorCode) -> State {
        let (character, from, to) = lex.character(byte);
        let code = match is_char(character) {
            true => code,
            false => errors::DISALLOWED_CHARACTER,
        };
        self.fail(lex, code, from, to)
    }

    /// Takes the rest of a character, and those beyond ASCII that follow it, where their only meaning
    /// is that they must be in the character set.
    pub(super) fn check_characters(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        let mut byte = byte;
        loop {
            let (character, from, to) = lex.character(byte);
            if !is_char(character) {
                self.fail(lex, errors::DISALLOWED_CHARACTER, from, to);
                return;
            }
            match lex.peek() {
                Some(next @ 0x80..) => {
                    lex.skip(1);
                    byte = next;
                }
                _ => return,
            }
        }
    }

    /// Ends the content assembly at the mark `end` and hands it out.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        if self.text.start < end {
            self.emit_text(lex, end, 0);
        }
        self.text = TextBuffer::NONE;
    }

    #[inline(always)]
    fn emit_text(&mut self, lex: &mut Lexer<'_>, end: Mark, more: u8) {
        let start = self.text.start;
        let mut string = lex.finish(&mut self.text, end);
        let end = self.text.end(end);
        if let Str::Lent(..) = string {
            lex.join(start, end);
        }
        if !self.own.normal.sure {
            string = Str::Cleaned(self.normalize(lex, string));
        }
        if let Str::Cleaned(string) = string {
            lex.out.unfinished = string.end;
        }
        if !string.is_empty() {
            let record = Record {
                flags: more,
                ..Record::new(Kind::Text, start, end)
            };
            lex.emit(record.with(string));
        }
    }

    /// NFC of a string, which is at the end of the scratch buffer if it is there.
    #[cold]
    #[inline(never)]
    pub(super) fn normalize(&self, lex: &mut Lexer<'_>, string: Str) -> Cleaned {
        let string = match string {
            Str::Cleaned(Cleaned { start, end }) => {
                lex.out.scratch.truncate(end.index());
                lex.out.scratch.split_off(start.index())
            }
            Str::Lent(from, to) => lex.string(from, to),
        };
        let start = lex.out.scratch_end();
        lex.out.scratch.extend(string.nfc());
        let normal = Cleaned::since(start, &lex.out.scratch);
        lex.out.work.cleaned += u64::from(normal.length());
        normal
    }

    /// Hands out a piece of the text up to its last character, if that ends at the mark `end`, is not as
    /// it was written, and parts the text.
    #[cold]
    fn flush_before_meant(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        let (character, from, to) = self.own.meant;
        if to != end || !is_plain(character) || !self.text.take_back(lex.out, from, to, character) {
            return;
        }
        if !self.text.is_empty(from) {
            self.emit_text(lex, from, MORE);
            self.own.normal.part(from);
            self.text = TextBuffer::at(from);
        }
        lex.replace_by(&mut self.text, from, to, character);
    }

    /// The state that follows a tag: a content assembly may begin here.
    #[inline(always)]
    pub(super) fn after_tag(&mut self, lex: &Lexer<'_>) -> State {
        self.token = Mark::NONE;
        self.own.after_cr = false;
        if self.open.is_empty() {
            self.own.normal = Normality::at(Mark::NONE);
            State::Outside
        } else {
            self.text = TextBuffer::at(lex.mark());
            self.own.normal = Normality::at(lex.mark());
            State::Text
        }
    }

    /// The state that follows a token that is no tag: the content assembly goes on.
    pub(super) fn content(&mut self) -> State {
        self.token = Mark::NONE;
        if self.text.is_none() {
            State::Outside
        } else if self.own.after_cr {
            State::TextLineBreak
        } else {
            State::Text
        }
    }

    /// The end of the input.
    #[cold]
    #[inline(never)]
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        match self.own.stack {
            TagStack::Initial => self.fail_at_end(lex, errors::NO_TAGS),
            TagStack::Active => {
                let (end, open) = (lex.mark(), self.open.opened());
                self.fail_about(lex, errors::UNCLOSED_TAGS, (end, end), open)
            }
            TagStack::Finished => State::Finished,
        }
    }
}

impl Lexing for LeafXmlMachine {
    type Classes = LeafXmlClasses;

    #[cfg(feature = "checkpoints")]
    fn complete(&mut self, fresh: Self) {
        self.own.options = fresh.own.options;
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        sniff_mark(prefix, finished)
    }

    fn states(&mut self, lex: Lexer<'_>) -> (usize, u32) {
        self.run_states(lex)
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    fn ill_formed(&mut self, lex: &mut Lexer<'_>, start: Mark, end: Mark) {
        self.fail(lex, errors::ILL_FORMED_BYTES, start, end);
    }

    fn certain(&self, until: Mark) -> Mark {
        match self.state {
            State::Escape
            | State::EscapeNumber
            | State::EscapeDecimal
            | State::EscapeHexadecimal => until.min(self.reference),
            State::CdataBracket => until.saturating_sub(1),
            State::CdataEnd => until.saturating_sub(2),
            _ => until,
        }
    }

    fn advance(&mut self, input: &mut Input, out: &mut Queue, keep: Mark, most: usize) -> Advance {
        self.own.bindings.forget(&mut out.namespaces);
        input.advance::<LeafXmlClasses>(keep, &mut out.retained, most, &mut self.open)
    }

    fn rebase(&mut self, by: u32) {
        let own = &mut self.own;
        own.normal.rebase(by);
        own.tag_normal.rebase(by);
        own.name.rebase(by);
        own.seen = own.seen.rebased(by);
        let (_, from, to) = &mut own.meant;
        (*from, *to) = match from.get() >= by {
            true => (from.rebased(by), to.rebased(by)),
            false => (Mark::NONE, Mark::NONE),
        };
    }

    fn rebase_scratch(&mut self, by: u32) {
        self.own.name.rebase_scratch(by);
    }

    fn end_text(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        self.flush_text(lex, end);
    }

    fn flush(&mut self, lex: &mut Lexer<'_>, mut until: Mark, more: u8) {
        if more != 0 {
            // A comment or an instruction in the assembly would be an event before all of its text.
            if self.own.options.has_events_within() {
                return;
            }
            match self.own.normal.boundary(until, |at| lex.before(at)) {
                Some(boundary) if !self.text.is_empty(boundary) => until = boundary,
                _ => {
                    self.flush_before_meant(lex, until);
                    return;
                }
            }
        }
        self.emit_text(lex, until, more);
        self.text = TextBuffer::at(until);
        self.own.normal.part(until);
    }
}
