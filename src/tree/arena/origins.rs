//! The positions of nodes in the input, for documents that record them.

use super::document::{Document, NodeId};
use super::node::Node;
use crate::engine::error::{Position, Span};
use crate::tree::origin::Origin;
use alloc::vec::Vec;

/// The positions of a document's nodes in the input.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    /// The position that new nodes get, or `None` if positions are not recorded at present.
    pub(super) next: Option<Origin>,
    /// The position of each node, by its index. Nodes beyond the end of the list have no position.
    nodes: Vec<Option<Origin>>,
    closed: Closed,
}

/// The elements that were closed, in order. They are recorded only with the feature `inspect`, and only if positions are.
#[derive(Clone, Debug, Default)]
struct Closed {
    #[cfg(feature = "inspect")]
    elements: Vec<NodeId>,
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

    /// Returns the positions for the IDs that nodes have after [`Document::compact`]. `nodes` is the number of nodes
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
        moved
    }

    pub(super) fn clear(&mut self) {
        self.next = None;
        self.nodes.clear();
        self.closed = Closed::default();
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
    }

    /// Returns the number of bytes that the positions have allocated on the heap.
    pub(super) fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Option<Origin>>()
    }
}

#[cfg(feature = "inspect")]
impl Document {
    /// Returns the elements that were closed, in order, if positions are recorded.
    #[doc(hidden)]
    pub fn inspect_closed(&self) -> &[NodeId] {
        &self.origins.closed.elements
    }

    /// Records that an element was closed.
    pub(super) fn record_closed(&mut self, element: NodeId) {
        if !self.origins.nodes.is_empty() {
            self.origins.closed.elements.push(element);
        }
    }
}

impl Document {
    fn origin_of(&self, node: NodeId) -> Option<Origin> {
        self.origins.nodes.get(node.index()).copied().flatten()
    }
}

impl Node<'_> {
    /// Returns the byte range of the node in the input, or `None` if
    /// [`TreeBuilder::positions`](crate::TreeBuilder::positions) was not set. The range of an element is that of its
    /// start tag.
    ///
    /// Some nodes of HTML have no markup of their own:
    ///
    /// - An element that the parser inserts without a tag has the range of the token that caused the insertion: a tag,
    ///   a text or an end tag.
    /// - A node that the parser moves, out of a table or because of a misnested end tag, keeps the range of its markup.
    /// - A copy of a formatting element has the range of the token for which the copy was made.
    /// - The copy of an option's content in a `selectedcontent` element has no range. The same is true of nodes that
    ///   the program creates or copies after parsing.
    ///
    /// ```
    /// use tagstream::{Html, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Html::default()).positions(true);
    /// builder.feed("<p>One &amp; two</p>")?;
    /// let page = builder.finish()?;
    /// let text = page.root().descendants().find(|node| node.is_text()).unwrap();
    /// let span = text.span().unwrap();
    /// assert_eq!((span.start, span.end), (3, 16));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn span(&self) -> Option<Span> {
        self.document.origin_of(self.id).map(|origin| origin.span)
    }

    /// Returns the line and the column at which the node begins in the input, or `None` if positions were not recorded.
    ///
    /// ```
    /// use tagstream::{Document, TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default()).positions(true);
    /// builder.feed("<a>\n  <b/></a>")?;
    /// let document = builder.finish()?;
    /// let b = document.root().descendants().find(|node| node.name() == "b").unwrap();
    /// assert_eq!(b.position().map(|position| (position.line(), position.column())), Some((2, 3)));
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// assert_eq!(document.root_element().unwrap().position(), None);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn position(&self) -> Option<Position> {
        self.document
            .origin_of(self.id)
            .map(|origin| origin.position)
    }
}

crate::checkpoint::checkpointable! {
    struct Origins { next, nodes; skip closed = Closed::default() }
}
