//! The XML tokenizer: its registers, named after XML-ER, and the actions that the states share.
//!
//! [`XmlMachine`] is the state machine type that all dialects use, with [`XmlState`] for the data that only XML has.
//! The states themselves are in `states/`.

use super::Xml;
use super::classes::XmlClasses;
pub(super) use super::classes::{DELIMITED, NAME, NOT_SPACE, QUOTED_VALUE, TEXT};
use super::declarations;
use super::errors;
use super::external::PendingRequest;
use super::fast_path::Brief;
use super::frames::{BEFORE, EntityReading, Outermost};
use super::state::State;
use crate::engine::error::{ErrorCode, ErrorKind};
use crate::engine::event::record::MORE;
use crate::engine::event::referred::Referred;
use crate::engine::input::BufferOffset;
use crate::engine::input::sniff::{Sniffed, XmlSniffer};
use crate::engine::namespaces::Bindings;
use crate::engine::on_demand::{Blank, OnDemand};
use crate::engine::scan::Masks;
use crate::engine::text::xml_names;
use crate::engine::tokenizer::{self, StateMachine, TextBuffer};
use alloc::vec::Vec;

/// The cursor on the input together with the queue of records, as the states receive it.
pub(super) type Lexer<'w> = tokenizer::Lexer<'w, XmlClasses>;

/// The phases of XML-ER's tree construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Before the root element.
    Start,
    /// Inside the root element, or anywhere in a fragment.
    Main,
    /// After the end of the root element.
    End,
}

/// The tokenizer of [`Xml`]. Its register `value` holds the string being read: an attribute value, the data of a
/// comment or of a processing instruction, or an identifier.
pub(super) type XmlMachine = StateMachine<State, XmlState>;

/// State of the tokenizer that only XML has.
#[derive(Clone, Debug)]
pub struct XmlState {
    /// The options of the dialect. A checkpoint does not contain them; the program supplies them again.
    pub(super) options: Xml,
    /// True if the events have to form a tree.
    pub(super) balanced: bool,
    /// The encoding of the document.
    pub(super) encoding: EncodingState,
    /// The version of XML that the document has declared.
    pub(super) version: Version,
    /// Number of bytes of decoded text that were discarded, before the byte at offset 0 of the buffered text.
    pub(super) base: u64,
    /// Number of bytes of whitespace before the first token of the document, if the XML declaration may follow it;
    /// otherwise 0.
    pub(super) start: u64,

    /// State to enter when the expected keyword has been read.
    pub(super) then: State,
    /// True if an illegal character in the name being read was reported. Each name is reported once.
    pub(super) name_reported: bool,
    /// The tag being read.
    pub(super) tag: TagState,
    /// Distance in bytes from the `&` or `%` of the current reference to the first colon in its name, if there is
    /// one.
    pub(super) colon_in_reference: Option<u32>,
    /// The DOCTYPE being read.
    pub(super) doctype: OnDemand<super::states::DoctypeState>,
    /// The construct being read in the internal or external subset of a DOCTYPE.
    pub(super) subset: SubsetState,

    /// The current phase of tree construction.
    pub(super) phase: Phase,
    /// The namespace bindings in scope.
    pub(super) bindings: Bindings,
    /// The open elements that the fast path (`fast_path.rs`) has not yet moved to the stack of open elements. Empty
    /// while other code runs.
    pub(super) brief: Vec<Brief>,
    /// The facts that the DTD and the XML declaration have established for the rest of the document.
    pub(super) dtd: Dtd,
    /// The entities being read.
    pub(super) entities: EntityStack,
}

/// The detection of the document's encoding.
#[derive(Clone, Debug, Default)]
pub(super) struct EncodingState {
    /// Detects the encoding from the first bytes.
    pub(super) sniffer: XmlSniffer,
    /// The encoding, as soon as it was detected.
    pub(super) detected: Option<Sniffed>,
}

/// The version of XML that a document has declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Version {
    /// XML 1.0, or no declaration.
    #[default]
    Xml10,
    /// XML 1.1, and the input has still to be switched to its newline rules.
    Xml11Declared,
    /// XML 1.1, and the input uses its newline rules.
    Xml11,
}

/// State of the tag being read.
#[derive(Clone, Debug, Default)]
pub(super) struct TagState {
    /// True if the name of the tag contains a colon.
    pub(super) has_colon: bool,
    /// True if the name of the tag contains an illegal character, which was reported.
    pub(super) is_odd: bool,
    /// True if an attribute of the tag may be called `xmlns`. The namespaces of the tag then need a closer look.
    pub(super) may_declare: bool,
    /// Number of attributes of the tag whose names contain a colon.
    pub(super) prefixed_attributes: u32,
}

/// State of the construct being read in the internal or external subset of a DOCTYPE.
#[derive(Clone, Debug)]
pub(super) struct SubsetState {
    /// Offset of the text after the `[` of the internal subset; `BufferOffset::NONE` outside the DOCTYPE.
    pub(super) start: BufferOffset,
    /// Offset of the `<` of the current or the last token in the subset; `BufferOffset::NONE` if no such token has
    /// begun.
    pub(super) token: BufferOffset,
    /// The quote that ends the literal being read, in a declaration that is skipped.
    pub(super) quote: u8,
    /// Offset of the `%` that [`declaration_unit`](XmlMachine::declaration_unit) has passed to the current state as a
    /// space, otherwise `BufferOffset::NONE`.
    pub(super) percent: BufferOffset,
    /// Offset of a `%` in a declaration where parameter entities are not allowed, until the following bytes show
    /// which error to report; otherwise `BufferOffset::NONE`.
    pub(super) stray_percent: BufferOffset,
}

/// The facts that the DTD and the XML declaration have established for the rest of the document.
#[derive(Clone, Debug, Default)]
pub(super) struct Dtd {
    /// True if a DOCTYPE was read, whether or not at a legal position.
    pub(super) is_seen: bool,
    /// True if the XML declaration says `standalone="yes"`.
    pub(super) is_standalone: bool,
    /// The part of the DTD that was not read.
    pub(super) unread: Unread,
    /// The entities and attributes that the DTD declares.
    pub(super) declarations: declarations::Shared,
    /// True if some declared attribute has a default value or a type other than CDATA, so that start tags have to be
    /// compared with the declarations.
    pub(super) changes_tags: bool,
    /// Indices of the declared attributes that the current tag has, sorted. Meaningful only while declarations are
    /// applied to a tag; kept to reuse its memory.
    pub(super) present: Vec<u32>,
}

/// The part of a DTD that was not read. A later variant includes the consequences of the earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unread {
    /// Everything was read.
    #[default]
    Nothing,
    /// The DTD has an external subset or refers to a parameter entity. A reference to an undeclared entity is not an
    /// error, because the entity may be declared in a part that was not read.
    Declarations,
    /// A parameter entity was not read. Later declarations of entities and attributes are ignored, because the unread
    /// text may contain earlier declarations of the same names.
    ParameterEntity,
}

/// The entities being read in place of references.
#[derive(Clone, Debug, Default)]
pub(super) struct EntityStack {
    /// The entities whose replacement text is being read, the innermost last.
    pub(super) frames: Vec<EntityReading>,
    /// The rest of the state of entities. Most documents refer to predefined entities only.
    pub(super) more: OnDemand<EntityState>,
}

/// The state of entities besides their stack.
#[derive(Clone, Debug)]
pub(super) struct EntityState {
    /// The reference in the document that led to the first of `frames`.
    pub(super) outermost: Outermost,
    /// True if at least one of `frames` is an external entity.
    pub(super) in_external: bool,
    /// The request for an external entity, while the tokenizer waits for its text.
    pub(super) request: Option<PendingRequest>,
    /// Total charge for the expansion of entities and default attributes so far, in bytes.
    pub(super) expanded: u64,
    /// Number of bytes of the document that other parsers have read before this one.
    pub(super) read_elsewhere: u64,
    /// The byte-class masks of the replacement text being read; kept to reuse the memory.
    pub(super) masks: Masks,
}

impl Default for SubsetState {
    fn default() -> Self {
        SubsetState {
            start: BufferOffset::NONE,
            token: BufferOffset::NONE,
            quote: 0,
            percent: BufferOffset::NONE,
            stray_percent: BufferOffset::NONE,
        }
    }
}

impl EntityState {
    const NONE: EntityState = EntityState {
        outermost: Outermost::NONE,
        in_external: false,
        request: None,
        expanded: 0,
        read_elsewhere: 0,
        masks: Masks::new(),
    };
}

impl Default for EntityState {
    fn default() -> Self {
        EntityState::NONE
    }
}

impl Blank for EntityState {
    const BLANK: &'static EntityState = &EntityState::NONE;
}

impl Dtd {
    /// Notes that a part of the DTD is not read.
    pub(super) fn leave_unread(&mut self, part: Unread) {
        self.unread = self.unread.max(part);
    }
}

impl Version {
    /// Returns true if the document has declared XML 1.1.
    #[inline(always)]
    pub(super) fn is_1_1(self) -> bool {
        self != Version::Xml10
    }
}

impl XmlState {
    /// Returns the phase after the last open element was closed.
    pub(super) fn outer_phase(&self) -> Phase {
        match self.options.is_fragment() {
            true => Phase::Main,
            false => Phase::End,
        }
    }
}

impl XmlMachine {
    /// Returns a tokenizer at the start of an input.
    #[inline(always)]
    pub(super) fn of(options: Xml) -> XmlMachine {
        let is_fragment = options.is_fragment();
        let begin = match options.may_begin_with_space() {
            true => State::Start,
            false => State::Outside,
        };
        let dialect = XmlState {
            options,
            balanced: false,
            encoding: EncodingState::default(),
            version: Version::default(),
            base: 0,
            start: 0,
            then: State::Data,
            name_reported: false,
            tag: TagState::default(),
            colon_in_reference: None,
            doctype: OnDemand::default(),
            subset: SubsetState::default(),
            phase: match is_fragment {
                true => Phase::Main,
                false => Phase::Start,
            },
            bindings: Bindings::new(),
            brief: Vec::new(),
            dtd: Dtd::default(),
            entities: EntityStack::default(),
        };
        let (state, text) = match is_fragment {
            true => (State::Data, TextBuffer::at(BufferOffset::ZERO)),
            false => (begin, TextBuffer::NONE),
        };
        StateMachine::new(state, text, dialect)
    }

    /// Makes the events form a tree.
    pub(super) fn balance(&mut self) {
        self.dialect.balanced = true;
    }

    /// Returns the number of bytes of memory that namespace bindings and declarations use. The open elements are
    /// counted separately.
    pub(super) fn memory_used(&self) -> usize {
        self.dialect
            .bindings
            .memory_used()
            .saturating_add(self.dialect.dtd.declarations.memory_used())
    }

    /// Returns true if `more` bytes can be added without exceeding the limit of memory.
    #[cold]
    pub(super) fn may_hold(&mut self, more: usize) -> bool {
        self.open.recheck();
        let memory_used = self.memory_used().saturating_add(self.open.memory_used());
        memory_used.saturating_add(more) <= self.limits.memory
    }

    /// Handles a violation of the syntax in `start..end`: reports a parse error, or ends the parse if the dialect is
    /// strict.
    #[cold]
    #[inline(never)]
    pub(super) fn error(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        start: BufferOffset,
        end: BufferOffset,
    ) {
        self.error_about(lex, code, (start, end), None);
    }

    /// Like [`error`](Self::error), with the position of something else that the error refers to. If `referred` is
    /// `None`, an error in replacement text refers to the declaration of its entity.
    #[cold]
    #[inline(never)]
    pub(super) fn error_about(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        (start, end): (BufferOffset, BufferOffset),
        referred: Option<Referred>,
    ) {
        if self.dialect.options.is_strict() {
            let kind = ErrorKind::Syntax(code);
            return self.end_parse_about(lex, kind, (start, end), referred);
        }
        if lex.out.settings.reports_errors && lex.out.fatal.is_none() {
            let entity = self.in_entity(start, end);
            let referred = referred.or_else(|| self.current_entity());
            let at = self.outer_span(start, end);
            lex.out.push_error_in(code, at, entity, referred);
            if lex.out.has_full_batch() {
                lex.suspend();
            }
        }
    }

    /// Reports an error at the character whose first byte was consumed last.
    pub(super) fn error_here(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        self.error_character(lex, code, lex.mark() - 1);
    }

    /// Reports an error at the next character, which is not consumed.
    pub(super) fn error_next(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        self.error_character(lex, code, lex.mark());
    }

    /// Reports an error at the character that starts at offset `start`.
    #[cold]
    #[inline(never)]
    fn error_character(&mut self, lex: &mut Lexer<'_>, code: ErrorCode, start: BufferOffset) {
        let length = match lex.byte(start) {
            0..0xC0 => 1,
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0.. => 4,
        };
        self.error(lex, code, start, start + length);
    }

    /// Reports an error at the end of the input, with an empty span.
    pub(super) fn error_at_end(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        self.error(lex, code, lex.mark(), lex.mark());
    }

    /// Ends the run of text at offset `end` and emits it.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        if self.text.start < end {
            match self.text.as_written() {
                Some(_) if !self.ignores_text() => lex.emit_text(&mut self.text, end, 0),
                _ => self.emit_run(lex, end, 0),
            }
        }
        self.text.start = BufferOffset::NONE;
    }

    /// Ends the batch before a prefixed attribute is declared in a misplaced DOCTYPE, so that edits of the events before
    /// the DOCTYPE do not depend on the declaration. Only the rewriter takes text in pieces. For others, the DOCTYPE is
    /// ignored and does not divide the text around it.
    #[cold]
    pub(super) fn end_batch(&mut self, lex: &mut Lexer<'_>) {
        if !lex.out.settings.splits_at_markup {
            return;
        }
        tokenizer::Tokenizer::flush(self, lex, self.token, MORE);
        if !lex.out.records.is_empty() {
            lex.out.is_ended = true;
            lex.suspend();
        }
    }

    /// Like [`flush_text`](Self::flush_text), but not inlined: for tokens that are rare.
    #[inline(never)]
    pub(super) fn end_text_before(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.flush_text(lex, end);
    }

    /// Returns true if text is not an event. In a balanced stream, text outside the root element is dropped, because
    /// it is not part of the tree.
    #[inline(always)]
    fn ignores_text(&self) -> bool {
        self.dialect.balanced && self.dialect.phase != Phase::Main
    }

    /// Emits the run of text up to offset `end`, unless it is ignored. `flags` are the flags of the record, such as
    /// [`MORE`](crate::engine::event::record::MORE) if the run continues.
    #[cold]
    #[inline(never)]
    pub(super) fn emit_run(&mut self, lex: &mut Lexer<'_>, end: BufferOffset, flags: u8) {
        let (start, before) = (self.text.start, lex.out.records.len());
        match self.ignores_text() {
            true => lex.out.unfinished = lex.out.scratch_end(),
            false => lex.emit_cleaned_text(&mut self.text, end, flags),
        }
        if start == BEFORE && lex.out.records.len() == before {
            // The run of text began before the current reference, and became no event. Its start must not be used for
            // the next run.
            self.dialect.entities.more.outermost.run = BufferOffset::NONE;
        }
    }

    /// Returns the state for the content after a token, and starts a run of text if text is allowed here.
    #[inline(always)]
    pub(super) fn content(&mut self, lex: &Lexer<'_>) -> State {
        self.token = BufferOffset::NONE;
        if self.dialect.phase != Phase::Main {
            State::Outside
        } else {
            self.text = TextBuffer::at(lex.mark());
            State::Data
        }
    }

    /// Handles a carriage return in a string: the newline, which is CR LF or CR alone, becomes `meant`. This is a
    /// space in attribute values, otherwise a line feed.
    #[cold]
    #[inline(never)]
    pub(super) fn line_end(&mut self, lex: &mut Lexer<'_>, meant: &str) {
        let at = lex.mark() - 1;
        if self.in_internal_entity() {
            // This carriage return comes from a numeric reference, so it is not a newline. Attribute values normalize
            // it to a space anyway.
            if meant == " " {
                lex.replace(self.string(), at, at + 1, meant);
            }
            return;
        }
        match lex.peek() {
            // Only the CR is removed here. The state then handles the LF as usual.
            Some(b'\n') => lex.remove(self.string(), at, at + 1),
            Some(_) => lex.replace(self.string(), at, at + 1, meant),
            None => {
                lex.replace(self.string(), at, at + 1, meant);
                // The LF may be at the beginning of the next window. The text of an entity is never cut there.
                self.after_cr = self.dialect.entities.frames.is_empty();
            }
        }
    }

    /// Reports the character that starts with `byte`, which was consumed last, if it is not allowed in XML.
    #[cold]
    #[inline(never)]
    pub(super) fn check_character(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        // All illegal characters start with one of these bytes.
        if matches!(byte, 0..0x80 | 0xC2 | 0xEF) {
            let (character, from, to) = lex.character(byte);
            self.check(lex, character, from, to);
        }
    }

    /// Reports the character in `from..to` if it is not allowed in XML.
    pub(super) fn check(
        &mut self,
        lex: &mut Lexer<'_>,
        character: char,
        from: BufferOffset,
        to: BufferOffset,
    ) {
        // XML 1.1 allows control characters as numeric references only, and these are already resolved in the text of
        // an internal entity.
        let legal = match self.dialect.version.is_1_1() {
            true if self.in_internal_entity() => self.is_char(character),
            true if matches!(character, '\u{7F}'..'\u{A0}') => false,
            _ => xml_names::is_char(character),
        };
        if !legal {
            self.error(lex, errors::ILLEGAL_CHARACTER, from, to);
        }
    }

    /// Handles the end of the current input. At the end of replacement text, continues after the reference. At the
    /// end of the document, emits the last run of text and the end-of-file token.
    #[cold]
    #[inline(never)]
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        if !self.dialect.entities.frames.is_empty() {
            return self.leave(lex);
        }
        let end = lex.mark();
        self.end_text_before(lex, end);
        self.end_of_file_token(lex);
        State::Finished
    }
}

crate::checkpoint::checkpointable! {
    enum Phase { Start, Main, End }
    struct XmlState {
        balanced, encoding, version, base, start, then, name_reported, tag, colon_in_reference, doctype,
        subset, phase, bindings, brief, dtd, entities, options,
    }
    struct EncodingState { sniffer, detected }
    enum Version { Xml10, Xml11Declared, Xml11 }
    struct TagState { has_colon, is_odd, may_declare, prefixed_attributes }
    struct SubsetState { start, token, quote, percent, stray_percent }
    struct Dtd { is_seen, is_standalone, unread, declarations, changes_tags, present }
    enum Unread { Nothing, Declarations, ParameterEntity }
    struct EntityStack { frames, more }
    struct EntityState { outermost, in_external, request, expanded, read_elsewhere, masks }
}
