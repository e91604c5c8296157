//! A doubly linked list of values in a vector. A value keeps its index until it is removed; afterwards the index is
//! reused.
//!
//! ```text
//! first ─▸ a ◂─▸ b ◂─▸ c ◂─ last
//! ```

use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

/// The index that means "no value".
pub(crate) const NONE: u32 = u32::MAX;

/// A doubly linked list. Values are identified by their index in `places`; `free` contains the unused indices.
#[derive(Clone, Debug)]
pub(crate) struct Links<T> {
    places: Vec<Link<T>>,
    free: Vec<u32>,
    first: u32,
    last: u32,
}

#[derive(Clone, Copy, Debug)]
struct Link<T> {
    before: u32,
    after: u32,
    value: T,
}

impl<T: Copy> Links<T> {
    pub(crate) const fn new() -> Links<T> {
        Links {
            places: Vec::new(),
            free: Vec::new(),
            first: NONE,
            last: NONE,
        }
    }

    /// Returns the number of values.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// Returns the index of the first value, or [`NONE`].
    #[inline(always)]
    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    /// Returns the index of the last value, or [`NONE`].
    #[inline(always)]
    pub(crate) fn last(&self) -> u32 {
        self.last
    }

    /// Returns the index of the value before the one at `at`, or [`NONE`].
    #[inline(always)]
    pub(crate) fn before(&self, at: u32) -> u32 {
        self.places
            .get(at as usize)
            .map_or(NONE, |place| place.before)
    }

    /// Returns the index of the value after the one at `at`, or [`NONE`].
    #[inline(always)]
    pub(crate) fn after(&self, at: u32) -> u32 {
        self.places
            .get(at as usize)
            .map_or(NONE, |place| place.after)
    }

    #[inline(always)]
    pub(crate) fn get(&self, at: u32) -> Option<&T> {
        self.places.get(at as usize).map(|place| &place.value)
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, at: u32) -> Option<&mut T> {
        self.places
            .get_mut(at as usize)
            .map(|place| &mut place.value)
    }

    /// Returns the index that the next added value will get.
    #[inline(always)]
    pub(crate) fn next(&self) -> u32 {
        self.free
            .last()
            .copied()
            .unwrap_or(self.places.len() as u32)
    }

    /// Appends a value to the list and returns its index.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: T) -> u32 {
        let (before, after) = (self.last, NONE);
        let at = match self.free.pop() {
            Some(at) => {
                let place = &mut self.places[at as usize];
                place.value = value;
                (place.before, place.after) = (before, after);
                at
            }
            None => {
                self.places.push(Link {
                    before,
                    after,
                    value,
                });
                self.places.len() as u32 - 1
            }
        };
        match self.places.get_mut(before as usize) {
            Some(last) => last.after = at,
            None => self.first = at,
        }
        self.last = at;
        at
    }

    /// Removes the value at `at`, which must exist, and returns it. The value can be read until its index is reused.
    #[inline(always)]
    pub(crate) fn remove(&mut self, at: u32) -> &T {
        let place = &self.places[at as usize];
        self.join(place.before, place.after);
        self.free.push(at);
        &self.places[at as usize].value
    }

    /// Moves the value at `at` directly after the one at `other`.
    pub(crate) fn move_after(&mut self, at: u32, other: u32) {
        self.join(self.before(at), self.after(at));
        let after = self.after(other);
        self.join(other, at);
        self.join(at, after);
    }

    /// Links two indices, so that `after` follows `before`. [`NONE`] means the start or the end of the list.
    #[inline(always)]
    fn join(&mut self, before: u32, after: u32) {
        match self.places.get_mut(before as usize) {
            Some(place) => place.after = after,
            None => self.first = after,
        }
        match self.places.get_mut(after as usize) {
            Some(place) => place.before = before,
            None => self.last = before,
        }
    }
}

/// Returns the value at an index, which must exist.
impl<T> Index<u32> for Links<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: u32) -> &T {
        &self.places[at as usize].value
    }
}

impl<T> IndexMut<u32> for Links<T> {
    #[inline(always)]
    fn index_mut(&mut self, at: u32) -> &mut T {
        &mut self.places[at as usize].value
    }
}

crate::checkpoint::checkpointable! {
    struct Links<T> { places, free, first, last }
    struct Link<T> { before, after, value }
}
