//! IDs of nodes.

use core::num::NonZeroU32;

/// The ID of a node in one [`Document`](crate::Document). It takes 4 bytes, and so does `Option<NodeId>`.
///
/// An ID is valid only in the document that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The document node, which is the first node of each document.
    pub(super) const DOCUMENT: Self = Self(NonZeroU32::MIN);

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Returns the index of the node in the order of creation. The index of each node of a document is less than
    /// [`Document::node_count`](crate::Document::node_count).
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn inspect_index(self) -> usize {
        self.index()
    }

    /// Returns the ID of the node at `index`, which must be less than [`MAX_NODES`](super::document::MAX_NODES).
    pub(super) fn at(index: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }
}

/// The ID of another node to which a node refers, or `None` if there is no such node.
pub(super) type Link = Option<NodeId>;

crate::checkpoint::checkpointable! {
    struct NodeId(value);
}
