//! CDATA sections: their content is part of the run of text.

use crate::event::record::{NONE, NULLS, Queue};
use crate::html::errors;
use crate::html::machine::{CDATA, Cursor, HtmlMachine};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};

impl HtmlMachine {
    /// `<![CDATA[` was taken.
    pub(in crate::html) fn start_cdata_section(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        self.text.skip(*input, out, self.token, input.mark());
        self.token = NONE;
        State::CdataSection
    }

    /// CDATA section state
    pub(in crate::html) fn cdata_section(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&CDATA)?;
        Some(self.in_cdata_section(input, out, unit))
    }

    /// `unit` was taken in the CDATA section state.
    #[inline(always)]
    pub(in crate::html) fn in_cdata_section(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b']') => State::CdataSectionBracket,
            Byte(b'\r') => {
                self.carriage_return(*input, out);
                State::CdataSection
            }
            Byte(byte) => {
                if byte == 0 {
                    self.nulls = NULLS;
                }
                State::CdataSection
            }
            Eof => self.end_in(input, out, errors::EOF_IN_CDATA),
        }
    }

    /// CDATA section bracket state
    pub(in crate::html) fn cdata_section_bracket(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b']') => State::CdataSectionEnd,
            unit => self.again(input, out, unit, State::CdataSection),
        })
    }

    /// CDATA section end state
    pub(in crate::html) fn cdata_section_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b']') => State::CdataSectionEnd,
            Byte(b'>') => {
                let end = input.mark();
                self.text.skip(*input, out, end - 3, end);
                State::Data
            }
            unit => self.again(input, out, unit, State::CdataSection),
        })
    }
}
