//! Text inserted before the rest of the input, as `document.write` does. Each insertion is an `Input` of its own, and
//! the inputs form a stack: the current one is `self`, the others are in `beneath`, and the first of those is the one
//! that the program feeds.
//!
//! ```text
//! beneath:  [ the fed input ] [ first text, from its insertion point on ]      self: [ second text ]
//! ```
//!
//! Inserted text is UTF-8, whatever the encoding of the document. It is not part of the input as fed, so all its
//! characters have the position of the insertion point.

use super::Input;
use super::buffer_offset::BufferOffset;
use super::chunk::ChunkParts;
use super::held_text::{Change, HeldText};
use super::line_index::LineIndex;
use super::raw::Side;
use super::sniff::of_text;
use crate::engine::scan::Checked;
use alloc::string::String;
use core::mem::{replace, take};

impl Input {
    /// Returns the input that the program feeds.
    #[inline]
    pub(super) fn fed_to(&self) -> &Input {
        self.beneath.first().unwrap_or(self)
    }

    /// Returns the input that the program feeds, for changes.
    #[inline]
    pub(super) fn fed_to_mut(&mut self) -> &mut Input {
        match self.beneath.is_empty() {
            true => self,
            false => &mut self.beneath[0],
        }
    }

    /// Returns the number of bytes inserted so far.
    pub(crate) fn inserted(&self) -> u64 {
        self.inserted
    }

    /// Starts an insertion at the next byte to consume: text that is [inserted](Self::insert) from now on precedes all
    /// unconsumed input. The tokenizer must not need any consumed text. Returns the number of bytes discarded from the
    /// front of the buffered text, by which all offsets in it have to be rebased.
    pub(crate) fn begin_insertion(&mut self, retained: &mut String) -> u32 {
        let taken = self.taken();
        let lines = self.insertion_point(retained);
        self.forget_window(taken, retained);
        let mut front = Input {
            sizes: self.sizes,
            masks: take(&mut self.masks),
            text: self.text,
            inserted: self.inserted,
            lines,
            ..Input::new()
        };
        front.window.stride = self.sizes.cautious;
        front.chunks.is_text = Some(true);
        front.detection.sniffed = Some(of_text(b""));
        let mut beneath = replace(self, front);
        self.beneath = take(&mut beneath.beneath);
        self.beneath.push(beneath);
        taken.get()
    }

    /// Returns a line index in which every offset has the position of the next byte to consume.
    fn insertion_point(&self, retained: &str) -> LineIndex {
        let text = self.held_text(retained);
        let taken = self.taken();
        LineIndex::nowhere(text.offset(taken, Side::End), text.anchor(taken))
    }

    /// Discards the buffered text before `taken`, and the current window. The text after `taken` will be part of a
    /// later window. That text is moved to a shared chunk, from the front of which text can be removed without moving
    /// the rest, so that many insertions into one chunk do not copy the rest of the chunk each time.
    fn forget_window(&mut self, taken: BufferOffset, retained: &mut String) {
        self.text -= (self.window.to - self.window.at) as u64;
        self.lines.forget(taken);
        let text = self.current.as_str();
        self.lines.rebase(taken, &text.as_bytes()[..self.window.at]);
        if self.current.is_own {
            let rest = self.current.buffer.split_off(self.window.at);
            self.current.buffer.clear();
            self.current.shared = Checked::text(rest);
            self.current.is_own = false;
        } else {
            self.current.shared.drop_text(self.window.at);
        }
        retained.clear();
        self.current.start = BufferOffset::ZERO;
        self.set_empty_window(0);
    }

    /// Appends `text` to the current insertion.
    pub(crate) fn insert(&mut self, text: &str) {
        self.inserted += text.len() as u64;
        self.take(ChunkParts::text(text));
    }

    /// Ends the current insertion, all of which is consumed, and continues with the input below it on the stack. The
    /// text of the insertion from `keep` on is retained. Returns the number of bytes by which offsets in the buffered
    /// text have to be rebased, and the number of bytes copied.
    pub(crate) fn end_insertion(
        &mut self,
        keep: BufferOffset,
        retained: &mut String,
    ) -> (u32, usize) {
        let Some(mut rest) = self.beneath.pop() else {
            return (0, 0);
        };
        let mut ignore = |_: &HeldText<'_>, _| {};
        let mut change = Change::new(keep, &mut ignore);
        self.release(retained, &mut change);
        rest.current.start = BufferOffset::new(retained.len() as u32);
        rest.lines.follow(rest.current.start);
        rest.window.stride = rest.sizes.cautious;
        rest.masks = take(&mut self.masks);
        rest.masks.clear();
        rest.text = self.text;
        rest.inserted = self.inserted;
        rest.beneath = take(&mut self.beneath);
        let (by, copied) = (change.rebase, change.copied);
        *self = rest;
        (by, copied)
    }

    /// Discards all input that was not consumed, and marks the input as finished.
    pub(crate) fn abort(&mut self) {
        let (text, inserted) = (self.text, self.inserted);
        if !self.beneath.is_empty() {
            let outer = self.beneath.swap_remove(0);
            *self = outer;
        }
        (self.text, self.inserted) = (text, inserted);
        self.chunks.pending.clear();
        self.chunks.staged.clear();
        self.current.buffer.clear();
        self.current.shared = Checked::default();
        self.chunks.unread = 0;
        self.decoding.partial_length = 0;
        self.ill_formed.next_length = 0;
        self.current.is_own = true;
        self.chunks.is_finished = true;
    }
}
