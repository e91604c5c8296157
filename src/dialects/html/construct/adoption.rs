//! The adoption agency algorithm of the standard, which closes formatting elements that are misnested.
//!
//! The algorithm copies elements. If the [limit on copies](super::copies) is reached, the formatting element and all
//! elements in it are closed instead.

use super::copies::MIN_NODE_BYTES;
use super::formatting::EntryId;
use super::schema;
use super::stack::{FrameId, NONE};
use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::dialects::html::errors;
use crate::tree::TreeSink;

/// Maximum number of rounds of the outer loop, as in the standard.
const MAX_ROUNDS: usize = 8;

/// Number of elements in the inner loop that stay in the list of active formatting elements, as in the standard.
const MAX_COPIED_ELEMENTS: usize = 3;

/// Minimum size of all copies that one round can make, in bytes. The round copies at most [`MAX_COPIED_ELEMENTS`]
/// elements and the formatting element. A round only runs if copies of this size are allowed.
const MAX_ROUND_BYTES: u64 = (MAX_COPIED_ELEMENTS as u64 + 1) * MIN_NODE_BYTES;

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Runs the algorithm for the end tag of the current node, an HTML element of this name, in the two cases that
    /// need no loop; returns whether it did. In the first case the element is no active formatting element and is
    /// popped. In the second it is the last one of its name: the first round finds it in scope and without a furthest
    /// block, as no element is above it, so that it is popped and its entry removed.
    #[inline]
    pub(super) fn adopt_current(&mut self, name: u32) -> bool {
        let current = self.stack.frames.last();
        let Some(entry) = self.formatting.of(current, self.stack.current()) else {
            self.pop();
            return true;
        };
        let is_last = self.formatting.last_of(name) == Some(entry);
        if is_last {
            self.counts.steps += 1;
            self.pop();
            self.formatting.remove(entry);
        }
        is_last
    }

    /// Runs the algorithm for a tag with the given name.
    #[inline(never)]
    pub(super) fn adopt(&mut self, name: u32) {
        let current = self.stack.current();
        let listed = self.formatting.of(self.stack.frames.last(), current);
        if current.is_html(name) && listed.is_none() {
            return self.pop();
        }
        for round in 0..MAX_ROUNDS {
            self.counts.steps += 1;
            let Some(entry) = self.formatting.last_of(name) else {
                return self.close_any(name);
            };
            let element = self.formatting.list[entry].frame;
            if element == NONE {
                self.error(errors::STRAY_END_TAG);
                self.formatting.remove(entry);
                return;
            }
            if !self.stack.is_in_scope(element) {
                return self.error(errors::STRAY_END_TAG);
            }
            if element != self.stack.frames.last() && round == 0 {
                self.error(errors::MISNESTED_END_TAG);
            }
            let block = self.furthest_block(element);
            let Some(block) = block.filter(|_| self.may_copy(MAX_ROUND_BYTES)) else {
                self.pop_through_frame(element);
                self.formatting.remove(entry);
                return;
            };
            self.adopt_into(entry, element, block);
        }
    }

    /// Returns the standard's "furthest block" of a formatting element: the first element above it on the stack that
    /// is in the category "special".
    fn furthest_block(&mut self, element: FrameId) -> Option<FrameId> {
        if self.stack.frames[element].summary.special == self.stack.current().summary.special {
            return None;
        }
        let mut id = self.stack.frames.after(element);
        while !self.stack.frames[id].groups.meets(schema::SPECIAL) {
            self.counts.steps += 1;
            id = self.stack.frames.after(id);
        }
        Some(id)
    }

    /// Runs one round of the outer loop. The children of the furthest block are moved into a copy of the formatting
    /// element, which becomes the child of the block. The block moves out of the formatting element, into copies of
    /// the elements between the two.
    ///
    /// ```text
    /// before   <b> <i> <p> x            b: formatting element, p: furthest block
    /// after    <b> <i> </i> </b> <i> <p> <b> x
    /// ```
    fn adopt_into(&mut self, entry: EntryId, element: FrameId, block: FrameId) {
        let ancestor = self.stack.frames.before(element);
        let (last, bookmark) = self.copy_between(element, block);
        let place = self.place_of_element(&self.stack.frames[ancestor]);
        self.put(place, last);
        let level = self.update_levels(ancestor, element, block, (place.parent, place.level));
        self.observer.moved(block);
        self.observer.taken_out(element);
        let formatting = self.stack.frames[element].handle;
        let copy = self.copy_element(formatting);
        let block_inside = self.stack.frames[block].inside;
        self.sink.move_children(block_inside, copy);
        self.sink.append(block_inside, copy);
        self.formatting.list[entry].handle = copy;
        if let Some(bookmark) = bookmark {
            self.formatting.move_after(entry, bookmark);
        }
        let moved = &mut self.stack.frames[element];
        (moved.handle, moved.inside, moved.outer) = (copy, copy, block_inside);
        moved.level = level + 1;
        self.stack.frames.move_after(element, block);
        let from = self.stack.frames.after(ancestor);
        self.stack.repair(from, element);
    }

    /// Runs the inner loop: nests copies of the formatting elements between `element` and `block` around the block, and
    /// removes the other elements between the two from the stack. Returns the outermost copy, and the bookmark of the
    /// standard: the entry of the innermost copy, if there is one.
    fn copy_between(&mut self, element: FrameId, block: FrameId) -> (S::Handle, Option<EntryId>) {
        let mut last = self.stack.frames[block].handle;
        let mut bookmark = None;
        let mut node = self.stack.frames.before(block);
        let mut count = 0;
        while node != element {
            count += 1;
            self.counts.steps += 1;
            let below = self.stack.frames.before(node);
            let frame = self.stack.frames[node];
            let mut kept = self.formatting.of(node, &frame);
            if count > MAX_COPIED_ELEMENTS
                && let Some(entry) = kept.take()
            {
                self.formatting.remove(entry);
            }
            if let Some(kept) = kept {
                let copy = self.copy_element(frame.handle);
                self.observer.moved(node);
                self.formatting.list[kept].handle = copy;
                let place = &mut self.stack.frames[node];
                (place.handle, place.inside) = (copy, copy);
                bookmark = bookmark.or(Some(kept));
                self.sink.append(copy, last);
                last = copy;
            } else {
                self.stack.take(node);
                self.observer.taken_out(node);
                self.sink.element_closed(frame.handle);
            }
            node = below;
        }
        (last, bookmark)
    }

    /// Updates the parents and levels of the copies, which are nested in each other, and of the block in the innermost
    /// one. The outermost copy was inserted into the node `outer` with the level `level` of its parent. Returns the
    /// level of the block.
    fn update_levels(
        &mut self,
        ancestor: FrameId,
        element: FrameId,
        block: FrameId,
        (mut outer, mut level): (S::Handle, u32),
    ) -> u32 {
        let mut node = ancestor;
        while node != block {
            node = self.stack.frames.after(node);
            if node != element {
                level += 1;
                let moved = &mut self.stack.frames[node];
                (moved.outer, moved.level) = (outer, level);
                outer = moved.inside;
            }
        }
        level
    }

    /// Handles a start tag `a` while an `a` is in the list of active formatting elements: closes the open one by the
    /// algorithm. If the algorithm does not remove that element, removes it from the stack and from the list.
    #[inline(never)]
    pub(super) fn adopt_prior(&mut self, name: u32) {
        let Some(entry) = self.formatting.last_of(name) else {
            return;
        };
        let prior = self.formatting.list[entry].handle;
        self.error(errors::NESTED_LINK);
        self.adopt(name);
        if self.formatting.last_of(name) == Some(entry)
            && self.formatting.list[entry].handle == prior
        {
            // The element is closed already if the algorithm popped an element of this name that is not in the list,
            // because the limit of the list dropped its entry.
            let frame = self.formatting.list[entry].frame;
            if frame != NONE {
                self.remove_frame(frame);
            }
            self.formatting.remove(entry);
        }
    }
}
