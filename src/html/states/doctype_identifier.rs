//! DOCTYPEs: the states of the public and the system identifier.

use super::reconsume;
use crate::html::errors;
use crate::html::machine::{HtmlMachine, Lexer, NOT_SPACE};
use crate::html::state::{Next, State};
use crate::lexer::{
    TextBuffer,
    Unit::{self, Byte, Eof},
};

impl HtmlMachine {
    /// After DOCTYPE public keyword state
    pub(super) fn after_doctype_public_keyword(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeDoctypePublicIdentifier,
            unit @ Byte(quote @ (b'"' | b'\'')) => {
                let code = errors::MISSING_WHITESPACE_AFTER_DOCTYPE_PUBLIC_KEYWORD;
                self.error_at(lex, code, unit);
                self.public_identifier(lex, quote)
            }
            unit @ Byte(b'>') => {
                self.error_at(lex, errors::MISSING_DOCTYPE_PUBLIC_IDENTIFIER, unit);
                self.own.doctype.force_quirks = true;
                self.emit_doctype(lex)
            }
            Eof => self.eof_in_doctype(lex),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_PUBLIC_IDENTIFIER;
                self.bogus_doctype_after(lex, code, unit)
            }
        })
    }

    /// Before DOCTYPE public identifier state
    pub(super) fn before_doctype_public_identifier(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&NOT_SPACE)? {
            Byte(quote @ (b'"' | b'\'')) => self.public_identifier(lex, quote),
            unit @ Byte(b'>') => {
                self.error_at(lex, errors::MISSING_DOCTYPE_PUBLIC_IDENTIFIER, unit);
                self.own.doctype.force_quirks = true;
                self.emit_doctype(lex)
            }
            Eof => self.eof_in_doctype(lex),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_PUBLIC_IDENTIFIER;
                self.bogus_doctype_after(lex, code, unit)
            }
        })
    }

    /// DOCTYPE public identifier (double-quoted) state
    pub(super) fn doctype_public_identifier_double_quoted(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(self.in_public_identifier(lex, unit, b'"'))
    }

    /// DOCTYPE public identifier (single-quoted) state
    pub(super) fn doctype_public_identifier_single_quoted(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(self.in_public_identifier(lex, unit, b'\''))
    }

    /// After DOCTYPE public identifier state
    pub(super) fn after_doctype_public_identifier(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => {
                State::BetweenDoctypePublicAndSystemIdentifiers
            }
            Byte(b'>') => self.emit_doctype(lex),
            unit @ Byte(quote @ (b'"' | b'\'')) => {
                let code = errors::MISSING_WHITESPACE_BETWEEN_DOCTYPE_PUBLIC_AND_SYSTEM_IDENTIFIERS;
                self.error_at(lex, code, unit);
                self.system_identifier(lex, quote)
            }
            Eof => self.eof_in_doctype(lex),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER;
                self.bogus_doctype_after(lex, code, unit)
            }
        })
    }

    /// Between DOCTYPE public and system identifiers state
    pub(super) fn between_doctype_public_and_system_identifiers(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        Some(match lex.until_set(&NOT_SPACE)? {
            Byte(b'>') => self.emit_doctype(lex),
            Byte(quote @ (b'"' | b'\'')) => self.system_identifier(lex, quote),
            Eof => self.eof_in_doctype(lex),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER;
                self.bogus_doctype_after(lex, code, unit)
            }
        })
    }

    /// After DOCTYPE system keyword state
    pub(super) fn after_doctype_system_keyword(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeDoctypeSystemIdentifier,
            unit @ Byte(quote @ (b'"' | b'\'')) => {
                let code = errors::MISSING_WHITESPACE_AFTER_DOCTYPE_SYSTEM_KEYWORD;
                self.error_at(lex, code, unit);
                self.system_identifier(lex, quote)
            }
            unit @ Byte(b'>') => {
                self.error_at(lex, errors::MISSING_DOCTYPE_SYSTEM_IDENTIFIER, unit);
                self.own.doctype.force_quirks = true;
                self.emit_doctype(lex)
            }
            Eof => self.eof_in_doctype(lex),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER;
                self.bogus_doctype_after(lex, code, unit)
            }
        })
    }

    /// Before DOCTYPE system identifier state
    pub(super) fn before_doctype_system_identifier(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&NOT_SPACE)? {
            Byte(quote @ (b'"' | b'\'')) => self.system_identifier(lex, quote),
            unit @ Byte(b'>') => {
                self.error_at(lex, errors::MISSING_DOCTYPE_SYSTEM_IDENTIFIER, unit);
                self.own.doctype.force_quirks = true;
                self.emit_doctype(lex)
            }
            Eof => self.eof_in_doctype(lex),
            unit @ Byte(_) => {
                let code = errors::MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER;
                self.bogus_doctype_after(lex, code, unit)
            }
        })
    }

    /// DOCTYPE system identifier (double-quoted) state
    pub(super) fn doctype_system_identifier_double_quoted(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(self.in_system_identifier(lex, unit, b'"'))
    }

    /// DOCTYPE system identifier (single-quoted) state
    pub(super) fn doctype_system_identifier_single_quoted(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(self.in_system_identifier(lex, unit, b'\''))
    }

    /// After DOCTYPE system identifier state
    pub(super) fn after_doctype_system_identifier(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&NOT_SPACE)? {
            Byte(b'>') => self.emit_doctype(lex),
            Eof => self.eof_in_doctype(lex),
            unit @ Byte(_) => {
                let code = errors::UNEXPECTED_CHARACTER_AFTER_DOCTYPE_SYSTEM_IDENTIFIER;
                self.error_at(lex, code, unit);
                reconsume(lex, unit, State::BogusDoctype)
            }
        })
    }

    /// A quote was taken that begins the public identifier.
    fn public_identifier(&mut self, lex: &Lexer<'_>, quote: u8) -> State {
        self.value = TextBuffer::at(lex.mark());
        if quote == b'"' {
            State::DoctypePublicIdentifierDoubleQuoted
        } else {
            State::DoctypePublicIdentifierSingleQuoted
        }
    }

    /// What the two states of the public identifier have in common.
    fn in_public_identifier(&mut self, lex: &mut Lexer<'_>, unit: Unit, quote: u8) -> State {
        match unit {
            Byte(byte) if byte == quote => {
                self.end_public_identifier(lex, lex.mark() - 1);
                State::AfterDoctypePublicIdentifier
            }
            Byte(b'>') => {
                self.end_public_identifier(lex, lex.mark() - 1);
                self.error_at(lex, errors::ABRUPT_DOCTYPE_PUBLIC_IDENTIFIER, unit);
                self.own.doctype.force_quirks = true;
                self.emit_doctype(lex)
            }
            Byte(byte) => {
                self.string_character(lex, byte);
                self.state
            }
            Eof => {
                self.end_public_identifier(lex, lex.mark());
                self.eof_in_doctype(lex)
            }
        }
    }

    fn end_public_identifier(&mut self, lex: &mut Lexer<'_>, end: u32) {
        self.own.doctype.public_id = Some(self.take_string(lex, end));
    }

    /// A quote was taken that begins the system identifier.
    fn system_identifier(&mut self, lex: &Lexer<'_>, quote: u8) -> State {
        self.value = TextBuffer::at(lex.mark());
        if quote == b'"' {
            State::DoctypeSystemIdentifierDoubleQuoted
        } else {
            State::DoctypeSystemIdentifierSingleQuoted
        }
    }

    /// What the two states of the system identifier have in common.
    fn in_system_identifier(&mut self, lex: &mut Lexer<'_>, unit: Unit, quote: u8) -> State {
        match unit {
            Byte(byte) if byte == quote => {
                self.end_system_identifier(lex, lex.mark() - 1);
                State::AfterDoctypeSystemIdentifier
            }
            Byte(b'>') => {
                self.end_system_identifier(lex, lex.mark() - 1);
                self.error_at(lex, errors::ABRUPT_DOCTYPE_SYSTEM_IDENTIFIER, unit);
                self.own.doctype.force_quirks = true;
                self.emit_doctype(lex)
            }
            Byte(byte) => {
                self.string_character(lex, byte);
                self.state
            }
            Eof => {
                self.end_system_identifier(lex, lex.mark());
                self.eof_in_doctype(lex)
            }
        }
    }

    fn end_system_identifier(&mut self, lex: &mut Lexer<'_>, end: u32) {
        self.own.doctype.system_id = Some(self.take_string(lex, end));
    }
}
