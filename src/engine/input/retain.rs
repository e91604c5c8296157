//! Retained bytes: buffered text that is still needed when the current chunk is replaced by the next one.

use super::held_text::{BeforeDiscard, HeldText};
use super::{BufferOffset, Input};
use crate::engine::scan::Checked;
use alloc::string::String;

/// Arguments and results of one call of [`Input::advance`].
pub(super) struct Change<'l> {
    pub(super) keep: BufferOffset,
    pub(super) rebase: u32,
    pub(super) copied: usize,
    pub(super) leaving: &'l mut dyn BeforeDiscard,
}

impl Change<'_> {
    /// Records that the buffered text before `keep` was discarded.
    pub(super) fn rebased(&mut self) {
        self.rebase += self.keep.get();
        self.keep = BufferOffset::ZERO;
    }
}

impl Input {
    /// Makes `own` the current chunk, with the buffered text from `keep` on in it.
    pub(super) fn hold(&mut self, retained: &mut String, change: &mut Change<'_>) {
        if self.current.is_own {
            // Discard consumed text only when it is most of the buffer, so that each byte is moved at most once.
            let keep = change.keep.index();
            if keep < self.current.buffer.len()
                && (keep < self.sizes.in_place || keep < self.current.buffer.len() / 2)
            {
                return;
            }
            self.notify_before_discard(retained, change);
            self.lines
                .rebase(change.keep, &self.current.buffer.as_bytes()[..keep]);
            self.current.buffer.drain(..keep);
            change.copied += self.current.buffer.len();
            self.stand_at(self.window.to - keep);
            change.rebased();
            return;
        }
        self.release(retained, change);
        core::mem::swap(&mut self.current.buffer, retained);
        retained.clear();
        self.current.shared = Checked::default();
        self.current.is_own = true;
        self.current.start = BufferOffset::ZERO;
        self.stand_at(self.current.buffer.len());
    }

    /// Calls `leaving` for the text before `keep`, before that text is discarded.
    pub(super) fn notify_before_discard(&self, retained: &str, change: &mut Change<'_>) {
        change.leaving.leave(&self.held_text(retained), change.keep);
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
        self.stand_at(0);
        change.rebased();
    }
}
