//! CDATA sections: their content is part of the run of text.

use crate::event::record::{NONE, Queue};
use crate::html::errors;
use crate::html::machine::{Cursor, DELIMITED, HtmlMachine};
use crate::html::state::State;
use crate::input::cursor::Unit::{Byte, Eof};

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
        Some(match input.until::<DELIMITED>()? {
            Byte(b']') => State::CdataSectionBracket,
            Byte(b'\r') => {
                self.carriage_return(*input, out);
                State::CdataSection
            }
            Byte(_) => State::CdataSection,
            Eof => self.end_in(input, out, errors::EOF_IN_CDATA),
        })
    }

    /// CDATA section bracket state
    pub(in crate::html) fn cdata_section_bracket(
        &mut self,
        input: &mut Cursor<'_>,
        _: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b']') => State::CdataSectionEnd,
            Byte(byte) => {
                HtmlMachine::again::<DELIMITED>(input, byte);
                State::CdataSection
            }
            Eof => State::CdataSection,
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
            Byte(byte) => {
                HtmlMachine::again::<DELIMITED>(input, byte);
                State::CdataSection
            }
            Eof => State::CdataSection,
        })
    }
}
