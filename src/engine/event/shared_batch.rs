//! Copies of whole batches, which owned events share.
//!
//! An owned event that is a copy of its event ([`EventCopy`](super::EventCopy)) costs an allocation, the search for its
//! line and column, and copies of its parts. A program that makes owned events of all events pays this for each of them.
//! For such a program the parser copies each batch once, right after the tokenizer has written it, and an owned event is
//! a reference to that copy and the index of a record. The copy is a [`ParserData`] that has nothing but the batch, so
//! that an event borrows from it as from a parser, and positions are computed when they are requested:
//!
//! ```text
//! parser      retained bytes  |  chunk   <a>one</a><b>two</b><c>...
//!                                        |--- the batch ----|
//! copy        records, attributes, scratch buffer, line index
//!             text                       <a>one</a><b>two</b>      the same offsets
//! ```
//!
//! Whether a batch is copied depends on the batch before it: a program that made owned events of half of its events
//! will probably do so again. All other programs pay for one comparison a batch. The first batch is never copied, and a
//! program that keeps a few events of a document keeps only these.
//!
//! On WebAssembly no batch is copied. Elsewhere, some batches are never copied: those of input that is not UTF-8 or has
//! replaced sequences, because positions need more than the text then; and those that are very short or very large.

use super::part::ParserData;
use super::queue::Queue;
use super::record::{Attr, Record, RecordKind};
use super::strings::Str;
use crate::engine::input::shared_cell::SharedCell;
use crate::engine::input::{BufferOffset, Input};
use alloc::string::String;
use alloc::sync::Arc;

/// Maximum size in bytes of the records, attributes and strings of a batch that is copied. It bounds the memory that an
/// owned event keeps from being freed.
const MAX_SHARED_BYTES: usize = 64 << 10;

/// Maximum number of namespaces, declared by the document so far, with which a batch is copied.
const MAX_SHARED_NAMESPACES: usize = 64;

/// A batch is copied only if it has at least one record for this number of records in a full batch.
const FULL_BATCH_PART: usize = 4;

/// The copy of the current batch, and the number of owned events, from which follows whether the next batch is copied.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    /// The copy of the current batch, if there is one.
    batch: Option<Arc<ParserData>>,
    /// Number of owned events that were made since the current batch began.
    made: SharedCell,
    /// Number of records in the current batch.
    records: usize,
    /// True if this is the data of a copy.
    is_copy: bool,
}

impl Sharing {
    pub(crate) const fn new() -> Sharing {
        Sharing {
            batch: None,
            made: SharedCell::new(0),
            records: 0,
            is_copy: false,
        }
    }
}

/// A clone starts without a copy of the batch.
impl Clone for Sharing {
    fn clone(&self) -> Sharing {
        Sharing::default()
    }
}

impl Sharing {
    #[inline(always)]
    pub(super) fn is_copy(&self) -> bool {
        self.is_copy
    }

    /// Drops the copy of the batch. Called before the records of the batch are removed.
    #[inline(always)]
    pub(crate) fn end_batch(&mut self) {
        if self.batch.is_some() {
            self.drop_batch();
        }
    }

    #[cold]
    #[inline(never)]
    fn drop_batch(&mut self) {
        self.batch = None;
    }
}

impl ParserData {
    /// Returns the copy of the current batch and the index of a record in it, or `None` if an owned event of that record
    /// has to be a copy of its own.
    #[inline]
    pub(super) fn shared(&self, record: &Record) -> Option<(Arc<ParserData>, u32)> {
        let made = &self.sharing.made;
        made.set(made.get().wrapping_add(1));
        let batch = self.sharing.batch.as_ref()?;
        let index = self.queue.index_of(record)?;
        // Other events have data outside of their record, its strings and its attributes.
        let is_plain = matches!(
            record.kind,
            RecordKind::Start | RecordKind::End | RecordKind::Text | RecordKind::Comment
        );
        is_plain.then(|| (Arc::clone(batch), index as u32))
    }

    /// Copies the batch, if owned events were made of at least half of the events of the batch before it. Called when
    /// the batch is complete.
    #[inline]
    pub(crate) fn share_batch(&mut self) {
        // A page downloads its program, and few pages store all events: the speed is not worth the size of the code.
        if cfg!(target_family = "wasm") {
            return;
        }
        let (made, records) = (self.sharing.made.get(), self.sharing.records);
        self.sharing.made.set(0);
        self.sharing.records = self.queue.records.len();
        if made > 0 && made >= records as u64 / 2 {
            self.sharing.batch = self.copy_of_batch().map(Arc::new);
        }
    }

    /// Returns a copy of the batch, or `None` if the batch is too short, too large, or has positions that cannot be
    /// counted from its text.
    #[cold]
    #[inline(never)]
    fn copy_of_batch(&self) -> Option<ParserData> {
        let Queue {
            records, settings, ..
        } = &self.queue;
        if records.len() < settings.batch_size / FULL_BATCH_PART || !self.input.lines().is_plain() {
            return None;
        }
        let attributes = self.queue.attributes.get(..self.queue.open as usize)?;
        let scratch = self.queue.scratch.get(..self.queue.unfinished.index())?;
        let namespaces = &self.queue.bindings.namespaces;
        if namespaces.len() > MAX_SHARED_NAMESPACES {
            return None;
        }
        let (from, to) = extent(records, attributes);
        let (chunk, chunk_start) = self.input.chunk();
        // A batch that begins in the retained bytes needs all of them, because positions are counted from their start.
        let (retained, from, first) = match from < chunk_start {
            true => (&*self.queue.retained, chunk_start, BufferOffset::ZERO),
            false => ("", from, from),
        };
        let text = chunk.get(from.index_from(chunk_start)..to.max(from).index_from(chunk_start))?;
        let names = namespaces
            .iter()
            .map(|name| name.len() + size_of::<Arc<str>>());
        let bytes = size_of_val(&**records)
            + size_of_val(attributes)
            + (retained.len() + text.len() + scratch.len())
            + names.sum::<usize>();
        if bytes > MAX_SHARED_BYTES {
            return None;
        }
        let lines = self.input.lines();
        let start = match first == BufferOffset::ZERO {
            true => lines.anchor(first),
            false => lines.place(first, chunk, chunk_start),
        };
        let mut queue = Queue::new();
        queue.records.clone_from(records);
        queue.attributes.extend_from_slice(attributes);
        queue.scratch.push_str(scratch);
        queue.retained.push_str(retained);
        queue.bindings.namespaces.clone_from(namespaces);
        // As for a copy of one event: it is not known what precedes the batch.
        queue.has_escaped_script = true;
        Some(ParserData {
            input: Input::of_text(String::from(text), from, lines.part(start, to)),
            queue,
            sharing: Sharing {
                is_copy: true,
                ..Sharing::default()
            },
        })
    }
}

/// Returns the first and the last offset in the buffered text to which records and attributes refer.
fn extent(records: &[Record], attributes: &[Attr]) -> (BufferOffset, BufferOffset) {
    let (mut from, mut to) = (BufferOffset::NONE, BufferOffset::ZERO);
    for record in records {
        (from, to) = (from.min(record.start), to.max(record.end));
        if let Str::Borrowed(start, end) = record.string() {
            (from, to) = (from.min(start), to.max(end));
        }
    }
    for attribute in attributes {
        from = from.min(attribute.name).min(attribute.raw);
        to = to.max(attribute.name_end).max(attribute.raw_end);
    }
    (from, to)
}
