//! Serialization of the parts of tree construction that are constants in every process. A checkpoint contains a
//! number for them, or nothing.

use crate::dialects::html::construct::notation::Table;
use crate::dialects::html::construct::schema::TABLES;

/// Returns the tables of rules, which a checkpoint does not contain.
pub(super) fn all() -> &'static [Table; TABLES.len()] {
    &TABLES
}

/// Serialization of a reference to an element class as the number of the class.
pub(super) mod class {
    use crate::dialects::html::construct::elements::{
        Class, FOREIGN_ORDINARY, FOREIGN_SCRIPT, FOREIGN_SPECIAL, HTML, NOTHING,
    };
    use serde_core::{Deserialize, Deserializer, Serializer};

    static FOREIGN: [&Class; 3] = [&FOREIGN_ORDINARY, &FOREIGN_SPECIAL, &FOREIGN_SCRIPT];

    fn all() -> impl Iterator<Item = &'static Class> {
        HTML.iter().chain(FOREIGN)
    }

    /// Serializes the number of a class. [`NOTHING`], the class of the document, has the number that follows all
    /// others.
    pub(in crate::dialects::html) fn serialize<S: Serializer>(
        class: &&'static Class,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let number = all().position(|one| core::ptr::eq(one, *class));
        to.serialize_u64(number.unwrap_or(all().count()) as u64)
    }

    pub(in crate::dialects::html) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<&'static Class, D::Error> {
        let number: u64 = Deserialize::deserialize(from)?;
        Ok(all().nth(number as usize).unwrap_or(&NOTHING))
    }
}
