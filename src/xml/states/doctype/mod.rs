//! The DOCTYPE: its name, its identifiers, and its internal subset, whose declarations are crossed.

mod attlist;
mod conditional;
mod element;
mod entity;
mod external;
mod notation;
mod subset;

use crate::entity::EntityId;
use crate::error::ErrorCode;
use crate::event::record::{DoctypeDetails, Kind, Record};
use crate::input::Mark;
use crate::lexer::{
    TextBuffer,
    Unit::{self, Byte, Eof},
};
use crate::text::xml_names;
use crate::xml::errors;
use crate::xml::frames::Reading;
use crate::xml::machine::{Lexer, Phase, XmlMachine};
use crate::xml::state::{Next, Place, State};
use alloc::string::String;
use alloc::sync::Arc;

/// What is known of the DOCTYPE being read.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
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
    /// The literal being read, line ends normalised: a run of text may be using the scratch buffer.
    literal: String,
    after_cr: bool,
    declarations: usize,
    /// How many conditional sections are open, and how many in the one that is ignored.
    sections: usize,
    ignored: usize,
    /// The word of a conditional section; the last bytes of one that is ignored.
    section: String,
    in_end: bool,
    /// In the text of how many entities the literal began.
    literal_depth: usize,
    declared: Declared,
    definition: attlist::Definition,
    specification: element::Specification,
}

/// What is known of the declaration being read.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct Declared {
    /// Something has no place in it, and was reported.
    reported: bool,
    /// White space stands before the unit taken last.
    spaced: bool,
    /// The entity is a parameter entity.
    is_parameter: bool,
    /// Name of the entity, notation or element type.
    name: String,
    step: external::Step,
    in_word: bool,
    public_id: Option<String>,
    system_id: Option<String>,
    notation: Option<String>,
}

impl Register {
    /// How many conditional sections are open.
    pub(in crate::xml) fn sections(&self) -> usize {
        self.sections
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
enum Identifier {
    #[default]
    None,
    Public,
    System,
}

impl XmlMachine {
    /// Runs one of the states of a DOCTYPE.
    #[inline(never)]
    pub(in crate::xml) fn doctype_states(&mut self, lex: &mut Lexer<'_>) -> Next {
        if !self.own.stray_percent.is_none() {
            self.watch_stray_percent(lex);
        }
        let next = match self.state {
            State::Doctype => self.doctype(lex),
            State::DoctypeRootNameBefore => self.doctype_root_name_before(lex),
            State::DoctypeRootName => self.doctype_root_name(lex),
            State::DoctypeRootNameAfter => self.doctype_root_name_after(lex),
            State::DoctypeIdentifierDoubleQuoted => self.doctype_identifier(lex, b'"'),
            State::DoctypeIdentifierSingleQuoted => self.doctype_identifier(lex, b'\''),
            State::DoctypeInternalSubset => self.doctype_internal_subset(lex),
            State::DoctypeInternalSubsetAfter => self.doctype_internal_subset_after(lex),
            State::DoctypeTag => self.doctype_tag(lex),
            State::DoctypeMarkupDeclaration => self.doctype_markup_declaration(lex),
            State::DoctypeMarkupDeclarationKeyword => self.doctype_markup_declaration_keyword(lex),
            State::DoctypeEntity => self.doctype_entity(lex),
            State::DoctypeEntityTypeBefore => self.doctype_entity_type_before(lex),
            State::DoctypeEntityParameterBefore => self.doctype_entity_parameter_before(lex),
            State::DoctypeEntityParameter => self.doctype_entity_parameter(lex),
            State::DoctypeEntityName => self.doctype_entity_name(lex),
            State::DoctypeEntityNameAfter => self.doctype_entity_name_after(lex),
            State::DoctypeEntityValueDoubleQuoted => self.doctype_entity_value(lex, b'"'),
            State::DoctypeEntityValueSingleQuoted => self.doctype_entity_value(lex, b'\''),
            State::DoctypeEntityValueAfter => self.doctype_entity_value_after(lex),
            State::DoctypeEntityIdentifier => self.doctype_entity_identifier(lex),
            State::DoctypeEntityIdentifierDoubleQuoted => {
                self.external_literal(lex, b'"', State::DoctypeEntityIdentifier)
            }
            State::DoctypeEntityIdentifierSingleQuoted => {
                self.external_literal(lex, b'\'', State::DoctypeEntityIdentifier)
            }
            State::DoctypeAttlist => self.doctype_attlist(lex),
            State::DoctypeAttlistNameBefore => self.doctype_attlist_name_before(lex),
            State::DoctypeAttlistName => self.doctype_attlist_name(lex),
            State::DoctypeAttlistNameAfter => self.doctype_attlist_name_after(lex),
            State::DoctypeAttlistAttributeName => self.doctype_attlist_attribute_name(lex),
            State::DoctypeAttlistAttributeNameAfter => {
                self.doctype_attlist_attribute_name_after(lex)
            }
            State::DoctypeAttlistAttributeType => self.doctype_attlist_attribute_type(lex),
            State::DoctypeAttlistAttributeTypeAfter => {
                self.doctype_attlist_attribute_type_after(lex)
            }
            State::DoctypeAttlistAttributeDeclarationBefore => {
                self.doctype_attlist_attribute_declaration_before(lex)
            }
            State::DoctypeAttlistAttributeDeclaration => {
                self.doctype_attlist_attribute_declaration(lex)
            }
            State::DoctypeAttlistAttributeDeclarationAfter => {
                self.doctype_attlist_attribute_declaration_after(lex)
            }
            State::DoctypeAttlistAttributeValueDoubleQuoted => {
                self.doctype_attlist_attribute_value(lex, b'"')
            }
            State::DoctypeAttlistAttributeValueSingleQuoted => {
                self.doctype_attlist_attribute_value(lex, b'\'')
            }
            State::DoctypeNotation => self.doctype_notation(lex),
            State::DoctypeNotationIdentifier => self.doctype_notation_identifier(lex),
            State::DoctypeNotationIdentifierDoubleQuoted => {
                self.external_literal(lex, b'"', State::DoctypeNotationIdentifier)
            }
            State::DoctypeNotationIdentifierSingleQuoted => {
                self.external_literal(lex, b'\'', State::DoctypeNotationIdentifier)
            }
            State::DoctypeElement => self.doctype_element(lex),
            State::DoctypeElementSpecification => self.doctype_element_specification(lex),
            State::DoctypeParameterReference => self.doctype_parameter_reference(lex),
            State::DoctypeDeclaration => self.doctype_declaration(lex),
            State::DoctypeDeclarationQuoted => self.doctype_declaration_quoted(lex),
            State::DoctypePi => self.doctype_pi(lex),
            State::DoctypeBogusComment => self.doctype_bogus_comment(lex),
            State::DoctypeConditional => self.doctype_conditional(lex),
            State::DoctypeConditionalAfter => self.doctype_conditional_after(lex),
            State::DoctypeIgnored => self.doctype_ignored(lex),
            State::DoctypeExternalSubset => self.doctype_external_subset(lex),
            _ => None,
        };
        match core::mem::replace(&mut self.own.percent, Mark::NONE) {
            Mark::NONE => next,
            percent => self.after_percent(lex, percent, next),
        }
    }

    /// The next unit of a declaration, between its literals. Where parameter entities are read there,
    /// the `%` of a reference to one is a space that comes before its replacement text; elsewhere it is
    /// wrong, and stays.
    pub(super) fn declaration_unit(&mut self, lex: &mut Lexer<'_>) -> Option<Unit> {
        let unit = lex.next()?;
        if unit != Byte(b'%') {
            return Some(unit);
        }
        if self.is_reference_read(lex) {
            self.own.percent = lex.mark() - 1;
            return Some(Byte(b' '));
        }
        self.start_stray_percent(lex.mark() - 1);
        Some(unit)
    }

    /// Whether the `%` taken last begins a reference to a parameter entity that is read in a
    /// declaration.
    pub(super) fn is_reference_read(&self, lex: &Lexer<'_>) -> bool {
        self.own.in_external && lex.following().is_some_and(xml_names::is_name_start_char)
    }

    /// A `%` stands at a mark of a declaration where no parameter entity is read: once it is known what
    /// it is, that is reported, and nothing more of the declaration.
    pub(super) fn start_stray_percent(&mut self, mark: Mark) {
        self.own.stray_percent = mark;
        self.own.name_reported = true;
        self.own.doctype.declared.reported = true;
    }

    /// Reports the `%` as soon as what follows says whether it begins a reference.
    #[cold]
    fn watch_stray_percent(&mut self, lex: &mut Lexer<'_>) {
        let next = lex.peek().and_then(|_| lex.following());
        let (start, end) = (self.own.stray_percent, lex.mark());
        match next {
            // It is reconsumed.
            Some('%') if end == start => {}
            Some(';') if end > start + 1 => {
                self.report_stray_percent(lex, errors::PARAMETER_ENTITY_IN_DECLARATION, end + 1);
            }
            Some(next) => {
                let goes_on = match end > start + 1 {
                    true => xml_names::is_name_char(next),
                    false => xml_names::is_name_start_char(next),
                };
                if !goes_on {
                    self.report_stray_percent(lex, errors::INVALID_PARAMETER_REFERENCE, end);
                }
            }
            None => {}
        }
    }

    fn report_stray_percent(&mut self, lex: &mut Lexer<'_>, code: ErrorCode, end: Mark) {
        let start = core::mem::replace(&mut self.own.stray_percent, Mark::NONE);
        self.error(lex, code, start, end);
    }

    /// A state has met the `%` at a mark, and may have taken it for the space that it is.
    #[cold]
    fn after_percent(&mut self, lex: &Lexer<'_>, percent: Mark, next: Next) -> Next {
        if lex.mark() != percent + 1 {
            return next;
        }
        self.begin_reference(next?, percent);
        Some(State::DoctypeParameterReference)
    }

    /// Whether declarations are not processed any more: something unread may have been declared before.
    fn is_past_unread(&self) -> bool {
        self.own.unread_parameter && !self.own.standalone
    }

    /// DOCTYPE state
    pub(super) fn doctype(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                let start = self.token;
                let wanted = self.own.phase == Phase::Start && !self.own.seen_doctype;
                if wanted {
                    self.end_text_before(lex, start);
                } else if self.own.seen_doctype {
                    self.error(lex, errors::SECOND_DOCTYPE, start, start + 9);
                } else {
                    self.error(lex, errors::MISPLACED_DOCTYPE, start, start + 9);
                }
                self.own.seen_doctype = true;
                self.own.doctype = Register {
                    wanted,
                    ..Register::default()
                };
                State::DoctypeRootNameBefore
            }
            Byte(_) => {
                lex.back();
                let next = self.bogus_markup_declaration(lex);
                // The document consumes the word before it reprocesses what follows.
                self.value = TextBuffer::at(lex.mark());
                next
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Whether a token of the internal subset is read, or what follows one.
    pub(in crate::xml) fn is_in_subset(&self) -> bool {
        !self.own.inner.is_none()
    }

    /// The end of the input: nothing is emitted, and what was read is no text. At the end of the
    /// replacement text of a parameter entity, the subset goes on.
    pub(in crate::xml) fn eof_in_doctype(&mut self, lex: &mut Lexer<'_>) -> State {
        if !self.own.stray_percent.is_none() {
            let code = errors::INVALID_PARAMETER_REFERENCE;
            self.report_stray_percent(lex, code, lex.mark());
        }
        if let Some(reading) = self.reading_in_doctype() {
            return self.end_of_entity(lex, reading);
        }
        self.error_at_end(lex, errors::EOF_IN_DOCTYPE);
        self.doctype_ends(lex)
    }

    /// The end of replacement text in the DOCTYPE.
    fn end_of_entity(&mut self, lex: &mut Lexer<'_>, reading: Reading) -> State {
        let sections = self.own.frames.last().map_or(0, |frame| frame.sections);
        let place = self.state.place();
        let whole = match (place, reading) {
            // What a reference in a declaration leaves open is a matter of validity.
            (Place::Subset, Reading::Declaration) => true,
            (Place::Subset, _) => self.own.doctype.sections == sections,
            (Place::Words, Reading::Declaration) => true,
            (Place::Value, Reading::Literal) => true,
            _ => false,
        };
        if !whole {
            let code = match place {
                Place::Subset | Place::Section => errors::EOF_IN_CONDITIONAL_SECTION,
                _ if reading == Reading::Subset => errors::EOF_IN_EXTERNAL_SUBSET,
                _ => errors::UNBALANCED_PARAMETER_ENTITY,
            };
            self.own.doctype.sections = sections;
            self.error_at_end(lex, code);
        }
        let state = self.leave(lex);
        match reading {
            Reading::Declaration | Reading::Literal if whole => state,
            Reading::Declaration | Reading::Literal => match place {
                Place::Words | Place::Value | Place::Literal => {
                    self.own.doctype.declared.reported = true;
                    State::DoctypeDeclaration
                }
                _ => State::DoctypeInternalSubset,
            },
            Reading::Subset => State::DoctypeExternalSubset,
            Reading::Separator | Reading::Content => State::DoctypeInternalSubset,
        }
    }

    /// DOCTYPE root name before state
    pub(super) fn doctype_root_name_before(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeRootNameBefore,
            Byte(b'>') => {
                self.name = lex.mark() - 1;
                self.name_end = self.name;
                self.error_here(lex, errors::MISSING_DOCTYPE_NAME);
                self.emit_doctype(lex)
            }
            Byte(byte) => {
                self.name = lex.mark() - 1;
                self.own.name_reported = false;
                self.name_character(lex, byte, true);
                State::DoctypeRootName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// DOCTYPE root name state
    pub(super) fn doctype_root_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_root_name(lex);
                State::DoctypeRootNameAfter
            }
            Byte(b'>') => {
                self.end_root_name(lex);
                self.emit_doctype(lex)
            }
            Byte(b'[') => {
                self.end_root_name(lex);
                State::DoctypeInternalSubset
            }
            Byte(byte) => {
                self.name_character(lex, byte, false);
                State::DoctypeRootName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    fn end_root_name(&mut self, lex: &mut Lexer<'_>) {
        self.name_end = lex.mark() - 1;
        self.own.doctype.details.name = self.declared_word(lex, false);
    }

    /// DOCTYPE root name after state
    pub(super) fn doctype_root_name_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                self.end_external_identifier(lex);
                self.emit_doctype(lex)
            }
            Byte(b'"') => {
                self.start_identifier(lex);
                State::DoctypeIdentifierDoubleQuoted
            }
            Byte(b'\'') => {
                self.start_identifier(lex);
                State::DoctypeIdentifierSingleQuoted
            }
            Byte(b'[') => {
                self.end_external_identifier(lex);
                State::DoctypeInternalSubset
            }
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_word(lex);
                State::DoctypeRootNameAfter
            }
            Byte(byte) => {
                let register = &mut self.own.doctype;
                if let Some(place) = register.word.get_mut(register.word_length) {
                    *place = byte;
                }
                register.word_length += 1;
                State::DoctypeRootNameAfter
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// A word has ended before the character taken last; only `PUBLIC` and `SYSTEM` mean something.
    fn end_word(&mut self, lex: &mut Lexer<'_>) {
        let register = &mut self.own.doctype;
        let length = core::mem::take(&mut register.word_length);
        if length == 0 {
            return;
        }
        let first = register.literals == 0 && register.expected == Identifier::None;
        register.expected = match register.word.get(..length) {
            Some(b"PUBLIC") if first => Identifier::Public,
            Some(b"SYSTEM") if first => Identifier::System,
            _ => {
                let end = lex.mark() - 1;
                let start = end - length as u32;
                self.error(lex, errors::INVALID_DOCTYPE, start, end);
                return;
            }
        };
    }

    /// The quote before an identifier was taken.
    fn start_identifier(&mut self, lex: &mut Lexer<'_>) {
        let quote = lex.mark() - 1;
        let before = lex.byte(quote - 1);
        self.end_word(lex);
        let register = &self.own.doctype;
        if register.expected == Identifier::None {
            self.error(lex, errors::INVALID_DOCTYPE, quote, quote + 1);
        } else if !matches!(before, b'\t' | b'\n' | b'\r' | b' ') {
            self.error(lex, errors::MISSING_WHITE_SPACE, quote, quote + 1);
        }
        self.own.doctype.literal.clear();
    }

    /// The identifiers end before the character taken last.
    fn end_external_identifier(&mut self, lex: &mut Lexer<'_>) {
        self.end_word(lex);
        if self.own.doctype.expected != Identifier::None {
            self.error_here(lex, errors::MISSING_SYSTEM_IDENTIFIER);
        }
        let details = &self.own.doctype.details;
        if details.public_id.is_some() || details.system_id.is_some() {
            self.own.unread_declarations = true;
        }
    }

    /// DOCTYPE identifier double quoted state and single quoted state: they differ in their quote only.
    fn doctype_identifier(&mut self, lex: &mut Lexer<'_>, quote: u8) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte == quote => {
                self.end_identifier();
                State::DoctypeRootNameAfter
            }
            Byte(byte) => {
                let is_public = self.own.doctype.expected == Identifier::Public;
                self.identifier_character(lex, byte, is_public);
                self.state
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    fn end_identifier(&mut self) {
        let identifier = self.end_literal();
        let register = &mut self.own.doctype;
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

    /// DOCTYPE internal subset after state
    pub(super) fn doctype_internal_subset_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_doctype(lex),
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeInternalSubsetAfter,
            Byte(byte) => {
                // The first byte of a character stands for all of it.
                if !matches!(byte, 0x80..0xC0) {
                    self.error_here(lex, errors::INVALID_DOCTYPE);
                }
                State::DoctypeInternalSubsetAfter
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// The `>` of the DOCTYPE was taken: the external subset is read before it is handed out.
    fn emit_doctype(&mut self, lex: &mut Lexer<'_>) -> State {
        let details = &self.own.doctype.details;
        if let Some(system_id) = &details.system_id
            && self.own.doctype.wanted
            && self.own.options.asks()
        {
            let id = Arc::new(EntityId {
                name: None,
                is_parameter: true,
                public_id: details.public_id.clone(),
                system_id: system_id.clone(),
                base: None,
            });
            let span = (self.token, lex.mark());
            self.ask(lex, &id, None, Reading::Subset, span);
            return State::DoctypeExternalSubset;
        }
        self.hand_out_doctype(lex)
    }

    /// Not in the document: after the `>`, and the external subset if there was an answer.
    fn doctype_external_subset(&mut self, lex: &mut Lexer<'_>) -> Next {
        self.own.asked.is_none().then(|| self.hand_out_doctype(lex))
    }

    fn hand_out_doctype(&mut self, lex: &mut Lexer<'_>) -> State {
        if self.own.doctype.wanted {
            lex.out.doctype = Some(Arc::new(core::mem::take(&mut self.own.doctype.details)));
            let record = Record::new(Kind::Doctype, self.token, lex.mark());
            lex.emit(record);
        }
        self.doctype_ends(lex)
    }

    /// Goes on after a DOCTYPE. In an element, the run of text before it goes on too.
    fn doctype_ends(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        self.token = Mark::NONE;
        self.own.inner = Mark::NONE;
        self.value = TextBuffer::NONE;
        if self.text.is_none() {
            return self.content(lex);
        }
        if self.text.start >= start {
            self.text = TextBuffer::at(end);
        } else {
            lex.leave_out(&mut self.text, start, end);
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
