//! Numeric character references: an accumulator that can be suspended after any digit, and the replacements that HTML
//! defines for some numbers.

use crate::engine::input::one_byte::windows_1252;

/// The number of a reference that is being read. It saturates after the last code point, so that any number of digits
/// is harmless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Number {
    /// The number read so far, at most [`OUT_OF_RANGE`].
    value: u32,
    digits: bool,
}

/// The value of all numbers greater than the last code point.
const OUT_OF_RANGE: u32 = char::MAX as u32 + 1;

impl Number {
    /// Appends a decimal digit. Returns false, without a change, if the byte is not one.
    pub(crate) const fn push_decimal(&mut self, byte: u8) -> bool {
        match byte {
            b'0'..=b'9' => self.push(10, byte - b'0'),
            _ => return false,
        }
        true
    }

    /// Appends a hexadecimal digit of either case. Returns false, without a change, if the byte is not one.
    pub(crate) const fn push_hex(&mut self, byte: u8) -> bool {
        match byte {
            b'0'..=b'9' => self.push(16, byte - b'0'),
            b'a'..=b'f' => self.push(16, byte - b'a' + 10),
            b'A'..=b'F' => self.push(16, byte - b'A' + 10),
            _ => return false,
        }
        true
    }

    /// Returns whether at least one digit was read.
    pub(crate) const fn digits(self) -> bool {
        self.digits
    }

    /// Returns the number, or 0x110000 if it is greater than the last code point.
    pub(crate) const fn value(self) -> u32 {
        self.value
    }

    /// Returns the character with this number, or `None` for surrogates and numbers that are out of range.
    pub(crate) const fn character(self) -> Option<char> {
        char::from_u32(self.value)
    }

    const fn push(&mut self, radix: u32, digit: u8) {
        let value = self.value * radix + digit as u32;
        self.value = if value < OUT_OF_RANGE {
            value
        } else {
            OUT_OF_RANGE
        };
        self.digits = true;
    }
}

/// A parse error of HTML about the number of a reference, with the standard's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberProblem {
    /// The parse error `null-character-reference`.
    Null,
    /// The parse error `character-reference-outside-unicode-range`.
    OutsideUnicodeRange,
    /// The parse error `surrogate-character-reference`.
    Surrogate,
    /// The parse error `noncharacter-character-reference`.
    Noncharacter,
    /// The parse error `control-character-reference`.
    Control,
}

/// HTML's "numeric character reference end state". Returns the character that replaces the reference, and the parse
/// error if there is one.
///
/// <https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state>
pub(crate) const fn html_value(number: Number) -> (char, Option<NumberProblem>) {
    let value = number.value();
    let Some(character) = char::from_u32(value) else {
        let problem = if value < OUT_OF_RANGE {
            NumberProblem::Surrogate
        } else {
            NumberProblem::OutsideUnicodeRange
        };
        return (char::REPLACEMENT_CHARACTER, Some(problem));
    };
    match character {
        '\0' => (char::REPLACEMENT_CHARACTER, Some(NumberProblem::Null)),
        '\t' | '\n' | '\u{C}' => (character, None),
        '\u{1}'..='\u{1F}' | '\u{7F}' => (character, Some(NumberProblem::Control)),
        '\u{80}'..='\u{9F}' => (windows_1252(value as u8), Some(NumberProblem::Control)),
        '\u{FDD0}'..='\u{FDEF}' => (character, Some(NumberProblem::Noncharacter)),
        _ if value & 0xFFFE == 0xFFFE => (character, Some(NumberProblem::Noncharacter)),
        _ => (character, None),
    }
}

/// Parses the number at the start of a value by HTML's "rules for parsing non-negative integers". Numbers that are
/// too large become `u64::MAX`.
pub(crate) fn non_negative_integer(value: &str) -> Option<u64> {
    let value = value.trim_start_matches(['\t', '\n', '\u{C}', '\r', ' ']);
    let digits = value.strip_prefix(['+', '-']).unwrap_or(value);
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let digits = &digits[..end.unwrap_or(digits.len())];
    let number = (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX));
    // A minus sign is only allowed before zero: `-0` is not negative.
    number.filter(|number| *number == 0 || !value.starts_with('-'))
}

crate::checkpoint::checkpointable! {
    struct Number { value, digits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    /// Accumulates all of `digits`, which are decimal or hexadecimal.
    fn number(digits: &str, hex: bool) -> Number {
        let mut number = Number::default();
        for byte in digits.bytes() {
            let taken = if hex {
                number.push_hex(byte)
            } else {
                number.push_decimal(byte)
            };
            assert!(taken, "{digits}");
        }
        number
    }

    impl NumberProblem {
        /// Returns the standard's name of the parse error.
        const fn as_str(self) -> &'static str {
            match self {
                Self::Null => "null-character-reference",
                Self::OutsideUnicodeRange => "character-reference-outside-unicode-range",
                Self::Surrogate => "surrogate-character-reference",
                Self::Noncharacter => "noncharacter-character-reference",
                Self::Control => "control-character-reference",
            }
        }
    }

    #[test]
    fn every_number_in_both_radixes_and_cases() {
        for value in 0..0x11_0100_u32 {
            let expected = value.min(0x11_0000);
            for (digits, hex) in [
                (format!("{value}"), false),
                (format!("{value:x}"), true),
                (format!("{value:X}"), true),
            ] {
                let number = number(&digits, hex);
                assert!(number.digits());
                assert_eq!(number.value(), expected, "{digits}");
                assert_eq!(number.character(), char::from_u32(value), "{digits}");
            }
        }
    }

    #[test]
    fn numbers_saturate() {
        for count in 1..200 {
            assert_eq!(
                number(&format!("9999999{:9<count$}", ""), false).value(),
                0x11_0000
            );
            assert_eq!(
                number(&format!("110000{:0<count$}", ""), true).value(),
                0x11_0000
            );
            assert_eq!(number(&format!("{:0<count$}65", ""), false).value(), 65);
        }
        assert_eq!(number("4294967296", false).value(), 0x11_0000);
        assert_eq!(number("100000041", true).value(), 0x11_0000);
    }

    #[test]
    fn other_bytes_change_nothing() {
        for byte in 0..=u8::MAX {
            for start in [Number::default(), number("12", false)] {
                let mut number = start;
                assert_eq!(number.push_decimal(byte), byte.is_ascii_digit(), "{byte}");
                assert_eq!(number == start, !byte.is_ascii_digit(), "{byte}");
                let mut number = start;
                assert_eq!(number.push_hex(byte), byte.is_ascii_hexdigit(), "{byte}");
                assert_eq!(number == start, !byte.is_ascii_hexdigit(), "{byte}");
            }
        }
        assert!(!Number::default().digits());
    }

    /// Computes the end state step by step in the standard's order, as the oracle. The table of windows-1252 comes from
    /// `encoding_rs`.
    fn naive_html_value(value: u32) -> (u32, Option<&'static str>) {
        if value == 0 {
            return (0xFFFD, Some("null-character-reference"));
        }
        if value > 0x10_FFFF {
            return (0xFFFD, Some("character-reference-outside-unicode-range"));
        }
        if (0xD800..=0xDFFF).contains(&value) {
            return (0xFFFD, Some("surrogate-character-reference"));
        }
        if (0xFDD0..=0xFDEF).contains(&value) || value % 0x1_0000 >= 0xFFFE {
            return (value, Some("noncharacter-character-reference"));
        }
        let control = value <= 0x1F || (0x7F..=0x9F).contains(&value);
        let ascii_white_space = [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(&value);
        if value == 0x0D || (control && !ascii_white_space) {
            let byte = [u8::try_from(value).unwrap()];
            let text = if value >= 0x80 {
                encoding_rs::WINDOWS_1252
                    .decode_without_bom_handling(&byte)
                    .0
            } else {
                alloc::borrow::Cow::Owned(format!("{}", char::from(byte[0])))
            };
            return (
                u32::from(text.chars().next().unwrap()),
                Some("control-character-reference"),
            );
        }
        (value, None)
    }

    #[test]
    fn non_negative_integers_are_the_standard_s() {
        let read = [
            ("1", 1),
            (" \n+12x", 12),
            ("-0", 0),
            ("99999999999999999999", u64::MAX),
        ];
        for (value, number) in read {
            assert_eq!(non_negative_integer(value), Some(number), "{value:?}");
        }
        for value in ["", "-1", "x1", "+", "\u{A0}1"] {
            assert_eq!(non_negative_integer(value), None, "{value:?}");
        }
    }

    #[test]
    fn html_values_are_the_standard_s() {
        for value in 0..=0x11_0000 {
            let (character, problem) = html_value(number(&format!("{value}"), false));
            let found = (u32::from(character), problem.map(NumberProblem::as_str));
            assert_eq!(found, naive_html_value(value), "{value:#X}");
        }
        assert_eq!(
            html_value(number("128", false)),
            ('€', Some(NumberProblem::Control))
        );
        assert_eq!(
            html_value(number("9f", true)),
            ('Ÿ', Some(NumberProblem::Control))
        );
    }
}
