//! The states of attribute names and attribute values.

use crate::dialects::html::errors;
use crate::dialects::html::fast_path::Exit;
use crate::dialects::html::machine::{
    DOUBLE_QUOTED, HtmlMachine, Lexer, NAME, NOT_SPACE, SINGLE_QUOTED, UNQUOTED, clean, reconsume,
};
use crate::dialects::html::state::{Next, State};
use crate::engine::event::record::{Attr, ODD, QUOTED};
use crate::engine::event::strings::Str;
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{self, Byte, Eof},
};

impl HtmlMachine {
    /// Implements the *before attribute name state*: in a tag, before an attribute or the end of the tag.
    pub(super) fn before_attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        match self.plain_attributes(lex) {
            Exit::Tag(flags) => return Some(self.emit_tag(lex, flags)),
            Exit::State(State::BeforeAttributeName) => {}
            Exit::State(state) => return Some(state),
        }
        let unit = lex.until_set(&NOT_SPACE)?;
        Some(match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeAttributeName,
            // The standard reconsumes the `/` in the after attribute name state, which continues in this state.
            // Without the detour, each of many slashes is read twice instead of three times.
            Byte(b'/') => State::SelfClosingStartTag,
            Byte(b'>') => self.emit_tag(lex, 0),
            Eof => self.eof_in_tag(lex),
            Byte(b'=') => {
                self.start_attribute(lex.mark() - 1);
                let code = errors::UNEXPECTED_EQUALS_SIGN_BEFORE_ATTRIBUTE_NAME;
                self.error_at(lex, code, unit);
                State::AttributeName
            }
            Byte(_) => {
                self.start_attribute(lex.mark() - 1);
                reconsume(lex, unit, State::AttributeName)
            }
        })
    }

    /// Starts an attribute whose name begins at an offset.
    #[inline(always)]
    fn start_attribute(&mut self, name: BufferOffset) {
        self.attribute = Attr {
            name,
            ..Attr::EMPTY
        };
    }

    /// Implements the *attribute name state*: in the name of an attribute.
    pub(super) fn attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until::<NAME>()?;
        let Byte(byte) = unit else {
            self.end_attribute_name(lex, lex.mark(), unit);
            return Some(State::AfterAttributeName);
        };
        Some(match byte {
            // The standard reconsumes these bytes in the after attribute name state. The states here are those in
            // which that state continues.
            b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' => {
                self.end_attribute_name(lex, lex.mark() - 1, unit);
                State::AfterAttributeName
            }
            b'/' => {
                self.end_attribute_name(lex, lex.mark() - 1, unit);
                State::SelfClosingStartTag
            }
            b'>' => {
                self.end_attribute_name(lex, lex.mark() - 1, unit);
                self.emit_tag(lex, 0)
            }
            b'=' => {
                self.end_attribute_name(lex, lex.mark() - 1, unit);
                self.expect_value(lex)
            }
            b'A'..=b'Z' => {
                self.attribute.flags |= ODD;
                State::AttributeName
            }
            0 => {
                self.attribute.flags |= ODD;
                self.error_at(lex, errors::UNEXPECTED_NULL_CHARACTER, unit);
                State::AttributeName
            }
            b'"' | b'\'' | b'<' => {
                let code = errors::UNEXPECTED_CHARACTER_IN_ATTRIBUTE_NAME;
                self.error_at(lex, code, unit);
                State::AttributeName
            }
            _ => State::AttributeName,
        })
    }

    /// Ends the name of the current attribute at the offset `end`, before `unit`, which was just consumed. Adds the
    /// attribute to the tag, unless the tag has an attribute of that name or a limit is exceeded.
    #[inline(always)]
    fn end_attribute_name(&mut self, lex: &mut Lexer<'_>, end: BufferOffset, unit: Unit) {
        let mut attribute = self.attribute;
        attribute.name_end = end;
        attribute.raw = end;
        attribute.raw_end = end;
        if attribute.flags & ODD != 0 {
            attribute = self.clean_name(lex, attribute);
        }
        let length = (end - attribute.name) as usize;
        let count = lex.out.attributes.len() - lex.out.open as usize;
        self.dropped = count > 0 && lex.has_attribute_cold(&mut self.names, &attribute, true);
        if length > self.limits.name {
            self.dropped = true;
            self.exceed(lex, Limit::Name, attribute.name, end);
        } else if count >= self.limits.attributes {
            self.dropped = true;
            self.exceed(lex, Limit::Attributes, attribute.name, end);
        } else if self.dropped {
            lex.mark_duplicates();
            lex.aside(|lex| self.duplicate_attribute(lex, attribute, unit));
        } else {
            lex.out.push_attribute(attribute);
        }
    }

    /// Copies a name with uppercase letters or U+0000 to the scratch buffer, converted. Returns the attribute with
    /// that name.
    #[cold]
    #[inline(never)]
    fn clean_name(&self, lex: &mut Lexer<'_>, mut attribute: Attr) -> Attr {
        let name = clean(lex, attribute.name, attribute.name_end);
        lex.out.scratch.push('\0');
        attribute.set_name(name.start);
        attribute
    }

    /// Implements the *after attribute name state*: after the name of an attribute, before `=` or the next attribute.
    pub(super) fn after_attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&NOT_SPACE)? {
            Byte(b'/') => State::SelfClosingStartTag,
            Byte(b'=') => self.expect_value(lex),
            Byte(b'>') => self.emit_tag(lex, 0),
            Eof => self.eof_in_tag(lex),
            unit @ Byte(_) => {
                self.start_attribute(lex.mark() - 1);
                reconsume(lex, unit, State::AttributeName)
            }
        })
    }

    /// Handles the `=` after the name of the current attribute, which was just consumed. The range of the value is
    /// set to the empty range after the `=`, in case no value follows.
    #[inline(always)]
    fn expect_value(&self, lex: &mut Lexer<'_>) -> State {
        let here = lex.mark();
        if !self.dropped
            && let Some(attribute) = lex.out.attributes.last_mut()
        {
            (attribute.raw, attribute.raw_end) = (here, here);
        }
        State::BeforeAttributeValue
    }

    /// Implements the *before attribute value state*: after the `=` of an attribute.
    pub(super) fn before_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&NOT_SPACE)? {
            Byte(b'"') => {
                self.value = TextBuffer::at(lex.mark());
                State::AttributeValueDoubleQuoted
            }
            Byte(b'\'') => {
                self.value = TextBuffer::at(lex.mark());
                State::AttributeValueSingleQuoted
            }
            unit @ Byte(b'>') => {
                self.error_at(lex, errors::MISSING_ATTRIBUTE_VALUE, unit);
                self.emit_tag(lex, 0)
            }
            unit => {
                let state = reconsume(lex, unit, State::AttributeValueUnquoted);
                self.value = TextBuffer::at(lex.mark());
                state
            }
        })
    }

    /// Implements the *attribute value (double-quoted) state*: in a value between double quotes.
    pub(super) fn attribute_value_double_quoted(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DOUBLE_QUOTED>()? {
            Byte(b'"') => {
                self.end_value(lex, lex.mark() - 1, QUOTED);
                State::AfterAttributeValueQuoted
            }
            Byte(b'&') => self.reference_from(lex, State::AttributeValueDoubleQuoted),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::AttributeValueDoubleQuoted
            }
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Implements the *attribute value (single-quoted) state*: in a value between single quotes.
    pub(super) fn attribute_value_single_quoted(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&SINGLE_QUOTED)? {
            Byte(b'\'') => {
                self.end_value(lex, lex.mark() - 1, QUOTED);
                State::AfterAttributeValueQuoted
            }
            Byte(b'&') => self.reference_from(lex, State::AttributeValueSingleQuoted),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::AttributeValueSingleQuoted
            }
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Implements the *attribute value (unquoted) state*: in a value without quotes.
    pub(super) fn attribute_value_unquoted(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until_set(&UNQUOTED)?;
        Some(match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => {
                self.end_value(lex, lex.mark() - 1, 0);
                State::BeforeAttributeName
            }
            Byte(b'&') => self.reference_from(lex, State::AttributeValueUnquoted),
            Byte(b'>') => {
                self.end_value(lex, lex.mark() - 1, 0);
                self.emit_tag(lex, 0)
            }
            Byte(0) => {
                self.null(lex);
                State::AttributeValueUnquoted
            }
            Byte(b'"' | b'\'' | b'<' | b'=' | b'`') => {
                let code = errors::UNEXPECTED_CHARACTER_IN_UNQUOTED_ATTRIBUTE_VALUE;
                self.error_at(lex, code, unit);
                State::AttributeValueUnquoted
            }
            Byte(_) => State::AttributeValueUnquoted,
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Implements the *after attribute value (quoted) state*: after the closing quote of a value.
    pub(super) fn after_attribute_value_quoted(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeAttributeName,
            Byte(b'/') => State::SelfClosingStartTag,
            Byte(b'>') => self.emit_tag(lex, 0),
            Eof => self.eof_in_tag(lex),
            unit @ Byte(_) => {
                let code = errors::MISSING_WHITESPACE_BETWEEN_ATTRIBUTES;
                self.error_at(lex, code, unit);
                reconsume(lex, unit, State::BeforeAttributeName)
            }
        })
    }

    /// Ends the value of the current attribute at the offset `end`.
    #[inline(always)]
    fn end_value(&mut self, lex: &mut Lexer<'_>, end: BufferOffset, quoted: u32) {
        let raw = self.value.start;
        let value = lex.finish(&mut self.value, end);
        self.value = TextBuffer::NONE;
        if self.dropped {
            return;
        }
        if let Some(attribute) = lex.out.attributes.last_mut() {
            attribute.raw = raw;
            attribute.raw_end = end;
            attribute.flags |= quoted;
            if let Str::Cleaned(value) = value {
                attribute.set_value(value);
            }
        }
    }
}
