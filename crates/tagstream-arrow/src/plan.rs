//! The names of the children of a struct, and the column that each belongs to.

use std::collections::HashMap;

/// Number of names up to which all names are compared, one after another. With more names, a hash table is used.
const MAX_COMPARED_NAMES: usize = 16;

/// Finds the columns of names. Names usually come in the same order in each row, so the name after the last one that was
/// found is compared first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    names: Vec<(Box<[u8]>, u32)>,
    /// The index of each name, if there are many.
    table: HashMap<Box<[u8]>, u32>,
    /// The index that is compared first.
    guess: usize,
}

impl Names {
    pub(crate) fn add(&mut self, name: &str, column: u32) {
        self.names.push((name.as_bytes().into(), column));
        if self.names.len() > MAX_COMPARED_NAMES {
            let rest = self.table.len()..self.names.len();
            for index in rest {
                self.table.insert(self.names[index].0.clone(), index as u32);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the column of a name.
    #[inline]
    pub(crate) fn find(&mut self, name: &str) -> Option<u32> {
        let name = name.as_bytes();
        if let Some((known, column)) = self.names.get(self.guess)
            && **known == *name
        {
            self.guess += 1;
            return Some(*column);
        }
        let index = match self.table.is_empty() {
            true => self.names.iter().position(|(known, _)| **known == *name)?,
            false => *self.table.get(name)? as usize,
        };
        self.guess = index + 1;
        Some(self.names[index].1)
    }

    /// Compares the first name first again.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.guess = 0;
    }
}
