//! Trees indented: white space is put into a tree, and taken from it, where that changes nothing.
//!
//! In XML that is between the children of an element that holds elements and no text, all of it that stands
//! in no element with text and in none with `xml:space="preserve"`. In HTML it is between blocks, as a
//! browser lays them out without a style sheet: elements that begin a line of their own, or are not shown.
//! Forms and files are none of this room's matter.

use tagstream::tree::{Edge, NodeId, TreeSink};
use tagstream::{Document, Node, NodeKind};

/// Deeper elements are not indented further: what is written would grow with the square of the depth.
pub(crate) const DEEPEST: usize = 64;

/// What decides where white space changes nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rules {
    Xml,
    Html,
}

/// A change of the tree.
enum Change {
    /// This is white space, and goes.
    Remove(NodeId),
    /// This begins a line, so deep.
    Before(NodeId, usize),
    /// The end tag of this begins a line, so deep.
    End(NodeId, usize),
}

/// Indents what is in `top` of `document`: its root, or the element that stands for a fragment.
pub(crate) fn indent(document: &mut Document, top: NodeId, rules: Rules, width: u8) {
    for change in changes(document, top, rules) {
        let line = |depth: usize| {
            let spaces = usize::from(width) * depth.min(DEEPEST);
            format!("\n{:spaces$}", "")
        };
        match change {
            Change::Remove(text) => TreeSink::remove(document, text),
            Change::Before(node, depth) => document.insert_text_before(node, &line(depth)),
            Change::End(parent, depth) => document.append_text(parent, &line(depth)),
        }
    }
}

fn changes(document: &Document, top: NodeId, rules: Rules) -> Vec<Change> {
    let mut changes = Vec::new();
    let Some(top) = document.node(top) else {
        return changes;
    };
    // How many elements are open in `top`, and the one in which nothing is changed.
    let mut depth = 0;
    let mut kept = None;
    for edge in top.edges() {
        match edge {
            Edge::Open(node) if kept.is_none() && is_parent(node) => {
                if keeps(node, rules) {
                    kept = Some(node);
                } else if holds_lines(node, node == top, rules) {
                    lines(node, node == top, depth, &mut changes);
                }
                depth += usize::from(node != top);
            }
            Edge::Close(node) if kept == Some(node) => {
                kept = None;
                depth -= usize::from(node != top);
            }
            Edge::Close(node) if kept.is_none() && is_parent(node) => {
                depth -= usize::from(node != top);
            }
            _ => {}
        }
    }
    changes
}

fn is_parent(node: Node<'_>) -> bool {
    matches!(node.kind(), NodeKind::Element | NodeKind::Document)
}

/// Whether nothing in an element may change.
fn keeps(element: Node<'_>, rules: Rules) -> bool {
    match rules {
        Rules::Xml => {
            let is_text = |node: Node<'_>| node.is_text() && !is_white_space(node);
            element.attribute("xml:space") == Some("preserve") || element.children().any(is_text)
        }
        Rules::Html => is_html(element, KEPT),
    }
}

/// Whether white space between the children of a node changes nothing.
fn holds_lines(parent: Node<'_>, is_top: bool, rules: Rules) -> bool {
    let begins_line = |node: Node<'_>| match node.kind() {
        NodeKind::Text => is_white_space(node),
        NodeKind::Element => rules == Rules::Xml || is_html(node, BLOCKS),
        _ => true,
    };
    let is_known =
        is_top || rules == Rules::Xml || is_html(parent, BLOCKS) || is_html(parent, &["select"]);
    is_known && parent.children().any(|node| !node.is_text()) && parent.children().all(begins_line)
}

/// Puts the children of a node on lines of their own. The first of a document begins the output, but
/// for a document type, which is not among the children in XML.
fn lines(parent: Node<'_>, is_top: bool, depth: usize, changes: &mut Vec<Change>) {
    let inner = depth + usize::from(!is_top);
    let document = parent.document();
    let has_doctype = parent.kind() == NodeKind::Document
        && document.doctype().is_some()
        && parent.children().all(|node| node.doctype().is_none());
    let mut is_first = is_top;
    for child in parent.children() {
        if child.is_text() {
            changes.push(Change::Remove(child.id()));
            continue;
        }
        // A comment there may stand before the document type.
        if !is_first || has_doctype && child.is_element() {
            changes.push(Change::Before(child.id(), inner));
        }
        is_first = false;
    }
    if !is_top {
        changes.push(Change::End(parent.id(), depth));
    }
}

fn is_white_space(text: Node<'_>) -> bool {
    let white = |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    text.text().bytes().all(white)
}

fn is_html(element: Node<'_>, names: &[&str]) -> bool {
    element.namespace() == Some("http://www.w3.org/1999/xhtml")
        && names.contains(&element.local_name())
}

/// White space in these is shown.
const KEPT: &[&str] = &["listing", "plaintext", "pre", "textarea", "xmp"];

/// Elements of HTML that begin a line of their own, stand in tables, or are not shown.
#[rustfmt::skip]
const BLOCKS: &[&str] = &[
    "address", "article", "aside", "base", "blockquote", "body", "caption", "center", "col", "colgroup",
    "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
    "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr",
    "html", "legend", "li", "link", "listing", "main", "menu", "meta", "nav", "noframes", "ol", "optgroup",
    "option", "p", "plaintext", "pre", "script", "search", "section", "style", "summary", "table", "tbody",
    "td", "template", "tfoot", "th", "thead", "title", "tr", "ul", "xmp",
];
