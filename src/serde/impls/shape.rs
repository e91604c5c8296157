//! Serialization of structs and enums by macros, with rules that `serde`'s derive macros do not offer.
//!
//! In a human-readable format (JSON, TOML), fields with their default value are omitted. In a binary format all
//! fields are present, in the order of the declaration, and a variant with a value is its index; a new field or variant
//! therefore has to be added at the end.

use core::fmt;
use core::marker::PhantomData;
use serde_core::de::{DeserializeSeed, Deserializer, Error, Visitor};

/// Declares structs and implements `Serialize` and `Deserialize` for them. The fields before `--` are always
/// serialized and required. In a human-readable format, the fields after it are serialized only if they differ from
/// their default value, which a missing field gets. Unknown fields are ignored. In a binary format, all fields are
/// serialized in this order, so a new field has to be the last.
macro_rules! structs {
    ($(
        $(#[$doc:meta])*
        $name:ident $(<$life:lifetime>)? {
            $($always:ident: $always_type:ty,)*
            --
            $($seldom:ident: $seldom_type:ty,)*
        }
    )*) => {$(
        $(#[$doc])*
        pub(super) struct $name $(<$life>)? {
            $(pub(super) $always: $always_type,)*
            $(pub(super) $seldom: $seldom_type,)*
        }

        super::shape::fields! {
            $name $(<$life>)? {
                $($always: $always_type,)*
                --
                $($seldom: $seldom_type,)*
            }
        }
    )*};
}

/// Implements `Serialize` and `Deserialize` for a struct, by the rules of [`structs!`].
macro_rules! fields {
    (
        $name:ident $(<$life:lifetime>)? {
            $($always:ident: $always_type:ty,)*
            --
            $($seldom:ident: $seldom_type:ty,)*
        }
    ) => {
        impl $(<$life>)? serde_core::Serialize for $name $(<$life>)? {
            fn serialize<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                use serde_core::ser::SerializeStruct;
                const ALWAYS: &[&str] = &[$(stringify!($always),)*];
                let has_names = to.is_human_readable();
                let set_fields: &[bool] = &[$(super::shape::is_set(&self.$seldom),)*];
                let count = super::shape::count(ALWAYS, set_fields, has_names);
                let mut to = to.serialize_struct(stringify!($name), count)?;
                $(to.serialize_field(stringify!($always), &self.$always)?;)*
                $(
                    match !has_names || super::shape::is_set(&self.$seldom) {
                        true => to.serialize_field(stringify!($seldom), &self.$seldom)?,
                        false => to.skip_field(stringify!($seldom))?,
                    }
                )*
                to.end()
            }
        }

        impl<'de $(, $life)?> serde_core::Deserialize<'de> for $name $(<$life>)? {
            fn deserialize<D: serde_core::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                const FIELDS: &[&str] = &[$(stringify!($always),)* $(stringify!($seldom),)*];
                let shape = super::shape::Shape::<Self>::NEW;
                from.deserialize_struct(stringify!($name), FIELDS, shape)
            }
        }

        impl<'de $(, $life)?> serde_core::de::Visitor<'de> for super::shape::Shape<$name $(<$life>)?> {
            type Value = $name $(<$life>)?;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!("the fields of ", stringify!($name)))
            }

            fn visit_seq<A: serde_core::de::SeqAccess<'de>>(
                self,
                mut list: A,
            ) -> Result<Self::Value, A::Error> {
                Ok($name {
                    $($always: super::shape::next(&mut list, &self)?,)*
                    $($seldom: super::shape::next(&mut list, &self)?,)*
                })
            }

            fn visit_map<A: serde_core::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                const FIELDS: &[&str] = &[$(stringify!($always),)* $(stringify!($seldom),)*];
                $(let mut $always: Option<$always_type> = None;)*
                $(let mut $seldom: Option<$seldom_type> = None;)*
                while let Some(field) = map.next_key_seed(super::shape::Name(FIELDS))? {
                    match field {
                        $(Some(stringify!($always)) => {
                            super::shape::put(&mut $always, &mut map, stringify!($always))?;
                        })*
                        $(Some(stringify!($seldom)) => {
                            super::shape::put(&mut $seldom, &mut map, stringify!($seldom))?;
                        })*
                        _ => {
                            map.next_value::<serde_core::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok($name {
                    $($always: super::shape::found($always, stringify!($always))?,)*
                    $($seldom: $seldom.unwrap_or_default(),)*
                })
            }
        }
    };
}

/// Declares enums whose variants contain one value, and implements `Serialize` and `Deserialize` for them. In a
/// binary format a variant is its index, so a new variant has to be the last.
macro_rules! enums {
    ($(
        $(#[$doc:meta])*
        $name:ident $(<$life:lifetime>)? {
            $($variant:ident($value:ty) = $said:literal,)*
        }
    )*) => {$(
        $(#[$doc])*
        pub(super) enum $name $(<$life>)? {
            $($variant($value),)*
        }

        impl $(<$life>)? $name $(<$life>)? {
            const NAMES: &'static [&'static str] = &[$($said),*];
        }

        impl $(<$life>)? serde_core::Serialize for $name $(<$life>)? {
            fn serialize<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let name = stringify!($name);
                match self {
                    $($name::$variant(value) => {
                        let index = super::shape::index($said, Self::NAMES);
                        to.serialize_newtype_variant(name, index, $said, value)
                    })*
                }
            }
        }

        impl<'de $(, $life)?> serde_core::Deserialize<'de> for $name $(<$life>)? {
            fn deserialize<D: serde_core::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let shape = super::shape::Shape::<Self>::NEW;
                from.deserialize_enum(stringify!($name), Self::NAMES, shape)
            }
        }

        impl<'de $(, $life)?> serde_core::de::Visitor<'de> for super::shape::Shape<$name $(<$life>)?> {
            type Value = $name $(<$life>)?;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!("a variant of ", stringify!($name)))
            }

            fn visit_enum<A: serde_core::de::EnumAccess<'de>>(
                self,
                from: A,
            ) -> Result<Self::Value, A::Error> {
                use serde_core::de::{Error, VariantAccess};
                let names = super::shape::Name(Self::Value::NAMES);
                let (found, value) = from.variant_seed(names)?;
                match found {
                    $(Some($said) => Ok($name::$variant(value.newtype_variant()?)),)*
                    _ => Err(Error::custom(concat!("no variant of ", stringify!($name)))),
                }
            }
        }
    )*};
}

/// Implements `Serialize` and `Deserialize` for enums whose variants contain nothing: a variant is its name.
macro_rules! names {
    ($($name:ident { $($variant:ident = $said:literal,)* })*) => {$(
        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(match self {
                    $($name::$variant => $said,)*
                })
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $name {
            fn deserialize<D: serde_core::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                use serde_core::de::Error;
                match &*alloc::string::String::deserialize(from)? {
                    $($said => Ok($name::$variant),)*
                    _ => Err(Error::custom(concat!("no variant of ", stringify!($name)))),
                }
            }
        }
    )*};
}

pub(super) use {enums, fields, names, structs};

/// The `serde` visitor of a struct or an enum.
pub(super) struct Shape<T>(PhantomData<fn() -> T>);

impl<T> Shape<T> {
    pub(super) const NEW: Shape<T> = Shape(PhantomData);
}

/// Returns whether a field differs from its default value.
pub(super) fn is_set<T: Default + PartialEq>(field: &T) -> bool {
    *field != T::default()
}

/// Returns the number of fields to serialize. `set_fields` has one value for each field that may be omitted, which is
/// true if the field differs from its default value. `has_names` is true in a human-readable format.
pub(super) fn count(always: &[&str], set_fields: &[bool], has_names: bool) -> usize {
    let seldom = set_fields.iter().filter(|is_set| **is_set || !has_names);
    always.len() + seldom.count()
}

/// Returns the index of a name in a list of names.
pub(super) fn index(name: &str, names: &[&str]) -> u32 {
    let found = names.iter().position(|other| *other == name);
    found.unwrap_or(names.len()) as u32
}

/// Deserializes the next field of a struct in a binary format.
pub(super) fn next<'de, T, A>(
    list: &mut A,
    wanted: &dyn serde_core::de::Expected,
) -> Result<T, A::Error>
where
    T: serde_core::Deserialize<'de>,
    A: serde_core::de::SeqAccess<'de>,
{
    list.next_element()?
        .ok_or_else(|| Error::custom(format_args!("too few fields: expected {wanted}")))
}

/// Deserializes the value of a field. A second value for the same field is an error.
pub(super) fn put<'de, T, A>(
    field: &mut Option<T>,
    map: &mut A,
    name: &'static str,
) -> Result<(), A::Error>
where
    T: serde_core::Deserialize<'de>,
    A: serde_core::de::MapAccess<'de>,
{
    match field.replace(map.next_value()?) {
        None => Ok(()),
        Some(_) => Err(Error::duplicate_field(name)),
    }
}

/// Returns the value of a required field. A missing value is an error.
pub(super) fn found<T, E: Error>(field: Option<T>, name: &'static str) -> Result<T, E> {
    field.ok_or_else(|| Error::missing_field(name))
}

/// Deserializes an identifier: one of the given names, or its index. Any other value results in `None`.
pub(super) struct Name(pub(super) &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        let index = usize::try_from(number).ok();
        Ok(index.and_then(|index| self.0.get(index)).copied())
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().find(|other| **other == name).copied())
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Self::Value, E> {
        Ok(self
            .0
            .iter()
            .find(|other| other.as_bytes() == name)
            .copied())
    }
}
