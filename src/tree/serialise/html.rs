//! Trees as HTML, by the HTML standard's algorithm for serializing fragments.
//!
//! <https://html.spec.whatwg.org/#serialising-html-fragments>

use alloc::string::String;
use core::fmt;

use super::escape::{Escape, write_escaped, written};
use super::layout::{Before, Layout, Rules, write_line};
use super::put::Put;
use super::xml::is_parent;
use crate::tree::{Attribute, Document, Edge, Node, NodeKind, namespaces};
use crate::write::{Output, WriteError};

/// The elements that the standard writes without children and end tag.
const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// The elements whose text the standard writes as it is.
const RAW_TEXT: [&str; 7] = [
    "iframe",
    "noembed",
    "noframes",
    "plaintext",
    "script",
    "style",
    "xmp",
];

impl Document {
    /// The document as HTML.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<p>Tom &amp; Jerry")?;
    /// assert!(document.to_html().ends_with("<p>Tom &amp; Jerry</p></body></html>"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_html(&self) -> String {
        self.root().to_html()
    }

    /// Writes what [`to_html`](Self::to_html) returns, to whatever takes bytes or text, some KiB at a time.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<p>")?;
    /// let mut out = String::new();
    /// document.write_html(&mut out)?;
    /// assert_eq!(out, "<html><head></head><body><p></p></body></html>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_html<Kind>(&self, out: impl Output<Kind>) -> Result<(), WriteError> {
        self.root().write_html(out)
    }
}

impl Node<'_> {
    /// The node and all below it as HTML: for an element what scripts know as `outerHTML`.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<p><b>text")?;
    /// let b = document.root().descendants().find(|node| node.name() == "b").unwrap();
    /// assert_eq!(b.to_html(), "<b>text</b>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_html(&self) -> String {
        written(|out| write(*self, true, None, out))
    }

    /// Writes what [`to_html`](Self::to_html) returns.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<p>")?;
    /// let mut out = String::new();
    /// let root = document.root_element().unwrap();
    /// root.last_child().unwrap().write_html(&mut out)?;
    /// assert_eq!(out, "<body><p></p></body>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_html<Kind>(&self, out: impl Output<Kind>) -> Result<(), WriteError> {
        Put::all(out, |out| Ok(write(*self, true, None, out)?))
    }

    /// What is in the node, as HTML: what scripts know as `innerHTML`. Of a template element, its
    /// contents.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<p><b>text")?;
    /// let p = document.root().descendants().find(|node| node.name() == "p").unwrap();
    /// assert_eq!(p.to_inner_html(), "<b>text</b>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_inner_html(&self) -> String {
        written(|out| write(*self, false, None, out))
    }

    /// Writes what [`to_inner_html`](Self::to_inner_html) returns.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<p>")?;
    /// let mut out = String::new();
    /// let root = document.root_element().unwrap();
    /// root.write_inner_html(&mut out)?;
    /// assert_eq!(out, "<head></head><body><p></p></body>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_inner_html<Kind>(&self, out: impl Output<Kind>) -> Result<(), WriteError> {
        Put::all(out, |out| Ok(write(*self, false, None, out)?))
    }
}

/// Writes a node and all below it, or, without the root, what is below it; indented, if the indent is something.
pub(super) fn write(
    top: Node<'_>,
    with_root: bool,
    indent: Option<&str>,
    out: &mut impl fmt::Write,
) -> fmt::Result {
    let is_top_written = with_root && top.kind() != NodeKind::Document;
    let mut layout = indent.map(|_| Layout::new(Rules::Html, is_top_written));
    let indent = indent.unwrap_or_default();
    // The standard leaves out what is in a void element, and the children of a template element.
    let mut hidden_in: Option<Node<'_>> = None;
    let mut is_begun = false;
    for edge in top.edges().through_templates() {
        match edge {
            Edge::Open(_) if hidden_in.is_some() => {}
            Edge::Open(node) => {
                match layout.as_ref().map(|layout| layout.before(node)) {
                    Some(Before::Gone) => continue,
                    Some(Before::Line(depth)) if is_begun => write_line(out, indent, depth)?,
                    _ => {}
                }
                if with_root || node != top {
                    write_node(out, node)?;
                    is_begun |= node.kind() != NodeKind::Document;
                }
                if is_void(node) {
                    hidden_in = Some(node);
                } else if let Some(layout) = layout.as_mut().filter(|_| is_parent(node)) {
                    layout.enter(node);
                }
            }
            Edge::Close(node) => {
                if let Some(hidden) = hidden_in {
                    if hidden != node {
                        continue;
                    }
                    hidden_in = None;
                }
                let is_written = node.is_element() && !is_void(node) && (with_root || node != top);
                let layout = layout.as_mut();
                match layout
                    .filter(|_| is_parent(node) && !is_void(node))
                    .map(Layout::leave)
                {
                    Some(Before::Line(depth)) if is_written => write_line(out, indent, depth)?,
                    _ => {}
                }
                if is_written {
                    write!(out, "</{}>", element_name(node))?;
                }
                if node.kind() == NodeKind::DocumentFragment && node != top {
                    let host = node.document().parent_or_host(node.id());
                    hidden_in = host.and_then(|host| node.document().node(host));
                }
            }
        }
    }
    Ok(())
}

fn write_node(out: &mut impl fmt::Write, node: Node<'_>) -> fmt::Result {
    match node.kind() {
        NodeKind::Element => {
            write!(out, "<{}", element_name(node))?;
            for attribute in node.attributes() {
                write_attribute(out, attribute)?;
            }
            out.write_char('>')
        }
        NodeKind::Text if node.parent().is_some_and(holds_raw_text) => out.write_str(node.text()),
        NodeKind::Text => write_escaped(out, node.text(), text_escape),
        NodeKind::Comment => write!(out, "<!--{}-->", node.text()),
        NodeKind::ProcessingInstruction => write!(out, "<?{} {}?>", node.name(), node.text()),
        NodeKind::Doctype => write!(out, "<!DOCTYPE {}>", node.name()),
        NodeKind::Document | NodeKind::DocumentFragment => Ok(()),
    }
}

fn write_attribute(out: &mut impl fmt::Write, attribute: Attribute<'_>) -> fmt::Result {
    let (designator, name) = match attribute.namespace() {
        None => ("", attribute.local_name()),
        Some(namespaces::XML) => ("xml:", attribute.local_name()),
        Some(namespaces::XMLNS) if attribute.local_name() == "xmlns" => ("", "xmlns"),
        Some(namespaces::XMLNS) => ("xmlns:", attribute.local_name()),
        Some(namespaces::XLINK) => ("xlink:", attribute.local_name()),
        Some(_) => ("", attribute.name()),
    };
    write!(out, " {designator}{name}=\"")?;
    write_escaped(out, attribute.value(), value_escape)?;
    out.write_char('"')
}

fn is_html(element: Node<'_>) -> bool {
    element.namespace() == Some(namespaces::HTML)
}

fn is_void(node: Node<'_>) -> bool {
    is_html(node) && VOID.contains(&node.local_name())
}

fn holds_raw_text(element: Node<'_>) -> bool {
    is_html(element)
        && (RAW_TEXT.contains(&element.local_name())
            || element.local_name() == "noscript" && element.document().is_scripting())
}

fn element_name(element: Node<'_>) -> &str {
    match element.namespace() {
        Some(namespaces::HTML | namespaces::MATHML | namespaces::SVG) => element.local_name(),
        _ => element.name(),
    }
}

fn text_escape(character: char) -> Option<Escape> {
    match character {
        '&' => Some(Escape::As("&amp;")),
        '\u{A0}' => Some(Escape::As("&nbsp;")),
        '<' => Some(Escape::As("&lt;")),
        '>' => Some(Escape::As("&gt;")),
        _ => None,
    }
}

fn value_escape(character: char) -> Option<Escape> {
    match character {
        '"' => Some(Escape::As("&quot;")),
        _ => text_escape(character),
    }
}
