//! Rows of record batches as text.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};

/// Writes a value as text: `null`, `[…]` for lists, `{name: value}` for structs.
fn show(array: &ArrayRef, row: usize) -> String {
    if array.is_null(row) {
        return "null".to_owned();
    }
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).to_string(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).to_string(),
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(row).to_string(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::Float32 => array.as_primitive::<Float32Type>().value(row).to_string(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Decimal128(..) => array.as_primitive::<Decimal128Type>().value_as_string(row),
        DataType::Date32 => array.as_primitive::<Date32Type>().value(row).to_string(),
        DataType::Timestamp(TimeUnit::Second, _) => array
            .as_primitive::<TimestampSecondType>()
            .value(row)
            .to_string(),
        DataType::Timestamp(TimeUnit::Microsecond, _) => array
            .as_primitive::<TimestampMicrosecondType>()
            .value(row)
            .to_string(),
        DataType::Utf8 => format!("{:?}", array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => format!("{:?}", array.as_string::<i64>().value(row)),
        DataType::Utf8View => format!("{:?}", array.as_string_view().value(row)),
        DataType::List(_) => list(&array.as_list::<i32>().value(row)),
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(row)),
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let shown: Vec<_> = fields
                .iter()
                .zip(columns)
                .map(|(field, column)| format!("{}: {}", field.name(), show(column, row)))
                .collect();
            format!("{{{}}}", shown.join(", "))
        }
        other => panic!("{other}"),
    }
}

fn list(values: &ArrayRef) -> String {
    let shown: Vec<_> = (0..values.len()).map(|at| show(values, at)).collect();
    format!("[{}]", shown.join(", "))
}

/// Returns the rows of a batch, one text for each.
pub(crate) fn rows_of(batch: &RecordBatch) -> Vec<String> {
    let row = |row| {
        let shown: Vec<_> = batch
            .columns()
            .iter()
            .map(|column| show(column, row))
            .collect();
        shown.join(" | ")
    };
    (0..batch.num_rows()).map(row).collect()
}
