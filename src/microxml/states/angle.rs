//! Final revision: angle brackets in quoted values. They are data only if the value's quote comes, and
//! after it what follows values; so the machine looks for that, and then takes the input again from
//! the bracket on.

use crate::event::record::{NONE, QUOTED, Queue};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::microxml::errors;
use crate::microxml::machine::{Cursor, MicroXmlMachine};
use crate::microxml::state::State;
use crate::microxml::states::Closer;

impl MicroXmlMachine {
    /// An angle bracket was taken in a value that this quote ends.
    #[cold]
    pub(in crate::microxml) fn start_angle(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        (quote, angle): (u8, u8),
    ) -> State {
        (self.quote, self.angle) = (quote, angle);
        self.inner = input.mark() - 1;
        if !self.look_for(Closer::quote(quote), input) {
            return self.no_angle(input, out);
        }
        State::Angle
    }

    /// In `ANGLE_SINGLE` or `ANGLE_DOUBLE`, before the quote.
    pub(in crate::microxml) fn angle(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let wanted = Closer::quote(self.quote);
        Some(match self.until_closer(wanted, input, out)? {
            true => State::AngleQuote,
            false => self.no_angle(input, out),
        })
    }

    /// In `ANGLE_SINGLE` or `ANGLE_DOUBLE`, after the quote.
    pub(in crate::microxml) fn angle_quote(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b' ' | b'\t' | b'\n' | b'\r' | 0xC | b'>') => {
                let quote = input.mark() - 2;
                self.angle_is_data(input, quote)
            }
            Byte(b'/') => State::AngleSlash,
            Byte(_) | Eof => self.no_angle(input, out),
        })
    }

    /// In `ANGLE_SINGLE` or `ANGLE_DOUBLE`, after the quote and `/`.
    pub(in crate::microxml) fn angle_slash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                let quote = input.mark() - 3;
                self.angle_is_data(input, quote)
            }
            Byte(_) | Eof => self.no_angle(input, out),
        })
    }

    /// All angle brackets up to the quote at this mark are data.
    fn angle_is_data(&mut self, input: &mut Cursor<'_>, quote: u32) -> State {
        self.angle_until = quote;
        self.go_back(input, self.inner + 1);
        match self.quote {
            b'"' => State::DoubleQuoteAttributeValue,
            _ => State::SingleQuoteAttributeValue,
        }
    }

    /// The value ends before the angle bracket.
    fn no_angle(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let end = self.inner;
        self.repair(input, out, errors::UNFINISHED_VALUE, end, end);
        self.attribute.flags &= !QUOTED;
        self.end_value(input, out, end);
        debug_assert!(self.token != NONE, "the tag is open");
        // The bracket itself is not read again.
        self.go_back(input, end + 1);
        if self.angle == b'>' {
            self.emit_start_tag(input, out, 0, end + 1);
            return State::Main;
        }
        self.unfinished_tag(input, out, end);
        self.token = end;
        State::Open
    }
}
