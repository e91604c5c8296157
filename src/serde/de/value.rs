//! The deserializer of one value: an element, a text, or the whole document.

use super::blank::Blank;
use super::cursor::{Cursor, Next};
use super::element::{Element, Opened, Sequence};
use super::error::{DeError, DeErrorKind};
use super::level::{Filter, Level, TEXT, is_nil};
use super::names::{local, variant_of};
use super::simple::Simple;
use crate::engine::dialect::Balance;
use crate::stream::Source;
use alloc::borrow::ToOwned;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, SeqAccess, VariantAccess, Visitor,
};

/// Default for [`depth_limit`](super::Deserializer::depth_limit): the maximum number of elements nested in each other in
/// a value.
pub(super) const DEFAULT_DEPTH: usize = 128;

/// Maximum number of nested types, such as `Option` and newtype structs, that read the same element. Without the limit,
/// a recursive type that consumes no element would recurse without end.
const MAX_STEPS_PER_ELEMENT: usize = 64;

/// The remaining depth to which elements and types may be nested.
#[derive(Clone, Copy)]
pub(super) struct Depth {
    /// Number of further elements that may be nested in each other.
    elements: usize,
    /// Maximum number of nested elements, for the error message.
    limit: usize,
    /// Number of further nested types that may read the same element.
    steps: usize,
}

impl Depth {
    pub(super) fn new(limit: usize) -> Depth {
        Depth {
            elements: limit,
            limit,
            steps: MAX_STEPS_PER_ELEMENT,
        }
    }

    /// Returns the depth for the content of an element. An error if too many elements are nested.
    fn element(self) -> Result<Depth, DeErrorKind> {
        match self.elements.checked_sub(1) {
            Some(elements) => Ok(Depth {
                elements,
                steps: MAX_STEPS_PER_ELEMENT,
                ..self
            }),
            None => Err(DeErrorKind::Depth(self.limit)),
        }
    }

    /// Returns the depth for a nested type that reads the same element. An error if too many types are nested.
    fn step(self) -> Result<Depth, DeErrorKind> {
        match self.steps.checked_sub(1) {
            Some(steps) => Ok(Depth { steps, ..self }),
            None => Err(DeErrorKind::Depth(self.limit)),
        }
    }
}

/// The role of the next element or text in the Rust type, which decides how it is read.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    /// The value is the field that has the name of the element.
    Field,
    /// The value is a text of a map.
    Text,
    /// The value is the content of the variant that the name of the element selected.
    Variant,
    /// The value is the field `$value`: the name of the element selects an enum variant.
    Content,
    /// The value is an item of a sequence whose elements may have different names.
    Item,
    /// The value is an item of a sequence whose elements all have the name of the field.
    NamedItem,
    /// The value is the root element of the document.
    Root,
    /// The value is the root element, whose name has already selected an enum variant: the content of this variant is
    /// read.
    RootVariant,
}

/// The deserializer of the next element or text of the document.
pub(super) struct Value<'v, 'de, D: Balance, S> {
    pub(super) cursor: &'v mut Cursor<'de, D, S>,
    /// The state of the parent element, if the value belongs to a field of it; otherwise `None`.
    pub(super) level: Option<&'v mut Level>,
    pub(super) mode: Mode,
    pub(super) depth: Depth,
}

impl<'v, 'de, D: Balance, S: Source> Value<'v, 'de, D, S> {
    /// Returns the deserializer for a nested type that reads the same element. An error if too many types are nested.
    fn step(mut self) -> Result<Value<'v, 'de, D, S>, DeError> {
        match self.depth.step() {
            Ok(depth) => {
                self.depth = depth;
                Ok(self)
            }
            Err(kind) => Err(self.cursor.fail(kind)),
        }
    }

    /// Returns whether the name of the element selects the variant of an enum. Otherwise the text of the element does.
    fn is_named_by_tag(&mut self, variants: &'static [&'static str]) -> Result<bool, DeError> {
        Ok(match self.mode {
            Mode::Field | Mode::Text | Mode::Variant | Mode::RootVariant => false,
            Mode::Content | Mode::Item | Mode::Root => true,
            Mode::NamedItem => match self.cursor.peek()? {
                Next::Start => self
                    .cursor
                    .tag()
                    .is_none_or(|tag| variant_of(variants, tag.expanded()).is_some()),
                Next::Text | Next::End | Next::Nothing => true,
            },
        })
    }

    /// Skips whitespace that the type does not take, and advances to the next item of the field `$value`. The type takes
    /// whitespace whose reason is at least `least`; `None` if it takes none. Returns false if there is no further item.
    fn skip_blank_if_any(&mut self, least: Option<Blank>) -> Result<bool, DeError> {
        let Some(level) = &mut self.level else {
            return Ok(true);
        };
        let is_in_value = matches!(self.mode, Mode::Content | Mode::Item);
        while is_in_value
            && self.cursor.peek()? == Next::Text
            && let Some(reason) = self.cursor.blank()
            && least.is_none_or(|least| reason < least)
        {
            self.cursor.take();
            if !level.advance(self.cursor, &Filter::Others)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Skips whitespace in the same way. An error if there is no further item.
    fn skip_blank(&mut self, least: Option<Blank>) -> Result<(), DeError> {
        if self.skip_blank_if_any(least)? {
            return Ok(());
        }
        self.cursor.has_no_item = self.mode == Mode::Item;
        Err(self.cursor.fail(DeErrorKind::End))
    }

    /// Skips whitespace, which the type does not take.
    fn skip_all_blank(&mut self) -> Result<(), DeError> {
        self.skip_blank(None)
    }

    /// Skips whitespace that does not belong to a string. A string has whitespace that is the whole content of its
    /// element, or that is explicit ([`Blank::Explicit`]). In a list, a string has explicit whitespace only, because
    /// other whitespace separates the items.
    fn skip_blank_for_string(&mut self) -> Result<(), DeError> {
        self.skip_blank(Some(match self.mode {
            Mode::Item => Blank::Explicit,
            _ => Blank::Alone,
        }))
    }

    /// Skips whitespace that an enum does not take. A variant `$text` takes all whitespace between the items of a list.
    fn skip_blank_for_enum(&mut self, variants: &[&str]) -> Result<(), DeError> {
        let least = variants.contains(&TEXT).then_some(match self.mode {
            Mode::Item => Blank::Inline,
            _ => Blank::Alone,
        });
        self.skip_blank(least)
    }

    /// Consumes the next text, or an element that contains only text, and calls `read` with the text.
    #[inline]
    fn with_text<T>(
        mut self,
        read: impl FnOnce(Simple<'de, '_>) -> Result<T, DeError>,
    ) -> Result<T, DeError> {
        self.refuse_repeated()?;
        match self.cursor.peek()? {
            Next::Text => return self.read_text(read),
            Next::Start if self.mode != Mode::Content => {}
            Next::Start => return Err(self.cursor.fail(DeErrorKind::Mixed)),
            Next::End | Next::Nothing => return Err(self.cursor.fail(DeErrorKind::End)),
        }
        let length = self.cursor.open();
        self.cursor.take();
        let value = match self.cursor.peek()? {
            Next::Text => self.read_text(read)?,
            Next::Start => return Err(self.cursor.fail(DeErrorKind::Mixed)),
            Next::End | Next::Nothing => {
                read(Simple::new("")).map_err(|error| self.cursor.placed(error))?
            }
        };
        match self.cursor.peek()? {
            Next::End => self.cursor.take(),
            Next::Nothing => {}
            Next::Start | Next::Text => return Err(self.cursor.fail(DeErrorKind::Mixed)),
        };
        self.cursor.close(length);
        Ok(value)
    }

    #[inline]
    fn read_text<T>(
        &mut self,
        read: impl FnOnce(Simple<'de, '_>) -> Result<T, DeError>,
    ) -> Result<T, DeError> {
        let value = read(self.cursor.text()).map_err(|error| self.cursor.placed(error))?;
        self.cursor.take();
        Ok(value)
    }

    /// Reads an element as a struct with these fields, or as a map if `fields` is `None`.
    fn read_fields<V: Visitor<'de>>(
        mut self,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.refuse_repeated()?;
        self.skip_all_blank()?;
        match self.cursor.peek()? {
            Next::Start => self.read_map(fields, visitor),
            // Text is not a struct: the type gets the string, and returns its own error.
            Next::Text => self.read_text(|text| text.deserialize_str(visitor)),
            Next::End | Next::Nothing => Err(self.cursor.fail(DeErrorKind::End)),
        }
    }

    /// Consumes the next element and passes it to the visitor as a map of attributes and children.
    fn read_map<V: Visitor<'de>>(
        self,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        let depth = self.depth.element();
        let depth = depth.map_err(|kind| self.cursor.fail(kind))?;
        let length = self.cursor.open();
        let opened = Opened::take(self.cursor);
        let mut element = Element::new(self.cursor, opened, fields, depth);
        let value = visitor.visit_map(&mut element);
        let value = value.map_err(|error| element.placed(error))?;
        element.finish()?;
        self.cursor.close(length);
        Ok(value)
    }

    /// Returns an error if the value belongs to a key of a map that has been read before. Otherwise the map would contain
    /// one of the two values only.
    fn refuse_repeated(&self) -> Result<(), DeError> {
        let is_repeated = matches!(self.mode, Mode::Field | Mode::Text)
            && self.level.as_ref().is_some_and(|level| level.is_repeated);
        match is_repeated {
            true => Err(self.cursor.fail(DeErrorKind::Repeated)),
            false => Ok(()),
        }
    }

    /// Returns the condition for children that are the same entry of a map as the peeked one, or `None` if the value
    /// is no entry of a map.
    fn entry(&mut self) -> Result<Option<Filter>, DeError> {
        let next = self.cursor.peek()?;
        let level = self.level.as_ref().filter(|level| level.is_map);
        Ok(match (level, self.mode, next) {
            (Some(level), Mode::Field, Next::Start) => {
                let tag = self.cursor.tag();
                tag.map(|tag| Filter::Of(level.slot_of(&tag).into()))
            }
            (Some(_), Mode::Text, Next::Text) => Some(Filter::Texts),
            _ => None,
        })
    }

    /// Returns whether the value is an entry of a map, and the map has further elements or texts of its key.
    fn is_list(&mut self) -> Result<bool, DeError> {
        match (self.entry()?, &mut self.level) {
            (Some(filter), Some(level)) => level.has_another(self.cursor, &filter),
            _ => Ok(false),
        }
    }

    /// Reads all elements or texts of a key of a map as a sequence.
    fn read_list<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, DeError> {
        let depth = self.depth.step();
        let depth = depth.map_err(|kind| self.cursor.fail(kind))?;
        match (self.entry()?, self.level) {
            (Some(filter), Some(level)) => {
                visitor.visit_seq(Sequence::new(self.cursor, level, filter, depth))
            }
            _ => Err(self.cursor.fail(DeErrorKind::End)),
        }
    }

    /// Reads an element as a string if it has no attributes and contains only text, otherwise as a map. Declarations of
    /// namespaces do not count as attributes.
    fn read_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        let cursor = self.cursor;
        let names = cursor.tag().map(|tag| cursor.kinds_of_attributes(&tag));
        let (has_attributes, has_declarations) = names.unwrap_or_default();
        let top = cursor.tape.top();
        // If the element turns out to be a map, the declarations are needed after its content was peeked.
        let is_recorded = !has_attributes && has_declarations && !cursor.is_replaying();
        if is_recorded {
            let child = cursor.keep_item("")?;
            cursor.read_again(child);
        }
        let value = Value {
            cursor: &mut *cursor,
            ..self
        };
        let value = value.read_opened(has_attributes, visitor)?;
        if is_recorded {
            cursor.forget(top);
        }
        Ok(value)
    }

    /// Reads an element in the same way. If it has no attributes, its content decides.
    fn read_opened<V: Visitor<'de>>(
        mut self,
        is_map: bool,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        let depth = self.depth.element();
        let depth = depth.map_err(|kind| self.cursor.fail(kind))?;
        let length = self.cursor.open();
        let opened = Opened::take(self.cursor);
        let value = match !is_map && self.cursor.is_at_text()? {
            true => self.read_content(visitor)?,
            false => {
                let mut element = Element::new(self.cursor, opened, None, depth);
                let value = visitor.visit_map(&mut element);
                let value = value.map_err(|error| element.placed(error))?;
                element.finish()?;
                value
            }
        };
        self.cursor.close(length);
        Ok(value)
    }

    /// Reads the text of an element that contains nothing else, and its end tag.
    fn read_content<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DeError> {
        let value = match self.cursor.peek()? {
            Next::Text => self.cursor.text().deserialize_str(visitor),
            Next::Start | Next::End | Next::Nothing => Simple::new("").deserialize_str(visitor),
        };
        let value = value.map_err(|error| self.cursor.placed(error))?;
        self.cursor.skip_open()?;
        Ok(value)
    }

    /// Returns whether the next value is `None`, and skips the value if it is. It is `None` if it is an element with
    /// `xsi:nil` or a child of such an element, an empty text, or a document without a root element.
    fn is_none(&mut self) -> Result<bool, DeError> {
        let is_item = matches!(self.mode, Mode::Item | Mode::NamedItem);
        let level = self.level.as_ref().filter(|_| !is_item);
        let is_in_nil = level.is_some_and(|level| level.is_nil);
        let is_none = match self.cursor.peek()? {
            Next::Text => self.cursor.text().is_empty(),
            Next::Start => {
                let cursor = &*self.cursor;
                is_in_nil || cursor.tag().is_some_and(|tag| is_nil(cursor, &tag))
            }
            Next::End => false,
            Next::Nothing => self.mode == Mode::Root,
        };
        if is_none {
            self.cursor.skip_item()?;
        }
        Ok(is_none)
    }
}

macro_rules! simple {
    ($skip_blank:ident: $($method:ident)*) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, DeError> {
                self.$skip_blank()?;
                self.with_text(|text| text.$method(visitor))
            }
        )*
    };
}

impl<'de, D: Balance, S: Source> Deserializer<'de> for Value<'_, 'de, D, S> {
    type Error = DeError;

    simple! {
        skip_all_blank:
        deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
    }

    simple! {
        skip_blank_for_string:
        deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf
        deserialize_identifier
    }

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, DeError> {
        self.skip_blank_for_string()?;
        self.refuse_repeated()?;
        if self.is_list()? {
            return self.read_list(visitor);
        }
        match self.cursor.peek()? {
            Next::Text => self.deserialize_str(visitor),
            Next::Start => self.read_any(visitor),
            Next::End | Next::Nothing => Err(self.cursor.fail(DeErrorKind::End)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, DeError> {
        if self.mode == Mode::Content && !self.skip_blank_if_any(Some(Blank::Explicit))? {
            return visitor.visit_none();
        }
        match self.is_none()? {
            true => visitor.visit_none(),
            false => visitor.visit_some(self.step()?),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, DeError> {
        self.skip_all_blank()?;
        if self.cursor.peek()? == Next::Nothing {
            return Err(self.cursor.fail(DeErrorKind::End));
        }
        self.cursor.skip_item()?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        visitor.visit_newtype_struct(self.step()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        self.refuse_repeated()?;
        let depth = self.depth.step();
        let depth = depth.map_err(|kind| self.cursor.fail(kind))?;
        match (self.mode, self.level) {
            (Mode::Field | Mode::Variant | Mode::Content, Some(level)) => {
                let tag = match self.cursor.peek()? {
                    Next::Start => self.cursor.tag(),
                    Next::Text | Next::End | Next::Nothing => None,
                };
                let filter = match (tag, self.mode) {
                    (Some(tag), Mode::Field) => Filter::Of(level.slot_of(&tag).into()),
                    (Some(tag), Mode::Variant) => {
                        Filter::Named(tag.shared_namespace(), local(tag.name()).to_owned())
                    }
                    _ => Filter::Others,
                };
                visitor.visit_seq(Sequence::new(self.cursor, level, filter, depth))
            }
            (Mode::Root | Mode::RootVariant, _) => visitor.visit_seq(Roots {
                cursor: self.cursor,
                depth,
            }),
            (mode, level) => {
                let mut value = Value {
                    cursor: self.cursor,
                    level,
                    mode,
                    depth,
                };
                value.skip_all_blank()?;
                value.with_text(|text| text.deserialize_seq(visitor))
            }
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
        self.read_fields(None, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.read_fields(Some(fields), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.skip_blank_for_enum(variants)?;
        if self.is_named_by_tag(variants)? {
            let value = self.step()?;
            return visitor.visit_enum(Choice { value, variants });
        }
        self.with_text(|text| text.deserialize_enum(name, variants, visitor))
    }
}

/// An enum whose variant is selected by the name of the next element. If text is next, the variant is `$text`.
struct Choice<'v, 'de, D: Balance, S> {
    value: Value<'v, 'de, D, S>,
    /// The names of the variants, which may contain namespaces in braces.
    variants: &'static [&'static str],
}

impl<'v, 'de, D: Balance, S: Source> EnumAccess<'de> for Choice<'v, 'de, D, S> {
    type Error = DeError;
    type Variant = Value<'v, 'de, D, S>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Value<'v, 'de, D, S>), DeError> {
        let cursor = &mut *self.value.cursor;
        let named = match cursor.peek()? {
            Next::Start => {
                let name = cursor.tag().map_or("", |tag| {
                    let name = tag.expanded();
                    variant_of(self.variants, name).unwrap_or(name.local)
                });
                Ok(seed.deserialize(Simple::new(name)))
            }
            Next::Text => Ok(seed.deserialize(Simple::new(TEXT))),
            Next::End | Next::Nothing => Err(DeErrorKind::End),
        };
        match named {
            Ok(Ok(name)) => Ok((name, self.value)),
            Ok(Err(error)) => Err(cursor.placed(error)),
            Err(kind) => Err(cursor.fail(kind)),
        }
    }
}

impl<'de, D: Balance, S: Source> Value<'_, 'de, D, S> {
    fn is_text(&mut self) -> Result<bool, DeError> {
        Ok(self.cursor.peek()? == Next::Text)
    }

    /// Returns the deserializer for the content of the variant that the name of the element selected.
    fn named(mut self) -> Self {
        self.mode = match self.mode {
            Mode::Root | Mode::RootVariant => Mode::RootVariant,
            Mode::Item | Mode::NamedItem => {
                // The content of one item is not a sequence of elements: further elements are further items.
                self.level = None;
                Mode::Variant
            }
            Mode::Field | Mode::Text | Mode::Variant | Mode::Content => Mode::Variant,
        };
        self
    }
}

impl<'de, D: Balance, S: Source> VariantAccess<'de> for Value<'_, 'de, D, S> {
    type Error = DeError;

    fn unit_variant(self) -> Result<(), DeError> {
        self.cursor.skip_item()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        mut self,
        seed: T,
    ) -> Result<T::Value, DeError> {
        match self.is_text()? {
            true => self.read_text(|text| seed.deserialize(text)),
            false => seed.deserialize(self.named()),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(
        mut self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        match self.is_text()? {
            true => self.read_text(|text| text.deserialize_seq(visitor)),
            false => self.named().deserialize_tuple(len, visitor),
        }
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.deserialize_struct("", fields, visitor)
    }
}

/// The sequence of the elements outside of all other elements. A well-formed document has one, the root element.
struct Roots<'v, 'de, D: Balance, S> {
    cursor: &'v mut Cursor<'de, D, S>,
    depth: Depth,
}

impl<'de, D: Balance, S: Source> SeqAccess<'de> for Roots<'_, 'de, D, S> {
    type Error = DeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DeError> {
        if self.cursor.peek()? == Next::Nothing {
            return Ok(None);
        }
        let before = self.cursor.taken;
        let value = seed.deserialize(Value {
            cursor: &mut *self.cursor,
            level: None,
            mode: Mode::Item,
            depth: self.depth,
        })?;
        if self.cursor.taken == before {
            self.cursor.skip_item()?;
        }
        Ok(Some(value))
    }
}
