//! The list of active formatting elements, with markers. It must not know of the tree.
//!
//! The entries of one name are chained, so that the last of a name is found at once. For the Noah's Ark
//! clause, those that are alike (in name and attributes) are noted once there are three of a name, so that
//! the fourth finds the first: of `<b><b><b><b>` the list has the last three. So many entries after a marker
//! as the depth limit says are kept: one more drops the first of them. That bounds what is made anew for
//! each paragraph.

use super::stack::{Frame, FrameId};
use crate::html::construct::noahs_ark::{MOST_ALIKE, NoahsArk};
use crate::html::names::KNOWN;
use crate::links::{Links, NONE};

/// Where an entry is; it may be another's once that is removed.
pub(in crate::html) type EntryId = u32;

/// The name of markers: that of elements which nobody knows, for no formatting element is one.
const MARKER: u32 = KNOWN as u32;

/// An element of the list, or a marker.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Entry<H> {
    pub(super) handle: H,
    /// Its frame in the stack of open elements, while it has one.
    pub(super) frame: FrameId,
    pub(super) name: u32,
    likeness: u64,
    /// How many markers come before it.
    level: u32,
    /// At least how many entries of its name and level come before it; of a marker, how many entries
    /// there are on the level before it.
    count: u32,
    previous_of_name: EntryId,
    next_of_name: EntryId,
}

impl<H> Entry<H> {
    /// Whether it is an element that is not open, so that there is something to reconstruct.
    #[inline(always)]
    pub(super) fn is_closed(&self) -> bool {
        self.frame == NONE && self.name != MARKER
    }
}

/// The list.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(in crate::html) struct Formatting<H> {
    pub(super) list: Links<Entry<H>>,
    /// The last entry of each name.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    names: [EntryId; KNOWN + 1],
    /// The entries of each likeness, from the first long chain on; the level is that of the marker.
    pub(super) noahs_ark: NoahsArk,
    level: u32,
    /// Entries on this level.
    count: u32,
    pub(super) limit: usize,
    pub(super) steps: u64,
}

impl<H: Copy> Formatting<H> {
    pub(super) fn new() -> Formatting<H> {
        Formatting {
            list: Links::new(),
            names: [NONE; KNOWN + 1],
            noahs_ark: NoahsArk::default(),
            level: 0,
            count: 0,
            limit: usize::MAX,
            steps: 0,
        }
    }

    /// Whether there is an element in this place.
    pub(in crate::html) fn has(&self, id: EntryId) -> bool {
        self.list.get(id).is_some_and(|entry| entry.name != MARKER)
    }

    /// The entry of an open element, whose frame says where it was put.
    #[inline(always)]
    pub(super) fn of(&self, id: FrameId, frame: &Frame<H>) -> Option<EntryId> {
        let entry = self.list.get(frame.entry)?;
        (entry.frame == id).then_some(frame.entry)
    }

    /// The last entry, if that is an element which is not open.
    #[inline(always)]
    pub(super) fn closed_last(&self) -> Option<EntryId> {
        let last = self.list.last();
        self.list.get(last)?.is_closed().then_some(last)
    }

    /// The last element of the name after the last marker.
    pub(super) fn last_of(&self, name: u32) -> Option<EntryId> {
        let id = *self.names.get(name as usize)?;
        (self.list.get(id)?.level == self.level).then_some(id)
    }

    /// Adds an element, for which the earliest of three of its likeness or the first of too many has to
    /// remove the list.
    pub(super) fn push(&mut self, handle: H, frame: FrameId, name: u32, likeness: u64) -> EntryId {
        let before = self.last_of(name).and_then(|id| self.list.get(id));
        let count = before.map_or(0, |entry| entry.count + 1);
        let mut dropped = None;
        if count as usize >= MOST_ALIKE {
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
        self.append(handle, frame, name, likeness, count)
    }

    /// Adds a marker.
    pub(super) fn push_marker(&mut self, handle: H) {
        let count = core::mem::take(&mut self.count);
        self.append(handle, NONE, MARKER, 0, count);
        self.level += 1;
    }

    fn append(
        &mut self,
        handle: H,
        frame: FrameId,
        name: u32,
        likeness: u64,
        count: u32,
    ) -> EntryId {
        self.steps += 1;
        let previous_of_name = self.names[name as usize];
        let id = self.list.push(Entry {
            handle,
            frame,
            name,
            likeness,
            level: self.level,
            count,
            previous_of_name,
            next_of_name: NONE,
        });
        if let Some(previous) = self.list.get_mut(previous_of_name) {
            previous.next_of_name = id;
        }
        self.names[name as usize] = id;
        self.noahs_ark.add(id, (self.level, likeness));
        id
    }

    /// The earliest entry of a likeness after the last marker, if there are as many as may be.
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

    /// Takes an element out of the list, or the last marker; gives whether it is a marker.
    pub(super) fn remove(&mut self, id: EntryId) -> bool {
        self.steps += 1;
        // The place may be read again by the frame that had this entry: it must find that it is no longer its
        // own.
        self.list[id].frame = NONE;
        let entry = *self.list.remove(id);
        self.list[id].name = MARKER;
        if let Some(previous) = self.list.get_mut(entry.previous_of_name) {
            previous.next_of_name = entry.next_of_name;
        }
        match self.list.get_mut(entry.next_of_name) {
            Some(next) => next.previous_of_name = entry.previous_of_name,
            None => self.names[entry.name as usize] = entry.previous_of_name,
        }
        self.noahs_ark.remove(id, (entry.level, entry.likeness));
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

    /// Moves an element, the last of its name, directly behind another one that comes after it.
    pub(super) fn move_behind(&mut self, id: EntryId, other: EntryId) {
        self.steps += 1;
        if id != other {
            self.list.move_behind(id, other);
        }
    }

    /// Takes out all up to the last marker, and that too.
    pub(super) fn clear_to_marker(&mut self) {
        while self.list.last() != NONE && !self.remove(self.list.last()) {}
    }
}
