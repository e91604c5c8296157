//! A random number generator for tests. The numbers depend only on the seed.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// A small pseudo-random number generator: splitmix64.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns the seed in `TAGSTREAM_SEED`: a number, or a different one in each run if the variable is `fresh`. The
    /// tests print the seed.
    ///
    /// # Panics
    ///
    /// Panics if the variable is neither.
    #[must_use]
    pub fn said_seed() -> Option<u64> {
        static SAID: OnceLock<Option<u64>> = OnceLock::new();
        *SAID.get_or_init(|| match std::env::var("TAGSTREAM_SEED").as_deref() {
            Err(_) => None,
            Ok("fresh") => {
                let clock = SystemTime::now().duration_since(UNIX_EPOCH);
                Some(clock.map_or(1, |time| time.as_nanos() as u64))
            }
            Ok(said) => Some(
                said.parse()
                    .expect("TAGSTREAM_SEED is a number, or `fresh`"),
            ),
        })
    }

    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    /// Returns an item of a list that is not empty.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    /// Returns true with a probability of `often` in a hundred.
    pub fn percent(&mut self, often: usize) -> bool {
        self.below(100) < often
    }

    /// Returns true with a probability of one in `many`.
    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}
