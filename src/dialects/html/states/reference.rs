//! The states of character references. A `&` that does not start a reference is text, and so are the characters after
//! it.

use crate::dialects::html::errors;
use crate::dialects::html::machine::{HtmlMachine, Lexer, reconsume};
use crate::dialects::html::state::{Next, State};
use crate::engine::input::BufferOffset;
use crate::engine::text::html_references::{Expansion, Match};
use crate::engine::text::numeric::{NumberProblem, html_value};
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{self, Byte, Eof},
};

/// The names of the most frequent character references, with the characters that they denote.
const COMMON: [(&str, &str); 5] = [
    ("amp;", "&"),
    ("lt;", "<"),
    ("gt;", ">"),
    ("quot;", "\""),
    ("nbsp;", "\u{A0}"),
];

/// Returns the frequent reference whose first letter was just consumed and whose other characters are at the start of
/// `rest`, if there is one.
///
/// PERF: a page full of these references takes 10 % less time than with a search in the table of all names.
#[inline]
fn common(first: u8, rest: &str) -> Option<(&'static str, &'static str)> {
    let known = COMMON
        .iter()
        .find(|(name, _)| name.as_bytes()[0] == first)?;
    rest.starts_with(&known.0[1..]).then_some(*known)
}

impl HtmlMachine {
    /// Starts a character reference whose `&` was just consumed in `state`.
    #[inline(always)]
    pub(super) fn reference_from(&mut self, lex: &Lexer<'_>, state: State) -> State {
        self.start_reference(lex, state);
        State::CharacterReference
    }

    /// Implements the *character reference state*: after `&`.
    pub(super) fn character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            unit @ Byte(byte) if byte.is_ascii_alphanumeric() => {
                if let Some((name, meant)) = common(byte, lex.rest()) {
                    lex.skip(name.len() - 1);
                    let (start, end) = (self.reference, lex.mark());
                    lex.replace(self.referring(), start, end, meant);
                    return Some(self.return_state);
                }
                self.dialect.named = Match::new();
                match self.dialect.named.step(byte) {
                    true => State::NamedCharacterReference,
                    false => reconsume(lex, unit, State::AmbiguousAmpersand),
                }
            }
            Byte(b'#') => State::NumericCharacterReference,
            unit => reconsume(lex, unit, self.return_state),
        })
    }

    /// Implements the *named character reference state*: after `&` and the first character of a name.
    ///
    /// The characters that were consumed after the longest matching name are letters and digits. In every return state
    /// these are ordinary characters, so they need not be read again. Only the last unit is reconsumed.
    pub(super) fn named_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        let mut unit = lex.next()?;
        while matches!(unit, Byte(byte) if self.dialect.named.step(byte))
            && self.dialect.named.can_continue()
        {
            unit = lex.next()?;
        }
        let Some((length, expansion)) = self.dialect.named.longest() else {
            return Some(reconsume(lex, unit, State::AmbiguousAmpersand));
        };
        let end = self.reference + 1 + length as u32;
        if self.dialect.named.ends_with_semicolon() {
            self.expand(lex, end, expansion);
            return Some(self.return_state);
        }
        let is_longer = self.dialect.named.taken() > length;
        let is_part_of_more =
            is_longer || matches!(unit, Byte(byte) if byte == b'=' || byte.is_ascii_alphanumeric());
        if !(self.is_in_attribute() && is_part_of_more) {
            self.expand(lex, end, expansion);
            let code = errors::MISSING_SEMICOLON_AFTER_CHARACTER_REFERENCE;
            self.split_in_reference(lex, end);
            if is_longer {
                self.error(lex, code, end, end + 1);
            } else {
                self.error_at(lex, code, unit);
            }
        }
        Some(reconsume(lex, unit, self.return_state))
    }

    /// Replaces the reference that ends at the offset `end` by one or two characters.
    fn expand(&mut self, lex: &mut Lexer<'_>, end: BufferOffset, meant: Expansion) {
        let start = self.reference;
        lex.replace_by(self.referring(), start, end, meant.first);
        if let Some(second) = meant.second {
            lex.replace_by(self.referring(), end, end, second);
        }
    }

    /// Implements the *ambiguous ampersand state*: after `&` and letters or digits that are not a known name.
    pub(super) fn ambiguous_ampersand(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        if matches!(unit, Byte(byte) if byte.is_ascii_alphanumeric()) {
            return Some(State::AmbiguousAmpersand);
        }
        if unit == Byte(b';') {
            let code = errors::UNKNOWN_NAMED_CHARACTER_REFERENCE;
            self.split_in_reference(lex, lex.mark() - 1);
            self.error_at(lex, code, unit);
        }
        Some(reconsume(lex, unit, self.return_state))
    }

    /// Implements the *numeric character reference state*: after `&#`.
    pub(super) fn numeric_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'x' | b'X') => State::HexadecimalCharacterReferenceStart,
            Byte(byte) if self.number.push_decimal(byte) => State::DecimalCharacterReference,
            unit => self.no_digits(lex, unit),
        })
    }

    /// Implements the *hexadecimal character reference start state*: after `&#x`.
    pub(super) fn hexadecimal_character_reference_start(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_hex(byte) => State::HexadecimalCharacterReference,
            unit => self.no_digits(lex, unit),
        })
    }

    /// Implements the *hexadecimal character reference state*: in a hexadecimal reference, after `&#x` and a digit.
    pub(super) fn hexadecimal_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_hex(byte) => State::HexadecimalCharacterReference,
            unit => self.numeric_character_reference_end(lex, unit),
        })
    }

    /// Implements the *decimal character reference state*: in a decimal reference, after `&#` and a digit.
    pub(super) fn decimal_character_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if self.number.push_decimal(byte) => State::DecimalCharacterReference,
            unit => self.numeric_character_reference_end(lex, unit),
        })
    }

    /// Implements the *numeric character reference end state*, which consumes no input. `unit` is the unit after the
    /// digits.
    fn numeric_character_reference_end(&mut self, lex: &mut Lexer<'_>, unit: Unit) -> State {
        let is_closed = unit == Byte(b';');
        let end = lex.mark() - u32::from(unit != Eof && !is_closed);
        let (character, problem) = html_value(self.number);
        let start = self.reference;
        lex.replace_by(self.referring(), start, end, character);
        if !is_closed || problem.is_some() {
            self.split_in_reference(lex, end);
        }
        if !is_closed {
            let code = errors::MISSING_SEMICOLON_AFTER_CHARACTER_REFERENCE;
            self.error_at(lex, code, unit);
        }
        if let Some(problem) = problem {
            let code = match problem {
                NumberProblem::Null => errors::NULL_CHARACTER_REFERENCE,
                NumberProblem::OutsideUnicodeRange => {
                    errors::CHARACTER_REFERENCE_OUTSIDE_UNICODE_RANGE
                }
                NumberProblem::Surrogate => errors::SURROGATE_CHARACTER_REFERENCE,
                NumberProblem::Noncharacter => errors::NONCHARACTER_CHARACTER_REFERENCE,
                NumberProblem::Control => errors::CONTROL_CHARACTER_REFERENCE,
            };
            // The position of this error is the character after the reference.
            self.error(lex, code, end, end);
        }
        if is_closed {
            self.return_state
        } else {
            reconsume(lex, unit, self.return_state)
        }
    }

    fn no_digits(&mut self, lex: &mut Lexer<'_>, unit: Unit) -> State {
        let code = errors::ABSENCE_OF_DIGITS_IN_NUMERIC_CHARACTER_REFERENCE;
        self.split_in_reference(lex, lex.mark() - u32::from(unit != Eof));
        self.error_at(lex, code, unit);
        reconsume(lex, unit, self.return_state)
    }

    /// Called before an error of a reference at the offset `at`: see [`split_before_error`](Self::split_before_error).
    fn split_in_reference(&mut self, lex: &mut Lexer<'_>, at: BufferOffset) {
        if !self.is_in_attribute() {
            self.split_before_error(lex, at);
        }
    }

    fn is_in_attribute(&self) -> bool {
        !matches!(self.return_state, State::Data | State::Rcdata)
    }

    /// Returns the string that contains the reference: the attribute value or the run of text.
    fn referring(&mut self) -> &mut TextBuffer {
        if self.is_in_attribute() {
            &mut self.value
        } else {
            &mut self.text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMON, Match};
    use alloc::string::String;

    /// Checks that the frequent names denote the same characters in the table of all names.
    #[test]
    fn common_names_are_in_the_table() {
        for (name, meant) in COMMON {
            let mut named = Match::new();
            assert!(name.bytes().all(|byte| named.step(byte)), "{name}");
            let (length, expansion) = named.longest().unwrap();
            let characters = [Some(expansion.first), expansion.second];
            let expanded: String = characters.into_iter().flatten().collect();
            assert_eq!((length, &*expanded), (name.len(), meant));
        }
    }
}
