//! What elements have from those above them: whether they are edited, in what they are disabled, which select their
//! options are in. Each is worked out once for every element on the way up, so that depth costs nothing twice. It must
//! not know which pseudo-class asks.

use super::count::Count;
use crate::seeds::Seeds;
use crate::tree::namespaces::HTML;
use crate::tree::{Node, NodeId};
use core::cell::RefCell;
use hashbrown::HashMap;

/// What is known of a tree's elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Inherited {
    edited: Memo<bool>,
    disabled: Memo<bool>,
    /// The nearest element above that is one of `OWNERS`.
    owners: Memo<Option<NodeId>>,
    /// The option that each select has chosen.
    chosen: RefCell<HashMap<NodeId, Option<NodeId>, Seeds>>,
    /// The steps that were taken.
    pub(super) work: Count,
}

/// What an option or a group of them can be in, or is kept from.
const OWNERS: [&str; 5] = ["select", "datalist", "hr", "option", "optgroup"];

/// What is known of each element.
#[derive(Clone, Debug, Default)]
struct Memo<T>(RefCell<HashMap<NodeId, T, Seeds>>);

impl<T: Copy> Memo<T> {
    /// What holds of a node: what it says itself, else what holds of the node above it; `otherwise` of the top.
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
    /// Whether an element is in what `contenteditable` makes an editor of.
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

    /// Whether it is in a fieldset that is disabled, other than in the first legend of that.
    pub(super) fn is_in_disabled_fieldset(&self, node: Node<'_>) -> bool {
        let says = |node: Node<'_>| {
            let is_disabled = node.parent().is_some_and(|above| {
                is_html(above, "fieldset") && above.attribute("disabled").is_some()
            });
            (is_disabled && !self.is_first_legend(node)).then_some(true)
        };
        self.disabled.of(node, false, says, &self.work)
    }

    /// Whether it is a legend, and none is before it. What is between two is looked at once.
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

    /// The nearest element above that an option or a group of them can be in, or is kept from.
    fn owner<'d>(&self, node: Node<'d>) -> Option<Node<'d>> {
        let says = |node: Node<'_>| {
            let above = node.parent()?;
            let is_owner = OWNERS.contains(&above.local_name()) && above.namespace() == Some(HTML);
            is_owner.then(|| Some(above.id()))
        };
        let owner = self.owners.of(node, None, says, &self.work)?;
        node.document().node(owner)
    }

    /// The select that an option or a group of them is in.
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

    /// The group that an option is in.
    pub(super) fn group_of<'d>(&self, option: Node<'d>) -> Option<Node<'d>> {
        self.owner(option)
            .filter(|owner| owner.local_name() == "optgroup")
    }

    /// The option that a select of one line, or of one choice, has chosen.
    pub(super) fn chosen(&self, select: Node<'_>) -> Option<NodeId> {
        let known = self.chosen.borrow().get(&select.id()).copied();
        known.unwrap_or_else(|| {
            let chosen = self.choose(select);
            self.chosen.borrow_mut().insert(select.id(), chosen);
            chosen
        })
    }

    fn choose(&self, select: Node<'_>) -> Option<NodeId> {
        // A box of one line shows something: the first that can be chosen.
        let lines = select.attribute("size").and_then(number).unwrap_or(0);
        let (mut said, mut shown) = (None, None);
        let mut next = select.first_child();
        while let Some(node) = next {
            self.work.add(1);
            // The options of a select in this one are none of it.
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

    /// Whether an option is disabled, whatever its select is.
    pub(super) fn is_closed(&self, option: Node<'_>) -> bool {
        let said = |node: Node<'_>| node.attribute("disabled").is_some();
        said(option) || self.group_of(option).is_some_and(said)
    }
}

/// The node that comes after all below this one, below `top`.
fn after<'d>(mut node: Node<'d>, top: Node<'d>) -> Option<Node<'d>> {
    while node != top {
        if let Some(next) = node.next_sibling() {
            return Some(next);
        }
        node = node.parent()?;
    }
    None
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
