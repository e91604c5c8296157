//! External identifiers of entities and notations (`PUBLIC` or `SYSTEM`, literals, `NDATA`), and the actions that all
//! declarations share.

use super::{Declared, DoctypeState, normalise};
use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{Lexer, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::error::ErrorCode;
use crate::engine::event::details::DeclaredDetails;
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::text::xml_names;
use crate::engine::tokenizer::Unit::{Byte, Eof};
use alloc::string::String;
use core::mem::{replace, take};

/// The part of an external identifier that is expected next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Step {
    /// The name of a notation.
    #[default]
    Name,
    /// The keyword `PUBLIC` or `SYSTEM`.
    Keyword,
    /// The public identifier.
    Public,
    /// The system identifier.
    System,
    /// A system identifier or, in the declaration of a notation, the end.
    MaybeSystem,
    /// The keyword `NDATA` or the end.
    Ndata,
    /// The name of the notation of an unparsed entity.
    NotationName,
    /// The end of the declaration.
    End,
}

impl XmlMachine {
    /// Expects whitespace after the keyword of a declaration, such as `<!ENTITY`, and then continues in the state
    /// `then`. Without whitespace, the construct is a bogus comment.
    pub(super) fn after_declaration_keyword(&mut self, lex: &mut Lexer<'_>, then: State) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.dialect.doctype.declared = Declared::default();
                self.dialect.doctype.declared.spaced = true;
                self.count_declaration(lex);
                then
            }
            Byte(_) => {
                lex.back();
                self.start_doctype_bogus_comment(lex)
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Counts one more declaration. Returns false, and ends the parse, if the limit of declarations or memory is
    /// exceeded.
    pub(super) fn count_declaration(&mut self, lex: &mut Lexer<'_>) -> bool {
        self.dialect.doctype.declarations += 1;
        let limit = if self.dialect.doctype.declarations > self.limits.declarations {
            Limit::Declarations
        } else if !self.may_hold(0) {
            Limit::Memory
        } else {
            return true;
        };
        self.exceed(lex, limit, self.dialect.subset.token, lex.mark());
        false
    }

    /// Reports the error `code` at the byte consumed last. The rest of the declaration up to `>` is skipped.
    pub(super) fn skip_declaration(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) -> State {
        lex.back();
        self.misplaced_next(lex, code);
        State::DoctypeDeclaration
    }

    /// Reports a declaration that ends without a name, at the `>` that was just consumed.
    pub(super) fn end_nameless_declaration(&mut self, lex: &mut Lexer<'_>) -> State {
        self.misplaced(lex, errors::MISSING_DECLARED_NAME);
        State::DoctypeInternalSubset
    }

    /// Starts the name of the declared item, whose first byte was just consumed. If `local` is true, the name must
    /// not contain a colon when namespaces are on.
    pub(super) fn start_declared_name(&mut self, lex: &mut Lexer<'_>, byte: u8, local: bool) {
        self.name = lex.mark() - 1;
        self.dialect.name_reported = !self.dialect.subset.stray_percent.is_none();
        match local {
            true => self.target_character(lex, byte, true),
            false => self.name_character(lex, byte, true),
        }
    }

    /// Ends the name of the declared item before the byte consumed last. For `local` see
    /// [`declared_word`](Self::declared_word).
    pub(super) fn end_declared_name(&mut self, lex: &mut Lexer<'_>, local: bool) {
        self.dialect.doctype.declared.name = self.declared_word(lex, local);
    }

    /// Returns the word that ends before the byte consumed last. Checks its length and, unless `local` is true, that
    /// it is a valid qualified name.
    pub(super) fn declared_word(&mut self, lex: &mut Lexer<'_>, local: bool) -> String {
        let (start, end) = (self.name, lex.mark() - 1);
        if (end - start) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, start, end);
        }
        let name = lex.string(start, end);
        lex.out.work.cleaned += name.len() as u64;
        if !local && !self.dialect.name_reported && self.dialect.options.has_namespaces() {
            let qualified = match name.split_once(':') {
                None => true,
                Some((prefix, local)) => {
                    xml_names::is_ncname(prefix) && xml_names::is_ncname(local)
                }
            };
            if !qualified {
                self.error(lex, errors::INVALID_QUALIFIED_NAME, start, end);
            }
        }
        name
    }

    /// Reports `code` at the byte consumed last, unless this declaration already has an error.
    pub(super) fn misplaced(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        if !replace(&mut self.dialect.doctype.declared.reported, true) {
            self.error_here(lex, code);
        }
    }

    /// Reports `code` at the next byte, unless this declaration already has an error.
    pub(super) fn misplaced_next(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        if !replace(&mut self.dialect.doctype.declared.reported, true) {
            self.error_next(lex, code);
        }
    }

    /// Reports `code` at `from..to`, unless this declaration already has an error.
    pub(super) fn misplaced_word(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        from: BufferOffset,
        to: BufferOffset,
    ) {
        if !replace(&mut self.dialect.doctype.declared.reported, true) {
            self.error(lex, code, from, to);
        }
    }

    /// Handles a byte of an external identifier outside its literals: whitespace, a quote, or a byte of a word.
    /// Returns the quote if a literal starts. `code` is the error for a part that is not expected.
    pub(super) fn external_unit(
        &mut self,
        lex: &mut Lexer<'_>,
        byte: u8,
        code: ErrorCode,
    ) -> Option<u8> {
        match byte {
            b'\t' | b'\n' | b'\r' | b' ' => {
                self.end_external_word(lex, code);
                self.dialect.doctype.declared.spaced = true;
                return None;
            }
            b'"' | b'\'' => {
                self.end_external_word(lex, code);
                let expected = matches!(
                    self.dialect.doctype.declared.step,
                    Step::Public | Step::System | Step::MaybeSystem
                );
                if !expected {
                    self.misplaced(lex, code);
                } else if !self.dialect.doctype.declared.spaced {
                    self.misplaced(lex, errors::MISSING_WHITE_SPACE);
                }
                self.start_literal();
                return Some(byte);
            }
            _ => {}
        }
        let starts = !self.dialect.doctype.declared.in_word;
        if starts {
            self.start_external_word(lex, code);
        }
        let declared = &self.dialect.doctype.declared;
        if matches!(declared.step, Step::Name | Step::NotationName) {
            self.target_character(lex, byte, starts);
        }
        self.dialect.doctype.declared.spaced = false;
        None
    }

    /// Starts a word of an external identifier at the byte consumed last. `code` is the error for a word that is not
    /// expected.
    fn start_external_word(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        self.dialect.doctype.declared.in_word = true;
        self.name = lex.mark() - 1;
        self.dialect.name_reported = self.dialect.doctype.declared.reported;
        let step = self.dialect.doctype.declared.step;
        let is_word = matches!(
            step,
            Step::Name | Step::Keyword | Step::Ndata | Step::NotationName
        );
        if !is_word {
            self.misplaced(lex, code);
        } else if !self.dialect.doctype.declared.spaced {
            self.misplaced(lex, errors::MISSING_WHITE_SPACE);
        }
    }

    /// Ends the current word, if there is one, before the byte consumed last, and advances to the next expected part.
    /// `code` is the error for a word that is not expected.
    fn end_external_word(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        if !take(&mut self.dialect.doctype.declared.in_word) {
            return;
        }
        let (start, end) = (self.name, lex.mark() - 1);
        let word = match self.dialect.doctype.declared.step {
            Step::Name | Step::NotationName => self.declared_word(lex, true),
            _ => lex.short(start, end, 6),
        };
        let is_parameter = self.dialect.doctype.declared.is_parameter;
        let declared = &mut self.dialect.doctype.declared;
        match (declared.step, &*word) {
            (Step::Name, _) => {
                declared.name = word;
                declared.step = Step::Keyword;
            }
            (Step::NotationName, _) => {
                declared.notation = Some(word);
                declared.step = Step::End;
            }
            (Step::Keyword, "PUBLIC") => declared.step = Step::Public,
            (Step::Keyword, "SYSTEM") => declared.step = Step::System,
            (Step::Ndata, "NDATA") if !is_parameter => declared.step = Step::NotationName,
            _ => self.misplaced_word(lex, code, start, end),
        }
    }

    /// Ends an external identifier at the `>` of its declaration, and reports a missing part.
    pub(super) fn end_external(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        self.end_external_word(lex, code);
        match self.dialect.doctype.declared.step {
            Step::Name => self.misplaced(lex, errors::MISSING_DECLARED_NAME),
            Step::Public | Step::System => {
                self.misplaced(lex, errors::MISSING_SYSTEM_IDENTIFIER);
            }
            // Only a notation may have a public identifier without a system identifier.
            Step::MaybeSystem if code != errors::INVALID_NOTATION_DECLARATION => {
                self.misplaced(lex, errors::MISSING_SYSTEM_IDENTIFIER);
            }
            Step::Keyword | Step::NotationName => self.misplaced(lex, code),
            Step::MaybeSystem | Step::Ndata | Step::End => {}
        }
    }

    /// Implements the double quoted and single quoted states of identifiers, of entities and of notations: reads the
    /// literal up to `quote`. The state `after` follows.
    pub(super) fn external_literal(
        &mut self,
        lex: &mut Lexer<'_>,
        quote: u8,
        after: State,
    ) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte == quote => {
                let literal = self.end_literal();
                let is_notation = after == State::DoctypeNotationIdentifier;
                let declared = &mut self.dialect.doctype.declared;
                declared.spaced = false;
                match declared.step {
                    Step::Public => {
                        declared.public_id = Some(normalise(&literal));
                        declared.step = Step::MaybeSystem;
                    }
                    Step::System | Step::MaybeSystem => {
                        declared.system_id = Some(literal);
                        declared.step = match is_notation {
                            true => Step::End,
                            false => Step::Ndata,
                        };
                    }
                    _ => {}
                }
                after
            }
            Byte(byte) => {
                let is_public = self.dialect.doctype.declared.step == Step::Public;
                self.identifier_character(lex, byte, is_public);
                self.state
            }
            Eof => self.eof_in_doctype(lex),
        })
    }
}

impl DoctypeState {
    /// Returns the identifiers of the current declaration, and clears them in the state.
    fn take_identifiers(&mut self) -> DeclaredDetails {
        let declared = &mut self.declared;
        DeclaredDetails {
            name: declared.name.clone(),
            public_id: take(&mut declared.public_id),
            system_id: take(&mut declared.system_id),
            notation: take(&mut declared.notation),
        }
    }

    /// Returns the length in bytes of the literal being read.
    pub(in crate::dialects::xml) fn literal_length(&self) -> usize {
        self.literal.len()
    }

    /// Adds the unparsed entity that was just read to the DOCTYPE event.
    pub(super) fn append_unparsed(&mut self) {
        let details = self.take_identifiers();
        self.details.unparsed.push(details);
    }

    /// Adds the notation that was just read to the DOCTYPE event.
    pub(super) fn append_notation(&mut self) {
        let details = self.take_identifiers();
        self.details.notations.push(details);
    }
}

crate::checkpoint::checkpointable! {
    enum Step { Name, Keyword, Public, System, MaybeSystem, Ndata, NotationName, End }
}
