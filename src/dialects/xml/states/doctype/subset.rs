//! States between the declarations of the internal and external subset: the start of a declaration, parameter-entity
//! references, processing instructions, and bogus comments.

use crate::dialects::xml::declarations::{Content, Entity, External};
use crate::dialects::xml::errors;
use crate::dialects::xml::frames::{Reading, Replacement};
use crate::dialects::xml::machine::{Lexer, Unread, XmlMachine};
use crate::dialects::xml::state::{DtdConstruct, Next, State};
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::text::xml_names;
use crate::engine::tokenizer::{
    Keyword,
    Unit::{Byte, Eof},
};
use alloc::sync::Arc;

/// The keyword whose first letter `ELEMENT` shares, so that the second letter decides between the two.
const ENTITY: &[u8] = b"ENTITY";

impl XmlMachine {
    /// Implements the *DOCTYPE internal subset state*: reads the first byte of the next construct, or the end of the
    /// subset.
    pub(super) fn doctype_internal_subset(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'<') => {
                self.dialect.subset.token = lex.mark() - 1;
                State::DoctypeTag
            }
            Byte(b'%') => {
                self.begin_reference(State::DoctypeInternalSubset, lex.mark() - 1);
                State::DoctypeParameterReference
            }
            Byte(b']') if self.reading_in_doctype().is_none() => {
                self.end_subset(lex);
                State::DoctypeInternalSubsetAfter
            }
            Byte(b']') if self.is_in_section() => State::DoctypeConditionalAfter,
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.dialect.name_reported = false;
                State::DoctypeInternalSubset
            }
            Byte(_) => {
                // A sequence of characters that are not allowed here is reported once.
                if !self.dialect.name_reported {
                    self.dialect.name_reported = true;
                    self.error_here(lex, errors::STRAY_TEXT_IN_SUBSET);
                }
                State::DoctypeInternalSubset
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Stores the text of the internal subset, whose `]` was just consumed, if the program asked for that. The whole DOCTYPE
    /// is buffered, because it is one token.
    fn end_subset(&mut self, lex: &mut Lexer<'_>) {
        if !self.dialect.options.records_subset() {
            return;
        }
        let mut text = lex.string(self.dialect.subset.start, lex.mark() - 1);
        lex.out.work.cleaned += text.len() as u64;
        if text.contains('\r') {
            text = text.replace("\r\n", "\n").replace('\r', "\n");
        }
        self.dialect.doctype.details.internal_subset = Some(text);
    }

    /// Implements the *DOCTYPE tag state*: reads the first byte after `<`.
    pub(super) fn doctype_tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'!') => State::DoctypeMarkupDeclaration,
            Byte(b'?') => {
                // A misplaced DOCTYPE does not interrupt the run of text around it. A processing instruction in it
                // does, because it is an event.
                self.end_text_before(lex, self.token);
                State::DoctypePi
            }
            Byte(_) => {
                lex.back();
                self.start_doctype_bogus_comment(lex)
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE markup declaration state*: reads the first byte after `<!`, which starts a comment, a
    /// declaration or a conditional section.
    pub(super) fn doctype_markup_declaration(&mut self, lex: &mut Lexer<'_>) -> Next {
        let (word, then): (&[u8], _) = match lex.next()? {
            Byte(b'-') => (b"--", State::Comment),
            Byte(b'E') => (ENTITY, State::DoctypeEntity),
            Byte(b'A') => (b"ATTLIST", State::DoctypeAttlist),
            Byte(b'N') => (b"NOTATION", State::DoctypeNotation),
            Byte(b'[') if self.dialect.entities.more.in_external => {
                return Some(self.start_section());
            }
            Byte(_) => {
                lex.back();
                return Some(self.start_doctype_bogus_comment(lex));
            }
            Eof => return Some(self.eof_in_doctype(lex)),
        };
        self.expect(word, then);
        Some(State::DoctypeMarkupDeclarationKeyword)
    }

    /// Our own state: compares the next byte with the expected keyword. XML-ER looks ahead instead, which is impossible
    /// if the keyword is cut by the end of a chunk.
    pub(super) fn doctype_markup_declaration_keyword(&mut self, lex: &mut Lexer<'_>) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(self.eof_in_doctype(lex));
        };
        if byte == b'L' && self.keyword == Keyword::after(1, ENTITY) {
            self.keyword = Keyword::after(2, b"ELEMENT");
            self.dialect.then = State::DoctypeElement;
            return Some(State::DoctypeMarkupDeclarationKeyword);
        }
        Some(match self.keyword.take(byte) {
            Some(false) => State::DoctypeMarkupDeclarationKeyword,
            Some(true) => self.dialect.then,
            None => {
                lex.back();
                self.start_doctype_bogus_comment(lex)
            }
        })
    }

    /// Our own state: reads the name after a `%`, up to its `;`.
    pub(super) fn doctype_parameter_reference(&mut self, lex: &mut Lexer<'_>) -> Next {
        let start = self.reference;
        match lex.next()? {
            Byte(b';') if lex.mark() - start > 2 => {
                return Some(self.parameter_reference(lex));
            }
            Byte(byte) => {
                let (character, mark, _) = lex.character(byte);
                let legal = match mark == start + 1 {
                    true => xml_names::is_name_start_char(character),
                    false => xml_names::is_name_char(character),
                };
                if legal {
                    self.in_reference_name(character, mark);
                    return Some(State::DoctypeParameterReference);
                }
                lex.back_to(mark);
            }
            Eof => {}
        }
        let end = lex.mark();
        let code = errors::INVALID_PARAMETER_REFERENCE;
        self.error(lex, code, start, end);
        if self.return_state.place() == DtdConstruct::Value {
            self.push_written(lex, start, end);
        }
        Some(self.return_state)
    }

    /// Handles a complete parameter-entity reference, `%name;`. Inside a declaration of the internal subset it is an
    /// error. Returns the next state.
    fn parameter_reference(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.reference, lex.mark());
        if (end - start - 2) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, start + 1, end - 1);
        }
        self.check_entity_name(lex);
        if lex.out.fatal.is_some() {
            return self.return_state;
        }
        let reading = match self.return_state.place() {
            DtdConstruct::Subset => Reading::Separator,
            DtdConstruct::Value => Reading::Literal,
            _ => Reading::Declaration,
        };
        if reading != Reading::Separator && !self.dialect.entities.more.in_external {
            let code = errors::PARAMETER_ENTITY_IN_DECLARATION;
            self.error(lex, code, start, end);
            self.push_written(lex, start, end);
            return self.return_state;
        }
        let name = lex.string(start + 1, end - 1);
        lex.out.work.cleaned += name.len() as u64;
        self.parameter_entity(lex, &name, reading, (start, end))
    }

    /// Starts to read the parameter entity called `name`, which is referred to in `start..end`, or requests its
    /// bytes, or skips it. Returns the state for the text after the reference.
    fn parameter_entity(
        &mut self,
        lex: &mut Lexer<'_>,
        name: &str,
        reading: Reading,
        (start, end): (BufferOffset, BufferOffset),
    ) -> State {
        let then = self.return_state;
        self.dialect.dtd.leave_unread(Unread::Declarations);
        let Some(index) = self.dialect.dtd.declarations.parameter(name) else {
            return self.skip_parameter(reading, then);
        };
        let Entity { content, open, .. } = self.dialect.dtd.declarations.entity(index);
        let replacement = match content {
            _ if *open => {
                let code = errors::RECURSIVE_ENTITY;
                self.wrong_reference(lex, code, index, (start, end));
                return then;
            }
            Content::Internal(text) => Replacement::internal(text),
            Content::External(External {
                replacement: Some(replacement),
                ..
            }) => replacement.clone(),
            Content::External(External { id, .. }) if self.dialect.options.asks() => {
                let id = Arc::clone(id);
                self.ask(lex, &id, Some(index), reading, (start, end));
                return then;
            }
            Content::External(_) | Content::Unparsed => {
                return self.skip_parameter(reading, then);
            }
        };
        self.enter(lex, Some(index), replacement, reading, (start, end));
        then
    }

    /// Handles a parameter entity that is not read: later declarations are not processed, because the entity might
    /// contain earlier declarations of the same names. Returns the state for the text after the reference.
    pub(in crate::dialects::xml) fn skip_parameter(
        &mut self,
        reading: Reading,
        then: State,
    ) -> State {
        self.dialect.dtd.leave_unread(Unread::ParameterEntity);
        if reading == Reading::Declaration {
            // Without the text of the entity, the rest of this declaration cannot be interpreted, so it is skipped.
            self.dialect.doctype.declared.reported = true;
            return State::DoctypeDeclaration;
        }
        then
    }

    /// Adds the input in `from..to` to the literal, as written.
    pub(in crate::dialects::xml) fn push_written(
        &mut self,
        lex: &mut Lexer<'_>,
        from: BufferOffset,
        to: BufferOffset,
    ) {
        let (first, second) = lex.pieces(from, to);
        self.push_meant(first);
        self.push_meant(second);
        lex.out.work.cleaned += u64::from(to - from);
    }

    /// Adds `meant`, the replacement of a reference, to the literal.
    pub(in crate::dialects::xml) fn push_meant(&mut self, meant: &str) {
        self.dialect.doctype.after_cr = false;
        self.dialect.doctype.literal.push_str(meant);
    }

    /// Our own state, because XML-ER drops processing instructions here: reads the first byte after `<?`.
    pub(super) fn doctype_pi(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ' | b'?') => {
                lex.back();
                self.error_next(lex, errors::INVALID_TARGET);
                (self.name, self.name_end) = (lex.mark(), lex.mark());
                State::PiTargetAfter
            }
            Byte(byte) => {
                self.start_target(lex, byte);
                State::PiTarget
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Reports a construct in the DTD that is not a declaration. It is skipped as a bogus comment.
    pub(super) fn start_doctype_bogus_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.dialect.subset.token, lex.mark());
        self.error(lex, errors::INVALID_DECLARATION_IN_SUBSET, start, end);
        State::DoctypeBogusComment
    }

    /// Implements the *DOCTYPE bogus comment state*: skips everything up to `>`.
    ///
    /// Nothing is emitted, because comments in the DTD are not events.
    pub(super) fn doctype_bogus_comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = match self.dialect.subset.stray_percent {
            BufferOffset::NONE => lex.until_byte(b'>')?,
            _ => lex.next()?,
        };
        Some(match unit {
            Byte(b'>') => State::DoctypeInternalSubset,
            Byte(_) => State::DoctypeBogusComment,
            Eof => self.eof_in_doctype(lex),
        })
    }
}
