//! Numbers of values, found again by what those are: by a look at each while they are few, for small
//! documents are many, and then by a table of hashes. It must not know what the values are.

use core::hash::{BuildHasher, Hash};

use hashbrown::HashTable;

use crate::seeds::Seeds;

/// So many values are looked at one by one.
const FEW: u32 = 16;

/// The numbers of values that are kept elsewhere, from 0 on.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// How many there are.
    count: u32,
    /// Hashes and numbers, once there are more than a few.
    table: HashTable<(u64, u32)>,
    seeds: Seeds,
}

impl Index {
    /// The number of a value, which `is_it` knows it by.
    pub(super) fn find(&self, value: impl Hash, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.count <= FEW {
            return (0..self.count).find(|number| is_it(*number));
        }
        let hash = self.seeds.hash_one(value);
        let found = self
            .table
            .find(hash, |(other, number)| *other == hash && is_it(*number));
        found.map(|(_, number)| *number)
    }

    /// Gives the next number to a value that has none; `value` tells what each is.
    pub(super) fn add<V: Hash>(&mut self, value: impl Fn(u32) -> V) -> u32 {
        let next = self.count;
        self.count = next.checked_add(1).expect("fewer names than nodes");
        if next >= FEW {
            let first = if next == FEW { 0 } else { next };
            for number in first..=next {
                let hash = self.seeds.hash_one(value(number));
                self.table
                    .insert_unique(hash, (hash, number), |(hash, _)| *hash);
            }
        }
        next
    }

    /// Bytes of memory held.
    pub(super) fn heap_size(&self) -> usize {
        self.table.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, Index};
    use alloc::vec::Vec;

    /// Every value is found by its number, however many there are, and no other is.
    #[test]
    fn numbers_are_found_again() {
        let (mut index, mut values) = (Index::default(), Vec::new());
        for next in 0..10 * FEW {
            let value = next * next + 7;
            assert_eq!(
                index.find(value, |number| values[number as usize] == value),
                None
            );
            values.push(value);
            assert_eq!(index.add(|number| values[number as usize]), next);
            for (number, value) in (0..).zip(&values) {
                let found = index.find(value, |number| values[number as usize] == *value);
                assert_eq!(found, Some(number));
            }
        }
        assert_eq!(index.count, 10 * FEW);
    }
}
