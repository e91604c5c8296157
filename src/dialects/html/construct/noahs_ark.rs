//! The "Noah's Ark clause" of the standard: the list of active formatting elements contains at most three elements with
//! the same name and attributes after the last marker. This module's table stores the last three elements for each
//! combination of name and attributes.
//!
//! Elements are compared by a hash, which is computed only when it is needed. Most formatting elements are closed before
//! a fourth element of their name is opened. Hashing their attributes anyway would cost 6 % of the instructions of a
//! page with many links. Until its hash is computed, an element is in the list [`Unhashed`](super::formatting::Unhashed), with its tag's record. The
//! record refers to strings of the current batch, so the elements that are still listed at the end of the batch are
//! hashed then.

use crate::engine::event::{Part, StartTag};
use crate::engine::linked_list::NONE;
use core::hash::{BuildHasher, Hasher};
use hashbrown::{DefaultHashBuilder, HashMap};

/// The identification of equal elements: the number of markers before them, because the clause counts from the last
/// marker on, and a hash of name and attributes. The hash function uses random keys.
pub(super) type Likeness = (u32, u64);

/// Maximum number of equal elements, as in the standard.
pub(super) const MOST_ALIKE: usize = 3;

/// The table of equal elements in the list of active formatting elements.
#[derive(Clone, Debug, Default)]
pub(super) struct NoahsArk {
    /// For each likeness, the list entries of the last three elements, the earliest first; [`NONE`] where there are
    /// fewer than three. `None` until the table is needed.
    alike: Option<HashMap<Likeness, [u32; MOST_ALIKE], DefaultHashBuilder>>,
    /// The hash function for names and attributes.
    hasher: crate::engine::hash_seed::KeptSeeds,
}

impl NoahsArk {
    /// Returns a hash of the name and the attributes of an element.
    pub(super) fn hash(&self, name: u32, tag: Part<'_>) -> u64 {
        let mut hash = self.hasher.hash_one(name);
        for (name, value) in (StartTag { part: tag }).attribute_pairs() {
            let (name, value) = (name.as_bytes(), value.as_bytes());
            let mut one = self.hasher.build_hasher();
            one.write(value);
            // The length separates the value from the name, so that no two attributes are hashed as the same bytes.
            one.write_usize(value.len());
            one.write(name);
            // The hashes are added up, because the order of the attributes is irrelevant.
            hash = hash.wrapping_add(one.finish());
        }
        hash
    }

    /// Returns whether the table of equal elements exists. Its elements must be hashed.
    #[inline(always)]
    pub(super) fn exists(&self) -> bool {
        self.alike.is_some()
    }

    /// Creates the table of equal elements, unless it exists. Returns whether it was created.
    pub(super) fn begin(&mut self) -> bool {
        let begins = self.alike.is_none();
        self.alike.get_or_insert_default();
        begins
    }

    /// Drops the table.
    pub(super) fn end(&mut self) {
        self.alike = None;
    }

    /// Returns the list entry of the earliest of the three elements with a likeness. Returns `None` if there are fewer
    /// than three.
    pub(super) fn earliest(&self, likeness: Likeness) -> Option<u32> {
        let alike = self.alike.as_ref()?.get(&likeness)?;
        (alike[0] != NONE).then_some(alike[0])
    }

    /// Adds the list entry `id` as the last one with its likeness. Drops the earliest from the table if there were
    /// three. Does nothing while there is no table.
    pub(super) fn add(&mut self, id: u32, likeness: Likeness) {
        if let Some(likenesses) = &mut self.alike {
            let alike = likenesses.entry(likeness).or_insert([NONE; MOST_ALIKE]);
            alike.rotate_left(1);
            alike[MOST_ALIKE - 1] = id;
        }
    }

    /// Removes the list entry `id` from the table.
    pub(super) fn remove(&mut self, id: u32, likeness: Likeness) {
        if let Some(likenesses) = &mut self.alike
            && let Some(alike) = likenesses.get_mut(&likeness)
            && let Some(at) = alike.iter().position(|one| *one == id)
        {
            alike[..=at].rotate_right(1);
            alike[0] = NONE;
            if alike[MOST_ALIKE - 1] == NONE {
                likenesses.remove(&likeness);
            }
        }
    }
}

crate::checkpoint::checkpointable! {
    struct NoahsArk { alike, hasher }
}
