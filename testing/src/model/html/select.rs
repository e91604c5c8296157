//! What a `select` shows: the selectedness of options, and their copies in a `selectedcontent`.
//!
//! Copies are nodes like others: that of an `option` joins the list of options, and that of a
//! `selectedcontent` is connected like any other, which finds it disabled. Where nodes are not
//! connected, in fragments and in the contents of templates, none is ever found disabled.

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

impl Construction {
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

    /// The list of options of a select.
    fn options(&self, select: Id) -> Vec<Id> {
        let mut options = self.tree.descendants(select);
        options.retain(|&id| {
            self.tree.is(id, &["option"]) && self.nearest_ancestor_select(id) == Some(select)
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

    /// Replaces all that a selectedcontent holds with what a fragment does.
    fn replace_all(&mut self, id: Id, fragment: Option<Id>) {
        let removed = self.tree.descendants(id);
        // A part of a select that was parsed in it goes out of the select, and so does what is still to
        // come into an open element.
        let parts = ["select", "option", "optgroup", "selectedcontent"];
        self.has_moved |= removed.iter().any(|id| {
            !self.copies.contains(id) && (self.tree.is(*id, &parts) || self.open.contains(id))
        });
        let mut options = removed;
        options.retain(|&id| self.tree.is(id, &["option"]));
        let selects: Vec<Option<Id>> = options
            .iter()
            .map(|&option| self.nearest_ancestor_select(option))
            .collect();
        for child in self.tree.children(id).to_vec() {
            self.tree.remove(child);
        }
        for (option, select) in options.into_iter().zip(selects) {
            if let Some(select) = select
                && self.nearest_ancestor_select(option) != Some(select)
            {
                self.set_selectedness(select);
            }
        }
        let Some(fragment) = fragment else { return };
        let inserted = self.tree.descendants(fragment);
        for child in self.tree.children(fragment).to_vec() {
            self.tree.append(child, id);
        }
        for &id in &inserted {
            self.insertion_steps(id);
        }
        for id in inserted {
            self.post_connection_steps(id);
        }
    }

    /// Clones what an option holds into a selectedcontent, in the place of what is there.
    fn clone_option(&mut self, option: Id, selectedcontent: Id) {
        let children = self.tree.children(option).to_vec();
        let fragment = self.tree.create(Kind::DocumentFragment(None));
        self.tree.clone_children(&children, fragment);
        let copies = self.tree.descendants(fragment);
        self.copies.extend(copies);
        self.replace_all(selectedcontent, Some(fragment));
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
        self.has_selectedcontent |= self.tree.is(id, &["selectedcontent"]);
        self.insertion_steps(id);
        self.post_connection_steps(id);
    }

    /// The insertion steps: an option joins the list of its select.
    fn insertion_steps(&mut self, option: Id) {
        if !self.tree.is(option, &["option"]) {
            return;
        }
        let is_selected = self.tree.element(option).attribute("selected").is_some();
        self.tree.element_mut(option).selectedness = is_selected;
        let Some(select) = self.nearest_ancestor_select(option) else {
            return;
        };
        if is_selected && !is_multiple(self.tree.element(select)) {
            for other in self.options(select) {
                self.tree.element_mut(other).selectedness = other == option;
            }
        }
        self.set_selectedness(select);
    }

    /// The selectedness setting algorithm. That at most one option is selected, is seen to where one
    /// joins the list.
    fn set_selectedness(&mut self, select: Id) {
        let element = self.tree.element(select);
        if is_multiple(element) || display_size(element) != 1 {
            return;
        }
        let options = self.options(select);
        if !options.iter().any(|&id| self.tree.element(id).selectedness) {
            let mut options = options.into_iter();
            if let Some(first) = options.find(|&id| !self.is_option_disabled(id)) {
                self.tree.element_mut(first).selectedness = true;
            }
        }
    }

    /// The post-connection steps of a selectedcontent.
    fn post_connection_steps(&mut self, selectedcontent: Id) {
        if !self.tree.is(selectedcontent, &["selectedcontent"])
            || self.tree.shadow_including_root(selectedcontent) != self.document
        {
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
        if is_disabled || is_multiple(self.tree.element(select)) {
            return;
        }
        // Update the select's selectedcontent.
        if let Some(enabled) = self.enabled_selectedcontent(select) {
            let mut options = self.options(select).into_iter();
            match options.find(|&id| self.tree.element(id).selectedness) {
                Some(option) => self.clone_option(option, enabled),
                None => self.replace_all(enabled, None),
            }
        }
        // Clear its others.
        for other in self.selectedcontents(select).into_iter().skip(1) {
            self.replace_all(other, None);
        }
    }
}
