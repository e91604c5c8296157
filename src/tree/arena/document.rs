//! `Document`: a tree whose nodes are in one array and refer to each other by their index.
//!
//! No function here recurses, and no node is an allocation of its own. A tree of any depth is therefore cloned and
//! dropped like any other array. `build.rs` creates the nodes, `node.rs` and `walk.rs` read them, and `serialise/`
//! writes them.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU32;

use super::markers::Markers;
use super::names::{NameId, Names};
use super::node_id::{Link, NodeId};
use super::origins::Origins;
use super::owners::Owners;
use super::prologue::{Identified, Prologue};
use super::strings::{Stored, Strings};
use super::tables::Tables;
use crate::engine::error::Span;
use crate::engine::on_demand::OnDemand;
use crate::tree::namespaces;
use crate::tree::origin::Origin;

/// A tree of elements, text, comments, processing instructions and doctypes.
///
/// [`Document::parse`] returns one. You can also build one through [`TreeSink`](crate::TreeSink), and read it at any
/// time in between. [`Node`](super::Node) is the type for reading: begin with [`root`](Self::root) or
/// [`root_element`](Self::root_element).
///
/// # Memory
///
/// A node takes 32 bytes and an attribute 16, plus the bytes of text, attribute values and comments. Each name is
/// stored once. Clones of an element share its attributes until the attributes of one of them change. Removed nodes
/// stay in memory until [`compact`](Self::compact).
///
/// A document that is parsed keeps the first chunk of at least 4 KiB in UTF-8, with its markup, and its strings are parts
/// of that chunk. A chunk that is a part of a larger [`Bytes`](bytes::Bytes) keeps all
/// of it in memory. [`shrink_to_fit`](Self::shrink_to_fit) and `compact` copy the strings and release the chunk.
///
/// The maximum is 2³²−1 nodes (128 GiB) and 2³²−1 attributes. The operations of `TreeSink` ignore nodes and attributes
/// beyond the maximum, and the other methods return [`EditError::Full`](crate::EditError::Full).
/// [`TreeBuilder`](crate::TreeBuilder) returns an error before the maximum is reached: see
/// [`Limits::tree_nodes`](crate::Limits::tree_nodes).
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
#[doc(alias("RcDom", "Dom"))]
pub struct Document {
    /// The nodes by index, including those that were removed from the tree.
    pub(super) nodes: Vec<Record>,
    /// The attributes of all elements by index, including free records.
    pub(super) attributes: Vec<AttributeRecord>,
    /// The first free record in `attributes`, or `None` if there is none. Removed attributes leave free records, which
    /// new attributes reuse. Free records form a linked list, whose last record refers to itself in `next`.
    pub(super) free_attribute: Option<AttributeId>,
    /// The strings that nodes and attributes refer to: the text of text nodes, comments and processing instructions,
    /// and attribute values.
    pub(super) strings: Strings,
    /// The names of elements and attributes. A document that [`Document::following`] creates shares this table with the
    /// previous document of a series, until the new document adds a name.
    pub(super) names: Arc<Names>,
    /// Target and data of each processing instruction.
    pub(super) instructions: Vec<(Stored, Stored)>,
    /// Name and identifiers of each doctype node.
    pub(super) doctypes: Vec<Identified>,
    /// The contents of templates, the shadow roots, and the names of attributes of elements with `is_indexed`.
    pub(super) tables: Tables,
    /// The form owners of controls that are not descendants of their form. The data is boxed and optional, because few
    /// documents have such controls.
    pub(super) owners: Option<Box<Owners>>,
    /// The data of the document that is not stored in nodes, such as the XML declaration and the quirks mode.
    pub(super) prologue: OnDemand<Prologue>,
    /// Positions of the nodes in the input, if they are recorded.
    pub(super) origins: Origins,
    /// The markers at which the content of `<template for>` is inserted, by name.
    pub(super) markers: Option<Box<Markers>>,
    /// Maximum number of nodes, and of attributes: [`MAX_NODES`], or less in tests.
    pub(super) most: usize,
}

/// Maximum number of nodes, and of attributes: IDs have 32 bits and begin at 1.
pub(super) const MAX_NODES: usize = u32::MAX as usize;

/// A node as it is stored: the IDs of its relatives, and its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) parent: Link,
    pub(super) previous: Link,
    pub(super) next: Link,
    pub(super) first_child: Link,
    pub(super) last_child: Link,
    pub(super) content: Content,
}

impl Record {
    /// Returns a node without relatives.
    fn of(content: Content) -> Record {
        Record {
            parent: None,
            previous: None,
            next: None,
            first_child: None,
            last_child: None,
            content,
        }
    }
}

/// The content of a node: its kind, with the data of that kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    Document,
    Fragment {
        /// The template element whose contents the fragment is, or the host whose shadow root it is. `None` for other
        /// fragments.
        host: Link,
    },
    /// A doctype. The value is the index of its data in [`Document::doctypes`].
    Doctype(u32),
    Element {
        name: NameId,
        /// The last attribute of the element, or `None` if it has no attributes. The attributes are a circular linked
        /// list, which the comments call a ring: the last attribute refers to the first. One link therefore gives
        /// access to the last and the first.
        last_attribute: Option<AttributeId>,
        /// True if the element has template contents or a shadow root. Neither is among its children.
        is_template: bool,
        /// True if [`Document::indexed`] contains the names of all attributes of this element.
        is_indexed: bool,
        /// True if this element may share its ring of attributes with clones. The ring must then be copied before a
        /// change.
        is_shared: bool,
    },
    Text(Stored),
    /// Text that is written as a CDATA section.
    Cdata(Stored),
    Comment(Stored),
    /// A processing instruction. The value is the index of its target and data in [`Document::instructions`].
    ProcessingInstruction(u32),
}

impl Content {
    /// Returns the content of a new element with this name and without attributes.
    pub(super) fn element(name: NameId) -> Content {
        Content::element_with(name, None)
    }

    /// Returns a new element with attributes, the last of which is `last_attribute`.
    #[inline(always)]
    pub(super) fn element_with(name: NameId, last_attribute: Option<AttributeId>) -> Content {
        Content::Element {
            name,
            last_attribute,
            is_template: false,
            is_indexed: false,
            is_shared: false,
        }
    }

    /// Returns the content of a text or a comment, with another string. Other contents stay as they are.
    pub(super) fn with_string(self, string: Stored) -> Content {
        match self {
            Content::Text(_) => Content::Text(string),
            Content::Cdata(_) => Content::Cdata(string),
            Content::Comment(_) => Content::Comment(string),
            other => other,
        }
    }
}

/// An attribute as it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttributeRecord {
    pub(super) name: NameId,
    pub(super) value: Stored,
    /// The next attribute of the element. The last attribute refers to the first.
    pub(super) next: AttributeId,
}

/// The ID of an attribute: its index plus 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AttributeId(NonZeroU32);

impl AttributeId {
    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Returns the ID of the attribute at the index `count`, which must be less than [`MAX_NODES`]. This is the ID that
    /// the next attribute gets when the document has `count` attributes.
    pub(super) fn following(count: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(count as u32))
    }
}

/// Numbers of source bytes for which capacity for one node, and for one attribute, is reserved. Even dense markup
/// rarely has more nodes and attributes; typical pages have half as many. Capacity that stays unused takes address
/// space, but no physical memory.
const BYTES_PER_NODE: usize = 16;
const BYTES_PER_ATTRIBUTE: usize = 32;

/// Number of nodes for which a new document has capacity. The number is low because small documents are common.
const INITIAL_NODES: usize = 16;

/// Maximum for each of the three numbers that an [`Outline`] estimates: nodes, attributes and bytes of strings. A large
/// document therefore does not make the next one, which may be small, reserve much memory.
const MAX_RESERVED: usize = 1 << 12;

/// An estimate of the size and the names of a document, taken from the previous document of a series. The next document
/// reserves memory accordingly and starts with the same names.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    /// Estimated number of nodes, at least [`INITIAL_NODES`].
    nodes: usize,
    /// Estimated number of attributes.
    attributes: usize,
    /// Estimated number of bytes of all strings together: text, attribute values, comments and processing instructions.
    bytes: usize,
    /// The name table of the previous document. `None` if there was no document yet, or if its table is too large to be
    /// shared.
    names: Option<Arc<Names>>,
}

impl Default for Outline {
    fn default() -> Self {
        Self {
            nodes: INITIAL_NODES,
            attributes: 0,
            bytes: 0,
            names: None,
        }
    }
}

/// Number of source bytes up to which the reserved capacity for strings is as large as the source. For a longer source,
/// the capacity is half of the source, because only a short source is likely to consist of text alone.
const SHORT_SOURCE_BYTES: usize = 1 << 10;

/// Maximum number of source bytes for which capacity is reserved. The vectors of a larger document grow by doubling, so
/// that reallocations are rare.
const MAX_EXPECTED_BYTES: usize = 1 << 21;

// The documentation of `Document` states these sizes, so a change of a size must also change the documentation.
const _: () = assert!(size_of::<Record>() == 32 && size_of::<AttributeRecord>() == 16);

impl Default for Document {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Document {
    /// Writes the number of nodes only: use [`to_xml`](Document::to_xml) or [`to_html`](Document::to_html) to read a
    /// tree.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Document")
            .field("nodes", &self.nodes.len())
            .finish_non_exhaustive()
    }
}

impl Document {
    /// Returns an empty document, which has only the document node.
    #[inline(always)]
    pub fn new() -> Self {
        Self::with(Arc::default(), INITIAL_NODES)
    }

    /// Returns an empty document with these names and capacity for `capacity` nodes.
    #[inline(always)]
    pub(super) fn with(names: Arc<Names>, capacity: usize) -> Self {
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Record::of(Content::Document));
        Self {
            nodes,
            attributes: Vec::new(),
            free_attribute: None,
            strings: Strings::default(),
            names,
            instructions: Vec::new(),
            doctypes: Vec::new(),
            tables: Tables::NONE,
            owners: None,
            prologue: OnDemand::default(),
            origins: Origins::default(),
            markers: None,
            most: MAX_NODES,
        }
    }

    /// Returns an empty document in the place of one that is moved elsewhere while an element is read into it. The program
    /// gets this document if it stops reading the element.
    pub(crate) fn placeholder(outline: &Outline) -> Self {
        Self::with(outline.names.clone().unwrap_or_default(), 1)
    }

    /// Returns an empty document with the names of the outline, and with capacity for the size that it estimates.
    pub(crate) fn following(outline: &Outline) -> Self {
        let mut document = Self::with(outline.names.clone().unwrap_or_default(), outline.nodes);
        document.attributes.reserve(outline.attributes);
        document.strings.reserve(outline.bytes);
        document
    }

    /// Returns the estimate for the next document of a series, based on the size and the names of this one.
    pub(crate) fn outline(&self) -> Outline {
        let names = self.names.are_few().then(|| Arc::clone(&self.names));
        Outline {
            nodes: self.nodes.len().clamp(INITIAL_NODES, MAX_RESERVED),
            attributes: self.attributes.len().min(MAX_RESERVED),
            bytes: self.strings.len().min(MAX_RESERVED),
            names,
        }
    }

    /// Removes all nodes and resets all properties. The allocated memory is kept for the next nodes.
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
        self.tables.clear();
        self.owners = None;
        self.prologue = OnDemand::default();
        self.origins.clear();
        self.markers = None;
        if !self.names.are_few() {
            self.names = Arc::default();
        }
        self.push(Content::Document);
    }

    /// Returns the number of nodes in memory. This includes the document node and the nodes that were removed from the
    /// tree.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of bytes that the document has allocated on the heap. The result does not include the
    /// doctypes, the declarations, the internal subset, and the hash tables for templates, shadow roots, forms, markers, and attributes that
    /// repeated `<html>` and `<body>` tags add.
    pub fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Record>()
            + self.attributes.capacity() * size_of::<AttributeRecord>()
            + self.instructions.capacity() * size_of::<(Stored, Stored)>()
            + self.strings.heap_size()
            + self.names.heap_size()
            + self.origins.heap_size()
    }

    /// Releases the capacity that was reserved for more nodes, attributes and strings, and the chunk of input that the
    /// document keeps: see [memory](Self#memory). This is useful for programs that keep many documents in memory.
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
        let texts = self
            .nodes
            .iter_mut()
            .filter_map(|node| match &mut node.content {
                Content::Text(text) | Content::Cdata(text) | Content::Comment(text) => Some(text),
                _ => None,
            });
        let values = self.attributes.iter_mut().map(|one| &mut one.value);
        let instructions = self.instructions.iter_mut();
        let instructions = instructions.flat_map(|(target, data)| [target, data]);
        self.strings
            .shrink_to_fit(texts.chain(values).chain(instructions));
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

    /// Returns the child of the document after which the document type was declared. The result is `None` if the
    /// declaration precedes all children. This is for document types without a node, which
    /// [`set_doctype`](super::TreeSink::set_doctype) sets.
    pub(super) fn doctype_after(&self) -> Link {
        let after = self.prologue.doctype_after?;
        // The child that preceded the declaration may have been moved or removed since then.
        (self.record(after).parent == Some(NodeId::DOCUMENT)).then_some(after)
    }

    /// Returns the parent of a node. A fragment has no parent: for the contents of a template, the method returns the
    /// template element, and for a shadow root, the element that the shadow root is attached to.
    pub(crate) fn parent_or_host(&self, id: NodeId) -> Option<NodeId> {
        let record = self.record(id);
        match record.content {
            Content::Fragment { host } => host,
            _ => record.parent,
        }
    }

    /// Reserves capacity for the nodes, attributes and strings of `bytes` bytes of source, so that the vectors are
    /// reallocated less often.
    ///
    /// PERF: this reservation saves 7 % of the time for pages of 100 KB to 2 MB, measured by `benches/run --only tree`.
    pub(super) fn make_room(&mut self, bytes: usize) {
        let bytes = bytes.min(MAX_EXPECTED_BYTES);
        self.nodes.reserve(bytes / BYTES_PER_NODE);
        self.attributes.reserve(bytes / BYTES_PER_ATTRIBUTE);
        self.strings
            .reserve(bytes.min(SHORT_SOURCE_BYTES).max(bytes / 2));
    }

    /// Returns true if the document has the maximum number of nodes.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= self.most
    }

    /// Adds a node without links and returns its ID. If the document is full, returns the ID of the document node,
    /// which no operation can insert anywhere.
    pub(super) fn push(&mut self, content: Content) -> NodeId {
        if self.is_full() {
            return NodeId::DOCUMENT;
        }
        let id = NodeId::at(self.nodes.len());
        self.origins.push(self.nodes.len());
        self.nodes.push(Record::of(content));
        id
    }

    /// Adds a node as the last child of `parent` and returns its ID. If the document is full, returns the ID of the
    /// document node.
    ///
    /// PERF: the node is stored together with its links. A call of `push` and a call of `link` would write the links
    /// twice.
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

    /// Inserts `child` into `parent`, before the child `next`, or as the last child if `next` is `None`. `child` must
    /// not have a parent.
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

    /// Removes `node` from its parent, if it has one.
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
    pub(super) fn origin_of(&self, node: NodeId) -> Option<Origin> {
        self.origins.of(node)
    }

    /// Records the end of an element that is closed while the token with the position `origins.next` is processed.
    #[inline(never)]
    pub(super) fn record_end(&mut self, element: NodeId) {
        if !self.prologue.is_html {
            return self.origins.end(element);
        }
        let Some(node) = self.node(element) else {
            return;
        };
        let is_html = node.namespace() == Some(namespaces::HTML);
        let is_named = self.origins.end_tag.is_of(node.local_name());
        self.origins.end_of_html(element, is_named, is_html);
    }

    /// Records that the elements of HTML that were not closed end at the end of the input.
    pub(super) fn end_open_elements(&mut self, length: u64) {
        if !self.prologue.is_html {
            return;
        }
        for (index, record) in self.nodes.iter().enumerate() {
            if matches!(record.content, Content::Element { .. }) {
                self.origins.end_open(index, length);
            }
        }
    }

    pub(super) fn outer_span_of(&self, element: NodeId) -> Option<Span> {
        self.origins.outer(element)
    }
}

crate::checkpoint::checkpointable! {
    struct Document {
        nodes, attributes, free_attribute, strings, names, instructions, doctypes, tables,
        owners, prologue, origins, markers, most
        ; then Document::validate
    }
    struct Record { parent, previous, next, first_child, last_child, content }
    enum Content {
        Document, Fragment { host }, Doctype(value),
        Element { name, last_attribute, is_template, is_indexed, is_shared }, Text(value),
        Cdata(value), Comment(value), ProcessingInstruction(value),
    }
    struct AttributeRecord { name, value, next }
    struct AttributeId(value);
}
