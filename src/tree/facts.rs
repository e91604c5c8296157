//! What a `Document` says of itself as a whole: its declarations, its rendering mode, how it was read.

use super::document::Document;
use super::mode::{QuirksMode, XmlVersion};
use super::prologue::{Declared, Doctype, Identified, Notation, XmlDeclaration};

/// # The document as a whole
impl Document {
    /// The document type: that of the document (XML), else that of its first doctype node (HTML).
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<!DOCTYPE html>")?;
    /// assert_eq!(document.doctype().map(|doctype| doctype.name()), Some("html"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn doctype(&self) -> Option<Doctype<'_>> {
        match &self.prologue.doctype {
            Some(doctype) => Some(doctype.doctype()),
            None => self.root().children().find_map(|node| node.doctype()),
        }
    }

    /// The notations that the document type declares, in document order.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<!DOCTYPE a [<!NOTATION gif PUBLIC 'GIF'>]><a/>")?;
    /// assert!(document.notations().map(|notation| notation.name()).eq(["gif"]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn notations(&self) -> impl Iterator<Item = Notation<'_>> {
        self.prologue.notations.iter().map(Identified::notation)
    }

    /// Target and data of the processing instructions within the document type, in document order.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<!DOCTYPE a [<?b c?>]><a/>")?;
    /// assert!(document.doctype_instructions().eq([("b", "c")]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn doctype_instructions(&self) -> impl Iterator<Item = (&str, &str)> {
        let instructions = self.prologue.instructions.iter();
        instructions.map(|(target, data)| (target.as_str(), data.as_str()))
    }

    /// The version of XML that the document is written in.
    ///
    /// ```
    /// use tagstream::tree::XmlVersion;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<?xml version='1.1'?><a/>")?;
    /// assert_eq!(document.xml_version(), XmlVersion::Xml11);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn xml_version(&self) -> XmlVersion {
        self.prologue.version
    }

    /// The XML declaration that the document was read with.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<?xml version='1.0'?><a/>")?;
    /// assert!(document.xml_declaration().is_some());
    /// assert!(Document::parse(Xml::default(), "<a/>")?.xml_declaration().is_none());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn xml_declaration(&self) -> Option<XmlDeclaration<'_>> {
        self.prologue
            .declaration
            .as_ref()
            .map(Declared::declaration)
    }

    /// Whether the document is a [fragment](crate::Html::fragment) of HTML. Its root element is not part of the input:
    /// the nodes of the fragment are the children of that element.
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

    /// The mode of rendering that an HTML document asks for.
    ///
    /// ```
    /// use tagstream::tree::QuirksMode;
    /// use tagstream::{Document, Html};
    ///
    /// assert_eq!(Document::parse(Html::default(), "<p>")?.quirks_mode(), QuirksMode::Quirks);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn quirks_mode(&self) -> QuirksMode {
        self.prologue.quirks_mode
    }

    /// Whether it is what the tree of the document has there: not, where it is a
    /// [subtree](crate::Events::subtree) of HTML, and something in it is elsewhere in the tree, or lingered:
    /// see [balanced events](crate::html#balanced-events). What a `frameset` or a `selectedcontent` takes out
    /// of the tree later is as exact as it was.
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

    /// Whether it is one of HTML: only that says whether scripting was on.
    #[cfg(feature = "select")]
    pub(crate) fn is_html(&self) -> bool {
        self.prologue.is_html
    }

    pub(crate) fn set_exact(&mut self, is_exact: bool) {
        self.prologue.is_inexact = !is_exact;
    }

    /// Whether an HTML document was read with scripting on.
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
