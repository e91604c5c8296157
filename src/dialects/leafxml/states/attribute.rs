//! States in the attributes of a tag: names, and values, in which escapes are resolved, whitespace is compressed, and
//! the result is converted to NFC.

use super::name::is_wide_break;
use crate::dialects::leafxml::errors;
use crate::dialects::leafxml::machine::{
    DOUBLE_QUOTED, LeafXmlMachine, Lexer, NAME, NOT_SPACE, SINGLE_QUOTED, next_wide,
};
use crate::dialects::leafxml::normal::Normality;
use crate::dialects::leafxml::state::{Next, State};
use crate::engine::event::record::{Attr, PREFIXED, QUOTED};
use crate::engine::event::strings::Str;
use crate::engine::input::BufferOffset;
use crate::engine::text::leafxml_names::is_char;
use crate::engine::text::normal::plain_run;
use crate::engine::text::xml_names::is_white_space;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{Byte, Eof},
};

impl LeafXmlMachine {
    /// Reads the byte at which an attribute starts or the tag ends, after whitespace in a tag.
    pub(super) fn attribute_before(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'>') => self.emit_start_tag(lex, 0),
            Byte(b'/') => State::EmptyTag,
            Byte(byte) => self.start_attribute(lex, byte),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }

    /// Starts an attribute whose first byte was just consumed, or skips a line break that is not ASCII.
    fn start_attribute(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let name = lex.mark() - 1;
        if byte >= 0x80 {
            let character = lex.wide();
            if is_wide_break(character) {
                return State::AttributeBefore;
            }
            lex.back_to(name + 1);
        }
        self.attribute = Attr {
            name,
            ..Attr::EMPTY
        };
        self.dialect.tag_normal = Normality::at(name);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {}
            b':' => self.attribute.flags |= PREFIXED,
            _ => _ = lex.aside(|lex| self.name_start(lex, byte)),
        }
        State::AttributeName
    }

    /// Reads the name of an attribute.
    pub(super) fn attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'=') => {
                self.end_attribute_name(lex, lex.mark() - 1);
                State::ValueBefore
            }
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_attribute_name(lex, lex.mark() - 1);
                State::AttributeNameAfter
            }
            Byte(byte @ (b'>' | b'/')) => self.fail_here(lex, byte, errors::MISSING_EQUALS),
            Byte(b':') => {
                self.attribute.flags |= PREFIXED;
                State::AttributeName
            }
            Byte(byte) => {
                let ended = lex.aside(|lex| self.name_character(lex, byte));
                match ended {
                    Some(end) => {
                        self.end_attribute_name(lex, end);
                        State::AttributeNameAfter
                    }
                    None => State::AttributeName,
                }
            }
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }

    /// Reads the `=` after whitespace that follows the name of an attribute.
    pub(super) fn attribute_name_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'=') => State::ValueBefore,
            Byte(byte) => {
                let code = errors::MISSING_EQUALS;
                self.break_or_fail(lex, byte, State::AttributeNameAfter, code)
            }
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }

    /// Skips the character that starts with `byte`, which was just consumed, if it is a line break, and returns
    /// `then`. Ends the parse with the error `code` at any other character.
    fn break_or_fail(
        &mut self,
        lex: &mut Lexer<'_>,
        byte: u8,
        then: State,
        code: crate::engine::error::ErrorCode,
    ) -> State {
        let mark = lex.mark();
        if is_wide_break(lex.character(byte).0) {
            return then;
        }
        lex.back_to(mark);
        self.fail_here(lex, byte, code)
    }

    /// Reads the opening quote of a value.
    pub(super) fn value_before(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'"') => {
                self.start_quoted_value(lex.mark());
                State::DoubleQuotedValue
            }
            Byte(b'\'') => {
                self.start_quoted_value(lex.mark());
                State::SingleQuotedValue
            }
            Byte(byte) => {
                let code = errors::UNQUOTED_VALUE;
                self.break_or_fail(lex, byte, State::ValueBefore, code)
            }
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }

    /// Starts a value after its opening quote, at offset `mark`.
    #[inline(always)]
    fn start_quoted_value(&mut self, mark: BufferOffset) {
        self.start_value(mark, QUOTED);
        self.resume_value(mark, mark, true);
    }

    /// Sets the registers for a value that starts at offset `start` and was read up to offset `seen` without a
    /// change. `space` is true if it ends with whitespace or is empty.
    #[inline(always)]
    pub(in crate::dialects::leafxml) fn resume_value(
        &mut self,
        start: BufferOffset,
        seen: BufferOffset,
        space: bool,
    ) {
        self.value = TextBuffer::at(start);
        self.dialect.tag_normal = Normality::at(start);
        self.dialect.seen = seen;
        self.dialect.space = space;
    }

    /// Reads a double-quoted value up to its end or to a byte that needs attention.
    pub(super) fn double_quoted_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DOUBLE_QUOTED>()? {
            Byte(b'"') => {
                self.end_value(lex, lex.mark() - 1);
                State::ValueAfter
            }
            Byte(byte) if self.is_plain_value(lex, byte) => self.state,
            Byte(byte) => lex.aside(|lex| self.value_character(lex, byte)),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }

    /// Reads a single-quoted value up to its end or to a byte that needs attention.
    pub(super) fn single_quoted_value(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<SINGLE_QUOTED>()? {
            Byte(b'\'') => {
                self.end_value(lex, lex.mark() - 1);
                State::ValueAfter
            }
            Byte(byte) if self.is_plain_value(lex, byte) => self.state,
            Byte(byte) => lex.aside(|lex| self.value_character(lex, byte)),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }

    /// Skips characters that need no change, the first byte of which was just consumed: characters beyond ASCII that
    /// the NFC check accepts, or a single space between other characters. Returns false if there are none.
    #[inline(always)]
    fn is_plain_value(&mut self, lex: &mut Lexer<'_>, byte: u8) -> bool {
        match byte {
            0x80.. => {
                let (text, from) = (lex.since_last(), lex.mark() - 1);
                let run = (self.dialect.tag_normal).take_run::<false>(text, lex.chunk(), from);
                if run > 0 {
                    self.dialect.space = false;
                    lex.skip(run - 1);
                }
                run > 0
            }
            b' ' => {
                let after_space = self.dialect.space && self.dialect.seen == lex.mark() - 1;
                let next = lex.peek();
                let plain = !after_space && next.is_some_and(|next| next.is_ascii_alphanumeric());
                self.dialect.space &= !plain;
                plain
            }
            _ => false,
        }
    }

    /// Handles a byte in a value that needs attention: whitespace, an escape, a character beyond ASCII, or an error.
    /// Returns the next state.
    #[inline(never)]
    fn value_character(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let at = lex.mark() - 1;
        self.dialect.space &= at == self.dialect.seen;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => self.value_space(lex, at, at + 1, byte == b' '),
            b'&' => {
                let state = self.escape_from(self.state, lex);
                return state;
            }
            b'<' => {
                self.fail(lex, errors::LESS_THAN_IN_VALUE, at, at + 1);
            }
            0x80.. => self.wide_value(lex, byte),
            _ => {
                self.fail_here(lex, byte, errors::DISALLOWED_CHARACTER);
            }
        }
        self.dialect.seen = lex.mark();
        self.state
    }

    /// Handles whitespace in `from..to`. The first whitespace character of a run becomes a space, and the others are
    /// removed. `is_space` is true if the character is a space already.
    fn value_space(
        &mut self,
        lex: &mut Lexer<'_>,
        from: BufferOffset,
        to: BufferOffset,
        is_space: bool,
    ) {
        if self.dialect.space {
            lex.remove(&mut self.value, from, to);
            self.dialect.tag_normal.removed(from, to);
        } else if !is_space {
            lex.replace(&mut self.value, from, to, " ");
            self.dialect.tag_normal.replaced(to);
        }
        self.dialect.space = true;
    }

    /// Handles characters beyond ASCII in a value, the first byte of which was just consumed.
    fn wide_value(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        let mut byte = byte;
        loop {
            let run = plain_run::<false>(lex.since_last());
            if run > 0 {
                self.dialect.space = false;
                lex.skip(run - 1);
                let Some(next) = next_wide(lex) else { return };
                byte = next;
            }
            let (character, from, to) = lex.character(byte);
            if is_wide_break(character) {
                self.value_space(lex, from, to, false);
            } else if is_char(character) {
                self.dialect.space = false;
                let before = |at| lex.character_before(at);
                self.dialect
                    .tag_normal
                    .take_literal(character, from, to, before);
            } else {
                self.fail(lex, errors::DISALLOWED_CHARACTER, from, to);
                return;
            }
            let Some(next) = next_wide(lex) else { return };
            byte = next;
        }
    }

    /// Replaces the escape from offset `start` to the current position by `character`, in a value. Line breaks were
    /// normalized before escapes are resolved, so an escaped line break remains unless it is compressed as
    /// whitespace.
    pub(super) fn escaped_value(
        &mut self,
        lex: &mut Lexer<'_>,
        start: BufferOffset,
        character: char,
    ) {
        let end = lex.mark();
        if is_white_space(character) {
            self.value_space(lex, start, end, false);
        } else {
            lex.replace_by(&mut self.value, start, end, character);
            self.dialect.tag_normal.take(character, start, end);
            self.dialect.tag_normal.replaced(end);
            self.dialect.space = false;
        }
        self.dialect.seen = end;
    }

    /// Ends the value of the current attribute at offset `end`: removes whitespace at its end, converts it to NFC if
    /// necessary, and adds the attribute to the tag.
    #[inline(always)]
    fn end_value(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.attribute.raw_end = end;
        self.dialect.space &= end == self.dialect.seen;
        let mut value = lex.finish(&mut self.value, end);
        if self.dialect.space {
            // The whitespace at the end was compressed to one space.
            value = value.without_last();
        }
        if let Str::Borrowed(from, to) = value
            && (from, to) != (self.attribute.raw, end)
        {
            value = Str::Cleaned(lex.copy(from, to));
        }
        if !self.dialect.tag_normal.sure {
            value = Str::Cleaned(self.normalize(lex, value));
        }
        if let Str::Cleaned(value) = value {
            self.attribute.set_value(value);
        }
        self.value = TextBuffer::NONE;
        if self.attribute.flags & PREFIXED != 0 {
            self.dialect.prefixed += 1;
        }
        lex.out.push_attribute(self.attribute);
    }

    /// Reads the unit after the closing quote of a value. Another attribute needs whitespace before it.
    pub(super) fn value_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::AttributeBefore,
            Byte(b'>') => self.emit_start_tag(lex, 0),
            Byte(b'/') => State::EmptyTag,
            Byte(byte) => {
                let code = errors::MISSING_WHITESPACE;
                self.break_or_fail(lex, byte, State::AttributeBefore, code)
            }
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_TAG),
        })
    }
}
