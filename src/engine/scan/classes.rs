//! The byte classes of a dialect, and the masks that are computed for them.

use super::masks::Masks;
use super::set::Set;

/// Minimum length of a window for which masks are computed. In shorter windows searching by words is faster.
pub(super) const MIN_CLASSIFIED_BYTES: usize = 16;

/// The byte classes of a dialect.
pub trait Classes {
    /// The sets of bytes. The index of each is the constant by which the tokenizer refers to the class.
    const SETS: &'static [Set];

    /// True if the tokenizer has to get each ill-formed sequence before the text that contains its U+FFFD, in order to
    /// report an error.
    const TELLS_ILL_FORMED: bool = true;

    /// The masks of 64 bytes: an array with one mask for each set.
    type Block: Block;

    /// Writes the masks of `window` to `masks`, or leaves `masks` empty if a search without masks is faster.
    fn classify(window: &[u8], masks: &mut Masks);
}

/// The byte classes of a dialect as a value, for the input layer, which is compiled once for all dialects.
#[derive(Clone, Copy, Debug)]
pub struct ByteClasses {
    /// [`Classes::SETS`].
    pub(crate) sets: &'static [Set],
    /// [`Classes::TELLS_ILL_FORMED`].
    pub(crate) tells_ill_formed: bool,
    /// [`Classes::classify`].
    pub(crate) classify: fn(&[u8], &mut Masks),
}

impl ByteClasses {
    pub(crate) const fn of<K: Classes>() -> ByteClasses {
        ByteClasses {
            sets: K::SETS,
            tells_ill_formed: K::TELLS_ILL_FORMED,
            classify: K::classify,
        }
    }

    /// Writes masks that say that no byte of `window` is in a class: for a window in which the tokenizer only looks for
    /// bytes that are not there. Leaves `masks` empty where [`classify`](super::classify) does.
    pub(crate) fn classify_nothing(&self, window: &[u8], masks: &mut Masks) {
        masks.clear();
        if window.len() >= MIN_CLASSIFIED_BYTES {
            // PERF: a search goes to the end of the window at the end of the masks, so one block is enough.
            masks.of_length(self.sets.len()).fill(0);
        }
    }
}

/// The masks of 64 bytes, one for each class of a dialect.
pub trait Block: Copy + 'static {
    /// Splits a list of masks into blocks of one mask for each class.
    fn blocks(masks: &[u64]) -> &[Self];

    /// Returns the mask of a class.
    fn mask(&self, class: usize) -> u64;
}

impl<const N: usize> Block for [u64; N] {
    #[inline(always)]
    fn blocks(masks: &[u64]) -> &[[u64; N]] {
        masks.as_chunks().0
    }

    #[inline(always)]
    fn mask(&self, class: usize) -> u64 {
        self[class]
    }
}
