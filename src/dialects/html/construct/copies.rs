//! The limit on copies in a tree: of formatting elements that were left open or are misnested, and of the options
//! that selects display.
//!
//! Without a limit, a small document could become a large tree by such copies. Copies may therefore use half of the
//! memory that [`Limits::tree_allowance`] and [`Limits::tree_ratio`] allow for a tree. The other half is more than
//! nodes can use that are not copies. Beyond the limit nothing is copied, which is a parse error.
//!
//! [`Limits::tree_allowance`]: crate::Limits::tree_allowance
//! [`Limits::tree_ratio`]: crate::Limits::tree_ratio

use crate::engine::limits::Limits;

/// The size at which the copy of a node is counted at least, in bytes.
pub(crate) const MIN_NODE_BYTES: u64 = 32;

/// The size of the copies in a tree so far, its limits, and the size of the input so far. All sizes are in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    /// Total size of the copies that is allowed for every input, in bytes.
    allowance: u64,
    /// Number of bytes of copies that are allowed for each byte of input. The limit is the larger one of this number
    /// times the size of the input, and the allowance.
    ratio: u64,
    /// Size of all copies so far.
    copied: u64,
    /// Size of the source of all tokens before the current one.
    read: u64,
    /// Size of the source of all tokens, including the current one so far. A run of text is one token.
    passed: u64,
}

impl Default for Copies {
    fn default() -> Copies {
        Copies {
            allowance: u64::MAX,
            ratio: u64::MAX,
            copied: 0,
            read: 0,
            passed: 0,
        }
    }
}

impl Copies {
    /// Sets the limits on copies to half of the limits on the size of the tree.
    pub(super) fn set_limits(&mut self, limits: &Limits) {
        self.allowance = limits.tree_allowance as u64 / 2;
        self.ratio = limits.tree_ratio as u64 / 2;
    }

    /// Counts `length` bytes of source as a new token, or as a further part of the current one if `is_more` is true.
    #[inline(always)]
    pub(super) fn pass(&mut self, length: u32, is_more: bool) {
        if !is_more {
            self.read = self.passed;
        }
        self.passed += u64::from(length);
    }

    /// Adds to the size of all copies. The stream of balanced events calls this for the tags that it repeats.
    #[inline(always)]
    pub(super) fn add(&mut self, bytes: u64) {
        self.copied += bytes;
    }

    /// Returns whether a copy of the given size may be made.
    pub(super) fn allow(&self, bytes: u64) -> bool {
        bytes <= self.left(self.read)
    }

    /// Returns the size that further copies may have if `read` bytes of source were read, in bytes.
    #[inline(always)]
    fn left(&self, read: u64) -> u64 {
        let most = self.allowance.max(self.ratio.saturating_mul(read));
        most.saturating_sub(self.copied)
    }

    /// Returns the size that copies may have in a batch of events whose source has `bytes` bytes.
    #[inline(always)]
    pub(crate) fn left_in_batch(&self, bytes: usize) -> u64 {
        self.left(self.passed + bytes as u64)
    }

    /// Returns the size of all copies so far, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.copied
    }
}

crate::checkpoint::checkpointable! {
    struct Copies { allowance, ratio, copied, read, passed }
}
