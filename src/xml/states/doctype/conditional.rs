//! Conditional sections, which only external entities have: `<![INCLUDE[ … ]]>` and
//! `<![IGNORE[ … ]]>`. XML-ER knows none.

use super::Next;
use crate::input::cursor::Unit::{Byte, Eof};
use crate::xml::errors;
use crate::xml::machine::{Lexer, XmlMachine};
use crate::xml::state::State;

impl XmlMachine {
    /// `<![` was taken.
    pub(super) fn start_section(&mut self) -> State {
        self.doctype.section.clear();
        self.doctype.declared.spaced = false;
        State::DoctypeConditional
    }

    /// Whether a section was opened in the text in hand.
    pub(super) fn is_in_section(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|frame| self.doctype.sections > frame.sections)
    }

    /// Not in the document: after `<![`.
    pub(super) fn doctype_conditional(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.doctype.declared.spaced = !self.doctype.section.is_empty();
                State::DoctypeConditional
            }
            Byte(b'[') if self.doctype.section == "INCLUDE" => {
                self.doctype.sections += 1;
                State::DoctypeInternalSubset
            }
            Byte(b'[') if self.doctype.section == "IGNORE" => {
                self.doctype.ignored = 1;
                self.doctype.section.clear();
                State::DoctypeIgnored
            }
            Byte(byte @ b'A'..=b'Z')
                if !self.doctype.declared.spaced && self.doctype.section.len() < 8 =>
            {
                self.doctype.section.push(byte as char);
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

    /// Not in the document: after the first `]` of the end of a section that is included.
    pub(super) fn doctype_conditional_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        // The register says whether the second bracket has come.
        let unit = lex.next()?;
        let second = core::mem::take(&mut self.doctype.in_end);
        Some(match unit {
            Byte(b']') if !second => {
                self.doctype.in_end = true;
                State::DoctypeConditionalAfter
            }
            Byte(b'>') if second => {
                self.doctype.sections -= 1;
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

    /// Not in the document: in a section that is ignored. Sections in it are counted, and nothing else
    /// is read.
    pub(super) fn doctype_ignored(&mut self, lex: &mut Lexer<'_>) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(self.eof_in_doctype(lex));
        };
        self.check_character(lex, byte);
        let word = &mut self.doctype.section;
        match (word.as_str(), byte) {
            ("<!", b'[') => {
                word.clear();
                self.doctype.ignored += 1;
            }
            ("]]", b'>') => {
                word.clear();
                self.doctype.ignored -= 1;
                if self.doctype.ignored == 0 {
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
