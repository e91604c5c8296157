//! A cache of the position that was requested last, which can be updated through a shared reference.

use super::BufferOffset;
use super::line_index::Anchor;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

/// A cached position: line, column and UTF-16 column of one offset in the buffered text.
///
/// Each of the three numbers has the offset in its upper 32 bits. If two threads store at the same time, a reader can
/// therefore detect that the numbers belong to different positions.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub(super) struct Latest([AtomicU64; 3]);

#[cfg(target_has_atomic = "64")]
impl Latest {
    /// Value of an empty cache. No position has this offset.
    const NOTHING: u64 = u64::MAX;

    /// Returns the cached position, or `None`. Lines are stored relative to the line `first`.
    #[inline(always)]
    pub(super) fn get(&self, first: u64) -> Option<Anchor> {
        let [line, column, utf16] = [0, 1, 2].map(|part| self.0[part].load(Ordering::Relaxed));
        let is_one = ((line ^ column) | (line ^ utf16)) >> 32 == 0 && line != Latest::NOTHING;
        is_one.then_some(Anchor {
            mark: BufferOffset::new((line >> 32) as u32),
            line: first + (line & 0xFFFF_FFFF),
            column: column & 0xFFFF_FFFF,
            column_utf16: utf16 & 0xFFFF_FFFF,
            after_cr: false,
        })
    }

    /// Stores a position if its numbers fit into 32 bits and it is not in the middle of a CR LF.
    #[inline(always)]
    pub(super) fn set(&self, place: &Anchor, first: u64) {
        let line = place.line - first;
        // `column` is never larger than `column_utf16`, so it needs no check.
        if (line | place.column_utf16) >> 32 == 0 && !place.after_cr {
            let mark = u64::from(place.mark.get()) << 32;
            for (kept, part) in self.0.iter().zip([line, place.column, place.column_utf16]) {
                kept.store(mark | part, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(target_has_atomic = "64")]
impl Default for Latest {
    fn default() -> Latest {
        Latest([const { AtomicU64::new(Latest::NOTHING) }; 3])
    }
}

#[cfg(target_has_atomic = "64")]
impl Clone for Latest {
    fn clone(&self) -> Latest {
        Latest::default()
    }
}

/// Without 64-bit atomics nothing is cached.
#[cfg(not(target_has_atomic = "64"))]
#[derive(Clone, Debug, Default)]
pub(super) struct Latest;

#[cfg(not(target_has_atomic = "64"))]
impl Latest {
    pub(super) fn get(&self, _: u64) -> Option<Anchor> {
        None
    }

    pub(super) fn set(&self, _: &Anchor, _: u64) {}
}
