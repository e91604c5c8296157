//! Processing the tokens of a whole batch in one loop over the records of the parser.
//!
//! PERF: a token costs about 40 instructions for being an `Event`, for looking up the buffer that has its string, and
//! for the questions that the tree builder asks after each event.

use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::engine::event::record::{Record, RecordKind};
use crate::engine::event::strings::Str;
use crate::engine::event::{BatchText, Holder, ParserData, Part, StartTag, Text, pass};
use crate::tree::TreeSink;

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Processes the tokens of a batch, from the next one on. Returns the number of events taken. Stops after an event
    /// with which the tree has more than `max_nodes` nodes.
    #[inline(never)]
    pub(crate) fn take_batch(&mut self, data: &ParserData, max_nodes: u64) -> usize {
        let queue = &data.queue;
        let records = queue.records.get(queue.head..).unwrap_or_default();
        let (texts, holder) = (BatchText::of(data), Holder::Parser(data));
        let name_of = |record: &Record| match record.string() {
            Str::Borrowed(start, end) if start >= texts.base => Some(texts.range(start, end)),
            _ => None,
        };
        let mut taken = 0;
        for record in records {
            let part = Part { record, holder };
            let length = record.end - record.start;
            let is_taken = match record.kind {
                RecordKind::Start => name_of(record).map(|name| {
                    let name = self.numbers.name_within(name);
                    self.begin_token(length);
                    self.start(&StartTag { part }, name);
                }),
                RecordKind::End => name_of(record).map(|name| {
                    let name = self.numbers.name_within(name);
                    self.begin_token(length);
                    self.end_tag(name);
                }),
                RecordKind::Text => {
                    let text = texts.get(record.string());
                    text.map(|text| self.take_text(Text { part }, text, length))
                }
                _ => None,
            };
            if is_taken.is_none() {
                self.take_other(part);
            }
            taken += 1;
            if self.sink.size().nodes > max_nodes {
                break;
            }
        }
        taken
    }

    /// Processes the event of a record whose string is not in the chunk, or that is neither a tag nor a text.
    #[inline(never)]
    fn take_other(&mut self, part: Part<'_>) {
        pass(part, self);
    }
}
