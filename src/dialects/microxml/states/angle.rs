//! Of the final revision of the specification: angle brackets in quoted values.
//!
//! A `<` or `>` in a quoted value is data only if the closing quote follows, and after the quote whitespace, `>` or
//! `/>`. Otherwise the value has no closing quote, and ends before the bracket. The tokenizer looks ahead for the
//! quote to find out, and then reads the input again from the bracket on.

use crate::dialects::microxml::errors;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Next, State};
use crate::dialects::microxml::states::Closer;
use crate::engine::event::record::QUOTED;
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl MicroXmlMachine {
    /// Starts the lookahead for an angle bracket, which was just consumed in a value that ends at `quote`.
    #[cold]
    pub(super) fn start_angle(&mut self, lex: &mut Lexer<'_>, (quote, angle): (u8, u8)) -> State {
        (self.dialect.quote, self.dialect.angle) = (quote, angle);
        self.dialect.inner = lex.mark() - 1;
        if !self.look_for(Closer::quote(quote), lex) {
            return self.no_angle(lex);
        }
        State::Angle
    }

    /// Looks ahead for the closing quote (`ANGLE_SINGLE` or `ANGLE_DOUBLE`).
    pub(super) fn angle(&mut self, lex: &mut Lexer<'_>) -> Next {
        let wanted = Closer::quote(self.dialect.quote);
        Some(match self.until_closer(wanted, lex)? {
            true => State::AngleQuote,
            false => self.no_angle(lex),
        })
    }

    /// Reads the unit after the quote that would end the attribute value. That unit decides whether the `<` or `>` before
    /// the quote is data.
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

    /// Looks ahead at the unit after the closing quote and a `/`, which decides whether the bracket is data. The input
    /// is then read again from the bracket on.
    pub(super) fn angle_slash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                let quote = lex.mark() - 3;
                self.angle_is_data(lex, quote)
            }
            Byte(_) | Eof => self.no_angle(lex),
        })
    }

    /// Treats all angle brackets up to the closing quote at offset `quote` as data, and continues the value after the
    /// first of them.
    fn angle_is_data(&mut self, lex: &mut Lexer<'_>, quote: BufferOffset) -> State {
        self.dialect.angle_until = quote;
        self.go_back(lex, self.dialect.inner + 1);
        match self.dialect.quote {
            b'"' => State::DoubleQuoteAttributeValue,
            _ => State::SingleQuoteAttributeValue,
        }
    }

    /// Ends the value before the angle bracket. A `>` then ends the tag, and a `<` starts a new one.
    fn no_angle(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = self.dialect.inner;
        self.repair(lex, errors::UNFINISHED_VALUE, end, end);
        self.attribute.flags &= !QUOTED;
        self.end_value(lex, end);
        debug_assert!(!self.token.is_none(), "the tag is open");
        // The tokenizer continues after the bracket.
        self.go_back(lex, end + 1);
        if self.dialect.angle == b'>' {
            self.emit_start_tag(lex, 0, end + 1);
            return State::Main;
        }
        self.unfinished_tag(lex, end);
        self.token = end;
        State::Open
    }
}
