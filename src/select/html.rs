//! The pseudo-classes that the standard of HTML defines, on a tree that nobody has touched: what a user could have
//! done since, or a script, is not there. It must not know of selectors.

use super::automaton::Subject;
use super::program::State;
use crate::tree::namespaces::{HTML, SVG, XLINK};
use crate::tree::{Node, NodeId};
use core::cell::Cell;

/// What the last select that was asked has chosen: its options ask one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Chosen(Cell<Option<(NodeId, Option<NodeId>)>>);

/// Whether an element is in this state. `options` is of the tree that it is in.
pub(super) fn is(node: Node<'_>, element: &impl Subject, state: State, options: &Chosen) -> bool {
    let is_html = node.namespace() == Some(HTML);
    match state {
        State::Link | State::Required | State::Optional => is_tag(element, state),
        State::Checked => is_html && is_checked(node, options),
        State::Disabled => is_html && is_disabled(node),
        State::Enabled => is_html && can_be_disabled(node) && !is_disabled(node),
        State::ReadWrite => is_html && is_mutable(node),
        State::ReadOnly => is_html && !is_mutable(node),
        State::PlaceholderShown => is_html && shows_placeholder(node),
    }
}

/// The same of states that a tag tells by itself.
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

/// The type of an `input`, if it is one of these.
fn has_type(node: Node<'_>, types: &[&str]) -> bool {
    is_type(node.attribute("type"), types)
}

fn is_type(said: Option<&str>, types: &[&str]) -> bool {
    said.is_some_and(|said| types.iter().any(|one| said.eq_ignore_ascii_case(one)))
}

fn is_checked(node: Node<'_>, options: &Chosen) -> bool {
    match node.local_name() {
        "input" => has_type(node, &["checkbox", "radio"]) && node.attribute("checked").is_some(),
        "option" => match select_of(node) {
            None => node.attribute("selected").is_some(),
            Some(select) if select.attribute("multiple").is_some() => {
                node.attribute("selected").is_some()
            }
            Some(select) => options.of(select) == Some(node.id()),
        },
        _ => false,
    }
}

/// The select that an option or a group of them is in.
fn select_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut in_group = is_html(node, "optgroup");
    for above in node
        .ancestors()
        .filter(|above| above.namespace() == Some(HTML))
    {
        match above.local_name() {
            "select" => return Some(above),
            "datalist" | "hr" | "option" => return None,
            "optgroup" if in_group => return None,
            "optgroup" => in_group = true,
            _ => {}
        }
    }
    None
}

/// The group that an option is in.
fn group_of(option: Node<'_>) -> Option<Node<'_>> {
    let names = ["select", "datalist", "hr", "option", "optgroup"];
    let ends =
        |above: &Node<'_>| names.contains(&above.local_name()) && above.namespace() == Some(HTML);
    let found = option.ancestors().find(ends);
    found.filter(|found| found.local_name() == "optgroup")
}

fn is_html(node: Node<'_>, name: &str) -> bool {
    node.local_name() == name && node.namespace() == Some(HTML)
}

impl Chosen {
    /// The option that a select of one line, or of one choice, has chosen.
    fn of(&self, select: Node<'_>) -> Option<NodeId> {
        match self.0.get() {
            Some((known, chosen)) if known == select.id() => chosen,
            _ => {
                let chosen = chosen(select);
                self.0.set(Some((select.id(), chosen)));
                chosen
            }
        }
    }
}

fn chosen(select: Node<'_>) -> Option<NodeId> {
    let options = || {
        let nodes = select.descendants();
        let options = nodes.filter(|node| is_html(*node, "option"));
        options.filter(|option| select_of(*option) == Some(select))
    };
    let said = options()
        .filter(|option| option.attribute("selected").is_some())
        .last();
    // A box of one line shows something: the first that can be chosen.
    let lines = select.attribute("size").and_then(number).unwrap_or(0);
    let shown = || options().find(|option| lines <= 1 && !is_closed(*option));
    said.or_else(shown).map(|option| option.id())
}

/// A non-negative integer as HTML reads them.
fn number(text: &str) -> Option<u64> {
    let text = text.trim_start_matches(['\t', '\n', '\u{C}', '\r', ' ']);
    let text = text.strip_prefix('+').unwrap_or(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match digits {
        0 => None,
        // What is as long says more lines than one, too.
        _ => Some(text[..digits].parse().unwrap_or(u64::MAX)),
    }
}

fn can_be_disabled(node: Node<'_>) -> bool {
    matches!(
        node.local_name(),
        "button" | "input" | "select" | "textarea" | "optgroup" | "option" | "fieldset"
    )
}

fn is_disabled(node: Node<'_>) -> bool {
    if !can_be_disabled(node) {
        return false;
    }
    if node.attribute("disabled").is_some() {
        return true;
    }
    // Whoever cannot open a select cannot choose in it.
    let is_in_disabled = || select_of(node).is_some_and(is_disabled);
    match node.local_name() {
        "optgroup" => is_in_disabled(),
        "option" => is_closed(node) || is_in_disabled(),
        _ => is_in_disabled_fieldset(node),
    }
}

/// Whether an option is disabled, whatever its select is.
fn is_closed(option: Node<'_>) -> bool {
    let group = group_of(option);
    let said = |node: Node<'_>| node.attribute("disabled").is_some();
    said(option) || group.is_some_and(said)
}

/// Whether it is in a fieldset that is disabled, other than in the first legend of that.
fn is_in_disabled_fieldset(node: Node<'_>) -> bool {
    let mut below = node;
    for ancestor in node.ancestors() {
        if is_html(ancestor, "fieldset") && ancestor.attribute("disabled").is_some() {
            let first = ancestor.children().find(|child| is_html(*child, "legend"));
            if first != Some(below) {
                return true;
            }
        }
        below = ancestor;
    }
    false
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

/// The types of `input` that do not hold what can be typed.
const UNTYPED: [&str; 10] = [
    "hidden", "range", "color", "checkbox", "radio", "file", "submit", "image", "reset", "button",
];

fn is_mutable(node: Node<'_>) -> bool {
    let is_field = match node.local_name() {
        "input" => !has_type(node, &UNTYPED),
        "textarea" => true,
        _ => return is_edited(node),
    };
    is_field && node.attribute("readonly").is_none() && !is_disabled(node)
}

/// Whether it is in what `contenteditable` makes an editor of.
fn is_edited(node: Node<'_>) -> bool {
    let said = |node: Node<'_>| {
        let value = node.attribute("contenteditable")?;
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        match () {
            () if is("") || is("true") || is("plaintext-only") => Some(true),
            () if is("false") => Some(false),
            () => None,
        }
    };
    let above = core::iter::once(node).chain(node.ancestors());
    above
        .filter(|node| node.namespace() == Some(HTML))
        .find_map(said)
        .unwrap_or(false)
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
