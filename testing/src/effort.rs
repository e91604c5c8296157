//! The effort of tests. `TAGSTREAM_EFFORT` is `quick`, `medium` or `full`; the default is `quick`.

use crate::random::Random;
use std::sync::OnceLock;

/// The effort of a test run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Fewer documents and fewer cuts. The tests take seconds.
    Quick,
    /// The cuts of the quick effort, with a third of the random documents of the full one.
    Medium,
    /// All tests that a change must pass.
    Full,
}

impl Effort {
    /// Returns the effort that the environment variable sets.
    ///
    /// # Panics
    ///
    /// Panics if the variable is none of `quick`, `medium` and `full`.
    #[must_use]
    pub fn get() -> Effort {
        static SAID: OnceLock<Effort> = OnceLock::new();
        *SAID.get_or_init(|| match std::env::var("TAGSTREAM_EFFORT").as_deref() {
            Err(_) | Ok("" | "quick") => Effort::Quick,
            Ok("medium") => Effort::Medium,
            Ok("full") => Effort::Full,
            Ok(other) => panic!("TAGSTREAM_EFFORT is quick, medium or full, not {other:?}"),
        })
    }

    /// Returns whether the effort is full.
    #[must_use]
    pub fn is_full() -> bool {
        Effort::get() == Effort::Full
    }

    /// Returns the second value in the full effort, and the first in the others.
    #[must_use]
    pub fn choose<T>(quick: T, full: T) -> T {
        if Effort::is_full() { full } else { quick }
    }
}

/// Returns `length` in the full effort, and an eighth of it in the others.
#[must_use]
pub fn sized(length: usize) -> usize {
    Effort::choose(length / 8, length)
}

/// Returns the number of random documents of each seed: `TAGSTREAM_DOCUMENTS`, or else the one of the effort.
#[must_use]
pub fn documents(quick: usize, full: usize) -> usize {
    let said = std::env::var("TAGSTREAM_DOCUMENTS").ok();
    said.map_or_else(
        || match Effort::get() {
            Effort::Quick => quick,
            Effort::Medium => quick.max(full / 3),
            Effort::Full => full,
        },
        |said| said.parse().expect("TAGSTREAM_DOCUMENTS is a number"),
    )
}

/// Returns the seed of random documents: that of `TAGSTREAM_SEED`, which may be `fresh`, or else the fixed one. With
/// the fixed seed, every change must pass the same tests. New documents are meant for manual runs, before a release and
/// after changes to a tokenizer.
#[must_use]
pub fn seed(fixed: u64) -> u64 {
    Random::said_seed().unwrap_or(fixed)
}
