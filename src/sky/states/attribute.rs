//! Attributes: the states from before an attribute's name to the end of its value.

use crate::event::record::{Attr, NAME_CLEANED, Piece, QUOTED, Queue, VALUE_CLEANED};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::limits::Limit;
use crate::sky::errors;
use crate::sky::machine::{Cursor, DOUBLE_QUOTED, NAME, NOT_SPACE, SINGLE_QUOTED, SkyMachine};
use crate::sky::state::State;
use alloc::string::String;
use hashbrown::HashSet;

impl SkyMachine {
    /// Before attribute name state
    #[inline(always)]
    pub(in crate::sky) fn before_attribute_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'\r') => State::BeforeAttributeName,
            Byte(b'/') => State::VoidTag,
            Byte(b'>') => self.after_tag(input, out),
            Byte(byte) => self.start_attribute(input, out, byte),
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// The first byte of an attribute's name was taken: the attribute is created.
    #[inline(always)]
    pub(in crate::sky) fn start_attribute(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
    ) -> State {
        self.attribute = Attr {
            name: input.mark() - 1,
            ..Attr::EMPTY
        };
        self.attribute_null = false;
        self.dropped = false;
        if byte == 0 {
            self.null_in_name(input, out);
        }
        State::AttributeName
    }

    #[cold]
    fn null_in_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        self.attribute_null = true;
        self.error_here(input, out, errors::NULL_CHARACTER);
    }

    /// Attribute name state
    #[inline(always)]
    pub(in crate::sky) fn attribute_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'=') => {
                self.end_attribute_name(input, out);
                self.expect_value(input)
            }
            Byte(b' ' | b'\n' | b'\r') => {
                self.end_attribute_name(input, out);
                State::AfterAttributeName
            }
            Byte(b'/') => {
                self.end_attribute_name(input, out);
                self.add_attribute(input, out);
                State::VoidTag
            }
            Byte(b'>') => {
                self.end_attribute_name(input, out);
                self.add_attribute(input, out);
                self.after_tag(input, out)
            }
            Byte(0) => {
                self.null_in_name(input, out);
                State::AttributeName
            }
            Byte(_) => State::AttributeName,
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// The name of the current attribute has ended before the byte taken last.
    #[inline(always)]
    fn end_attribute_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let end = input.mark() - 1;
        let name = self.attribute.name;
        self.attribute.name_end = end;
        self.attribute.raw = end;
        self.attribute.raw_end = end;
        if self.is_end_tag {
            self.dropped = true;
            out.report(input, errors::END_TAG_ATTRIBUTE, name, end);
            return;
        }
        let count = out.attributes.len() - out.open as usize;
        if (end - name) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, name, end);
        } else if count >= self.limits.attributes {
            self.exceed(input, out, Limit::Attributes, name, end);
        } else if self.holds_name(*input, out) {
            self.dropped = true;
            out.report(input, errors::DUPLICATE_ATTRIBUTE, name, end);
        }
    }

    /// Whether the tag has an attribute of that name already.
    #[inline(always)]
    fn holds_name(&mut self, input: Cursor<'_>, out: &mut Queue) -> bool {
        let others = &out.attributes[out.open as usize..];
        let (carry, compared) = (&out.carry, &mut out.work.compared);
        let name = |attribute: &Attr| input.pieces(carry, attribute.name, attribute.name_end);
        self.names.contains(others, &self.attribute, name, compared)
    }

    /// Puts the current attribute on the tag, unless that goes without.
    #[inline(always)]
    fn add_attribute(&mut self, input: &Cursor<'_>, out: &mut Queue) {
        if self.dropped {
            return;
        }
        if self.attribute_null {
            self.clean_attribute_name(*input, out);
        }
        out.attributes.push(self.attribute);
    }

    /// Puts the name of the current attribute into the scratch buffer.
    #[cold]
    #[inline(never)]
    fn clean_attribute_name(&mut self, input: Cursor<'_>, out: &mut Queue) {
        self.nulls = true;
        let attribute = &mut self.attribute;
        let (first, second) = input.pieces(&out.carry, attribute.name, attribute.name_end);
        let name = String::from_iter([first, second]).replace('\0', "\u{FFFD}");
        attribute.clean_name = out.scratch.len() as u32;
        out.scratch.push_str(&name);
        out.scratch.push('\0');
        attribute.flags |= NAME_CLEANED;
        out.work.cleaned += name.len() as u64;
    }

    /// Of the tag's attributes that have one name once U+0000 is U+FFFD in it, the first stays.
    #[cold]
    #[inline(never)]
    pub(in crate::sky) fn compare_cleaned_names<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
    ) -> Cursor<'w> {
        self.nulls = false;
        let mut names = HashSet::new();
        let first = out.open as usize;
        let mut kept = first;
        for index in first..out.attributes.len() {
            let attribute = out.attributes[index];
            let (start, end) = (attribute.name, attribute.name_end);
            let (first, second) = input.pieces(&out.carry, start, end);
            let name = String::from_iter([first, second]).replace('\0', "\u{FFFD}");
            out.work.compared += name.len() as u64;
            if names.insert(name) {
                out.attributes[kept] = attribute;
                kept += 1;
            } else {
                out.report(&mut input, errors::DUPLICATE_ATTRIBUTE, start, end);
            }
        }
        out.attributes.truncate(kept);
        input
    }

    /// After attribute name state
    pub(in crate::sky) fn after_attribute_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'\r') => State::AfterAttributeName,
            Byte(b'/') => {
                self.add_attribute(input, out);
                State::VoidTag
            }
            Byte(b'=') => self.expect_value(input),
            Byte(b'>') => {
                self.add_attribute(input, out);
                self.after_tag(input, out)
            }
            Byte(byte) => {
                self.add_attribute(input, out);
                self.start_attribute(input, out, byte)
            }
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// The `=` after the current attribute's name was taken: if no value follows, it stands there.
    #[inline(always)]
    fn expect_value(&mut self, input: &Cursor<'_>) -> State {
        (self.attribute.raw, self.attribute.raw_end) = (input.mark(), input.mark());
        State::BeforeAttributeValue
    }

    /// Before attribute value state
    #[inline(always)]
    pub(in crate::sky) fn before_attribute_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'"') => {
                self.start_value(input.mark(), QUOTED);
                State::DoubleQuotedAttributeValue
            }
            Byte(b'\r') => State::BeforeAttributeValue,
            Byte(b'>') => {
                self.add_attribute(input, out);
                self.after_tag(input, out)
            }
            Byte(b'\'') => {
                self.start_value(input.mark(), QUOTED);
                State::SingleQuotedAttributeValue
            }
            Byte(byte) => {
                self.start_value(input.mark() - 1, 0);
                self.state = State::UnquotedAttributeValue;
                self.value_byte(input, out, byte)
            }
            Eof => self.eof_in_tag(input, out),
        })
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

    /// The value of the current attribute has ended before the byte taken last.
    #[inline(always)]
    fn end_value(&mut self, input: &Cursor<'_>, out: &mut Queue) {
        let end = input.mark() - 1;
        self.attribute.raw_end = end;
        if self.dropped {
            return;
        }
        let (from, to, cleaned) = self.value.finish(*input, out, end);
        if cleaned {
            self.attribute.value = from;
            self.attribute.value_end = to;
            self.attribute.flags |= VALUE_CLEANED;
        }
        self.value.start = crate::event::record::NONE;
        self.add_attribute(input, out);
    }

    /// Single-quoted attribute value state
    pub(in crate::sky) fn single_quoted_attribute_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<SINGLE_QUOTED>()? {
            Byte(b'\'') => {
                self.end_value(input, out);
                State::BeforeAttributeName
            }
            Byte(byte) => self.value_byte(input, out, byte),
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// Double-quoted attribute value state
    #[inline(always)]
    pub(in crate::sky) fn double_quoted_attribute_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<DOUBLE_QUOTED>()? {
            Byte(b'"') => {
                self.end_value(input, out);
                State::BeforeAttributeName
            }
            Byte(byte) => self.value_byte(input, out, byte),
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// Unquoted attribute value state
    pub(in crate::sky) fn unquoted_attribute_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b' ' | b'\n' | b'\r') => {
                self.end_value(input, out);
                State::BeforeAttributeName
            }
            Byte(b'>') => {
                self.end_value(input, out);
                self.after_tag(input, out)
            }
            Byte(byte) => self.value_byte(input, out, byte),
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// A byte was taken in a value that does not end it, and may be more than itself.
    #[inline(always)]
    fn value_byte(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        match byte {
            b'&' => return self.reference_from(self.state, input),
            b'\r' => *input = self.carriage_return(*input, out),
            0 => *input = self.null(*input, out),
            _ => {}
        }
        self.state
    }
}
