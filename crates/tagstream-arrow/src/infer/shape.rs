//! The shape of a row: its elements and attributes, and the type of each value.
//!
//! The shape is recorded as text, from which the types of the row are made if the row may change the schema. As long as
//! the row fits the schema, the index of a column is recorded instead of its name, which is not copied then.

use super::comparison::Comparison;
use super::types::{Fields, Merge, Type, ValueType};
use super::values::infer;
use crate::columns::Settings;
use crate::options::Options;
use tagstream::StartTag;

// Each record begins with one of these characters, which are in no name, in no index and in no type.
/// A start tag: its column.
const START: char = '\x01';
/// An attribute: its column, and its type.
const ATTRIBUTE: char = '\x02';
/// A text that is not only whitespace: its type.
const TEXT: char = '\x03';
/// An end tag.
const END: char = '\x04';

/// The characters around the name of a column, if it is recorded instead of the index.
const NAME: char = '\x0E';
const NAME_END: char = '\0';

// The index of a column, which is the one in the fields of the element around it, has five bits in each character.
/// Added to bits after which there are more.
const MORE_DIGITS: u8 = 0x20;
/// Added to the last bits.
const LAST_DIGIT: u8 = 0x40;
const DIGIT_BITS: u32 = 5;

/// The types of values, by their character minus `FIRST_TYPE`. A decimal has two more for its precision and its scale.
const TYPES: [Option<ValueType>; 7] = [
    None,
    Some(ValueType::Boolean),
    Some(ValueType::Long),
    Some(ValueType::Double),
    Some(ValueType::Date),
    Some(ValueType::Timestamp),
    Some(ValueType::String),
];
const FIRST_TYPE: u8 = 5;
const DECIMAL: u8 = FIRST_TYPE + TYPES.len() as u8;
/// Added to the digits of a decimal, so that they are no other character.
const DIGITS: u8 = 16;

/// The shape of a row that is being read, without the start and end tag of the row.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    text: String,
    /// Offset in `text` of the start tag of each open element.
    open: Vec<usize>,
    /// The name of the column of an attribute.
    attribute_name: String,
}

impl Shape {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.open.clear();
    }

    /// Records a column: its index, if it was found in the schema, or else its name.
    #[inline]
    fn put_column(text: &mut String, found: Option<u32>, name: &str) {
        let Some(mut index) = found else {
            text.push(NAME);
            text.push_str(name);
            text.push(NAME_END);
            return;
        };
        while index >= 1 << DIGIT_BITS {
            text.push(char::from(MORE_DIGITS + (index % (1 << DIGIT_BITS)) as u8));
            index >>= DIGIT_BITS;
        }
        text.push(char::from(LAST_DIGIT + index as u8));
    }

    #[inline]
    fn put_type(&mut self, found: Option<ValueType>) {
        let code = match found {
            Some(ValueType::Decimal(precision, scale)) => {
                let digits = [DECIMAL, precision + DIGITS, scale + DIGITS];
                return self.text.extend(digits.map(char::from));
            }
            None => 0,
            Some(ValueType::Boolean) => 1,
            Some(ValueType::Long) => 2,
            Some(ValueType::Double) => 3,
            Some(ValueType::Date) => 4,
            Some(ValueType::Timestamp) => 5,
            Some(ValueType::String) => 6,
        };
        self.text.push(char::from(FIRST_TYPE + code));
    }

    /// Records the start tag of a child element.
    pub(super) fn start(
        &mut self,
        tag: &StartTag<'_>,
        options: &Options,
        settings: &Settings,
        comparison: &mut Comparison,
    ) {
        let name = options.name_of(tag.name());
        self.open.push(self.text.len());
        self.text.push(START);
        let found = comparison.start(name, options);
        Shape::put_column(&mut self.text, found, name);
        self.attributes(tag, options, settings, comparison);
    }

    /// Records the attributes of an element.
    pub(super) fn attributes(
        &mut self,
        tag: &StartTag<'_>,
        options: &Options,
        settings: &Settings,
        comparison: &mut Comparison,
    ) {
        if options.exclude_attribute {
            return;
        }
        for attribute in tag.attributes() {
            let found = infer(attribute.value(), options, settings);
            self.attribute_name.clear();
            self.attribute_name.push_str(&options.attribute_prefix);
            self.attribute_name
                .push_str(options.name_of(attribute.name()));
            let column = comparison.attribute(&self.attribute_name, found, options);
            self.text.push(ATTRIBUTE);
            Shape::put_column(&mut self.text, column, &self.attribute_name);
            self.put_type(found);
        }
    }

    /// Records a text between two tags.
    pub(super) fn text(
        &mut self,
        text: &str,
        options: &Options,
        settings: &Settings,
        comparison: &mut Comparison,
    ) {
        let found = infer(text, options, settings);
        self.text.push(TEXT);
        self.put_type(found);
        comparison.text(found, options);
    }

    /// Records the end tag of a child element. A third equal element in succession adds nothing to the type of the list.
    pub(super) fn end(&mut self, options: &Options, comparison: &mut Comparison) {
        comparison.end_child(options);
        self.text.push(END);
        let Some(start) = self.open.pop() else {
            return;
        };
        let (before, element) = self.text.split_at(start);
        let is_third = before
            .strip_suffix(element)
            .is_some_and(|rest| rest.ends_with(element));
        if is_third {
            self.text.truncate(start);
        }
    }

    /// Returns the fields of the row, which was compared with `schema`.
    pub(super) fn fields(&self, schema: Option<&Fields>, options: &Options) -> Fields {
        let mut rest = &*self.text;
        let mut open = vec![Open {
            schema,
            ..Open::default()
        }];
        let mut merge = Merge::of_row(&options.value_tag);
        while let Some(kind) = take_char(&mut rest) {
            match kind {
                START => {
                    let parent = open.last().and_then(|element| element.schema);
                    let (name, schema) = take_column(&mut rest, parent);
                    open.push(Open {
                        name,
                        schema,
                        ..Open::default()
                    });
                }
                END => {
                    let (Some(element), Some(parent)) = (open.pop(), open.last_mut()) else {
                        break;
                    };
                    let name = element.name;
                    let found = element.field(&options.value_tag);
                    parent.fields.add_or_repeat(name, found, &mut merge);
                }
                ATTRIBUTE => {
                    let element = open.last_mut();
                    let schema = element.as_ref().and_then(|element| element.schema);
                    let (name, _) = take_column(&mut rest, schema);
                    let found = take_type(&mut rest);
                    if let Some(element) = element {
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
            fields.add_or_repeat(name, found, &mut merge);
        }
        for (name, column) in row.fields.names.iter().zip(row.fields.columns) {
            fields.add_or_repeat(name, column.found, &mut merge);
        }
        fields
    }
}

fn take_char(text: &mut &str) -> Option<char> {
    let mut chars = text.chars();
    let first = chars.next()?;
    *text = chars.as_str();
    Some(first)
}

/// Takes a column of an element, and returns its name and its fields in the schema. `schema` are the fields of the
/// element.
fn take_column<'a>(
    text: &mut &'a str,
    schema: Option<&'a Fields>,
) -> (&'a str, Option<&'a Fields>) {
    if let Some(named) = text.strip_prefix(NAME) {
        let (name, rest) = named.split_once(NAME_END).unwrap_or((named, ""));
        *text = rest;
        return (name, None);
    }
    let (mut index, mut shift) = (0, 0);
    while let Some(digit) = take_char(text) {
        index |= (digit as u32 % (1 << DIGIT_BITS)) << shift;
        shift += DIGIT_BITS;
        if digit as u32 >= LAST_DIGIT.into() {
            break;
        }
    }
    // An index is recorded only in an element that has fields in the schema.
    schema.map_or(("", None), |schema| schema.field(index))
}

fn take_type(text: &mut &str) -> Type {
    let mut number = |first: u8| match take_char(text) {
        Some(code) => (code as u8).saturating_sub(first),
        None => 0,
    };
    match usize::from(number(FIRST_TYPE)) {
        code if code == TYPES.len() => {
            let precision = number(DIGITS);
            Some(ValueType::Decimal(precision, number(DIGITS))).into()
        }
        code => TYPES.get(code).copied().flatten().into(),
    }
}

/// An element of a row whose type is being made.
#[derive(Debug, Default)]
struct Open<'a> {
    name: &'a str,
    /// The fields of its column in the schema.
    schema: Option<&'a Fields>,
    fields: Fields,
    attributes: Vec<(&'a str, Type)>,
}

impl<'a> Open<'a> {
    /// Adds an attribute. Names without their prefixes can be the same; the last one counts.
    fn add_attribute(&mut self, name: &'a str, found: Type, options: &Options) {
        let mut known = self.attributes.iter_mut();
        match known.find(|(known, _)| options.ignore_namespace && *known == name) {
            Some((_, known)) => *known = found,
            None => self.attributes.push((name, found)),
        }
    }

    /// Returns the type of the element as a field of its parent.
    fn field(mut self, value_tag: &str) -> Type {
        let is_value = match (&*self.fields.columns, self.fields.names.get(value_tag)) {
            ([column], Some(_)) => !matches!(column.found, Type::Struct(_) | Type::List(_)),
            _ => false,
        };
        if is_value {
            let fields = std::mem::take(&mut self.fields);
            let found = fields.columns.into_iter().next().unwrap_or_default().found;
            if self.attributes.is_empty() {
                return found;
            }
            // The text of elements with attributes is no field if it is null, as in Spark.
            if found != Type::Null {
                self.fields.add(value_tag, found);
            }
        }
        for (name, found) in self.attributes {
            let mut merge = Merge::of_row("");
            match self.fields.find(name) {
                Some(known) => known.found = merge.merge(std::mem::take(&mut known.found), found),
                None => self.fields.add(name, found),
            }
        }
        match self.fields.columns.is_empty() {
            true => Type::Null,
            false => Type::Struct(Box::new(self.fields)),
        }
    }
}
