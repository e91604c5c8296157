//! Attribute values: the modes of their beginning, without quotes, in single and in double quotes.

use crate::event::record::{NONE, Piece, QUOTED, Queue, SELF_CLOSING, VALUE_CLEANED};
use crate::input::cursor::Unit::{self, Byte, Eof};
use crate::microxml::classes::{DOUBLE_QUOTED, SINGLE_QUOTED};
use crate::microxml::errors;
use crate::microxml::machine::{Cursor, MicroXmlMachine};
use crate::microxml::state::State;

impl MicroXmlMachine {
    /// StartAttributeValue tokenization mode
    #[inline(always)]
    pub(in crate::microxml) fn start_attribute_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match self.until_no_space(input, out)? {
            Byte(b'"') => {
                self.start_value(input.mark(), QUOTED);
                State::DoubleQuoteAttributeValue
            }
            Byte(b'\'') => {
                self.start_value(input.mark(), QUOTED);
                State::SingleQuoteAttributeValue
            }
            Byte(b'\r') => State::StartAttributeValue,
            Byte(b'>') => self.no_value(input, out, 0),
            Byte(b'/') => State::StartAttributeValueSlash,
            Byte(byte) => {
                let start = input.mark() - 1;
                self.start_unquoted(input, out, start);
                self.unquoted_byte(input, out, byte)
            }
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// That mode, after `/`.
    pub(in crate::microxml) fn start_attribute_value_slash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.no_value(input, out, SELF_CLOSING),
            Byte(byte) => {
                let start = input.mark() - 2;
                self.start_unquoted(input, out, start);
                self.unquoted_byte(input, out, byte)
            }
            Eof => {
                let end = input.mark();
                self.start_unquoted(input, out, end - 1);
                self.end_value(input, out, end);
                self.eof_after_value(input, out)
            }
        })
    }

    fn no_value(&mut self, input: &mut Cursor<'_>, out: &mut Queue, flags: u8) -> State {
        let end = input.mark();
        self.refuse(input, out, errors::MISSING_VALUE, end - 1, end);
        self.add_attribute(out);
        self.emit_start_tag(input, out, flags, end);
        State::Main
    }

    fn start_unquoted(&mut self, input: &mut Cursor<'_>, out: &mut Queue, start: u32) {
        self.refuse(input, out, errors::UNQUOTED_VALUE, start, start);
        self.start_value(start, 0);
        self.state = State::UnquoteAttributeValue;
    }

    #[inline(always)]
    fn start_value(&mut self, mark: u32, quoted: u32) {
        self.attribute.raw = mark;
        self.attribute.flags |= quoted;
        // What is dropped needs no cleaning.
        self.value = match self.dropped {
            true => Piece::NONE,
            false => Piece::at(mark),
        };
    }

    /// The value of the current attribute ends at the mark `end`.
    #[inline(always)]
    pub(in crate::microxml) fn end_value(&mut self, input: &Cursor<'_>, out: &mut Queue, end: u32) {
        self.attribute.raw_end = end;
        self.angle_until = NONE;
        if self.dropped {
            return;
        }
        let (from, to, cleaned) = self.value.finish(*input, out, end);
        if cleaned {
            self.attribute.value = from;
            self.attribute.value_end = to;
            self.attribute.flags |= VALUE_CLEANED;
        }
        self.value.start = NONE;
        self.add_attribute(out);
    }

    /// Puts the current attribute on the tag, unless its name stood there before.
    #[inline(always)]
    pub(in crate::microxml) fn add_attribute(&self, out: &mut Queue) {
        if !self.dropped {
            out.attributes.push(self.attribute);
        }
    }

    /// The end of the input in a tag closes that.
    #[cold]
    fn eof_in_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.add_attribute(out);
        self.eof_after_value(input, out)
    }

    #[cold]
    fn eof_after_value(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let end = input.mark();
        self.unfinished_tag(input, out, end);
        self.end_of_file(input, out)
    }

    #[cold]
    fn eof_in_value(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.attribute.flags &= !QUOTED;
        self.end_value(input, out, input.mark());
        self.eof_after_value(input, out)
    }

    /// UnquoteAttributeValue mode
    pub(in crate::microxml) fn unquote_attribute_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) => self.unquoted_byte(input, out, byte),
            Eof => self.eof_in_value(input, out),
        })
    }

    /// A byte was taken in a value without quotes.
    #[inline(always)]
    fn unquoted_byte(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        match byte {
            b'>' => {
                let end = input.mark();
                self.end_value(input, out, end - 1);
                self.emit_start_tag(input, out, 0, end);
                State::Main
            }
            b' ' | b'\t' | b'\n' | b'\r' | 0xC => {
                self.end_value(input, out, input.mark() - 1);
                State::Tag
            }
            b'/' => State::UnquoteAttributeValueSlash,
            b'&' => self.reference_from(State::UnquoteAttributeValue, input),
            _ => State::UnquoteAttributeValue,
        }
    }

    /// UnquoteAttributeValue mode, after `/`.
    pub(in crate::microxml) fn unquote_attribute_value_slash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                let end = input.mark();
                self.end_value(input, out, end - 2);
                self.emit_start_tag(input, out, SELF_CLOSING, end);
                State::Main
            }
            Byte(byte) => self.unquoted_byte(input, out, byte),
            Eof => self.eof_in_value(input, out),
        })
    }

    /// SingleQuoteAttributeValueMode
    pub(in crate::microxml) fn single_quote_attribute_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until::<SINGLE_QUOTED>()?;
        Some(self.quoted(unit, b'\'', input, out))
    }

    /// DoubleQuoteAttributeValueMode
    #[inline(always)]
    pub(in crate::microxml) fn double_quote_attribute_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until::<DOUBLE_QUOTED>()?;
        Some(self.quoted(unit, b'"', input, out))
    }

    /// A unit was taken in a value that this quote ends.
    #[inline(always)]
    fn quoted(&mut self, unit: Unit, quote: u8, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        if let Byte(byte @ 0x80..) = unit
            && self.strict
            && let run @ 1.. = self.legal_run_from(input, byte)
        {
            input.skip(run - 1);
            return self.state;
        }
        match unit {
            Byte(byte) if byte == quote => {
                self.end_value(input, out, input.mark() - 1);
                State::Tag
            }
            Byte(b'&') => self.reference_from(self.state, input),
            Byte(b'\r') => {
                *input = self.carriage_return(*input, out);
                self.state
            }
            Byte(byte) => {
                if matches!(byte, b'<' | b'>') {
                    let end = input.mark();
                    let code = errors::ANGLE_BRACKET_IN_VALUE;
                    self.refuse(input, out, code, end - 1, end);
                    if self.is_final && (self.angle_until == NONE || end > self.angle_until) {
                        return self.start_angle(input, out, (quote, byte));
                    }
                }
                self.check_character(input, out, byte);
                self.state
            }
            Eof => self.eof_in_value(input, out),
        }
    }
}
