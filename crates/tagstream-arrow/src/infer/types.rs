//! The types that inference finds, and the rules by which two of them become one.

use crate::options::Options;
use arrow_schema::{DataType, Field, TimeUnit};
use std::sync::Arc;

/// A type as inference knows it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// No value was seen.
    Null,
    Boolean,
    Long,
    Double,
    /// Precision and scale.
    Decimal(u8, u8),
    Date,
    Timestamp,
    String,
    List(Box<Type>),
    /// Fields in the order in which they were found first.
    Struct(Fields),
}

/// Number of fields up to which names are compared one by one.
const MAX_COMPARED_FIELDS: usize = 16;

/// Fields with their types. If there are many, names are found by a table, so that wide rows take linear time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fields {
    pub(super) fields: Vec<(Arc<str>, Type)>,
    pub(super) table: std::collections::HashMap<Arc<str>, usize>,
}

impl Fields {
    pub(super) fn find(&mut self, name: &str) -> Option<&mut Type> {
        if self.fields.len() <= MAX_COMPARED_FIELDS {
            let mut fields = self.fields.iter_mut();
            let found = fields.find(|(known, _)| **known == *name);
            return found.map(|(_, found)| found);
        }
        let index = *self.table.get(name)?;
        self.fields.get_mut(index).map(|(_, found)| found)
    }

    pub(super) fn add(&mut self, name: Arc<str>, found: Type) {
        self.fields.push((name, found));
        if self.fields.len() > MAX_COMPARED_FIELDS {
            let missing = self.fields.iter().enumerate().skip(self.table.len());
            let entry = |(index, (name, _)): (usize, &(Arc<str>, Type))| (Arc::clone(name), index);
            self.table.extend(missing.map(entry));
        }
    }

    /// Adds a field to an object. If the object has the field, the field is a list.
    pub(super) fn add_or_repeat(&mut self, name: &str, found: Type, merge: &mut Merge<'_>) {
        match self.find(name) {
            None => self.add(name.into(), found),
            Some(known) => {
                let old = std::mem::replace(known, Type::Null);
                *known = match old {
                    Type::List(_) => merge.merge(old, found),
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
    pub(super) path: Vec<Arc<str>>,
    /// Types that were widened: the path and the reason.
    pub(super) widened: Option<&'a mut Vec<(String, String)>>,
    /// Number of fields that were added to structs, including nested ones.
    pub(super) added: usize,
    /// True if a result of [`merge`](Merge::merge) is not the type that was merged into.
    pub(super) has_changed: bool,
}

impl<'a> Merge<'a> {
    /// Merges types of one row.
    pub(super) fn of_row(value_tag: &'a str) -> Merge<'a> {
        Merge {
            value_tag,
            path: Vec::new(),
            widened: None,
            added: 0,
            has_changed: false,
        }
    }

    /// Merges `two` into `one`: returns the type of values of both types.
    pub(super) fn merge(&mut self, one: Type, two: Type) -> Type {
        match (one, two) {
            (one, Type::Null) => one,
            (Type::Null, other) => {
                self.has_changed = true;
                other
            }
            (Type::Struct(mut fields), Type::Struct(more)) => {
                for (name, found) in more.fields {
                    match fields.find(&name) {
                        Some(known) => {
                            self.path.push(name);
                            *known = self.merge(std::mem::replace(known, Type::Null), found);
                            self.path.pop();
                        }
                        None => {
                            self.added += 1 + found.count();
                            self.has_changed = true;
                            fields.add(name, found);
                        }
                    }
                }
                Type::Struct(fields)
            }
            (Type::List(one), Type::List(two)) => Type::List(Box::new(self.merge(*one, *two))),
            (Type::List(one), two) => Type::List(Box::new(self.merge(*one, two))),
            (one, Type::List(two)) => {
                self.has_changed = true;
                let merged = Type::List(Box::new(self.merge(one, *two)));
                self.note("the column is a list, since a row has several values".to_owned());
                merged
            }
            (Type::Struct(fields), other) => {
                let merged = self.merge_value(fields, other);
                self.has_changed |= merged == Type::String;
                merged
            }
            (other, Type::Struct(fields)) => {
                let was_string = other == Type::String;
                let merged = self.merge_value(fields, other);
                self.has_changed |= !was_string || merged != Type::String;
                merged
            }
            (one, two) if one == two => one,
            (one, two) => {
                let merged = match (&one, &two) {
                    (Type::Long | Type::Double, Type::Long | Type::Double) => Type::Double,
                    (Type::Double, Type::Decimal(..)) | (Type::Decimal(..), Type::Double) => {
                        Type::Double
                    }
                    (Type::Long, Type::Decimal(precision, scale))
                    | (Type::Decimal(precision, scale), Type::Long) => {
                        wider_decimal((20, 0), (*precision, *scale))
                    }
                    (Type::Decimal(precision, scale), Type::Decimal(other, other_scale)) => {
                        wider_decimal((*precision, *scale), (*other, *other_scale))
                    }
                    (Type::Date | Type::Timestamp, Type::Date | Type::Timestamp) => Type::Timestamp,
                    _ => Type::String,
                };
                if merged != one {
                    self.has_changed = true;
                    self.note(format!(
                        "the type {} was widened to {}",
                        one.name(),
                        merged.name()
                    ));
                }
                merged
            }
        }
    }

    /// Merges a struct and a type without fields.
    fn merge_value(&mut self, mut fields: Fields, other: Type) -> Type {
        match fields.find(self.value_tag) {
            Some(value) => {
                *value = self.merge(std::mem::replace(value, Type::Null), other);
                Type::Struct(fields)
            }
            None => {
                self.note(
                    "the column has values with and without child elements, so it is a string"
                        .to_owned(),
                );
                Type::String
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
fn wider_decimal((precision, scale): (u8, u8), (other, other_scale): (u8, u8)) -> Type {
    let range = (precision - scale).max(other - other_scale);
    match scale.max(other_scale) {
        scale if range + scale > 38 => Type::Double,
        scale => Type::Decimal(range + scale, scale),
    }
}

impl Type {
    fn name(&self) -> &'static str {
        match self {
            Type::Null => "Null",
            Type::Boolean => "Boolean",
            Type::Long => "Int64",
            Type::Double => "Float64",
            Type::Decimal(..) => "Decimal128",
            Type::Date => "Date32",
            Type::Timestamp => "Timestamp",
            Type::String => "Utf8",
            Type::List(_) => "List",
            Type::Struct(_) => "Struct",
        }
    }

    /// Returns the type of Arrow. Values that are always null are strings, and structs without fields are left out.
    pub(super) fn data_type(self, options: &Options) -> Option<DataType> {
        Some(match self {
            Type::Null | Type::String => DataType::Utf8,
            Type::Boolean => DataType::Boolean,
            Type::Long => DataType::Int64,
            Type::Double => DataType::Float64,
            Type::Decimal(precision, scale) => DataType::Decimal128(precision, scale as i8),
            Type::Date => DataType::Date32,
            Type::Timestamp => DataType::Timestamp(
                TimeUnit::Microsecond,
                Some(options.timezone.name.as_str().into()),
            ),
            Type::List(element) => DataType::List(Arc::new(Field::new_list_field(
                element.data_type(options)?,
                true,
            ))),
            Type::Struct(fields) => {
                let fields = fields_of(fields, options);
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
                .fields
                .iter()
                .map(|(_, found)| 1 + found.count())
                .sum(),
            Type::List(element) => element.count(),
            _ => 0,
        }
    }
}

/// Returns the fields of Arrow, in the order in which Java sorts their names.
pub(super) fn fields_of(fields: Fields, options: &Options) -> Vec<Field> {
    let mut fields = fields.fields;
    fields.sort_by(|(one, _), (two, _)| one.encode_utf16().cmp(two.encode_utf16()));
    let field = |(name, found): (Arc<str>, Type)| {
        if name.is_empty() {
            return None;
        }
        Some(Field::new(&*name, found.data_type(options)?, true))
    };
    fields.into_iter().filter_map(field).collect()
}
