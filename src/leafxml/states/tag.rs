//! Tags: their names and their ends.

use super::name::{TagName, is_wide_break};
use crate::event::record::{Queue, SELF_CLOSING};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::leafxml::errors;
use crate::leafxml::machine::{Cursor, LeafXmlMachine, NAME, NOT_SPACE};
use crate::leafxml::normal::Normality;
use crate::leafxml::state::State;
use crate::text::leafxml_names::is_name_start_char;

impl LeafXmlMachine {
    /// The first byte of the name of a start tag or an empty tag was taken: text ends here.
    pub(super) fn start_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        // The whole character is taken before a record is pushed.
        let state = self.begin_name(input, out, byte, State::TagName);
        self.flush_text(input, out, self.token);
        state
    }

    /// The first byte of a tag's name was taken.
    fn begin_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
        then: State,
    ) -> State {
        let start = input.mark() - 1;
        self.name = TagName::at(start);
        self.tag_normal = Normality::at(start);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {}
            b':' => self.name.colon = true,
            _ => (_, *input) = self.name_start(*input, out, byte),
        }
        then
    }

    /// In the name of a start tag or an empty tag.
    pub(in crate::leafxml) fn tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_name(input, out, input.mark() - 1);
                State::AttributeBefore
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
                self.name.colon = true;
                State::TagName
            }
            Byte(byte) => {
                let ended;
                (ended, *input) = self.name_character(*input, out, byte);
                match ended {
                    Some(end) => {
                        self.end_name(input, out, end);
                        State::AttributeBefore
                    }
                    None => State::TagName,
                }
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }

    /// After the `/` that ends an empty tag.
    pub(in crate::leafxml) fn empty_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.emit_start_tag(input, out, SELF_CLOSING),
            Byte(byte) => self.fail_here(input, out, byte, errors::MISPLACED_SLASH),
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }

    /// After `</`.
    pub(in crate::leafxml) fn end_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) => self.begin_name(input, out, byte, State::EndTagName),
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }

    /// In the name of an end tag.
    pub(in crate::leafxml) fn end_tag_name(
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
            Byte(byte @ b'/') => self.fail_here(input, out, byte, errors::SLASH_AT_BOTH_ENDS),
            Byte(b':') => {
                self.name.colon = true;
                State::EndTagName
            }
            Byte(byte) => {
                let ended;
                (ended, *input) = self.name_character(*input, out, byte);
                match ended {
                    Some(end) => {
                        self.end_name(input, out, end);
                        State::EndTagNameAfter
                    }
                    None => State::EndTagName,
                }
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }

    /// After the name of an end tag.
    pub(in crate::leafxml) fn end_tag_name_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'>') => self.emit_end_tag(input, out),
            Byte(byte @ b'/') => self.fail_here(input, out, byte, errors::SLASH_AT_BOTH_ENDS),
            Byte(byte) => {
                let mark = input.mark();
                let (character, from, to) = Self::character(input, byte);
                if is_wide_break(character) {
                    State::EndTagNameAfter
                } else if is_name_start_char(character) {
                    self.fail(input, out, errors::ATTRIBUTE_ON_END_TAG, from, to)
                } else {
                    input.back_to(mark);
                    self.fail_here(input, out, byte, errors::INVALID_NAME_START)
                }
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }
}
