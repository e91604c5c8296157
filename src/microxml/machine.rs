//! The machine: the registers, the dispatch, and the actions that states share.

use super::classes::{MicroXmlClasses, NOT_SPACE, StrictClasses, TEXT};
use super::state::State;
use super::states::Ahead;
use super::{MicroXml, errors};
use crate::dialect::Machine;
use crate::error::{ErrorCode, ErrorKind};
use crate::event::record::{Attr, Queue};
use crate::event::referred::Referred;
use crate::input::Mark;
use crate::input::{Advance, Input};
use crate::lexer::{self, Lexing, StateMachine, TextBuffer, Unit};
use crate::text::microxml_names::{is_strict_char, legal_run};
use alloc::vec::Vec;

pub(super) type Lexer<'w> = lexer::Lexer<'w, MicroXmlClasses>;

/// The machine of [`MicroXml`].
pub(super) type MicroXmlMachine = StateMachine<State, Registers>;

/// What only the machine of MicroXML has.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Registers {
    pub(super) strict: bool,
    /// The final revision is followed.
    pub(super) is_final: bool,
    pub(super) balanced: bool,
    /// The run of text stands outside the root element and was white space so far.
    pub(super) blank: bool,
    /// The first CR that a look-ahead has come by.
    pub(super) carriage: Mark,
    /// Attributes that the tag has if the look-ahead in `TAG_CONTEXT` succeeds, and whether there are
    /// more than may be.
    pub(super) provisional: Vec<Attr>,
    pub(super) overflow: bool,
    /// The tag was open before that look-ahead.
    pub(super) in_tag: bool,
    /// Where a token within a token begins: what a look-ahead goes back to.
    pub(super) inner: Mark,
    /// The quote that ends a literal, or a value in which angle brackets stand.
    pub(super) quote: u8,
    /// The angle bracket that a look-ahead begins at.
    pub(super) angle: u8,
    /// Angle brackets before this mark are data of the value.
    pub(super) angle_until: Mark,
    /// A comment or processing instruction is in the subset of a DOCTYPE.
    pub(super) in_subset: bool,
    /// What look-aheads for an end have learnt.
    pub(super) ahead: Ahead,
    /// The input is to be taken again from this mark on.
    pub(super) rewind: Mark,
    pub(super) seen_root: bool,
}

impl MicroXmlMachine {
    pub(super) fn of(options: MicroXml) -> MicroXmlMachine {
        let own = Registers {
            strict: options.is_strict(),
            is_final: options.is_final(),
            balanced: false,
            blank: true,
            carriage: Mark::NONE,
            provisional: Vec::new(),
            overflow: false,
            in_tag: false,
            inner: Mark::NONE,
            quote: 0,
            angle: 0,
            angle_until: Mark::NONE,
            in_subset: false,
            ahead: Ahead::default(),
            rewind: Mark::NONE,
            seen_root: false,
        };
        StateMachine::new(State::Main, TextBuffer::at(Mark::ZERO), own)
    }

    pub(super) fn balance(&mut self) {
        self.own.balanced = true;
    }

    /// The next unit in a tag that is no white space. A form feed is none in strict parses, which it
    /// ends.
    #[inline(always)]
    pub(super) fn until_no_space(&mut self, lex: &mut Lexer<'_>) -> Option<Unit> {
        let unit = lex.until::<NOT_SPACE>()?;
        if self.own.strict && unit == Unit::Byte(0xC) {
            self.check_character(lex, 0xC);
        }
        Some(unit)
    }

    /// White space was taken after a name in a tag.
    #[inline(always)]
    pub(super) fn space_after_name(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        match byte {
            b'\r' => self.note_carriage(lex),
            0xC => self.check_character(lex, byte),
            _ => {}
        }
    }

    /// Reports what was repaired; in a strict parse it is the end.
    #[inline(always)]
    pub(super) fn repair(&mut self, lex: &mut Lexer<'_>, code: ErrorCode, start: Mark, end: Mark) {
        match self.own.strict {
            true => self.refuse(lex, code, start, end),
            false => lex.report(code, start, end),
        }
    }

    /// The same, where that refers to something else.
    #[cold]
    pub(super) fn repair_about(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        (start, end): (Mark, Mark),
        referred: Option<Referred>,
    ) {
        match self.own.strict {
            true => self.end_parse_about(lex, ErrorKind::Syntax(code), (start, end), referred),
            false => lex.report_about(code, start, end, referred),
        }
    }

    /// Ends a strict parse.
    #[inline(always)]
    pub(super) fn refuse(&mut self, lex: &mut Lexer<'_>, code: ErrorCode, start: Mark, end: Mark) {
        if self.own.strict {
            lex.aside(|lex| self.end_parse(lex, ErrorKind::Syntax(code), start, end));
        }
    }

    /// In strict parses: how many bytes of characters beyond ASCII, and of others, may stand here and
    /// are no markup, from the byte taken last on.
    #[inline(always)]
    pub(super) fn legal_run_from(&self, lex: &Lexer<'_>, byte: u8) -> usize {
        match byte {
            0..0x80 => 0,
            _ => legal_run(lex.since_last()),
        }
    }

    /// In strict parses: a character was taken whose first byte is `byte`, and may be none of
    /// MicroXML's. Beyond ASCII, those that follow it are taken too.
    #[inline(always)]
    pub(super) fn check_character(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        if self.own.strict {
            lex.aside(|lex| self.check_character_cold(lex, byte));
        }
    }

    #[cold]
    #[inline(never)]
    fn check_character_cold(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        if lex.out.fatal.is_some() {
            // The rest of the character may be behind the fence.
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

    /// Ends the run of characters at the mark `end` and hands it out.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        lex.emit_text(&mut self.text, end, 0);
    }

    /// Content begins at this mark.
    #[inline(always)]
    pub(super) fn start_text(&mut self, mark: Mark) {
        self.token = Mark::NONE;
        self.text = TextBuffer::at(mark);
        self.own.blank = self.open.is_empty();
    }

    /// A look-ahead has taken a CR.
    #[inline(always)]
    pub(super) fn note_carriage(&mut self, lex: &Lexer<'_>) {
        self.own.carriage = self.own.carriage.min(lex.mark() - 1);
    }

    /// The data up to the mark `to` was read as part of a token that it is not: its line ends are still
    /// to be normalised.
    pub(super) fn normalise(&mut self, lex: &mut Lexer<'_>, to: Mark) {
        let from = core::mem::replace(&mut self.own.carriage, Mark::NONE);
        if !from.is_none() {
            lex.aside(|lex| self.normalise_cold(lex, from, to));
        }
    }

    #[cold]
    #[inline(never)]
    fn normalise_cold(&mut self, lex: &mut Lexer<'_>, from: Mark, to: Mark) {
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

    /// Takes the input again from the mark `to` on, which is held.
    pub(super) fn go_back(&mut self, lex: &mut Lexer<'_>, to: Mark) {
        self.own.rewind = to;
        lex.fence();
    }
}

impl Lexing for MicroXmlMachine {
    type Classes = MicroXmlClasses;

    fn states(&mut self, lex: Lexer<'_>) -> (usize, u32) {
        self.run_states(lex)
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    fn ill_formed(&mut self, lex: &mut Lexer<'_>, start: Mark, end: Mark) {
        self.repair(lex, errors::ILL_FORMED_BYTES, start, end);
    }

    fn stops(&self) -> Option<usize> {
        (self.state == State::Main && !self.own.blank).then_some(TEXT)
    }

    fn certain(&self, until: Mark) -> Mark {
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

    fn is_in_text(&self) -> bool {
        matches!(self.state, State::Main | State::Cdata)
    }

    fn advance(&mut self, input: &mut Input, out: &mut Queue, keep: Mark, most: usize) -> Advance {
        match self.own.strict {
            false => {
                input.advance::<MicroXmlClasses>(keep, &mut out.retained, most, &mut self.open)
            }
            true => input.advance::<StrictClasses>(keep, &mut out.retained, most, &mut self.open),
        }
    }

    fn rebase(&mut self, by: u32) {
        let own = &mut self.own;
        for mark in [&mut own.carriage, &mut own.angle_until] {
            if !mark.is_none() {
                *mark = mark.rebased(by);
            }
        }
        own.inner = own.inner.rebased(by);
        own.ahead.rebase(by);
        for attribute in &mut own.provisional {
            attribute.rebase(by);
        }
    }

    fn line_feed_after(&mut self, lex: &mut Lexer<'_>) {
        self.drop_line_feed(lex);
    }

    fn prepare(&mut self, input: &mut Input, out: &mut Queue, _: bool) -> bool {
        let rewind = core::mem::replace(&mut self.own.rewind, Mark::NONE);
        if !rewind.is_none() {
            let keep = self.keep(rewind);
            let back =
                input.rewind::<MicroXmlClasses>(rewind, keep, &mut out.retained, &mut self.open);
            out.work.copied += back.copied as u64;
            for attribute in &mut out.attributes {
                attribute.rebase(back.rebase);
            }
            self.rebase_all(back.rebase);
        }
        true
    }

    fn end_text(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        self.flush_text(lex, end);
    }

    fn flush(&mut self, lex: &mut Lexer<'_>, until: Mark, more: u8) {
        lex.emit_cleaned_text(&mut self.text, until, more);
        self.text = TextBuffer::at(until);
    }

    fn is_busy(&self) -> bool {
        !self.own.rewind.is_none()
    }
}
