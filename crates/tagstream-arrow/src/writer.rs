//! `XmlWriter`: record batches as XML, by the same mapping as reading.

use crate::datetime::{Moment, civil};
use crate::error::{Error, SchemaError};
use crate::options::Options;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use chrono::{NaiveTime, Timelike};
use std::fmt::{Display, Write as _};
use std::io::Write;
use std::ops::Range;
use tagstream::Writer;

/// Writes record batches as XML: an element for each row, in a root element.
///
/// ```
/// use tagstream_arrow::{Options, XmlReader, XmlWriter};
///
/// let xml = "<log><entry n='1'><a>x</a><a>y</a></entry></log>";
/// let options = Options::new("entry").root_tag("log").declaration("");
/// let mut writer = XmlWriter::new(Vec::new(), options.clone())?;
/// for batch in XmlReader::infer(xml.as_bytes(), options)? {
///     writer.write(&batch?)?;
/// }
/// assert_eq!(writer.finish()?, b"<log>\n<entry n=\"1\"><a>x</a><a>y</a></entry>\n</log>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Nulls are left out or, if the option `null_value` is set, written as its text. A list in a list is written as elements
/// with the name of the option `array_element_name`. Timestamps with a time zone are written in the zone of the option
/// `timezone`.
#[derive(Debug)]
pub struct XmlWriter<W: Write> {
    out: Writer<W>,
    options: Options,
}

/// The place of a column in the element of its row or struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Attribute,
    Value,
    Element,
}

/// Writes the text of a value.
type WriteText<'a> = Box<dyn Fn(usize, &mut String) + 'a>;

/// The values of a column.
enum Values<'a> {
    Text(WriteText<'a>),
    List(Box<dyn Fn(usize) -> Range<usize> + 'a>, Box<Column<'a>>),
    Struct(Vec<Column<'a>>),
}

/// A column of a batch.
struct Column<'a> {
    name: &'a str,
    role: Role,
    array: &'a ArrayRef,
    values: Values<'a>,
}

impl<W: Write> XmlWriter<W> {
    /// Creates a writer. The XML declaration and the start tag of the root element are written at once.
    ///
    /// # Errors
    ///
    /// Returns an error if the output fails, or if the name of the root element is not a name.
    pub fn new(mut output: W, options: Options) -> Result<XmlWriter<W>, Error> {
        if !options.declaration.is_empty() {
            let declaration = options.declaration.replace("?>", "");
            writeln!(output, "<?xml {declaration}?>")?;
        }
        let mut out = Writer::xml(output).namespaces(false);
        out.start(&options.root_tag)?.text("\n")?;
        Ok(XmlWriter { out, options })
    }

    /// Writes the rows of a batch.
    ///
    /// # Errors
    ///
    /// Returns an error if the output fails, if a type cannot be written, if the name of a column is not a name of XML, or
    /// if a string contains a character that XML does not allow.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let schema = batch.schema();
        let fields = schema.fields().iter().zip(batch.columns());
        let columns: Result<Vec<_>, _> = fields
            .map(|(field, array)| Column::new(field.name(), array, &self.options))
            .collect();
        let columns = ordered(columns?);
        let mut text = String::new();
        for row in 0..batch.num_rows() {
            self.out.start(&self.options.row_tag)?;
            for column in &columns {
                column.write(row, &self.options, &mut self.out, &mut text)?;
            }
            self.out.end()?.text("\n")?;
        }
        Ok(())
    }

    /// Writes the end tag of the root element, and returns the output.
    ///
    /// # Errors
    ///
    /// Returns an error if the output fails.
    pub fn finish(mut self) -> Result<W, Error> {
        self.out.end()?;
        Ok(self.out.finish()?)
    }
}

/// Puts attributes before elements.
fn ordered(mut columns: Vec<Column<'_>>) -> Vec<Column<'_>> {
    columns.sort_by_key(|column| column.role != Role::Attribute);
    columns
}

impl<'a> Column<'a> {
    fn new(
        name: &'a str,
        array: &'a ArrayRef,
        options: &'a Options,
    ) -> Result<Column<'a>, SchemaError> {
        let is_simple = !matches!(
            array.data_type(),
            DataType::Struct(_) | DataType::List(_) | DataType::LargeList(_)
        );
        let (name, role) = match name.strip_prefix(&*options.attribute_prefix) {
            _ if name == options.value_tag => (name, Role::Value),
            Some(attribute) if is_simple && !options.attribute_prefix.is_empty() => {
                (attribute, Role::Attribute)
            }
            _ => (name, Role::Element),
        };
        Ok(Column {
            name,
            role,
            array,
            values: Values::new(name, array, options)?,
        })
    }

    fn write<W: Write>(
        &self,
        row: usize,
        options: &Options,
        out: &mut Writer<W>,
        text: &mut String,
    ) -> Result<(), Error> {
        if self.array.is_null(row) {
            let Some(null) = &options.null_value else {
                return Ok(());
            };
            match self.role {
                Role::Attribute => out.attribute(self.name, null)?,
                Role::Value => out.text(null)?,
                Role::Element => out.start(self.name)?.text(null)?.end()?,
            };
            return Ok(());
        }
        match &self.values {
            Values::Text(write) => {
                text.clear();
                write(row, text);
                match self.role {
                    Role::Attribute => out.attribute(self.name, &*text)?,
                    Role::Value => out.text(text)?,
                    Role::Element => out.start(self.name)?.text(text)?.end()?,
                };
            }
            Values::List(range, element) => {
                for at in range(row) {
                    if let Values::List(inner, items) = &element.values {
                        out.start(self.name)?;
                        for at in inner(at) {
                            items.write(at, options, out, text)?;
                        }
                        out.end()?;
                    } else {
                        element.write(at, options, out, text)?;
                    }
                }
            }
            Values::Struct(columns) => {
                if self.role == Role::Element {
                    out.start(self.name)?;
                }
                for column in columns {
                    column.write(row, options, out, text)?;
                }
                if self.role == Role::Element {
                    out.end()?;
                }
            }
        }
        Ok(())
    }
}

/// Writes values of a primitive type by their `Display`.
fn primitive<T: ArrowPrimitiveType<Native: Display>>(array: &ArrayRef) -> WriteText<'_> {
    let array = array.as_primitive::<T>();
    Box::new(move |row, text| _ = write!(text, "{}", array.value(row)))
}

/// Writes a number as Java does for large and small numbers and for those that are not finite.
fn float(number: f64, shown: impl Display + std::fmt::LowerExp, text: &mut String) {
    // Writing to a string cannot fail.
    _ = match number.abs() {
        f64::INFINITY => write!(text, "{}Infinity", if number < 0.0 { "-" } else { "" }),
        size if size.is_nan() => write!(text, "NaN"),
        size if size != 0.0 && !(1e-5..1e17).contains(&size) => write!(text, "{shown:e}"),
        _ => write!(text, "{shown}"),
    };
}

impl<'a> Values<'a> {
    fn new(
        name: &'a str,
        array: &'a ArrayRef,
        options: &'a Options,
    ) -> Result<Values<'a>, SchemaError> {
        let text: WriteText<'a> = match array.data_type() {
            DataType::Null => Box::new(|_, _| {}),
            DataType::Boolean => {
                let array = array.as_boolean();
                Box::new(|row, text| _ = write!(text, "{}", array.value(row)))
            }
            DataType::Int8 => primitive::<Int8Type>(array),
            DataType::Int16 => primitive::<Int16Type>(array),
            DataType::Int32 => primitive::<Int32Type>(array),
            DataType::Int64 => primitive::<Int64Type>(array),
            DataType::UInt8 => primitive::<UInt8Type>(array),
            DataType::UInt16 => primitive::<UInt16Type>(array),
            DataType::UInt32 => primitive::<UInt32Type>(array),
            DataType::UInt64 => primitive::<UInt64Type>(array),
            DataType::Float32 => {
                let array = array.as_primitive::<Float32Type>();
                Box::new(|row, text| float(array.value(row).into(), array.value(row), text))
            }
            DataType::Float64 => {
                let array = array.as_primitive::<Float64Type>();
                Box::new(|row, text| float(array.value(row), array.value(row), text))
            }
            DataType::Decimal128(..) => {
                let array = array.as_primitive::<Decimal128Type>();
                Box::new(|row, text| text.push_str(&array.value_as_string(row)))
            }
            DataType::Date32 => {
                let array = array.as_primitive::<Date32Type>();
                Box::new(|row, text| date(i64::from(array.value(row)), options, text))
            }
            DataType::Timestamp(unit, zone) => {
                let (unit, zone) = (*unit, zone.is_some());
                Box::new(move |row, text| timestamp(array, row, unit, zone, options, text))
            }
            DataType::Utf8 => {
                let array = array.as_string::<i32>();
                Box::new(|row, text| text.push_str(array.value(row)))
            }
            DataType::LargeUtf8 => {
                let array = array.as_string::<i64>();
                Box::new(|row, text| text.push_str(array.value(row)))
            }
            DataType::Utf8View => {
                let array = array.as_string_view();
                Box::new(|row, text| text.push_str(array.value(row)))
            }
            DataType::List(_) => {
                let array = array.as_list::<i32>();
                let range = |row: usize| {
                    array.value_offsets()[row] as usize..array.value_offsets()[row + 1] as usize
                };
                return Ok(Values::List(
                    Box::new(range),
                    Box::new(element(name, array.values(), options)?),
                ));
            }
            DataType::LargeList(_) => {
                let array = array.as_list::<i64>();
                let range = |row: usize| {
                    array.value_offsets()[row] as usize..array.value_offsets()[row + 1] as usize
                };
                return Ok(Values::List(
                    Box::new(range),
                    Box::new(element(name, array.values(), options)?),
                ));
            }
            DataType::Struct(fields) => {
                let columns = fields.iter().zip(array.as_struct().columns());
                let columns: Result<Vec<_>, _> = columns
                    .map(|(field, array)| Column::new(field.name(), array, options))
                    .collect();
                return Ok(Values::Struct(ordered(columns?)));
            }
            other => {
                return Err(SchemaError::Type {
                    column: name.to_owned(),
                    data_type: other.to_string(),
                });
            }
        };
        Ok(Values::Text(text))
    }
}

/// Returns the column of the elements of a list, which have the name of the list. Elements of a list in a list have the
/// name of an option.
fn element<'a>(
    name: &'a str,
    array: &'a ArrayRef,
    options: &'a Options,
) -> Result<Column<'a>, SchemaError> {
    let mut column = Column::new(name, array, options)?;
    if column.role == Role::Attribute {
        (column.name, column.role) = (name, Role::Element);
    }
    if let Values::List(_, items) = &mut column.values {
        items.name = &options.array_element_name;
    }
    Ok(column)
}

fn date(days: i64, options: &Options, text: &mut String) {
    let moment = Moment {
        days,
        ..Moment::default()
    };
    match &options.date_format {
        Some(pattern) => pattern.write(moment, 0, text),
        None => push_date(days, text),
    }
}

fn push_date(days: i64, text: &mut String) {
    let (year, month, day) = civil(days);
    let sign = if year < 0 { "-" } else { "" };
    _ = write!(text, "{sign}{:04}-{month:02}-{day:02}", year.abs());
}

fn timestamp(
    array: &ArrayRef,
    row: usize,
    unit: TimeUnit,
    has_zone: bool,
    options: &Options,
    text: &mut String,
) {
    let (value, per_second) = match unit {
        TimeUnit::Second => (array.as_primitive::<TimestampSecondType>().value(row), 1),
        TimeUnit::Millisecond => (
            array.as_primitive::<TimestampMillisecondType>().value(row),
            1_000,
        ),
        TimeUnit::Microsecond => (
            array.as_primitive::<TimestampMicrosecondType>().value(row),
            1_000_000,
        ),
        TimeUnit::Nanosecond => (
            array.as_primitive::<TimestampNanosecondType>().value(row),
            1_000_000_000,
        ),
    };
    let offset = if has_zone {
        options.timezone.seconds
    } else {
        0
    };
    let seconds = value.div_euclid(per_second).saturating_add(offset);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let fraction = value.rem_euclid(per_second) * (1_000_000_000 / per_second);
    let time = NaiveTime::from_num_seconds_from_midnight_opt(second as u32, fraction as u32);
    let time = time.unwrap_or_default();
    if let Some(pattern) = &options.timestamp_format {
        let moment = Moment {
            days,
            time,
            zone: None,
        };
        pattern.write(moment, offset, text);
        return;
    }
    push_date(days, text);
    _ = write!(
        text,
        "T{:02}:{:02}:{:02}",
        time.hour(),
        time.minute(),
        time.second()
    );
    if fraction > 0 {
        let digits = format!("{fraction:09}");
        _ = write!(text, ".{}", digits.trim_end_matches('0'));
    }
    match offset.abs() / 60 {
        _ if !has_zone => {}
        0 => text.push('Z'),
        minutes => {
            _ = write!(
                text,
                "{}{:02}:{:02}",
                if offset < 0 { '-' } else { '+' },
                minutes / 60,
                minutes % 60
            );
        }
    }
}
