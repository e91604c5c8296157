//! Trees in the notation of the tree-construction suites: `| ` and two spaces a level before every
//! line.
//!
//! Its size grows with depth times nodes, as the suites want it; for other uses there is the
//! outline.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::escape::written;
use crate::tree::{Attribute, Document, Edge, Node, NodeKind, namespaces};

/// How the notation shows namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Html5libStyle {
    /// As the HTML suite does: `<svg path>`, `xlink href="…"`.
    Html,
    /// As the XML suite does: `<{namespace}prefix:name>`, `{namespace}prefix:name="…"`.
    Xml,
}

impl Document {
    /// The document in the notation of the tree-construction suites. A doctype that is no node is
    /// not shown.
    ///
    /// ```
    /// use tagstream::tree::Html5libStyle;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a>text</a>")?;
    /// assert_eq!(document.to_html5lib(Html5libStyle::Xml), "| <a>\n|   \"text\"\n");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_html5lib(&self, style: Html5libStyle) -> String {
        self.root().to_html5lib(style)
    }

    /// Writes what [`to_html5lib`](Self::to_html5lib) returns.
    ///
    /// ```
    /// use tagstream::tree::Html5libStyle;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// let mut out = String::new();
    /// document.write_html5lib(&mut out, Html5libStyle::Xml).expect("a string takes all");
    /// assert_eq!(out, "| <a>\n");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_html5lib(&self, out: &mut impl fmt::Write, style: Html5libStyle) -> fmt::Result {
        self.root().write_html5lib(out, style)
    }
}

impl Node<'_> {
    /// Returns the descendants of the node in the notation of the tree-construction tests. Every line ends in a
    /// newline.
    ///
    /// ```
    /// use tagstream::tree::Html5libStyle;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a><b/></a>")?;
    /// let a = document.root_element().unwrap();
    /// assert_eq!(a.to_html5lib(Html5libStyle::Xml), "| <b>\n");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_html5lib(&self, style: Html5libStyle) -> String {
        written(|out| self.write_html5lib(out, style))
    }

    /// Writes what [`to_html5lib`](Self::to_html5lib) returns.
    ///
    /// ```
    /// use tagstream::tree::Html5libStyle;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a><b/></a>")?;
    /// let mut out = String::new();
    /// let a = document.root_element().unwrap();
    /// a.write_html5lib(&mut out, Html5libStyle::Xml).expect("a string takes all");
    /// assert_eq!(out, "| <b>\n");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_html5lib(&self, out: &mut impl fmt::Write, style: Html5libStyle) -> fmt::Result {
        let mut depth = 0_usize;
        for edge in self.edges().through_templates().through_shadow_roots() {
            match edge {
                Edge::Open(node) if node == *self => {}
                Edge::Open(node) => {
                    write_node(out, node, depth, style)?;
                    depth += 1;
                }
                Edge::Close(_) => depth = depth.saturating_sub(1),
            }
        }
        Ok(())
    }
}

fn write_node(
    out: &mut impl fmt::Write,
    node: Node<'_>,
    depth: usize,
    style: Html5libStyle,
) -> fmt::Result {
    write_indentation(out, depth)?;
    match node.kind() {
        NodeKind::Element => {
            writeln!(out, "<{}>", element_name(node, style))?;
            write_attributes(out, node, depth + 1, style)
        }
        NodeKind::Text => writeln!(out, "\"{}\"", node.text()),
        NodeKind::Comment => writeln!(out, "<!-- {} -->", node.text()),
        NodeKind::ProcessingInstruction => writeln!(out, "<?{} {}?>", node.name(), node.text()),
        NodeKind::Doctype => {
            write!(out, "<!DOCTYPE {}", node.name())?;
            let identifiers = node.doctype().map(|doctype| {
                let public_id = doctype.public_id().unwrap_or_default();
                (public_id, doctype.system_id().unwrap_or_default())
            });
            match identifiers {
                Some(("", "")) | None => {}
                Some((public_id, system_id)) => write!(out, " \"{public_id}\" \"{system_id}\"")?,
            }
            out.write_str(">\n")
        }
        NodeKind::DocumentFragment => match node.as_shadow_root() {
            Some(root) => writeln!(out, "{root}"),
            None => out.write_str("content\n"),
        },
        NodeKind::Document => out.write_str("#document\n"),
    }
}

fn write_attributes(
    out: &mut impl fmt::Write,
    element: Node<'_>,
    depth: usize,
    style: Html5libStyle,
) -> fmt::Result {
    let attributes = element.attributes();
    let mut attributes: Vec<_> = attributes
        .map(|attribute| (attribute_name(attribute, style), attribute.value()))
        .collect();
    attributes.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    for (name, value) in attributes {
        write_indentation(out, depth)?;
        writeln!(out, "{name}=\"{value}\"")?;
    }
    Ok(())
}

fn write_indentation(out: &mut impl fmt::Write, depth: usize) -> fmt::Result {
    out.write_str("| ")?;
    (0..depth).try_for_each(|_| out.write_str("  "))
}

fn element_name(element: Node<'_>, style: Html5libStyle) -> Cow<'_, str> {
    match (style, element.namespace()) {
        (Html5libStyle::Html, Some(namespaces::SVG)) => {
            Cow::Owned(alloc::format!("svg {}", element.local_name()))
        }
        (Html5libStyle::Html, Some(namespaces::MATHML)) => {
            Cow::Owned(alloc::format!("math {}", element.local_name()))
        }
        (Html5libStyle::Xml, Some(namespace)) => {
            Cow::Owned(alloc::format!("{{{namespace}}}{}", element.name()))
        }
        (Html5libStyle::Html | Html5libStyle::Xml, _) => Cow::Borrowed(element.name()),
    }
}

fn attribute_name(attribute: Attribute<'_>, style: Html5libStyle) -> Cow<'_, str> {
    let designator = match (style, attribute.namespace()) {
        (_, None) => return Cow::Borrowed(attribute.name()),
        (Html5libStyle::Xml, Some(namespace)) => {
            return Cow::Owned(alloc::format!("{{{namespace}}}{}", attribute.name()));
        }
        (Html5libStyle::Html, Some(namespaces::XLINK)) => "xlink",
        (Html5libStyle::Html, Some(namespaces::XML)) => "xml",
        (Html5libStyle::Html, Some(namespaces::XMLNS)) => "xmlns",
        (Html5libStyle::Html, Some(_)) => return Cow::Borrowed(attribute.name()),
    };
    Cow::Owned(alloc::format!("{designator} {}", attribute.local_name()))
}
