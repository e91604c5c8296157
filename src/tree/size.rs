//! The type [`TreeSize`]: the size of a tree.

/// The size of a tree, in the units in which the limits of a tree builder count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TreeSize {
    /// Number of nodes, including those that were removed from the tree.
    pub nodes: u64,
    /// Number of attributes of all elements.
    pub attributes: u64,
    /// Number of bytes that nodes, attributes, names and character data take. Unused capacity is not included.
    pub bytes: u64,
}

crate::checkpoint::checkpointable! {
    struct TreeSize { nodes, attributes, bytes }
}
