//! References, which XML-ER does not define: numeric references, predefined entities, and the names of other
//! entities.
//!
//! These states read a reference up to its `;`. A sequence that turns out not to be a reference is text, as written.
//! `entities.rs` handles references to entities that are not predefined.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{Lexer, NAME, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::error::ErrorCode;
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::text::numeric::Number;
use crate::engine::text::xml_names;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{self, Byte, Eof},
};
use alloc::string::String;

/// Maximum length in bytes of a name that is compared with the known entity names after each of its characters. The
/// limit bounds the work per byte.
const MAX_COMPARED_NAME_BYTES: usize = 64;

impl XmlMachine {
    /// Handles an `&` that was just consumed in `state`: returns the state that reads the reference.
    #[inline(always)]
    pub(in crate::dialects::xml) fn reference_from(
        &mut self,
        state: State,
        lex: &Lexer<'_>,
    ) -> State {
        self.begin_reference(state, lex.mark() - 1);
        State::Reference
    }

    /// Remembers that a reference may begin at offset `mark`, and that `state` continues after it.
    #[inline(always)]
    pub(in crate::dialects::xml) fn begin_reference(&mut self, state: State, mark: BufferOffset) {
        self.return_state = state;
        self.reference = mark;
        self.dialect.colon_in_reference = None;
    }

    /// Handles `character`, at offset `mark`, in the name of the current reference. If it is the first colon, stores
    /// its distance from the start of the reference.
    #[inline(always)]
    pub(in crate::dialects::xml) fn in_reference_name(
        &mut self,
        character: char,
        mark: BufferOffset,
    ) {
        if character == ':' {
            self.dialect
                .colon_in_reference
                .get_or_insert(mark - self.reference);
        }
    }

    /// Our own state: reads the unit after `&`.
    pub(in crate::dialects::xml) fn reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'#') => {
                self.number = Number::default();
                State::ReferenceNumber
            }
            Byte(byte) => {
                let (character, mark, _) = lex.character(byte);
                if xml_names::is_name_start_char(character) {
                    self.in_reference_name(character, mark);
                    State::ReferenceName
                } else {
                    lex.back_to(mark);
                    self.no_reference(lex, errors::INVALID_REFERENCE)
                }
            }
            Eof => self.no_reference(lex, errors::INVALID_REFERENCE),
        })
    }

    /// Our own state: reads the name of an entity reference.
    pub(in crate::dialects::xml) fn reference_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        if self.ends_strict_text(lex) {
            self.end_text_before(lex, self.reference);
            self.text = TextBuffer::at(self.reference);
        }
        let watch = self.dialect.options.is_strict() && self.text.start < self.reference;
        let unit = if watch {
            lex.next()?
        } else {
            lex.until::<NAME>()?
        };
        Some(match unit {
            Byte(b';') => self.named_reference(lex),
            Byte(byte) => {
                let (character, mark, _) = lex.character(byte);
                if xml_names::is_name_char(character) {
                    self.in_reference_name(character, mark);
                    State::ReferenceName
                } else {
                    lex.back_to(mark);
                    self.no_reference(lex, errors::MISSING_SEMICOLON)
                }
            }
            Eof => self.no_reference(lex, errors::MISSING_SEMICOLON),
        })
    }

    /// Our own state: reads the unit after `&#`.
    pub(in crate::dialects::xml) fn reference_number(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'x') => State::ReferenceHexadecimal,
            Byte(byte) if self.number.push_decimal(byte) => State::ReferenceDecimal,
            unit => self.no_reference_before(lex, unit, errors::MISSING_DIGITS),
        })
    }

    /// Our own state: reads a decimal number, after `&#` and a digit.
    pub(in crate::dialects::xml) fn reference_decimal(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b';') => self.numeric_reference(lex),
            Byte(byte) if self.number.push_decimal(byte) => State::ReferenceDecimal,
            unit => self.no_reference_before(lex, unit, errors::MISSING_SEMICOLON),
        })
    }

    /// Our own state: reads a hexadecimal number, after `&#x`.
    pub(in crate::dialects::xml) fn reference_hexadecimal(&mut self, lex: &mut Lexer<'_>) -> Next {
        let missing = match self.number.digits() {
            true => errors::MISSING_SEMICOLON,
            false => errors::MISSING_DIGITS,
        };
        Some(match lex.next()? {
            Byte(b';') if self.number.digits() => self.numeric_reference(lex),
            Byte(byte) if self.number.push_hex(byte) => State::ReferenceHexadecimal,
            unit => self.no_reference_before(lex, unit, missing),
        })
    }

    /// Returns true if the text before the `&` should be emitted now, although the reference is incomplete.
    ///
    /// A strict parse stops at a reference to an unknown entity, or emits an event for a skipped one. Either way the
    /// run of text ends before the `&`. This function detects that as soon as no known entity name starts with the
    /// characters read so far, so that the events do not depend on how the input is cut into chunks.
    fn ends_strict_text(&self, lex: &Lexer<'_>) -> bool {
        let in_text = self.return_state == State::Data && self.text.start < self.reference;
        if !self.dialect.options.is_strict() || !in_text {
            return false;
        }
        let (first, second) = lex.pieces(self.reference + 1, lex.mark());
        let length = first.len() + second.len();
        let known = ["amp", "lt", "gt", "quot", "apos"];
        let name = || first.bytes().chain(second.bytes());
        let begins =
            |known: &&str| length <= known.len() && known.bytes().zip(name()).all(|(a, b)| a == b);
        if known.iter().any(begins) {
            return false;
        }
        if length > MAX_COMPARED_NAME_BYTES {
            return true;
        }
        let begins = |beginning: &str| {
            self.dialect.dtd.declarations.begins_general(beginning)
                || self.dialect.options.registered().begins(beginning)
        };
        match first {
            "" => !begins(second),
            _ => !begins(&[first, second].concat()),
        }
    }

    /// Reports that the characters since the `&` are not a reference; they become text. Returns the state in which
    /// the `&` was found, which reads the next unit.
    fn no_reference(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) -> State {
        let (start, end) = (self.reference, lex.mark());
        self.error(lex, code, start, end);
        if self.is_in_literal() {
            self.push_written(lex, start, end);
        }
        self.return_state
    }

    /// Like [`no_reference`](Self::no_reference), for a unit that was consumed already and has to be read again.
    fn no_reference_before(&mut self, lex: &mut Lexer<'_>, unit: Unit, code: ErrorCode) -> State {
        if unit != Eof {
            lex.back();
        }
        self.no_reference(lex, code)
    }

    /// Returns true if the reference is in the value of an entity declaration, where entity references are stored
    /// without being expanded.
    fn is_in_entity_value(&self) -> bool {
        matches!(
            self.return_state,
            State::DoctypeEntityValueDoubleQuoted | State::DoctypeEntityValueSingleQuoted
        )
    }

    /// Returns true if the reference is in a literal of a declaration: the value of an entity or the default value of
    /// an attribute.
    fn is_in_literal(&self) -> bool {
        self.is_in_entity_value()
            || matches!(
                self.return_state,
                State::DoctypeAttlistAttributeValueDoubleQuoted
                    | State::DoctypeAttlistAttributeValueSingleQuoted
            )
    }

    /// Replaces the reference in `start..end` by `meant`, in the string that contains it.
    fn refer(&mut self, lex: &mut Lexer<'_>, start: BufferOffset, end: BufferOffset, meant: &str) {
        if self.is_in_literal() {
            self.push_meant(meant);
        } else {
            lex.replace(self.referring(), start, end, meant);
        }
    }

    /// Returns the string that contains the reference: the run of text or the value.
    fn referring(&mut self) -> &mut TextBuffer {
        if self.return_state == State::Data {
            &mut self.text
        } else {
            &mut self.value
        }
    }

    /// Handles a complete numeric reference. A character that XML does not allow is reported and becomes U+FFFD.
    fn numeric_reference(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.reference, lex.mark());
        let legal = self
            .number
            .character()
            .filter(|&character| self.is_char(character));
        let character = legal.unwrap_or(char::REPLACEMENT_CHARACTER);
        if legal.is_none() {
            self.error(lex, errors::ILLEGAL_REFERENCED_CHARACTER, start, end);
        }
        let mut buffer = [0; 4];
        let meant = &*character.encode_utf8(&mut buffer);
        self.refer(lex, start, end, meant);
        self.return_state
    }

    /// Handles a complete reference with a name: expands a predefined entity, or looks up another one.
    fn named_reference(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.reference, lex.mark());
        let (first, second) = lex.pieces(start + 1, end - 1);
        let predefined = if first.is_empty() {
            xml_names::predefined(second)
        } else {
            // The name is cut by the end of a chunk. No predefined name is longer than four bytes.
            let pieces = [first, second];
            let short = first.len() + second.len() <= 4;
            short
                .then(|| pieces.concat())
                .and_then(|name: String| xml_names::predefined(&name))
        };
        if let Some(character) = predefined
            && !self.is_in_entity_value()
        {
            let mut buffer = [0; 4];
            let meant = &*character.encode_utf8(&mut buffer);
            self.refer(lex, start, end, meant);
            return self.return_state;
        }
        self.check_entity_name(lex);
        if lex.out.fatal.is_some() {
            return self.return_state;
        }
        if self.is_in_entity_value() {
            self.push_written(lex, start, end);
            return self.return_state;
        }
        self.entity_reference(lex, start, end)
    }

    /// Reports a colon in the name of the current reference, if namespaces are on.
    pub(in crate::dialects::xml) fn check_entity_name(&mut self, lex: &mut Lexer<'_>) {
        if let Some(distance) = self.dialect.colon_in_reference
            && self.dialect.options.has_namespaces()
        {
            let colon = self.reference + distance;
            self.error(lex, errors::COLON_IN_NAME, colon, colon + 1);
        }
    }

    /// Handles the reference in `start..end` to an entity that is not predefined.
    #[cold]
    fn entity_reference(
        &mut self,
        lex: &mut Lexer<'_>,
        start: BufferOffset,
        end: BufferOffset,
    ) -> State {
        if (end - start - 2) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, start + 1, end - 1);
            return self.return_state;
        }
        let mut name = String::new();
        // If the name is longer than every known name, the name is not copied. The empty string is unknown too.
        if (end - start - 2) as usize <= self.longest_entity_name() {
            let (first, second) = lex.pieces(start + 1, end - 1);
            name.push_str(first);
            name.push_str(second);
            lex.out.work.compared += name.len() as u64;
        }
        if self.return_state == State::Data {
            return self.content_entity(lex, &name, start, end);
        }
        match self.value_entity(lex, &name, start, end) {
            Some(value) => {
                self.refer(lex, start, end, &value);
                if lex.out.is_large() {
                    lex.suspend();
                }
            }
            None if self.is_in_literal() => self.push_written(lex, start, end),
            None => {}
        }
        self.return_state
    }
}
