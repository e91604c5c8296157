//! Storage of the data that outlives its batch: events that are delayed until the end of an element, and the start tags
//! of the elements in the list of active formatting elements, because such elements may be reconstructed later.
//!
//! During a batch, both are records that refer to the batch's strings. When the batch ends,
//! [`Stream::keep`](super::stream::Stream::keep) copies them to owned events.

use crate::dialects::html::construct::formatting::EntryId;
use crate::dialects::html::construct::stack_observer::CommentParent;
use crate::engine::event::record::{Payload, Record, RecordKind};
use crate::engine::event::{EventCopy, Holder, ParserData, Part};
use crate::engine::input::BufferOffset;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem::take;

/// A list of delayed events, in the order in which they will be emitted.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    events: Vec<DelayedEvent>,
    /// Number of events that are copies from earlier batches. They precede the events of the current batch.
    kept: usize,
    /// Estimated memory of the events, in bytes.
    bytes: usize,
}

/// A delayed event: a record of the current batch, or a copy of an event of an earlier batch.
#[derive(Clone, Debug)]
enum DelayedEvent {
    /// The record of an event of the current batch.
    InBatch(Record),
    /// A copy of an event of an earlier batch.
    Copy(EventCopy),
}

impl Waiting {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.events.clear();
        (self.kept, self.bytes) = (0, 0);
    }

    pub(super) fn push(&mut self, record: Record, bytes: usize) {
        self.events.push(DelayedEvent::InBatch(record));
        self.bytes += bytes;
    }

    /// Returns the record of the last event, if it is from the current batch.
    pub(super) fn last_mut(&mut self) -> Option<&mut Record> {
        match self.events.last_mut()? {
            DelayedEvent::InBatch(record) => Some(record),
            DelayedEvent::Copy(_) => None,
        }
    }

    /// Returns the start of the first event: the offset in the input of an event of an earlier batch, or the offset in
    /// the buffered text of an event of the current batch. The other value is the maximum of its type.
    pub(super) fn start(&self) -> (u64, BufferOffset) {
        match self.events.first() {
            Some(DelayedEvent::Copy(event)) => (event.event().span().start, BufferOffset::NONE),
            Some(DelayedEvent::InBatch(record)) => (u64::MAX, record.start),
            None => (u64::MAX, BufferOffset::NONE),
        }
    }

    /// Emits all events of the list to `out`, with the additional flags `moved`. An event that is a copy from an
    /// earlier batch is appended to `kept`, and `out` gets a record, at the offset `at`, that refers to the copy by its
    /// index.
    pub(super) fn release(
        &mut self,
        kept: &mut Vec<EventCopy>,
        at: BufferOffset,
        moved: u8,
        out: &mut Vec<Record>,
    ) {
        for event in take(&mut self.events) {
            out.push(match event {
                DelayedEvent::InBatch(mut record) => {
                    record.flags |= moved;
                    record
                }
                DelayedEvent::Copy(mut event) => {
                    event.record_mut().flags |= moved;
                    let index = kept.len() as u32;
                    kept.push(event);
                    Record {
                        payload: Payload::kept(index),
                        ..Record::new(RecordKind::Retained, at, at)
                    }
                }
            });
        }
        self.clear();
    }

    /// Copies the events that are records of the current batch. Called when that batch ends. Short pieces of text are
    /// joined, because each event takes more memory than is counted for a piece.
    pub(super) fn keep(&mut self, data: &ParserData) {
        for event in self.events.split_off(self.kept) {
            let DelayedEvent::InBatch(record) = &event else {
                self.events.push(event);
                continue;
            };
            let holder = Holder::Parser(data);
            let part = Part { record, holder };
            if let Some(DelayedEvent::Copy(last)) = self.events.last_mut()
                && last.join(part)
            {
                continue;
            }
            let copy = EventCopy::new(part);
            self.events.push(DelayedEvent::Copy(copy));
        }
        self.kept = self.events.len();
    }
}

/// Events that are delayed until the end of an element.
#[derive(Clone, Debug, Default)]
pub(super) struct Delayed {
    /// Events that are delayed until the end of the head.
    pub(super) after_head: Waiting,
    /// Events that are delayed until the end of the body.
    pub(super) after_body: Waiting,
    /// Events that are delayed until the end of the root element.
    pub(super) after_root: Waiting,
    /// The delayed text of a table.
    pub(super) in_table: Waiting,
    /// True if the next insertion of text emits the delayed text of a table.
    pub(super) is_releasing: bool,
    /// Memory of the events that are delayed until the end of an element, in bytes.
    pub(super) bytes: usize,
    /// Maximum memory of events that are delayed until the end of an element, in bytes.
    pub(super) max_bytes: usize,
}

impl Delayed {
    /// Returns the start of the earliest event of earlier batches, as an offset in the input, or `u64::MAX` if there is
    /// none. Each list is in the order of the input.
    pub(super) fn earliest(&self) -> u64 {
        let lists = [
            &self.after_head,
            &self.after_body,
            &self.after_root,
            &self.in_table,
        ];
        let starts = lists.map(|list| list.start().0);
        starts.into_iter().min().unwrap_or(u64::MAX)
    }

    /// Returns the events that are delayed until the end of an element. `parent` is the parent that tree construction
    /// chose for them: the current node, which is the head, the root element or the document.
    #[inline(always)]
    pub(super) fn list(&mut self, parent: CommentParent) -> &mut Waiting {
        match parent {
            CommentParent::Current(_) => &mut self.after_head,
            CommentParent::Root => &mut self.after_body,
            CommentParent::Document => &mut self.after_root,
        }
    }

    /// Delays an event until the end of an element. `bytes` is its estimated memory.
    pub(super) fn push(&mut self, parent: CommentParent, record: Record, bytes: usize) {
        self.bytes += bytes;
        self.list(parent).push(record, bytes);
    }

    /// Removes and returns the events that are delayed until the end of an element.
    pub(super) fn take(&mut self, parent: CommentParent) -> Waiting {
        let waiting = take(self.list(parent));
        self.bytes -= waiting.bytes;
        waiting
    }

    /// Returns the memory of the events that are delayed until the end of an element, from each list.
    pub(super) fn sum(&self) -> usize {
        let lists = [&self.after_head, &self.after_body, &self.after_root];
        lists.iter().map(|list| list.bytes).sum()
    }

    /// Returns the number of bytes by which the memory of the events that are delayed until the end of an element can
    /// grow.
    pub(super) fn room(&self) -> usize {
        self.max_bytes.saturating_sub(self.bytes)
    }
}

/// The start tags of the active formatting elements, from which such elements are reconstructed.
#[derive(Clone, Debug, Default)]
pub(super) struct StartTags {
    /// The start tags, indexed by the entry of the list of active formatting elements.
    pub(super) by_entry: Vec<Option<Listed>>,
    /// Entries of the list that got a start tag in this batch.
    pub(super) fresh: Vec<EntryId>,
    /// Number of start tags that were stored so far.
    pub(super) count: u64,
    /// Memory of the start tags that were copied, in bytes: the sum of their [`Listed::copied_bytes`]. The limit on memory
    /// counts the tags in the list instead, whether they are copied or not, because the ends of batches are arbitrary.
    pub(super) copied_bytes: usize,
}

/// The start tag of an element in the list of active formatting elements.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub(super) name: u32,
    pub(super) tag: Tag,
    /// Number that distinguishes this start tag from earlier ones of the same entry, because entries are reused.
    pub(super) number: u64,
    /// Length of the tag's source, in bytes.
    pub(super) length: u32,
    /// Memory of the copy of the tag, in bytes, or 0 if the tag is not copied yet.
    pub(super) copied_bytes: u32,
    /// The record of an implied start event of the current batch with the same name and attributes, if there is one.
    /// Further such events of the batch share its strings.
    pub(super) again: Option<Record>,
}

/// A start tag: a record of the current batch, or a copy of a start tag of an earlier batch.
#[derive(Clone, Debug)]
pub(super) enum Tag {
    /// The record of a start tag of the current batch.
    InBatch(Record),
    /// A copy of a start tag of an earlier batch.
    Copy(Arc<EventCopy>),
}

/// An implied start event of a reconstructed formatting element. Its name and attributes are filled in when the batch
/// is delivered. `at` is the index of its record in the batch's events.
#[derive(Clone, Debug)]
pub(super) struct Reopened {
    pub(super) at: usize,
    pub(super) entry: EntryId,
    pub(super) number: u64,
    pub(super) tag: Tag,
}

/// Memory of an attribute of a copied start tag, in bytes, without its name and its value.
const ATTRIBUTE_BYTES: u32 = 36;

/// Returns the memory of a copy of a start tag, in bytes.
#[inline(always)]
pub(super) fn tag_bytes(tag: &Record) -> u32 {
    2 * (tag.end - tag.start) + ATTRIBUTE_BYTES * tag.attribute_count()
}

crate::checkpoint::checkpointable! {
    struct Waiting { events, kept, bytes }
    enum DelayedEvent { InBatch(value), Copy(value) }
    struct Delayed { after_head, after_body, after_root, in_table, is_releasing, bytes, max_bytes }
    struct StartTags { by_entry, fresh, count, copied_bytes }
    struct Listed { name, tag, number, length, copied_bytes, again }
    enum Tag { InBatch(value), Copy(value) }
    struct Reopened { at, entry, number, tag }
}
