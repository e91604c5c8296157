//! A cache of the position that was requested last, which can be updated through a shared reference.

use super::anchor::Anchor;
use super::buffer_offset::BufferOffset;
use super::shared_cell::SharedCell;

/// A cached position: line, column and UTF-16 column of one offset in the buffered text.
///
/// Each of the three numbers has the offset in its upper 32 bits. If two threads store at the same time, a reader can
/// therefore detect that the numbers belong to different positions.
#[derive(Debug)]
pub(super) struct Latest([SharedCell; 3]);

impl Latest {
    /// Value of an empty cache. No position has this offset.
    const NOTHING: u64 = u64::MAX;

    /// Creates an empty cache.
    pub(super) const fn new() -> Latest {
        Latest([const { SharedCell::new(Latest::NOTHING) }; 3])
    }

    /// Returns the cached position, or `None` if the cache is empty. The cache stores line numbers relative to the line
    /// `first`, so that they need fewer bits.
    #[inline(always)]
    pub(super) fn get(&self, first: u64) -> Option<Anchor> {
        let [line, column, utf16] = [0, 1, 2].map(|part| self.0[part].get());
        let is_one = ((line ^ column) | (line ^ utf16)) >> 32 == 0 && line != Latest::NOTHING;
        is_one.then_some(Anchor {
            mark: BufferOffset::new((line >> 32) as u32),
            line: first + (line & 0xFFFF_FFFF),
            column: column & 0xFFFF_FFFF,
            column_utf16: utf16 & 0xFFFF_FFFF,
            after_cr: false,
        })
    }

    /// Stores a position, if its numbers fit into 32 bits and the position is not between a CR and its LF. `first` is
    /// the line from which stored line numbers count.
    #[inline(always)]
    pub(super) fn set(&self, place: &Anchor, first: u64) {
        let line = place.line - first;
        // `column` is never larger than `column_utf16`, so it needs no check.
        if (line | place.column_utf16) >> 32 == 0 && !place.after_cr {
            let mark = u64::from(place.mark.get()) << 32;
            for (kept, part) in self.0.iter().zip([line, place.column, place.column_utf16]) {
                kept.set(mark | part);
            }
        }
    }
}

impl Clone for Latest {
    fn clone(&self) -> Latest {
        Latest::new()
    }
}
