//! The names of the attributes of one tag: whether a name is among them, in time linear in the names
//! however many these are and whatever they are.
//!
//! Dialects that match attributes by name share it. It must not know how a name is written.

use crate::event::record::Attr;
use crate::scan::same;
use crate::seeds::Seeds;
use core::hash::BuildHasher;
use hashbrown::HashTable;

/// Up to so many attributes, each new name is compared with all others; then they are hashed.
pub(crate) const FEW: usize = 16;

/// The names of the attributes of the current tag, once there are many: hash, and index of the
/// attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct AttributeNames {
    seeds: Seeds,
    table: HashTable<(u32, u32)>,
}

/// Half of a hash is kept, for the sake of memory; a table wants all bits of one to count.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl AttributeNames {
    /// The tag has ended.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        if !self.table.is_empty() {
            self.table.clear();
        }
    }

    /// Whether the name of `new` is that of one of the `others`, the attributes of the tag so far;
    /// if not, it becomes one of them. `name` gives a name, in two pieces where a chunk ended in it;
    /// `compared` counts the bytes that are hashed.
    #[inline(always)]
    pub(crate) fn contains<'t>(
        &mut self,
        others: &[Attr],
        new: &Attr,
        name: impl Fn(&Attr) -> (&'t str, &'t str),
        compared: &mut u64,
    ) -> bool {
        if others.len() > FEW {
            return self.contains_hashed(others, new, name, compared);
        }
        let wanted = name(new);
        others.iter().any(|other| is_equal(name(other), wanted))
    }

    /// The attribute that has the name of `new`, of which [`contains`](Self::contains) said that there is one.
    #[cold]
    pub(crate) fn first<'o, 't>(
        &self,
        others: &'o [Attr],
        new: &Attr,
        name: impl Fn(&Attr) -> (&'t str, &'t str),
    ) -> Option<&'o Attr> {
        let wanted = name(new);
        if others.len() <= FEW || self.table.len() != others.len() {
            return others.iter().find(|other| is_equal(name(other), wanted));
        }
        let hash = hash_of(&self.seeds, wanted);
        let found = self.table.find(spread(hash), |entry| {
            entry.0 == hash && is_equal(name(&others[entry.1 as usize]), wanted)
        });
        others.get(found?.1 as usize)
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
            // The first name beyond a few: the others are entered now.
            table.clear();
            for (index, other) in others.iter().enumerate() {
                let hash = hash_of(seeds, name(other));
                table.insert_unique(spread(hash), (hash, index as u32), |entry| spread(entry.0));
            }
        }
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

/// The hash of a name in pieces.
fn hash_of(seeds: &Seeds, name: (&str, &str)) -> u32 {
    match name {
        ("", name) | (name, "") => seeds.hash_one(name) as u32,
        (first, second) => seeds.hash_one(&*[first, second].concat()) as u32,
    }
}

/// Whether two names in pieces are equal.
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
