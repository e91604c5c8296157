//! A counter of work (steps of matching) for tests. Without the feature `inspect` the counter does nothing.

#[cfg(feature = "inspect")]
use core::cell::Cell;

/// Number of steps done so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Count {
    #[cfg(feature = "inspect")]
    steps: Cell<u64>,
}

impl Count {
    #[inline(always)]
    pub(super) fn add(&self, steps: u64) {
        #[cfg(feature = "inspect")]
        self.steps.set(self.steps.get() + steps);
        #[cfg(not(feature = "inspect"))]
        let _ = steps;
    }

    #[cfg(feature = "inspect")]
    pub(super) fn get(&self) -> u64 {
        self.steps.get()
    }
}
