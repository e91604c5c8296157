//! Trees as `tests/data` writes them, which is how html5lib's tests do: a line a node, `| ` before each.

use crate::tree_formats::TreeFormats as _;
use tagstream::{Document, Node};

/// The tree of a document of HTML.
#[must_use]
pub fn of_html(document: &Document) -> String {
    lines(&document.to_html5lib())
}

/// The nodes below a node of a document of HTML.
#[must_use]
pub fn below_html(node: Node<'_>) -> String {
    lines(&node.to_html5lib())
}

/// The tree of a document of XML.
#[must_use]
pub fn of_xml(document: &Document) -> String {
    lines(&document.to_html5lib_xml())
}

/// One line for each node: newlines in texts become `\n`.
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
