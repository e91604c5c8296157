//! States in the DOCTYPE: the name of the root element, the external identifier, and the internal and external
//! subset.
//!
//! The subsets are read for the declarations of entities and attributes, which change how the document is read; the
//! syntax of the other declarations is checked. The submodules contain the states of one kind of declaration each.
//! The same states read the internal subset, the external subset and the replacement text of parameter entities. The
//! differences are: conditional sections, and parameter-entity references inside declarations, are allowed only
//! outside the internal subset.
//!
//! A parameter-entity reference inside a declaration (`<!ELEMENT a %content;>`) can occur at any point between two
//! words. Instead of handling it in each state, [`declaration_unit`](XmlMachine::declaration_unit) passes the `%` to
//! the state as a space, since XML puts spaces around the replacement text. After the state has chosen the next
//! state, [`doctype_states`](XmlMachine::doctype_states) starts to read the reference and remembers this state for
//! the text after it.

mod attlist;
mod conditional;
mod element;
mod entity;
mod external;
mod notation;
mod subset;

use crate::dialects::xml::errors;
use crate::dialects::xml::frames::Reading;
use crate::dialects::xml::machine::{Lexer, Phase, Unread, XmlMachine};
use crate::dialects::xml::state::{DtdConstruct, Next, State};
use crate::engine::entity::EntityId;
use crate::engine::error::ErrorCode;
use crate::engine::event::details::DoctypeDetails;
use crate::engine::event::queue::SplitAt;
use crate::engine::event::record::{Record, RecordKind};
use crate::engine::input::BufferOffset;
use crate::engine::on_demand::Blank;
use crate::engine::text::xml_names;
use crate::engine::text::xml_names::is_white_space;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{self, Byte, Eof},
};
use alloc::string::String;
use alloc::sync::Arc;

/// State of the DOCTYPE being read.
#[derive(Clone, Debug)]
pub(in crate::dialects::xml) struct DoctypeState {
    /// True if the DOCTYPE is the first one and precedes the root element, so that it becomes an event.
    wanted: bool,
    /// The parts of the DOCTYPE event that were read.
    details: DoctypeDetails,
    /// The first six bytes of the word before an identifier, which is expected to be `PUBLIC` or `SYSTEM`.
    word: [u8; 6],
    /// Length in bytes of that word, of which only the first six bytes are stored.
    word_length: usize,
    /// The kind of identifier that the next literal is.
    expected: Identifier,
    /// Number of literals after the name of the root element, at most 2.
    literals: u8,
    /// The literal being read, with newlines normalized. It has a buffer of its own, because an unfinished run of
    /// text may be at the end of the scratch buffer.
    literal: String,
    /// True if the last character of the literal was a carriage return, so that a line feed after it belongs to the
    /// same newline.
    after_cr: bool,
    /// Number of declarations read so far.
    declarations: usize,
    /// Number of open conditional sections that are included.
    sections: usize,
    /// Number of open conditional sections inside an ignored section, including that section; 0 outside of ignored
    /// sections.
    ignored: usize,
    /// The keyword of the conditional section being started. In an ignored section: the beginning of `<![` or `]]>`
    /// that the last bytes form.
    section: String,
    /// True if the second bracket of the `]]>` of an included section was read.
    in_end: bool,
    /// Number of frames (entities being read) when the literal started. Only a quote at the same level ends it.
    literal_depth: usize,
    /// The declaration being read.
    declared: Declared,
    /// The attribute being declared.
    definition: attlist::Definition,
    /// The element type being declared.
    specification: element::Specification,
}

/// State of the declaration being read.
#[derive(Clone, Debug)]
struct Declared {
    /// True if an error in this declaration was reported. There is at most one per declaration.
    reported: bool,
    /// True if the last unit was whitespace, where the grammar requires whitespace before the next part.
    spaced: bool,
    /// True if the declaration is that of a parameter entity.
    is_parameter: bool,
    /// Name of the declared entity, notation or element type.
    name: String,
    /// The part of the external identifier that is expected next.
    step: external::Step,
    /// True in a word of an external identifier.
    in_word: bool,
    /// The public identifier, normalized.
    public_id: Option<String>,
    /// The system identifier.
    system_id: Option<String>,
    /// The name of the notation of an unparsed entity.
    notation: Option<String>,
}

impl Blank for DoctypeState {
    const BLANK: &'static DoctypeState = &DoctypeState {
        wanted: false,
        details: DoctypeDetails::BLANK,
        word: [0; 6],
        word_length: 0,
        expected: Identifier::None,
        literals: 0,
        literal: String::new(),
        after_cr: false,
        declarations: 0,
        sections: 0,
        ignored: 0,
        section: String::new(),
        in_end: false,
        literal_depth: 0,
        declared: Declared::BLANK,
        definition: attlist::Definition::BLANK,
        specification: element::Specification::BLANK,
    };
}

impl Default for DoctypeState {
    fn default() -> DoctypeState {
        Self::BLANK.clone()
    }
}

impl Declared {
    const BLANK: Declared = Declared {
        reported: false,
        spaced: false,
        is_parameter: false,
        name: String::new(),
        step: external::Step::Name,
        in_word: false,
        public_id: None,
        system_id: None,
        notation: None,
    };
}

impl Default for Declared {
    fn default() -> Declared {
        Self::BLANK
    }
}

impl DoctypeState {
    /// Returns the number of open conditional sections that are included.
    pub(in crate::dialects::xml) fn sections(&self) -> usize {
        self.sections
    }
}

/// The kind of an identifier in the DOCTYPE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Identifier {
    #[default]
    None,
    Public,
    System,
}

impl XmlMachine {
    /// Runs the current state, which must be one of the DOCTYPE. Afterwards starts to read a parameter-entity
    /// reference if the state has received its `%` as a space.
    #[inline(never)]
    pub(in crate::dialects::xml) fn doctype_states(&mut self, lex: &mut Lexer<'_>) -> Next {
        if !self.dialect.subset.stray_percent.is_none() {
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
        match core::mem::replace(&mut self.dialect.subset.percent, BufferOffset::NONE) {
            BufferOffset::NONE => next,
            percent => self.after_percent(lex, percent, next),
        }
    }

    /// Reads the next unit of a declaration, outside its literals.
    ///
    /// If a `%` starts a reference to a parameter entity that is allowed here, it is returned as a space, which XML
    /// puts before the replacement text. A `%` that is not allowed is returned as it is, and is reported later.
    pub(super) fn declaration_unit(&mut self, lex: &mut Lexer<'_>) -> Option<Unit> {
        let unit = lex.next()?;
        if unit != Byte(b'%') {
            return Some(unit);
        }
        if self.is_reference_read(lex) {
            self.dialect.subset.percent = lex.mark() - 1;
            return Some(Byte(b' '));
        }
        self.start_stray_percent(lex.mark() - 1);
        Some(unit)
    }

    /// Returns true if the `%` that was just consumed starts a parameter-entity reference that is expanded inside a
    /// declaration. This requires an external entity and a name after the `%`.
    pub(super) fn is_reference_read(&self, lex: &Lexer<'_>) -> bool {
        self.dialect.entities.more.in_external
            && lex.following().is_some_and(xml_names::is_name_start_char)
    }

    /// Remembers the `%` at offset `mark`, which is not allowed here. The error depends on the bytes that follow, so
    /// it is reported later. All other errors in this declaration are suppressed.
    pub(super) fn start_stray_percent(&mut self, mark: BufferOffset) {
        self.dialect.subset.stray_percent = mark;
        self.dialect.name_reported = true;
        self.dialect.doctype.declared.reported = true;
    }

    /// Reports the misplaced `%` as soon as the following bytes show whether it starts a reference.
    #[cold]
    fn watch_stray_percent(&mut self, lex: &mut Lexer<'_>) {
        let next = lex.peek().and_then(|_| lex.following());
        let (start, end) = (self.dialect.subset.stray_percent, lex.mark());
        match next {
            // The `%` itself is read a second time.
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

    /// Reports the misplaced `%` with the error `code`, at the range from the `%` to `end`.
    fn report_stray_percent(&mut self, lex: &mut Lexer<'_>, code: ErrorCode, end: BufferOffset) {
        let start = core::mem::replace(&mut self.dialect.subset.stray_percent, BufferOffset::NONE);
        self.error(lex, code, start, end);
    }

    /// Starts to read the parameter-entity reference whose `%` is at offset `percent`, after a state has consumed
    /// this `%` as a space. `next` is the result of that state, and continues after the reference. Does nothing if
    /// the state has left the `%` to the next state.
    #[cold]
    fn after_percent(&mut self, lex: &Lexer<'_>, percent: BufferOffset, next: Next) -> Next {
        if lex.mark() != percent + 1 {
            return next;
        }
        self.begin_reference(next?, percent);
        Some(State::DoctypeParameterReference)
    }

    /// Returns true if declarations of entities and attributes are ignored, because a parameter entity was not read
    /// and might contain earlier declarations of the same names.
    fn is_past_unread(&self) -> bool {
        self.dialect.dtd.unread == Unread::ParameterEntity && !self.dialect.dtd.is_standalone
    }

    /// Implements the *DOCTYPE state*: expects whitespace after `<!DOCTYPE`, and reports a misplaced DOCTYPE.
    pub(super) fn doctype(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                let start = self.token;
                let wanted = self.dialect.phase == Phase::Start && !self.dialect.dtd.is_seen;
                if wanted {
                    self.end_text_before(lex, start);
                } else if self.dialect.dtd.is_seen {
                    self.error(lex, errors::SECOND_DOCTYPE, start, start + 9);
                } else {
                    self.error(lex, errors::MISPLACED_DOCTYPE, start, start + 9);
                }
                self.dialect.dtd.is_seen = true;
                *self.dialect.doctype = DoctypeState {
                    wanted,
                    ..DoctypeState::default()
                };
                State::DoctypeRootNameBefore
            }
            Byte(_) => {
                lex.back();
                let next = self.bogus_markup_declaration(lex);
                // XML-ER has consumed the word `DOCTYPE` before it enters the bogus comment state, so the comment
                // starts after it.
                self.value = TextBuffer::at(lex.mark());
                next
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Returns true if a token of the internal or external subset has started, so that the tokenizer is inside a
    /// DOCTYPE.
    pub(in crate::dialects::xml) fn is_in_subset(&self) -> bool {
        !self.dialect.subset.token.is_none()
    }

    /// Handles the end of the current input in a DOCTYPE. At the end of the document, reports it and drops the
    /// DOCTYPE. At the end of replacement text, continues after the reference.
    pub(in crate::dialects::xml) fn eof_in_doctype(&mut self, lex: &mut Lexer<'_>) -> State {
        if !self.dialect.subset.stray_percent.is_none() {
            let code = errors::INVALID_PARAMETER_REFERENCE;
            self.report_stray_percent(lex, code, lex.mark());
        }
        if let Some(reading) = self.reading_in_doctype() {
            return self.end_of_entity(lex, reading);
        }
        self.error_at_end(lex, errors::EOF_IN_DOCTYPE);
        self.doctype_ends(lex)
    }

    /// Handles the end of replacement text in the DOCTYPE: reports a construct that is incomplete there, and
    /// continues after the reference. Returns the next state.
    fn end_of_entity(&mut self, lex: &mut Lexer<'_>, reading: Reading) -> State {
        let sections = self
            .dialect
            .entities
            .frames
            .last()
            .map_or(0, |frame| frame.sections);
        let place = self.state.place();
        let whole = match (place, reading) {
            // Whether a declaration and its parentheses are in the same entity is a validity constraint, which is not
            // checked.
            (DtdConstruct::Subset, Reading::Declaration) => true,
            (DtdConstruct::Subset, _) => self.dialect.doctype.sections == sections,
            (DtdConstruct::Words, Reading::Declaration) => true,
            (DtdConstruct::Value, Reading::Literal) => true,
            _ => false,
        };
        if !whole {
            let code = match place {
                DtdConstruct::Subset | DtdConstruct::Section => errors::EOF_IN_CONDITIONAL_SECTION,
                _ if reading == Reading::Subset => errors::EOF_IN_EXTERNAL_SUBSET,
                _ => errors::UNBALANCED_PARAMETER_ENTITY,
            };
            self.dialect.doctype.sections = sections;
            self.error_at_end(lex, code);
        }
        let state = self.leave(lex);
        match reading {
            Reading::Declaration | Reading::Literal if whole => state,
            Reading::Declaration | Reading::Literal => match place {
                DtdConstruct::Words | DtdConstruct::Value | DtdConstruct::Literal => {
                    self.dialect.doctype.declared.reported = true;
                    State::DoctypeDeclaration
                }
                _ => State::DoctypeInternalSubset,
            },
            Reading::Subset => State::DoctypeExternalSubset,
            Reading::Separator | Reading::Content => State::DoctypeInternalSubset,
        }
    }

    /// Implements the *DOCTYPE root name before state*: skips whitespace before the name of the root element.
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
                self.dialect.name_reported = false;
                self.name_character(lex, byte, true);
                State::DoctypeRootName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE root name state*: reads the name of the root element.
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
                self.dialect.subset.start = lex.mark();
                State::DoctypeInternalSubset
            }
            Byte(byte) => {
                self.name_character(lex, byte, false);
                State::DoctypeRootName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Ends the name of the root element before the byte consumed last.
    fn end_root_name(&mut self, lex: &mut Lexer<'_>) {
        self.name_end = lex.mark() - 1;
        self.dialect.doctype.details.name = self.declared_word(lex, false);
    }

    /// Implements the *DOCTYPE root name after state*: reads the external identifier, up to `[` or `>`.
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
                self.dialect.subset.start = lex.mark();
                State::DoctypeInternalSubset
            }
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_word(lex);
                State::DoctypeRootNameAfter
            }
            Byte(byte) => {
                let register = &mut *self.dialect.doctype;
                if let Some(place) = register.word.get_mut(register.word_length) {
                    *place = byte;
                }
                register.word_length += 1;
                State::DoctypeRootNameAfter
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Ends a word of the external identifier before the byte consumed last. Any word except `PUBLIC` and `SYSTEM` is
    /// reported.
    fn end_word(&mut self, lex: &mut Lexer<'_>) {
        let register = &mut *self.dialect.doctype;
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

    /// Starts an identifier, whose quote was just consumed. Reports a literal that is not expected, or missing
    /// whitespace.
    fn start_identifier(&mut self, lex: &mut Lexer<'_>) {
        let quote = lex.mark() - 1;
        let before = lex.byte(quote - 1);
        self.end_word(lex);
        let register = &self.dialect.doctype;
        if register.expected == Identifier::None {
            self.error(lex, errors::INVALID_DOCTYPE, quote, quote + 1);
        } else if !is_white_space(before.into()) {
            self.error(lex, errors::MISSING_WHITE_SPACE, quote, quote + 1);
        }
        self.dialect.doctype.literal.clear();
    }

    /// Ends the external identifier before the byte consumed last, and reports a missing system identifier.
    fn end_external_identifier(&mut self, lex: &mut Lexer<'_>) {
        self.end_word(lex);
        if self.dialect.doctype.expected != Identifier::None {
            self.error_here(lex, errors::MISSING_SYSTEM_IDENTIFIER);
        }
        let details = &self.dialect.doctype.details;
        if details.public_id.is_some() || details.system_id.is_some() {
            self.dialect.dtd.leave_unread(Unread::Declarations);
        }
    }

    /// Implements the *DOCTYPE identifier double quoted state* and the *single quoted state*, which differ in `quote`
    /// only: reads an identifier.
    fn doctype_identifier(&mut self, lex: &mut Lexer<'_>, quote: u8) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte == quote => {
                self.end_identifier();
                State::DoctypeRootNameAfter
            }
            Byte(byte) => {
                let is_public = self.dialect.doctype.expected == Identifier::Public;
                self.identifier_character(lex, byte, is_public);
                self.state
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Ends an identifier at its quote, and stores it in the DOCTYPE event.
    fn end_identifier(&mut self) {
        let identifier = self.end_literal();
        let register = &mut *self.dialect.doctype;
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

    /// Implements the *DOCTYPE internal subset after state*: reads up to the `>` of the DOCTYPE, and reports anything
    /// but whitespace.
    pub(super) fn doctype_internal_subset_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_doctype(lex),
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeInternalSubsetAfter,
            Byte(byte) => {
                // A character is reported once, at its first byte.
                if !matches!(byte, 0x80..0xC0) {
                    self.error_here(lex, errors::INVALID_DOCTYPE);
                }
                State::DoctypeInternalSubsetAfter
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Handles the `>` of the DOCTYPE: requests the external subset, if there is one and it is wanted, or emits the
    /// event.
    fn emit_doctype(&mut self, lex: &mut Lexer<'_>) -> State {
        let details = &self.dialect.doctype.details;
        if let Some(system_id) = &details.system_id
            && self.dialect.doctype.wanted
            && self.dialect.options.asks()
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
        self.emit_doctype_event(lex)
    }

    /// Our own state: emits the DOCTYPE event once the external subset was read or skipped.
    fn doctype_external_subset(&mut self, lex: &mut Lexer<'_>) -> Next {
        self.dialect
            .entities
            .more
            .request
            .is_none()
            .then(|| self.emit_doctype_event(lex))
    }

    /// Emits the DOCTYPE event, unless the DOCTYPE is misplaced. Returns the state after the DOCTYPE.
    fn emit_doctype_event(&mut self, lex: &mut Lexer<'_>) -> State {
        if self.dialect.doctype.wanted {
            lex.out.prologue.doctype =
                Some(Arc::new(core::mem::take(&mut self.dialect.doctype.details)));
            let record = Record::new(RecordKind::Doctype, self.token, lex.mark());
            lex.emit(record);
        }
        self.doctype_ends(lex)
    }

    /// Returns the state after a DOCTYPE. A run of text around a misplaced DOCTYPE continues after it.
    fn doctype_ends(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        self.token = BufferOffset::NONE;
        self.dialect.subset.start = BufferOffset::NONE;
        self.dialect.subset.token = BufferOffset::NONE;
        self.value = TextBuffer::NONE;
        if self.text.is_none() {
            return self.content(lex);
        }
        if self.text.start >= start {
            self.text = TextBuffer::at(end);
        } else if !self.split_text(lex, SplitAt::Markup, (start, end), 0) {
            lex.leave_out(&mut self.text, start, end);
        }
        State::Data
    }
}

/// Returns a public identifier in the form in which XML compares it: without whitespace at its ends, and with runs of
/// whitespace replaced by one space.
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

crate::checkpoint::checkpointable! {
    struct DoctypeState {
        wanted, details, word, word_length, expected, literals, literal, after_cr, declarations,
        sections, ignored, section, in_end, literal_depth, declared, definition, specification,
    }
    struct Declared {
        reported, spaced, is_parameter, name, step, in_word, public_id, system_id, notation,
    }
    enum Identifier { None, Public, System }
}
