//! The states of the public and the system identifier of a DOCTYPE.

use crate::dialects::html::errors;
use crate::dialects::html::machine::{HtmlMachine, Lexer, NOT_SPACE, reconsume};
use crate::dialects::html::state::{Next, State};
use crate::engine::error::ErrorCode;
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{self, Byte, Eof},
};

/// The differences between the states of the public identifier and those of the system identifier: the following
/// states, and the codes of the errors.
pub(super) struct Identifier {
    is_public: bool,
    double_quoted: State,
    single_quoted: State,
    after: State,
    missing: ErrorCode,
    missing_quote: ErrorCode,
    abrupt: ErrorCode,
}

pub(super) const PUBLIC: Identifier = Identifier {
    is_public: true,
    double_quoted: State::DoctypePublicIdentifierDoubleQuoted,
    single_quoted: State::DoctypePublicIdentifierSingleQuoted,
    after: State::AfterDoctypePublicIdentifier,
    missing: errors::MISSING_DOCTYPE_PUBLIC_IDENTIFIER,
    missing_quote: errors::MISSING_QUOTE_BEFORE_DOCTYPE_PUBLIC_IDENTIFIER,
    abrupt: errors::ABRUPT_DOCTYPE_PUBLIC_IDENTIFIER,
};

pub(super) const SYSTEM: Identifier = Identifier {
    is_public: false,
    double_quoted: State::DoctypeSystemIdentifierDoubleQuoted,
    single_quoted: State::DoctypeSystemIdentifierSingleQuoted,
    after: State::AfterDoctypeSystemIdentifier,
    missing: errors::MISSING_DOCTYPE_SYSTEM_IDENTIFIER,
    missing_quote: errors::MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER,
    abrupt: errors::ABRUPT_DOCTYPE_SYSTEM_IDENTIFIER,
};

impl HtmlMachine {
    /// Implements the *after DOCTYPE public keyword state*: after `PUBLIC`.
    pub(super) fn after_doctype_public_keyword(&mut self, lex: &mut Lexer<'_>) -> Next {
        let code = errors::MISSING_WHITESPACE_AFTER_DOCTYPE_PUBLIC_KEYWORD;
        self.after_doctype_keyword(lex, &PUBLIC, State::BeforeDoctypePublicIdentifier, code)
    }

    /// Implements the *after DOCTYPE system keyword state*: after `SYSTEM`.
    pub(super) fn after_doctype_system_keyword(&mut self, lex: &mut Lexer<'_>) -> Next {
        let code = errors::MISSING_WHITESPACE_AFTER_DOCTYPE_SYSTEM_KEYWORD;
        self.after_doctype_keyword(lex, &SYSTEM, State::BeforeDoctypeSystemIdentifier, code)
    }

    /// Implements both states after a keyword. Whitespace leads to the state `before`. An identifier without
    /// whitespace before it is the error `missing`.
    fn after_doctype_keyword(
        &mut self,
        lex: &mut Lexer<'_>,
        identifier: &Identifier,
        before: State,
        missing: ErrorCode,
    ) -> Next {
        let unit = lex.next()?;
        match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => return Some(before),
            Byte(b'"' | b'\'') => self.error_at(lex, missing, unit),
            _ => {}
        }
        Some(self.expect_identifier(lex, unit, identifier))
    }

    /// Implements the *before DOCTYPE public identifier state* and the *before DOCTYPE system identifier state*:
    /// skips whitespace before an identifier.
    pub(super) fn before_doctype_identifier(
        &mut self,
        lex: &mut Lexer<'_>,
        identifier: &Identifier,
    ) -> Next {
        let unit = lex.until_set(&NOT_SPACE)?;
        Some(self.expect_identifier(lex, unit, identifier))
    }

    /// Starts an identifier at `unit`, which must be its opening quote. Any other unit is an error.
    fn expect_identifier(
        &mut self,
        lex: &mut Lexer<'_>,
        unit: Unit,
        identifier: &Identifier,
    ) -> State {
        match unit {
            Byte(quote @ (b'"' | b'\'')) => {
                self.value = TextBuffer::at(lex.mark());
                match quote {
                    b'"' => identifier.double_quoted,
                    _ => identifier.single_quoted,
                }
            }
            Byte(b'>') => {
                self.error_at(lex, identifier.missing, unit);
                self.dialect.doctype.force_quirks = true;
                self.emit_doctype(lex)
            }
            Eof => self.eof_in_doctype(lex),
            Byte(_) => self.bogus_doctype_after(lex, identifier.missing_quote, unit),
        }
    }

    /// Implements the four states in an identifier, such as the *DOCTYPE public identifier (double-quoted) state*.
    /// `quote` is the byte that ends the identifier.
    pub(super) fn doctype_identifier(
        &mut self,
        lex: &mut Lexer<'_>,
        quote: u8,
        identifier: &Identifier,
    ) -> Next {
        let unit = lex.next()?;
        Some(match unit {
            Byte(byte) if byte == quote => {
                self.end_identifier(lex, lex.mark() - 1, identifier);
                identifier.after
            }
            Byte(b'>') => {
                self.end_identifier(lex, lex.mark() - 1, identifier);
                self.error_at(lex, identifier.abrupt, unit);
                self.dialect.doctype.force_quirks = true;
                self.emit_doctype(lex)
            }
            Byte(byte) => {
                self.string_character(lex, byte);
                self.state
            }
            Eof => {
                self.end_identifier(lex, lex.mark(), identifier);
                self.eof_in_doctype(lex)
            }
        })
    }

    fn end_identifier(&mut self, lex: &mut Lexer<'_>, end: BufferOffset, identifier: &Identifier) {
        let string = Some(self.take_string(lex, end));
        match identifier.is_public {
            true => self.dialect.doctype.public_id = string,
            false => self.dialect.doctype.system_id = string,
        }
    }

    /// Implements the *after DOCTYPE public identifier state*: after the closing quote of a public identifier.
    pub(super) fn after_doctype_public_identifier(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => {
                State::BetweenDoctypePublicAndSystemIdentifiers
            }
            Byte(b'>') => self.emit_doctype(lex),
            Byte(b'"' | b'\'') => {
                let code = errors::MISSING_WHITESPACE_BETWEEN_DOCTYPE_PUBLIC_AND_SYSTEM_IDENTIFIERS;
                self.error_at(lex, code, unit);
                self.expect_identifier(lex, unit, &SYSTEM)
            }
            _ => self.expect_identifier(lex, unit, &SYSTEM),
        })
    }

    /// Implements the *between DOCTYPE public and system identifiers state*: after a public identifier and
    /// whitespace.
    pub(super) fn between_doctype_public_and_system_identifiers(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        Some(match lex.until_set(&NOT_SPACE)? {
            Byte(b'>') => self.emit_doctype(lex),
            unit => self.expect_identifier(lex, unit, &SYSTEM),
        })
    }

    /// Implements the *after DOCTYPE system identifier state*: after the closing quote of a system identifier.
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
}
