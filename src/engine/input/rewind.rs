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
        if to >= self.chunk_start {
            self.from = to.index_from(self.chunk_start);
        } else if self.tail_length == 0 && self.ill_formed == 0 {
            self.unread(retained, &mut change);
            self.from = to.index_from(keep);
        } else {
            // Merge the consumed part of the chunk with the retained text in `own`. The rest of the chunk, if any, is
            // already pending.
            self.hold(retained, &mut change);
            self.from = (to - change.rebase).index();
        }
        self.at = self.from;
        let text = if self.is_own {
            &self.own
        } else {
            self.shared.as_str()
        };
        K::classify(&text.as_bytes()[self.from..self.to], &mut self.masks);
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
        let chunk = core::mem::take(&mut self.shared);
        self.unread += chunk.valid();
        self.text -= chunk.valid() as u64;
        self.pending.push_front(chunk.into_bytes());
        retained.truncate(self.chunk_start.index());
        self.lines.forget(self.chunk_start);
        self.lines
            .rebase(change.keep, &retained.as_bytes()[..change.keep.index()]);
        retained.drain(..change.keep.index());
        change.copied += if change.keep > BufferOffset::ZERO {
            retained.len()
        } else {
            0
        };
        core::mem::swap(&mut self.own, retained);
        retained.clear();
        self.is_own = true;
        self.chunk_start = BufferOffset::ZERO;
        self.stand_at(self.own.len());
        change.rebased();
    }
}
