//! The list of active formatting elements: entries linked in order, with markers. It must not know of
//! the tree.
//!
//! The entries of one name are chained, so that the last of a name is found at once; those of one
//! family (name and attributes) too once there are many, so that the fourth of a family finds the
//! first. So many entries after a marker as the depth limit says are kept: one more drops the first
//! of them. That bounds what is made anew for each paragraph.

use super::stack::{FrameId, NONE};
use crate::event::StartTag;
use alloc::vec::Vec;
use core::hash::BuildHasher;
use hashbrown::{DefaultHashBuilder, HashMap};

/// Where an entry is; it may be another's once that is removed.
pub(super) type EntryId = u32;

/// A family: the level of its marker, and a hash of name and attributes under keys of this list.
type Family = (u32, u64);

/// So many entries of one name are compared one by one.
const FEW: u32 = 3;

/// An element of the list, or a marker, whose name is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<H> {
    pub(super) handle: H,
    /// Its frame in the stack of open elements, while it has one.
    pub(super) frame: FrameId,
    pub(super) name: u32,
    family: u64,
    /// How many markers come before it.
    level: u32,
    /// At least how many entries of its name and level come before it; of a marker, how many entries
    /// there are on the level before it.
    count: u32,
    pub(super) previous: EntryId,
    pub(super) next: EntryId,
    /// Of a marker, the marker before it.
    previous_of_name: EntryId,
    next_of_name: EntryId,
    previous_of_family: EntryId,
}

/// The list.
#[derive(Clone, Debug)]
pub(super) struct Formatting<H> {
    entries: Vec<Entry<H>>,
    free: Vec<EntryId>,
    first: EntryId,
    pub(super) last: EntryId,
    /// The last marker.
    marker: EntryId,
    /// The last entry of each name.
    names: Vec<(u32, EntryId)>,
    /// The last entry of each family, from the first long chain on.
    families: Option<HashMap<Family, EntryId, DefaultHashBuilder>>,
    hasher: DefaultHashBuilder,
    level: u32,
    /// Entries on this level.
    count: u32,
    pub(super) limit: usize,
    pub(super) steps: u64,
}

impl<H: Copy> Formatting<H> {
    pub(super) fn new() -> Formatting<H> {
        Formatting {
            entries: Vec::new(),
            free: Vec::new(),
            first: NONE,
            last: NONE,
            marker: NONE,
            names: Vec::new(),
            families: None,
            hasher: DefaultHashBuilder::default(),
            level: 0,
            count: 0,
            limit: usize::MAX,
            steps: 0,
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, id: EntryId) -> Option<&Entry<H>> {
        self.entries.get(id as usize)
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, id: EntryId) -> Option<&mut Entry<H>> {
        self.entries.get_mut(id as usize)
    }

    /// The last entry, if that is an element which is not open: then there is something to reconstruct.
    #[inline(always)]
    pub(super) fn closed_last(&self) -> Option<EntryId> {
        let entry = self.get(self.last)?;
        (entry.frame == NONE && entry.name != NONE).then_some(self.last)
    }

    /// The last element of the name after the last marker.
    pub(super) fn last_of(&self, name: u32) -> Option<EntryId> {
        let id = self.head(name)?;
        (self.get(id)?.level == self.level).then_some(id)
    }

    fn head(&self, name: u32) -> Option<EntryId> {
        let found = self.names.iter().find(|(of, _)| *of == name);
        found.map(|(_, id)| *id).filter(|id| *id != NONE)
    }

    fn set_head(&mut self, name: u32, id: EntryId) {
        match self.names.iter_mut().find(|(of, _)| *of == name) {
            Some((_, head)) => *head = id,
            None => self.names.push((name, id)),
        }
    }

    /// The hash by which elements of one name and one set of attributes are known.
    pub(super) fn family(&self, name: u32, tag: Option<&StartTag<'_>>) -> u64 {
        let mut family = self.hasher.hash_one(name);
        if let Some(tag) = tag {
            // A sum: the order of the attributes does not matter.
            for attribute in tag.attributes() {
                let one = self.hasher.hash_one((attribute.name(), attribute.value()));
                family = family.wrapping_add(one);
            }
        }
        family
    }

    /// Adds an element. What has to leave the list for it, the earliest of three of its family or the
    /// first of too many, is given back.
    pub(super) fn push(
        &mut self,
        handle: H,
        frame: FrameId,
        name: u32,
        family: u64,
    ) -> (EntryId, Option<Entry<H>>) {
        let before = self.last_of(name);
        let count = before
            .and_then(|id| self.get(id))
            .map_or(0, |entry| entry.count + 1);
        let mut dropped = None;
        if count >= FEW {
            dropped = self.fourth_of_family(family);
        }
        if dropped.is_none() && self.count as usize >= self.limit {
            dropped = Some(self.first_of_level());
        }
        let dropped = dropped.and_then(|id| self.remove(id));
        let id = self.append(Entry {
            handle,
            frame,
            name,
            family,
            level: self.level,
            count,
            previous: self.last,
            next: NONE,
            previous_of_name: NONE,
            next_of_name: NONE,
            previous_of_family: NONE,
        });
        self.count += 1;
        self.chain(id, self.head(name));
        self.enrol(id);
        (id, dropped)
    }

    /// Adds a marker.
    pub(super) fn push_marker(&mut self, handle: H) {
        let count = core::mem::take(&mut self.count);
        self.marker = self.append(Entry {
            handle,
            frame: NONE,
            name: NONE,
            family: 0,
            level: self.level,
            count,
            previous: self.last,
            next: NONE,
            previous_of_name: self.marker,
            next_of_name: NONE,
            previous_of_family: NONE,
        });
        self.level += 1;
    }

    fn append(&mut self, entry: Entry<H>) -> EntryId {
        self.steps += 1;
        let id = self.free.pop().unwrap_or(self.entries.len() as EntryId);
        match self.entries.get_mut(id as usize) {
            Some(place) => *place = entry,
            None => self.entries.push(entry),
        }
        match self.get_mut(entry.previous) {
            Some(last) => last.next = id,
            None => self.first = id,
        }
        self.last = id;
        id
    }

    /// Puts an entry behind another one of its name, or first.
    fn chain(&mut self, id: EntryId, after: Option<EntryId>) {
        let Some(name) = self.get(id).map(|entry| entry.name) else {
            return;
        };
        let after = after.unwrap_or(NONE);
        let next = self.get(after).map_or(NONE, |entry| entry.next_of_name);
        if let Some(entry) = self.get_mut(id) {
            entry.previous_of_name = after;
            entry.next_of_name = next;
        }
        if let Some(entry) = self.get_mut(after) {
            entry.next_of_name = id;
        }
        match self.get_mut(next) {
            Some(entry) => entry.previous_of_name = id,
            None => self.set_head(name, id),
        }
    }

    fn unchain(&mut self, entry: &Entry<H>) {
        if let Some(previous) = self.get_mut(entry.previous_of_name) {
            previous.next_of_name = entry.next_of_name;
        }
        match self.get_mut(entry.next_of_name) {
            Some(next) => next.previous_of_name = entry.previous_of_name,
            None => self.set_head(entry.name, entry.previous_of_name),
        }
    }

    /// The first entry after the last marker.
    fn first_of_level(&self) -> EntryId {
        match self.get(self.marker) {
            Some(marker) => marker.next,
            None => self.first,
        }
    }

    /// The earliest entry of a family after the last marker, if three are there.
    fn fourth_of_family(&mut self, family: u64) -> Option<EntryId> {
        if self.families.is_none() {
            self.families = Some(HashMap::default());
            let mut id = self.last;
            let mut all = Vec::new();
            while let Some(entry) = self.get(id) {
                all.push(id);
                id = entry.previous;
            }
            self.steps += all.len() as u64;
            for id in all.into_iter().rev() {
                self.enrol(id);
            }
        }
        let mut id = *self.families.as_ref()?.get(&(self.level, family))?;
        for _ in 1..FEW {
            id = self.get(id)?.previous_of_family;
        }
        (id != NONE).then_some(id)
    }

    /// Adds an entry to its family.
    fn enrol(&mut self, id: EntryId) {
        let Some(families) = &mut self.families else {
            return;
        };
        if let Some(entry) = self.entries.get_mut(id as usize)
            && entry.name != NONE
        {
            let last = families.insert((entry.level, entry.family), id);
            entry.previous_of_family = last.unwrap_or(NONE);
        }
    }

    fn leave_family(&mut self, id: EntryId, entry: &Entry<H>) {
        let Some(families) = &mut self.families else {
            return;
        };
        let key = (entry.level, entry.family);
        let Some(last) = families.get_mut(&key) else {
            return;
        };
        if *last == id {
            match entry.previous_of_family {
                NONE => drop(families.remove(&key)),
                previous => *last = previous,
            }
            return;
        }
        let mut later = *last;
        while let Some(one) = self.entries.get_mut(later as usize) {
            if one.previous_of_family == id {
                one.previous_of_family = entry.previous_of_family;
                return;
            }
            later = one.previous_of_family;
        }
    }

    /// Takes an element out of the list.
    pub(super) fn remove(&mut self, id: EntryId) -> Option<Entry<H>> {
        let entry = *self.get(id)?;
        self.steps += 1;
        self.unlink(&entry);
        if entry.name != NONE {
            self.unchain(&entry);
            self.leave_family(id, &entry);
            self.count -= 1;
        }
        self.free.push(id);
        if self.last == NONE {
            self.families = None;
        }
        Some(entry)
    }

    fn unlink(&mut self, entry: &Entry<H>) {
        match self.get_mut(entry.previous) {
            Some(previous) => previous.next = entry.next,
            None => self.first = entry.next,
        }
        match self.get_mut(entry.next) {
            Some(next) => next.previous = entry.previous,
            None => self.last = entry.previous,
        }
    }

    /// Moves an element, the last of its name, directly behind another one that comes after it.
    pub(super) fn move_behind(&mut self, id: EntryId, other: EntryId) {
        let Some(entry) = self.get(id).copied().filter(|_| id != other) else {
            return;
        };
        self.steps += 1;
        self.unlink(&entry);
        let next = self.get(other).map_or(NONE, |entry| entry.next);
        if let Some(place) = self.get_mut(id) {
            place.previous = other;
            place.next = next;
        }
        if let Some(place) = self.get_mut(other) {
            place.next = id;
        }
        match self.get_mut(next) {
            Some(place) => place.previous = id,
            None => self.last = id,
        }
    }

    /// Takes out all up to the last marker, and that too. Each element is given to `closed`.
    pub(super) fn clear_to_marker(&mut self, mut closed: impl FnMut(&Entry<H>)) {
        while let Some(entry) = self.remove(self.last) {
            if entry.name == NONE {
                self.level = entry.level;
                self.marker = entry.previous_of_name;
                self.count = entry.count;
                return;
            }
            closed(&entry);
        }
    }
}
