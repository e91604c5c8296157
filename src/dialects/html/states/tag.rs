//! The states of tags, except for attributes: tag open, end tag open, tag name and self-closing start tag.

use crate::dialects::html::errors;
use crate::dialects::html::machine::{HtmlMachine, Lexer, NAME, reconsume};
use crate::dialects::html::state::{Next, State};
use crate::engine::event::queue::SplitAt;
use crate::engine::event::record::SELF_CLOSING;
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::tokenizer::Unit::{self, Byte, Eof};

impl HtmlMachine {
    /// Implements the *tag open state*: after `<`.
    pub(super) fn tag_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => State::EndTagOpen,
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.dialect.is_end_tag = false;
                self.start_tag_name(lex, byte)
            }
            Byte(b'!') => {
                self.settle_cdata(lex);
                State::MarkupDeclarationOpen
            }
            Byte(b'?') if self.dialect.options.processing_instructions => {
                self.flush_text(lex, self.token);
                State::ProcessingInstructionOpen
            }
            unit @ Byte(b'?') => {
                let state = self.start_bogus_comment(lex, lex.mark() - 1);
                let code = errors::UNEXPECTED_QUESTION_MARK_INSTEAD_OF_TAG_NAME;
                self.error_at(lex, code, unit);
                state
            }
            Eof => self.eof_before_tag_name(lex),
            unit @ Byte(_) => {
                let code = errors::INVALID_FIRST_CHARACTER_OF_TAG_NAME;
                self.split_before_error(lex, lex.mark() - 1);
                self.error_at(lex, code, unit);
                self.text_again(lex, unit, State::Data)
            }
        })
    }

    /// Implements the *end tag open state*: after `</`.
    pub(super) fn end_tag_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.dialect.is_end_tag = true;
                self.start_tag_name(lex, byte)
            }
            unit @ Byte(b'>') => {
                let (start, end) = (self.token, lex.mark());
                if !self.split_text(lex, SplitAt::Markup, (start, end), 0) {
                    lex.skip_in(&mut self.text, start, end);
                }
                self.error_at(lex, errors::MISSING_END_TAG_NAME, unit);
                self.emit_as_text(State::Data)
            }
            Eof => self.eof_before_tag_name(lex),
            unit @ Byte(_) => {
                let state = self.start_bogus_comment(lex, lex.mark() - 1);
                let code = errors::INVALID_FIRST_CHARACTER_OF_TAG_NAME;
                self.error_at(lex, code, unit);
                reconsume(lex, unit, state)
            }
        })
    }

    /// Handles the end of the input after `<` or `</`, which are text then.
    fn eof_before_tag_name(&mut self, lex: &mut Lexer<'_>) -> State {
        self.emit_as_text(State::Data);
        self.end_in(lex, errors::EOF_BEFORE_TAG_NAME)
    }

    /// Starts the name of a tag, whose first letter was just consumed. Ends the run of text before the tag.
    #[inline(always)]
    fn start_tag_name(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        self.start_name(lex.mark() - 1, byte);
        self.flush_text(lex, self.token);
        State::TagName
    }

    /// Starts a name at the offset `mark`. `byte` is its first letter.
    #[inline(always)]
    pub(super) fn start_name(&mut self, mark: BufferOffset, byte: u8) {
        self.name = mark;
        self.dialect.odd_name = byte.is_ascii_uppercase();
    }

    /// Ends the name of the current tag at the offset `end`, and checks its length against the limit.
    #[inline(always)]
    fn end_name(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.name_end = end;
        if (end - self.name) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, self.name, end);
        }
    }

    /// Implements the *tag name state*: in the name of a tag.
    pub(super) fn tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => {
                self.end_name(lex, lex.mark() - 1);
                State::BeforeAttributeName
            }
            Byte(b'/') => {
                self.end_name(lex, lex.mark() - 1);
                State::SelfClosingStartTag
            }
            Byte(b'>') => {
                self.end_name(lex, lex.mark() - 1);
                self.emit_tag(lex, 0)
            }
            unit @ Byte(0) => {
                self.dialect.odd_name = true;
                self.error_at(lex, errors::UNEXPECTED_NULL_CHARACTER, unit);
                State::TagName
            }
            Byte(byte) => {
                self.dialect.odd_name |= byte.is_ascii_uppercase();
                State::TagName
            }
            Eof => self.eof_in_tag(lex),
        })
    }

    /// Implements the *self-closing start tag state*: after a `/` in a tag.
    pub(super) fn self_closing_start_tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_tag(lex, SELF_CLOSING),
            Eof => self.eof_in_tag(lex),
            unit @ Byte(_) => {
                self.error_at(lex, errors::UNEXPECTED_SOLIDUS_IN_TAG, unit);
                reconsume(lex, unit, State::BeforeAttributeName)
            }
        })
    }

    /// Handles the end of the input in a tag: drops the tag, and reports the parse error `eof-in-tag`.
    pub(super) fn eof_in_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        lex.out.attributes.truncate(lex.out.open as usize);
        self.end_in(lex, errors::EOF_IN_TAG)
    }

    /// Reports attributes and a `/` in an end tag. The attributes are dropped.
    #[cold]
    #[inline(never)]
    pub(in crate::dialects::html) fn check_end_tag(
        &mut self,
        lex: &mut Lexer<'_>,
        flags: u8,
        unit: Unit,
    ) {
        if lex.out.attributes.len() > lex.out.open as usize {
            lex.out.attributes.truncate(lex.out.open as usize);
            self.error_at(lex, errors::END_TAG_WITH_ATTRIBUTES, unit);
        }
        if flags & SELF_CLOSING != 0 {
            self.error_at(lex, errors::END_TAG_WITH_TRAILING_SOLIDUS, unit);
        }
    }
}
