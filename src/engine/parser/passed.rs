//! Methods of the parser for the rewriter: the next event of the batch, events that were returned, and empty text
//! events.

use super::Parser;
use crate::engine::dialect::{Dialect, Form};
use crate::engine::event::record::{Record, RecordKind};
use crate::engine::event::strings::Cleaned;
use crate::engine::event::{Event, Holder, Part};

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Returns the event that follows the current event in the same batch, or `None` at the end of the batch.
    #[inline(always)]
    pub(crate) fn coming(&self) -> Option<Event<'_>> {
        let at = self.data.queue.head;
        (at < self.data.queue.records.len()).then(|| self.event_at(at))
    }

    /// Advances to the next event of the current batch.
    #[inline(always)]
    pub(crate) fn pass(&mut self) {
        self.data.queue.head += 1;
    }

    /// Returns the events of the current batch that were not returned yet, as their records and the data of the batch.
    #[cfg(feature = "select")]
    #[inline(always)]
    pub(crate) fn rest_of_batch(&self) -> impl Iterator<Item = Part<'_>> {
        let holder = Holder::Parser(&self.data);
        let rest = self.data.queue.records.get(self.data.queue.head..);
        let rest = rest.unwrap_or_default().iter();
        rest.map(move |record| Part { record, holder })
    }

    /// Advances by a number of events of the current batch.
    #[cfg(any(feature = "select", feature = "tree"))]
    #[inline(always)]
    pub(crate) fn pass_events(&mut self, events: usize) {
        self.data.queue.head += events;
    }

    /// Returns an event of the current batch that was returned: the last one for 0, the one before it for 1.
    #[cfg(feature = "select")]
    pub(crate) fn passed_event(&self, before_last: usize) -> Option<Event<'_>> {
        let at = self.data.queue.head.checked_sub(before_last + 1)?;
        Some(self.event_at(at))
    }

    /// Returns an empty text event at the position that the input has reached. `record` is the result of
    /// [`empty_record`](Parser::empty_record).
    pub(crate) fn empty_text<'a>(&'a self, record: &'a Record) -> Event<'a> {
        let holder = Holder::Parser(&self.data);
        Event::of(Part { record, holder })
    }

    /// Returns the record of an empty text: at the start of the next event, or, if there is none, at the end of the
    /// text that was read.
    pub(crate) fn empty_record(&self) -> Record {
        let next = self.data.queue.records.get(self.data.queue.head);
        let at = next.map_or_else(|| self.data.input.taken(), |next| next.start);
        Record::new(RecordKind::Text, at, at).cleaned(Cleaned::EMPTY)
    }
}
