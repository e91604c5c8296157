//! Checks the size of the tree, as its sink reports it, against the limits.
//!
//! The number of bytes may be at most [`Limits::tree_allowance`], or [`Limits::tree_ratio`] times the number of bytes
//! read, whichever is greater. The check after an event that added nodes or attributes counts neither the text of this
//! event nor the bytes of input from the start of this event on. For a piece of text, both are counted from the start of
//! its run. A run of text therefore gives the same result whether it arrives whole or in pieces, and whether tree
//! construction ignores some of them.
//!
//! A check for each event would be slow. At the start of a batch of events, [`Guard::look_ahead`] computes an upper
//! bound of the size after the batch, with the copies that the HTML parser may make and the text that it has stored. If
//! the bound is within all limits, the events of the batch need no check. Otherwise each of them is checked, so that the
//! size before it is known.

use crate::engine::limits::{Limit, Limits, MOST_IN_TREE};
use crate::engine::parser::Batch;
use crate::tree::TreeSize;

/// Upper bound of the number of nodes that one event adds, not counting copies of elements that the HTML parser
/// makes.
const NODES_OF_EVENT: u64 = 8;

/// Upper bound of the number of bytes that a node or an attribute takes, not counting text and values.
const BYTES_OF_NODE: u64 = 64;

/// Number of bytes that a text node takes, not counting its text.
const BYTES_OF_TEXT: u64 = 32;

/// Maximum number of nodes, and of attributes, even if the limits are higher.
const MAX_COUNT: u64 = MOST_IN_TREE as u64;

/// The limits on the size of a tree, and the size at the last check.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    /// Maximum number of nodes.
    nodes: u64,
    /// Maximum number of attributes.
    attributes: u64,
    /// Number of bytes that the tree may take for each byte of input.
    ratio: u64,
    /// Number of bytes that the tree may take, computed from the allowance and from the number of bytes of input at the
    /// last call of [`raise`](Self::raise).
    bytes: u64,
    /// Size of the tree at the previous check.
    tested: TreeSize,
    /// Number of nodes in the tree up to which no check is needed in the current batch of events. 0 if the size has to
    /// be checked after each event.
    horizon: u64,
}

impl Guard {
    /// Creates the check for an empty tree.
    pub(super) fn new(limits: &Limits) -> Guard {
        Guard {
            nodes: (limits.tree_nodes as u64).min(MAX_COUNT),
            attributes: (limits.tree_attributes as u64).min(MAX_COUNT),
            ratio: limits.tree_ratio as u64,
            bytes: limits.tree_allowance as u64,
            tested: TreeSize::default(),
            horizon: 0,
        }
    }

    /// Returns true if the size of the tree has to be checked after the current event.
    #[inline(always)]
    pub(super) fn is_near(&self, size: TreeSize) -> bool {
        size.nodes > self.horizon
    }

    /// Returns the number of nodes up to which no check is needed in the current batch, or `None` if each event has to be
    /// checked.
    pub(super) fn far(&self) -> Option<u64> {
        (self.horizon > 0).then_some(self.horizon)
    }

    /// Called before a batch of events. Determines whether the batch can reach a limit; most batches are too small for
    /// that. `besides` are the maximum numbers of nodes and bytes that are added besides the content of the batch. `read`
    /// returns the number of bytes of the input read before the batch.
    #[inline(always)]
    pub(super) fn look_ahead(
        &mut self,
        size: TreeSize,
        batch: Batch,
        besides: (u64, u64),
        read: impl Fn() -> u64,
    ) {
        self.tested = size;
        let nodes = size.nodes + NODES_OF_EVENT * batch.events as u64;
        let attributes = size.attributes + batch.attributes as u64;
        let added = nodes - size.nodes + attributes - size.attributes;
        let bytes = size.bytes + BYTES_OF_NODE * added + 2 * batch.bytes as u64;
        let nodes = nodes.saturating_add(besides.0);
        let bytes = bytes.saturating_add(besides.1);
        if bytes > self.bytes {
            self.raise(read());
        }
        // Without a limit of nodes, the number of copies is not limited either. Then the last event of a batch that a
        // document cannot store is noticed by `is_near`.
        let has_room = nodes <= self.nodes || self.nodes == MAX_COUNT;
        let far = has_room && attributes <= self.attributes && bytes <= self.bytes;
        self.horizon = if far { nodes.min(MAX_COUNT) } else { 0 };
    }

    /// Checks the tree after an event. `is_text` is true for a text, and `before_run` is the size of the tree before its
    /// run if the event is a piece that continues the run. `read` returns the number of bytes of the input read before
    /// the event, or before the run.
    #[cold]
    pub(super) fn test(
        &mut self,
        size: TreeSize,
        (is_text, before_run): (bool, Option<TreeSize>),
        read: impl Fn() -> u64,
    ) -> Result<(), Limit> {
        let before = core::mem::replace(&mut self.tested, size);
        if (size.nodes, size.attributes) == (before.nodes, before.attributes) {
            return Ok(());
        }
        let before = before_run.unwrap_or(before);
        if size.nodes > self.nodes {
            return Err(Limit::TreeNodes);
        }
        if size.attributes > self.attributes {
            return Err(Limit::TreeAttributes);
        }
        let bytes = match is_text {
            true => before.bytes + BYTES_OF_TEXT * (size.nodes - before.nodes),
            false => size.bytes,
        };
        if bytes > self.bytes {
            self.raise(read());
        }
        match bytes > self.bytes {
            true => Err(Limit::TreeBytes),
            false => Ok(()),
        }
    }

    /// Raises the maximum number of bytes to the limit for an input of `read` bytes.
    fn raise(&mut self, read: u64) {
        self.bytes = self.bytes.max(self.ratio.saturating_mul(read));
    }
}

crate::checkpoint::checkpointable! {
    struct Guard { nodes, attributes, ratio, bytes, tested, horizon }
}
