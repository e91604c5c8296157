//! Raw text: the script and the style raw data states, and those in which it may close.

use crate::lexer::Unit::{self, Byte, Eof};
use crate::sky::errors;
use crate::sky::machine::{Lexer, NOT_SPACE, SkyMachine, TEXT};
use crate::sky::state::{Next, State};

/// What the eight states of a script expect in turn, after the `<`.
const SCRIPT: &[u8] = b"/script";
/// What the seven states of a style expect.
const STYLE: &[u8] = b"/style";

impl SkyMachine {
    /// Script raw data state
    pub(super) fn script_raw_data(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = self.raw_data_unit(lex)?;
        Some(self.raw_data(unit, lex, State::ScriptRawDataClose(1)))
    }

    /// Script raw data: close 1 state to close 8 state
    pub(super) fn script_raw_data_close(&mut self, n: u8, lex: &mut Lexer<'_>) -> Next {
        let next = State::ScriptRawDataClose(n + 1);
        let before = (State::ScriptRawData, State::ScriptRawDataClose(1));
        self.raw_data_close((n, SCRIPT), next, before, lex)
    }

    /// Style raw data state
    pub(super) fn style_raw_data(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = self.raw_data_unit(lex)?;
        Some(self.raw_data(unit, lex, State::StyleRawDataClose(1)))
    }

    /// Style raw data: close 1 state to close 7 state
    pub(super) fn style_raw_data_close(&mut self, n: u8, lex: &mut Lexer<'_>) -> Next {
        let next = State::StyleRawDataClose(n + 1);
        let before = (State::StyleRawData, State::StyleRawDataClose(1));
        self.raw_data_close((n, STYLE), next, before, lex)
    }

    fn raw_data_unit(&self, lex: &mut Lexer<'_>) -> Option<Unit> {
        match self.own.solid {
            true => lex.until::<TEXT>(),
            false => lex.until::<NOT_SPACE>(),
        }
    }

    /// A unit was taken in raw data; `close` follows a `<`.
    fn raw_data(&mut self, unit: Unit, lex: &mut Lexer<'_>, close: State) -> State {
        match unit {
            Byte(b'<') => {
                self.token = lex.mark() - 1;
                close
            }
            Byte(b'\r') => {
                lex.aside(|lex| self.carriage_return(lex));
                self.state
            }
            Byte(0) => {
                lex.aside(|lex| self.null(lex));
                self.state
            }
            Byte(_) => {
                self.own.solid = true;
                self.state
            }
            Eof => self.end_of_file(lex),
        }
    }

    /// The `n`th state in which raw data may close; `raw` is the state before all of them, `first` the
    /// first of them.
    fn raw_data_close(
        &mut self,
        (n, closing): (u8, &'static [u8]),
        next: State,
        (raw, first): (State, State),
        lex: &mut Lexer<'_>,
    ) -> Next {
        let expected = closing.get(usize::from(n) - 1).copied();
        Some(match lex.next()? {
            Byte(byte) if Some(byte) == expected => next,
            Byte(b' ' | b'\n' | b'\r' | b'/' | b'>') if expected.is_none() => {
                lex.back();
                let token = self.token;
                self.name = token + 2;
                self.name_end = token + 1 + closing.len() as u32;
                self.own.name_null = false;
                self.own.is_end_tag = true;
                self.flush_text(lex, token);
                State::BeforeAttributeName
            }
            Byte(byte) => {
                self.emit_as_text();
                self.state = raw;
                self.raw_data(Byte(byte), lex, first)
            }
            Eof => {
                self.error_at_end(lex, errors::EOF_IN_TAG);
                self.emit_as_text();
                self.end_of_file(lex)
            }
        })
    }
}
