//! Collects the attributes of the element that a value is serialized as.
//!
//! A struct may declare attribute fields after element fields, but all attributes have to be written before the content
//! of the element. So each struct or map is serialized twice: the first time only the attributes are collected, and the
//! second time the content is written. The first time, the values of other fields are not visited, so a deeply nested
//! value is not serialized more than twice either.

use super::error::SerError;
use super::flat::{key, string};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde_core::ser::{
    Error, Impossible, Serialize, SerializeMap, SerializeStruct, SerializeStructVariant, Serializer,
};

/// The name, without the leading `@`, and the value of each attribute.
pub(super) type Attributes = Vec<(String, String)>;

/// Returns the attributes of the element that a value is serialized as. The list is empty if the value is not a struct
/// or a map.
pub(super) fn attributes<T: ?Sized + Serialize>(value: &T) -> Result<Attributes, SerError> {
    let mut found = Attributes::new();
    match value.serialize(Finder { found: &mut found }) {
        Ok(()) | Err(Stop::NoElement) => Ok(found),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// The reason why collecting attributes ends early.
#[derive(Debug)]
enum Stop {
    /// The value is a sequence, which has no attributes. Its items are not visited, because the sequence may be an
    /// iterator that returns each item only once.
    NoElement,
    Failed(SerError),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::NoElement => f.write_str("a sequence has no attributes"),
            Stop::Failed(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Stop {}

impl Error for Stop {
    fn custom<T: fmt::Display>(message: T) -> Stop {
        Stop::Failed(SerError::custom(message))
    }
}

impl From<SerError> for Stop {
    fn from(error: SerError) -> Stop {
        Stop::Failed(error)
    }
}

struct Finder<'f> {
    found: &'f mut Attributes,
}

macro_rules! without {
    ($($method:ident($($type:ty),*);)*) => {
        $(
            fn $method(self, $(_: $type),*) -> Result<(), Stop> {
                Ok(())
            }
        )*
    };
}

impl<'f> Serializer for Finder<'f> {
    type Ok = ();
    type Error = Stop;
    type SerializeSeq = Impossible<(), Stop>;
    type SerializeTuple = Impossible<(), Stop>;
    type SerializeTupleStruct = Impossible<(), Stop>;
    type SerializeTupleVariant = Impossible<(), Stop>;
    type SerializeMap = Fields<'f>;
    type SerializeStruct = Fields<'f>;
    type SerializeStructVariant = Fields<'f>;

    without! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        value: &T,
    ) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Impossible<(), Stop>, Stop> {
        Err(Stop::NoElement)
    }

    fn serialize_tuple(self, _len: usize) -> Result<Impossible<(), Stop>, Stop> {
        Err(Stop::NoElement)
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _len: usize,
    ) -> Result<Impossible<(), Stop>, Stop> {
        Err(Stop::NoElement)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Impossible<(), Stop>, Stop> {
        Err(Stop::NoElement)
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Fields<'f>, Stop> {
        Ok(self.fields())
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Fields<'f>, Stop> {
        Ok(self.fields())
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Fields<'f>, Stop> {
        Ok(self.fields())
    }
}

impl<'f> Finder<'f> {
    fn fields(self) -> Fields<'f> {
        Fields {
            found: self.found,
            key: String::new(),
        }
    }
}

/// Collects the attributes among the fields of a struct or the entries of a map.
struct Fields<'f> {
    found: &'f mut Attributes,
    /// The map key that was serialized last. Its value is serialized next.
    key: String,
}

impl Fields<'_> {
    fn field<T: ?Sized + Serialize>(&mut self, key: &str, value: &T) -> Result<(), Stop> {
        if let Some(name) = key.strip_prefix('@') {
            self.found.push((name.to_owned(), string(value)?));
        }
        Ok(())
    }
}

macro_rules! fields {
    ($($trait:ident)*) => {
        $(
            impl $trait for Fields<'_> {
                type Ok = ();
                type Error = Stop;

                fn serialize_field<T: ?Sized + Serialize>(
                    &mut self,
                    key: &'static str,
                    value: &T,
                ) -> Result<(), Stop> {
                    self.field(key, value)
                }

                fn end(self) -> Result<(), Stop> {
                    Ok(())
                }
            }
        )*
    };
}

fields! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Fields<'_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, name: &T) -> Result<(), Stop> {
        self.key = key(name)?;
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Stop> {
        let key = core::mem::take(&mut self.key);
        self.field(&key, value)
    }

    fn end(self) -> Result<(), Stop> {
        Ok(())
    }
}
