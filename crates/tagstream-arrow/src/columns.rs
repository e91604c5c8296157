//! Builders of columns from which values can be removed again: a broken row is taken back, and a repeated element
//! replaces the value before.

mod arrays;
mod invariants;
mod numbers;
mod rest;

use crate::datetime::{self, Moment};
use crate::error::SchemaError;
use crate::options::Options;
use crate::plan::Names;
use arrow_array::builder::BooleanBufferBuilder;
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{DataType, Field, Fields, TimeUnit};
pub(crate) use numbers::boolean;
pub(crate) use numbers::{Unfit, trim};
use numbers::{decimal, digits, float, integer};

/// Index of the struct that contains the columns of a row.
pub(crate) const ROOT: u32 = 0;

/// The type of strings of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    Utf8,
    LargeUtf8,
    Utf8View,
}

/// The values of a column.
#[derive(Debug)]
pub(crate) enum Data {
    Boolean(BooleanBufferBuilder),
    Int8(Vec<i8>),
    Int16(Vec<i16>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    UInt8(Vec<u8>),
    UInt16(Vec<u16>),
    UInt32(Vec<u32>),
    UInt64(Vec<u64>),
    Float32(Vec<f32>),
    Float64(Vec<f64>),
    Decimal(Vec<i128>, u8, i8),
    Date32(Vec<i32>),
    Timestamp(Vec<i64>, TimeUnit),
    /// The values one after another, and the end of each. The first end is 0.
    Text {
        values: String,
        ends: Vec<i32>,
        kind: TextKind,
    },
    /// The column of the elements, and the end of each list. The first end is 0. `is_large` is the size of the offsets in
    /// the array.
    List {
        element: u32,
        ends: Vec<i32>,
        is_large: bool,
    },
    Struct(Box<Struct>),
}

/// The fields of a struct.
#[derive(Clone, Debug, Default)]
pub(crate) struct Struct {
    /// The columns of the fields, in their order.
    pub(crate) fields: Vec<u32>,
    /// Number of columns in the struct, including those of structs in it.
    width: u32,
    /// The columns of child elements.
    pub(crate) elements: Names,
    /// The columns of attributes.
    pub(crate) attributes: Names,
    /// The column of the text beside child elements and attributes.
    pub(crate) value: Option<u32>,
}

/// A column, which is a field of a struct or the element of a list.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) data: Data,
    nulls: NullBufferBuilder,
    pub(crate) data_type: DataType,
    is_nullable: bool,
    /// Names of the column and the columns around it.
    pub(crate) path: String,
    /// The index of the field in the row that the column belongs to.
    pub(crate) top: u32,
}

impl Column {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.nulls.len()
    }

    /// Appends a value that is not the null value of the options. Spaces around it have been removed if the options say so.
    pub(crate) fn push_value(&mut self, text: &str, settings: &Settings) -> Result<(), Unfit> {
        match &mut self.data {
            Data::Boolean(values) => values.append(boolean(text).ok_or(Unfit)?),
            Data::Int8(values) => values.push(integer(text)?.try_into().map_err(|_| Unfit)?),
            Data::Int16(values) => values.push(integer(text)?.try_into().map_err(|_| Unfit)?),
            Data::Int32(values) => values.push(integer(text)?.try_into().map_err(|_| Unfit)?),
            Data::Int64(values) => values.push(integer(text)?),
            Data::UInt8(values) => values.push(integer(text)?.try_into().map_err(|_| Unfit)?),
            Data::UInt16(values) => values.push(integer(text)?.try_into().map_err(|_| Unfit)?),
            Data::UInt32(values) => values.push(integer(text)?.try_into().map_err(|_| Unfit)?),
            // The parser of Rust takes one `+`.
            Data::UInt64(values) => values.push(text.parse().map_err(|_| Unfit)?),
            Data::Float32(values) => values.push(float::<f32>(text)?),
            Data::Float64(values) => values.push(float::<f64>(text)?),
            Data::Decimal(values, precision, scale) => {
                values.push(decimal(text, *precision, *scale).ok_or(Unfit)?);
            }
            Data::Date32(values) => values.push(settings.date(text).ok_or(Unfit)?),
            Data::Timestamp(values, unit) => {
                let moment = settings.timestamp(text).ok_or(Unfit)?;
                let has_zone = matches!(&self.data_type, DataType::Timestamp(_, Some(_)));
                let zone = match (has_zone, moment.zone) {
                    (true, _) => settings.zone,
                    (false, None) => 0,
                    (false, Some(_)) => return Err(Unfit),
                };
                let per_second = match unit {
                    TimeUnit::Second => 1,
                    TimeUnit::Millisecond => 1_000,
                    TimeUnit::Microsecond => 1_000_000,
                    TimeUnit::Nanosecond => 1_000_000_000,
                };
                values.push(moment.since_epoch(zone, per_second).ok_or(Unfit)?);
            }
            Data::Text { values, ends, .. } => {
                values.push_str(text);
                ends.push(end_of(values));
            }
            Data::List { .. } | Data::Struct(_) => return Err(Unfit),
        }
        self.nulls.append_non_null();
        Ok(())
    }

    /// Appends an integer of few digits if the column contains such integers and has `len` values. Otherwise returns false.
    ///
    /// PERF: this is inlined where fields are read, without the code for other types.
    #[inline(always)]
    pub(crate) fn push_digits(&mut self, len: usize, text: &[u8]) -> bool {
        let Data::Int64(values) = &mut self.data else {
            return false;
        };
        if values.len() != len {
            return false;
        }
        let Some(number) = digits(text) else {
            return false;
        };
        values.push(number);
        self.nulls.append_non_null();
        true
    }

    /// As [`push_value`](Column::push_value). Returns false if the text is not a value of the column.
    #[inline(always)]
    pub(crate) fn push_plain(&mut self, text: &str, settings: &Settings) -> bool {
        match &mut self.data {
            Data::Text { values, ends, .. } => {
                values.push_str(text);
                ends.push(end_of(values));
                self.nulls.append_non_null();
                true
            }
            _ => self.push_value(text, settings).is_ok(),
        }
    }
}

/// All columns. The first one is the struct of the row.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) all: Vec<Column>,
    /// Settings of the conversion of values.
    pub(crate) settings: Settings,
}

/// The options that concern values.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) trims: bool,
    pub(crate) null_value: Option<String>,
    date: Option<datetime::Pattern>,
    timestamp: Option<datetime::Pattern>,
    zone: i64,
}

/// A null in a column that is not nullable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnfitNull(pub(crate) u32);

impl Settings {
    pub(crate) fn new(options: &Options) -> Settings {
        Settings {
            trims: options.ignore_surrounding_spaces,
            null_value: options.null_value.clone(),
            date: options.date_format.clone(),
            timestamp: options.timestamp_format.clone(),
            zone: options.timezone.seconds,
        }
    }

    /// Returns whether dates or timestamps have a format of the options.
    pub(crate) fn has_formats(&self) -> bool {
        self.date.is_some() || self.timestamp.is_some()
    }

    pub(crate) fn date(&self, text: &str) -> Option<i32> {
        let days = match &self.date {
            Some(pattern) => pattern.parse(text)?.days,
            None => datetime::date(text)?,
        };
        days.try_into().ok()
    }

    pub(crate) fn timestamp(&self, text: &str) -> Option<Moment> {
        match &self.timestamp {
            Some(pattern) => pattern.parse(text),
            None => datetime::timestamp(text),
        }
    }
}

/// Returns the end of the last string. Rows and batches are limited so that it fits.
#[inline(always)]
fn end_of(values: &str) -> i32 {
    debug_assert!(i32::try_from(values.len()).is_ok());
    values.len() as i32
}

impl Columns {
    /// Creates builders for the fields of a row.
    pub(crate) fn new(fields: &Fields, options: &Options) -> Result<Columns, SchemaError> {
        let mut columns = Columns {
            all: Vec::new(),
            settings: Settings::new(options),
        };
        let root = Field::new("", DataType::Struct(fields.clone()), false);
        columns.add(&root, String::new(), 0, 0, options)?;
        Ok(columns)
    }

    /// Adds the column of a field and the columns in it. Returns its index.
    fn add(
        &mut self,
        field: &Field,
        path: String,
        top: u32,
        depth: usize,
        options: &Options,
    ) -> Result<u32, SchemaError> {
        if depth > options.max_depth {
            return Err(SchemaError::Depth {
                limit: options.max_depth,
            });
        }
        if self.all.len() > options.max_columns {
            return Err(SchemaError::Columns {
                limit: options.max_columns,
            });
        }
        let refused = || SchemaError::Type {
            column: path.clone(),
            data_type: field.data_type().to_string(),
        };
        let text = |kind| Data::Text {
            values: String::new(),
            ends: vec![0],
            kind,
        };
        let data = match field.data_type() {
            DataType::Boolean => Data::Boolean(BooleanBufferBuilder::new(0)),
            DataType::Int8 => Data::Int8(Vec::new()),
            DataType::Int16 => Data::Int16(Vec::new()),
            DataType::Int32 => Data::Int32(Vec::new()),
            DataType::Int64 => Data::Int64(Vec::new()),
            DataType::UInt8 => Data::UInt8(Vec::new()),
            DataType::UInt16 => Data::UInt16(Vec::new()),
            DataType::UInt32 => Data::UInt32(Vec::new()),
            DataType::UInt64 => Data::UInt64(Vec::new()),
            DataType::Float32 => Data::Float32(Vec::new()),
            DataType::Float64 => Data::Float64(Vec::new()),
            DataType::Decimal128(precision, scale) => Data::Decimal(Vec::new(), *precision, *scale),
            DataType::Date32 => Data::Date32(Vec::new()),
            DataType::Timestamp(unit, _) => Data::Timestamp(Vec::new(), *unit),
            DataType::Utf8 => text(TextKind::Utf8),
            DataType::LargeUtf8 => text(TextKind::LargeUtf8),
            DataType::Utf8View => text(TextKind::Utf8View),
            DataType::List(_) | DataType::LargeList(_) => Data::List {
                element: 0,
                ends: vec![0],
                is_large: matches!(field.data_type(), DataType::LargeList(_)),
            },
            DataType::Struct(_) => Data::Struct(Box::default()),
            _ => return Err(refused()),
        };
        let index = self.all.len() as u32;
        self.all.push(Column {
            data,
            nulls: NullBufferBuilder::new(0),
            data_type: field.data_type().clone(),
            is_nullable: field.is_nullable(),
            path: path.clone(),
            top,
        });
        match field.data_type() {
            DataType::List(inner) | DataType::LargeList(inner) => {
                if matches!(
                    inner.data_type(),
                    DataType::List(_) | DataType::LargeList(_)
                ) {
                    return Err(refused());
                }
                let added = self.add(inner, path, top, depth, options)?;
                if let Data::List { element, .. } = &mut self.all[index as usize].data {
                    *element = added;
                }
            }
            DataType::Struct(fields) => {
                let mut found = self.add_fields(fields, &path, top, depth, options)?;
                found.width = self.all.len() as u32 - index - 1;
                self.all[index as usize].data = Data::Struct(Box::new(found));
            }
            _ => {}
        }
        Ok(index)
    }

    fn add_fields(
        &mut self,
        fields: &Fields,
        path: &str,
        top: u32,
        depth: usize,
        options: &Options,
    ) -> Result<Struct, SchemaError> {
        let mut found = Struct::default();
        let mut names = std::collections::HashSet::new();
        for (at, field) in fields.iter().enumerate() {
            let name = field.name();
            let path = match path {
                "" => name.clone(),
                path => format!("{path}.{name}"),
            };
            if !names.insert(name) {
                return Err(SchemaError::Duplicate { column: path });
            }
            let top = if depth == 0 { at as u32 } else { top };
            let column = self.add(field, path, top, depth + 1, options)?;
            found.fields.push(column);
            if depth == 0 && *name == options.column_name_of_corrupt_record {
                continue;
            }
            if *name == options.value_tag {
                found.value = Some(column);
            }
            found.elements.add(name, column);
            if let Some(attribute) = name.strip_prefix(&*options.attribute_prefix)
                && !options.exclude_attribute
            {
                found.attributes.add(attribute, column);
            }
        }
        Ok(found)
    }

    #[inline]
    pub(crate) fn len(&self, column: u32) -> usize {
        self.all[column as usize].len()
    }

    #[inline]
    pub(crate) fn fields(&mut self, column: u32) -> Option<&mut Struct> {
        match &mut self.all[column as usize].data {
            Data::Struct(fields) => Some(fields),
            _ => None,
        }
    }

    /// Splits the columns into a struct and the columns after it, which contain its fields. Returns `None` if the column is
    /// not a struct. The settings are returned too.
    #[inline(always)]
    pub(crate) fn split_at_struct(
        &mut self,
        column: u32,
    ) -> Option<(&mut Struct, usize, &mut [Column], &Settings)> {
        let (before, after) = self.all.split_at_mut_checked(column as usize + 1)?;
        let found = before.last_mut()?;
        let len = found.nulls.len();
        match &mut found.data {
            Data::Struct(fields) => Some((fields, len, after, &self.settings)),
            _ => None,
        }
    }

    /// Returns the number of columns in a struct, including those of structs in it.
    #[inline]
    pub(crate) fn width(&self, column: u32) -> u32 {
        match &self.all[column as usize].data {
            Data::Struct(fields) => fields.width,
            _ => 0,
        }
    }

    /// Returns the column of the elements, if the column contains lists.
    pub(crate) fn element(&self, column: u32) -> Option<u32> {
        match &self.all[column as usize].data {
            Data::List { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// Returns the column that the next value of a field of `parent` is appended to: the elements of a list, or the field
    /// itself. A value that the field already has is removed, in which case the second result is true.
    #[inline]
    pub(crate) fn target(&mut self, parent: u32, column: u32) -> (u32, bool) {
        if let Data::List { element, .. } = &self.all[column as usize].data {
            return (*element, false);
        }
        let is_repeated = self.len(column) > self.len(parent);
        if is_repeated {
            self.truncate(column, self.len(parent));
        }
        (column, is_repeated)
    }

    /// Shortens a column, and removes values that were not finished.
    pub(crate) fn truncate(&mut self, column: u32, len: usize) {
        let found = &mut self.all[column as usize];
        if len < found.nulls.len() {
            found.nulls.truncate(len);
        }
        match &mut found.data {
            Data::Boolean(values) => {
                if len < values.len() {
                    values.truncate(len);
                }
            }
            Data::Int8(values) => values.truncate(len),
            Data::Int16(values) => values.truncate(len),
            Data::Int32(values) => values.truncate(len),
            Data::Int64(values) => values.truncate(len),
            Data::UInt8(values) => values.truncate(len),
            Data::UInt16(values) => values.truncate(len),
            Data::UInt32(values) => values.truncate(len),
            Data::UInt64(values) => values.truncate(len),
            Data::Float32(values) => values.truncate(len),
            Data::Float64(values) => values.truncate(len),
            Data::Decimal(values, ..) => values.truncate(len),
            Data::Date32(values) => values.truncate(len),
            Data::Timestamp(values, _) => values.truncate(len),
            Data::Text { values, ends, .. } => {
                ends.truncate(len + 1);
                values.truncate(ends[ends.len() - 1] as usize);
            }
            Data::List { element, ends, .. } => {
                ends.truncate(len + 1);
                let (element, end) = (*element, ends[ends.len() - 1] as usize);
                self.truncate(element, end);
            }
            Data::Struct(_) => {
                for at in 0..self.fields(column).map_or(0, |fields| fields.fields.len()) {
                    let field = self.fields(column).map_or(0, |fields| fields.fields[at]);
                    self.truncate(field, len);
                }
            }
        }
    }

    /// Appends a null.
    pub(crate) fn push_null(&mut self, column: u32) -> Result<(), UnfitNull> {
        let found = &mut self.all[column as usize];
        if !found.is_nullable {
            // A list without elements is an empty list, if it cannot be null.
            if let Data::List { ends, .. } = &mut found.data {
                found.nulls.append_non_null();
                ends.push(ends[ends.len() - 1]);
                return Ok(());
            }
            return Err(UnfitNull(column));
        }
        found.nulls.append_null();
        match &mut found.data {
            Data::Boolean(values) => values.append(false),
            Data::Int8(values) => values.push(0),
            Data::Int16(values) => values.push(0),
            Data::Int32(values) => values.push(0),
            Data::Int64(values) => values.push(0),
            Data::UInt8(values) => values.push(0),
            Data::UInt16(values) => values.push(0),
            Data::UInt32(values) => values.push(0),
            Data::UInt64(values) => values.push(0),
            Data::Float32(values) => values.push(0.0),
            Data::Float64(values) => values.push(0.0),
            Data::Decimal(values, ..) => values.push(0),
            Data::Date32(values) => values.push(0),
            Data::Timestamp(values, _) => values.push(0),
            Data::Text { values, ends, .. } => {
                let end = ends[ends.len() - 1];
                values.truncate(end as usize);
                ends.push(end);
            }
            Data::List { ends, .. } => ends.push(ends[ends.len() - 1]),
            Data::Struct(_) => {
                for at in 0..self.fields(column).map_or(0, |fields| fields.fields.len()) {
                    let field = self.fields(column).map_or(0, |fields| fields.fields[at]);
                    self.push_hidden_null(field);
                }
            }
        }
        Ok(())
    }

    /// Appends a value below a struct that is null, which is never read: a null even if the column is not nullable.
    fn push_hidden_null(&mut self, column: u32) {
        let is_nullable = std::mem::replace(&mut self.all[column as usize].is_nullable, true);
        // A column that is nullable takes the null.
        let _ = self.push_null(column);
        self.all[column as usize].is_nullable = is_nullable;
    }

    /// Ends a struct: its fields without a value become null.
    pub(crate) fn finish_struct(&mut self, column: u32) -> Result<(), UnfitNull> {
        let len = self.len(column);
        let fields = match self.fields(column) {
            Some(fields) => std::mem::take(&mut fields.fields),
            None => Vec::new(),
        };
        let mut result = Ok(());
        for field in &fields {
            let found = &self.all[*field as usize];
            if found.len() > len {
                continue;
            }
            result = self.finish_field(*field);
            if result.is_err() {
                break;
            }
        }
        if let Some(found) = self.fields(column) {
            found.fields = fields;
        }
        if result.is_ok() {
            self.all[column as usize].nulls.append_non_null();
        }
        result
    }

    /// Ends a field that has no value: a list gets the elements that were appended, another field becomes null.
    fn finish_field(&mut self, field: u32) -> Result<(), UnfitNull> {
        let found = &self.all[field as usize];
        if let Data::List { element, ends, .. } = &found.data {
            // The elements of earlier rows are far fewer: see `bytes`. Only one huge row can have too many.
            let Ok(end) = i32::try_from(self.len(*element)) else {
                return Err(UnfitNull(field));
            };
            if end > ends[ends.len() - 1] {
                let found = &mut self.all[field as usize];
                if let Data::List { ends, .. } = &mut found.data {
                    ends.push(end);
                }
                found.nulls.append_non_null();
                return Ok(());
            }
        }
        self.push_null(field)
    }

    /// Returns whether values of the column are strings.
    #[inline]
    pub(crate) fn is_text(&self, column: u32) -> bool {
        matches!(self.all[column as usize].data, Data::Text { .. })
    }

    /// Appends text to the string that is being read.
    #[inline]
    pub(crate) fn push_piece(&mut self, column: u32, piece: &str) {
        let trims = self.settings.trims;
        if let Data::Text { values, ends, .. } = &mut self.all[column as usize].data {
            let is_first = values.len() == ends[ends.len() - 1] as usize;
            let piece = match trims
                && is_first
                && piece.as_bytes().first().is_some_and(|first| *first <= b' ')
            {
                true => piece.trim_start_matches(|c: char| c <= ' '),
                false => piece,
            };
            values.push_str(piece);
        }
    }

    /// Ends the string that is being read.
    #[inline]
    pub(crate) fn finish_text(&mut self, column: u32) -> Result<(), UnfitNull> {
        let Columns { all, settings } = self;
        let found = &mut all[column as usize];
        if let Data::Text { values, ends, .. } = &mut found.data {
            let start = ends[ends.len() - 1] as usize;
            if settings.trims {
                let value = &values.as_bytes()[start..];
                let spaces = value.iter().rev().take_while(|byte| **byte <= b' ');
                values.truncate(values.len() - spaces.count());
            }
            let is_null = match &settings.null_value {
                Some(null) => values.as_bytes()[start..] == *null.as_bytes(),
                None => false,
            };
            if is_null {
                return self.push_null(column);
            }
            ends.push(end_of(values));
            found.nulls.append_non_null();
        }
        Ok(())
    }

    /// Appends a value.
    pub(crate) fn push_value(
        &mut self,
        column: u32,
        text: &str,
    ) -> Result<Result<(), UnfitNull>, Unfit> {
        let text = if self.settings.trims {
            trim(text)
        } else {
            text
        };
        if self.settings.null_value.as_deref() == Some(text) {
            // A null attribute is no list, and elements of the list may follow.
            return match self.element(column) {
                Some(_) => Ok(Ok(())),
                None => Ok(self.push_null(column)),
            };
        }
        let Columns { all, settings } = self;
        all[column as usize].push_value(text, settings).map(Ok)
    }

    /// Appends a string as it is, without a look at the options.
    pub(crate) fn push_source(&mut self, column: u32, text: &str) -> Result<(), Unfit> {
        let found = &mut self.all[column as usize];
        let Data::Text { values, ends, .. } = &mut found.data else {
            return Err(Unfit);
        };
        values.push_str(text);
        ends.push(end_of(values));
        found.nulls.append_non_null();
        Ok(())
    }

    /// Returns the number of bytes of strings and of elements of lists.
    pub(crate) fn bytes(&self) -> usize {
        let size = |column: &Column| match &column.data {
            Data::Text { values, ends, .. } => values.len() + 4 * ends.len(),
            Data::Struct(_) => column.len(),
            _ => 8 * column.len(),
        };
        self.all.iter().map(size).sum()
    }
}
