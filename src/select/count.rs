//! A counter of work (steps of matching) for tests. Without the feature `inspect` the counter does nothing.

use core::cell::Cell;

/// Number of steps done so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Count {
    steps: Cell<u64>,
}

impl Count {
    #[inline(always)]
    pub(super) fn add(&self, steps: u64) {
        if cfg!(feature = "inspect") {
            self.steps.set(self.steps.get() + steps);
        }
    }

    #[cfg(feature = "inspect")]
    pub(super) fn get(&self) -> u64 {
        self.steps.get()
    }
}
