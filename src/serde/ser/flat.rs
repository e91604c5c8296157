//! The serializer of values that are written as one string: attribute values, texts, items of a list, and keys of a
//! map.

use super::error::SerError;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Write;
use serde_core::ser::{
    Impossible, Serialize, SerializeSeq, SerializeTuple, SerializeTupleStruct, Serializer,
};

/// A serializer that appends a value to a string.
pub(super) struct Flat<'o> {
    pub(super) out: &'o mut String,
    /// True if the value is an item of a list that is separated by spaces. An item must not be a list or an empty
    /// string, and must not contain whitespace.
    pub(super) is_item: bool,
    /// True if the value is the field `$text`. An `Option` with an empty string is refused there, because it would be
    /// read as `None`.
    pub(super) is_text: bool,
}

fn refused(what: &str, name: &str) -> SerError {
    SerError::Unsupported(format!("{what} is no text: `{name}`"))
}

impl Flat<'_> {
    fn push(self, text: &str) -> Result<(), SerError> {
        if self.is_item && (text.is_empty() || text.contains([' ', '\t', '\n', '\r'])) {
            return Err(SerError::Unsupported(format!(
                "an item of a list is not empty, and has no white space: `{}`",
                text.escape_debug()
            )));
        }
        self.out.push_str(text);
        Ok(())
    }

    fn nothing(self) -> Result<(), SerError> {
        self.push("")
    }
}

macro_rules! displayed {
    ($($method:ident $type:ty;)*) => {
        $(
            fn $method(self, value: $type) -> Result<(), SerError> {
                let _ = write!(self.out, "{value}");
                Ok(())
            }
        )*
    };
}

impl<'o> Serializer for Flat<'o> {
    type Ok = ();
    type Error = SerError;
    type SerializeSeq = List<'o>;
    type SerializeTuple = List<'o>;
    type SerializeTupleStruct = List<'o>;
    type SerializeTupleVariant = Impossible<(), SerError>;
    type SerializeMap = Impossible<(), SerError>;
    type SerializeStruct = Impossible<(), SerError>;
    type SerializeStructVariant = Impossible<(), SerError>;

    displayed! {
        serialize_bool bool;
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
        serialize_f32 f32;
        serialize_f64 f64;
    }

    fn serialize_char(self, value: char) -> Result<(), SerError> {
        self.push(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), SerError> {
        self.push(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), SerError> {
        self.push(text_of(value)?)
    }

    fn serialize_none(self) -> Result<(), SerError> {
        self.nothing()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), SerError> {
        let Flat {
            out,
            is_item,
            is_text,
        } = self;
        let before = out.len();
        value.serialize(Flat {
            out: &mut *out,
            is_item,
            is_text,
        })?;
        match is_text && out.len() == before {
            true => Err(SerError::unsupported(
                "`Some` without text would be read as `None` in `$text`",
            )),
            false => Ok(()),
        }
    }

    fn serialize_unit(self) -> Result<(), SerError> {
        self.nothing()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), SerError> {
        self.nothing()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), SerError> {
        match variant {
            "$text" => self.nothing(),
            variant => self.push(variant),
        }
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), SerError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _value: &T,
    ) -> Result<(), SerError> {
        Err(refused("a variant with a value", variant))
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<List<'o>, SerError> {
        match self.is_item {
            true => Err(SerError::unsupported("a list is no item of a list")),
            false => Ok(List {
                out: self.out,
                is_begun: false,
            }),
        }
    }

    fn serialize_tuple(self, len: usize) -> Result<List<'o>, SerError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<List<'o>, SerError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Impossible<(), SerError>, SerError> {
        Err(refused("a variant with values", variant))
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Impossible<(), SerError>, SerError> {
        Err(SerError::unsupported("a map is no text"))
    }

    fn serialize_struct(
        self,
        name: &'static str,
        _len: usize,
    ) -> Result<Impossible<(), SerError>, SerError> {
        Err(refused("a struct", name))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Impossible<(), SerError>, SerError> {
        Err(refused("a variant with fields", variant))
    }
}

/// The serializer of a sequence or tuple, which is written as items with a space between them.
pub(super) struct List<'o> {
    out: &'o mut String,
    /// True if the first item was written.
    is_begun: bool,
}

impl List<'_> {
    fn item<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), SerError> {
        if core::mem::replace(&mut self.is_begun, true) {
            self.out.push(' ');
        }
        value.serialize(Flat {
            out: &mut *self.out,
            is_item: true,
            is_text: false,
        })
    }
}

/// Implements serde's traits for sequences and tuples, which are written as items with a space between them.
macro_rules! lists {
    ($($kind:ident: $item:ident),*) => {
        $(impl $kind for List<'_> {
            type Ok = ();
            type Error = SerError;

            fn $item<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), SerError> {
                self.item(value)
            }

            fn end(self) -> Result<(), SerError> {
                Ok(())
            }
        })*
    };
}

lists!(SerializeSeq: serialize_element, SerializeTuple: serialize_element, SerializeTupleStruct: serialize_field);

/// Returns bytes as a string. Bytes that are not UTF-8 are an error.
pub(super) fn text_of(bytes: &[u8]) -> Result<&str, SerError> {
    core::str::from_utf8(bytes)
        .map_err(|_| SerError::unsupported("bytes that are not UTF-8 are no text"))
}

/// Serializes a value to a string.
pub(super) fn string<T: ?Sized + Serialize>(value: &T) -> Result<String, SerError> {
    flat(value, false)
}

/// Serializes the field `$text` to a string.
pub(super) fn text<T: ?Sized + Serialize>(value: &T) -> Result<String, SerError> {
    flat(value, true)
}

fn flat<T: ?Sized + Serialize>(value: &T, is_text: bool) -> Result<String, SerError> {
    let mut out = String::new();
    value.serialize(Flat {
        out: &mut out,
        is_item: false,
        is_text,
    })?;
    Ok(out)
}

/// Serializes the key of a map to a string. An empty string is an error, because the key is the name of an element or
/// attribute.
pub(super) fn key<T: ?Sized + Serialize>(value: &T) -> Result<String, SerError> {
    let key = string(value)?;
    match key.is_empty() {
        true => Err(SerError::Unsupported("a key is a name".to_string())),
        false => Ok(key),
    }
}
