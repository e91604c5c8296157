//! The positions of nodes in the input, for documents that record them.

use super::node_id::NodeId;
use crate::engine::error::Span;
use crate::tree::origin::Origin;
use alloc::vec::Vec;

/// The positions of a document's nodes in the input.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    /// The position that new nodes get, or `None` if positions are not recorded at present.
    pub(super) next: Option<Origin>,
    /// The position of each node, by its index. Nodes beyond the end of the list have no position.
    pub(super) nodes: Vec<Option<Origin>>,
    /// The offset of the end of each element, by its index. `u64::MAX` and offsets beyond the end of the list are unknown.
    ends: Vec<u64>,
    pub(super) closed: Closed,
}

/// The elements that were closed, in order. They are recorded only with the feature `inspect`, and only if positions are.
#[derive(Clone, Debug, Default)]
pub(super) struct Closed {
    #[cfg(feature = "inspect")]
    pub(super) elements: Vec<NodeId>,
}

// The documentation of `TreeBuilder::positions` states this size, so a change of the size must also change the
// documentation.
const _: () = assert!(size_of::<Option<Origin>>() == 48);

impl Origins {
    /// Records the position `next` for a new node, whose index is `index`. Does nothing if `next` is `None`.
    #[inline(always)]
    pub(super) fn push(&mut self, index: usize) {
        if self.next.is_some() {
            self.record_next(index);
        }
    }

    #[inline(never)]
    fn record_next(&mut self, index: usize) {
        self.nodes.resize(index, None);
        self.nodes.push(self.next);
    }

    /// Extends the range of a text node up to the end of `next`, because text from there was appended to the node.
    #[inline(always)]
    pub(super) fn extend(&mut self, node: NodeId) {
        if let Some(next) = self.next
            && let Some(Some(place)) = self.nodes.get_mut(node.index())
        {
            place.span.end = place.span.end.max(next.span.end);
        }
    }

    /// Records that an element ends where the range of `next` ends, if the position of the element is recorded.
    #[inline(never)]
    pub(super) fn end(&mut self, element: NodeId) {
        if let Some(next) = self.next {
            self.set_end(element, next.span.end);
        }
    }

    fn set_end(&mut self, element: NodeId, end: u64) {
        if self.of(element).is_none() {
            return;
        }
        if self.ends.len() <= element.index() {
            self.ends.resize(element.index() + 1, u64::MAX);
        }
        self.ends[element.index()] = end;
    }

    pub(super) fn of(&self, node: NodeId) -> Option<Origin> {
        self.nodes.get(node.index()).copied().flatten()
    }

    /// Returns the range of a whole element, if its end was recorded.
    pub(super) fn outer(&self, element: NodeId) -> Option<Span> {
        let end = *self.ends.get(element.index())?;
        let start = self.of(element)?.span.start;
        (end != u64::MAX).then_some(Span { start, end })
    }

    /// Returns the positions for the IDs that nodes have after [`Document::compact`](super::Document::compact). `nodes` is the number of nodes
    /// after the change, and `ids` contains the new ID of each node, by the index of its old ID.
    pub(super) fn moved(self, nodes: usize, ids: &[Option<NodeId>]) -> Origins {
        let mut moved = Origins::default();
        if !self.nodes.is_empty() {
            moved.nodes.resize(nodes, None);
        }
        for (place, id) in self.nodes.into_iter().zip(ids) {
            if let Some(id) = id
                && let Some(now) = moved.nodes.get_mut(id.index())
            {
                *now = place;
            }
        }
        for (end, id) in self.ends.into_iter().zip(ids) {
            if let Some(id) = id {
                moved.set_end(*id, end);
            }
        }
        moved
    }

    pub(super) fn clear(&mut self) {
        self.next = None;
        self.nodes.clear();
        self.ends.clear();
        self.closed = Closed::default();
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Returns the number of bytes that the positions have allocated on the heap.
    pub(super) fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Option<Origin>>()
            + self.ends.capacity() * size_of::<u64>()
    }
}

crate::checkpoint::checkpointable! {
    struct Origins { next, nodes, ends; skip closed = Closed::default() }
}
