//! Tags: the tag states, the end tag states, the tag name and the empty tag state.

use crate::event::record::{NONE, Queue, SELF_CLOSING};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::limits::Limit;
use crate::text::xml_names;
use crate::xml::errors;
use crate::xml::machine::{Cursor, NAME, NOT_SPACE, XmlMachine};
use crate::xml::state::State;

impl XmlMachine {
    /// Tag state
    pub(in crate::xml) fn tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> Option<State> {
        Some(match input.next()? {
            Byte(b'/') => {
                if self.options.is_strict() {
                    // What is no end tag is an error here, not text.
                    self.flush_text(input, out, self.token);
                }
                State::EndTag
            }
            Byte(b'?') => {
                self.flush_text(input, out, self.token);
                State::Pi
            }
            Byte(b'!') => State::MarkupDeclaration,
            Byte(b'a'..=b'z' | b'A'..=b'Z' | b'_') => self.start_tag(input, out),
            Byte(byte) => {
                let (state, after) = self.odd_tag(*input, out, byte);
                *input = after;
                state
            }
            Eof => {
                self.error_at_end(input, out, errors::INVALID_TAG_START);
                self.emit_as_text()
            }
        })
    }

    /// The first character of a tag's name was taken.
    #[inline(always)]
    fn start_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.name = input.mark() - 1;
        self.colon = false;
        self.name_reported = false;
        self.flush_text(input, out, self.token);
        State::TagName
    }

    /// The tag state, where no letter follows.
    #[cold]
    #[inline(never)]
    fn odd_tag<'w>(
        &mut self,
        mut cursor: Cursor<'w>,
        out: &mut Queue,
        byte: u8,
    ) -> (State, Cursor<'w>) {
        let input = &mut cursor;
        let state = match byte {
            b'\t' | b'\n' | b'\r' | b' ' | b'<' | b'>' => {
                input.back();
                self.error_next(input, out, errors::INVALID_TAG_START);
                self.emit_as_text()
            }
            b':' if self.options.has_namespaces() => {
                input.back();
                self.error_next(input, out, errors::INVALID_QUALIFIED_NAME);
                self.emit_as_text()
            }
            _ => {
                let mark = input.mark() - 1;
                let character = if byte < 0x80 {
                    byte as char
                } else {
                    input.wide()
                };
                self.start_tag(input, out);
                self.name = mark;
                if !xml_names::is_name_start_char(character) {
                    self.error(
                        input,
                        out,
                        errors::INVALID_NAME,
                        mark,
                        mark + character.len_utf8() as u32,
                    );
                    self.name_reported = true;
                }
                State::TagName
            }
        };
        (state, cursor)
    }

    /// A unit was taken in a name that does not end it: it may be no character of a name.
    #[cold]
    #[inline(never)]
    pub(in crate::xml) fn name_character<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        byte: u8,
        start: bool,
    ) -> Cursor<'w> {
        let mark = input.mark() - 1;
        let character = if byte < 0x80 {
            byte as char
        } else {
            input.wide()
        };
        let legal = match start {
            true => xml_names::is_name_start_char(character),
            false => xml_names::is_name_char(character),
        };
        if !legal && !self.name_reported {
            self.name_reported = true;
            let end = input.mark();
            self.error(&mut input, out, errors::INVALID_NAME, mark, end);
        }
        input
    }

    /// A tag's name has ended before the unit taken last.
    #[inline(always)]
    fn end_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) {
        self.name_end = end;
        self.odd = self.name_reported;
        if (end - self.name) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, self.name, end);
        }
    }

    /// Tag name state
    pub(in crate::xml) fn tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_name(input, out, input.mark() - 1);
                State::TagAttributeNameBefore
            }
            Byte(b'>') => {
                self.end_name(input, out, input.mark() - 1);
                self.emit_start_tag(input, out, 0)
            }
            Byte(b'/') => {
                self.end_name(input, out, input.mark() - 1);
                State::EmptyTag
            }
            Byte(b':') => {
                self.colon = true;
                State::TagName
            }
            Byte(byte) => {
                *input = self.name_character(*input, out, byte, false);
                State::TagName
            }
            Eof => {
                self.end_name(input, out, input.mark());
                self.error_at_end(input, out, errors::EOF_IN_TAG);
                self.emit_start_tag(input, out, 0)
            }
        })
    }

    /// Empty tag state
    pub(in crate::xml) fn empty_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.emit_start_tag(input, out, SELF_CLOSING),
            Byte(_) => {
                let slash = input.mark() - 2;
                input.back();
                self.error(input, out, errors::MISPLACED_SLASH, slash, slash + 1);
                State::TagAttributeNameBefore
            }
            Eof => {
                let slash = input.mark() - 1;
                self.error(input, out, errors::MISPLACED_SLASH, slash, slash + 1);
                State::TagAttributeNameBefore
            }
        })
    }

    /// End tag state
    pub(in crate::xml) fn end_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
                self.start_tag(input, out);
                State::EndTagName
            }
            Byte(byte) => {
                let (state, after) = self.odd_end_tag(*input, out, byte);
                *input = after;
                state
            }
            Eof => {
                self.error_at_end(input, out, errors::INVALID_TAG_START);
                self.emit_as_text()
            }
        })
    }

    /// The end tag state, where no letter follows.
    #[cold]
    #[inline(never)]
    fn odd_end_tag<'w>(
        &mut self,
        mut cursor: Cursor<'w>,
        out: &mut Queue,
        byte: u8,
    ) -> (State, Cursor<'w>) {
        let input = &mut cursor;
        let state = match byte {
            b'>' => {
                self.flush_text(input, out, self.token);
                self.emit_short_end_tag(input, out)
            }
            _ => match self.odd_tag(*input, out, byte) {
                (State::TagName, after) => {
                    *input = after;
                    State::EndTagName
                }
                (state, after) => {
                    *input = after;
                    state
                }
            },
        };
        (state, cursor)
    }

    /// End tag name state
    pub(in crate::xml) fn end_tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_name(input, out, input.mark() - 1);
                State::EndTagNameAfter
            }
            Byte(b'>') => {
                self.end_name(input, out, input.mark() - 1);
                self.emit_end_tag(input, out)
            }
            Byte(b':') => {
                self.colon = true;
                State::EndTagName
            }
            Byte(byte) => {
                *input = self.name_character(*input, out, byte, false);
                State::EndTagName
            }
            Eof => {
                self.end_name(input, out, input.mark());
                self.error_at_end(input, out, errors::EOF_IN_TAG);
                self.emit_end_tag(input, out)
            }
        })
    }

    /// End tag name after state
    pub(in crate::xml) fn end_tag_name_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'>') => self.emit_end_tag(input, out),
            Byte(_) => {
                if !self.name_reported {
                    self.name_reported = true;
                    self.error_here(input, out, errors::INVALID_END_TAG);
                }
                State::EndTagNameAfter
            }
            Eof => {
                self.error_at_end(input, out, errors::EOF_IN_TAG);
                self.emit_end_tag(input, out)
            }
        })
    }

    /// The state after an emitted tag.
    #[inline(always)]
    pub(in crate::xml) fn after_tag(&mut self, input: &Cursor<'_>) -> State {
        self.token = NONE;
        self.content(input)
    }
}
