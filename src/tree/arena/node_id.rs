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

    /// Returns the index of the node in the order of creation, which starts at 0 for the document node. The index of each
    /// node of a document is less than [`Document::node_count`](crate::Document::node_count), so it can be an index of a
    /// table of facts about nodes, or a number in the interface to another language.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a><b/></a>")?;
    /// let indexes = document.root().descendants().map(|node| node.id().index());
    /// assert_eq!(document.root().id().index(), 0);
    /// assert_eq!(indexes.collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
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
