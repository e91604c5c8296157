//! Processing instructions, which the standard has since 2026-06-25.

use crate::error::Code;
use crate::event::record::{Kind, Piece, Queue, Record};
use crate::html::errors;
use crate::html::machine::{BOGUS, Cursor, HtmlMachine, NOT_SPACE};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};
use crate::limits::Limit;

impl HtmlMachine {
    /// Processing instruction open state
    pub(in crate::html) fn processing_instruction_open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.name = input.mark() - 1;
                State::ProcessingInstructionTarget
            }
            Eof => self.eof_in_processing_instruction(input, out),
            unit @ Byte(_) => {
                let code = errors::INVALID_FIRST_CHARACTER_OF_PROCESSING_INSTRUCTION_TARGET;
                self.no_processing_instruction(input, out, code, unit)
            }
        })
    }

    /// Processing instruction target state
    pub(in crate::html) fn processing_instruction_target(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') => {
                State::ProcessingInstructionTarget
            }
            unit @ Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'?' | b'>') => {
                let end = input.mark() - 1;
                if self.is_disallowed_target(input, out, end) {
                    let code = errors::DISALLOWED_PROCESSING_INSTRUCTION_TARGET;
                    return Some(self.no_processing_instruction(input, out, code, unit));
                }
                self.name_end = end;
                if (end - self.name) as usize > self.limits.name {
                    *input = self.exceed(*input, out, Limit::Name, self.name, end);
                }
                self.in_after_processing_instruction_target(input, out, unit)
            }
            Eof => self.eof_in_processing_instruction(input, out),
            unit @ Byte(_) => {
                let code = errors::INVALID_PROCESSING_INSTRUCTION_TARGET;
                self.no_processing_instruction(input, out, code, unit)
            }
        })
    }

    /// After processing instruction target state
    pub(in crate::html) fn after_processing_instruction_target(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&NOT_SPACE)?;
        Some(self.in_after_processing_instruction_target(input, out, unit))
    }

    /// `unit` was taken in the after processing instruction target state.
    #[inline(always)]
    pub(in crate::html) fn in_after_processing_instruction_target(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::AfterProcessingInstructionTarget,
            unit => {
                self.string = Piece::at(input.mark() - 1);
                self.again(input, out, unit, State::ProcessingInstructionData)
            }
        }
    }

    /// Processing instruction data state
    pub(in crate::html) fn processing_instruction_data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&BOGUS)?;
        Some(self.in_processing_instruction_data(input, out, unit))
    }

    /// `unit` was taken in the processing instruction data state.
    #[inline(always)]
    pub(in crate::html) fn in_processing_instruction_data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'?') => State::ProcessingInstructionQuestionable,
            Byte(b'>') => self.emit_processing_instruction(input, out, 1),
            Byte(b'\r') => {
                self.carriage_return(*input, out);
                State::ProcessingInstructionData
            }
            Byte(_) => State::ProcessingInstructionData,
            Eof => self.eof_in_processing_instruction(input, out),
        }
    }

    /// Processing instruction questionable state
    pub(in crate::html) fn processing_instruction_questionable(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.emit_processing_instruction(input, out, 2),
            Byte(b'?') => State::ProcessingInstructionQuestionable,
            unit @ Byte(_) => self.again(input, out, unit, State::ProcessingInstructionData),
            Eof => self.eof_in_processing_instruction(input, out),
        })
    }

    /// Whether the target that ends at the mark `end` is one that XML has a use for.
    fn is_disallowed_target(&self, input: &Cursor<'_>, out: &Queue, end: u32) -> bool {
        let length = (end - self.name) as usize;
        let (first, second) = input.pieces(&out.carry, self.name, end);
        ["xml", "xml-stylesheet"].iter().any(|disallowed| {
            let target = first.bytes().chain(second.bytes());
            disallowed.len() == length
                && target
                    .map(|byte| byte.to_ascii_lowercase())
                    .eq(disallowed.bytes())
        })
    }

    /// What was taken since the `<` is a comment, which begins with its `?`; `unit` is reconsumed in
    /// that.
    fn no_processing_instruction(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        code: Code,
        unit: Unit,
    ) -> State {
        self.error_at(input, out, code, unit);
        let state = self.start_bogus_comment(input, out, self.token + 1);
        self.again(input, out, unit, state)
    }

    fn eof_in_processing_instruction(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.end_in(input, out, errors::EOF_IN_PROCESSING_INSTRUCTION)
    }

    /// Emits the instruction, to whose data the `pending` bytes taken last do not belong.
    fn emit_processing_instruction(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        pending: u32,
    ) -> State {
        let end = input.mark();
        let record = Record {
            c: self.name,
            d: self.name_end,
            ..Record::new(Kind::ProcessingInstruction, self.token, end)
        };
        self.emit_string(input, out, record, end - pending);
        State::Data
    }
}
