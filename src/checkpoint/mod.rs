//! Serialization of checkpoints, with the feature `checkpoints`.
//!
//! Every type that is part of a state implements [`Checkpointable`]. Structs and enums do so by a list of their fields,
//! in the macro [`checkpointable!`] at the end of the file that defines them. Without the feature, the macro expands to
//! nothing, and the traits of this module hold for every type (`disabled.rs`).

mod bytes;
mod collections;
mod error;
mod format;
mod shared;
mod values;

pub(crate) use bytes::{Damaged, Reader, Writer};
pub use error::CheckpointError;
#[cfg(feature = "inspect")]
pub use format::inspect_checksum;
pub(crate) use format::{CheckpointKind, Header};

use core::any::Any;

/// A type that can be part of a checkpoint and be restored in another process.
pub trait Checkpointable: Sized {
    /// Appends the value to a checkpoint.
    fn save(&self, to: &mut Writer);

    /// Reads a value from a checkpoint and validates it. Bytes that no [`save`](Self::save) has written are an error
    /// or another valid value. Loading them does not panic.
    fn load(from: &mut Reader<'_>) -> Result<Self, Damaged>;
}

/// The options of a dialect, by which its checkpoints are identified.
pub trait CheckpointableDialect: Checkpointable {
    /// The name of the dialect in the header of a checkpoint.
    const NAME: &'static str;

    /// The constants of the dialect that loading needs: see [`Reader::context`].
    const CONTEXT: &'static dyn Any;

    /// Returns a hash of the options that is the same in every process.
    fn digest(&self) -> u64 {
        let mut options = Writer::default();
        self.save(&mut options);
        format::digest([&*options.into_bytes()])
    }
}

/// A tokenizer whose state can be part of a checkpoint. The state may contain trait objects, whose types only a new
/// tokenizer with the same options knows. These objects are saved after the other fields.
pub trait CheckpointableTokenizer: Checkpointable {
    /// Saves the trait objects.
    fn save_objects(&self, to: &mut Writer) {
        let _ = to;
    }

    /// Moves the trait objects from a new tokenizer with the same options, and loads their state.
    fn load_objects(&mut self, new: Self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        let _ = (new, from);
        Ok(())
    }
}

/// [`Checkpointable`] for trait objects: an existing object takes over the state that is loaded.
pub(crate) trait CheckpointableObject {
    fn save_object(&self, to: &mut Writer);

    fn load_object(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged>;
}

impl<T: Checkpointable> CheckpointableObject for T {
    fn save_object(&self, to: &mut Writer) {
        self.save(to);
    }

    fn load_object(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        *self = T::load(from)?;
        Ok(())
    }
}

/// Implements [`Checkpointable`] for structs and enums. A field or a variant that is missing in the list is a compile
/// error.
///
/// ```text
/// checkpointable! {
///     struct Tag { name, attributes; skip cache = Cache::new() }      `cache` is not saved
///     struct Tree<S: Sink> { nodes, sink; then Tree::validate }       called with `&mut self` after loading
///     struct Offset(bytes);
///     struct NoObserver;
///     enum Answer { Bytes { bytes }, Name(name), Skip }
///     dialect Xml = "xml", errors::ALL;
///     tokenizer XmlMachine;
/// }
/// ```
///
/// A type parameter without a bound must be `Checkpointable`.
macro_rules! checkpointable {
    () => {};
    (struct $type:ident $(<$($generic:ident $(: $bound:path)?),+>)? {
        $($(#[$meta:meta])* $field:ident),* $(,)?
        $(; skip $($(#[$skipped_meta:meta])* $skipped:ident = $value:expr),+)?
        $(; then $validate:expr)?
    } $($rest:tt)*) => {
        impl$(<$($generic: $crate::checkpoint::Checkpointable $(+ $bound)?),+>)?
            $crate::checkpoint::Checkpointable for $type$(<$($generic),+>)?
        {
            fn save(&self, to: &mut $crate::checkpoint::Writer) {
                let Self {
                    $($(#[$meta])* $field,)*
                    $($($(#[$skipped_meta])* $skipped: _,)+)?
                } = self;
                $($(#[$meta])* $crate::checkpoint::Checkpointable::save($field, to);)*
            }

            fn load(
                from: &mut $crate::checkpoint::Reader<'_>,
            ) -> Result<Self, $crate::checkpoint::Damaged> {
                let loaded = Self {
                    $($(#[$meta])* $field: $crate::checkpoint::Checkpointable::load(from)?,)*
                    $($($(#[$skipped_meta])* $skipped: $value,)+)?
                };
                $(
                    let mut loaded = loaded;
                    $validate(&mut loaded)?;
                )?
                Ok(loaded)
            }
        }
        $crate::checkpoint::checkpointable! { $($rest)* }
    };
    (struct $type:ident; $($rest:tt)*) => {
        impl $crate::checkpoint::Checkpointable for $type {
            fn save(&self, _: &mut $crate::checkpoint::Writer) {}

            fn load(
                _: &mut $crate::checkpoint::Reader<'_>,
            ) -> Result<Self, $crate::checkpoint::Damaged> {
                Ok($type)
            }
        }
        $crate::checkpoint::checkpointable! { $($rest)* }
    };
    (struct $type:ident ($($field:ident),+ $(; then $validate:expr)?); $($rest:tt)*) => {
        impl $crate::checkpoint::Checkpointable for $type {
            fn save(&self, to: &mut $crate::checkpoint::Writer) {
                let Self($($field),+) = self;
                $($crate::checkpoint::Checkpointable::save($field, to);)+
            }

            fn load(
                from: &mut $crate::checkpoint::Reader<'_>,
            ) -> Result<Self, $crate::checkpoint::Damaged> {
                $(let $field = $crate::checkpoint::Checkpointable::load(from)?;)+
                let loaded = Self($($field),+);
                $(
                    let mut loaded = loaded;
                    $validate(&mut loaded)?;
                )?
                Ok(loaded)
            }
        }
        $crate::checkpoint::checkpointable! { $($rest)* }
    };
    (enum $type:ident {
        $($variant:ident $(($($value:ident),+))? $({ $($field:ident),+ $(,)? })?),+ $(,)?
    } $($rest:tt)*) => {
        const _: () = {
            enum VariantNumber {
                $($variant),+
            }

            impl $crate::checkpoint::Checkpointable for $type {
                fn save(&self, to: &mut $crate::checkpoint::Writer) {
                    match self {
                        $(Self::$variant $(($($value),+))? $({ $($field),+ })? => {
                            to.number(VariantNumber::$variant as u64);
                            $($($crate::checkpoint::Checkpointable::save($value, to);)+)?
                            $($($crate::checkpoint::Checkpointable::save($field, to);)+)?
                        })+
                    }
                }

                fn load(
                    from: &mut $crate::checkpoint::Reader<'_>,
                ) -> Result<Self, $crate::checkpoint::Damaged> {
                    let number = from.number()?;
                    $(if number == VariantNumber::$variant as u64 {
                        $($(let $value = $crate::checkpoint::Checkpointable::load(from)?;)+)?
                        $($(let $field = $crate::checkpoint::Checkpointable::load(from)?;)+)?
                        return Ok(Self::$variant $(($($value),+))? $({ $($field),+ })?);
                    })+
                    Err($crate::checkpoint::Damaged)
                }
            }
        };
        $crate::checkpoint::checkpointable! { $($rest)* }
    };
    (dialect $type:ident = $name:literal, $codes:expr; $($rest:tt)*) => {
        impl $crate::checkpoint::CheckpointableDialect for $type {
            const NAME: &'static str = $name;
            const CONTEXT: &'static dyn core::any::Any = &$codes;
        }
        $crate::checkpoint::checkpointable! { $($rest)* }
    };
    (tokenizer $type:ident; $($rest:tt)*) => {
        impl $crate::checkpoint::CheckpointableTokenizer for $type {}
        $crate::checkpoint::checkpointable! { $($rest)* }
    };
}
pub(crate) use checkpointable;
