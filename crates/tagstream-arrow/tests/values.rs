//! Values that fit their columns and values that do not: decimals, formats of timestamps, attributes and repetitions.

#[path = "common/shown.rs"]
mod shown;

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use std::sync::Arc;
use tagstream_arrow::{Decoder, Inferrer, Mode, Options, XmlReader, infer_schema};

fn schema(fields: Vec<(&str, DataType)>) -> SchemaRef {
    let field = |(name, data_type)| Field::new(name, data_type, true);
    Arc::new(Schema::new(
        fields.into_iter().map(field).collect::<Vec<_>>(),
    ))
}

fn list_of(data_type: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(data_type, true)))
}

/// Reads the rows, the errors of rows, and the error that ended the reading.
fn read(xml: &str, schema: &SchemaRef, options: &Options) -> (Vec<String>, Vec<String>) {
    let read = std::io::Cursor::new(xml.to_owned());
    let mut reader = XmlReader::new(read, schema.clone(), options.clone()).unwrap();
    let mut rows = Vec::new();
    let mut failed = None;
    for batch in &mut reader {
        match batch {
            Ok(batch) => rows.extend(shown::rows_of(&batch)),
            Err(error) => failed = Some(format!("failed: {error}")),
        }
    }
    let errors = reader.decoder().row_errors().iter();
    let errors = errors.map(ToString::to_string).chain(failed).collect();
    (rows, errors)
}

/// Returns the types of the columns that are inferred.
fn inferred(xml: &str, options: &Options) -> String {
    let schema = infer_schema(xml.as_bytes(), options).unwrap().schema;
    let shown = |field: &Arc<Field>| format!("{} {}", field.name(), field.data_type());
    let columns: Vec<_> = schema.fields().iter().map(shown).collect();
    columns.join(", ")
}

/// A comma in a number is a separator of groups in one country and of the fraction in another.
#[test]
fn decimals_have_no_commas() {
    let options = Options::new("p").prefers_decimal(true);
    for text in ["37,77", "1,50", "1,000", "1,000.5", ",5"] {
        let xml = format!("<r><p><n>{text}</n></p></r>");
        assert_eq!(inferred(&xml, &options), "n Utf8", "{text}");
        let schema = schema(vec![("n", DataType::Decimal128(10, 2))]);
        let error = format!(
            "1:10: column `n`: {text:?} is not a value of the type Decimal128(10, 2) (bytes 9 to {})",
            9 + text.len()
        );
        let expected = (vec!["null".to_owned()], vec![error.clone()]);
        assert_eq!(read(&xml, &schema, &options), expected);
        let strict = options.clone().mode(Mode::FailFast);
        let (rows, errors) = read(&xml, &schema, &strict);
        assert_eq!((rows.len(), errors.len()), (0, 2), "{errors:?}");
        assert!(errors[1].contains(&error), "{errors:?}");
    }
    assert_eq!(
        inferred("<r><p><n>37.77</n></p></r>", &options),
        "n Decimal128(4, 2)"
    );
}

#[test]
fn an_unsigned_number_has_one_sign() {
    let schema = schema(vec![("n", DataType::UInt64)]);
    for (text, value) in [("+5", "5"), ("++5", "null"), ("-5", "null"), ("+", "null")] {
        let xml = format!("<r><p><n>{text}</n></p></r>");
        let (rows, errors) = read(&xml, &schema, &Options::new("p"));
        assert_eq!(rows, [value], "{text}");
        assert_eq!(errors.is_empty(), value != "null", "{errors:?}");
    }
}

#[test]
fn a_decimal_has_at_most_38_digits() {
    let options = Options::new("p").prefers_decimal(true);
    let nines = "9".repeat(38);
    for (text, fits) in [
        (nines.clone(), true),
        (format!("-{nines}"), true),
        (format!("000{nines}"), true),
        (format!("1{}", "0".repeat(38)), false),
        ("1".repeat(39), false),
        (format!("-{}", "1".repeat(39)), false),
        (format!("{nines}9"), false),
        ("9".repeat(60), false),
    ] {
        let xml = format!("<r><p><n>{text}</n></p></r>");
        let schema = schema(vec![("n", DataType::Decimal128(38, 0))]);
        let (rows, errors) = read(&xml, &schema, &options);
        let shown = text.replace("000", "");
        let expected = if fits { &*shown } else { "null" };
        assert_eq!(rows, [expected]);
        assert_eq!(errors.is_empty(), fits, "{text}");
        let data_type = if fits {
            "n Decimal128(38, 0)"
        } else {
            "n Float64"
        };
        assert_eq!(inferred(&xml, &options), data_type, "{text}");
    }
}

/// The number of letters says whether an offset has colons, minutes and seconds, as in Java.
#[test]
fn offsets_have_the_format_of_their_letters() {
    let written = [
        "Z",
        "+02",
        "+0230",
        "+02:30",
        "+023015",
        "+02:30:15",
        "GMT+02:30",
    ];
    for (letters, fits) in [
        ("X", &["Z", "+02", "+0230"][..]),
        ("XX", &["Z", "+0230"]),
        ("XXX", &["Z", "+02:30"]),
        ("XXXX", &["Z", "+0230", "+023015"]),
        ("XXXXX", &["Z", "+02:30", "+02:30:15"]),
        ("x", &["+02", "+0230"]),
        ("xx", &["+0230"]),
        ("xxx", &["+02:30"]),
        ("xxxx", &["+0230", "+023015"]),
        ("xxxxx", &["+02:30", "+02:30:15"]),
        ("Z", &["+0230"]),
        ("ZZZ", &["+0230"]),
        ("ZZZZ", &["GMT+02:30"]),
        ("ZZZZZ", &["Z", "+02:30", "+02:30:15"]),
    ] {
        let options = Options::new("r");
        let options = options
            .timestamp_format(&format!("yyyy-MM-dd HH:mm{letters}"))
            .unwrap();
        let utc = DataType::Timestamp(TimeUnit::Second, Some("UTC".into()));
        let schema = schema(vec![("t", utc)]);
        for offset in written {
            let xml = format!("<x><r><t>1970-01-02 00:00{offset}</t></r></x>");
            let (rows, errors) = read(&xml, &schema, &options);
            let seconds = 86_400
                - match offset.trim_start_matches("GMT").replace(':', "").as_str() {
                    "Z" => 0,
                    "+02" => 7200,
                    "+0230" => 9000,
                    _ => 9015,
                };
            let expected = match fits.contains(&offset) {
                true => seconds.to_string(),
                false => "null".to_owned(),
            };
            assert_eq!(rows, [expected], "{letters}: {offset}");
            assert_eq!(errors.is_empty(), fits.contains(&offset));
            let inferred = inferred(&xml, &options);
            assert_eq!(
                inferred == "t Utf8",
                !fits.contains(&offset),
                "{letters}: {offset}"
            );
        }
    }
    for letters in ["XXXXXX", "xxxxxx", "ZZZZZZ"] {
        assert!(Options::new("r").timestamp_format(letters).is_err());
    }
}

/// An attribute has one value, so a column of lists does not take it.
#[test]
fn an_attribute_is_not_a_list() {
    let inner = DataType::Struct(vec![Field::new("_x", list_of(DataType::Int64), true)].into());
    let schema = schema(vec![("_x", list_of(DataType::Int64)), ("c", inner)]);
    let options = Options::new("r");
    let (rows, errors) = read(
        "<a><r x='1'/><r><c x='2'/></r><r><_x>3</_x><_x>4</_x></r></a>",
        &schema,
        &options,
    );
    assert_eq!(rows, ["null | null", "null | null", "[3, 4] | null"]);
    assert_eq!(
        errors,
        [
            "1:7: column `_x`: \"1\" is not a value of the type List(Int64) (bytes 9 to 10)",
            "1:20: column `c._x`: \"2\" is not a value of the type List(Int64) (bytes 22 to 23)",
        ]
    );
}

/// A second value is an error of the row, which keeps it, as in Spark.
#[test]
fn a_second_value_is_reported() {
    let inner = DataType::Struct(
        vec![
            Field::new("_x", DataType::Int64, true),
            Field::new("y", DataType::Int64, true),
            Field::new("_VALUE", DataType::Utf8, true),
        ]
        .into(),
    );
    let schema = schema(vec![("a", DataType::Utf8), ("c", inner)]);
    let message = "there is a second value, but the column is not a list: the first value is lost";
    for (row, shown, place) in [
        (
            "<a>1</a><a>2</a><c/>",
            "\"2\" | {_x: null, y: null, _VALUE: null}",
            "1:15: column `a`: ",
        ),
        (
            "<c><y>1</y><y>2</y></c>",
            "null | {_x: null, y: 2, _VALUE: null}",
            "1:18: column `c.y`: ",
        ),
        (
            "<c>1<y>2</y>3</c>",
            "null | {_x: null, y: 2, _VALUE: \"3\"}",
            "1:19: column `c._VALUE`: ",
        ),
        (
            "<c x='1'/><c y='1'/>",
            "null | {_x: null, y: null, _VALUE: null}",
            "1:17: column `c`: ",
        ),
        (
            "<c x='1'><_x>2</_x></c>",
            "null | {_x: 2, y: null, _VALUE: null}",
            "1:16: column `c._x`: ",
        ),
    ] {
        let xml = format!("<t><r>{row}</r><r><a>9</a></r></t>");
        let (rows, errors) = read(&xml, &schema, &Options::new("r"));
        assert_eq!(rows, [shown, "\"9\" | null"], "{row}");
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(
            errors[0].starts_with(&format!("{place}{message}")),
            "{errors:?}"
        );
        let dropped = read(&xml, &schema, &Options::new("r").mode(Mode::DropMalformed));
        assert_eq!(dropped.0, ["\"9\" | null"]);
        let strict = read(&xml, &schema, &Options::new("r").mode(Mode::FailFast));
        assert_eq!(strict.0, Vec::<String>::new());
        assert!(strict.1[1].contains(message), "{strict:?}");
    }
}

/// Where all rows are malformed, the schema has the column of corrupt records, and the first error says the reason.
#[test]
fn malformed_rows_have_a_schema() {
    for (xml, malformed, error) in [
        (
            "<a><r>&</r><r></x></r></a>",
            2,
            "1:7: no reference starts like this",
        ),
        (
            "<a><r><x>1</x>",
            1,
            "1:15: the input ends before the end tag",
        ),
        ("<a>\n<r x=1 ></r></a>", 1, "2:6: expected quotes"),
        ("<a><b>", 0, "1:7: the input ends before the end tag"),
        (
            "<!DOCTYPE a SYSTEM 'a.dtd'><a><r>&e;</r></a>",
            1,
            "1:34: a reference to an entity",
        ),
    ] {
        let options = Options::new("r");
        let inferred = infer_schema(xml.as_bytes(), &options).unwrap();
        assert_eq!((inferred.rows, inferred.malformed), (0, malformed), "{xml}");
        let first = inferred.first_error.unwrap().to_string();
        assert!(first.starts_with(error), "{first}");
        let columns: Vec<_> = inferred
            .schema
            .fields()
            .iter()
            .map(|field| field.name())
            .collect();
        match malformed {
            0 => assert!(columns.is_empty()),
            _ => assert_eq!(columns, ["_corrupt_record"], "{xml}"),
        }
        let (rows, errors) = read(xml, &inferred.schema, &options);
        assert_eq!(
            (rows.len() as u64, !errors.is_empty()),
            (malformed, true),
            "{xml}"
        );
        assert_eq!(errors[0], first, "{xml}");
        let dropping = options.clone().mode(Mode::DropMalformed);
        let inferred = infer_schema(xml.as_bytes(), &dropping).unwrap();
        assert_eq!(inferred.schema.fields().len(), 0);
        assert_eq!(inferred.malformed, malformed);
        let strict = infer_schema(xml.as_bytes(), &options.mode(Mode::FailFast));
        assert_eq!(strict.is_err(), malformed > 0, "{xml}");
    }
}

/// A start tag with two errors makes one error of its row, and text with errors before it another.
#[test]
fn two_errors_in_a_start_tag_are_one_of_the_row() {
    let schema = schema(vec![("_x", DataType::Int64)]);
    let xml = "<a>& &<r x='1' y=2 z><b/></r><r x='3'/></a>";
    let (rows, errors) = read(xml, &schema, &Options::new("r"));
    assert_eq!(rows, ["null", "3"]);
    assert_eq!(
        errors,
        [
            "1:4: no reference starts like this: write a literal & as &amp; (bytes 3 to 4)",
            "1:18: expected quotes around the attribute value (bytes 17 to 18)",
        ]
    );
}

/// A row whose shape has changed nothing before may change a schema that another row has changed since.
#[test]
fn known_shapes_of_rows_can_change_a_new_schema() {
    let text = "<r><c>x</c></r>";
    let child = "<r><c><y>1</y></c></r>";
    let both = "<r><c z='1'>t</c></r>";
    let options = Options::new("r");
    for (rows, expected) in [
        ([text, child, child, child].concat(), "c Utf8"),
        (
            [text, child, child, both, text].concat(),
            "c Struct(\"_VALUE\": Utf8, \"_z\": Int64)",
        ),
        (
            [text, child, child, both, child].concat(),
            "c Struct(\"_VALUE\": Utf8, \"_z\": Int64, \"y\": Int64)",
        ),
    ] {
        assert_eq!(inferred(&format!("<a>{rows}</a>"), &options), expected);
    }
}

/// A column of strings becomes a list of lists of structs if an attribute and the elements of a list have the same column.
/// The fields of later elements are fields of these structs.
#[test]
fn structs_in_lists_of_lists_follow_a_column_of_strings() {
    let strings = "<r><c>x</c></r><r><c><y/></c></r>";
    let lists = "<r c='x'><c><z/>t</c><c/></r>";
    let options = Options::new("r").attribute_prefix("");
    for (rows, expected) in [
        (strings.to_owned(), "c Utf8"),
        (
            [strings, lists].concat(),
            "c List(List(Struct(\"_VALUE\": Utf8, \"z\": Utf8)))",
        ),
        (
            [strings, lists, "<r><c><y>1</y></c></r>"].concat(),
            "c List(List(Struct(\"_VALUE\": Utf8, \"y\": Int64, \"z\": Utf8)))",
        ),
        (
            [strings, lists, "<r><c y='1'/></r>"].concat(),
            "c List(List(Struct(\"_VALUE\": Utf8, \"y\": Int64, \"z\": Utf8)))",
        ),
    ] {
        assert_eq!(inferred(&format!("<a>{rows}</a>"), &options), expected);
    }
}

/// The types of equal elements in succession are those of two of them, and each text between elements counts.
#[test]
fn equal_elements_in_succession_are_a_list() {
    let options = Options::new("r").prefers_decimal(true);
    for (row, expected) in [
        ("<c>1</c>", "c Int64"),
        ("<c>1</c><c>2</c>", "c List(Int64)"),
        ("<c>1</c><c>2</c><c>3</c><c>4</c>", "c List(Int64)"),
        (
            "<c>1</c><c>2</c><c>3</c><c>4.5</c>",
            "c List(Decimal128(21, 1))",
        ),
        (
            "<c>1</c><d/><c>2</c><d/><c>3</c><d/>",
            "c List(Int64), d List(Utf8)",
        ),
        (
            "<c>1</c>x<c>2</c>y<c>3</c>z",
            "_VALUE List(Utf8), c List(Int64)",
        ),
        ("<c/><c/><c/><c d='1'/>", "c List(Struct(\"_d\": Int64))"),
        (
            "<c><d>1</d><d>2</d><d>3</d></c><c><d>4</d><d>5</d><d>6</d><d>7</d></c>",
            "c List(Struct(\"d\": List(Int64)))",
        ),
    ] {
        let xml = format!("<a><r>{row}</r><r/><r>{row}</r><r>{row}</r></a>");
        assert_eq!(inferred(&xml, &options), expected, "{row}");
    }
}

/// A decimal with more digits than its column is rounded half away from zero, however small it is.
#[test]
fn decimals_are_rounded_to_their_column() {
    let schema = schema(vec![("n", DataType::Decimal128(10, 2))]);
    for (text, expected) in [
        ("1.004", "1.00"),
        ("1.005", "1.01"),
        ("-1.005", "-1.01"),
        ("5e-3", "0.01"),
        ("4e-3", "0.00"),
        ("1e-40", "0.00"),
        ("1e-41", "0.00"),
        ("-9e-2000000000", "0.00"),
    ] {
        let xml = format!("<a><r><n>{text}</n></r></a>");
        let (rows, errors) = read(&xml, &schema, &Options::new("r"));
        assert_eq!(
            (rows, errors),
            (vec![expected.to_owned()], vec![]),
            "{text}"
        );
    }
}

/// A null attribute whose column is a list adds nothing to the list.
#[test]
fn a_null_attribute_leaves_the_list_of_its_column() {
    let schema = schema(vec![("_x", list_of(DataType::Int64))]);
    let options = Options::new("r").null_value(Some("null"));
    for (row, expected) in [
        ("<r x='null'/>", "null"),
        ("<r x='null'><_x>1</_x></r>", "[1]"),
        ("<r x='null'><_x>1</_x><_x>2</_x></r>", "[1, 2]"),
        ("<r><_x>1</_x><_x>null</_x></r>", "[1, null]"),
    ] {
        let xml = format!("<a>{row}<r><_x>3</_x></r></a>");
        let (rows, errors) = read(&xml, &schema, &options);
        let expected = vec![expected.to_owned(), "[3]".to_owned()];
        assert_eq!((rows, errors), (expected, vec![]), "{row}");
    }
}

/// Java has no offset above 18 hours.
#[test]
fn offsets_in_formats_have_at_most_18_hours() {
    let utc = DataType::Timestamp(TimeUnit::Second, Some("UTC".into()));
    let schema = schema(vec![("t", utc)]);
    let options = Options::new("r");
    let options = options.timestamp_format("yyyy-MM-dd HH:mmXXX").unwrap();
    for (offset, expected) in [
        ("+18:00", "21600"),
        ("-18:00", "151200"),
        ("+18:01", "null"),
        ("-18:01", "null"),
        ("+99:00", "null"),
    ] {
        let xml = format!("<a><r><t>1970-01-02 00:00{offset}</t></r></a>");
        let (rows, errors) = read(&xml, &schema, &options);
        assert_eq!(rows, [expected], "{offset}");
        assert_eq!(errors.is_empty(), expected != "null", "{offset}");
    }
}

/// An error in a document that was left does not make the first row of the next document malformed.
#[test]
fn errors_of_a_document_are_not_of_the_next_one() {
    let mut inferrer = Inferrer::new(Options::new("r")).unwrap();
    let first = "<a>     <r>& <b>1</b>";
    inferrer.feed(first.as_bytes().into()).unwrap();
    inferrer.leave_document().unwrap();
    let second = "<a><r><c>1</c></r></a>";
    inferrer.feed(second.as_bytes().into()).unwrap();
    let inferred = inferrer.finish().unwrap();
    assert_eq!((inferred.rows, inferred.malformed), (1, 0));
    let names: Vec<_> = inferred
        .schema
        .fields()
        .iter()
        .map(|field| field.name())
        .collect();
    assert_eq!(names, ["c"]);
}

/// A row that becomes too long between two texts of a value does not affect the row before it. The error has the place of
/// the start tag.
#[test]
fn a_row_that_becomes_too_long_within_a_value_is_left_out() {
    let schema = schema(vec![("n", DataType::Int64)]);
    let options = Options::new("r").max_row_bytes(40);
    let mut decoder = Decoder::new(schema, options).unwrap();
    let comment = "x".repeat(60);
    let start = format!("<a><r><n>5</n></r><r><n>1<!--{comment}-->");
    decoder.feed_slice(start.as_bytes());
    assert!(decoder.next_batch().unwrap().is_none());
    decoder.feed_slice(b"<!-- -->2</n></r><r><n>6</n></r></a>");
    decoder.finish();
    let batch = decoder.next_batch().unwrap().unwrap();
    assert_eq!(shown::rows_of(&batch), ["5", "null", "6"]);
    let errors: Vec<_> = decoder
        .row_errors()
        .iter()
        .map(|error| error.bytes.clone())
        .collect();
    assert_eq!((errors.len(), errors.first()), (1, Some(&(18..21))));
}

/// The type of decimals with different fractions has at most 38 digits, and is a float above.
#[test]
fn decimals_of_different_scales_have_at_most_38_digits() {
    let options = Options::new("r").prefers_decimal(true);
    let fraction = "1".repeat(18);
    for (digits, expected) in [(20, "n Decimal128(38, 18)"), (21, "n Float64")] {
        let whole = "9".repeat(digits);
        let xml = format!("<a><r><n>{whole}</n></r><r><n>0.{fraction}</n></r></a>");
        assert_eq!(inferred(&xml, &options), expected);
    }
}
