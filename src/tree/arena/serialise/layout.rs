//! Indentation: the places in a tree where the serializer may begin a new line, because whitespace has no effect there.
//!
//! In XML, these places are between the children of an element that contains elements and no text, unless an ancestor
//! contains text or has `xml:space="preserve"`. In HTML, they are between blocks as a browser lays them out without a
//! style sheet: elements that begin a line of their own, or that are not shown.

use crate::engine::text::html_facts;
use crate::tree::{Node, NodeKind, namespaces};
use crate::write::html::{is_block, keeps_white_space};
use alloc::vec::Vec;
use core::fmt;

/// The rules that decide where whitespace has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    Xml,
    Html,
}

/// The whitespace to write before a node, or before the end tag of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// None.
    Nothing,
    /// A newline and the indentation of this depth.
    Line(usize),
    /// None, and the node, which is whitespace, is omitted.
    Gone,
}

/// Whether the children of the nodes that are open begin lines.
pub(super) struct Layout {
    rules: Rules,
    /// Number of open parents that are not written: 1 if the first one is not, otherwise 0.
    outer: usize,
    /// The kind of children of each open parent. No line begins in a parent whose whitespace is significant, nor in its
    /// descendants.
    open: Vec<Children>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Children {
    /// They begin lines.
    Lines,
    /// They go on with the line; what is in them may begin some.
    Line,
    /// All of it stays as it is.
    Kept,
}

impl Layout {
    pub(super) fn new(rules: Rules, is_top_written: bool) -> Layout {
        Layout {
            rules,
            outer: usize::from(!is_top_written),
            open: Vec::new(),
        }
    }

    /// A parent begins.
    pub(super) fn enter(&mut self, parent: Node<'_>) {
        let is_top = self.open.len() < self.outer;
        let is_kept = self.open.last() == Some(&Children::Kept);
        let children = match is_kept || keeps(parent, self.rules) {
            true => Children::Kept,
            false if holds_lines(parent, is_top, self.rules) => Children::Lines,
            false => Children::Line,
        };
        self.open.push(children);
    }

    /// Returns the whitespace before a child of the innermost open parent.
    pub(super) fn before(&self, child: Node<'_>) -> Before {
        match self.open.last() {
            Some(Children::Lines) if child.is_text() => Before::Gone,
            Some(Children::Lines) => Before::Line(self.open.len() - self.outer),
            _ => Before::Nothing,
        }
    }

    /// Closes the innermost parent and returns the whitespace before its end tag.
    pub(super) fn leave(&mut self) -> Before {
        match self.open.pop() {
            Some(Children::Lines) => Before::Line(self.open.len().saturating_sub(self.outer)),
            _ => Before::Nothing,
        }
    }
}

/// Deeper elements are not indented further: what is written would grow with the square of the depth.
const DEEPEST: usize = 64;

/// Writes the beginning of a line, so deep.
pub(super) fn write_line(out: &mut impl fmt::Write, indent: &str, depth: usize) -> fmt::Result {
    out.write_char('\n')?;
    (0..depth.min(DEEPEST)).try_for_each(|_| out.write_str(indent))
}

/// Whether nothing in a parent may change.
fn keeps(parent: Node<'_>, rules: Rules) -> bool {
    match (parent.kind(), rules) {
        (NodeKind::DocumentFragment, _) => true,
        (_, Rules::Xml) => {
            let is_text = |node: Node<'_>| node.is_text() && !is_white_space(node);
            parent.attribute("xml:space") == Some("preserve") || parent.children().any(is_text)
        }
        (_, Rules::Html) => {
            is_html(parent)
                && (keeps_white_space(parent.local_name())
                    || html_facts::PLAIN_TEXT.contains(parent.local_name()))
        }
    }
}

/// Whether white space between the children of a node changes nothing.
fn holds_lines(parent: Node<'_>, is_top: bool, rules: Rules) -> bool {
    let begins_line = |node: Node<'_>| match node.kind() {
        NodeKind::Text => is_white_space(node),
        NodeKind::Element => rules == Rules::Xml || is_html_block(node),
        _ => true,
    };
    let is_select = is_html(parent) && parent.local_name() == "select";
    let is_known = is_top || rules == Rules::Xml || is_html_block(parent) || is_select;
    is_known && parent.children().any(|node| !node.is_text()) && parent.children().all(begins_line)
}

fn is_white_space(text: Node<'_>) -> bool {
    // A carriage return was a reference, and somebody's intention.
    let white = |byte| matches!(byte, b' ' | b'\t' | b'\n');
    text.text().bytes().all(white)
}

fn is_html(element: Node<'_>) -> bool {
    element.namespace() == Some(namespaces::HTML)
}

fn is_html_block(element: Node<'_>) -> bool {
    is_html(element)
        && (is_block(element.local_name()) || matches!(element.local_name(), "template" | "xmp"))
}
