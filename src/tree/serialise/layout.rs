//! Where lines begin in a tree that is written with an indent: where white space changes nothing.
//!
//! In XML that is between the children of an element that holds elements and no text, all of it that stands in no
//! element with text and in none with `xml:space="preserve"`. In HTML it is between blocks, as a browser lays them out
//! without a style sheet: elements that begin a line of their own, or are not shown. It must not know how anything is
//! written.

use crate::tree::{Node, NodeKind, namespaces};
use crate::write::html::{is_block, keeps_white_space};
use alloc::vec::Vec;
use core::fmt;

/// What decides where white space changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    Xml,
    Html,
}

/// What of white space stands before a node, or before the end of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// None.
    Nothing,
    /// A line, so deep.
    Line(usize),
    /// The node is white space itself, and goes.
    Gone,
}

/// Whether the children of the nodes that are open begin lines.
pub(super) struct Layout {
    rules: Rules,
    /// So many of the parents that are open are not written: the first, or none.
    outer: usize,
    /// Of each parent that is open; nothing begins a line in one that is kept, nor below it.
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

    /// What stands before a child of the innermost parent.
    pub(super) fn before(&self, child: Node<'_>) -> Before {
        match self.open.last() {
            Some(Children::Lines) if child.is_text() => Before::Gone,
            Some(Children::Lines) => Before::Line(self.open.len() - self.outer),
            _ => Before::Nothing,
        }
    }

    /// The innermost parent ends: what stands before its end.
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
                && (keeps_white_space(parent.local_name()) || parent.local_name() == "plaintext")
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
