//! Conditional sections of external entities, `<![INCLUDE[ … ]]>` and `<![IGNORE[ … ]]>`. XML-ER does not define
//! them.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{Lexer, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl XmlMachine {
    /// Starts a conditional section, whose `<![` was just consumed.
    pub(super) fn start_section(&mut self) -> State {
        self.dialect.doctype.section.clear();
        self.dialect.doctype.declared.spaced = false;
        State::DoctypeConditional
    }

    /// Returns true if a conditional section that starts in the innermost entity is open.
    pub(super) fn is_in_section(&self) -> bool {
        self.dialect
            .entities
            .frames
            .last()
            .is_some_and(|frame| self.dialect.doctype.sections > frame.sections)
    }

    /// Our own state: reads the keyword after `<![` up to the second `[`.
    pub(super) fn doctype_conditional(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.dialect.doctype.declared.spaced = !self.dialect.doctype.section.is_empty();
                State::DoctypeConditional
            }
            Byte(b'[') if self.dialect.doctype.section == "INCLUDE" => {
                self.dialect.doctype.sections += 1;
                State::DoctypeInternalSubset
            }
            Byte(b'[') if self.dialect.doctype.section == "IGNORE" => {
                self.dialect.doctype.ignored = 1;
                self.dialect.doctype.section.clear();
                State::DoctypeIgnored
            }
            Byte(byte @ b'A'..=b'Z')
                if !self.dialect.doctype.declared.spaced
                    && self.dialect.doctype.section.len() < 8 =>
            {
                self.dialect.doctype.section.push(byte as char);
                State::DoctypeConditional
            }
            Byte(_) => {
                lex.back();
                self.error_next(lex, errors::INVALID_CONDITIONAL_SECTION);
                State::DoctypeBogusComment
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Our own state: reads the rest of the `]]>` that ends an included section.
    pub(super) fn doctype_conditional_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        // `in_end` is true if the second bracket was read.
        let unit = lex.next()?;
        let second = core::mem::take(&mut self.dialect.doctype.in_end);
        Some(match unit {
            Byte(b']') if !second => {
                self.dialect.doctype.in_end = true;
                State::DoctypeConditionalAfter
            }
            Byte(b'>') if second => {
                self.dialect.doctype.sections -= 1;
                State::DoctypeInternalSubset
            }
            Byte(_) => {
                lex.back();
                self.error_next(lex, errors::INVALID_CONDITIONAL_SECTION);
                State::DoctypeInternalSubset
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Our own state: skips a section that is ignored. Only the delimiters of nested sections are recognized, and
    /// illegal characters reported.
    pub(super) fn doctype_ignored(&mut self, lex: &mut Lexer<'_>) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(self.eof_in_doctype(lex));
        };
        self.check_character(lex, byte);
        let word = &mut self.dialect.doctype.section;
        match (word.as_str(), byte) {
            ("<!", b'[') => {
                word.clear();
                self.dialect.doctype.ignored += 1;
            }
            ("]]", b'>') => {
                word.clear();
                self.dialect.doctype.ignored -= 1;
                if self.dialect.doctype.ignored == 0 {
                    return Some(State::DoctypeInternalSubset);
                }
            }
            ("]]", b']') => {}
            ("<", b'!') | ("]", b']') => word.push(byte as char),
            (_, b'<' | b']') => {
                word.clear();
                word.push(byte as char);
            }
            _ => word.clear(),
        }
        Some(State::DoctypeIgnored)
    }
}
