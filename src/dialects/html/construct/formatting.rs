//! The list of active formatting elements of the standard, with its markers.
//!
//! Three searches in the list would take time proportional to its length, and are therefore indexed:
//!
//! - The last entry with a given name: entries with the same name form a linked list.
//! - The earliest of three equal elements, for the Noah's Ark clause: after `<b><b><b><b>`, the list contains the
//!   last three. Once a name has three entries, [`NoahsArk`] remembers the equal ones.
//! - The first entry after the last marker. The number of entries after the last marker is limited by
//!   [`Limits::depth`](crate::Limits::depth), which limits the elements that are reconstructed in each paragraph. One
//!   more entry drops the first one.

use super::stack::{Frame, FrameId};
use crate::dialects::html::construct::noahs_ark::{MOST_ALIKE, NoahsArk};
use crate::dialects::html::names::KNOWN_NAMES;
use crate::engine::event::record::Record;
use crate::engine::event::{Holder, Part};
use crate::engine::linked_list::{Links, NONE};
use alloc::vec::Vec;

/// Index of an entry in the list. After the entry is removed, the index is reused.
pub(in crate::dialects::html) type EntryId = u32;

/// The value of [`Entry::name`] that identifies markers. It is the index of unknown names, which no formatting element
/// has.
pub(super) const MARKER: u32 = KNOWN_NAMES as u32;

/// An entry of the list: a formatting element or a marker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<H> {
    /// The sink's handle of the element. For a marker, that of the element that caused the marker.
    pub(super) handle: H,
    /// The element's frame in the stack of open elements, or [`NONE`] if the element is not open or this is a marker.
    pub(super) frame: FrameId,
    /// The number of the element's name, or [`MARKER`].
    pub(super) name: u32,
    /// Hash of the element's name and attributes; 0 while `unhashed` is an index.
    likeness: u64,
    /// Index in [`Formatting::unhashed`] of the element's start tag, or [`NONE`] if `likeness` is the hash.
    unhashed: u32,
    /// Number of markers before this entry.
    pub(super) level: u32,
    /// If this entry is an element: an upper bound of the number of earlier entries with the same name and the same
    /// `level`. If this entry is a marker: the number of entries between the previous marker and this one.
    pub(super) count: u32,
    /// The previous entry with the same name, or [`NONE`].
    pub(super) previous_of_name: EntryId,
    /// The next entry with the same name, or [`NONE`].
    pub(super) next_of_name: EntryId,
    /// Number of bytes that the observer counts for the entry and for the start tag that it stores.
    pub(super) bytes: u32,
}

impl<H> Entry<H> {
    /// Returns whether this is an element that is not open, so that it has to be reconstructed.
    #[inline(always)]
    pub(super) fn is_closed(&self) -> bool {
        self.frame == NONE && self.name != MARKER
    }
}

/// Active formatting elements of the current batch whose hashes may still be needed. The index of an element in this
/// list is [`Entry::unhashed`]. If the element's entry contains another index, the
/// element was hashed or removed.
pub(super) type Unhashed = Vec<(EntryId, Record)>;

/// The list of active formatting elements.
#[derive(Clone, Debug)]
pub(in crate::dialects::html) struct Formatting<H> {
    /// The entries in order.
    pub(super) list: Links<Entry<H>>,
    /// The last entry of each name, by the number of the name, or [`NONE`].
    pub(super) names: [EntryId; KNOWN_NAMES + 1],
    /// The entries of equal elements, once three elements have the same name.
    noahs_ark: NoahsArk,
    /// The elements of the current batch whose hashes have not been computed.
    unhashed: Unhashed,
    /// Number of markers in the list.
    pub(super) level: u32,
    /// Number of entries after the last marker.
    pub(super) count: u32,
    /// Number of bytes that the observer counts for all entries. It depends on the tokens that were processed, and not on
    /// the start tags that are copied already.
    pub(in crate::dialects::html) bytes: usize,
    /// Maximum number of entries after the last marker, from [`Limits::depth`](crate::Limits::depth).
    pub(super) limit: usize,
    /// Counter of work, for tests: number of entries examined, added, moved and removed.
    pub(super) steps: u64,
}

impl<H: Copy> Formatting<H> {
    /// Creates an empty list.
    pub(super) fn new() -> Formatting<H> {
        Formatting {
            list: Links::new(),
            names: [NONE; KNOWN_NAMES + 1],
            noahs_ark: NoahsArk::default(),
            unhashed: Unhashed::new(),
            level: 0,
            count: 0,
            bytes: 0,
            limit: usize::MAX,
            steps: 0,
        }
    }

    /// Returns whether there is an element at this index.
    pub(in crate::dialects::html) fn has(&self, id: EntryId) -> bool {
        self.list.get(id).is_some_and(|entry| entry.name != MARKER)
    }

    /// Returns the entry of the open element with the frame `frame`, whose index on the stack is `id`. Returns `None`
    /// if the element is not in the list: the index that the frame stores may belong to another element's entry by now.
    #[inline(always)]
    pub(super) fn of(&self, id: FrameId, frame: &Frame<H>) -> Option<EntryId> {
        let entry = self.list.get(frame.entry)?;
        (entry.frame == id).then_some(frame.entry)
    }

    /// Returns the index of the list's last entry if that entry is an element that is not open. Otherwise, nothing has
    /// to be reconstructed.
    #[inline(always)]
    pub(super) fn closed_last(&self) -> Option<EntryId> {
        let last = self.list.last();
        self.list.get(last)?.is_closed().then_some(last)
    }

    /// Returns the last element with this name after the last marker.
    pub(super) fn last_of(&self, name: u32) -> Option<EntryId> {
        let id = *self.names.get(name as usize)?;
        (self.list.get(id)?.level == self.level).then_some(id)
    }

    /// Appends an element. If the list contains three elements with the same name and attributes after the last marker,
    /// drops the earliest of them. If the list is at the limit, drops the first element after the last marker.
    /// `tag` is the start tag of the element, and `bytes` the number of bytes that the observer counts for the entry.
    pub(super) fn push(
        &mut self,
        handle: H,
        frame: FrameId,
        name: u32,
        (tag, bytes): (Part<'_>, u32),
    ) -> EntryId {
        let before = self.last_of(name).and_then(|id| self.list.get(id));
        let count = before.map_or(0, |entry| entry.count + 1);
        let mut dropped = None;
        let mut likeness = 0;
        let is_fourth = count as usize >= MOST_ALIKE;
        let is_owned = matches!(tag.holder, Holder::Owned(_));
        let needs_hash = is_fourth || self.noahs_ark.exists() || is_owned;
        if needs_hash {
            self.end_batch(tag.holder);
            likeness = self.noahs_ark.hash(name, tag);
        }
        if is_fourth {
            dropped = self.earliest_alike(likeness);
        }
        if dropped.is_none() && self.count as usize >= self.limit {
            let first = match self.names[MARKER as usize] {
                NONE => self.list.first(),
                marker => self.list.after(marker),
            };
            dropped = Some(first).filter(|first| *first != NONE);
        }
        if let Some(id) = dropped {
            self.remove(id);
        }
        self.count += 1;
        self.bytes += bytes as usize;
        let id = self.append(handle, (frame, name), likeness, (count, bytes));
        if !needs_hash {
            self.list[id].unhashed = self.unhashed.len() as u32;
            self.unhashed.push((id, *tag.record));
        }
        id
    }

    /// Computes the hashes that were not needed so far, because the strings of the current batch, which `holder` has,
    /// are dropped after it.
    pub(super) fn end_batch(&mut self, holder: Holder<'_>) {
        for (index, (id, record)) in self.unhashed.iter().enumerate() {
            let entry = &mut self.list[*id];
            if entry.unhashed == index as u32 {
                let part = Part { record, holder };
                entry.likeness = self.noahs_ark.hash(entry.name, part);
                entry.unhashed = NONE;
            }
        }
        self.unhashed.clear();
    }

    /// Appends a marker. `bytes` is the number of bytes that the observer counts for it.
    pub(super) fn push_marker(&mut self, handle: H, bytes: u32) {
        let count = core::mem::take(&mut self.count);
        self.bytes += bytes as usize;
        self.append(handle, (NONE, MARKER), 0, (count, bytes));
        self.level += 1;
    }

    /// Appends an entry without a check of the limits.
    fn append(
        &mut self,
        handle: H,
        (frame, name): (FrameId, u32),
        likeness: u64,
        (count, bytes): (u32, u32),
    ) -> EntryId {
        self.steps += 1;
        let previous_of_name = self.names[name as usize];
        let id = self.list.push(Entry {
            handle,
            frame,
            name,
            likeness,
            unhashed: NONE,
            level: self.level,
            count,
            previous_of_name,
            next_of_name: NONE,
            bytes,
        });
        if let Some(previous) = self.list.get_mut(previous_of_name) {
            previous.next_of_name = id;
        }
        self.names[name as usize] = id;
        self.noahs_ark.add(id, (self.level, likeness));
        id
    }

    /// Returns the earliest of the three entries after the last marker that have this hash of name and attributes, if
    /// there are three. Creates the table of equal elements if necessary.
    fn earliest_alike(&mut self, likeness: u64) -> Option<EntryId> {
        if self.noahs_ark.begin() {
            let mut id = self.list.first();
            while id != NONE {
                self.steps += 1;
                let entry = &self.list[id];
                self.noahs_ark.add(id, (entry.level, entry.likeness));
                id = self.list.after(id);
            }
        }
        self.noahs_ark.earliest((self.level, likeness))
    }

    /// Removes an element, or the last marker. Returns whether it was a marker.
    pub(super) fn remove(&mut self, id: EntryId) -> bool {
        self.steps += 1;
        // The frame of this entry may still store the index. `of` must not find this entry by it.
        self.list[id].frame = NONE;
        let entry = *self.list.remove(id);
        (self.list[id].name, self.list[id].unhashed) = (MARKER, NONE);
        if let Some(previous) = self.list.get_mut(entry.previous_of_name) {
            previous.next_of_name = entry.next_of_name;
        }
        match self.list.get_mut(entry.next_of_name) {
            Some(next) => next.previous_of_name = entry.previous_of_name,
            None => self.names[entry.name as usize] = entry.previous_of_name,
        }
        self.noahs_ark.remove(id, (entry.level, entry.likeness));
        self.bytes -= entry.bytes as usize;
        if entry.name == MARKER {
            (self.level, self.count) = (entry.level, entry.count);
        } else {
            self.count -= 1;
        }
        if self.list.last() == NONE {
            self.noahs_ark.end();
        }
        entry.name == MARKER
    }

    /// Moves an element, which is the last one with its name, directly after another entry that follows it.
    pub(super) fn move_after(&mut self, id: EntryId, other: EntryId) {
        self.steps += 1;
        if id != other {
            self.list.move_after(id, other);
        }
    }

    /// Removes all entries from the last marker on, including the marker.
    pub(super) fn clear_to_marker(&mut self) {
        while self.list.last() != NONE && !self.remove(self.list.last()) {}
    }
}

crate::checkpoint::checkpointable! {
    struct Entry<H> {
        handle, frame, name, likeness, level, count, previous_of_name, next_of_name, bytes
        ; skip unhashed = NONE
    }
    struct Formatting<H> {
        list, names, noahs_ark, level, count, bytes, limit, steps
        ; skip unhashed = Unhashed::new()
    }
}
