//! Detection of duplicate attributes, shared by all dialects. It takes time linear in the length of the names,
//! however many attributes a tag has and whatever their names are.

use crate::engine::event::record::Attr;
use crate::engine::hash_seed::Seeds;
use crate::engine::scan::same;
use core::hash::BuildHasher;
use hashbrown::HashTable;

/// Maximum number of attributes of a tag up to which a new name is compared with all others one by one. With more
/// attributes, names are found in a hash table.
pub(crate) const MAX_UNHASHED_ATTRIBUTES: usize = 16;

/// Hash table of the names of the current tag's attributes, used once there are many: the hash of each name and the
/// index of the attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct AttributeNames {
    seeds: Seeds,
    table: HashTable<(u32, u32)>,
}

/// Spreads a 32-bit hash over 64 bits. Only half of each hash is stored to save memory, but the table needs all bits.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl AttributeNames {
    /// Empties the table at the end of a tag.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        if !self.table.is_empty() {
            self.table.clear();
        }
    }

    /// Returns whether one of `others`, the tag's attributes so far, has the same name as `new`. If none has, the name
    /// of `new` is added to the hash table. `name` returns the name of an attribute, in two pieces if a chunk ended in
    /// it. `compared` is increased by the number of bytes that were hashed.
    #[inline(always)]
    pub(crate) fn contains<'t>(
        &mut self,
        others: &[Attr],
        new: &Attr,
        name: impl Fn(&Attr) -> (&'t str, &'t str),
        compared: &mut u64,
    ) -> bool {
        if others.len() > MAX_UNHASHED_ATTRIBUTES {
            return self.contains_hashed(others, new, name, compared);
        }
        let wanted = name(new);
        others.iter().any(|other| is_equal(name(other), wanted))
    }

    /// Returns the attribute with the same name as `new`, after [`contains`](Self::contains) returned true.
    #[cold]
    pub(crate) fn first<'o, 't>(
        &self,
        others: &'o [Attr],
        new: &Attr,
        name: impl Fn(&Attr) -> (&'t str, &'t str),
    ) -> Option<&'o Attr> {
        let wanted = name(new);
        if others.len() <= MAX_UNHASHED_ATTRIBUTES || self.table.len() != others.len() {
            return others.iter().find(|other| is_equal(name(other), wanted));
        }
        debug_assert!(
            self.has_last(others, &name),
            "the table is that of these attributes"
        );
        let hash = hash_of(&self.seeds, wanted);
        let found = self.table.find(spread(hash), |entry| {
            entry.0 == hash && is_equal(name(&others[entry.1 as usize]), wanted)
        });
        others.get(found?.1 as usize)
    }

    /// Returns whether the table contains the name of the last attribute.
    fn has_last<'t>(&self, others: &[Attr], name: impl Fn(&Attr) -> (&'t str, &'t str)) -> bool {
        others.last().is_none_or(|last| {
            let hash = hash_of(&self.seeds, name(last));
            let is_last =
                |entry: &(u32, u32)| entry.0 == hash && entry.1 as usize == others.len() - 1;
            self.table.find(spread(hash), is_last).is_some()
        })
    }

    #[cold]
    #[inline(never)]
    fn contains_hashed<'t>(
        &mut self,
        others: &[Attr],
        new: &Attr,
        name: impl Fn(&Attr) -> (&'t str, &'t str),
        compared: &mut u64,
    ) -> bool {
        let AttributeNames { seeds, table } = self;
        if table.len() != others.len() {
            // This is the first name that is hashed: add the names of all earlier attributes.
            table.clear();
            for (index, other) in others.iter().enumerate() {
                let hash = hash_of(seeds, name(other));
                table.insert_unique(spread(hash), (hash, index as u32), |entry| spread(entry.0));
            }
        }
        debug_assert!(
            self.has_last(others, &name),
            "the table is that of these attributes"
        );
        let AttributeNames { seeds, table } = self;
        let wanted = name(new);
        let hash = hash_of(seeds, wanted);
        *compared += (wanted.0.len() + wanted.1.len()) as u64;
        let found = table.find(spread(hash), |entry| {
            entry.0 == hash && is_equal(name(&others[entry.1 as usize]), wanted)
        });
        if found.is_some() {
            return true;
        }
        table.insert_unique(spread(hash), (hash, others.len() as u32), |entry| {
            spread(entry.0)
        });
        false
    }
}

/// Returns the hash of a name in two pieces.
fn hash_of(seeds: &Seeds, name: (&str, &str)) -> u32 {
    match name {
        ("", name) | (name, "") => seeds.hash_one(name) as u32,
        (first, second) => seeds.hash_one(&*[first, second].concat()) as u32,
    }
}

/// Returns whether two names, each in two pieces, are equal.
#[inline(always)]
fn is_equal(one: (&str, &str), two: (&str, &str)) -> bool {
    match (one, two) {
        (("", one), ("", two)) => same(one.as_bytes(), two.as_bytes()),
        _ => is_equal_cut(one, two),
    }
}

#[cold]
fn is_equal_cut(one: (&str, &str), two: (&str, &str)) -> bool {
    one.0.len() + one.1.len() == two.0.len() + two.1.len()
        && (one.0.bytes().chain(one.1.bytes())).eq(two.0.bytes().chain(two.1.bytes()))
}
