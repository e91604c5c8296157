//! A row is the same whether other rows are around it, good or malformed. The schemas are random, with several attributes
//! and child elements for each element, and the rows are made for their schema: most values fit, some do not.
//!
//! `TAGSTREAM_DOCUMENTS` sets the number of rows, and `TAGSTREAM_SEED` another seed.

mod common;
#[path = "common/shown.rs"]
mod shown;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use std::io::Cursor;
use std::sync::Arc;
use tagstream_arrow::{ChunkReader, Mode, Options, ParallelReader, RowError, XmlReader};
use testing::effort;
use testing::random::Random;

const ELEMENTS: &[&str] = &["a", "b", "c", "d"];
const ATTRIBUTES: &[&str] = &["x", "y", "z"];

/// The start of each document. Its length is the offset of a row that is alone.
const START: &str = "<!DOCTYPE t [<!ENTITY e '7'>]><t>";

/// Returns a random type of values without fields.
fn simple_type(random: &mut Random) -> DataType {
    let utc = Some("UTC".into());
    match random.below(14) {
        0 => DataType::Boolean,
        1 => DataType::Int8,
        2 => DataType::UInt16,
        3 => DataType::Int32,
        4..=6 => DataType::Int64,
        7 => DataType::Float64,
        8 => DataType::Decimal128(6, 2),
        9 => DataType::Date32,
        10 => DataType::Timestamp(TimeUnit::Microsecond, utc),
        11 => DataType::LargeUtf8,
        12 => DataType::Utf8View,
        _ => DataType::Utf8,
    }
}

/// Returns a random type of a child element.
fn element_type(random: &mut Random, depth: usize) -> DataType {
    let one = match random.below(2) {
        0 if depth < 3 => DataType::Struct(fields(random, depth)),
        _ => simple_type(random),
    };
    match random.below(5) {
        0 | 1 => DataType::List(Arc::new(Field::new_list_field(one, !random.one_in(8)))),
        2 if random.one_in(4) => {
            DataType::LargeList(Arc::new(Field::new_list_field(one, !random.one_in(8))))
        }
        _ => one,
    }
}

/// Returns the random fields of an element.
fn fields(random: &mut Random, depth: usize) -> Fields {
    let mut fields = Vec::new();
    for name in ATTRIBUTES {
        if random.percent(70) {
            let data_type = match random.one_in(10) {
                true => DataType::List(Arc::new(Field::new_list_field(simple_type(random), true))),
                false => simple_type(random),
            };
            let name = format!("_{name}");
            fields.push(Field::new(name, data_type, !random.one_in(12)));
        }
    }
    for name in ELEMENTS {
        if random.percent(60) {
            let data_type = element_type(random, depth + 1);
            fields.push(Field::new(*name, data_type, !random.one_in(12)));
        }
    }
    if random.one_in(3) {
        fields.push(Field::new("_VALUE", simple_type(random), true));
    }
    // The order of columns is not that of the input.
    let first = random.below(fields.len().max(1));
    fields.rotate_left(first);
    fields.into()
}

/// Returns a random schema of rows.
fn schema(random: &mut Random) -> SchemaRef {
    let mut fields = fields(random, 0).to_vec();
    if random.one_in(2) {
        let corrupt = Field::new("_corrupt_record", DataType::Utf8, true);
        fields.push(Arc::new(corrupt));
    }
    Arc::new(Schema::new(fields))
}

/// Returns a text that is a value of a type, in seven of eight cases.
fn text(random: &mut Random, data_type: Option<&DataType>) -> String {
    let number = random.below(100).to_string();
    let fitting = match data_type {
        Some(DataType::List(inner)) => return text(random, Some(inner.data_type())),
        Some(DataType::Boolean) => random.pick(&["true", "false", "1"]),
        Some(DataType::Decimal128(..)) => random.pick(&["1.5", "20", "-0.25"]),
        Some(DataType::Date32) => random.pick(&["2026-01-02", "1999-12-31"]),
        Some(DataType::Timestamp(..)) => random.pick(&["2026-01-02T03:04:05Z", "2026-01-02"]),
        Some(DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => {
            random.pick(&["word", "two words", "é", "", " a "])
        }
        _ => &number,
    };
    let unfit = ["x", "", "1,5", "99999999999999999999", "null", "- 1", "&e;"];
    match random.one_in(8) {
        true => random.pick(&unfit).to_owned(),
        false => fitting.to_owned(),
    }
}

/// Appends the text of an element, in one piece or in several.
fn content(random: &mut Random, xml: &mut String, data_type: Option<&DataType>) {
    let text = text(random, data_type);
    *xml += &match random.below(12) {
        0 => format!("{text}<!-- a comment -->"),
        1 => format!("<![CDATA[{}]]>", text.replace("&e;", "7")),
        2 => format!("{text}<?p?>1"),
        3 => format!("\n {text} "),
        _ => text,
    };
}

/// Appends an element. `is_broken` allows malformed markup in it.
fn element(
    random: &mut Random,
    xml: &mut String,
    name: &str,
    data_type: Option<&DataType>,
    depth: usize,
    is_broken: bool,
) {
    let fields = match data_type {
        Some(DataType::Struct(fields)) => Some(fields),
        _ => None,
    };
    let of = |name: &str| fields.and_then(|fields| fields.find(name).map(|(_, field)| field));
    *xml += &format!("<{name}");
    for attribute in ATTRIBUTES {
        if random.percent(if fields.is_some() { 60 } else { 5 }) {
            let known = of(&format!("_{attribute}"));
            let value = text(random, known.map(|field| field.data_type()));
            *xml += &format!(" {attribute}='{value}'");
            if is_broken && random.one_in(30) {
                *xml += random.pick(&[" x='2'", " v=1 ", " q"]);
            }
        }
    }
    if random.one_in(12) {
        *xml += "/>";
        return;
    }
    *xml += ">";
    match fields {
        Some(_) => {
            for _ in 0..random.below(if depth == 0 { 7 } else { 4 }) {
                child(random, xml, &of, depth, is_broken);
            }
        }
        None => content(random, xml, data_type),
    }
    *xml += &format!("</{name}>");
}

/// Appends a child of an element with fields: a text, malformed markup, or an element.
fn child<'a>(
    random: &mut Random,
    xml: &mut String,
    of: &impl Fn(&str) -> Option<&'a Arc<Field>>,
    depth: usize,
    is_broken: bool,
) {
    match random.below(16) {
        0 => content(random, xml, of("_VALUE").map(|field| field.data_type())),
        1 if is_broken => {
            *xml += random.pick(&["</x>", "&", "<z a=1/>", "&undeclared;", "\u{1}"]);
        }
        2 => *xml += "<unknown x='1'>text<a>1</a></unknown>",
        3 => *xml += "<a>1<b x='1'>2</b></a>",
        _ => {
            let name = random.pick(ELEMENTS);
            let data_type = match of(name).map(|field| field.data_type()) {
                Some(DataType::List(inner) | DataType::LargeList(inner)) => Some(inner.data_type()),
                other => other,
            };
            element(random, xml, name, data_type, depth + 1, is_broken);
        }
    }
}

/// The rows of a document, one text for each, the errors of rows, and the error that ended the reading.
#[derive(Debug, Default, PartialEq)]
struct Found {
    rows: Vec<String>,
    errors: Vec<RowError>,
    failed: Option<String>,
}

impl Found {
    fn add(&mut self, batch: Result<RecordBatch, ArrowError>) {
        match batch {
            Ok(batch) => self.rows.extend(shown::rows_of(&batch)),
            Err(error) => self.failed = Some(error.to_string()),
        }
    }
}

fn read(xml: &str, schema: &SchemaRef, options: &Options) -> Found {
    let mut found = Found::default();
    let read = Cursor::new(xml.to_owned());
    let mut reader = XmlReader::new(read, schema.clone(), options.clone()).unwrap();
    for batch in &mut reader {
        found.add(batch);
    }
    found.errors = reader.decoder().row_errors().to_vec();
    found
}

fn read_chunks(xml: &str, schema: &SchemaRef, options: &Options, length: usize) -> Found {
    let mut found = Found::default();
    let chunks = common::chunks(xml.as_bytes(), length);
    let mut reader = ChunkReader::new(chunks, schema.clone(), options.clone()).unwrap();
    for batch in &mut reader {
        found.add(batch);
    }
    found.errors = reader.decoder().row_errors().to_vec();
    found
}

fn read_pieces(xml: &str, schema: &SchemaRef, options: &Options, length: usize) -> Found {
    let mut found = Found::default();
    let read = Cursor::new(xml.to_owned());
    let (schema, options) = (schema.clone(), options.clone());
    let mut reader =
        ParallelReader::with_piece_bytes(read, schema, options, 2, length.max(1)).unwrap();
    for batch in &mut reader {
        found.add(batch);
    }
    found.errors = reader.row_errors().to_vec();
    found
}

/// The parts of an error that do not depend on the place of its row.
fn relative(error: &RowError) -> String {
    let (start, end) = (error.bytes.start - error.row, error.bytes.end - error.row);
    format!("{start}..{end} {:?} {}", error.column_name, error.kind)
}

/// Options under which rows can be too long, null, or not trimmed.
fn random_options(random: &mut Random) -> Options {
    let modes = [Mode::Permissive, Mode::Permissive, Mode::DropMalformed];
    Options::new("r")
        .mode(modes[random.below(3)])
        .batch_size(1 + random.below(6))
        .ignore_surrounding_spaces(!random.one_in(4))
        .null_value(random.one_in(3).then_some("null"))
        .max_row_bytes(if random.one_in(4) { 150 } else { 1 << 20 })
}

/// Rows, and the text between them.
struct Document {
    sources: Vec<String>,
    /// The document, and the offset of each row in it.
    xml: String,
    offsets: Vec<u64>,
}

fn document(random: &mut Random, schema: &SchemaRef) -> Document {
    let of_row = DataType::Struct(schema.fields().clone());
    let is_broken = random.one_in(2);
    let mut document = Document {
        sources: Vec::new(),
        xml: START.to_owned(),
        offsets: Vec::new(),
    };
    for _ in 0..2 + random.below(16) {
        document.xml += random.pick(&["", "\n", "<!-- <r/> -->", "text", "<o><a>1</a></o>"]);
        let mut source = String::new();
        element(random, &mut source, "r", Some(&of_row), 0, is_broken);
        document.offsets.push(document.xml.len() as u64);
        document.xml += &source;
        document.sources.push(source);
    }
    document.xml += "</t>";
    document
}

/// Checks the rows of a document. Returns the number of rows, and of those without and with errors.
fn check(random: &mut Random, name: &str) -> [usize; 3] {
    let schema = schema(random);
    let options = random_options(random);
    let Document {
        sources,
        xml,
        offsets,
    } = document(random, &schema);
    let mut alone = Found::default();
    let mut first_failed = None;
    for (source, offset) in sources.iter().zip(&offsets) {
        let found = read(&format!("{START}{source}</t>"), &schema, &options);
        assert_eq!(found.failed, None, "{name}: {source}");
        if !found.errors.is_empty() {
            first_failed.get_or_insert(alone.rows.len());
        }
        alone.rows.extend(found.rows);
        let moved = found.errors.into_iter().map(|mut error| {
            let bytes = error.bytes.start - error.row..error.bytes.end - error.row;
            error.bytes = bytes.start + offset..bytes.end + offset;
            error.row = *offset;
            error
        });
        alone.errors.extend(moved);
    }
    let shown = DataType::Struct(schema.fields().clone()).to_string();
    let length = 1 + random.below(300);
    let together = [
        ("one pass", read(&xml, &schema, &options)),
        ("chunks", read_chunks(&xml, &schema, &options, length)),
        ("pieces", read_pieces(&xml, &schema, &options, length)),
    ];
    for (way, found) in &together {
        let place = format!("{name}, {way} of {length}: {shown}\n{xml}");
        assert_eq!(found.failed, None, "{place}");
        if let Some((one, other)) =
            (found.rows.iter().zip(&alone.rows)).find(|(one, other)| one != other)
        {
            assert_eq!(one, other, "{place}");
        }
        assert_eq!(found.rows.len(), alone.rows.len(), "{place}");
        let relative = |found: &Found| -> Vec<_> {
            let one = |error: &RowError| format!("{} {}", error.row, relative(error));
            found.errors.iter().map(one).collect()
        };
        assert_eq!(relative(found), relative(&alone), "{place}");
    }
    let strict = options.clone().mode(Mode::FailFast);
    for (way, found) in [
        ("one pass", read(&xml, &schema, &strict)),
        ("chunks", read_chunks(&xml, &schema, &strict, length)),
        ("pieces", read_pieces(&xml, &schema, &strict, length)),
    ] {
        let place = format!("{name}, {way} of {length}, strict: {shown}\n{xml}");
        assert_eq!(
            found.failed.is_some(),
            first_failed.is_some(),
            "{place}: {:?}",
            found.failed
        );
        let rows = first_failed.unwrap_or(alone.rows.len());
        assert_eq!(found.rows, alone.rows[..rows], "{place}");
    }
    let errors = alone.errors.len();
    [sources.len(), sources.len() - errors, errors]
}

#[test]
fn a_row_is_the_same_among_other_rows() {
    let seed = effort::seed(0x6A09_E667_F3BC_C908);
    println!("TAGSTREAM_SEED={seed}");
    let wanted = effort::documents(2_000, 20_000);
    let mut counts = [0; 3];
    let mut number = 0;
    while counts[0] < wanted {
        number += 1;
        let mut random = Random(Random(seed.wrapping_add(number)).number());
        let found = check(&mut random, &format!("seed {seed}, document {number}"));
        for (count, found) in counts.iter_mut().zip(found) {
            *count += found;
        }
    }
    // Rows that are all good or all malformed would test little.
    let [rows, good, bad] = counts;
    assert!(good * 8 > rows && bad * 8 > rows, "{counts:?}");
}
