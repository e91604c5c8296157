//! Of the final revision of the specification: the lookahead `TAG_CONTEXT`, which recognizes attributes without values.
//!
//! After the name of a tag, or in an open tag, a sequence of names is a sequence of attributes without values if `>`,
//! `/>` or `=` follows; in the last case the name before the `=` is an attribute with a value. Otherwise the names
//! are text. The lookahead stores the names as provisional attributes, so that nothing has to be read twice in either
//! case.

use crate::dialects::microxml::classes::NAME;
use crate::dialects::microxml::errors;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Next, State};
use crate::engine::event::record::{Attr, SELF_CLOSING};
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::text::microxml_names::is_name_start_byte;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl MicroXmlMachine {
    /// Starts the lookahead, before the first name. `in_tag` is true if the tag is open already.
    pub(super) fn start_context(&mut self, in_tag: bool) -> State {
        self.dialect.provisional.clear();
        self.dialect.overflow = false;
        self.dialect.in_tag = in_tag;
        State::ContextSpace
    }

    /// Starts a name, whose first byte was just consumed.
    pub(super) fn provisional_name(&mut self, lex: &Lexer<'_>) -> State {
        let name = lex.mark() - 1;
        if self.dialect.provisional.len() > self.limits.attributes {
            self.dialect.overflow = true;
            self.dialect.provisional.pop();
        }
        self.dialect.provisional.push(Attr {
            name,
            ..Attr::EMPTY
        });
        State::ContextName
    }

    /// Reads a name of the lookahead.
    pub(super) fn context_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until::<NAME>()?;
        let end = lex.mark() - u32::from(unit != Eof);
        if let Some(last) = self.dialect.provisional.last_mut() {
            (last.name_end, last.raw, last.raw_end) = (end, end, end);
        }
        Some(match unit {
            Byte(byte) => self.context_byte(lex, byte),
            Eof => self.no_context_at_end(lex),
        })
    }

    /// Reads whitespace between the names of the lookahead.
    pub(super) fn context_space(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.until_no_space(lex)? {
            Byte(byte) if is_name_start_byte(byte) => self.provisional_name(lex),
            Byte(byte) => self.context_byte(lex, byte),
            Eof => self.no_context_at_end(lex),
        })
    }

    /// Handles a byte that is not part of a name.
    fn context_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0xC => {
                self.space_after_name(lex, byte);
                State::ContextSpace
            }
            b'=' if !self.dialect.provisional.is_empty() => {
                let last = self.dialect.provisional.pop().unwrap_or(Attr::EMPTY);
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

    /// Reads the unit after a `/`.
    pub(super) fn context_slash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.close_context(lex, SELF_CLOSING),
            Byte(byte) => self.no_context(lex, byte),
            Eof => self.no_context_at_end(lex),
        })
    }

    /// Ends the lookahead and the tag, at the `>` that was just consumed.
    fn close_context(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        self.context_succeeds(lex);
        let end = lex.mark();
        self.emit_start_tag(lex, flags, end);
        State::Main
    }

    /// Turns the names of the lookahead into attributes without values.
    fn context_succeeds(&mut self, lex: &mut Lexer<'_>) {
        self.dialect.carriage = BufferOffset::NONE;
        if !self.dialect.in_tag {
            self.flush_text(lex, self.token);
            self.check_tag_name(lex);
        }
        let provisional = core::mem::take(&mut self.dialect.provisional);
        for attribute in &provisional {
            (self.attribute.name, self.attribute.name_end) = (attribute.name, attribute.name_end);
            let (from, to) = (attribute.name, attribute.name_end);
            self.refuse(lex, errors::MISSING_VALUE, from, to);
            self.start_attribute(lex);
            (self.attribute.raw, self.attribute.raw_end) = (to, to);
            self.add_attribute(lex);
        }
        if self.dialect.overflow {
            let (from, to) = (self.token, lex.mark());
            self.exceed(lex, Limit::Attributes, from, to);
        }
        self.dialect.provisional = provisional;
        self.dialect.provisional.clear();
    }

    /// Ends a lookahead that has failed at `byte`, which was consumed last: the names are text.
    fn no_context(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match self.dialect.in_tag {
            true => self.no_attribute(lex, byte),
            false => self.no_token(lex, byte),
        }
    }

    /// Ends a lookahead that has failed at the end of the input.
    fn no_context_at_end(&mut self, lex: &mut Lexer<'_>) -> State {
        match self.dialect.in_tag {
            true => self.no_attribute_at_end(lex),
            false => self.no_token_at_end(lex),
        }
    }
}
