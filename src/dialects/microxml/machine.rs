//! The MicroXML tokenizer: its registers, its interface to the parser, and the actions that the states share.
//!
//! MicroXML is the one dialect whose grammar needs unbounded lookahead: `<a b` starts a tag only if `=` follows (in
//! the final revision also if `>` follows), otherwise it is text. In most cases a failed lookahead leaves only text,
//! and nothing is read twice. In the final revision, some constructs must be read again from an earlier offset
//! ([`go_back`](MicroXmlMachine::go_back)); the register `ahead` remembers results of lookahead, so that the total
//! work stays linear.

use super::classes::{MicroXmlClasses, NOT_SPACE, StrictClasses, TEXT};
use super::errors;
use super::options::MicroXml;
use super::state::{Ahead, State};
use crate::engine::error::{ErrorCode, ErrorKind};
use crate::engine::event::queue::Queue;
use crate::engine::event::record::Attr;
use crate::engine::event::referred::Referred;
use crate::engine::input::BufferOffset;
use crate::engine::input::Input;
use crate::engine::scan::ByteClasses;
use crate::engine::text::microxml_names::{is_strict_char, legal_run};
use crate::engine::tokenizer::{self, StateMachine, TextBuffer, Tokenizer, Unit};
use alloc::vec::Vec;

/// The cursor on the input together with the queue of records, as the states receive it.
pub(super) type Lexer<'w> = tokenizer::Lexer<'w, MicroXmlClasses>;

/// The tokenizer of [`MicroXml`].
pub(super) type MicroXmlMachine = StateMachine<State, MicroXmlState>;

/// State of the tokenizer that only MicroXML has.
#[derive(Clone, Debug)]
pub struct MicroXmlState {
    /// True if the first error ends the parse ([`MicroXml::strict`]).
    pub(super) strict: bool,
    /// True if the final revision of the error-recovery specification applies.
    pub(super) is_final: bool,
    /// True if the events have to form a tree.
    pub(super) balanced: bool,
    /// True if the current run of text is outside the root element and contains only whitespace so far.
    pub(super) blank: bool,
    /// Offset of the first CR that was consumed as part of a lookahead, otherwise `BufferOffset::NONE`. If the
    /// lookahead fails, newlines are normalized from there.
    pub(super) carriage: BufferOffset,
    /// Attributes that the tag will have if the current `TAG_CONTEXT` lookahead succeeds.
    pub(super) provisional: Vec<Attr>,
    /// True if there are more provisional attributes than the limit allows.
    pub(super) overflow: bool,
    /// True if the tag was open before the `TAG_CONTEXT` lookahead began.
    pub(super) in_tag: bool,
    /// Offset of a nested construct to which a failed lookahead goes back: an angle bracket in a value, or a
    /// construct in a DOCTYPE.
    pub(super) inner: BufferOffset,
    /// The quote that ends the current literal, or the value in which an angle bracket was found.
    pub(super) quote: u8,
    /// The angle bracket (`<` or `>`) whose lookahead is in progress.
    pub(super) angle: u8,
    /// Offset up to which angle brackets are data of the current value, because a lookahead has found the end of the
    /// value.
    pub(super) angle_until: BufferOffset,
    /// True if the current comment or processing instruction is in the internal subset of a DOCTYPE.
    pub(super) in_subset: bool,
    /// Results of earlier lookahead for terminators.
    pub(super) ahead: Ahead,
    /// Offset from which the input has to be read again, otherwise `BufferOffset::NONE`.
    pub(super) rewind: BufferOffset,
    /// True if an element was read at the top level.
    pub(super) seen_root: bool,
}

impl MicroXmlMachine {
    /// Returns a tokenizer at the start of an input.
    pub(super) fn of(options: MicroXml) -> MicroXmlMachine {
        let dialect = MicroXmlState {
            strict: options.is_strict(),
            is_final: options.is_final(),
            balanced: false,
            blank: true,
            carriage: BufferOffset::NONE,
            provisional: Vec::new(),
            overflow: false,
            in_tag: false,
            inner: BufferOffset::NONE,
            quote: 0,
            angle: 0,
            angle_until: BufferOffset::NONE,
            in_subset: false,
            ahead: Ahead::default(),
            rewind: BufferOffset::NONE,
            seen_root: false,
        };
        StateMachine::new(State::Main, TextBuffer::at(BufferOffset::ZERO), dialect)
    }

    /// Makes the events form a tree.
    pub(super) fn balance(&mut self) {
        self.dialect.balanced = true;
    }

    /// Reads the next unit in a tag, after skipping whitespace. In strict parses a form feed is not whitespace, and
    /// ends the parse.
    #[inline(always)]
    pub(super) fn until_no_space(&mut self, lex: &mut Lexer<'_>) -> Option<Unit> {
        let unit = lex.until::<NOT_SPACE>()?;
        if self.dialect.strict && unit == Unit::Byte(0xC) {
            self.check_character(lex, 0xC);
        }
        Some(unit)
    }

    /// Handles a whitespace byte after a name in a tag, which was just consumed: remembers a CR, and checks a form
    /// feed.
    #[inline(always)]
    pub(super) fn space_after_name(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        match byte {
            b'\r' => self.note_carriage(lex),
            0xC => self.check_character(lex, byte),
            _ => {}
        }
    }

    /// Reports an error that is repaired. A strict parse ends instead.
    #[inline(always)]
    pub(super) fn repair(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        start: BufferOffset,
        end: BufferOffset,
    ) {
        match self.dialect.strict {
            true => self.refuse(lex, code, start, end),
            false => lex.report(code, start, end),
        }
    }

    /// Like [`repair`](Self::repair), with the position of something else that the error refers to.
    #[cold]
    pub(super) fn repair_about(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        (start, end): (BufferOffset, BufferOffset),
        referred: Option<Referred>,
    ) {
        match self.dialect.strict {
            true => self.end_parse_about(lex, ErrorKind::Syntax(code), (start, end), referred),
            false => lex.report_about(code, start, end, referred),
        }
    }

    /// In a strict parse, ends the parse with an error. Otherwise does nothing: parses that recover do not report such
    /// errors.
    #[inline(always)]
    pub(super) fn refuse(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        start: BufferOffset,
        end: BufferOffset,
    ) {
        if self.dialect.strict {
            lex.aside(|lex| self.end_parse(lex, ErrorKind::Syntax(code), start, end));
        }
    }

    /// Returns the length in bytes of the run of legal characters that starts with `byte`, which was consumed last,
    /// if `byte` is not ASCII; otherwise 0. Used in strict parses, to skip such runs as a whole.
    #[inline(always)]
    pub(super) fn legal_run_from(&self, lex: &Lexer<'_>, byte: u8) -> usize {
        match byte {
            0..0x80 => 0,
            _ => legal_run(lex.since_last()),
        }
    }

    /// In strict parses: checks the character that starts with `byte`, which was consumed last. If it is legal and
    /// not ASCII, consumes the run of legal characters that it starts.
    #[inline(always)]
    pub(super) fn check_character(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        if self.dialect.strict {
            lex.aside(|lex| self.check_character_cold(lex, byte));
        }
    }

    #[cold]
    #[inline(never)]
    fn check_character_cold(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        if lex.out.fatal.is_some() {
            // The parse has ended, so the window is truncated and may not contain the rest of the character.
            return;
        }
        let start = lex.mark() - 1;
        let is_legal = match byte {
            0..0x80 => is_strict_char(char::from(byte)),
            _ => match legal_run(lex.since_last()) {
                0 => {
                    lex.wide();
                    false
                }
                run => {
                    lex.skip(run - 1);
                    true
                }
            },
        };
        if !is_legal {
            let end = lex.mark();
            self.refuse(lex, errors::ILLEGAL_CHARACTER, start, end);
        }
    }

    /// Ends the run of text at offset `end` and emits it.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        lex.emit_text(&mut self.text, end, 0);
    }

    /// Starts a run of text at offset `mark`.
    #[inline(always)]
    pub(super) fn start_text(&mut self, mark: BufferOffset) {
        self.token = BufferOffset::NONE;
        self.text = TextBuffer::at(mark);
        self.dialect.blank = self.open.is_empty();
    }

    /// Remembers the offset of a CR that was just consumed in a lookahead.
    #[inline(always)]
    pub(super) fn note_carriage(&mut self, lex: &Lexer<'_>) {
        self.dialect.carriage = self.dialect.carriage.min(lex.mark() - 1);
    }

    /// Normalizes the newlines of text up to offset `to`, which was read as part of a token that has turned out not
    /// to be one.
    pub(super) fn normalise(&mut self, lex: &mut Lexer<'_>, to: BufferOffset) {
        let from = core::mem::replace(&mut self.dialect.carriage, BufferOffset::NONE);
        if !from.is_none() {
            lex.aside(|lex| self.normalise_cold(lex, from, to));
        }
    }

    #[cold]
    #[inline(never)]
    fn normalise_cold(&mut self, lex: &mut Lexer<'_>, from: BufferOffset, to: BufferOffset) {
        lex.out.work.compared += u64::from(to - from);
        for index in 0..to - from {
            let mark = from + index;
            if lex.byte(mark) != b'\r' {
                continue;
            }
            match mark + 1 < to && lex.byte(mark + 1) == b'\n' {
                true => lex.remove(&mut self.text, mark, mark + 1),
                false => lex.replace(&mut self.text, mark, mark + 1, "\n"),
            }
        }
    }

    /// Makes the tokenizer read the input again from offset `to` on. The text must still be buffered.
    pub(super) fn go_back(&mut self, lex: &mut Lexer<'_>, to: BufferOffset) {
        self.dialect.rewind = to;
        lex.suspend();
    }
}

impl Tokenizer for MicroXmlMachine {
    type Classes = MicroXmlClasses;
    type State = State;
    type Dialect = MicroXmlState;

    fn states(&mut self, lex: Lexer<'_>) -> (usize, u32) {
        self.run_states(lex)
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    fn ill_formed(&mut self, lex: &mut Lexer<'_>, start: BufferOffset, end: BufferOffset) {
        self.repair(lex, errors::ILL_FORMED_BYTES, start, end);
    }

    fn run_terminators(&self) -> Option<usize> {
        (self.state == State::Main && !self.dialect.blank).then_some(TEXT)
    }

    fn certain(&self, until: BufferOffset) -> BufferOffset {
        match self.state {
            State::Reference
            | State::ReferenceName
            | State::ReferenceNumber
            | State::ReferenceHexNumber
            | State::ReferenceDecimalNumber => until.min(self.reference),
            State::CdataBracket(read) => until.saturating_sub(read.into()),
            _ => until,
        }
    }

    fn earliest(&self, taken: BufferOffset) -> BufferOffset {
        // The input from `rewind` on will be read again.
        self.keep(taken.min(self.dialect.rewind)).min(self.token())
    }

    fn is_in_text(&self) -> bool {
        matches!(self.state, State::Main | State::Cdata)
    }

    fn is_in_cdata(&self) -> bool {
        matches!(self.state, State::Cdata | State::CdataBracket(_))
    }

    fn classes(&self) -> ByteClasses {
        match self.dialect.strict {
            true => ByteClasses::of::<StrictClasses>(),
            false => ByteClasses::of::<MicroXmlClasses>(),
        }
    }

    fn rebase(&mut self, by: u32) {
        let dialect = &mut self.dialect;
        for mark in [&mut dialect.carriage, &mut dialect.angle_until] {
            if !mark.is_none() {
                *mark = mark.rebased(by);
            }
        }
        dialect.inner = dialect.inner.rebased(by);
        dialect.ahead.rebase(by);
        for attribute in &mut dialect.provisional {
            attribute.rebase(by);
        }
    }

    fn line_feed_after(&mut self, lex: &mut Lexer<'_>) {
        self.drop_line_feed(lex);
    }

    fn prepare(&mut self, input: &mut Input, out: &mut Queue, _: bool) -> bool {
        let rewind = core::mem::replace(&mut self.dialect.rewind, BufferOffset::NONE);
        if !rewind.is_none() {
            let keep = self.keep(rewind);
            let classes = ByteClasses::of::<MicroXmlClasses>();
            let retained = &mut out.retained;
            let back = input.rewind(rewind, keep, retained, classes, &mut |text, to| {
                self.open.before_discard(text, to);
            });
            out.work.copied += back.copied as u64;
            for attribute in &mut out.attributes {
                attribute.rebase(back.rebase);
            }
            self.rebase_all(back.rebase);
        }
        true
    }

    fn end_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.flush_text(lex, end);
    }

    fn flush(&mut self, lex: &mut Lexer<'_>, until: BufferOffset, flags: u8) {
        lex.emit_cleaned_text(&mut self.text, until, flags);
        self.text = TextBuffer::at(until);
    }

    fn is_busy(&self) -> bool {
        !self.dialect.rewind.is_none()
    }
}

crate::checkpoint::checkpointable! {
    struct MicroXmlState {
        strict, is_final, balanced, blank, carriage, provisional, overflow, in_tag, inner, quote,
        angle, angle_until, in_subset, ahead, rewind, seen_root,
    }
}
