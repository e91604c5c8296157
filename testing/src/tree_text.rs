//! Writes trees as in `tests/data`, in the notation of html5lib's tests: one node per line, with `| ` before each.

use crate::tree_formats::TreeFormats as _;
use tagstream::{Document, Node};

/// Writes the tree of an HTML document.
#[must_use]
pub fn of_html(document: &Document) -> String {
    lines(&document.to_html5lib())
}

/// Writes the nodes below a node of an HTML document.
#[must_use]
pub fn below_html(node: Node<'_>) -> String {
    lines(&node.to_html5lib())
}

/// Writes the tree of an XML document.
#[must_use]
pub fn of_xml(document: &Document) -> String {
    lines(&document.to_html5lib_xml())
}

/// Puts each node on one line: newlines in texts become `\n`.
fn lines(tree: &str) -> String {
    let mut out = String::new();
    for line in tree.lines() {
        let is_node = line.starts_with("| ");
        if !out.is_empty() {
            out += if is_node { "\n" } else { "\\n" };
        }
        out += line;
    }
    out
}
