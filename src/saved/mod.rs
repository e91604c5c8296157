//! What is saved of a parser in mid-document, and how it is put together again: behind the feature `checkpoints`.
//!
//! Most types derive serde's traits, so that no field is forgotten. What cannot derive them, and what a program
//! sees (whose own form in serde, if it has one, is for people), is [`Saved`]; a field of such a type says
//! `serde(with = "crate::saved")`. This room must not know what a parser is.

mod error;
mod format;
mod hashed;
mod shared;

pub use error::CheckpointError;
#[cfg(feature = "inspect")]
pub use format::inspect_checksum;
pub(crate) use format::{Header, Kind, digest};

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use bytes::Bytes;
use serde_core::de::{DeserializeOwned, Error as _};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// What can be saved, and read again in another process.
pub trait Saved: Sized {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error>;

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error>;
}

/// Saves a field: for `serde(with = "crate::saved")`.
pub(crate) fn serialize<T: Saved, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.save(to)
}

/// Loads a field: the same.
pub(crate) fn deserialize<'de, T: Saved, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::load(from)
}

/// A value in the form that is saved.
pub(crate) struct Saving<'v, T>(pub(crate) &'v T);

impl<T: Saved> Serialize for Saving<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.save(to)
    }
}

/// A value from that form.
pub(crate) struct Loaded<T>(pub(crate) T);

impl<'de, T: Saved> Deserialize<'de> for Loaded<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Loaded<T>, D::Error> {
        T::load(from).map(Loaded)
    }
}

/// The bytes of a state; what its parts share is saved once.
pub(crate) fn to_bytes(state: &impl Serialize) -> Vec<u8> {
    // It fails for sequences of no known length alone, of which there are none.
    postcard::to_allocvec(state).expect("every length is known")
}

/// A state of its bytes, which must be all used up.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CheckpointError> {
    match first(bytes)? {
        (state, []) => Ok(state),
        _ => Err(CheckpointError::Damaged),
    }
}

/// The first state of several, and the bytes behind it.
pub(crate) fn first<'b, T: Deserialize<'b>>(
    bytes: &'b [u8],
) -> Result<(T, &'b [u8]), CheckpointError> {
    postcard::take_from_bytes(bytes).map_err(|_| CheckpointError::Damaged)
}

/// Saves or loads several states one after another, always in the same order: what they share stays shared.
pub(crate) fn together<T>(work: impl FnOnce() -> T) -> T {
    shared::together(work)
}

/// How a type with named fields is saved, or an enum without any: field by field, so that one that is forgotten
/// does not compile.
macro_rules! saved {
    (enum $type:ident { $($variant:ident),* $(,)? }) => {
        impl $crate::saved::Saved for $type {
            fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let (mut number, mut found) = (0_u8, 0_u8);
                $(number += 1;
                if matches!(self, $type::$variant) {
                    found = number;
                })*
                // Every variant is in the list.
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
        impl $crate::saved::Saved for $type {
            fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let $type { $($field),* } = self;
                serde_core::Serialize::serialize(&($($crate::saved::Saving($field),)*), to)
            }

            fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let ($($crate::saved::Loaded($field),)*) = serde_core::Deserialize::deserialize(from)?;
                Ok($type { $($field),* })
            }
        }
    };
}
pub(crate) use saved;

/// Types that are saved as serde has them.
macro_rules! plain {
    ($($type:ty),* $(,)?) => {
        $(impl $crate::saved::Saved for $type {
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

/// Any number of values, one after another.
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

/// Bytes that may be lent are saved as they are.
impl Saved for Bytes {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self)
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        let bytes: &[u8] = Deserialize::deserialize(from)?;
        Ok(Bytes::copy_from_slice(bytes))
    }
}

/// A digest of a value that does not change.
pub(crate) fn digest_of(value: &impl Saved) -> u64 {
    together(|| digest([&*to_bytes(&Saving(value))]))
}
