//! DOCTYPEs: the states of the public and the system identifier.

use crate::event::record::{Piece, Queue};
use crate::html::errors;
use crate::html::machine::{Cursor, HtmlMachine, NOT_SPACE};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};

impl HtmlMachine {
    /// After DOCTYPE public keyword state
    pub(in crate::html) fn after_doctype_public_keyword(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeDoctypePublicIdentifier,
            unit @ Byte(quote @ (b'"' | b'\'')) => {
                let code = errors::MISSING_WHITESPACE_AFTER_DOCTYPE_PUBLIC_KEYWORD;
                self.error_at(input, out, code, unit);
                self.public_identifier(input, quote)
            }
            unit @ Byte(b'>') => {
                self.error_at(input, out, errors::MISSING_DOCTYPE_PUBLIC_IDENTIFIER, unit);
                self.doctype.force_quirks = true;
                self.emit_doctype(input, out)
            }
            Eof => self.eof_in_doctype(input, out),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_PUBLIC_IDENTIFIER;
                self.bogus_doctype_after(input, out, code, unit)
            }
        })
    }

    /// Before DOCTYPE public identifier state
    pub(in crate::html) fn before_doctype_public_identifier(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until_set(&NOT_SPACE)? {
            Byte(quote @ (b'"' | b'\'')) => self.public_identifier(input, quote),
            unit @ Byte(b'>') => {
                self.error_at(input, out, errors::MISSING_DOCTYPE_PUBLIC_IDENTIFIER, unit);
                self.doctype.force_quirks = true;
                self.emit_doctype(input, out)
            }
            Eof => self.eof_in_doctype(input, out),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_PUBLIC_IDENTIFIER;
                self.bogus_doctype_after(input, out, code, unit)
            }
        })
    }

    /// DOCTYPE public identifier (double-quoted) state
    pub(in crate::html) fn doctype_public_identifier_double_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        Some(self.in_public_identifier(input, out, unit, b'"'))
    }

    /// DOCTYPE public identifier (single-quoted) state
    pub(in crate::html) fn doctype_public_identifier_single_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        Some(self.in_public_identifier(input, out, unit, b'\''))
    }

    /// After DOCTYPE public identifier state
    pub(in crate::html) fn after_doctype_public_identifier(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => {
                State::BetweenDoctypePublicAndSystemIdentifiers
            }
            Byte(b'>') => self.emit_doctype(input, out),
            unit @ Byte(quote @ (b'"' | b'\'')) => {
                let code = errors::MISSING_WHITESPACE_BETWEEN_DOCTYPE_PUBLIC_AND_SYSTEM_IDENTIFIERS;
                self.error_at(input, out, code, unit);
                self.system_identifier(input, quote)
            }
            Eof => self.eof_in_doctype(input, out),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER;
                self.bogus_doctype_after(input, out, code, unit)
            }
        })
    }

    /// Between DOCTYPE public and system identifiers state
    pub(in crate::html) fn between_doctype_public_and_system_identifiers(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until_set(&NOT_SPACE)? {
            Byte(b'>') => self.emit_doctype(input, out),
            Byte(quote @ (b'"' | b'\'')) => self.system_identifier(input, quote),
            Eof => self.eof_in_doctype(input, out),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER;
                self.bogus_doctype_after(input, out, code, unit)
            }
        })
    }

    /// After DOCTYPE system keyword state
    pub(in crate::html) fn after_doctype_system_keyword(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeDoctypeSystemIdentifier,
            unit @ Byte(quote @ (b'"' | b'\'')) => {
                let code = errors::MISSING_WHITESPACE_AFTER_DOCTYPE_SYSTEM_KEYWORD;
                self.error_at(input, out, code, unit);
                self.system_identifier(input, quote)
            }
            unit @ Byte(b'>') => {
                self.error_at(input, out, errors::MISSING_DOCTYPE_SYSTEM_IDENTIFIER, unit);
                self.doctype.force_quirks = true;
                self.emit_doctype(input, out)
            }
            Eof => self.eof_in_doctype(input, out),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER;
                self.bogus_doctype_after(input, out, code, unit)
            }
        })
    }

    /// Before DOCTYPE system identifier state
    pub(in crate::html) fn before_doctype_system_identifier(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until_set(&NOT_SPACE)? {
            Byte(quote @ (b'"' | b'\'')) => self.system_identifier(input, quote),
            unit @ Byte(b'>') => {
                self.error_at(input, out, errors::MISSING_DOCTYPE_SYSTEM_IDENTIFIER, unit);
                self.doctype.force_quirks = true;
                self.emit_doctype(input, out)
            }
            Eof => self.eof_in_doctype(input, out),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER;
                self.bogus_doctype_after(input, out, code, unit)
            }
        })
    }

    /// DOCTYPE system identifier (double-quoted) state
    pub(in crate::html) fn doctype_system_identifier_double_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        Some(self.in_system_identifier(input, out, unit, b'"'))
    }

    /// DOCTYPE system identifier (single-quoted) state
    pub(in crate::html) fn doctype_system_identifier_single_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        Some(self.in_system_identifier(input, out, unit, b'\''))
    }

    /// After DOCTYPE system identifier state
    pub(in crate::html) fn after_doctype_system_identifier(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until_set(&NOT_SPACE)? {
            Byte(b'>') => self.emit_doctype(input, out),
            Eof => self.eof_in_doctype(input, out),
            unit @ Byte(_) => {
                let code = errors::UNEXPECTED_CHARACTER_AFTER_DOCTYPE_SYSTEM_IDENTIFIER;
                self.error_at(input, out, code, unit);
                self.again(input, out, unit, State::BogusDoctype)
            }
        })
    }

    /// A quote was taken that begins the public identifier.
    fn public_identifier(&mut self, input: &Cursor<'_>, quote: u8) -> State {
        self.string = Piece::at(input.mark());
        if quote == b'"' {
            State::DoctypePublicIdentifierDoubleQuoted
        } else {
            State::DoctypePublicIdentifierSingleQuoted
        }
    }

    /// What the two states of the public identifier have in common.
    fn in_public_identifier(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
        quote: u8,
    ) -> State {
        match unit {
            Byte(byte) if byte == quote => {
                self.end_public_identifier(input, out, input.mark() - 1);
                State::AfterDoctypePublicIdentifier
            }
            Byte(b'>') => {
                self.end_public_identifier(input, out, input.mark() - 1);
                self.error_at(input, out, errors::ABRUPT_DOCTYPE_PUBLIC_IDENTIFIER, unit);
                self.doctype.force_quirks = true;
                self.emit_doctype(input, out)
            }
            Byte(byte) => {
                self.string_character(input, out, byte);
                self.state
            }
            Eof => {
                self.end_public_identifier(input, out, input.mark());
                self.eof_in_doctype(input, out)
            }
        }
    }

    fn end_public_identifier(&mut self, input: &Cursor<'_>, out: &mut Queue, end: u32) {
        self.doctype.public_id = Some(self.take_string(input, out, end));
    }

    /// A quote was taken that begins the system identifier.
    fn system_identifier(&mut self, input: &Cursor<'_>, quote: u8) -> State {
        self.string = Piece::at(input.mark());
        if quote == b'"' {
            State::DoctypeSystemIdentifierDoubleQuoted
        } else {
            State::DoctypeSystemIdentifierSingleQuoted
        }
    }

    /// What the two states of the system identifier have in common.
    fn in_system_identifier(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
        quote: u8,
    ) -> State {
        match unit {
            Byte(byte) if byte == quote => {
                self.end_system_identifier(input, out, input.mark() - 1);
                State::AfterDoctypeSystemIdentifier
            }
            Byte(b'>') => {
                self.end_system_identifier(input, out, input.mark() - 1);
                self.error_at(input, out, errors::ABRUPT_DOCTYPE_SYSTEM_IDENTIFIER, unit);
                self.doctype.force_quirks = true;
                self.emit_doctype(input, out)
            }
            Byte(byte) => {
                self.string_character(input, out, byte);
                self.state
            }
            Eof => {
                self.end_system_identifier(input, out, input.mark());
                self.eof_in_doctype(input, out)
            }
        }
    }

    fn end_system_identifier(&mut self, input: &Cursor<'_>, out: &mut Queue, end: u32) {
        self.doctype.system_id = Some(self.take_string(input, out, end));
    }
}
