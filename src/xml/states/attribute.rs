//! Attributes: the tag attribute states.

use crate::attributes::FEW;
use crate::event::record::{Attr, ODD, PREFIXED, Piece, QUOTED, Queue, VALUE_CLEANED};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::input::cursor::same;
use crate::limits::Limit;
use crate::text::xml_names;
use crate::xml::errors;
use crate::xml::machine::{Cursor, NAME, NOT_SPACE, QUOTED_VALUE, XmlMachine};
use crate::xml::state::State;

impl XmlMachine {
    /// Tag attribute name before state
    pub(in crate::xml) fn tag_attribute_name_before(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'>') => self.emit_start_tag(input, out, 0),
            Byte(b'/') => State::EmptyTag,
            Byte(b':') if self.options.has_namespaces() => {
                self.error_here(input, out, errors::INVALID_QUALIFIED_NAME);
                State::TagAttributeNameBefore
            }
            Byte(byte) => self.start_attribute(input, out, byte),
            Eof => {
                self.error_at_end(input, out, errors::EOF_IN_TAG);
                self.emit_start_tag(input, out, 0)
            }
        })
    }

    /// The first byte of an attribute's name was taken.
    #[inline(always)]
    fn start_attribute(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        let name = input.mark() - 1;
        self.attribute = Attr {
            name,
            ..Attr::EMPTY
        };
        self.name_reported = false;
        self.dropped = false;
        let spaced = self.after_space(input, out);
        if !spaced || !matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'_') {
            *input = self.odd_attribute(*input, out, byte, spaced);
        }
        State::TagAttributeName
    }

    /// An attribute that begins with no letter, or without white space before it.
    #[cold]
    #[inline(never)]
    fn odd_attribute<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        byte: u8,
        spaced: bool,
    ) -> Cursor<'w> {
        let name = self.attribute.name;
        let character = if byte < 0x80 {
            byte as char
        } else {
            input.wide()
        };
        let end = input.mark();
        if !spaced {
            self.error(&mut input, out, errors::MISSING_WHITE_SPACE, name, end);
        }
        if !xml_names::is_name_start_char(character) {
            self.name_reported = true;
            self.error(&mut input, out, errors::INVALID_NAME, name, end);
        }
        input
    }

    /// Whether white space stands before the character taken last, or a `:` that was dropped.
    #[inline(always)]
    fn after_space(&self, input: &Cursor<'_>, out: &Queue) -> bool {
        let before = input.byte(&out.carry, input.mark() - 2);
        matches!(before, b'\t' | b'\n' | b'\r' | b' ' | b':')
    }

    /// Tag attribute name state
    pub(in crate::xml) fn tag_attribute_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'=') => {
                self.end_attribute_name(input, out, input.mark() - 1);
                self.expect_value(input)
            }
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_attribute_name(input, out, input.mark() - 1);
                State::TagAttributeNameAfter
            }
            Byte(b'>') => {
                self.end_attribute_name(input, out, input.mark() - 1);
                self.end_without_value(input, out);
                self.emit_start_tag(input, out, 0)
            }
            Byte(b'/') => {
                self.end_attribute_name(input, out, input.mark() - 1);
                self.end_without_value(input, out);
                State::EmptyTag
            }
            Byte(b':') => {
                self.attribute.flags |= PREFIXED;
                State::TagAttributeName
            }
            Byte(byte) => {
                *input = self.name_character(*input, out, byte, false);
                State::TagAttributeName
            }
            Eof => {
                self.end_attribute_name(input, out, input.mark());
                self.end_without_value(input, out);
                self.error_at_end(input, out, errors::EOF_IN_TAG);
                self.emit_start_tag(input, out, 0)
            }
        })
    }

    /// Tag attribute name after state
    pub(in crate::xml) fn tag_attribute_name_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'=') => self.expect_value(input),
            Byte(b'>') => {
                self.end_without_value(input, out);
                self.emit_start_tag(input, out, 0)
            }
            Byte(b'/') => {
                self.end_without_value(input, out);
                State::EmptyTag
            }
            Byte(b':') if self.options.has_namespaces() => {
                self.error_here(input, out, errors::INVALID_QUALIFIED_NAME);
                State::TagAttributeNameAfter
            }
            Byte(byte) => {
                self.end_without_value(input, out);
                self.start_attribute(input, out, byte)
            }
            Eof => {
                self.end_without_value(input, out);
                self.error_at_end(input, out, errors::EOF_IN_TAG);
                self.emit_start_tag(input, out, 0)
            }
        })
    }

    /// The name of the current attribute ends at the mark `end`.
    #[inline(always)]
    fn end_attribute_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) {
        let attribute = &mut self.attribute;
        attribute.name_end = end;
        attribute.raw = end;
        attribute.raw_end = end;
        let name = attribute.name;
        let count = out.attributes.len() - out.open as usize;
        if (end - name) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, name, end);
        } else if count >= self.limits.attributes {
            self.exceed(input, out, Limit::Attributes, name, end);
        } else if self.is_duplicate(input, out, name, end) {
            self.dropped = true;
            self.error(input, out, errors::DUPLICATE_ATTRIBUTE, name, end);
        }
        if end - name == 5 && input.byte(&out.carry, name) == b'x' {
            self.declares = true;
        }
    }

    /// Whether an attribute whose name stands between two marks is a further one of that name.
    #[inline(always)]
    fn is_duplicate(&mut self, input: &Cursor<'_>, out: &mut Queue, from: u32, to: u32) -> bool {
        let others = &out.attributes[out.open as usize..];
        if others.is_empty() {
            return false;
        }
        let (chunk, shift) = input.chunk();
        if self.token < shift || others.len() > FEW {
            return self.is_duplicate_cold(*input, out, from, to);
        }
        let bytes = chunk.as_bytes();
        let name = &bytes[(from - shift) as usize..(to - shift) as usize];
        others.iter().any(|other| {
            let other = other.name - shift..other.name_end - shift;
            same(&bytes[other.start as usize..other.end as usize], name)
        })
    }

    #[cold]
    #[inline(never)]
    pub(in crate::xml) fn is_duplicate_cold(
        &mut self,
        input: Cursor<'_>,
        out: &mut Queue,
        from: u32,
        to: u32,
    ) -> bool {
        let Queue {
            attributes,
            open,
            carry,
            work,
            ..
        } = out;
        let new = Attr {
            name: from,
            name_end: to,
            ..Attr::EMPTY
        };
        let others = &attributes[*open as usize..];
        let name = |attribute: &Attr| input.pieces(carry, attribute.name, attribute.name_end);
        self.names.contains(others, &new, name, &mut work.compared)
    }

    /// The current attribute has no value.
    #[cold]
    #[inline(never)]
    fn end_without_value_cold<'w>(&mut self, mut input: Cursor<'w>, out: &mut Queue) -> Cursor<'w> {
        let Attr { name, name_end, .. } = self.attribute;
        self.error(&mut input, out, errors::MISSING_EQUALS, name, name_end);
        self.add_attribute(out);
        input
    }

    #[inline(always)]
    fn end_without_value(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        *input = self.end_without_value_cold(*input, out);
    }

    /// Puts the current attribute on the tag, unless its name stood there before.
    #[inline(always)]
    fn add_attribute(&mut self, out: &mut Queue) {
        if self.dropped {
            return;
        }
        if self.attribute.flags & PREFIXED != 0 {
            self.prefixed += 1;
        }
        if self.name_reported {
            self.attribute.flags |= ODD;
        }
        out.push_attribute(self.attribute);
    }

    /// The `=` after the current attribute's name was taken: if no value follows, it stands there.
    #[inline(always)]
    fn expect_value(&mut self, input: &Cursor<'_>) -> State {
        (self.attribute.raw, self.attribute.raw_end) = (input.mark(), input.mark());
        State::TagAttributeValueBefore
    }

    /// Tag attribute value before state
    pub(in crate::xml) fn tag_attribute_value_before(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'"') => {
                self.start_value(input.mark(), QUOTED);
                State::TagAttributeValueDoubleQuoted
            }
            Byte(b'\'') => {
                self.start_value(input.mark(), QUOTED);
                State::TagAttributeValueSingleQuoted
            }
            Byte(b'>') => {
                self.error_here(input, out, errors::MISSING_VALUE);
                self.add_attribute(out);
                self.emit_start_tag(input, out, 0)
            }
            Byte(_) => {
                input.back();
                self.error_next(input, out, errors::UNQUOTED_VALUE);
                self.start_value(input.mark(), 0);
                State::TagAttributeValueUnquoted
            }
            Eof => {
                self.error_at_end(input, out, errors::EOF_IN_TAG);
                self.add_attribute(out);
                self.emit_start_tag(input, out, 0)
            }
        })
    }

    #[inline(always)]
    fn start_value(&mut self, mark: u32, quoted: u32) {
        self.attribute.raw = mark;
        self.attribute.flags |= quoted;
        self.string = Piece::at(mark);
    }

    /// The value of the current attribute ends at the mark `end`.
    #[inline(always)]
    fn end_value(&mut self, input: &Cursor<'_>, out: &mut Queue, end: u32) {
        self.attribute.raw_end = end;
        let (from, to, cleaned) = self.string.finish(*input, out, end);
        if cleaned {
            self.attribute.value = from;
            self.attribute.value_end = to;
            self.attribute.flags |= VALUE_CLEANED;
        }
        self.string = Piece::NONE;
        self.add_attribute(out);
    }

    /// Tag attribute value double quoted state
    pub(in crate::xml) fn tag_attribute_value_double_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<QUOTED_VALUE>()? {
            Byte(b'"') => {
                self.end_value(input, out, input.mark() - 1);
                State::TagAttributeNameBefore
            }
            Byte(b'\'') => State::TagAttributeValueDoubleQuoted,
            Byte(byte) => {
                let (state, after) = self.value_character(*input, out, byte);
                *input = after;
                state
            }
            Eof => self.eof_in_value(input, out),
        })
    }

    /// Tag attribute value single quoted state
    pub(in crate::xml) fn tag_attribute_value_single_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<QUOTED_VALUE>()? {
            Byte(b'\'') => {
                self.end_value(input, out, input.mark() - 1);
                State::TagAttributeNameBefore
            }
            Byte(b'"') => State::TagAttributeValueSingleQuoted,
            Byte(byte) => {
                let (state, after) = self.value_character(*input, out, byte);
                *input = after;
                state
            }
            Eof => self.eof_in_value(input, out),
        })
    }

    /// Tag attribute value unquoted state
    pub(in crate::xml) fn tag_attribute_value_unquoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_value(input, out, input.mark() - 1);
                State::TagAttributeNameBefore
            }
            Byte(b'>') => {
                self.end_value(input, out, input.mark() - 1);
                self.emit_start_tag(input, out, 0)
            }
            Byte(byte) => {
                let (state, after) = self.value_character(*input, out, byte);
                *input = after;
                state
            }
            Eof => self.eof_in_value(input, out),
        })
    }

    fn eof_in_value(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.error_at_end(input, out, errors::EOF_IN_TAG);
        self.attribute.flags &= !QUOTED;
        self.end_value(input, out, input.mark());
        self.emit_start_tag(input, out, 0)
    }

    /// A character in a value that is more than itself. Stays in the current state, or goes to that
    /// of a reference.
    #[cold]
    #[inline(never)]
    fn value_character<'w>(
        &mut self,
        mut cursor: Cursor<'w>,
        out: &mut Queue,
        byte: u8,
    ) -> (State, Cursor<'w>) {
        let input = &mut cursor;
        let at = input.mark() - 1;
        match byte {
            b'&' => {
                let state = self.reference_from(self.state, input);
                return (state, cursor);
            }
            b'\t' | b'\n' => self.string.replace(*input, out, at, at + 1, " "),
            b'\r' => self.carriage_return(input, out, " "),
            b'<' => self.error_here(input, out, errors::LESS_THAN_IN_VALUE),
            _ => self.check_character(input, out, byte),
        }
        (self.state, cursor)
    }
}
