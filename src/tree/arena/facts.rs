//! Properties of a `Document` as a whole: its declarations, its quirks mode, and how it was parsed.

use super::document::Document;
use super::node::Node;
use super::prologue::{Declared, Doctype, Identified, Notation, XmlDeclaration};
use crate::engine::document_mode::{QuirksMode, XmlVersion};

/// # Properties of the document as a whole
impl Document {
    /// Returns the document type. In XML, this is the document type declaration; in HTML, it is the first doctype node.
    pub fn doctype(&self) -> Option<Doctype<'_>> {
        match &self.prologue.doctype {
            Some(doctype) => Some(doctype.doctype()),
            None => self.root().children().find_map(|node| node.doctype()),
        }
    }

    /// Returns the child of the document that precedes the document type declaration, or `None` if the declaration
    /// precedes all children. This is for XML, where the declaration is not a node.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<!--first--><!DOCTYPE a><a/>")?;
    /// assert_eq!(document.node_before_doctype().map(|node| node.text()), Some("first"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn node_before_doctype(&self) -> Option<Node<'_>> {
        self.node(self.doctype_after()?)
    }

    /// Returns the text of the internal subset without its brackets, if the document type has one and
    /// [`Xml::internal_subset`](crate::Xml::internal_subset) was set.
    ///
    /// [`to_xml`](Document::to_xml) then writes the text as it is, unless it is empty, instead of the notations and
    /// processing instructions alone. For that, the whole output is parsed in memory before it is written, within the default
    /// limits for entities. A document that would be refused is not written: see
    /// [`remove_internal_subset`](Document::remove_internal_subset).
    ///
    /// The text declares attributes, so a parser of the output adds default values to elements without the attribute, also
    /// where the program has removed it, and normalizes values of types other than CDATA.
    pub fn internal_subset(&self) -> Option<&str> {
        self.prologue.internal_subset.as_deref()
    }

    /// Removes the text of the internal subset. The document type, its notations and its processing instructions stay.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let source = "<!DOCTYPE a [<!ENTITY b>]><a/>";
    /// let mut document = Document::parse(Xml::default().internal_subset(true), source)?;
    /// assert!(document.to_xml().is_err());
    /// document.remove_internal_subset();
    /// assert_eq!(document.to_xml()?, "<!DOCTYPE a><a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_internal_subset(&mut self) {
        if self.internal_subset().is_some() {
            self.prologue.internal_subset = None;
        }
    }

    /// Returns the notations that the document type declares, in document order.
    pub fn notations(&self) -> impl Iterator<Item = Notation<'_>> {
        self.prologue.notations.iter().map(Identified::notation)
    }

    /// Returns the target and the data of each processing instruction within the document type, in document order.
    pub fn doctype_instructions(&self) -> impl Iterator<Item = (&str, &str)> {
        let instructions = self.prologue.instructions.iter();
        instructions.map(|(target, data)| (target.as_str(), data.as_str()))
    }

    /// Returns the version of XML that the document is written in. A document that is not XML has the default,
    /// [`XmlVersion::Xml10`].
    pub fn xml_version(&self) -> XmlVersion {
        self.prologue.version
    }

    /// Returns the XML declaration of the parsed document, or `None` if it has none.
    pub fn xml_declaration(&self) -> Option<XmlDeclaration<'_>> {
        self.prologue
            .declaration
            .as_ref()
            .map(Declared::declaration)
    }

    /// Returns true if the document is a [fragment](crate::Html::fragment) of HTML. The root element of a fragment is
    /// not part of the input: its children are the nodes of the fragment.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let fragment = Document::parse(Html::fragment("tr")?, "<td>1<td>2")?;
    /// assert!(fragment.is_fragment());
    /// assert_eq!(fragment.root_element().unwrap().children().count(), 2);
    /// assert_eq!(fragment.to_html(), "<td>1</td><td>2</td>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_fragment(&self) -> bool {
        self.prologue.is_fragment
    }

    /// Returns the quirks mode of an HTML document. Documents of other dialects have [`QuirksMode::NoQuirks`].
    pub fn quirks_mode(&self) -> QuirksMode {
        self.prologue.quirks_mode
    }

    /// Returns true if the structure of the document is the same as that of the corresponding part in the tree of the
    /// whole input.
    ///
    /// The result is false only for a [subtree](crate::Events::subtree) of HTML that contains an event for which
    /// [`Event::is_moved`](crate::Event::is_moved) is true. In the tree of the whole input, the node of this event is
    /// elsewhere, or its element is closed earlier. See [balanced events](crate::html#balanced-events). Changes to the
    /// tree after the end of the subtree, because of a `frameset` or a `selectedcontent`, do not affect the result.
    ///
    /// ```
    /// use tagstream::{Event, Events, Html};
    ///
    /// let page = "<table><td>1</table><table>2<td>3</table>";
    /// let mut events = Events::of(Html::default(), page).balanced();
    /// let mut exact = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "table" => exact.push(events.subtree()?.is_exact()),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(exact, [true, false]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_exact(&self) -> bool {
        !self.prologue.is_inexact
    }

    /// Returns true if the document was parsed as HTML. The flag is set when the parser reports whether scripting is
    /// enabled, which only the HTML parser does.
    #[cfg(any(feature = "select", feature = "xpath"))]
    pub(crate) fn is_html(&self) -> bool {
        self.prologue.is_html
    }

    /// Sets the value that [`Document::is_exact`] returns.
    pub(crate) fn set_exact(&mut self, is_exact: bool) {
        if self.is_exact() != is_exact {
            self.prologue.is_inexact = !is_exact;
        }
    }

    /// Returns true if an HTML document was parsed with scripting enabled.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default().scripting(true), "<p>")?;
    /// assert!(document.is_scripting());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_scripting(&self) -> bool {
        self.prologue.scripting
    }
}
