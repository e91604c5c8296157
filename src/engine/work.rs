//! Counter of work on the current thread, for tests: bytes compared, searched or copied, and steps of loops that could
//! be quadratic. The feature `inspect` switches it on; without it every call compiles to nothing.
//!
//! The parser counts its own work in [`Stats`](crate::Stats). The rewriter, the writer and the serializers have no state
//! that outlives all their parts, so they share this counter.

#[cfg(feature = "inspect")]
std::thread_local! {
    static WORK: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// Adds to the counter.
#[inline(always)]
pub(crate) fn count(amount: usize) {
    #[cfg(feature = "inspect")]
    WORK.set(WORK.get() + amount as u64);
    #[cfg(not(feature = "inspect"))]
    let _ = amount;
}

/// For tests only: the work counted on this thread since it started.
#[cfg(feature = "inspect")]
#[doc(hidden)]
#[must_use]
pub fn inspect_work() -> u64 {
    WORK.get()
}
