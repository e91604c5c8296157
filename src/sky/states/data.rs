//! The data state.

use crate::event::record::{NONE, Queue};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::sky::machine::{Cursor, NOT_SPACE, SkyMachine, TEXT};
use crate::sky::state::State;

impl SkyMachine {
    /// Data state
    #[inline(always)]
    pub(in crate::sky) fn data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = match self.solid {
            true => input.until::<TEXT>()?,
            false => input.until::<NOT_SPACE>()?,
        };
        Some(match unit {
            Byte(byte) => self.data_byte(input, out, byte),
            Eof => self.end_of_file(input, out),
        })
    }

    /// A byte was taken in the data state, or in another state that leaves it to the data state.
    #[inline(always)]
    pub(in crate::sky) fn data_byte(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
    ) -> State {
        match byte {
            b'<' => {
                self.token = input.mark() - 1;
                return State::TagOpen;
            }
            b'&' => return self.reference_from(State::Data, input),
            b'\r' => {
                self.state = State::Data;
                *input = self.carriage_return(*input, out);
            }
            0 => {
                self.state = State::Data;
                *input = self.null(*input, out);
            }
            _ => self.solid = true,
        }
        State::Data
    }

    /// The end of the input, where what is pending is text or nothing.
    #[inline(always)]
    pub(in crate::sky) fn end_of_file(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let (state, after) = self.end_of_file_cold(*input, out);
        *input = after;
        state
    }

    #[cold]
    #[inline(never)]
    fn end_of_file_cold<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
    ) -> (State, Cursor<'w>) {
        let end = input.mark();
        self.flush_text(&mut input, out, end);
        self.token = NONE;
        (self.end_of_tokens(&mut input, out), input)
    }
}
