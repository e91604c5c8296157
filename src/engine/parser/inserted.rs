//! Insertion of text before the rest of the input, as a script does with `document.write`: see
//! [`TreeBuilder::write`](crate::TreeBuilder). Before an insertion, all events must have been returned, and no token
//! may be unfinished.

use super::Parser;
use crate::engine::dialect::{Dialect, Form};
use crate::engine::tokenizer::Tokenizer;

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Starts an insertion: text that is inserted from now on precedes all input that was not read yet.
    pub(crate) fn begin_insertion(&mut self) {
        self.forget_batch();
        let (input, queue) = (&mut self.data.input, &mut self.data.queue);
        debug_assert!(self.machine.keep(input.taken()) == input.taken());
        let by = input.begin_insertion(&mut queue.retained);
        self.machine.rebase_all(by);
    }

    /// Appends text to the current insertion.
    pub(crate) fn insert(&mut self, text: &str) {
        self.data.input.insert(text);
        self.wake();
    }

    /// Ends the current insertion, which is completely read, and continues with the input after it.
    pub(crate) fn end_insertion(&mut self) {
        self.forget_batch();
        let (input, queue) = (&mut self.data.input, &mut self.data.queue);
        let keep = self.machine.keep(input.end());
        let (by, copied) = input.end_insertion(keep, &mut queue.retained);
        queue.work.copied += copied as u64;
        for attribute in &mut queue.attributes {
            attribute.rebase(by);
        }
        self.machine.rebase_all(by);
        self.wake();
    }

    /// Aborts the parse at the current position. No end-of-file token is processed.
    pub(crate) fn abort(&mut self) {
        self.forget_batch();
        self.data.input.abort();
        self.machine.abort();
        self.wake();
    }

    /// Discards the current batch, including the current event.
    fn forget_batch(&mut self) {
        self.retained_event = None;
        self.is_past = true;
        self.clear();
    }
}
