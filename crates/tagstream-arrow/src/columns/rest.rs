//! The values of a row that is not complete, which are put aside while the rows before it become a batch.

use super::{Columns, Data, ROOT};
use arrow_array::builder::BooleanBufferBuilder;
use arrow_buffer::NullBufferBuilder;

/// The values of a column that were put aside.
pub(crate) struct Rest {
    column: u32,
    nulls: NullBufferBuilder,
    /// The values, except for structs, which have only nulls.
    data: Option<Data>,
}

impl Columns {
    /// Takes the values after the complete rows out of the columns.
    pub(crate) fn take_rest(&mut self) -> Vec<Rest> {
        let rows = self.len(ROOT);
        let fields = self.fields(ROOT).map(|root| root.fields.clone());
        let mut all = Vec::new();
        for field in fields.unwrap_or_default() {
            self.take_rest_of(field, rows, &mut all);
        }
        all
    }

    /// Takes the values from an index on out of a column and of the columns in it.
    fn take_rest_of(&mut self, column: u32, from: usize, all: &mut Vec<Rest>) {
        let found = &mut self.all[column as usize];
        let mut nulls = NullBufferBuilder::new(0);
        for index in from..found.nulls.len() {
            nulls.append(found.nulls.is_valid(index));
        }
        found.nulls.truncate(from);
        let mut inner = None;
        let data = match &mut found.data {
            Data::Boolean(values) => {
                let mut rest = BooleanBufferBuilder::new(0);
                for index in from..values.len() {
                    rest.append(values.get_bit(index));
                }
                values.truncate(from);
                Some(Data::Boolean(rest))
            }
            Data::Int8(values) => Some(Data::Int8(values.split_off(from))),
            Data::Int16(values) => Some(Data::Int16(values.split_off(from))),
            Data::Int32(values) => Some(Data::Int32(values.split_off(from))),
            Data::Int64(values) => Some(Data::Int64(values.split_off(from))),
            Data::UInt8(values) => Some(Data::UInt8(values.split_off(from))),
            Data::UInt16(values) => Some(Data::UInt16(values.split_off(from))),
            Data::UInt32(values) => Some(Data::UInt32(values.split_off(from))),
            Data::UInt64(values) => Some(Data::UInt64(values.split_off(from))),
            Data::Float32(values) => Some(Data::Float32(values.split_off(from))),
            Data::Float64(values) => Some(Data::Float64(values.split_off(from))),
            Data::Decimal(values, precision, scale) => {
                Some(Data::Decimal(values.split_off(from), *precision, *scale))
            }
            Data::Date32(values) => Some(Data::Date32(values.split_off(from))),
            Data::Timestamp(values, unit) => Some(Data::Timestamp(values.split_off(from), *unit)),
            Data::Text { values, ends, kind } => Some(Data::Text {
                // The start of a string that is being read comes after the last end.
                values: values.split_off(ends[from] as usize),
                ends: take_ends(ends, from),
                kind: *kind,
            }),
            Data::List {
                element,
                ends,
                is_large,
            } => {
                inner = Some((vec![*element], ends[from] as usize));
                Some(Data::List {
                    element: *element,
                    ends: take_ends(ends, from),
                    is_large: *is_large,
                })
            }
            Data::Struct(fields) => {
                inner = Some((fields.fields.clone(), from));
                None
            }
        };
        all.push(Rest {
            column,
            nulls,
            data,
        });
        if let Some((columns, from)) = inner {
            for column in columns {
                self.take_rest_of(column, from, all);
            }
        }
    }

    /// Puts values back into the columns, which are empty.
    pub(crate) fn put_back(&mut self, rest: Vec<Rest>) {
        for Rest {
            column,
            nulls,
            data,
        } in rest
        {
            let found = &mut self.all[column as usize];
            found.nulls = nulls;
            if let Some(data) = data {
                found.data = data;
            }
        }
    }
}

/// Takes the ends after an index, so that the rest begins at 0.
fn take_ends(ends: &mut Vec<i32>, from: usize) -> Vec<i32> {
    let base = ends[from];
    let rest = ends[from..].iter().map(|end| end - base).collect();
    ends.truncate(from + 1);
    rest
}
