//! Character references, `NAMED_CHAR_REF` and `NUMERIC_CHAR_REF`. A sequence that turns out to be neither is text.

use crate::dialects::microxml::classes::NAME;
use crate::dialects::microxml::errors;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Next, State};
use crate::engine::input::BufferOffset;
use crate::engine::text::microxml_names::{
    is_name_byte, is_name_start_byte, is_strict_char, is_white_space,
};
use crate::engine::text::xml_names;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{Byte, Eof},
};

/// The names of characters that references can use.
const CHARACTER_NAMES: [&str; 5] = ["amp", "lt", "gt", "quot", "apos"];

impl MicroXmlMachine {
    /// Handles an `&` that was just consumed in the state `mode`, which continues after the reference.
    #[inline(always)]
    pub(super) fn reference_from(&mut self, mode: State, lex: &Lexer<'_>) -> State {
        self.start_reference(lex, mode);
        State::Reference
    }

    /// Reads the unit after `&`, or a whole reference with a known name.
    pub(super) fn reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        // PERF: most references have a known name and are not cut by the end of the window.
        for name in CHARACTER_NAMES {
            if lex.ahead_after(0, name.as_bytes(), b';') {
                lex.skip(name.len() + 1);
                return Some(self.whole_reference(lex, xml_names::predefined(name)));
            }
        }
        Some(match lex.next()? {
            Byte(b'#') => State::ReferenceNumber,
            Byte(byte) if is_name_start_byte(byte) => self.name_byte(lex, byte),
            Byte(byte) => self.no_reference(lex, byte),
            Eof => self.no_reference_at_end(lex),
        })
    }

    /// Reads the name of a reference (`NAMED_CHAR_REF`).
    pub(super) fn reference_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let watched = self.is_text_watched();
        if watched && !self.may_be_known(lex) {
            self.end_strict_text(lex, self.reference);
        }
        let unit = match self.is_text_watched() {
            true => lex.next()?,
            false => lex.until::<NAME>()?,
        };
        Some(match unit {
            Byte(byte) if is_name_byte(byte) => self.name_byte(lex, byte),
            Byte(b';') => {
                let name = lex.short(self.reference + 1, lex.mark() - 1, 4);
                let named = xml_names::predefined(&name);
                self.whole_reference(lex, named)
            }
            Byte(byte) => self.no_reference(lex, byte),
            Eof => self.no_reference_at_end(lex),
        })
    }

    /// Reads the unit after `&#`.
    pub(super) fn reference_number(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'x') => State::ReferenceHexNumber,
            Byte(byte) if self.dialect.is_final && self.number.push_decimal(byte) => {
                let at = lex.mark() - 1;
                self.refuse(lex, errors::INVALID_REFERENCE, at, at + 1);
                State::ReferenceDecimalNumber
            }
            Byte(byte) => self.no_reference(lex, byte),
            Eof => self.no_reference_at_end(lex),
        })
    }

    /// Reads the hexadecimal number of a reference (`NUMERIC_CHAR_REF`).
    pub(super) fn reference_hex_number(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_hex(byte) => {
                if self.is_text_watched() && !leads_to_character(self.number.value()) {
                    self.end_strict_text(lex, self.reference);
                }
                State::ReferenceHexNumber
            }
            Byte(b';') if self.number.digits() => self.whole_number(lex),
            Byte(byte) => self.no_reference(lex, byte),
            Eof => self.no_reference_at_end(lex),
        })
    }

    /// Final revision: reads the decimal number of a reference.
    pub(super) fn reference_decimal_number(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_decimal(byte) => State::ReferenceDecimalNumber,
            Byte(b';') => self.whole_number(lex),
            Byte(byte) => self.no_reference(lex, byte),
            Eof => self.no_reference_at_end(lex),
        })
    }

    /// Consumes the rest of a character of a name, whose first byte was just consumed.
    fn name_byte(&self, lex: &mut Lexer<'_>, byte: u8) -> State {
        if byte >= 0x80 {
            lex.wide();
        }
        State::ReferenceName
    }

    /// Returns true if the parse is strict and there is text before the reference. This text is emitted as soon as
    /// the reference is certainly invalid, so that the events do not depend on how the input is cut into chunks.
    fn is_text_watched(&self) -> bool {
        self.dialect.strict && self.return_state == State::Main && self.text.start < self.reference
    }

    /// Returns true if the name read so far is the beginning of a known name.
    fn may_be_known(&self, lex: &Lexer<'_>) -> bool {
        let (first, second) = lex.pieces(self.reference + 1, lex.mark());
        CHARACTER_NAMES.iter().any(|known| {
            known
                .strip_prefix(first)
                .is_some_and(|rest| rest.starts_with(second))
        })
    }

    /// Handles a complete numeric reference.
    fn whole_number(&mut self, lex: &mut Lexer<'_>) -> State {
        let character = match self.number.value() {
            0xD800..=0xDFFF => Some(char::REPLACEMENT_CHARACTER),
            _ => self.number.character(),
        };
        self.whole_reference(lex, character)
    }

    /// Handles an invalid reference before `byte`, which was consumed last: the characters since the `&` are text,
    /// and `byte` is read in the mode around the reference.
    fn no_reference(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let end = lex.mark() - 1;
        let mode = self.report_no_reference(lex, end);
        match (mode, byte) {
            (State::Main, _) => return self.main_byte(lex, byte),
            (_, b'&') => return self.reference_from(mode, lex),
            _ => lex.back(),
        }
        mode
    }

    /// Handles an invalid reference at the end of the input.
    fn no_reference_at_end(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.report_no_reference(lex, end)
    }

    /// Reports an invalid reference, which ends at offset `end`. Returns the state in which its `&` was found.
    fn report_no_reference(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) -> State {
        let start = self.reference;
        self.repair(lex, errors::INVALID_REFERENCE, start, end);
        if self.return_state == State::Main {
            self.solid(lex, start);
        }
        self.return_state
    }

    /// Handles a complete reference to `character`. If that is `None`, there is no character of this name or number,
    /// and the reference is text.
    fn whole_reference(&mut self, lex: &mut Lexer<'_>, character: Option<char>) -> State {
        let (start, end) = (self.reference, lex.mark());
        let code = errors::INVALID_CHARACTER_REFERENCE;
        let surrogate = (0xD800..0xE000).contains(&self.number.value());
        if character.is_none() || surrogate {
            self.repair(lex, code, start, end);
        } else if character.is_some_and(|character| !is_referable(character)) {
            self.refuse(lex, code, start, end);
        }
        let in_text = self.return_state == State::Main;
        // In strict parses, not even references to whitespace are allowed outside the root element.
        let white =
            character.is_some_and(|character| is_white_space(character) && !self.dialect.strict);
        if in_text && !white {
            self.solid(lex, start);
        }
        if let Some(character) = character {
            let piece: &mut TextBuffer = match in_text {
                true => &mut self.text,
                false => &mut self.value,
            };
            lex.replace_by(piece, start, end, character);
        }
        self.return_state
    }
}

/// Returns true if a strict document may refer to `character`. A CR is allowed only as part of a newline, not as a
/// reference.
fn is_referable(character: char) -> bool {
    is_strict_char(character) && character != '\r'
}

/// Returns true if `number`, or a number that starts with its hexadecimal digits, is that of a character to which a
/// strict document may refer.
fn leads_to_character(number: u32) -> bool {
    let is_meant = |number| char::from_u32(number).is_some_and(is_referable);
    // Three more digits are enough: among the numbers with these digits there is always a legal character, unless
    // all of them are too large.
    let longer = [0, 4, 8, 12].into_iter();
    longer
        .filter(|bits| number <= u32::from(char::MAX) >> bits)
        .map(|bits| (number << bits)..((number + 1) << bits))
        .any(|mut numbers| numbers.any(is_meant))
}

#[cfg(test)]
mod tests {
    use super::leads_to_character;

    #[test]
    fn beginnings_of_numbers() {
        for (number, expected) in [
            (0, true),
            (8, true),
            (0xD8, true),
            (0xD800, true),
            (0xFFFF, true),
            (0xFDD, true),
            (0xFDD0, true),
            (0x10F, true),
            (0x1_0FFF, true),
            (0xF_FFFF, false),
            (0x10_FFFE, false),
            (0x11_0000, false),
        ] {
            assert_eq!(leads_to_character(number), expected, "{number:X}");
        }
    }
}
