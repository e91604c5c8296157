//! The LeafXML tokenizer: its byte classes, its registers, its interface to the parser, and the actions that the
//! states share.
//!
//! A *content assembly* is the specification's word for a run of text: all text and CDATA tokens between two tags.
//! Comments and instructions between them do not end it. The register `text` of [`LeafXmlMachine`] holds the content
//! assembly. It is converted to Unicode normal form NFC when it is emitted, if the incremental check (`normal.rs`)
//! does not show that it is in NFC already.

use super::errors;
use super::normal::Normality;
use super::options::LeafXml;
use super::state::{State, TagName};
use crate::engine::error::{ErrorCode, ErrorKind};
use crate::engine::event::queue::{Queue, SplitAt};
use crate::engine::event::record::{MORE, Record, RecordKind};
use crate::engine::event::referred::Referred;
use crate::engine::event::strings::{Cleaned, ScratchOffset, Str};
use crate::engine::input::BufferOffset;
use crate::engine::input::Input;
use crate::engine::input::sniff::{Sniffed, sniff_mark};
use crate::engine::namespaces::Bindings;
use crate::engine::scan::{Classes, Masks, Set, classify};
use crate::engine::text::leafxml_names::is_char;
use crate::engine::text::normal::ODD_LEADS;
use crate::engine::tokenizer::{self, StateMachine, TextBuffer, Tokenizer};
use unicode_normalization::UnicodeNormalization;

// The classes contain the first bytes ([`ODD_LEADS`]) of characters that NFC may change or that need another check. All
// other characters outside ASCII are *plain* ([`is_plain`]) and need no attention outside of names.

/// Byte class at which a scan of text stops: bytes that may start markup or an escape, and characters that need a
/// check.
pub(super) const TEXT: usize = 0;
/// Byte class at which a scan of a name stops: every byte except the ASCII characters that are allowed in any name
/// and have no further meaning.
pub(super) const NAME: usize = 1;
/// Byte class at which a scan of a double-quoted value stops.
pub(super) const DOUBLE_QUOTED: usize = 2;
/// Byte class at which a scan of a single-quoted value stops.
pub(super) const SINGLE_QUOTED: usize = 3;
/// Byte class at which a scan of a comment, a CDATA token or an instruction stops.
pub(super) const DELIMITED: usize = 4;
/// Byte class at which a scan of whitespace stops: every byte except ASCII whitespace.
pub(super) const NOT_SPACE: usize = 5;

/// The byte sets, indexed by the constants [`TEXT`] to [`NOT_SPACE`].
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

    fn classify(window: &[u8], masks: &mut Masks) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

/// The cursor on the input together with the queue of records, as the states receive it.
pub(super) type Lexer<'w> = tokenizer::Lexer<'w, LeafXmlClasses>;

/// The states of the tag stack, as the specification defines them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagStack {
    /// Before the first tag.
    Initial,
    /// Inside the root element.
    Active,
    /// After the end of the root element.
    Finished,
}

/// The letters of an escape's name that were read so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Letters {
    /// The letters; only the first `length` are meaningful.
    pub(super) letters: [u8; 4],
    /// Number of letters.
    pub(super) length: usize,
}

/// The tokenizer of [`LeafXml`]. Its register `text` holds the content assembly.
pub(super) type LeafXmlMachine = StateMachine<State, LeafXmlState>;

/// State of the tokenizer that only LeafXML has.
#[derive(Clone, Debug)]
pub struct LeafXmlState {
    /// The options of the dialect. A checkpoint does not contain them; the program supplies them again.
    pub(super) options: LeafXml,
    /// The last character before which the content assembly can be split, if a later part of the content assembly
    /// differs from its source: the start of its source, and its offset in the scratch buffer once it is copied. Set only
    /// if text may be delivered in pieces.
    pub(super) split: (BufferOffset, ScratchOffset),
    /// True if the last character of the content assembly is a carriage return. A line feed or NEL after it belongs
    /// to the same line break.
    pub(super) after_cr: bool,
    /// State to enter when the expected keyword has been read.
    pub(super) then: State,
    /// The letters of the current escape.
    pub(super) letters: Letters,
    /// The name of the current tag.
    pub(super) name: TagName,
    /// True if the value up to offset `seen` is empty or ends with whitespace. If characters after `seen` were
    /// consumed, the value does not end with whitespace.
    pub(super) space: bool,
    /// Offset up to which `space` describes the value.
    pub(super) seen: BufferOffset,
    /// True if the name of some attribute of the current tag differs from its source, because it was normalized.
    pub(super) cleaned_names: bool,
    /// True if an attribute of the current tag may be called `xmlns`. The namespaces of the tag then need a closer
    /// look.
    pub(super) declares: bool,
    /// Number of attributes of the current tag whose names contain a colon.
    pub(super) prefixed: u32,
    /// Incremental NFC check of the content assembly.
    pub(super) normal: Normality,
    /// Incremental NFC check of the name or value being read.
    pub(super) tag_normal: Normality,
    /// The state of the tag stack, as the specification names it: whether the root element is still to come, is open, or
    /// has ended.
    pub(super) stack: TagStack,
    /// The namespace bindings in scope.
    pub(super) bindings: Bindings,
    /// True if a DOCTYPE was read.
    pub(super) seen_doctype: bool,
}

/// Consumes and returns the next byte if it is the first byte of a character beyond ASCII.
#[inline(always)]
pub(super) fn next_wide(lex: &mut Lexer<'_>) -> Option<u8> {
    let next = lex.peek().filter(|next| *next >= 0x80)?;
    lex.skip(1);
    Some(next)
}

impl LeafXmlMachine {
    /// Returns a tokenizer at the start of an input.
    pub(super) fn of(options: LeafXml) -> LeafXmlMachine {
        let dialect = LeafXmlState {
            options,
            split: (BufferOffset::NONE, ScratchOffset::NONE),
            after_cr: false,
            then: State::Text,
            letters: Letters::default(),
            name: TagName::default(),
            space: false,
            seen: BufferOffset::ZERO,
            cleaned_names: false,
            declares: false,
            prefixed: 0,
            normal: Normality::at(BufferOffset::NONE),
            tag_normal: Normality::at(BufferOffset::NONE),
            stack: TagStack::Initial,
            bindings: Bindings::new(),
            seen_doctype: false,
        };
        StateMachine::new(State::Outside, TextBuffer::NONE, dialect)
    }

    /// Ends the parse with an error in `start..end`. The returned state is a placeholder, because no state runs any
    /// more.
    #[inline(always)]
    pub(super) fn fail(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        start: BufferOffset,
        end: BufferOffset,
    ) -> State {
        lex.aside(|lex| self.end_parse(lex, ErrorKind::Syntax(code), start, end));
        self.state
    }

    /// Like [`fail`](Self::fail), with the position of something else that the error refers to.
    #[cold]
    pub(super) fn fail_about(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        at: (BufferOffset, BufferOffset),
        referred: Option<Referred>,
    ) -> State {
        self.end_parse_about(lex, ErrorKind::Syntax(code), at, referred);
        self.state
    }

    /// Ends the parse with an error at the end of the input, with an empty span.
    pub(super) fn fail_at_end(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) -> State {
        let end = lex.mark();
        self.fail(lex, code, end, end)
    }

    /// Ends the parse with an error at the character whose first byte, `byte`, was just consumed. The error is
    /// `code`, or another one if the character is not in LeafXML's character set at all.
    pub(super) fn fail_here(&mut self, lex: &mut Lexer<'_>, byte: u8, code: ErrorCode) -> State {
        let (character, from, to) = lex.character(byte);
        let code = match is_char(character) {
            true => code,
            false => errors::DISALLOWED_CHARACTER,
        };
        self.fail(lex, code, from, to)
    }

    /// Checks the character that starts with `byte`, which was just consumed, and all further characters beyond ASCII
    /// that follow it. Used where a character only has to be in the character set.
    pub(super) fn check_characters(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        let mut byte = byte;
        loop {
            let (character, from, to) = lex.character(byte);
            if !is_char(character) {
                self.fail(lex, errors::DISALLOWED_CHARACTER, from, to);
                return;
            }
            let Some(next) = next_wide(lex) else { return };
            byte = next;
        }
    }

    /// Ends the content assembly at offset `end` and emits it.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        if self.text.start < end {
            self.emit_text(lex, end, 0);
        }
        self.text = TextBuffer::NONE;
    }

    /// Emits the content assembly up to offset `end`, in NFC. `flags` are the flags of the record, such as [`MORE`] if
    /// the assembly continues.
    #[inline(always)]
    fn emit_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset, flags: u8) {
        let start = self.text.start;
        let string = lex.finish(&mut self.text, end);
        let end = self.text.end(end);
        self.emit_string(lex, (start, end), string, flags);
    }

    /// Emits a part of the content assembly, in NFC. Its source is between two offsets.
    #[inline(always)]
    fn emit_string(
        &mut self,
        lex: &mut Lexer<'_>,
        (start, end): (BufferOffset, BufferOffset),
        mut string: Str,
        flags: u8,
    ) {
        if let Str::Borrowed(..) = string {
            lex.join(start, end);
        }
        if !self.dialect.normal.sure {
            string = Str::Cleaned(self.normalize(lex, string));
        }
        if let Str::Cleaned(string) = string {
            lex.out.unfinished = string.end;
        }
        if !string.is_empty() {
            let record = Record {
                flags,
                ..Record::new(RecordKind::Text, start, end)
            };
            lex.emit(record.with(string));
        }
    }

    /// Converts `string` to NFC. The result is in the scratch buffer. If the string itself is there, it must be at
    /// the end, and is replaced.
    #[cold]
    #[inline(never)]
    pub(super) fn normalize(&self, lex: &mut Lexer<'_>, string: Str) -> Cleaned {
        let string = match string {
            Str::Cleaned(Cleaned { start, end }) => {
                lex.out.scratch.truncate(end.index());
                lex.out.scratch.split_off(start.index())
            }
            Str::Borrowed(from, to) => lex.string(from, to),
        };
        let start = lex.out.scratch_end();
        lex.out.scratch.extend(string.nfc());
        let normal = Cleaned::since(start, &lex.out.scratch);
        lex.out.work.cleaned += u64::from(normal.length());
        normal
    }

    /// Called before the source of the content assembly from the offset `from` on is replaced or removed: stores the last
    /// character before which the content assembly can be split.
    #[inline(always)]
    pub(super) fn note_split(&mut self, lex: &Lexer<'_>, from: BufferOffset) {
        if lex.out.settings.splits_text && !self.text.is_none() {
            self.note_split_in_pieces(lex, from);
        }
    }

    #[inline(never)]
    fn note_split_in_pieces(&mut self, lex: &Lexer<'_>, from: BufferOffset) {
        if let Some(at) = self.dialect.normal.boundary(from, |at| lex.before(at)) {
            self.dialect.split = (at, self.text.clean_offset(lex.out, at));
        }
    }

    /// Emits a piece of the text up to the stored character, which differs from the end of the text. A piece has to be
    /// delivered without delay, and the limit of a token applies to the text after the last character before which it
    /// can be split.
    #[cold]
    fn flush_to_split(&mut self, lex: &mut Lexer<'_>, flags: u8) {
        let (at, clean) = self.dialect.split;
        if at.is_none() || at <= self.text.start {
            return;
        }
        let start = self.text.start;
        let (mut rest, copied) = self.text.split(lex.out, at, clean);
        let (mut end, before) = (self.text.end(at), lex.out.records.len());
        if !self.text.is_empty(at) {
            self.emit_text(lex, at, flags);
        }
        if lex.out.records.len() == before {
            end = start;
        }
        rest.continue_copy(lex.out, &copied);
        if lex.out.settings.splits_at_markup {
            // If the next piece starts with the LF of a CR LF, the CR is in its span. So is the rest of a line break that
            // begins in another token.
            rest.start = end;
        }
        self.text = rest;
        self.dialect.normal.part(at);
    }

    /// If text is split at markup of this kind: ends the current piece of the content assembly before the offset `from`,
    /// and begins the next piece at the offset `to`. Each piece is in NFC by itself. `flags` is [`IN_CDATA`] if the piece is
    /// in a CDATA token, otherwise 0. Returns whether text is split at such markup.
    pub(super) fn split_content(
        &mut self,
        lex: &mut Lexer<'_>,
        at: SplitAt,
        (from, to): (BufferOffset, BufferOffset),
        flags: u8,
    ) -> bool {
        let is_split = self.split_text(lex, at, (from, to), flags);
        if is_split {
            self.dialect.normal = Normality::at(self.text.start);
        }
        is_split
    }

    /// Returns the state after a tag, and starts a content assembly if a root element is open.
    #[inline(always)]
    pub(super) fn after_tag(&mut self, lex: &Lexer<'_>) -> State {
        self.token = BufferOffset::NONE;
        self.dialect.after_cr = false;
        if self.open.is_empty() {
            self.dialect.normal = Normality::at(BufferOffset::NONE);
            State::Outside
        } else {
            self.text = TextBuffer::at(lex.mark());
            self.dialect.normal = Normality::at(lex.mark());
            State::Text
        }
    }

    /// Returns the state after a token that is not a tag. The content assembly continues.
    pub(super) fn content(&mut self) -> State {
        self.token = BufferOffset::NONE;
        if self.text.is_none() {
            State::Outside
        } else if self.dialect.after_cr {
            State::TextLineBreak
        } else {
            State::Text
        }
    }

    /// Handles the end of the input outside of tokens: ends the parse with an error if there was no root element or
    /// it is not closed.
    #[cold]
    #[inline(never)]
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        match self.dialect.stack {
            TagStack::Initial => self.fail_at_end(lex, errors::NO_TAGS),
            TagStack::Active => {
                let (end, open) = (lex.mark(), self.open.opened());
                self.fail_about(lex, errors::UNCLOSED_TAGS, (end, end), open)
            }
            TagStack::Finished => State::Finished,
        }
    }
}

impl Tokenizer for LeafXmlMachine {
    type Classes = LeafXmlClasses;
    type State = State;
    type Dialect = LeafXmlState;

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        sniff_mark(prefix, finished)
    }

    fn states(&mut self, lex: Lexer<'_>) -> (usize, u32) {
        self.run_states(lex)
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    fn ill_formed(&mut self, lex: &mut Lexer<'_>, start: BufferOffset, end: BufferOffset) {
        self.fail(lex, errors::ILL_FORMED_BYTES, start, end);
    }

    fn certain(&self, until: BufferOffset) -> BufferOffset {
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

    fn is_in_cdata(&self) -> bool {
        let is_in_token = matches!(
            self.state,
            State::Cdata | State::CdataLineBreak | State::CdataBracket | State::CdataEnd
        );
        is_in_token && !self.dialect.options.has_events_within()
    }

    fn before_window(&mut self, _: &mut Input, out: &mut Queue) {
        self.dialect.bindings.forget(&mut out.bindings.namespaces);
    }

    fn rebase(&mut self, by: u32) {
        let dialect = &mut self.dialect;
        dialect.normal.rebase(by);
        dialect.tag_normal.rebase(by);
        dialect.name.rebase(by);
        dialect.seen = dialect.seen.rebased(by);
        let split = &mut dialect.split.0;
        *split = match !split.is_none() && split.get() >= by {
            true => split.rebased(by),
            false => BufferOffset::NONE,
        };
    }

    fn rebase_scratch(&mut self, by: u32) {
        self.dialect.name.rebase_scratch(by);
        self.dialect.split.1 = self.dialect.split.1.rebased(by);
    }

    fn end_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.flush_text(lex, end);
    }

    fn may_split_text(&self) -> bool {
        // The event of a comment or an instruction has to come before all text of the content assembly that it
        // interrupts. While such events are enabled, the text cannot be delivered in pieces.
        !self.dialect.options.has_events_within()
    }

    fn flush_before_markup(&mut self, lex: &mut Lexer<'_>, until: BufferOffset, flags: u8) {
        self.emit_text(lex, until, flags);
    }

    fn flush(&mut self, lex: &mut Lexer<'_>, mut until: BufferOffset, flags: u8) {
        if flags & MORE != 0 {
            if !self.may_split_text() {
                return;
            }
            match self.dialect.normal.boundary(until, |at| lex.before(at)) {
                Some(boundary) if !self.text.is_empty(boundary) => until = boundary,
                _ => return self.flush_to_split(lex, flags),
            }
        }
        let (start, mut end) = (self.text.start, self.text.end(until));
        let before = lex.out.records.len();
        self.emit_text(lex, until, flags);
        if lex.out.records.len() == before {
            end = start;
        }
        self.text = match lex.out.settings.splits_at_markup {
            // If the next piece starts with the LF of a CR LF, the CR is in its span. So is the rest of a line break that
            // begins in another token.
            true => TextBuffer::after_cr(end, until),
            false => TextBuffer::at(until),
        };
        self.dialect.normal.part(until);
    }
}

crate::checkpoint::checkpointable! {
    enum TagStack { Initial, Active, Finished }
    struct Letters { letters, length }
    struct LeafXmlState {
        split, after_cr, then, letters, name, space, seen, cleaned_names, declares, prefixed,
        normal, tag_normal, stack, bindings, seen_doctype, options,
    }
}
