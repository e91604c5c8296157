//! Whether an end tag that fits nothing near would find its element further down: the names of open
//! elements, counted from the first such question on. It must not know what end tags do.
//!
//! An element is found only while nothing of a certain kind stands above it: a special element where
//! it is one of HTML, an element of HTML where it is foreign. So the names are counted for each
//! nearest such frame.

use super::stack::{Frame, FrameId, Space};
use crate::seeds::Seeds;
use hashbrown::HashMap;

/// What is counted: the nearest frame that ends the search, the name, and whether it is foreign.
type Key = (FrameId, u32, bool);

/// The counts, once somebody has asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    counts: Option<HashMap<Key, u32, Seeds>>,
}

impl Ends {
    pub(super) fn is_counting(&self) -> bool {
        self.counts.is_some()
    }

    /// Begins to count.
    pub(super) fn count(&mut self) {
        self.counts = Some(HashMap::default());
    }

    /// A frame is opened.
    #[inline(always)]
    pub(super) fn open<H: Copy>(&mut self, frame: &Frame<H>) {
        if let Some(counts) = &mut self.counts {
            *counts.entry(key(frame)).or_insert(0) += 1;
        }
    }

    /// A frame is closed.
    #[inline(always)]
    pub(super) fn close<H: Copy>(&mut self, frame: &Frame<H>) {
        if self.counts.is_some() {
            self.uncount(key(frame));
        }
    }

    #[cold]
    fn uncount(&mut self, key: Key) {
        let Some(counts) = &mut self.counts else {
            return;
        };
        if let Some(count) = counts.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&key);
            }
        }
    }

    /// Whether there is such a frame.
    pub(super) fn has(&self, last: FrameId, name: u32, foreign: bool) -> bool {
        self.counts
            .as_ref()
            .is_some_and(|counts| counts.contains_key(&(last, name, foreign)))
    }
}

fn key<H: Copy>(frame: &Frame<H>) -> Key {
    match frame.space {
        Space::Html => (frame.summary.special, frame.name, false),
        Space::Svg | Space::Math => (frame.summary.html, frame.name, true),
    }
}
