//! The serializer that writes values as elements and text. The context of a value (root element, field, or `$value`)
//! decides how the value is written, as in quick-xml.

use super::attributes::{Attributes, attributes};
use super::error::SerError;
use super::flat::{Flat, key, string, text, text_of};
use super::stream::{Markup, Whitespace};
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
    /// The value is an item of the list that is the root element. A list in it is text.
    NamedItem(&'n str),
    /// The value is an element with this name.
    Element(&'n str),
    /// The value is an item of a list, and is an element with this name. A list in it is text, because its items would
    /// be read as items of the outer list if they were elements.
    ListItem(&'n str),
    /// The value is the field `$value`. It has no name yet.
    Content,
    /// The value is an item of the field `$value`. It has no name yet.
    ContentItem,
}

/// A serializer that writes one value in a context.
pub struct Node<'d, 'n> {
    out: &'d mut dyn Markup,
    context: ValueContext<'n>,
    /// The attributes of the element that the value is written as; `None` if the value could not be asked for them
    /// before it is serialized.
    attributes: Option<Attributes>,
}

/// Writes a value in a context: collects the attributes of the value first, because the start tag precedes the content.
pub(super) fn write<T: ?Sized + Serialize>(
    out: &mut dyn Markup,
    context: ValueContext<'_>,
    value: &T,
) -> Result<(), SerError> {
    let attributes = Some(attributes(value)?);
    value.serialize(Node {
        out,
        context,
        attributes,
    })
}

impl<'d, 'n> Node<'d, 'n> {
    /// Creates the serializer of a value that cannot be asked for its attributes before it is serialized.
    pub(super) fn new(out: &'d mut dyn Markup, context: ValueContext<'n>) -> Node<'d, 'n> {
        Node {
            out,
            context,
            attributes: None,
        }
    }

    /// Returns the name of the element for the value, or `None` in the field `$value`. An error if the root element has
    /// no name.
    fn name(&self) -> Result<Option<&'n str>, SerError> {
        match self.context {
            ValueContext::Named(name)
            | ValueContext::NamedItem(name)
            | ValueContext::Element(name)
            | ValueContext::ListItem(name) => Ok(Some(name)),
            ValueContext::Content | ValueContext::ContentItem => Ok(None),
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
        match name {
            Some(name) => element_with_text(self.out, name, text),
            None => text_in_value(self.out, text, Whitespace::Ignored),
        }
    }

    /// Writes an empty element. An error in the field `$value`, where nothing would be written.
    fn nothing(self) -> Result<(), SerError> {
        let name = self.name()?;
        self.text(name, "")
    }

    /// Returns the whitespace that would be ignored if it were the text of the variant `$text`. In a list, the variant
    /// takes whitespace between the other items.
    fn ignored_whitespace(&self) -> Whitespace {
        match self.context {
            ValueContext::ContentItem => Whitespace::Newlines,
            _ => Whitespace::Ignored,
        }
    }

    /// Returns the serializer for the content of an enum variant, whose element has the name of the variant. An error
    /// if the element has the name of a field already.
    fn variant<'v>(self, name: &str, variant: &'v str) -> Result<Node<'d, 'v>, SerError> {
        match self.context {
            ValueContext::Root
            | ValueContext::Named(_)
            | ValueContext::NamedItem(_)
            | ValueContext::Content => Ok(Node {
                out: self.out,
                context: ValueContext::Element(variant),
                attributes: self.attributes,
            }),
            ValueContext::ContentItem => Ok(Node {
                out: self.out,
                context: ValueContext::ListItem(variant),
                attributes: self.attributes,
            }),
            ValueContext::Element(_) | ValueContext::ListItem(_) => Err(SerError::Unsupported(
                format!("the variant `{name}::{variant}` is written in `$value` alone"),
            )),
        }
    }

    /// Checks that the enum variant `$text` is in the field `$value`. Anywhere else it is an error, because text alone
    /// is neither a document nor an element.
    fn text_variant(&self, name: &str) -> Result<(), SerError> {
        match self.context {
            ValueContext::Content | ValueContext::ContentItem => Ok(()),
            _ => Err(SerError::Unsupported(format!(
                "the variant `{name}::$text` is written in `$value` alone"
            ))),
        }
    }

    /// Writes the start tag for a struct or a map, with all attributes.
    fn fields(self, name: &str, kind: FieldsKind) -> Result<Fields<'d>, SerError> {
        self.out.start(name)?;
        for (name, value) in self.attributes.iter().flatten() {
            self.out.attribute(name, value)?;
        }
        Ok(Fields {
            has_written_attributes: self.attributes.is_some(),
            attributes: self.attributes.map_or(0, |attributes| attributes.len()),
            out: self.out,
            key: String::new(),
            kind,
        })
    }
}

fn element_with_text(out: &mut dyn Markup, name: &str, text: &str) -> Result<(), SerError> {
    out.start(name)?;
    out.text(text, Whitespace::Kept)?;
    out.end()
}

/// Writes text in the field `$value`. An error if the text is empty, because the field would then be missing, or the
/// item of the list would.
fn text_in_value(out: &mut dyn Markup, text: &str, whitespace: Whitespace) -> Result<(), SerError> {
    match text {
        "" => Err(SerError::unsupported(
            "an empty text in `$value` would not be read again",
        )),
        text => out.text(text, whitespace),
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
        match self.context {
            // Nothing is written, which is read as `None`.
            ValueContext::Content => Ok(()),
            _ => self.nothing(),
        }
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
            (ValueContext::Element(_) | ValueContext::ListItem(_), "$text") => self.nothing(),
            (ValueContext::Content | ValueContext::ContentItem, "$text") => {
                Err(SerError::Unsupported(format!(
                    "the variant `{name}::$text` has no text, so it would not be read again"
                )))
            }
            (_, "$text") => self.text_variant(name),
            (ValueContext::Element(element) | ValueContext::ListItem(element), variant) => {
                self.text(Some(element), variant)
            }
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
                let whitespace = self.ignored_whitespace();
                text_in_value(self.out, &string(value)?, whitespace)
            }
            variant => value.serialize(self.variant(name, variant)?),
        }
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Items<'d, 'n>, SerError> {
        let name = self.name()?;
        match self.context {
            ValueContext::NamedItem(_) | ValueContext::ListItem(_) | ValueContext::ContentItem => {
                Ok(Items::List(TextList::new(
                    self.out,
                    name,
                    Whitespace::Ignored,
                )))
            }
            _ => Ok(Items::Nodes(self)),
        }
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
                let whitespace = self.ignored_whitespace();
                Ok(Items::List(TextList::new(self.out, None, whitespace)))
            }
            variant => self.variant(name, variant)?.serialize_seq(Some(len)),
        }
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Fields<'d>, SerError> {
        match self.name()? {
            Some(name) => self.fields(
                name,
                match len {
                    Some(_) => FieldsKind::Map,
                    None => FieldsKind::Flattened,
                },
            ),
            None => Err(SerError::unsupported(
                "a map has no name that its element in `$value` could have",
            )),
        }
    }

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Fields<'d>, SerError> {
        match self.context {
            ValueContext::Named(name)
            | ValueContext::NamedItem(name)
            | ValueContext::Element(name)
            | ValueContext::ListItem(name) => self.fields(name, FieldsKind::Struct(len)),
            ValueContext::Root | ValueContext::Content | ValueContext::ContentItem => {
                self.fields(name, FieldsKind::Struct(len))
            }
        }
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Fields<'d>, SerError> {
        match variant {
            "$text" => Err(SerError::Unsupported(format!(
                "a variant with fields is no text: `{name}::$text`"
            ))),
            variant => self
                .variant(name, variant)?
                .fields(variant, FieldsKind::Struct(len)),
        }
    }
}

/// The serializer of the items of a sequence or tuple.
pub enum Items<'d, 'n> {
    /// Each item is written as an element or text of its own.
    Nodes(Node<'d, 'n>),
    /// The items are written as one text.
    List(TextList<'d, 'n>),
}

/// A sequence that is written as one text, with spaces between its items.
pub struct TextList<'d, 'n> {
    out: &'d mut dyn Markup,
    /// The name of the element that contains the text; `None` if the text is in the field `$value`.
    name: Option<&'n str>,
    whitespace: Whitespace,
    /// The text of the items so far.
    text: String,
}

impl<'d, 'n> TextList<'d, 'n> {
    fn new(
        out: &'d mut dyn Markup,
        name: Option<&'n str>,
        whitespace: Whitespace,
    ) -> TextList<'d, 'n> {
        TextList {
            out,
            name,
            whitespace,
            text: String::new(),
        }
    }
}

impl Items<'_, '_> {
    fn item<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), SerError> {
        match self {
            Items::Nodes(node) => {
                let context = match node.context {
                    ValueContext::Element(name) => ValueContext::ListItem(name),
                    ValueContext::Named(name) => ValueContext::NamedItem(name),
                    ValueContext::Content => ValueContext::ContentItem,
                    context => context,
                };
                write(&mut *node.out, context, value)
            }
            Items::List(list) => {
                // No item is empty, so the text is empty before the first item only.
                if !list.text.is_empty() {
                    list.text.push(' ');
                }
                value.serialize(Flat {
                    out: &mut list.text,
                    is_item: true,
                    is_text: false,
                })
            }
        }
    }

    fn finish(self) -> Result<(), SerError> {
        match self {
            Items::Nodes(_) => Ok(()),
            Items::List(list) => match list.name {
                Some(name) => element_with_text(list.out, name, &list.text),
                None => text_in_value(list.out, &list.text, list.whitespace),
            },
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

/// The type whose fields are written.
#[derive(Clone, Copy, PartialEq)]
enum FieldsKind {
    /// A struct with this number of fields, including attributes.
    Struct(usize),
    Map,
    /// A struct with a field `#[serde(flatten)]`, which serde serializes as a map of unknown length.
    Flattened,
}

/// The serializer of the fields of a struct or map, which are written as the content of its element.
pub struct Fields<'d> {
    out: &'d mut dyn Markup,
    /// True if the attributes were written with the start tag. Otherwise each is written when it is serialized.
    has_written_attributes: bool,
    /// Number of attributes that were written with the start tag.
    attributes: usize,
    kind: FieldsKind,
    /// The map key that was serialized last. Its value is serialized next.
    key: String,
}

impl Fields<'_> {
    /// Writes the field `$text`. Structs and maps differ in how it is read: only a struct always has the field.
    fn text(&mut self, text: &str) -> Result<(), SerError> {
        match (self.kind, text) {
            (FieldsKind::Map, "") => Err(SerError::unsupported(
                "an empty text in a map would not be read again",
            )),
            // The text is the only content, so all of it is read.
            (FieldsKind::Struct(fields), text) if fields == self.attributes + 1 => {
                self.out.text(text, Whitespace::Kept)
            }
            (_, text) => self.out.text(text, Whitespace::Ignored),
        }
    }

    fn field<T: ?Sized + Serialize>(&mut self, key: &str, value: &T) -> Result<(), SerError> {
        let context = match key {
            "$text" => return self.text(&text(value)?),
            "$value" => ValueContext::Content,
            name => match name.strip_prefix('@') {
                Some(_) if self.has_written_attributes => return Ok(()),
                Some(name) => return self.out.attribute(name, &string(value)?),
                None => ValueContext::Element(name),
            },
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
