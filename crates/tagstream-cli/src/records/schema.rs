//! The schema of the rows: inferred from samples of the files, or read from JSON as Spark writes schemas.

use super::reader::{Opened, failure};
use crate::failure::Failure;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, TimeUnit};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tagstream_arrow::{Inferred, Inferrer, Options};

/// Minimum number of bytes that are read of each file, until the sample is complete.
const MIN_BYTES_OF_FILE: u64 = 64 << 10;

/// Infers the schema of a file from its first bytes. Returns it with the number of bytes that were read and, for standard
/// input, the opened input.
pub(super) fn infer(
    mut opened: Opened,
    options: &Options,
    most: u64,
) -> Result<(Inferred, u64, Option<Opened>), Failure> {
    let file = opened.input.file().to_owned();
    let failure = |error| failure(&file, &error);
    let is_kept = file == Path::new("-");
    let mut inferrer = Inferrer::new(options.clone()).map_err(failure)?;
    let mut chunks = VecDeque::new();
    let mut bytes = 0;
    let inferred = loop {
        if bytes >= most {
            break inferrer.finish_early();
        }
        let Some(chunk) = opened.input.next_chunk()? else {
            break inferrer.finish();
        };
        bytes += chunk.len() as u64;
        if is_kept {
            chunks.push_back(chunk.clone());
        }
        inferrer.feed(chunk).map_err(failure)?;
    };
    opened.replayed = chunks;
    Ok((inferred.map_err(failure)?, bytes, is_kept.then_some(opened)))
}

/// Returns the number of bytes to read of each file, if `most` bytes are read of all together.
pub(super) fn bytes_of_each(most: u64, files: usize) -> u64 {
    (most / files.max(1) as u64).max(MIN_BYTES_OF_FILE)
}

/// Returns the schema of the rows of both schemas, with the rules by which inference merges rows.
pub(super) fn merged(one: &Schema, two: &Schema, value_tag: &str) -> Schema {
    Schema::new(merged_fields(one.fields(), two.fields(), value_tag))
}

fn merged_fields(one: &Fields, two: &Fields, value_tag: &str) -> Fields {
    let mut fields: BTreeMap<&str, FieldRef> = BTreeMap::new();
    for field in one.iter().chain(two) {
        let merged = match fields.get(field.name().as_str()) {
            None => Arc::clone(field),
            Some(known) => {
                let data_type = merged_type(known.data_type(), field.data_type(), value_tag);
                Arc::new(Field::new(field.name(), data_type, true))
            }
        };
        fields.insert(field.name(), merged);
    }
    fields.into_values().collect()
}

fn merged_type(one: &DataType, two: &DataType, value_tag: &str) -> DataType {
    use DataType::{Date32, Decimal128, Float64, Int64, List, Struct, Timestamp, Utf8};
    let list = |element: DataType| List(Arc::new(Field::new_list_field(element, true)));
    match (one, two) {
        (one, two) if one == two => one.clone(),
        (Struct(one), Struct(two)) => Struct(merged_fields(one, two, value_tag)),
        (List(one), List(two)) => list(merged_type(one.data_type(), two.data_type(), value_tag)),
        (List(element), other) | (other, List(element)) => {
            list(merged_type(element.data_type(), other, value_tag))
        }
        (Struct(fields), value) | (value, Struct(fields)) => {
            let value = Field::new(value_tag, value.clone(), true);
            Struct(merged_fields(fields, &Fields::from(vec![value]), value_tag))
        }
        (Int64, Float64) | (Float64, Int64) => Float64,
        (Decimal128(..), Float64) | (Float64, Decimal128(..)) => Float64,
        (Decimal128(precision, scale), Int64) | (Int64, Decimal128(precision, scale)) => {
            merged_decimal((*precision, *scale), (20, 0))
        }
        (Decimal128(one, one_scale), Decimal128(two, two_scale)) => {
            merged_decimal((*one, *one_scale), (*two, *two_scale))
        }
        (Date32, Timestamp(unit, zone)) | (Timestamp(unit, zone), Date32) => {
            Timestamp(*unit, zone.clone())
        }
        _ => Utf8,
    }
}

/// Returns the type of the values of two decimal types, each with a precision and a scale.
fn merged_decimal(one: (u8, i8), two: (u8, i8)) -> DataType {
    let digits = |(precision, scale): (u8, i8)| i16::from(precision) - i16::from(scale);
    let scale = one.1.max(two.1);
    match digits(one).max(digits(two)) + i16::from(scale) {
        precision @ 0..=38 => DataType::Decimal128(precision as u8, scale),
        _ => DataType::Float64,
    }
}

/// Returns the schema with only the given columns, in the order in which they are named first. No columns means all. The
/// name of a column in structs is a path, such as `author.name`; a struct then has only the fields that are named.
pub(super) fn with_columns(schema: Schema, columns: &[String]) -> Result<Schema, Failure> {
    if columns.is_empty() {
        return Ok(schema);
    }
    let mut fields: Vec<Field> = Vec::new();
    for name in columns {
        let field = pruned(schema.fields(), name).ok_or_else(|| {
            let known: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            Failure::Unusable(format!(
                "there is no column `{name}`: the columns are {} (a column that is not in the sample needs --schema)",
                known.join(", ")
            ))
        })?;
        add(&mut fields, field);
    }
    Ok(Schema::new(fields))
}

/// Returns the column with a name or a path. A struct on the path has only the field that the path names.
fn pruned(fields: &Fields, path: &str) -> Option<Field> {
    if let Some(field) = fields.iter().find(|field| field.name() == path) {
        return Some(field.as_ref().clone());
    }
    fields.iter().find_map(|field| {
        let rest = path
            .strip_prefix(field.name().as_str())?
            .strip_prefix('.')?;
        let DataType::Struct(inner) = field.data_type() else {
            return None;
        };
        let inner = Fields::from(vec![pruned(inner, rest)?]);
        Some(
            field
                .as_ref()
                .clone()
                .with_data_type(DataType::Struct(inner)),
        )
    })
}

/// Adds a column. If there is one with this name, the fields of both are joined.
fn add(fields: &mut Vec<Field>, new: Field) {
    let Some(known) = fields.iter_mut().find(|field| field.name() == new.name()) else {
        fields.push(new);
        return;
    };
    if let (DataType::Struct(known_inner), DataType::Struct(new_inner)) =
        (known.data_type(), new.data_type())
    {
        let mut inner: Vec<Field> = known_inner
            .iter()
            .map(|field| field.as_ref().clone())
            .collect();
        for field in new_inner {
            add(&mut inner, field.as_ref().clone());
        }
        known.set_data_type(DataType::Struct(inner.into()));
    }
}

/// Returns the columns that CSV has for a batch: those whose paths are named, with their paths as names, or all.
pub(super) fn columns_of(batch: &RecordBatch, paths: &[String]) -> Result<RecordBatch, Failure> {
    if paths.is_empty() {
        return Ok(batch.clone());
    }
    let mut columns = Vec::new();
    for path in paths {
        let column = column_of(batch.schema_ref().fields(), batch.columns(), path);
        let column =
            column.ok_or_else(|| Failure::Unusable(format!("there is no column `{path}`")))?;
        columns.push((path, column, true));
    }
    RecordBatch::try_from_iter_with_nullable(columns)
        .map_err(|error| Failure::Unusable(error.to_string()))
}

/// Returns the column with a name or a path.
fn column_of(fields: &Fields, columns: &[ArrayRef], path: &str) -> Option<ArrayRef> {
    if let Some((at, _)) = fields.find(path) {
        return Some(Arc::clone(&columns[at]));
    }
    fields.iter().zip(columns).find_map(|(field, column)| {
        let rest = path
            .strip_prefix(field.name().as_str())?
            .strip_prefix('.')?;
        let inner = column.as_any().downcast_ref::<StructArray>()?;
        column_of(inner.fields(), inner.columns(), rest)
    })
}

/// Reads a schema from a file.
pub(super) fn read(file: &Path, timezone: &str) -> Result<Schema, Failure> {
    let failure = |reason: String| Failure::read(file, reason);
    let text = fs::read(file).map_err(|error| failure(error.to_string()))?;
    let value: Value = serde_json::from_slice(&text)
        .map_err(|error| failure(format!("this is not the JSON of a schema: {error}")))?;
    from_json(&value, timezone).map_err(failure)
}

/// Converts the JSON of a schema.
pub(super) fn from_json(value: &Value, timezone: &str) -> Result<Schema, String> {
    match data_type_of(value, "", timezone)? {
        DataType::Struct(fields) => Ok(Schema::new(fields)),
        _ => Err("the type of a schema is `struct`".to_owned()),
    }
}

/// Converts the JSON of a type. `path` is the path of its column, for messages. JSON that is read from text is at most
/// 128 levels deep, so that recursion is bounded.
fn data_type_of(value: &Value, path: &str, timezone: &str) -> Result<DataType, String> {
    match value {
        Value::String(name) => named_type(name, timezone)
            .ok_or_else(|| format!("the column `{path}` has the unknown type `{name}`")),
        Value::Object(object) => match object.get("type").and_then(Value::as_str) {
            Some("struct") => {
                let fields = object.get("fields").and_then(Value::as_array);
                let fields = fields.ok_or_else(|| missing(path, "fields"))?;
                let fields: Result<Fields, String> = fields
                    .iter()
                    .map(|field| field_of(field, path, timezone))
                    .collect();
                Ok(DataType::Struct(fields?))
            }
            Some("array") => {
                let element = object.get("elementType");
                let element = element.ok_or_else(|| missing(path, "elementType"))?;
                let element = data_type_of(element, path, timezone)?;
                let is_nullable = is_true(object, "containsNull");
                Ok(DataType::List(Arc::new(Field::new_list_field(
                    element,
                    is_nullable,
                ))))
            }
            Some(other) => Err(format!(
                "the column `{path}` has the unknown type `{other}`"
            )),
            None => Err(missing(path, "type")),
        },
        _ => Err(missing(path, "type")),
    }
}

fn field_of(value: &Value, path: &str, timezone: &str) -> Result<Field, String> {
    let object = value.as_object().ok_or_else(|| missing(path, "name"))?;
    let name = object.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| missing(path, "name"))?;
    let path = match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    let data_type = object.get("type").ok_or_else(|| missing(&path, "type"))?;
    let data_type = data_type_of(data_type, &path, timezone)?;
    Ok(Field::new(name, data_type, is_true(object, "nullable")))
}

/// Returns the value of a boolean member, which is true if it is missing.
fn is_true(object: &Map<String, Value>, name: &str) -> bool {
    object.get(name).and_then(Value::as_bool).unwrap_or(true)
}

fn missing(path: &str, member: &str) -> String {
    match path {
        "" => format!("the schema has no `{member}`"),
        path => format!("the column `{path}` has no `{member}`"),
    }
}

/// Returns the type with a name of Spark's.
fn named_type(name: &str, timezone: &str) -> Option<DataType> {
    Some(match name {
        "string" => DataType::Utf8,
        "boolean" => DataType::Boolean,
        "byte" => DataType::Int8,
        "short" => DataType::Int16,
        "integer" => DataType::Int32,
        "long" => DataType::Int64,
        "float" => DataType::Float32,
        "double" => DataType::Float64,
        "date" => DataType::Date32,
        "timestamp" => DataType::Timestamp(TimeUnit::Microsecond, Some(timezone.into())),
        "timestamp_ntz" => DataType::Timestamp(TimeUnit::Microsecond, None),
        "decimal" => DataType::Decimal128(10, 0),
        _ => {
            let digits = name.strip_prefix("decimal(")?.strip_suffix(')')?;
            let (precision, scale) = digits.split_once(',')?;
            let precision = precision.trim().parse().ok()?;
            let scale: i8 = scale.trim().parse().ok()?;
            let is_valid = (1..=38).contains(&precision) && (0..=precision as i8).contains(&scale);
            is_valid.then_some(DataType::Decimal128(precision, scale))?
        }
    })
}

/// Returns the JSON of a schema, as Spark writes it.
pub(super) fn to_json(schema: &Schema) -> Value {
    struct_json(schema.fields())
}

fn struct_json(fields: &Fields) -> Value {
    let fields: Vec<_> = fields
        .iter()
        .map(|field| {
            json!({
                "name": field.name(),
                "type": type_json(field.data_type()),
                "nullable": field.is_nullable(),
                "metadata": {},
            })
        })
        .collect();
    json!({"type": "struct", "fields": fields})
}

fn type_json(data_type: &DataType) -> Value {
    let name = match data_type {
        DataType::Struct(fields) => return struct_json(fields),
        DataType::List(element) => {
            return json!({
                "type": "array",
                "elementType": type_json(element.data_type()),
                "containsNull": element.is_nullable(),
            });
        }
        DataType::Decimal128(precision, scale) => {
            return Value::String(format!("decimal({precision},{scale})"));
        }
        DataType::Boolean => "boolean",
        DataType::Int8 => "byte",
        DataType::Int16 => "short",
        DataType::Int32 => "integer",
        DataType::Int64 => "long",
        DataType::Float32 => "float",
        DataType::Float64 => "double",
        DataType::Date32 => "date",
        DataType::Timestamp(_, Some(_)) => "timestamp",
        DataType::Timestamp(_, None) => "timestamp_ntz",
        // Inference and schema files have no other types.
        _ => "string",
    };
    Value::String(name.to_owned())
}

/// Returns the schema with the time zones of timestamps written as offsets. The formats of text need offsets.
pub(super) fn with_offsets(schema: &Schema) -> Schema {
    Schema::new(fields_with_offsets(schema.fields()))
}

fn fields_with_offsets(fields: &Fields) -> Fields {
    let field = |field: &FieldRef| {
        let data_type = type_with_offsets(field.data_type());
        Arc::new(field.as_ref().clone().with_data_type(data_type))
    };
    fields.iter().map(field).collect()
}

fn type_with_offsets(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Struct(fields) => DataType::Struct(fields_with_offsets(fields)),
        DataType::List(element) => {
            let data_type = type_with_offsets(element.data_type());
            DataType::List(Arc::new(element.as_ref().clone().with_data_type(data_type)))
        }
        DataType::Timestamp(unit, Some(zone)) => {
            DataType::Timestamp(*unit, Some(offset(zone).into()))
        }
        other => other.clone(),
    }
}

/// Returns the offset of a time zone that the option `timezone` accepts, as `+02:00`.
fn offset(zone: &str) -> String {
    let digits = zone.trim_start_matches(|character: char| character.is_ascii_alphabetic());
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', digits.trim_start_matches('+')),
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some((hours, rest)) => (hours, rest.split(':').next().unwrap_or(rest)),
        None => digits.split_at_checked(2).unwrap_or((digits, "")),
    };
    format!(
        "{sign}{hours:0>2}:{minutes:0>2}",
        minutes = minutes.get(..2).unwrap_or(minutes)
    )
}
