//! The byte classes of a dialect, and the masks that are computed for them.

use super::set::Set;
use alloc::vec::Vec;

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
    fn classify(window: &[u8], masks: &mut Vec<u64>);
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
