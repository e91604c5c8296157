//! Columns become arrays, when a batch is complete.

use super::{Columns, Data, ROOT, TextKind};
use arrow_array::builder::{LargeStringBuilder, StringBuilder, StringViewBuilder, make_view};
use arrow_array::types::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    ArrayRef, BooleanArray, LargeListArray, LargeStringArray, ListArray, PrimitiveArray,
    StringArray, StringViewArray, StructArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, FieldRef, Fields, TimeUnit};
use std::sync::Arc;

impl Columns {
    /// Takes the rows out of the builders.
    pub(crate) fn finish(&mut self, fields: &Fields) -> Result<Vec<ArrayRef>, ArrowError> {
        let count = self.fields(ROOT).map_or(0, |found| found.fields.len());
        let mut arrays = Vec::with_capacity(count);
        for at in 0..count {
            let column = self.fields(ROOT).map_or(0, |found| found.fields[at]);
            arrays.push(self.array(column, &fields[at])?);
        }
        self.all[ROOT as usize].nulls.finish();
        Ok(arrays)
    }

    fn array(&mut self, column: u32, field: &FieldRef) -> Result<ArrayRef, ArrowError> {
        let found = &mut self.all[column as usize];
        let len = found.nulls.len();
        let nulls = found.nulls.finish();
        let data_type = &found.data_type;
        macro_rules! primitive {
            ($type:ty, $values:expr) => {{
                let values = std::mem::take($values);
                let next = Vec::with_capacity(values.len());
                *$values = next;
                Arc::new(
                    PrimitiveArray::<$type>::try_new(ScalarBuffer::from(values), nulls)?
                        .with_data_type(data_type.clone()),
                )
            }};
        }
        Ok(match &mut found.data {
            Data::Boolean(values) => Arc::new(BooleanArray::new(values.finish(), nulls)),
            Data::Int8(values) => primitive!(Int8Type, values),
            Data::Int16(values) => primitive!(Int16Type, values),
            Data::Int32(values) => primitive!(Int32Type, values),
            Data::Int64(values) => primitive!(Int64Type, values),
            Data::UInt8(values) => primitive!(UInt8Type, values),
            Data::UInt16(values) => primitive!(UInt16Type, values),
            Data::UInt32(values) => primitive!(UInt32Type, values),
            Data::UInt64(values) => primitive!(UInt64Type, values),
            Data::Float32(values) => primitive!(Float32Type, values),
            Data::Float64(values) => primitive!(Float64Type, values),
            Data::Decimal(values, ..) => primitive!(Decimal128Type, values),
            Data::Date32(values) => primitive!(Date32Type, values),
            Data::Timestamp(values, TimeUnit::Second) => primitive!(TimestampSecondType, values),
            Data::Timestamp(values, TimeUnit::Millisecond) => {
                primitive!(TimestampMillisecondType, values)
            }
            Data::Timestamp(values, TimeUnit::Microsecond) => {
                primitive!(TimestampMicrosecondType, values)
            }
            Data::Timestamp(values, TimeUnit::Nanosecond) => {
                primitive!(TimestampNanosecondType, values)
            }
            Data::Text { values, ends, kind } => {
                let kind = *kind;
                let next = (
                    String::with_capacity(values.len()),
                    Vec::with_capacity(ends.len()),
                );
                let values = std::mem::replace(values, next.0);
                let ends = std::mem::replace(ends, next.1);
                if let Data::Text { ends, .. } = &mut found.data {
                    ends.push(0);
                }
                strings(values, ends, kind, nulls)?
            }
            Data::List {
                element,
                ends,
                is_large,
            } => {
                let (element, is_large) = (*element, *is_large);
                let ends = std::mem::replace(ends, vec![0]);
                let (DataType::List(inner) | DataType::LargeList(inner)) = field.data_type() else {
                    return Err(ArrowError::SchemaError("a list is not a list".to_owned()));
                };
                let values = self.array(element, inner)?;
                match is_large {
                    false => Arc::new(ListArray::try_new(
                        Arc::clone(inner),
                        OffsetBuffer::new(ends.into()),
                        values,
                        nulls,
                    )?),
                    true => {
                        let ends: Vec<i64> = ends.iter().map(|end| i64::from(*end)).collect();
                        Arc::new(LargeListArray::try_new(
                            Arc::clone(inner),
                            OffsetBuffer::new(ends.into()),
                            values,
                            nulls,
                        )?)
                    }
                }
            }
            Data::Struct(inner) => {
                let columns = inner.fields.clone();
                let DataType::Struct(fields) = field.data_type() else {
                    return Err(ArrowError::SchemaError(
                        "a struct is not a struct".to_owned(),
                    ));
                };
                let mut arrays = Vec::with_capacity(columns.len());
                for (column, field) in columns.iter().zip(fields) {
                    arrays.push(self.array(*column, field)?);
                }
                match arrays.is_empty() {
                    true => Arc::new(StructArray::new_empty_fields(len, nulls)),
                    false => Arc::new(StructArray::try_new(fields.clone(), arrays, nulls)?),
                }
            }
        })
    }
}

/// Minimum average length in bytes of strings that are copied.
const MIN_COPIED_BYTES: usize = 32;

fn strings(
    values: String,
    ends: Vec<i32>,
    kind: TextKind,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    // PERF: Arrow checks that a buffer is UTF-8, which is slow for other characters than those of ASCII. Its builders
    // copy strings without that check.
    let rows = ends.len() - 1;
    if values.len() >= rows.saturating_mul(MIN_COPIED_BYTES) && !values.is_ascii() {
        return Ok(copied(&values, &ends, kind, nulls.as_ref()));
    }
    let buffer = Buffer::from_vec(values.into_bytes());
    Ok(match kind {
        TextKind::Utf8 => Arc::new(StringArray::try_new(
            OffsetBuffer::new(ends.into()),
            buffer,
            nulls,
        )?),
        TextKind::LargeUtf8 => {
            let ends: Vec<i64> = ends.iter().map(|end| i64::from(*end)).collect();
            Arc::new(LargeStringArray::try_new(
                OffsetBuffer::new(ends.into()),
                buffer,
                nulls,
            )?)
        }
        TextKind::Utf8View => {
            let view = |pair: &[i32]| {
                make_view(
                    &buffer[pair[0] as usize..pair[1] as usize],
                    0,
                    pair[0] as u32,
                )
            };
            let views: Vec<u128> = ends.windows(2).map(view).collect();
            Arc::new(StringViewArray::try_new(
                views.into(),
                vec![buffer.clone()],
                nulls,
            )?)
        }
    })
}

/// Copies strings to an array.
fn copied(values: &str, ends: &[i32], kind: TextKind, nulls: Option<&NullBuffer>) -> ArrayRef {
    let rows = ends.len() - 1;
    let each = (0..rows).map(|row| {
        let value = &values[ends[row] as usize..ends[row + 1] as usize];
        (nulls.is_none_or(|nulls| nulls.is_valid(row))).then_some(value)
    });
    match kind {
        TextKind::Utf8 => {
            let mut builder = StringBuilder::with_capacity(rows, values.len());
            each.for_each(|value| builder.append_option(value));
            Arc::new(builder.finish())
        }
        TextKind::LargeUtf8 => {
            let mut builder = LargeStringBuilder::with_capacity(rows, values.len());
            each.for_each(|value| builder.append_option(value));
            Arc::new(builder.finish())
        }
        TextKind::Utf8View => {
            let mut builder = StringViewBuilder::with_capacity(rows);
            each.for_each(|value| builder.append_option(value));
            Arc::new(builder.finish())
        }
    }
}
