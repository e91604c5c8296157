//! The effort of tests. `TAGSTREAM_EFFORT` is `quick` or `full`; the default is `quick`.

use crate::random::Random;
use std::sync::OnceLock;

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Fewer documents and fewer cuts: takes seconds.
    Quick,
    /// All tests that a change has to pass.
    Full,
}

impl Effort {
    /// Returns the effort that the environment variable sets.
    ///
    /// # Panics
    ///
    /// Panics if that is neither `quick` nor `full`.
    #[must_use]
    pub fn get() -> Effort {
        static SAID: OnceLock<Effort> = OnceLock::new();
        *SAID.get_or_init(|| match std::env::var("TAGSTREAM_EFFORT").as_deref() {
            Err(_) | Ok("" | "quick") => Effort::Quick,
            Ok("full") => Effort::Full,
            Ok(other) => panic!("TAGSTREAM_EFFORT is quick or full, not {other:?}"),
        })
    }

    /// Whether it is full.
    #[must_use]
    pub fn is_full() -> bool {
        Effort::get() == Effort::Full
    }

    /// The one or the other.
    #[must_use]
    pub fn choose<T>(quick: T, full: T) -> T {
        if Effort::is_full() { full } else { quick }
    }
}

/// Returns `length` in the full effort, and an eighth of it in the quick one.
#[must_use]
pub fn sized(length: usize) -> usize {
    Effort::choose(length / 8, length)
}

/// How many random documents of each seed: `TAGSTREAM_DOCUMENTS`, else by the effort.
#[must_use]
pub fn documents(quick: usize, full: usize) -> usize {
    let said = std::env::var("TAGSTREAM_DOCUMENTS").ok();
    said.map_or_else(
        || Effort::choose(quick, full),
        |said| said.parse().expect("TAGSTREAM_DOCUMENTS is a number"),
    )
}

/// The seed of random documents: the one of `TAGSTREAM_SEED`, which may say `fresh`, or else the fixed one. What
/// a change must pass is the same for every change; new documents are for the hand, before a release and after
/// work on a machine.
#[must_use]
pub fn seed(fixed: u64) -> u64 {
    Random::said_seed().unwrap_or(fixed)
}
