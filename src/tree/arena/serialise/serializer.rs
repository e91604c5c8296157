//! [`Serializer`]: the options for writing a tree as XML or HTML.

use super::coerce::{CoercionMethod, Refused};
use super::coercions::Coercions;
use super::html;
use super::put::Put;
use super::subset::checked_subset;
use super::xml::{self, Style};
use crate::tree::arena::document::Document;
use crate::tree::arena::node::Node;
use crate::tree::arena::node_id::NodeId;
use crate::write::{Output, Refusal, WriteError};
use alloc::string::String;

/// The options for writing a tree as XML or as HTML. [`Node::to_xml`] and [`Node::to_html`] use the default options.
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
    coercion: Option<CoercionMethod>,
    shadow_roots: bool,
}

impl Serializer {
    /// Returns the default options for XML, those of [`Node::to_xml`].
    #[doc(alias = "new")]
    pub fn xml() -> Serializer {
        Serializer {
            is_xml: true,
            indent: None,
            has_namespaces: true,
            has_declaration: false,
            is_inner: false,
            coercion: None,
            shadow_roots: false,
        }
    }

    /// Returns the default options for HTML, those of [`Node::to_html`].
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

    /// Sets the string by which nested content is indented. Where whitespace has no effect, each node begins a new
    /// line, indented by `indent` once for each open element. With an empty string, nodes begin new lines without
    /// indentation. Existing indentation is replaced.
    ///
    /// - In XML, whitespace is regarded as without effect in an element that contains no text other than whitespace.
    ///   This does not apply inside an element that contains other text or has `xml:space="preserve"`.
    /// - In HTML, whitespace has no effect between elements that a browser shows as blocks or does not show. Elements
    ///   such as `pre` and their content are not changed. Whitespace at the end of the `body` is left out, because a
    ///   parser adds there what follows `</body>`.
    ///
    /// The output does not change if it is read and indented again, unless a parser reads another tree from it: not every
    /// tree can be written as HTML, and a template of HTML is an ordinary element in XML.
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

    /// Sets whether XML is written with namespaces. The default is true. Set it to false for a tree that was parsed
    /// [without namespaces](crate::Xml::namespaces).
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

    /// Sets whether an XML document begins with an XML declaration. The default is false. A document of XML 1.1 always
    /// has a declaration.
    ///
    /// The declaration is that of the [parsed document](Document::xml_declaration), except that the encoding is always
    /// UTF-8. If the parsed document has no declaration, `<?xml version="1.0" encoding="UTF-8"?>` is written. A node
    /// that is not a whole document is written without a declaration.
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

    /// Sets whether only the content of the node is written, without the node itself. The default is false.
    #[must_use]
    pub fn inner(mut self, inner: bool) -> Serializer {
        self.is_inner = inner;
        self
    }

    /// Sets whether markup that XML cannot express is coerced instead of refused. The default is false. The output is
    /// then well-formed for every tree that has one root element, and a strict parser reads the same tree from it,
    /// except for the changes. [`write_coerced`](Serializer::write_coerced) returns the changes.
    ///
    /// - In names, each character that XML does not allow becomes `U` and six hexadecimal digits, as in the HTML
    ///   standard: `a<b` becomes `aU00003Cb`. With namespaces, this applies to colons that do not end a prefix with a
    ///   namespace.
    /// - Characters that XML does not allow are left out of texts, values, comments and processing instructions.
    /// - `--` in a comment becomes `- -`, and a space follows a `-` at its end. `?>` in a processing instruction becomes
    ///   `? >`, and the target `xml` becomes `U000078ml`.
    /// - Attributes whose coerced names are equal are left out, except the first. Namespace declarations that contradict
    ///   the names of their tag are left out.
    /// - The name and the identifiers of a document type are coerced. A document type after the root element, and text
    ///   outside the root element, are left out.
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<p a<b=1><!--c--d-->\u{1}text")?;
    /// assert!(page.to_xml().is_err());
    /// let xml = Serializer::xml().coerce(true).to_string(page.root())?;
    /// assert!(xml.contains("<p aU00003Cb=\"1\"><!--c- -d-->text</p>"), "{xml}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Every tree of HTML can be written as HTML, so this has no effect on HTML.
    #[must_use]
    pub fn coerce(mut self, coerce: bool) -> Serializer {
        self.coercion = coerce.then_some(CoercionMethod::HTML_STANDARD);
        self
    }

    /// Sets whether HTML includes the shadow roots of elements. Each is written as the template that declares it. The
    /// default is false: shadow roots are omitted, as in `innerHTML`, because a shadow root is not a descendant of its
    /// host element.
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

    /// Returns the node with its descendants as XML or HTML.
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
    /// The errors of [`write`](Serializer::write).
    pub fn to_string(&self, node: Node<'_>) -> Result<String, WriteError> {
        let mut out = String::new();
        self.write(node, &mut out)?;
        Ok(out)
    }

    /// Writes the node with its descendants to `out`, which can be any type that takes bytes or text. `out` receives a
    /// few KiB at a time, so that the output is not in memory as a whole.
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
    /// The errors of `out`. For XML, also an error if the output would not be well-formed or would be parsed as a
    /// different tree.
    pub fn write<Kind>(&self, node: Node<'_>, out: impl Output<Kind>) -> Result<(), WriteError> {
        self.write_with(node, self.coercion, out).map(drop)
    }

    /// Writes the node with its descendants to `out` as [`write`](Serializer::write) with [`coerce`](Serializer::coerce)
    /// does, and returns the changes. For HTML, there are none.
    ///
    /// ```
    /// use tagstream::tree::Serializer;
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<!--a--b-->")?;
    /// let mut xml = String::new();
    /// let changes = Serializer::xml().write_coerced(page.root(), &mut xml)?;
    /// let change = &changes.first()[0];
    /// assert_eq!((change.as_str(), change.what()), ("comment", "a--b"));
    /// assert_eq!(change.written(), Some("a- -b"));
    /// assert_eq!(page.node(change.node()).unwrap().text(), "a--b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `out`, and an error if the document has no root element or more than one.
    pub fn write_coerced<Kind>(
        &self,
        node: Node<'_>,
        out: impl Output<Kind>,
    ) -> Result<Coercions, WriteError> {
        self.write_with(node, Some(CoercionMethod::HTML_STANDARD), out)
    }

    fn write_with<Kind>(
        &self,
        node: Node<'_>,
        coercion: Option<CoercionMethod>,
        out: impl Output<Kind>,
    ) -> Result<Coercions, WriteError> {
        match self.is_xml {
            true => {
                let style = Style {
                    indent: self.indent.as_deref(),
                    has_namespaces: self.has_namespaces,
                    has_declaration: self.has_declaration,
                    is_inner: self.is_inner,
                    subset: None,
                };
                let subset = checked_subset(node, &style, coercion)?;
                let style = Style { subset, ..style };
                let Some(coercion) = coercion else {
                    xml::write(node, &style, None::<Refused>, out)?;
                    return Ok(Coercions::default());
                };
                let mut changes = Coercions::default();
                Put::all(out, |out| {
                    changes = (coercion.write)(node, &style, out)?;
                    Ok(())
                })?;
                Ok(changes)
            }
            false => {
                let style = html::Style {
                    is_inner: self.is_inner,
                    indent: self.indent.as_deref(),
                    // An indented page can be read and indented again without a change.
                    keeps_line_feeds: self.indent.is_some(),
                    shadow_roots: self.shadow_roots,
                };
                Put::all(out, |out| Ok(html::write(node, &style, out)?))?;
                Ok(Coercions::default())
            }
        }
    }
}

impl Document {
    /// Returns the document as XML. A parser of the output returns the same tree. The output has no XML declaration,
    /// except in XML 1.1: use [`Serializer::declaration`] to write one.
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
    /// An error if the output would not be well-formed or would be parsed as a different tree, for example because an
    /// HTML comment contains `--`. [`Refusal::node`] returns the node that cannot be written.
    pub fn to_xml(&self) -> Result<String, WriteError> {
        self.root().to_xml()
    }

    /// Writes the result of [`to_xml`](Self::to_xml) to `out`, which can be any type that takes bytes or text. `out`
    /// receives a few KiB at a time, so that the output is not in memory as a whole.
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
    /// The errors of `to_xml` and of `out`.
    pub fn write_xml<Kind>(&self, out: impl Output<Kind>) -> Result<(), WriteError> {
        self.root().write_xml(out)
    }
}

impl Node<'_> {
    /// Returns the node with its descendants as XML. Namespaces that an ancestor declares are declared on the node if
    /// they are needed.
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
    /// An attribute that declares a namespace is omitted if it contradicts the namespace of the element's name or of an
    /// attribute's name. This happens in trees of HTML, where `xmlns` is an ordinary attribute.
    ///
    /// # Errors
    ///
    /// The errors of [`Document::to_xml`].
    pub fn to_xml(&self) -> Result<String, WriteError> {
        Serializer::xml().to_string(*self)
    }

    /// Writes the result of [`to_xml`](Self::to_xml) to `out`, which can be any type that takes bytes or text. `out`
    /// receives a few KiB at a time, so that the output is not in memory as a whole.
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
    /// The errors of `to_xml` and of `out`.
    pub fn write_xml<Kind>(&self, out: impl Output<Kind>) -> Result<(), WriteError> {
        Serializer::xml().write(*self, out)
    }
}

impl Refusal {
    /// Returns the node that cannot be written. If the cause is an attribute, this is its element.
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
