//! `Document`: the nodes of a tree, side by side in one array and linked by numbers. It must not
//! know how a tree comes about (`build.rs`), how it is walked (`node.rs`, `walk.rs`) or written
//! (`serialise/`).
//!
//! Nothing here recurses and no node is an allocation of its own, so that trees of any depth are
//! cloned and dropped like any other array.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU32;

use hashbrown::{HashMap, HashSet};

use super::forms::Owners;
use super::names::{NameId, Names};
use super::node::Node;
use super::origins::Origins;
use super::patch::Markers;
use super::prologue::{Identified, Prologue};
use super::shadow::ShadowRoot;
use super::strings::{Stored, Strings};

/// A node within one [`Document`]: a number of four bytes, and `Option<NodeId>` has four as well.
///
/// The ids of one document mean nothing in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The document node, the first of every document.
    pub(super) const DOCUMENT: Self = Self(NonZeroU32::MIN);

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The id of the node at `index`, which is below [`MOST`].
    pub(super) fn at(index: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }
}

/// A tree of elements, text, comments, processing instructions and doctypes.
///
/// It is built through [`TreeSink`](super::TreeSink), can be read at any time meanwhile, and is
/// walked by [`Node`]s, from [`root`](Self::root) or [`root_element`](Self::root_element).
///
/// A node takes 32 bytes, an attribute 16, and beside them the bytes of text, values and comments.
/// Names are kept once each, and copies of an element share its attributes until one of them gets
/// more. Nodes that are taken out of the tree stay in memory until [`compact`](Self::compact). There is
/// room for 2³²−1 nodes (128 GiB of them) and as many attributes; what would be
/// one more is not made, and does nothing where it is put. [`TreeBuilder`](crate::TreeBuilder) ends
/// with an error before that: see [`Limits::tree_nodes`](crate::Limits::tree_nodes).
///
/// ```
/// use tagstream::tree::{Document, QualifiedName, TreeSink};
///
/// let mut document = Document::new();
/// let greeting = document.create_element(QualifiedName::new("greeting"));
/// document.add_attribute(greeting, QualifiedName::new("to"), "the world");
/// document.append(document.document(), greeting)?;
/// document.append_text(greeting, "Hello")?;
/// document.append_text(greeting, "!")?;
///
/// let root = document.root_element().unwrap();
/// assert_eq!(root.attribute("to"), Some("the world"));
/// assert_eq!(document.to_xml()?, r#"<greeting to="the world">Hello!</greeting>"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
#[doc(alias("RcDom", "Dom"))]
pub struct Document {
    pub(super) nodes: Vec<Record>,
    pub(super) attributes: Vec<AttributeRecord>,
    /// The first of the attributes that no element has any more, which are a list; the last is its own
    /// next.
    pub(super) free_attribute: Option<AttributeId>,
    pub(super) strings: Strings,
    /// Shared by the documents that [`Document::following`] makes, until one has another name.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) names: Arc<Names>,
    /// Targets and data of processing instructions.
    pub(super) instructions: Vec<(Stored, Stored)>,
    pub(super) doctypes: Vec<Identified>,
    /// The contents of template elements.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) templates: HashMap<NodeId, NodeId>,
    /// The shadow roots of elements that are no templates.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) shadow_roots: HashMap<NodeId, (NodeId, ShadowRoot)>,
    /// The forms of controls that stand elsewhere: seldom there are any.
    pub(super) owners: Option<Box<Owners>>,
    /// The attributes of the elements that are marked as indexed.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) indexed: HashSet<(NodeId, NameId)>,
    pub(super) prologue: Prologue,
    pub(super) origins: Origins,
    pub(super) markers: Markers,
    /// So many nodes there may be, and so many attributes: [`MOST`], but in tests.
    pub(super) most: usize,
}

/// Nodes have ids of 32 bits, from 1 on, and so have attributes.
pub(super) const MOST: usize = u32::MAX as usize;

/// A link from node to node.
pub(super) type Link = Option<NodeId>;

/// A node.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Record {
    pub(super) parent: Link,
    pub(super) previous: Link,
    pub(super) next: Link,
    pub(super) first_child: Link,
    pub(super) last_child: Link,
    pub(super) content: Content,
}

/// What a node is.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) enum Content {
    Document,
    Fragment {
        /// The template element whose contents these are, or the host of this shadow root.
        host: Link,
    },
    /// An index into the doctypes.
    Doctype(u32),
    Element {
        name: NameId,
        /// The attributes are a ring, so that one link finds the last and the first.
        last_attribute: Option<AttributeId>,
        /// It has contents, or a shadow root.
        is_template: bool,
        /// The document's set of attributes has those of this element.
        is_indexed: bool,
        /// Copies of this element may have the same ring of attributes.
        is_shared: bool,
    },
    Text(Stored),
    Comment(Stored),
    /// An index into the instructions.
    ProcessingInstruction(u32),
}

impl Content {
    /// An element without attributes.
    pub(super) fn element(name: NameId) -> Content {
        Content::Element {
            name,
            last_attribute: None,
            is_template: false,
            is_indexed: false,
            is_shared: false,
        }
    }
}

/// An attribute.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct AttributeRecord {
    pub(super) name: NameId,
    pub(super) value: Stored,
    /// The next of the element's attributes; after the last, the first.
    pub(super) next: AttributeId,
}

/// Where an attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct AttributeId(NonZeroU32);

impl AttributeId {
    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The id that the attribute after `count` others gets, which are fewer than [`MOST`].
    pub(super) fn following(count: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(count as u32))
    }
}

/// Source has at least so many bytes for each node and attribute where it is mostly markup; on pages it
/// has twice as many. Room that is not used costs addresses, no memory.
const BYTES_PER_NODE: usize = 16;
const BYTES_PER_ATTRIBUTE: usize = 32;

/// Room for so many nodes is made at once: small documents are many.
const FEW_NODES: usize = 16;

/// Room is made for so many nodes, attributes and bytes at most, because the document before had them.
const MANY: usize = 1 << 12;

/// What is known of a document before there is one: it is likely to be like the one before.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    nodes: usize,
    attributes: usize,
    bytes: usize,
    names: Arc<Names>,
}

impl Default for Outline {
    fn default() -> Self {
        Self {
            nodes: FEW_NODES,
            attributes: 0,
            bytes: 0,
            names: Arc::default(),
        }
    }
}

/// Of so little source all may be text.
const SMALL: usize = 1 << 10;

/// Room is made for so many bytes of source at most. Beyond, what there is is moved seldom.
const MOST_EXPECTED: usize = 1 << 21;

// The sizes that the documentation of `Document` states.
const _: () = assert!(size_of::<Record>() == 32 && size_of::<AttributeRecord>() == 16);

impl Default for Document {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Document {
    /// The number of nodes: a whole tree is better read by [`to_outline`](Document::to_outline).
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Document")
            .field("nodes", &self.nodes.len())
            .finish_non_exhaustive()
    }
}

impl Document {
    /// An empty document.
    ///
    /// ```
    /// use tagstream::Document;
    ///
    /// assert_eq!(Document::new().root_element(), None);
    /// ```
    pub fn new() -> Self {
        Self::with(Arc::default(), FEW_NODES)
    }

    pub(super) fn with(names: Arc<Names>, nodes: usize) -> Self {
        let mut document = Self {
            nodes: Vec::with_capacity(nodes),
            ..Self::without_nodes(names)
        };
        document.push(Content::Document);
        document
    }

    /// What stands for a document while that is elsewhere: it has no memory, and no root.
    pub(crate) fn hollow(outline: &Outline) -> Self {
        Self::without_nodes(Arc::clone(&outline.names))
    }

    fn without_nodes(names: Arc<Names>) -> Self {
        Self {
            nodes: Vec::new(),
            attributes: Vec::new(),
            free_attribute: None,
            strings: Strings::default(),
            names,
            instructions: Vec::new(),
            doctypes: Vec::new(),
            templates: HashMap::new(),
            shadow_roots: HashMap::new(),
            owners: None,
            indexed: HashSet::new(),
            prologue: Prologue::default(),
            origins: Origins::default(),
            markers: Markers::default(),
            most: MOST,
        }
    }

    /// An empty document that is likely to be as large as that of which this is the outline, and to have
    /// the same names.
    pub(crate) fn following(outline: &Outline) -> Self {
        let mut document = Self::with(outline.names.clone(), outline.nodes);
        document.attributes.reserve(outline.attributes);
        document.strings.reserve(outline.bytes);
        document
    }

    /// What the next document is likely to be like.
    pub(crate) fn outline(&self) -> Outline {
        let names = match self.names.are_few() {
            true => Arc::clone(&self.names),
            false => Arc::default(),
        };
        Outline {
            nodes: self.nodes.len().clamp(FEW_NODES, MANY),
            attributes: self.attributes.len().min(MANY),
            bytes: self.strings.len().min(MANY),
            names,
        }
    }

    /// Takes all nodes away. What they were kept in is kept, for the nodes of another document.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut document = Document::new();
    /// let root = document.create_element(QualifiedName::new("a"));
    /// document.append(document.document(), root)?;
    /// document.clear();
    /// assert!(document.root_element().is_none());
    /// assert_eq!(document.node_count(), 1);
    /// # Ok::<(), tagstream::EditError>(())
    /// ```
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.attributes.clear();
        self.free_attribute = None;
        self.strings.clear();
        self.instructions.clear();
        self.doctypes.clear();
        self.templates.clear();
        self.shadow_roots.clear();
        self.owners = None;
        self.indexed.clear();
        self.prologue = Prologue::default();
        self.origins.clear();
        self.markers = Markers::default();
        if !self.names.are_few() {
            self.names = Arc::default();
        }
        self.push(Content::Document);
    }

    /// The document node, whose children are the root element and what stands beside it.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<!--one--><a/>")?;
    /// assert_eq!(document.root().children().count(), 2);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias = "root_node")]
    pub fn root(&self) -> Node<'_> {
        Node {
            document: self,
            id: NodeId::DOCUMENT,
        }
    }

    /// The first element among the children of the document.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<!--one--><a/>")?;
    /// assert_eq!(document.root_element().map(|root| root.name()), Some("a"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("document_element", "documentElement"))]
    pub fn root_element(&self) -> Option<Node<'_>> {
        self.root().children().find(Node::is_element)
    }

    /// The node with this id, if the document has so many.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// let id = document.root_element().unwrap().id();
    /// assert!(document.node(id).is_some_and(|node| node.name() == "a"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        (id.index() < self.nodes.len()).then_some(Node { document: self, id })
    }

    /// How many nodes the document holds: the document node, and those that were taken out of the
    /// tree, too.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a><b/></a>")?;
    /// assert_eq!(document.node_count(), 3);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes of memory that the document holds on the heap, hash tables of templates, shadow roots, forms and
    /// merged attributes and the prologue aside.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// assert!(document.heap_size() > 0);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Record>()
            + self.attributes.capacity() * size_of::<AttributeRecord>()
            + self.instructions.capacity() * size_of::<(Stored, Stored)>()
            + self.strings.heap_size()
            + self.names.heap_size()
            + self.origins.heap_size()
    }

    /// Gives back memory that was made ready for more nodes than came: for programs that keep many
    /// documents.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let mut document = Document::parse(Html::default(), "long text ".repeat(10_000))?;
    /// let before = document.heap_size();
    /// document.shrink_to_fit();
    /// assert!(document.heap_size() < before / 2);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
        self.attributes.shrink_to_fit();
        self.instructions.shrink_to_fit();
        self.strings.shrink_to_fit();
        self.origins.shrink_to_fit();
    }

    #[inline]
    pub(super) fn record(&self, id: NodeId) -> &Record {
        &self.nodes[id.index()]
    }

    #[inline]
    pub(super) fn record_mut(&mut self, id: NodeId) -> &mut Record {
        &mut self.nodes[id.index()]
    }

    /// Where the doctype that is no node stands: after this child, or with `None` before all.
    pub(super) fn doctype_after(&self) -> Link {
        let after = self.prologue.doctype_after?;
        // That child may have been taken away since.
        (self.record(after).parent == Some(NodeId::DOCUMENT)).then_some(after)
    }

    /// The parent of a node; of the contents of a template, its element.
    pub(crate) fn parent_or_host(&self, id: NodeId) -> Option<NodeId> {
        let record = self.record(id);
        match record.content {
            Content::Fragment { host } => host,
            _ => record.parent,
        }
    }

    /// Makes room for what so many bytes of source may become, so that less is moved as it grows.
    ///
    /// PERF: 7 % of the time on pages of 100 KB to 2 MB: `benches/run --only tree`.
    pub(super) fn make_room(&mut self, bytes: usize) {
        let bytes = bytes.min(MOST_EXPECTED);
        self.nodes.reserve(bytes / BYTES_PER_NODE);
        self.attributes.reserve(bytes / BYTES_PER_ATTRIBUTE);
        self.strings.reserve(bytes.min(SMALL).max(bytes / 2));
    }

    /// Whether there is no room for a further node.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= self.most
    }

    /// Adds a node without links. Where there is no room, it is the document: that can be put nowhere.
    pub(super) fn push(&mut self, content: Content) -> NodeId {
        if self.is_full() {
            return NodeId::DOCUMENT;
        }
        let id = NodeId::at(self.nodes.len());
        self.origins.push(self.nodes.len());
        self.nodes.push(Record {
            parent: None,
            previous: None,
            next: None,
            first_child: None,
            last_child: None,
            content,
        });
        id
    }

    /// Adds a node as the last child of `parent`. Where there is no room, it is the document.
    ///
    /// PERF: its links are written once, with the node.
    #[inline]
    pub(super) fn push_last(&mut self, parent: NodeId, content: Content) -> NodeId {
        if self.is_full() {
            return NodeId::DOCUMENT;
        }
        let id = NodeId::at(self.nodes.len());
        self.origins.push(self.nodes.len());
        let previous = self.record_mut(parent).last_child.replace(id);
        match previous {
            Some(previous) => self.record_mut(previous).next = Some(id),
            None => self.record_mut(parent).first_child = Some(id),
        }
        self.nodes.push(Record {
            parent: Some(parent),
            previous,
            next: None,
            first_child: None,
            last_child: None,
            content,
        });
        id
    }

    /// Puts `child`, which has no parent, into `parent`: before `next`, or last.
    pub(super) fn link(&mut self, parent: NodeId, child: NodeId, next: Link) {
        let previous = match next {
            Some(next) => self.record_mut(next).previous.replace(child),
            None => self.record_mut(parent).last_child.replace(child),
        };
        match previous {
            Some(previous) => self.record_mut(previous).next = Some(child),
            None => self.record_mut(parent).first_child = Some(child),
        }
        let record = self.record_mut(child);
        record.parent = Some(parent);
        record.previous = previous;
        record.next = next;
    }

    /// Takes `node` out of its parent, if it has one.
    pub(super) fn unlink(&mut self, node: NodeId) {
        let record = self.record_mut(node);
        let Some(parent) = record.parent.take() else {
            return;
        };
        let previous = record.previous.take();
        let next = record.next.take();
        match previous {
            Some(previous) => self.record_mut(previous).next = next,
            None => self.record_mut(parent).first_child = next,
        }
        match next {
            Some(next) => self.record_mut(next).previous = previous,
            None => self.record_mut(parent).last_child = previous,
        }
        self.note_move(node);
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::plain!(NodeId);
