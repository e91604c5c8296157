//! Serialization as HTML, by the algorithm of the HTML standard for serializing fragments.
//!
//! <https://html.spec.whatwg.org/#serialising-html-fragments>

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::layout::{Before, Layout, Rules, is_html};
use super::put::Put;
use super::xml::is_parent;
use crate::engine::text::html_facts;
use crate::tree::arena::document::Document;
use crate::tree::arena::node::{Node, NodeKind};
use crate::tree::arena::node_attribute::Attribute;
use crate::tree::arena::walk::Edge;
use crate::tree::namespaces;
use crate::write::escape::{SPECIAL_IN_XML11, special_classes, write_replaced};
use crate::write::{Output, WriteError, write_line};

impl Document {
    /// Returns the document as HTML. For a [fragment](Self::is_fragment), returns the nodes of the fragment, without
    /// the root element that contains them.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<p>Tom &amp; Jerry")?;
    /// assert!(document.to_html().ends_with("<p>Tom &amp; Jerry</p></body></html>"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("outer_html", "outerHTML", "serialize"))]
    pub fn to_html(&self) -> String {
        self.root().to_html()
    }

    /// Writes the result of [`to_html`](Self::to_html) to `out`, which can be any type that takes bytes or text. `out`
    /// receives a few KiB at a time, so that the output is not in memory as a whole.
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
    /// The errors of `out`.
    pub fn write_html<Kind>(&self, out: impl Output<Kind>) -> Result<(), WriteError> {
        self.root().write_html(out)
    }
}

impl Node<'_> {
    /// Returns the node with its descendants as HTML. For an element, this is the value of the property `outerHTML` in
    /// scripts.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<p><b>text")?;
    /// let b = document.root().descendants().find(|node| node.name() == "b").unwrap();
    /// assert_eq!(b.to_html(), "<b>text</b>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("outer_html", "outerHTML", "serialize"))]
    pub fn to_html(&self) -> String {
        written(|out| write(*self, &WHOLE, out))
    }

    /// Writes the result of [`to_html`](Self::to_html) to `out`, which can be any type that takes bytes or text. `out`
    /// receives a few KiB at a time, so that the output is not in memory as a whole.
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
    /// The errors of `out`.
    pub fn write_html<Kind>(&self, out: impl Output<Kind>) -> Result<(), WriteError> {
        Put::all(out, |out| Ok(write(*self, &WHOLE, out)?))
    }

    /// Returns the descendants of the node as HTML, without the node itself. For an element, this is the value of the
    /// property `innerHTML` in scripts. For a template element, the contents of the template are returned.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let document = Document::parse(Html::default(), "<p><b>text")?;
    /// let p = document.root().descendants().find(|node| node.name() == "p").unwrap();
    /// assert_eq!(p.to_inner_html(), "<b>text</b>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("inner_html", "innerHTML"))]
    pub fn to_inner_html(&self) -> String {
        written(|out| write(*self, &INNER, out))
    }

    /// Returns the inner HTML in a form that a parser reads back unchanged. The standard's algorithm loses a newline at
    /// the start of a `pre` element, because a parser drops one newline there. `expected` is an estimate of the length.
    #[cfg(feature = "html")]
    pub(crate) fn to_inner_html_with_line_feeds(self, expected: usize) -> String {
        let style = Style {
            keeps_line_feeds: true,
            ..INNER
        };
        // A string that turns out to be short does not hold much more memory than it needs.
        let mut out = String::with_capacity(expected.min(1024));
        write(self, &style, &mut out).expect("a string takes all that is written to it");
        out
    }

    /// Writes the result of [`to_inner_html`](Self::to_inner_html) to `out`, which can be any type that takes bytes or
    /// text. `out` receives a few KiB at a time, so that the output is not in memory as a whole.
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
    /// The errors of `out`.
    pub fn write_inner_html<Kind>(&self, out: impl Output<Kind>) -> Result<(), WriteError> {
        Put::all(out, |out| Ok(write(*self, &INNER, out)?))
    }
}

/// The options for writing a tree as HTML.
pub(super) struct Style<'s> {
    /// True if only the descendants of the node are written, without the node itself.
    pub(super) is_inner: bool,
    pub(super) indent: Option<&'s str>,
    /// True if an additional newline is written before a newline at the start of an element such as `pre`, because a
    /// parser drops the first newline there.
    pub(super) keeps_line_feeds: bool,
    /// True if shadow roots are written, as the templates that declare them.
    pub(super) shadow_roots: bool,
}

const WHOLE: Style<'_> = Style {
    is_inner: false,
    indent: None,
    keeps_line_feeds: false,
    shadow_roots: false,
};

const INNER: Style<'_> = Style {
    is_inner: true,
    ..WHOLE
};

/// Returns the root element if `top` is a whole document that is a fragment. The root element is not part of the
/// fragment, so that only its content is written.
fn fragment_root(top: Node<'_>) -> Option<Node<'_>> {
    let is_whole = top.kind() == NodeKind::Document && top.document().is_fragment();
    is_whole.then(|| top.document().root_element()).flatten()
}

/// Calls `write` with an empty string and returns the string with the output.
fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    write(&mut out).expect("a string takes all that is written to it");
    out
}

/// Writes the node `top` and its descendants as HTML. Depending on `style`, `top` itself is omitted.
pub(super) fn write(top: Node<'_>, style: &Style<'_>, out: &mut impl fmt::Write) -> fmt::Result {
    let (top, is_inner) = match fragment_root(top) {
        Some(root) => (root, true),
        None => (top, style.is_inner),
    };
    let is_top_written = !is_inner && top.kind() != NodeKind::Document;
    let mut writing = Writing {
        style,
        out,
        top,
        with_root: !is_inner,
        layout: style
            .indent
            .map(|_| Layout::new(Rules::Html, is_top_written)),
        known: Vec::new(),
        hidden_in: None,
        is_begun: false,
    };
    let edges = top.edges().through_templates();
    let edges = match style.shadow_roots {
        true => edges.through_shadow_roots(),
        false => edges,
    };
    for edge in edges {
        match edge {
            Edge::Open(node) => writing.open(node)?,
            Edge::Close(node) => writing.close(node)?,
        }
    }
    Ok(())
}

/// The state of the function [`write`] while it writes a tree.
struct Writing<'w, 'd, O> {
    style: &'w Style<'w>,
    out: &'w mut O,
    /// The node that is written with its descendants.
    top: Node<'d>,
    /// True if `top` itself is written, false if only its descendants are.
    with_root: bool,
    /// Decides where lines begin; `None` if the output is not indented.
    layout: Option<Layout>,
    /// A cache: for each element name, by its index in the name table, how elements with this name are written. `None`
    /// if the name has not occurred yet.
    known: Vec<Option<ContentForm>>,
    /// The open node whose remaining content is omitted, if there is one. The standard omits the content of a void
    /// element, and the children of a template element, whose contents are written instead.
    hidden_in: Option<Node<'d>>,
    /// True if a node was written, so that a line can begin before the next one.
    is_begun: bool,
}

impl<'d, O: fmt::Write> Writing<'_, 'd, O> {
    /// Writes the start of a node: its start tag, or the whole node if it is not an element. Nodes whose content is
    /// omitted are skipped.
    fn open(&mut self, node: Node<'d>) -> fmt::Result {
        if self.hidden_in.is_some() {
            return Ok(());
        }
        match self.layout.as_ref().map(|layout| layout.before(node)) {
            Some(Before::Gone) => return Ok(()),
            Some(Before::Line(depth)) if self.is_begun => self.line(depth)?,
            _ => {}
        }
        if self.layout.is_some() && is_end_of_page(node) {
            return self.end_of_page(node.text());
        }
        let is = content_form(&mut self.known, node);
        if self.with_root || node != self.top {
            write_node(self.out, node, &mut self.known)?;
            self.is_begun |= node.kind() != NodeKind::Document;
        }
        if self.style.keeps_line_feeds && is == ContentForm::Dropping && begins_with_line_feed(node)
        {
            self.out.write_char('\n')?;
        }
        if is == ContentForm::Void {
            self.hidden_in = Some(node);
        } else if let Some(layout) = self.layout.as_mut().filter(|_| is_parent(node)) {
            layout.enter(node, &|_, text| text.into());
        }
        Ok(())
    }

    /// Writes the last text of a page without the whitespace at its end. A parser adds the newlines after `</body>` and
    /// `</html>` to this text, so that an indented page would otherwise grow each time it is indented again.
    fn end_of_page(&mut self, text: &str) -> fmt::Result {
        let text = text.trim_end_matches(['\t', '\n', '\u{C}', ' ']);
        self.is_begun |= !text.is_empty();
        write_text(self.out, text, false)
    }

    /// Writes the end of a node: the end tag of an element or of a template for a shadow root. Other nodes have no end.
    fn close(&mut self, node: Node<'d>) -> fmt::Result {
        if let Some(hidden) = self.hidden_in {
            if hidden != node {
                return Ok(());
            }
            self.hidden_in = None;
        }
        let is_void = content_form(&mut self.known, node) == ContentForm::Void;
        let is_written = node.is_element() && !is_void && (self.with_root || node != self.top);
        let layout = self.layout.as_mut();
        match layout
            .filter(|_| is_parent(node) && !is_void)
            .map(Layout::leave)
        {
            Some(Before::Line(depth)) if is_written => self.line(depth)?,
            _ => {}
        }
        if is_written {
            self.out.write_str("</")?;
            self.out.write_str(element_name(node))?;
            self.out.write_char('>')?;
        }
        if node.kind() == NodeKind::DocumentFragment && node != self.top {
            if node.as_shadow_root().is_some() {
                return self.out.write_str("</template>");
            }
            let host = node.document().parent_or_host(node.id());
            self.hidden_in = host.and_then(|host| node.document().node(host));
        }
        Ok(())
    }

    fn line(&mut self, depth: usize) -> fmt::Result {
        write_line(self.out, self.style.indent.unwrap_or_default(), depth)
    }
}

fn write_node(
    out: &mut impl fmt::Write,
    node: Node<'_>,

    known: &mut Vec<Option<ContentForm>>,
) -> fmt::Result {
    match node.kind() {
        NodeKind::Element => {
            out.write_char('<')?;
            out.write_str(element_name(node))?;
            for attribute in node.attributes() {
                write_attribute(out, attribute)?;
            }
            out.write_char('>')
        }
        NodeKind::Text => match node.parent().map(|parent| content_form(known, parent)) {
            Some(ContentForm::RawText) => out.write_str(node.text()),
            _ => write_text(out, node.text(), false),
        },
        NodeKind::Comment => write!(out, "<!--{}-->", node.text()),
        NodeKind::ProcessingInstruction => write!(out, "<?{} {}?>", node.name(), node.text()),
        NodeKind::Doctype => write!(out, "<!DOCTYPE {}>", node.name()),
        NodeKind::DocumentFragment => match node.as_shadow_root() {
            Some(root) => {
                write!(out, "<template shadowrootmode=\"{}\"", root.mode())?;
                for (name, value) in root.attributes() {
                    write!(out, " {name}=\"{value}\"")?;
                }
                out.write_char('>')
            }
            None => Ok(()),
        },
        NodeKind::Document => Ok(()),
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
    out.write_char(' ')?;
    out.write_str(designator)?;
    out.write_str(name)?;
    out.write_str("=\"")?;
    write_text(out, attribute.value(), true)?;
    out.write_char('"')
}

/// How the content of an element is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContentForm {
    Usual,
    /// The element is void: neither content nor an end tag is written.
    Void,
    /// The text in the element is written without escaping, as in `script`.
    RawText,
    /// A parser drops a newline that follows the start tag immediately, as in `pre`.
    Dropping,
}

/// Returns how the content of an element is written. It is the same for all elements with the same name, so that the
/// result is cached in `known`, by the index of the name.
#[inline]
fn content_form(known: &mut Vec<Option<ContentForm>>, node: Node<'_>) -> ContentForm {
    let Some(number) = node.name_number() else {
        return ContentForm::Usual;
    };
    match known.get(number) {
        Some(Some(is)) => *is,
        _ => find_content_form(known, number, node),
    }
}

#[cold]
fn find_content_form(
    known: &mut Vec<Option<ContentForm>>,
    number: usize,
    element: Node<'_>,
) -> ContentForm {
    let name = element.local_name();
    let is = if !is_html(element) {
        ContentForm::Usual
    } else if html_facts::VOID.contains(name) {
        ContentForm::Void
    } else if html_facts::unescaped(element.document().is_scripting()).contains(name) {
        ContentForm::RawText
    } else if html_facts::DROPS_NEWLINE.contains(name) {
        ContentForm::Dropping
    } else {
        ContentForm::Usual
    };
    if number >= known.len() {
        known.resize(number + 1, None);
    }
    known[number] = Some(is);
    is
}

/// Returns true for a text at the end of the `body` of a page, or of its root element.
fn is_end_of_page(node: Node<'_>) -> bool {
    if !node.is_text() || node.next_sibling().is_some() || node.document().is_fragment() {
        return false;
    }
    let is_page = |node: &Node<'_>| {
        let parent = node.parent().map(|parent| parent.kind());
        is_html(*node) && node.local_name() == "html" && parent == Some(NodeKind::Document)
    };
    node.parent().is_some_and(|parent| {
        let is_body = is_html(parent) && parent.local_name() == "body";
        is_page(&parent) || is_body && parent.parent().as_ref().is_some_and(is_page)
    })
}

fn begins_with_line_feed(node: Node<'_>) -> bool {
    let first = node.first_child().filter(Node::is_text);
    first.is_some_and(|first| first.text().starts_with('\n'))
}

fn element_name(element: Node<'_>) -> &str {
    let name = element.name();
    if element.local_name().len() == name.len() {
        return name;
    }
    match element.namespace() {
        Some(namespaces::HTML | namespaces::MATHML | namespaces::SVG) => element.local_name(),
        _ => element.name(),
    }
}

/// Writes a text or an attribute value with the escapes of HTML.
fn write_text(out: &mut impl fmt::Write, text: &str, is_value: bool) -> fmt::Result {
    // PERF: compilers make vector instructions of this loop, which looks at all bytes. C2 is the first byte of U+00A0.
    let needs_escape = |byte: u8| {
        (byte == b'&') | (byte & !2 == b'<') | (byte == 0xC2) | (is_value & (byte == b'"'))
    };
    if !text
        .bytes()
        .fold(false, |found, byte| found | needs_escape(byte))
    {
        return out.write_str(text);
    }
    // The class of XML 1.1 contains the first byte of U+00A0.
    let special = special_classes(is_value) | SPECIAL_IN_XML11;
    write_replaced(out, text, special, |bytes| {
        Some(match bytes {
            [b'&', ..] => "&amp;",
            [b'<', ..] => "&lt;",
            [b'>', ..] => "&gt;",
            [b'"', ..] if is_value => "&quot;",
            // U+00A0.
            [0xC2, 0xA0, ..] => "&nbsp;",
            _ => return None,
        })
    })
}
