//! Schemas and rows compared with those of Spark: see `spark/README.md`.

mod common;

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tagstream_arrow::{ChunkReader, Decoder, Options, infer_schema};

/// Writes a type as Spark's JSON does.
fn type_of(data_type: &DataType) -> Value {
    match data_type {
        DataType::Utf8 => json!("string"),
        DataType::Int8 => json!("byte"),
        DataType::Int16 => json!("short"),
        DataType::Int32 => json!("integer"),
        DataType::Int64 => json!("long"),
        DataType::Float32 => json!("float"),
        DataType::Float64 => json!("double"),
        DataType::Boolean => json!("boolean"),
        DataType::Date32 => json!("date"),
        DataType::Timestamp(_, Some(_)) => json!("timestamp"),
        DataType::Timestamp(_, None) => json!("timestamp_ntz"),
        DataType::Decimal128(precision, scale) => json!(format!("decimal({precision},{scale})")),
        DataType::List(inner) => {
            json!({"type": "array", "elementType": type_of(inner.data_type())})
        }
        DataType::Struct(fields) => {
            let field = |field: &Arc<Field>| json!({"name": field.name(), "type": type_of(field.data_type())});
            json!({"type": "struct", "fields": fields.iter().map(field).collect::<Vec<_>>()})
        }
        other => panic!("{other}"),
    }
}

/// Reads a type of Spark's JSON.
fn data_type(spark: &Value) -> DataType {
    match spark {
        Value::String(name) => match &**name {
            "string" => DataType::Utf8,
            "byte" => DataType::Int8,
            "short" => DataType::Int16,
            "integer" => DataType::Int32,
            "long" => DataType::Int64,
            "float" => DataType::Float32,
            "double" => DataType::Float64,
            "boolean" => DataType::Boolean,
            "date" => DataType::Date32,
            "timestamp" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            "timestamp_ntz" => DataType::Timestamp(TimeUnit::Microsecond, None),
            name => {
                let inner = name
                    .strip_prefix("decimal(")
                    .unwrap()
                    .strip_suffix(")")
                    .unwrap();
                let (precision, scale) = inner.split_once(',').unwrap();
                DataType::Decimal128(precision.parse().unwrap(), scale.parse().unwrap())
            }
        },
        spark if spark["type"] == "array" => DataType::List(Arc::new(Field::new_list_field(
            data_type(&spark["elementType"]),
            true,
        ))),
        spark => {
            let field = |field: &Value| {
                Field::new(
                    field["name"].as_str().unwrap(),
                    data_type(&field["type"]),
                    true,
                )
            };
            DataType::Struct(
                spark["fields"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(field)
                    .collect(),
            )
        }
    }
}

fn float(value: f64) -> Value {
    match value {
        value if value.is_nan() => json!("NaN"),
        f64::INFINITY => json!("Infinity"),
        f64::NEG_INFINITY => json!("-Infinity"),
        value => json!(value),
    }
}

fn date(days: i64) -> String {
    let date = arrow_array::temporal_conversions::date32_to_datetime(days as i32)
        .unwrap()
        .date();
    date.to_string()
}

fn timestamp(micros: i64, zone: &str) -> String {
    let (seconds, fraction) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let (days, seconds) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let fraction = match fraction {
        0 => String::new(),
        fraction => format!(".{fraction:06}"),
    };
    format!(
        "{}T{:02}:{:02}:{:02}{fraction}{zone}",
        date(days),
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

fn value(array: &ArrayRef, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Utf8 => json!(array.as_string::<i32>().value(row)),
        DataType::Int8 => json!(array.as_primitive::<Int8Type>().value(row)),
        DataType::Int16 => json!(array.as_primitive::<Int16Type>().value(row)),
        DataType::Int32 => json!(array.as_primitive::<Int32Type>().value(row)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(row)),
        DataType::Float32 => float(f64::from(array.as_primitive::<Float32Type>().value(row))),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => json!(array.as_boolean().value(row)),
        DataType::Date32 => json!(date(i64::from(
            array.as_primitive::<Date32Type>().value(row)
        ))),
        DataType::Timestamp(_, zone) => {
            let zone = if zone.is_some() { "Z" } else { "" };
            json!(timestamp(
                array.as_primitive::<TimestampMicrosecondType>().value(row),
                zone
            ))
        }
        DataType::Decimal128(..) => {
            json!(array.as_primitive::<Decimal128Type>().value_as_string(row))
        }
        DataType::List(_) => {
            let values = array.as_list::<i32>().value(row);
            Value::Array((0..values.len()).map(|at| value(&values, at)).collect())
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter();
            let members = fields
                .iter()
                .zip(columns)
                .map(|(field, column)| (field.name().clone(), value(column, row)));
            Value::Object(members.collect())
        }
        other => panic!("{other}"),
    }
}

fn read(document: &str, schema: SchemaRef, options: Options, chunk: usize) -> Vec<Value> {
    let chunks = common::chunks(document.as_bytes(), chunk);
    let mut rows = Vec::new();
    for batch in ChunkReader::new(chunks, schema, options).unwrap() {
        rows.extend(rows_of(&batch.unwrap()));
    }
    rows
}

/// Reads a document in chunks, with a flush after each.
fn read_flushed(document: &str, schema: SchemaRef, options: Options, chunk: usize) -> Vec<Value> {
    let mut decoder = Decoder::new(schema, options).unwrap();
    let mut rows = Vec::new();
    for chunk in common::chunks(document.as_bytes(), chunk) {
        decoder.feed(chunk);
        assert!(decoder.next_batch().unwrap().is_none());
        rows.extend(decoder.flush().unwrap().iter().flat_map(rows_of));
    }
    decoder.finish();
    let last = decoder.next_batch().unwrap();
    rows.extend(last.iter().flat_map(rows_of));
    rows
}

fn rows_of(batch: &RecordBatch) -> Vec<Value> {
    let schema = batch.schema();
    let row = |row| {
        let columns = schema.fields().iter().zip(batch.columns());
        let members: Map<_, _> = columns
            .map(|(field, column)| (field.name().clone(), value(column, row)))
            .collect();
        Value::Object(members)
    };
    (0..batch.num_rows()).map(row).collect()
}

/// Cases in which the result differs from Spark's on purpose, with the reason.
const DIFFERENCES: &[(&str, &str)] = &[
    ("names/case", "names are compared with regard to case"),
    ("names/case-rows", "names are compared with regard to case"),
    ("given/case", "names are compared with regard to case"),
    (
        "values/05",
        "hexadecimal floating-point numbers are strings",
    ),
    ("values/07", "numbers have ASCII digits"),
    ("values/08", "numbers have ASCII digits"),
    ("values/16", "time zones are offsets"),
    ("values/17", "time zones are offsets"),
    (
        "options/timezone=America/New_York",
        "time zones are offsets",
    ),
    ("options/timezone-local", "time zones are offsets"),
    (
        "random/mixed/011",
        "Spark gives small decimals more digits than their type has",
    ),
    (
        "random/names/270",
        "Spark gives small decimals more digits than their type has",
    ),
    ("given/integers-min", "the smallest integer is an integer"),
    (
        "decimals/groups",
        "decimals have no commas: Spark reads 37,77 as 3777",
    ),
    (
        "given/decimals-groups",
        "decimals have no commas: Spark reads 37,77 as 3777",
    ),
    (
        "given/floats-groups",
        "numbers have no groups and no other text after them",
    ),
];

#[test]
fn schemas_and_rows_are_those_of_spark() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/spark/rows.jsonl"
    ))
    .unwrap();
    let (mut cases, mut failures) = (0, Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (name, document) = (
            case["name"].as_str().unwrap(),
            case["document"].as_str().unwrap(),
        );
        let mut options = Options::default();
        let mut refused = None;
        for (option, value) in case["options"].as_object().unwrap() {
            if let Err(error) = options.set(option, value.as_str().unwrap()) {
                refused = Some(error);
            }
        }
        if DIFFERENCES.iter().any(|(different, _)| *different == name) {
            continue;
        }
        if let Some(error) = refused {
            failures.push(format!("{name}: {error}"));
            continue;
        }
        cases += 1;
        let schema = match case["given"] == true {
            true => {
                let DataType::Struct(fields) = data_type(&case["schema"]) else {
                    panic!()
                };
                Arc::new(Schema::new(fields))
            }
            false => infer_schema(document.as_bytes(), &options).unwrap().schema,
        };
        let found = type_of(&DataType::Struct(schema.fields().clone()));
        if found != case["schema"] {
            failures.push(format!(
                "{name}: schema\n  {document}\n  ours:  {found}\n  Spark: {}",
                case["schema"]
            ));
            continue;
        }
        let rows = read(document, schema.clone(), options.clone(), document.len());
        if json!(rows) != case["rows"] {
            failures.push(format!(
                "{name}: {}\n  {document}\n  ours:  {}\n  Spark: {}",
                case["options"],
                json!(rows),
                case["rows"]
            ));
        }
        for chunk in [1, 5] {
            assert_eq!(
                read(document, schema.clone(), options.clone(), chunk),
                rows,
                "{name} in chunks of {chunk}"
            );
        }
        for chunk in [1, 40, 70, 110] {
            let flushed = read_flushed(document, schema.clone(), options.clone(), chunk);
            assert_eq!(flushed, rows, "{name} with flushes in chunks of {chunk}");
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {cases} cases differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(cases >= 400, "{cases}");
}
