//! Methods of the parser for the rewriter: the next event, and the events before and after it in the batch.

use super::Parser;
use crate::engine::dialect::{Dialect, Form};
use crate::engine::event::record::{Record, RecordKind};
use crate::engine::event::strings::Cleaned;
use crate::engine::event::{Event, Holder, Part, StartTag, lend};
use crate::engine::input::BufferOffset;
use crate::engine::input::raw::Side;
use crate::engine::work;
use alloc::string::String;
use alloc::vec::Vec;

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Returns the event that follows the current event in the same batch, or `None` at the end of the batch.
    #[inline(always)]
    pub(crate) fn coming(&self) -> Option<Event<'_>> {
        let at = self.held.queue.head;
        (at < self.held.queue.records.len()).then(|| self.lend(at, |event| event))
    }

    /// Returns the offset of the end of the event before the current one, if both are in the same batch.
    pub(crate) fn previous_end(&self) -> Option<u64> {
        let at = self.held.queue.head.checked_sub(2)?;
        let record = &self.held.queue.records[at];
        // An owned event knows its own offsets.
        (record.kind != RecordKind::Retained).then(|| self.offset(record.end, Side::End))
    }

    /// Returns the names of elements that end directly before the current event and whose end tags are not in the
    /// input: the innermost first, and at most `most` of them. If `with_it` is true, the current event is the last of
    /// these ends.
    ///
    /// An element whose start tag also ends it (`closes_itself` returns true) needs no end tag, and ends the search.
    ///
    /// The caller passes in `most` the number of end events since its last call. Without that bound, each of n elements
    /// that end together would look at all ends before it.
    pub(crate) fn ends_left_out(
        &self,
        with_it: bool,
        most: u64,
        closes_itself: impl Fn(StartTag<'_>) -> bool,
    ) -> Vec<String> {
        let records = &self.held.queue.records;
        let after = (self.held.queue.head + usize::from(with_it)).saturating_sub(1);
        let mut names = Vec::new();
        for at in (0..after.min(records.len())).rev() {
            let record = &records[at];
            if names.len() as u64 >= most
                || record.kind != RecordKind::End
                || record.start != record.end
            {
                break;
            }
            work::count(1);
            let Event::End(tag) = self.lend(at, |event| event) else {
                break;
            };
            let start = at.checked_sub(1).map(|at| self.lend(at, |event| event));
            match start {
                Some(Event::Start(start)) if closes_itself(start) => break,
                _ => names.push(String::from(tag.name())),
            }
        }
        names.reverse();
        names
    }

    /// Returns whether the span of the current event overlaps that of the event before it, and that of the event after
    /// it. In HTML, the whitespace of a text may be inserted into another element than the rest of the text; and the
    /// replacement text of one entity reference may contain several events.
    pub(crate) fn shares_place(&self) -> (bool, bool) {
        let records = &self.held.queue.records;
        let Some(at) = self.held.queue.head.checked_sub(1) else {
            return (false, false);
        };
        let place = self.lend(at, |event: Event<'_>| event.span());
        let shares = |at: usize| {
            work::count(1);
            let event: Event<'_> = self.lend(at, |event| event);
            let span = event.span();
            let is_written = span.start < span.end;
            is_written.then_some(span.start < place.end && place.start < span.end)
        };
        let before = (0..at).rev().find_map(shares);
        let after = (at + 1..records.len()).find_map(shares);
        (before == Some(true), after == Some(true))
    }

    fn offset(&self, mark: BufferOffset, side: Side) -> u64 {
        self.held.input.lines().offset(mark, side)
    }

    /// Returns an empty text event at the position that the input has reached. `record` is the result of
    /// [`empty_record`](Parser::empty_record).
    pub(crate) fn empty_text<'a>(&'a self, record: &'a Record) -> Event<'a> {
        let holder = Holder::Parser(&self.held);
        lend(Part { record, holder }, |event| event)
    }

    /// Returns the record of an empty text: at the start of the next event, or, if there is none, at the end of the
    /// text that was read.
    pub(crate) fn empty_record(&self) -> Record {
        let next = self.held.queue.records.get(self.held.queue.head);
        let at = next.map_or_else(|| self.held.input.taken(), |next| next.start);
        Record::new(RecordKind::Text, at, at).cleaned(Cleaned::EMPTY)
    }
}
