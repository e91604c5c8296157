//! States in entity declarations, `<!ENTITY …>`, and the reading of literals.

use super::external::Step;
use crate::dialects::xml::declarations::{Content, Entity, External};
use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{Lexer, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::entity::EntityId;
use crate::engine::error::Relation;
use crate::engine::event::referred::Referred;
use crate::engine::input::BufferOffset;
use crate::engine::text::xml_names;
use crate::engine::tokenizer::Unit::{Byte, Eof};
use alloc::string::String;
use core::mem::{replace, take};

impl XmlMachine {
    /// Implements the *DOCTYPE ENTITY state*: expects whitespace after `<!ENTITY`.
    pub(super) fn doctype_entity(&mut self, lex: &mut Lexer<'_>) -> Next {
        self.after_declaration_keyword(lex, State::DoctypeEntityTypeBefore)
    }

    /// Implements the *DOCTYPE ENTITY type before state*: reads the first byte of the name, or the `%` of a parameter
    /// entity.
    pub(super) fn doctype_entity_type_before(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeEntityTypeBefore,
            Byte(b'%') if self.is_reference_read(lex) => {
                self.dialect.subset.percent = lex.mark() - 1;
                State::DoctypeEntityTypeBefore
            }
            Byte(b'%') => State::DoctypeEntityParameterBefore,
            Byte(b'>') => self.end_nameless_declaration(lex),
            Byte(byte) => {
                self.start_declared_name(lex, byte, true);
                State::DoctypeEntityName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ENTITY parameter before state*: expects whitespace after the `%`.
    pub(super) fn doctype_entity_parameter_before(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeEntityParameter,
            Byte(_) => {
                lex.back();
                self.start_stray_percent(lex.mark() - 1);
                State::DoctypeBogusComment
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ENTITY parameter state*: skips whitespace before the name of a parameter entity.
    pub(super) fn doctype_entity_parameter(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeEntityParameter,
            Byte(b'>') => self.end_nameless_declaration(lex),
            Byte(byte) => {
                self.start_declared_name(lex, byte, true);
                self.dialect.doctype.declared.is_parameter = true;
                State::DoctypeEntityName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ENTITY name state*: reads the name of the entity.
    pub(super) fn doctype_entity_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_declared_name(lex, true);
                State::DoctypeEntityNameAfter
            }
            Byte(b'>') => {
                self.end_declared_name(lex, true);
                self.end_valueless_entity(lex)
            }
            Byte(byte) => {
                self.target_character(lex, byte, false);
                State::DoctypeEntityName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Reports an entity declaration that ends after its name. Returns the next state.
    fn end_valueless_entity(&mut self, lex: &mut Lexer<'_>) -> State {
        self.misplaced(lex, errors::MISSING_ENTITY_VALUE);
        State::DoctypeInternalSubset
    }

    /// Implements the *DOCTYPE ENTITY name after state*: reads the quote of the value, or the first byte of an
    /// external identifier.
    pub(super) fn doctype_entity_name_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeEntityNameAfter,
            Byte(b'"') => {
                self.start_literal();
                State::DoctypeEntityValueDoubleQuoted
            }
            Byte(b'\'') => {
                self.start_literal();
                State::DoctypeEntityValueSingleQuoted
            }
            Byte(b'>') => self.end_valueless_entity(lex),
            Byte(_) => {
                lex.back();
                self.dialect.doctype.declared.step = Step::Keyword;
                self.dialect.doctype.declared.spaced = true;
                State::DoctypeEntityIdentifier
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ENTITY value double quoted state* and the *single quoted state*, which differ in
    /// `quote` only: reads the value of the entity.
    pub(super) fn doctype_entity_value(&mut self, lex: &mut Lexer<'_>, quote: u8) -> Next {
        Some(match lex.next()? {
            // A quote in the replacement text of a parameter entity is data and does not end the value.
            Byte(byte)
                if byte == quote
                    && self.dialect.entities.frames.len() == self.dialect.doctype.literal_depth =>
            {
                State::DoctypeEntityValueAfter
            }
            Byte(b'&') => self.reference_from(self.state, lex),
            Byte(b'%') => {
                self.begin_reference(self.state, lex.mark() - 1);
                State::DoctypeParameterReference
            }
            Byte(byte) => {
                let (character, from, to) = lex.character(byte);
                self.push_literal(character, '\n');
                self.check(lex, character, from, to);
                self.state
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ENTITY value after state*: reads the `>` after the value, and stores the entity.
    pub(super) fn doctype_entity_value_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeEntityValueAfter,
            Byte(b'>') => {
                let mut value = self.end_literal();
                if self.dialect.doctype.declared.is_parameter {
                    value.push(' ');
                }
                self.declare_entity(lex, Content::Internal(value.into()));
                State::DoctypeInternalSubset
            }
            Byte(_) => {
                self.misplaced(lex, errors::INVALID_ENTITY_DECLARATION);
                State::DoctypeEntityValueAfter
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ENTITY identifier state*: reads the words and quotes of an external identifier, and
    /// stores the entity at `>`.
    pub(super) fn doctype_entity_identifier(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'>') => {
                self.end_external(lex, errors::INVALID_ENTITY_DECLARATION);
                self.append_external_entity(lex);
                State::DoctypeInternalSubset
            }
            Byte(byte) => {
                let code = errors::INVALID_ENTITY_DECLARATION;
                match self.external_unit(lex, byte, code) {
                    Some(b'"') => State::DoctypeEntityIdentifierDoubleQuoted,
                    Some(_) => State::DoctypeEntityIdentifierSingleQuoted,
                    None => State::DoctypeEntityIdentifier,
                }
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Stores the external or unparsed entity that was just read, if it has a system identifier.
    fn append_external_entity(&mut self, lex: &Lexer<'_>) {
        let declared = &mut self.dialect.doctype.declared;
        if declared.system_id.is_none() {
            return;
        }
        let unparsed = declared.notation.is_some() && !declared.is_parameter;
        if unparsed && !self.is_past_unread() {
            self.dialect.doctype.append_unparsed();
        }
        let declared = &self.dialect.doctype.declared;
        let content = match unparsed {
            true => Content::Unparsed,
            false => External::declared(EntityId {
                name: Some(declared.name.clone()),
                is_parameter: declared.is_parameter,
                public_id: declared.public_id.clone(),
                system_id: declared.system_id.clone().unwrap_or_default(),
                base: self.location(),
            }),
        };
        self.declare_entity(lex, content);
    }

    /// Stores the declaration of the entity that was just read. Does nothing if a parameter entity before it was not
    /// read, because that might contain an earlier declaration.
    fn declare_entity(&mut self, lex: &Lexer<'_>, content: Content) {
        if self.is_past_unread() {
            return;
        }
        let entity = Entity {
            content,
            // A misplaced DOCTYPE can be in the replacement text of a general entity. Its declarations count as the
            // document's own.
            in_parameter: self.reading_in_doctype().is_some(),
            open: false,
            declared: self.current_declaration(lex.mark()),
        };
        let declared = &self.dialect.doctype.declared;
        self.dialect.dtd.declarations.change().declare_entity(
            &declared.name,
            declared.is_parameter,
            entity,
        );
    }

    /// Returns the position of the current declaration, which ends at offset `end`. If the declaration begins in
    /// another text than it ends in, its start is unknown and `end` is used.
    fn current_declaration(&self, end: BufferOffset) -> Referred {
        let start = self.dialect.subset.token.min(end);
        let (from, to) = self.outer_span(start, end);
        Referred {
            entity: self.in_entity(start, end),
            ..Referred::held(Relation::Declaration, from, to)
        }
    }

    /// Starts a literal whose value is stored.
    pub(super) fn start_literal(&mut self) {
        self.dialect.doctype.literal.clear();
        self.dialect.doctype.literal_depth = self.dialect.entities.frames.len();
        self.dialect.doctype.after_cr = false;
    }

    /// Adds a character of an identifier, whose first byte was just consumed, to the literal. Reports a character
    /// that is not allowed there; public identifiers allow fewer characters.
    pub(super) fn identifier_character(&mut self, lex: &mut Lexer<'_>, byte: u8, is_public: bool) {
        let (character, from, to) = lex.character(byte);
        self.push_literal(character, '\n');
        match is_public && !xml_names::is_pubid_char(character) {
            true => self.error(lex, errors::INVALID_PUBLIC_IDENTIFIER, from, to),
            false => self.check(lex, character, from, to),
        }
    }

    /// Adds a character to the literal. A newline becomes `line_end`: a line feed in values of entities and in
    /// identifiers, a space in default values, where a tab becomes a space too.
    pub(super) fn push_literal(&mut self, character: char, line_end: char) {
        let in_entity = self.in_internal_entity();
        let register = &mut *self.dialect.doctype;
        let after_cr = replace(&mut register.after_cr, character == '\r');
        register.literal.push(match character {
            // A carriage return in the text of an internal entity comes from a numeric reference, so it is not a
            // newline.
            '\r' if in_entity && line_end == '\n' => '\r',
            '\n' if after_cr && !in_entity => return,
            '\r' | '\n' => line_end,
            '\t' if line_end == ' ' => ' ',
            _ => character,
        });
    }

    /// Ends the literal and returns its value.
    pub(super) fn end_literal(&mut self) -> String {
        self.dialect.doctype.after_cr = false;
        take(&mut self.dialect.doctype.literal)
    }
}
