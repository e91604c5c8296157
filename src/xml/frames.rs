//! Replacement text as input: what is being read, the innermost last.
//!
//! It is read by the states that stand where the reference stands, over a cursor of its own whose marks
//! begin at 1. What comes of it is handed out as soon as a state has ended: its strings are copied to
//! the scratch buffer, and its span is that of the outermost reference. It must not know how references
//! are read, nor what is declared.

use super::classes::classify_text;
use super::entities::ENTERED;
use super::errors;
use super::machine::{Lexer, XmlMachine};
use super::state::State;
use crate::event::record::{
    EntityText, InEntity, Kind, NAME_CLEANED, Payload, QUOTED, Queue, TARGET_CLEANED,
};
use crate::event::referred::Referred;
use crate::event::strings::{Cleaned, ScratchOffset, Str};
use crate::input::Mark;
use crate::input::View;
use crate::lexer::TextBuffer;
use crate::limits::Limit;
use alloc::sync::Arc;

/// The mark of the first byte of replacement text. The mark before it stands for where a run of text
/// began outside.
pub(super) const FIRST: Mark = Mark::new(1);

/// The mark of what is no part of it and comes before it.
pub(super) const BEFORE: Mark = Mark::ZERO;

/// Where replacement text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) enum Reading {
    /// In content.
    Content,
    /// Between declarations.
    Separator,
    /// In a declaration, between its words.
    Declaration,
    /// In the value of an entity.
    Literal,
    /// After the internal subset: it is the external one.
    Subset,
}

/// Text that is to be read in place of a reference.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Replacement {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) text: Arc<str>,
    /// Where it begins: after a text declaration.
    pub(super) from: usize,
    /// The external entity that it is.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) external: Option<Arc<EntityText>>,
}

impl Replacement {
    /// Whether processing instructions may stand in it, by itself or by what it refers to.
    pub(super) fn has_instruction(&self) -> bool {
        let text = self.text.as_bytes();
        memchr::memchr2(b'%', b'?', text).is_some()
    }

    /// The text of an internal entity.
    pub(super) fn internal(text: &Arc<str>) -> Replacement {
        Replacement {
            text: Arc::clone(text),
            from: 0,
            external: None,
        }
    }
}

/// Replacement text that is being read.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Frame {
    replacement: Replacement,
    /// How much of it was taken, and where it ends.
    at: usize,
    to: usize,
    entity: Option<usize>,
    pub(super) reading: Reading,
    /// Where the reference stands, and where the text that has it goes on.
    pub(super) reference: Mark,
    pub(super) after: Mark,
    /// How many elements were open when it began, or fewer since.
    floor: usize,
    /// How many conditional sections were.
    pub(super) sections: usize,
    /// In a DOCTYPE: the registers of the text around it.
    around: (TextBuffer, Mark, Mark),
}

/// The outermost reference whose replacement text is being read, in marks of the input.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Outermost {
    pub(super) start: Mark,
    pub(super) end: Mark,
    /// Where the run of text began that is not handed out yet, if that was before the reference.
    pub(super) run: Mark,
}

impl Outermost {
    pub(super) const NONE: Outermost = Outermost {
        start: Mark::NONE,
        end: Mark::NONE,
        run: Mark::NONE,
    };
}

impl XmlMachine {
    /// The span to report for something between two marks.
    pub(super) fn outer_span(&self, start: Mark, end: Mark) -> (Mark, Mark) {
        match self.own.frames.is_empty() {
            true => (start, end),
            false => (self.own.outermost.start, self.own.outermost.end),
        }
    }

    /// The place in an external entity of something between two marks, if it is in one.
    pub(super) fn in_entity(&self, start: Mark, end: Mark) -> Option<InEntity> {
        let is_external = |frame: &Frame| frame.replacement.external.is_some();
        let index = self.own.frames.iter().rposition(is_external)?;
        // What is in an internal entity has its place where that is referred to.
        let (start, end) = match self.own.frames.get(index + 1) {
            Some(inner) => (inner.reference, inner.after),
            None => (start, end),
        };
        let entity = self.own.frames[index].replacement.external.as_ref()?;
        Some(InEntity {
            entity: Arc::clone(entity),
            start: start.max(FIRST).index_from(FIRST),
            end: end.max(FIRST).index_from(FIRST),
        })
    }

    /// The first of two attributes, for an error that refers to it: in an internal entity its place is that
    /// of the reference, which is where the error is too, so that it says nothing.
    pub(super) fn first_attribute(&self, (start, end): (Mark, Mark)) -> Option<Referred> {
        let (from, to) = self.outer_span(start, end);
        let entity = self.in_entity(start, end);
        let is_told = entity.is_some() || self.own.frames.is_empty();
        is_told.then(|| Referred {
            entity,
            ..Referred::first_attribute((from, to))
        })
    }

    /// The declaration of the entity whose text is in hand.
    pub(super) fn entity_in_hand(&self) -> Option<Referred> {
        let entity = self.own.frames.last()?.entity?;
        Some(self.own.declarations.entity(entity).declared.clone())
    }

    /// Whether the text in hand is that of an internal entity, whose line ends were normalised when
    /// it was declared.
    pub(super) fn in_internal_entity(&self) -> bool {
        self.own
            .frames
            .last()
            .is_some_and(|frame| frame.replacement.external.is_none())
    }

    /// Where the external entity stands that the text in hand is part of.
    pub(super) fn location(&self) -> Option<Arc<str>> {
        let externals = self.own.frames.iter().rev();
        let external = externals
            .filter_map(|frame| frame.replacement.external.as_ref())
            .next()?;
        external.location.clone()
    }

    /// Begins to read replacement text, if the limits allow it: nothing more is taken of the input in
    /// hand.
    pub(super) fn enter(
        &mut self,
        lex: &mut Lexer<'_>,
        entity: Option<usize>,
        replacement: Replacement,
        reading: Reading,
        (start, end): (Mark, Mark),
    ) -> bool {
        if self.own.frames.len() >= self.limits.entity_depth {
            self.exceed(lex, Limit::EntityDepth, start, end);
            return false;
        }
        let length = (replacement.text.len(), ENTERED);
        if !self.expand(lex, length, start, end) {
            return false;
        }
        if self.own.frames.is_empty() {
            lex.join(start, end);
        }
        let mut around = (TextBuffer::NONE, Mark::NONE, Mark::NONE);
        if reading != Reading::Content {
            if self.own.frames.is_empty() {
                self.own.outermost = Outermost {
                    start,
                    end,
                    run: Mark::NONE,
                };
            }
            let is_markup = matches!(reading, Reading::Separator | Reading::Subset);
            if is_markup && replacement.has_instruction() {
                // In a late DOCTYPE it ends the run of text, which is not at hand in replacement text.
                self.end_text_before(lex, self.token);
            }
            let text = core::mem::replace(&mut self.text, TextBuffer::NONE);
            around = (text, self.token, self.own.inner);
            self.token = Mark::NONE;
        }
        if let Some(entity) = entity {
            self.own.declarations.change().set_open(entity, true);
        }
        self.own.in_external |= replacement.external.is_some();
        // A parameter entity ends with a space, which is no part of the value of an entity.
        let space = usize::from(reading == Reading::Literal);
        self.own.frames.push(Frame {
            at: replacement.from,
            to: replacement.text.len() - space,
            replacement,
            entity,
            reading,
            reference: start,
            after: end,
            floor: self.open.len(),
            sections: self.own.doctype.sections(),
            around,
        });
        lex.fence();
        true
    }

    /// Where the text being read is read, if that is replacement text in a DOCTYPE.
    pub(super) fn reading_in_doctype(&self) -> Option<Reading> {
        let reading = self.own.frames.last()?.reading;
        (reading != Reading::Content).then_some(reading)
    }

    /// The replacement text has ended, and no token is open: the text around the reference goes on.
    pub(super) fn leave(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        if let Some(frame) = self.own.frames.last()
            && self.open.len() > frame.floor
        {
            self.error(lex, errors::UNBALANCED_ENTITY, end, end);
        }
        lex.fence();
        let Some(frame) = self.own.frames.pop() else {
            return self.state;
        };
        if let Some(entity) = frame.entity {
            self.own.declarations.change().set_open(entity, false);
        }
        if frame.replacement.external.is_some() {
            let is_external = |frame: &Frame| frame.replacement.external.is_some();
            self.own.in_external = self.own.frames.iter().any(is_external);
        }
        if frame.reading != Reading::Content {
            (self.text, self.token, self.own.inner) = frame.around;
            return self.state;
        }
        if !self.text.is_none() {
            if self.text.is_empty(end) {
                self.own.outermost.run = Mark::NONE;
                self.text = TextBuffer::at(frame.after);
            } else {
                lex.replace(&mut self.text, end, end, "");
                let start = match (self.own.outermost.run, self.own.frames.is_empty()) {
                    (Mark::NONE, _) => frame.reference,
                    (run, true) => run,
                    (_, false) => BEFORE,
                };
                self.text.resume(start, frame.after);
            }
        }
        self.state
    }

    /// Reads replacement text until there is none left, or the batch is full.
    pub(super) fn run_frames(&mut self, out: &mut Queue) {
        let mut masks = core::mem::take(&mut self.own.masks);
        while let Some(frame) = self.own.frames.last() {
            let full = out.fatal.is_some() || out.is_full();
            if full || self.own.asked.is_some() {
                break;
            }
            let depth = self.own.frames.len();
            let (text, from) = (Arc::clone(&frame.replacement.text), frame.at);
            let mut to = frame.to.min(from.saturating_add(out.expansion));
            // A line end is not cut, nor a character.
            while to < frame.to && (!text.is_char_boundary(to) || text.as_bytes()[to - 1] == b'\r')
            {
                to += 1;
            }
            classify_text(&text.as_bytes()[from..to], self.own.is_1_1, &mut masks);
            let whole = to == frame.to;
            let view = View {
                chunk: &text,
                shift: FIRST,
                from,
                to,
                at: from,
                masks: &masks,
            };
            let lex = &mut Lexer::over(view, whole, &mut *out);
            let mut suspended = false;
            while !suspended && self.own.frames.len() == depth {
                let before = lex.out.records.len();
                suspended = !self.one_state(lex);
                self.adopt(lex, before, &text, depth);
                if lex.out.is_full() {
                    lex.fence();
                }
            }
            let (at, again) = lex.done();
            out.work.states += (at - from) as u64 + u64::from(again);
            if let Some(frame) = self.own.frames.get_mut(depth - 1) {
                frame.at = at;
            }
        }
        self.own.masks = masks;
    }

    /// Does something where the text in hand stands, which is replacement text.
    pub(super) fn in_frame(
        &mut self,
        out: &mut Queue,
        act: impl FnOnce(&mut XmlMachine, &mut Lexer<'_>),
    ) {
        let Some(frame) = self.own.frames.last() else {
            return;
        };
        let (text, at) = (Arc::clone(&frame.replacement.text), frame.at);
        let (before, depth) = (out.records.len(), self.own.frames.len());
        let view = View {
            chunk: &text,
            shift: FIRST,
            from: at,
            to: at,
            at,
            masks: &[],
        };
        let lex = &mut Lexer::over(view, false, out);
        act(self, lex);
        self.adopt(lex, before, &text, depth);
    }

    /// Makes records of replacement text records of the input: all from the index `from` on.
    fn adopt(&mut self, lex: &mut Lexer<'_>, from: usize, text: &str, depth: usize) {
        let Outermost { start, end, .. } = self.own.outermost;
        for index in from..lex.out.records.len() {
            let mut record = lex.out.records[index];
            if record.kind == Kind::Error {
                continue;
            }
            let scratch = &mut lex.out.scratch;
            let mut put = |from: Mark, to: Mark, end: &str| {
                let start = ScratchOffset::end_of(scratch);
                let string = &text[from.index_from(FIRST)..to.index_from(FIRST)];
                scratch.push_str(string);
                lex.out.work.cleaned += string.len() as u64;
                let string = Cleaned::since(start, scratch);
                scratch.push_str(end);
                string
            };
            if let Str::Lent(from, to) = record.string() {
                record = record.cleaned(put(from, to, ""));
            }
            if record.kind == Kind::ProcessingInstruction
                && let Str::Lent(from, to) = record.target()
            {
                record.payload = Payload::cleaned_target(put(from, to, ""));
                record.flags |= TARGET_CLEANED;
            }
            if record.kind == Kind::Start {
                for attribute in &mut lex.out.attributes[record.attributes()] {
                    if attribute.flags & NAME_CLEANED == 0 {
                        attribute.set_name(put(attribute.name, attribute.name_end, "\0").start);
                    }
                    if let Str::Lent(from, to) = attribute.value() {
                        attribute.set_value(put(from, to, ""));
                    }
                    attribute.flags &= !QUOTED;
                    (attribute.name, attribute.name_end) = (start, end);
                    (attribute.raw, attribute.raw_end) = (start, end);
                }
            }
            let began = record.kind == Kind::Text && record.start == BEFORE;
            record.start = start;
            if began && !self.own.outermost.run.is_none() {
                record.start = self.own.outermost.run;
                self.own.outermost.run = Mark::NONE;
            }
            record.end = end;
            lex.out.records[index] = record;
            lex.out.unfinished = lex.out.scratch_end();
        }
        let open = self.open.len();
        if let Some(frame) = self.own.frames.get_mut(depth - 1)
            && open < frame.floor
        {
            frame.floor = open;
            let mark = lex.mark();
            self.error(lex, errors::UNBALANCED_ENTITY, mark, mark);
        }
    }
}
