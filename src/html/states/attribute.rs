//! Attributes: the attribute name and value states.

use crate::event::record::{Attr, NAME_CLEANED, ODD, Piece, QUOTED, Queue, VALUE_CLEANED};
use crate::html::errors;
use crate::html::fast_path::Exit;
use crate::html::machine::{
    Cursor, DOUBLE_QUOTED, HtmlMachine, NAME, NOT_SPACE, SINGLE_QUOTED, UNQUOTED,
};
use crate::html::state::State;
use crate::input::cursor;
use crate::input::cursor::Unit::{self, Byte, Eof};
use crate::limits::Limit;

impl HtmlMachine {
    /// Before attribute name state
    pub(in crate::html) fn before_attribute_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        match self.plain_attributes(input, out) {
            Exit::Tag(flags) => return Some(self.emit_tag(input, out, flags)),
            Exit::State(State::BeforeAttributeName) => {}
            Exit::State(state) => return Some(state),
        }
        let unit = input.until_set(&NOT_SPACE)?;
        Some(self.in_before_attribute_name(input, out, unit))
    }

    /// `unit` was taken in the before attribute name state.
    #[inline(always)]
    pub(in crate::html) fn in_before_attribute_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeAttributeName,
            // What is reconsumed in the after attribute name state goes where that would send it.
            Byte(b'/') => State::SelfClosingStartTag,
            Byte(b'>') => self.emit_tag(input, out, 0),
            Eof => self.eof_in_tag(input, out),
            Byte(b'=') => {
                self.start_attribute(input.mark() - 1);
                let code = errors::UNEXPECTED_EQUALS_SIGN_BEFORE_ATTRIBUTE_NAME;
                self.error_at(input, out, code, unit);
                State::AttributeName
            }
            Byte(byte) => self.first_of_attribute(input, out, byte),
        }
    }

    /// The first byte of an attribute's name was taken, and is reconsumed in the attribute name state.
    #[inline(always)]
    fn first_of_attribute(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        self.start_attribute(input.mark() - 1);
        self.in_attribute_name(input, out, byte)
    }

    /// An attribute's name begins at a mark.
    #[inline(always)]
    fn start_attribute(&mut self, name: u32) {
        self.attribute = Attr {
            name,
            ..Attr::EMPTY
        };
    }

    /// Attribute name state
    pub(in crate::html) fn attribute_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until::<NAME>()?;
        Some(match unit {
            Byte(b'=') => {
                self.end_attribute_name(input, out, input.mark() - 1, unit);
                self.expect_value(input, out)
            }
            // What is reconsumed in the after attribute name state goes where that would send it.
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => {
                self.end_attribute_name(input, out, input.mark() - 1, unit);
                State::AfterAttributeName
            }
            Byte(b'/') => {
                self.end_attribute_name(input, out, input.mark() - 1, unit);
                State::SelfClosingStartTag
            }
            Byte(b'>') => {
                self.end_attribute_name(input, out, input.mark() - 1, unit);
                self.emit_tag(input, out, 0)
            }
            Eof => {
                self.end_attribute_name(input, out, input.mark(), unit);
                State::AfterAttributeName
            }
            Byte(byte) => self.in_attribute_name(input, out, byte),
        })
    }

    /// A byte of the name itself was taken in the attribute name state.
    #[inline(always)]
    fn in_attribute_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        match byte {
            b'A'..=b'Z' => self.attribute.flags |= ODD,
            0 => {
                self.attribute.flags |= ODD;
                self.error_at(input, out, errors::UNEXPECTED_NULL_CHARACTER, Byte(byte));
            }
            b'"' | b'\'' | b'<' => {
                let code = errors::UNEXPECTED_CHARACTER_IN_ATTRIBUTE_NAME;
                self.error_at(input, out, code, Byte(byte));
            }
            _ => {}
        }
        State::AttributeName
    }

    /// The name of the current attribute ends at the mark `end`, before `unit`. The attribute is put
    /// on the tag, unless one of that name is there.
    #[inline(always)]
    fn end_attribute_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        end: u32,
        unit: Unit,
    ) {
        let mut attribute = self.attribute;
        attribute.name_end = end;
        attribute.raw = end;
        attribute.raw_end = end;
        if attribute.flags & ODD != 0 {
            attribute = self.clean_name(*input, out, attribute);
        }
        let length = (end - attribute.name) as usize;
        let count = out.attributes.len() - out.open as usize;
        self.dropped = count > 0 && self.is_duplicate(input, out, &attribute);
        if length > self.limits.name {
            self.dropped = true;
            *input = self.exceed(*input, out, Limit::Name, attribute.name, end);
        } else if count >= self.limits.attributes {
            self.dropped = true;
            *input = self.exceed(*input, out, Limit::Attributes, attribute.name, end);
        } else if self.dropped {
            self.error_at(input, out, errors::DUPLICATE_ATTRIBUTE, unit);
        } else {
            out.push_attribute(attribute);
        }
    }

    /// Puts a name with capitals or U+0000 into the scratch buffer as it is meant.
    #[cold]
    #[inline(never)]
    fn clean_name(&self, input: Cursor<'_>, out: &mut Queue, mut attribute: Attr) -> Attr {
        let (from, _) = super::tag_name::clean(input, out, attribute.name, attribute.name_end);
        out.scratch.push('\0');
        attribute.clean_name = from;
        attribute.flags |= NAME_CLEANED;
        attribute
    }

    /// Whether the tag has an attribute of this name.
    #[inline(always)]
    pub(in crate::html) fn is_duplicate(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
        new: &Attr,
    ) -> bool {
        let Queue {
            attributes,
            open,
            scratch,
            carry,
            work,
            ..
        } = out;
        // Not the cursor itself: it must stay in registers.
        let (chunk, shift) = input.chunk();
        let name = |attribute: &Attr| {
            if attribute.flags & NAME_CLEANED != 0 {
                ("", attribute.clean_name(scratch))
            } else {
                cursor::pieces(chunk, shift, carry, attribute.name, attribute.name_end)
            }
        };
        let others = &attributes[*open as usize..];
        self.names.contains(others, new, name, &mut work.compared)
    }

    /// After attribute name state
    pub(in crate::html) fn after_attribute_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until_set(&NOT_SPACE)? {
            Byte(b'/') => State::SelfClosingStartTag,
            Byte(b'=') => self.expect_value(input, out),
            Byte(b'>') => self.emit_tag(input, out, 0),
            Byte(byte) => self.first_of_attribute(input, out, byte),
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// The `=` after the current attribute's name was taken: if no value follows, it stands there.
    #[inline(always)]
    fn expect_value(&self, input: &Cursor<'_>, out: &mut Queue) -> State {
        if !self.dropped
            && let Some(attribute) = out.attributes.last_mut()
        {
            (attribute.raw, attribute.raw_end) = (input.mark(), input.mark());
        }
        State::BeforeAttributeValue
    }

    /// Before attribute value state
    pub(in crate::html) fn before_attribute_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until_set(&NOT_SPACE)? {
            Byte(b'"') => {
                self.string = Piece::at(input.mark());
                State::AttributeValueDoubleQuoted
            }
            Byte(b'\'') => {
                self.string = Piece::at(input.mark());
                State::AttributeValueSingleQuoted
            }
            unit @ Byte(b'>') => {
                self.error_at(input, out, errors::MISSING_ATTRIBUTE_VALUE, unit);
                self.emit_tag(input, out, 0)
            }
            unit => {
                self.string = Piece::at(input.mark() - 1);
                self.again(input, out, unit, State::AttributeValueUnquoted)
            }
        })
    }

    /// Attribute value (double-quoted) state
    pub(in crate::html) fn attribute_value_double_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until::<DOUBLE_QUOTED>()?;
        Some(self.in_attribute_value_double_quoted(input, out, unit))
    }

    /// `unit` was taken in the attribute value (double-quoted) state.
    #[inline(always)]
    pub(in crate::html) fn in_attribute_value_double_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'"') => {
                self.end_value(input, out, input.mark() - 1, QUOTED);
                State::AfterAttributeValueQuoted
            }
            Byte(b'&') => self.reference_from(State::AttributeValueDoubleQuoted, input),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::AttributeValueDoubleQuoted
            }
            Eof => self.eof_in_tag(input, out),
        }
    }

    /// Attribute value (single-quoted) state
    pub(in crate::html) fn attribute_value_single_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&SINGLE_QUOTED)?;
        Some(self.in_attribute_value_single_quoted(input, out, unit))
    }

    /// `unit` was taken in the attribute value (single-quoted) state.
    #[inline(always)]
    pub(in crate::html) fn in_attribute_value_single_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'\'') => {
                self.end_value(input, out, input.mark() - 1, QUOTED);
                State::AfterAttributeValueQuoted
            }
            Byte(b'&') => self.reference_from(State::AttributeValueSingleQuoted, input),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::AttributeValueSingleQuoted
            }
            Eof => self.eof_in_tag(input, out),
        }
    }

    /// Attribute value (unquoted) state
    pub(in crate::html) fn attribute_value_unquoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&UNQUOTED)?;
        Some(self.in_attribute_value_unquoted(input, out, unit))
    }

    /// `unit` was taken in the attribute value (unquoted) state.
    #[inline(always)]
    pub(in crate::html) fn in_attribute_value_unquoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => {
                self.end_value(input, out, input.mark() - 1, 0);
                State::BeforeAttributeName
            }
            Byte(b'&') => self.reference_from(State::AttributeValueUnquoted, input),
            Byte(b'>') => {
                self.end_value(input, out, input.mark() - 1, 0);
                self.emit_tag(input, out, 0)
            }
            Byte(0) => {
                *input = self.null(*input, out);
                State::AttributeValueUnquoted
            }
            Byte(b'"' | b'\'' | b'<' | b'=' | b'`') => {
                let code = errors::UNEXPECTED_CHARACTER_IN_UNQUOTED_ATTRIBUTE_VALUE;
                self.error_at(input, out, code, unit);
                State::AttributeValueUnquoted
            }
            Byte(_) => State::AttributeValueUnquoted,
            Eof => self.eof_in_tag(input, out),
        }
    }

    /// After attribute value (quoted) state
    pub(in crate::html) fn after_attribute_value_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeAttributeName,
            Byte(b'/') => State::SelfClosingStartTag,
            Byte(b'>') => self.emit_tag(input, out, 0),
            Eof => self.eof_in_tag(input, out),
            unit @ Byte(_) => {
                let code = errors::MISSING_WHITESPACE_BETWEEN_ATTRIBUTES;
                self.error_at(input, out, code, unit);
                self.again(input, out, unit, State::BeforeAttributeName)
            }
        })
    }

    /// The value of the current attribute ends at the mark `end`.
    #[inline(always)]
    fn end_value(&mut self, input: &Cursor<'_>, out: &mut Queue, end: u32, quoted: u32) {
        let raw = self.string.start;
        let (mut from, mut to, mut cleaned) = self.string.finish(*input, out, end);
        self.string = Piece::NONE;
        if self.dropped {
            return;
        }
        if !cleaned && (from, to) != (raw, end) {
            (from, to) = copy(*input, out, from, to);
            cleaned = true;
        }
        if let Some(attribute) = out.attributes.last_mut() {
            attribute.raw = raw;
            attribute.raw_end = end;
            attribute.flags |= quoted;
            if cleaned {
                attribute.value = from;
                attribute.value_end = to;
                attribute.flags |= VALUE_CLEANED;
            }
        }
    }
}

/// Appends a value that begins or ends elsewhere than it is written to the scratch buffer; gives its
/// range there. It is the CR of a CR LF that does not count.
#[cold]
#[inline(never)]
fn copy(input: Cursor<'_>, out: &mut Queue, from: u32, to: u32) -> (u32, u32) {
    let begin = out.scratch.len() as u32;
    let (first, second) = input.pieces(&out.carry, from, to);
    out.scratch.push_str(first);
    out.scratch.push_str(second);
    out.work.cleaned += u64::from(to - from);
    (begin, out.scratch.len() as u32)
}
