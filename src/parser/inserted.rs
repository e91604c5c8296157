//! What comes before the rest of the input, as a script writes it: see [`TreeBuilder::write`](crate::TreeBuilder). All
//! events before it have been lent, and no token is being read where it begins.

use super::Parser;
use crate::dialect::{Dialect, Machine};

impl<D: Dialect> Parser<D> {
    /// Lets what is inserted from now on come before what was not read yet.
    #[cfg(feature = "html")]
    pub(crate) fn begin_insertion(&mut self) {
        self.forget_batch();
        let (input, queue) = (&mut self.held.input, &mut self.held.queue);
        debug_assert!(self.machine.keep(input.taken()) == input.taken());
        let by = input.begin_insertion(&mut queue.retained);
        self.machine.rebase_marks(by);
    }

    /// Takes text that comes before the rest.
    #[cfg(feature = "html")]
    pub(crate) fn insert(&mut self, text: &str) {
        self.held.input.insert(text);
        self.wake();
    }

    /// What was inserted has all been read, and the rest follows.
    pub(crate) fn end_insertion(&mut self) {
        self.forget_batch();
        let (input, queue) = (&mut self.held.input, &mut self.held.queue);
        let keep = self.machine.keep(input.end());
        let (by, copied) = input.end_insertion(keep, &mut queue.retained);
        queue.work.copied += copied as u64;
        for attribute in &mut queue.attributes {
            attribute.rebase(by);
        }
        self.machine.rebase_marks(by);
        self.wake();
    }

    /// How many insertions have begun and not ended.
    #[cfg(feature = "checkpoints")]
    pub(crate) fn insertions(&self) -> usize {
        self.held.input.insertions()
    }

    /// Ends the input where it was read up to, without a word.
    #[cfg(feature = "html")]
    pub(crate) fn abort(&mut self) {
        self.forget_batch();
        self.held.input.abort();
        self.machine.abort();
    }

    /// The events of the batch are there no more, even the one in hand.
    fn forget_batch(&mut self) {
        self.in_hand = None;
        self.is_past = true;
        self.clear();
    }
}
