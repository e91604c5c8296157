//! Entities: references to them, and their replacement text as input.
//!
//! The replacement text of an internal entity is read by the states that stand where the reference
//! stands, over a cursor of its own whose marks begin at 1. What comes of it is handed out as soon as a
//! state has ended: its strings are copied to the scratch buffer, and its span is that of the outermost
//! reference. In values, replacement text is only text, and is worked out in one go.

use super::declarations::{Content, Entity};
use super::errors;
use super::machine::{Cursor, XmlClasses, XmlMachine};
use super::state::State;
use crate::error::Code;
use crate::event::record::{
    CLEANED, Kind, NAME_CLEANED, NONE, Piece, QUOTED, Queue, Record, TARGET_CLEANED, VALUE_CLEANED,
};
use crate::limits::Limit;
use crate::scan::Classes;
use crate::text::numeric::Number;
use crate::text::xml_names;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Replacement text is looked at in windows of about this length: an entity that refers to others is
/// entered anew after each of them.
const WINDOW: usize = 512;

/// The mark of the first byte of replacement text. The mark before it stands for where a run of text
/// began outside.
pub(super) const FIRST: u32 = 1;

/// Replacement text that is being read.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    text: Arc<str>,
    /// How much of it was taken.
    at: usize,
    entity: usize,
    /// Where the reference stands, and where the text that has it goes on.
    reference: u32,
    after: u32,
    /// How many elements were open when it began, or fewer since.
    floor: usize,
    /// For a parameter entity: the registers of the text around the DOCTYPE.
    around: Option<(Piece, u32)>,
}

/// The outermost reference whose replacement text is being read, in marks of the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outermost {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Where the run of text began that is not handed out yet, if that was before the reference.
    run: u32,
}

impl Outermost {
    pub(super) const NONE: Outermost = Outermost {
        start: NONE,
        end: NONE,
        run: NONE,
    };
}

/// What follows an `&` in replacement text.
enum Reference<'t> {
    Character(char),
    Named(&'t str),
    Wrong(Code),
}

impl XmlMachine {
    /// The span to report for something between two marks.
    pub(super) fn outer_span(&self, start: u32, end: u32) -> (u32, u32) {
        match self.frames.is_empty() {
            true => (start, end),
            false => (self.outermost.start, self.outermost.end),
        }
    }

    /// The general entity of a name, if a reference may mean it.
    fn find_entity(&self, name: &str) -> Option<usize> {
        let index = self.declarations.general(name)?;
        let hidden = self.standalone && self.declarations.entity(index).in_parameter;
        (!hidden).then_some(index)
    }

    /// Counts what something expands to. Gives whether that is within the limit.
    pub(super) fn expand(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        length: usize,
        start: u32,
        end: u32,
    ) -> bool {
        self.expanded = self.expanded.saturating_add(length as u64);
        out.work.expanded += length as u64;
        let consumed = self.base + u64::from(self.outer_span(start, end).1);
        let ratio = self.limits.entity_ratio as u64;
        let within = self.expanded <= self.limits.entity_allowance as u64
            || self.expanded <= consumed.saturating_mul(ratio);
        if !within {
            self.exceed(input, out, Limit::EntityExpansion, start, end);
        }
        within
    }

    /// A reference to an entity in content, between two marks.
    pub(super) fn content_entity(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        name: &str,
        start: u32,
        end: u32,
    ) -> State {
        let Some(index) = self.find_entity(name) else {
            if self.is_well_formed_undeclared() {
                self.skip_entity(input, out, start, end);
            } else {
                self.error(input, out, errors::UNDECLARED_ENTITY, start, end);
            }
            return State::Data;
        };
        let Entity { content, open, .. } = self.declarations.entity(index);
        let text = match content {
            _ if *open => {
                self.error(input, out, errors::RECURSIVE_ENTITY, start, end);
                return State::Data;
            }
            Content::Unparsed => {
                let code = errors::UNPARSED_ENTITY_REFERENCE;
                self.error(input, out, code, start, end);
                return State::Data;
            }
            Content::External => {
                self.skip_entity(input, out, start, end);
                return State::Data;
            }
            Content::Internal(text) => text.clone(),
        };
        if !self.enter(input, out, index, &text, (start, end), None) {
            return State::Data;
        }
        let outermost = self.frames.len() == 1;
        if self.text.is_empty(start) {
            self.text = Piece::NONE;
        } else {
            self.text.replace(*input, out, start, end, "");
        }
        let run = match outermost {
            true => self.text.start,
            false if self.text.start == 0 => self.outermost.run,
            false => NONE,
        };
        if outermost {
            self.outermost.start = start;
            self.outermost.end = end;
        }
        if self.text.is_none() {
            self.outermost.run = NONE;
            self.text = Piece::at(FIRST);
        } else {
            self.outermost.run = run;
            self.text.resume(0, FIRST);
        }
        State::Data
    }

    /// A reference to an entity that is not read.
    fn skip_entity(&mut self, input: &mut Cursor<'_>, out: &mut Queue, start: u32, end: u32) {
        self.flush_text(input, out, start);
        self.join(input, out, start, end);
        let (a, b) = (start + 1, end - 1);
        let record = Record {
            a,
            b,
            ..Record::new(Kind::SkippedEntity, start, end)
        };
        self.push(input, out, record);
        self.text = Piece::at(end);
    }

    /// Whether an entity may be declared where this parser does not read.
    fn is_well_formed_undeclared(&self) -> bool {
        self.unread_declarations && !self.standalone
    }

    /// Begins to read replacement text, if the limits allow it: nothing more is taken of the input in
    /// hand.
    fn enter(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        entity: usize,
        text: &Arc<str>,
        (start, end): (u32, u32),
        around: Option<(Piece, u32)>,
    ) -> bool {
        if self.frames.len() >= self.limits.entity_depth {
            self.exceed(input, out, Limit::EntityDepth, start, end);
            return false;
        }
        if !self.expand(input, out, text.len(), start, end) {
            return false;
        }
        if self.frames.is_empty() {
            self.join(input, out, start, end);
        }
        Arc::make_mut(&mut self.declarations).set_open(entity, true);
        self.frames.push(Frame {
            text: text.clone(),
            at: 0,
            entity,
            reference: start,
            after: end,
            floor: self.open.len(),
            around,
        });
        input.fence();
        true
    }

    /// A reference to a parameter entity between declarations.
    pub(super) fn subset_entity(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        name: &str,
        start: u32,
        end: u32,
    ) -> State {
        self.unread_declarations = true;
        let found = self.declarations.parameter(name).and_then(|index| {
            let Entity { content, open, .. } = self.declarations.entity(index);
            match content {
                Content::Internal(text) => Some((index, text.clone(), *open)),
                Content::External | Content::Unparsed => None,
            }
        });
        let Some((index, text, open)) = found else {
            self.unread_parameter = true;
            return State::DoctypeInternalSubset;
        };
        if open {
            self.error(input, out, errors::RECURSIVE_ENTITY, start, end);
            return State::DoctypeInternalSubset;
        }
        let first = self.frames.is_empty();
        if first {
            // The run of text around a late DOCTYPE ends: the replacement text has other marks.
            let token = self.token;
            self.flush_text(input, out, token);
        }
        let around = (core::mem::replace(&mut self.text, Piece::NONE), self.token);
        if self.enter(input, out, index, &text, (start, end), Some(around)) {
            if first {
                self.outermost = Outermost {
                    start,
                    end,
                    run: NONE,
                };
            }
            self.token = NONE;
        }
        State::DoctypeInternalSubset
    }

    /// Whether the text being read is that of a parameter entity.
    pub(super) fn in_parameter_entity(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|frame| frame.around.is_some())
    }

    /// The replacement text has ended, and no token is open: the text around the reference goes on.
    pub(super) fn leave<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
    ) -> (State, Cursor<'w>) {
        let end = input.mark();
        if let Some(frame) = self.frames.last()
            && self.open.len() > frame.floor
        {
            self.error(&mut input, out, errors::UNBALANCED_ENTITY, end, end);
        }
        input.fence();
        let Some(frame) = self.frames.pop() else {
            return (self.state, input);
        };
        Arc::make_mut(&mut self.declarations).set_open(frame.entity, false);
        if let Some((text, token)) = frame.around {
            (self.text, self.token) = (text, token);
            return (State::DoctypeInternalSubset, input);
        }
        if !self.text.is_none() {
            if self.text.is_empty(end) {
                self.outermost.run = NONE;
                self.text = Piece::at(frame.after);
            } else {
                self.text.replace(input, out, end, end, "");
                let start = match (self.outermost.run, self.frames.is_empty()) {
                    (NONE, _) => frame.reference,
                    (run, true) => run,
                    (_, false) => 0,
                };
                self.text.resume(start, frame.after);
            }
        }
        (self.state, input)
    }

    /// Reads replacement text until there is none left, or the batch is full.
    pub(super) fn run_frames(&mut self, out: &mut Queue) {
        let mut masks = core::mem::take(&mut self.masks);
        while let Some(frame) = self.frames.last() {
            if out.fatal.is_some() || out.records.len() >= out.capacity {
                break;
            }
            let depth = self.frames.len();
            let (text, from) = (frame.text.clone(), frame.at);
            let mut to = text.len().min(from + WINDOW);
            while !text.is_char_boundary(to) {
                to += 1;
            }
            XmlClasses::classify(&text.as_bytes()[from..to], &mut masks);
            let whole = to == text.len();
            let mut cursor = Cursor::new(&text, from, to, from, FIRST, &masks, whole);
            let mut suspended = false;
            while !suspended && self.frames.len() == depth {
                let before = out.records.len();
                let (next, after) = self.step(cursor, out);
                cursor = after;
                match next {
                    Some(state) => self.state = state,
                    None => suspended = true,
                }
                self.adopt(&mut cursor, out, before, &text, depth);
            }
            let (at, again) = cursor.done();
            out.work.states += (at - from) as u64 + u64::from(again);
            if let Some(frame) = self.frames.get_mut(depth - 1) {
                frame.at = at;
            }
        }
        self.masks = masks;
    }

    /// One state.
    #[inline(never)]
    fn step<'w>(&mut self, mut cursor: Cursor<'w>, out: &mut Queue) -> (Option<State>, Cursor<'w>) {
        if self.state == State::Data {
            let next = self.data(&mut cursor, out);
            (next, cursor)
        } else {
            self.other_states(cursor, out)
        }
    }

    /// Makes records of replacement text records of the input: all from the index `from` on.
    fn adopt(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        from: usize,
        text: &str,
        depth: usize,
    ) {
        let Outermost { start, end, .. } = self.outermost;
        for index in from..out.records.len() {
            let mut record = out.records[index];
            if record.kind == Kind::Error {
                continue;
            }
            let scratch = &mut out.scratch;
            let mut put = |from: u32, to: u32, end: &str| {
                let at = scratch.len() as u32;
                let string = &text[(from - FIRST) as usize..(to - FIRST) as usize];
                scratch.push_str(string);
                out.work.cleaned += string.len() as u64;
                let to = scratch.len() as u32;
                scratch.push_str(end);
                (at, to)
            };
            if record.flags & CLEANED == 0 {
                (record.a, record.b) = put(record.a, record.b, "");
            }
            if record.kind == Kind::ProcessingInstruction {
                (record.c, record.d) = put(record.c, record.d, "");
                record.flags |= TARGET_CLEANED;
            }
            if record.kind == Kind::Start {
                for attribute in &mut out.attributes[record.c as usize..record.d as usize] {
                    if attribute.flags & NAME_CLEANED == 0 {
                        attribute.clean_name = put(attribute.name, attribute.name_end, "\0").0;
                    }
                    if attribute.flags & VALUE_CLEANED == 0 {
                        (attribute.value, attribute.value_end) =
                            put(attribute.raw, attribute.raw_end, "");
                    }
                    attribute.flags |= NAME_CLEANED | VALUE_CLEANED;
                    attribute.flags &= !QUOTED;
                    (attribute.name, attribute.name_end) = (start, end);
                    (attribute.raw, attribute.raw_end) = (start, end);
                }
            }
            let began = record.kind == Kind::Text && record.start == 0;
            record.start = start;
            if began && self.outermost.run != NONE {
                record.start = self.outermost.run;
                self.outermost.run = NONE;
            }
            record.end = end;
            record.flags |= CLEANED;
            out.records[index] = record;
            out.unfinished = out.scratch.len() as u32;
        }
        let open = self.open.len();
        if let Some(frame) = self.frames.get_mut(depth - 1)
            && open < frame.floor
        {
            frame.floor = open;
            let mark = input.mark();
            self.error(input, out, errors::UNBALANCED_ENTITY, mark, mark);
        }
    }

    /// What a reference to an entity in a value stands for, if it is not to stay as it is written.
    pub(super) fn value_entity(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        name: &str,
        start: u32,
        end: u32,
    ) -> Option<String> {
        let mut value = String::new();
        let mut stack: Vec<(usize, Arc<str>, usize)> = Vec::new();
        let first = self.enter_in_value(input, out, name, 0, start, end)?;
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
                Arc::make_mut(&mut self.declarations).set_open(index, false);
                stack.pop();
                continue;
            };
            if byte != b'&' {
                *at += 1;
                if byte == b'<' {
                    value.push('<');
                    self.error(input, out, errors::LESS_THAN_IN_VALUE, start, end);
                } else {
                    value.push(' ');
                }
                continue;
            }
            let (reference, length) = read_reference(&rest[length..]);
            let written = &text[*at..*at + length];
            *at += length;
            match reference {
                Reference::Character(character) => value.push(character),
                Reference::Wrong(code) => {
                    let replaced = code == errors::ILLEGAL_REFERENCED_CHARACTER;
                    value.push_str(if replaced { "\u{FFFD}" } else { written });
                    self.error(input, out, code, start, end);
                }
                Reference::Named(name) => {
                    let found = self.enter_in_value(input, out, name, depth, start, end);
                    match found {
                        Some((index, inner)) => stack.push((index, inner, 0)),
                        None => value.push_str(written),
                    }
                }
            }
            if out.fatal.is_some() {
                break;
            }
        }
        for (index, _, _) in stack {
            Arc::make_mut(&mut self.declarations).set_open(index, false);
        }
        out.work.cleaned += value.len() as u64;
        Some(value)
    }

    /// The entity of a name, if its replacement text may stand in a value at this place.
    fn enter_in_value(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        name: &str,
        depth: usize,
        start: u32,
        end: u32,
    ) -> Option<(usize, Arc<str>)> {
        let Some(index) = self.find_entity(name) else {
            if !self.is_well_formed_undeclared() {
                self.error(input, out, errors::UNDECLARED_ENTITY, start, end);
            }
            return None;
        };
        let Entity { content, open, .. } = self.declarations.entity(index);
        let code = match content {
            _ if *open => errors::RECURSIVE_ENTITY,
            Content::Unparsed => errors::UNPARSED_ENTITY_REFERENCE,
            Content::External => errors::EXTERNAL_ENTITY_IN_VALUE,
            Content::Internal(text) => {
                let text = text.clone();
                if depth + self.frames.len() >= self.limits.entity_depth {
                    self.exceed(input, out, Limit::EntityDepth, start, end);
                    return None;
                }
                if !self.expand(input, out, text.len(), start, end) {
                    return None;
                }
                Arc::make_mut(&mut self.declarations).set_open(index, true);
                return Some((index, text));
            }
        };
        self.error(input, out, code, start, end);
        None
    }
}

/// A reference at the beginning of `text`, and how long it is. Of one that is wrong, that much stands
/// as text.
fn read_reference(text: &str) -> (Reference<'_>, usize) {
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
        let character = number.character().filter(|&c| xml_names::is_char(c));
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
