//! Indentation: the places in a tree where the serializer may begin a new line, because whitespace has no effect there.
//!
//! In XML, these places are between the children of an element that contains elements and no text, unless an ancestor
//! contains text or has `xml:space="preserve"`. In HTML, they are between blocks as a browser lays them out without a
//! style sheet: elements that begin a line of their own, or that are not shown.

use crate::engine::text::html_facts;
use crate::tree::arena::node::{Node, NodeKind};
use crate::tree::namespaces;
use crate::write::html::{is_block, keeps_white_space};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The language whose rules decide where whitespace has no effect: see the documentation of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    Xml,
    Html,
}

/// Returns a text as it is written: that of a text node, or the value of an attribute of an element.
pub(super) type WrittenText<'w> = dyn for<'n> Fn(Node<'n>, &'n str) -> Cow<'n, str> + 'w;

/// The whitespace to write before a node, or before the end tag of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// No whitespace is written.
    Nothing,
    /// A newline is written, followed by the indentation once for each level of this depth.
    Line(usize),
    /// No whitespace is written, and the node is omitted, because it is whitespace that the indentation replaces.
    Gone,
}

/// The open parents while a tree is written, each with the decision whether its children begin new lines.
pub(super) struct Layout {
    rules: Rules,
    /// Number of open parents for which nothing is written: 1 if the outermost parent is a document, or if only its
    /// content is written, otherwise 0. These parents do not count for the depth of the indentation.
    outer: usize,
    /// The decision for each open parent, from the outermost to the innermost. If the whitespace in a parent is
    /// significant, neither its children nor its other descendants begin a line.
    open: Vec<Children>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Children {
    /// Each child begins a new line.
    Lines,
    /// The children continue the current line. Their own children may begin new lines.
    Line,
    /// Whitespace is significant in the parent and in all its descendants. No line is begun there.
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

    /// Adds a node to the open parents. It becomes the innermost one. The decisions on its children depend on the texts that
    /// are written, so that they are the same when the output is read and written again.
    pub(super) fn enter(&mut self, parent: Node<'_>, written: &WrittenText<'_>) {
        let is_top = self.open.len() < self.outer;
        let is_kept = self.open.last() == Some(&Children::Kept);
        let children = match is_kept || keeps(parent, self.rules, written) {
            true => Children::Kept,
            false if holds_lines(parent, is_top, self.rules, written) => Children::Lines,
            false => Children::Line,
        };
        self.open.push(children);
    }

    /// Returns the whitespace to write before `child`, which is a child of the innermost open parent, or
    /// [`Before::Gone`] if `child` itself is whitespace that is not written.
    pub(super) fn before(&self, child: Node<'_>) -> Before {
        match self.open.last() {
            Some(Children::Lines) if child.is_text() => Before::Gone,
            Some(Children::Lines) => Before::Line(self.open.len() - self.outer),
            _ => Before::Nothing,
        }
    }

    /// Removes the innermost open parent, and returns the whitespace to write before its end tag.
    pub(super) fn leave(&mut self) -> Before {
        match self.open.pop() {
            Some(Children::Lines) => Before::Line(self.open.len().saturating_sub(self.outer)),
            _ => Before::Nothing,
        }
    }
}

/// Returns true if the whitespace in a parent and in its descendants is significant, so that it must not change.
fn keeps(parent: Node<'_>, rules: Rules, written: &WrittenText<'_>) -> bool {
    match (parent.kind(), rules) {
        (NodeKind::DocumentFragment, _) => true,
        (_, Rules::Xml) => {
            let is_text = |node: Node<'_>| node.is_text() && !is_white_space(node, written);
            let space = parent.attribute("xml:space");
            space.is_some_and(|space| written(parent, space) == "preserve")
                || parent.children().any(is_text)
        }
        (_, Rules::Html) => {
            is_html(parent)
                && (keeps_white_space(parent.local_name())
                    || html_facts::PLAIN_TEXT.contains(parent.local_name()))
        }
    }
}

/// Returns true if whitespace between the children of a node has no effect, so that each child can begin a new line.
/// `is_top` is true for a parent for which nothing is written.
fn holds_lines(parent: Node<'_>, is_top: bool, rules: Rules, written: &WrittenText<'_>) -> bool {
    let begins_line = |node: Node<'_>| match node.kind() {
        NodeKind::Text => is_white_space(node, written),
        NodeKind::Element => rules == Rules::Xml || is_html_block(node),
        _ => true,
    };
    let is_select = is_html(parent) && parent.local_name() == "select";
    let is_known = is_top || rules == Rules::Xml || is_html_block(parent) || is_select;
    is_known && parent.children().any(|node| !node.is_text()) && parent.children().all(begins_line)
}

fn is_white_space(text: Node<'_>, written: &WrittenText<'_>) -> bool {
    // A carriage return does not count as whitespace here. It was a character reference in the source, so the author
    // wanted it.
    let white = |byte| matches!(byte, b' ' | b'\t' | b'\n');
    let is_section = text.is_cdata() && !text.text().is_empty();
    !is_section && written(text, text.text()).bytes().all(white)
}

pub(super) fn is_html(element: Node<'_>) -> bool {
    element.namespace() == Some(namespaces::HTML)
}

fn is_html_block(element: Node<'_>) -> bool {
    is_html(element)
        && (is_block(element.local_name()) || matches!(element.local_name(), "template" | "xmp"))
}
