//! serde's access to an element as a map of its attributes and children, and to the children that belong to one field
//! as a sequence.

use super::cursor::{Cursor, Next, TapedStart};
use super::error::{DeError, DeErrorKind};
use super::level::{Filter, Level, TEXT, Turn, VALUE, says_nil};
use super::names::{Namespace, Rivals, local, prefix_of};
use super::simple::Simple;
use super::tag::TagAttribute;
use super::value::{Depth, Mode, Value};
use crate::engine::dialect::Balance;
use crate::engine::hash_seed::Seeds;
use crate::stream::Source;
use alloc::boxed::Box;
use alloc::string::String;
use hashbrown::HashMap;
use serde_core::de::{DeserializeSeed, MapAccess, SeqAccess};

/// The part of the element that supplied the map key that was read last, and that supplies the value of this key.
#[derive(Clone, Copy)]
enum Key {
    /// No key was read, or its value was read already.
    None,
    /// The attribute that was read last.
    Attribute,
    /// The text that is the field `$text`.
    Text,
    /// The field `$text` of an element that has no text, or only whitespace between elements.
    TextAtEnd,
    /// A child element, or a text that is the field `$value`. The mode says how the value is read.
    Value(Mode),
}

/// The start tag of an element that was consumed.
pub(super) struct Opened {
    /// The offsets of the start tag in the tape, if it was recorded there. Otherwise the parser supplies the attributes
    /// until the next event is peeked.
    start: Option<TapedStart>,
    namespace: Namespace,
    /// Number of attributes.
    attributes: usize,
}

impl Opened {
    /// Consumes the peeked start tag.
    pub(super) fn take<D: Balance, S: Source>(cursor: &mut Cursor<'_, D, S>) -> Opened {
        let tag = cursor.tag();
        let (namespace, attributes) = tag.map_or((Namespace::None, 0), |tag| {
            (tag.shared_namespace(), tag.attribute_count())
        });
        Opened {
            start: cursor.take_start(),
            namespace,
            attributes,
        }
    }
}

/// The map of an element: its attributes are read first, then its children.
pub(super) struct Element<'v, 'de, D: Balance, S> {
    cursor: &'v mut Cursor<'de, D, S>,
    /// The offsets of the start tag in the tape of recorded events; `None` if the parser supplies the start tag.
    start: Option<TapedStart>,
    /// Boxed, because each open element is moved through several stack frames.
    level: Box<Level>,
    /// Number of attributes that have been read.
    attribute: usize,
    /// Number of attributes in the start tag.
    attributes: usize,
    /// For each local name of an attribute, the attributes with this name; `None` before an attribute with a prefix is
    /// read.
    names: Option<HashMap<String, Rivals, Seeds>>,
    key: Key,
    /// The value of the key [`Key::TextAtEnd`].
    end_text: String,
    /// True if the end tag of the element has been consumed.
    is_done: bool,
    depth: Depth,
}

impl<'v, 'de, D: Balance, S: Source> Element<'v, 'de, D, S> {
    /// Creates the map of an element whose start tag was consumed.
    pub(super) fn new(
        cursor: &'v mut Cursor<'de, D, S>,
        opened: Opened,
        fields: Option<&'static [&'static str]>,
        depth: Depth,
    ) -> Element<'v, 'de, D, S> {
        let level = Box::new(Level::new(fields, cursor, opened.namespace));
        Element {
            cursor,
            start: opened.start,
            level,
            attribute: 0,
            attributes: opened.attributes,
            names: None,
            key: Key::None,
            end_text: String::new(),
            is_done: false,
            depth,
        }
    }

    /// Advances to the next attribute.
    fn advance(&mut self) {
        self.attribute += 1;
        if let Some(start) = &mut self.start {
            let attribute = self.cursor.tape.attribute_at(start.next, start.base);
            (start.attribute, start.next) = (start.next, attribute.end);
        }
    }

    /// Returns the attribute that was read last. `index` has to be its index in the start tag.
    #[inline]
    fn attribute(&self, index: usize) -> Option<TagAttribute<'de, '_>> {
        Some(match &self.start {
            Some(start) => {
                let attribute = self.cursor.tape.attribute_at(start.attribute, start.base);
                TagAttribute::Taped(attribute)
            }
            None => TagAttribute::Live(self.cursor.current_tag()?.attribute_at(index)?),
        })
    }

    /// Adds the position of the current event and the path of open elements to an error that has no position yet.
    #[cold]
    pub(super) fn placed(&self, error: DeError) -> DeError {
        self.cursor.placed(error)
    }

    /// Adds the position of an attribute, and the path with the name of its field, to an error that has no position
    /// yet.
    #[cold]
    fn placed_at(&self, error: DeError, index: usize) -> DeError {
        let Some(attribute) = self.attribute(index) else {
            return self.cursor.placed(error);
        };
        let mut key = String::new();
        self.level
            .write_key_of(&attribute, self.rivals_of(&attribute), &mut key);
        let path = [&*self.cursor.path, "/", &key].concat();
        error.at(Some(attribute.place()), &path)
    }

    /// Counts the attributes of each local name, if the attribute with this index has a prefix and they have not been
    /// counted.
    #[inline]
    fn count_names(&mut self, index: usize) {
        let attribute = self.attribute(index);
        let is_prefixed = attribute.is_some_and(|one| prefix_of(one.name()).is_some());
        if !is_prefixed || self.names.is_some() {
            return;
        }
        let mut names = HashMap::<String, Rivals, Seeds>::default();
        let mut add = |name: &str| {
            let rivals = names.entry_ref(local(name)).or_default();
            match prefix_of(name) {
                Some(_) => rivals.prefixed += 1,
                None => rivals.has_plain |= !name.contains(':'),
            }
        };
        match &self.start {
            Some(start) => {
                let mut at = start.first;
                for _ in 0..self.attributes {
                    let attribute = self.cursor.tape.attribute_at(at, start.base);
                    add(attribute.name.text());
                    at = attribute.end;
                }
            }
            None => {
                let tag = self.cursor.current_tag();
                let attributes = tag.iter().flat_map(|tag| tag.attributes());
                attributes.for_each(|attribute| add(attribute.name()));
            }
        }
        self.names = Some(names);
    }

    /// Returns the attributes with the same local name, if they have been counted.
    fn rivals_of(&self, attribute: &TagAttribute<'_, '_>) -> Rivals {
        let names = self.names.as_ref();
        let rivals = names.and_then(|names| names.get(local(attribute.name())));
        rivals.copied().unwrap_or_default()
    }

    /// Reads the name of the next attribute as a map key.
    #[inline]
    fn attribute_key<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DeError> {
        let index = self.attribute;
        self.advance();
        self.count_names(index);
        let mut key = core::mem::take(&mut self.cursor.key);
        if let Some(attribute) = self.attribute(index) {
            let is_nil = says_nil(&attribute);
            let rivals = self.rivals_of(&attribute);
            self.level.write_key_of(&attribute, rivals, &mut key);
            self.level.is_nil |= is_nil;
            if key.starts_with("@{") {
                self.cursor.charge_key(key.len())?;
            }
            let read = seed.deserialize(Simple::new(&key));
            self.cursor.key = key;
            self.key = Key::Attribute;
            return match read {
                Ok(key) => Ok(Some(key)),
                Err(error) => Err(self.placed_at(error, index)),
            };
        }
        Ok(None)
    }

    /// Reads the name of the field for the next child as a map key. Returns `None` at the end tag of the element.
    #[inline]
    fn child_key<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DeError> {
        let level = &mut self.level;
        let (key, read) = loop {
            match self.cursor.peek()? {
                Next::Text if level.skips_blank(self.cursor)? => {}
                Next::Text if level.has_value && !level.has_text => {
                    break (
                        Key::Value(Mode::Content),
                        seed.deserialize(Simple::known(VALUE)),
                    );
                }
                Next::Text => {
                    level.is_repeated = level.has_read_text;
                    level.has_read_text = true;
                    break (Key::Text, seed.deserialize(Simple::known(TEXT)));
                }
                Next::Start => match level.turn_of(self.cursor)? {
                    Turn::Field(name) => {
                        let name = self.cursor.key_in_name(name);
                        break (Key::Value(Mode::Field), seed.deserialize(name));
                    }
                    Turn::Braced(name) => {
                        self.cursor.charge_key(name.len())?;
                        let read = seed.deserialize(Simple::new(&name));
                        break (Key::Value(Mode::Field), read);
                    }
                    Turn::Value => {
                        break (
                            Key::Value(Mode::Content),
                            seed.deserialize(Simple::known(VALUE)),
                        );
                    }
                    Turn::Defer => level.defer(self.cursor)?,
                    Turn::Skip => self.cursor.skip_item()?,
                },
                Next::End => {
                    if let Some(child) = level.next_deferred(self.cursor) {
                        self.cursor.read_again(child);
                        continue;
                    }
                    if let Some(text) = level.text_at_end() {
                        self.end_text = text;
                        break (Key::TextAtEnd, seed.deserialize(Simple::known(TEXT)));
                    }
                    self.cursor.take();
                    self.is_done = true;
                    return Ok(None);
                }
                Next::Nothing => {
                    self.is_done = true;
                    return Err(self.cursor.fail(DeErrorKind::End));
                }
            };
        };
        self.key = key;
        match read {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(self.cursor.placed(error)),
        }
    }

    /// Skips the children that the type has not read, and the end tag of the element.
    pub(super) fn finish(mut self) -> Result<(), DeError> {
        match self.is_done {
            true => Ok(()),
            false => {
                self.level.forget(self.cursor);
                self.cursor.skip_open()
            }
        }
    }
}

impl<'de, D: Balance, S: Source> MapAccess<'de> for &mut Element<'_, 'de, D, S> {
    type Error = DeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DeError> {
        if self.attribute < self.attributes {
            return self.attribute_key(seed);
        }
        self.level.begin_key();
        if self.is_done {
            return Ok(None);
        }
        if let Some(child) = self.level.first(self.cursor) {
            self.cursor.read_again(child);
        }
        self.child_key(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DeError> {
        match core::mem::replace(&mut self.key, Key::None) {
            Key::Value(mode) => self.content(seed, mode),
            key => self.string(seed, &key),
        }
    }
}

// The two kinds of values have functions of their own, so that the stack frames of nested elements are small.
impl<'de, D: Balance, S: Source> Element<'_, 'de, D, S> {
    /// Reads a child element, or a text that is the field `$value`.
    fn content<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
        mode: Mode,
    ) -> Result<V::Value, DeError> {
        let before = self.cursor.taken;
        let value = seed.deserialize(Value {
            cursor: &mut *self.cursor,
            level: Some(&mut self.level),
            mode,
            depth: self.depth,
        });
        if let Err(error) = value {
            return Err(self.cursor.placed(error));
        }
        self.level.has_read_value |= mode == Mode::Content;
        // If the type consumed no event, it ignores the value, so the value is skipped.
        if self.cursor.taken == before {
            self.cursor.skip_item()?;
        }
        value
    }

    /// Reads an attribute or a text.
    fn string<V: DeserializeSeed<'de>>(&mut self, seed: V, key: &Key) -> Result<V::Value, DeError> {
        match key {
            Key::Attribute => {
                let index = self.attribute - 1;
                let value = match self.attribute(index) {
                    Some(attribute) => seed.deserialize(self.cursor.value_of(attribute)),
                    None => seed.deserialize(Simple::new("")),
                };
                value.map_err(|error| self.placed_at(error, index))
            }
            Key::Text if self.level.is_map => {
                let value = seed.deserialize(Value {
                    cursor: &mut *self.cursor,
                    level: Some(&mut self.level),
                    mode: Mode::Text,
                    depth: self.depth,
                });
                value.map_err(|error| self.cursor.placed(error))
            }
            Key::Text => {
                let value = seed.deserialize(self.cursor.text());
                let value = value.map_err(|error| self.cursor.placed(error))?;
                self.cursor.take();
                Ok(value)
            }
            Key::TextAtEnd => {
                let value = seed.deserialize(Simple::at_end(&self.end_text));
                value.map_err(|error| self.cursor.placed(error))
            }
            Key::Value(_) | Key::None => Err(serde_core::de::Error::custom(
                "a value was asked for before its key",
            )),
        }
    }
}

/// The sequence of the children that are the items of one field.
pub(super) struct Sequence<'v, 'de, D: Balance, S> {
    cursor: &'v mut Cursor<'de, D, S>,
    level: &'v mut Level,
    filter: Filter,
    /// True if the first item was read.
    is_begun: bool,
    depth: Depth,
}

impl<'v, 'de, D: Balance, S: Source> Sequence<'v, 'de, D, S> {
    /// Creates the sequence of the children that the filter accepts. The next child is the first item.
    pub(super) fn new(
        cursor: &'v mut Cursor<'de, D, S>,
        level: &'v mut Level,
        filter: Filter,
        depth: Depth,
    ) -> Sequence<'v, 'de, D, S> {
        level.rewind();
        Sequence {
            cursor,
            level,
            filter,
            is_begun: false,
            depth,
        }
    }

    /// Advances to the next item of the sequence. Returns whether there is an item.
    fn advance(&mut self) -> Result<bool, DeError> {
        // The first item was found when the key of the field was read, and is the next child already.
        match core::mem::replace(&mut self.is_begun, true) {
            true => self.level.advance(self.cursor, &self.filter),
            false => Ok(true),
        }
    }
}

impl<'de, D: Balance, S: Source> SeqAccess<'de> for Sequence<'_, 'de, D, S> {
    type Error = DeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DeError> {
        if !self.advance()? {
            return Ok(None);
        }
        let before = self.cursor.taken;
        self.cursor.has_no_item = false;
        let value = seed.deserialize(Value {
            cursor: &mut *self.cursor,
            level: Some(&mut *self.level),
            mode: match self.filter {
                Filter::Of(_) | Filter::Named(..) | Filter::Texts => Mode::NamedItem,
                Filter::Others => Mode::Item,
            },
            depth: self.depth,
        });
        if value.is_err() && self.cursor.has_no_item {
            return Ok(None);
        }
        let value = value.map_err(|error| self.cursor.placed(error))?;
        if self.cursor.taken == before {
            self.cursor.skip_item()?;
        }
        Ok(Some(value))
    }
}
