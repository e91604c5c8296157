//! Character references. *Raw value* is what stands in the source since the `&`: what turns out to be
//! no reference is text as it was written.

use crate::error::Code;
use crate::event::record::{Piece, Queue};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::sky::errors;
use crate::sky::machine::{Cursor, SkyMachine};
use crate::sky::state::State;
use crate::text::numeric::Number;
use crate::text::xml_names;
use alloc::string::String;

impl SkyMachine {
    /// A `&` was taken in this state, which is the return state.
    #[inline(always)]
    pub(in crate::sky) fn reference_from(&mut self, state: State, input: &Cursor<'_>) -> State {
        self.return_state = state;
        self.reference = input.mark() - 1;
        self.number = Number::default();
        State::CharacterReference
    }

    /// Character reference state
    pub(in crate::sky) fn character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'#') => State::NumericCharacterReference,
            Byte(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => State::NamedCharacterReference,
            Byte(byte) => self.no_reference(input, out, byte, errors::INVALID_REFERENCE),
            Eof => self.no_reference_at_end(input, out, errors::INVALID_REFERENCE),
        })
    }

    /// Numeric character reference state
    pub(in crate::sky) fn numeric_character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'x' | b'X') => State::BeforeHexadecimalNumericCharacterReference,
            Byte(byte) if self.number.push_decimal(byte) => State::DecimalNumericCharacterReference,
            Byte(byte) => self.no_reference(input, out, byte, errors::MISSING_DIGITS),
            Eof => self.no_reference_at_end(input, out, errors::MISSING_DIGITS),
        })
    }

    /// Before hexadecimal numeric character reference state
    pub(in crate::sky) fn before_hexadecimal_numeric_character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if self.number.push_hex(byte) => State::HexadecimalNumericCharacterReference,
            Byte(byte) => self.no_reference(input, out, byte, errors::MISSING_DIGITS),
            Eof => self.no_reference_at_end(input, out, errors::MISSING_DIGITS),
        })
    }

    /// Hexadecimal numeric character reference state
    pub(in crate::sky) fn hexadecimal_numeric_character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if self.number.push_hex(byte) => State::HexadecimalNumericCharacterReference,
            Byte(b';') => self.end_of_number(input, out),
            Byte(byte) => self.no_reference(input, out, byte, errors::MISSING_SEMICOLON),
            Eof => self.no_reference_at_end(input, out, errors::MISSING_SEMICOLON),
        })
    }

    /// Decimal numeric character reference state
    pub(in crate::sky) fn decimal_numeric_character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if self.number.push_decimal(byte) => State::DecimalNumericCharacterReference,
            Byte(b';') => self.end_of_number(input, out),
            Byte(byte) => self.no_reference(input, out, byte, errors::MISSING_SEMICOLON),
            Eof => self.no_reference_at_end(input, out, errors::MISSING_SEMICOLON),
        })
    }

    /// Named character reference state
    pub(in crate::sky) fn named_character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b';') => {
                let (start, end) = (self.reference + 1, input.mark() - 1);
                let named = match end - start {
                    0..=4 => {
                        let (first, second) = input.pieces(&out.carry, start, end);
                        xml_names::predefined(&String::from_iter([first, second]))
                    }
                    _ => None,
                };
                self.run_emitting_operation(input, out, named)
            }
            Byte(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => State::NamedCharacterReference,
            Byte(byte) => self.no_reference(input, out, byte, errors::MISSING_SEMICOLON),
            Eof => self.no_reference_at_end(input, out, errors::MISSING_SEMICOLON),
        })
    }

    /// The emitting operation for all but the last character in *raw value*, which is consumed in the
    /// return state.
    fn no_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
        code: Code,
    ) -> State {
        out.report(input, code, self.reference, input.mark() - 1);
        let state = self.returned_text();
        match (state, byte) {
            (State::Data, _) => return self.data_byte(input, out, byte),
            (_, b'&') => return self.reference_from(state, input),
            (State::UnquotedAttributeValue, b' ') => input.back(),
            (_, b'"' | b'\'' | b'>' | b'\n' | b'\r' | 0) => input.back(),
            // To any value it is a character like others.
            _ => {}
        }
        state
    }

    fn no_reference_at_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        code: Code,
    ) -> State {
        out.report(input, code, self.reference, input.mark());
        self.returned_text()
    }

    fn returned_text(&mut self) -> State {
        if self.return_state == State::Data {
            self.solid = true;
        }
        self.return_state
    }

    fn end_of_number(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let character = self.number.character().filter(|&found| found != '\0');
        self.run_emitting_operation(input, out, character)
    }

    /// The emitting operation for a character, or U+FFFD where the reference has none.
    fn run_emitting_operation(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        character: Option<char>,
    ) -> State {
        let (start, end) = (self.reference, input.mark());
        if character.is_none() {
            out.report(input, errors::INVALID_CHARACTER_REFERENCE, start, end);
        }
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        let piece: &mut Piece = if self.return_state == State::Data {
            self.solid |= !matches!(character, ' ' | '\n');
            &mut self.text
        } else {
            &mut self.value
        };
        let mut buffer = [0; 4];
        let meant = &*character.encode_utf8(&mut buffer);
        piece.replace(*input, out, start, end, meant);
        self.return_state
    }
}
