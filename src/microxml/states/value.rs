//! Attribute values: the modes of their beginning, without quotes, in single and in double quotes.

use crate::event::record::{QUOTED, SELF_CLOSING};
use crate::input::Mark;
use crate::lexer::Unit::{self, Byte, Eof};
use crate::microxml::classes::{DOUBLE_QUOTED, SINGLE_QUOTED};
use crate::microxml::errors;
use crate::microxml::machine::{Lexer, MicroXmlMachine};
use crate::microxml::state::{Next, State};

impl MicroXmlMachine {
    /// StartAttributeValue tokenization mode
    #[inline(always)]
    pub(super) fn start_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.until_no_space(lex)? {
            Byte(b'"') => {
                self.start_value(lex.mark(), QUOTED);
                State::DoubleQuoteAttributeValue
            }
            Byte(b'\'') => {
                self.start_value(lex.mark(), QUOTED);
                State::SingleQuoteAttributeValue
            }
            Byte(b'\r') => State::StartAttributeValue,
            Byte(b'>') => self.no_value(lex, 0),
            Byte(b'/') => State::StartAttributeValueSlash,
            Byte(byte) => {
                let start = lex.mark() - 1;
                self.start_unquoted(lex, start);
                self.unquoted_byte(lex, byte)
            }
            Eof => self.eof_in_tag(lex),
        })
    }

    /// That mode, after `/`.
    pub(super) fn start_attribute_value_slash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.no_value(lex, SELF_CLOSING),
            Byte(byte) => {
                let start = lex.mark() - 2;
                self.start_unquoted(lex, start);
                self.unquoted_byte(lex, byte)
            }
            Eof => {
                let end = lex.mark();
                self.start_unquoted(lex, end - 1);
                self.end_value(lex, end);
                self.eof_after_value(lex)
            }
        })
    }

    fn no_value(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        let end = lex.mark();
        self.refuse(lex, errors::MISSING_VALUE, end - 1, end);
        self.add_attribute(lex);
        self.emit_start_tag(lex, flags, end);
        State::Main
    }

    fn start_unquoted(&mut self, lex: &mut Lexer<'_>, start: Mark) {
        self.refuse(lex, errors::UNQUOTED_VALUE, start, start);
        self.start_value(start, 0);
        self.state = State::UnquoteAttributeValue;
    }

    /// The value of the current attribute ends at the mark `end`.
    #[inline(always)]
    pub(super) fn end_value(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        self.own.angle_until = Mark::NONE;
        if self.finish_value(lex, end) {
            self.add_attribute(lex);
        }
    }

    /// Puts the current attribute on the tag, unless its name stood there before.
    #[inline(always)]
    pub(in crate::microxml) fn add_attribute(&self, lex: &mut Lexer<'_>) {
        if !self.dropped {
            lex.out.attributes.push(self.attribute);
        }
    }

    /// The end of the input in a tag closes that.
    #[cold]
    fn eof_in_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        self.add_attribute(lex);
        self.eof_after_value(lex)
    }

    #[cold]
    fn eof_after_value(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.unfinished_tag(lex, end);
        self.end_of_file(lex)
    }

    #[cold]
    fn eof_in_value(&mut self, lex: &mut Lexer<'_>) -> State {
        self.unquote();
        self.end_value(lex, lex.mark());
        self.eof_after_value(lex)
    }

    /// UnquoteAttributeValue mode
    pub(super) fn unquote_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) => self.unquoted_byte(lex, byte),
            Eof => self.eof_in_value(lex),
        })
    }

    /// A byte was taken in a value without quotes.
    #[inline(always)]
    fn unquoted_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b'>' => {
                let end = lex.mark();
                self.end_value(lex, end - 1);
                self.emit_start_tag(lex, 0, end);
                State::Main
            }
            b' ' | b'\t' | b'\n' | b'\r' | 0xC => {
                self.end_value(lex, lex.mark() - 1);
                State::Tag
            }
            b'/' => State::UnquoteAttributeValueSlash,
            b'&' => self.reference_from(State::UnquoteAttributeValue, lex),
            _ => State::UnquoteAttributeValue,
        }
    }

    /// UnquoteAttributeValue mode, after `/`.
    pub(super) fn unquote_attribute_value_slash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                let end = lex.mark();
                self.end_value(lex, end - 2);
                self.emit_start_tag(lex, SELF_CLOSING, end);
                State::Main
            }
            Byte(byte) => self.unquoted_byte(lex, byte),
            Eof => self.eof_in_value(lex),
        })
    }

    /// SingleQuoteAttributeValueMode
    pub(super) fn single_quote_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until::<SINGLE_QUOTED>()?;
        Some(self.quoted(unit, b'\'', lex))
    }

    /// DoubleQuoteAttributeValueMode
    #[inline(always)]
    pub(super) fn double_quote_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until::<DOUBLE_QUOTED>()?;
        Some(self.quoted(unit, b'"', lex))
    }

    /// A unit was taken in a value that this quote ends.
    #[inline(always)]
    fn quoted(&mut self, unit: Unit, quote: u8, lex: &mut Lexer<'_>) -> State {
        if let Byte(byte @ 0x80..) = unit
            && self.own.strict
            && let run @ 1.. = self.legal_run_from(lex, byte)
        {
            lex.skip(run - 1);
            return self.state;
        }
        match unit {
            Byte(byte) if byte == quote => {
                self.end_value(lex, lex.mark() - 1);
                State::Tag
            }
            Byte(b'&') => self.reference_from(self.state, lex),
            Byte(b'\r') => {
                lex.aside(|lex| self.carriage_return(lex));
                self.state
            }
            Byte(byte) => {
                if matches!(byte, b'<' | b'>') {
                    let end = lex.mark();
                    let code = errors::ANGLE_BRACKET_IN_VALUE;
                    self.refuse(lex, code, end - 1, end);
                    if self.own.is_final
                        && (self.own.angle_until.is_none() || end > self.own.angle_until)
                    {
                        return self.start_angle(lex, (quote, byte));
                    }
                }
                self.check_character(lex, byte);
                self.state
            }
            Eof => self.eof_in_value(lex),
        }
    }
}
