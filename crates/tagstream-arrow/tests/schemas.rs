//! Random rows. Their inferred schema is that of a plain second implementation, which makes a type of each row and merges
//! these types. And a column has the same values whether it is read alone, so that all other elements are skipped, or
//! with all columns.
//!
//! `TAGSTREAM_DOCUMENTS` sets the number of documents, and `TAGSTREAM_SEED` another seed.

mod common;
#[path = "common/shown.rs"]
mod shown;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use std::collections::BTreeMap;
use std::sync::Arc;
use tagstream_arrow::{Decoder, Inferrer, Options, RowErrorKind};
use testing::effort;
use testing::random::Random;

/// A type that the second implementation finds.
#[derive(Clone, Debug, PartialEq)]
enum Type {
    Null,
    Value(DataType),
    List(Box<Type>),
    Struct(BTreeMap<String, Type>),
}

/// An element of a row. Its parts are texts and child elements.
#[derive(Clone, Debug)]
struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, &'static str)>,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(&'static str),
    Element(Element),
    /// Markup that is no part of a type.
    Other(&'static str),
}

fn timestamp() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}

/// Values with their types.
fn type_of(value: &str) -> Type {
    Type::Value(match value {
        "null" => return Type::Null,
        "7" | "+12" | "000000000000000000000000000001" | "999999999999999999" => DataType::Int64,
        "1.5" | "-2." | ".5" | "3e4" | "9999999999999999999" => DataType::Float64,
        "true" | "FALSE" => DataType::Boolean,
        "2026-01-02" => DataType::Date32,
        "2026-1-2" | "2026-01-02T03:04:05.6Z" | "2026-01-02 3:4" => timestamp(),
        _ => DataType::Utf8,
    })
}

const VALUES: &[&str] = &[
    "null",
    "7",
    "+12",
    "000000000000000000000000000001",
    "999999999999999999",
    "9999999999999999999",
    "1.5",
    "-2.",
    ".5",
    "3e4",
    "1 .5",
    "1.5.5",
    "true",
    "FALSE",
    "2026-01-02",
    "2026-1-2",
    "2026-01-02T03:04:05.6Z",
    "2026-01-02 3:4",
    "2026-01-02T",
    "2026-01-32",
    "words and words",
    "é",
];

/// The names of elements and attributes. Some are the names of texts in some options.
const NAMES: &[&str] = &[
    "a",
    "b",
    "c",
    "v",
    "p:a",
    "_x",
    "longer-name-1",
    "longer-name-2",
];
const ATTRIBUTES: &[&str] = &["x", "y", "a", "p:x", "longer-attribute"];

fn value(random: &mut Random) -> &'static str {
    // Most columns have values of one type.
    match random.one_in(3) {
        true => random.pick(VALUES),
        false => "7",
    }
}

fn element(random: &mut Random, depth: usize) -> Element {
    let mut parts = Vec::new();
    if depth >= 3 || random.one_in(2) {
        if random.percent(80) {
            parts.push(Part::Text(value(random)));
        }
    } else {
        for _ in 0..random.below(4) {
            let child = Part::Element(element(random, depth + 1));
            for _ in 0..=random.below(8).saturating_sub(4) {
                parts.push(child.clone());
            }
            if random.one_in(8) {
                parts.push(Part::Text(value(random)));
            }
        }
    }
    if random.one_in(10) {
        let other = random.pick(&["<!-- <r> -->", "<?p <r>?>", "\n  "]);
        let at = random.below(parts.len() + 1);
        parts.insert(at, Part::Other(other));
    }
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    for name in ATTRIBUTES {
        if random.one_in(8) {
            attributes.push((name, value(random)));
        }
    }
    Element {
        name: random.pick(NAMES),
        attributes,
        parts,
    }
}

/// Changes a row: another value, an element that is left out, or another element.
fn change(random: &mut Random, element_of_row: &mut Element, depth: usize) {
    for part in &mut element_of_row.parts {
        match part {
            Part::Text(text) if random.one_in(2) => *text = value(random),
            Part::Element(child) if random.one_in(2) => change(random, child, depth + 1),
            Part::Element(child) if random.one_in(12) => *child = element(random, depth + 1),
            _ => {}
        }
    }
    if random.one_in(4) {
        element_of_row.parts.retain(|_| !random.one_in(4));
    }
}

/// Leaves one text between two child elements, so that its type is that of a value.
fn divide_texts(element: &mut Element) {
    let mut has_text = false;
    element.parts.retain_mut(|part| match part {
        Part::Text(_) => !std::mem::replace(&mut has_text, true),
        Part::Other(_) => true,
        Part::Element(child) => {
            has_text = false;
            divide_texts(child);
            true
        }
    });
}

fn rows(random: &mut Random) -> Vec<Element> {
    let mut rows = Vec::new();
    for _ in 0..1 + random.below(8) {
        let mut row = match rows.last() {
            Some(last) if random.percent(80) => Element::clone(last),
            _ => element(random, 0),
        };
        row.name = "r";
        change(random, &mut row, 0);
        divide_texts(&mut row);
        rows.push(row);
    }
    rows
}

fn write(element: &Element, xml: &mut String) {
    *xml += &format!("<{}", element.name);
    for (name, value) in &element.attributes {
        *xml += &format!(" {name}='{value}'");
    }
    *xml += ">";
    for part in &element.parts {
        match part {
            Part::Text(text) => *xml += text,
            Part::Element(child) => write(child, xml),
            Part::Other(other) => *xml += other,
        }
    }
    *xml += &format!("</{}>", element.name);
}

/// The options that change schemas.
#[derive(Clone, Copy, Debug)]
struct Rules {
    prefix: &'static str,
    value_tag: &'static str,
    excludes_attributes: bool,
    ignores_namespace: bool,
}

impl Rules {
    fn random(random: &mut Random) -> Rules {
        Rules {
            prefix: random.pick(&["_", "_", "", "@"]),
            value_tag: random.pick(&["_VALUE", "_VALUE", "v", "a", "_x"]),
            excludes_attributes: random.one_in(8),
            ignores_namespace: random.one_in(4),
        }
    }

    fn options(self) -> Options {
        Options::new("r")
            .attribute_prefix(self.prefix)
            .value_tag(self.value_tag)
            .exclude_attribute(self.excludes_attributes)
            .ignore_namespace(self.ignores_namespace)
            .null_value(Some("null"))
    }

    fn name(self, name: &str) -> &str {
        match name.split_once(':') {
            Some((_, local)) if self.ignores_namespace => local,
            _ => name,
        }
    }

    /// The attributes of an element. Of two with the same name, the last one counts, in the place of the first.
    fn attributes(self, element: &Element) -> Vec<(String, Type)> {
        let mut all: Vec<(String, Type)> = Vec::new();
        for (name, value) in &element.attributes {
            let name = format!("{}{}", self.prefix, self.name(name));
            match all.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = type_of(value),
                None => all.push((name, type_of(value))),
            }
        }
        match self.excludes_attributes {
            true => Vec::new(),
            false => all,
        }
    }

    /// The fields of the texts and child elements of an element.
    fn fields(self, element: &Element) -> BTreeMap<String, Type> {
        let mut fields = BTreeMap::new();
        let mut text = String::new();
        // A comment does not end a text.
        for part in &element.parts {
            match part {
                Part::Text(part) | Part::Other(part) => {
                    text += if part.starts_with('<') { "" } else { part };
                }
                Part::Element(child) => {
                    self.add_text(&mut fields, &std::mem::take(&mut text));
                    let found = self.type_of_element(child);
                    self.repeat(&mut fields, self.name(child.name), found);
                }
            }
        }
        self.add_text(&mut fields, &text);
        fields
    }

    fn add_text(self, fields: &mut BTreeMap<String, Type>, text: &str) {
        if !text.trim().is_empty() {
            self.repeat(fields, self.value_tag, type_of(text.trim()));
        }
    }

    /// Adds a field, or another value of the field, which is a list then.
    fn repeat(self, fields: &mut BTreeMap<String, Type>, name: &str, found: Type) {
        let found = match fields.remove(name) {
            None => found,
            Some(known @ Type::List(_)) => merge(self.value_tag, known, found),
            Some(known) => Type::List(Box::new(merge(self.value_tag, known, found))),
        };
        fields.insert(name.to_owned(), found);
    }

    fn type_of_element(self, element: &Element) -> Type {
        let mut fields = self.fields(element);
        let attributes = self.attributes(element);
        let is_value = fields.len() == 1
            && matches!(
                fields.get(self.value_tag),
                Some(Type::Null | Type::Value(_))
            );
        if is_value && attributes.is_empty() {
            return fields.remove(self.value_tag).unwrap();
        }
        if is_value && fields[self.value_tag] == Type::Null {
            fields.clear();
        }
        for (name, found) in attributes {
            let found = match fields.remove(&name) {
                Some(known) => merge("", known, found),
                None => found,
            };
            fields.insert(name, found);
        }
        match fields.is_empty() {
            true => Type::Null,
            false => Type::Struct(fields),
        }
    }

    fn type_of_row(self, row: &Element) -> Type {
        let mut fields = BTreeMap::new();
        for (name, found) in self.attributes(row) {
            self.repeat(&mut fields, &name, found);
        }
        for part in self.fields(row) {
            self.repeat(&mut fields, &part.0, part.1);
        }
        Type::Struct(fields)
    }
}

/// The type of values of both types.
fn merge(value_tag: &str, one: Type, two: Type) -> Type {
    match (one, two) {
        (found, Type::Null) | (Type::Null, found) => found,
        (Type::Struct(mut fields), Type::Struct(more)) => {
            for (name, found) in more {
                let found = match fields.remove(&name) {
                    Some(known) => merge(value_tag, known, found),
                    None => found,
                };
                fields.insert(name, found);
            }
            Type::Struct(fields)
        }
        (Type::List(one), Type::List(two)) => Type::List(Box::new(merge(value_tag, *one, *two))),
        (Type::List(one), two) => Type::List(Box::new(merge(value_tag, *one, two))),
        (one, Type::List(two)) => Type::List(Box::new(merge(value_tag, one, *two))),
        (Type::Struct(mut fields), other) | (other, Type::Struct(mut fields)) => {
            let Some(known) = fields.remove(value_tag) else {
                return Type::Value(DataType::Utf8);
            };
            fields.insert(value_tag.to_owned(), merge(value_tag, known, other));
            Type::Struct(fields)
        }
        (Type::Value(one), Type::Value(two)) => Type::Value(match (one, two) {
            (one, two) if one == two => one,
            (DataType::Int64, DataType::Float64) | (DataType::Float64, DataType::Int64) => {
                DataType::Float64
            }
            (DataType::Date32, other) | (other, DataType::Date32) if other == timestamp() => other,
            _ => DataType::Utf8,
        }),
    }
}

/// The type of a column. Structs without fields are left out.
fn data_type(found: Type) -> Option<DataType> {
    Some(match found {
        Type::Null => DataType::Utf8,
        Type::Value(found) => found,
        Type::List(found) => {
            DataType::List(Arc::new(Field::new_list_field(data_type(*found)?, true)))
        }
        Type::Struct(fields) => {
            let field = |(name, found)| Some(Field::new(name, data_type(found)?, true));
            let fields: Fields = fields.into_iter().filter_map(field).collect();
            match fields.is_empty() {
                true => return None,
                false => DataType::Struct(fields),
            }
        }
    })
}

fn inferred(xml: &str, options: Options, chunk: usize) -> SchemaRef {
    let mut inferrer = Inferrer::new(options).unwrap();
    for chunk in common::chunks(xml.as_bytes(), chunk) {
        inferrer.feed(chunk).unwrap();
    }
    inferrer.finish().unwrap().schema
}

#[test]
fn schemas_are_those_of_a_plain_implementation() {
    let seed = effort::seed(0xA54F_F53A_5F1D_36F1);
    for number in 0..effort::documents(2_000, 20_000) {
        let mut random = Random(Random(seed.wrapping_add(number as u64)).number());
        let (rules, rows) = (Rules::random(&mut random), rows(&mut random));
        let mut xml = String::from("<t>");
        let mut expected = Type::Struct(BTreeMap::new());
        for row in &rows {
            write(row, &mut xml);
            expected = merge(rules.value_tag, expected, rules.type_of_row(row));
        }
        xml += "</t>";
        let schema = inferred(&xml, rules.options(), 1 + random.below(60));
        let found =
            (!schema.fields().is_empty()).then(|| DataType::Struct(schema.fields().clone()));
        assert_eq!(
            found,
            data_type(expected),
            "seed {seed}, document {number}: {rules:?}\n{xml}"
        );
    }
}

/// The values of the first column of each row, and the errors of the rows that are malformed, whatever their columns are.
/// `None` if a value does not fit its column, since later columns of its row are null then.
fn read(xml: &str, schema: SchemaRef, chunk: usize) -> Option<(Vec<String>, Vec<String>)> {
    // Lists of lists, which inference finds in some documents, cannot be read.
    let mut decoder = Decoder::new(schema, Options::new("r").null_value(Some("null"))).ok()?;
    let mut rows = Vec::new();
    for chunk in common::chunks(xml.as_bytes(), chunk) {
        decoder.feed(chunk);
        while let Some(batch) = decoder.next_batch().unwrap() {
            rows.extend(shown::rows_of(&batch.project(&[0]).unwrap()));
        }
    }
    decoder.finish();
    while let Some(batch) = decoder.next_batch().unwrap() {
        rows.extend(shown::rows_of(&batch.project(&[0]).unwrap()));
    }
    let mut errors = Vec::new();
    for error in decoder.row_errors() {
        match error.kind {
            RowErrorKind::Malformed(_) => errors.push(format!("{error:?}")),
            _ => return None,
        }
    }
    Some((rows, errors))
}

/// Makes a row malformed: in the row, or in an element that may have no column.
fn break_row(random: &mut Random, element: &mut Element) {
    const BROKEN: &[&str] = &["&", "&unknown;", "<x y=1/>", "</x>", "<x><r></x>"];
    let is_child = |part: &&mut Part| matches!(part, Part::Element(_));
    match element.parts.iter_mut().find(is_child) {
        Some(Part::Element(child)) if random.percent(70) => break_row(random, child),
        _ => element.parts.push(Part::Other(random.pick(BROKEN))),
    }
}

#[test]
fn columns_that_are_read_alone_have_the_same_values() {
    let seed = effort::seed(0x510E_527F_ADE6_82D1);
    let (mut compared, documents) = (0, effort::documents(500, 5_000));
    for number in 0..documents {
        let mut random = Random(Random(seed.wrapping_add(number as u64)).number());
        let mut xml = String::from("<t>");
        for mut row in rows(&mut random) {
            if random.one_in(6) {
                break_row(&mut random, &mut row);
            }
            write(&row, &mut xml);
        }
        xml += "</t>";
        let chunk = 1 + random.below(60);
        let options = Options::new("r").null_value(Some("null"));
        let fields = inferred(&xml, options, chunk).fields().clone();
        let fields: Vec<_> = fields
            .iter()
            .filter(|field| field.name() != "_corrupt_record")
            .collect();
        for field in &fields {
            // The column is the first of all columns, and the only one.
            let others = fields.iter().filter(|other| other.name() != field.name());
            let all: Vec<_> = std::iter::once(field)
                .chain(others)
                .map(|field| Arc::clone(field))
                .collect();
            let Some(all) = read(&xml, Arc::new(Schema::new(all)), xml.len()) else {
                continue;
            };
            let one = read(&xml, Arc::new(Schema::new(vec![Arc::clone(field)])), chunk);
            assert_eq!(
                one,
                Some(all),
                "seed {seed}, document {number}: {field:?}\n{xml}"
            );
            compared += 1;
        }
    }
    assert!(compared > documents, "{compared} columns");
}
