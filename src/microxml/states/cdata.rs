//! Final revision: CDATA sections, which are data.

use crate::event::record::{NONE, Queue};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::microxml::classes::{CDATA, NOT_SPACE};
use crate::microxml::errors;
use crate::microxml::machine::{Cursor, MicroXmlMachine};
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
        let unit = match self.blank {
            true => input.until::<NOT_SPACE>()?,
            false => input.until_set(&CDATA)?,
        };
        Some(match unit {
            Byte(byte) => self.cdata_byte(input, out, byte),
            Eof => self.eof_in_cdata(input, out, 0),
        })
    }

    fn cdata_byte(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        match byte {
            b']' => return State::CdataBracket(1),
            b'\r' => {
                self.state = State::Cdata;
                *input = self.carriage_return(*input, out);
            }
            b'\t' | b'\n' | 0xC | b' ' => {}
            _ => self.solid(input, out, input.mark() - 1),
        }
        State::Cdata
    }

    /// CData mode, after so many brackets that may be of `CDATA_CLOSE`.
    pub(in crate::microxml) fn cdata_bracket(
        &mut self,
        read: u8,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b']') if read == 1 => State::CdataBracket(2),
            Byte(b'>') if read == 2 => {
                let end = input.mark();
                self.text.remove(*input, out, end - 3, end);
                State::Main
            }
            Byte(byte) => {
                // The first bracket is data.
                self.solid(input, out, input.mark() - 1 - u32::from(read));
                match byte {
                    b']' => State::CdataBracket(2),
                    _ => self.cdata_byte(input, out, byte),
                }
            }
            Eof => self.eof_in_cdata(input, out, read),
        })
    }

    /// The end of the input in a section, after so many brackets, which are data.
    fn eof_in_cdata(&mut self, input: &mut Cursor<'_>, out: &mut Queue, brackets: u8) -> State {
        let end = input.mark();
        if brackets > 0 {
            self.solid(input, out, end - u32::from(brackets));
        }
        self.repair(input, out, errors::UNFINISHED_CDATA, end, end);
        self.end_of_file(input, out)
    }
}
