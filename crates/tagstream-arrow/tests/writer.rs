//! Rows that are written as XML, and read again.

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use serde_json::Value;
use std::sync::Arc;
use tagstream_arrow::{Options, XmlReader, XmlWriter, infer_schema};

fn write(xml: &str, schema: &SchemaRef, options: &Options) -> String {
    let mut writer = XmlWriter::new(Vec::new(), options.clone()).unwrap();
    for batch in XmlReader::new(xml.as_bytes(), schema.clone(), options.clone()).unwrap() {
        writer.write(&batch.unwrap()).unwrap();
    }
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

#[test]
fn each_type_is_written_as_it_is_read() {
    let list = |data_type| DataType::List(Arc::new(Field::new_list_field(data_type, true)));
    let inner = DataType::Struct(
        vec![
            Field::new("_k", DataType::Int8, true),
            Field::new("_VALUE", DataType::Utf8, true),
        ]
        .into(),
    );
    let schema = Arc::new(Schema::new(vec![
        Field::new("b", DataType::Boolean, true),
        Field::new("_a", DataType::UInt64, true),
        Field::new("d", DataType::Decimal128(9, 2), true),
        Field::new("f", list(DataType::Float64), true),
        Field::new("g", DataType::Float32, true),
        Field::new("day", DataType::Date32, true),
        Field::new(
            "at",
            DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())),
            true,
        ),
        Field::new(
            "local",
            DataType::Timestamp(TimeUnit::Millisecond, None),
            true,
        ),
        Field::new("s", list(inner), true),
        Field::new("v", DataType::Utf8View, true),
    ]));
    let options = Options::new("r")
        .root_tag("rows")
        .declaration("version=\"1.0\"");
    let row = "<r a=\"18446744073709551615\"><b>true</b><d>-1.50</d><f>1.5</f><f>-Infinity</f><f>1e300</f><g>0.1</g>\
        <day>-0001-02-28</day><at>2026-01-02T03:04:05.000000006Z</at><local>1969-12-31T23:59:59.5</local>\
        <s k=\"1\">one &amp; two</s><s k=\"2\"/><v>&lt;text&gt;</v></r>";
    let xml = format!("<?xml version=\"1.0\"?>\n<rows>\n{row}\n<r/>\n</rows>");
    assert_eq!(write(&xml, &schema, &options), xml);
    let options = options
        .timezone("+05:30")
        .unwrap()
        .date_format("d. MMM yyyy")
        .unwrap()
        .timestamp_format("dd/MM/yyyy HH:mm[ XXX]")
        .unwrap();
    let xml = "<?xml version=\"1.0\"?>\n<rows>\n<r><day>3. Mar 2026</day><at>02/01/2026 03:04 +05:30</at></r>\n</rows>";
    assert_eq!(write(xml, &schema, &options), xml);
}

#[test]
fn nulls_are_left_out_or_written() {
    let schema = Arc::new(Schema::new(vec![
        Field::new("_a", DataType::Int8, true),
        Field::new("b", DataType::Utf8, true),
    ]));
    let options = Options::new("r").null_value(Some("-")).declaration("");
    assert_eq!(
        write("<x><r/></x>", &schema, &options),
        "<ROWS>\n<r a=\"-\"><b>-</b></r>\n</ROWS>"
    );
}

#[test]
fn names_and_characters_are_checked() {
    let schema = Arc::new(Schema::new(vec![Field::new(
        "not a name",
        DataType::Utf8,
        true,
    )]));
    let array = Arc::new(arrow_array::StringArray::from(vec!["x"]));
    let batch = arrow_array::RecordBatch::try_new(schema, vec![array]).unwrap();
    let mut writer = XmlWriter::new(Vec::new(), Options::new("r")).unwrap();
    assert!(writer.write(&batch).is_err());
    let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Utf8, true)]));
    let array = Arc::new(arrow_array::StringArray::from(vec!["\u{0}"]));
    let batch = arrow_array::RecordBatch::try_new(schema, vec![array]).unwrap();
    let mut writer = XmlWriter::new(Vec::new(), Options::new("r")).unwrap();
    assert!(writer.write(&batch).is_err());
}

/// The rows of Spark's documents, written, read and written again.
#[test]
fn written_rows_are_read_as_they_are() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/spark/rows.jsonl"
    ))
    .unwrap();
    let mut cases = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let document = case["document"].as_str().unwrap();
        let mut options = Options::default();
        let mut results = case["options"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| options.set(name, value.as_str().unwrap()));
        // The text of nulls is read as null in values, but not in the place of structs.
        if results.any(|result| result.is_err()) || case["options"]["nullValue"].is_string() {
            continue;
        }
        let schema = infer_schema(document.as_bytes(), &options).unwrap().schema;
        let once = write(document, &schema, &options);
        assert_eq!(write(&once, &schema, &options), once, "{document}");
        cases += 1;
    }
    assert!(cases > 650, "{cases}");
}

/// Offsets are written as the number of letters says, and are read again.
#[test]
fn offsets_are_written_as_their_letters_say() {
    let seconds = DataType::Timestamp(TimeUnit::Second, Some("UTC".into()));
    let schema = Arc::new(Schema::new(vec![Field::new("t", seconds, true)]));
    for (zone, written) in [
        (
            "UTC",
            ["Z", "Z", "Z", "+00", "+0000", "+00:00", "+0000", "GMT", "Z"],
        ),
        (
            "+02:00",
            [
                "+02",
                "+0200",
                "+02:00",
                "+02",
                "+0200",
                "+02:00",
                "+0200",
                "GMT+02:00",
                "+02:00",
            ],
        ),
        (
            "-05:30",
            [
                "-0530",
                "-0530",
                "-05:30",
                "-0530",
                "-0530",
                "-05:30",
                "-0530",
                "GMT-05:30",
                "-05:30",
            ],
        ),
    ] {
        let letters = ["X", "XX", "XXXXX", "x", "xxxx", "xxx", "Z", "ZZZZ", "ZZZZZ"];
        for (letters, offset) in letters.iter().zip(written) {
            let options = Options::new("r").declaration("");
            let options = options.timezone(zone).unwrap();
            let format = format!("yyyy-MM-dd HH:mm{letters}");
            let options = options.timestamp_format(&format).unwrap();
            let xml = format!("<ROWS>\n<r><t>2026-01-02 03:04{offset}</t></r>\n</ROWS>");
            let found = write(&xml, &schema, &options);
            assert_eq!(found.trim(), xml, "{letters} in {zone}");
        }
    }
}

/// The null of a column of text is written as the text of its row.
#[test]
fn nulls_of_texts_are_written() {
    let schema = Arc::new(Schema::new(vec![
        Field::new("_a", DataType::Int8, true),
        Field::new("_VALUE", DataType::Utf8, true),
    ]));
    let options = Options::new("r").null_value(Some("-")).declaration("");
    let xml = "<ROWS>\n<r a=\"1\">-</r>\n</ROWS>";
    assert_eq!(write("<x><r a='1'/></x>", &schema, &options), xml);
}

/// The hours of a half day are 12, 1 to 11.
#[test]
fn hours_of_half_days_are_written() {
    let schema = Arc::new(Schema::new(vec![Field::new(
        "t",
        DataType::Timestamp(TimeUnit::Second, None),
        true,
    )]));
    let options = Options::new("r").declaration("");
    let options = options.timestamp_format("yyyy-MM-dd hh:mm a").unwrap();
    for time in ["12:30 AM", "01:00 AM", "11:59 AM", "12:00 PM", "01:30 PM"] {
        let xml = format!("<ROWS>\n<r><t>2026-01-02 {time}</t></r>\n</ROWS>");
        assert_eq!(write(&xml, &schema, &options), xml);
    }
}
