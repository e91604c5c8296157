//! The list of active formatting elements and the adoption agency algorithm.

use super::construction::{Construction, Entry, plain_attributes};
use super::tree::{Id, Namespace};
use crate::model::html::tokenizer::Tag;

/// Whether two tags have the same attributes, in whatever order.
fn same_attributes(one: &Tag, two: &Tag) -> bool {
    let all = |one: &Tag, two: &Tag| one.attributes.iter().all(|it| two.attributes.contains(it));
    one.attributes.len() == two.attributes.len() && all(one, two)
}

impl Construction {
    pub(super) fn insert_marker(&mut self) {
        self.formatting.push(Entry::Marker);
    }

    /// The elements after the last marker, the earliest first.
    fn formatting_after_marker(&self) -> Vec<Id> {
        let after = self.formatting.iter().rev();
        let after = after.take_while(|&&entry| entry != Entry::Marker);
        let elements = after.filter_map(|entry| match entry {
            Entry::Element(id) => Some(*id),
            _ => None,
        });
        let mut elements: Vec<Id> = elements.collect();
        elements.reverse();
        elements
    }

    /// The last element after the last marker that has a name.
    pub(super) fn formatting_element(&self, name: &str) -> Option<Id> {
        let elements = self.formatting_after_marker();
        let mut elements = elements.iter().rev();
        elements.find(|&&id| self.tree.is(id, &[name])).copied()
    }

    fn is_formatting(&self, id: Id) -> bool {
        self.formatting.contains(&Entry::Element(id))
    }

    pub(super) fn remove_formatting(&mut self, id: Id) {
        self.formatting.retain(|&entry| entry != Entry::Element(id));
    }

    pub(super) fn remove_open(&mut self, id: Id) {
        self.open.retain(|&open| open != id);
    }

    /// Pushes onto the list of active formatting elements, with the Noah's Ark clause.
    pub(super) fn push_formatting(&mut self, id: Id) {
        let pushed = self.tree.element(id);
        let is_same = |&other: &Id| {
            let other = self.tree.element(other);
            other.name == pushed.name && same_attributes(&other.token, &pushed.token)
        };
        let mut same = self.formatting_after_marker();
        same.retain(is_same);
        if same.len() >= 3 {
            self.remove_formatting(same[0]);
        }
        self.formatting.push(Entry::Element(id));
    }

    pub(super) fn clear_formatting_to_marker(&mut self) {
        while let Some(entry) = self.formatting.pop() {
            if entry == Entry::Marker {
                break;
            }
        }
    }

    /// Reconstructs the active formatting elements.
    pub(super) fn reconstruct_formatting(&mut self) {
        let is_there = |entry: Entry| match entry {
            Entry::Element(id) => self.open.contains(&id),
            _ => true,
        };
        let Some(mut at) = self.formatting.len().checked_sub(1) else {
            return;
        };
        if is_there(self.formatting[at]) {
            return;
        }
        // Rewind.
        while at > 0 && !is_there(self.formatting[at - 1]) {
            at -= 1;
        }
        // Advance and create.
        for at in at..self.formatting.len() {
            let Entry::Element(entry) = self.formatting[at] else {
                panic!("no element: {:?}", self.formatting);
            };
            let token = self.tree.element(entry).token.clone();
            let element = self.insert_html_element(&token);
            self.formatting[at] = Entry::Element(element);
        }
    }

    /// Creates an HTML element for the token for which another one was created.
    fn create_again(&mut self, id: Id) -> Id {
        let token = self.tree.element(id).token.clone();
        self.create_element(&token, Namespace::Html, plain_attributes(&token))
    }

    /// The adoption agency algorithm for a token of this name.
    pub(super) fn run_adoption_agency(&mut self, subject: &str) {
        let current = self.current_node();
        if self.tree.is(current, &[subject]) && !self.is_formatting(current) {
            return self.pop();
        }
        for _ in 0..8 {
            let Some(formatting_element) = self.formatting_element(subject) else {
                return self.any_other_end_tag(subject);
            };
            let place = self.open.iter().position(|&id| id == formatting_element);
            let Some(place) = place else {
                return self.remove_formatting(formatting_element);
            };
            if !self.has_node_in_scope(formatting_element) {
                return;
            }
            let mut below = self.open[place + 1..].iter().copied();
            let Some(furthest_block) = below.find(|&id| self.is_special(id)) else {
                self.pop_until_node(formatting_element);
                return self.remove_formatting(formatting_element);
            };
            self.adopt(formatting_element, place, furthest_block);
        }
    }

    /// The steps of the outer loop from the common ancestor on.
    fn adopt(&mut self, formatting_element: Id, place: usize, furthest_block: Id) {
        self.has_moved = true;
        let common_ancestor = self.open[place - 1];
        self.move_bookmark_after(formatting_element);
        let last_node = self.run_inner_loop(formatting_element, furthest_block);
        let (target, reference) = self.appropriate_place(Some(common_ancestor));
        self.tree.remove(last_node);
        let is_above = self
            .tree
            .is_host_including_inclusive_ancestor(last_node, target);
        let is_child = |id| self.tree.parent(id) == Some(target);
        if !is_above && reference.is_none_or(is_child) {
            self.tree.insert(last_node, target, reference);
        }
        let element = self.create_again(formatting_element);
        for child in self.tree.children(furthest_block).to_vec() {
            self.tree.append(child, element);
        }
        self.tree.append(element, furthest_block);
        self.remove_formatting(formatting_element);
        let bookmark = self.bookmark();
        self.formatting[bookmark] = Entry::Element(element);
        self.remove_open(formatting_element);
        let block = self.open.iter().position(|&id| id == furthest_block);
        let block = block.expect("the furthest block is open");
        self.open.insert(block + 1, element);
    }

    /// The inner loop; the last node.
    fn run_inner_loop(&mut self, formatting_element: Id, furthest_block: Id) -> Id {
        let mut last_node = furthest_block;
        let place = self.open.iter().position(|&id| id == furthest_block);
        let mut place = place.expect("the furthest block is open");
        for counter in 1.. {
            // What is removed stood here, so that what was above it still is.
            place -= 1;
            let node = self.open[place];
            if node == formatting_element {
                break;
            }
            if counter > 3 && self.is_formatting(node) {
                self.remove_formatting(node);
            }
            if !self.is_formatting(node) {
                self.open.remove(place);
                continue;
            }
            let element = self.create_again(node);
            let mut formatting = self.formatting.iter_mut();
            let entry = formatting.find(|entry| **entry == Entry::Element(node));
            *entry.expect("an active formatting element") = Entry::Element(element);
            self.open[place] = element;
            if last_node == furthest_block {
                self.move_bookmark_after(element);
            }
            self.tree.append(last_node, element);
            last_node = element;
        }
        last_node
    }

    fn bookmark(&self) -> usize {
        let mut entries = self.formatting.iter();
        let place = entries.position(|&entry| entry == Entry::Bookmark);
        place.expect("a bookmark")
    }

    fn move_bookmark_after(&mut self, id: Id) {
        self.formatting.retain(|&entry| entry != Entry::Bookmark);
        let mut entries = self.formatting.iter();
        let place = entries.position(|&entry| entry == Entry::Element(id));
        let place = place.expect("an active formatting element");
        self.formatting.insert(place + 1, Entry::Bookmark);
    }
}
