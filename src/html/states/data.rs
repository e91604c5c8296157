//! The data, RCDATA, RAWTEXT, script data and PLAINTEXT states.

use crate::event::record::{NULLS, Queue};
use crate::html::errors;
use crate::html::machine::{Cursor, HtmlMachine, TEXT};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};

impl HtmlMachine {
    /// Data state
    pub(in crate::html) fn data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until::<TEXT>()?;
        Some(self.in_data(input, out, unit))
    }

    /// `unit` was taken in the data state.
    #[inline(always)]
    pub(in crate::html) fn in_data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'&') => self.reference_from(State::Data, input),
            Byte(b'<') => self.less_than_sign(input, State::TagOpen),
            Byte(b'\r') => {
                self.carriage_return(*input, out);
                State::Data
            }
            Byte(0) => {
                self.nulls = NULLS;
                self.error_at(input, out, errors::UNEXPECTED_NULL_CHARACTER, unit);
                State::Data
            }
            Byte(_) => State::Data,
            Eof => self.finish(input, out),
        }
    }

    /// RCDATA state
    pub(in crate::html) fn rcdata(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until::<TEXT>()?;
        Some(self.in_rcdata(input, out, unit))
    }

    /// `unit` was taken in the RCDATA state.
    #[inline(always)]
    pub(in crate::html) fn in_rcdata(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'<') => self.less_than_sign(input, State::RcdataLessThanSign),
            Byte(b'&') => self.reference_from(State::Rcdata, input),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::Rcdata
            }
            Eof => self.finish(input, out),
        }
    }

    /// RAWTEXT state
    pub(in crate::html) fn rawtext(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until::<TEXT>()?;
        Some(self.in_rawtext(input, out, unit))
    }

    /// `unit` was taken in the RAWTEXT state.
    #[inline(always)]
    pub(in crate::html) fn in_rawtext(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'<') => self.less_than_sign(input, State::RawtextLessThanSign),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::Rawtext
            }
            Eof => self.finish(input, out),
        }
    }

    /// Script data state
    pub(in crate::html) fn script_data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until::<TEXT>()?;
        Some(self.in_script_data(input, out, unit))
    }

    /// `unit` was taken in the script data state.
    #[inline(always)]
    pub(in crate::html) fn in_script_data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'<') => self.less_than_sign(input, State::ScriptDataLessThanSign),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::ScriptData
            }
            Eof => self.finish(input, out),
        }
    }

    /// PLAINTEXT state
    pub(in crate::html) fn plaintext(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<TEXT>()? {
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
