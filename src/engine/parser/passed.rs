//! Methods of the parser for the rewriter: the next event, and the events before and after it in the batch.

use super::Parser;
use crate::engine::dialect::{Balance, Dialect, Form};
use crate::engine::event::record::{Record, RecordKind};
use crate::engine::event::strings::Cleaned;
use crate::engine::event::{Event, Holder, Part, StartTag, lend};
use crate::engine::input::BufferOffset;
use crate::engine::input::raw::Side;
use crate::engine::tokenizer::Tokenizer;
use crate::engine::work;
use alloc::string::String;
use alloc::vec::Vec;

impl<D: Dialect, F: Form> Parser<D, F> {
    /// The event of the batch that comes next, where there is one.
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
        (record.kind != RecordKind::OwnedData).then(|| self.offset(record.end, Side::End))
    }

    /// Names of elements whose end tags were left out, as far as their ends come directly before the current event:
    /// the innermost first, and at most `most` of them. With `with_it` the current event is one of the ends.
    ///
    /// Elements whose start tag also ends them, by `closes_itself`, have no end tag. They end the search.
    ///
    /// The caller passes in `most` the number of ends since its last call. Without that bound each of n elements that
    /// end together would look at all ends before it.
    pub(crate) fn ends_left_out(
        &self,
        with_it: bool,
        most: u64,
        closes_itself: impl Fn(StartTag<'_>) -> bool,
    ) -> Vec<String> {
        let records = &self.held.queue.records;
        let behind = (self.held.queue.head + usize::from(with_it)).saturating_sub(1);
        let mut names = Vec::new();
        for at in (0..behind.min(records.len())).rev() {
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

    /// No event that is still to come begins before this offset, where none is there now.
    pub(crate) fn passed(&self) -> u64
    where
        D: Balance,
    {
        if D::holds_text(&self.machine) {
            return 0;
        }
        let end = self.held.input.taken();
        let kept = self.machine.keep(end).min(self.machine.token()).min(end);
        self.offset(kept, Side::Start)
    }

    /// Returns whether the current event has the same span as the event before it, and as the event after it. In HTML
    /// the whitespace of a text may be inserted into another element than the rest, and an entity may contain several
    /// events.
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
        let behind = (at + 1..records.len()).find_map(shares);
        (before == Some(true), behind == Some(true))
    }

    fn offset(&self, mark: BufferOffset, side: Side) -> u64 {
        self.held.input.lines().offset(mark, side)
    }

    /// Text that is empty, where the input has come to.
    pub(crate) fn empty_text<'a>(&'a self, record: &'a Record) -> Event<'a> {
        let holder = Holder::Parser(&self.held);
        lend(Part { record, holder }, |event| event)
    }

    /// The record of such a text: where the next event begins, or all that was read ends.
    pub(crate) fn empty_record(&self) -> Record {
        let next = self.held.queue.records.get(self.held.queue.head);
        let at = next.map_or_else(|| self.held.input.taken(), |next| next.start);
        Record::new(RecordKind::Text, at, at).cleaned(Cleaned::EMPTY)
    }
}
