//! The internal subset of a DOCTYPE: what stands between its brackets, but for the declarations
//! themselves.

use crate::event::record::{IN_DOCTYPE, Kind, NONE, Piece, Queue, Record};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::limits::Limit;
use crate::text::xml_names;
use crate::xml::declarations::{Content, Entity, External};
use crate::xml::errors;
use crate::xml::frames::{Reading, Replacement};
use crate::xml::machine::{Cursor, DELIMITED, Keyword, NOT_SPACE, XmlMachine};
use crate::xml::state::{Place, State};
use alloc::string::String;
use alloc::sync::Arc;

impl XmlMachine {
    /// DOCTYPE internal subset state
    pub(in crate::xml) fn doctype_internal_subset(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'<') => {
                self.inner = input.mark() - 1;
                State::DoctypeTag
            }
            Byte(b'%') => {
                self.begin_reference(State::DoctypeInternalSubset, input.mark() - 1);
                State::DoctypeParameterReference
            }
            Byte(b']') if self.reading_in_doctype().is_none() => State::DoctypeInternalSubsetAfter,
            Byte(b']') if self.is_in_section() => State::DoctypeConditionalAfter,
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.name_reported = false;
                State::DoctypeInternalSubset
            }
            Byte(_) => {
                // What has no place here: once is enough.
                if !self.name_reported {
                    self.name_reported = true;
                    self.error_here(input, out, errors::STRAY_TEXT_IN_SUBSET);
                }
                State::DoctypeInternalSubset
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// DOCTYPE tag state
    pub(in crate::xml) fn doctype_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'!') => State::DoctypeMarkupDeclaration,
            Byte(b'?') => {
                // In a late DOCTYPE this is the one event that may stand in a run of text: it ends it.
                self.flush_text(input, out, self.token);
                self.name = input.mark();
                self.name_end = self.name;
                self.name_reported = false;
                State::DoctypePiTarget
            }
            Byte(_) => {
                input.back();
                self.start_doctype_bogus_comment(input, out)
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// DOCTYPE markup declaration state
    pub(in crate::xml) fn doctype_markup_declaration(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        self.keyword = match input.next()? {
            Byte(b'-') => Keyword::new(b"--", State::DoctypeComment),
            Byte(b'E') => Keyword::new(b"ENTITY", State::DoctypeEntity),
            Byte(b'A') => Keyword::new(b"ATTLIST", State::DoctypeAttlist),
            Byte(b'N') => Keyword::new(b"NOTATION", State::DoctypeNotation),
            Byte(b'[') if self.in_external => return Some(self.start_section()),
            Byte(_) => {
                input.back();
                return Some(self.start_doctype_bogus_comment(input, out));
            }
            Eof => return Some(self.eof_in_doctype(input, out)),
        };
        Some(State::DoctypeMarkupDeclarationKeyword)
    }

    /// Not in the document: the DOCTYPE markup declaration state in the middle of a word.
    pub(in crate::xml) fn doctype_markup_declaration_keyword(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let Keyword {
            word,
            matched,
            then,
        } = self.keyword;
        Some(match input.next()? {
            Byte(b'L') if word == b"ENTITY" && matched == 1 => {
                self.keyword = Keyword {
                    word: b"ELEMENT",
                    matched: 2,
                    then: State::DoctypeElement,
                };
                State::DoctypeMarkupDeclarationKeyword
            }
            Byte(byte) if byte == word[matched] => {
                self.keyword.matched += 1;
                if matched + 1 < word.len() {
                    return Some(State::DoctypeMarkupDeclarationKeyword);
                }
                then
            }
            Byte(_) => {
                input.back();
                self.start_doctype_bogus_comment(input, out)
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// Not in the document: after `%`, in the internal subset or in the value of an entity.
    pub(in crate::xml) fn doctype_parameter_reference(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let start = self.reference;
        match input.next()? {
            Byte(b';') if input.mark() - start > 2 => {
                return Some(self.parameter_reference(input, out));
            }
            Byte(byte) => {
                let mark = input.mark() - 1;
                let character = if byte < 0x80 {
                    byte as char
                } else {
                    input.wide()
                };
                let legal = match mark == start + 1 {
                    true => xml_names::is_name_start_char(character),
                    false => xml_names::is_name_char(character),
                };
                if legal {
                    self.in_reference_name(character, mark);
                    return Some(State::DoctypeParameterReference);
                }
                input.back_to(mark);
            }
            Eof => {}
        }
        let end = input.mark();
        let code = errors::INVALID_PARAMETER_REFERENCE;
        self.error(input, out, code, start, end);
        if self.return_state.place() == Place::Value {
            self.push_written(input, out, start, end);
        }
        Some(self.return_state)
    }

    /// `%name;` was taken.
    fn parameter_reference(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let (start, end) = (self.reference, input.mark());
        if (end - start - 2) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, start + 1, end - 1);
        }
        self.check_entity_name(input, out);
        if out.fatal.is_some() {
            return self.return_state;
        }
        let reading = match self.return_state.place() {
            Place::Subset => Reading::Separator,
            Place::Value => Reading::Literal,
            _ => Reading::Declaration,
        };
        if reading != Reading::Separator && !self.in_external {
            let code = errors::PARAMETER_ENTITY_IN_DECLARATION;
            self.error(input, out, code, start, end);
            self.push_written(input, out, start, end);
            return self.return_state;
        }
        let (first, second) = input.pieces(&out.carry, start + 1, end - 1);
        let name = String::from_iter([first, second]);
        out.work.cleaned += name.len() as u64;
        self.parameter_entity(input, out, &name, reading, (start, end))
    }

    /// A reference to a parameter entity, between two marks; gives the state in which what follows is
    /// read.
    fn parameter_entity(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        name: &str,
        reading: Reading,
        (start, end): (u32, u32),
    ) -> State {
        let then = self.return_state;
        self.unread_declarations = true;
        let Some(index) = self.declarations.parameter(name) else {
            return self.skip_parameter(reading, then);
        };
        let Entity { content, open, .. } = self.declarations.entity(index);
        let replacement = match content {
            _ if *open => {
                self.error(input, out, errors::RECURSIVE_ENTITY, start, end);
                return then;
            }
            Content::Internal(text) => Replacement::internal(text),
            Content::External(External {
                replacement: Some(replacement),
                ..
            }) => replacement.clone(),
            Content::External(External { id, .. }) if self.options.asks() => {
                let id = Arc::clone(id);
                self.ask(input, &id, Some(index), reading, (start, end));
                return then;
            }
            Content::External(_) | Content::Unparsed => {
                return self.skip_parameter(reading, then);
            }
        };
        self.enter(input, out, Some(index), replacement, reading, (start, end));
        then
    }

    /// A parameter entity is not read: what is declared after it may have been declared in it. Gives
    /// the state in which what follows is read.
    pub(in crate::xml) fn skip_parameter(&mut self, reading: Reading, then: State) -> State {
        self.unread_parameter = true;
        if reading == Reading::Declaration {
            // What the rest of the declaration means is not known.
            self.doctype.declared.reported = true;
            return State::DoctypeDeclaration;
        }
        then
    }

    /// Adds what is written between two marks to the literal.
    pub(in crate::xml) fn push_written(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
        from: u32,
        to: u32,
    ) {
        let (first, second) = input.pieces(&out.carry, from, to);
        self.push_meant(first);
        self.push_meant(second);
        out.work.cleaned += u64::from(to - from);
    }

    /// Adds what something written means to the literal.
    pub(in crate::xml) fn push_meant(&mut self, meant: &str) {
        self.doctype.after_cr = false;
        self.doctype.literal.extend_from_slice(meant.as_bytes());
    }

    /// DOCTYPE comment state
    pub(in crate::xml) fn doctype_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<DELIMITED>()? {
            Byte(b'-') => State::DoctypeCommentDash,
            Byte(byte) => {
                self.check_character(input, out, byte);
                State::DoctypeComment
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// DOCTYPE comment dash state
    pub(in crate::xml) fn doctype_comment_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::DoctypeCommentEnd,
            Byte(_) => {
                input.back();
                State::DoctypeComment
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// DOCTYPE comment end state
    ///
    /// Going back to the dash state on `-` is a slip: it stays, and `--->` ends the comment.
    pub(in crate::xml) fn doctype_comment_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => State::DoctypeInternalSubset,
            Byte(byte) => {
                let dashes = input.mark() - 3;
                let code = errors::DOUBLE_HYPHEN_IN_COMMENT;
                let state = if byte == b'-' {
                    State::DoctypeCommentEnd
                } else {
                    input.back();
                    State::DoctypeComment
                };
                self.error(input, out, code, dashes, dashes + 2);
                state
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// Not in the document, which drops processing instructions here: in the target of one.
    pub(in crate::xml) fn doctype_pi_target(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        let end = input.mark() - u32::from(unit != Eof);
        Some(match unit {
            Byte(b'\t' | b'\n' | b'\r' | b' ' | b'?') if end == self.name => {
                input.back();
                self.error_next(input, out, errors::INVALID_TARGET);
                State::DoctypePiTargetAfter
            }
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_target_at(input, out, end, false);
                State::DoctypePiTargetAfter
            }
            Byte(b'?') => {
                self.end_target_at(input, out, end, false);
                self.string = Piece::at(end);
                State::DoctypePiAfter
            }
            Byte(byte) => {
                *input = self.target_character(*input, out, byte, end == self.name);
                State::DoctypePiTarget
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// Not in the document: after the target, in white space.
    pub(in crate::xml) fn doctype_pi_target_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(_) => {
                input.back();
                self.string = Piece::at(input.mark());
                State::DoctypePi
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// DOCTYPE pi state
    pub(in crate::xml) fn doctype_pi(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<DELIMITED>()? {
            Byte(b'?') => State::DoctypePiAfter,
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::DoctypePi
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// DOCTYPE pi after state
    pub(in crate::xml) fn doctype_pi_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                let (start, end) = (self.inner, input.mark());
                let record = Record {
                    c: self.name,
                    d: self.name_end,
                    flags: IN_DOCTYPE,
                    ..Record::new(Kind::ProcessingInstruction, start, end)
                };
                self.emit_string(input, out, record, end - 2);
                State::DoctypeInternalSubset
            }
            byte => {
                self.check_space_after_target(input, out);
                match byte {
                    Byte(b'?') => State::DoctypePiAfter,
                    Byte(_) => {
                        input.back();
                        State::DoctypePi
                    }
                    Eof => self.eof_in_doctype(input, out),
                }
            }
        })
    }

    pub(super) fn start_doctype_bogus_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        let (start, end) = (self.inner, input.mark());
        self.error(
            input,
            out,
            errors::INVALID_DECLARATION_IN_SUBSET,
            start,
            end,
        );
        State::DoctypeBogusComment
    }

    /// DOCTYPE bogus comment state
    ///
    /// It emits nothing: comments of the subset are no events.
    pub(in crate::xml) fn doctype_bogus_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = match self.stray_percent {
            NONE => input.until_byte(b'>')?,
            _ => input.next()?,
        };
        Some(match unit {
            Byte(b'>') => State::DoctypeInternalSubset,
            Byte(_) => State::DoctypeBogusComment,
            Eof => self.eof_in_doctype(input, out),
        })
    }
}
