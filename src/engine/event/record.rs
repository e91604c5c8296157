//! Records, and the queue in which the tokenizer writes them and from which the parser returns events.
//!
//! A [`Record`] is an event as the tokenizer queues it: small, without references. Its strings are ranges. A string
//! that equals its source text is a range of the buffered text, as two [`BufferOffset`]s. Any other string (references
//! resolved, newlines or case normalized) is *cleaned*: it was copied to the scratch buffer, and its range is one of
//! that buffer. A flag says which of the two is meant.
//!
//! Invariant: a batch of records is read completely before the next one is written. Text is removed from the buffered
//! text and from the scratch buffer only between two batches, so all ranges of a batch stay valid.

use super::OwnedEvent;
pub(crate) use super::details::{DeclarationDetails, DeclaredDetails, DoctypeDetails, Fatal};
pub(crate) use super::in_entity::{EntityText, InEntity};
use super::referred::Referred;
use super::strings::{Cleaned, ScratchOffset, Str, StringRange};
use crate::engine::error::{ErrorCode, ErrorKind};
use crate::engine::input::BufferOffset;
use crate::engine::input::sizes::Sizes;
use crate::engine::limits::Stats;
use crate::engine::namespaces::{History, Now};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) enum RecordKind {
    Start,
    End,
    Text,
    Comment,
    ProcessingInstruction,
    Doctype,
    Declaration,
    SkippedEntity,
    EncodingChange,
    Error,
    /// Attributes added to an element that is already open, by a second `<html>` or `<body>` tag.
    Attributes,
    /// An event that was retained from an earlier batch (see [`Queue::kept`]).
    OwnedData,
}

/// Flag: the string of the record is in the scratch buffer.
pub(crate) const CLEANED: u8 = 1;
/// Flag of a tag: it ends in `/>`.
pub(crate) const SELF_CLOSING: u8 = 2;
/// Flag of an end tag: it has no name in the source, as in `</>`.
pub(crate) const SHORT: u8 = 4;
/// Flag of a text: more text of the same run may follow in a further event.
pub(crate) const MORE: u8 = 8;
/// Flag of a tag: it is not in the source. Another token opens or closes the element.
pub(crate) const IMPLIED: u8 = 16;
/// Flag: the event has another place in the tree than in the order of events. Set in balanced HTML only.
pub(crate) const MOVED: u8 = 32;

/// Flag of a processing instruction: it is inside a DOCTYPE.
pub(crate) const IN_DOCTYPE: u8 = 4;

/// Flag of a processing instruction: its target is in the scratch buffer.
pub(crate) const TARGET_CLEANED: u8 = 64;

/// Flag of a text: it continues the string token of the previous text event. Set in Sky only.
pub(crate) const CONTINUED: u8 = 64;

/// Flag of a text: it may contain U+0000. Set in HTML only.
pub(crate) const NULLS: u8 = 128;

/// Two numbers of a record whose meaning depends on its [`RecordKind`]. Each constructor belongs to one kind, and so
/// does each method of [`Record`] that reads them.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Payload(u32, u32);

impl Payload {
    pub(crate) const NONE: Payload = Payload(0, 0);

    /// Creates the payload of a start tag in the queue: the range of its attributes in [`Queue::attributes`].
    #[inline(always)]
    pub(crate) const fn attributes(first: u32, end: u32) -> Payload {
        Payload(first, end)
    }

    /// Creates the payload of a start tag in an owned event: the number of its format (see `packing.rs`), and the
    /// number of its attributes.
    #[inline(always)]
    pub(super) const fn packed(format: u32, count: u32) -> Payload {
        Payload(format, count)
    }

    /// Creates the payload of a processing instruction: the range of its target in the buffered text.
    pub(crate) const fn target(start: BufferOffset, end: BufferOffset) -> Payload {
        Payload(start.get(), end.get())
    }

    /// Creates the payload of a processing instruction whose target is in the scratch buffer. The record needs the
    /// flag [`TARGET_CLEANED`].
    pub(crate) const fn cleaned_target(target: Cleaned) -> Payload {
        Payload(target.start.get(), target.end.get())
    }

    /// Creates the payload of a retained event: its index in [`Queue::kept`].
    pub(crate) const fn kept(index: u32) -> Payload {
        Payload(index, 0)
    }

    /// Creates the payload of an error: the index of its code in [`Queue::codes`], and its number in
    /// [`Queue::in_entities`], counted from 1, or 0 if it is not in an external entity.
    pub(crate) const fn error(code: u32, entity: u32) -> Payload {
        Payload(code, entity)
    }
}

/// An event as the tokenizer queues it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Record {
    pub(crate) kind: RecordKind,
    pub(crate) flags: u8,
    /// Length in bytes of the name of a start tag in the source, if the cleaned name is in the scratch buffer. Longer
    /// names than `u16::MAX` have that value.
    pub(crate) written: u16,
    /// Start and end of the event's source text, as offsets in the buffered text.
    pub(crate) start: BufferOffset,
    pub(crate) end: BufferOffset,
    /// Range of the name or data: see [`string`](Record::string).
    pub(crate) string: StringRange,
    pub(crate) payload: Payload,
    /// Index of the namespace of a tag: see `namespaces.rs`. 0 is no namespace.
    pub(crate) namespace: u32,
}

// PERF: two records fit into a cache line.
const _: () = assert!(size_of::<Record>() == 32 && size_of::<Attr>() == 36);

impl Default for Record {
    fn default() -> Record {
        Record::EMPTY
    }
}

impl Record {
    /// An empty text at the start of the buffered text.
    pub(crate) const EMPTY: Record =
        Record::new(RecordKind::Text, BufferOffset::ZERO, BufferOffset::ZERO);

    pub(crate) const fn new(kind: RecordKind, start: BufferOffset, end: BufferOffset) -> Record {
        Record {
            kind,
            flags: 0,
            written: 0,
            start,
            end,
            string: StringRange::lent(start, start),
            payload: Payload::NONE,
            namespace: 0,
        }
    }

    /// Returns the range of the attributes of a start tag, or of added attributes, in [`Queue::attributes`].
    #[inline(always)]
    pub(crate) fn attributes(&self) -> Range<usize> {
        self.has_attributes();
        self.payload.0 as usize..self.payload.1 as usize
    }

    /// Returns the number of the format, and the number of attributes, of a start tag in an owned event.
    #[inline(always)]
    pub(super) fn packed(&self) -> (u32, u32) {
        self.has_attributes();
        (self.payload.0, self.payload.1)
    }

    #[inline(always)]
    fn has_attributes(&self) {
        let has = matches!(self.kind, RecordKind::Start | RecordKind::Attributes);
        debug_assert!(has, "start tags have attributes");
    }

    /// Returns the range of the target of a processing instruction.
    pub(crate) fn target(&self) -> Str {
        debug_assert_eq!(
            self.kind,
            RecordKind::ProcessingInstruction,
            "it has a target"
        );
        let Payload(start, end) = self.payload;
        StringRange(start, end).read(self.flags & TARGET_CLEANED != 0)
    }

    /// Returns the index of a retained event in [`Queue::kept`].
    pub(crate) fn kept(&self) -> usize {
        debug_assert_eq!(self.kind, RecordKind::OwnedData, "it was kept");
        self.payload.0 as usize
    }

    /// Returns the index of the code of an error in [`Queue::codes`].
    pub(super) fn code(&self) -> u32 {
        debug_assert_eq!(self.kind, RecordKind::Error, "errors have codes");
        self.payload.0
    }

    /// Returns the number of an error in [`Queue::in_entities`], counted from 1, or 0 if the error is not in an
    /// external entity.
    pub(super) fn entity(&self) -> u32 {
        debug_assert_eq!(self.kind, RecordKind::Error, "errors have places");
        self.payload.1
    }

    /// Returns the record with the text between two offsets as its name or data.
    #[inline(always)]
    pub(crate) fn of(self, start: BufferOffset, end: BufferOffset) -> Record {
        debug_assert_eq!(self.flags & CLEANED, 0, "it is lent");
        let string = StringRange::lent(start, end);
        Record { string, ..self }
    }

    /// Returns the record with a string of the scratch buffer as its name or data.
    #[inline(always)]
    pub(crate) fn cleaned(self, string: Cleaned) -> Record {
        Record {
            string: StringRange::cleaned(string),
            flags: self.flags | CLEANED,
            ..self
        }
    }

    /// Returns the record with the given name or data.
    #[inline(always)]
    pub(crate) fn with(self, string: Str) -> Record {
        match string {
            Str::Lent(start, end) => self.of(start, end),
            Str::Cleaned(string) => self.cleaned(string),
        }
    }

    /// Subtracts `by` from all offsets in the buffered text. An owned event subtracts its start, so that its offsets
    /// count from there.
    #[inline(always)]
    pub(super) fn rebase(&mut self, by: BufferOffset) {
        let by = by.get();
        (self.start, self.end) = (self.start.rebased(by), self.end.rebased(by));
        if let Str::Lent(start, end) = self.string() {
            self.string = StringRange::lent(start.rebased(by), end.rebased(by));
        }
    }

    /// Returns the record with the name or data of another record.
    #[inline(always)]
    pub(crate) fn named_as(self, other: &Record) -> Record {
        Record {
            string: other.string,
            flags: self.flags | other.flags & CLEANED,
            ..self
        }
    }

    /// Returns the range of the name or data.
    #[inline(always)]
    pub(crate) fn string(&self) -> Str {
        self.string.read(self.flags & CLEANED != 0)
    }
}

/// An attribute of a start tag. All fields of type [`BufferOffset`] are offsets in the buffered text.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Attr {
    pub(crate) name: BufferOffset,
    pub(crate) name_end: BufferOffset,
    /// Start and end of the value in the source, without quotes.
    pub(crate) raw: BufferOffset,
    pub(crate) raw_end: BufferOffset,
    /// Range of the value in the scratch buffer, if the flags contain [`VALUE_CLEANED`].
    pub(crate) value: Cleaned,
    /// Start of the name in the scratch buffer, if the flags contain [`NAME_CLEANED`]. The name ends before the next
    /// NUL there.
    pub(crate) clean_name: ScratchOffset,
    pub(crate) namespace: u32,
    pub(crate) flags: u32,
}

/// Flag of an attribute: its value is in the scratch buffer.
pub(crate) const VALUE_CLEANED: u32 = 1;
/// Flag of an attribute: its value has quotes.
pub(crate) const QUOTED: u32 = 2;
/// Flag of an attribute: its name contains a colon.
pub(crate) const PREFIXED: u32 = 4;
/// Flag of an attribute: its name contains a character that is not allowed in names. In HTML it may also be a
/// character that has to be normalized: an uppercase ASCII letter or U+0000.
pub(crate) const ODD: u32 = 8;
/// Flag of an attribute: its name is in the scratch buffer.
pub(crate) const NAME_CLEANED: u32 = 16;
/// Flag of an attribute: it is not in the tag. Its value is the default from the attribute's declaration.
pub(crate) const DEFAULTED: u32 = 32;
/// Flag of the first attribute of a tag: further attributes of the tag were dropped because their names are
/// duplicates.
pub(crate) const DUPLICATES: u32 = 64;

impl Attr {
    pub(crate) const EMPTY: Attr = Attr {
        name: BufferOffset::ZERO,
        name_end: BufferOffset::ZERO,
        raw: BufferOffset::ZERO,
        raw_end: BufferOffset::ZERO,
        value: Cleaned::EMPTY,
        clean_name: ScratchOffset::new(0),
        namespace: 0,
        flags: 0,
    };

    /// Returns the range of the value.
    #[inline(always)]
    pub(crate) fn value(&self) -> Str {
        match self.flags & VALUE_CLEANED != 0 {
            true => Str::Cleaned(self.value),
            false => Str::Lent(self.raw, self.raw_end),
        }
    }

    /// Sets the value to a string of the scratch buffer.
    #[inline(always)]
    pub(crate) fn set_value(&mut self, value: Cleaned) {
        self.value = value;
        self.flags |= VALUE_CLEANED;
    }

    /// Sets the name to the string of the scratch buffer that starts at `name` and ends before the next NUL.
    pub(crate) fn set_name(&mut self, name: ScratchOffset) {
        self.clean_name = name;
        self.flags |= NAME_CLEANED;
    }

    /// Returns the name, for an attribute whose name is in the scratch buffer.
    pub(crate) fn clean_name<'a>(&self, scratch: &'a str) -> &'a str {
        let rest = &scratch[self.clean_name.index()..];
        memchr::memchr(0, rest.as_bytes()).map_or(rest, |end| &rest[..end])
    }

    pub(crate) fn rebase(&mut self, by: u32) {
        for mark in [
            &mut self.name,
            &mut self.name_end,
            &mut self.raw,
            &mut self.raw_end,
        ] {
            *mark = mark.rebased(by);
        }
    }

    pub(crate) fn rebase_scratch(&mut self, by: u32) {
        self.value = self.value.rebased(by);
        self.clean_name = self.clean_name.rebased(by);
    }
}

/// The current batch of records, with the data that its ranges and indices refer to, and the unfinished parts of the
/// next batch.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Queue {
    pub(crate) records: Vec<Record>,
    /// Index of the next record to return as an event.
    pub(crate) head: usize,
    /// Number of open elements after the last record of the batch, if the events are a tree.
    pub(crate) depth: u64,
    /// Number of records that fill a batch.
    pub(crate) capacity: usize,
    /// Length in bytes of the windows in which replacement text of entities is parsed.
    pub(crate) expansion: usize,
    /// Minimum number of unconsumed bytes in a window at which the tokenizer uses its fast path for plain content.
    pub(crate) plain: usize,
    /// Minimum length in bytes of a window in which XML defers copying the names of open elements.
    pub(crate) brief: usize,
    /// Attributes of all start tags of the batch, followed by those of the unfinished tag.
    pub(crate) attributes: Vec<Attr>,
    /// Index in `attributes` of the first attribute of the unfinished tag.
    pub(crate) open: u32,
    /// The scratch buffer: all strings that differ from their source.
    pub(crate) scratch: String,
    /// Offset in the scratch buffer at which the strings of the unfinished token start.
    pub(crate) unfinished: ScratchOffset,
    /// The retained bytes: the part of discarded chunks that tokens still need. The current chunk follows them.
    pub(crate) retained: String,
    /// Codes of the errors of the batch.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::checkpoint"))]
    pub(crate) codes: Vec<ErrorCode>,
    /// Locations of those errors that are in external entities. Records count them from 1.
    pub(crate) in_entities: Vec<InEntity>,
    /// Related locations that errors refer to, each with the index of the error's code, in order.
    pub(crate) referred: Vec<(u32, Referred)>,
    /// Names of the namespaces that the document declares. Indices of namespaces from 7 on refer to this list.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::checkpoint"))]
    pub(crate) namespaces: Vec<Arc<str>>,
    /// Changes of the namespace bindings in the batch.
    pub(crate) history: History,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::checkpoint"))]
    pub(crate) doctype: Option<Arc<DoctypeDetails>>,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::checkpoint"))]
    pub(crate) declaration: Option<Arc<DeclarationDetails>>,
    /// Events retained from earlier batches that are returned with this one. Used by balanced HTML.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::checkpoint"))]
    pub(crate) kept: Vec<OwnedEvent>,
    /// The error that ends the parse.
    pub(crate) fatal: Option<Fatal>,
    /// The progress of entity expansion in the batch. Each pair is a number of records, and the total number of bytes
    /// that entities had expanded to when the record after these was queued.
    expansions: Vec<(usize, u64)>,
    /// The number of bytes that entities had expanded to before the batch: see [`expanded`](Queue::expanded).
    expanded: u64,
    /// True if the batch has to end although it has few records, because the data that they refer to uses much
    /// memory.
    pub(crate) is_ended: bool,
    /// True if text is returned in pieces: see [`TextPolicy`](crate::TextPolicy).
    pub(crate) pieces: bool,
    /// True if parse errors are reported as events.
    pub(crate) report: bool,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::checkpoint"))]
    pub(crate) work: Stats,
}

/// Number of bytes of cleaned strings, and of attributes, above which a batch is full.
pub(crate) const MUCH: usize = 256 << 10;

impl Queue {
    pub(crate) fn new() -> Queue {
        Queue {
            records: Vec::new(),
            head: 0,
            depth: 0,
            capacity: Sizes::USUAL.batch,
            expansion: Sizes::USUAL.expansion,
            plain: Sizes::USUAL.plain,
            brief: Sizes::USUAL.brief,
            attributes: Vec::new(),
            open: 0,
            scratch: String::new(),
            unfinished: ScratchOffset::default(),
            retained: String::new(),
            codes: Vec::new(),
            in_entities: Vec::new(),
            referred: Vec::new(),
            namespaces: Vec::new(),
            history: History::default(),
            doctype: None,
            declaration: None,
            kept: Vec::new(),
            fatal: None,
            expansions: Vec::new(),
            expanded: 0,
            is_ended: false,
            pieces: false,
            report: false,
            work: Stats::default(),
        }
    }

    /// Empties the queue for a new document. Settings are kept, and the memory of buffers up to a limit.
    pub(crate) fn reset(&mut self) {
        let fresh = Queue {
            capacity: self.capacity,
            expansion: self.expansion,
            plain: self.plain,
            brief: self.brief,
            pieces: self.pieces,
            report: self.report,
            ..Queue::new()
        };
        let mut old = core::mem::replace(self, fresh);
        old.records.clear();
        old.attributes.clear();
        old.attributes.shrink_to(MUCH / size_of::<Attr>());
        for text in [&mut old.scratch, &mut old.retained] {
            text.clear();
            text.shrink_to(MUCH);
        }
        old.namespaces.clear();
        (self.records, self.attributes) = (old.records, old.attributes);
        (self.scratch, self.retained) = (old.scratch, old.retained);
        self.namespaces = old.namespaces;
    }

    /// Discards the batch. Returns the number of bytes removed from the start of the scratch buffer, by which the
    /// offsets of its remaining strings have to be reduced.
    pub(crate) fn clear(&mut self) -> u32 {
        if !self.expansions.is_empty() {
            self.clear_expansions();
        }
        if !self.history.is_empty() {
            self.history.clear(self.records.len());
        }
        self.is_ended = false;
        self.records.clear();
        self.codes.clear();
        if !self.kept.is_empty() {
            self.kept.clear();
        }
        self.in_entities.clear();
        self.referred.clear();
        self.head = 0;
        if self.open > 0 {
            self.attributes.drain(..self.open as usize);
            self.open = 0;
        }
        let by = core::mem::take(&mut self.unfinished).get();
        if by > 0 {
            self.scratch.drain(..by as usize);
            for attribute in &mut self.attributes {
                attribute.rebase_scratch(by);
            }
        }
        by
    }

    /// Records that entities have expanded to `bytes` bytes so far, in total.
    pub(crate) fn note_expansion(&mut self, bytes: u64) {
        let records = self.records.len();
        match self.expansions.last_mut() {
            Some(last) if last.0 == records => last.1 = bytes,
            _ => self.expansions.push((records, bytes)),
        }
    }

    /// Returns the number of bytes that entities had expanded to before the record at an index. For a piece of text
    /// it is the number before the whole run.
    #[cold]
    pub(crate) fn expanded(&self, record: usize) -> u64 {
        let begins = |record: &Record| !matches!(record.kind, RecordKind::Text | RecordKind::Error);
        let records = self.records.get(..=record).unwrap_or(&self.records);
        let found = records.iter().rposition(begins).and_then(|at| {
            let known = self.expansions.partition_point(|(before, _)| *before <= at);
            self.expansions.get(known.checked_sub(1)?)
        });
        found.map_or(self.expanded, |(_, bytes)| *bytes)
    }

    #[cold]
    fn clear_expansions(&mut self) {
        self.expanded = self.expanded(usize::MAX - 1);
        if let Some((_, bytes)) = self.expansions.pop() {
            self.expansions.clear();
            // Bytes expanded after the last record that is not text or an error belong to the next batch.
            if bytes > self.expanded {
                self.expansions.push((0, bytes));
            }
        }
    }

    /// Returns a handle for recording changes of the namespace bindings after the last record.
    pub(crate) fn now(&mut self) -> Now<'_> {
        Now {
            history: &mut self.history,
            records: self.records.len(),
            names: &mut self.namespaces,
        }
    }

    /// Appends an attribute to the unfinished tag.
    #[inline(always)]
    pub(crate) fn push_attribute(&mut self, attribute: Attr) {
        if self.attributes.len() == self.attributes.capacity() {
            self.grow_attributes();
        }
        self.attributes.push(attribute);
    }

    /// Reserves memory for attributes. A tag with tens of thousands of attributes is probably an attack and unlikely
    /// to double once more, so from there on memory grows by a quarter.
    #[cold]
    #[inline(never)]
    fn grow_attributes(&mut self) {
        let length = self.attributes.len();
        if length == 0 {
            return self.attributes = Vec::with_capacity(16);
        }
        let more = if length < 1 << 16 { length } else { length / 4 };
        self.attributes.reserve_exact(more.max(16));
    }

    /// Returns whether the batch is full.
    pub(crate) fn is_full(&self) -> bool {
        let large = self.is_ended || self.is_large();
        self.records.len() >= self.capacity || (large && !self.records.is_empty())
    }

    /// Returns whether the data that the records refer to uses much memory.
    pub(crate) fn is_large(&self) -> bool {
        self.scratch.len() > MUCH || self.attributes.len() > MUCH / size_of::<Attr>()
    }

    /// Returns the end of the scratch buffer, where the next string starts.
    #[inline(always)]
    pub(crate) fn scratch_end(&self) -> ScratchOffset {
        ScratchOffset::end_of(&self.scratch)
    }

    /// Returns the number of bytes in the scratch buffer that belong to the unfinished token.
    pub(crate) fn unfinished_length(&self) -> usize {
        self.scratch.len() - self.unfinished.index()
    }

    /// Appends a record. Returns whether the batch is full.
    #[inline(always)]
    pub(crate) fn push(&mut self, record: Record) -> bool {
        if self.records.len() == self.records.capacity() {
            self.grow_records();
        }
        self.records.push(record);
        self.records.len() >= self.capacity
    }

    /// Reserves memory for records: first for those of a small document, then for a whole batch.
    #[cold]
    #[inline(never)]
    fn grow_records(&mut self) {
        let more = match self.records.len() {
            0 => return self.records = Vec::with_capacity(32),
            length => (self.capacity + 4).saturating_sub(length).max(length),
        };
        self.records.reserve_exact(more);
    }

    /// Appends the record of a parse error.
    #[cold]
    pub(crate) fn push_error(&mut self, code: ErrorCode, start: BufferOffset, end: BufferOffset) {
        self.push_error_in(code, (start, end), None, None);
    }

    /// Appends the record of a parse error. `entity` is its location, if it is in an external entity, and `referred` a
    /// related location.
    #[cold]
    pub(crate) fn push_error_in(
        &mut self,
        code: ErrorCode,
        (start, end): (BufferOffset, BufferOffset),
        entity: Option<InEntity>,
        referred: Option<Referred>,
    ) {
        let index = self.codes.len() as u32;
        self.codes.push(code);
        if let Some(referred) = referred {
            self.referred.push((index, referred));
        }
        let place = match entity {
            Some(entity) => {
                self.in_entities.push(entity);
                self.in_entities.len() as u32
            }
            None => 0,
        };
        self.records.push(Record {
            payload: Payload::error(index, place),
            ..Record::new(RecordKind::Error, start, end)
        });
    }

    /// Sets the error that ends the parse, unless one is set already.
    #[cold]
    pub(crate) fn fail(&mut self, kind: ErrorKind, start: BufferOffset, end: BufferOffset) {
        self.fail_in(kind, (start, end), None, None);
    }

    /// Sets the error that ends the parse, unless one is set already. `entity` is its location, if it is in an
    /// external entity, and `referred` a related location.
    #[cold]
    pub(crate) fn fail_in(
        &mut self,
        kind: ErrorKind,
        (start, end): (BufferOffset, BufferOffset),
        entity: Option<InEntity>,
        referred: Option<Referred>,
    ) {
        let records = self.records.len();
        self.fatal.get_or_insert(Fatal {
            records,
            entity,
            referred,
            ..Fatal::new(kind, start, end)
        });
    }
}

#[cfg(feature = "checkpoints")]
impl Queue {
    /// Validates a queue that was loaded from a checkpoint: returns whether its indices are in range.
    pub(super) fn is_sound(&self) -> bool {
        self.head <= self.records.len()
            && self.open as usize <= self.attributes.len()
            && self.unfinished.index() <= self.scratch.len()
    }
}
