//! The Noah's Ark clause: of formatting elements that are alike, in name and attributes, the list has three
//! at most. Here the last three of each likeness are noted. It must not know of the list.

use crate::event::StartTag;
use crate::links::NONE;
use core::hash::{BuildHasher, Hasher};
use hashbrown::{DefaultHashBuilder, HashMap};

/// A likeness: how many markers come before, for the clause counts from the last one on, and a hash of name
/// and attributes under keys of this table.
pub(super) type Likeness = (u32, u64);

/// So many elements that are alike are in the list.
pub(super) const MOST_ALIKE: usize = 3;

/// The last elements of each likeness, once they are asked for.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct NoahsArk {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    alike: Option<HashMap<Likeness, [u32; MOST_ALIKE], DefaultHashBuilder>>,
    hasher: crate::seeds::KeptSeeds,
}

impl NoahsArk {
    /// The hash by which elements of one name and one set of attributes are known.
    pub(super) fn hash(&self, name: u32, tag: Option<&StartTag<'_>>) -> u64 {
        let mut hash = self.hasher.hash_one(name);
        for attribute in tag.map(StartTag::attributes).into_iter().flatten() {
            let (name, value) = attribute.as_bytes();
            let mut one = self.hasher.build_hasher();
            one.write(value);
            // Where the name begins.
            one.write_usize(value.len());
            one.write(name);
            // A sum: the order of the attributes does not matter.
            hash = hash.wrapping_add(one.finish());
        }
        hash
    }

    /// Notes elements from here on; gives whether it did not before.
    pub(super) fn begin(&mut self) -> bool {
        let begins = self.alike.is_none();
        self.alike.get_or_insert_default();
        begins
    }

    /// Forgets them all, and notes none.
    pub(super) fn end(&mut self) {
        self.alike = None;
    }

    /// The earliest element of a likeness, if that has as many as may be.
    pub(super) fn earliest(&self, likeness: Likeness) -> Option<u32> {
        let alike = self.alike.as_ref()?.get(&likeness)?;
        (alike[0] != NONE).then_some(alike[0])
    }

    /// Notes one as the last of its likeness.
    pub(super) fn add(&mut self, id: u32, likeness: Likeness) {
        if let Some(likenesses) = &mut self.alike {
            let alike = likenesses.entry(likeness).or_insert([NONE; MOST_ALIKE]);
            alike.rotate_left(1);
            alike[MOST_ALIKE - 1] = id;
        }
    }

    /// Takes one out of its likeness.
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
