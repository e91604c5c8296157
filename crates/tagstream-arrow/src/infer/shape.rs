//! The shape of a row: its elements and attributes, and the type of each value.
//!
//! Most rows of a document have few shapes. A row whose shape has changed nothing in the schema before needs no types of
//! its own, so the shape is recorded as bytes, which are compared as a whole. Only the types of other rows are made from
//! the bytes.

use super::types::{Fields, Merge, Type};
use super::values::infer;
use crate::columns::Settings;
use crate::options::Options;
use std::sync::Arc;
use tagstream::StartTag;

// Each record begins with one of these bytes, which are in no name and in no type.
/// A start tag: its name, and `NAME_END`.
const START: u8 = 1;
/// An attribute: its name, `NAME_END`, and its type.
const ATTRIBUTE: u8 = 2;
/// A text that is not only whitespace: its type.
const TEXT: u8 = 3;
/// An end tag.
const END: u8 = 4;

/// The byte after a name.
const NAME_END: u8 = 0;

/// The types of values, by their byte minus `FIRST_TYPE`. A decimal has two more bytes for its precision and its scale.
const TYPES: [Type; 7] = [
    Type::Null,
    Type::Boolean,
    Type::Long,
    Type::Double,
    Type::Date,
    Type::Timestamp,
    Type::String,
];
const FIRST_TYPE: u8 = 5;
const DECIMAL: u8 = FIRST_TYPE + 7;
/// Added to the digits of a decimal, so that they are no other byte.
const DIGITS: u8 = 16;

/// The shape of a row that is being read, without the start and end tag of the row.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    bytes: Vec<u8>,
    /// Offset in `bytes` of the start tag of each open element.
    open: Vec<usize>,
}

impl Shape {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.open.clear();
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn put_name(&mut self, kind: u8, name: &str) {
        self.bytes.push(kind);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(NAME_END);
    }

    fn put_type(&mut self, found: &Type) {
        let code = match found {
            Type::Decimal(precision, scale) => {
                let digits = [DECIMAL, precision + DIGITS, scale + DIGITS];
                return self.bytes.extend_from_slice(&digits);
            }
            Type::Null => 0,
            Type::Boolean => 1,
            Type::Long => 2,
            Type::Double => 3,
            Type::Date => 4,
            Type::Timestamp => 5,
            // Values are neither lists nor structs.
            _ => 6,
        };
        self.bytes.push(FIRST_TYPE + code);
    }

    /// Records the start tag of a child element.
    pub(super) fn start(&mut self, tag: &StartTag<'_>, options: &Options, settings: &Settings) {
        self.open.push(self.bytes.len());
        self.put_name(START, options.name_of(tag.name()));
        self.attributes(tag, options, settings);
    }

    /// Records the attributes of an element.
    pub(super) fn attributes(
        &mut self,
        tag: &StartTag<'_>,
        options: &Options,
        settings: &Settings,
    ) {
        if options.exclude_attribute {
            return;
        }
        for attribute in tag.attributes() {
            self.put_name(ATTRIBUTE, options.name_of(attribute.name()));
            self.put_type(&infer(attribute.value(), options, settings));
        }
    }

    /// Records a text between two tags.
    pub(super) fn text(&mut self, text: &str, options: &Options, settings: &Settings) {
        self.bytes.push(TEXT);
        self.put_type(&infer(text, options, settings));
    }

    /// Records the end tag of a child element. A third equal element in succession adds nothing to the type of the list.
    pub(super) fn end(&mut self) {
        self.bytes.push(END);
        let Some(start) = self.open.pop() else {
            return;
        };
        let (before, element) = self.bytes.split_at(start);
        let is_third = before
            .strip_suffix(element)
            .is_some_and(|rest| rest.ends_with(element));
        if is_third {
            self.bytes.truncate(start);
        }
    }

    /// Returns the fields of the row.
    pub(super) fn fields(&self, options: &Options) -> Fields {
        let mut rest = &*self.bytes;
        let mut open = vec![Open::default()];
        let mut merge = Merge::of_row(&options.value_tag);
        while let Some(kind) = take_byte(&mut rest) {
            match kind {
                START => open.push(Open {
                    name: take_name(&mut rest).into(),
                    ..Open::default()
                }),
                END => {
                    let (Some(element), Some(parent)) = (open.pop(), open.last_mut()) else {
                        break;
                    };
                    let name = Arc::clone(&element.name);
                    let found = element.field(&options.value_tag);
                    parent.fields.add_or_repeat(&name, found, &mut merge);
                }
                ATTRIBUTE => {
                    let name = take_name(&mut rest);
                    let name = format!("{}{name}", options.attribute_prefix);
                    let found = take_type(&mut rest);
                    if let Some(element) = open.last_mut() {
                        element.add_attribute(name, found, options);
                    }
                }
                _ => {
                    let found = take_type(&mut rest);
                    if let Some(element) = open.last_mut() {
                        let fields = &mut element.fields;
                        fields.add_or_repeat(&options.value_tag, found, &mut merge);
                    }
                }
            }
        }
        let mut fields = Fields::default();
        let row = open.pop().unwrap_or_default();
        for (name, found) in row.attributes {
            fields.add_or_repeat(&name, found, &mut merge);
        }
        for (name, found) in row.fields.fields {
            fields.add_or_repeat(&name, found, &mut merge);
        }
        fields
    }
}

fn take_byte(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

fn take_name<'a>(bytes: &mut &'a [u8]) -> &'a str {
    let end = memchr::memchr(NAME_END, bytes).unwrap_or(bytes.len());
    let (name, rest) = bytes.split_at(end);
    *bytes = rest.get(1..).unwrap_or_default();
    // The bytes are those of a name.
    std::str::from_utf8(name).unwrap_or_default()
}

fn take_type(bytes: &mut &[u8]) -> Type {
    match take_byte(bytes) {
        Some(DECIMAL) => {
            let mut digits = || take_byte(bytes).unwrap_or_default().saturating_sub(DIGITS);
            let precision = digits();
            Type::Decimal(precision, digits())
        }
        Some(code) => {
            let found = TYPES.get(usize::from(code.saturating_sub(FIRST_TYPE)));
            found.cloned().unwrap_or(Type::String)
        }
        None => Type::Null,
    }
}

/// An element of a row whose type is being made.
#[derive(Debug)]
struct Open {
    name: Arc<str>,
    fields: Fields,
    attributes: Vec<(String, Type)>,
}

impl Default for Open {
    fn default() -> Open {
        Open {
            name: "".into(),
            fields: Fields::default(),
            attributes: Vec::new(),
        }
    }
}

impl Open {
    /// Adds an attribute. Names without their prefixes can be the same; the last one counts.
    fn add_attribute(&mut self, name: String, found: Type, options: &Options) {
        let mut known = self.attributes.iter_mut();
        match known.find(|(known, _)| options.ignore_namespace && *known == name) {
            Some((_, known)) => *known = found,
            None => self.attributes.push((name, found)),
        }
    }

    /// Returns the type of the element as a field of its parent.
    fn field(self, value_tag: &str) -> Type {
        let mut fields = self.fields;
        let is_value = match &*fields.fields {
            [] => return Open::with_attributes(Fields::default(), self.attributes, Type::Null),
            [(name, found)] => {
                &**name == value_tag && !matches!(found, Type::Struct(_) | Type::List(_))
            }
            _ => false,
        };
        if !is_value {
            return Open::with_attributes(fields, self.attributes, Type::Null);
        }
        let found = fields.fields.pop().map_or(Type::Null, |(_, found)| found);
        match self.attributes.is_empty() {
            true => found,
            false => {
                fields.table.clear();
                // The text of elements with attributes is no field if it is null, as in Spark.
                if found != Type::Null {
                    fields.add(value_tag.into(), found);
                }
                Open::with_attributes(fields, self.attributes, Type::Null)
            }
        }
    }

    /// Returns a struct of fields and attributes, or `empty` if there are none.
    fn with_attributes(mut fields: Fields, attributes: Vec<(String, Type)>, empty: Type) -> Type {
        for (name, found) in attributes {
            let mut merge = Merge::of_row("");
            match fields.find(&name) {
                Some(known) => *known = merge.merge(std::mem::replace(known, Type::Null), found),
                None => fields.add(name.into(), found),
            }
        }
        match fields.fields.is_empty() {
            true => empty,
            false => Type::Struct(fields),
        }
    }
}
