//! The lengths of columns that belong together.

use super::{Column, Columns, Data};

impl Columns {
    /// Returns whether the lengths of all columns agree, which they do between two rows: a field has the length of its
    /// struct, the elements of a list end where the last list ends, and the strings end where the last string ends.
    pub(crate) fn are_consistent(&self) -> bool {
        self.all.iter().all(|column| self.is_consistent(column))
    }

    fn is_consistent(&self, column: &Column) -> bool {
        let len = column.len();
        let ends_at = |ends: &[i32], end: usize| ends.len() == len + 1 && ends[len] as usize == end;
        match &column.data {
            Data::Boolean(values) => values.len() == len,
            Data::Int8(values) => values.len() == len,
            Data::Int16(values) => values.len() == len,
            Data::Int32(values) | Data::Date32(values) => values.len() == len,
            Data::Int64(values) | Data::Timestamp(values, _) => values.len() == len,
            Data::UInt8(values) => values.len() == len,
            Data::UInt16(values) => values.len() == len,
            Data::UInt32(values) => values.len() == len,
            Data::UInt64(values) => values.len() == len,
            Data::Float32(values) => values.len() == len,
            Data::Float64(values) => values.len() == len,
            Data::Decimal(values, ..) => values.len() == len,
            Data::Text { values, ends, .. } => ends_at(ends, values.len()),
            Data::List { element, ends, .. } => ends_at(ends, self.len(*element)),
            Data::Struct(fields) => fields.fields.iter().all(|field| self.len(*field) == len),
        }
    }
}
