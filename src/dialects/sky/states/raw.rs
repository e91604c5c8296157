//! States in the raw text of scripts and styles, and the states that recognize its end tag.

use crate::dialects::sky::errors;
use crate::dialects::sky::machine::{Lexer, NOT_SPACE, SkyMachine, TEXT};
use crate::dialects::sky::state::{Next, State};
use crate::engine::tokenizer::Unit::{self, Byte, Eof};

/// The characters that the eight close states of a script expect, one after another, after a `<`. In the last state a
/// delimiter must follow.
const SCRIPT: &[u8] = b"/script";
/// The characters that the seven close states of a style expect, one after another, after a `<`.
const STYLE: &[u8] = b"/style";

impl SkyMachine {
    /// Implements the *script raw data state*: reads the text of a script.
    pub(super) fn script_raw_data(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = self.raw_data_unit(lex)?;
        Some(self.raw_data(unit, lex, State::ScriptRawDataClose(1)))
    }

    /// Implements the *script raw data: close 1 state* to *close 8 state*: reads the `n`th unit after a `<` in a
    /// script.
    pub(super) fn script_raw_data_close(&mut self, n: u8, lex: &mut Lexer<'_>) -> Next {
        let next = State::ScriptRawDataClose(n + 1);
        let before = (State::ScriptRawData, State::ScriptRawDataClose(1));
        self.raw_data_close((n, SCRIPT), next, before, lex)
    }

    /// Implements the *style raw data state*: reads the text of a style.
    pub(super) fn style_raw_data(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = self.raw_data_unit(lex)?;
        Some(self.raw_data(unit, lex, State::StyleRawDataClose(1)))
    }

    /// Implements the *style raw data: close 1 state* to *close 7 state*: reads the `n`th unit after a `<` in a
    /// style.
    pub(super) fn style_raw_data_close(&mut self, n: u8, lex: &mut Lexer<'_>) -> Next {
        let next = State::StyleRawDataClose(n + 1);
        let before = (State::StyleRawData, State::StyleRawDataClose(1));
        self.raw_data_close((n, STYLE), next, before, lex)
    }

    fn raw_data_unit(&self, lex: &mut Lexer<'_>) -> Option<Unit> {
        match self.dialect.solid {
            true => lex.until::<TEXT>(),
            false => lex.until::<NOT_SPACE>(),
        }
    }

    /// Handles a unit of raw text. `close` is the state after a `<`.
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
                self.dialect.solid = true;
                self.state
            }
            Eof => self.end_of_file(lex),
        }
    }

    /// Handles the `n`th unit after a `<` in raw text, where `closing` is the expected end tag. Returns `next` if the
    /// unit is as expected. `raw` is the state to return to if it is not, and `first` the state after another `<`.
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
                self.dialect.name_null = false;
                self.dialect.is_end_tag = true;
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
