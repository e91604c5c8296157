//! TagMode, and what tags share: names, attributes.

use crate::error::Code;
use crate::event::record::{Attr, NONE, Queue, SELF_CLOSING};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::limits::Limit;
use crate::microxml::classes::NAME;
use crate::microxml::errors;
use crate::microxml::machine::{Cursor, MicroXmlMachine};
use crate::microxml::state::State;
use crate::text::microxml_names::{is_name_start_byte, is_strict_char};
use crate::text::xml_names;
use alloc::string::String;

impl MicroXmlMachine {
    /// A tag's name has ended before the byte taken last.
    #[inline(always)]
    pub(in crate::microxml) fn end_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        self.name_end = input.mark() - 1;
        if (self.name_end - self.name) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, self.name, self.name_end);
        }
    }

    /// Strictly: whether the tag's name is one.
    #[inline(always)]
    pub(in crate::microxml) fn check_tag_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let (from, to) = (self.name, self.name_end);
        if self.strict && !is_plain_name(input, out, from, to) {
            *input = self.check_name(*input, out, from, to, None);
        }
    }

    #[cold]
    #[inline(never)]
    fn check_name<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        from: u32,
        to: u32,
        reserved: Option<(&str, Code)>,
    ) -> Cursor<'w> {
        let (first, second) = input.pieces(&out.carry, from, to);
        let joined;
        let name = match first {
            "" => second,
            _ => {
                joined = String::from_iter([first, second]);
                &*joined
            }
        };
        let begins = name
            .chars()
            .next()
            .is_some_and(xml_names::is_name_start_char);
        // XML's names may have colons and noncharacters.
        let is_good = |character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '.' => true,
            ':' => false,
            _ => is_strict_char(character) && xml_names::is_name_char(character),
        };
        if !begins || !name.chars().all(is_good) {
            self.refuse(&mut input, out, errors::INVALID_NAME, from, to);
        } else if let Some((reserved, code)) = reserved
            && name == reserved
        {
            self.refuse(&mut input, out, code, from, to);
        }
        input
    }

    /// The `=` after the current attribute's name was taken: if no value follows, it stands there.
    #[inline(always)]
    pub(in crate::microxml) fn start_attribute(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let (name, end) = (self.attribute.name, self.attribute.name_end);
        self.attribute = Attr {
            name,
            name_end: end,
            raw: input.mark(),
            raw_end: input.mark(),
            ..Attr::EMPTY
        };
        if self.strict && (end - name == 5 || !is_plain_name(input, out, name, end)) {
            let reserved = Some(("xmlns", errors::RESERVED_ATTRIBUTE));
            *input = self.check_name(*input, out, name, end, reserved);
        }
        let count = out.attributes.len() - out.open as usize;
        self.dropped = false;
        if (end - name) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, name, end);
        } else if count >= self.limits.attributes {
            self.exceed(input, out, Limit::Attributes, name, end);
        } else if self.holds_name(*input, out) {
            self.dropped = true;
            self.repair(input, out, errors::DUPLICATE_ATTRIBUTE, name, end);
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

    /// TagMode
    #[inline(always)]
    pub(in crate::microxml) fn tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match self.until_no_space(input, out)? {
            Byte(b'>') => {
                let end = input.mark();
                self.emit_start_tag(input, out, 0, end);
                State::Main
            }
            Byte(b'/') => State::TagSlash,
            Byte(b'\r') => State::Tag,
            Byte(byte) if is_name_start_byte(byte) => {
                self.attribute.name = input.mark() - 1;
                if self.strict {
                    self.check_space(input, out);
                }
                if let Some(state) = self.next_attribute_chain(input, out) {
                    return Some(state);
                }
                if self.is_final {
                    self.start_context(true);
                    return Some(self.provisional_name(input));
                }
                State::TagName
            }
            Byte(byte) => {
                let data = input.mark() - 1;
                self.unfinished_tag(input, out, data);
                self.tag_data(input, out, byte)
            }
            Eof => {
                let end = input.mark();
                self.unfinished_tag(input, out, end);
                self.end_of_file(input, out)
            }
        })
    }

    /// Strictly: whether white space stands before the name whose first byte was taken.
    #[inline(always)]
    fn check_space(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let name = input.mark() - 1;
        let before = input.byte(&out.carry, name - 1);
        if !matches!(before, b' ' | b'\t' | b'\n' | b'\r') {
            self.refuse(input, out, errors::MISSING_WHITE_SPACE, name, name);
        }
    }

    /// The start tag ends before its `>`, at the mark `end`, where data begins.
    #[cold]
    pub(in crate::microxml) fn unfinished_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        end: u32,
    ) {
        self.repair(input, out, errors::UNFINISHED_TAG, end, end);
        self.emit_start_tag(input, out, 0, end);
    }

    /// The byte taken last is data, which has closed the start tag; even `<` and `&`.
    fn tag_data(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        match byte {
            b'<' | b'&' if !self.is_final => {
                let start = input.mark() - 1;
                self.solid(input, out, start);
                State::Main
            }
            _ => self.main_byte(input, out, byte),
        }
    }

    /// TagMode, after `/`.
    pub(in crate::microxml) fn tag_slash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                let end = input.mark();
                self.emit_start_tag(input, out, SELF_CLOSING, end);
                State::Main
            }
            Byte(byte) => {
                let slash = input.mark() - 2;
                self.unfinished_tag(input, out, slash);
                self.solid(input, out, slash);
                self.main_byte(input, out, byte)
            }
            Eof => {
                let slash = input.mark() - 1;
                self.unfinished_tag(input, out, slash);
                self.solid(input, out, slash);
                self.end_of_file(input, out)
            }
        })
    }

    /// TagMode, in the `NAME` of `ATTRIBUTE_NAME_EQUALS`.
    #[inline(always)]
    pub(in crate::microxml) fn tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'=') => {
                self.attribute.name_end = input.mark() - 1;
                self.start_attribute(input, out);
                State::StartAttributeValue
            }
            Byte(byte @ (b' ' | b'\t' | b'\n' | b'\r' | 0xC)) => {
                self.attribute.name_end = input.mark() - 1;
                self.space_after_name(input, out, byte);
                State::TagNameSpace
            }
            Byte(byte) => self.no_attribute(input, out, byte),
            Eof => self.no_attribute_at_end(input, out),
        })
    }

    /// TagMode, in `S` of `ATTRIBUTE_NAME_EQUALS`, after the name.
    pub(in crate::microxml) fn tag_name_space(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match self.until_no_space(input, out)? {
            Byte(b'\r') => {
                self.note_carriage(input);
                State::TagNameSpace
            }
            Byte(b'=') => {
                self.carriage = NONE;
                self.start_attribute(input, out);
                State::StartAttributeValue
            }
            Byte(byte) => self.no_attribute(input, out, byte),
            Eof => self.no_attribute_at_end(input, out),
        })
    }

    /// What was read since the name's beginning is data, up to the byte taken last.
    pub(in crate::microxml) fn no_attribute(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
    ) -> State {
        let end = input.mark() - 1;
        self.no_attribute_until(input, out, end);
        self.main_byte(input, out, byte)
    }

    pub(in crate::microxml) fn no_attribute_at_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        let end = input.mark();
        self.no_attribute_until(input, out, end);
        self.end_of_file(input, out)
    }

    #[cold]
    fn no_attribute_until(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) {
        let name = self.attribute.name;
        self.unfinished_tag(input, out, name);
        self.solid(input, out, name);
        self.normalise(input, out, end);
        debug_assert!(self.token == NONE, "a tag that is closed is no token");
    }
}

/// Whether the name between two marks is plainly one of the strict language: in ASCII and in one piece.
#[inline(always)]
fn is_plain_name(input: &Cursor<'_>, out: &Queue, from: u32, to: u32) -> bool {
    let ("", name) = input.pieces(&out.carry, from, to) else {
        return false;
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let mut bytes = name.bytes();
    let begins = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    begins && bytes.all(plain)
}
