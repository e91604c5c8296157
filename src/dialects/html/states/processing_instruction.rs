//! The states of processing instructions, which were added to the standard on 2026-06-25.

use crate::dialects::html::errors;
use crate::dialects::html::machine::{BOGUS, HtmlMachine, Lexer, NOT_SPACE, reconsume};
use crate::dialects::html::state::{Next, State};
use crate::engine::error::ErrorCode;
use crate::engine::event::record::{Payload, Record, RecordKind};
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{self, Byte, Eof},
};

impl HtmlMachine {
    /// Implements the *processing instruction open state*: after `<?`.
    pub(super) fn processing_instruction_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.name = lex.mark() - 1;
                State::ProcessingInstructionTarget
            }
            Eof => self.eof_in_processing_instruction(lex),
            unit @ Byte(_) => {
                let code = errors::INVALID_FIRST_CHARACTER_OF_PROCESSING_INSTRUCTION_TARGET;
                self.no_processing_instruction(lex, code, unit)
            }
        })
    }

    /// Implements the *processing instruction target state*: in the target of a processing instruction.
    pub(super) fn processing_instruction_target(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') => {
                State::ProcessingInstructionTarget
            }
            unit @ Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'?' | b'>') => {
                let end = lex.mark() - 1;
                if self.is_disallowed_target(lex, end) {
                    let code = errors::DISALLOWED_PROCESSING_INSTRUCTION_TARGET;
                    return Some(self.no_processing_instruction(lex, code, unit));
                }
                self.name_end = end;
                if (end - self.name) as usize > self.limits.name {
                    self.exceed(lex, Limit::Name, self.name, end);
                }
                reconsume(lex, unit, State::AfterProcessingInstructionTarget)
            }
            Eof => self.eof_in_processing_instruction(lex),
            unit @ Byte(_) => {
                let code = errors::INVALID_PROCESSING_INSTRUCTION_TARGET;
                self.no_processing_instruction(lex, code, unit)
            }
        })
    }

    /// Implements the *after processing instruction target state*: after the target, before the data.
    pub(super) fn after_processing_instruction_target(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&NOT_SPACE)? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::AfterProcessingInstructionTarget,
            unit => {
                let state = reconsume(lex, unit, State::ProcessingInstructionData);
                self.value = TextBuffer::at(lex.mark());
                state
            }
        })
    }

    /// Implements the *processing instruction data state*: in the data of a processing instruction.
    pub(super) fn processing_instruction_data(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&BOGUS)? {
            Byte(b'?') => State::ProcessingInstructionQuestionable,
            Byte(b'>') => self.emit_processing_instruction(lex, 1),
            Byte(b'\r') => {
                self.carriage_return(lex);
                State::ProcessingInstructionData
            }
            Byte(_) => State::ProcessingInstructionData,
            Eof => self.eof_in_processing_instruction(lex),
        })
    }

    /// Implements the *processing instruction questionable state*: after a `?` in the data.
    pub(super) fn processing_instruction_questionable(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_processing_instruction(lex, 2),
            Byte(b'?') => State::ProcessingInstructionQuestionable,
            unit @ Byte(_) => reconsume(lex, unit, State::ProcessingInstructionData),
            Eof => self.eof_in_processing_instruction(lex),
        })
    }

    /// Returns whether the target that ends at the offset `end` is `xml` or `xml-stylesheet`, in any case. HTML
    /// disallows both.
    fn is_disallowed_target(&self, lex: &Lexer<'_>, end: BufferOffset) -> bool {
        let length = (end - self.name) as usize;
        let (first, second) = lex.pieces(self.name, end);
        ["xml", "xml-stylesheet"].iter().any(|disallowed| {
            let target = first.bytes().chain(second.bytes());
            disallowed.len() == length
                && target
                    .map(|byte| byte.to_ascii_lowercase())
                    .eq(disallowed.bytes())
        })
    }

    /// Turns the unfinished processing instruction into a bogus comment whose data starts with the `?`. Reports
    /// `code` at `unit`, and reconsumes `unit` in the comment.
    fn no_processing_instruction(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        unit: Unit,
    ) -> State {
        self.error_at(lex, code, unit);
        let state = self.start_bogus_comment(lex, self.token + 1);
        reconsume(lex, unit, state)
    }

    fn eof_in_processing_instruction(&mut self, lex: &mut Lexer<'_>) -> State {
        self.end_in(lex, errors::EOF_IN_PROCESSING_INSTRUCTION)
    }

    /// Emits the processing instruction. The last `pending` bytes that were consumed are not part of its data.
    fn emit_processing_instruction(&mut self, lex: &mut Lexer<'_>, pending: u32) -> State {
        let end = lex.mark();
        let record = Record {
            payload: Payload::target(self.name, self.name_end),
            ..Record::new(RecordKind::ProcessingInstruction, self.token, end)
        };
        self.emit_string(lex, record, end - pending);
        State::Data
    }
}
