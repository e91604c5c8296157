//! Final revision: angle brackets in quoted values. They are data only if the value's quote comes, and
//! after it what follows values; so the machine looks for that, and then takes the input again from
//! the bracket on.

use crate::event::record::QUOTED;
use crate::input::Mark;
use crate::lexer::Unit::{Byte, Eof};
use crate::microxml::errors;
use crate::microxml::machine::{Lexer, MicroXmlMachine};
use crate::microxml::state::{Next, State};
use crate::microxml::states::Closer;

impl MicroXmlMachine {
    /// An angle bracket was taken in a value that this quote ends.
    #[cold]
    pub(super) fn start_angle(&mut self, lex: &mut Lexer<'_>, (quote, angle): (u8, u8)) -> State {
        (self.own.quote, self.own.angle) = (quote, angle);
        self.own.inner = lex.mark() - 1;
        if !self.look_for(Closer::quote(quote), lex) {
            return self.no_angle(lex);
        }
        State::Angle
    }

    /// In `ANGLE_SINGLE` or `ANGLE_DOUBLE`, before the quote.
    pub(super) fn angle(&mut self, lex: &mut Lexer<'_>) -> Next {
        let wanted = Closer::quote(self.own.quote);
        Some(match self.until_closer(wanted, lex)? {
            true => State::AngleQuote,
            false => self.no_angle(lex),
        })
    }

    /// In `ANGLE_SINGLE` or `ANGLE_DOUBLE`, after the quote.
    pub(super) fn angle_quote(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b' ' | b'\t' | b'\n' | b'\r' | 0xC | b'>') => {
                let quote = lex.mark() - 2;
                self.angle_is_data(lex, quote)
            }
            Byte(b'/') => State::AngleSlash,
            Byte(_) | Eof => self.no_angle(lex),
        })
    }

    /// In `ANGLE_SINGLE` or `ANGLE_DOUBLE`, after the quote and `/`.
    pub(super) fn angle_slash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                let quote = lex.mark() - 3;
                self.angle_is_data(lex, quote)
            }
            Byte(_) | Eof => self.no_angle(lex),
        })
    }

    /// All angle brackets up to the quote at this mark are data.
    fn angle_is_data(&mut self, lex: &mut Lexer<'_>, quote: Mark) -> State {
        self.own.angle_until = quote;
        self.go_back(lex, self.own.inner + 1);
        match self.own.quote {
            b'"' => State::DoubleQuoteAttributeValue,
            _ => State::SingleQuoteAttributeValue,
        }
    }

    /// The value ends before the angle bracket.
    fn no_angle(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = self.own.inner;
        self.repair(lex, errors::UNFINISHED_VALUE, end, end);
        self.attribute.flags &= !QUOTED;
        self.end_value(lex, end);
        debug_assert!(!self.token.is_none(), "the tag is open");
        // The bracket itself is not read again.
        self.go_back(lex, end + 1);
        if self.own.angle == b'>' {
            self.emit_start_tag(lex, 0, end + 1);
            return State::Main;
        }
        self.unfinished_tag(lex, end);
        self.token = end;
        State::Open
    }
}
