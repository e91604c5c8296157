//! Recognition of trees whose markup is certainly parsed as the same tree, so that it need not be parsed again; and of
//! markup that is a single text.
//!
//! In such a tree, every start tag meets a single rule of the insertion mode "in body": to insert the element. Other
//! rules close a `p`, a heading, a list item or a link first, so a tree in which one of these contains what would close
//! it is not recognized, and neither is any element with rules of its own, such as a table or a form control.
//!
//! <https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody>

use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_element_sets::Names;
use crate::engine::text::html_facts::{
    EMPTY_PHRASES, FLOWS, HEADING_TAGS, ITEMS, LINKS, LISTS, PARAGRAPHS, PHRASES, RULES,
    TERM_LISTS, TERMS,
};
use crate::tree::{Attribute, Edge, Node, NodeKind, namespaces};
use alloc::vec::Vec;

/// The depth of the deepest trees that are recognized. The parse of a tree must not come near the limit of depth, at
/// which elements are inserted beside their parents.
const MAX_DEPTH: usize = super::DEPTH / 2;

/// Facts about the ancestors of a node, on which the parse of the node depends.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    /// The name of the parent, or `None` for the context element.
    parent: Option<ElementName>,
    is_in_p: bool,
    is_in_link: bool,
    is_in_heading: bool,
}

/// Returns true for markup that is certainly parsed as a single text in a `div`, and serialized as it was. Every policy
/// allows text there. Excluded are bytes that begin markup or references, that are serialized as references (`>`, and
/// U+00A0, which begins with C2), or that the parser changes: NUL, carriage returns, and a byte-order mark.
///
/// PERF: half of the time for a short comment is for the parser and the tree, whatever the comment is.
pub(super) fn is_text(markup: &str) -> bool {
    let is_special = |byte| matches!(byte, 0 | b'\r' | b'&' | b'<' | b'>' | 0xC2);
    let has_special = |found, byte| found | is_special(byte);
    !markup.starts_with('\u{FEFF}') && !markup.bytes().fold(false, has_special)
}

/// Returns true if the markup of the children of `top` is certainly parsed as the same nodes in a `div`.
pub(super) fn is_parsed_unchanged(top: Node<'_>) -> bool {
    let mut around = Vec::from([Around::default()]);
    let is_outermost = |node: Node<'_>| node.id() == top.id();
    for edge in top.edges() {
        match edge {
            Edge::Open(node) if node.is_text() => {
                if !is_plain(node.text()) {
                    return false;
                }
            }
            Edge::Open(node) => {
                let outside = around.last().copied().unwrap_or_default();
                match enter(node, outside) {
                    _ if is_outermost(node) => {}
                    Some(inside) if around.len() < MAX_DEPTH => around.push(inside),
                    _ => return false,
                }
            }
            Edge::Close(node) => {
                if !node.is_text() && !is_outermost(node) {
                    around.pop();
                }
            }
        }
    }
    true
}

/// Returns the facts about the ancestors of a node's children, or `None` if the node may be parsed as something else.
/// `around` has the facts about the ancestors of the node.
fn enter(node: Node<'_>, around: Around) -> Option<Around> {
    if node.kind() != NodeKind::Element || node.namespace() != Some(namespaces::HTML) {
        return None;
    }
    let is_plain_name = |name: &str| {
        name.bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    };
    let is_plain_attribute =
        |one: Attribute<'_>| is_plain_name(one.name()) && is_plain(one.value());
    if !node.attributes().all(is_plain_attribute) {
        return None;
    }
    let name = ElementName::find(node.local_name());
    let mut inside = Around {
        parent: name,
        ..around
    };
    let Some(name) = name else {
        // The standard has no rule for a name that is not known.
        return is_plain_name(node.local_name()).then_some(inside);
    };
    if FLOWS.holds(name) {
        let is_in = |lists: Names| around.parent.is_some_and(|parent| lists.holds(parent));
        let is_in_place = if ITEMS.holds(name) {
            is_in(LISTS)
        } else if TERMS.holds(name) {
            is_in(TERM_LISTS)
        } else {
            !(HEADING_TAGS.holds(name) && around.is_in_heading)
        };
        if around.is_in_p || !is_in_place {
            return None;
        }
        inside.is_in_p = PARAGRAPHS.holds(name);
        inside.is_in_heading |= HEADING_TAGS.holds(name);
    } else if LINKS.holds(name) {
        if around.is_in_link {
            return None;
        }
        inside.is_in_link = true;
    } else if !PHRASES.or(EMPTY_PHRASES).holds(name) {
        return None;
    }
    let is_empty = EMPTY_PHRASES.or(RULES).holds(name);
    (!is_empty || node.first_child().is_none()).then_some(inside)
}

/// Returns true if no character of a text is lost or replaced when it is parsed.
fn is_plain(text: &str) -> bool {
    memchr::memchr2(b'\0', b'\r', text.as_bytes()).is_none()
}
