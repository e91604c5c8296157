//! `Node`: a reference to a node of a document, with the methods that read the node.

use alloc::string::String;
use core::fmt;
use core::hash::{Hash, Hasher};

use super::document::{Content, Document};
use super::names::NameId;
use super::node_attribute::Attribute;
use super::node_id::{Link, NodeId};
use super::prologue::Doctype;
use super::walk::{Ancestors, Attributes, Children, Descendants, Edges};
use crate::engine::error::{Position, Span};
use crate::engine::namespaces::unprefixed;
use crate::tree::shadow::ShadowRoot;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NodeKind {
    /// The document node, which is the root of the tree.
    Document,
    /// A document fragment: the contents of a template, a shadow root, or the root of other nodes that are not part of
    /// the document.
    DocumentFragment,
    /// A doctype.
    Doctype,
    /// An element.
    Element,
    /// Text. The text of CDATA sections is included.
    Text,
    /// A comment.
    Comment,
    /// A processing instruction.
    ProcessingInstruction,
}

/// A node of a [`Document`]: a reference to the document together with the ID of the node. It is cheap to copy.
///
/// ```
/// use tagstream::{Document, Html, Node};
///
/// fn headings(page: &Document) -> Vec<Node<'_>> {
///     page.root().descendants().filter(|node| node.name() == "h1").collect()
/// }
///
/// let page = Document::parse(Html::default(), "<h1>Tom</h1><h1 id=j>Jerry")?;
/// let headings = headings(&page);
/// assert_eq!(headings[0].text_content(), "Tom");
/// assert_eq!(headings[1].attribute("id"), Some("j"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
#[doc(alias("ElementRef", "Element"))]
pub struct Node<'a> {
    pub(super) document: &'a Document,
    pub(super) id: NodeId,
}

impl PartialEq for Node<'_> {
    /// Returns true if both are the same node of the same document. Different nodes with equal content are not equal.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && core::ptr::eq(self.document, other.document)
    }
}

impl Eq for Node<'_> {}

impl Hash for Node<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = formatter.debug_struct("Node");
        tuple.field("kind", &self.kind());
        if !self.name().is_empty() {
            tuple.field("name", &self.name());
        }
        if !self.text().is_empty() {
            tuple.field("text", &self.text());
        }
        tuple.finish_non_exhaustive()
    }
}

impl<'a> Node<'a> {
    /// Returns the ID of the node. [`Document::node`] returns the node with a given ID.
    #[inline]
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// Returns the document that the node belongs to.
    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// Returns the kind of the node.
    #[inline]
    #[doc(alias("node_type", "nodeType"))]
    pub fn kind(&self) -> NodeKind {
        match self.content() {
            Content::Document => NodeKind::Document,
            Content::Fragment { .. } => NodeKind::DocumentFragment,
            Content::Doctype(_) => NodeKind::Doctype,
            Content::Element { .. } => NodeKind::Element,
            Content::Text(_) | Content::Cdata(_) => NodeKind::Text,
            Content::Comment(_) => NodeKind::Comment,
            Content::ProcessingInstruction(_) => NodeKind::ProcessingInstruction,
        }
    }

    /// Returns true if the node is an element.
    #[inline]
    pub fn is_element(&self) -> bool {
        matches!(self.content(), Content::Element { .. })
    }

    /// Returns true if the node is a text node.
    #[inline]
    pub fn is_text(&self) -> bool {
        matches!(self.content(), Content::Text(_) | Content::Cdata(_))
    }

    /// Returns the qualified name of an element, the target of a processing instruction, or the name of a doctype. The
    /// result for all other nodes is an empty string.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<p:a xmlns:p='urn:p'/>")?;
    /// let root = document.root_element().unwrap();
    /// assert_eq!((root.name(), root.prefix(), root.local_name()), ("p:a", Some("p"), "a"));
    /// assert_eq!(root.namespace(), Some("urn:p"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    #[doc(alias("tag_name", "tagName", "nodeName"))]
    pub fn name(&self) -> &'a str {
        match self.content() {
            Content::Element { name, .. } => self.document.names.qualified(name),
            Content::ProcessingInstruction(index) => {
                let (target, _) = self.document.instructions[index as usize];
                self.document.strings.read(target)
            }
            Content::Doctype(index) => &self.document.doctypes[index as usize].name,
            _ => "",
        }
    }

    /// Returns the name of an element without its prefix. The result for all other nodes is that of
    /// [`name`](Self::name).
    #[inline]
    #[doc(alias = "localName")]
    pub fn local_name(&self) -> &'a str {
        match self.element_name() {
            Some(name) => self.document.names.local(name),
            None => self.name(),
        }
    }

    /// Returns the part of an element's name after its first colon, whether or not the prefix is bound to a namespace.
    /// The result for all other nodes is that of [`name`](Self::name).
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let feed = Document::parse(Xml::default(), "<media:title a:b='1'/>")?;
    /// let title = feed.root_element().unwrap();
    /// assert_eq!((title.local_name(), title.unprefixed_name()), ("media:title", "title"));
    /// assert_eq!(title.attributes().next().unwrap().unprefixed_name(), "b");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn unprefixed_name(&self) -> &'a str {
        match self.is_element() {
            true => unprefixed(self.name()),
            false => self.name(),
        }
    }

    /// Returns the prefix of an element's name. The result is `None` if the name has no prefix or the node is not an
    /// element.
    pub fn prefix(&self) -> Option<&'a str> {
        self.document.names.prefix(self.element_name()?)
    }

    /// Returns the namespace name of an element. The result is `None` if the element is in no namespace or the node is
    /// not an element.
    #[inline]
    #[doc(alias("namespace_uri", "namespaceURI"))]
    pub fn namespace(&self) -> Option<&'a str> {
        self.document.names.namespace(self.element_name()?)
    }

    /// Returns the attributes of an element, in the order of the source. Other nodes have no attributes.
    #[inline]
    #[doc(alias = "attrs")]
    pub fn attributes(&self) -> Attributes<'a> {
        Attributes::new(*self)
    }

    /// Returns the value of the attribute with this qualified name, or `None` if there is no such attribute.
    #[doc(alias("attr", "get_attribute", "getAttribute"))]
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes()
            .find(|attribute| attribute.name() == name)
            .map(|found| found.value())
    }

    /// Returns the value of the attribute with this namespace and local name, or `None` if there is no such attribute.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a xmlns:p='urn:p' p:b='1'/>")?;
    /// let root = document.root_element().unwrap();
    /// assert_eq!(root.attribute_ns("urn:p", "b"), Some("1"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("attr_ns", "getAttributeNS"))]
    pub fn attribute_ns(&self, namespace: &str, local_name: &str) -> Option<&'a str> {
        let matches = |attribute: &Attribute<'_>| {
            attribute.local_name() == local_name && attribute.namespace() == Some(namespace)
        };
        self.attributes().find(matches).map(|found| found.value())
    }

    /// Returns the content of a text node, the content of a comment, or the data of a processing instruction. The
    /// result for all other nodes is an empty string.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a>Tom &amp; Jerry</a>")?;
    /// let root = document.root_element().unwrap();
    /// let text = root.first_child().unwrap();
    /// assert_eq!((text.text(), root.text()), ("Tom & Jerry", ""));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    #[doc(alias = "nodeValue")]
    pub fn text(&self) -> &'a str {
        match self.content() {
            Content::Text(data) | Content::Cdata(data) | Content::Comment(data) => {
                self.document.strings.read(data)
            }
            Content::ProcessingInstruction(index) => {
                let (_, data) = self.document.instructions[index as usize];
                self.document.strings.read(data)
            }
            _ => "",
        }
    }

    /// Returns the content of all text nodes among this node and its descendants, concatenated in document order.
    /// Comments, processing instructions and the contents of templates are not included. For the text that a browser
    /// shows, see [`inner_text`](Self::inner_text).
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a>Tom &amp; <b>Jerry</b></a>")?;
    /// let root = document.root_element().unwrap();
    /// assert_eq!(root.text_content(), "Tom & Jerry");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias = "textContent")]
    pub fn text_content(&self) -> String {
        let mut content = String::new();
        for node in core::iter::once(*self)
            .chain(self.descendants())
            .filter(Node::is_text)
        {
            content.push_str(node.text());
        }
        content
    }

    /// Returns the name and the identifiers of a doctype node; `None` for all other nodes.
    pub fn doctype(&self) -> Option<Doctype<'a>> {
        match self.content() {
            Content::Doctype(index) => Some(self.document.doctypes[index as usize].doctype()),
            _ => None,
        }
    }

    /// Returns the fragment with the contents of a template element of HTML; `None` for all other nodes.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<template><p>text")?;
    /// let template = document.root().descendants().find(|node| node.name() == "template").unwrap();
    /// assert_eq!(template.children().count(), 0);
    /// assert_eq!(template.template_contents().unwrap().text_content(), "text");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn template_contents(&self) -> Option<Node<'a>> {
        match self.content() {
            Content::Element {
                is_template: true, ..
            } => self.link(self.document.tables.template(self.id)),
            _ => None,
        }
    }

    /// Returns the shadow root of an element, or `None` if the element has no shadow root. Shadow roots are created
    /// only if [`Html::shadow_roots`](crate::Html::shadow_roots) is set. A shadow root is a fragment that is not a
    /// descendant of its host element: selectors do not search it, and `text_content` and `to_xml` do not include it.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let markup = "<div><template shadowrootmode=open><p>one</template>two</div>";
    /// let page = Document::parse(Html::default().shadow_roots(true), markup)?;
    /// let div = page.root().descendants().find(|node| node.name() == "div").unwrap();
    /// assert_eq!(div.text_content(), "two");
    /// assert_eq!(div.shadow_root().unwrap().text_content(), "one");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn shadow_root(&self) -> Option<Node<'a>> {
        match self.content() {
            Content::Element {
                is_template: true, ..
            } => {
                let root = self.document.tables.shadow_root(self.id);
                self.link(root.map(|(root, _)| *root))
            }
            _ => None,
        }
    }

    /// Returns the properties of a shadow root; `None` for all other nodes.
    pub fn as_shadow_root(&self) -> Option<&'a ShadowRoot> {
        match self.content() {
            Content::Fragment { host: Some(_) } => self.document.shadow_root_of(self.id),
            _ => None,
        }
    }

    /// Returns the parent, or `None` if the node has no parent.
    #[inline]
    #[doc(alias("parent_node", "parentNode"))]
    pub fn parent(&self) -> Option<Node<'a>> {
        self.link(self.document.record(self.id).parent)
    }

    /// Returns the first child, or `None` if the node has no children.
    #[inline]
    #[doc(alias = "firstChild")]
    pub fn first_child(&self) -> Option<Node<'a>> {
        self.link(self.document.record(self.id).first_child)
    }

    /// Returns the last child, or `None` if the node has no children.
    #[inline]
    #[doc(alias = "lastChild")]
    pub fn last_child(&self) -> Option<Node<'a>> {
        self.link(self.document.record(self.id).last_child)
    }

    /// Returns the previous sibling, or `None` if the node is the first child or has no parent.
    #[inline]
    #[doc(alias("prev_sibling", "previousSibling"))]
    pub fn previous_sibling(&self) -> Option<Node<'a>> {
        self.link(self.document.record(self.id).previous)
    }

    /// Returns the next sibling, or `None` if the node is the last child or has no parent.
    #[inline]
    #[doc(alias = "nextSibling")]
    pub fn next_sibling(&self) -> Option<Node<'a>> {
        self.link(self.document.record(self.id).next)
    }

    /// Returns the children in document order. The iterator can also be read from its end.
    #[inline]
    #[doc(alias("child_nodes", "childNodes"))]
    pub fn children(&self) -> Children<'a> {
        Children::new(*self)
    }

    /// Returns all descendants of the node in document order, without the node itself. The contents of templates are
    /// not included.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a><b><c/></b><d/></a>")?;
    /// let root = document.root_element().unwrap();
    /// assert!(root.descendants().map(|node| node.name()).eq(["b", "c", "d"]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    #[doc(alias("getElementsByTagName", "iter"))]
    pub fn descendants(&self) -> Descendants<'a> {
        Descendants::new(*self)
    }

    /// Returns the ancestors of the node: its parent, the parent of its parent, and so on up to the root.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a><b><c/></b></a>")?;
    /// let c = document.root().descendants().last().unwrap();
    /// assert!(c.ancestors().map(|node| node.name()).eq(["b", "a", ""]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    #[doc(alias = "parents")]
    pub fn ancestors(&self) -> Ancestors<'a> {
        Ancestors::new(*self)
    }

    /// Returns the steps of a walk through the node and its descendants in document order: one step at the start of
    /// each node and one at its end. This is the order in which a serializer writes start tags and end tags.
    ///
    /// ```
    /// use tagstream::tree::Edge;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a><b/></a>")?;
    /// let mut outline = String::new();
    /// for edge in document.root_element().unwrap().edges() {
    ///     match edge {
    ///         Edge::Open(node) => outline.push_str(node.name()),
    ///         Edge::Close(_) => outline.push('.'),
    ///     }
    /// }
    /// assert_eq!(outline, "ab..");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    #[doc(alias = "traverse")]
    pub fn edges(&self) -> Edges<'a> {
        Edges::new(*self)
    }

    /// Returns the ID of an element's interned name; `None` if the node is not an element.
    #[inline]
    pub(super) fn element_name(&self) -> Option<NameId> {
        match self.content() {
            Content::Element { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Returns the index of an element's name in the name table of its document. Elements and attributes with the same
    /// name have the same index. The result is `None` if the node is not an element.
    #[inline]
    pub(crate) fn name_number(&self) -> Option<usize> {
        self.element_name().map(NameId::index)
    }

    #[inline]
    fn content(&self) -> Content {
        self.document.record(self.id).content
    }

    #[inline]
    fn link(&self, link: Link) -> Option<Node<'a>> {
        link.map(|id| Node {
            document: self.document,
            id,
        })
    }
}

impl Document {
    /// Returns the document node. Its children are the root element and the nodes before and after the root element.
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

    /// Returns the first element among the children of the document node.
    #[doc(alias("document_element", "documentElement"))]
    pub fn root_element(&self) -> Option<Node<'_>> {
        self.root().children().find(Node::is_element)
    }

    /// Returns the node with this ID, or `None` if the document has no such node.
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

    /// Returns the byte range of the whole element in the input: from the start of its start tag to the end of its end tag,
    /// or to the offset at which its end is implied. Returns `None` if
    /// [`TreeBuilder::positions`](crate::TreeBuilder::positions) was not set, for nodes that are not elements, and for
    /// elements that were still open when the parse was stopped.
    ///
    /// An element of HTML without an end tag of its own ends at the start of the token that closes the element, or at the
    /// end of the input. `body` and `html` always end at the end of the input, because their end tags do not close them. A
    /// formatting element that a misnested end tag divides ends with that tag. If the parser moves content, out of a table
    /// for example, the range is that of the element's markup, not of the nodes that are its children.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let input = "<a> <b c='1'>x</b> </a>";
    /// let mut builder = TreeBuilder::new(Xml::default()).positions(true);
    /// builder.feed(input)?;
    /// let document = builder.finish()?;
    /// let b = document.root_element().unwrap().first_element_child().unwrap();
    /// let span = b.outer_span().unwrap();
    /// assert_eq!(&input[span.start as usize..span.end as usize], "<b c='1'>x</b>");
    ///
    /// use tagstream::Html;
    ///
    /// let input = "<ul><li>one<li>two</ul>";
    /// let mut builder = TreeBuilder::new(Html::default()).positions(true);
    /// builder.feed(input)?;
    /// let page = builder.finish()?;
    /// let item = page.root().descendants().find(|node| node.name() == "li").unwrap();
    /// let span = item.outer_span().unwrap();
    /// assert_eq!(&input[span.start as usize..span.end as usize], "<li>one");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("range", "outer_html"))]
    pub fn outer_span(&self) -> Option<Span> {
        self.document.outer_span_of(self.id)
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
