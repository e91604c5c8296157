//! Attributes: their names and their values, which are decoded by entity escaping, whitespace
//! compression and NFC.

use super::name::is_wide_break;
use crate::event::record::{Attr, PREFIXED, Piece, QUOTED, Queue, VALUE_CLEANED};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::leafxml::errors;
use crate::leafxml::machine::{
    Cursor, DOUBLE_QUOTED, LeafXmlMachine, NAME, NOT_SPACE, SINGLE_QUOTED,
};
use crate::leafxml::normal::Normality;
use crate::leafxml::state::State;
use crate::text::leafxml_names::{is_char, is_compressed};
use crate::text::normal::plain_run;

impl LeafXmlMachine {
    /// After whitespace in a start tag or an empty tag.
    pub(in crate::leafxml) fn attribute_before(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'>') => self.emit_start_tag(input, out, 0),
            Byte(b'/') => State::EmptyTag,
            Byte(byte) => self.start_attribute(input, out, byte),
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }

    /// The first byte of an attribute's name, or of a line break before it, was taken.
    fn start_attribute(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        let name = input.mark() - 1;
        if byte >= 0x80 {
            let character = input.wide();
            if is_wide_break(character) {
                return State::AttributeBefore;
            }
            input.back_to(name + 1);
        }
        self.attribute = Attr {
            name,
            ..Attr::EMPTY
        };
        self.tag_normal = Normality::at(name);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {}
            b':' => self.attribute.flags |= PREFIXED,
            _ => (_, *input) = self.name_start(*input, out, byte),
        }
        State::AttributeName
    }

    /// In the name of an attribute.
    pub(in crate::leafxml) fn attribute_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'=') => {
                self.end_attribute_name(input, out, input.mark() - 1);
                State::ValueBefore
            }
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_attribute_name(input, out, input.mark() - 1);
                State::AttributeNameAfter
            }
            Byte(byte @ (b'>' | b'/')) => self.fail_here(input, out, byte, errors::MISSING_EQUALS),
            Byte(b':') => {
                self.attribute.flags |= PREFIXED;
                State::AttributeName
            }
            Byte(byte) => {
                let ended;
                (ended, *input) = self.name_character(*input, out, byte);
                match ended {
                    Some(end) => {
                        self.end_attribute_name(input, out, end);
                        State::AttributeNameAfter
                    }
                    None => State::AttributeName,
                }
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }

    /// After the name of an attribute, in whitespace.
    pub(in crate::leafxml) fn attribute_name_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'=') => State::ValueBefore,
            Byte(byte) => {
                let code = errors::MISSING_EQUALS;
                self.break_or_fail(input, out, byte, State::AttributeNameAfter, code)
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }

    /// A line break that is not ASCII is whitespace; anything else fails with `code`.
    fn break_or_fail(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
        then: State,
        code: crate::error::Code,
    ) -> State {
        let mark = input.mark();
        if is_wide_break(Self::character(input, byte).0) {
            return then;
        }
        input.back_to(mark);
        self.fail_here(input, out, byte, code)
    }

    /// After `=`.
    pub(in crate::leafxml) fn value_before(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'"') => {
                self.start_value(input.mark());
                State::DoubleQuotedValue
            }
            Byte(b'\'') => {
                self.start_value(input.mark());
                State::SingleQuotedValue
            }
            Byte(byte) => {
                let code = errors::UNQUOTED_VALUE;
                self.break_or_fail(input, out, byte, State::ValueBefore, code)
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }

    #[inline(always)]
    fn start_value(&mut self, mark: u32) {
        self.attribute.raw = mark;
        self.attribute.flags |= QUOTED;
        self.resume_value(mark, mark, true);
    }

    /// The value that begins at the mark `start` was read up to the mark `seen`, and is so far as it
    /// was written.
    #[inline(always)]
    pub(in crate::leafxml) fn resume_value(&mut self, start: u32, seen: u32, space: bool) {
        self.value = Piece::at(start);
        self.tag_normal = Normality::at(start);
        self.seen = seen;
        self.space = space;
    }

    /// In a double-quoted attribute value.
    pub(in crate::leafxml) fn double_quoted_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<DOUBLE_QUOTED>()? {
            Byte(b'"') => {
                self.end_value(input, out, input.mark() - 1);
                State::ValueAfter
            }
            Byte(byte) if self.is_plain_value(input, byte) => self.state,
            Byte(byte) => {
                let (state, after) = self.value_character(*input, out, byte);
                *input = after;
                state
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }

    /// In a single-quoted attribute value.
    pub(in crate::leafxml) fn single_quoted_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<SINGLE_QUOTED>()? {
            Byte(b'\'') => {
                self.end_value(input, out, input.mark() - 1);
                State::ValueAfter
            }
            Byte(byte) if self.is_plain_value(input, byte) => self.state,
            Byte(byte) => {
                let (state, after) = self.value_character(*input, out, byte);
                *input = after;
                state
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }

    /// Whether characters that nothing has to be done with were taken, the first byte of them last: those
    /// that are plain, or a space between others.
    #[inline(always)]
    fn is_plain_value(&mut self, input: &mut Cursor<'_>, byte: u8) -> bool {
        match byte {
            0x80.. => {
                let (text, from) = (input.since_last(), input.mark() - 1);
                let run = (self.tag_normal).take_run::<false>(text, input.chunk(), from);
                if run > 0 {
                    self.space = false;
                    input.skip(run - 1);
                }
                run > 0
            }
            b' ' => {
                let after_space = self.space && self.seen == input.mark() - 1;
                let next = input.peek();
                let plain = !after_space && next.is_some_and(|next| next.is_ascii_alphanumeric());
                self.space &= !plain;
                plain
            }
            _ => false,
        }
    }

    /// A character in a value that is more than itself, or not ASCII. Stays in the current state, or
    /// goes to that of an escape.
    #[inline(never)]
    fn value_character<'w>(
        &mut self,
        mut cursor: Cursor<'w>,
        out: &mut Queue,
        byte: u8,
    ) -> (State, Cursor<'w>) {
        let input = &mut cursor;
        let at = input.mark() - 1;
        self.space &= at == self.seen;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => self.value_space(input, out, at, at + 1, byte == b' '),
            b'&' => {
                let state = self.escape_from(self.state, input);
                return (state, cursor);
            }
            b'<' => {
                self.fail(input, out, errors::LESS_THAN_IN_VALUE, at, at + 1);
            }
            0x80.. => self.wide_value(input, out, byte),
            _ => {
                self.fail_here(input, out, byte, errors::DISALLOWED_CHARACTER);
            }
        }
        self.seen = input.mark();
        (self.state, cursor)
    }

    /// White space in a value, of which the first of a run stays, as a space.
    fn value_space(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
        from: u32,
        to: u32,
        is_space: bool,
    ) {
        if self.space {
            self.value.remove(*input, out, from, to);
            self.tag_normal.removed(from, to);
        } else if !is_space {
            self.value.replace(*input, out, from, to, " ");
            self.tag_normal.replaced(to);
        }
        self.space = true;
    }

    /// Characters of a value beyond ASCII, the first byte of which was taken.
    fn wide_value(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) {
        let mut byte = byte;
        loop {
            let run = plain_run::<false>(input.since_last());
            if run > 0 {
                self.space = false;
                input.skip(run - 1);
                match input.peek() {
                    Some(next @ 0x80..) => {
                        input.skip(1);
                        byte = next;
                    }
                    _ => return,
                }
            }
            let (character, from, to) = Self::character(input, byte);
            if is_wide_break(character) {
                self.value_space(input, out, from, to, false);
            } else if is_char(character) {
                self.space = false;
                let before = |at| Self::character_before(input, &out.carry, at);
                self.tag_normal.take_literal(character, from, to, before);
            } else {
                self.fail(input, out, errors::DISALLOWED_CHARACTER, from, to);
                return;
            }
            match input.peek() {
                Some(next @ 0x80..) => {
                    input.skip(1);
                    byte = next;
                }
                _ => return,
            }
        }
    }

    /// The escape that ends here stands for this character, in a value. Line breaks were normalized
    /// before: one that was escaped stays, if it is not white space.
    pub(super) fn escaped_value(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
        start: u32,
        character: char,
    ) {
        let end = input.mark();
        if is_compressed(character) {
            self.value_space(input, out, start, end, false);
        } else {
            let mut buffer = [0; 4];
            let meant = &*character.encode_utf8(&mut buffer);
            self.value.replace(*input, out, start, end, meant);
            self.tag_normal.take(character, start, end);
            self.tag_normal.replaced(end);
            self.space = false;
        }
        self.seen = end;
    }

    /// The value of the current attribute ends at the mark `end`.
    #[inline(always)]
    fn end_value(&mut self, input: &Cursor<'_>, out: &mut Queue, end: u32) {
        self.attribute.raw_end = end;
        self.space &= end == self.seen;
        let (from, mut to, mut cleaned) = self.value.finish(*input, out, end);
        if self.space && from < to {
            // The last white space of the value is one space.
            to -= 1;
        }
        let mut value = (from, to);
        if !cleaned && value != (self.attribute.raw, end) {
            value = copy(input, out, from, to);
            cleaned = true;
        }
        if !self.tag_normal.sure {
            value = self.normalize_value(input, out, value, cleaned);
            cleaned = true;
        }
        if cleaned {
            (self.attribute.value, self.attribute.value_end) = value;
            self.attribute.flags |= VALUE_CLEANED;
        }
        self.value = Piece::NONE;
        if self.attribute.flags & PREFIXED != 0 {
            self.prefixed += 1;
        }
        out.push_attribute(self.attribute);
    }

    #[cold]
    #[inline(never)]
    fn normalize_value(
        &self,
        input: &Cursor<'_>,
        out: &mut Queue,
        (from, to): (u32, u32),
        cleaned: bool,
    ) -> (u32, u32) {
        let (from, to) = match cleaned {
            true => (from, to),
            false => copy(input, out, from, to),
        };
        self.normalize(input, out, from, to, true)
    }

    /// After the quote that ends a value.
    pub(in crate::leafxml) fn value_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::AttributeBefore,
            Byte(b'>') => self.emit_start_tag(input, out, 0),
            Byte(b'/') => State::EmptyTag,
            Byte(byte) => {
                let code = errors::MISSING_WHITESPACE;
                self.break_or_fail(input, out, byte, State::AttributeBefore, code)
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_TAG),
        })
    }
}

/// Copies what stands between two marks to the scratch buffer; gives its range there.
#[cold]
fn copy(input: &Cursor<'_>, out: &mut Queue, from: u32, to: u32) -> (u32, u32) {
    let start = out.scratch.len() as u32;
    let (first, second) = input.pieces(&out.carry, from, to);
    out.scratch.push_str(first);
    out.scratch.push_str(second);
    out.work.cleaned += u64::from(to - from);
    (start, start + to - from)
}
