//! A number that can be updated through a shared reference. On targets without 64-bit atomics it never changes, so it
//! is for caches and counters only.

pub(crate) use cell::SharedCell;

#[cfg(target_has_atomic = "64")]
mod cell {
    use core::sync::atomic::{AtomicU64, Ordering};

    /// A number that threads share. Updates of several cells have no order.
    #[derive(Debug, Default)]
    pub(crate) struct SharedCell(AtomicU64);

    impl SharedCell {
        pub(crate) const fn new(value: u64) -> SharedCell {
            SharedCell(AtomicU64::new(value))
        }

        #[inline(always)]
        pub(crate) fn get(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }

        #[inline(always)]
        pub(crate) fn set(&self, value: u64) {
            self.0.store(value, Ordering::Relaxed);
        }

        pub(crate) fn add(&self, more: u64) {
            self.0.fetch_add(more, Ordering::Relaxed);
        }
    }
}

#[cfg(not(target_has_atomic = "64"))]
mod cell {
    /// A number that keeps its first value.
    #[derive(Debug, Default)]
    pub(crate) struct SharedCell(u64);

    impl SharedCell {
        pub(crate) const fn new(value: u64) -> SharedCell {
            SharedCell(value)
        }

        pub(crate) fn get(&self) -> u64 {
            self.0
        }

        pub(crate) fn set(&self, _: u64) {}

        pub(crate) fn add(&self, _: u64) {}
    }
}
