//! States that elements inherit from their ancestors: editable content (`contenteditable`), disabled fieldsets, and
//! the `select` that an option belongs to.
//!
//! The states are found by walking up the tree. Each result is cached for all elements passed on the way, so that
//! asking for every element of a deep tree stays linear.

use super::count::Count;
use crate::engine::hash_seed::Seeds;
use crate::tree::namespaces::HTML;
use crate::tree::{Node, NodeId};
use core::cell::RefCell;
use hashbrown::HashMap;

/// The cached states of the elements of one tree. `edited` and `disabled` contain the results of
/// [`is_edited`](Inherited::is_edited) and [`is_in_disabled_fieldset`](Inherited::is_in_disabled_fieldset).
#[derive(Clone, Debug, Default)]
pub(super) struct Inherited {
    edited: Memo<bool>,
    disabled: Memo<bool>,
    /// For each element, its nearest ancestor whose name is in `OWNERS`.
    owners: Memo<Option<NodeId>>,
    /// For each `select`, the option that is selected in it.
    chosen: RefCell<HashMap<NodeId, Option<NodeId>, Seeds>>,
    /// Number of steps taken: nodes visited.
    pub(super) work: Count,
}

/// Names of the elements that end the search for the `select` of an option or option group. `select` and `optgroup`
/// can own it; below `datalist`, `hr` and `option` it has no owner.
const OWNERS: [&str; 5] = ["select", "datalist", "hr", "option", "optgroup"];

/// A cache of one state for each node.
#[derive(Clone, Debug, Default)]
struct Memo<T>(RefCell<HashMap<NodeId, T, Seeds>>);

impl<T: Copy> Memo<T> {
    /// Returns the state of a node: the state that `says` returns for the node itself, otherwise that of its nearest
    /// ancestor for which `says` returns one, otherwise `otherwise`.
    fn of(
        &self,
        node: Node<'_>,
        otherwise: T,
        says: impl Fn(Node<'_>) -> Option<T>,
        work: &Count,
    ) -> T {
        let mut known = self.0.borrow_mut();
        let up = || core::iter::once(node).chain(node.ancestors());
        let mut found = otherwise;
        let mut passed = 0;
        for node in up() {
            work.add(1);
            let said = known.get(&node.id()).copied().or_else(|| says(node));
            if let Some(said) = said {
                found = said;
                known.insert(node.id(), said);
                break;
            }
            passed += 1;
        }
        known.extend(up().take(passed).map(|node| (node.id(), found)));
        found
    }
}

pub(super) fn is_html(node: Node<'_>, name: &str) -> bool {
    node.local_name() == name && node.namespace() == Some(HTML)
}

impl Inherited {
    /// Returns true if the element is editable: it or its nearest ancestor with a valid `contenteditable` attribute
    /// turns editing on.
    pub(super) fn is_edited(&self, node: Node<'_>) -> bool {
        let says = |node: Node<'_>| {
            let value = node.attribute("contenteditable")?;
            let is = |word: &str| value.eq_ignore_ascii_case(word);
            match () {
                () if node.namespace() != Some(HTML) => None,
                () if is("") || is("true") || is("plaintext-only") => Some(true),
                () if is("false") => Some(false),
                () => None,
            }
        };
        self.edited.of(node, false, says, &self.work)
    }

    /// Returns true if the element is a descendant of a disabled `fieldset`, but not inside the first `legend` of
    /// that fieldset.
    pub(super) fn is_in_disabled_fieldset(&self, node: Node<'_>) -> bool {
        let says = |node: Node<'_>| {
            let is_disabled = node.parent().is_some_and(|above| {
                is_html(above, "fieldset") && above.attribute("disabled").is_some()
            });
            (is_disabled && !self.is_first_legend(node)).then_some(true)
        };
        self.disabled.of(node, false, says, &self.work)
    }

    /// Returns true if the node is a `legend` and no earlier sibling is. The walk stops at the previous `legend`, so
    /// that the siblings between two legends are visited once.
    fn is_first_legend(&self, node: Node<'_>) -> bool {
        let mut before = is_html(node, "legend").then_some(node);
        while let Some(one) = before {
            self.work.add(1);
            before = one.previous_sibling();
            if before.is_none_or(|before| is_html(before, "legend")) {
                return before.is_none();
            }
        }
        false
    }

    /// Returns the nearest ancestor whose name is in `OWNERS`.
    fn owner<'d>(&self, node: Node<'d>) -> Option<Node<'d>> {
        let says = |node: Node<'_>| {
            let above = node.parent()?;
            let is_owner = OWNERS.contains(&above.local_name()) && above.namespace() == Some(HTML);
            is_owner.then(|| Some(above.id()))
        };
        let owner = self.owners.of(node, None, says, &self.work)?;
        node.document().node(owner)
    }

    /// Returns the `select` that an option or an option group belongs to.
    pub(super) fn select_of<'d>(&self, node: Node<'d>) -> Option<Node<'d>> {
        let mut in_group = is_html(node, "optgroup");
        let mut above = self.owner(node)?;
        loop {
            match above.local_name() {
                "select" => return Some(above),
                "optgroup" if !in_group => in_group = true,
                _ => return None,
            }
            above = self.owner(above)?;
        }
    }

    /// Returns the `optgroup` that an option belongs to.
    pub(super) fn group_of<'d>(&self, option: Node<'d>) -> Option<Node<'d>> {
        self.owner(option)
            .filter(|owner| owner.local_name() == "optgroup")
    }

    /// Returns the option that is selected in a `select` without the attribute `multiple`.
    pub(super) fn chosen(&self, select: Node<'_>) -> Option<NodeId> {
        let known = self.chosen.borrow().get(&select.id()).copied();
        known.unwrap_or_else(|| {
            let chosen = self.choose(select);
            self.chosen.borrow_mut().insert(select.id(), chosen);
            chosen
        })
    }

    /// Finds the selected option: the last one with the attribute `selected`, otherwise, in a drop-down box, the
    /// first that is not disabled. See
    /// <https://html.spec.whatwg.org/multipage/form-elements.html#selectedness-setting-algorithm>.
    fn choose(&self, select: Node<'_>) -> Option<NodeId> {
        // A drop-down box (display size 1) always shows an option: the first that is not disabled.
        let lines = select.attribute("size").and_then(number).unwrap_or(0);
        let (mut said, mut shown) = (None, None);
        let mut next = select.first_child();
        while let Some(node) = next {
            self.work.add(1);
            // Options in a nested `select` do not belong to this one.
            next = match node.first_child() {
                Some(child) if !is_html(node, "select") => Some(child),
                _ => after(node, select),
            };
            if !is_html(node, "option") || self.select_of(node) != Some(select) {
                continue;
            }
            if node.attribute("selected").is_some() {
                said = Some(node.id());
            }
            if shown.is_none() && lines <= 1 && !self.is_closed(node) {
                shown = Some(node.id());
            }
        }
        said.or(shown)
    }

    /// Returns true if an option or its group has the attribute `disabled`. The state of the `select` is not
    /// considered.
    pub(super) fn is_closed(&self, option: Node<'_>) -> bool {
        let said = |node: Node<'_>| node.attribute("disabled").is_some();
        said(option) || self.group_of(option).is_some_and(said)
    }
}

/// Returns the next node in document order after `node` and its descendants, within the subtree of `top`.
fn after<'d>(mut node: Node<'d>, top: Node<'d>) -> Option<Node<'d>> {
    while node != top {
        if let Some(next) = node.next_sibling() {
            return Some(next);
        }
        node = node.parent()?;
    }
    None
}

/// Parses a non-negative integer by the rules of the HTML standard:
/// <https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-non-negative-integers>.
fn number(text: &str) -> Option<u64> {
    let text = text.trim_start_matches(['\t', '\n', '\u{C}', '\r', ' ']);
    let text = text.strip_prefix('+').unwrap_or(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match digits {
        0 => None,
        // A number too large for `u64` also means more than one line.
        _ => Some(text[..digits].parse().unwrap_or(u64::MAX)),
    }
}
