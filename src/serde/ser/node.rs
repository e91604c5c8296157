//! Values as elements and text. The place of a value decides how it is written, as in quick-xml.

use super::attributes::{Attributes, attributes};
use super::error::SerError;
use super::flat::{key, string, text_of};
use super::stream::Markup;
use alloc::format;
use alloc::string::String;
use serde_core::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// The place of a value.
#[derive(Clone, Copy)]
pub(super) enum Place<'n> {
    /// It is the document: the type names the element.
    Root,
    /// It is the document, and the caller or a type around it named the element. An enum names it by the variant.
    Named(&'n str),
    /// It is the element of this name.
    Element(&'n str),
    /// It is the field `$value`, or an item of that.
    Content,
}

/// Writes a value, by where it is.
pub(super) struct Node<'d, 'n> {
    out: &'d mut dyn Markup,
    place: Place<'n>,
    /// The attributes of its element.
    attributes: Attributes,
}

/// Writes a value, by where it is: its start tag first, with all attributes.
pub(super) fn write<T: ?Sized + Serialize>(
    out: &mut dyn Markup,
    place: Place<'_>,
    value: &T,
) -> Result<(), SerError> {
    let attributes = attributes(value)?;
    value.serialize(Node {
        out,
        place,
        attributes,
    })
}

impl<'d, 'n> Node<'d, 'n> {
    /// The name of the element that the value is; none in `$value`.
    fn name(&self) -> Result<Option<&'n str>, SerError> {
        match self.place {
            Place::Named(name) | Place::Element(name) => Ok(Some(name)),
            Place::Content => Ok(None),
            Place::Root => Err(SerError::unsupported(
                "a value without a name is no element: `to_string_with_root` gives it one",
            )),
        }
    }

    /// The same in the place of an element, if it has none of its own.
    fn named(self, name: &'n str) -> Node<'d, 'n> {
        Node {
            place: match self.place {
                Place::Root => Place::Named(name),
                place => place,
            },
            ..self
        }
    }

    /// Writes what is one string.
    fn simple<T: ?Sized + Serialize>(self, value: &T) -> Result<(), SerError> {
        let name = self.name()?;
        let text = string(value)?;
        self.text(name, &text)
    }

    fn text(self, name: Option<&str>, text: &str) -> Result<(), SerError> {
        let Some(name) = name else {
            return self.out.text(text);
        };
        self.out.start(name)?;
        self.out.text(text)?;
        self.out.end()
    }

    /// Writes nothing, or an element of nothing.
    fn nothing(self) -> Result<(), SerError> {
        let name = self.name()?;
        self.text(name, "")
    }

    /// The element of a variant; of none where a field has the name already.
    fn variant<'v>(self, name: &str, variant: &'v str) -> Result<Node<'d, 'v>, SerError> {
        match self.place {
            Place::Root | Place::Named(_) | Place::Content => Ok(Node {
                out: self.out,
                place: Place::Element(variant),
                attributes: self.attributes,
            }),
            Place::Element(_) => Err(SerError::Unsupported(format!(
                "the variant `{name}::{variant}` is written in `$value` alone"
            ))),
        }
    }

    /// Text is no document.
    fn text_variant(&self, name: &str) -> Result<(), SerError> {
        match self.place {
            Place::Content => Ok(()),
            Place::Root | Place::Named(_) | Place::Element(_) => Err(SerError::Unsupported(
                format!("the variant `{name}::$text` is written in `$value` alone"),
            )),
        }
    }

    /// Begins the element that a struct or a map is.
    fn fields(self, name: &str) -> Result<Fields<'d>, SerError> {
        self.out.start(name)?;
        for (name, value) in &self.attributes {
            self.out.attribute(name, value)?;
        }
        Ok(Fields {
            out: self.out,
            key: String::new(),
        })
    }
}

macro_rules! simple {
    ($($method:ident $type:ty;)*) => {
        $(
            fn $method(self, value: $type) -> Result<(), SerError> {
                self.simple(&value)
            }
        )*
    };
}

impl<'d, 'n> Serializer for Node<'d, 'n> {
    type Ok = ();
    type Error = SerError;
    type SerializeSeq = Items<'d, 'n>;
    type SerializeTuple = Items<'d, 'n>;
    type SerializeTupleStruct = Items<'d, 'n>;
    type SerializeTupleVariant = Items<'d, 'n>;
    type SerializeMap = Fields<'d>;
    type SerializeStruct = Fields<'d>;
    type SerializeStructVariant = Fields<'d>;

    simple! {
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
        serialize_char char;
    }

    fn serialize_str(self, value: &str) -> Result<(), SerError> {
        let name = self.name()?;
        self.text(name, value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), SerError> {
        self.serialize_str(text_of(value)?)
    }

    fn serialize_none(self) -> Result<(), SerError> {
        self.nothing()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), SerError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), SerError> {
        self.nothing()
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<(), SerError> {
        self.named(name).nothing()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), SerError> {
        match (self.place, variant) {
            (Place::Element(_), "$text") => self.nothing(),
            (Place::Content, "$text") => Err(SerError::Unsupported(format!(
                "the variant `{name}::$text` has no text, so it would not be read again"
            ))),
            (_, "$text") => self.text_variant(name),
            (Place::Element(element), variant) => self.text(Some(element), variant),
            (_, variant) => self.variant(name, variant)?.nothing(),
        }
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), SerError> {
        value.serialize(self.named(name))
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), SerError> {
        match variant {
            "$text" => {
                self.text_variant(name)?;
                self.out.text(&string(value)?)
            }
            variant => value.serialize(self.variant(name, variant)?),
        }
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Items<'d, 'n>, SerError> {
        self.name()?;
        Ok(Items::Nodes(self))
    }

    fn serialize_tuple(self, len: usize) -> Result<Items<'d, 'n>, SerError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Items<'d, 'n>, SerError> {
        self.named(name).serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Items<'d, 'n>, SerError> {
        match variant {
            "$text" => {
                self.text_variant(name)?;
                Ok(Items::List(self.out, String::new()))
            }
            variant => self.variant(name, variant)?.serialize_seq(Some(len)),
        }
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Fields<'d>, SerError> {
        match self.name()? {
            Some(name) => self.fields(name),
            None => Err(SerError::unsupported(
                "a map has no name that its element in `$value` could have",
            )),
        }
    }

    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Fields<'d>, SerError> {
        match self.place {
            Place::Named(name) | Place::Element(name) => self.fields(name),
            Place::Root | Place::Content => self.fields(name),
        }
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Fields<'d>, SerError> {
        match variant {
            "$text" => Err(SerError::Unsupported(format!(
                "a variant with fields is no text: `{name}::$text`"
            ))),
            variant => self.variant(name, variant)?.fields(variant),
        }
    }
}

/// Several values in sequence.
pub(super) enum Items<'d, 'n> {
    /// Each in the same place.
    Nodes(Node<'d, 'n>),
    /// With spaces between them, as a text.
    List(&'d mut dyn Markup, String),
}

impl Items<'_, '_> {
    fn item<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), SerError> {
        match self {
            Items::Nodes(node) => write(&mut *node.out, node.place, value),
            Items::List(_, text) => {
                if !text.is_empty() {
                    text.push(' ');
                }
                value.serialize(super::flat::Flat {
                    out: text,
                    is_item: true,
                })
            }
        }
    }

    fn finish(self) -> Result<(), SerError> {
        match self {
            Items::Nodes(_) => Ok(()),
            Items::List(out, text) => out.text(&text),
        }
    }
}

macro_rules! items {
    ($($trait:ident $method:ident;)*) => {
        $(
            impl $trait for Items<'_, '_> {
                type Ok = ();
                type Error = SerError;

                fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), SerError> {
                    self.item(value)
                }

                fn end(self) -> Result<(), SerError> {
                    self.finish()
                }
            }
        )*
    };
}

items! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// The attributes and children of an element.
pub(super) struct Fields<'d> {
    out: &'d mut dyn Markup,
    /// The key whose value is next.
    key: String,
}

impl Fields<'_> {
    fn field<T: ?Sized + Serialize>(&mut self, key: &str, value: &T) -> Result<(), SerError> {
        let place = match key {
            "$text" => return self.out.text(&string(value)?),
            "$value" => Place::Content,
            // The start tag has it already.
            name if name.starts_with('@') => return Ok(()),
            name => Place::Element(name),
        };
        write(&mut *self.out, place, value)
    }
}

macro_rules! fields {
    ($($trait:ident)*) => {
        $(
            impl $trait for Fields<'_> {
                type Ok = ();
                type Error = SerError;

                fn serialize_field<T: ?Sized + Serialize>(
                    &mut self,
                    key: &'static str,
                    value: &T,
                ) -> Result<(), SerError> {
                    self.field(key, value)
                }

                fn end(self) -> Result<(), SerError> {
                    self.out.end()
                }
            }
        )*
    };
}

fields! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Fields<'_> {
    type Ok = ();
    type Error = SerError;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, name: &T) -> Result<(), SerError> {
        self.key = key(name)?;
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), SerError> {
        let key = core::mem::take(&mut self.key);
        self.field(&key, value)
    }

    fn end(self) -> Result<(), SerError> {
        self.out.end()
    }
}
