//! Events that are delayed until the end of an element: whitespace and comments after the head, and comments after the
//! body and after the root element.

use super::{OPEN_ELEMENT_BYTES, Stream};
use crate::dialects::html::balanced::kept::Waiting;
use crate::dialects::html::construct::stack_observer::CommentParent;
use crate::engine::event::record::{RESUMED, Record};

impl Stream {
    /// Writes the end event of the head, if it is delayed, and the events that were delayed until then.
    #[inline(always)]
    pub(super) fn end_waiting_head(&mut self) {
        if self.head_waits() {
            self.end_head();
        }
    }

    #[cold]
    pub(super) fn end_head(&mut self) {
        self.end_top();
        let waiting = self.delayed.take(CommentParent::Current(false));
        self.emit_delayed(waiting, 0);
    }

    /// Delays an event of the current token. `which` is the parent that tree construction chose for it: an event in the
    /// current node waits for the end of the head, one in the root element for the end of the body, and one in the
    /// document for the end of the root element. Returns false, without a change, if the memory for delayed events is
    /// exhausted or events must not be delayed (`is_in_order`).
    pub(super) fn delay(&mut self, which: CommentParent, record: Record) -> bool {
        let bytes = (record.end - record.start) as usize + OPEN_ELEMENT_BYTES;
        let may = bytes <= self.delayed.room() && !self.is_in_order;
        if may {
            self.delayed.push(which, record, bytes);
        }
        may
    }

    /// Handles whitespace after a head whose end is delayed. It is delayed as well, if the memory for delayed events
    /// suffices. Otherwise the head ends, before the first byte that is too much if text is returned in pieces, so that
    /// the place does not depend on the pieces.
    #[cold]
    pub(super) fn text_after_head(&mut self, text: &str) {
        let continues = self.token.record.flags & RESUMED != 0 || self.has_written_text();
        // A run of text counts as one event, however it is divided.
        let event = if continues { 0 } else { OPEN_ELEMENT_BYTES };
        let room = self.delayed.room().saturating_sub(event);
        let length = match self.batch.splits_text {
            true => room.min(text.len()),
            false if text.len() <= room => text.len(),
            false => 0,
        };
        let (delayed, rest) = text.split_at(length);
        if !delayed.is_empty()
            && let Some(record) = self.text_record(delayed, None)
        {
            let parent = CommentParent::Current(false);
            self.delayed.push(parent, record, event + length);
        }
        if rest.is_empty() {
            return;
        }
        let start = self.part_of_text(rest).map(|(start, _)| start);
        let start = start.filter(|start| *start > 0);
        if let Some(start) = start.and_then(|start| self.source_of(start)) {
            self.token.record.start = start;
        }
        self.end_head();
        self.push_part_of_text(rest, 0);
    }

    /// Emits the events that were delayed until the end of the body or of the root element.
    #[inline(always)]
    pub(super) fn emit_delayed_until(&mut self, end: CommentParent) {
        if !self.delayed.list(end).is_empty() {
            let waiting = self.delayed.take(end);
            self.emit_delayed(waiting, 0);
        }
    }

    /// Emits delayed events, with `moved` as additional flags.
    pub(super) fn emit_delayed(&mut self, mut waiting: Waiting, moved: u8) {
        let at = self.token.record.start;
        let (offset, mark) = waiting.start();
        waiting.release(&mut self.batch.owned, at, moved, &mut self.batch.events);
        let end = self.batch.events.len();
        self.batch.released.push((end, offset, mark));
    }
}
