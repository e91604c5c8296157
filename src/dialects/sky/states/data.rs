//! The data state: text between tags.

use crate::dialects::sky::machine::{Lexer, NOT_SPACE, SkyMachine, TEXT};
use crate::dialects::sky::state::{Next, State};
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl SkyMachine {
    /// Implements the *data state*: reads text up to the next byte that needs attention. While the string token is
    /// only whitespace, every other byte needs attention.
    #[inline(always)]
    pub(super) fn data(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = match self.dialect.solid {
            true => lex.until::<TEXT>()?,
            false => lex.until::<NOT_SPACE>()?,
        };
        Some(match unit {
            Byte(byte) => self.data_byte(lex, byte),
            Eof => self.end_of_file(lex),
        })
    }

    /// Handles a byte in the data state, or a byte that another state leaves to the data state. Returns the next
    /// state.
    #[inline(always)]
    pub(super) fn data_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b'<' => {
                self.token = lex.mark() - 1;
                return State::TagOpen;
            }
            b'&' => return self.reference_from(State::Data, lex),
            b'\r' => {
                self.state = State::Data;
                lex.aside(|lex| self.carriage_return(lex));
            }
            0 => {
                self.state = State::Data;
                lex.aside(|lex| self.null(lex));
            }
            _ => self.dialect.solid = true,
        }
        State::Data
    }

    /// Handles the end of the input: emits the text that is pending.
    #[inline(always)]
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        lex.aside(|lex| self.end_of_file_cold(lex))
    }

    #[cold]
    #[inline(never)]
    fn end_of_file_cold(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.flush_text(lex, end);
        self.token = BufferOffset::NONE;
        self.end_of_tokens(lex)
    }
}
