//! States in processing instructions, both in content and in a DOCTYPE.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{DELIMITED, Lexer, NOT_SPACE, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::event::record::{IN_DOCTYPE, Payload, Record, RecordKind};
use crate::engine::input::BufferOffset;
use crate::engine::input::sniff::MAX_LEADING_SPACES;
use crate::engine::limits::Limit;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{Byte, Eof},
};

impl XmlMachine {
    /// Implements the *pi state*: reads the first byte after `<?`.
    pub(in crate::dialects::xml) fn pi(&mut self, lex: &mut Lexer<'_>) -> Next {
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

    /// Starts the target of a processing instruction, whose first byte was just consumed.
    pub(in crate::dialects::xml) fn start_target(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        self.name = lex.mark() - 1;
        self.dialect.name_reported = false;
        self.target_character(lex, byte, true);
    }

    /// Checks a character of a target or of another name without colons, whose first byte was just consumed. `start`
    /// is true for the first character. With namespaces, a colon is an error.
    pub(in crate::dialects::xml) fn target_character(
        &mut self,
        lex: &mut Lexer<'_>,
        byte: u8,
        start: bool,
    ) {
        if byte != b':' || !self.dialect.options.has_namespaces() {
            return self.name_character(lex, byte, start);
        }
        if !self.dialect.name_reported {
            self.dialect.name_reported = true;
            self.error_here(lex, errors::COLON_IN_NAME);
        }
    }

    /// Implements the *pi target state*: reads the target, and decides whether this is the XML declaration.
    pub(in crate::dialects::xml) fn pi_target(&mut self, lex: &mut Lexer<'_>) -> Next {
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
                if self.end_target(lex, end) && self.dialect.start == 0 {
                    // The target is `xml`, but the input ends before the byte that would make this the XML
                    // declaration.
                    self.error(lex, errors::RESERVED_TARGET, self.name, end);
                }
                self.value = TextBuffer::at(end);
                self.eof_in_pi(lex)
            }
        })
    }

    /// Ends the target at offset `end`. Returns true if this is the XML declaration: the target is `xml` and the `<?`
    /// is at the start of the input, or follows whitespace there that may precede the declaration. Reports any other
    /// target that spells `xml`, in upper or lower case, and a declaration after whitespace.
    fn end_target(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) -> bool {
        let start = self.dialect.start;
        let begins = self.dialect.base + u64::from(self.token.get()) == start
            && start <= MAX_LEADING_SPACES as u64
            && self.dialect.entities.frames.is_empty()
            && !self.is_in_subset();
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
            let is_declaration = begins && target.eq(*b"xml");
            if !is_declaration || start > 0 {
                self.error(lex, errors::RESERVED_TARGET, name, end);
            }
            return is_declaration;
        }
        false
    }

    /// Implements the *pi target after state*: skips whitespace before the data.
    pub(in crate::dialects::xml) fn pi_target_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        match lex.until::<NOT_SPACE>()? {
            Byte(_) => lex.back(),
            Eof => {}
        }
        self.value = TextBuffer::at(lex.mark());
        Some(State::PiData)
    }

    /// Implements the *pi data state* and the *DOCTYPE pi state*: reads the data up to a `?` or a character that has
    /// to be checked.
    pub(in crate::dialects::xml) fn pi_data(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b'?') => State::PiAfter,
            Byte(byte) => {
                self.string_character(lex, byte);
                State::PiData
            }
            Eof => self.eof_in_pi(lex),
        })
    }

    /// Implements the *pi after state* and the *DOCTYPE pi after state*: a `>` ends the instruction.
    ///
    /// XML-ER drops the `?` before any other character. Here it becomes part of the data.
    pub(in crate::dialects::xml) fn pi_after(&mut self, lex: &mut Lexer<'_>) -> Next {
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

    /// Handles a `?` that does not end the instruction. If it directly follows the target, whitespace is missing
    /// there, which is reported.
    pub(in crate::dialects::xml) fn check_space_after_target(&mut self, lex: &mut Lexer<'_>) {
        let at = self.name_end;
        if self.value.start == at && lex.mark() - at <= 2 {
            self.error(lex, errors::MISSING_WHITE_SPACE, at, at + 1);
        }
    }

    /// Handles the end of the input in a processing instruction: reports it and emits the instruction. In a DOCTYPE,
    /// nothing is emitted.
    fn eof_in_pi(&mut self, lex: &mut Lexer<'_>) -> State {
        if self.is_in_subset() {
            self.value = TextBuffer::NONE;
            return self.eof_in_doctype(lex);
        }
        self.error_at_end(lex, errors::EOF_IN_PROCESSING_INSTRUCTION);
        lex.incomplete(|lex| self.emit_pi(lex, lex.mark()))
    }

    /// Emits the processing instruction, whose data ends at offset `end`.
    fn emit_pi(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) -> State {
        let (start, flags) = match self.is_in_subset() {
            true => (self.dialect.subset.token, IN_DOCTYPE),
            false => (self.token, 0),
        };
        let record = Record {
            payload: Payload::target(self.name, self.name_end),
            flags,
            ..Record::new(RecordKind::ProcessingInstruction, start, lex.mark())
        };
        self.emit_string(lex, record, end);
        match self.is_in_subset() {
            true => State::DoctypeInternalSubset,
            false => self.after_tag(lex),
        }
    }
}
