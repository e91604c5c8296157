//! Methods that create a node and insert it in one call: `Document::append`, `prepend`, `insert_adjacent` and
//! `append_text`, and the type [`Insertion`] of their argument. The insertion of parsed markup is in
//! `tree_builder/inner.rs`.

use super::document::Document;
use super::edit::Place;
use super::node_id::NodeId;
use crate::engine::error::EditError;
use alloc::string::String;

/// A node to insert into a [`Document`]: a node that the document already has, or a new one.
///
/// A [`NodeId`] converts to the node with that ID, and a string converts to a new text node.
///
/// ```
/// use tagstream::{Document, Html, Insertion};
///
/// let mut page = Document::parse(Html::fragment("div")?, "<ul><li>one</ul>")?;
/// let list = page.root().descendants().find(|node| node.has_name("ul")).unwrap().id();
/// let item = page.append(list, Insertion::Element("li"))?;
/// page.append(item, "1 < 2")?;
/// page.prepend(list, Insertion::Comment("two items"))?;
/// assert_eq!(
///     page.node(list).unwrap().to_html(),
///     "<ul><!--two items--><li>one</li><li>1 &lt; 2</li></ul>"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Insertion<'a> {
    /// The node with this ID and all its descendants. The node is removed from its current parent first.
    Node(NodeId),
    /// A new element with this name, created by [`Document::new_element`].
    Element(&'a str),
    /// A new text node. The string is text, not markup: it is escaped when the tree is written.
    Text(&'a str),
    /// A new comment with this content.
    Comment(&'a str),
}

impl From<NodeId> for Insertion<'_> {
    fn from(node: NodeId) -> Self {
        Insertion::Node(node)
    }
}

impl<'a> From<&'a str> for Insertion<'a> {
    fn from(text: &'a str) -> Self {
        Insertion::Text(text)
    }
}

impl<'a> From<&'a String> for Insertion<'a> {
    fn from(text: &'a String) -> Self {
        Insertion::Text(text)
    }
}

/// # Inserting in one call
///
/// [`append`](Self::append), [`prepend`](Self::prepend) and [`insert_adjacent`](Self::insert_adjacent) insert an
/// existing node or a new one, and return its ID. If they fail, the document has not changed.
impl Document {
    /// Inserts a node as the last child of `parent` and returns its ID. A string becomes a text node.
    ///
    /// ```
    /// use tagstream::{Document, Insertion, Xml};
    ///
    /// let mut feed = Document::parse(Xml::default(), "<feed/>")?;
    /// let root = feed.root_element().unwrap().id();
    /// let title = feed.append(root, Insertion::Element("title"))?;
    /// feed.append(title, "Tom & Jerry")?;
    /// assert_eq!(feed.to_xml()?, "<feed><title>Tom &amp; Jerry</title></feed>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The contents of a template element of HTML are not its children: insert into
    /// [`template_contents`](crate::Node::template_contents) instead.
    ///
    /// # Errors
    ///
    /// The same as those of [`insert_adjacent`](Self::insert_adjacent).
    #[doc(alias = "append_child")]
    #[doc(alias = "appendChild")]
    #[doc(alias = "push_child")]
    pub fn append<'a>(
        &mut self,
        parent: NodeId,
        child: impl Into<Insertion<'a>>,
    ) -> Result<NodeId, EditError> {
        self.insert_adjacent(Place::LastIn(parent), child)
    }

    /// Inserts a node as the first child of `parent` and returns its ID. A string becomes a text node.
    ///
    /// ```
    /// use tagstream::{Document, Insertion, Xml};
    ///
    /// let mut list = Document::parse(Xml::default(), "<list><two/></list>")?;
    /// let root = list.root_element().unwrap().id();
    /// list.prepend(root, Insertion::Element("one"))?;
    /// assert_eq!(list.to_xml()?, "<list><one/><two/></list>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as those of [`insert_adjacent`](Self::insert_adjacent).
    #[doc(alias = "prepend_child")]
    pub fn prepend<'a>(
        &mut self,
        parent: NodeId,
        child: impl Into<Insertion<'a>>,
    ) -> Result<NodeId, EditError> {
        self.insert_adjacent(Place::FirstIn(parent), child)
    }

    /// Inserts a node at the position `place` and returns its ID. A string becomes a text node.
    ///
    /// ```
    /// use tagstream::{Document, Insertion, Place, Xml};
    ///
    /// let mut list = Document::parse(Xml::default(), "<list><two/></list>")?;
    /// let two = list.root_element().unwrap().first_child().unwrap().id();
    /// list.insert_adjacent(Place::Before(two), Insertion::Element("one"))?;
    /// list.insert_adjacent(Place::After(two), "three")?;
    /// assert_eq!(list.to_xml()?, "<list><one/><two/>three</list>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`insert`](Self::insert). In addition, [`EditError::Name`] for a new element with an invalid name,
    /// and [`EditError::Full`] for any new node.
    #[doc(alias = "insert_before")]
    #[doc(alias = "insert_after")]
    #[doc(alias = "insertBefore")]
    #[doc(alias = "insertAdjacentElement")]
    #[doc(alias = "insertAdjacentText")]
    pub fn insert_adjacent<'a>(
        &mut self,
        place: Place,
        node: impl Into<Insertion<'a>>,
    ) -> Result<NodeId, EditError> {
        let insertion = node.into();
        if let Insertion::Node(node) = insertion {
            return self.insert(node, place).map(|()| node);
        }
        // The position is checked before the node is created, so that a call that fails does not leave an unused node.
        let (parent, next) = self.resolve(place)?;
        let node = match insertion {
            Insertion::Node(node) => node,
            Insertion::Element(name) => self.new_element(name)?,
            Insertion::Text(text) => self.new_text(text)?,
            Insertion::Comment(data) => self.new_comment(data)?,
        };
        self.link(parent, node, next);
        Ok(node)
    }

    /// Appends text to the content of `parent`. If the last child is a text node, this node is extended; otherwise a
    /// new text node is added. An empty string changes nothing.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let mut greeting = Document::parse(Xml::default(), "<p>Hello</p>")?;
    /// let p = greeting.root_element().unwrap().id();
    /// greeting.append_text(p, ", world")?;
    /// assert_eq!(greeting.node(p).unwrap().children().count(), 1);
    /// assert_eq!(greeting.to_xml()?, "<p>Hello, world</p>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`] if the document has no node with this ID, [`EditError::NoParent`] if the node cannot have
    /// children, and [`EditError::Full`] if the document has the maximum number of nodes.
    pub fn append_text(&mut self, parent: NodeId, text: &str) -> Result<(), EditError> {
        let (parent, _) = self.resolve(Place::LastIn(parent))?;
        let last = self.record(parent).last_child;
        if text.is_empty() || last.is_some_and(|last| self.extend_text(last, text)) {
            return Ok(());
        }
        let text = self.new_text(text)?;
        self.link(parent, text, None);
        Ok(())
    }
}
