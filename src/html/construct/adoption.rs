//! The adoption agency algorithm, by its steps in the standard: what closes formatting elements that
//! are not nested properly.

use super::TreeConstruction;
use super::formatting::EntryId;
use super::schema;
use super::stack::{FrameId, NONE};
use crate::html::errors;
use crate::tree::TreeSink;

/// The outer loop is gone through so many times at most.
const ROUNDS: usize = 8;

/// So many elements of the inner loop stay in the list.
const KEPT: usize = 3;

impl<S: TreeSink> TreeConstruction<S> {
    /// Runs the algorithm for a tag of this name.
    pub(super) fn adopt(&mut self, name: u32) {
        let current = self.stack.current();
        if current.is_html(name) && current.entry == NONE {
            self.pop();
            return;
        }
        for round in 0..ROUNDS {
            self.steps += 1;
            let Some(entry) = self.formatting.last_of(name) else {
                self.close_any(name);
                return;
            };
            let element = self.formatting[entry].frame;
            if element == NONE {
                self.error(errors::STRAY_END_TAG);
                self.formatting.remove(entry);
                return;
            }
            if !self.stack.is_in_scope(element) {
                self.error(errors::STRAY_END_TAG);
                return;
            }
            if element != self.stack.last() && round == 0 {
                self.error(errors::MISNESTED_END_TAG);
            }
            let Some(block) = self.furthest_block(element) else {
                self.pop_through_frame(element);
                self.formatting.remove(entry);
                return;
            };
            self.adopt_into(entry, element, block);
        }
    }

    /// The first special element above a formatting element.
    fn furthest_block(&mut self, element: FrameId) -> Option<FrameId> {
        if self.stack[element].summary.special == self.stack.current().summary.special {
            return None;
        }
        let mut id = self.stack.after(element);
        while !self.stack[id].groups.meets(schema::SPECIAL) {
            self.steps += 1;
            id = self.stack.after(id);
        }
        Some(id)
    }

    /// One round: what is in the furthest block comes into a copy of the formatting element, and the
    /// block out of the formatting element.
    fn adopt_into(&mut self, entry: EntryId, element: FrameId, block: FrameId) {
        let ancestor = self.stack.before(element);
        let mut last = self.stack[block].handle;
        let mut bookmark = None;
        let mut node = self.stack.before(block);
        let mut count = 0;
        while node != element {
            count += 1;
            self.steps += 1;
            let below = self.stack.before(node);
            let frame = self.stack[node];
            let mut kept = frame.entry;
            if count > KEPT && kept != NONE {
                self.formatting.remove(kept);
                kept = NONE;
            }
            if kept == NONE {
                self.stack.take(node);
                self.sink.element_closed(frame.handle);
            } else {
                let copy = self.sink.clone_element(frame.handle);
                self.formatting[kept].handle = copy;
                let place = &mut self.stack[node];
                (place.handle, place.inside) = (copy, copy);
                bookmark = bookmark.or(Some(kept));
                self.sink.append(copy, last);
                last = copy;
            }
            node = below;
        }
        let place = self.place_of_element(&self.stack[ancestor]);
        self.put(place, last);
        // The copies, one in the other, have come there, and the block in the last of them.
        let (mut outer, mut level) = (place.parent, place.level);
        let mut node = ancestor;
        while node != block {
            node = self.stack.after(node);
            if node != element {
                level += 1;
                let moved = &mut self.stack[node];
                (moved.outer, moved.level) = (outer, level);
                outer = moved.inside;
            }
        }
        let copy = self.sink.clone_element(self.stack[element].handle);
        let block_inside = self.stack[block].inside;
        self.sink.move_children(block_inside, copy);
        self.sink.append(block_inside, copy);
        self.formatting[entry].handle = copy;
        if let Some(bookmark) = bookmark {
            self.formatting.move_behind(entry, bookmark);
        }
        let moved = &mut self.stack[element];
        (moved.handle, moved.inside, moved.outer) = (copy, copy, block_inside);
        moved.level = level + 1;
        self.stack.move_behind(element, block);
        let from = self.stack.after(ancestor);
        self.stack.repair(from, element);
    }

    /// A new link closes the one that is open; where the algorithm does not, it is taken away.
    pub(super) fn adopt_prior(&mut self, name: u32) {
        let Some(entry) = self.formatting.last_of(name) else {
            return;
        };
        let prior = self.formatting[entry].handle;
        self.error(errors::NESTED_LINK);
        self.adopt(name);
        if self.formatting.last_of(name) == Some(entry) && self.formatting[entry].handle == prior {
            self.remove_frame(self.formatting[entry].frame);
            self.formatting.remove(entry);
        }
    }
}
