//! Sizes of windows, chunks and batches. They are chosen for speed, and the events never depend on them. With the
//! feature `inspect`, tests set small sizes, so that short documents reach every boundary.

#[cfg(feature = "checkpoints")]
use crate::checkpoint::{Checkpointable, Damaged, Reader, Writer};
use core::ops::Deref;

/// Sizes that a parser works with, in bytes unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Maximum length of a window. It limits the size of the masks, so that they stay in the first-level cache.
    pub window: usize,
    /// Maximum length of the first window after an ill-formed sequence. Ill-formed sequences come in clusters, and
    /// validation beyond the next one would be repeated.
    pub cautious: usize,
    /// Minimum length of a chunk that is parsed in place. Shorter chunks are appended to the input's own buffer, and
    /// so are chunks shorter than the text that is already retained. Consumed text is removed from that buffer only
    /// when there are at least this many bytes of it.
    pub in_place: usize,
    /// Maximum length of a chunk. Longer chunks are split, so that offsets in the buffered text fit into 32 bits.
    pub part: usize,
    /// Distance between two anchors of the line index, from which lines and columns are counted.
    pub lines: usize,
    /// Length of the windows in which the replacement text of an entity is parsed. After a reference within the
    /// entity, the rest of its window has to be classified again, so the windows are short.
    pub expansion: usize,
    /// Minimum length of a window of raw text. For less text, the search for its end and another window cost more than
    /// the computation of masks.
    pub raw: usize,
    /// Minimum number of events that fill a batch.
    pub batch: usize,
    /// Minimum number of unconsumed bytes in a window for the fast path of plain content.
    pub plain: usize,
    /// Minimum length of a window in which XML defers copying the names of open elements. In shorter windows few
    /// elements are closed again, so the names are copied at once.
    pub brief: usize,
    /// Number of open elements up to which HTML tracks each of them as written, to find the ends of foreign elements.
    pub tracked_elements: usize,
    /// Number of anchors for which balanced HTML keeps its allocated memory from batch to batch.
    pub kept_anchors: usize,
    /// Number of edited attributes of one tag up to which the rewriter searches them one by one.
    pub linear_edits: usize,
    /// Number of steps that searches among the open elements of the rewriter may waste before it counts their names.
    pub wasted: usize,
}

impl Sizes {
    /// The sizes that programs use.
    pub const USUAL: Sizes = Sizes {
        window: 32 << 10,
        cautious: 64,
        in_place: 4096,
        part: 1 << 30,
        lines: 4096,
        expansion: 512,
        raw: 1024,
        batch: 128,
        plain: 16,
        brief: 1024,
        tracked_elements: 512,
        kept_anchors: 1 << 10,
        linear_edits: 8,
        wasted: 4096,
    };
}

/// The sizes that an input works with: a value with the feature `inspect`, otherwise constants, which take no memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsedSizes(#[cfg(feature = "inspect")] Sizes);

impl UsedSizes {
    /// Uses these sizes, if they can be set.
    pub(crate) const fn of(sizes: Sizes) -> UsedSizes {
        #[cfg(not(feature = "inspect"))]
        let _ = sizes;
        UsedSizes(
            #[cfg(feature = "inspect")]
            sizes,
        )
    }
}

impl Deref for UsedSizes {
    type Target = Sizes;

    #[inline(always)]
    fn deref(&self) -> &Sizes {
        #[cfg(feature = "inspect")]
        return &self.0;
        #[cfg(not(feature = "inspect"))]
        &Sizes::USUAL
    }
}

#[cfg(feature = "checkpoints")]
impl Checkpointable for UsedSizes {
    fn save(&self, to: &mut Writer) {
        (**self).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<UsedSizes, Damaged> {
        Ok(UsedSizes::of(Sizes::load(from)?))
    }
}

#[cfg(feature = "inspect")]
impl Sizes {
    /// Returns sizes that are all equal to `size`, with the fast path and windows of raw text always on.
    #[must_use]
    pub const fn all(size: usize) -> Sizes {
        Sizes {
            window: size,
            cautious: size,
            in_place: size,
            part: size,
            lines: size,
            expansion: size,
            raw: 1,
            batch: size,
            plain: 1,
            brief: 1,
            ..Sizes::USUAL
        }
    }

    /// Returns the sizes with every zero replaced by one.
    pub(crate) fn some(self) -> Sizes {
        Sizes {
            window: self.window.max(1),
            cautious: self.cautious.max(1),
            in_place: self.in_place.max(1),
            part: self.part.max(1),
            lines: self.lines.max(1),
            expansion: self.expansion.max(1),
            raw: self.raw.max(1),
            batch: self.batch.max(1),
            ..self
        }
    }
}

crate::checkpoint::checkpointable! {
    struct Sizes {
        window, cautious, in_place, part, lines, expansion, raw, batch, plain, brief, tracked_elements,
        kept_anchors, linear_edits, wasted
    }
}
