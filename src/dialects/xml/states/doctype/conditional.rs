//! Conditional sections of external entities, `<![INCLUDE[ … ]]>` and `<![IGNORE[ … ]]>`. XML-ER does not define
//! them.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{Lexer, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl XmlMachine {
    /// Starts a conditional section, whose `<![` was just consumed.
    pub(super) fn start_section(&mut self) -> State {
        self.own.doctype.section.clear();
        self.own.doctype.declared.spaced = false;
        State::DoctypeConditional
    }

    /// Returns true if a conditional section that starts in the innermost entity is open.
    pub(super) fn is_in_section(&self) -> bool {
        self.own
            .entities
            .frames
            .last()
            .is_some_and(|frame| self.own.doctype.sections > frame.sections)
    }

    /// Our own state: reads the keyword after `<![` up to the second `[`.
    pub(super) fn doctype_conditional(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.own.doctype.declared.spaced = !self.own.doctype.section.is_empty();
                State::DoctypeConditional
            }
            Byte(b'[') if self.own.doctype.section == "INCLUDE" => {
                self.own.doctype.sections += 1;
                State::DoctypeInternalSubset
            }
            Byte(b'[') if self.own.doctype.section == "IGNORE" => {
                self.own.doctype.ignored = 1;
                self.own.doctype.section.clear();
                State::DoctypeIgnored
            }
            Byte(byte @ b'A'..=b'Z')
                if !self.own.doctype.declared.spaced && self.own.doctype.section.len() < 8 =>
            {
                self.own.doctype.section.push(byte as char);
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
        let second = core::mem::take(&mut self.own.doctype.in_end);
        Some(match unit {
            Byte(b']') if !second => {
                self.own.doctype.in_end = true;
                State::DoctypeConditionalAfter
            }
            Byte(b'>') if second => {
                self.own.doctype.sections -= 1;
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
        let word = &mut self.own.doctype.section;
        match (word.as_str(), byte) {
            ("<!", b'[') => {
                word.clear();
                self.own.doctype.ignored += 1;
            }
            ("]]", b'>') => {
                word.clear();
                self.own.doctype.ignored -= 1;
                if self.own.doctype.ignored == 0 {
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
