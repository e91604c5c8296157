//! Implementations of serde's traits for events, positions, errors, limits and counters. Requires the feature `serde`.
//!
//! Each type is converted to a *form*, a struct or enum with the serialized fields, and the macros in
//! `shape.rs` serialize the forms. The implementations are not derived, because human-readable formats such as JSON
//! omit fields that have their default value, and binary formats have all fields in a fixed order.
//!
//! Serialized values may come from an untrusted source. Deserialization either returns a value whose methods all
//! work, or an error.

mod codes;
mod errors;
mod events;
mod limits;
mod shape;

/// Implements `Serialize` and `Deserialize` for types by converting values to their forms and back. `of` makes the form
/// of a value, from which it may borrow; a type with a method after its name is converted from the result of the method.
/// `value` converts a form to a value, or returns an error message if no value has this form.
macro_rules! stored {
    ($($type:ident $(. $borrow:ident)? as $form:ident),*) => {$(
        impl serde_core::Serialize for $type {
            fn serialize<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $form::of(&self $(.$borrow())?).serialize(to)
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $type {
            fn deserialize<D: serde_core::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let form = $form::deserialize(from)?;
                form.value().map_err(serde_core::de::Error::custom)
            }
        }
    )*};
}

use stored;
