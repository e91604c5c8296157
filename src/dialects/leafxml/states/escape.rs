//! States in entity escapes, in text tokens and in attribute values.

use super::text::is_padding;
use crate::dialects::leafxml::errors;
use crate::dialects::leafxml::machine::{LeafXmlMachine, Letters, Lexer};
use crate::dialects::leafxml::state::{Next, State};
use crate::engine::text::leafxml_names::is_char;
use crate::engine::tokenizer::Unit::{self, Byte, Eof};

/// The named escapes, and the characters that they encode.
const NAMED: [(&[u8], char); 5] = [
    (b"amp", '&'),
    (b"lt", '<'),
    (b"gt", '>'),
    (b"apos", '\''),
    (b"quot", '"'),
];

impl Letters {
    /// Adds a byte to the name of the escape. Returns false if no known name continues like this.
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

    /// Returns the character that the name encodes, if the name is complete.
    fn named(&self) -> Option<char> {
        let letters = &self.letters[..self.length];
        NAMED
            .iter()
            .find(|(name, _)| *name == letters)
            .map(|&(_, character)| character)
    }
}

impl LeafXmlMachine {
    /// Starts an escape at the `&` that was just consumed in the state `within`, which continues after the escape.
    #[inline(always)]
    pub(super) fn escape_from(&mut self, within: State, lex: &Lexer<'_>) -> State {
        self.start_reference(lex, within);
        self.dialect.letters = Letters::default();
        State::Escape
    }

    /// Reads the unit after `&`, or a letter of the escape's name.
    pub(super) fn escape(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'#') if self.dialect.letters.length == 0 => State::EscapeNumber,
            Byte(byte) if self.dialect.letters.push(byte) => State::Escape,
            unit => match self.dialect.letters.named() {
                Some(character) if unit == Byte(b';') => self.escaped(lex, character),
                _ => self.no_escape(lex, unit),
            },
        })
    }

    /// Reads the unit after `&#`.
    pub(super) fn escape_number(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'x') => State::EscapeHexadecimal,
            Byte(byte) if self.number.push_decimal(byte) => State::EscapeDecimal,
            unit => self.no_escape(lex, unit),
        })
    }

    /// Reads a digit of a decimal escape, or its end.
    pub(super) fn escape_decimal(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_decimal(byte) => State::EscapeDecimal,
            Byte(b';') => self.escaped_number(lex),
            unit => self.no_escape(lex, unit),
        })
    }

    /// Reads a digit of a hexadecimal escape, or its end.
    pub(super) fn escape_hexadecimal(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_hex(byte) => State::EscapeHexadecimal,
            Byte(b';') if self.number.digits() => self.escaped_number(lex),
            unit => self.no_escape(lex, unit),
        })
    }

    /// Ends the parse, because an escape cannot continue with `unit`. The error depends on whether the text or value
    /// ends here.
    fn no_escape(&mut self, lex: &mut Lexer<'_>, unit: Unit) -> State {
        let (start, within) = (self.reference, self.return_state);
        let byte = match unit {
            Byte(byte) => byte,
            Eof => {
                let code = match within {
                    State::Text | State::Outside => errors::UNTERMINATED_ENTITY_ESCAPE,
                    _ => errors::UNTERMINATED_TAG,
                };
                return self.fail_at_end(lex, code);
            }
        };
        let end = match within {
            State::DoubleQuotedValue => b'"',
            State::SingleQuotedValue => b'\'',
            _ => b'<',
        };
        if byte == end {
            let end = lex.mark() - 1;
            return self.fail(lex, errors::UNTERMINATED_ENTITY_ESCAPE, start, end);
        }
        let (character, from, to) = lex.character(byte);
        match is_char(character) {
            true => self.fail(lex, errors::INVALID_ENTITY_ESCAPE, start, to),
            false => self.fail(lex, errors::DISALLOWED_CHARACTER, from, to),
        }
    }

    /// Handles a complete numeric escape. A character that is not in the character set is an error.
    fn escaped_number(&mut self, lex: &mut Lexer<'_>) -> State {
        match self.number.character() {
            Some(character) if is_char(character) => self.escaped(lex, character),
            _ => {
                let (start, end) = (self.reference, lex.mark());
                self.fail(lex, errors::DISALLOWED_ENTITY_ESCAPE, start, end)
            }
        }
    }

    /// Handles a complete escape that encodes `character`: in content, outside the root element, or in a value.
    fn escaped(&mut self, lex: &mut Lexer<'_>, character: char) -> State {
        let (start, within) = (self.reference, self.return_state);
        let end = lex.mark();
        match within {
            State::Text => self.escaped_content(lex, character),
            State::Outside if is_padding(character) => self.content(),
            State::Outside => self.fail(lex, errors::STRAY_CONTENT, start, end),
            _ => {
                self.escaped_value(lex, start, character);
                within
            }
        }
    }

    /// Replaces an escape by `character` in content. An escaped line break, or a part of one, is normalized as if it
    /// were not escaped.
    fn escaped_content(&mut self, lex: &mut Lexer<'_>, character: char) -> State {
        let (start, end) = (self.reference, lex.mark());
        let after_cr = core::mem::replace(&mut self.dialect.after_cr, character == '\r');
        match character {
            '\n' | '\u{85}' if after_cr => self.remove_content(lex, start, end),
            '\r' | '\u{85}' | '\u{2028}' => self.replace_content(lex, start, end, '\n'),
            _ => self.replace_content(lex, start, end, character),
        }
        match self.dialect.after_cr {
            true => State::TextLineBreak,
            false => State::Text,
        }
    }
}
