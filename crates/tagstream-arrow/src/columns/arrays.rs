//! Columns become arrays, when a batch is complete.

use super::{Columns, Data, ROOT, TextKind};
use arrow_array::builder::make_view;
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
            Data::Text { bytes, ends, kind } => {
                let kind = *kind;
                let next = (
                    Vec::with_capacity(bytes.len()),
                    Vec::with_capacity(ends.len()),
                );
                let bytes = std::mem::replace(bytes, next.0);
                let ends = std::mem::replace(ends, next.1);
                if let Data::Text { ends, .. } = &mut found.data {
                    ends.push(0);
                }
                strings(bytes, ends, kind, nulls)?
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

fn strings(
    bytes: Vec<u8>,
    ends: Vec<i32>,
    kind: TextKind,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    Ok(match kind {
        TextKind::Utf8 => Arc::new(StringArray::try_new(
            OffsetBuffer::new(ends.into()),
            Buffer::from_vec(bytes),
            nulls,
        )?),
        TextKind::LargeUtf8 => {
            let ends: Vec<i64> = ends.iter().map(|end| i64::from(*end)).collect();
            Arc::new(LargeStringArray::try_new(
                OffsetBuffer::new(ends.into()),
                Buffer::from_vec(bytes),
                nulls,
            )?)
        }
        TextKind::Utf8View => {
            let view = |pair: &[i32]| {
                make_view(
                    &bytes[pair[0] as usize..pair[1] as usize],
                    0,
                    pair[0] as u32,
                )
            };
            let views: Vec<u128> = ends.windows(2).map(view).collect();
            Arc::new(StringViewArray::try_new(
                views.into(),
                vec![Buffer::from_vec(bytes)],
                nulls,
            )?)
        }
    })
}
