//! Tags: the tag open, close tag, tag name and void tag states, and what runs after a tag.

use crate::event::record::{Piece, Queue, SELF_CLOSING};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::limits::Limit;
use crate::sky::errors;
use crate::sky::machine::{Cursor, NAME, SkyMachine};
use crate::sky::state::State;

impl SkyMachine {
    /// Tag open state
    #[inline(always)]
    pub(in crate::sky) fn tag_open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'!') => State::CommentStart1,
            Byte(b'/') => State::CloseTag,
            Byte(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'_' | b'.') => {
                self.is_end_tag = false;
                self.start_tag(input, out)
            }
            Byte(byte) => {
                let start = self.token;
                out.report(input, errors::INVALID_TAG_START, start, start + 1);
                self.emit_as_text();
                self.data_byte(input, out, byte)
            }
            Eof => {
                self.error_at_end(input, out, errors::EOF_IN_TAG);
                self.emit_as_text();
                self.end_of_file(input, out)
            }
        })
    }

    /// Close tag state
    #[inline(always)]
    pub(in crate::sky) fn close_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                self.flush_text(input, out, self.token);
                self.emit_automatic_end_tag(input, out);
                self.start_text(input);
                State::Data
            }
            Byte(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'_' | b'.') => {
                self.is_end_tag = true;
                self.start_tag(input, out)
            }
            Byte(byte) => {
                let start = self.token;
                out.report(input, errors::INVALID_TAG_START, start, start + 2);
                self.emit_as_text();
                self.data_byte(input, out, byte)
            }
            Eof => {
                self.error_at_end(input, out, errors::EOF_IN_TAG);
                self.emit_as_text();
                self.end_of_file(input, out)
            }
        })
    }

    /// The first character of a tag's name was taken: a tag token is created.
    #[inline(always)]
    fn start_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.name = input.mark() - 1;
        self.name_null = false;
        self.flush_text(input, out, self.token);
        State::TagName
    }

    /// Tag name state
    #[inline(always)]
    pub(in crate::sky) fn tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'>') => {
                self.end_name(input, out);
                self.after_tag(input, out)
            }
            Byte(b' ' | b'\n' | b'\r') => {
                self.end_name(input, out);
                State::BeforeAttributeName
            }
            Byte(b'/') => {
                self.end_name(input, out);
                State::VoidTag
            }
            Byte(0) => {
                self.name_null = true;
                self.error_here(input, out, errors::NULL_CHARACTER);
                State::TagName
            }
            Byte(_) => State::TagName,
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// The tag's name has ended before the byte taken last.
    #[inline(always)]
    fn end_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        self.name_end = input.mark() - 1;
        if (self.name_end - self.name) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, self.name, self.name_end);
        }
    }

    /// The end of the input in a tag: that is dropped.
    #[cold]
    pub(in crate::sky) fn eof_in_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.error_at_end(input, out, errors::EOF_IN_TAG);
        out.attributes.truncate(out.open as usize);
        self.value = Piece::NONE;
        self.end_of_file(input, out)
    }

    /// Void tag state
    pub(in crate::sky) fn void_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.after_void_tag(input, out),
            Byte(byte) => {
                let slash = input.mark() - 2;
                out.report(input, errors::MISPLACED_SLASH, slash, slash + 1);
                match byte {
                    b'/' => State::VoidTag,
                    b' ' | b'\n' | b'\r' => State::BeforeAttributeName,
                    _ => self.start_attribute(input, out, byte),
                }
            }
            Eof => self.eof_in_tag(input, out),
        })
    }

    /// After tag state
    #[inline(always)]
    pub(in crate::sky) fn after_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        if self.is_end_tag {
            self.emit_end_tag(input, out);
            self.start_text(input);
            return State::Data;
        }
        self.emit_start_tag(input, out, 0)
    }

    /// After void tag state
    fn after_void_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        if self.is_end_tag {
            self.emit_end_tag(input, out);
            self.start_text(input);
            return State::Data;
        }
        self.emit_start_tag(input, out, SELF_CLOSING)
    }
}
