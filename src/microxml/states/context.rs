//! Final revision: the look-ahead in `TAG_CONTEXT`, after a tag's name or in a tag.
//!
//! The names in it are attributes without values if it succeeds, but for the one before an equals
//! sign. If it fails they are data: nothing is read twice.

use crate::event::record::{Attr, SELF_CLOSING};
use crate::input::Mark;
use crate::lexer::Unit::{Byte, Eof};
use crate::limits::Limit;
use crate::microxml::classes::NAME;
use crate::microxml::errors;
use crate::microxml::machine::{Lexer, MicroXmlMachine};
use crate::microxml::state::{Next, State};
use crate::text::microxml_names::is_name_start_byte;

impl MicroXmlMachine {
    /// The look-ahead begins: before any name.
    pub(super) fn start_context(&mut self, in_tag: bool) -> State {
        self.own.provisional.clear();
        self.own.overflow = false;
        self.own.in_tag = in_tag;
        State::ContextSpace
    }

    /// The first byte of a name was taken.
    pub(super) fn provisional_name(&mut self, lex: &Lexer<'_>) -> State {
        let name = lex.mark() - 1;
        if self.own.provisional.len() > self.limits.attributes {
            self.own.overflow = true;
            self.own.provisional.pop();
        }
        self.own.provisional.push(Attr {
            name,
            ..Attr::EMPTY
        });
        State::ContextName
    }

    /// In a name of `TAG_CONTEXT`.
    pub(super) fn context_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until::<NAME>()?;
        let end = lex.mark() - u32::from(unit != Eof);
        if let Some(last) = self.own.provisional.last_mut() {
            (last.name_end, last.raw, last.raw_end) = (end, end, end);
        }
        Some(match unit {
            Byte(byte) => self.context_byte(lex, byte),
            Eof => self.no_context_at_end(lex),
        })
    }

    /// In white space of `TAG_CONTEXT`.
    pub(super) fn context_space(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.until_no_space(lex)? {
            Byte(byte) if is_name_start_byte(byte) => self.provisional_name(lex),
            Byte(byte) => self.context_byte(lex, byte),
            Eof => self.no_context_at_end(lex),
        })
    }

    /// A byte was taken that is no part of a name.
    fn context_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0xC => {
                self.space_after_name(lex, byte);
                State::ContextSpace
            }
            b'=' if !self.own.provisional.is_empty() => {
                let last = self.own.provisional.pop().unwrap_or(Attr::EMPTY);
                self.context_succeeds(lex);
                (self.attribute.name, self.attribute.name_end) = (last.name, last.name_end);
                self.start_attribute(lex);
                State::StartAttributeValue
            }
            b'>' => self.close_context(lex, 0),
            b'/' => State::ContextSlash,
            _ => self.no_context(lex, byte),
        }
    }

    /// In `TAG_CONTEXT`, after `/`.
    pub(super) fn context_slash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.close_context(lex, SELF_CLOSING),
            Byte(byte) => self.no_context(lex, byte),
            Eof => self.no_context_at_end(lex),
        })
    }

    fn close_context(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        self.context_succeeds(lex);
        let end = lex.mark();
        self.emit_start_tag(lex, flags, end);
        State::Main
    }

    /// The names of the look-ahead are attributes without values.
    fn context_succeeds(&mut self, lex: &mut Lexer<'_>) {
        self.own.carriage = Mark::NONE;
        if !self.own.in_tag {
            self.flush_text(lex, self.token);
            self.check_tag_name(lex);
        }
        let provisional = core::mem::take(&mut self.own.provisional);
        for attribute in &provisional {
            (self.attribute.name, self.attribute.name_end) = (attribute.name, attribute.name_end);
            let (from, to) = (attribute.name, attribute.name_end);
            self.refuse(lex, errors::MISSING_VALUE, from, to);
            self.start_attribute(lex);
            (self.attribute.raw, self.attribute.raw_end) = (to, to);
            self.add_attribute(lex);
        }
        if self.own.overflow {
            let (from, to) = (self.token, lex.mark());
            self.exceed(lex, Limit::Attributes, from, to);
        }
        self.own.provisional = provisional;
        self.own.provisional.clear();
    }

    fn no_context(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match self.own.in_tag {
            true => self.no_attribute(lex, byte),
            false => self.no_token(lex, byte),
        }
    }

    fn no_context_at_end(&mut self, lex: &mut Lexer<'_>) -> State {
        match self.own.in_tag {
            true => self.no_attribute_at_end(lex),
            false => self.no_token_at_end(lex),
        }
    }
}
