//! Rows of small documents, fed whole, byte by byte and in pieces of other sizes.

#[path = "common/shown.rs"]
mod shown;

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use bytes::Bytes;
use shown::rows_of;
use std::sync::Arc;
use tagstream_arrow::{Decoder, Error, Mode, Options, infer_schema};

/// Reads a document in chunks, with or without a flush after each. Returns the rows, then the errors of rows, then the error that ended the reading.
fn read(
    xml: &[u8],
    schema: &SchemaRef,
    options: &Options,
    chunk: usize,
    flushes: bool,
) -> (Vec<String>, Vec<String>) {
    read_chunks(xml.chunks(chunk.max(1)), schema, options, flushes)
}

fn read_chunks<'a>(
    mut chunks: impl Iterator<Item = &'a [u8]>,
    schema: &SchemaRef,
    options: &Options,
    flushes: bool,
) -> (Vec<String>, Vec<String>) {
    let mut decoder = Decoder::new(schema.clone(), options.clone()).unwrap();
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    let failed = loop {
        match decoder.next_batch() {
            Ok(Some(batch)) => rows.extend(rows_of(&batch)),
            Err(error) => break Some(error),
            Ok(None) => match chunks.next() {
                Some(chunk) => {
                    if flushes && let Some(batch) = decoder.flush().unwrap() {
                        rows.extend(rows_of(&batch));
                    }
                    decoder.feed(Bytes::copy_from_slice(chunk));
                }
                None => {
                    decoder.finish();
                    match decoder.next_batch() {
                        Ok(None) => break None,
                        Ok(Some(batch)) => rows.extend(rows_of(&batch)),
                        Err(error) => break Some(error),
                    }
                }
            },
        }
    };
    errors.extend(decoder.row_errors().iter().map(ToString::to_string));
    if let Some(error) = failed {
        errors.push(match error {
            Error::Row(error) => format!("failed: {error}"),
            error => format!("failed: {error}"),
        });
    }
    (rows, errors)
}

/// Checks rows and errors for chunks of several sizes.
#[track_caller]
fn check_all(xml: &[u8], schema: &SchemaRef, options: &Options, rows: &[&str], errors: &[&str]) {
    for chunk in [xml.len(), 1, 2, 3, 7, 64] {
        for flushes in [false, true] {
            let (found, problems) = read(xml, schema, options, chunk, flushes);
            assert_eq!(found, rows, "chunks of {chunk}, {flushes}");
            assert_eq!(problems, errors, "chunks of {chunk}, {flushes}");
        }
    }
    // A flush at each offset.
    for cut in 0..xml.len() {
        let chunks = [&xml[..cut], &xml[cut..]];
        let (found, problems) = read_chunks(chunks.into_iter(), schema, options, true);
        assert_eq!(found, rows, "a flush at {cut}");
        assert_eq!(problems, errors, "a flush at {cut}");
    }
}

/// The error of a row with a second value.
const REPEATED: &str =
    "there is a second value, but the column is not a list: the first value is lost";

#[track_caller]
fn check(xml: &str, schema: &SchemaRef, options: &Options, rows: &[&str]) {
    check_all(xml.as_bytes(), schema, options, rows, &[]);
}

fn schema(fields: Vec<Field>) -> SchemaRef {
    Arc::new(Schema::new(fields))
}

fn field(name: &str, data_type: DataType) -> Field {
    Field::new(name, data_type, true)
}

fn list_of(data_type: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(data_type, true)))
}

fn struct_of(fields: Vec<Field>) -> DataType {
    DataType::Struct(fields.into())
}

/// Checks the inferred schema and the rows read with it.
#[track_caller]
fn check_inferred(xml: &str, columns: &str, rows: &[&str]) {
    let options = Options::new("r");
    let inferred = infer_schema(xml.as_bytes(), &options).unwrap();
    let shown: Vec<_> = inferred
        .schema
        .fields()
        .iter()
        .map(|field| show_field(field))
        .collect();
    assert_eq!(shown.join(", "), columns);
    check(xml, &inferred.schema, &options, rows);
}

fn show_type(data_type: &DataType) -> String {
    match data_type {
        DataType::List(inner) => format!("[{}]", show_type(inner.data_type())),
        DataType::Struct(fields) => {
            let shown: Vec<_> = fields.iter().map(|field| show_field(field)).collect();
            format!("{{{}}}", shown.join(", "))
        }
        DataType::Timestamp(..) => "timestamp".to_owned(),
        other => other.to_string().to_lowercase(),
    }
}

fn show_field(field: &Field) -> String {
    format!("{} {}", field.name(), show_type(field.data_type()))
}

#[test]
fn columns_are_children_and_attributes() {
    let schema = schema(vec![
        field("_id", DataType::Int64),
        field("title", DataType::Utf8),
        field("n", DataType::Float64),
    ]);
    let xml = "<a><r id='1'><title> One &amp; two </title><n>1.5</n></r><r/><x><r id='3'><z><title>no</title></z><title/><n/></r></x></a>";
    let rows = [
        "1 | \"One & two\" | 1.5",
        "null | null | null",
        "3 | \"\" | null",
    ];
    check(xml, &schema, &Options::new("r"), &rows);
}

#[test]
fn the_last_of_repeated_values_counts() {
    let schema = schema(vec![
        field("a", DataType::Utf8),
        field("b", struct_of(vec![field("c", DataType::Int64)])),
    ]);
    let xml = "<x><r><a>1</a><b><c>1</c></b><a>22</a><b/></r></x>";
    check_all(
        xml.as_bytes(),
        &schema,
        &Options::new("r"),
        &["\"22\" | {c: null}"],
        &[&format!("1:30: column `a`: {REPEATED} (bytes 29 to 32)")],
    );
}

#[test]
fn every_type_is_read() {
    let schema = schema(vec![
        field("a", DataType::Boolean),
        field("b", DataType::Int8),
        field("c", DataType::UInt64),
        field("d", DataType::Float32),
        field("e", DataType::Decimal128(10, 2)),
        field("f", DataType::Date32),
        field(
            "g",
            DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        ),
        field("h", DataType::Timestamp(TimeUnit::Second, None)),
        field("i", DataType::LargeUtf8),
        field("j", DataType::Utf8View),
        field(
            "k",
            DataType::LargeList(Arc::new(Field::new_list_field(DataType::Utf8View, true))),
        ),
    ]);
    let xml = "<x><r><a>TRUE</a><b>-7</b><c>18446744073709551615</c><d>-INF</d><e>1234.565</e><f>1970-01-03</f>\
        <g>1970-01-01T01:00:00.5+01:00</g><h>1970-01-02 00:00:01</h><i>l</i><j>a text longer than twelve</j><k>1</k><k>2</k></r></x>";
    let row = "true | -7 | 18446744073709551615 | -inf | 1234.57 | 2 | 500000 | 86401 | \"l\" | \"a text longer than twelve\" | [\"1\", \"2\"]";
    check(xml, &schema, &Options::new("r"), &[row]);
}

/// Long strings of other characters than those of ASCII, beside nulls, short strings and a value that is replaced.
#[test]
fn long_strings_are_read_in_every_type() {
    let long = "\u{e9}\u{6771}\u{1F600} ".repeat(40);
    let long = long.trim_end();
    let xml = format!(
        "<a><r><s> {long} </s></r><r/><r><s/></r><r><s>{long}</s><s>{long}{long}</s></r><r><s>\u{e9}</s></r></a>"
    );
    let rows = [
        format!("{long:?}"),
        "null".to_owned(),
        "\"\"".to_owned(),
        format!("{:?}", [long, long].concat()),
        "\"\u{e9}\"".to_owned(),
    ];
    let rows: Vec<_> = rows.iter().map(String::as_str).collect();
    for data_type in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View] {
        let schema = schema(vec![field("s", data_type)]);
        let error = format!("1:363: column `s`: {REPEATED} (bytes 842 to 845)");
        check_all(
            xml.as_bytes(),
            &schema,
            &Options::new("r"),
            &rows,
            &[&error],
        );
    }
}

/// A list of structs, in which a value does not fit, after other rows.
#[test]
fn parts_of_a_list_are_removed() {
    let item = struct_of(vec![
        field("a", DataType::Utf8),
        field("b", DataType::Int64),
        field("c", DataType::Boolean),
    ]);
    let schema = schema(vec![field("i", list_of(item)), field("n", DataType::Int64)]);
    let xml = "<r><p><i><a>x</a><b>1</b><c>true</c></i><i><c>false</c></i><n>1</n></p>\
        <p><n>2</n><i><a>y</a><b>2</b></i><i><a>z</a><b>no</b><c>true</c></i></p>\
        <p><i><c>true</c><c>false</c></i></p></r>";
    let rows = [
        "[{a: \"x\", b: 1, c: true}, {a: null, b: null, c: false}] | 1",
        "[{a: \"y\", b: 2, c: null}] | 2",
        "[{a: null, b: null, c: false}] | null",
    ];
    let error = "1:120: column `i.b`: \"no\" is not a value of the type Int64 (bytes 119 to 121)";
    let repeated = format!("1:162: column `i.c`: {REPEATED} (bytes 161 to 164)");
    let errors = [error, &repeated];
    check_all(xml.as_bytes(), &schema, &Options::new("p"), &rows, &errors);
}

/// After an attribute that does not fit, the other attributes of the element are not read.
#[test]
fn attributes_after_one_that_does_not_fit_are_left_out() {
    let item = struct_of(vec![
        field("_x", DataType::Int64),
        field("_y", DataType::Utf8),
        field("_z", list_of(DataType::Utf8)),
        field("d", DataType::Utf8),
    ]);
    let xml = b"<r><p><c x='a' y='1' z='u'><d>v</d></c></p><p><c x='2'/></p></r>";
    let error = "1:10: column `c._x`: \"a\" is not a value of the type Int64 (bytes 12 to 13)";
    let error_in_list =
        "1:10: column `c._x`: \"a\" is not a value of the type Int64 (bytes 12 to 13)";
    let last = "{_x: 2, _y: null, _z: null, d: null}";
    let last_in_list = format!("[{last}]");
    for (data_type, error, last) in [
        (item.clone(), error, last),
        (list_of(item), error_in_list, &*last_in_list),
    ] {
        let schema = schema(vec![field("c", data_type)]);
        let options = Options::new("p");
        check_all(xml, &schema, &options, &["null", last], &[error]);
        let options = options.mode(Mode::DropMalformed);
        check_all(xml, &schema, &options, &[last], &[error]);
    }
    // In the second element of a list, and in a struct in a struct.
    let inner = struct_of(vec![
        field("_x", DataType::Int64),
        field("_y", DataType::Utf8),
    ]);
    let outer = struct_of(vec![
        field("e", list_of(inner)),
        field("f", DataType::Int64),
    ]);
    let schema = schema(vec![
        field("c", list_of(outer)),
        field("_n", DataType::Int64),
    ]);
    let xml = b"<r><p n='1'><c><f>1</f></c><c><e x='1' y='a'/><e x='b' y='c'/></c></p>\
        <p n='2'><c><e x='2'/></c></p></r>";
    check_all(
        xml,
        &schema,
        &Options::new("p"),
        &[
            "[{e: null, f: 1}] | 1",
            "[{e: [{_x: 2, _y: null}], f: null}] | 2",
        ],
        &["1:50: column `c.e._x`: \"b\" is not a value of the type Int64 (bytes 52 to 53)"],
    );
}

/// The place of a text that does not fit extends to the next tag.
#[test]
fn places_of_texts_do_not_depend_on_the_chunks() {
    let item = struct_of(vec![
        field("_VALUE", DataType::Int64),
        field("_a", DataType::Utf8),
    ]);
    let schema = schema(vec![
        field("b", item),
        Field::new("n", DataType::Int64, false),
        field("_VALUE", DataType::Int64),
    ]);
    let options = Options::new("r").null_value(Some("null"));
    for (row, error) in [
        (
            "<b a='q'>abcdef</b><n>1</n>",
            "column `b._VALUE`: \"abcdef\" is not a value of the type Int64 (bytes 15 to 21)",
        ),
        (
            "<b a='q'>ab<!-- c -->cdef<c/></b><n>1</n>",
            "column `b._VALUE`: \"abcdef\" is not a value of the type Int64 (bytes 27 to 31)",
        ),
        (
            "some text<n>1</n>",
            "column `_VALUE`: \"some text\" is not a value of the type Int64 (bytes 6 to 15)",
        ),
        (
            "<n>no number</n>",
            "column `n`: \"no number\" is not a value of the type Int64 (bytes 9 to 18)",
        ),
        (
            "<n>nu<!-- -->ll</n>",
            "column `n`: there is no value, and the column is not nullable (bytes 19 to 21)",
        ),
    ] {
        let xml = format!("<x><r>{row}</r></x>");
        let (found, errors) = read(xml.as_bytes(), &schema, &options, xml.len(), false);
        assert!(errors[0].ends_with(error), "{errors:?}");
        let found: Vec<_> = found.iter().map(|row| &**row).collect();
        check_all(xml.as_bytes(), &schema, &options, &found, &[&errors[0]]);
    }
}

#[test]
fn text_around_comments_is_one_value() {
    let schema = schema(vec![
        field("a", DataType::Utf8),
        field("n", DataType::Int64),
    ]);
    let xml =
        "<x><r><a>one <!-- 1 -->two<![CDATA[ & three]]><?pi x?> four</a><n>1<!-- -->2</n></r></x>";
    check(
        xml,
        &schema,
        &Options::new("r"),
        &["\"one two & three four\" | 12"],
    );
}

#[test]
fn children_of_strings_are_written() {
    let schema = schema(vec![field("a", DataType::Utf8)]);
    let xml = "<x><r><a>one <b c='d'>two<e/></b> </a></r></x>";
    check(
        xml,
        &schema,
        &Options::new("r"),
        &["\"one <b c=\\\"d\\\">two<e></e></b>\""],
    );
}

#[test]
fn text_beside_children_is_the_value() {
    let value = field("_VALUE", list_of(DataType::Int64));
    let schema = schema(vec![
        field("a", struct_of(vec![value, field("_b", DataType::Utf8)])),
        field("_VALUE", DataType::Utf8),
    ]);
    let xml = "<x><r>t<a b='c'>1<d/> <e/>2<!-- -->3<d/></a>u</r></x>";
    check_all(
        xml.as_bytes(),
        &schema,
        &Options::new("r"),
        &["{_VALUE: [1, 23], _b: \"c\"} | \"u\""],
        &[&format!(
            "1:45: column `_VALUE`: {REPEATED} (bytes 44 to 45)"
        )],
    );
}

#[test]
fn rows_in_rows_are_fields() {
    let schema = schema(vec![
        field("n", DataType::Int64),
        field("r", struct_of(vec![field("n", DataType::Int64)])),
    ]);
    let xml = "<x><r><n>1</n><r><n>2</n></r></r><y><r><n>3</n></r></y></x>";
    check(
        xml,
        &schema,
        &Options::new("r"),
        &["1 | {n: 2}", "3 | null"],
    );
}

#[test]
fn modes_treat_values_that_do_not_fit() {
    let schema = schema(vec![
        field("n", DataType::Int64),
        field("s", DataType::Utf8),
        field("_corrupt_record", DataType::Utf8),
    ]);
    let xml = "<x>\n<r><n>1</n><s>a</s></r>\n<r><n>z9</n><s>b</s></r>\n<r><n>3</n><s>c</s></r></x>";
    let error = "3:7: column `n`: \"z9\" is not a value of the type Int64 (bytes 34 to 36)";
    let bad = "null | null | \"<r><n>z9</n><s>b</s></r>\"";
    let good = ["1 | \"a\" | null", "3 | \"c\" | null"];
    check_all(
        xml.as_bytes(),
        &schema,
        &Options::new("r"),
        &[good[0], bad, good[1]],
        &[error],
    );
    check_all(
        xml.as_bytes(),
        &schema,
        &Options::new("r").mode(Mode::DropMalformed),
        &good,
        &[error],
    );
    let failed = format!("failed: {error}");
    check_all(
        xml.as_bytes(),
        &schema,
        &Options::new("r").mode(Mode::FailFast),
        &good[..1],
        &[error, &failed],
    );
}

#[test]
fn modes_treat_rows_that_are_not_well_formed() {
    let schema = schema(vec![
        field("n", DataType::Int64),
        field("_corrupt_record", DataType::Utf8),
    ]);
    let xml = "<x><r><n>1</n></r><r><n>2</m></r><r><n>3</n></r></x>";
    let (found, errors) = read(xml.as_bytes(), &schema, &Options::new("r"), 1000, false);
    assert_eq!(
        found,
        ["1 | null", "null | \"<r><n>2</m></r>\"", "3 | null"]
    );
    assert_eq!(errors.len(), 1);
    let rows: Vec<_> = found.iter().map(|row| &**row).collect();
    let errors: Vec<_> = errors.iter().map(|row| &**row).collect();
    check_all(xml.as_bytes(), &schema, &Options::new("r"), &rows, &errors);
    let dropped = [rows[0], rows[2]];
    check_all(
        xml.as_bytes(),
        &schema,
        &Options::new("r").mode(Mode::DropMalformed),
        &dropped,
        &errors,
    );
}

#[test]
fn truncated_input_is_a_malformed_row() {
    let schema = schema(vec![
        field("n", DataType::Int64),
        field("_corrupt_record", DataType::Utf8),
    ]);
    let xml = "<x><r><n>1</n></r><r><n>2</n>";
    for mode in [Mode::Permissive, Mode::DropMalformed, Mode::FailFast] {
        let options = Options::new("r").mode(mode);
        let whole = read(xml.as_bytes(), &schema, &options, 1000, false);
        assert_eq!(
            whole.0.len(),
            if mode == Mode::Permissive { 2 } else { 1 },
            "{whole:?}"
        );
        assert!(!whole.1.is_empty());
        for chunk in 1..20 {
            assert_eq!(read(xml.as_bytes(), &schema, &options, chunk, true), whole);
        }
    }
}

#[test]
fn options_change_names_and_values() {
    let two = schema(vec![
        field("@id", DataType::Utf8),
        field("b", DataType::Utf8),
        field("#", DataType::Utf8),
    ]);
    let options = Options::new("r")
        .attribute_prefix("@")
        .value_tag("#")
        .ignore_namespace(true)
        .null_value(Some("-"));
    check(
        "<x><q:r p:id=' 1'>t<p:b> - </p:b></q:r></x>",
        &two,
        &options,
        &["\"1\" | null | \"t\""],
    );
    let options = options
        .ignore_surrounding_spaces(false)
        .exclude_attribute(true);
    check(
        "<x><q:r p:id=' 1'>t <p:b> - </p:b></q:r></x>",
        &two,
        &options,
        &["null | \" - \" | \"t \""],
    );
    let dates = schema(vec![
        field("d", DataType::Date32),
        field(
            "t",
            DataType::Timestamp(TimeUnit::Second, Some("UTC".into())),
        ),
    ]);
    let options = Options::new("r")
        .date_format("dd.MM.yyyy")
        .unwrap()
        .timestamp_format("d/M/yyyy[ h:mm a]")
        .unwrap();
    let xml = "<x><r><d>02.01.1970</d><t>2/1/1970 1:00 PM</t></r><r><t>1/1/1970</t></r></x>";
    check(xml, &dates, &options, &["1 | 133200", "null | 0"]);
}

#[test]
fn selectors_choose_rows() {
    let schema = schema(vec![field("_n", DataType::Int64)]);
    let xml = "<x><r n='1'/><y><r n='2'><r n='3'/></r></y></x>";
    check(xml, &schema, &Options::selector("y > r"), &["2"]);
}

#[test]
fn batches_have_their_size() {
    let schema = schema(vec![field("_n", DataType::Int64)]);
    let xml: String = (0..10).map(|n| format!("<r n='{n}'/>")).collect();
    let mut decoder = Decoder::new(schema, Options::new("r").batch_size(4)).unwrap();
    decoder.feed(format!("<x>{xml}</x>").into());
    decoder.finish();
    let mut sizes = Vec::new();
    while let Some(batch) = decoder.next_batch().unwrap() {
        sizes.push(batch.num_rows());
    }
    assert_eq!(sizes, [4, 4, 2]);
}

/// Returns the number of rows of each batch.
fn batch_sizes(xml: &str, schema: &SchemaRef, options: &Options) -> Vec<usize> {
    let mut decoder = Decoder::new(schema.clone(), options.clone()).unwrap();
    decoder.feed(xml.to_owned().into());
    decoder.finish();
    let batches = std::iter::from_fn(|| decoder.next_batch().unwrap());
    batches.map(|batch| batch.num_rows()).collect()
}

/// A batch exceeds its maximum by one row, or by a few short ones.
#[test]
fn batches_of_long_rows_end_after_their_bytes() {
    let bytes = |t: &str| t.repeat(100_000 / t.len());
    for (data_type, row) in [
        (DataType::Utf8, format!("<t>{}</t>", bytes("x"))),
        (DataType::Utf8View, format!("<t>{}</t>", "&x;".repeat(100))),
        (list_of(DataType::Utf8), bytes("<t>some text</t>")),
        (list_of(struct_of(vec![])), bytes("<t/>")),
    ] {
        let schema = schema(vec![field("t", data_type)]);
        let row = format!("<r>{row}</r>").repeat(63);
        let xml = format!(
            "<!DOCTYPE x [<!ENTITY x '{}'>]><x>{row}</x>",
            bytes("yz")[..1000].to_owned()
        );
        let sizes = batch_sizes(&xml, &schema, &Options::new("r").max_batch_bytes(20_000));
        assert_eq!(sizes, [1; 63]);
    }
}

/// The size of a batch of short rows is computed after each 64 rows. A row has one byte, eight bytes of a number, and a
/// text of ten bytes with its end; the end before the first text has four more.
#[test]
fn batches_of_short_rows_end_after_their_bytes() {
    let schema = schema(vec![
        field("_n", DataType::Int64),
        field("t", DataType::Utf8),
    ]);
    let bytes_of = |rows: usize| 23 * rows + 4;
    let xml = format!("<x>{}</x>", "<r n='1'><t>ten  bytes</t></r>".repeat(500));
    for (bytes, size) in [
        (1, 64),
        (bytes_of(64), 64),
        (bytes_of(64) + 1, 128),
        (bytes_of(192), 192),
        (bytes_of(192) + 1, 256),
    ] {
        let mut options = Options::new("r");
        let value = bytes.to_string();
        options.set("max_batch_bytes", &value).unwrap();
        let by_method = Options::new("r").max_batch_bytes(bytes);
        assert_eq!(options, by_method);
        let sizes = batch_sizes(&xml, &schema, &options);
        assert_eq!(sizes[0], size, "{bytes}");
        assert_eq!(sizes[1], size.min(500 - size), "{bytes}");
        assert_eq!(sizes.iter().sum::<usize>(), 500);
    }
    let most = Options::new("r").max_batch_bytes(1 << 30);
    for bytes in [1 << 31, usize::MAX] {
        assert_eq!(Options::new("r").max_batch_bytes(bytes), most);
        let mut options = Options::new("r");
        options.set("max_batch_bytes", &bytes.to_string()).unwrap();
        assert_eq!(options, most);
    }
    assert_eq!(
        Options::new("r").max_batch_bytes(0),
        Options::new("r").max_batch_bytes(1)
    );
}

#[test]
fn rows_that_are_left_out_give_no_batches() {
    let schema = schema(vec![
        field("n", DataType::Int64),
        field("t", DataType::Utf8),
    ]);
    let xml = format!("<x>{}<r><n>1</n></r></x>", "<r><n>x</n></r>".repeat(100));
    let options = Options::new("r")
        .max_batch_bytes(1)
        .mode(Mode::DropMalformed);
    assert_eq!(batch_sizes(&xml, &schema, &options), [1]);
}

#[test]
fn schemas_are_inferred() {
    check_inferred(
        "<x><r a='1'><b>x</b></r><r><c>2.5</c></r></x>",
        "_a int64, b utf8, c float64",
        &["1 | \"x\" | null", "null | null | 2.5"],
    );
    check_inferred(
        "<x><r><b>1</b><b>2.5</b></r><r><b/></r></x>",
        "b [float64]",
        &["[1, 2.5]", "[null]"],
    );
    check_inferred(
        "<x><r><b>1</b></r><r><b c='true'>2<d>2020-01-01</d></b></r></x>",
        "b {_VALUE int64, _c boolean, d date32}",
        &[
            "{_VALUE: 1, _c: null, d: null}",
            "{_VALUE: 2, _c: true, d: 18262}",
        ],
    );
    check_inferred(
        "<x><r><b>2020-01-01T00:00:00Z</b><c>1</c></r><r><b>2020-01-01</b><c>x</c></r></x>",
        "b timestamp, c utf8",
        &["1577836800000000 | \"1\"", "1577836800000000 | \"x\""],
    );
    check_inferred(
        "<x><r><b/><c></c><d><e/></d></r></x>",
        "b utf8, c utf8, d {e utf8}",
        &["\"\" | \"\" | {e: \"\"}"],
    );
    check_inferred("<x><r>text</r></x>", "_VALUE utf8", &["\"text\""]);
}

#[test]
fn a_flush_within_a_row_returns_the_rows_before() {
    let schema = Arc::new(Schema::new(vec![
        Field::new("_n", DataType::Int64, true),
        Field::new("t", DataType::Utf8, true),
    ]));
    let mut decoder = Decoder::new(schema, Options::new("r")).unwrap();
    let mut counts = Vec::new();
    for chunk in [
        "<d><r n='1'/><r n='2'><t>o",
        "ne</t>",
        "</r><r n='3'/>",
        "</d>",
    ] {
        decoder.feed_slice(chunk.as_bytes());
        while let Some(batch) = decoder.next_batch().unwrap() {
            counts.push(batch.num_rows());
        }
        if let Some(batch) = decoder.flush().unwrap() {
            counts.push(batch.num_rows());
        }
    }
    assert_eq!(counts, [1, 2]);
}
