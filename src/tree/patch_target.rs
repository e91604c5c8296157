//! The type [`Patch`]: the position in a tree at which the HTML parser inserts the content of a `<template for>`.

/// The position at which the content of a `<template for>` is inserted: see
/// [`TreeSink::begin_patch`](super::TreeSink::begin_patch). Markers are processing instructions in the tree that mark
/// the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Patch<H> {
    /// The node that becomes the parent of the inserted nodes.
    pub target: H,
    /// The marker at which the nodes are inserted: a `<?start>` marker, after which they are inserted, or a `<?marker>`
    /// that they replace.
    pub start: H,
    /// The marker before which the nodes are inserted: the `<?end>` marker, or `start` itself if that is a `<?marker>`.
    /// If `end` is `None`, or if the marker is no longer a child of `target`, the nodes are appended to `target`.
    pub end: Option<H>,
    /// The depth of `target`: the number of elements among `target` and its ancestors, or 0 if it is unknown.
    pub level: u32,
}
