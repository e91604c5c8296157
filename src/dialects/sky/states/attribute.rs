//! States in the attributes of a tag: names, `=`, values.

use crate::dialects::sky::errors;
use crate::dialects::sky::machine::{
    DOUBLE_QUOTED, Lexer, NAME, NOT_SPACE, SINGLE_QUOTED, SkyMachine,
};
use crate::dialects::sky::state::{Next, State};
use crate::engine::event::record::{Attr, QUOTED};
use crate::engine::event::referred::Referred;
use crate::engine::tokenizer::Unit::{Byte, Eof};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

impl SkyMachine {
    /// Implements the *before attribute name state*: reads the byte at which an attribute starts or the tag ends.
    #[inline(always)]
    pub(super) fn before_attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'\r') => State::BeforeAttributeName,
            Byte(b'/') => State::VoidTag,
            Byte(b'>') => self.after_tag(lex),
            Byte(byte) => self.start_attribute(lex, byte),
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Creates an attribute, whose first byte was just consumed.
    #[inline(always)]
    pub(super) fn start_attribute(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        self.attribute = Attr {
            name: lex.mark() - 1,
            ..Attr::EMPTY
        };
        self.dialect.attribute_null = false;
        self.dropped = false;
        if byte == 0 {
            self.null_in_name(lex);
        }
        State::AttributeName
    }

    /// Reports a U+0000 in the name of the current attribute.
    #[cold]
    fn null_in_name(&mut self, lex: &mut Lexer<'_>) {
        self.dialect.attribute_null = true;
        self.error_here(lex, errors::NULL_CHARACTER);
    }

    /// Implements the *attribute name state*: reads the name of an attribute.
    #[inline(always)]
    pub(super) fn attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'=') => {
                self.end_attribute_name(lex);
                self.expect_value(lex)
            }
            Byte(b' ' | b'\n' | b'\r') => {
                self.end_attribute_name(lex);
                State::AfterAttributeName
            }
            Byte(b'/') => {
                self.end_attribute_name(lex);
                self.add_attribute(lex);
                State::VoidTag
            }
            Byte(b'>') => {
                self.end_attribute_name(lex);
                self.add_attribute(lex);
                self.after_tag(lex)
            }
            Byte(0) => {
                self.null_in_name(lex);
                State::AttributeName
            }
            Byte(_) => State::AttributeName,
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Ends the name of the current attribute before the byte consumed last. Checks the limits, and marks the
    /// attribute for removal if it is a duplicate or the tag is an end tag.
    #[inline(always)]
    fn end_attribute_name(&mut self, lex: &mut Lexer<'_>) {
        let end = lex.mark() - 1;
        let name = self.attribute.name;
        self.attribute.name_end = end;
        self.attribute.raw = end;
        self.attribute.raw_end = end;
        if self.dialect.is_end_tag {
            self.dropped = true;
            lex.report(errors::END_TAG_ATTRIBUTE, name, end);
            return;
        }
        if let Some(limit) = self.attribute_limit(lex, end) {
            self.exceed(lex, limit, name, end);
        } else if lex.has_attribute(&mut self.names, &self.attribute) {
            self.dropped = true;
            lex.mark_duplicates();
            lex.aside(|lex| {
                let first = lex.first_attribute(&self.names, &self.attribute, false);
                let first = first.map(Referred::first_attribute);
                lex.report_about(errors::DUPLICATE_ATTRIBUTE, name, end, first);
            });
        }
    }

    /// Adds the current attribute to the tag, unless it is marked for removal.
    #[inline(always)]
    fn add_attribute(&mut self, lex: &mut Lexer<'_>) {
        if self.dropped {
            return;
        }
        if self.dialect.attribute_null {
            self.clean_attribute_name(lex);
        }
        lex.out.attributes.push(self.attribute);
    }

    /// Copies the name of the current attribute to the scratch buffer, with U+0000 replaced by U+FFFD.
    #[cold]
    #[inline(never)]
    fn clean_attribute_name(&mut self, lex: &mut Lexer<'_>) {
        self.dialect.nulls = true;
        let attribute = &mut self.attribute;
        let name = lex
            .string(attribute.name, attribute.name_end)
            .replace('\0', "\u{FFFD}");
        attribute.set_name(lex.clean(&name).start);
        lex.out.scratch.push('\0');
    }

    /// Removes duplicate attributes again, comparing the names after U+0000 was replaced by U+FFFD. The first one of
    /// each name is kept.
    #[cold]
    #[inline(never)]
    pub(in crate::dialects::sky) fn compare_cleaned_names(&mut self, lex: &mut Lexer<'_>) {
        self.dialect.nulls = false;
        let mut names = HashMap::new();
        let first = lex.out.open as usize;
        let mut kept = first;
        for index in first..lex.out.attributes.len() {
            let attribute = lex.out.attributes[index];
            let (start, end) = (attribute.name, attribute.name_end);
            let name = lex.string(start, end).replace('\0', "\u{FFFD}");
            lex.out.work.compared += name.len() as u64;
            match names.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert((start, end));
                    lex.out.attributes[kept] = attribute;
                    kept += 1;
                }
                Entry::Occupied(first) => {
                    let first = Referred::first_attribute(*first.get());
                    lex.mark_duplicates();
                    lex.report_about(errors::DUPLICATE_ATTRIBUTE, start, end, Some(first));
                }
            }
        }
        lex.out.attributes.truncate(kept);
    }

    /// Implements the *after attribute name state*: reads the first byte after the whitespace that follows the name
    /// of an attribute.
    pub(super) fn after_attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'\r') => State::AfterAttributeName,
            Byte(b'/') => {
                self.add_attribute(lex);
                State::VoidTag
            }
            Byte(b'=') => self.expect_value(lex),
            Byte(b'>') => {
                self.add_attribute(lex);
                self.after_tag(lex)
            }
            Byte(byte) => {
                self.add_attribute(lex);
                self.start_attribute(lex, byte)
            }
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Handles the `=` after the name of the current attribute. Its value is empty, at this position, if nothing
    /// follows.
    #[inline(always)]
    fn expect_value(&mut self, lex: &Lexer<'_>) -> State {
        (self.attribute.raw, self.attribute.raw_end) = (lex.mark(), lex.mark());
        State::BeforeAttributeValue
    }

    /// Implements the *before attribute value state*: skips whitespace, and reads the first byte after it.
    #[inline(always)]
    pub(super) fn before_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'"') => {
                self.start_value(lex.mark(), QUOTED);
                State::DoubleQuotedAttributeValue
            }
            Byte(b'\r') => State::BeforeAttributeValue,
            Byte(b'>') => {
                self.add_attribute(lex);
                self.after_tag(lex)
            }
            Byte(b'\'') => {
                self.start_value(lex.mark(), QUOTED);
                State::SingleQuotedAttributeValue
            }
            Byte(byte) => {
                self.start_value(lex.mark() - 1, 0);
                self.state = State::UnquotedAttributeValue;
                self.value_byte(lex, byte)
            }
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Ends the value of the current attribute before the byte consumed last, and adds the attribute to the tag.
    #[inline(always)]
    fn end_value(&mut self, lex: &mut Lexer<'_>) {
        if self.finish_value(lex, lex.mark() - 1) {
            self.add_attribute(lex);
        }
    }

    /// Implements the *single-quoted attribute value state*: reads the value up to its end or to a byte that needs
    /// attention.
    pub(super) fn single_quoted_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<SINGLE_QUOTED>()? {
            Byte(b'\'') => {
                self.end_value(lex);
                State::BeforeAttributeName
            }
            Byte(byte) => self.value_byte(lex, byte),
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Implements the *double-quoted attribute value state*: reads the value up to its end or to a byte that needs
    /// attention.
    #[inline(always)]
    pub(super) fn double_quoted_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DOUBLE_QUOTED>()? {
            Byte(b'"') => {
                self.end_value(lex);
                State::BeforeAttributeName
            }
            Byte(byte) => self.value_byte(lex, byte),
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Implements the *unquoted attribute value state*: reads the value up to its end or to a byte that needs
    /// attention.
    pub(super) fn unquoted_attribute_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b' ' | b'\n' | b'\r') => {
                self.end_value(lex);
                State::BeforeAttributeName
            }
            Byte(b'>') => {
                self.end_value(lex);
                self.after_tag(lex)
            }
            Byte(byte) => self.value_byte(lex, byte),
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Handles a byte of a value that may need more than to be copied: a reference, a newline, or U+0000. Returns the
    /// next state.
    #[inline(always)]
    fn value_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b'&' => return self.reference_from(self.state, lex),
            b'\r' => lex.aside(|lex| self.carriage_return(lex)),
            0 => lex.aside(|lex| self.null(lex)),
            _ => {}
        }
        self.state
    }
}
