//! Validation of the buffered text and of the batch that were loaded from a checkpoint.

use super::ParserData;
use super::queue::Queue;
use crate::checkpoint::Damaged;

impl ParserData {
    /// Returns an error if loaded indices and offsets are out of range.
    pub(super) fn validate(&mut self) -> Result<(), Damaged> {
        match self.input.is_valid(&self.queue.retained) && self.queue.is_valid() {
            true => Ok(()),
            false => Err(Damaged),
        }
    }
}

impl Queue {
    /// Returns true if the indices are in range.
    fn is_valid(&self) -> bool {
        self.head <= self.records.len()
            && self.open as usize <= self.attributes.len()
            && self.unfinished.index() <= self.scratch.len()
    }
}
