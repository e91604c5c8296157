//! Matching of the pseudo-classes that the HTML standard defines, such as `:checked`. The tree alone determines the
//! result, because there are no user input and no changes by scripts.

use super::automaton::Subject;
use super::inherited::Inherited;
use super::program::HtmlPseudoClass;
use crate::engine::text::html_facts;
use crate::tree::Node;
use crate::tree::namespaces::{HTML, SVG, XLINK};

/// Returns true if an element of a tree matches a pseudo-class. `known` caches the states that elements of this tree
/// inherit.
pub(super) fn matches(
    node: Node<'_>,
    element: &impl Subject,
    pseudo_class: HtmlPseudoClass,
    known: &Inherited,
) -> bool {
    let is_html = node.namespace() == Some(HTML);
    match pseudo_class {
        HtmlPseudoClass::Link
        | HtmlPseudoClass::Required
        | HtmlPseudoClass::Optional
        | HtmlPseudoClass::Open
        | HtmlPseudoClass::Defined
        | HtmlPseudoClass::NoElement
        | HtmlPseudoClass::XPathUnprefixed => matches_tag(element, pseudo_class),
        HtmlPseudoClass::Checked => is_html && is_checked(node, known),
        HtmlPseudoClass::Disabled => is_html && is_disabled(node, known),
        HtmlPseudoClass::Enabled => is_html && can_be_disabled(node) && !is_disabled(node, known),
        HtmlPseudoClass::ReadWrite => is_html && is_mutable(node, known),
        HtmlPseudoClass::ReadOnly => is_html && !is_mutable(node, known),
        HtmlPseudoClass::PlaceholderShown => is_html && shows_placeholder(node),
    }
}

/// Returns true if an element matches a pseudo-class that depends only on the start tag of the element (`:link`,
/// `:required`, `:optional`, `:open`, `:defined`, `:-xpath-unprefixed`). Returns false for all other pseudo-classes.
pub(super) fn matches_tag(element: &impl Subject, pseudo_class: HtmlPseudoClass) -> bool {
    let name = element.local_name();
    let has = |name| element.attribute(name).is_some();
    match (element.namespace(), pseudo_class) {
        (namespace, HtmlPseudoClass::XPathUnprefixed) => element.is_html() || namespace.is_none(),
        (Some(SVG), HtmlPseudoClass::Link) => {
            let xlink = |namespace: Option<&str>, name: &str, _: &str| {
                namespace == Some(XLINK) && name == "href"
            };
            name == "a" && (has("href") || element.any_attribute(xlink))
        }
        (Some(HTML), HtmlPseudoClass::Link) => matches!(name, "a" | "area") && has("href"),
        (Some(HTML), HtmlPseudoClass::Required) => is_required(element),
        (Some(HTML), HtmlPseudoClass::Optional) => {
            matches!(name, "input" | "select" | "textarea") && !is_required(element)
        }
        (Some(HTML), HtmlPseudoClass::Open) => matches!(name, "details" | "dialog") && has("open"),
        // No script defines custom elements.
        (Some(HTML), HtmlPseudoClass::Defined) => !html_facts::is_custom(name) && !has("is"),
        (_, HtmlPseudoClass::Defined) => true,
        _ => false,
    }
}

/// Returns true if the `type` attribute of the node is one of these types, compared case-insensitively.
fn has_type(node: Node<'_>, types: &[&str]) -> bool {
    is_type(node.attribute("type"), types)
}

/// Returns true if the value of a `type` attribute is one of these types, compared case-insensitively.
fn is_type(value: Option<&str>, types: &[&str]) -> bool {
    value.is_some_and(|value| types.iter().any(|one| value.eq_ignore_ascii_case(one)))
}

/// Returns true for a checked checkbox or radio button, and for a selected option.
fn is_checked(node: Node<'_>, known: &Inherited) -> bool {
    match node.local_name() {
        "input" => has_type(node, &["checkbox", "radio"]) && node.attribute("checked").is_some(),
        "option" => match known.select_of(node) {
            None => node.attribute("selected").is_some(),
            Some(select) if select.attribute("multiple").is_some() => {
                node.attribute("selected").is_some()
            }
            Some(select) => known.selected_option(select) == Some(node.id()),
        },
        _ => false,
    }
}

/// Returns true if the element is one that the attribute `disabled` applies to.
fn can_be_disabled(node: Node<'_>) -> bool {
    matches!(
        node.local_name(),
        "button" | "input" | "select" | "textarea" | "optgroup" | "option" | "fieldset"
    )
}

/// Returns true if the element is disabled by its own attribute or because of an ancestor.
fn is_disabled(node: Node<'_>, known: &Inherited) -> bool {
    if !can_be_disabled(node) {
        return false;
    }
    if node.attribute("disabled").is_some() {
        return true;
    }
    // An option or an option group is also disabled if its `select` is disabled, because the user cannot choose
    // anything in it.
    let is_in_disabled = || {
        let select = known.select_of(node);
        select.is_some_and(|select| is_disabled(select, known))
    };
    match node.local_name() {
        "optgroup" => is_in_disabled(),
        "option" => known.is_option_disabled(node) || is_in_disabled(),
        _ => known.is_in_disabled_fieldset(node),
    }
}

/// Returns true if the element is a form control with the attribute `required` to which that attribute applies.
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
const INPUT_TYPES_WITHOUT_TEXT: [&str; 10] = [
    "hidden", "range", "color", "checkbox", "radio", "file", "submit", "image", "reset", "button",
];

/// Returns true if the user can change the text of the element: a text field that is neither disabled nor read-only, or
/// an element that is editable by `contenteditable`.
fn is_mutable(node: Node<'_>, known: &Inherited) -> bool {
    let is_field = match node.local_name() {
        "input" => !has_type(node, &INPUT_TYPES_WITHOUT_TEXT),
        "textarea" => true,
        _ => return known.is_editable(node),
    };
    is_field && node.attribute("readonly").is_none() && !is_disabled(node, known)
}

/// Returns true if the element is a text field without text that has the attribute `placeholder`.
fn shows_placeholder(node: Node<'_>) -> bool {
    if node.attribute("placeholder").is_none() {
        return false;
    }
    match node.local_name() {
        "input" => {
            let others = ["date", "month", "week", "time", "datetime-local"];
            !has_type(node, &INPUT_TYPES_WITHOUT_TEXT)
                && !has_type(node, &others)
                && node.attribute("value").unwrap_or_default().is_empty()
        }
        "textarea" => node.children().all(|child| child.text().is_empty()),
        _ => false,
    }
}
