//! Processing instructions.

use crate::event::record::{Kind, Piece, Queue, Record};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::limits::Limit;
use crate::xml::errors;
use crate::xml::machine::{Cursor, DELIMITED, NOT_SPACE, XmlMachine};
use crate::xml::state::State;

impl XmlMachine {
    /// Pi state
    pub(in crate::xml) fn pi(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                input.back();
                self.error_next(input, out, errors::INVALID_TARGET);
                self.start_bogus_comment(input, out)
            }
            Byte(byte) => {
                self.name = input.mark() - 1;
                self.name_reported = false;
                *input = self.target_character(*input, out, byte, true);
                State::PiTarget
            }
            Eof => {
                self.error_at_end(input, out, errors::INVALID_TARGET);
                self.start_bogus_comment(input, out)
            }
        })
    }

    /// A character of a target was taken: it may be none of a name. With namespaces, a target has no
    /// colon.
    pub(in crate::xml) fn target_character<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        byte: u8,
        start: bool,
    ) -> Cursor<'w> {
        if byte != b':' || !self.options.has_namespaces() {
            return self.name_character(input, out, byte, start);
        }
        if !self.name_reported {
            self.name_reported = true;
            self.error_here(&mut input, out, errors::COLON_IN_NAME);
        }
        input
    }

    /// Pi target state
    pub(in crate::xml) fn pi_target(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                match self.end_target(input, out, input.mark() - 1) {
                    true => State::Declaration,
                    false => State::PiTargetAfter,
                }
            }
            Byte(b'?') => {
                let end = input.mark() - 1;
                if self.end_target(input, out, end) {
                    return Some(State::DeclarationAfter);
                }
                self.string = Piece::at(end);
                State::PiAfter
            }
            Byte(byte) => {
                *input = self.target_character(*input, out, byte, false);
                State::PiTarget
            }
            Eof => {
                let end = input.mark();
                if self.end_target(input, out, end) {
                    // What follows makes it a declaration, and nothing does.
                    self.error(input, out, errors::RESERVED_TARGET, self.name, end);
                }
                self.string = Piece::at(end);
                self.eof_in_pi(input, out)
            }
        })
    }

    /// The target ends at the mark `end`; gives whether this is an XML declaration.
    fn end_target(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) -> bool {
        let begins = self.token == 0 && !self.rebased;
        self.end_target_at(input, out, end, begins)
    }

    /// The target ends at the mark `end`. Gives whether this is an XML declaration, which it may be
    /// where the input `begins`.
    pub(in crate::xml) fn end_target_at(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        end: u32,
        begins: bool,
    ) -> bool {
        self.name_end = end;
        let name = self.name;
        if (end - name) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, name, end);
        }
        let (first, second) = input.pieces(&out.carry, name, end);
        let target = first.bytes().chain(second.bytes());
        if end - name == 3
            && target
                .clone()
                .map(|byte| byte.to_ascii_lowercase())
                .eq(*b"xml")
        {
            if begins && target.eq(*b"xml") {
                return true;
            }
            self.error(input, out, errors::RESERVED_TARGET, name, end);
        }
        false
    }

    /// Pi target after state
    pub(in crate::xml) fn pi_target_after(
        &mut self,
        input: &mut Cursor<'_>,
        _: &mut Queue,
    ) -> Option<State> {
        match input.until::<NOT_SPACE>()? {
            Byte(_) => input.back(),
            Eof => {}
        }
        self.string = Piece::at(input.mark());
        Some(State::PiData)
    }

    /// Pi data state
    pub(in crate::xml) fn pi_data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<DELIMITED>()? {
            Byte(b'?') => State::PiAfter,
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::PiData
            }
            Eof => self.eof_in_pi(input, out),
        })
    }

    /// Pi after state
    ///
    /// Anything but `>` and `?` first appends the `?` before it.
    pub(in crate::xml) fn pi_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.emit_pi(input, out, input.mark() - 2),
            byte => {
                self.check_space_after_target(input, out);
                match byte {
                    Byte(b'?') => State::PiAfter,
                    Byte(_) => {
                        input.back();
                        State::PiData
                    }
                    Eof => State::PiData,
                }
            }
        })
    }

    /// A `?` did not end the instruction: if it ended the target, white space is missing before it.
    pub(in crate::xml) fn check_space_after_target(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) {
        let at = self.name_end;
        if self.string.start == at && input.mark() - at <= 2 {
            self.error(input, out, errors::MISSING_WHITE_SPACE, at, at + 1);
        }
    }

    fn eof_in_pi(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.error_at_end(input, out, errors::EOF_IN_PROCESSING_INSTRUCTION);
        self.emit_pi(input, out, input.mark())
    }

    fn emit_pi(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) -> State {
        let (c, d) = (self.name, self.name_end);
        let record = Record::new(Kind::ProcessingInstruction, self.token, input.mark());
        self.emit_string(input, out, Record { c, d, ..record }, end);
        self.after_tag(input)
    }
}
