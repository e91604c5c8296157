//! Tags: the tag open, end tag open, tag name and self-closing start tag states.

use crate::event::record::{Queue, SELF_CLOSING};
use crate::html::errors;
use crate::html::machine::{Cursor, HtmlMachine, NAME};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};
use crate::limits::Limit;

impl HtmlMachine {
    /// Tag open state
    pub(in crate::html) fn tag_open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'/') => State::EndTagOpen,
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.is_end_tag = false;
                self.start_tag_name(input, out, byte)
            }
            Byte(b'!') => {
                self.settle_cdata(input, out);
                State::MarkupDeclarationOpen
            }
            Byte(b'?') if self.options.processing_instructions => {
                self.flush_text(input, out, self.token);
                State::ProcessingInstructionOpen
            }
            unit @ Byte(b'?') => {
                let state = self.start_bogus_comment(input, out, input.mark() - 1);
                let code = errors::UNEXPECTED_QUESTION_MARK_INSTEAD_OF_TAG_NAME;
                self.error_at(input, out, code, unit);
                state
            }
            Eof => self.eof_before_tag_name(input, out),
            unit @ Byte(_) => {
                let code = errors::INVALID_FIRST_CHARACTER_OF_TAG_NAME;
                self.error_at(input, out, code, unit);
                self.text_again(input, out, unit, State::Data)
            }
        })
    }

    /// End tag open state
    pub(in crate::html) fn end_tag_open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.is_end_tag = true;
                self.start_tag_name(input, out, byte)
            }
            unit @ Byte(b'>') => {
                self.text.skip(*input, out, self.token, input.mark());
                self.error_at(input, out, errors::MISSING_END_TAG_NAME, unit);
                self.emit_as_text(State::Data)
            }
            Eof => self.eof_before_tag_name(input, out),
            unit @ Byte(_) => {
                let state = self.start_bogus_comment(input, out, input.mark() - 1);
                let code = errors::INVALID_FIRST_CHARACTER_OF_TAG_NAME;
                self.error_at(input, out, code, unit);
                self.again(input, out, unit, state)
            }
        })
    }

    /// `<` or `</` and the end of the input: text.
    fn eof_before_tag_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.emit_as_text(State::Data);
        self.end_in(input, out, errors::EOF_BEFORE_TAG_NAME)
    }

    /// The first letter of a tag's name was taken: text ends before the tag.
    #[inline(always)]
    fn start_tag_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        self.start_name(input.mark() - 1, byte);
        self.flush_text(input, out, self.token);
        State::TagName
    }

    /// The name of a tag begins at a mark, with this letter.
    #[inline(always)]
    pub(in crate::html) fn start_name(&mut self, mark: u32, byte: u8) {
        self.name = mark;
        self.odd_name = byte.is_ascii_uppercase();
    }

    /// The name of the tag ends at the mark `end`.
    #[inline(always)]
    fn end_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) {
        self.name_end = end;
        if (end - self.name) as usize > self.limits.name {
            *input = self.exceed(*input, out, Limit::Name, self.name, end);
        }
    }

    /// Tag name state
    pub(in crate::html) fn tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => {
                self.end_name(input, out, input.mark() - 1);
                State::BeforeAttributeName
            }
            Byte(b'/') => {
                self.end_name(input, out, input.mark() - 1);
                State::SelfClosingStartTag
            }
            Byte(b'>') => {
                self.end_name(input, out, input.mark() - 1);
                self.emit_tag(input, out, 0)
            }
            unit @ Byte(0) => {
                self.odd_name = true;
                self.error_at(input, out, errors::UNEXPECTED_NULL_CHARACTER, unit);
                State::TagName
            }
            Byte(byte) => {
                self.odd_name |= byte.is_ascii_uppercase();
                State::TagName
            }
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// Self-closing start tag state
    pub(in crate::html) fn self_closing_start_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.emit_tag(input, out, SELF_CLOSING),
            Eof => self.eof_in_tag(input, out),
            unit @ Byte(_) => {
                self.error_at(input, out, errors::UNEXPECTED_SOLIDUS_IN_TAG, unit);
                self.again(input, out, unit, State::BeforeAttributeName)
            }
        })
    }

    /// The end of the input in a tag, which is dropped.
    pub(in crate::html) fn eof_in_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        out.attributes.truncate(out.open as usize);
        self.end_in(input, out, errors::EOF_IN_TAG)
    }

    /// What an end tag has beside a name is an error.
    #[cold]
    #[inline(never)]
    pub(in crate::html) fn check_end_tag<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        flags: u8,
        unit: Unit,
    ) -> Cursor<'w> {
        if out.attributes.len() > out.open as usize {
            out.attributes.truncate(out.open as usize);
            self.error_at(&mut input, out, errors::END_TAG_WITH_ATTRIBUTES, unit);
        }
        if flags & SELF_CLOSING != 0 {
            self.error_at(&mut input, out, errors::END_TAG_WITH_TRAILING_SOLIDUS, unit);
        }
        input
    }
}
