//! A counter of the matching steps that were done, which tests use to check that matching takes linear time. Without
//! the feature `inspect` the counter does nothing.

use core::cell::Cell;

/// A counter of steps that can be incremented through a shared reference.
#[derive(Clone, Debug, Default)]
pub(super) struct Count {
    /// Number of steps so far.
    steps: Cell<u64>,
}

impl Count {
    /// Adds a number of steps, if the feature `inspect` is on.
    #[inline(always)]
    pub(super) fn add(&self, steps: u64) {
        if cfg!(feature = "inspect") {
            self.steps.set(self.steps.get() + steps);
        }
    }

    /// Returns the number of steps so far.
    #[cfg(feature = "inspect")]
    pub(super) fn get(&self) -> u64 {
        self.steps.get()
    }
}
