//! The type of all rows, and the shapes of rows that change nothing in it.

use super::shape::Shape;
use super::types::{Fields, Merge, Type, fields_of};
use crate::options::Options;
use arrow_schema::Field;
use std::collections::HashSet;

/// Maximum number of shapes of rows that are remembered, and of bytes of each.
const MAX_KNOWN_SHAPES: usize = 1024;
const MAX_KNOWN_BYTES: usize = 4096;

/// The type of all rows.
#[derive(Debug)]
pub(super) struct Merged {
    found: Type,
    /// Number of fields of `found`, at least.
    pub(super) columns: usize,
    /// Shapes of rows that change nothing in `found`.
    known: HashSet<Vec<u8>>,
    /// The last of these shapes that was found again, or none. A row without content changes nothing either.
    last_known: Vec<u8>,
}

impl Merged {
    pub(super) fn new() -> Merged {
        Merged {
            found: Type::Struct(Fields::default()),
            columns: 0,
            known: HashSet::new(),
            last_known: Vec::new(),
        }
    }

    /// Returns whether rows of this shape are known to change nothing.
    pub(super) fn is_known(&mut self, shape: &Shape) -> bool {
        if self.last_known == shape.bytes() {
            return true;
        }
        let is_known = self.known.contains(shape.bytes());
        if is_known {
            self.last_known.clear();
            self.last_known.extend_from_slice(shape.bytes());
        }
        is_known
    }

    /// Remembers a shape that changes nothing.
    pub(super) fn remember(&mut self, shape: &Shape) {
        if shape.bytes().len() <= MAX_KNOWN_BYTES {
            if self.known.len() >= MAX_KNOWN_SHAPES {
                self.known.clear();
            }
            self.known.insert(shape.bytes().to_vec());
        }
    }

    /// Merges the fields of a row into the type. Returns true if the type has changed, and adds the columns that were
    /// widened to a list, each with the reason.
    pub(super) fn merge(
        &mut self,
        fields: Fields,
        options: &Options,
        widened: &mut Vec<(String, String)>,
    ) -> bool {
        let found = std::mem::replace(&mut self.found, Type::Null);
        let mut merge = Merge {
            widened: Some(widened),
            ..Merge::of_row(&options.value_tag)
        };
        self.found = merge.merge(found, Type::Struct(fields));
        self.columns += merge.added;
        if merge.has_changed {
            // The shapes may change the new type.
            self.known.clear();
            self.last_known.clear();
        }
        merge.has_changed
    }

    /// Returns the fields of Arrow.
    pub(super) fn into_fields(self, options: &Options) -> Vec<Field> {
        match self.found {
            Type::Struct(fields) => fields_of(fields, options),
            _ => Vec::new(),
        }
    }
}
