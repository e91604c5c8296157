//! An interning table: it finds the number of a value. The values are stored elsewhere, by the caller.
//!
//! Most documents are small, and so are their tables. A small table compares the searched value with each stored one.
//! Only a larger table computes hashes.

use core::hash::{BuildHasher, Hash};

use hashbrown::HashTable;

use crate::engine::hash_seed::Seeds;

/// Maximum number of values in a table that is searched without hashing.
const MAX_LINEAR_SEARCH_VALUES: u32 = 16;

/// A table of the numbers of values, which the caller stores. The numbers are consecutive and begin at 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Number of values in the table.
    count: u32,
    /// Hash and number of each value; empty while there are at most [`MAX_LINEAR_SEARCH_VALUES`] values.
    table: HashTable<(u64, u32)>,
    seeds: Seeds,
}

impl Index {
    /// Returns the number of a value, or `None` if the value is not in the table. `is_it` returns true if the value
    /// with the given number is the searched one.
    pub(super) fn find(&self, value: impl Hash, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.count <= MAX_LINEAR_SEARCH_VALUES {
            return (0..self.count).find(|number| is_it(*number));
        }
        let hash = self.seeds.hash_one(value);
        let found = self
            .table
            .find(hash, |(other, number)| *other == hash && is_it(*number));
        found.map(|(_, number)| *number)
    }

    /// Adds a value and returns its number, which is the next unused one. The value must not be in the table yet.
    /// `value` returns the value with a given number, including the new one.
    pub(super) fn add<V: Hash>(&mut self, value: impl Fn(u32) -> V) -> u32 {
        let next = self.count;
        self.count = next.checked_add(1).expect("fewer names than nodes");
        if next >= MAX_LINEAR_SEARCH_VALUES {
            let first = if next == MAX_LINEAR_SEARCH_VALUES {
                0
            } else {
                next
            };
            for number in first..=next {
                let hash = self.seeds.hash_one(value(number));
                self.table
                    .insert_unique(hash, (hash, number), |(hash, _)| *hash);
            }
        }
        next
    }

    /// Returns the number of bytes that the table has allocated on the heap.
    pub(super) fn heap_size(&self) -> usize {
        self.table.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use super::{Index, MAX_LINEAR_SEARCH_VALUES};
    use alloc::vec::Vec;

    /// Each value is found by its number, in small and large tables, and a value that was not added is not found.
    #[test]
    fn numbers_are_found_again() {
        let (mut index, mut values) = (Index::default(), Vec::new());
        for next in 0..10 * MAX_LINEAR_SEARCH_VALUES {
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
        assert_eq!(index.count, 10 * MAX_LINEAR_SEARCH_VALUES);
    }
}
