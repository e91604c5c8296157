//! References to entities: what they stand for, and what may be wrong with them.
//!
//! In content, replacement text is read as input. In values it is only text, and is worked out in one
//! go.

use super::declarations::{Content, Entity, External};
use super::errors;
use super::frames::{BEFORE, FIRST, Reading, Replacement};
use super::machine::{Lexer, XmlMachine};
use super::state::State;
use crate::error::ErrorCode;
use crate::event::record::{Kind, MORE, MUCH, Record};
use crate::input::Mark;
use crate::lexer::TextBuffer;
use crate::limits::Limit;
use crate::text::numeric::Number;
use crate::text::xml_names;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// What it costs to enter an entity: so much as to read so many bytes. An entity of nothing counts too,
/// and one that is nothing but references to such.
pub(super) const ENTERED: usize = 128;
/// What it costs to add an attribute by default.
pub(super) const DEFAULTED: usize = 16;

/// What follows an `&` in replacement text.
enum Reference<'t> {
    Character(char),
    Named(&'t str),
    Wrong(ErrorCode),
}

impl XmlMachine {
    /// The general entity of a name, if a reference may mean it.
    fn find_entity(&self, name: &str) -> Option<usize> {
        let index = self.own.declarations.general(name)?;
        let hidden = self.stands_alone() && self.own.declarations.entity(index).in_parameter;
        (!hidden).then_some(index)
    }

    /// The length of the longest name that an entity has.
    pub(super) fn longest_entity_name(&self) -> usize {
        let declared = self.own.declarations.longest_name();
        declared.max(self.own.options.registered().longest_name())
    }

    /// What the program has said of an entity that the document does not declare.
    fn registered_entity(
        &mut self,
        lex: &mut Lexer<'_>,
        name: &str,
        start: Mark,
        end: Mark,
    ) -> Option<String> {
        let text = self.own.options.registered().text(name)?;
        self.expand(lex, (text.len(), 0), start, end)
            .then_some(text)
    }

    /// Whether what the external subset and parameter entities declare is none of the reference's:
    /// the document stands alone, and the reference is not itself in one of these.
    fn stands_alone(&self) -> bool {
        self.own.standalone && self.reading_in_doctype().is_none()
    }

    /// Whether a reference may mean a character: in XML 1.1, most control characters too.
    pub(super) fn is_char(&self, character: char) -> bool {
        xml_names::is_char(character) || self.own.is_1_1 && matches!(character, '\u{1}'..'\u{20}')
    }

    /// Counts what something expands to, and what it costs beside that. Gives whether it is within the
    /// limit.
    pub(super) fn expand(
        &mut self,
        lex: &mut Lexer<'_>,
        (length, cost): (usize, usize),
        start: Mark,
        end: Mark,
    ) -> bool {
        self.own.expanded = self.own.expanded.saturating_add((length + cost) as u64);
        lex.out.work.expanded += length as u64;
        lex.out.note_expansion(lex.out.work.expanded);
        let (_, end_outside) = self.outer_span(start, end);
        let consumed = self.own.base + u64::from(end_outside.get());
        let ratio = self.limits.entity_ratio as u64;
        let within = self.own.expanded <= self.limits.entity_allowance as u64
            || self.own.expanded <= consumed.saturating_mul(ratio);
        if !within {
            self.exceed(lex, Limit::EntityExpansion, start, end);
            return false;
        }
        // What a token comes to is held as the token itself is.
        let token = lex.out.unfinished_length() + self.own.doctype.literal_length();
        let whole = !lex.out.pieces || self.return_state != State::Data;
        let (longest, limit) = self.limits.longest(0);
        if whole && token.saturating_add(length) > longest {
            self.exceed(lex, limit, start, end);
            return false;
        }
        true
    }

    /// A reference to an entity in content, between two marks.
    pub(super) fn content_entity(
        &mut self,
        lex: &mut Lexer<'_>,
        name: &str,
        start: Mark,
        end: Mark,
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
        let Entity { content, open, .. } = self.own.declarations.entity(index);
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
            Content::External(_) if !self.own.options.asks() => {
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

    /// A reference to an entity stands where that can't be read.
    pub(super) fn wrong_reference(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        entity: usize,
        at: (Mark, Mark),
    ) {
        let declared = self.own.declarations.entity(entity).declared.clone();
        self.error_about(lex, code, at, Some(declared));
    }

    /// Begins to read replacement text in content: the run of text around it goes on in it.
    pub(super) fn enter_content(
        &mut self,
        lex: &mut Lexer<'_>,
        entity: Option<usize>,
        replacement: Replacement,
        (start, end): (Mark, Mark),
    ) {
        if lex.out.pieces && lex.out.unfinished_length() > MUCH && !self.text.is_empty(start) {
            self.emit_run(lex, start, MORE);
            self.text = TextBuffer::at(start);
        }
        let reading = Reading::Content;
        let first = FIRST + replacement.from as u32;
        if !self.enter(lex, entity, replacement, reading, (start, end)) {
            return;
        }
        let outermost = self.own.frames.len() == 1;
        if self.text.is_empty(start) {
            self.text = TextBuffer::NONE;
        } else {
            lex.replace(&mut self.text, start, end, "");
        }
        let run = match outermost {
            true => self.text.start,
            false if self.text.start == BEFORE => self.own.outermost.run,
            false => Mark::NONE,
        };
        if outermost {
            self.own.outermost.start = start;
            self.own.outermost.end = end;
        }
        if self.text.is_none() {
            self.own.outermost.run = Mark::NONE;
            self.text = TextBuffer::at(first);
        } else {
            self.own.outermost.run = run;
            self.text.resume(BEFORE, first);
        }
    }

    /// A reference to an entity that is not read. The run of text before it ends, and another begins:
    /// outside the root element, only where it is not white space.
    pub(super) fn skip_entity(&mut self, lex: &mut Lexer<'_>, start: Mark, end: Mark) -> State {
        self.end_text_before(lex, start);
        lex.join(start, end);
        let (a, b) = (start + 1, end - 1);
        let record = Record::new(Kind::SkippedEntity, start, end).of(a, b);
        lex.emit(record);
        self.content(lex)
    }

    /// Whether an entity may be declared where this parser does not read.
    fn is_well_formed_undeclared(&self) -> bool {
        self.own.unread_declarations && !self.stands_alone()
    }

    /// What a reference to an entity in a value stands for, if it is not to stay as it is written.
    pub(super) fn value_entity(
        &mut self,
        lex: &mut Lexer<'_>,
        name: &str,
        start: Mark,
        end: Mark,
    ) -> Option<String> {
        let mut value = String::new();
        let mut stack: Vec<(usize, Arc<str>, usize)> = Vec::new();
        if self.find_entity(name).is_none()
            && let Some(text) = self.registered_entity(lex, name, start, end)
        {
            return Some(text);
        }
        let first = self.enter_in_value(lex, name, 0, start, end)?;
        stack.push((first.0, first.1, 0));
        loop {
            let depth = stack.len();
            let Some((index, text, at)) = stack.last_mut() else {
                break;
            };
            let rest = &text[*at..];
            let stop = rest.find(['&', '<', '\t', '\n', '\r']);
            let length = stop.unwrap_or(rest.len());
            value.push_str(&rest[..length]);
            *at += length;
            let Some(&byte) = rest.as_bytes().get(length) else {
                let index = *index;
                self.own.declarations.change().set_open(index, false);
                stack.pop();
                continue;
            };
            if byte != b'&' {
                *at += 1;
                if byte == b'<' {
                    value.push('<');
                    let index = *index;
                    let code = errors::LESS_THAN_IN_VALUE;
                    self.wrong_reference(lex, code, index, (start, end));
                } else {
                    value.push(' ');
                }
                continue;
            }
            let (reference, length) =
                read_reference(&rest[length..], |character| self.is_char(character));
            let written = &text[*at..*at + length];
            *at += length;
            match reference {
                Reference::Character(character) => value.push(character),
                Reference::Wrong(code) => {
                    let replaced = code == errors::ILLEGAL_REFERENCED_CHARACTER;
                    value.push_str(if replaced { "\u{FFFD}" } else { written });
                    self.error(lex, code, start, end);
                }
                Reference::Named(name) => {
                    if self.own.options.has_namespaces() && name.contains(':') {
                        self.error(lex, errors::COLON_IN_NAME, start, end);
                    }
                    if self.find_entity(name).is_none()
                        && let Some(text) = self.registered_entity(lex, name, start, end)
                    {
                        value.push_str(&text);
                        continue;
                    }
                    let found = self.enter_in_value(lex, name, depth, start, end);
                    match found {
                        Some((index, inner)) => stack.push((index, inner, 0)),
                        None => value.push_str(written),
                    }
                }
            }
            if lex.out.fatal.is_some() {
                break;
            }
        }
        for (index, _, _) in stack {
            self.own.declarations.change().set_open(index, false);
        }
        lex.out.work.cleaned += value.len() as u64;
        Some(value)
    }

    /// The entity of a name, if its replacement text may stand in a value at this place.
    fn enter_in_value(
        &mut self,
        lex: &mut Lexer<'_>,
        name: &str,
        depth: usize,
        start: Mark,
        end: Mark,
    ) -> Option<(usize, Arc<str>)> {
        let Some(index) = self.find_entity(name) else {
            if !self.is_well_formed_undeclared() {
                self.error(lex, errors::UNDECLARED_ENTITY, start, end);
            }
            return None;
        };
        let Entity { content, open, .. } = self.own.declarations.entity(index);
        let code = match content {
            _ if *open => errors::RECURSIVE_ENTITY,
            Content::Unparsed => errors::UNPARSED_ENTITY_REFERENCE,
            Content::External(_) => errors::EXTERNAL_ENTITY_IN_VALUE,
            Content::Internal(text) => {
                let text = text.clone();
                if depth + self.own.frames.len() >= self.limits.entity_depth {
                    self.exceed(lex, Limit::EntityDepth, start, end);
                    return None;
                }
                let length = (text.len(), ENTERED);
                if !self.expand(lex, length, start, end) {
                    return None;
                }
                self.own.declarations.change().set_open(index, true);
                return Some((index, text));
            }
        };
        self.wrong_reference(lex, code, index, (start, end));
        None
    }
}

/// A reference at the beginning of `text`, and how long it is. Of one that is wrong, that much stands
/// as text.
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
