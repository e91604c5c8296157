//! Character references: `NAMED_CHAR_REF` and `NUMERIC_CHAR_REF`. What turns out to be neither is data.

use crate::input::Mark;
use crate::lexer::{
    TextBuffer,
    Unit::{Byte, Eof},
};
use crate::microxml::classes::NAME;
use crate::microxml::errors;
use crate::microxml::machine::{Lexer, MicroXmlMachine};
use crate::microxml::state::{Next, State};
use crate::text::microxml_names::{
    is_name_byte, is_name_start_byte, is_strict_char, is_white_space,
};
use crate::text::xml_names;

/// The names of characters.
const KNOWN: [&str; 5] = ["amp", "lt", "gt", "quot", "apos"];

impl MicroXmlMachine {
    /// A `&` was taken in this mode.
    #[inline(always)]
    pub(super) fn reference_from(&mut self, mode: State, lex: &Lexer<'_>) -> State {
        self.start_reference(lex, mode);
        State::Reference
    }

    /// Not in the document: after `&`.
    pub(super) fn reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        // Most references are known ones, and whole in the window.
        for name in KNOWN {
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

    /// Not in the document: in the `NAME` of `NAMED_CHAR_REF`.
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

    /// Not in the document: after `&#`.
    pub(super) fn reference_number(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'x') => State::ReferenceHexNumber,
            Byte(byte) if self.own.is_final && self.number.push_decimal(byte) => {
                let at = lex.mark() - 1;
                self.refuse(lex, errors::INVALID_REFERENCE, at, at + 1);
                State::ReferenceDecimalNumber
            }
            Byte(byte) => self.no_reference(lex, byte),
            Eof => self.no_reference_at_end(lex),
        })
    }

    /// Not in the document: in the `HEX_NUMBER` of `NUMERIC_CHAR_REF`.
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

    /// Final revision: in a decimal `NUMERIC_CHAR_REF`.
    pub(super) fn reference_decimal_number(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_decimal(byte) => State::ReferenceDecimalNumber,
            Byte(b';') => self.whole_number(lex),
            Byte(byte) => self.no_reference(lex, byte),
            Eof => self.no_reference_at_end(lex),
        })
    }

    /// The first byte of a character of a name was taken.
    fn name_byte(&self, lex: &mut Lexer<'_>, byte: u8) -> State {
        if byte >= 0x80 {
            lex.wide();
        }
        State::ReferenceName
    }

    /// Whether text before the reference is to be handed out once the reference is certainly wrong,
    /// which ends a strict parse.
    fn is_text_watched(&self) -> bool {
        self.own.strict && self.return_state == State::Main && self.text.start < self.reference
    }

    /// Whether the name read so far is the beginning of a known one.
    fn may_be_known(&self, lex: &Lexer<'_>) -> bool {
        let (first, second) = lex.pieces(self.reference + 1, lex.mark());
        KNOWN.iter().any(|known| {
            known
                .strip_prefix(first)
                .is_some_and(|rest| rest.starts_with(second))
        })
    }

    fn whole_number(&mut self, lex: &mut Lexer<'_>) -> State {
        let character = match self.number.value() {
            0xD800..=0xDFFF => Some(char::REPLACEMENT_CHARACTER),
            _ => self.number.character(),
        };
        self.whole_reference(lex, character)
    }

    /// What was read since the `&` is data; the byte taken last is read in the mode before.
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

    fn no_reference_at_end(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.report_no_reference(lex, end)
    }

    fn report_no_reference(&mut self, lex: &mut Lexer<'_>, end: Mark) -> State {
        let start = self.reference;
        self.repair(lex, errors::INVALID_REFERENCE, start, end);
        if self.return_state == State::Main {
            self.solid(lex, start);
        }
        self.return_state
    }

    /// A reference is whole. If there is no character of that name or number, it is data.
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
        // Strictly, not even white space may be referred to outside the root element.
        let white =
            character.is_some_and(|character| is_white_space(character) && !self.own.strict);
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

/// Whether a strict document may refer to the character: a CR is one only as a line end, as written.
fn is_referable(character: char) -> bool {
    is_strict_char(character) && character != '\r'
}

/// Whether this number, or one that it begins in hexadecimal digits, is that of a character which may
/// stand in MicroXML.
fn leads_to_character(number: u32) -> bool {
    let is_meant = |number| char::from_u32(number).is_some_and(is_referable);
    // With three digits more there is always one, or the number is too large.
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
