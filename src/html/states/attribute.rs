//! Attributes: the attribute name and value states.

use super::{clean, reconsume};
use crate::event::record::{Attr, ODD, QUOTED};
use crate::event::strings::Str;
use crate::html::errors;
use crate::html::fast_path::Exit;
use crate::html::machine::{
    DOUBLE_QUOTED, HtmlMachine, Lexer, NAME, NOT_SPACE, SINGLE_QUOTED, UNQUOTED,
};
use crate::html::state::{Next, State};
use crate::input::Mark;
use crate::lexer::{
    TextBuffer,
    Unit::{self, Byte, Eof},
};
use crate::limits::Limit;

impl HtmlMachine {
    /// Before attribute name state
    pub(super) fn before_attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        match self.plain_attributes(lex) {
            Exit::Tag(flags) => return Some(self.emit_tag(lex, flags)),
            Exit::State(State::BeforeAttributeName) => {}
            Exit::State(state) => return Some(state),
        }
        let unit = lex.until_set(&NOT_SPACE)?;
        Some(match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeAttributeName,
            // Where the after attribute name state would send it: else a byte of a flood of slashes would
            // be taken three times.
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

    /// An attribute's name begins at a mark.
    #[inline(always)]
    fn start_attribute(&mut self, name: Mark) {
        self.attribute = Attr {
            name,
            ..Attr::EMPTY
        };
    }

    /// Attribute name state
    pub(super) fn attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until::<NAME>()?;
        let Byte(byte) = unit else {
            self.end_attribute_name(lex, lex.mark(), unit);
            return Some(State::AfterAttributeName);
        };
        Some(match byte {
            // These go where the after attribute name state would send them.
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

    /// The name of the current attribute ends at the mark `end`, before `unit`. The attribute is put
    /// on the tag, unless one of that name is there.
    #[inline(always)]
    fn end_attribute_name(&mut self, lex: &mut Lexer<'_>, end: Mark, unit: Unit) {
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

    /// Puts a name with capitals or U+0000 into the scratch buffer as it is meant.
    #[cold]
    #[inline(never)]
    fn clean_name(&self, lex: &mut Lexer<'_>, mut attribute: Attr) -> Attr {
        let name = clean(lex, attribute.name, attribute.name_end);
        lex.out.scratch.push('\0');
        attribute.set_name(name.start);
        attribute
    }

    /// After attribute name state
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

    /// The `=` after the current attribute's name was taken: if no value follows, it stands there.
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

    /// Before attribute value state
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

    /// Attribute value (double-quoted) state
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

    /// Attribute value (single-quoted) state
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

    /// Attribute value (unquoted) state
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

    /// After attribute value (quoted) state
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

    /// The value of the current attribute ends at the mark `end`.
    #[inline(always)]
    fn end_value(&mut self, lex: &mut Lexer<'_>, end: Mark, quoted: u32) {
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
