//! States of HTML elements that depend on their ancestors: whether an element is editable (`contenteditable`) or in a
//! disabled `fieldset`, its language and direction, and the `select` that an option belongs to.
//!
//! Each state is found by a walk from the element to the root. The result is cached for all elements on the way, so
//! that asking for every element of a deep tree takes linear time.

use super::count::Count;
use super::direction::{self, Direction};
use crate::engine::hash_seed::Seeds;
use crate::tree::namespaces::{HTML, MATHML, SVG, XML};
use crate::tree::{Node, NodeId};
use core::cell::{OnceCell, RefCell};
use hashbrown::HashMap;

/// The cached states of the elements of one tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Inherited {
    /// The results of [`is_editable`](Inherited::is_editable).
    editable: Memo<bool>,
    /// The results of [`is_in_disabled_fieldset`](Inherited::is_in_disabled_fieldset).
    disabled: Memo<bool>,
    /// For each element, its nearest ancestor whose name is in [`OPTION_OWNER_NAMES`].
    owners: Memo<Option<NodeId>>,
    /// For each element, the nearest one with a language.
    languages: Memo<Option<NodeId>>,
    /// The results of [`direction`](Inherited::direction).
    directions: Memo<Direction>,
    /// The `meta` element that sets the language of the document, or `None` if none does. It is searched when it is first
    /// needed.
    language_meta: OnceCell<Option<NodeId>>,
    /// For each `select` element, the option that is selected in it, or `None` if no option is.
    selected_options: RefCell<HashMap<NodeId, Option<NodeId>, Seeds>>,
    /// Number of nodes visited, for tests.
    pub(super) work: Count,
}

/// Names of the elements that end the search for the `select` of an option or option group. An option belongs to a
/// `select`, possibly through an `optgroup`. Inside `datalist`, `hr` and `option`, an option belongs to no `select`.
const OPTION_OWNER_NAMES: [&str; 5] = ["select", "datalist", "hr", "option", "optgroup"];

/// A cache of one state for each node.
#[derive(Clone, Debug, Default)]
struct Memo<T>(RefCell<HashMap<NodeId, T, Seeds>>);

impl<T: Copy> Memo<T> {
    /// Returns the state of a node: the result of `own_state` for the node itself, or if that is `None`, the result for
    /// the nearest ancestor that has one. If no ancestor has one, the state is `default`. The result is cached for the
    /// node and for the ancestors visited.
    fn find(
        &self,
        node: Node<'_>,
        default: T,
        own_state: impl Fn(Node<'_>) -> Option<T>,
        work: &Count,
    ) -> T {
        let mut known = self.0.borrow_mut();
        let up = || core::iter::once(node).chain(node.ancestors());
        let mut found = default;
        let mut passed = 0;
        for node in up() {
            work.add(1);
            let state = known.get(&node.id()).copied().or_else(|| own_state(node));
            if let Some(state) = state {
                found = state;
                known.insert(node.id(), state);
                break;
            }
            passed += 1;
        }
        known.extend(up().take(passed).map(|node| (node.id(), found)));
        found
    }
}

/// Returns true if the node is an HTML element with this local name.
pub(super) fn is_html(node: Node<'_>, name: &str) -> bool {
    node.local_name() == name && node.namespace() == Some(HTML)
}

impl Inherited {
    /// Returns true if the element is editable: of the element and its ancestors, the nearest one with a valid
    /// `contenteditable` attribute turns editing on.
    pub(super) fn is_editable(&self, node: Node<'_>) -> bool {
        let own_state = |node: Node<'_>| {
            let value = node.attribute("contenteditable")?;
            let is = |word: &str| value.eq_ignore_ascii_case(word);
            match () {
                () if node.namespace() != Some(HTML) => None,
                () if is("") || is("true") || is("plaintext-only") => Some(true),
                () if is("false") => Some(false),
                () => None,
            }
        };
        self.editable.find(node, false, own_state, &self.work)
    }

    /// Returns the language of an element, or an empty string if it is unknown: that of the nearest element with an
    /// attribute for the language, otherwise that of the document. See
    /// <https://html.spec.whatwg.org/multipage/dom.html#language>.
    pub(super) fn language<'d>(&self, node: Node<'d>) -> &'d str {
        let own_state = |node: Node<'_>| own_language(node).map(|_| Some(node.id()));
        let nearest = self.languages.find(node, None, own_state, &self.work);
        let document = node.document();
        match nearest.and_then(|id| document.node(id)) {
            Some(nearest) => own_language(nearest).unwrap_or_default(),
            None => {
                let find = || document.root().descendants().filter(sets_language).last();
                let meta = self
                    .language_meta
                    .get_or_init(|| find().map(|meta| meta.id()));
                let meta = meta.and_then(|id| document.node(id));
                meta.and_then(meta_language).unwrap_or_default()
            }
        }
    }

    /// Returns the direction of an element: that of the nearest element that sets one, or from left to right.
    pub(super) fn direction(&self, node: Node<'_>) -> Direction {
        let own_state = |node: Node<'_>| direction::own(node, |steps| self.work.add(steps));
        let default = Direction::default();
        self.directions.find(node, default, own_state, &self.work)
    }

    /// Returns true if the element is a descendant of a disabled `fieldset`, other than inside the first `legend` of
    /// that fieldset.
    pub(super) fn is_in_disabled_fieldset(&self, node: Node<'_>) -> bool {
        let own_state = |node: Node<'_>| {
            let is_disabled = node.parent().is_some_and(|above| {
                is_html(above, "fieldset") && above.attribute("disabled").is_some()
            });
            (is_disabled && !self.is_first_legend(node)).then_some(true)
        };
        self.disabled.find(node, false, own_state, &self.work)
    }

    /// Returns true if the node is a `legend` element and no earlier sibling is one. The walk stops at the previous
    /// `legend`, so that the siblings between two legends are visited once.
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

    /// Returns the nearest ancestor whose name is in [`OPTION_OWNER_NAMES`].
    fn owner<'d>(&self, node: Node<'d>) -> Option<Node<'d>> {
        let own_state = |node: Node<'_>| {
            let above = node.parent()?;
            let is_owner =
                OPTION_OWNER_NAMES.contains(&above.local_name()) && above.namespace() == Some(HTML);
            is_owner.then(|| Some(above.id()))
        };
        let owner = self.owners.find(node, None, own_state, &self.work)?;
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

    /// Returns the option that is selected in a `select` without the attribute `multiple`, from the cache if possible.
    pub(super) fn selected_option(&self, select: Node<'_>) -> Option<NodeId> {
        let known = self.selected_options.borrow().get(&select.id()).copied();
        known.unwrap_or_else(|| {
            let selected_option = self.find_selected_option(select);
            self.selected_options
                .borrow_mut()
                .insert(select.id(), selected_option);
            selected_option
        })
    }

    /// Finds the selected option of a `select`: the last option with the attribute `selected`. If there is none, a
    /// drop-down box has the first option that is not disabled; a list box has none. See
    /// <https://html.spec.whatwg.org/multipage/form-elements.html#selectedness-setting-algorithm>.
    fn find_selected_option(&self, select: Node<'_>) -> Option<NodeId> {
        // A drop-down box (display size 1) always shows an option: the first that is not disabled.
        let lines = select
            .attribute("size")
            .and_then(parse_non_negative_integer)
            .unwrap_or(0);
        let (mut selected, mut first_enabled) = (None, None);
        let mut next = select.first_child();
        while let Some(node) = next {
            self.work.add(1);
            // Options in a nested `select` do not belong to this one.
            next = match node.first_child() {
                Some(child) if !is_html(node, "select") => Some(child),
                _ => next_after_subtree(node, select),
            };
            if !is_html(node, "option") || self.select_of(node) != Some(select) {
                continue;
            }
            if node.attribute("selected").is_some() {
                selected = Some(node.id());
            }
            if first_enabled.is_none() && lines <= 1 && !self.is_option_disabled(node) {
                first_enabled = Some(node.id());
            }
        }
        selected.or(first_enabled)
    }

    /// Returns true if an option, or the `optgroup` that it belongs to, has the attribute `disabled`. A disabled
    /// `select` is not taken into account.
    pub(super) fn is_option_disabled(&self, option: Node<'_>) -> bool {
        let has_disabled = |node: Node<'_>| node.attribute("disabled").is_some();
        has_disabled(option) || self.group_of(option).is_some_and(has_disabled)
    }
}

/// Returns the value of the attribute with which an element sets its language.
fn own_language(node: Node<'_>) -> Option<&str> {
    let is_known = [HTML, SVG, MATHML].map(Some).contains(&node.namespace());
    let mut own = None;
    for attribute in node.attributes() {
        match (attribute.namespace(), attribute.local_name()) {
            (Some(XML), "lang") => return Some(attribute.value()),
            (None, "lang") if is_known => own = Some(attribute.value()),
            _ => {}
        }
    }
    own
}

/// Returns true if a `meta` element sets the language of the document.
fn sets_language(node: &Node<'_>) -> bool {
    let equivalent = node.attribute("http-equiv").unwrap_or_default();
    is_html(*node, "meta")
        && equivalent.eq_ignore_ascii_case("content-language")
        && meta_language(*node).is_some()
}

/// Returns the language in the attribute `content` of a `meta` element: its first word, unless there is a comma.
fn meta_language(meta: Node<'_>) -> Option<&str> {
    let content = meta
        .attribute("content")
        .filter(|content| !content.contains(','))?;
    content.split_ascii_whitespace().next()
}

/// Returns the next node in document order after `node` and its descendants, within the subtree of `top`.
fn next_after_subtree<'d>(mut node: Node<'d>, top: Node<'d>) -> Option<Node<'d>> {
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
fn parse_non_negative_integer(text: &str) -> Option<u64> {
    let text = text.trim_start_matches(['\t', '\n', '\u{C}', '\r', ' ']);
    let text = text.strip_prefix('+').unwrap_or(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match digits {
        0 => None,
        // A number too large for `u64` also means more than one line.
        _ => Some(text[..digits].parse().unwrap_or(u64::MAX)),
    }
}
