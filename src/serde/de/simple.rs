//! The deserializer of values that are one string: attribute values, texts, items of a list, and names.

use super::error::DeError;
use super::level::TEXT;
use crate::engine::error::Span;
use crate::engine::text::xml_names::is_white_space;
use core::str::FromStr;
use serde_core::de::value::UnitDeserializer;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, SeqAccess, VariantAccess,
    Visitor,
};

/// The part of the document from which a string can be borrowed, if it equals this part.
#[derive(Clone, Copy)]
pub(super) enum Origin<'de> {
    /// The string cannot be borrowed.
    Nowhere,
    /// The string is a text of the document. Contains the document, and the byte range of the text or CDATA section.
    Text(&'de str, Span),
    /// The string is the value of an attribute or the name of an element. Contains the document, and the byte range.
    Written(&'de str, Span),
    /// The string is borrowed already, and is known to equal this part of the document.
    Known(&'de str),
}

/// A string of the document that is deserialized as a value.
#[derive(Clone, Copy)]
pub(super) struct Simple<'de, 'a> {
    text: &'a str,
    origin: Origin<'de>,
    /// True if the string is an item of a list that is separated by whitespace. Such an item cannot be a list itself.
    is_item: bool,
    /// True if the string is the field `$text` of an element that may have no text.
    is_at_end: bool,
}

const CDATA: &str = "<![CDATA[";

fn slice(input: &str, span: Span) -> Option<&str> {
    input.get(usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?)
}

impl<'de, 'a> Simple<'de, 'a> {
    pub(super) fn new(text: &'a str) -> Simple<'de, 'a> {
        Simple::of(text, Origin::Nowhere)
    }

    /// Creates a string value from a static string, which can always be borrowed.
    pub(super) fn known(text: &'static str) -> Simple<'de, 'a> {
        Simple::of(text, Origin::Known(text))
    }

    pub(super) fn of(text: &'a str, origin: Origin<'de>) -> Simple<'de, 'a> {
        Simple {
            text,
            origin,
            is_item: false,
            is_at_end: false,
        }
    }

    /// Creates the string for the field `$text` at the end of an element without other text. If the string is empty,
    /// the element has no text, which is `None` for an `Option`.
    pub(super) fn at_end(text: &'a str) -> Simple<'de, 'a> {
        Simple {
            is_at_end: true,
            ..Simple::new(text)
        }
    }

    /// Returns whether the string is the text of an element that has no text.
    fn is_missing(&self) -> bool {
        self.is_at_end && self.text.is_empty()
    }

    /// Returns the string borrowed from the document, if the document contains it with the same bytes. An empty string
    /// can always be borrowed, because it has no bytes.
    pub(super) fn lent(&self) -> Option<&'de str> {
        if self.text.is_empty() {
            return Some("");
        }
        let found = match self.origin {
            Origin::Nowhere => return None,
            Origin::Known(text) => return Some(text),
            Origin::Text(input, span) => {
                let written = slice(input, span)?;
                let section = written.strip_prefix(CDATA);
                let inside = section.and_then(|section| section.strip_suffix("]]>"));
                inside.unwrap_or(written)
            }
            Origin::Written(input, span) => slice(input, span)?,
        };
        (found == self.text).then_some(found)
    }

    #[inline]
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn trimmed(&self) -> &'a str {
        self.text.trim_matches(is_white_space)
    }

    fn parsed<T: FromStr>(&self) -> Option<T> {
        self.trimmed().parse().ok()
    }
}

/// Implements the methods that deserialize numbers. A string that is not a number is passed to the type as a string, so
/// that the type returns its own error message.
macro_rules! numbers {
    ($($method:ident $visit:ident;)*) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
                match self.parsed() {
                    Some(number) => visitor.$visit(number),
                    None if self.is_missing() => Err(DeError::missing_field(TEXT)),
                    None => self.deserialize_str(visitor),
                }
            }
        )*
    };
}

impl<'de> Deserializer<'de> for Simple<'de, '_> {
    type Error = DeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.trimmed() {
            "1" | "true" => visitor.visit_bool(true),
            "0" | "false" => visitor.visit_bool(false),
            _ if self.is_missing() => Err(DeError::missing_field(TEXT)),
            _ => self.deserialize_str(visitor),
        }
    }

    numbers! {
        deserialize_i8 visit_i8;
        deserialize_i16 visit_i16;
        deserialize_i32 visit_i32;
        deserialize_i64 visit_i64;
        deserialize_i128 visit_i128;
        deserialize_u8 visit_u8;
        deserialize_u16 visit_u16;
        deserialize_u32 visit_u32;
        deserialize_u64 visit_u64;
        deserialize_u128 visit_u128;
        deserialize_f32 visit_f32;
        deserialize_f64 visit_f64;
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.trimmed() {
            // If the string contains whitespace only, the character that the type expects may be whitespace.
            "" => self.deserialize_str(visitor),
            trimmed => visitor.visit_str(trimmed),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.lent() {
            Some(text) => visitor.visit_borrowed_str(text),
            None => visitor.visit_str(self.text),
        }
    }

    /// Passes the string without a borrow from the document, because the type requests an owned string.
    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_str(self.text)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.lent() {
            Some(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            None => visitor.visit_bytes(self.text.as_bytes()),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.text.is_empty() && (self.is_item || self.is_at_end) {
            true => visitor.visit_none(),
            false => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.is_item {
            true => self.deserialize_str(visitor),
            false => visitor.visit_seq(List {
                rest: self.text,
                lent: self.lent(),
            }),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        // No variant has an empty name, so an empty string is the text variant.
        visitor.visit_enum(match self.text {
            "" => Simple::new(TEXT),
            _ => self,
        })
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_str(self.text)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_unit()
    }
}

impl<'de> EnumAccess<'de> for Simple<'de, '_> {
    type Error = DeError;
    type Variant = Unit;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Unit), DeError> {
        Ok((seed.deserialize(self)?, Unit))
    }
}

impl<'de> IntoDeserializer<'de, DeError> for Simple<'de, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The content of a unit variant.
pub(super) struct Unit;

impl<'de> VariantAccess<'de> for Unit {
    type Error = DeError;

    fn unit_variant(self) -> Result<(), DeError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, DeError> {
        seed.deserialize(UnitDeserializer::new())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_unit()
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        visitor.visit_unit()
    }
}

/// The items of a list that are separated by whitespace.
struct List<'de, 'a> {
    /// The part of the string that has not been read.
    rest: &'a str,
    /// The same part, borrowed from the document; `None` if it cannot be borrowed.
    lent: Option<&'de str>,
}

impl<'de> SeqAccess<'de> for List<'de, '_> {
    type Error = DeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DeError> {
        let rest = self.rest.trim_start_matches(is_white_space);
        if rest.is_empty() {
            return Ok(None);
        }
        let end = rest.find(is_white_space).unwrap_or(rest.len());
        let from = self.rest.len() - rest.len();
        let lent = self.lent.and_then(|lent| lent.get(from..from + end));
        let item = Simple {
            text: &rest[..end],
            origin: lent.map_or(Origin::Nowhere, Origin::Known),
            is_item: true,
            is_at_end: false,
        };
        self.rest = &rest[end..];
        self.lent = self.lent.and_then(|lent| lent.get(from + end..));
        seed.deserialize(item).map(Some)
    }
}
