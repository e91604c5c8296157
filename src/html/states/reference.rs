//! Character references. What turns out not to be one is text, as written.

use crate::event::record::{Piece, Queue};
use crate::html::errors;
use crate::html::machine::{Cursor, HtmlMachine};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};
use crate::text::html_names::{Expansion, Match};
use crate::text::numeric::{Number, NumberProblem, html_value};

impl HtmlMachine {
    /// A `&` was taken in this state.
    #[inline(always)]
    pub(in crate::html) fn reference_from(&mut self, state: State, input: &Cursor<'_>) -> State {
        self.return_state = state;
        self.reference = input.mark() - 1;
        State::CharacterReference
    }

    /// Character reference state
    pub(in crate::html) fn character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        _: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte.is_ascii_alphanumeric() => {
                self.named = Match::new();
                input.back();
                State::NamedCharacterReference
            }
            Byte(b'#') => {
                self.number = Number::default();
                State::NumericCharacterReference
            }
            unit => self.return_with(input, unit),
        })
    }

    /// Named character reference state
    ///
    /// What was taken beyond the longest name is letters and digits, which mean themselves in every
    /// return state: nothing is read again.
    pub(in crate::html) fn named_character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        if let Byte(byte) = unit
            && self.named.step(byte)
        {
            if self.named.can_continue() {
                return Some(State::NamedCharacterReference);
            }
        } else if unit != Eof {
            input.back();
        }
        let Some((length, expansion)) = self.named.longest() else {
            return Some(State::AmbiguousAmpersand);
        };
        let end = self.reference + 1 + length as u32;
        if !self.named.ends_with_semicolon() {
            let goes_on = self.named.taken() > length
                || matches!(unit, Byte(byte) if byte == b'=' || byte.is_ascii_alphanumeric());
            if self.is_in_attribute() && goes_on {
                return Some(self.return_state);
            }
        }
        let missing = !self.named.ends_with_semicolon();
        self.expand(input, out, end, expansion);
        if missing {
            let code = errors::MISSING_SEMICOLON_AFTER_CHARACTER_REFERENCE;
            let width = u32::from(self.named.taken() > length || unit != Eof);
            self.error(input, out, code, end, end + width);
        }
        Some(self.return_state)
    }

    /// The reference that ends at the mark `end` means one or two characters.
    fn expand(&mut self, input: &Cursor<'_>, out: &mut Queue, end: u32, meant: Expansion) {
        let mut buffer = [0; 8];
        let mut length = meant.first.encode_utf8(&mut buffer).len();
        if let Some(second) = meant.second {
            length += second.encode_utf8(&mut buffer[length..]).len();
        }
        let meant = core::str::from_utf8(&buffer[..length]).unwrap_or_default();
        let start = self.reference;
        self.referring().replace(*input, out, start, end, meant);
    }

    /// Ambiguous ampersand state
    pub(in crate::html) fn ambiguous_ampersand(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        if let Byte(byte) = unit
            && byte.is_ascii_alphanumeric()
        {
            return Some(State::AmbiguousAmpersand);
        }
        if unit == Byte(b';') {
            let code = errors::UNKNOWN_NAMED_CHARACTER_REFERENCE;
            self.error_at(input, out, code, unit);
        }
        Some(self.return_with(input, unit))
    }

    /// Numeric character reference state
    pub(in crate::html) fn numeric_character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'x' | b'X') => State::HexadecimalCharacterReferenceStart,
            Byte(byte) if self.number.push_decimal(byte) => State::DecimalCharacterReference,
            unit => self.no_digits(input, out, unit),
        })
    }

    /// Hexadecimal character reference start state
    pub(in crate::html) fn hexadecimal_character_reference_start(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if self.number.push_hex(byte) => State::HexadecimalCharacterReference,
            unit => self.no_digits(input, out, unit),
        })
    }

    /// Hexadecimal character reference state
    pub(in crate::html) fn hexadecimal_character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if self.number.push_hex(byte) => State::HexadecimalCharacterReference,
            unit => self.numeric_character_reference_end(input, out, unit),
        })
    }

    /// Decimal character reference state
    pub(in crate::html) fn decimal_character_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if self.number.push_decimal(byte) => State::DecimalCharacterReference,
            unit => self.numeric_character_reference_end(input, out, unit),
        })
    }

    /// Numeric character reference end state, which takes no input: `unit` ended the digits.
    fn numeric_character_reference_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        let is_closed = unit == Byte(b';');
        let end = input.mark() - u32::from(unit != Eof && !is_closed);
        let (character, problem) = html_value(self.number);
        let mut buffer = [0; 4];
        let meant = &*character.encode_utf8(&mut buffer);
        let start = self.reference;
        self.referring().replace(*input, out, start, end, meant);
        if !is_closed {
            let code = errors::MISSING_SEMICOLON_AFTER_CHARACTER_REFERENCE;
            self.error_at(input, out, code, unit);
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
            // The place is that of the character after the reference.
            self.error(input, out, code, end, end);
        }
        if is_closed || unit == Eof {
            self.return_state
        } else {
            self.return_with(input, unit)
        }
    }

    fn no_digits(&mut self, input: &mut Cursor<'_>, out: &mut Queue, unit: Unit) -> State {
        let code = errors::ABSENCE_OF_DIGITS_IN_NUMERIC_CHARACTER_REFERENCE;
        self.error_at(input, out, code, unit);
        self.return_with(input, unit)
    }

    /// `unit` is reconsumed in the return state.
    fn return_with(&mut self, input: &mut Cursor<'_>, unit: Unit) -> State {
        if unit != Eof {
            input.back();
        }
        self.return_state
    }

    fn is_in_attribute(&self) -> bool {
        !matches!(self.return_state, State::Data | State::Rcdata)
    }

    /// The string that the reference is part of.
    fn referring(&mut self) -> &mut Piece {
        if self.is_in_attribute() {
            &mut self.string
        } else {
            &mut self.text
        }
    }
}
