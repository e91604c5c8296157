//! Iterators over a tree: children, ancestors, descendants, attributes, and a walk that visits the start and the end of
//! each node. No iterator recurses or has a stack, so that they use constant memory in trees of any depth.

use core::iter::FusedIterator;

use super::document::{AttributeId, Content, Document};
use super::node::Node;
use super::node_attribute::Attribute;
use super::node_id::{Link, NodeId};

/// A step of a walk through a tree. There will be no other variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edge<N> {
    /// The start of a node. The steps of its descendants follow.
    Open(N),
    /// The end of a node. Nodes without descendants have this step, too.
    Close(N),
}

/// A walk through a node and its descendants. Only the method `step` borrows the document, so that the document can
/// grow between two steps.
#[derive(Clone, Debug)]
pub(super) struct Tour {
    root: NodeId,
    next: Option<Edge<NodeId>>,
    /// True if the walk includes the contents of templates (`templates`), or the shadow roots of elements
    /// (`shadow_roots`).
    templates: bool,
    shadow_roots: bool,
}

impl Tour {
    #[inline]
    pub(super) fn new(root: NodeId) -> Self {
        Self {
            root,
            next: Some(Edge::Open(root)),
            templates: false,
            shadow_roots: false,
        }
    }

    /// Includes the contents of templates. They precede the children of the template element.
    pub(super) fn through_templates(self) -> Self {
        Self {
            templates: true,
            ..self
        }
    }

    /// Includes shadow roots. They precede the children of the host element.
    pub(super) fn through_shadow_roots(self) -> Self {
        Self {
            shadow_roots: true,
            ..self
        }
    }

    /// Includes the contents of templates and shadow roots.
    pub(super) fn through_all(self) -> Self {
        self.through_templates().through_shadow_roots()
    }

    #[inline]
    pub(super) fn step(&mut self, document: &Document) -> Option<Edge<NodeId>> {
        let edge = self.next?;
        self.next = match edge {
            Edge::Open(id) => Some(self.below(document, id)),
            Edge::Close(id) if id == self.root => None,
            Edge::Close(id) => self.after(document, id),
        };
        Some(edge)
    }

    /// Moves to the end of the innermost node that has begun and not ended.
    fn skip_children(&mut self, document: &Document) {
        let Some(Edge::Open(id)) = self.next else {
            // The next step is that end already.
            return;
        };
        if id == self.root {
            return;
        }
        let record = document.record(id);
        let outer = match record.content {
            Content::Fragment { host } => host,
            _ => record.parent,
        };
        self.next = outer.map(Edge::Close);
    }

    /// Returns the step that follows the start of the node `id`.
    #[inline]
    fn below(&self, document: &Document, id: NodeId) -> Edge<NodeId> {
        let record = document.record(id);
        if (self.templates || self.shadow_roots)
            && matches!(
                record.content,
                Content::Element {
                    is_template: true,
                    ..
                }
            )
            && let Some(contents) = self.apart(document, id)
        {
            return Edge::Open(contents);
        }
        record.first_child.map_or(Edge::Close(id), Edge::Open)
    }

    /// Returns the template contents or the shadow root of an element, if the walk includes them. They are fragments
    /// that are not among the children of the element.
    #[cold]
    fn apart(&self, document: &Document, id: NodeId) -> Link {
        let tables = &document.tables;
        let contents = tables.template(id).filter(|_| self.templates);
        let root = tables.shadow_root(id).filter(|_| self.shadow_roots);
        contents.or(root.map(|(root, _)| *root))
    }

    /// Returns the step that follows the end of the node `id`, which is not the node at which the walk began.
    #[inline]
    fn after(&self, document: &Document, id: NodeId) -> Option<Edge<NodeId>> {
        let record = document.record(id);
        if let Content::Fragment { host } = record.content {
            let host = host?;
            // The walk of the fragment is complete, and the children of its host follow.
            return Some(
                document
                    .record(host)
                    .first_child
                    .map_or(Edge::Close(host), Edge::Open),
            );
        }
        record
            .next
            .map(Edge::Open)
            .or(record.parent.map(Edge::Close))
    }
}

/// The iterator that [`Node::edges`] returns: a walk through a node and its descendants in document order, with one
/// step at the start and one at the end of each node.
#[derive(Clone, Debug)]
pub struct Edges<'a> {
    document: &'a Document,
    tour: Tour,
}

impl<'a> Edges<'a> {
    #[inline]
    pub(super) fn new(root: Node<'a>) -> Self {
        Self {
            document: root.document,
            tour: Tour::new(root.id),
        }
    }

    /// Includes the contents of templates. The fragment with the contents precedes the children of the template
    /// element.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<template><p>text")?;
    /// assert_eq!(document.root().edges().through_templates().count(), document.root().edges().count() + 6);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn through_templates(self) -> Self {
        Self {
            tour: self.tour.through_templates(),
            ..self
        }
    }
}

impl Edges<'_> {
    /// Skips the children, or the rest of the children, of the innermost node that has begun and not ended: the next edge
    /// is the end of this node. Does nothing before the first edge and after the last one.
    ///
    /// ```
    /// use tagstream::tree::Edge;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a><b><c/></b><d/></a>")?;
    /// let mut edges = document.root().edges();
    /// let mut names = Vec::new();
    /// while let Some(edge) = edges.next() {
    ///     if let Edge::Open(node) = edge {
    ///         names.push(node.name());
    ///         if node.name() == "b" {
    ///             edges.skip_children();
    ///         }
    ///     }
    /// }
    /// assert_eq!(names, ["", "a", "b", "d"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn skip_children(&mut self) {
        self.tour.skip_children(self.document);
    }

    /// Includes shadow roots. The shadow root, which is a fragment, precedes the children of its host element.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let markup = "<div><template shadowrootmode=open><p></template></div>";
    /// let page = Document::parse(Html::default().shadow_roots(true), markup)?;
    /// let nodes = page.root().edges();
    /// assert_eq!(nodes.clone().through_shadow_roots().count(), nodes.count() + 4);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn through_shadow_roots(self) -> Self {
        Self {
            tour: self.tour.through_shadow_roots(),
            ..self
        }
    }
}

impl<'a> Iterator for Edges<'a> {
    type Item = Edge<Node<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let document = self.document;
        Some(match self.tour.step(document)? {
            Edge::Open(id) => Edge::Open(Node { document, id }),
            Edge::Close(id) => Edge::Close(Node { document, id }),
        })
    }
}

impl FusedIterator for Edges<'_> {}

/// The iterator that [`Node::descendants`] returns: all descendants of a node in document order.
#[derive(Clone, Debug)]
pub struct Descendants<'a> {
    document: &'a Document,
    root: NodeId,
    next: Link,
}

impl<'a> Descendants<'a> {
    #[inline]
    pub(super) fn new(root: Node<'a>) -> Self {
        let next = root.document.record(root.id).first_child;
        Self {
            document: root.document,
            root: root.id,
            next,
        }
    }
}

impl<'a> Iterator for Descendants<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        let id = self.next?;
        let document = self.document;
        self.next = document.record(id).first_child;
        // The node has no children: go up to the first node that has a next sibling. The whole iteration leaves each
        // node upwards only once, so that it takes linear time.
        let mut climbing = id;
        while self.next.is_none() && climbing != self.root {
            let record = document.record(climbing);
            self.next = record.next;
            let Some(parent) = record.parent else { break };
            climbing = parent;
        }
        Some(Node { document, id })
    }
}

impl FusedIterator for Descendants<'_> {}

/// The iterator that [`Node::children`] returns: the children of a node. It can be read from both ends.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    document: &'a Document,
    /// The first and the last child that were not yet returned; `None` if all were returned.
    ends: Option<(NodeId, NodeId)>,
}

impl<'a> Children<'a> {
    #[inline]
    pub(super) fn new(parent: Node<'a>) -> Self {
        let record = parent.document.record(parent.id);
        Self {
            document: parent.document,
            ends: record.first_child.zip(record.last_child),
        }
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        let (first, last) = self.ends?;
        let after = self.document.record(first).next.filter(|_| first != last);
        self.ends = after.map(|after| (after, last));
        Some(Node {
            document: self.document,
            id: first,
        })
    }
}

impl DoubleEndedIterator for Children<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let (first, last) = self.ends?;
        let before = self
            .document
            .record(last)
            .previous
            .filter(|_| first != last);
        self.ends = before.map(|before| (first, before));
        Some(Node {
            document: self.document,
            id: last,
        })
    }
}

impl FusedIterator for Children<'_> {}

/// The iterator that [`Node::ancestors`] returns: the parent of a node, the parent of that parent, and so on.
#[derive(Clone, Debug)]
pub struct Ancestors<'a> {
    next: Option<Node<'a>>,
}

impl<'a> Ancestors<'a> {
    #[inline]
    pub(super) fn new(node: Node<'a>) -> Self {
        Self {
            next: node.parent(),
        }
    }
}

impl<'a> Iterator for Ancestors<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        let node = self.next?;
        self.next = node.parent();
        Some(node)
    }
}

impl FusedIterator for Ancestors<'_> {}

/// The iterator that [`Node::attributes`] returns: the attributes of an element in the order of the source.
#[derive(Clone, Debug)]
pub struct Attributes<'a> {
    document: &'a Document,
    last: Option<AttributeId>,
    next: Option<AttributeId>,
}

impl<'a> Attributes<'a> {
    #[inline]
    pub(super) fn new(node: Node<'a>) -> Self {
        let document = node.document;
        let last = match document.record(node.id).content {
            Content::Element { last_attribute, .. } => last_attribute,
            _ => None,
        };
        let next = last.map(|last| document.attributes[last.index()].next);
        Self {
            document,
            last,
            next,
        }
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    #[inline]
    fn next(&mut self) -> Option<Attribute<'a>> {
        let id = self.next?;
        let record = &self.document.attributes[id.index()];
        self.next = (self.last != Some(id)).then_some(record.next);
        Some(Attribute {
            document: self.document,
            name: record.name,
            value: record.value,
        })
    }
}

impl FusedIterator for Attributes<'_> {}
