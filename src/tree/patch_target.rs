//! The place in a tree that the content of a `<template for>` is moved to.

/// The place that the content of a `<template for>` is moved to: see
/// [`TreeSink::begin_patch`](super::TreeSink::begin_patch).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Patch<H> {
    /// The parent of the moved nodes.
    pub target: H,
    /// The marker after which, or in whose place, the nodes are inserted.
    pub start: H,
    /// The marker before which the nodes are inserted, which can be `start` itself. If it is `None`, or if the marker
    /// has left `target` in the meantime, the nodes are appended to `target`.
    pub end: Option<H>,
    /// The depth of `target` in elements, `target` included; 0 if it is unknown.
    pub level: u32,
}
