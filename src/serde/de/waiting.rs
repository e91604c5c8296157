//! The children of an element that were recorded because their field is read later, and the search for the children
//! that belong to one field.

use super::cursor::{Child, Cursor};
use super::level::Level;
use super::names::{OwnedSlot, Slot};
use super::tape::EventLocation;
use crate::engine::dialect::Balance;
use crate::engine::hash_seed::Seeds;
use crate::stream::Source;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Maximum number of recorded children that are examined one by one. More children are found by a hash table of their
/// names; for fewer children, building the table would cost more.
pub(super) const MAX_SCANNED_CHILDREN: usize = 16;

/// The children of an element that were recorded because their field is read later, in document order.
pub(super) struct Waiting {
    /// For each child, its byte offset in the tape of recorded events, or [`TAKEN`] if the child has been read.
    pub(super) children: Vec<usize>,
    /// The location that the locations in all children are relative to; `None` if the record of each child begins with
    /// such a location.
    pub(super) base: Option<EventLocation>,
    /// Length of the tape, in bytes, before the first child was recorded.
    pub(super) top: usize,
    /// Number of children at the front of `children` that have been read.
    pub(super) from: usize,
    /// Indices in `children` of the elements that may belong to a field only if no other element does, in document
    /// order. They are read at the end of the element.
    pub(super) deferred: VecDeque<usize>,
    /// For each slot, the indices in `children` of its elements.
    indices: HashMap<OwnedSlot, VecDeque<usize>, Seeds>,
    /// Number of children at the front of `children` that have been added to `indices`.
    indexed: usize,
}

/// Value in [`Waiting::children`] that marks a child that has been read.
const TAKEN: usize = usize::MAX;

impl Waiting {
    /// Creates the list before the first child is added. `top` is the length of the tape, in bytes, before this child
    /// was recorded.
    pub(super) fn new(base: Option<EventLocation>, top: usize) -> Waiting {
        Waiting {
            children: Vec::new(),
            base,
            top,
            from: 0,
            deferred: VecDeque::new(),
            indices: HashMap::default(),
            indexed: 0,
        }
    }

    /// Returns the recorded child with an index, or `None` if the child has been read.
    pub(super) fn child(&self, index: usize) -> Option<Child> {
        let at = self.children[index];
        let base = self.base;
        (at != TAKEN).then_some(Child { at, base })
    }

    /// Returns the recorded child with an index, and marks the child as read. Returns `None` if it was read before.
    pub(super) fn take(&mut self, index: usize) -> Option<Child> {
        let child = self.child(index);
        self.children[index] = TAKEN;
        child
    }

    /// Adds the children that were recorded since the last call to the table `indices`.
    pub(super) fn add_to_indices<D: Balance, S: Source>(
        &mut self,
        level: &Level,
        cursor: &mut Cursor<'_, D, S>,
    ) {
        for index in self.indexed..self.children.len() {
            cursor.looked_at += 1;
            let Some(tag) = self.child(index).and_then(|child| cursor.tag_of(child)) else {
                continue;
            };
            let slot = level.slot_of(&tag);
            match self.indices.get_mut(&slot) {
                Some(indices) => indices.push_back(index),
                None => {
                    self.indices.insert(slot.into(), [index].into());
                }
            }
        }
        self.indexed = self.children.len();
    }

    /// Removes and returns the next recorded element of a slot. `looked_at` counts the examined children.
    pub(super) fn next_of(&mut self, slot: Slot<'_>, looked_at: &mut u64) -> Option<Child> {
        while let Some(index) = self.indices.get_mut(&slot)?.pop_front() {
            *looked_at += 1;
            if let Some(child) = self.take(index) {
                return Some(child);
            }
        }
        None
    }
}
