//! An index of the steps of selectors by the name in their type selector.

use crate::engine::text::key::{GOLDEN_RATIO, Key};
use alloc::vec;
use alloc::vec::Vec;

/// The sets of steps that have a type selector with a certain name: a hash table with open addressing. All keys come from
/// the selectors and none from the document.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex {
    /// The slots of the hash table: 2 to the power of `bits`, at most a quarter of which is used. Empty if there are no
    /// names.
    slots: Vec<Slot>,
    /// Binary logarithm of the number of slots.
    bits: u32,
    /// Number of used slots.
    used: usize,
    /// The set of the values of [`filter_bit`] of all names. PERF: most names of a document are excluded by it, without
    /// a search in the hash table.
    filter: u64,
}

/// An entry of the hash table.
#[derive(Clone, Debug)]
struct Slot {
    /// The key of the name, or [`Key::EMPTY`] in an unused slot.
    key: Key,
    /// Pairs of the number of a group and a set of its steps, in the order of the groups.
    steps: Vec<(usize, u64)>,
}

/// A name that can be in the index: one that its key determines.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortName {
    key: Key,
    /// The set with the value of [`filter_bit`] of the name.
    filter: u64,
}

impl ShortName {
    /// Returns the name in the form of the index, or `None` if it is empty or too long.
    pub(super) fn new(name: &str) -> Option<ShortName> {
        let key = Key::new(name.as_bytes()).filter(|key| key.is_all())?;
        let filter = 1 << filter_bit(name.as_bytes());
        Some(ShortName { key, filter })
    }
}

/// Returns a hash of a name that is computed without branches by its length.
#[inline(always)]
fn filter_bit(name: &[u8]) -> u32 {
    match name {
        [first, ..] => {
            let last = u32::from(name[name.len() - 1]);
            (u32::from(*first) + 5 * last + 11 * name.len() as u32) % u64::BITS
        }
        [] => 0,
    }
}

impl NameIndex {
    /// Adds a step, or a set of steps, of a group to those of a name.
    pub(super) fn add(&mut self, name: ShortName, group: usize, steps: u64) {
        if self.slots.len() < 4 * (self.used + 1) {
            self.grow();
        }
        self.filter |= name.filter;
        let at = self.place_of(name.key);
        let slot = &mut self.slots[at];
        if slot.key == Key::EMPTY {
            slot.key = name.key;
            self.used += 1;
        }
        match slot.steps.binary_search_by_key(&group, |(group, _)| *group) {
            Ok(at) => slot.steps[at].1 |= steps,
            Err(at) => slot.steps.insert(at, (group, steps)),
        }
    }

    /// Returns true if the index has no names.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Returns the steps that have a type selector with this name, as pairs of the number of a group and a set of its
    /// steps, in the order of the groups.
    #[inline(always)]
    pub(super) fn find(&self, name: &str) -> &[(usize, u64)] {
        match self.lacks(name) {
            true => &[],
            false => self.find_key(name.as_bytes()),
        }
    }

    /// Returns true if certainly no step has a type selector with this name.
    #[inline(always)]
    pub(super) fn lacks(&self, name: &str) -> bool {
        self.filter >> filter_bit(name.as_bytes()) & 1 == 0
    }

    /// Returns the steps that have a type selector with this name, by a search in the hash table.
    #[inline]
    fn find_key(&self, name: &[u8]) -> &[(usize, u64)] {
        match Key::new(name) {
            Some(key) if key.is_all() && !self.slots.is_empty() => {
                &self.slots[self.place_of(key)].steps
            }
            _ => &[],
        }
    }

    /// Returns the index of the slot with this key, or of the unused slot where it would be. There must be slots.
    #[inline(always)]
    fn place_of(&self, key: Key) -> usize {
        let mut at = key.place(GOLDEN_RATIO, self.bits);
        while self.slots[at].key != key && self.slots[at].key != Key::EMPTY {
            at = (at + 1) % self.slots.len();
        }
        at
    }

    /// Doubles the number of slots.
    fn grow(&mut self) {
        self.bits = (self.bits + 1).max(4);
        let unused = Slot {
            key: Key::EMPTY,
            steps: Vec::new(),
        };
        let old = core::mem::replace(&mut self.slots, vec![unused; 1 << self.bits]);
        for slot in old.into_iter().filter(|slot| slot.key != Key::EMPTY) {
            let at = self.place_of(slot.key);
            self.slots[at] = slot;
        }
    }
}
