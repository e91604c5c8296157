//! The declarations of entities.

use super::external::Step;
use crate::entity::EntityId;
use crate::error::Relation;
use crate::event::referred::Referred;
use crate::input::Mark;
use crate::lexer::Unit::{Byte, Eof};
use crate::text::xml_names;
use crate::xml::declarations::{Content, Entity, External};
use crate::xml::errors;
use crate::xml::machine::{Lexer, XmlMachine};
use crate::xml::state::{Next, State};
use alloc::string::String;
use core::mem::{replace, take};

impl XmlMachine {
    /// DOCTYPE ENTITY state
    pub(super) fn doctype_entity(&mut self, lex: &mut Lexer<'_>) -> Next {
        self.after_declaration_keyword(lex, State::DoctypeEntityTypeBefore)
    }

    /// DOCTYPE ENTITY type before state
    pub(super) fn doctype_entity_type_before(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeEntityTypeBefore,
            Byte(b'%') if self.is_reference_read(lex) => {
                self.own.percent = lex.mark() - 1;
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

    /// DOCTYPE ENTITY parameter before state
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

    /// DOCTYPE ENTITY parameter state
    pub(super) fn doctype_entity_parameter(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeEntityParameter,
            Byte(b'>') => self.end_nameless_declaration(lex),
            Byte(byte) => {
                self.start_declared_name(lex, byte, true);
                self.own.doctype.declared.is_parameter = true;
                State::DoctypeEntityName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// DOCTYPE ENTITY name state
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

    fn end_valueless_entity(&mut self, lex: &mut Lexer<'_>) -> State {
        self.misplaced(lex, errors::MISSING_ENTITY_VALUE);
        State::DoctypeInternalSubset
    }

    /// DOCTYPE ENTITY name after state
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
                self.own.doctype.declared.step = Step::Keyword;
                self.own.doctype.declared.spaced = true;
                State::DoctypeEntityIdentifier
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// DOCTYPE ENTITY value double quoted state and single quoted state: they differ in their quote only.
    pub(super) fn doctype_entity_value(&mut self, lex: &mut Lexer<'_>, quote: u8) -> Next {
        Some(match lex.next()? {
            // In the replacement text of a parameter entity, quotes are data.
            Byte(byte)
                if byte == quote && self.own.frames.len() == self.own.doctype.literal_depth =>
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

    /// DOCTYPE ENTITY value after state
    pub(super) fn doctype_entity_value_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeEntityValueAfter,
            Byte(b'>') => {
                let mut value = self.end_literal();
                if self.own.doctype.declared.is_parameter {
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

    /// DOCTYPE ENTITY identifier state
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

    fn append_external_entity(&mut self, lex: &Lexer<'_>) {
        let declared = &mut self.own.doctype.declared;
        if declared.system_id.is_none() {
            return;
        }
        let unparsed = declared.notation.is_some() && !declared.is_parameter;
        if unparsed && !self.is_past_unread() {
            self.own.doctype.append_unparsed();
        }
        let declared = &self.own.doctype.declared;
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

    /// Adds the entity to what is declared, unless something unread before it may have done so.
    fn declare_entity(&mut self, lex: &Lexer<'_>, content: Content) {
        if self.is_past_unread() {
            return;
        }
        let entity = Entity {
            content,
            // A late DOCTYPE may stand in the replacement text of a general entity, which is neither.
            in_parameter: self.reading_in_doctype().is_some(),
            open: false,
            declared: self.declaration_in_hand(lex.mark()),
        };
        let declared = &self.own.doctype.declared;
        self.own.declarations.change().declare_entity(
            &declared.name,
            declared.is_parameter,
            entity,
        );
    }

    /// The declaration that ends at a mark. One that ends in other text than it began in has no beginning.
    fn declaration_in_hand(&self, end: Mark) -> Referred {
        let start = self.own.inner.min(end);
        let (from, to) = self.outer_span(start, end);
        Referred {
            entity: self.in_entity(start, end),
            ..Referred::held(Relation::Declaration, from, to)
        }
    }

    /// Begins a literal whose value is kept.
    pub(super) fn start_literal(&mut self) {
        self.own.doctype.literal.clear();
        self.own.doctype.literal_depth = self.own.frames.len();
        self.own.doctype.after_cr = false;
    }

    /// The first byte of a character of an identifier was taken; a public one may not hold all that
    /// documents do.
    pub(super) fn identifier_character(&mut self, lex: &mut Lexer<'_>, byte: u8, is_public: bool) {
        let (character, from, to) = lex.character(byte);
        self.push_literal(character, '\n');
        match is_public && !xml_names::is_pubid_char(character) {
            true => self.error(lex, errors::INVALID_PUBLIC_IDENTIFIER, from, to),
            false => self.check(lex, character, from, to),
        }
    }

    /// Adds a character to the literal; `line_end` is what a line end is there.
    pub(super) fn push_literal(&mut self, character: char, line_end: char) {
        let in_entity = self.in_internal_entity();
        let register = &mut self.own.doctype;
        let after_cr = replace(&mut register.after_cr, character == '\r');
        register.literal.push(match character {
            // In replacement text, a CR comes from a reference.
            '\r' if in_entity && line_end == '\n' => '\r',
            '\n' if after_cr && !in_entity => return,
            '\r' | '\n' => line_end,
            '\t' if line_end == ' ' => ' ',
            _ => character,
        });
    }

    /// The literal that was read.
    pub(super) fn end_literal(&mut self) -> String {
        self.own.doctype.after_cr = false;
        take(&mut self.own.doctype.literal)
    }
}
