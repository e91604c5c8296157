//! What a `select` shows: the selectedness of options, and their copies in a `selectedcontent`.
//!
//! What is copied is not inserted as the parser inserts: a copy of an `option` is none of the list of
//! options, and a copy of a `selectedcontent` updates nothing, or it would copy itself for ever.

use super::construction::Construction;
use super::tree::{Element, Id, Kind};

/// The rules for parsing non-negative integers.
fn non_negative_integer(value: &str) -> Option<u64> {
    let value = value.trim_start_matches(['\t', '\n', '\x0C', '\r', ' ']);
    let (is_negative, value) = match value.strip_prefix('-') {
        Some(value) => (true, value),
        None => (false, value.strip_prefix('+').unwrap_or(value)),
    };
    let end = value.find(|character: char| !character.is_ascii_digit());
    let digits = &value[..end.unwrap_or(value.len())];
    let number: u64 = digits.parse().ok()?;
    (!is_negative || number == 0).then_some(number)
}

fn is_multiple(select: &Element) -> bool {
    select.attribute("multiple").is_some()
}

/// How many options are shown at once.
fn display_size(select: &Element) -> u64 {
    let size = select.attribute("size").and_then(non_negative_integer);
    size.unwrap_or(if is_multiple(select) { 4 } else { 1 })
}

impl Construction<'_> {
    /// The nearest ancestor select of an option.
    fn nearest_ancestor_select(&self, option: Id) -> Option<Id> {
        let mut has_optgroup = false;
        for ancestor in self.tree.ancestors(option) {
            let is = |names: &[&str]| self.tree.is(ancestor, names);
            if is(&["datalist", "hr", "option"]) || is(&["optgroup"]) && has_optgroup {
                return None;
            }
            if is(&["select"]) {
                return Some(ancestor);
            }
            has_optgroup |= is(&["optgroup"]);
        }
        None
    }

    /// The list of options of a select. Copies in a `selectedcontent` are none of them.
    fn options(&self, select: Id) -> Vec<Id> {
        let mut options = self.tree.descendants(select);
        options.retain(|&id| {
            self.tree.is(id, &["option"])
                && self.nearest_ancestor_select(id) == Some(select)
                && !self.copies.contains(&id)
        });
        options
    }

    /// Whether an option is disabled: by itself, or by its optgroup.
    fn is_option_disabled(&self, option: Id) -> bool {
        let is_disabled = |id| self.tree.element(id).attribute("disabled").is_some();
        let mut ancestors = self.tree.ancestors(option);
        let optgroup = ancestors.find(|&id| self.tree.is(id, &["optgroup", "select"]));
        let optgroup = optgroup.filter(|&id| self.tree.is(id, &["optgroup"]));
        is_disabled(option) || optgroup.is_some_and(is_disabled)
    }

    /// The enabled selectedcontent of a select.
    fn enabled_selectedcontent(&self, select: Id) -> Option<Id> {
        if is_multiple(self.tree.element(select)) {
            return None;
        }
        let first = self.selectedcontents(select).first().copied();
        first.filter(|&id| !self.tree.element(id).is_disabled)
    }

    fn selectedcontents(&self, select: Id) -> Vec<Id> {
        let mut found = self.tree.descendants(select);
        found.retain(|&id| self.tree.is(id, &["selectedcontent"]));
        found
    }

    fn clear(&mut self, id: Id) {
        // A part of a select that was parsed in it goes out of the select, and so does what is still to
        // come into an open element.
        let parts = ["select", "option", "optgroup", "selectedcontent"];
        let mut removed = self.tree.descendants(id);
        removed.retain(|id| !self.copies.contains(id));
        self.has_moved |= removed
            .iter()
            .any(|&id| self.tree.is(id, &parts) || self.open.contains(&id));
        for child in self.tree.children(id).to_vec() {
            self.tree.remove(child);
        }
    }

    /// Clones what an option holds into a selectedcontent, in the place of what is there.
    fn clone_option(&mut self, option: Id, selectedcontent: Id) {
        let children = self.tree.children(option).to_vec();
        let fragment = self.tree.create(Kind::DocumentFragment(None));
        self.tree.clone_children(&children, fragment);
        let copies = self.tree.descendants(fragment);
        self.copies.extend(copies);
        self.clear(selectedcontent);
        for child in self.tree.children(fragment).to_vec() {
            self.tree.append(child, selectedcontent);
        }
    }

    /// An option was popped off the stack of open elements.
    pub(super) fn option_was_popped(&mut self, option: Id) {
        if let Some(select) = self.nearest_ancestor_select(option)
            && self.tree.element(option).selectedness
            && let Some(selectedcontent) = self.enabled_selectedcontent(select)
        {
            self.clone_option(option, selectedcontent);
        }
    }

    /// The parser inserted an element.
    pub(super) fn was_inserted(&mut self, id: Id) {
        if self.tree.is(id, &["option"]) {
            self.option_was_inserted(id);
        } else if self.tree.is(id, &["selectedcontent"]) {
            self.has_selectedcontent = true;
            self.selectedcontent_was_inserted(id);
        }
    }

    fn option_was_inserted(&mut self, option: Id) {
        let is_selected = self.tree.element(option).attribute("selected").is_some();
        self.tree.element_mut(option).selectedness = is_selected;
        let Some(select) = self.nearest_ancestor_select(option) else {
            return;
        };
        let element = self.tree.element(select);
        if is_multiple(element) {
            return;
        }
        let size = display_size(element);
        let options = self.options(select);
        if is_selected {
            for &other in options.iter().filter(|&&other| other != option) {
                self.tree.element_mut(other).selectedness = false;
            }
        }
        // The selectedness setting algorithm.
        let is_selected = |&&id: &&Id| self.tree.element(id).selectedness;
        if size == 1 && options.iter().find(is_selected).is_none() {
            let mut options = options.iter();
            let first = options.find(|&&id| !self.is_option_disabled(id));
            if let Some(&first) = first {
                self.tree.element_mut(first).selectedness = true;
            }
        }
    }

    fn selectedcontent_was_inserted(&mut self, selectedcontent: Id) {
        let root = self.tree.ancestors(selectedcontent).last();
        if root != Some(self.document) && root != self.fragment {
            return;
        }
        let mut nearest_select = None;
        let mut is_disabled = false;
        for ancestor in self.tree.ancestors(selectedcontent) {
            if self.tree.is(ancestor, &["select"]) {
                is_disabled |= nearest_select.is_some();
                nearest_select = nearest_select.or(Some(ancestor));
            }
            is_disabled |= self.tree.is(ancestor, &["option", "selectedcontent"]);
        }
        self.tree.element_mut(selectedcontent).is_disabled = is_disabled;
        let Some(select) = nearest_select else { return };
        if is_multiple(self.tree.element(select)) {
            return;
        }
        if let Some(enabled) = self.enabled_selectedcontent(select) {
            let options = self.options(select);
            let mut options = options.into_iter();
            match options.find(|&id| self.tree.element(id).selectedness) {
                Some(option) => self.clone_option(option, enabled),
                None => self.clear(enabled),
            }
        }
        for other in self.selectedcontents(select).into_iter().skip(1) {
            self.clear(other);
        }
    }
}
