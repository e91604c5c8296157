//! The data, RCDATA, RAWTEXT, script data and PLAINTEXT states.

use crate::event::record::Queue;
use crate::html::errors;
use crate::html::machine::{Cursor, HtmlMachine, RAW, TEXT};
use crate::html::state::State;
use crate::input::cursor::Unit::{Byte, Eof};

impl HtmlMachine {
    /// Data state
    #[inline(always)]
    pub(in crate::html) fn data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<TEXT>()? {
            Byte(b'<') => {
                self.token = input.mark() - 1;
                self.state = State::TagOpen;
                return self.tag_chain(input, out);
            }
            Byte(b'&') => self.reference_from(State::Data, input),
            Byte(b'\r') => {
                self.carriage_return(*input, out);
                State::Data
            }
            unit @ Byte(_) => {
                self.error_at(input, out, errors::UNEXPECTED_NULL_CHARACTER, unit);
                State::Data
            }
            Eof => self.finish(input, out),
        })
    }

    /// RCDATA state
    pub(in crate::html) fn rcdata(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<TEXT>()? {
            Byte(b'<') => self.less_than_sign(input, State::RcdataLessThanSign),
            Byte(b'&') => self.reference_from(State::Rcdata, input),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::Rcdata
            }
            Eof => self.finish(input, out),
        })
    }

    /// RAWTEXT state
    pub(in crate::html) fn rawtext(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<RAW>()? {
            Byte(b'<') => self.less_than_sign(input, State::RawtextLessThanSign),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::Rawtext
            }
            Eof => self.finish(input, out),
        })
    }

    /// Script data state
    pub(in crate::html) fn script_data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<RAW>()? {
            Byte(b'<') => self.less_than_sign(input, State::ScriptDataLessThanSign),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::ScriptData
            }
            Eof => self.finish(input, out),
        })
    }

    /// PLAINTEXT state
    pub(in crate::html) fn plaintext(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<RAW>()? {
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::Plaintext
            }
            Eof => self.finish(input, out),
        })
    }

    /// The end of the input, where it is no error.
    #[inline(always)]
    pub(in crate::html) fn finish(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let (state, after) = self.end_of_file(*input, out);
        *input = after;
        state
    }
}
