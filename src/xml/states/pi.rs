//! Processing instructions, of the content and of a DOCTYPE.

use crate::event::record::{IN_DOCTYPE, Kind, Payload, Record};
use crate::input::Mark;
use crate::lexer::{
    TextBuffer,
    Unit::{Byte, Eof},
};
use crate::limits::Limit;
use crate::xml::errors;
use crate::xml::machine::{DELIMITED, Lexer, NOT_SPACE, XmlMachine};
use crate::xml::state::{Next, State};

impl XmlMachine {
    /// Pi state
    pub(in crate::xml) fn pi(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                lex.back();
                self.error_next(lex, errors::INVALID_TARGET);
                self.start_bogus_comment(lex)
            }
            Byte(byte) => {
                self.start_target(lex, byte);
                State::PiTarget
            }
            Eof => {
                self.error_at_end(lex, errors::INVALID_TARGET);
                self.start_bogus_comment(lex)
            }
        })
    }

    /// The first byte of a target was taken.
    pub(in crate::xml) fn start_target(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        self.name = lex.mark() - 1;
        self.own.name_reported = false;
        self.target_character(lex, byte, true);
    }

    /// A character of a target was taken: it may be none of a name. With namespaces, a target has no
    /// colon.
    pub(in crate::xml) fn target_character(&mut self, lex: &mut Lexer<'_>, byte: u8, start: bool) {
        if byte != b':' || !self.own.options.has_namespaces() {
            return self.name_character(lex, byte, start);
        }
        if !self.own.name_reported {
            self.own.name_reported = true;
            self.error_here(lex, errors::COLON_IN_NAME);
        }
    }

    /// Pi target state
    pub(in crate::xml) fn pi_target(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => match self.end_target(lex, lex.mark() - 1) {
                true => State::Declaration,
                false => State::PiTargetAfter,
            },
            Byte(b'?') => {
                let end = lex.mark() - 1;
                if self.end_target(lex, end) {
                    return Some(State::DeclarationAfter);
                }
                self.value = TextBuffer::at(end);
                State::PiAfter
            }
            Byte(byte) => {
                self.target_character(lex, byte, false);
                State::PiTarget
            }
            Eof if self.is_in_subset() => self.eof_in_pi(lex),
            Eof => {
                let end = lex.mark();
                if self.end_target(lex, end) {
                    // What follows makes it a declaration, and nothing does.
                    self.error(lex, errors::RESERVED_TARGET, self.name, end);
                }
                self.value = TextBuffer::at(end);
                self.eof_in_pi(lex)
            }
        })
    }

    /// The target ends at the mark `end`; gives whether this is an XML declaration.
    fn end_target(&mut self, lex: &mut Lexer<'_>, end: Mark) -> bool {
        let begins = self.token == Mark::ZERO && !self.own.rebased && !self.is_in_subset();
        self.name_end = end;
        let name = self.name;
        if (end - name) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, name, end);
        }
        let (first, second) = lex.pieces(name, end);
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
            self.error(lex, errors::RESERVED_TARGET, name, end);
        }
        false
    }

    /// Pi target after state
    pub(in crate::xml) fn pi_target_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        match lex.until::<NOT_SPACE>()? {
            Byte(_) => lex.back(),
            Eof => {}
        }
        self.value = TextBuffer::at(lex.mark());
        Some(State::PiData)
    }

    /// Pi data state, and DOCTYPE pi state
    pub(in crate::xml) fn pi_data(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b'?') => State::PiAfter,
            Byte(byte) => {
                self.string_character(lex, byte);
                State::PiData
            }
            Eof => self.eof_in_pi(lex),
        })
    }

    /// Pi after state, and DOCTYPE pi after state
    ///
    /// Anything but `>` and `?` first appends the `?` before it.
    pub(in crate::xml) fn pi_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_pi(lex, lex.mark() - 2),
            byte => {
                self.check_space_after_target(lex);
                match byte {
                    Byte(b'?') => State::PiAfter,
                    Byte(_) => lex.reconsume(State::PiData),
                    Eof => State::PiData,
                }
            }
        })
    }

    /// A `?` did not end the instruction: if it ended the target, white space is missing before it.
    pub(in crate::xml) fn check_space_after_target(&mut self, lex: &mut Lexer<'_>) {
        let at = self.name_end;
        if self.value.start == at && lex.mark() - at <= 2 {
            self.error(lex, errors::MISSING_WHITE_SPACE, at, at + 1);
        }
    }

    fn eof_in_pi(&mut self, lex: &mut Lexer<'_>) -> State {
        if self.is_in_subset() {
            self.value = TextBuffer::NONE;
            return self.eof_in_doctype(lex);
        }
        self.error_at_end(lex, errors::EOF_IN_PROCESSING_INSTRUCTION);
        self.emit_pi(lex, lex.mark())
    }

    fn emit_pi(&mut self, lex: &mut Lexer<'_>, end: Mark) -> State {
        let (start, flags) = match self.is_in_subset() {
            true => (self.own.inner, IN_DOCTYPE),
            false => (self.token, 0),
        };
        let record = Record {
            payload: Payload::target(self.name, self.name_end),
            flags,
            ..Record::new(Kind::ProcessingInstruction, start, lex.mark())
        };
        self.emit_string(lex, record, end);
        match self.is_in_subset() {
            true => State::DoctypeInternalSubset,
            false => self.after_tag(lex),
        }
    }
}
