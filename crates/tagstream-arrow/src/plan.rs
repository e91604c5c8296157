//! The names of the children of a struct, and the column that each belongs to, for reading and for inference.

use std::collections::HashMap;

/// Number of names up to which all names are compared, one after another. With more names, a hash table is used.
const MAX_COMPARED_NAMES: usize = 16;

/// The length of a name and its last eight bytes. Names of at most eight bytes are equal if their keys are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    len: usize,
    tail: u64,
}

impl Key {
    #[inline(always)]
    fn new(name: &[u8]) -> Key {
        let len = name.len();
        let tail = match name.last_chunk::<8>() {
            Some(tail) => u64::from_le_bytes(*tail),
            None => match (name.first_chunk::<4>(), name.last_chunk::<4>()) {
                (Some(first), Some(last)) => {
                    u64::from(u32::from_le_bytes(*first))
                        | u64::from(u32::from_le_bytes(*last)) << 32
                }
                _ => name
                    .iter()
                    .fold(0, |tail, byte| tail << 8 | u64::from(*byte)),
            },
        };
        Key { len, tail }
    }

    /// Returns a bit of [`Names::filter`].
    #[inline(always)]
    fn bit(self) -> u64 {
        let mixed = (self.tail ^ self.len as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        1 << (mixed >> 58)
    }
}

/// A name and its column.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    key: Key,
    name: Box<str>,
    column: u32,
    /// The index of the name that came after this one when it was found last.
    next: u32,
}

impl Known {
    #[inline(always)]
    fn is(&self, key: Key, name: &[u8]) -> bool {
        self.key == key && (name.len() <= 8 || *self.name.as_bytes() == *name)
    }
}

/// Finds the columns of names. Names usually come in the same order in each row, so the name that came after the last one in
/// an earlier row is compared first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Names {
    names: Vec<Known>,
    /// The index of each name, if there are many.
    table: HashMap<Box<[u8]>, u32>,
    /// A bit for each name. A name whose bit is not set is not known.
    filter: u64,
    /// The index that is compared first.
    guess: usize,
    /// The index of the name that was found last in this row.
    last: Option<u32>,
    /// The index of the name that came first in an earlier row.
    first: u32,
}

impl Names {
    pub(crate) fn add(&mut self, name: &str, column: u32) {
        let key = Key::new(name.as_bytes());
        self.filter |= key.bit();
        self.names.push(Known {
            key,
            name: name.into(),
            column,
            next: self.names.len() as u32 + 1,
        });
        if self.names.len() > MAX_COMPARED_NAMES {
            for index in self.table.len()..self.names.len() {
                self.table
                    .insert(self.names[index].name.as_bytes().into(), index as u32);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the column of a name.
    ///
    /// PERF: the key and the filter reject most names of elements without a column without a comparison of bytes. With
    /// them, one of twenty columns takes 14 % less time.
    #[inline(always)]
    pub(crate) fn find(&mut self, name: &[u8]) -> Option<u32> {
        let key = Key::new(name);
        if let Some(known) = self.names.get(self.guess)
            && known.is(key, name)
        {
            self.last = Some(self.guess as u32);
            self.guess = known.next as usize;
            return Some(known.column);
        }
        if self.filter & key.bit() == 0 {
            return None;
        }
        self.search(key, name)
    }

    fn search(&mut self, key: Key, name: &[u8]) -> Option<u32> {
        let index = self.position(key, name)?;
        match self.last.replace(index as u32) {
            Some(last) => self.names[last as usize].next = index as u32,
            None => self.first = index as u32,
        }
        self.guess = self.names[index].next as usize;
        Some(self.names[index].column)
    }

    fn position(&self, key: Key, name: &[u8]) -> Option<usize> {
        match self.table.is_empty() {
            true => self.names.iter().position(|known| known.is(key, name)),
            false => self.table.get(name).map(|index| *index as usize),
        }
    }

    /// Returns true if a name has no column. False means that the name may have one.
    #[inline(always)]
    pub(crate) fn lacks(&self, name: &[u8]) -> bool {
        self.filter & Key::new(name).bit() == 0
    }

    /// Returns the column of a name that has no place in the order of the names.
    #[inline]
    pub(crate) fn get(&self, name: &str) -> Option<u32> {
        let name = name.as_bytes();
        let key = Key::new(name);
        if self.filter & key.bit() == 0 {
            return None;
        }
        let index = self.position(key, name)?;
        Some(self.names[index].column)
    }

    /// Returns the name that was added after `index` others.
    pub(crate) fn name(&self, index: u32) -> &str {
        &self.names[index as usize].name
    }

    /// Returns the names in the order in which they were added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|known| &*known.name)
    }

    /// Compares the first name first again.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.last = None;
        self.guess = self.first as usize;
    }
}
