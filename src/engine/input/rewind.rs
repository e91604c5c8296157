//! Rewinding: a tokenizer that consumed text on trial gives it back to the input. Only MicroXML does this, because
//! its grammar requires it.

use super::held_text::BeforeDiscard;
use super::{Advance, BufferOffset, Change, Input, Supply};
use crate::engine::scan::Classes;
use alloc::string::String;

impl Input {
    /// Moves the next byte to consume back to `to`, which must still be buffered. The text from `keep` on is
    /// retained. No event in the queue may refer to the text after `to`.
    pub(crate) fn rewind<K: Classes>(
        &mut self,
        to: BufferOffset,
        keep: BufferOffset,
        retained: &mut String,
        leaving: &mut dyn BeforeDiscard,
    ) -> Advance {
        let mut change = Change {
            keep,
            rebase: 0,
            copied: 0,
            leaving,
        };
        if to >= self.current.start {
            self.window.from = to.index_from(self.current.start);
        } else if self.decoding.partial_length == 0 && self.ill_formed.next_length == 0 {
            self.unread(retained, &mut change);
            self.window.from = to.index_from(keep);
        } else {
            // Merge the consumed part of the chunk with the retained text in `own`. The rest of the chunk, if any, is
            // already pending.
            self.hold(retained, &mut change);
            self.window.from = (to - change.rebase).index();
        }
        self.window.at = self.window.from;
        let text = self.current.as_str();
        K::classify(
            &text.as_bytes()[self.window.from..self.window.to],
            &mut self.masks,
        );
        Advance {
            supply: Supply::Window,
            rebase: change.rebase,
            copied: change.copied,
        }
    }

    /// Puts the current chunk back in front of the pending chunks, as if it had not been validated. The retained
    /// bytes from `keep` on become `own`.
    fn unread(&mut self, retained: &mut String, change: &mut Change<'_>) {
        self.notify_before_discard(retained, change);
        let chunk = core::mem::take(&mut self.current.shared);
        self.fed.unread += chunk.valid();
        self.text -= chunk.valid() as u64;
        self.fed.pending.push_front(chunk.into_bytes());
        retained.truncate(self.current.start.index());
        self.lines.forget(self.current.start);
        self.lines
            .rebase(change.keep, &retained.as_bytes()[..change.keep.index()]);
        retained.drain(..change.keep.index());
        change.copied += if change.keep > BufferOffset::ZERO {
            retained.len()
        } else {
            0
        };
        core::mem::swap(&mut self.current.buffer, retained);
        retained.clear();
        self.current.is_own = true;
        self.current.start = BufferOffset::ZERO;
        self.stand_at(self.current.buffer.len());
        change.rebased();
    }
}
