//! References to entities: lookup, the checks that XML requires, and expansion within the limits.
//!
//! A reference in content starts a new input: the replacement text is read by the same states as the document
//! (`frames.rs`). A reference in an attribute value is only text, so [`value_entity`](XmlMachine::value_entity)
//! expands it here, in one call, with a stack of its own instead of recursion.
//!
//! Each expansion is charged against [`Limits::entity_ratio`](crate::Limits::entity_ratio), so that a small document
//! cannot expand to gigabytes.

use super::declarations::{Content, Entity, External};
use super::errors;
use super::frames::{BEFORE, FIRST, Reading, Replacement};
use super::machine::{Lexer, Unread, XmlMachine};
use super::state::State;
use crate::engine::error::ErrorCode;
use crate::engine::event::queue::{MAX_BATCH_DATA_BYTES, SplitAt};
use crate::engine::event::record::{MORE, Record, RecordKind};
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::text::numeric::Number;
use crate::engine::text::xml_names;
use crate::engine::tokenizer::TextBuffer;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Number of bytes charged for reading an entity, in addition to its length. Without this charge, entities that are
/// empty or contain only references to each other would be free.
pub(super) const ENTITY_CHARGE_BYTES: usize = 128;
/// Number of bytes charged for adding an attribute by default, in addition to the length of the attribute.
pub(super) const DEFAULT_ATTRIBUTE_CHARGE_BYTES: usize = 16;

/// The construct that starts with an `&` in replacement text.
enum Reference<'t> {
    /// A numeric or predefined reference, with the character it denotes.
    Character(char),
    /// A reference to the entity of this name.
    Named(&'t str),
    /// Not a reference; the error to report.
    Wrong(ErrorCode),
}

/// The text to which a reference in an attribute value expands.
enum InValue {
    /// The text that the program has registered for the name. It contains no references.
    Text(String),
    /// The index of an entity that the document declares, and its text.
    Entity(usize, Arc<str>),
}

impl XmlMachine {
    /// Returns the index of the general entity called `name`. In a `standalone="yes"` document, ignores the entities
    /// that only the external subset or parameter entities declare, unless the current reference is there too.
    fn find_entity(&self, name: &str) -> Option<usize> {
        let index = self.dialect.dtd.declarations.general(name)?;
        let hidden = self.ignores_external_declarations()
            && self.dialect.dtd.declarations.entity(index).in_parameter;
        (!hidden).then_some(index)
    }

    /// Returns the length in bytes of the longest entity name, of the document's own entities and of those that the
    /// program has registered.
    pub(super) fn longest_entity_name(&self) -> usize {
        let declared = self.dialect.dtd.declarations.longest_name();
        declared.max(self.dialect.options.registered().longest_name())
    }

    /// Returns the text that the program has registered for `name` ([`Xml::entity`](crate::Xml::entity)), if any, and
    /// charges it as an expansion. Used for entities that the document does not declare.
    fn registered_entity(
        &mut self,
        lex: &mut Lexer<'_>,
        name: &str,
        start: BufferOffset,
        end: BufferOffset,
    ) -> Option<String> {
        let text = self.dialect.options.registered().text(name)?;
        self.expand(lex, (text.len(), 0), start, end)
            .then_some(text)
    }

    /// Returns true if external declarations are ignored for the current reference: the document is
    /// `standalone="yes"`, and the reference is not in the external subset or in a parameter entity.
    fn ignores_external_declarations(&self) -> bool {
        self.dialect.dtd.is_standalone && self.reading_in_doctype().is_none()
    }

    /// Returns true if a numeric reference may denote `character`. In XML 1.1 this includes all control characters
    /// except U+0000.
    pub(super) fn is_char(&self, character: char) -> bool {
        xml_names::is_char(character)
            || self.dialect.version.is_1_1() && matches!(character, '\u{1}'..'\u{20}')
    }

    /// Charges an expansion of `length` bytes plus `cost`, for the construct in `start..end`, and returns true if it
    /// is within all limits. Otherwise ends the parse.
    ///
    /// The total charge may be at most [`Limits::entity_allowance`](crate::Limits::entity_allowance) or
    /// [`Limits::entity_ratio`](crate::Limits::entity_ratio) times the input read so far, whichever is larger.
    pub(super) fn expand(
        &mut self,
        lex: &mut Lexer<'_>,
        (length, cost): (usize, usize),
        start: BufferOffset,
        end: BufferOffset,
    ) -> bool {
        self.dialect.entities.more.expanded = self
            .dialect
            .entities
            .more
            .expanded
            .saturating_add((length + cost) as u64);
        lex.out.work.expanded += length as u64;
        lex.out.note_expansion(lex.out.work.expanded);
        let (_, end_outside) = self.outer_span(start, end);
        let consumed = self.dialect.base
            + self.dialect.entities.more.read_elsewhere
            + u64::from(end_outside.get());
        let ratio = self.limits.entity_ratio as u64;
        let within = self.dialect.entities.more.expanded <= self.limits.entity_allowance as u64
            || self.dialect.entities.more.expanded <= consumed.saturating_mul(ratio);
        if !within {
            // No other parser may continue from this charge: see `Parser::entity_charge`.
            self.dialect.entities.more.expanded = u64::MAX;
            self.exceed(lex, Limit::EntityExpansion, start, end);
            return false;
        }
        // The expansion becomes part of the token that is being read, so it also counts for the token's length. Text
        // that is delivered in pieces has no such limit.
        let token = lex.out.unfinished_length() + self.dialect.doctype.literal_length();
        let whole = !lex.out.settings.splits_text || self.return_state != State::Data;
        let (longest, limit) = self.limits.longest(0);
        if whole && token.saturating_add(length) > longest {
            self.exceed(lex, limit, start, end);
            return false;
        }
        true
    }

    /// Handles the reference in `start..end` to the general entity `name` in content: starts reading its replacement
    /// text, asks the program for its bytes, skips it, or reports an error. Returns the next state.
    pub(super) fn content_entity(
        &mut self,
        lex: &mut Lexer<'_>,
        name: &str,
        start: BufferOffset,
        end: BufferOffset,
    ) -> State {
        let Some(index) = self.find_entity(name) else {
            if let Some(text) = self.registered_entity(lex, name, start, end) {
                lex.replace(&mut self.text, start, end, &text);
                return State::Data;
            }
            if self.is_well_formed_undeclared() {
                return self.skip_entity(lex, start, end);
            }
            self.error(lex, errors::UNDECLARED_ENTITY, start, end);
            return State::Data;
        };
        let Entity { content, open, .. } = self.dialect.dtd.declarations.entity(index);
        let replacement = match content {
            _ if *open => {
                self.wrong_reference(lex, errors::RECURSIVE_ENTITY, index, (start, end));
                return State::Data;
            }
            Content::Unparsed => {
                let code = errors::UNPARSED_ENTITY_REFERENCE;
                self.wrong_reference(lex, code, index, (start, end));
                return State::Data;
            }
            Content::External(External {
                replacement: Some(replacement),
                ..
            }) => replacement.clone(),
            Content::External(_) if !self.dialect.options.asks() => {
                return self.skip_entity(lex, start, end);
            }
            Content::External(External { id, .. }) => {
                let id = Arc::clone(id);
                let reading = Reading::Content;
                self.ask(lex, &id, Some(index), reading, (start, end));
                return State::Data;
            }
            Content::Internal(text) => Replacement::internal(text),
        };
        self.enter_content(lex, Some(index), replacement, (start, end));
        State::Data
    }

    /// Reports the reference in `at` to the declared entity with index `entity`; the error points to the declaration
    /// too.
    pub(super) fn wrong_reference(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        entity: usize,
        at: (BufferOffset, BufferOffset),
    ) {
        let declared = self
            .dialect
            .dtd
            .declarations
            .entity(entity)
            .declared
            .clone();
        self.error_about(lex, code, at, Some(declared));
    }

    /// Starts reading `replacement` in content, in place of the reference in `start..end`.
    ///
    /// The run of text before the reference continues in the replacement text. Its part so far is copied to the scratch
    /// buffer, because it is in another buffer than the rest, and `entities.more.outermost.run` remembers where the run
    /// began in the document. If text is split at markup, the part so far is a piece of its own instead.
    pub(super) fn enter_content(
        &mut self,
        lex: &mut Lexer<'_>,
        entity: Option<usize>,
        replacement: Replacement,
        (start, end): (BufferOffset, BufferOffset),
    ) {
        let is_split = self.split_text(lex, SplitAt::Markup, (start, start), 0);
        if !is_split
            && lex.out.settings.splits_text
            && lex.out.unfinished_length() > MAX_BATCH_DATA_BYTES
            && !self.text.is_empty(start)
        {
            self.emit_run(lex, start, MORE);
            self.text = TextBuffer::at(start);
        }
        let reading = Reading::Content;
        let first = FIRST + replacement.from as u32;
        if !self.enter(lex, entity, replacement, reading, (start, end)) {
            return;
        }
        let outermost = self.dialect.entities.frames.len() == 1;
        if self.text.is_empty(start) {
            self.text = TextBuffer::NONE;
        } else {
            lex.replace(&mut self.text, start, end, "");
        }
        let run = match outermost {
            true => self.text.start,
            false if self.text.start == BEFORE => self.dialect.entities.more.outermost.run,
            false => BufferOffset::NONE,
        };
        if outermost {
            self.dialect.entities.more.outermost.start = start;
            self.dialect.entities.more.outermost.end = end;
        }
        if self.text.is_none() {
            self.dialect.entities.more.outermost.run = BufferOffset::NONE;
            self.text = TextBuffer::at(first);
        } else {
            self.dialect.entities.more.outermost.run = run;
            self.text.resume(BEFORE, first);
        }
    }

    /// Handles a reference to an entity that is not read: ends the run of text before it, and emits a `SkippedEntity`
    /// event. Returns the state for the content after the reference, where another run of text begins. Outside the
    /// root element, that run begins at the first character that is not whitespace.
    pub(super) fn skip_entity(
        &mut self,
        lex: &mut Lexer<'_>,
        start: BufferOffset,
        end: BufferOffset,
    ) -> State {
        self.end_text_before(lex, start);
        lex.join(start, end);
        let (a, b) = (start + 1, end - 1);
        let record = Record::new(RecordKind::SkippedEntity, start, end).of(a, b);
        lex.emit(record);
        self.content(lex)
    }

    /// Returns true if a reference to an undeclared entity is well-formed, because the entity may be declared in a
    /// part of the DTD that this parser does not read.
    fn is_well_formed_undeclared(&self) -> bool {
        self.dialect.dtd.unread >= Unread::Declarations && !self.ignores_external_declarations()
    }

    /// Returns the text that the reference to `name` in an attribute value expands to, all references inside it
    /// included. Returns `None`, after reporting the error if there is one, if the reference remains in the value as
    /// written.
    ///
    /// The references are followed with an explicit stack. Each entry is the index of the entity, its text, and the
    /// offset of the first unread byte in this text.
    pub(super) fn value_entity(
        &mut self,
        lex: &mut Lexer<'_>,
        name: &str,
        start: BufferOffset,
        end: BufferOffset,
    ) -> Option<String> {
        let mut value = String::new();
        let mut stack: Vec<(usize, Arc<str>, usize)> = Vec::new();
        match self.enter_in_value(lex, name, 0, start, end)? {
            InValue::Text(text) => return Some(text),
            InValue::Entity(index, text) => stack.push((index, text, 0)),
        }
        loop {
            let depth = stack.len();
            let Some((index, text, at)) = stack.last_mut() else {
                break;
            };
            let index = *index;
            let rest = &text[*at..];
            let stop = rest.find(['&', '<', '\t', '\n', '\r']);
            let length = stop.unwrap_or(rest.len());
            value.push_str(&rest[..length]);
            *at += length;
            let Some(&byte) = rest.as_bytes().get(length) else {
                self.dialect
                    .dtd
                    .declarations
                    .change()
                    .set_open(index, false);
                stack.pop();
                continue;
            };
            if byte != b'&' {
                *at += 1;
                if byte == b'<' {
                    let code = errors::LESS_THAN_IN_VALUE;
                    self.wrong_reference(lex, code, index, (start, end));
                }
                value.push(if byte == b'<' { '<' } else { ' ' });
                continue;
            }
            let (reference, length) =
                read_reference(&rest[length..], |character| self.is_char(character));
            let written = &text[*at..*at + length];
            *at += length;
            let reference = (reference, written);
            let inner = self.reference_in_value(lex, reference, depth, (start, end), &mut value);
            if let Some((index, text)) = inner {
                stack.push((index, text, 0));
            }
            if lex.out.fatal.is_some() {
                break;
            }
        }
        for (index, _, _) in stack {
            self.dialect
                .dtd
                .declarations
                .change()
                .set_open(index, false);
        }
        lex.out.work.cleaned += value.len() as u64;
        Some(value)
    }

    /// Appends what a reference in the text of an entity expands to, or the reference as `written` if it is in error.
    /// For an entity that the document declares, appends nothing and returns its index and its text, which may contain
    /// further references. `depth` is the number of entities that are open in this value.
    fn reference_in_value(
        &mut self,
        lex: &mut Lexer<'_>,
        (reference, written): (Reference<'_>, &str),
        depth: usize,
        (start, end): (BufferOffset, BufferOffset),
        value: &mut String,
    ) -> Option<(usize, Arc<str>)> {
        match reference {
            Reference::Character(character) => value.push(character),
            Reference::Wrong(code) => {
                let replaced = code == errors::ILLEGAL_REFERENCED_CHARACTER;
                value.push_str(if replaced { "\u{FFFD}" } else { written });
                self.error(lex, code, start, end);
            }
            Reference::Named(name) => {
                if self.dialect.options.has_namespaces() && name.contains(':') {
                    self.error(lex, errors::COLON_IN_NAME, start, end);
                }
                match self.enter_in_value(lex, name, depth, start, end) {
                    Some(InValue::Text(text)) => value.push_str(&text),
                    Some(InValue::Entity(index, text)) => return Some((index, text)),
                    None => value.push_str(written),
                }
            }
        }
        None
    }

    /// Looks up the entity called `name` for expansion in a value, and charges it. An entity that the document declares
    /// is marked as open. Reports an error and returns `None` if the entity cannot be expanded. `depth` is the number
    /// of entities that are open in this value.
    fn enter_in_value(
        &mut self,
        lex: &mut Lexer<'_>,
        name: &str,
        depth: usize,
        start: BufferOffset,
        end: BufferOffset,
    ) -> Option<InValue> {
        let Some(index) = self.find_entity(name) else {
            if let Some(text) = self.registered_entity(lex, name, start, end) {
                return Some(InValue::Text(text));
            }
            if !self.is_well_formed_undeclared() {
                self.error(lex, errors::UNDECLARED_ENTITY, start, end);
            }
            return None;
        };
        let Entity { content, open, .. } = self.dialect.dtd.declarations.entity(index);
        let code = match content {
            _ if *open => errors::RECURSIVE_ENTITY,
            Content::Unparsed => errors::UNPARSED_ENTITY_REFERENCE,
            Content::External(_) => errors::EXTERNAL_ENTITY_IN_VALUE,
            Content::Internal(text) => {
                let text = text.clone();
                if depth + self.dialect.entities.frames.len() >= self.limits.entity_depth {
                    self.exceed(lex, Limit::EntityDepth, start, end);
                    return None;
                }
                let length = (text.len(), ENTITY_CHARGE_BYTES);
                if !self.expand(lex, length, start, end) {
                    return None;
                }
                self.dialect.dtd.declarations.change().set_open(index, true);
                return Some(InValue::Entity(index, text));
            }
        };
        self.wrong_reference(lex, code, index, (start, end));
        None
    }
}

/// Parses the reference at the beginning of `text`, which starts with `&`. Returns the reference and its length in
/// bytes. The length of an invalid reference is that of the part that becomes text.
fn read_reference(text: &str, is_char: impl Fn(char) -> bool) -> (Reference<'_>, usize) {
    let bytes = text.as_bytes();
    if bytes.get(1) == Some(&b'#') {
        let hexadecimal = bytes.get(2) == Some(&b'x');
        let mut number = Number::default();
        let mut at = if hexadecimal { 3 } else { 2 };
        while let Some(&byte) = bytes.get(at)
            && match hexadecimal {
                true => number.push_hex(byte),
                false => number.push_decimal(byte),
            }
        {
            at += 1;
        }
        if !number.digits() {
            return (Reference::Wrong(errors::MISSING_DIGITS), at);
        }
        if bytes.get(at) != Some(&b';') {
            return (Reference::Wrong(errors::MISSING_SEMICOLON), at);
        }
        let character = number.character().filter(|&c| is_char(c));
        let reference = match character {
            Some(character) => Reference::Character(character),
            None => Reference::Wrong(errors::ILLEGAL_REFERENCED_CHARACTER),
        };
        return (reference, at + 1);
    }
    let name = &text[1..];
    let length = name
        .find(|c| !xml_names::is_name_char(c))
        .unwrap_or(name.len());
    let starts = name.starts_with(xml_names::is_name_start_char);
    if !starts {
        return (Reference::Wrong(errors::INVALID_REFERENCE), 1);
    }
    if name.as_bytes().get(length) != Some(&b';') {
        return (Reference::Wrong(errors::MISSING_SEMICOLON), length + 1);
    }
    let name = &name[..length];
    let reference = match xml_names::predefined(name) {
        Some(character) => Reference::Character(character),
        None => Reference::Named(name),
    };
    (reference, length + 2)
}
