//! Which elements are alike, in name and attributes: of each family the last three. It must not know
//! what they are kept for.

use crate::event::StartTag;
use crate::links::NONE;
use core::hash::{BuildHasher, Hasher};
use hashbrown::{DefaultHashBuilder, HashMap};

/// A family: a level, for there are families on each, and a hash of name and attributes under keys of
/// this table.
pub(super) type Family = (u32, u64);

/// So many of one family are kept.
pub(super) const KIN: usize = 3;

/// The families, once they are asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Families {
    families: Option<HashMap<Family, [u32; KIN], DefaultHashBuilder>>,
    hasher: DefaultHashBuilder,
}

impl Families {
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

    /// Keeps families from here on; gives whether it did not before.
    pub(super) fn begin(&mut self) -> bool {
        let begins = self.families.is_none();
        self.families.get_or_insert_default();
        begins
    }

    /// Forgets them all, and keeps none.
    pub(super) fn end(&mut self) {
        self.families = None;
    }

    /// The earliest of a family, if that has as many as may be.
    pub(super) fn first(&self, family: Family) -> Option<u32> {
        let kin = self.families.as_ref()?.get(&family)?;
        (kin[0] != NONE).then_some(kin[0])
    }

    /// Notes one as the last of its family.
    pub(super) fn enrol(&mut self, id: u32, family: Family) {
        if let Some(families) = &mut self.families {
            let kin = families.entry(family).or_insert([NONE; KIN]);
            kin.rotate_left(1);
            kin[KIN - 1] = id;
        }
    }

    /// Takes one out of its family.
    pub(super) fn leave(&mut self, id: u32, family: Family) {
        if let Some(families) = &mut self.families
            && let Some(kin) = families.get_mut(&family)
            && let Some(at) = kin.iter().position(|one| *one == id)
        {
            kin[..=at].rotate_right(1);
            kin[0] = NONE;
            if kin[KIN - 1] == NONE {
                families.remove(&family);
            }
        }
    }
}
