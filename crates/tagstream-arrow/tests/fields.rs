//! Fields that are one text: numbers and timestamps of every form, and fields that are cut into chunks.

#[path = "common/shown.rs"]
mod shown;

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use std::sync::Arc;
use tagstream_arrow::{Decoder, Mode, Options};

fn schema(fields: Vec<(&str, DataType)>) -> SchemaRef {
    let field = |(name, data_type)| Field::new(name, data_type, true);
    Arc::new(Schema::new(
        fields.into_iter().map(field).collect::<Vec<_>>(),
    ))
}

/// Reads the rows and their errors from a document that is cut into chunks at these offsets.
fn read_cut(
    xml: &str,
    schema: &SchemaRef,
    options: &Options,
    cuts: &[usize],
) -> (Vec<String>, Vec<String>) {
    let mut decoder = Decoder::new(schema.clone(), options.clone()).unwrap();
    let mut rows = Vec::new();
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([xml.len()]);
    for (start, end) in starts.zip(ends) {
        decoder.feed_slice(&xml.as_bytes()[start..end]);
        if end == xml.len() {
            decoder.finish();
        }
        while let Some(batch) = decoder.next_batch().unwrap() {
            rows.extend(shown::rows_of(&batch));
        }
    }
    let errors = decoder.row_errors().iter().map(ToString::to_string);
    (rows, errors.collect())
}

/// Texts that are integers, and texts that are nearly integers. Rust's parser of integers has the expected values.
fn texts_like_integers() -> Vec<String> {
    let mut texts = Vec::new();
    for digits in 1..=20 {
        for number in ["9", "1", "0", "12345678901234567890"] {
            let number = &number.repeat(digits)[..digits];
            let (half, last) = (digits / 2, digits - 1);
            texts.extend(["", "-", "+", "--"].map(|sign| format!("{sign}{number}")));
            // The bytes before and after the digits in ASCII, and a letter outside of ASCII.
            for other in ["/", ":", "-", "~", "é"] {
                for at in [0, half, last] {
                    texts.push(format!("{}{other}{}", &number[..at], &number[at + 1..]));
                }
            }
        }
    }
    for number in [i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into()] {
        let number = i128::from(number);
        texts.extend([number - 1, number, number + 1].map(|number| number.to_string()));
    }
    texts.extend(["-", "+", " 7", "7 ", " -7 ", "\t00000000012", "1 2"].map(String::from));
    texts
}

#[test]
fn integers_have_any_number_of_digits() {
    let schema = schema(vec![("n", DataType::Int64), ("s", DataType::Int32)]);
    for text in texts_like_integers() {
        let number = text.trim().parse::<i64>().ok();
        for (name, value) in [
            ("n", number),
            ("s", number.filter(|n| i32::try_from(*n).is_ok())),
        ] {
            let xml = format!("<r><p><{name}>{text}</{name}></p></r>");
            let (rows, errors) = read_cut(&xml, &schema, &Options::new("p"), &[]);
            let value = value.map_or("null".to_owned(), |value| value.to_string());
            let expected = match name {
                "n" => format!("{value} | null"),
                _ => format!("null | {value}"),
            };
            assert_eq!(rows, [expected], "{text:?}");
            assert_eq!(errors.is_empty(), value != "null", "{text:?}: {errors:?}");
        }
    }
}

/// Fields of one text are read at once if the parser has read all of them, and otherwise from their events.
#[test]
fn fields_do_not_depend_on_chunks() {
    let number = DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true)));
    let inner = DataType::Struct(
        vec![
            Field::new("n", DataType::Int64, true),
            Field::new("_VALUE", DataType::Utf8, true),
        ]
        .into(),
    );
    let schema = schema(vec![
        ("a", DataType::Int64),
        ("b", DataType::Utf8),
        ("c", DataType::Boolean),
        ("d", number),
        ("e", inner.clone()),
        (
            "f",
            DataType::List(Arc::new(Field::new_list_field(inner, true))),
        ),
        ("é", DataType::Float64),
        ("a-name-of-more-than-sixteen-bytes", DataType::Utf8),
    ]);
    let rows = [
        "<a>1</a><b>x</b><c>true</c><d>2</d>",
        "<c>0</c> <b>y</b>\n<d>1</d><a>5</a><d>2</d>t<d>3</d>",
        "<b>1</b><b>2</b><a>3</a><a>4</a>",
        "<x>1</x><a>1</a><y>2</y><z><a>9</a></z><b/>",
        "<a>1<i>2</i></a><b>3</b>",
        "<b>1<i>2</i></b><a>3</a>",
        "<a>x</a><b>1</b><d>2</d>",
        "<d>1</d><d>x</d><b>1</b>",
        "<a></a><b></b><d></d><d/><d> </d><a> </a>",
        "<a><!-- c -->1</a><b>x<!-- c -->y</b><b>&amp;&#65;</b>",
        "<a k='1'>1</a><e>text</e><f>1</f><f><n>2</n></f><f><n>3</n>t<n>4</n></f>",
        "<e><n>1</n> <n>2</n></e><e><x>1</x><n>3</n></e>",
        "<é>1.5</é><a-name-of-more-than-sixteen-bytes>n</a-name-of-more-than-sixteen-bytes><a-name-of-more-than-sixteen-bytez>m</a-name-of-more-than-sixteen-bytez><b><![CDATA[<c>]]></b><a>1</b></a>",
        "<e>a<n>1</n>b</e><a>null</a><b>null</b><d>null</d><d>1</d>",
        "<a>1</a>t",
    ];
    let options = [
        Options::new("p"),
        Options::new("p").null_value(Some("null")),
        Options::new("p").mode(Mode::DropMalformed),
        Options::new("p").max_row_bytes(60),
        Options::new("p").ignore_namespace(true),
        Options::new("p").ignore_surrounding_spaces(false),
    ];
    for options in options {
        // All rows in one document, and each row alone.
        let all = rows.map(|row| format!("<p>{row}</p>")).concat();
        let each = rows.iter().map(|row| format!("<p>{row}</p><p>{row}</p>"));
        for content in each.chain([all]) {
            let xml = format!("<r>{content}</r>");
            let whole = read_cut(&xml, &schema, &options, &[]);
            let bytes: Vec<_> = (1..xml.len()).collect();
            assert_eq!(read_cut(&xml, &schema, &options, &bytes), whole, "{xml}");
            // The document of all rows is cut at few offsets, because it is long.
            for cut in (1..xml.len()).step_by(1 + xml.len() / 200 * 10) {
                assert_eq!(
                    read_cut(&xml, &schema, &options, &[cut]),
                    whole,
                    "{xml} {cut}"
                );
            }
        }
    }
}

/// A timestamp without a fraction has the value of the same timestamp with a fraction of 0.
#[test]
fn timestamps_are_the_same_in_every_form() {
    let micros = DataType::Timestamp(TimeUnit::Microsecond, None);
    let zoned = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let schema = schema(vec![
        ("a", micros.clone()),
        ("b", micros),
        ("c", zoned.clone()),
        ("d", zoned),
    ]);
    let dates = [
        "1969-12-31",
        "2024-02-29",
        "2023-02-29",
        "0000-01-01",
        "9999-12-31",
        "2026-13-01",
    ];
    let times = [
        "T00:00:00",
        " 23:59:59",
        "T24:00:00",
        "T12:60:00",
        "T12:00:60",
        "t12:00:00",
    ];
    let mut texts: Vec<_> = (dates.iter())
        .flat_map(|date| times.map(|time| format!("{date}{time}")))
        .collect();
    let plain = "2026-01-02T03:04:05";
    for (at, _) in plain.char_indices() {
        for other in ["/", ":", "-", "é", ""] {
            texts.push(format!("{}{other}{}", &plain[..at], &plain[at + 1..]));
        }
    }
    for text in texts {
        let xml = format!(
            "<r><p><a>{text}</a><c>{text}</c></p><p><b>{text}.0</b><d>{text}.0</d></p>\
            <p><c>{text}Z</c></p><p><d>{text}.0Z</d></p><p><a>{text}Z</a></p><p><b>{text}.0Z</b></p></r>"
        );
        let (rows, _) = read_cut(&xml, &schema, &Options::new("p"), &[]);
        let columns: Vec<Vec<_>> = rows.iter().map(|row| row.split(" | ").collect()).collect();
        for pair in columns.chunks(2) {
            assert_eq!(
                (pair[0][0], pair[0][2]),
                (pair[1][1], pair[1][3]),
                "{text:?}"
            );
        }
        // A column without a time zone has no timestamps with one.
        assert_eq!(columns[4][0], "null", "{text:?}");
    }
}

/// The rows of one entity have the bytes of the reference, which are discarded after the first row. The column of malformed
/// rows is null for the others, and no column is shorter than another one.
#[test]
fn malformed_rows_of_an_entity_have_a_value_in_each_column() {
    let schema = schema(vec![
        ("a", DataType::Int64),
        ("_corrupt_record", DataType::Utf8),
        ("b", DataType::Utf8),
    ]);
    for (rows, expected) in [
        (
            "<r><a>1</a><b>x</b></r><r><b>y</b><a>z</a></r>",
            ["1 | null | \"x\"", "null | null | \"y\""].as_slice(),
        ),
        (
            "<r><a>z</a></r>text<r><b>x</b><a>z</a></r><r><a>2</a></r>",
            &[
                "null | \"&e;\" | null",
                "null | null | \"x\"",
                "2 | null | null",
            ],
        ),
    ] {
        let xml = format!("<!DOCTYPE t [<!ENTITY e '{rows}'>]><t>&e;<r><a>3</a></r></t>");
        for cut in 1..xml.len() {
            let (found, errors) = read_cut(&xml, &schema, &Options::new("r"), &[cut]);
            assert_eq!(found[..expected.len()], *expected, "{xml} {cut}");
            assert_eq!(found[expected.len()..], ["3 | null | null"], "{xml} {cut}");
            assert_eq!(errors.len(), expected.len() - 1, "{xml} {cut}: {errors:?}");
        }
    }
}
