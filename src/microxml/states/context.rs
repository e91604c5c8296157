//! Final revision: the look-ahead in `TAG_CONTEXT`, after a tag's name or in a tag.
//!
//! The names in it are attributes without values if it succeeds, but for the one before an equals
//! sign. If it fails they are data: nothing is read twice.

use crate::event::record::{Attr, Queue, SELF_CLOSING};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::limits::Limit;
use crate::microxml::classes::NAME;
use crate::microxml::errors;
use crate::microxml::machine::{Cursor, MicroXmlMachine};
use crate::microxml::state::State;
use crate::text::microxml_names::is_name_start_byte;

impl MicroXmlMachine {
    /// The look-ahead begins: before any name.
    pub(in crate::microxml) fn start_context(&mut self, in_tag: bool) -> State {
        self.provisional.clear();
        self.overflow = false;
        self.in_tag = in_tag;
        State::ContextSpace
    }

    /// The first byte of a name was taken.
    pub(in crate::microxml) fn provisional_name(&mut self, input: &Cursor<'_>) -> State {
        let name = input.mark() - 1;
        if self.provisional.len() > self.limits.attributes {
            self.overflow = true;
            self.provisional.pop();
        }
        self.provisional.push(Attr {
            name,
            ..Attr::EMPTY
        });
        State::ContextName
    }

    /// In a name of `TAG_CONTEXT`.
    pub(in crate::microxml) fn context_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until::<NAME>()?;
        let end = input.mark() - u32::from(unit != Eof);
        if let Some(last) = self.provisional.last_mut() {
            (last.name_end, last.raw, last.raw_end) = (end, end, end);
        }
        Some(match unit {
            Byte(byte) => self.context_byte(input, out, byte),
            Eof => self.no_context_at_end(input, out),
        })
    }

    /// In white space of `TAG_CONTEXT`.
    pub(in crate::microxml) fn context_space(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match self.until_no_space(input, out)? {
            Byte(byte) if is_name_start_byte(byte) => self.provisional_name(input),
            Byte(byte) => self.context_byte(input, out, byte),
            Eof => self.no_context_at_end(input, out),
        })
    }

    /// A byte was taken that is no part of a name.
    fn context_byte(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0xC => {
                self.space_after_name(input, out, byte);
                State::ContextSpace
            }
            b'=' if !self.provisional.is_empty() => {
                let last = self.provisional.pop().unwrap_or(Attr::EMPTY);
                self.context_succeeds(input, out);
                (self.attribute.name, self.attribute.name_end) = (last.name, last.name_end);
                self.start_attribute(input, out);
                State::StartAttributeValue
            }
            b'>' => self.close_context(input, out, 0),
            b'/' => State::ContextSlash,
            _ => self.no_context(input, out, byte),
        }
    }

    /// In `TAG_CONTEXT`, after `/`.
    pub(in crate::microxml) fn context_slash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.close_context(input, out, SELF_CLOSING),
            Byte(byte) => self.no_context(input, out, byte),
            Eof => self.no_context_at_end(input, out),
        })
    }

    fn close_context(&mut self, input: &mut Cursor<'_>, out: &mut Queue, flags: u8) -> State {
        self.context_succeeds(input, out);
        let end = input.mark();
        self.emit_start_tag(input, out, flags, end);
        State::Main
    }

    /// The names of the look-ahead are attributes without values.
    fn context_succeeds(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        self.carriage = crate::event::record::NONE;
        if !self.in_tag {
            self.flush_text(input, out, self.token);
            self.check_tag_name(input, out);
        }
        let provisional = core::mem::take(&mut self.provisional);
        for attribute in &provisional {
            (self.attribute.name, self.attribute.name_end) = (attribute.name, attribute.name_end);
            let (from, to) = (attribute.name, attribute.name_end);
            self.refuse(input, out, errors::MISSING_VALUE, from, to);
            self.start_attribute(input, out);
            (self.attribute.raw, self.attribute.raw_end) = (to, to);
            self.add_attribute(out);
        }
        if self.overflow {
            let (from, to) = (self.token, input.mark());
            self.exceed(input, out, Limit::Attributes, from, to);
        }
        self.provisional = provisional;
        self.provisional.clear();
    }

    fn no_context(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        match self.in_tag {
            true => self.no_attribute(input, out, byte),
            false => self.no_token(input, out, byte),
        }
    }

    fn no_context_at_end(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        match self.in_tag {
            true => self.no_attribute_at_end(input, out),
            false => self.no_token_at_end(input, out),
        }
    }
}
