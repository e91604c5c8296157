//! The size of a tree.

/// How large a tree is, as its limits count it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TreeSize {
    /// Nodes, those that were taken out of the tree included.
    pub nodes: u64,
    /// Attributes.
    pub attributes: u64,
    /// Bytes of what it holds, by length: of nodes, attributes, names and character data.
    pub bytes: u64,
}

crate::checkpoint::checkpointable! {
    struct TreeSize { nodes, attributes, bytes }
}
