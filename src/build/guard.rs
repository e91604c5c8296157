//! The limits of a tree, held against what its sink says that it holds. It must not know of dialects,
//! nor how a tree grows.
//!
//! Each event that adds nodes or attributes is tested, as it begins: without its own text, and by the
//! bytes read before it. So a run of text counts the same whether it comes whole or in pieces.

use crate::event::Event;
use crate::limits::{Limit, Limits};
use crate::parser::Batch;
use crate::tree::TreeSize;

/// No event makes so many nodes, copies aside.
const NODES_OF_EVENT: u64 = 8;

/// More than a node, its name and all that belongs to them take.
const BYTES_OF_NODE: u64 = 64;

/// A node of text, without that.
const BYTES_OF_TEXT: u64 = 32;

/// `Document` has room for one more of either.
const MOST: u64 = u32::MAX as u64 - 1;

/// The limits, and what is known of the tree.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Guard {
    nodes: u64,
    attributes: u64,
    ratio: u64,
    /// So many bytes are within the limit, as far as that was worked out.
    bytes: u64,
    /// The size at the test before.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    tested: TreeSize,
    /// Up to so many nodes no limit is near, in this batch.
    horizon: u64,
}

impl Guard {
    pub(super) fn new(limits: &Limits) -> Guard {
        Guard {
            nodes: (limits.tree_nodes as u64).min(MOST),
            attributes: (limits.tree_attributes as u64).min(MOST),
            ratio: limits.tree_ratio as u64,
            bytes: limits.tree_allowance as u64,
            tested: TreeSize::default(),
            horizon: 0,
        }
    }

    /// Whether the tree is so large that its size is to be tested.
    #[inline(always)]
    pub(super) fn is_near(&self, size: TreeSize) -> bool {
        size.nodes > self.horizon
    }

    /// A batch begins: most are too small to come near any limit. `read` tells how much was read
    /// before it.
    pub(super) fn look_ahead(&mut self, size: TreeSize, batch: Batch, read: impl Fn() -> u64) {
        self.tested = size;
        let nodes = size.nodes + NODES_OF_EVENT * batch.events as u64;
        let attributes = size.attributes + batch.attributes as u64;
        let added = nodes - size.nodes + attributes - size.attributes;
        let bytes = size.bytes + BYTES_OF_NODE * added + 2 * batch.bytes as u64;
        if bytes > self.bytes {
            self.raise(read());
        }
        let far = nodes <= self.nodes && attributes <= self.attributes && bytes <= self.bytes;
        self.horizon = if far { nodes } else { 0 };
    }

    /// Tests the tree after an event; `read` tells how much was read before that.
    #[cold]
    pub(super) fn test(
        &mut self,
        size: TreeSize,
        event: Option<&Event<'_>>,
        read: impl Fn() -> u64,
    ) -> Result<(), Limit> {
        let before = core::mem::replace(&mut self.tested, size);
        if (size.nodes, size.attributes) == (before.nodes, before.attributes) {
            return Ok(());
        }
        if size.nodes > self.nodes {
            return Err(Limit::TreeNodes);
        }
        if size.attributes > self.attributes {
            return Err(Limit::TreeAttributes);
        }
        let bytes = match event {
            Some(Event::Text(_)) => before.bytes + BYTES_OF_TEXT * (size.nodes - before.nodes),
            _ => size.bytes,
        };
        if bytes > self.bytes {
            self.raise(read());
        }
        match bytes > self.bytes {
            true => Err(Limit::TreeBytes),
            false => Ok(()),
        }
    }

    /// So many bytes were read.
    fn raise(&mut self, read: u64) {
        self.bytes = self.bytes.max(self.ratio.saturating_mul(read));
    }
}
