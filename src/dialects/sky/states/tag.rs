//! States in tags, except for their attributes, and the states after a tag.

use crate::dialects::sky::errors;
use crate::dialects::sky::machine::{Lexer, NAME, SkyMachine};
use crate::dialects::sky::state::{Next, State};
use crate::engine::event::record::SELF_CLOSING;
use crate::engine::limits::Limit;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{Byte, Eof},
};

impl SkyMachine {
    /// Implements the *tag open state*: reads the unit after `<`.
    #[inline(always)]
    pub(super) fn tag_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'!') => State::CommentStart1,
            Byte(b'/') => State::CloseTag,
            Byte(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'_' | b'.') => {
                self.dialect.is_end_tag = false;
                self.start_tag(lex)
            }
            Byte(byte) => {
                let start = self.token;
                lex.report(errors::INVALID_TAG_START, start, start + 1);
                self.emit_as_text();
                self.data_byte(lex, byte)
            }
            Eof => {
                self.error_at_end(lex, errors::EOF_IN_TAG);
                self.emit_as_text();
                self.end_of_file(lex)
            }
        })
    }

    /// Implements the *close tag state*: reads the unit after `</`.
    #[inline(always)]
    pub(super) fn close_tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                self.flush_text(lex, self.token);
                self.emit_automatic_end_tag(lex);
                self.start_text(lex);
                State::Data
            }
            Byte(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'_' | b'.') => {
                self.dialect.is_end_tag = true;
                self.start_tag(lex)
            }
            Byte(byte) => {
                let start = self.token;
                lex.report(errors::INVALID_TAG_START, start, start + 2);
                self.emit_as_text();
                self.data_byte(lex, byte)
            }
            Eof => {
                self.error_at_end(lex, errors::EOF_IN_TAG);
                self.emit_as_text();
                self.end_of_file(lex)
            }
        })
    }

    /// Creates a tag token, whose first character was just consumed, and emits the text before it.
    #[inline(always)]
    fn start_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        self.name = lex.mark() - 1;
        self.dialect.name_null = false;
        self.flush_text(lex, self.token);
        State::TagName
    }

    /// Implements the *tag name state*: reads the name of a tag.
    #[inline(always)]
    pub(super) fn tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'>') => {
                self.end_name(lex);
                self.after_tag(lex)
            }
            Byte(b' ' | b'\n' | b'\r') => {
                self.end_name(lex);
                State::BeforeAttributeName
            }
            Byte(b'/') => {
                self.end_name(lex);
                State::VoidTag
            }
            Byte(0) => {
                self.dialect.name_null = true;
                self.error_here(lex, errors::NULL_CHARACTER);
                State::TagName
            }
            Byte(_) => State::TagName,
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Ends the name of the tag before the byte consumed last, and checks its length against the limit.
    #[inline(always)]
    fn end_name(&mut self, lex: &mut Lexer<'_>) {
        self.name_end = lex.mark() - 1;
        if (self.name_end - self.name) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, self.name, self.name_end);
        }
    }

    /// Handles the end of the input in a tag, which is dropped.
    #[cold]
    pub(super) fn eof_in_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        self.error_at_end(lex, errors::EOF_IN_TAG);
        lex.out.attributes.truncate(lex.out.open as usize);
        self.value = TextBuffer::NONE;
        self.end_of_file(lex)
    }

    /// Implements the *void tag state*: reads the unit after a `/` in a tag.
    pub(super) fn void_tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.after_void_tag(lex),
            Byte(byte) => {
                let slash = lex.mark() - 2;
                lex.report(errors::MISPLACED_SLASH, slash, slash + 1);
                match byte {
                    b'/' => State::VoidTag,
                    b' ' | b'\n' | b'\r' => State::BeforeAttributeName,
                    _ => self.start_attribute(lex, byte),
                }
            }
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Implements the *after tag state*: emits the tag. Returns the next state.
    #[inline(always)]
    pub(super) fn after_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        if self.dialect.is_end_tag {
            self.emit_end_tag(lex);
            self.start_text(lex);
            return State::Data;
        }
        self.emit_start_tag(lex, 0)
    }

    /// Implements the *after void tag state*: emits a tag that ends with `/>`. Returns the next state.
    fn after_void_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        if self.dialect.is_end_tag {
            self.emit_end_tag(lex);
            self.start_text(lex);
            return State::Data;
        }
        self.emit_start_tag(lex, SELF_CLOSING)
    }
}
