//! The positions of nodes in the input, for documents that record them.

use super::node_id::NodeId;
use crate::engine::error::Span;
use crate::tree::origin::Origin;
use alloc::string::String;
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
    pub(super) end_tag: EndTag,
    pub(super) closed: Closed,
}

/// The end tag of HTML that is processed at present. It is the end of one element: of an HTML element with its name, or,
/// if the tag closes none, of an element of SVG or MathML with its name.
#[derive(Clone, Debug, Default)]
pub(super) struct EndTag {
    /// The name of the end tag, if `is_set`.
    name: String,
    is_set: bool,
    /// The element of SVG or MathML that ends with the tag.
    foreign: Option<NodeId>,
}

impl EndTag {
    pub(super) fn set(&mut self, name: Option<&str>) {
        self.name.clear();
        self.name.push_str(name.unwrap_or_default());
        (self.is_set, self.foreign) = (name.is_some(), None);
    }

    /// Returns whether the tag can be the end of an element with this local name.
    pub(super) fn is_of(&self, name: &str) -> bool {
        self.is_set && self.name.eq_ignore_ascii_case(name)
    }
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

    /// Records the end of an element of HTML: the end of the end tag if that has the element's name, or else the start of
    /// the token that closes the element. An element that its own token closes ends with the token.
    pub(super) fn end_of_html(&mut self, element: NodeId, is_named: bool, is_html: bool) {
        let (Some(next), Some(own)) = (self.next, self.of(element)) else {
            return;
        };
        let is_end = is_named && (is_html || self.end_tag.foreign.is_none());
        if !is_end {
            return self.set_end(element, own.span.end.max(next.span.start));
        }
        self.set_end(element, next.span.end);
        match is_html {
            true => {
                self.end_tag.is_set = false;
                if let Some(foreign) = self.end_tag.foreign {
                    self.set_end(foreign, next.span.start);
                }
            }
            false => self.end_tag.foreign = Some(element),
        }
    }

    fn set_end(&mut self, element: NodeId, end: u64) {
        if self.of(element).is_some() {
            self.set_end_at(element.index(), end);
        }
    }

    fn set_end_at(&mut self, index: usize, end: u64) {
        if self.ends.len() <= index {
            self.ends.resize(index + 1, u64::MAX);
        }
        self.ends[index] = end;
    }

    /// Records the end of the element with this index, if the element has a position and no end.
    pub(super) fn end_open(&mut self, index: usize, end: u64) {
        let has_position = self.nodes.get(index).is_some_and(Option::is_some);
        if has_position && self.ends.get(index).is_none_or(|end| *end == u64::MAX) {
            self.set_end_at(index, end);
        }
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
        self.end_tag.set(None);
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
    struct Origins { next, nodes, ends; skip end_tag = EndTag::default(), closed = Closed::default() }
}
