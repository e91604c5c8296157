//! Retained bytes: buffered text that is still needed when the current chunk is replaced by the next one.
//!
//! A tokenizer that consumed text on trial gives it back to the input with [`Input::rewind`]. Only MicroXML
//! does this, because its grammar requires it.

use super::buffer_offset::BufferOffset;
use super::held_text::{BeforeDiscard, Change, HeldText};
use super::{Advance, Input, Supply};
use crate::engine::scan::{ByteClasses, Checked};
use alloc::string::String;

impl Input {
    /// Makes `buffer` the current chunk, and moves the buffered text from `change.keep` on into it.
    pub(super) fn hold(&mut self, retained: &mut String, change: &mut Change<'_>) {
        if self.current.is_own {
            // Discard consumed text only when it is most of the buffer, so that each byte is moved at most once.
            let (keep, length) = (change.keep.index(), self.current.buffer.len());
            let is_much = keep >= self.sizes.in_place && keep >= length / 2;
            if length == 0 || (keep < length && !is_much) {
                return;
            }
            self.notify_before_discard(retained, change);
            self.lines
                .rebase(change.keep, &self.current.buffer.as_bytes()[..keep]);
            self.current.buffer.drain(..keep);
            change.copied += self.current.buffer.len();
            self.set_empty_window(self.window.to - keep);
            change.rebased();
            return;
        }
        self.release(retained, change);
        core::mem::swap(&mut self.current.buffer, retained);
        retained.clear();
        self.current.shared = Checked::default();
        self.current.is_own = true;
        self.current.start = BufferOffset::ZERO;
        self.set_empty_window(self.current.buffer.len());
    }

    /// Calls the callback of `change`. Must be called before the text that precedes `change.keep` is discarded.
    pub(super) fn notify_before_discard(&self, retained: &str, change: &mut Change<'_>) {
        (change.before_discard)(&self.held_text(retained), change.keep);
    }

    /// Returns the buffered text: the retained bytes and the current chunk.
    pub(super) fn held_text<'a>(&'a self, retained: &'a str) -> HeldText<'a> {
        let (chunk, chunk_start) = self.chunk();
        HeldText {
            lines: &self.lines,
            retained,
            chunk,
            chunk_start,
        }
    }

    /// Moves the buffered text from `keep` on to the retained bytes. The caller then replaces the current chunk.
    pub(super) fn release(&mut self, retained: &mut String, change: &mut Change<'_>) {
        let keep = change.keep;
        self.notify_before_discard(retained, change);
        let text = self.current.as_str();
        self.lines.border(text.as_bytes(), self.current.start);
        if self.current.is_own {
            let dropped = &self.current.buffer[..keep.index()];
            self.lines.rebase(keep, dropped.as_bytes());
            self.current.buffer.drain(..keep.index());
            change.copied += if keep > BufferOffset::ZERO {
                self.current.buffer.len()
            } else {
                0
            };
            core::mem::swap(&mut self.current.buffer, retained);
            self.current.buffer.clear();
        } else if keep >= self.current.start {
            let (dropped, kept) = self
                .current
                .shared
                .as_str()
                .split_at(keep.index_from(self.current.start));
            self.lines.rebase(keep, dropped.as_bytes());
            retained.clear();
            retained.push_str(kept);
            change.copied += kept.len();
        } else {
            retained.truncate(self.current.start.index());
            self.lines
                .rebase(keep, &retained.as_bytes()[..keep.index()]);
            if keep > BufferOffset::ZERO {
                retained.drain(..keep.index());
                change.copied += retained.len();
            }
            retained.push_str(self.current.shared.as_str());
            change.copied += self.current.shared.valid();
        }
        self.set_empty_window(0);
        change.rebased();
    }
}

impl Input {
    /// Moves the next byte to consume back to `to`, which must still be buffered. The text from `keep` on is
    /// retained. No event in the queue may refer to the text after `to`.
    pub(crate) fn rewind(
        &mut self,
        to: BufferOffset,
        keep: BufferOffset,
        retained: &mut String,
        classes: ByteClasses,
        before_discard: &mut BeforeDiscard<'_>,
    ) -> Advance {
        let mut change = Change::new(keep, before_discard);
        if to >= self.current.start {
            self.window.from = to.index_from(self.current.start);
        } else if self.decoding.partial_length == 0 && self.ill_formed.next_length == 0 {
            self.unread(retained, &mut change);
            self.window.from = to.index_from(keep);
        } else {
            // Merge the consumed part of the chunk with the retained text in `buffer`. The rest of the chunk, if any,
            // is already pending.
            self.hold(retained, &mut change);
            self.window.from = (to - change.rebase).index();
        }
        self.window.at = self.window.from;
        let text = self.current.as_str();
        (classes.classify)(
            &text.as_bytes()[self.window.from..self.window.to],
            &mut self.masks,
        );
        Advance {
            supply: Supply::Window,
            rebase: change.rebase,
            copied: change.copied,
        }
    }

    /// Puts the current chunk back in front of the pending chunks, as if it had not been validated. The retained bytes
    /// from `change.keep` on become the content of `buffer`.
    fn unread(&mut self, retained: &mut String, change: &mut Change<'_>) {
        self.notify_before_discard(retained, change);
        let chunk = core::mem::take(&mut self.current.shared);
        self.chunks.unread += chunk.valid();
        self.text -= chunk.valid() as u64;
        self.chunks.pending.push_front(chunk.into_bytes());
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
        self.set_empty_window(self.current.buffer.len());
        change.rebased();
    }
}
