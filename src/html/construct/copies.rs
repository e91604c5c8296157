//! How much of a tree may be copies: of formatting elements that were left open or are not nested
//! properly, and of the options that selects show. It must not know what is copied, or why.
//!
//! Small documents could become large trees by them. So half of what [`Limits::tree_allowance`] and
//! [`Limits::tree_ratio`] leave to a tree is what its copies may take; the other half is more than what
//! is no copy can. Beyond that, nothing is copied, which is a parse error.
//!
//! [`Limits::tree_allowance`]: crate::Limits::tree_allowance
//! [`Limits::tree_ratio`]: crate::Limits::tree_ratio

use super::TreeConstruction;
use super::watch::Watch;
use crate::html::errors;
use crate::limits::Limits;
use crate::tree::TreeSink;

/// What a copy of a node takes at least, in bytes.
pub(super) const NODE: u64 = 32;

/// What was copied, and what that is held against; all in bytes.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Copies {
    allowance: u64,
    ratio: u64,
    copied: u64,
    /// What was read before the token in hand, and of that: a run of text is one token.
    read: u64,
    token: u64,
}

impl Default for Copies {
    fn default() -> Copies {
        Copies {
            allowance: u64::MAX,
            ratio: u64::MAX,
            copied: 0,
            read: 0,
            token: 0,
        }
    }
}

impl Copies {
    pub(super) fn set_limits(&mut self, limits: &Limits) {
        self.allowance = limits.tree_allowance as u64 / 2;
        self.ratio = limits.tree_ratio as u64 / 2;
    }

    /// So many bytes of source are another token, or more of the last one.
    #[inline(always)]
    pub(super) fn pass(&mut self, length: u32, is_more: bool) {
        if !is_more {
            self.read += core::mem::take(&mut self.token);
        }
        self.token += u64::from(length);
    }

    /// Counts what was copied beside.
    #[inline(always)]
    pub(super) fn add(&mut self, bytes: u64) {
        self.copied += bytes;
    }

    /// What was copied so far.
    pub(super) fn bytes(&self) -> u64 {
        self.copied
    }
}

impl<S: TreeSink, W: Watch> TreeConstruction<S, W> {
    /// Whether a copy of so many bytes may be made.
    pub(super) fn may_copy(&mut self, bytes: u64) -> bool {
        let copies = &self.copies;
        let most = copies
            .allowance
            .max(copies.ratio.saturating_mul(copies.read));
        let may = copies.copied.saturating_add(bytes) <= most;
        if !may {
            self.error(errors::TOO_MUCH_COPIED);
        }
        may
    }

    /// Copies an element.
    pub(super) fn copy_element(&mut self, element: S::Handle) -> S::Handle {
        let before = self.sink.size().bytes;
        let copy = self.sink.clone_element(element);
        self.count_copy(before, NODE);
        copy
    }

    /// Copies an element and all in it, which is estimated to take so many bytes.
    pub(super) fn copy_subtree(&mut self, element: S::Handle, bytes: u64) -> S::Handle {
        let before = self.sink.size().bytes;
        let copy = self.sink.clone_subtree(element);
        self.count_copy(before, bytes);
        copy
    }

    /// Counts a copy by what the tree has grown, by what is said if the sink does not say that.
    fn count_copy(&mut self, before: u64, bytes: u64) {
        let grown = self.sink.size().bytes.saturating_sub(before);
        self.copies.copied += bytes.max(grown);
    }
}
