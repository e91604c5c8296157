//! Text that comes before the rest of the input, as `document.write` puts it there: an input of its own in front of
//! those that wait, the first of which is what is fed. It must not know who writes, nor what a token is.
//!
//! ```text
//! beneath:  [ what is fed ] [ first text, from its insertion point on ]      self: [ second text ]
//! ```
//!
//! It is UTF-8, whatever the rest is in, and has no place of its own: its places are that of its insertion point.

#[cfg(feature = "html")]
use super::chunk::Given;
#[cfg(feature = "html")]
use super::line_index::LineIndex;
#[cfg(feature = "html")]
use super::raw::Side;
#[cfg(feature = "html")]
use super::sniff::of_text;
use super::{Change, Input, Mark};
#[cfg(feature = "html")]
use crate::scan::Checked;
use alloc::string::String;
use core::mem::{replace, take};

impl Input {
    /// The input that is fed.
    #[inline]
    pub(super) fn fed_to(&self) -> &Input {
        self.beneath.first().unwrap_or(self)
    }

    /// The same, to be fed.
    #[inline]
    pub(super) fn fed_to_mut(&mut self) -> &mut Input {
        match self.beneath.is_empty() {
            true => self,
            false => &mut self.beneath[0],
        }
    }

    /// Bytes inserted so far.
    pub(crate) fn inserted(&self) -> u64 {
        self.inserted
    }

    /// Lets what is [inserted](Self::insert) from now on come before all that was not taken yet. Nothing of what
    /// was taken may be held. Gives the mark that became mark 0.
    #[cfg(feature = "html")]
    pub(crate) fn begin_insertion(&mut self, retained: &mut String) -> u32 {
        let taken = self.taken();
        let lines = self.insertion_point(retained);
        self.forget_window(taken, retained);
        let front = Input {
            sizes: self.sizes,
            stride: self.sizes.cautious,
            is_text: Some(true),
            sniffed: Some(of_text(b"")),
            masks: take(&mut self.masks),
            text: self.text,
            inserted: self.inserted,
            lines,
            ..Input::new()
        };
        let mut beneath = replace(self, front);
        self.beneath = take(&mut beneath.beneath);
        self.beneath.push(beneath);
        taken.get()
    }

    /// The places of what has none but that of the byte that is to be taken next.
    #[cfg(feature = "html")]
    fn insertion_point(&self, retained: &str) -> LineIndex {
        let text = self.held_text(retained);
        let taken = self.taken();
        LineIndex::nowhere(text.offset(taken, Side::End), text.anchor(taken))
    }

    /// Nothing before the mark `taken` is held any more, and what follows it is looked at again. It is lent from a
    /// chunk, of which a beginning goes without the rest being moved, however often that happens.
    #[cfg(feature = "html")]
    fn forget_window(&mut self, taken: Mark, retained: &mut String) {
        self.text -= (self.to - self.at) as u64;
        self.lines.forget(taken);
        let text = match self.is_own {
            true => &self.own,
            false => self.shared.as_str(),
        };
        self.lines.rebase(taken, &text.as_bytes()[..self.at]);
        if self.is_own {
            let rest = self.own.split_off(self.at);
            self.own.clear();
            self.shared = Checked::text(rest);
            self.is_own = false;
        } else {
            self.shared.drop_text(self.at);
        }
        retained.clear();
        self.shift = Mark::ZERO;
        self.stand_at(0);
    }

    /// Takes text that comes before the rest.
    #[cfg(feature = "html")]
    pub(crate) fn insert(&mut self, text: &str) {
        self.inserted += text.len() as u64;
        self.take(Given::text(text));
    }

    /// What was inserted since the insertion began has all been taken, and the rest follows; what is held of it from
    /// the mark `keep` on stays so. Gives the mark that became mark 0, and how many bytes were copied.
    pub(crate) fn end_insertion(&mut self, keep: Mark, retained: &mut String) -> (u32, usize) {
        let Some(mut rest) = self.beneath.pop() else {
            return (0, 0);
        };
        let mut change = Change {
            keep,
            rebase: 0,
            copied: 0,
            leaving: &mut (),
        };
        self.release(retained, &mut change);
        rest.shift = Mark::new(retained.len() as u32);
        rest.lines.follow(rest.shift);
        rest.stride = rest.sizes.cautious;
        rest.masks = take(&mut self.masks);
        rest.masks.clear();
        rest.text = self.text;
        rest.inserted = self.inserted;
        rest.beneath = take(&mut self.beneath);
        let (by, copied) = (change.rebase, change.copied);
        *self = rest;
        (by, copied)
    }

    /// Nothing that waits is read, nor what is fed.
    #[cfg(feature = "html")]
    pub(crate) fn abort(&mut self) {
        let (text, inserted) = (self.text, self.inserted);
        if !self.beneath.is_empty() {
            let fed = self.beneath.swap_remove(0);
            *self = fed;
        }
        (self.text, self.inserted) = (text, inserted);
        self.pending.clear();
        self.staged.clear();
        self.own.clear();
        self.shared = Checked::default();
        self.unread = 0;
        self.tail_length = 0;
        self.ill_formed = 0;
        self.is_own = true;
        self.finished = true;
    }
}
