//! Events, places, errors, limits and counters as values of serde, behind the feature `serde`: `shape.rs` writes and
//! reads structs and enums, the other files say what is in them. It must not know of formats.
//!
//! What is read may be anything: it is refused, or it is a value whose methods all hold.

mod codes;
mod errors;
mod events;
mod limits;
mod shape;

/// What is stored in a form of its own.
trait Stored: Sized {
    type Form<'a>
    where
        Self: 'a;

    fn form(&self) -> Self::Form<'_>;

    /// What a form says, which may be nothing that there is.
    fn of(form: Self::Form<'_>) -> Result<Self, &'static str>;
}

/// Reads and writes values in their forms.
macro_rules! stored {
    ($($type:ident as $form:ident),*) => {$(
        impl serde_core::Serialize for $type {
            fn serialize<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                crate::stored::Stored::form(self).serialize(to)
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $type {
            fn deserialize<D: serde_core::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let form = $form::deserialize(from)?;
                <$type as crate::stored::Stored>::of(form).map_err(serde_core::de::Error::custom)
            }
        }
    )*};
}

use stored;
