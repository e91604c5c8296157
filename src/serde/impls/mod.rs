//! Implementations of serde's traits for events, positions, errors, limits and counters. Requires the feature `serde`.
//!
//! Each type is converted to a *form*, a struct or enum with the serialized fields ([`Stored`]), and the macros in
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

/// A type that is serialized through a form.
trait Stored: Sized {
    /// The serialized form, which may borrow from the value.
    type Form<'a>
    where
        Self: 'a;

    /// Returns the form of the value.
    fn form(&self) -> Self::Form<'_>;

    /// Converts a form to a value, or returns an error message if no value has this form.
    fn of(form: Self::Form<'_>) -> Result<Self, &'static str>;
}

/// Implements `Serialize` and `Deserialize` for types by converting values to their forms and back.
macro_rules! stored {
    ($($type:ident as $form:ident),*) => {$(
        impl serde_core::Serialize for $type {
            fn serialize<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                crate::serde::impls::Stored::form(self).serialize(to)
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $type {
            fn deserialize<D: serde_core::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let form = $form::deserialize(from)?;
                <$type as crate::serde::impls::Stored>::of(form).map_err(serde_core::de::Error::custom)
            }
        }
    )*};
}

use stored;
