//! States in notation declarations, `<!NOTATION …>`.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{Lexer, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl XmlMachine {
    /// Implements the *DOCTYPE NOTATION state*: expects whitespace after `<!NOTATION`.
    pub(super) fn doctype_notation(&mut self, lex: &mut Lexer<'_>) -> Next {
        self.after_declaration_keyword(lex, State::DoctypeNotationIdentifier)
    }

    /// Implements the *DOCTYPE NOTATION identifier state*: reads the name of the notation and its external
    /// identifier, and stores the notation at `>`.
    pub(super) fn doctype_notation_identifier(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'>') => {
                self.end_external(lex, errors::INVALID_NOTATION_DECLARATION);
                let declared = &self.dialect.doctype.declared;
                let identified = declared.public_id.is_some() || declared.system_id.is_some();
                if identified && !declared.name.is_empty() {
                    self.dialect.doctype.append_notation();
                }
                State::DoctypeInternalSubset
            }
            Byte(byte) => {
                let code = errors::INVALID_NOTATION_DECLARATION;
                match self.external_unit(lex, byte, code) {
                    Some(b'"') => State::DoctypeNotationIdentifierDoubleQuoted,
                    Some(_) => State::DoctypeNotationIdentifierSingleQuoted,
                    None => State::DoctypeNotationIdentifier,
                }
            }
            Eof => self.eof_in_doctype(lex),
        })
    }
}
