//! Convenience methods of `Node`: navigation from element to element, a test of the name, and the data of one node.

use super::document::Content;
use super::node::Node;

impl<'a> Node<'a> {
    /// Returns the children that are elements.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a> <b/> text <c/> </a>")?;
    /// let a = document.root_element().unwrap();
    /// assert!(a.element_children().map(|node| node.name()).eq(["b", "c"]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias = "child_elements")]
    pub fn element_children(&self) -> impl DoubleEndedIterator<Item = Node<'a>> + use<'a> {
        self.children().filter(Node::is_element)
    }

    /// Returns the first child that is an element.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a> <b/> <c/></a>")?;
    /// let b = document.root_element().unwrap().first_element_child().unwrap();
    /// assert_eq!(b.name(), "b");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("firstElementChild", "first_child_element"))]
    pub fn first_element_child(&self) -> Option<Node<'a>> {
        self.element_children().next()
    }

    /// Returns the next sibling that is an element.
    #[doc(alias("next_element_sibling", "nextElementSibling", "next_sibling_element"))]
    pub fn next_element(&self) -> Option<Node<'a>> {
        core::iter::successors(self.next_sibling(), Node::next_sibling).find(Node::is_element)
    }

    /// Returns the previous sibling that is an element.
    #[doc(alias("previous_element_sibling", "previousElementSibling"))]
    #[doc(alias("prev_element_sibling", "prev_sibling_element"))]
    pub fn previous_element(&self) -> Option<Node<'a>> {
        core::iter::successors(self.previous_sibling(), Node::previous_sibling)
            .find(Node::is_element)
    }

    /// Returns true if the node is an element with this qualified name, which includes the prefix. The comparison is
    /// case-sensitive.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a><?a text?></a>")?;
    /// let a = document.root_element().unwrap();
    /// assert!(a.has_name("a") && !a.has_name("b"));
    /// assert!(!a.first_child().unwrap().has_name("a"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias = "has_tag_name")]
    pub fn has_name(&self, name: &str) -> bool {
        self.is_element() && self.name() == name
    }

    /// Returns the content of a text node, the content of a comment, or the data of a processing instruction. The
    /// result is `None` for all other nodes.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a>text<!----></a>")?;
    /// let a = document.root_element().unwrap();
    /// assert_eq!(a.data(), None);
    /// assert!(a.children().map(|node| node.data()).eq([Some("text"), Some("")]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn data(&self) -> Option<&'a str> {
        match self.document.record(self.id).content {
            Content::Text(_)
            | Content::Cdata(_)
            | Content::Comment(_)
            | Content::ProcessingInstruction(_) => Some(self.text()),
            _ => None,
        }
    }
}
