//! States in tags, except for their attributes.

use super::name::is_wide_break;
use crate::dialects::leafxml::errors;
use crate::dialects::leafxml::machine::{LeafXmlMachine, Lexer, NAME, NOT_SPACE};
use crate::dialects::leafxml::normal::Normality;
use crate::dialects::leafxml::state::{Next, State, TagName};
use crate::engine::event::record::SELF_CLOSING;
use crate::engine::text::leafxml_names::is_name_start_char;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl LeafXmlMachine {
    /// Starts a start tag or an empty tag, with the first byte of its name, `byte`, which was just consumed. Emits
    /// the text before the tag.
    pub(super) fn start_tag(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        // The whole character is consumed before a record is pushed, because a full batch truncates the window.
        let state = self.begin_name(lex, byte, State::TagName);
        self.flush_text(lex, self.token);
        state
    }

    /// Starts the name of a tag with `byte`, which was just consumed. Returns `then`, the state that continues.
    fn begin_name(&mut self, lex: &mut Lexer<'_>, byte: u8, then: State) -> State {
        let start = lex.mark() - 1;
        self.dialect.name = TagName::at(start);
        self.dialect.tag_normal = Normality::at(start);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {}
            b':' => self.dialect.name.colon = true,
            _ => _ = lex.aside(|lex| self.name_start(lex, byte)),
        }
        then
    }

    /// Reads the name of a start tag or an empty tag.
    pub(super) fn tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_name(lex, lex.mark() - 1);
                State::AttributeBefore
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
                self.dialect.name.colon = true;
                State::TagName
            }
            Byte(byte) => {
                let ended = lex.aside(|lex| self.name_character(lex, byte));
                match ended {
                    Some(end) => {
                        self.end_name(lex, end);
                        State::AttributeBefore
                    }
                    None => State::TagName,
                }
            }
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }

    /// Reads the unit after the `/` of an empty tag, which must be `>`.
    pub(super) fn empty_tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_start_tag(lex, SELF_CLOSING),
            Byte(byte) => self.fail_here(lex, byte, errors::MISPLACED_SLASH),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }

    /// Reads the first byte of an end tag's name.
    pub(super) fn end_tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) => self.begin_name(lex, byte, State::EndTagName),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }

    /// Reads the name of an end tag.
    pub(super) fn end_tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_name(lex, lex.mark() - 1);
                State::EndTagNameAfter
            }
            Byte(b'>') => {
                self.end_name(lex, lex.mark() - 1);
                self.emit_end_tag(lex)
            }
            Byte(byte @ b'/') => self.fail_here(lex, byte, errors::SLASH_AT_BOTH_ENDS),
            Byte(b':') => {
                self.dialect.name.colon = true;
                State::EndTagName
            }
            Byte(byte) => {
                let ended = lex.aside(|lex| self.name_character(lex, byte));
                match ended {
                    Some(end) => {
                        self.end_name(lex, end);
                        State::EndTagNameAfter
                    }
                    None => State::EndTagName,
                }
            }
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }

    /// Reads whitespace after the name of an end tag, up to its `>`.
    pub(super) fn end_tag_name_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'>') => self.emit_end_tag(lex),
            Byte(byte @ b'/') => self.fail_here(lex, byte, errors::SLASH_AT_BOTH_ENDS),
            Byte(byte) => {
                let mark = lex.mark();
                let (character, from, to) = lex.character(byte);
                if is_wide_break(character) {
                    State::EndTagNameAfter
                } else if is_name_start_char(character) {
                    self.fail(lex, errors::ATTRIBUTE_ON_END_TAG, from, to)
                } else {
                    lex.back_to(mark);
                    self.fail_here(lex, byte, errors::INVALID_NAME_START)
                }
            }
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }
}
