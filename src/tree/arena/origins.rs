//! The positions of nodes in the input, for documents that store them.

use super::document::{Document, NodeId};
use super::node::Node;
use crate::engine::error::{Position, Span};
use crate::tree::origin::Origin;
use alloc::vec::Vec;

/// The places of a document's nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    /// Of nodes that come next.
    pub(super) next: Option<Origin>,
    /// Of each node, as far as there are any.
    nodes: Vec<Option<Origin>>,
}

// The size that the documentation of `TreeBuilder::positions` states.
const _: () = assert!(size_of::<Option<Origin>>() == 48);

impl Origins {
    /// The node at this index comes.
    #[inline(always)]
    pub(super) fn push(&mut self, index: usize) {
        if self.next.is_some() {
            self.keep(index);
        }
    }

    #[inline(never)]
    fn keep(&mut self, index: usize) {
        self.nodes.resize(index, None);
        self.nodes.push(self.next);
    }

    /// A text goes on.
    #[inline(always)]
    pub(super) fn extend(&mut self, node: NodeId) {
        if let Some(next) = self.next
            && let Some(Some(place)) = self.nodes.get_mut(node.index())
        {
            place.span.end = place.span.end.max(next.span.end);
        }
    }

    /// Those of other nodes, by which node each of them is now.
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
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
    }

    /// Bytes of memory held.
    pub(super) fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Option<Origin>>()
    }
}

impl Document {
    fn origin_of(&self, node: NodeId) -> Option<Origin> {
        self.origins.nodes.get(node.index()).copied().flatten()
    }
}

impl Node<'_> {
    /// The bytes of the input that the node stands in, if [`TreeBuilder::positions`](crate::TreeBuilder::positions)
    /// asked to keep them: of an element, those of its start tag. An element that no tag wrote has those of what
    /// made it necessary: of the tag, the text or the end tag that was read. What HTML moves, out of a table or by a
    /// misnested end tag, keeps where it was written, and the copy of a formatting element has those of what it was
    /// made for. What a `selectedcontent` shows of an option has none, nor has what is made or copied later.
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

    /// Line and column where it begins, if they are kept.
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
    struct Origins { next, nodes }
}
