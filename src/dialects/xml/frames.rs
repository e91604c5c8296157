//! Replacement text of entities as an input of the tokenizer.
//!
//! A reference in content or in the DTD is replaced by the text of its entity, which may contain markup and further
//! references. The text is therefore read by the same states as the document, through a cursor of its own. Each
//! entity that is being read has a [`EntityReading`]; the frames form a stack whose last element is the innermost entity.
//!
//! Offsets in replacement text start at 1 ([`FIRST`]). Offset 0 ([`BEFORE`]) has a special meaning: a run of text
//! that starts there began before the reference, in the surrounding text.
//!
//! ```text
//! document          <p>one &e; three</p>        one run of text: "one two three"
//!                      ^   ^  ^
//!                      |   |  after
//!                      |   reference
//!                      run
//! replacement text          two
//!                          ^^
//!                          |FIRST = 1
//!                          BEFORE = 0
//! ```
//!
//! Records refer to text by its offsets in the document, so a record that is made in replacement text cannot be
//! delivered as it is. [`XmlMachine::adopt`] corrects it as soon as the state function has returned: its strings are
//! copied to the scratch buffer, and its span becomes the span of the outermost reference.
//!
//! Replacement text has limits: the number of nested frames, and the total length of all expansions (`entities.rs`).
//! An element must begin and end in the same entity; a violation is reported.

use super::classes::classify_text;
use super::entities::ENTITY_CHARGE_BYTES;
use super::errors;
use super::machine::{Lexer, XmlMachine};
use super::state::State;
use crate::engine::event::in_entity::{EntityText, InEntity};
use crate::engine::event::queue::{Queue, SplitAt};
use crate::engine::event::record::{
    FROM_ENTITY, NAME_CLEANED, Payload, QUOTED, Record, RecordKind, TARGET_CLEANED,
    TEXT_FROM_ENTITY,
};
use crate::engine::event::referred::Referred;
use crate::engine::event::strings::{Cleaned, ScratchOffset, Str};
use crate::engine::input::BufferOffset;
use crate::engine::input::View;
use crate::engine::limits::Limit;
use crate::engine::tokenizer::{TextBuffer, Tokenizer};
use alloc::sync::Arc;

/// Offset of the first byte of replacement text. It is not 0, because [`BEFORE`] has a meaning of its own.
pub(super) const FIRST: BufferOffset = BufferOffset::new(1);

/// Offset that denotes the text before the reference. A run of text with this start began before the reference and
/// continues in the replacement text.
pub(super) const BEFORE: BufferOffset = BufferOffset::ZERO;

/// The place of a reference, which decides by which rules the replacement text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// In the content of an element.
    Content,
    /// Between two declarations of the DTD.
    Separator,
    /// Inside a declaration, between its words.
    Declaration,
    /// Inside the quoted value of an entity declaration.
    Literal,
    /// After the internal subset. The text is the external subset of the DOCTYPE.
    Subset,
}

/// Text that is read in place of a reference.
#[derive(Clone, Debug)]
pub(super) struct Replacement {
    /// The whole text of the entity, decoded.
    pub(super) text: Arc<str>,
    /// Byte offset in `text` at which the replacement text starts: after the text declaration of an external entity,
    /// otherwise 0.
    pub(super) from: usize,
    /// The external entity that the text belongs to; `None` for an internal entity.
    pub(super) external: Option<Arc<EntityText>>,
}

impl Replacement {
    /// Returns true if the text may contain a processing instruction, directly or by a reference to a parameter
    /// entity.
    pub(super) fn has_instruction(&self) -> bool {
        let text = self.text.as_bytes();
        memchr::memchr2(b'%', b'?', text).is_some()
    }

    /// Returns the replacement text of an internal entity.
    pub(super) fn internal(text: &Arc<str>) -> Replacement {
        Replacement {
            text: Arc::clone(text),
            from: 0,
            external: None,
        }
    }
}

/// An entity whose replacement text is being read.
#[derive(Clone, Debug)]
pub(super) struct EntityReading {
    replacement: Replacement,
    /// Byte offsets in `replacement.text`, the whole text of the entity: of the next byte to read, and of the end of
    /// the part that is read.
    at: usize,
    to: usize,
    /// Index of the entity in the declarations; `None` for the external subset.
    entity: Option<usize>,
    pub(super) reading: Reading,
    /// Start and end of the reference, as offsets in the text that contains it. Reading continues at `after` when the
    /// replacement text ends.
    pub(super) reference: BufferOffset,
    pub(super) after: BufferOffset,
    /// Number of open elements when the entity was entered, or a smaller number if the entity has closed some of
    /// these since (which is reported once).
    floor: usize,
    /// Number of open conditional sections when the entity was entered.
    pub(super) sections: usize,
    /// State of the surrounding text, which is restored at the end of the entity: the run of text, and the offsets
    /// `token` and `inner`. Used in the DTD only.
    around: (TextBuffer, BufferOffset, BufferOffset),
}

/// The outermost reference whose replacement text is being read. All offsets are in the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outermost {
    pub(super) start: BufferOffset,
    pub(super) end: BufferOffset,
    /// Start of the unfinished run of text, if the run began before the reference; otherwise `BufferOffset::NONE`.
    pub(super) run: BufferOffset,
}

impl Outermost {
    pub(super) const NONE: Outermost = Outermost {
        start: BufferOffset::NONE,
        end: BufferOffset::NONE,
        run: BufferOffset::NONE,
    };
}

impl EntityReading {
    /// Returns true if the reference is in the DTD, and a run of text around the DOCTYPE has begun and not ended.
    pub(super) fn has_text_around(&self) -> bool {
        !self.around.0.is_none()
    }
}

impl XmlMachine {
    /// Returns the span in the document to report for the construct in `start..end`: the same range, or in
    /// replacement text that of the outermost reference.
    pub(super) fn outer_span(
        &self,
        start: BufferOffset,
        end: BufferOffset,
    ) -> (BufferOffset, BufferOffset) {
        match self.dialect.entities.frames.is_empty() {
            true => (start, end),
            false => (
                self.dialect.entities.more.outermost.start,
                self.dialect.entities.more.outermost.end,
            ),
        }
    }

    /// Returns an offset in the document at or before the start of all tokens that are not emitted yet. Everything before
    /// `taken` was consumed. In replacement text, tokens start at the outermost reference. They start earlier if a run
    /// of text or a DOCTYPE began before that reference.
    pub(super) fn earliest_outside(&self, taken: BufferOffset) -> BufferOffset {
        let outermost = &self.dialect.entities.more.outermost;
        match self.dialect.entities.frames.first() {
            None => self.keep(taken).min(self.token),
            Some(frame) if frame.reading == Reading::Content => outermost.start.min(outermost.run),
            Some(frame) => {
                let (text, token, _) = &frame.around;
                outermost.start.min(text.start).min(*token)
            }
        }
    }

    /// Returns the position of `start..end` in the innermost external entity that is being read, or `None` if there
    /// is none.
    pub(super) fn in_entity(&self, start: BufferOffset, end: BufferOffset) -> Option<InEntity> {
        let is_external = |frame: &EntityReading| frame.replacement.external.is_some();
        let index = self.dialect.entities.frames.iter().rposition(is_external)?;
        // The range may be in an internal entity that is referred to from the external one. Its position is then that
        // of the reference.
        let (start, end) = match self.dialect.entities.frames.get(index + 1) {
            Some(inner) => (inner.reference, inner.after),
            None => (start, end),
        };
        let entity = self.dialect.entities.frames[index]
            .replacement
            .external
            .as_ref()?;
        Some(InEntity {
            entity: Arc::clone(entity),
            start: start.max(FIRST).index_from(FIRST),
            end: end.max(FIRST).index_from(FIRST),
        })
    }

    /// Returns the position of the first of two duplicate attributes, for an error that refers to it. Returns `None`
    /// in an internal entity of the document: both attributes then have the position of the reference, which the
    /// error has too.
    pub(super) fn first_attribute(
        &self,
        (start, end): (BufferOffset, BufferOffset),
    ) -> Option<Referred> {
        let (from, to) = self.outer_span(start, end);
        let entity = self.in_entity(start, end);
        let is_told = entity.is_some() || self.dialect.entities.frames.is_empty();
        is_told.then(|| Referred {
            entity,
            ..Referred::first_attribute((from, to))
        })
    }

    /// Returns the position of the declaration of the entity whose replacement text is being read, or `None` outside of
    /// replacement text.
    pub(super) fn current_entity(&self) -> Option<Referred> {
        let entity = self.dialect.entities.frames.last()?.entity?;
        Some(
            self.dialect
                .dtd
                .declarations
                .entity(entity)
                .declared
                .clone(),
        )
    }

    /// Returns true if an internal entity is being read. Its newlines were normalized when it was declared, so a
    /// carriage return in it comes from a numeric reference.
    pub(super) fn in_internal_entity(&self) -> bool {
        self.dialect
            .entities
            .frames
            .last()
            .is_some_and(|frame| frame.replacement.external.is_none())
    }

    /// Returns the location (such as a URL) of the innermost external entity that is being read, if the program has
    /// given it one. Relative identifiers inside the entity are resolved against it.
    pub(super) fn location(&self) -> Option<Arc<str>> {
        let externals = self.dialect.entities.frames.iter().rev();
        let external = externals
            .filter_map(|frame| frame.replacement.external.as_ref())
            .next()?;
        external.location.clone()
    }

    /// Starts reading `replacement` in place of the reference in `start..end`. Returns false, and ends the parse, if
    /// a limit is exceeded.
    ///
    /// The input that contains the reference is suspended until the replacement text ends.
    pub(super) fn enter(
        &mut self,
        lex: &mut Lexer<'_>,
        entity: Option<usize>,
        replacement: Replacement,
        reading: Reading,
        (start, end): (BufferOffset, BufferOffset),
    ) -> bool {
        if self.dialect.entities.frames.len() >= self.limits.entity_depth {
            self.exceed(lex, Limit::EntityDepth, start, end);
            return false;
        }
        let length = (replacement.text.len(), ENTITY_CHARGE_BYTES);
        if !self.expand(lex, length, start, end) {
            return false;
        }
        if self.dialect.entities.frames.is_empty() {
            lex.join(start, end);
        }
        let around = match reading {
            Reading::Content => (TextBuffer::NONE, BufferOffset::NONE, BufferOffset::NONE),
            _ => self.leave_surroundings(lex, &replacement, reading, (start, end)),
        };
        if let Some(entity) = entity {
            self.dialect
                .dtd
                .declarations
                .change()
                .set_open(entity, true);
        }
        self.dialect.entities.more.in_external |= replacement.external.is_some();
        // The replacement text of a parameter entity ends with an added space. Inside the value of an entity the
        // space is not part of the text.
        let space = usize::from(reading == Reading::Literal);
        self.dialect.entities.frames.push(EntityReading {
            at: replacement.from,
            to: replacement.text.len() - space,
            replacement,
            entity,
            reading,
            reference: start,
            after: end,
            floor: self.open.len(),
            sections: self.dialect.doctype.sections(),
            around,
        });
        lex.suspend();
        true
    }

    /// Prepares the tokenizer for replacement text in the DTD, in place of the reference in `start..end`. Returns the
    /// state of the surrounding text for [`EntityReading::around`].
    fn leave_surroundings(
        &mut self,
        lex: &mut Lexer<'_>,
        replacement: &Replacement,
        reading: Reading,
        (start, end): (BufferOffset, BufferOffset),
    ) -> (TextBuffer, BufferOffset, BufferOffset) {
        if self.dialect.entities.frames.is_empty() {
            self.dialect.entities.more.outermost = Outermost {
                start,
                end,
                run: BufferOffset::NONE,
            };
        }
        let is_markup = matches!(reading, Reading::Separator | Reading::Subset);
        if is_markup && replacement.has_instruction() {
            // The DOCTYPE follows the start of the root element, which is an error. A processing instruction in
            // it ends the run of text around the DOCTYPE. The run must end here, because its text is not
            // accessible from inside the replacement text.
            self.end_text_before(lex, self.token);
            lex.out.end_run();
        }
        let text = core::mem::replace(&mut self.text, TextBuffer::NONE);
        let token = core::mem::replace(&mut self.token, BufferOffset::NONE);
        (text, token, self.dialect.subset.token)
    }

    /// Returns the place of the innermost reference if this is in the DTD, otherwise `None`.
    pub(super) fn reading_in_doctype(&self) -> Option<Reading> {
        let reading = self.dialect.entities.frames.last()?.reading;
        (reading != Reading::Content).then_some(reading)
    }

    /// Ends the innermost frame, whose text was read to its end while no token was open. Reading continues after the
    /// reference. Returns the state to continue in.
    pub(super) fn leave(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        if let Some(frame) = self.dialect.entities.frames.last()
            && self.open.len() > frame.floor
        {
            self.error(lex, errors::UNBALANCED_ENTITY, end, end);
        }
        lex.suspend();
        if self.reading_in_doctype().is_none() {
            self.split_text(lex, SplitAt::Markup, (end, end), 0);
        }
        let Some(frame) = self.dialect.entities.frames.pop() else {
            return self.state;
        };
        if let Some(entity) = frame.entity {
            self.dialect
                .dtd
                .declarations
                .change()
                .set_open(entity, false);
        }
        if frame.replacement.external.is_some() {
            let is_external = |frame: &EntityReading| frame.replacement.external.is_some();
            self.dialect.entities.more.in_external =
                self.dialect.entities.frames.iter().any(is_external);
        }
        if frame.reading != Reading::Content {
            (self.text, self.token, self.dialect.subset.token) = frame.around;
            return self.state;
        }
        if !self.text.is_none() {
            if self.text.is_empty(end) {
                self.dialect.entities.more.outermost.run = BufferOffset::NONE;
                self.text = TextBuffer::at(frame.after);
            } else {
                lex.replace(&mut self.text, end, end, "");
                let start = match (
                    self.dialect.entities.more.outermost.run,
                    self.dialect.entities.frames.is_empty(),
                ) {
                    (BufferOffset::NONE, _) => frame.reference,
                    (run, true) => run,
                    (_, false) => BEFORE,
                };
                self.text.resume(start, frame.after);
            }
        }
        self.state
    }

    /// Reads replacement text until no frame is left, the batch is full, or an external entity is needed.
    pub(super) fn run_frames(&mut self, out: &mut Queue) {
        let mut masks = core::mem::take(&mut self.dialect.entities.more.masks);
        while let Some(frame) = self.dialect.entities.frames.last() {
            let full = out.fatal.is_some() || out.is_full();
            if full || self.dialect.entities.more.request.is_some() {
                break;
            }
            let depth = self.dialect.entities.frames.len();
            let (text, from) = (Arc::clone(&frame.replacement.text), frame.at);
            let mut to = frame
                .to
                .min(from.saturating_add(out.settings.expansion_window));
            // The window must not end inside a character or between CR and LF.
            while to < frame.to && (!text.is_char_boundary(to) || text.as_bytes()[to - 1] == b'\r')
            {
                to += 1;
            }
            classify_text(
                &text.as_bytes()[from..to],
                self.dialect.version.is_1_1(),
                &mut masks,
            );
            let whole = to == frame.to;
            let view = View {
                chunk: &text,
                chunk_start: FIRST,
                from,
                to,
                at: from,
                masks: &masks,
            };
            let lex = &mut Lexer::over(view, whole, &mut *out);
            let mut suspended = false;
            while !suspended && self.dialect.entities.frames.len() == depth {
                let before = lex.out.records.len();
                suspended = !self.one_state(lex);
                self.adopt(lex, before, &text, depth);
                if lex.out.is_full() {
                    lex.suspend();
                }
            }
            let (at, again) = lex.done();
            out.work.states += (at - from) as u64 + u64::from(again);
            if let Some(frame) = self.dialect.entities.frames.get_mut(depth - 1) {
                frame.at = at;
            }
        }
        self.dialect.entities.more.masks = masks;
    }

    /// Calls `act` with a lexer at the current position in the innermost replacement text. Does nothing if no entity
    /// is being read.
    pub(super) fn in_frame(
        &mut self,
        out: &mut Queue,
        act: impl FnOnce(&mut XmlMachine, &mut Lexer<'_>),
    ) {
        let Some(frame) = self.dialect.entities.frames.last() else {
            return;
        };
        let (text, at) = (Arc::clone(&frame.replacement.text), frame.at);
        let (before, depth) = (out.records.len(), self.dialect.entities.frames.len());
        let view = View {
            chunk: &text,
            chunk_start: FIRST,
            from: at,
            to: at,
            at,
            masks: &[],
        };
        let lex = &mut Lexer::over(view, false, out);
        act(self, lex);
        self.adopt(lex, before, &text, depth);
    }

    /// Converts the records from index `from` on, which were made in the replacement text `text`, to records of the
    /// document: copies their strings to the scratch buffer, and replaces their spans by that of the outermost
    /// reference. `depth` is the number of frames, that of `text` included.
    ///
    /// Reports an error if the entity has closed an element that was open before it.
    fn adopt(&mut self, lex: &mut Lexer<'_>, from: usize, text: &str, depth: usize) {
        let Outermost { start, end, .. } = self.dialect.entities.more.outermost;
        for index in from..lex.out.records.len() {
            let mut record = lex.out.records[index];
            if record.kind == RecordKind::Error {
                continue;
            }
            copy_strings(&mut record, lex.out, text, (start, end));
            let began = record.kind == RecordKind::Text && record.start == BEFORE;
            record.flags |= match record.kind {
                RecordKind::Text => TEXT_FROM_ENTITY,
                _ => FROM_ENTITY,
            };
            record.start = start;
            if began && !self.dialect.entities.more.outermost.run.is_none() {
                record.start = self.dialect.entities.more.outermost.run;
                self.dialect.entities.more.outermost.run = BufferOffset::NONE;
            }
            record.end = end;
            lex.out.records[index] = record;
            lex.out.unfinished = lex.out.scratch_end();
        }
        let open = self.open.len();
        if let Some(frame) = self.dialect.entities.frames.get_mut(depth - 1)
            && open < frame.floor
        {
            frame.floor = open;
            let mark = lex.mark();
            self.error(lex, errors::UNBALANCED_ENTITY, mark, mark);
        }
    }
}

/// Copies the strings of a record that was made in the replacement text `text` to the scratch buffer. Its attributes
/// get the position of the reference in `start..end`.
fn copy_strings(
    record: &mut Record,
    out: &mut Queue,
    text: &str,
    (start, end): (BufferOffset, BufferOffset),
) {
    let scratch = &mut out.scratch;
    let mut put = |from: BufferOffset, to: BufferOffset, end: &str| {
        let start = ScratchOffset::end_of(scratch);
        let string = &text[from.index_from(FIRST)..to.index_from(FIRST)];
        scratch.push_str(string);
        out.work.cleaned += string.len() as u64;
        let string = Cleaned::since(start, scratch);
        scratch.push_str(end);
        string
    };
    if let Str::Borrowed(from, to) = record.string() {
        *record = record.cleaned(put(from, to, ""));
    }
    if record.kind == RecordKind::End {
        // The document contains no name of the tag.
        record.payload = Payload::NONE;
    }
    if record.kind == RecordKind::ProcessingInstruction
        && let Str::Borrowed(from, to) = record.target()
    {
        record.payload = Payload::cleaned_target(put(from, to, ""));
        record.flags |= TARGET_CLEANED;
    }
    if record.kind == RecordKind::Start {
        for attribute in &mut out.attributes[record.attributes()] {
            if attribute.flags & NAME_CLEANED == 0 {
                attribute.set_name(put(attribute.name, attribute.name_end, "\0").start);
            }
            if let Str::Borrowed(from, to) = attribute.value() {
                attribute.set_value(put(from, to, ""));
            }
            attribute.flags &= !QUOTED;
            (attribute.name, attribute.name_end) = (start, end);
            (attribute.raw, attribute.raw_end) = (start, end);
        }
    }
}

crate::checkpoint::checkpointable! {
    enum Reading { Content, Separator, Declaration, Literal, Subset }
    struct Replacement { text, from, external }
    struct EntityReading { replacement, at, to, entity, reading, reference, after, floor, sections, around }
    struct Outermost { start, end, run }
}
