//! The DOCTYPE: its name, its identifiers, and its internal subset, whose declarations are crossed.

use crate::event::record::{CLEANED, DoctypeDetails, IN_DOCTYPE, Kind, NONE, Piece, Queue, Record};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::limits::Limit;
use crate::text::xml_names;
use crate::xml::errors;
use crate::xml::machine::{Cursor, DELIMITED, Keyword, Phase, XmlMachine};
use crate::xml::state::State;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// What is known of the DOCTYPE being read.
#[derive(Clone, Debug, Default)]
pub(in crate::xml) struct Register {
    /// It stands in its place, and is an event.
    wanted: bool,
    details: DoctypeDetails,
    /// The word before an identifier, as far as it is `PUBLIC` or `SYSTEM`.
    word: [u8; 6],
    word_length: usize,
    /// The identifier that the next literal is.
    expected: Identifier,
    literals: u8,
    /// The identifier being read, line ends normalised: a run of text may be using the scratch buffer.
    literal: Vec<u8>,
    after_cr: bool,
    declarations: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Identifier {
    #[default]
    None,
    Public,
    System,
}

impl XmlMachine {
    /// DOCTYPE state
    pub(in crate::xml) fn doctype(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                let start = self.token;
                let wanted = self.phase == Phase::Start && !self.seen_doctype;
                if wanted {
                    self.flush_text(input, out, start);
                } else if self.seen_doctype {
                    self.error(input, out, errors::SECOND_DOCTYPE, start, start + 9);
                } else {
                    self.error(input, out, errors::MISPLACED_DOCTYPE, start, start + 9);
                }
                self.seen_doctype = true;
                self.doctype = Register {
                    wanted,
                    ..Register::default()
                };
                State::DoctypeRootNameBefore
            }
            Byte(_) => {
                input.back();
                self.bogus_markup_declaration(input, out)
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// The end of the input: nothing is emitted, and what was read is no text.
    fn eof_in_doctype(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.error_at_end(input, out, errors::EOF_IN_DOCTYPE);
        self.doctype_ends(input, out)
    }

    /// DOCTYPE root name before state
    pub(in crate::xml) fn doctype_root_name_before(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeRootNameBefore,
            Byte(b'>') => {
                self.name = input.mark() - 1;
                self.name_end = self.name;
                self.error_here(input, out, errors::MISSING_DOCTYPE_NAME);
                self.emit_doctype(input, out)
            }
            Byte(byte) => {
                self.name = input.mark() - 1;
                self.name_reported = false;
                *input = self.name_character(*input, out, byte, true);
                State::DoctypeRootName
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// DOCTYPE root name state
    pub(in crate::xml) fn doctype_root_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_root_name(input, out);
                State::DoctypeRootNameAfter
            }
            Byte(b'>') => {
                self.end_root_name(input, out);
                self.emit_doctype(input, out)
            }
            Byte(b'[') => {
                self.end_root_name(input, out);
                State::DoctypeInternalSubset
            }
            Byte(byte) => {
                *input = self.name_character(*input, out, byte, false);
                State::DoctypeRootName
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    fn end_root_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let (name, end) = (self.name, input.mark() - 1);
        self.name_end = end;
        if (end - name) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, name, end);
        }
        let (first, second) = input.pieces(&out.carry, name, end);
        self.doctype.details.name = String::from_iter([first, second]);
        let colon = self.doctype.details.name.contains(':');
        let qualified = self
            .doctype
            .details
            .name
            .split_once(':')
            .is_some_and(|(prefix, local)| {
                xml_names::is_ncname(prefix) && xml_names::is_ncname(local)
            });
        if colon && !qualified && self.options.has_namespaces() && !self.name_reported {
            self.error(input, out, errors::INVALID_QUALIFIED_NAME, name, end);
        }
    }

    /// DOCTYPE root name after state
    pub(in crate::xml) fn doctype_root_name_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                self.end_external_identifier(input, out);
                self.emit_doctype(input, out)
            }
            Byte(b'"') => {
                self.start_identifier(input, out);
                State::DoctypeIdentifierDoubleQuoted
            }
            Byte(b'\'') => {
                self.start_identifier(input, out);
                State::DoctypeIdentifierSingleQuoted
            }
            Byte(b'[') => {
                self.end_external_identifier(input, out);
                State::DoctypeInternalSubset
            }
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_word(input, out);
                State::DoctypeRootNameAfter
            }
            Byte(byte) => {
                let register = &mut self.doctype;
                if let Some(place) = register.word.get_mut(register.word_length) {
                    *place = byte;
                }
                register.word_length += 1;
                State::DoctypeRootNameAfter
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// A word has ended before the character taken last; only `PUBLIC` and `SYSTEM` mean something.
    fn end_word(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let register = &mut self.doctype;
        let length = core::mem::take(&mut register.word_length);
        if length == 0 {
            return;
        }
        let first = register.literals == 0 && register.expected == Identifier::None;
        register.expected = match register.word.get(..length) {
            Some(b"PUBLIC") if first => Identifier::Public,
            Some(b"SYSTEM") if first => Identifier::System,
            _ => {
                let end = input.mark() - 1;
                let start = end - length as u32;
                self.error(input, out, errors::INVALID_DOCTYPE, start, end);
                return;
            }
        };
    }

    /// The quote before an identifier was taken.
    fn start_identifier(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let quote = input.mark() - 1;
        let before = input.byte(&out.carry, quote - 1);
        self.end_word(input, out);
        let register = &self.doctype;
        if register.expected == Identifier::None {
            self.error(input, out, errors::INVALID_DOCTYPE, quote, quote + 1);
        } else if !matches!(before, b'\t' | b'\n' | b'\r' | b' ') {
            self.error(input, out, errors::MISSING_WHITE_SPACE, quote, quote + 1);
        }
        self.doctype.literal.clear();
    }

    /// The identifiers end before the character taken last.
    fn end_external_identifier(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        self.end_word(input, out);
        if self.doctype.expected != Identifier::None {
            self.error_here(input, out, errors::MISSING_SYSTEM_IDENTIFIER);
        }
    }

    /// DOCTYPE identifier double quoted state
    pub(in crate::xml) fn doctype_identifier_double_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        self.doctype_identifier(input, out, b'"', State::DoctypeIdentifierDoubleQuoted)
    }

    /// DOCTYPE identifier single quoted state
    pub(in crate::xml) fn doctype_identifier_single_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        self.doctype_identifier(input, out, b'\'', State::DoctypeIdentifierSingleQuoted)
    }

    /// The two states differ in their quote only.
    fn doctype_identifier(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        quote: u8,
        stay: State,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte == quote => {
                self.end_identifier();
                State::DoctypeRootNameAfter
            }
            Byte(byte) => {
                let after_cr = core::mem::replace(&mut self.doctype.after_cr, byte == b'\r');
                match byte {
                    b'\r' => self.doctype.literal.push(b'\n'),
                    b'\n' if after_cr => {}
                    _ => self.doctype.literal.push(byte),
                }
                let public = self.doctype.expected == Identifier::Public;
                let begins = !matches!(byte, 0x80..0xC0);
                if public && begins && !xml_names::is_pubid_char(byte as char) {
                    self.error_here(input, out, errors::INVALID_PUBLIC_IDENTIFIER);
                } else {
                    self.check_character(input, out, byte);
                }
                stay
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    fn end_identifier(&mut self) {
        let identifier = String::from_utf8_lossy(&self.doctype.literal).into_owned();
        self.doctype.after_cr = false;
        let register = &mut self.doctype;
        register.literals += u8::from(register.literals < 2);
        match core::mem::take(&mut register.expected) {
            Identifier::Public => {
                register.details.public_id = Some(normalise(&identifier));
                register.expected = Identifier::System;
            }
            Identifier::System => register.details.system_id = Some(identifier),
            Identifier::None => {}
        }
    }

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
                self.unread_declarations = true;
                self.name_reported = true;
                State::DoctypeInternalSubset
            }
            Byte(b']') => State::DoctypeInternalSubsetAfter,
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.name_reported = false;
                State::DoctypeInternalSubset
            }
            Byte(byte) => {
                // The name of a parameter entity, or what has no place here: once is enough.
                if byte == b';' {
                    self.name_reported = false;
                } else if !self.name_reported {
                    self.name_reported = true;
                    self.error_here(input, out, errors::STRAY_TEXT_IN_SUBSET);
                }
                State::DoctypeInternalSubset
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// DOCTYPE internal subset after state
    pub(in crate::xml) fn doctype_internal_subset_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.emit_doctype(input, out),
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeInternalSubsetAfter,
            Byte(byte) => {
                // The first byte of a character stands for all of it.
                if !matches!(byte, 0x80..0xC0) {
                    self.error_here(input, out, errors::INVALID_DOCTYPE);
                }
                State::DoctypeInternalSubsetAfter
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
                self.string = Piece::at(input.mark());
                State::DoctypePi
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
            Byte(b'E') => Keyword::new(b"ENTITY", State::DoctypeDeclaration),
            Byte(b'A') => Keyword::new(b"ATTLIST", State::DoctypeDeclaration),
            Byte(b'N') => Keyword::new(b"NOTATION", State::DoctypeDeclaration),
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
                    then,
                };
                State::DoctypeMarkupDeclarationKeyword
            }
            Byte(byte) if byte == word[matched] => {
                self.keyword.matched += 1;
                if matched + 1 < word.len() {
                    return Some(State::DoctypeMarkupDeclarationKeyword);
                }
                if then == State::DoctypeDeclaration {
                    self.start_declaration(input, out);
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

    /// The name of a declaration was taken. What it declares is not read: a reference may mean it.
    fn start_declaration(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        if self.keyword.word == b"ENTITY" {
            self.unread_declarations = true;
        }
        self.doctype.declarations += 1;
        if self.doctype.declarations > self.limits.declarations {
            let start = self.inner;
            self.exceed(input, out, Limit::Declarations, start, input.mark());
        }
    }

    /// Not in the document: in a declaration, up to the `>` outside literals.
    pub(in crate::xml) fn doctype_declaration(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => State::DoctypeInternalSubset,
            Byte(quote @ (b'"' | b'\'')) => {
                self.quote = quote;
                State::DoctypeDeclarationQuoted
            }
            Byte(byte) => {
                self.check_character(input, out, byte);
                State::DoctypeDeclaration
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// Not in the document: in a literal of a declaration.
    pub(in crate::xml) fn doctype_declaration_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte == self.quote => State::DoctypeDeclaration,
            Byte(byte) => {
                self.check_character(input, out, byte);
                State::DoctypeDeclarationQuoted
            }
            Eof => self.eof_in_doctype(input, out),
        })
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

    /// DOCTYPE pi state
    ///
    /// The document drops processing instructions here; correct ones are events.
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
                self.emit_doctype_pi(input, out);
                State::DoctypeInternalSubset
            }
            Byte(b'?') => State::DoctypePiAfter,
            Byte(_) => {
                input.back();
                State::DoctypePi
            }
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// Emits a processing instruction of the internal subset: its target ends at white space.
    fn emit_doctype_pi(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let (start, end) = (self.inner, input.mark());
        self.join(input, out, start, end);
        let (from, to) = (self.string.start, end - 2);
        let (a, b, cleaned) = self.string.finish(*input, out, to);
        self.string = Piece::NONE;
        let raw = input.one_piece(&out.carry, from, to);
        let space = ['\t', '\n', '\r', ' '];
        let target = raw.split(space).next().unwrap_or_default();
        let data = if cleaned {
            &out.scratch[a as usize..b as usize]
        } else {
            input.one_piece(&out.carry, a, b)
        };
        let skip = data.len() - data[target.len()..].trim_start_matches(space).len();
        let (c, d) = (from, from + target.len() as u32);
        let code = if target.eq_ignore_ascii_case("xml") {
            Some(errors::RESERVED_TARGET)
        } else if !xml_names::is_name(target) {
            Some(errors::INVALID_TARGET)
        } else if target.contains(':') && self.options.has_namespaces() {
            Some(errors::INVALID_QUALIFIED_NAME)
        } else {
            None
        };
        if let Some(code) = code {
            self.error(input, out, code, c, d);
        }
        let a = a + skip as u32;
        let mut record = Record {
            a,
            b,
            c,
            d,
            ..Record::new(Kind::ProcessingInstruction, start, end)
        };
        record.flags |= IN_DOCTYPE;
        if cleaned {
            record.flags |= CLEANED;
            out.unfinished = b;
        }
        self.push(input, out, record);
    }

    fn start_doctype_bogus_comment(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
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
        Some(match input.until_byte(b'>')? {
            Byte(_) => State::DoctypeInternalSubset,
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// The `>` of the DOCTYPE was taken.
    fn emit_doctype(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let details = &self.doctype.details;
        if details.public_id.is_some() || details.system_id.is_some() {
            self.unread_declarations = true;
        }
        if self.doctype.wanted {
            out.doctype = Some(Arc::new(core::mem::take(&mut self.doctype.details)));
            let record = Record::new(Kind::Doctype, self.token, input.mark());
            self.push(input, out, record);
        }
        self.doctype_ends(input, out)
    }

    /// Goes on after a DOCTYPE. In an element, the run of text before it goes on too.
    fn doctype_ends(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let (start, end) = (self.token, input.mark());
        self.token = NONE;
        self.inner = NONE;
        self.string = Piece::NONE;
        if self.text.is_none() {
            return self.content(input);
        }
        if self.text.start >= start {
            self.text = Piece::at(end);
        } else {
            self.text.leave_out(*input, out, start, end);
        }
        State::Data
    }
}

/// The public identifier as it is to be compared: white space at its ends goes, that within becomes
/// single spaces.
fn normalise(identifier: &str) -> String {
    let mut words = identifier
        .split(['\t', '\n', '\r', ' '])
        .filter(|word| !word.is_empty());
    let mut normalised = String::from(words.next().unwrap_or_default());
    for word in words {
        normalised.push(' ');
        normalised.push_str(word);
    }
    normalised
}
