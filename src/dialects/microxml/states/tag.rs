//! TagMode (in an open start tag), and the actions that tags share: names and attributes.

use crate::dialects::microxml::classes::NAME;
use crate::dialects::microxml::errors;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Next, State};
use crate::engine::error::ErrorCode;
use crate::engine::event::record::{Attr, INCOMPLETE, SELF_CLOSING};
use crate::engine::event::referred::Referred;
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::text::microxml_names::{is_name_start_byte, is_strict_char};
use crate::engine::text::xml_names;
use crate::engine::tokenizer::Unit::{Byte, Eof};
use alloc::string::String;

impl MicroXmlMachine {
    /// Ends the name of the current tag before the byte consumed last, and checks its length against the limit.
    #[inline(always)]
    pub(super) fn end_name(&mut self, lex: &mut Lexer<'_>) {
        self.name_end = lex.mark() - 1;
        if (self.name_end - self.name) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, self.name, self.name_end);
        }
    }

    /// In strict parses: checks that the name of the tag is valid.
    #[inline(always)]
    pub(in crate::dialects::microxml) fn check_tag_name(&mut self, lex: &mut Lexer<'_>) {
        let (from, to) = (self.name, self.name_end);
        if self.dialect.strict && !is_plain_name(lex, from, to) {
            lex.aside(|lex| self.check_name(lex, from, to, None));
        }
    }

    /// Checks the name in `from..to`, in strict parses. `reserved` is a name that is not allowed, with its error.
    #[cold]
    #[inline(never)]
    fn check_name(
        &mut self,
        lex: &mut Lexer<'_>,
        from: BufferOffset,
        to: BufferOffset,
        reserved: Option<(&str, ErrorCode)>,
    ) {
        let (first, second) = lex.pieces(from, to);
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
        // XML also allows colons and noncharacters in names.
        let is_good = |character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '.' => true,
            ':' => false,
            _ => is_strict_char(character) && xml_names::is_name_char(character),
        };
        if !begins || !name.chars().all(is_good) {
            self.refuse(lex, errors::INVALID_NAME, from, to);
        } else if let Some((reserved, code)) = reserved
            && name == reserved
        {
            self.refuse(lex, code, from, to);
        }
    }

    /// Starts the current attribute, whose name and `=` were just consumed: checks the name and the limits, and
    /// whether the tag has an attribute of this name. The value is empty, at this position, if nothing follows.
    #[inline(always)]
    pub(in crate::dialects::microxml) fn start_attribute(&mut self, lex: &mut Lexer<'_>) {
        let (name, end) = (self.attribute.name, self.attribute.name_end);
        self.attribute = Attr {
            name,
            name_end: end,
            raw: lex.mark(),
            raw_end: lex.mark(),
            ..Attr::EMPTY
        };
        if self.dialect.strict && (end - name == 5 || !is_plain_name(lex, name, end)) {
            let reserved = Some(("xmlns", errors::RESERVED_ATTRIBUTE));
            lex.aside(|lex| self.check_name(lex, name, end, reserved));
        }
        self.dropped = false;
        if let Some(limit) = self.attribute_limit(lex, end) {
            self.exceed(lex, limit, name, end);
        } else if lex.has_attribute(&mut self.names, &self.attribute) {
            self.dropped = true;
            lex.mark_duplicates();
            lex.aside(|lex| {
                let first = lex.first_attribute(&self.names, &self.attribute, false);
                let first = first.map(Referred::first_attribute);
                self.repair_about(lex, errors::DUPLICATE_ATTRIBUTE, (name, end), first);
            });
        }
    }

    /// Implements the *TagMode*: reads the first byte of the next attribute, or the end of the tag.
    #[inline(always)]
    pub(super) fn tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.until_no_space(lex)? {
            Byte(b'>') => {
                let end = lex.mark();
                self.emit_start_tag(lex, 0, end);
                State::Main
            }
            Byte(b'/') => State::TagSlash,
            Byte(b'\r') => State::Tag,
            Byte(byte) if is_name_start_byte(byte) => {
                self.attribute.name = lex.mark() - 1;
                if self.dialect.strict {
                    self.check_space(lex);
                }
                if let Some(state) = self.more_plain_attributes(lex) {
                    return Some(state);
                }
                if self.dialect.is_final {
                    self.start_context(true);
                    return Some(self.provisional_name(lex));
                }
                State::TagName
            }
            Byte(byte) => {
                let data = lex.mark() - 1;
                self.unfinished_tag(lex, data);
                self.tag_data(lex, byte)
            }
            Eof => {
                let end = lex.mark();
                self.unfinished_tag(lex, end);
                self.end_of_file(lex)
            }
        })
    }

    /// In strict parses: checks that there is whitespace before the name whose first byte was just consumed.
    #[inline(always)]
    fn check_space(&mut self, lex: &mut Lexer<'_>) {
        let name = lex.mark() - 1;
        let before = lex.byte(name - 1);
        if !matches!(before, b' ' | b'\t' | b'\n' | b'\r') {
            self.refuse(lex, errors::MISSING_WHITE_SPACE, name, name);
        }
    }

    /// Ends the start tag at offset `end`, before its `>`. Text begins there.
    #[cold]
    pub(super) fn unfinished_tag(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.repair(lex, errors::UNFINISHED_TAG, end, end);
        self.emit_start_tag(lex, INCOMPLETE, end);
    }

    /// Handles `byte`, which was just consumed and has ended the start tag, as text. In the first revision this
    /// includes `<` and `&`.
    fn tag_data(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b'<' | b'&' if !self.dialect.is_final => {
                let start = lex.mark() - 1;
                self.solid(lex, start);
                State::Main
            }
            _ => self.main_byte(lex, byte),
        }
    }

    /// Reads the unit after a `/` in an open tag.
    pub(super) fn tag_slash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                let end = lex.mark();
                self.emit_start_tag(lex, SELF_CLOSING, end);
                State::Main
            }
            Byte(byte) => {
                let slash = lex.mark() - 2;
                self.unfinished_tag(lex, slash);
                self.solid(lex, slash);
                self.main_byte(lex, byte)
            }
            Eof => {
                let slash = lex.mark() - 1;
                self.unfinished_tag(lex, slash);
                self.solid(lex, slash);
                self.end_of_file(lex)
            }
        })
    }

    /// Reads the name of what may be an attribute, in an open tag.
    #[inline(always)]
    pub(super) fn tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'=') => {
                self.attribute.name_end = lex.mark() - 1;
                self.start_attribute(lex);
                State::StartAttributeValue
            }
            Byte(byte @ (b' ' | b'\t' | b'\n' | b'\r' | 0xC)) => {
                self.attribute.name_end = lex.mark() - 1;
                self.space_after_name(lex, byte);
                State::TagNameSpace
            }
            Byte(byte) => self.no_attribute(lex, byte),
            Eof => self.no_attribute_at_end(lex),
        })
    }

    /// Reads whitespace between the name of what may be an attribute and its `=`.
    pub(super) fn tag_name_space(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.until_no_space(lex)? {
            Byte(b'\r') => {
                self.note_carriage(lex);
                State::TagNameSpace
            }
            Byte(b'=') => {
                self.dialect.carriage = BufferOffset::NONE;
                self.start_attribute(lex);
                State::StartAttributeValue
            }
            Byte(byte) => self.no_attribute(lex, byte),
            Eof => self.no_attribute_at_end(lex),
        })
    }

    /// Handles a name in an open tag that is not an attribute, before `byte`, which was consumed last: the tag ends
    /// before the name, which is text.
    pub(super) fn no_attribute(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let end = lex.mark() - 1;
        self.no_attribute_until(lex, end);
        self.main_byte(lex, byte)
    }

    /// Handles a name in an open tag that is not an attribute, at the end of the input.
    pub(super) fn no_attribute_at_end(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.no_attribute_until(lex, end);
        self.end_of_file(lex)
    }

    /// Ends the tag before the current name, and turns the name, up to offset `end`, into text.
    #[cold]
    fn no_attribute_until(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        let name = self.attribute.name;
        self.unfinished_tag(lex, name);
        self.solid(lex, name);
        self.normalise(lex, end);
        debug_assert!(self.token.is_none(), "a tag that is closed is no token");
    }
}

/// Returns true if the name in `from..to` is certainly valid in strict parses: it is ASCII and contiguous in memory.
#[inline(always)]
fn is_plain_name(lex: &Lexer<'_>, from: BufferOffset, to: BufferOffset) -> bool {
    let ("", name) = lex.pieces(from, to) else {
        return false;
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let mut bytes = name.bytes();
    let begins = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    begins && bytes.all(plain)
}
