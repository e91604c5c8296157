//! The machine: the registers, the dispatch, and the actions that states share.

use super::classes::{MicroXmlClasses, NOT_SPACE, StrictClasses};
use super::state::State;
use super::states::Ahead;
use super::{MicroXml, errors};
use crate::attributes::AttributeNames;
use crate::dialect::Machine;
use crate::error::{Code, ErrorKind};
use crate::event::record::{Attr, MORE, NONE, Piece, Queue};
use crate::input::cursor::Unit;
use crate::input::sniff::{self, Sniffed};
use crate::input::{Advance, Input};
use crate::lexer;
use crate::limits::{Limit, Limits};
use crate::stack::OpenElements;
use crate::text::microxml_names::{is_strict_char, legal_run};
use crate::text::numeric::Number;
use alloc::vec::Vec;

pub(super) type Lexer<'w> = lexer::Lexer<'w, MicroXmlClasses>;

/// The machine of [`MicroXml`].
#[derive(Clone, Debug)]
pub struct MicroXmlMachine {
    pub(super) strict: bool,
    /// The final revision is followed.
    pub(super) is_final: bool,
    pub(super) limits: Limits,
    pub(super) state: State,
    pub(super) balanced: bool,

    /// The data characters of the content that are not yet handed out: one run.
    pub(super) text: Piece,
    /// The run stands outside the root element and was white space so far.
    pub(super) blank: bool,
    /// The `<` of the token being read.
    pub(super) token: u32,
    /// Name of a tag.
    pub(super) name: u32,
    pub(super) name_end: u32,
    /// The current attribute, and whether it is to be dropped.
    pub(super) attribute: Attr,
    pub(super) dropped: bool,
    pub(super) names: AttributeNames,
    /// The value on its way.
    pub(super) value: Piece,
    /// The first CR that a look-ahead has come by.
    pub(super) carriage: u32,
    /// Attributes that the tag has if the look-ahead in `TAG_CONTEXT` succeeds, and whether there are
    /// more than may be.
    pub(super) provisional: Vec<Attr>,
    pub(super) overflow: bool,
    /// The tag was open before that look-ahead.
    pub(super) in_tag: bool,
    /// Where a token within a token begins: what a look-ahead goes back to.
    pub(super) inner: u32,
    /// The quote that ends a literal, or a value in which angle brackets stand.
    pub(super) quote: u8,
    /// The angle bracket that a look-ahead begins at.
    pub(super) angle: u8,
    /// Angle brackets before this mark are data of the value.
    pub(super) angle_until: u32,
    /// A comment or processing instruction is in the subset of a DOCTYPE.
    pub(super) in_subset: bool,
    /// What look-aheads for an end have learnt.
    pub(super) ahead: Ahead,
    /// The input is to be taken again from this mark on.
    pub(super) rewind: u32,
    /// Where a reference goes on, its `&`, its number.
    pub(super) return_state: State,
    pub(super) reference: u32,
    pub(super) number: Number,
    /// The byte before the window is a CR: an LF at its start is the same line end.
    pub(super) after_cr: bool,

    pub(super) open: OpenElements,
    pub(super) seen_root: bool,
}

impl MicroXmlMachine {
    pub(super) fn new(options: MicroXml) -> MicroXmlMachine {
        MicroXmlMachine {
            strict: options.is_strict(),
            is_final: options.is_final(),
            limits: Limits::default(),
            state: State::Main,
            balanced: false,
            text: Piece::at(0),
            blank: true,
            token: NONE,
            name: 0,
            name_end: 0,
            attribute: Attr::EMPTY,
            dropped: false,
            names: AttributeNames::default(),
            value: Piece::NONE,
            carriage: NONE,
            provisional: Vec::new(),
            overflow: false,
            in_tag: false,
            inner: NONE,
            quote: 0,
            angle: 0,
            angle_until: NONE,
            in_subset: false,
            ahead: Ahead::default(),
            rewind: NONE,
            return_state: State::Main,
            reference: NONE,
            number: Number::default(),
            after_cr: false,
            open: OpenElements::default(),
            seen_root: false,
        }
    }

    pub(super) fn balance(&mut self) {
        self.balanced = true;
    }

    /// The next unit in a tag that is no white space. A form feed is none in strict parses, which it
    /// ends.
    #[inline(always)]
    pub(super) fn until_no_space(&mut self, lex: &mut Lexer<'_>) -> Option<Unit> {
        let unit = lex.until::<NOT_SPACE>()?;
        if self.strict && unit == Unit::Byte(0xC) {
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
    pub(super) fn repair(&mut self, lex: &mut Lexer<'_>, code: Code, start: u32, end: u32) {
        match self.strict {
            true => self.refuse(lex, code, start, end),
            false => lex.report(code, start, end),
        }
    }

    /// Ends a strict parse.
    #[inline(always)]
    pub(super) fn refuse(&mut self, lex: &mut Lexer<'_>, code: Code, start: u32, end: u32) {
        if self.strict {
            lex.aside(|lex| self.fail(lex, ErrorKind::Syntax(code), start, end));
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
        if self.strict {
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

    /// Ends the parse. The text read so far is delivered before.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, lex: &mut Lexer<'_>, kind: ErrorKind, start: u32, end: u32) {
        if lex.out.fatal.is_none() {
            let until = self.certain(start);
            lex.emit_text(&mut self.text, until, 0);
        }
        lex.end_parse(kind, start, end)
    }

    /// A limit was reached by what stands between two marks.
    #[inline(always)]
    pub(super) fn exceed(&mut self, lex: &mut Lexer<'_>, limit: Limit, start: u32, end: u32) {
        lex.aside(|lex| self.fail(lex, ErrorKind::Limit(limit), start, end));
    }

    /// The mark up to which characters are certainly data, if all before `mark` was taken.
    fn certain(&self, mark: u32) -> u32 {
        let until = mark.min(self.token);
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

    /// Ends the run of characters at the mark `end` and hands it out.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: u32) {
        lex.emit_text(&mut self.text, end, 0);
    }

    /// Content begins at this mark.
    #[inline(always)]
    pub(super) fn start_text(&mut self, mark: u32) {
        self.token = NONE;
        self.text = Piece::at(mark);
        self.blank = self.open.is_empty();
    }

    /// A look-ahead has taken a CR.
    #[inline(always)]
    pub(super) fn note_carriage(&mut self, lex: &Lexer<'_>) {
        self.carriage = self.carriage.min(lex.mark() - 1);
    }

    /// The data up to the mark `to` was read as part of a token that it is not: its line ends are still
    /// to be normalised.
    pub(super) fn normalise(&mut self, lex: &mut Lexer<'_>, to: u32) {
        let from = core::mem::replace(&mut self.carriage, NONE);
        if from != NONE {
            lex.aside(|lex| self.normalise_cold(lex, from, to));
        }
    }

    #[cold]
    #[inline(never)]
    fn normalise_cold(&mut self, lex: &mut Lexer<'_>, from: u32, to: u32) {
        lex.out.work.compared += u64::from(to - from);
        for mark in from..to {
            if lex.byte(mark) != b'\r' {
                continue;
            }
            match mark + 1 < to && lex.byte(mark + 1) == b'\n' {
                true => lex.remove(&mut self.text, mark, mark + 1),
                false => lex.replace(&mut self.text, mark, mark + 1, "\n"),
            }
        }
    }

    /// A CR was taken in text or a value: it, and an LF after it, mean one LF.
    #[cold]
    #[inline(never)]
    pub(super) fn carriage_return(&mut self, lex: &mut Lexer<'_>) {
        let at = lex.mark() - 1;
        let in_text = matches!(self.state, State::Main | State::Cdata);
        let piece = match in_text {
            true => &mut self.text,
            false => &mut self.value,
        };
        match lex.peek() {
            Some(b'\n') if in_text => {
                lex.skip(1);
                match in_text {
                    true => lex.remove(piece, at, at + 1),
                    // The value as written begins with the CR.
                    false => lex.replace(piece, at, at + 1, ""),
                }
            }
            // A value that is not as it is written is a copy, if only its first character goes.
            Some(b'\n') => {
                lex.skip(1);
                lex.replace(piece, at, at + 2, "\n");
            }
            Some(_) => lex.replace(piece, at, at + 1, "\n"),
            None => {
                lex.replace(piece, at, at + 1, "\n");
                self.after_cr = true;
            }
        }
    }

    /// The mark `by` became mark 0.
    fn rebase(&mut self, by: u32) {
        if by == 0 {
            return;
        }
        self.text.rebase(by);
        self.value.rebase(by);
        let marks = [&mut self.token, &mut self.carriage, &mut self.angle_until];
        for mark in marks {
            if *mark != NONE {
                *mark = mark.wrapping_sub(by);
            }
        }
        let marks = [&mut self.name, &mut self.name_end, &mut self.reference];
        for mark in marks.into_iter().chain([&mut self.inner]) {
            *mark = mark.wrapping_sub(by);
        }
        self.ahead.rebase(by);
        self.attribute.rebase(by);
        for attribute in &mut self.provisional {
            attribute.rebase(by);
        }
    }

    /// Takes the input again from the mark `to` on, which is held.
    pub(super) fn go_back(&mut self, lex: &mut Lexer<'_>, to: u32) {
        self.rewind = to;
        lex.fence();
    }

    /// What stands between two marks is no data, and text goes on after it.
    pub(super) fn leave_out(&mut self, lex: &mut Lexer<'_>, from: u32, to: u32) {
        if self.text.is_empty(from) {
            self.text = Piece::at(to);
        } else {
            lex.leave_out(&mut self.text, from, to);
        }
        self.token = NONE;
    }

    /// The LF after a CR that ended the window before.
    fn line_feed_after(&mut self, lex: &mut Lexer<'_>) {
        self.after_cr = false;
        if lex.peek() == Some(b'\n') {
            let at = lex.mark();
            lex.skip(1);
            let piece = match self.state {
                State::Main | State::Cdata => &mut self.text,
                _ => &mut self.value,
            };
            lex.replace(piece, at, at + 1, "");
        }
    }
}

impl Machine for MicroXmlMachine {
    fn set_limits(&mut self, limits: &Limits) {
        self.limits = *limits;
        self.open.set_limits(limits.depth, limits.memory);
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        sniff::utf8(prefix, finished)
    }

    fn keep(&self, end: u32) -> u32 {
        end.min(self.text.start).min(self.token)
    }

    fn token(&self) -> u32 {
        self.token
    }

    fn advance(&mut self, input: &mut Input, out: &mut Queue, most: usize) -> Advance {
        let keep = self.keep(input.end());
        let advance = match self.strict {
            false => input.advance::<MicroXmlClasses>(keep, &mut out.carry, most),
            true => input.advance::<StrictClasses>(keep, &mut out.carry, most),
        };
        self.rebase(advance.rebase);
        advance
    }

    fn ill_formed(&mut self, input: &mut Input, out: &mut Queue) {
        let lex = &mut Lexer::new(input.cursor(false), out);
        let start = lex.mark();
        let end = start + char::REPLACEMENT_CHARACTER.len_utf8() as u32;
        self.repair(lex, errors::ILL_FORMED_BYTES, start, end);
    }

    fn run(&mut self, input: &mut Input, out: &mut Queue, eof: bool) {
        let rewind = core::mem::replace(&mut self.rewind, NONE);
        if rewind != NONE {
            let keep = self.keep(rewind);
            let back = input.rewind::<MicroXmlClasses>(rewind, keep, &mut out.carry);
            out.work.copied += back.copied as u64;
            for attribute in &mut out.attributes {
                attribute.rebase(back.rebase);
            }
            self.rebase(back.rebase);
        }
        let mut lex = Lexer::new(input.cursor(eof), out);
        if self.after_cr && !eof {
            self.line_feed_after(&mut lex);
        }
        let (at, again) = self.states(lex);
        let taken = input.took(at);
        out.work.states += taken as u64 + u64::from(again);
    }

    fn flush(&mut self, input: &mut Input, out: &mut Queue, more: bool) {
        let lex = &mut Lexer::new(input.cursor(false), out);
        let until = self.certain(lex.mark());
        if self.text.start < until && !self.text.is_empty(until) {
            lex.emit_cleaned_text(&mut self.text, until, if more { MORE } else { 0 });
            self.text = Piece::at(until);
        }
    }

    fn rebase_scratch(&mut self, by: u32) {
        self.text.rebase_scratch(by);
        self.value.rebase_scratch(by);
        self.attribute.rebase_scratch(by);
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    fn is_busy(&self) -> bool {
        self.rewind != NONE
    }
}
