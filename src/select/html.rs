//! The pseudo-classes that the HTML standard defines, such as `:checked`. The tree alone determines the result: user
//! input and changes by scripts do not exist here.

use super::automaton::Subject;
use super::inherited::Inherited;
use super::program::State;
use crate::tree::Node;
use crate::tree::namespaces::{HTML, SVG, XLINK};

/// Returns true if an element is in this state. `known` caches the states inherited in the tree of the element.
pub(super) fn is(node: Node<'_>, element: &impl Subject, state: State, known: &Inherited) -> bool {
    let is_html = node.namespace() == Some(HTML);
    match state {
        State::Link | State::Required | State::Optional => is_tag(element, state),
        State::Checked => is_html && is_checked(node, known),
        State::Disabled => is_html && is_disabled(node, known),
        State::Enabled => is_html && can_be_disabled(node) && !is_disabled(node, known),
        State::ReadWrite => is_html && is_mutable(node, known),
        State::ReadOnly => is_html && !is_mutable(node, known),
        State::PlaceholderShown => is_html && shows_placeholder(node),
    }
}

/// Does the same for the states that depend only on the element's tag (`:link`, `:required`, `:optional`). Returns
/// false for all other states.
pub(super) fn is_tag(element: &impl Subject, state: State) -> bool {
    let name = element.local_name();
    let has = |name| element.attribute(name).is_some();
    match (element.namespace(), state) {
        (Some(SVG), State::Link) => {
            let xlink = |namespace: Option<&str>, name: &str, _: &str| {
                namespace == Some(XLINK) && name == "href"
            };
            name == "a" && (has("href") || element.any_attribute(xlink))
        }
        (Some(HTML), State::Link) => matches!(name, "a" | "area") && has("href"),
        (Some(HTML), State::Required) => is_required(element),
        (Some(HTML), State::Optional) => {
            matches!(name, "input" | "select" | "textarea") && !is_required(element)
        }
        _ => false,
    }
}

/// Returns true if the `type` attribute is one of these types, ignoring case.
fn has_type(node: Node<'_>, types: &[&str]) -> bool {
    is_type(node.attribute("type"), types)
}

fn is_type(said: Option<&str>, types: &[&str]) -> bool {
    said.is_some_and(|said| types.iter().any(|one| said.eq_ignore_ascii_case(one)))
}

fn is_checked(node: Node<'_>, known: &Inherited) -> bool {
    match node.local_name() {
        "input" => has_type(node, &["checkbox", "radio"]) && node.attribute("checked").is_some(),
        "option" => match known.select_of(node) {
            None => node.attribute("selected").is_some(),
            Some(select) if select.attribute("multiple").is_some() => {
                node.attribute("selected").is_some()
            }
            Some(select) => known.chosen(select) == Some(node.id()),
        },
        _ => false,
    }
}

fn can_be_disabled(node: Node<'_>) -> bool {
    matches!(
        node.local_name(),
        "button" | "input" | "select" | "textarea" | "optgroup" | "option" | "fieldset"
    )
}

fn is_disabled(node: Node<'_>, known: &Inherited) -> bool {
    if !can_be_disabled(node) {
        return false;
    }
    if node.attribute("disabled").is_some() {
        return true;
    }
    // An option or a group of options is also disabled if its `select` is disabled, because the user cannot choose
    // anything there.
    let is_in_disabled = || {
        let select = known.select_of(node);
        select.is_some_and(|select| is_disabled(select, known))
    };
    match node.local_name() {
        "optgroup" => is_in_disabled(),
        "option" => known.is_closed(node) || is_in_disabled(),
        _ => known.is_in_disabled_fieldset(node),
    }
}

fn is_required(element: &impl Subject) -> bool {
    let types = [
        "hidden", "range", "color", "submit", "image", "reset", "button",
    ];
    let can_be = match element.local_name() {
        "input" => !is_type(element.attribute("type"), &types),
        "select" | "textarea" => true,
        _ => false,
    };
    can_be && element.attribute("required").is_some()
}

/// The types of `input` elements that the user cannot type text into.
const UNTYPED: [&str; 10] = [
    "hidden", "range", "color", "checkbox", "radio", "file", "submit", "image", "reset", "button",
];

fn is_mutable(node: Node<'_>, known: &Inherited) -> bool {
    let is_field = match node.local_name() {
        "input" => !has_type(node, &UNTYPED),
        "textarea" => true,
        _ => return known.is_edited(node),
    };
    is_field && node.attribute("readonly").is_none() && !is_disabled(node, known)
}

fn shows_placeholder(node: Node<'_>) -> bool {
    if node.attribute("placeholder").is_none() {
        return false;
    }
    match node.local_name() {
        "input" => {
            let others = ["date", "month", "week", "time", "datetime-local"];
            !has_type(node, &UNTYPED)
                && !has_type(node, &others)
                && node.attribute("value").unwrap_or_default().is_empty()
        }
        "textarea" => node.children().all(|child| child.text().is_empty()),
        _ => false,
    }
}
