//! The serializer that writes values as elements and text. The context of a value (root element, field, or `$value`)
//! decides how the value is written, as in quick-xml.

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

/// The context of a value, which decides the name of its element.
#[derive(Clone, Copy)]
pub(super) enum ValueContext<'n> {
    /// The value is the root element, which gets the name of the Rust type.
    Root,
    /// The value is the root element, which gets the name that the caller or an enclosing newtype gave. If the value is
    /// an enum, the root element gets the name of the variant instead.
    Named(&'n str),
    /// The value is an element with this name.
    Element(&'n str),
    /// The value is the field `$value`, or an item of this field. It has no name yet.
    Content,
}

/// A serializer that writes one value in a context.
pub(super) struct Node<'d, 'n> {
    out: &'d mut dyn Markup,
    context: ValueContext<'n>,
    /// The attributes of the element that the value is written as.
    attributes: Attributes,
}

/// Writes a value in a context: collects the attributes of the value first, because the start tag precedes the content.
pub(super) fn write<T: ?Sized + Serialize>(
    out: &mut dyn Markup,
    context: ValueContext<'_>,
    value: &T,
) -> Result<(), SerError> {
    let attributes = attributes(value)?;
    value.serialize(Node {
        out,
        context,
        attributes,
    })
}

impl<'d, 'n> Node<'d, 'n> {
    /// Returns the name of the element for the value, or `None` in the field `$value`. An error if the root element has
    /// no name.
    fn name(&self) -> Result<Option<&'n str>, SerError> {
        match self.context {
            ValueContext::Named(name) | ValueContext::Element(name) => Ok(Some(name)),
            ValueContext::Content => Ok(None),
            ValueContext::Root => Err(SerError::unsupported(
                "a value without a name is no element: `to_string_with_root` gives it one",
            )),
        }
    }

    /// Returns the same serializer with a name for the root element, unless a name was given before.
    fn named(self, name: &'n str) -> Node<'d, 'n> {
        Node {
            context: match self.context {
                ValueContext::Root => ValueContext::Named(name),
                context => context,
            },
            ..self
        }
    }

    /// Writes a value that is one string: as an element with this text, or as text in the field `$value`.
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

    /// Writes an empty element, or nothing in the field `$value`.
    fn nothing(self) -> Result<(), SerError> {
        let name = self.name()?;
        self.text(name, "")
    }

    /// Returns the serializer for the content of an enum variant, whose element has the name of the variant. An error
    /// if the element has the name of a field already.
    fn variant<'v>(self, name: &str, variant: &'v str) -> Result<Node<'d, 'v>, SerError> {
        match self.context {
            ValueContext::Root | ValueContext::Named(_) | ValueContext::Content => Ok(Node {
                out: self.out,
                context: ValueContext::Element(variant),
                attributes: self.attributes,
            }),
            ValueContext::Element(_) => Err(SerError::Unsupported(format!(
                "the variant `{name}::{variant}` is written in `$value` alone"
            ))),
        }
    }

    /// Checks that the enum variant `$text` is in the field `$value`. Anywhere else it is an error, because text alone
    /// is neither a document nor an element.
    fn text_variant(&self, name: &str) -> Result<(), SerError> {
        match self.context {
            ValueContext::Content => Ok(()),
            ValueContext::Root | ValueContext::Named(_) | ValueContext::Element(_) => {
                Err(SerError::Unsupported(format!(
                    "the variant `{name}::$text` is written in `$value` alone"
                )))
            }
        }
    }

    /// Writes the start tag for a struct or a map, with all attributes.
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
        match (self.context, variant) {
            (ValueContext::Element(_), "$text") => self.nothing(),
            (ValueContext::Content, "$text") => Err(SerError::Unsupported(format!(
                "the variant `{name}::$text` has no text, so it would not be read again"
            ))),
            (_, "$text") => self.text_variant(name),
            (ValueContext::Element(element), variant) => self.text(Some(element), variant),
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
        match self.context {
            ValueContext::Named(name) | ValueContext::Element(name) => self.fields(name),
            ValueContext::Root | ValueContext::Content => self.fields(name),
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

/// The serializer of the items of a sequence or tuple.
pub(super) enum Items<'d, 'n> {
    /// Each item is written as an element or text of its own, in the same context as the sequence.
    Nodes(Node<'d, 'n>),
    /// The items are written as one text with spaces between them. The string contains the text of the items so far.
    List(&'d mut dyn Markup, String),
}

impl Items<'_, '_> {
    fn item<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), SerError> {
        match self {
            Items::Nodes(node) => write(&mut *node.out, node.context, value),
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

/// The serializer of the fields of a struct or map, which are written as the content of its element.
pub(super) struct Fields<'d> {
    out: &'d mut dyn Markup,
    /// The map key that was serialized last. Its value is serialized next.
    key: String,
}

impl Fields<'_> {
    fn field<T: ?Sized + Serialize>(&mut self, key: &str, value: &T) -> Result<(), SerError> {
        let context = match key {
            "$text" => return self.out.text(&string(value)?),
            "$value" => ValueContext::Content,
            // Attributes were written with the start tag already.
            name if name.starts_with('@') => return Ok(()),
            name => ValueContext::Element(name),
        };
        write(&mut *self.out, context, value)
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
