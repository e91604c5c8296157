//! The queue: a batch of records that the tokenizer writes, and from which the parser returns events.
//!
//! Invariant: a batch of records is read completely before the next one is written. Text is removed from the buffered
//! text and from the scratch buffer only between two batches, so all ranges of a batch stay valid.

use super::details::{DeclarationDetails, DoctypeDetails, Fatal};
use super::in_entity::InEntity;
use super::owned_data::EventCopy;
use super::record::{Attr, MORE, Payload, RESUMED, Record, RecordKind};
use super::referred::Referred;
use super::strings::{ScratchOffset, Str};
use crate::engine::error::{ErrorCode, ErrorKind};
use crate::engine::input::BufferOffset;
use crate::engine::input::sizes::Sizes;
use crate::engine::limits::Stats;
use crate::engine::namespaces::{History, Now};
use crate::engine::on_demand::{Blank, OnDemand};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// The current batch of records, with the data that its ranges and indices refer to, and the unfinished parts of the
/// next batch.
#[derive(Clone, Debug)]
pub struct Queue {
    pub(crate) settings: QueueSettings,
    pub(crate) records: Vec<Record>,
    /// Index of the next record to return as an event.
    pub(crate) head: usize,
    /// Number of open elements after the last record of the batch, if the events are a tree.
    pub(crate) depth: u64,
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
    pub(crate) errors: OnDemand<BatchErrors>,
    pub(crate) bindings: BatchBindings,
    pub(crate) prologue: Prologue,
    /// Events retained from earlier batches that are returned with this one. Used by balanced HTML.
    pub(crate) kept: Vec<EventCopy>,
    /// The error that ends the parse.
    pub(crate) fatal: Option<Box<Fatal>>,
    expansions: Expansions,
    /// True if the last token is a piece of text whose run may continue. Known only if text is split at markup, or if a
    /// tree builder asked for the runs of the batch.
    pub(crate) is_run_open: bool,
    /// As `is_run_open`, for the last event. This differs if events are balanced, because some tokens are dropped.
    is_event_run_open: bool,
    /// True if the pieces of the last run of text became no event, because tree construction ignored them. The next
    /// piece of the run that becomes an event is its first one. Set in balanced HTML only.
    pub(crate) is_run_unseen: bool,
    /// True if the batch has to end although it has few records. XML sets it if names of namespaces that are no longer
    /// bound use much memory, because they can be discarded only between two batches.
    pub(crate) is_ended: bool,
    /// True if a script of HTML, up to the end of the batch at the latest, has the word `<!--`.
    pub(crate) has_escaped_script: bool,
    pub(crate) work: Stats,
}

/// The settings of a queue. They stay the same for the next document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueSettings {
    /// Number of records that fill a batch.
    pub(crate) batch_size: usize,
    /// Length in bytes of the windows in which replacement text of entities is parsed.
    pub(crate) expansion_window: usize,
    /// Minimum number of unconsumed bytes in a window at which the tokenizer uses its fast path for plain content.
    pub(crate) min_fast_path_bytes: usize,
    /// Minimum length in bytes of a window in which XML defers copying the names of open elements.
    pub(crate) min_brief_bytes: usize,
    /// True if text is returned in pieces: see [`TextPolicy`](crate::TextPolicy).
    pub(crate) splits_text: bool,
    /// True if a piece of text also ends at all markup inside its run, so that its span contains nothing else than the
    /// source of the piece. If this is true, `splits_text` is too.
    pub(crate) splits_at_markup: bool,
    /// True if a piece of text also ends at the delimiters of CDATA sections, so that a tree can tell the text of a
    /// section from other text. This is independent of `splits_text`.
    pub(crate) splits_at_sections: bool,
    /// True if parse errors are reported as events.
    pub(crate) reports_errors: bool,
}

impl QueueSettings {
    const USUAL: QueueSettings = QueueSettings {
        batch_size: Sizes::USUAL.batch,
        expansion_window: Sizes::USUAL.expansion,
        min_fast_path_bytes: Sizes::USUAL.plain,
        min_brief_bytes: Sizes::USUAL.brief,
        splits_text: false,
        splits_at_markup: false,
        splits_at_sections: false,
        reports_errors: false,
    };
}

/// A kind of markup at which text is split.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SplitAt {
    /// Markup that is no part of the text: a comment, an ignored tag, the start of an entity.
    Markup,
    /// The start or the end of a CDATA section. Text can be split there alone: each piece is then either in one section
    /// or in none.
    Section,
}

impl QueueSettings {
    /// Returns true if text is split at markup of this kind.
    #[inline(always)]
    pub(crate) fn splits_at(&self, at: SplitAt) -> bool {
        self.splits_at_markup || (at == SplitAt::Section && self.splits_at_sections)
    }
}

#[cfg(feature = "inspect")]
impl QueueSettings {
    /// Sets the sizes of windows and batches.
    pub(crate) fn set_sizes(&mut self, sizes: &Sizes) {
        self.batch_size = sizes.batch;
        self.expansion_window = sizes.expansion;
        self.min_fast_path_bytes = sizes.plain;
        self.min_brief_bytes = sizes.brief;
    }
}

/// The data of the parse errors of a batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchErrors {
    pub(crate) codes: Vec<ErrorCode>,
    /// Locations of those errors that are in external entities. Records count them from 1.
    pub(crate) in_entities: Vec<InEntity>,
    /// Related locations that errors refer to, each with the index of the error's code, in order.
    pub(crate) referred: Vec<(u32, Referred)>,
}

impl BatchErrors {
    fn clear(&mut self) {
        self.codes.clear();
        self.in_entities.clear();
        self.referred.clear();
    }

    /// Adds an error. Returns the payload of its record.
    fn push(
        &mut self,
        code: ErrorCode,
        entity: Option<InEntity>,
        referred: Option<Referred>,
    ) -> Payload {
        let index = self.codes.len() as u32;
        self.codes.push(code);
        self.referred
            .extend(referred.map(|referred| (index, referred)));
        let is_in_entity = entity.is_some();
        self.in_entities.extend(entity);
        let place = match is_in_entity {
            true => self.in_entities.len() as u32,
            false => 0,
        };
        Payload::error(index, place)
    }
}

/// The namespaces of a document, and the changes of the namespace bindings in a batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchBindings {
    /// Names of the namespaces that the document declares. Indices of namespaces from 7 on refer to this list.
    pub(crate) namespaces: Vec<Arc<str>>,
    /// Changes of the namespace bindings in the batch.
    pub(crate) history: History,
}

/// The content of the last DOCTYPE and of the last XML declaration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prologue {
    pub(crate) doctype: Option<Arc<DoctypeDetails>>,
    pub(crate) declaration: Option<Arc<DeclarationDetails>>,
}

/// The number of bytes to which entities expanded, at each record of a batch. The limit on the size of a tree is a
/// multiple of the input read and of this number.
#[derive(Clone, Debug, Default)]
struct Expansions {
    /// Each pair is a number of records, and the total number of bytes that entities had expanded to when the record
    /// after these was queued.
    steps: Vec<(usize, u64)>,
    /// The number of bytes that entities had expanded to before the batch: see [`Queue::expanded`].
    before: u64,
}

impl Blank for BatchErrors {
    const BLANK: &'static Self = &BatchErrors {
        codes: Vec::new(),
        in_entities: Vec::new(),
        referred: Vec::new(),
    };
}

impl Prologue {
    const NONE: Prologue = Prologue {
        doctype: None,
        declaration: None,
    };
}

impl Expansions {
    const fn new() -> Expansions {
        Expansions {
            steps: Vec::new(),
            before: 0,
        }
    }
}

/// Number of bytes of cleaned strings, and number of bytes of attributes, above which a batch is full.
pub(crate) const MAX_BATCH_DATA_BYTES: usize = 256 << 10;

impl Queue {
    pub(crate) const fn new() -> Queue {
        Queue {
            settings: QueueSettings::USUAL,
            records: Vec::new(),
            head: 0,
            depth: 0,
            attributes: Vec::new(),
            open: 0,
            scratch: String::new(),
            unfinished: ScratchOffset::new(0),
            retained: String::new(),
            errors: OnDemand::NONE,
            bindings: BatchBindings {
                namespaces: Vec::new(),
                history: History::new(),
            },
            prologue: Prologue::NONE,
            kept: Vec::new(),
            fatal: None,
            expansions: Expansions::new(),
            is_run_open: false,
            is_event_run_open: false,
            is_run_unseen: false,
            is_ended: false,
            has_escaped_script: false,
            work: Stats::NONE,
        }
    }

    /// Moves codes of errors to the end of those of the batch. Returns their indices.
    pub(crate) fn append_errors(&mut self, codes: &mut Vec<ErrorCode>) -> Range<u32> {
        let first = self.errors.codes.len() as u32;
        if !codes.is_empty() {
            self.errors.codes.append(codes);
        }
        first..self.errors.codes.len() as u32
    }

    /// Empties the queue for a new document. Settings are kept, and the memory of buffers up to a limit.
    ///
    /// PERF: each field is reset in its place. A new queue that replaces this one would be moved twice.
    pub(crate) fn reset(&mut self) {
        let Queue {
            settings: _,
            records,
            head,
            depth,
            attributes,
            open,
            scratch,
            unfinished,
            retained,
            errors,
            bindings,
            prologue,
            kept,
            fatal,
            expansions,
            is_run_open,
            is_event_run_open,
            is_run_unseen,
            is_ended,
            has_escaped_script,
            work,
        } = self;
        records.clear();
        attributes.clear();
        attributes.shrink_to(MAX_BATCH_DATA_BYTES / size_of::<Attr>());
        for text in [scratch, retained] {
            text.clear();
            text.shrink_to(MAX_BATCH_DATA_BYTES);
        }
        bindings.namespaces.clear();
        bindings.history.reset();
        (*head, *depth, *open) = (0, 0, 0);
        *unfinished = ScratchOffset::default();
        *errors = OnDemand::NONE;
        *prologue = Prologue::NONE;
        *kept = Vec::new();
        *fatal = None;
        *expansions = Expansions::new();
        for flag in [
            is_run_open,
            is_event_run_open,
            is_run_unseen,
            is_ended,
            has_escaped_script,
        ] {
            *flag = false;
        }
        *work = Stats::default();
    }

    /// Returns whether the strings and attributes of the records end where those of the unfinished token begin.
    fn has_parted_strings(&self) -> bool {
        let is_parted = |record: &Record| {
            let string = match record.string() {
                Str::Cleaned(string) => string.end.get(),
                Str::Borrowed(..) => 0,
            };
            let attributes = match record.kind {
                RecordKind::Start => record.attributes().end,
                _ => 0,
            };
            string <= self.unfinished.get() && attributes <= self.open as usize
        };
        self.records.iter().all(is_parted)
    }

    /// Discards the batch. Returns the number of bytes removed from the start of the scratch buffer, by which the
    /// offsets of its remaining strings have to be reduced.
    pub(crate) fn clear(&mut self) -> u32 {
        debug_assert!(
            self.has_parted_strings(),
            "the data of the batch precede those of the unfinished token"
        );
        if !self.expansions.steps.is_empty() {
            self.clear_expansions();
        }
        if !self.bindings.history.is_empty() {
            self.bindings.history.clear(self.records.len());
        }
        self.is_ended = false;
        self.records.clear();
        if !self.errors.codes.is_empty() {
            self.errors.clear();
        }
        if !self.kept.is_empty() {
            self.kept.clear();
        }
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
        match self.expansions.steps.last_mut() {
            Some(last) if last.0 == records => last.1 = bytes,
            _ => self.expansions.steps.push((records, bytes)),
        }
    }

    /// Returns the number of bytes that entities had expanded to before the record at an index. If that record is a
    /// piece of text, returns the number before the first piece of its run.
    #[cold]
    pub(crate) fn expanded(&self, record: usize) -> u64 {
        let begins = |record: &Record| !matches!(record.kind, RecordKind::Text | RecordKind::Error);
        let records = self.records.get(..=record).unwrap_or(&self.records);
        let found = records.iter().rposition(begins).and_then(|at| {
            let known = self
                .expansions
                .steps
                .partition_point(|(before, _)| *before <= at);
            self.expansions.steps.get(known.checked_sub(1)?)
        });
        found.map_or(self.expansions.before, |(_, bytes)| *bytes)
    }

    #[cold]
    fn clear_expansions(&mut self) {
        self.expansions.before = self.expanded(usize::MAX - 1);
        if let Some((_, bytes)) = self.expansions.steps.pop() {
            self.expansions.steps.clear();
            // Bytes expanded after the last record that is not text or an error belong to the next batch.
            if bytes > self.expansions.before {
                self.expansions.steps.push((0, bytes));
            }
        }
    }

    /// Returns a handle for recording changes of the namespace bindings after the last record.
    pub(crate) fn now(&mut self) -> Now<'_> {
        Now {
            history: &mut self.bindings.history,
            records: self.records.len(),
            names: &mut self.bindings.namespaces,
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

    /// Returns whether the batch is full: it has enough records, or its data uses much memory.
    pub(crate) fn is_full(&self) -> bool {
        let large = self.is_ended || self.is_large();
        self.has_full_batch() || (large && !self.records.is_empty())
    }

    /// Returns whether the cleaned strings or the attributes of the batch use more than [`MAX_BATCH_DATA_BYTES`].
    pub(crate) fn is_large(&self) -> bool {
        self.scratch.len() > MAX_BATCH_DATA_BYTES
            || self.attributes.len() > MAX_BATCH_DATA_BYTES / size_of::<Attr>()
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
        self.has_full_batch()
    }

    /// Returns whether there are as many records as fill a batch ([`QueueSettings::batch_size`]).
    #[inline(always)]
    pub(crate) fn has_full_batch(&self) -> bool {
        self.records.len() >= self.settings.batch_size
    }

    /// Reserves memory for records: first for those of a small document, then for a whole batch.
    #[cold]
    #[inline(never)]
    fn grow_records(&mut self) {
        let more = match self.records.len() {
            0 => return self.records = Vec::with_capacity(32),
            length => (self.settings.batch_size + 4)
                .saturating_sub(length)
                .max(length),
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
        let payload = self.errors.push(code, entity, referred);
        self.records.push(Record {
            payload,
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
        self.fatal.get_or_insert_with(|| {
            Box::new(Fatal {
                records,
                entity,
                referred,
                ..Fatal::new(kind, start, end)
            })
        });
    }
}

impl Queue {
    /// Returns the number of open elements before the record at an index.
    pub(crate) fn depth_before(&self, index: usize) -> u64 {
        self.depth.saturating_add_signed(-self.opened_from(index))
    }

    /// Returns the number of start events minus the number of end events, from the record at an index to the end of
    /// the batch.
    pub(crate) fn opened_from(&self, index: usize) -> i64 {
        let rest = self.records.get(index..).unwrap_or_default();
        rest.iter().map(opens).sum()
    }

    /// Returns the number of open elements at the record at an index. The element of a start or end tag is included.
    pub(crate) fn depth_at(&self, index: usize) -> u64 {
        let opened = self.records.get(index).map_or(0, opens);
        self.depth_before(index) + u64::from(opened > 0)
    }

    /// Returns the number of open elements at a record, or `None` if the record is not in the current batch.
    pub(crate) fn depth_of(&self, record: &Record) -> Option<u64> {
        Some(self.depth_at(self.index_of(record)?))
    }

    /// Returns the index of a record, or `None` if the record is not in the current batch. The index follows from the
    /// address of the record.
    #[inline(always)]
    pub(super) fn index_of(&self, record: &Record) -> Option<usize> {
        let from = self.records.as_ptr().addr();
        let index = core::ptr::from_ref(record).addr().checked_sub(from)? / size_of::<Record>();
        (index < self.records.len()).then_some(index)
    }
}

impl Queue {
    /// Marks the pieces of text in the batch that continue the run of the piece before them. Called after the tokenizer
    /// has run, before its tokens are replaced by balanced events.
    #[cold]
    pub(crate) fn mark_runs(&mut self) {
        // PERF: in most batches no run is divided. Looking at the flags alone takes a quarter of the instructions of
        // the loop below.
        if !self.is_run_open && self.records.iter().all(|record| record.flags & MORE == 0) {
            return;
        }
        for record in &mut self.records {
            match record.kind {
                RecordKind::Error => {}
                RecordKind::Text => {
                    if self.is_run_open {
                        record.flags |= RESUMED;
                    }
                    self.is_run_open = record.flags & MORE != 0;
                }
                _ => self.is_run_open = false,
            }
        }
    }

    /// Removes the marks of pieces that continue a run whose earlier pieces became no event, or whose last piece
    /// another event follows. Called after the tokens were replaced by balanced events.
    #[cold]
    pub(crate) fn mark_balanced_runs(&mut self) {
        for record in &mut self.records {
            if record.kind == RecordKind::Error {
                continue;
            }
            let text = match record.kind {
                RecordKind::Retained => self.kept.get_mut(record.kept()).map(EventCopy::record_mut),
                _ => Some(record),
            };
            let text = text.filter(|record| record.kind == RecordKind::Text);
            let was_open = core::mem::replace(
                &mut self.is_event_run_open,
                text.as_ref().is_some_and(|text| text.flags & MORE != 0),
            );
            if !was_open && let Some(text) = text {
                text.flags &= !RESUMED;
            }
        }
    }

    /// Ends the run of text although no token follows it. All its text was emitted, the last piece possibly as one that
    /// more text may follow.
    #[cold]
    pub(crate) fn end_run(&mut self) {
        if !self.settings.splits_text && !self.settings.splits_at_sections {
            return;
        }
        let mut last = self.records.iter_mut().rev();
        match last.find(|record| is_no_error(record)) {
            // `mark_runs` has not marked this record yet.
            Some(last) if last.kind == RecordKind::Text => last.flags &= !MORE,
            Some(_) => {}
            None => self.is_run_open = false,
        }
    }

    /// Returns whether the next event continues the run of text of the event that was returned last: `Some(false)` if
    /// that run has ended, and `None` if the run may continue, but the batch has no further event. `was_open` is true
    /// if the run was open at the end of the batch before, which counts if no event of this batch was returned yet.
    /// Parse errors do not count as events here.
    pub(crate) fn continues(&self, was_open: bool) -> Option<bool> {
        let (before, after) = self.records.split_at(self.head.min(self.records.len()));
        let last = before.iter().rev().find(|record| is_no_error(record));
        if !last.map_or(was_open, |last| self.has_text_flag(last, MORE)) {
            return Some(false);
        }
        let next = after.iter().find(|record| is_no_error(record))?;
        Some(self.has_text_flag(next, RESUMED))
    }

    /// Returns whether a record is a text with the given flag.
    fn has_text_flag(&self, record: &Record, flag: u8) -> bool {
        let record = match record.kind {
            RecordKind::Retained => self.kept.get(record.kept()).map(EventCopy::record),
            _ => Some(record),
        };
        record.is_some_and(|record| record.kind == RecordKind::Text && record.flags & flag != 0)
    }
}

/// Returns whether a record is not a parse error, which may lie between two pieces of a text.
fn is_no_error(record: &Record) -> bool {
    record.kind != RecordKind::Error
}

/// Returns 1 for a start tag, -1 for an end tag and 0 for other events. An event retained from an earlier batch is
/// never a tag.
fn opens(record: &Record) -> i64 {
    i64::from(record.kind == RecordKind::Start) - i64::from(record.kind == RecordKind::End)
}

crate::checkpoint::checkpointable! {
    struct Queue {
        settings, records, head, depth, attributes, open, scratch, unfinished, retained, errors, bindings,
        prologue, kept, fatal, expansions, is_run_open, is_event_run_open,
        is_run_unseen, is_ended, has_escaped_script, work,
    }
    struct QueueSettings {
        batch_size, expansion_window, min_fast_path_bytes, min_brief_bytes, splits_text,
        splits_at_markup, splits_at_sections, reports_errors,
    }
    struct BatchErrors { codes, in_entities, referred }
    struct BatchBindings { namespaces, history }
    struct Prologue { doctype, declaration }
    struct Expansions { steps, before }
}
