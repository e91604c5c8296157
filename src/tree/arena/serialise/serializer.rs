//! [`Serializer`]: the options for writing a tree as XML or HTML.

use super::html;
use super::put::Put;
use super::xml::{self, Style};
use crate::tree::{Document, Node, NodeId};
use crate::write::{Output, Refusal, WriteError};
use alloc::string::String;

/// Writes trees as XML or as HTML, in ways that [`Node::to_xml`] and [`Node::to_html`] do not ask for.
///
/// ```
/// use tagstream::tree::Serializer;
/// use tagstream::{Document, Xml};
///
/// let feed = Document::parse(Xml::default(), "<feed><entry id='1'>text</entry><entry/></feed>")?;
/// let lines = "<feed>\n  <entry id=\"1\">text</entry>\n  <entry/>\n</feed>";
/// assert_eq!(Serializer::xml().indent("  ").to_string(feed.root())?, lines);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serializer {
    is_xml: bool,
    indent: Option<String>,
    has_namespaces: bool,
    has_declaration: bool,
    is_inner: bool,
    shadow_roots: bool,
}

impl Serializer {
    /// Writes XML, as [`Node::to_xml`].
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a b=1></a>")?;
    /// assert_eq!(Serializer::xml().to_string(document.root())?, r#"<a b="1"/>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "new")]
    pub fn xml() -> Serializer {
        Serializer {
            is_xml: true,
            indent: None,
            has_namespaces: true,
            has_declaration: false,
            is_inner: false,
            shadow_roots: false,
        }
    }

    /// Writes HTML, as [`Node::to_html`].
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<ul><li>Tom<li>Jerry")?;
    /// let html = Serializer::html().indent(" ").to_string(page.root())?;
    /// assert!(html.contains("\n  <ul>\n   <li>Tom</li>\n   <li>Jerry</li>\n  </ul>\n"), "{html}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn html() -> Serializer {
        Serializer {
            is_xml: false,
            ..Serializer::xml()
        }
    }

    /// Puts what is written on lines of its own where white space changes nothing, this before them for each
    /// element that is open. In XML that is inside elements that hold no text, but for white space, as far as they
    /// stand in no element that does, nor in one with `xml:space="preserve"`; in HTML between elements that a
    /// browser shows as blocks or not at all, and never in `pre` and its like. What is indented already is
    /// indented anew. An empty one begins lines, too.
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a>\n<b/><c>text<d/></c></a>")?;
    /// let xml = Serializer::xml().indent("\t").to_string(document.root())?;
    /// assert_eq!(xml, "<a>\n\t<b/>\n\t<c>text<d/></c>\n</a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "pretty")]
    pub fn indent(mut self, indent: &str) -> Serializer {
        self.indent = Some(String::from(indent));
        self
    }

    /// Sets whether XML has namespaces; it has unless set. Trees that were read
    /// [without them](crate::Xml::namespaces) are to be written so.
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::strict().namespaces(false), "<a:b:c/>")?;
    /// assert!(document.to_xml().is_err());
    /// let xml = Serializer::xml().namespaces(false).to_string(document.root())?;
    /// assert_eq!(xml, "<a:b:c/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn namespaces(mut self, namespaces: bool) -> Serializer {
        self.has_namespaces = namespaces;
        self
    }

    /// Sets whether a document of XML begins with an XML declaration. Off by default; a document of XML 1.1 always
    /// has one.
    ///
    /// The declaration is the one that the document [was read with](Document::xml_declaration), but for the encoding:
    /// the output is UTF-8. A document that has none gets `<?xml version="1.0" encoding="UTF-8"?>`. A node that is not
    /// a whole document is written without.
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Xml};
    ///
    /// let with_declaration = Serializer::xml().declaration(true);
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// let xml = with_declaration.to_string(document.root())?;
    /// assert_eq!(xml, r#"<?xml version="1.0" encoding="UTF-8"?><a/>"#);
    ///
    /// let declared = r#"<?xml version="1.0" standalone="yes"?><a/>"#;
    /// let document = Document::parse(Xml::default(), declared)?;
    /// assert_eq!(with_declaration.to_string(document.root())?, declared);
    /// assert_eq!(document.to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "xml_declaration")]
    #[doc(alias = "omit_xml_declaration")]
    pub fn declaration(mut self, declaration: bool) -> Serializer {
        self.has_declaration = declaration;
        self
    }

    /// Sets whether what is in the node is written, without the node.
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a>text<b/></a>")?;
    /// let a = document.root_element().unwrap();
    /// assert_eq!(Serializer::xml().inner(true).to_string(a)?, "text<b/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inner(mut self, inner: bool) -> Serializer {
        self.is_inner = inner;
        self
    }

    /// Sets whether HTML has the shadow roots of elements, as the templates that declare them; it has not unless set.
    /// What is in one is not below its host, so that it is left out otherwise, as `innerHTML` does.
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Html};
    ///
    /// let markup = r#"<div><template shadowrootmode="open">one</template>two</div>"#;
    /// let page = Document::parse(Html::default().shadow_roots(true), markup)?;
    /// let div = page.root().descendants().find(|node| node.name() == "div").unwrap();
    /// assert_eq!(Serializer::html().shadow_roots(true).to_string(div)?, markup);
    /// assert_eq!(div.to_html(), "<div>two</div>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shadow_roots(mut self, shadow_roots: bool) -> Serializer {
        self.shadow_roots = shadow_roots;
        self
    }

    /// The node and all below it.
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<p>text")?;
    /// let p = page.root().descendants().find(|node| node.has_name("p")).unwrap();
    /// assert_eq!(Serializer::html().to_string(p)?, "<p>text</p>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`write`](Serializer::write).
    pub fn to_string(&self, node: Node<'_>) -> Result<String, WriteError> {
        let mut out = String::new();
        self.write(node, &mut out)?;
        Ok(out)
    }

    /// Writes the node and all below it to whatever takes bytes or text, some KiB at a time.
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// let mut out = Vec::new();
    /// Serializer::xml().write(document.root(), &mut out)?;
    /// assert_eq!(out, b"<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What the output fails with; of XML, what would not be well-formed or would be read as another tree.
    pub fn write<Kind>(&self, node: Node<'_>, out: impl Output<Kind>) -> Result<(), WriteError> {
        match self.is_xml {
            true => {
                let style = Style {
                    indent: self.indent.as_deref(),
                    has_namespaces: self.has_namespaces,
                    has_declaration: self.has_declaration,
                    is_inner: self.is_inner,
                };
                xml::write(node, &style, out)
            }
            false => {
                let style = html::Style {
                    is_inner: self.is_inner,
                    indent: self.indent.as_deref(),
                    keeps_line_feeds: false,
                    shadow_roots: self.shadow_roots,
                };
                Put::all(out, |out| Ok(html::write(node, &style, out)?))
            }
        }
    }
}

impl Document {
    /// The document as XML that gives the same tree when it is read again. It has no XML declaration, except in
    /// XML 1.1: [`Serializer::declaration`] writes one.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a b=1>text")?;
    /// assert_eq!(document.to_xml()?, r#"<a b="1">text</a>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What would not be well-formed or would be read as another tree, such as `--` in a comment of HTML:
    /// [`Refusal::node`] says where.
    pub fn to_xml(&self) -> Result<String, WriteError> {
        self.root().to_xml()
    }

    /// Writes what [`to_xml`](Self::to_xml) returns, to whatever takes bytes or text, some KiB at a time.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// let mut out = Vec::new();
    /// document.write_xml(&mut out)?;
    /// assert_eq!(out, b"<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `to_xml`, and of `out`.
    pub fn write_xml<Kind>(&self, out: impl Output<Kind>) -> Result<(), WriteError> {
        self.root().write_xml(out)
    }
}

impl Node<'_> {
    /// The node and all below it as XML; namespaces that are declared further up are declared on it.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a xmlns='urn:a'><b/></a>")?;
    /// let b = document.root().descendants().last().unwrap();
    /// assert_eq!(b.to_xml()?, r#"<b xmlns="urn:a"/>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// An attribute that declares another namespace than the names of its element have is left out: HTML reads
    /// `xmlns` as any attribute.
    ///
    /// # Errors
    ///
    /// Those of [`Document::to_xml`].
    pub fn to_xml(&self) -> Result<String, WriteError> {
        Serializer::xml().to_string(*self)
    }

    /// Writes what [`to_xml`](Self::to_xml) returns.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// let mut out = String::new();
    /// let a = document.root_element().unwrap();
    /// a.write_xml(&mut out)?;
    /// assert_eq!(out, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `to_xml`, and of `out`.
    pub fn write_xml<Kind>(&self, out: impl Output<Kind>) -> Result<(), WriteError> {
        Serializer::xml().write(*self, out)
    }
}

impl Refusal {
    /// The node of the tree which was being written, that could not be: for an attribute its element.
    ///
    /// ```
    /// use tagstream::{Document, Html, WriteError};
    ///
    /// let page = Document::parse(Html::default(), "<p><!--a--b-->")?;
    /// let Err(WriteError::Refused(refusal)) = page.to_xml() else { panic!() };
    /// let comment = page.node(refusal.node().unwrap()).unwrap();
    /// assert_eq!((refusal.as_str(), comment.text()), ("comment", "a--b"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn node(&self) -> Option<NodeId> {
        self.place.map(NodeId::at)
    }
}
