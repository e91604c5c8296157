//! How structs and enums are written and read: with their names where people read, without them where they do not. It
//! must not know what they are.

use core::fmt;
use core::marker::PhantomData;
use serde_core::de::{DeserializeSeed, Deserializer, Error, Visitor};

/// Structs as serde has them. The fields of the first part are always written; those of the second only where they say
/// something, if the format has names, and are nothing where they are missing. A field that is not known is passed
/// over. A format without names has all of them in this order, so that a new one comes last.
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

        impl $(<$life>)? serde_core::Serialize for $name $(<$life>)? {
            fn serialize<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                use serde_core::ser::SerializeStruct;
                const ALWAYS: &[&str] = &[$(stringify!($always),)*];
                let has_names = to.is_human_readable();
                let says: &[bool] = &[$(super::shape::says(&self.$seldom),)*];
                let count = super::shape::count(ALWAYS, says, has_names);
                let mut to = to.serialize_struct(stringify!($name), count)?;
                $(to.serialize_field(stringify!($always), &self.$always)?;)*
                $(
                    match !has_names || super::shape::says(&self.$seldom) {
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
    )*};
}

/// Enums as serde has them, each variant with one value. A format without names has their numbers, so that a new one
/// comes last.
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

/// Enums that are names alone. A format without names has their numbers, so that a new one comes last.
macro_rules! names {
    ($($name:ident { $($variant:ident = $said:literal,)* })*) => {$(
        impl $name {
            const NAMES: &'static [&'static str] = &[$($said),*];
        }

        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let said = match self {
                    $($name::$variant => $said,)*
                };
                let index = super::shape::index(said, Self::NAMES);
                to.serialize_unit_variant(stringify!($name), index, said)
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $name {
            fn deserialize<D: serde_core::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let shape = super::shape::Shape::<Self>::NEW;
                from.deserialize_enum(stringify!($name), Self::NAMES, shape)
            }
        }

        impl<'de> serde_core::de::Visitor<'de> for super::shape::Shape<$name> {
            type Value = $name;

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
                value.unit_variant()?;
                match found {
                    $(Some($said) => Ok($name::$variant),)*
                    _ => Err(Error::custom(concat!("no variant of ", stringify!($name)))),
                }
            }
        }
    )*};
}

pub(super) use {enums, names, structs};

/// Who reads a struct or an enum.
pub(super) struct Shape<T>(PhantomData<fn() -> T>);

impl<T> Shape<T> {
    pub(super) const NEW: Shape<T> = Shape(PhantomData);
}

/// Whether a field says something.
pub(super) fn says<T: Default + PartialEq>(field: &T) -> bool {
    *field != T::default()
}

/// How many fields are written.
pub(super) fn count(always: &[&str], says: &[bool], has_names: bool) -> usize {
    let seldom = says.iter().filter(|says| **says || !has_names);
    always.len() + seldom.count()
}

/// The number of a name among others.
pub(super) fn index(name: &str, names: &[&str]) -> u32 {
    let found = names.iter().position(|other| *other == name);
    found.unwrap_or(names.len()) as u32
}

/// The next field of a struct without names.
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

/// The value of a field, which may come once.
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

/// The value of a field that has to be there.
pub(super) fn found<T, E: Error>(field: Option<T>, name: &'static str) -> Result<T, E> {
    field.ok_or_else(|| Error::missing_field(name))
}

/// Reads one of these names, or its number; any other is none of them.
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
