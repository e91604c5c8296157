//! The types that inference finds, and the rules by which two of them become one.

use crate::options::Options;
use crate::plan::Names;
use arrow_schema::{DataType, Field, TimeUnit};
use std::sync::Arc;

/// A type as inference knows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Type {
    /// No value was seen.
    #[default]
    Null,
    Value(ValueType),
    List(Box<Type>),
    /// Fields in the order in which they were found first.
    Struct(Box<Fields>),
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    Boolean,
    Long,
    Double,
    /// Precision and scale.
    Decimal(u8, u8),
    Date,
    Timestamp,
    String,
}

/// The type of columns of strings.
pub(super) const STRING: Type = Type::Value(ValueType::String);

/// The fields of a struct.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fields {
    /// The name of each field, and its index in `columns`.
    pub(super) names: Names,
    pub(super) columns: Vec<Column>,
}

/// The type of a field. The numbers are those of the [`Comparison`](super::comparison::Comparison) of rows with the
/// schema, and are 0 in the types of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Column {
    pub(super) found: Type,
    /// True if the type is a string because there were elements with child elements, and it was noted.
    pub(super) is_mixed: bool,
    /// The number of the last element that had the field, and whether the field was an attribute of it.
    pub(super) element: (u64, bool),
    /// The number of the last row in which the field was a value, or a struct without a text, and whether it was a struct.
    pub(super) row: (u64, bool),
}

impl Fields {
    pub(super) fn find(&mut self, name: &str) -> Option<&mut Column> {
        let index = self.names.find(name.as_bytes())?;
        self.columns.get_mut(index as usize)
    }

    /// Returns the name of the field with an index, and its fields, if it contains structs.
    pub(super) fn field(&self, index: u32) -> (&str, Option<&Fields>) {
        let fields = match self.columns[index as usize].found.base() {
            Type::Struct(fields) => Some(&**fields),
            _ => None,
        };
        (self.names.name(index), fields)
    }

    pub(super) fn add(&mut self, name: &str, found: Type) {
        self.names.add(name, self.columns.len() as u32);
        self.columns.push(Column {
            found,
            ..Column::default()
        });
    }

    /// Adds a field to an object. If the object has the field, the field is a list.
    pub(super) fn add_or_repeat(&mut self, name: &str, found: Type, merge: &mut Merge<'_>) {
        match self.find(name) {
            None => self.add(name, found),
            Some(Column { found: known, .. }) => {
                *known = match std::mem::take(known) {
                    old @ Type::List(_) => merge.merge(old, found),
                    old => Type::List(Box::new(merge.merge(old, found))),
                };
            }
        }
    }
}

/// Merges types, and notes what was widened.
pub(super) struct Merge<'a> {
    pub(super) value_tag: &'a str,
    /// Names of the fields around the types that are merged.
    pub(super) path: Vec<String>,
    /// Types that were widened: the path and the reason. `None` for types of one row.
    pub(super) widened: Option<&'a mut Vec<(String, String)>>,
    /// Number of fields that were added to structs, including nested ones.
    pub(super) added: usize,
}

impl<'a> Merge<'a> {
    /// Merges types of one row.
    pub(super) fn of_row(value_tag: &'a str) -> Merge<'a> {
        Merge {
            value_tag,
            path: Vec::new(),
            widened: None,
            added: 0,
        }
    }

    /// Merges `two` into `one`: returns the type of values of both types.
    pub(super) fn merge(&mut self, one: Type, two: Type) -> Type {
        match (one, two) {
            (one, Type::Null) => one,
            (Type::Null, other) => other,
            (Type::Struct(mut fields), Type::Struct(more)) => {
                self.merge_fields(&mut fields, *more);
                Type::Struct(fields)
            }
            (Type::List(one), Type::List(two)) => Type::List(Box::new(self.merge(*one, *two))),
            (Type::List(one), two) => Type::List(Box::new(self.merge(*one, two))),
            (one, Type::List(two)) => {
                let merged = Type::List(Box::new(self.merge(one, *two)));
                self.note("the column is a list, since a row has several values".to_owned());
                merged
            }
            (Type::Struct(fields), other) | (other, Type::Struct(fields)) => {
                self.merge_value(fields, other)
            }
            (Type::Value(one), Type::Value(two)) => {
                let merged = one.widened_to(two);
                if merged != one {
                    self.note(format!(
                        "the type {} was widened to {}",
                        one.name(),
                        merged.name()
                    ));
                }
                Type::Value(merged)
            }
        }
    }

    /// Merges the fields of two structs.
    pub(super) fn merge_fields(&mut self, fields: &mut Fields, more: Fields) {
        for (name, Column { found, .. }) in more.names.iter().zip(more.columns) {
            let Some(known) = fields.find(name) else {
                self.added += 1 + found.count();
                fields.add(name, found);
                continue;
            };
            self.path.push(name.to_owned());
            let is_struct = |found: &Type| matches!(found.base(), Type::Struct(_));
            known.is_mixed |= is_struct(&known.found) || is_struct(&found);
            known.found = self.merge(std::mem::take(&mut known.found), found);
            // A list of lists of structs can follow a string.
            known.is_mixed &= self.widened.is_some() && *known.found.base() == STRING;
            self.path.pop();
        }
    }

    /// Merges a struct and a type without fields.
    fn merge_value(&mut self, mut fields: Box<Fields>, other: Type) -> Type {
        match fields.find(self.value_tag) {
            Some(Column { found: value, .. }) => {
                *value = self.merge(std::mem::take(value), other);
                Type::Struct(fields)
            }
            None => {
                self.note(
                    "the column has values with and without child elements, so it is a string"
                        .to_owned(),
                );
                STRING
            }
        }
    }

    fn note(&mut self, reason: String) {
        let path = self.path.join(".");
        if let Some(widened) = &mut self.widened {
            widened.push((path, reason));
        }
    }
}

/// Returns the type of decimals of both precisions and scales, or doubles if there are too many digits.
fn wider_decimal((precision, scale): (u8, u8), (other, other_scale): (u8, u8)) -> ValueType {
    let range = (precision - scale).max(other - other_scale);
    match scale.max(other_scale) {
        scale if range + scale > 38 => ValueType::Double,
        scale => ValueType::Decimal(range + scale, scale),
    }
}

impl ValueType {
    /// Returns the type of values of both types.
    #[inline]
    pub(super) fn widened_to(self, other: ValueType) -> ValueType {
        use ValueType::{Date, Decimal, Double, Long, String, Timestamp};
        match (self, other) {
            (one, two) if one == two => one,
            (Long | Decimal(..), Double) | (Double, Long | Decimal(..)) => Double,
            (Long, Decimal(precision, scale)) | (Decimal(precision, scale), Long) => {
                wider_decimal((20, 0), (precision, scale))
            }
            (Decimal(precision, scale), Decimal(other, other_scale)) => {
                wider_decimal((precision, scale), (other, other_scale))
            }
            (Date, Timestamp) | (Timestamp, Date) => Timestamp,
            _ => String,
        }
    }

    fn name(self) -> &'static str {
        match self {
            ValueType::Boolean => "Boolean",
            ValueType::Long => "Int64",
            ValueType::Double => "Float64",
            ValueType::Decimal(..) => "Decimal128",
            ValueType::Date => "Date32",
            ValueType::Timestamp => "Timestamp",
            ValueType::String => "Utf8",
        }
    }

    fn data_type(self, options: &Options) -> DataType {
        match self {
            ValueType::Boolean => DataType::Boolean,
            ValueType::Long => DataType::Int64,
            ValueType::Double => DataType::Float64,
            ValueType::Decimal(precision, scale) => DataType::Decimal128(precision, scale as i8),
            ValueType::Date => DataType::Date32,
            ValueType::Timestamp => DataType::Timestamp(
                TimeUnit::Microsecond,
                Some(options.timezone.name.as_str().into()),
            ),
            ValueType::String => DataType::Utf8,
        }
    }
}

impl From<Option<ValueType>> for Type {
    fn from(found: Option<ValueType>) -> Type {
        found.map_or(Type::Null, Type::Value)
    }
}

impl Type {
    /// Returns the type of the elements of a list, or the type itself.
    #[inline]
    pub(super) fn base(&self) -> &Type {
        match self {
            Type::List(element) => element,
            found => found,
        }
    }

    /// Returns the type of the elements of a list, or the type itself.
    #[inline]
    pub(super) fn base_mut(&mut self) -> &mut Type {
        match self {
            Type::List(element) => element,
            found => found,
        }
    }

    /// Returns the type of Arrow. Values that are always null are strings, and structs without fields are left out.
    pub(super) fn data_type(self, options: &Options) -> Option<DataType> {
        Some(match self {
            Type::Null => DataType::Utf8,
            Type::Value(found) => found.data_type(options),
            Type::List(element) => DataType::List(Arc::new(Field::new_list_field(
                element.data_type(options)?,
                true,
            ))),
            Type::Struct(fields) => {
                let fields = fields_of(*fields, options);
                if fields.is_empty() {
                    return None;
                }
                DataType::Struct(fields.into())
            }
        })
    }

    /// Returns the number of fields, including nested ones.
    pub(super) fn count(&self) -> usize {
        match self {
            Type::Struct(fields) => fields
                .columns
                .iter()
                .map(|column| 1 + column.found.count())
                .sum(),
            Type::List(element) => element.count(),
            _ => 0,
        }
    }
}

/// Returns the fields of Arrow, in the order in which Java sorts their names.
pub(super) fn fields_of(fields: Fields, options: &Options) -> Vec<Field> {
    let mut pairs: Vec<_> = fields.names.iter().zip(fields.columns).collect();
    pairs.sort_by(|(one, _), (two, _)| one.encode_utf16().cmp(two.encode_utf16()));
    let field = |(name, column): (&str, Column)| {
        if name.is_empty() {
            return None;
        }
        Some(Field::new(name, column.found.data_type(options)?, true))
    };
    pairs.into_iter().filter_map(field).collect()
}
