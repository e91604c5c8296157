//! States in the attributes of a start tag: names, `=`, values.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{Lexer, NAME, NOT_SPACE, QUOTED_VALUE, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::event::record::{Attr, INCOMPLETE, ODD, PREFIXED, QUOTED};
use crate::engine::input::BufferOffset;
use crate::engine::text::xml_names;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl XmlMachine {
    /// Implements the *tag attribute name before state*: reads the byte at which an attribute starts or the tag ends.
    pub(in crate::dialects::xml) fn tag_attribute_name_before(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'>') => self.emit_start_tag(lex, 0),
            Byte(b'/') => State::EmptyTag,
            Byte(b':') if self.dialect.options.has_namespaces() => {
                self.error_here(lex, errors::INVALID_QUALIFIED_NAME);
                State::TagAttributeNameBefore
            }
            Byte(byte) => self.start_attribute(lex, byte),
            Eof => {
                self.error_at_end(lex, errors::EOF_IN_TAG);
                self.emit_start_tag(lex, INCOMPLETE)
            }
        })
    }

    /// Starts a new attribute whose first byte was just consumed.
    #[inline(always)]
    fn start_attribute(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let name = lex.mark() - 1;
        self.attribute = Attr {
            name,
            ..Attr::EMPTY
        };
        self.dialect.name_reported = false;
        self.dropped = false;
        let spaced = self.after_space(lex);
        if !spaced || !matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'_') {
            self.odd_attribute(lex, byte, spaced);
        }
        State::TagAttributeName
    }

    /// Reports an attribute without whitespace before it, or whose first character is not allowed at the start of a
    /// name.
    #[cold]
    #[inline(never)]
    fn odd_attribute(&mut self, lex: &mut Lexer<'_>, byte: u8, spaced: bool) {
        let name = self.attribute.name;
        let (character, _, end) = lex.character(byte);
        if !spaced {
            self.error(lex, errors::MISSING_WHITE_SPACE, name, end);
        }
        if !xml_names::is_name_start_char(character) {
            self.dialect.name_reported = true;
            self.error(lex, errors::INVALID_NAME, name, end);
        }
    }

    /// Returns true if the byte before the byte consumed last is whitespace, or a leading `:` that was dropped.
    #[inline(always)]
    fn after_space(&self, lex: &Lexer<'_>) -> bool {
        let before = lex.byte(lex.mark() - 2);
        matches!(before, b'\t' | b'\n' | b'\r' | b' ' | b':')
    }

    /// Implements the *tag attribute name state*: reads the name of an attribute up to the byte that ends it.
    pub(in crate::dialects::xml) fn tag_attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'=') => {
                self.end_attribute_name(lex, lex.mark() - 1);
                self.expect_value(lex)
            }
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_attribute_name(lex, lex.mark() - 1);
                State::TagAttributeNameAfter
            }
            Byte(b'>') => {
                self.end_attribute_name(lex, lex.mark() - 1);
                self.end_without_value(lex);
                self.emit_start_tag(lex, 0)
            }
            Byte(b'/') => {
                self.end_attribute_name(lex, lex.mark() - 1);
                self.end_without_value(lex);
                State::EmptyTag
            }
            Byte(b':') => {
                self.attribute.flags |= PREFIXED;
                State::TagAttributeName
            }
            Byte(byte) => {
                self.name_character(lex, byte, false);
                State::TagAttributeName
            }
            Eof => {
                self.end_attribute_name(lex, lex.mark());
                self.end_without_value(lex);
                self.error_at_end(lex, errors::EOF_IN_TAG);
                self.emit_start_tag(lex, INCOMPLETE)
            }
        })
    }

    /// Implements the *tag attribute name after state*: reads the first byte after the whitespace that follows the
    /// name of an attribute.
    pub(in crate::dialects::xml) fn tag_attribute_name_after(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'=') => self.expect_value(lex),
            Byte(b'>') => {
                self.end_without_value(lex);
                self.emit_start_tag(lex, 0)
            }
            Byte(b'/') => {
                self.end_without_value(lex);
                State::EmptyTag
            }
            Byte(b':') if self.dialect.options.has_namespaces() => {
                self.error_here(lex, errors::INVALID_QUALIFIED_NAME);
                State::TagAttributeNameAfter
            }
            Byte(byte) => {
                self.end_without_value(lex);
                self.start_attribute(lex, byte)
            }
            Eof => {
                self.end_without_value(lex);
                self.error_at_end(lex, errors::EOF_IN_TAG);
                self.emit_start_tag(lex, INCOMPLETE)
            }
        })
    }

    /// Ends the name of the current attribute at offset `end`. Checks the limits, and marks the attribute for removal
    /// if the tag already has an attribute of this name.
    #[inline(always)]
    fn end_attribute_name(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        let attribute = &mut self.attribute;
        attribute.name_end = end;
        (attribute.raw, attribute.raw_end) = (end, end);
        let name = attribute.name;
        if let Some(limit) = self.attribute_limit(lex, end) {
            self.exceed(lex, limit, name, end);
        } else if lex.has_attribute(&mut self.names, &self.attribute) {
            self.dropped = true;
            lex.mark_duplicates();
            lex.aside(|lex| self.duplicate_attribute(lex, name, end));
        }
        if end - name == 5 && lex.byte(name) == b'x' {
            self.dialect.tag.may_declare = true;
        }
    }

    /// Reports that the tag already has an attribute with the name of the current attribute, which is in `name..end`.
    #[cold]
    #[inline(never)]
    fn duplicate_attribute(&mut self, lex: &mut Lexer<'_>, name: BufferOffset, end: BufferOffset) {
        let first = lex.first_attribute(&self.names, &self.attribute, false);
        let first = first.and_then(|name| self.first_attribute(name));
        self.error_about(lex, errors::DUPLICATE_ATTRIBUTE, (name, end), first);
    }

    /// Adds the current attribute, which has no `=` and no value, and reports the error.
    #[cold]
    #[inline(never)]
    fn end_without_value(&mut self, lex: &mut Lexer<'_>) {
        let Attr { name, name_end, .. } = self.attribute;
        self.error(lex, errors::MISSING_EQUALS, name, name_end);
        self.add_attribute(lex);
    }

    /// Adds the current attribute to the tag, unless it is a duplicate.
    #[inline(always)]
    fn add_attribute(&mut self, lex: &mut Lexer<'_>) {
        if self.dropped {
            return;
        }
        if self.attribute.flags & PREFIXED != 0 {
            self.dialect.tag.prefixed_attributes += 1;
        }
        if self.dialect.name_reported {
            self.attribute.flags |= ODD;
        }
        lex.out.push_attribute(self.attribute);
    }

    /// Handles the `=` after the name of the current attribute. Its value is empty, at this position, if nothing
    /// follows.
    #[inline(always)]
    fn expect_value(&mut self, lex: &Lexer<'_>) -> State {
        (self.attribute.raw, self.attribute.raw_end) = (lex.mark(), lex.mark());
        State::TagAttributeValueBefore
    }

    /// Implements the *tag attribute value before state*: reads the byte at which the value starts. A value without
    /// quotes is reported.
    pub(in crate::dialects::xml) fn tag_attribute_value_before(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'"') => {
                self.start_value(lex.mark(), QUOTED);
                State::TagAttributeValueDoubleQuoted
            }
            Byte(b'\'') => {
                self.start_value(lex.mark(), QUOTED);
                State::TagAttributeValueSingleQuoted
            }
            Byte(b'>') => {
                self.error_here(lex, errors::MISSING_VALUE);
                self.add_attribute(lex);
                self.emit_start_tag(lex, 0)
            }
            Byte(_) => {
                lex.back();
                self.error_next(lex, errors::UNQUOTED_VALUE);
                self.start_value(lex.mark(), 0);
                State::TagAttributeValueUnquoted
            }
            Eof => {
                self.error_at_end(lex, errors::EOF_IN_TAG);
                self.add_attribute(lex);
                self.emit_start_tag(lex, INCOMPLETE)
            }
        })
    }

    /// Ends the value of the current attribute at offset `end`, and adds the attribute to the tag.
    #[inline(always)]
    fn end_value(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        if self.finish_value(lex, end) {
            self.add_attribute(lex);
        }
    }

    /// Implements the *tag attribute value double quoted state* and the *single quoted state*, which differ in
    /// `quote` only: reads the value up to its end or to a byte with a special meaning.
    #[inline(always)]
    pub(in crate::dialects::xml) fn tag_attribute_value_quoted(
        &mut self,
        lex: &mut Lexer<'_>,
        quote: u8,
    ) -> Next {
        Some(match lex.until::<QUOTED_VALUE>()? {
            Byte(byte) if byte == quote => {
                self.end_value(lex, lex.mark() - 1);
                State::TagAttributeNameBefore
            }
            Byte(b'"' | b'\'') => self.state,
            Byte(byte) => self.value_character(lex, byte),
            Eof => self.eof_in_value(lex),
        })
    }

    /// Implements the *tag attribute value unquoted state*: reads one byte of a value without quotes, which ends at
    /// whitespace or `>`.
    pub(in crate::dialects::xml) fn tag_attribute_value_unquoted(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_value(lex, lex.mark() - 1);
                State::TagAttributeNameBefore
            }
            Byte(b'>') => {
                self.end_value(lex, lex.mark() - 1);
                self.emit_start_tag(lex, 0)
            }
            Byte(byte) => self.value_character(lex, byte),
            Eof => self.eof_in_value(lex),
        })
    }

    fn eof_in_value(&mut self, lex: &mut Lexer<'_>) -> State {
        self.error_at_end(lex, errors::EOF_IN_TAG);
        self.attribute.flags &= !QUOTED;
        self.end_value(lex, lex.mark());
        self.emit_start_tag(lex, INCOMPLETE)
    }

    /// Handles a byte in a value that may need more than to be copied: a reference, a newline or tab (which becomes a
    /// space), a `<`, or a character that may be illegal. Returns the next state.
    #[cold]
    #[inline(never)]
    fn value_character(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let at = lex.mark() - 1;
        match byte {
            b'&' => {
                let state = self.reference_from(self.state, lex);
                return state;
            }
            b'\t' | b'\n' => lex.replace(&mut self.value, at, at + 1, " "),
            b'\r' => self.line_end(lex, " "),
            b'<' => self.error_here(lex, errors::LESS_THAN_IN_VALUE),
            _ => self.check_character(lex, byte),
        }
        self.state
    }
}
