//! The data state.

use crate::input::Mark;
use crate::lexer::Unit::{Byte, Eof};
use crate::sky::machine::{Lexer, NOT_SPACE, SkyMachine, TEXT};
use crate::sky::state::{Next, State};

impl SkyMachine {
    /// Data state
    #[inline(always)]
    pub(super) fn data(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = match self.own.solid {
            true => lex.until::<TEXT>()?,
            false => lex.until::<NOT_SPACE>()?,
        };
        Some(match unit {
            Byte(byte) => self.data_byte(lex, byte),
            Eof => self.end_of_file(lex),
        })
    }

    /// A byte was taken in the data state, or in another state that leaves it to the data state.
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
            _ => self.own.solid = true,
        }
        State::Data
    }

    /// The end of the input, where what is pending is text or nothing.
    #[inline(always)]
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        lex.aside(|lex| self.end_of_file_cold(lex))
    }

    #[cold]
    #[inline(never)]
    fn end_of_file_cold(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.flush_text(lex, end);
        self.token = Mark::NONE;
        self.end_of_tokens(lex)
    }
}
