//! Serialization of checkpoints, with the feature `checkpoints`.
//!
//! Most internal types derive serde's traits, so no field can be forgotten. Two groups of types implement [`Saved`]
//! instead: types that cannot derive the traits, and public types, whose serde implementation (if they have one) is
//! meant for people and may differ. A field of such a type is annotated with `serde(with = "crate::checkpoint")`.

mod error;
mod format;
mod hashed;
mod shared;

pub use error::CheckpointError;
#[cfg(feature = "inspect")]
pub use format::inspect_checksum;
pub(crate) use format::{CheckpointKind, Header, digest};

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use bytes::Bytes;
use serde_core::de::{DeserializeOwned, Error as _};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// A type that can be part of a checkpoint and be restored in another process.
pub trait Saved: Sized {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error>;

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error>;
}

/// Saves a field that is annotated with `serde(with = "crate::checkpoint")`.
pub(crate) fn serialize<T: Saved, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.save(to)
}

/// Loads a field that is annotated with `serde(with = "crate::checkpoint")`.
pub(crate) fn deserialize<'de, T: Saved, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::load(from)
}

/// Adapter that serializes a [`Saved`] value with serde.
pub(crate) struct Saving<'v, T>(pub(crate) &'v T);

impl<T: Saved> Serialize for Saving<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.save(to)
    }
}

/// Adapter that deserializes a [`Saved`] value with serde.
pub(crate) struct Loaded<T>(pub(crate) T);

impl<'de, T: Saved> Deserialize<'de> for Loaded<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Loaded<T>, D::Error> {
        T::load(from).map(Loaded)
    }
}

/// Serializes a state. Call it within [`together`], so that shared values are saved once.
pub(crate) fn to_bytes(state: &impl Serialize) -> Vec<u8> {
    // Only sequences of unknown length fail to serialize, and there are none.
    postcard::to_allocvec(state).expect("every length is known")
}

/// Deserializes a state. It is an error if bytes are left.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CheckpointError> {
    match first(bytes)? {
        (state, []) => Ok(state),
        _ => Err(CheckpointError::Damaged),
    }
}

/// Deserializes the first of several states, and returns it with the bytes after it.
pub(crate) fn first<'b, T: Deserialize<'b>>(
    bytes: &'b [u8],
) -> Result<(T, &'b [u8]), CheckpointError> {
    postcard::take_from_bytes(bytes).map_err(|_| CheckpointError::Damaged)
}

/// Runs `work`, which saves or loads several states in a fixed order. Values that the states share are saved once,
/// and shared again after loading.
pub(crate) fn together<T>(work: impl FnOnce() -> T) -> T {
    shared::together(work)
}

/// Implements [`Saved`] for a struct with named fields or for an enum without fields. A field or variant that is
/// missing in the list is a compile error.
macro_rules! saved {
    (enum $type:ident { $($variant:ident),* $(,)? }) => {
        impl $crate::checkpoint::Saved for $type {
            fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let (mut number, mut found) = (0_u8, 0_u8);
                $(number += 1;
                if matches!(self, $type::$variant) {
                    found = number;
                })*
                // The match is a compile error if a variant is missing in the list.
                match self {
                    $($type::$variant => to.serialize_u8(found),)*
                }
            }

            fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                const ALL: &[$type] = &[$($type::$variant),*];
                let number: u8 = serde_core::Deserialize::deserialize(from)?;
                let found = ALL.iter().nth(usize::from(number).wrapping_sub(1));
                found.copied().ok_or_else(|| serde_core::de::Error::custom("no such value"))
            }
        }
    };
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl $crate::checkpoint::Saved for $type {
            fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let $type { $($field),* } = self;
                serde_core::Serialize::serialize(&($($crate::checkpoint::Saving($field),)*), to)
            }

            fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let ($($crate::checkpoint::Loaded($field),)*) = serde_core::Deserialize::deserialize(from)?;
                Ok($type { $($field),* })
            }
        }
    };
}
pub(crate) use saved;

/// Implements [`Saved`] for types by their serde implementation.
macro_rules! plain {
    ($($type:ty),* $(,)?) => {
        $(impl $crate::checkpoint::Saved for $type {
            fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                serde_core::Serialize::serialize(self, to)
            }

            fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                serde_core::Deserialize::deserialize(from)
            }
        })*
    };
}
pub(crate) use plain;

plain!(
    (),
    bool,
    u8,
    u32,
    u64,
    usize,
    String,
    Box<str>,
    (u32, u32, bool)
);

impl<T: Saved> Saved for Option<T> {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Saving).serialize(to)
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
        let loaded: Option<Loaded<T>> = Deserialize::deserialize(from)?;
        Ok(loaded.map(|loaded| loaded.0))
    }
}

impl<T: Saved> Saved for Box<T> {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (**self).save(to)
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Box<T>, D::Error> {
        T::load(from).map(Box::new)
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (Saving(&self.0), Saving(&self.1)).serialize(to)
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<(A, B), D::Error> {
        let (Loaded(first), Loaded(second)) = Deserialize::deserialize(from)?;
        Ok((first, second))
    }
}

/// Loads a sequence of values.
fn load_all<'de, T: Saved, C: FromIterator<T>, D: Deserializer<'de>>(
    from: D,
) -> Result<C, D::Error> {
    let loaded: Vec<Loaded<T>> = Deserialize::deserialize(from)?;
    Ok(loaded.into_iter().map(|loaded| loaded.0).collect())
}

impl<T: Saved> Saved for Vec<T> {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(Saving))
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
        load_all(from)
    }
}

impl<T: Saved> Saved for VecDeque<T> {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(Saving))
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<VecDeque<T>, D::Error> {
        load_all(from)
    }
}

impl<K: Saved + Ord, V: Saved> Saved for BTreeMap<K, V> {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(|(key, value)| (Saving(key), Saving(value))))
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<K, V>, D::Error> {
        load_all::<(K, V), _, D>(from)
    }
}

impl<T: Saved + Copy, const N: usize> Saved for [T; N] {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(Saving))
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<[T; N], D::Error> {
        let all: Vec<T> = load_all(from)?;
        <[T; N]>::try_from(all).map_err(|_| D::Error::custom("another number of values"))
    }
}

/// The bytes may be borrowed from the caller's buffer, so loading copies them.
impl Saved for Bytes {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self)
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        let bytes: &[u8] = Deserialize::deserialize(from)?;
        Ok(Bytes::copy_from_slice(bytes))
    }
}

/// Returns a hash of a value that is the same in every process.
pub(crate) fn digest_of(value: &impl Saved) -> u64 {
    together(|| digest([&*to_bytes(&Saving(value))]))
}
