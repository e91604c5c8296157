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
        if self.is_own {
            // Discard consumed text only when it is most of the buffer, so that each byte is moved at most once.
            let keep = change.keep.index();
            if keep < self.own.len() && (keep < self.sizes.in_place || keep < self.own.len() / 2) {
                return;
            }
            self.notify_before_discard(retained, change);
            self.lines.rebase(change.keep, &self.own.as_bytes()[..keep]);
            self.own.drain(..keep);
            change.copied += self.own.len();
            self.stand_at(self.to - keep);
            change.rebased();
            return;
        }
        self.release(retained, change);
        core::mem::swap(&mut self.own, retained);
        retained.clear();
        self.shared = Checked::default();
        self.is_own = true;
        self.chunk_start = BufferOffset::ZERO;
        self.stand_at(self.own.len());
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
        let text = if self.is_own {
            &self.own
        } else {
            self.shared.as_str()
        };
        self.lines.border(text.as_bytes(), self.chunk_start);
        if self.is_own {
            let dropped = &self.own[..keep.index()];
            self.lines.rebase(keep, dropped.as_bytes());
            self.own.drain(..keep.index());
            change.copied += if keep > BufferOffset::ZERO {
                self.own.len()
            } else {
                0
            };
            core::mem::swap(&mut self.own, retained);
            self.own.clear();
        } else if keep >= self.chunk_start {
            let (dropped, kept) = self
                .shared
                .as_str()
                .split_at(keep.index_from(self.chunk_start));
            self.lines.rebase(keep, dropped.as_bytes());
            retained.clear();
            retained.push_str(kept);
            change.copied += kept.len();
        } else {
            retained.truncate(self.chunk_start.index());
            self.lines
                .rebase(keep, &retained.as_bytes()[..keep.index()]);
            if keep > BufferOffset::ZERO {
                retained.drain(..keep.index());
                change.copied += retained.len();
            }
            retained.push_str(self.shared.as_str());
            change.copied += self.shared.valid();
        }
        self.stand_at(0);
        change.rebased();
    }
}
