//! CDATA sections: their content is part of the run of text.

use crate::event::record::{NONE, Piece, Queue};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::xml::errors;
use crate::xml::machine::{Cursor, DELIMITED, XmlMachine};
use crate::xml::state::State;

impl XmlMachine {
    /// `<![CDATA[` was taken.
    pub(in crate::xml) fn start_cdata(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let (start, end) = (self.token, input.mark());
        if self.text.is_none() {
            self.text = Piece::at(start);
            self.error(input, out, errors::TEXT_OUTSIDE_ROOT, start, end);
        }
        self.text.remove(*input, out, start, end);
        self.token = NONE;
    }

    /// CDATA state
    pub(in crate::xml) fn cdata(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<DELIMITED>()? {
            Byte(b']') => State::CdataBracket,
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::Cdata
            }
            Eof => self.eof_in_cdata(input, out, 0),
        })
    }

    /// CDATA bracket state
    ///
    /// "Stay in the current state" on anything else is a slip: it returns to the CDATA state.
    pub(in crate::xml) fn cdata_bracket(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b']') => State::CdataEnd,
            Byte(_) => {
                input.back();
                State::Cdata
            }
            Eof => self.eof_in_cdata(input, out, 1),
        })
    }

    /// CDATA end state
    pub(in crate::xml) fn cdata_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                let end = input.mark();
                self.text.remove(*input, out, end - 3, end);
                State::Data
            }
            Byte(b']') => State::CdataEnd,
            Byte(_) => {
                input.back();
                State::Cdata
            }
            Eof => self.eof_in_cdata(input, out, 2),
        })
    }

    /// The brackets that are pending are lost.
    fn eof_in_cdata(&mut self, input: &mut Cursor<'_>, out: &mut Queue, pending: u32) -> State {
        self.error_at_end(input, out, errors::EOF_IN_CDATA);
        let end = input.mark();
        if pending > 0 {
            self.text.remove(*input, out, end - pending, end);
        }
        State::Data
    }
}
