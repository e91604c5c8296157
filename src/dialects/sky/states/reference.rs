//! States in character references.
//!
//! The *raw value* of the specification is the source text since the `&`. Here it is a range of the input: a sequence
//! that is not a reference is text, as written.

use crate::dialects::sky::errors;
use crate::dialects::sky::machine::{Lexer, SkyMachine};
use crate::dialects::sky::state::{Next, State};
use crate::engine::error::ErrorCode;
use crate::engine::text::xml_names;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{Byte, Eof},
};

impl SkyMachine {
    /// Starts a character reference at the `&` that was just consumed in `state`, which is the return state.
    #[inline(always)]
    pub(super) fn reference_from(&mut self, state: State, lex: &Lexer<'_>) -> State {
        self.start_reference(lex, state);
        State::CharacterReference
    }

    /// Implements the *character reference state*: reads the unit after `&`.
    pub(super) fn character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'#') => State::NumericCharacterReference,
            Byte(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => State::NamedCharacterReference,
            Byte(byte) => self.no_reference(lex, byte, errors::INVALID_REFERENCE),
            Eof => self.no_reference_at_end(lex, errors::INVALID_REFERENCE),
        })
    }

    /// Implements the *numeric character reference state*: reads the unit after `&#`.
    pub(super) fn numeric_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'x' | b'X') => State::BeforeHexadecimalNumericCharacterReference,
            Byte(byte) if self.number.push_decimal(byte) => State::DecimalNumericCharacterReference,
            Byte(byte) => self.no_reference(lex, byte, errors::MISSING_DIGITS),
            Eof => self.no_reference_at_end(lex, errors::MISSING_DIGITS),
        })
    }

    /// Implements the *before hexadecimal numeric character reference state*: reads the unit after `&#x`.
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

    /// Implements the *hexadecimal numeric character reference state*: reads a digit, or the end of the reference.
    pub(super) fn hexadecimal_numeric_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_hex(byte) => State::HexadecimalNumericCharacterReference,
            Byte(b';') => self.end_of_number(lex),
            Byte(byte) => self.no_reference(lex, byte, errors::MISSING_SEMICOLON),
            Eof => self.no_reference_at_end(lex, errors::MISSING_SEMICOLON),
        })
    }

    /// Implements the *decimal numeric character reference state*: reads a digit, or the end of the reference.
    pub(super) fn decimal_numeric_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_decimal(byte) => State::DecimalNumericCharacterReference,
            Byte(b';') => self.end_of_number(lex),
            Byte(byte) => self.no_reference(lex, byte, errors::MISSING_SEMICOLON),
            Eof => self.no_reference_at_end(lex, errors::MISSING_SEMICOLON),
        })
    }

    /// Implements the *named character reference state*: reads a character of the name, or the end of the reference.
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

    /// Reports that the characters since the `&` are not a reference; they become text (the specification's *emitting
    /// operation* for all but the last character of *raw value*). `byte`, which was consumed last, is handled in the
    /// return state.
    fn no_reference(&mut self, lex: &mut Lexer<'_>, byte: u8, code: ErrorCode) -> State {
        lex.report(code, self.reference, lex.mark() - 1);
        let state = self.returned_text();
        match (state, byte) {
            (State::Data, _) => return self.data_byte(lex, byte),
            (_, b'&') => return self.reference_from(state, lex),
            (State::UnquotedAttributeValue, b' ') => lex.back(),
            (_, b'"' | b'\'' | b'>' | b'\n' | b'\r' | 0) => lex.back(),
            // In every kind of value, such a character needs no further handling.
            _ => {}
        }
        state
    }

    /// Reports an unfinished reference at the end of the input; its characters become text.
    fn no_reference_at_end(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) -> State {
        lex.report(code, self.reference, lex.mark());
        self.returned_text()
    }

    /// Returns the state in which the `&` was found, and records that the string token contains more than whitespace.
    fn returned_text(&mut self) -> State {
        if self.return_state == State::Data {
            self.dialect.solid = true;
        }
        self.return_state
    }

    /// Handles a complete numeric reference.
    fn end_of_number(&mut self, lex: &mut Lexer<'_>) -> State {
        let character = self.number.character().filter(|&found| found != '\0');
        self.run_emitting_operation(lex, character)
    }

    /// Replaces the reference by `character`, or by U+FFFD with an error if that is `None` (the specification's
    /// *emitting operation*). Returns the return state.
    fn run_emitting_operation(&mut self, lex: &mut Lexer<'_>, character: Option<char>) -> State {
        let (start, end) = (self.reference, lex.mark());
        if character.is_none() {
            lex.report(errors::INVALID_CHARACTER_REFERENCE, start, end);
        }
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        let piece: &mut TextBuffer = if self.return_state == State::Data {
            self.dialect.solid |= !matches!(character, ' ' | '\n');
            &mut self.text
        } else {
            &mut self.value
        };
        lex.replace_by(piece, start, end, character);
        self.return_state
    }
}
