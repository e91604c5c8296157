//! States in tags, except for their attributes: names of start tags and end tags, and `/>`.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{Lexer, NAME, NOT_SPACE, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::event::record::{INCOMPLETE, SELF_CLOSING};
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::text::xml_names;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl XmlMachine {
    /// Implements the *tag state*: reads the first byte after `<`.
    pub(in crate::dialects::xml) fn tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => {
                if self.dialect.options.is_strict() {
                    // In a strict parse, a `</` that does not start an end tag ends the parse. The text before it is
                    // delivered first.
                    self.end_text_before(lex, self.token);
                }
                State::EndTag
            }
            Byte(b'?') => {
                self.end_text_before(lex, self.token);
                State::Pi
            }
            Byte(b'!') => State::MarkupDeclaration,
            Byte(b'a'..=b'z' | b'A'..=b'Z' | b'_') => self.start_tag(lex),
            Byte(byte) => self.odd_tag(lex, byte),
            Eof => {
                self.error_at_end(lex, errors::INVALID_TAG_START);
                self.emit_as_text()
            }
        })
    }

    /// Starts the name of a tag, whose first byte was just consumed, and emits the text before the tag.
    #[inline(always)]
    fn start_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        self.name = lex.mark() - 1;
        self.dialect.tag.has_colon = false;
        self.dialect.name_reported = false;
        self.flush_text(lex, self.token);
        State::TagName
    }

    /// Implements the *tag state* and the *end tag state* for bytes other than ASCII letters and `_`: `<` or `</` is
    /// text, or the name starts with another character.
    #[cold]
    #[inline(never)]
    fn odd_tag(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b'\t' | b'\n' | b'\r' | b' ' | b'<' | b'>' => {
                lex.back();
                self.error_next(lex, errors::INVALID_TAG_START);
                self.emit_as_text()
            }
            b':' if self.dialect.options.has_namespaces() => {
                lex.back();
                self.error_next(lex, errors::INVALID_QUALIFIED_NAME);
                self.emit_as_text()
            }
            _ => {
                let (character, mark, _) = lex.character(byte);
                self.start_tag(lex);
                self.name = mark;
                if !xml_names::is_name_start_char(character) {
                    self.error(
                        lex,
                        errors::INVALID_NAME,
                        mark,
                        mark + character.len_utf8() as u32,
                    );
                    self.dialect.name_reported = true;
                }
                State::TagName
            }
        }
    }

    /// Checks a character of a name, and reports the first illegal character in the name. The first byte of the
    /// character was just consumed. `start` is true for the first character of the name.
    #[cold]
    #[inline(never)]
    pub(in crate::dialects::xml) fn name_character(
        &mut self,
        lex: &mut Lexer<'_>,
        byte: u8,
        start: bool,
    ) {
        let (character, mark, _) = lex.character(byte);
        let legal = match start {
            true => xml_names::is_name_start_char(character),
            false => xml_names::is_name_char(character),
        };
        if !legal && !self.dialect.name_reported {
            self.dialect.name_reported = true;
            let end = lex.mark();
            self.error(lex, errors::INVALID_NAME, mark, end);
        }
    }

    /// Ends the name of the current tag at offset `end`, and checks its length against the limit.
    #[inline(always)]
    fn end_name(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.name_end = end;
        self.dialect.tag.is_odd = self.dialect.name_reported;
        if (end - self.name) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, self.name, end);
        }
    }

    /// Implements the *tag name state*: reads the name of a start tag.
    pub(in crate::dialects::xml) fn tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_name(lex, lex.mark() - 1);
                State::TagAttributeNameBefore
            }
            Byte(b'>') => {
                self.end_name(lex, lex.mark() - 1);
                self.emit_start_tag(lex, 0)
            }
            Byte(b'/') => {
                self.end_name(lex, lex.mark() - 1);
                State::EmptyTag
            }
            Byte(b':') => {
                self.dialect.tag.has_colon = true;
                State::TagName
            }
            Byte(byte) => {
                self.name_character(lex, byte, false);
                State::TagName
            }
            Eof => {
                self.end_name(lex, lex.mark());
                self.error_at_end(lex, errors::EOF_IN_TAG);
                self.emit_start_tag(lex, INCOMPLETE)
            }
        })
    }

    /// Implements the *empty tag state*: reads the unit after a `/`. Only `>` is allowed there.
    pub(in crate::dialects::xml) fn empty_tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_start_tag(lex, SELF_CLOSING),
            Byte(_) => {
                let slash = lex.mark() - 2;
                lex.back();
                self.error(lex, errors::MISPLACED_SLASH, slash, slash + 1);
                State::TagAttributeNameBefore
            }
            Eof => {
                let slash = lex.mark() - 1;
                self.error(lex, errors::MISPLACED_SLASH, slash, slash + 1);
                State::TagAttributeNameBefore
            }
        })
    }

    /// Implements the *end tag state*: reads the first unit after `</`.
    pub(in crate::dialects::xml) fn end_tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
                self.start_tag(lex);
                State::EndTagName
            }
            Byte(byte) => self.odd_end_tag(lex, byte),
            Eof => {
                self.error_at_end(lex, errors::INVALID_TAG_START);
                self.emit_as_text()
            }
        })
    }

    /// Implements the *end tag state* for bytes other than ASCII letters and `_`.
    #[cold]
    #[inline(never)]
    fn odd_end_tag(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b'>' => {
                self.end_text_before(lex, self.token);
                self.emit_short_end_tag(lex)
            }
            _ => match self.odd_tag(lex, byte) {
                State::TagName => State::EndTagName,
                state => state,
            },
        }
    }

    /// Implements the *end tag name state*: reads the name of an end tag.
    pub(in crate::dialects::xml) fn end_tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_name(lex, lex.mark() - 1);
                State::EndTagNameAfter
            }
            Byte(b'>') => {
                self.end_name(lex, lex.mark() - 1);
                self.emit_end_tag(lex)
            }
            Byte(b':') => {
                self.dialect.tag.has_colon = true;
                State::EndTagName
            }
            Byte(byte) => {
                self.name_character(lex, byte, false);
                State::EndTagName
            }
            Eof => {
                self.end_name(lex, lex.mark());
                self.error_at_end(lex, errors::EOF_IN_TAG);
                lex.incomplete(|lex| self.emit_end_tag(lex))
            }
        })
    }

    /// Implements the *end tag name after state*: skips everything up to `>`, and reports anything but whitespace.
    pub(in crate::dialects::xml) fn end_tag_name_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'>') => self.emit_end_tag(lex),
            Byte(_) => {
                if !self.dialect.name_reported {
                    self.dialect.name_reported = true;
                    self.error_here(lex, errors::INVALID_END_TAG);
                }
                State::EndTagNameAfter
            }
            Eof => {
                self.error_at_end(lex, errors::EOF_IN_TAG);
                lex.incomplete(|lex| self.emit_end_tag(lex))
            }
        })
    }

    /// Returns the state for the content after a tag that was emitted.
    #[inline(always)]
    pub(in crate::dialects::xml) fn after_tag(&mut self, lex: &Lexer<'_>) -> State {
        self.token = BufferOffset::NONE;
        self.content(lex)
    }
}
