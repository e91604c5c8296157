//! Work, counted where tests ask for it: the feature `inspect`. Elsewhere it is nothing.

#[cfg(feature = "inspect")]
use core::cell::Cell;

/// A number of steps.
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
