//! The public methods that create, insert, remove and rename nodes of an existing tree, and that set their text.
//!
//! Parsers build a tree through `build.rs` instead, whose operations ignore invalid calls. The methods here check each
//! call and return an [`EditError`] if it is invalid. `edit_attributes.rs` has the methods for attributes.

use super::document::{Content, Document};
use super::names::Names;
use super::node::Node;
use super::node_id::{Link, NodeId};
use crate::engine::error::EditError;
use crate::tree::namespaces;
use crate::tree::qualified_name::QualifiedName;
use alloc::vec::Vec;

/// A position in a [`Document`] at which a node is inserted: see [`Document::insert`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The position immediately before this node, which must have a parent.
    Before(NodeId),
    /// The position immediately after this node, which must have a parent.
    After(NodeId),
    /// The position before all children of this node: an inserted node becomes its first child.
    FirstIn(NodeId),
    /// The position after all children of this node: an inserted node becomes its last child.
    LastIn(NodeId),
}

/// # Changing a tree
///
/// These methods take the [IDs](NodeId) of nodes. An ID does not borrow the document: a program first collects the IDs
/// of the nodes that it wants to change, and then changes one after the other. IDs stay valid until
/// [`compact`](Self::compact) is called, even if the nodes are moved or removed.
///
/// ```
/// use tagstream::{Document, Html};
///
/// let mut page = Document::parse(Html::default(), "<a href=/x>one</a><script>two()</script>")?;
/// let named = |name: &'static str| move |node: &tagstream::Node<'_>| node.has_name(name);
/// let links: Vec<_> = page.root().descendants().filter(named("a")).map(|node| node.id()).collect();
/// for link in links {
///     page.set_attribute(link, "rel", "nofollow")?;
/// }
/// let scripts: Vec<_> = page.root().descendants().filter(named("script")).map(|node| node.id()).collect();
/// for script in scripts {
///     page.remove(script);
/// }
/// assert!(page.to_html().ends_with(r#"<body><a href="/x" rel="nofollow">one</a></body></html>"#));
/// # Ok::<(), tagstream::Error>(())
/// ```
impl Document {
    /// Creates an element without a parent and returns its ID. If the root element of the document is an HTML element,
    /// the new element is an HTML element, too. Otherwise it has no namespace.
    ///
    /// ```
    /// use tagstream::tree::Place;
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a/>")?;
    /// let a = document.root_element().unwrap().id();
    /// let b = document.new_element("b")?;
    /// document.insert(b, Place::LastIn(a))?;
    /// assert_eq!(document.to_xml()?, "<a><b/></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::Name`] if the name is not valid, and [`EditError::Full`] if the document has the maximum number of
    /// nodes.
    #[doc(alias("create_element", "createElement"))]
    pub fn new_element(&mut self, name: &str) -> Result<NodeId, EditError> {
        let is_html = |root: Node<'_>| root.namespace() == Some(namespaces::HTML);
        let namespace = match self.root_element().is_some_and(is_html) {
            true => namespaces::HTML,
            false => "",
        };
        self.new_unprefixed(namespace, name, false)
    }

    /// Creates an element in a namespace, without a parent, and returns its ID. A prefix ends at the first colon of the
    /// name. An empty namespace means no namespace.
    ///
    /// ```
    /// use tagstream::tree::{Document, namespaces};
    ///
    /// let mut document = Document::new();
    /// let path = document.new_element_ns(namespaces::SVG, "svg:path")?;
    /// let path = document.node(path).unwrap();
    /// assert_eq!((path.prefix(), path.local_name()), (Some("svg"), "path"));
    /// # Ok::<(), tagstream::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::Name`] if the name is not valid, and [`EditError::Full`] if the document has the maximum number of
    /// nodes.
    pub fn new_element_ns(&mut self, namespace: &str, name: &str) -> Result<NodeId, EditError> {
        self.new_unprefixed(namespace, name, true)
    }

    /// Creates an element without a parent and returns its ID. `is_prefixed` is true if the first colon in `name`
    /// separates a prefix from the local name. Otherwise, a colon is part of the local name.
    fn new_unprefixed(
        &mut self,
        namespace: &str,
        name: &str,
        is_prefixed: bool,
    ) -> Result<NodeId, EditError> {
        check_element_name(name)?;
        self.room()?;
        let namespace = match namespace {
            "" => None,
            name => Some(Names::intern_namespace(&mut self.names, name)),
        };
        let name = match is_prefixed && can_be_split(name) {
            true => QualifiedName::prefixed(name, namespace),
            false => QualifiedName::unprefixed(name, namespace),
        };
        let name = Names::intern(&mut self.names, &name);
        Ok(self.push(Content::element(name)))
    }

    /// Creates a text node without a parent and returns its ID.
    ///
    /// ```
    /// use tagstream::tree::Place;
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a>Tom</a>")?;
    /// let a = document.root_element().unwrap().id();
    /// let text = document.new_text("Dear ")?;
    /// document.insert(text, Place::FirstIn(a))?;
    /// assert_eq!(document.to_xml()?, "<a>Dear Tom</a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::Full`] if the document has the maximum number of nodes.
    #[doc(alias("create_text_node", "createTextNode"))]
    pub fn new_text(&mut self, text: &str) -> Result<NodeId, EditError> {
        self.room()?;
        let text = self.strings.store_releasable(text);
        Ok(self.push(Content::Text(text)))
    }

    /// Creates a comment without a parent and returns its ID.
    ///
    /// ```
    /// use tagstream::tree::Place;
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a/>")?;
    /// let a = document.root_element().unwrap().id();
    /// let comment = document.new_comment("made by hand")?;
    /// document.insert(comment, Place::Before(a))?;
    /// assert_eq!(document.to_xml()?, "<!--made by hand--><a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::Full`] if the document has the maximum number of nodes.
    #[doc(alias("create_comment", "createComment"))]
    pub fn new_comment(&mut self, data: &str) -> Result<NodeId, EditError> {
        self.room()?;
        let data = self.strings.store_releasable(data);
        Ok(self.push(Content::Comment(data)))
    }

    /// Creates a processing instruction without a parent and returns its ID.
    ///
    /// ```
    /// use tagstream::tree::Place;
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a/>")?;
    /// let a = document.root_element().unwrap().id();
    /// let instruction = document.new_processing_instruction("page", "break")?;
    /// document.insert(instruction, Place::LastIn(a))?;
    /// assert_eq!(document.to_xml()?, "<a><?page break?></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::Name`] if the target is not valid, and [`EditError::Full`] if the document has the maximum number
    /// of nodes.
    pub fn new_processing_instruction(
        &mut self,
        target: &str,
        data: &str,
    ) -> Result<NodeId, EditError> {
        check_element_name(target)?;
        self.room()?;
        let target = self.strings.store_releasable(target);
        let data = self.strings.store_releasable(data);
        Ok(self.push_instruction(target, data))
    }

    /// Inserts a node, with all its descendants, at the position `place`. If the node has a parent, it is removed from
    /// there first.
    ///
    /// ```
    /// use tagstream::tree::Place;
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a><b/><c/><d/></a>")?;
    /// let ids: Vec<_> = document.root_element().unwrap().children().map(|node| node.id()).collect();
    /// document.insert(ids[2], Place::Before(ids[0]))?;
    /// assert_eq!(document.to_xml()?, "<a><d/><b/><c/></a>");
    /// document.insert(ids[2], Place::After(ids[0]))?;
    /// assert_eq!(document.to_xml()?, "<a><b/><d/><c/></a>");
    /// document.insert(ids[2], Place::LastIn(ids[1]))?;
    /// assert_eq!(document.to_xml()?, "<a><b/><c><d/></c></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`] if the document has no node with one of the IDs, [`EditError::Root`] if `node` is a
    /// document or a fragment, [`EditError::NoPlace`] if the position is next to a node without a parent,
    /// [`EditError::NoParent`] if the parent is a node that cannot have children, and [`EditError::Cycle`] if the
    /// position is inside `node`. If the call fails, the document has not changed.
    #[doc(alias("insert_before", "insertBefore", "insert_after"))]
    pub fn insert(&mut self, node: NodeId, place: Place) -> Result<(), EditError> {
        self.known(node)?;
        if matches!(
            self.record(node).content,
            Content::Document | Content::Fragment { .. }
        ) {
            return Err(EditError::Root);
        }
        let (parent, mut next) = self.resolve(place)?;
        if parent == node || self.has_below(node) && self.is_below(parent, node) {
            return Err(EditError::Cycle);
        }
        if next == Some(node) {
            next = self.record(node).next;
        }
        self.unlink(node);
        self.link(parent, node, next);
        Ok(())
    }

    /// Translates a position into a parent and the child before which a node is to be inserted; `None` is the end of
    /// the children. Returns an error if the parent is a node that cannot have children.
    pub(crate) fn resolve(&self, place: Place) -> Result<(NodeId, Link), EditError> {
        let (Place::Before(node) | Place::After(node) | Place::FirstIn(node) | Place::LastIn(node)) =
            place;
        self.known(node)?;
        let record = self.record(node);
        let (parent, next) = match place {
            Place::Before(_) => (record.parent.ok_or(EditError::NoPlace)?, Some(node)),
            Place::After(_) => (record.parent.ok_or(EditError::NoPlace)?, record.next),
            Place::FirstIn(_) => (node, record.first_child),
            Place::LastIn(_) => (node, None),
        };
        match self.is_container(parent) {
            true => Ok((parent, next)),
            false => Err(EditError::NoParent),
        }
    }

    /// Removes a node, with all its descendants, from its parent. Returns false if the node has no parent or does not
    /// exist. The node stays usable and can be inserted again.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a><b><c/></b></a>")?;
    /// let b = document.root_element().unwrap().first_child().unwrap().id();
    /// assert!(document.remove(b));
    /// assert!(!document.remove(b));
    /// assert_eq!(document.to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("detach", "remove_child", "removeChild", "delete"))]
    pub fn remove(&mut self, node: NodeId) -> bool {
        let had = self.known(node).is_ok() && self.record(node).parent.is_some();
        if had {
            self.unlink(node);
        }
        had
    }

    /// Removes all children of a node. If the node is a template element with contents, its contents are removed
    /// instead.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a>text<b/></a>")?;
    /// let a = document.root_element().unwrap().id();
    /// document.remove_children(a)?;
    /// assert_eq!(document.to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`] if the document has no node with this ID.
    #[doc(alias = "clear_children")]
    pub fn remove_children(&mut self, node: NodeId) -> Result<(), EditError> {
        self.known(node)?;
        let node = self.tables.template(node).unwrap_or(node);
        while let Some(child) = self.record(node).first_child {
            self.unlink(child);
        }
        Ok(())
    }

    /// Replaces an element by its children. The contents of a template element are not its children, but a separate
    /// tree: they are removed with the element.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a>1<b>2<c/></b>3</a>")?;
    /// let b = document.root().descendants().find(|node| node.name() == "b").unwrap().id();
    /// document.unwrap(b)?;
    /// assert_eq!(document.to_xml()?, "<a>12<c/>3</a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`] if the document has no node with this ID, [`EditError::NoElement`] if the node is not an
    /// element, and [`EditError::NoPlace`] if the element has no parent.
    #[doc(alias = "replace_with_children")]
    pub fn unwrap(&mut self, element: NodeId) -> Result<(), EditError> {
        self.known_element(element)?;
        let parent = self.record(element).parent.ok_or(EditError::NoPlace)?;
        while let Some(child) = self.record(element).first_child {
            self.unlink(child);
            self.link(parent, child, Some(element));
        }
        self.unlink(element);
        Ok(())
    }

    /// Sets the content of a text node, the content of a comment, or the data of a processing instruction. In an
    /// element or a fragment, replaces all children by one text node. If the only child is a text node already, that
    /// node stays and gets the text. An empty string removes all children.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a><b/>old</a>")?;
    /// let a = document.root_element().unwrap().id();
    /// document.set_text(a, "1 < 2")?;
    /// assert_eq!(document.to_xml()?, "<a>1 &lt; 2</a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`] if the document has no node with this ID, [`EditError::Full`] if the document has the
    /// maximum number of nodes, and [`EditError::NoData`] for a document or a doctype.
    #[doc(alias = "set_text_content")]
    pub fn set_text(&mut self, node: NodeId, text: &str) -> Result<(), EditError> {
        self.known(node)?;
        match self.record(node).content {
            content @ (Content::Text(before)
            | Content::Cdata(before)
            | Content::Comment(before)) => {
                self.strings.release(before);
                let data = self.strings.store_releasable(text);
                self.record_mut(node).content = content.with_string(data);
            }
            Content::ProcessingInstruction(index) => {
                let (target, before) = self.instructions[index as usize];
                self.strings.release(before);
                self.instructions[index as usize] = (target, self.strings.store_releasable(text));
            }
            Content::Element { .. } | Content::Fragment { .. } => return self.fill(node, text),
            Content::Document | Content::Doctype(_) => return Err(EditError::NoData),
        }
        Ok(())
    }

    /// Replaces the children of an element or a fragment by a text node with this text. For a template element,
    /// replaces its contents.
    fn fill(&mut self, node: NodeId, text: &str) -> Result<(), EditError> {
        let holder = self.tables.template(node).unwrap_or(node);
        let record = self.record(holder);
        if let Some(only) = record.first_child
            && record.last_child == Some(only)
            && matches!(
                self.record(only).content,
                Content::Text(_) | Content::Cdata(_)
            )
            && !text.is_empty()
        {
            return self.set_text(only, text);
        }
        if text.is_empty() {
            return self.remove_children(node);
        }
        let text = self.new_text(text)?;
        self.remove_children(node)?;
        self.link(holder, text, None);
        Ok(())
    }

    /// Changes the local name of an element, or the target of a processing instruction. An element keeps its namespace,
    /// prefix, attributes and children.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let mut page = Document::parse(Html::default(), "<b id=1>bold</b>")?;
    /// let b = page.root().descendants().find(|node| node.name() == "b").unwrap().id();
    /// page.rename(b, "strong")?;
    /// assert_eq!(page.node(b).unwrap().to_html(), r#"<strong id="1">bold</strong>"#);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`] if the document has no node with this ID, [`EditError::Name`] if the name is not valid,
    /// and [`EditError::NoData`] if the node is neither an element nor a processing instruction.
    #[doc(alias("set_name", "set_tag_name"))]
    pub fn rename(&mut self, node: NodeId, name: &str) -> Result<(), EditError> {
        self.known(node)?;
        check_element_name(name)?;
        match self.record(node).content {
            Content::Element { name: before, .. } => {
                let namespace = self.names.namespace_id(before);
                let prefixed = self
                    .names
                    .prefix(before)
                    .map(|prefix| [prefix, ":", name].concat());
                let name = match &prefixed {
                    Some(prefixed) => QualifiedName::prefixed(prefixed, namespace),
                    None => QualifiedName::unprefixed(name, namespace),
                };
                let after = Names::intern(&mut self.names, &name);
                if let Content::Element { name, .. } = &mut self.record_mut(node).content {
                    *name = after;
                }
                Ok(())
            }
            Content::ProcessingInstruction(index) => {
                let (before, data) = self.instructions[index as usize];
                self.strings.release(before);
                self.instructions[index as usize] = (self.strings.store_releasable(name), data);
                Ok(())
            }
            _ => Err(EditError::NoData),
        }
    }

    /// Returns the IDs of the children of a node, so that the caller can change the document while it iterates.
    pub(crate) fn child_ids(&self, node: NodeId) -> Vec<NodeId> {
        let children = Node {
            document: self,
            id: node,
        }
        .children();
        children.map(|child| child.id).collect()
    }

    /// Returns an error if the document has no node with this ID.
    pub(super) fn known(&self, node: NodeId) -> Result<(), EditError> {
        match node.index() < self.nodes.len() {
            true => Ok(()),
            false => Err(EditError::NoNode),
        }
    }

    /// Returns an error if the document has no element with this ID.
    pub(super) fn known_element(&self, node: NodeId) -> Result<(), EditError> {
        self.known(node)?;
        match self.record(node).content {
            Content::Element { .. } => Ok(()),
            _ => Err(EditError::NoElement),
        }
    }

    /// Returns an error if the document has the maximum number of nodes.
    pub(super) fn room(&self) -> Result<(), EditError> {
        match self.is_full() {
            true => Err(EditError::Full),
            false => Ok(()),
        }
    }
}

/// Returns true if the name is a valid element local name according to the DOM standard. The parsers of HTML and XML
/// create only elements with such names.
///
/// <https://dom.spec.whatwg.org/#valid-element-local-name>
fn is_element_name(name: &str) -> bool {
    let Some(first) = name.chars().next() else {
        return false;
    };
    if first.is_ascii_alphabetic() {
        return !name.contains(|character: char| {
            character.is_ascii_whitespace() || matches!(character, '\0' | '/' | '>')
        });
    }
    let is_start = |character: char| matches!(character, ':' | '_') || !character.is_ascii();
    let is_later = |character: char| {
        is_start(character) || character.is_ascii_alphanumeric() || matches!(character, '-' | '.')
    };
    is_start(first) && name.chars().all(is_later)
}

fn check_element_name(name: &str) -> Result<(), EditError> {
    match is_element_name(name) {
        true => Ok(()),
        false => Err(EditError::name(name)),
    }
}

/// Returns true if a qualified name can be split into a prefix and a local name: it has at least one character before
/// and after its first colon.
pub(super) fn can_be_split(name: &str) -> bool {
    name.split_once(':')
        .is_some_and(|(prefix, local)| !prefix.is_empty() && !local.is_empty())
}

/// Returns an error if the name is not a valid attribute local name according to the DOM standard.
///
/// <https://dom.spec.whatwg.org/#valid-attribute-local-name>
pub(super) fn check_attribute_name(name: &str) -> Result<(), EditError> {
    let ends_name = |character: char| {
        character.is_ascii_whitespace() || matches!(character, '\0' | '/' | '=' | '>')
    };
    match name.is_empty() || name.contains(ends_name) {
        true => Err(EditError::name(name)),
        false => Ok(()),
    }
}
