//! Entity escapes, in text tokens and in attribute values.

use super::text::is_padding;
use crate::event::record::Queue;
use crate::input::cursor::Unit::{self, Byte, Eof};
use crate::leafxml::errors;
use crate::leafxml::machine::{Cursor, Escape, LeafXmlMachine};
use crate::leafxml::state::State;
use crate::text::leafxml_names::is_char;
use crate::text::numeric::Number;

/// The names, and what they stand for.
const NAMED: [(&[u8], char); 5] = [
    (b"amp", '&'),
    (b"lt", '<'),
    (b"gt", '>'),
    (b"apos", '\''),
    (b"quot", '"'),
];

impl Escape {
    /// Takes a byte, unless no name goes on so.
    fn push(&mut self, byte: u8) -> bool {
        let length = self.length;
        let letters = &self.letters[..length];
        let goes_on = NAMED
            .iter()
            .any(|(name, _)| name.starts_with(letters) && name.get(length) == Some(&byte));
        if goes_on {
            self.letters[length] = byte;
            self.length += 1;
        }
        goes_on
    }

    /// What the name read so far stands for.
    fn named(&self) -> Option<char> {
        let letters = &self.letters[..self.length];
        NAMED
            .iter()
            .find(|(name, _)| *name == letters)
            .map(|&(_, character)| character)
    }
}

impl LeafXmlMachine {
    /// A `&` was taken in this state.
    #[inline(always)]
    pub(in crate::leafxml) fn escape_from(&mut self, within: State, input: &Cursor<'_>) -> State {
        self.escape = Escape {
            start: input.mark() - 1,
            within,
            letters: [0; 4],
            length: 0,
            number: Number::default(),
        };
        State::Escape
    }

    /// After `&`, in a name or before anything.
    pub(in crate::leafxml) fn escape(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'#') if self.escape.length == 0 => State::EscapeNumber,
            Byte(byte) if self.escape.push(byte) => State::Escape,
            unit => match self.escape.named() {
                Some(character) if unit == Byte(b';') => self.escaped(input, out, character),
                _ => self.no_escape(input, out, unit),
            },
        })
    }

    /// After `&#`.
    pub(in crate::leafxml) fn escape_number(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'x') => State::EscapeHexadecimal,
            Byte(byte) if self.escape.number.push_decimal(byte) => State::EscapeDecimal,
            unit => self.no_escape(input, out, unit),
        })
    }

    /// After `&#` and a digit.
    pub(in crate::leafxml) fn escape_decimal(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if self.escape.number.push_decimal(byte) => State::EscapeDecimal,
            Byte(b';') => self.escaped_number(input, out),
            unit => self.no_escape(input, out, unit),
        })
    }

    /// After `&#x`.
    pub(in crate::leafxml) fn escape_hexadecimal(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if self.escape.number.push_hex(byte) => State::EscapeHexadecimal,
            Byte(b';') if self.escape.number.digits() => self.escaped_number(input, out),
            unit => self.no_escape(input, out, unit),
        })
    }

    /// No escape goes on with this unit.
    fn no_escape(&mut self, input: &mut Cursor<'_>, out: &mut Queue, unit: Unit) -> State {
        let Escape { start, within, .. } = self.escape;
        let byte = match unit {
            Byte(byte) => byte,
            Eof => {
                let code = match within {
                    State::Text | State::Outside => errors::UNTERMINATED_ENTITY_ESCAPE,
                    _ => errors::UNTERMINATED_TAG,
                };
                return self.fail_at_end(input, out, code);
            }
        };
        let end = match within {
            State::DoubleQuotedValue => b'"',
            State::SingleQuotedValue => b'\'',
            _ => b'<',
        };
        if byte == end {
            let end = input.mark() - 1;
            return self.fail(input, out, errors::UNTERMINATED_ENTITY_ESCAPE, start, end);
        }
        let (character, from, to) = Self::character(input, byte);
        match is_char(character) {
            true => self.fail(input, out, errors::INVALID_ENTITY_ESCAPE, start, to),
            false => self.fail(input, out, errors::DISALLOWED_CHARACTER, from, to),
        }
    }

    fn escaped_number(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        match self.escape.number.character() {
            Some(character) if is_char(character) => self.escaped(input, out, character),
            _ => {
                let (start, end) = (self.escape.start, input.mark());
                self.fail(input, out, errors::DISALLOWED_ENTITY_ESCAPE, start, end)
            }
        }
    }

    /// The escape that ends here stands for this character.
    fn escaped(&mut self, input: &mut Cursor<'_>, out: &mut Queue, character: char) -> State {
        let Escape { start, within, .. } = self.escape;
        let end = input.mark();
        match within {
            State::Text => self.escaped_content(input, out, character),
            State::Outside if is_padding(character) => self.content(),
            State::Outside => self.fail(input, out, errors::STRAY_CONTENT, start, end),
            _ => {
                self.escaped_value(input, out, start, character);
                within
            }
        }
    }

    /// An escape in content stands for this character; if that is a line break or a part of one, it
    /// is normalized like a literal one.
    fn escaped_content(&mut self, input: &Cursor<'_>, out: &mut Queue, character: char) -> State {
        let (start, end) = (self.escape.start, input.mark());
        let after_cr = core::mem::replace(&mut self.after_cr, character == '\r');
        match character {
            '\n' | '\u{85}' if after_cr => self.remove_content(input, out, start, end),
            '\r' | '\u{85}' | '\u{2028}' => self.replace_content(input, out, start, end, '\n'),
            _ => self.replace_content(input, out, start, end, character),
        }
        match self.after_cr {
            true => State::TextLineBreak,
            false => State::Text,
        }
    }
}
