//! Raw text: the script and the style raw data states, and those in which it may close.

use crate::event::record::Queue;
use crate::input::cursor::Unit::{self, Byte, Eof};
use crate::sky::errors;
use crate::sky::machine::{Cursor, NOT_SPACE, SkyMachine, TEXT};
use crate::sky::state::State;

/// What the eight states of a script expect in turn, after the `<`.
const SCRIPT: &[u8] = b"/script";
/// What the seven states of a style expect.
const STYLE: &[u8] = b"/style";

impl SkyMachine {
    /// Script raw data state
    pub(in crate::sky) fn script_raw_data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = self.raw_data_unit(input)?;
        Some(self.raw_data(unit, input, out, State::ScriptRawDataClose(1)))
    }

    /// Script raw data: close 1 state to close 8 state
    pub(in crate::sky) fn script_raw_data_close(
        &mut self,
        n: u8,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let next = State::ScriptRawDataClose(n + 1);
        let before = (State::ScriptRawData, State::ScriptRawDataClose(1));
        self.raw_data_close((n, SCRIPT), next, before, input, out)
    }

    /// Style raw data state
    pub(in crate::sky) fn style_raw_data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = self.raw_data_unit(input)?;
        Some(self.raw_data(unit, input, out, State::StyleRawDataClose(1)))
    }

    /// Style raw data: close 1 state to close 7 state
    pub(in crate::sky) fn style_raw_data_close(
        &mut self,
        n: u8,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let next = State::StyleRawDataClose(n + 1);
        let before = (State::StyleRawData, State::StyleRawDataClose(1));
        self.raw_data_close((n, STYLE), next, before, input, out)
    }

    fn raw_data_unit(&self, input: &mut Cursor<'_>) -> Option<Unit> {
        match self.solid {
            true => input.until::<TEXT>(),
            false => input.until::<NOT_SPACE>(),
        }
    }

    /// A unit was taken in raw data; `close` follows a `<`.
    fn raw_data(
        &mut self,
        unit: Unit,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        close: State,
    ) -> State {
        match unit {
            Byte(b'<') => {
                self.token = input.mark() - 1;
                close
            }
            Byte(b'\r') => {
                *input = self.carriage_return(*input, out);
                self.state
            }
            Byte(0) => {
                *input = self.null(*input, out);
                self.state
            }
            Byte(_) => {
                self.solid = true;
                self.state
            }
            Eof => self.end_of_file(input, out),
        }
    }

    /// The `n`th state in which raw data may close; `raw` is the state before all of them, `first` the
    /// first of them.
    fn raw_data_close(
        &mut self,
        (n, closing): (u8, &'static [u8]),
        next: State,
        (raw, first): (State, State),
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let expected = closing.get(usize::from(n) - 1).copied();
        Some(match input.next()? {
            Byte(byte) if Some(byte) == expected => next,
            Byte(b' ' | b'\n' | b'\r' | b'/' | b'>') if expected.is_none() => {
                input.back();
                let token = self.token;
                self.name = token + 2;
                self.name_end = token + 1 + closing.len() as u32;
                self.name_null = false;
                self.is_end_tag = true;
                self.flush_text(input, out, token);
                State::BeforeAttributeName
            }
            Byte(byte) => {
                self.emit_as_text();
                self.state = raw;
                self.raw_data(Byte(byte), input, out, first)
            }
            Eof => {
                self.error_at_end(input, out, errors::EOF_IN_TAG);
                self.emit_as_text();
                self.end_of_file(input, out)
            }
        })
    }
}
