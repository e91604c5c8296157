//! The masks of a window.

use alloc::vec::Vec;
use core::ops::Deref;

/// Maximum number of masks that need no allocated memory: those of four blocks of 64 bytes in XML.
const MAX_INLINE_MASKS: usize = 20;

/// The masks of a window. Those of a short window are in an array, because most chunks and documents are short.
#[derive(Clone, Debug)]
pub struct Masks {
    /// Number of masks. They are in `short` if they fit, otherwise in `long`.
    count: usize,
    short: [u64; MAX_INLINE_MASKS],
    /// Memory for the masks of the longest window so far, of which the first `count` masks are used.
    long: Vec<u64>,
}

impl Default for Masks {
    fn default() -> Masks {
        Masks::new()
    }
}

impl Deref for Masks {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        let masks = match self.count <= MAX_INLINE_MASKS {
            true => self.short.get(..self.count),
            false => self.long.get(..self.count),
        };
        masks.unwrap_or_default()
    }
}

impl Masks {
    /// Returns an empty list.
    pub(crate) const fn new() -> Masks {
        Masks {
            count: 0,
            short: [0; MAX_INLINE_MASKS],
            long: Vec::new(),
        }
    }

    /// Removes all masks.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Makes the list one of `count` masks, and returns them. The caller has to set all of them.
    #[inline(always)]
    pub(super) fn of_length(&mut self, count: usize) -> &mut [u64] {
        self.count = count;
        if count <= MAX_INLINE_MASKS {
            return &mut self.short[..count];
        }
        // PERF: the list never gets shorter, so that its memory is set to zero once and not for each window.
        if self.long.len() < count {
            self.long.resize(count, 0);
        }
        &mut self.long[..count]
    }
}

crate::checkpoint::checkpointable! {
    struct Masks { count, short, long }
}
