//! The adoption agency algorithm, by its steps in the standard: what closes formatting elements that
//! are not nested properly.

use super::TreeConstruction;
use super::stack::{FrameId, NONE};
use super::{formatting::EntryId, schema};
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
        if current.is_some_and(|current| current.is_html(name) && current.entry == NONE) {
            self.pop();
            return;
        }
        for round in 0..ROUNDS {
            self.steps += 1;
            let Some(entry) = self.formatting.last_of(name) else {
                self.close_any(name);
                return;
            };
            let element = self.formatting.get(entry).map_or(NONE, |entry| entry.frame);
            if element == NONE {
                self.error(errors::STRAY_END_TAG);
                self.formatting.remove(entry);
                return;
            }
            if !self.stack.is_in_scope(element) {
                self.error(errors::STRAY_END_TAG);
                return;
            }
            if element != self.stack.top() && round == 0 {
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
        let special = |id| Some(self.stack.get(id)?.summary.special);
        if special(element) == special(self.stack.top()) {
            return None;
        }
        let mut id = self.stack.above(element);
        while let Some(frame) = self.stack.get(id) {
            self.steps += 1;
            if frame.groups.meets(schema::SPECIAL) {
                return Some(id);
            }
            id = self.stack.above(id);
        }
        None
    }

    /// One round: what is in the furthest block comes into a copy of the formatting element, and the
    /// block out of the formatting element.
    fn adopt_into(&mut self, entry: EntryId, element: FrameId, block: FrameId) -> Option<()> {
        let ancestor = self.stack.below(element);
        let block_handle = self.stack.get(block)?.handle;
        let mut last = block_handle;
        let mut bookmark = None;
        let mut node = self.stack.below(block);
        let mut count = 0;
        while node != element {
            count += 1;
            self.steps += 1;
            let frame = *self.stack.get(node)?;
            let mut kept = frame.entry;
            if count > KEPT && kept != NONE {
                self.formatting.remove(kept);
                kept = NONE;
            }
            let below = self.stack.below(node);
            if kept == NONE {
                self.stack.take(node);
                self.sink.element_closed(frame.handle);
                node = below;
                continue;
            }
            let copy = self.sink.clone_element(frame.handle);
            self.formatting.get_mut(kept)?.handle = copy;
            let place = self.stack.get_mut(node)?;
            (place.handle, place.inside) = (copy, copy);
            if bookmark.is_none() {
                bookmark = Some(kept);
            }
            self.sink.append(copy, last);
            last = copy;
            node = below;
        }
        if let Some(place) = self.place_in(ancestor) {
            self.put(place, last);
        }
        let copy = self.sink.clone_element(self.stack.get(element)?.handle);
        let block_inside = self.stack.get(block)?.inside;
        self.sink.move_children(block_inside, copy);
        self.sink.append(block_inside, copy);
        self.formatting.get_mut(entry)?.handle = copy;
        if let Some(bookmark) = bookmark {
            self.formatting.move_behind(entry, bookmark);
        }
        let moved = self.stack.get_mut(element)?;
        (moved.handle, moved.inside, moved.outer) = (copy, copy, block_inside);
        self.stack.move_above(element, block);
        let from = self.stack.above(ancestor);
        self.stack.repair(from, element);
        Some(())
    }

    /// A new link closes the one that is open; where the algorithm does not, it is taken away.
    pub(super) fn adopt_prior(&mut self, name: u32) {
        let prior = |this: &Self| Some(*this.formatting.get(this.formatting.last_of(name)?)?);
        let Some(link) = prior(self) else { return };
        self.error(errors::NESTED_LINK);
        self.adopt(name);
        if let Some(left) = prior(self)
            && left.handle == link.handle
            && let Some(entry) = self.formatting.last_of(name)
        {
            self.remove_frame(left.frame);
            self.formatting.remove(entry);
        }
    }
}
