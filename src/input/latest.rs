//! The place that was asked for last, kept by those who may only read. It must not know how places are
//! counted.

use super::Mark;
use super::line_index::Anchor;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

/// A place, mark by mark.
///
/// Each number holds the mark beside its part of the place, so that parts of two places, written at the
/// same time, are never taken for one.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub(super) struct Latest([AtomicU64; 3]);

#[cfg(target_has_atomic = "64")]
impl Latest {
    /// No place has such a mark.
    const NOTHING: u64 = u64::MAX;

    /// The place, if one is kept; lines are counted from `first`.
    #[inline(always)]
    pub(super) fn get(&self, first: u64) -> Option<Anchor> {
        let [line, column, utf16] = [0, 1, 2].map(|part| self.0[part].load(Ordering::Relaxed));
        let is_one = ((line ^ column) | (line ^ utf16)) >> 32 == 0 && line != Latest::NOTHING;
        is_one.then_some(Anchor {
            mark: Mark::new((line >> 32) as u32),
            line: first + (line & 0xFFFF_FFFF),
            column: column & 0xFFFF_FFFF,
            column_utf16: utf16 & 0xFFFF_FFFF,
            after_cr: false,
        })
    }

    /// Keeps a place, if its numbers are as small as they mostly are; one in the middle of a line end is
    /// not worth it.
    #[inline(always)]
    pub(super) fn set(&self, place: &Anchor, first: u64) {
        let line = place.line - first;
        // No character has fewer units than it is.
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

/// Where there are no such numbers, no place is kept.
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
