//! Attribute values: without quotes, in single quotes, and in double quotes.

use crate::dialects::microxml::classes::{DOUBLE_QUOTED, SINGLE_QUOTED};
use crate::dialects::microxml::errors;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Next, State};
use crate::engine::event::record::{QUOTED, SELF_CLOSING};
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::Unit::{self, Byte, Eof};

impl MicroXmlMachine {
    /// Implements the *StartAttributeValue tokenization mode*: reads the first byte of a value.
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

    /// Reads the unit after a `/` at the beginning of a value: the end of the tag, or a value without quotes.
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

    /// Handles the end of a tag in place of a value. The attribute is kept, with an empty value.
    fn no_value(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        let end = lex.mark();
        self.refuse(lex, errors::MISSING_VALUE, end - 1, end);
        self.add_attribute(lex);
        self.emit_start_tag(lex, flags, end);
        State::Main
    }

    /// Starts a value without quotes at offset `start`.
    fn start_unquoted(&mut self, lex: &mut Lexer<'_>, start: BufferOffset) {
        self.refuse(lex, errors::UNQUOTED_VALUE, start, start);
        self.start_value(start, 0);
        self.state = State::UnquoteAttributeValue;
    }

    /// Ends the value of the current attribute at offset `end`, and adds the attribute to the tag.
    #[inline(always)]
    pub(super) fn end_value(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.dialect.angle_until = BufferOffset::NONE;
        if self.finish_value(lex, end) {
            self.add_attribute(lex);
        }
    }

    /// Adds the current attribute to the tag, unless it is a duplicate.
    #[inline(always)]
    pub(in crate::dialects::microxml) fn add_attribute(&self, lex: &mut Lexer<'_>) {
        if !self.dropped {
            lex.out.attributes.push(self.attribute);
        }
    }

    /// Handles the end of the input before the value of an attribute: the attribute is kept, and the tag is closed.
    #[cold]
    fn eof_in_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        self.add_attribute(lex);
        self.eof_after_value(lex)
    }

    /// Handles the end of the input in a tag: the tag is closed.
    #[cold]
    fn eof_after_value(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.unfinished_tag(lex, end);
        self.end_of_file(lex)
    }

    /// Handles the end of the input in a value: the value ends, and the tag is closed.
    #[cold]
    fn eof_in_value(&mut self, lex: &mut Lexer<'_>) -> State {
        self.unquote();
        self.end_value(lex, lex.mark());
        self.eof_after_value(lex)
    }

    /// Implements the *UnquoteAttributeValue mode*: reads one byte of a value without quotes.
    pub(super) fn unquote_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) => self.unquoted_byte(lex, byte),
            Eof => self.eof_in_value(lex),
        })
    }

    /// Handles a byte of a value without quotes, which was just consumed.
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

    /// Reads the unit after a `/` in a value without quotes. `/>` ends the value and the tag.
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

    /// Implements the *SingleQuoteAttributeValueMode*: reads a value in single quotes up to the next byte that needs
    /// attention.
    pub(super) fn single_quote_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until::<SINGLE_QUOTED>()?;
        Some(self.quoted(unit, b'\'', lex))
    }

    /// Implements the *DoubleQuoteAttributeValueMode*: reads a value in double quotes up to the next byte that needs
    /// attention.
    #[inline(always)]
    pub(super) fn double_quote_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until::<DOUBLE_QUOTED>()?;
        Some(self.quoted(unit, b'"', lex))
    }

    /// Handles the unit at which the scan of a quoted value has stopped.
    #[inline(always)]
    fn quoted(&mut self, unit: Unit, quote: u8, lex: &mut Lexer<'_>) -> State {
        if let Byte(byte @ 0x80..) = unit
            && self.dialect.strict
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
                    if self.dialect.is_final
                        && (self.dialect.angle_until.is_none() || end > self.dialect.angle_until)
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
