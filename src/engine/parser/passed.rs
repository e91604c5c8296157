//! Methods of the parser for the rewriter: the next event of the batch, events that were returned, and empty text
//! events. A method for elements that need no events: passing their tags and texts.

use super::Parser;
use crate::engine::dialect::{Dialect, Form};
#[cfg(feature = "select")]
use crate::engine::error::Span;
use crate::engine::event::record::{MORE, MOVED, RESUMED, Record, RecordKind};
use crate::engine::event::strings::Cleaned;
use crate::engine::event::{ElementReader, Event, Holder, Leaf, Part, StartTag, Text};
#[cfg(feature = "select")]
use crate::engine::input::raw::Side;
#[cfg(feature = "select")]
use crate::engine::tokenizer::{TextBuffer, Tokenizer};

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

    /// Passes tags and texts that come next in the current batch: those of `open` elements, and the elements and texts that
    /// `reader` reads or skips. Returns the number of elements that are open then.
    ///
    /// PERF: the records are passed in one loop, so that no event is made of them.
    #[inline(always)]
    pub(crate) fn pass_elements(&mut self, mut open: u64, reader: &mut impl ElementReader) -> u64 {
        let holder = Holder::Parser(&self.data);
        let chunk = self.data.chunk();
        let records = &*self.data.queue.records;
        let mut rest = records.get(self.data.queue.head..).unwrap_or_default();
        while let [record, after @ ..] = rest {
            let part = Part { record, holder };
            match (open, record.kind) {
                (0, RecordKind::Start) => match after {
                    // The events are a tree, so the end tag is that of the element.
                    [text, end, after @ ..]
                        if text.kind == RecordKind::Text
                            && end.kind == RecordKind::End
                            && text.flags & (MORE | MOVED) == 0 =>
                    {
                        let (start, record) = (part, text);
                        let text = Part { record, holder };
                        if !reader.read_leaf(Leaf { start, text, chunk }) {
                            break;
                        }
                        rest = after;
                        continue;
                    }
                    _ if reader.skip_element(StartTag { part }) => open = 1,
                    _ => break,
                },
                (0, RecordKind::Text) => {
                    if !reader.skip_text(Text { part }) {
                        break;
                    }
                }
                (0, kind) if kind != RecordKind::Retained => break,
                (_, RecordKind::Start) => open += 1,
                (_, RecordKind::End) => open -= 1,
                (_, RecordKind::Text) => {}
                (_, RecordKind::Retained) => match Event::retained(part) {
                    Some(Event::Text(text)) if open > 0 || reader.skip_text(text) => {}
                    _ => break,
                },
                _ => break,
            }
            rest = after;
        }
        self.data.queue.head = records.len() - rest.len();
        open
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

    /// Passes windows of raw text, such as the text of a script, without an event. Calls `pass` with the text of each
    /// window, and the offset in the input of its end. Returns the range in the input of all this text, or `None` if the
    /// next window is anything else. That window is read by the next batch.
    ///
    /// All events of the batch must have been returned. Text has to be returned in pieces, without parse errors.
    #[cfg(feature = "select")]
    pub(crate) fn pass_raw_text(&mut self, mut pass: impl FnMut(&str, u64)) -> Option<Span> {
        let input = &self.data.input;
        let has_failed = self.error.is_some() || self.data.queue.fatal.is_some();
        // The tokenizer reads the end of the input together with the last window.
        if has_failed || input.is_finished() || !input.is_dry() {
            return None;
        }
        if !self.machine.is_between_raw_pieces(input.taken()) {
            return None;
        }
        self.leave_batch();
        self.clear();
        let mut passed: Option<Span> = None;
        while !self.is_starved()
            && self.next_window() == Some(false)
            && self.data.input.has_raw_window()
        {
            let window = self.data.input.view();
            let (text, at) = window.rest();
            let mark = at + text.len() as u32;
            let lines = self.data.input.lines();
            let end = lines.offset(mark, Side::End);
            let start = passed.map_or_else(|| lines.offset(at, Side::Start), |span| span.start);
            pass(text, end);
            passed = Some(Span { start, end });
            let to = window.to;
            self.data.queue.work.states += self.data.input.took(to) as u64;
            self.machine.machine_mut().text = TextBuffer::at(mark);
        }
        if passed.is_some() {
            self.was_in_text = true;
            self.data.queue.is_run_open = true;
        }
        self.is_dry = self.is_starved();
        passed
    }

    /// Returns whether everything that was fed is passed, so that the parser needs more input.
    #[cfg(feature = "select")]
    pub(crate) fn is_dry(&self) -> bool {
        self.is_dry
    }

    /// Returns true unless no script of the document up to the end of the batch has the word `<!--`.
    #[cfg(feature = "select")]
    pub(crate) fn may_have_escaped_script(&self) -> bool {
        self.data.queue.has_escaped_script
    }

    /// Returns an empty text event at the position that the input has reached. `record` is the result of
    /// [`empty_record`](Parser::empty_record).
    pub(crate) fn empty_text<'a>(&'a self, record: &'a Record) -> Event<'a> {
        let holder = Holder::Parser(&self.data);
        Event::of(Part { record, holder })
    }

    /// Returns the record of an empty text that continues a run: at the start of the next event, or, if there is none, at
    /// the end of the text that was read.
    pub(crate) fn empty_record(&self) -> Record {
        let next = self.data.queue.records.get(self.data.queue.head);
        let at = next.map_or_else(|| self.data.input.taken(), |next| next.start);
        let mut record = Record::new(RecordKind::Text, at, at).cleaned(Cleaned::EMPTY);
        record.flags |= RESUMED;
        record
    }
}
