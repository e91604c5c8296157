//! The direction of elements, for `:dir(ltr)` and `:dir(rtl)`:
//! <https://html.spec.whatwg.org/multipage/dom.html#the-directionality>.
//!
//! Slots are treated as elements without a special rule, because a search does not cover shadow trees.

use super::bidi_runs::strong_direction;
use super::inherited::is_html;
use crate::tree::namespaces::HTML;
use crate::tree::{Edge, Node};

/// The direction of the text in an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Direction {
    #[default]
    LeftToRight,
    RightToLeft,
}

/// A valid value of the attribute `dir`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dir {
    Is(Direction),
    Auto,
}

/// Types of `input` elements whose value does not decide their direction if `dir` is `auto`. An unknown type means
/// `text`.
const TYPES_WITHOUT_OWN_TEXT: [&str; 12] = [
    "date",
    "month",
    "week",
    "time",
    "datetime-local",
    "number",
    "range",
    "color",
    "checkbox",
    "radio",
    "file",
    "image",
];

/// Returns the direction that an element sets itself, or `None` if it inherits that of its parent. Adds the number of
/// visited nodes to `work`.
pub(super) fn own(node: Node<'_>, work: impl Fn(u64)) -> Option<Direction> {
    match dir(node) {
        Some(Dir::Is(direction)) => Some(direction),
        Some(Dir::Auto) => Some(automatic(node, work)),
        None if is_html(node, "bdi") => Some(automatic(node, work)),
        None if is_html(node, "input") && has_type(node, "tel") => Some(Direction::LeftToRight),
        None => None,
    }
}

/// Returns the state of an element's attribute `dir`. Only elements of HTML have the attribute.
fn dir(node: Node<'_>) -> Option<Dir> {
    let value = node.attribute("dir")?;
    let is = |word: &str| value.eq_ignore_ascii_case(word);
    match () {
        () if node.namespace() != Some(HTML) => None,
        () if is("ltr") => Some(Dir::Is(Direction::LeftToRight)),
        () if is("rtl") => Some(Dir::Is(Direction::RightToLeft)),
        () if is("auto") => Some(Dir::Auto),
        () => None,
    }
}

fn has_type(input: Node<'_>, name: &str) -> bool {
    let value = input.attribute("type");
    value.is_some_and(|value| value.eq_ignore_ascii_case(name))
}

/// Returns the direction of an element whose content decides it.
fn automatic(node: Node<'_>, work: impl Fn(u64)) -> Direction {
    let has_own_text = || {
        let mut types = TYPES_WITHOUT_OWN_TEXT.into_iter();
        !types.any(|name| has_type(node, name))
    };
    let found = match () {
        () if is_html(node, "textarea") => of_text(&node.text_content()),
        () if is_html(node, "input") && has_own_text() => {
            of_text(node.attribute("value").unwrap_or_default())
        }
        () => contained(node, work),
    };
    found.unwrap_or_default()
}

/// Returns the direction of the first text with a strong direction in an element. The text of some elements does not
/// count, nor does that of elements that have a direction of their own.
fn contained(top: Node<'_>, work: impl Fn(u64)) -> Option<Direction> {
    let is_left_out = |node: Node<'_>| {
        ["bdi", "script", "style", "textarea"]
            .into_iter()
            .any(|name| is_html(node, name))
            || dir(node).is_some()
    };
    let mut edges = top.edges();
    while let Some(edge) = edges.next() {
        work(1);
        let Edge::Open(node) = edge else { continue };
        if node.is_text() {
            if let Some(found) = of_text(node.text()) {
                return Some(found);
            }
        } else if node != top && is_left_out(node) {
            edges.skip_children();
        }
    }
    None
}

/// Returns the direction of the first character of a text that has a strong direction.
fn of_text(text: &str) -> Option<Direction> {
    text.chars().find_map(strong_direction)
}
