//! Records and the queue: what machines write and events are lent from.
//!
//! A record is small and flat; its strings are ranges, of marks in the source or of the scratch buffer
//! where what was written is not what is meant. A batch of records is read before the next is written,
//! and only between batches may the bytes behind them move.

use super::OwnedEvent;
pub(crate) use super::details::{DeclarationDetails, DeclaredDetails, DoctypeDetails, Fatal};
pub(crate) use super::in_entity::{EntityText, InEntity};
use super::referred::Referred;
use super::strings::{Cleaned, ScratchOffset, Str, StringRange};
use crate::error::{ErrorCode, ErrorKind};
use crate::input::Mark;
use crate::input::sizes::Sizes;
use crate::limits::Stats;
use crate::namespaces::{History, Now};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) enum Kind {
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
    /// Attributes that come late to an element which is open.
    Attributes,
    /// An event that was kept from an earlier batch.
    Kept,
}

/// The string is in the scratch buffer.
pub(crate) const CLEANED: u8 = 1;
/// The tag closes itself.
pub(crate) const SELF_CLOSING: u8 = 2;
/// The end tag was written without a name, or not at all.
pub(crate) const SHORT: u8 = 4;
/// More text of the same run may follow.
pub(crate) const MORE: u8 = 8;
/// The tag stands nowhere: something else opened or closed the element.
pub(crate) const IMPLIED: u8 = 16;
/// It is elsewhere in the tree than in the events: only where HTML is balanced.
pub(crate) const MOVED: u8 = 32;

/// The processing instruction stands in a DOCTYPE.
pub(crate) const IN_DOCTYPE: u8 = 4;

/// The target of the processing instruction is in the scratch buffer.
pub(crate) const TARGET_CLEANED: u8 = 64;

/// The text goes on with the run of the text before it: only where it is told apart, in Sky.
pub(crate) const CONTINUED: u8 = 64;

/// The text may have U+0000: only HTML's does.
pub(crate) const NULLS: u8 = 128;

/// What a record has beside its span, its string and its namespace. Only what made it for one kind of record
/// can be read of a record, and only of that kind.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Payload(u32, u32);

impl Payload {
    pub(crate) const NONE: Payload = Payload(0, 0);

    /// That of a start tag: its attributes, by their indices in the queue.
    #[inline(always)]
    pub(crate) const fn attributes(first: u32, end: u32) -> Payload {
        Payload(first, end)
    }

    /// That of a start tag that owns so many attributes, in the format of this number.
    #[inline(always)]
    pub(super) const fn packed(format: u32, count: u32) -> Payload {
        Payload(format, count)
    }

    /// That of a processing instruction: its target, between two marks.
    pub(crate) const fn target(start: Mark, end: Mark) -> Payload {
        Payload(start.get(), end.get())
    }

    /// The same with a target in the scratch buffer: the record says [`TARGET_CLEANED`].
    pub(crate) const fn cleaned_target(target: Cleaned) -> Payload {
        Payload(target.start.get(), target.end.get())
    }

    /// That of an event that was kept: its index among those that come with the batch.
    pub(crate) const fn kept(index: u32) -> Payload {
        Payload(index, 0)
    }

    /// That of an error: the index of its code, and the number of its place in an external entity,
    /// which is 0 if it is in none.
    pub(crate) const fn error(code: u32, entity: u32) -> Payload {
        Payload(code, entity)
    }
}

/// One event to be.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Record {
    pub(crate) kind: Kind,
    pub(crate) flags: u8,
    /// Length of the name of a start tag as written, where its name as meant is in the scratch
    /// buffer; `u16::MAX` for any length from that on.
    pub(crate) written: u16,
    /// The span, in marks.
    pub(crate) start: Mark,
    pub(crate) end: Mark,
    /// Name or data.
    pub(crate) string: StringRange,
    pub(crate) payload: Payload,
    /// Namespace of a tag, counted from 1; 0 is none.
    pub(crate) namespace: u32,
}

// Batches of them are written and read again: two stand in a line of the cache.
const _: () = assert!(size_of::<Record>() == 32 && size_of::<Attr>() == 36);

impl Default for Record {
    fn default() -> Record {
        Record::EMPTY
    }
}

impl Record {
    /// An empty text at the beginning.
    pub(crate) const EMPTY: Record = Record::new(Kind::Text, Mark::ZERO, Mark::ZERO);

    pub(crate) const fn new(kind: Kind, start: Mark, end: Mark) -> Record {
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

    /// The attributes of a start tag, or of an event of attributes, by their indices in the queue.
    #[inline(always)]
    pub(crate) fn attributes(&self) -> Range<usize> {
        self.has_attributes();
        self.payload.0 as usize..self.payload.1 as usize
    }

    /// The format and the number of the attributes of a start tag that owns them.
    #[inline(always)]
    pub(super) fn packed(&self) -> (u32, u32) {
        self.has_attributes();
        (self.payload.0, self.payload.1)
    }

    #[inline(always)]
    fn has_attributes(&self) {
        let has = matches!(self.kind, Kind::Start | Kind::Attributes);
        debug_assert!(has, "start tags have attributes");
    }

    /// The target of a processing instruction.
    pub(crate) fn target(&self) -> Str {
        debug_assert_eq!(self.kind, Kind::ProcessingInstruction, "it has a target");
        let Payload(start, end) = self.payload;
        StringRange(start, end).read(self.flags & TARGET_CLEANED != 0)
    }

    /// The index of an event that was kept.
    pub(crate) fn kept(&self) -> usize {
        debug_assert_eq!(self.kind, Kind::Kept, "it was kept");
        self.payload.0 as usize
    }

    /// The index of the code of an error.
    pub(super) fn code(&self) -> u32 {
        debug_assert_eq!(self.kind, Kind::Error, "errors have codes");
        self.payload.0
    }

    /// The number of the place of an error in an external entity; 0 if it is in none.
    pub(super) fn entity(&self) -> u32 {
        debug_assert_eq!(self.kind, Kind::Error, "errors have places");
        self.payload.1
    }

    /// The same with the name or data between two marks.
    #[inline(always)]
    pub(crate) fn of(self, start: Mark, end: Mark) -> Record {
        debug_assert_eq!(self.flags & CLEANED, 0, "it is lent");
        let string = StringRange::lent(start, end);
        Record { string, ..self }
    }

    /// The same with a name or data in the scratch buffer.
    #[inline(always)]
    pub(crate) fn cleaned(self, string: Cleaned) -> Record {
        Record {
            string: StringRange::cleaned(string),
            flags: self.flags | CLEANED,
            ..self
        }
    }

    /// The same with a name or data wherever that is.
    #[inline(always)]
    pub(crate) fn with(self, string: Str) -> Record {
        match string {
            Str::Lent(start, end) => self.of(start, end),
            Str::Cleaned(string) => self.cleaned(string),
        }
    }

    /// The same event, where the mark `by` is mark 0.
    #[inline(always)]
    pub(super) fn rebase(&mut self, by: Mark) {
        let by = by.get();
        (self.start, self.end) = (self.start.rebased(by), self.end.rebased(by));
        if let Str::Lent(start, end) = self.string() {
            self.string = StringRange::lent(start.rebased(by), end.rebased(by));
        }
    }

    /// The same with the name or data of another record.
    #[inline(always)]
    pub(crate) fn named_as(self, other: &Record) -> Record {
        Record {
            string: other.string,
            flags: self.flags | other.flags & CLEANED,
            ..self
        }
    }

    /// The name or data.
    #[inline(always)]
    pub(crate) fn string(&self) -> Str {
        self.string.read(self.flags & CLEANED != 0)
    }
}

/// One attribute of a start tag.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Attr {
    pub(crate) name: Mark,
    pub(crate) name_end: Mark,
    /// The value as written, without quotes.
    pub(crate) raw: Mark,
    pub(crate) raw_end: Mark,
    /// The value as meant, if that is in the scratch buffer.
    pub(crate) value: Cleaned,
    /// The name as meant, if that is in the scratch buffer: up to the next NUL there.
    pub(crate) clean_name: ScratchOffset,
    pub(crate) namespace: u32,
    pub(crate) flags: u32,
}

/// The value is in the scratch buffer.
pub(crate) const VALUE_CLEANED: u32 = 1;
/// The value stands between quotes.
pub(crate) const QUOTED: u32 = 2;
/// The name has a colon.
pub(crate) const PREFIXED: u32 = 4;
/// The name has a character that no name has.
pub(crate) const ODD: u32 = 8;
/// The name as meant is in the scratch buffer.
pub(crate) const NAME_CLEANED: u32 = 16;
/// The attribute is not written: its declaration gives it.
pub(crate) const DEFAULTED: u32 = 32;
/// The tag has attributes that were dropped, as others of their names stood before: of its first one.
pub(crate) const DUPLICATES: u32 = 64;

impl Attr {
    pub(crate) const EMPTY: Attr = Attr {
        name: Mark::ZERO,
        name_end: Mark::ZERO,
        raw: Mark::ZERO,
        raw_end: Mark::ZERO,
        value: Cleaned::EMPTY,
        clean_name: ScratchOffset::new(0),
        namespace: 0,
        flags: 0,
    };

    /// The value as meant.
    #[inline(always)]
    pub(crate) fn value(&self) -> Str {
        match self.flags & VALUE_CLEANED != 0 {
            true => Str::Cleaned(self.value),
            false => Str::Lent(self.raw, self.raw_end),
        }
    }

    /// The value as meant is in the scratch buffer.
    #[inline(always)]
    pub(crate) fn set_value(&mut self, value: Cleaned) {
        self.value = value;
        self.flags |= VALUE_CLEANED;
    }

    /// The name as meant is in the scratch buffer, with a NUL behind it.
    pub(crate) fn set_name(&mut self, name: ScratchOffset) {
        self.clean_name = name;
        self.flags |= NAME_CLEANED;
    }

    /// The name as meant, of a name that is in the scratch buffer.
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

/// The batch of records in hand, and the parts of the next one that are there already.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Queue {
    pub(crate) records: Vec<Record>,
    pub(crate) head: usize,
    /// So many elements are open behind the batch, where events are nested.
    pub(crate) depth: u64,
    pub(crate) capacity: usize,
    /// How much of replacement text is looked at in one go.
    pub(crate) expansion: usize,
    /// Windows that are shorter are left to the states alone.
    pub(crate) plain: usize,
    /// In shorter ones, names of elements are copied at once.
    pub(crate) brief: usize,
    /// The attributes of all start tags of the batch, then those of the unfinished tag.
    pub(crate) attributes: Vec<Attr>,
    /// The first attribute of the unfinished tag.
    pub(crate) open: u32,
    /// Text that differs from its source.
    pub(crate) scratch: String,
    /// Where in it what is unfinished begins.
    pub(crate) unfinished: ScratchOffset,
    /// The retained bytes: what tokens still need of chunks that are gone.
    pub(crate) retained: String,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) codes: Vec<ErrorCode>,
    /// The places in external entities of errors that are in some, which count them from 1.
    pub(crate) in_entities: Vec<InEntity>,
    /// What errors refer to that do, with the indices of their codes, in order.
    pub(crate) referred: Vec<(u32, Referred)>,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) namespaces: Vec<Arc<str>>,
    /// What became of the bindings of prefixes.
    pub(crate) history: History,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) doctype: Option<Arc<DoctypeDetails>>,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) declaration: Option<Arc<DeclarationDetails>>,
    /// Events of earlier batches that come with this one.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) kept: Vec<OwnedEvent>,
    pub(crate) fatal: Option<Fatal>,
    /// Bytes that entities had come to, each time they came to more, with the number of records then.
    expansions: Vec<(usize, u64)>,
    /// The same before the records of the batch: see [`expanded`](Queue::expanded).
    expanded: u64,
    /// The batch is to end, though it has few records: they hold much.
    pub(crate) is_ended: bool,
    /// Text is to be handed out in pieces.
    pub(crate) pieces: bool,
    /// Whether somebody wants to see parse errors.
    pub(crate) report: bool,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) work: Stats,
}

/// So many bytes of cleaned text or of attributes make a batch full.
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

    /// Begins with the records of a new document, in the memory of this one.
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

    /// Forgets the batch, which has been read; gives by how much the unfinished part of the scratch
    /// buffer has moved.
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

    /// Entities have come to so many bytes.
    pub(crate) fn note_expansion(&mut self, bytes: u64) {
        let records = self.records.len();
        match self.expansions.last_mut() {
            Some(last) if last.0 == records => last.1 = bytes,
            _ => self.expansions.push((records, bytes)),
        }
    }

    /// Bytes that entities had come to before a record; where that is text, before the run that it is a
    /// piece of.
    #[cold]
    pub(crate) fn expanded(&self, record: usize) -> u64 {
        let begins = |record: &Record| !matches!(record.kind, Kind::Text | Kind::Error);
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
            // What came after the last record that counts, counts with the next one.
            if bytes > self.expanded {
                self.expansions.push((0, bytes));
            }
        }
    }

    /// Where a change of bindings is written down, which comes behind the records.
    pub(crate) fn now(&mut self) -> Now<'_> {
        Now {
            history: &mut self.history,
            records: self.records.len(),
            names: &mut self.namespaces,
        }
    }

    /// Adds an attribute to the unfinished tag.
    #[inline(always)]
    pub(crate) fn push_attribute(&mut self, attribute: Attr) {
        if self.attributes.len() == self.attributes.capacity() {
            self.grow_attributes();
        }
        self.attributes.push(attribute);
    }

    /// Makes room for attributes. A tag with tens of thousands is more likely to be an attack than to
    /// go on for as long again.
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

    /// Whether the batch is full.
    pub(crate) fn is_full(&self) -> bool {
        let large = self.is_ended || self.is_large();
        self.records.len() >= self.capacity || (large && !self.records.is_empty())
    }

    /// Whether much is held beside the records.
    pub(crate) fn is_large(&self) -> bool {
        self.scratch.len() > MUCH || self.attributes.len() > MUCH / size_of::<Attr>()
    }

    /// Where the next string of the scratch buffer begins.
    #[inline(always)]
    pub(crate) fn scratch_end(&self) -> ScratchOffset {
        ScratchOffset::end_of(&self.scratch)
    }

    /// Bytes of the scratch buffer that belong to what is unfinished.
    pub(crate) fn unfinished_length(&self) -> usize {
        self.scratch.len() - self.unfinished.index()
    }

    /// Adds a record; gives whether the batch is full.
    #[inline(always)]
    pub(crate) fn push(&mut self, record: Record) -> bool {
        if self.records.len() == self.records.capacity() {
            self.grow_records();
        }
        self.records.push(record);
        self.records.len() >= self.capacity
    }

    /// Makes room for records: a small document's at once, else those of a whole batch.
    #[cold]
    #[inline(never)]
    fn grow_records(&mut self) {
        let more = match self.records.len() {
            0 => return self.records = Vec::with_capacity(32),
            length => (self.capacity + 4).saturating_sub(length).max(length),
        };
        self.records.reserve_exact(more);
    }

    /// Adds the record of something that is wrong.
    #[cold]
    pub(crate) fn push_error(&mut self, code: ErrorCode, start: Mark, end: Mark) {
        self.push_error_in(code, (start, end), None, None);
    }

    /// Adds the record of something that is wrong, in an external entity it may be, and what it refers to.
    #[cold]
    pub(crate) fn push_error_in(
        &mut self,
        code: ErrorCode,
        (start, end): (Mark, Mark),
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
            ..Record::new(Kind::Error, start, end)
        });
    }

    /// Ends the parse, unless it has ended.
    #[cold]
    pub(crate) fn fail(&mut self, kind: ErrorKind, start: Mark, end: Mark) {
        self.fail_in(kind, (start, end), None, None);
    }

    /// Ends the parse, unless it has ended, in an external entity it may be, and says what that refers to.
    #[cold]
    pub(crate) fn fail_in(
        &mut self,
        kind: ErrorKind,
        (start, end): (Mark, Mark),
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
    /// Whether what a checkpoint has of it fits together.
    pub(super) fn is_sound(&self) -> bool {
        self.head <= self.records.len()
            && self.open as usize <= self.attributes.len()
            && self.unfinished.index() <= self.scratch.len()
    }
}
