//! The declarations of notations.

use crate::event::record::Queue;
use crate::input::cursor::Unit::{Byte, Eof};
use crate::xml::errors;
use crate::xml::machine::{Cursor, XmlMachine};
use crate::xml::state::State;

impl XmlMachine {
    /// DOCTYPE NOTATION state
    pub(in crate::xml) fn doctype_notation(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        self.after_declaration_keyword(input, out, State::DoctypeNotationIdentifier)
    }

    /// DOCTYPE NOTATION identifier state
    pub(in crate::xml) fn doctype_notation_identifier(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match self.declaration_unit(input)? {
            Byte(b'>') => {
                self.end_external(input, out, errors::INVALID_NOTATION_DECLARATION);
                let declared = &self.doctype.declared;
                let identified = declared.public_id.is_some() || declared.system_id.is_some();
                if identified && !declared.name.is_empty() {
                    self.doctype.append_notation();
                }
                State::DoctypeInternalSubset
            }
            Byte(byte) => {
                let code = errors::INVALID_NOTATION_DECLARATION;
                match self.external_unit(input, out, byte, code) {
                    Some(b'"') => State::DoctypeNotationIdentifierDoubleQuoted,
                    Some(_) => State::DoctypeNotationIdentifierSingleQuoted,
                    None => State::DoctypeNotationIdentifier,
                }
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// DOCTYPE NOTATION identifier double quoted state
    pub(in crate::xml) fn doctype_notation_identifier_double_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        self.external_literal(input, out, b'"', State::DoctypeNotationIdentifier)
    }

    /// DOCTYPE NOTATION identifier single quoted state
    pub(in crate::xml) fn doctype_notation_identifier_single_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        self.external_literal(input, out, b'\'', State::DoctypeNotationIdentifier)
    }
}
