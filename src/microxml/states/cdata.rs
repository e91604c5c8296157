//! Final revision: CDATA sections, which are data.

use crate::event::record::{NONE, Queue};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::microxml::errors;
use crate::microxml::machine::{CDATA, Cursor, MicroXmlMachine};
use crate::microxml::state::State;

const CDATA_OPEN: &[u8] = b"<![CDATA[";

impl MicroXmlMachine {
    /// In `CDATA_OPEN`, of which so many characters are read.
    pub(in crate::microxml) fn cdata_open(
        &mut self,
        read: u8,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let expected = CDATA_OPEN.get(usize::from(read)).copied();
        Some(match input.next()? {
            Byte(byte) if Some(byte) == expected => {
                if usize::from(read) + 1 < CDATA_OPEN.len() {
                    return Some(State::CdataOpen(read + 1));
                }
                let (start, end) = (self.token, input.mark());
                self.refuse(input, out, errors::STRAY_MARKUP, start, end);
                self.solid(input, out, start);
                self.text.remove(*input, out, start, end);
                self.token = NONE;
                State::Cdata
            }
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// CData mode
    pub(in crate::microxml) fn cdata(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<CDATA>()? {
            Byte(b']') => State::CdataBracket(1),
            Byte(_) => {
                *input = self.carriage_return(*input, out);
                State::Cdata
            }
            Eof => self.end_of_file(input, out),
        })
    }

    /// CData mode, after so many brackets that may be of `CDATA_CLOSE`.
    pub(in crate::microxml) fn cdata_bracket(
        &mut self,
        read: u8,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b']') => State::CdataBracket(2),
            Byte(b'>') if read == 2 => {
                let end = input.mark();
                self.text.remove(*input, out, end - 3, end);
                State::Main
            }
            Byte(b'\r') => {
                self.state = State::Cdata;
                *input = self.carriage_return(*input, out);
                State::Cdata
            }
            Byte(_) => State::Cdata,
            Eof => self.end_of_file(input, out),
        })
    }
}
