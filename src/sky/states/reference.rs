//! Character references. *Raw value* is what stands in the source since the `&`: what turns out to be
//! no reference is text as it was written.

use crate::error::ErrorCode;
use crate::lexer::{
    TextBuffer,
    Unit::{Byte, Eof},
};
use crate::sky::errors;
use crate::sky::machine::{Lexer, SkyMachine};
use crate::sky::state::{Next, State};
use crate::text::xml_names;

impl SkyMachine {
    /// A `&` was taken in this state, which is the return state.
    #[inline(always)]
    pub(super) fn reference_from(&mut self, state: State, lex: &Lexer<'_>) -> State {
        self.start_reference(lex, state);
        State::CharacterReference
    }

    /// Character reference state
    pub(super) fn character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'#') => State::NumericCharacterReference,
            Byte(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => State::NamedCharacterReference,
            Byte(byte) => self.no_reference(lex, byte, errors::INVALID_REFERENCE),
            Eof => self.no_reference_at_end(lex, errors::INVALID_REFERENCE),
        })
    }

    /// Numeric character reference state
    pub(super) fn numeric_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'x' | b'X') => State::BeforeHexadecimalNumericCharacterReference,
            Byte(byte) if self.number.push_decimal(byte) => State::DecimalNumericCharacterReference,
            Byte(byte) => self.no_reference(lex, byte, errors::MISSING_DIGITS),
            Eof => self.no_reference_at_end(lex, errors::MISSING_DIGITS),
        })
    }

    /// Before hexadecimal numeric character reference state
    pub(super) fn before_hexadecimal_numeric_character_reference(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_hex(byte) => State::HexadecimalNumericCharacterReference,
            Byte(byte) => self.no_reference(lex, byte, errors::MISSING_DIGITS),
            Eof => self.no_reference_at_end(lex, errors::MISSING_DIGITS),
        })
    }

    /// Hexadecimal numeric character reference state
    pub(super) fn hexadecimal_numeric_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_hex(byte) => State::HexadecimalNumericCharacterReference,
            Byte(b';') => self.end_of_number(lex),
            Byte(byte) => self.no_reference(lex, byte, errors::MISSING_SEMICOLON),
            Eof => self.no_reference_at_end(lex, errors::MISSING_SEMICOLON),
        })
    }

    /// Decimal numeric character reference state
    pub(super) fn decimal_numeric_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_decimal(byte) => State::DecimalNumericCharacterReference,
            Byte(b';') => self.end_of_number(lex),
            Byte(byte) => self.no_reference(lex, byte, errors::MISSING_SEMICOLON),
            Eof => self.no_reference_at_end(lex, errors::MISSING_SEMICOLON),
        })
    }

    /// Named character reference state
    pub(super) fn named_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b';') => {
                let name = lex.short(self.reference + 1, lex.mark() - 1, 4);
                let named = xml_names::predefined(&name);
                self.run_emitting_operation(lex, named)
            }
            Byte(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => State::NamedCharacterReference,
            Byte(byte) => self.no_reference(lex, byte, errors::MISSING_SEMICOLON),
            Eof => self.no_reference_at_end(lex, errors::MISSING_SEMICOLON),
        })
    }

    /// The emitting operation for all but the last character in *raw value*, which is consumed in the
    /// return state.
    fn no_reference(&mut self, lex: &mut Lexer<'_>, byte: u8, code: ErrorCode) -> State {
        lex.report(code, self.reference, lex.mark() - 1);
        let state = self.returned_text();
        match (state, byte) {
            (State::Data, _) => return self.data_byte(lex, byte),
            (_, b'&') => return self.reference_from(state, lex),
            (State::UnquotedAttributeValue, b' ') => lex.back(),
            (_, b'"' | b'\'' | b'>' | b'\n' | b'\r' | 0) => lex.back(),
            // To any value it is a character like others.
            _ => {}
        }
        state
    }

    fn no_reference_at_end(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) -> State {
        lex.report(code, self.reference, lex.mark());
        self.returned_text()
    }

    fn returned_text(&mut self) -> State {
        if self.return_state == State::Data {
            self.own.solid = true;
        }
        self.return_state
    }

    fn end_of_number(&mut self, lex: &mut Lexer<'_>) -> State {
        let character = self.number.character().filter(|&found| found != '\0');
        self.run_emitting_operation(lex, character)
    }

    /// The emitting operation for a character, or U+FFFD where the reference has none.
    fn run_emitting_operation(&mut self, lex: &mut Lexer<'_>, character: Option<char>) -> State {
        let (start, end) = (self.reference, lex.mark());
        if character.is_none() {
            lex.report(errors::INVALID_CHARACTER_REFERENCE, start, end);
        }
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        let piece: &mut TextBuffer = if self.return_state == State::Data {
            self.own.solid |= !matches!(character, ' ' | '\n');
            &mut self.text
        } else {
            &mut self.value
        };
        lex.replace_by(piece, start, end, character);
        self.return_state
    }
}
