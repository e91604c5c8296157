//! The comparison of each row with the schema while the row is read.
//!
//! Most rows change nothing in the schema. So no types are made of a row at first: each element finds its column in the
//! schema, where the name after that of the last sibling is compared first, and each value is compared with the type of
//! its column. If one of them does not fit, the row is new, and its types are made at its end and merged into the schema.
//!
//! A row may be new although it changes nothing, but a row that changes the type or the notes is always new. Types are
//! merged within a row first, in which order matters in one case: a value and a struct without a text in the same column
//! are a string, without the fields. See [`Column::row`](super::types::Column).

use super::types::{Column, Fields, Merge, STRING, Type, ValueType, fields_of};
use crate::options::Options;
use arrow_schema::Field;

/// The schema, and the elements of the current row that are compared with it.
#[derive(Debug)]
pub(super) struct Comparison {
    /// The struct of the row. While the row is compared, the struct is in the first element of `open`.
    schema: Type,
    /// Number of fields of the schema, at least.
    pub(super) columns: usize,
    /// The open elements from the row on, unless the row is new.
    open: Vec<Open>,
    /// Number of open elements in a column of strings, whose elements count no more.
    ignored: usize,
    /// Number of elements that were compared, and number of rows.
    elements: u64,
    rows: u64,
    /// True if the row may change the schema.
    pub(super) is_new: bool,
}

/// An open element.
#[derive(Debug)]
struct Open {
    /// Index of the column in the fields of the parent.
    column: usize,
    /// The fields of the column, if its type is a struct. They are taken out of the schema while the element is open.
    fields: Option<Box<Fields>>,
    /// The number of the element.
    number: u64,
    has_attributes: bool,
    has_children: bool,
    has_text: bool,
    /// True if the last text is null.
    is_null: bool,
}

impl Open {
    fn new(column: usize, fields: Option<Box<Fields>>, number: u64) -> Open {
        Open {
            column,
            fields,
            number,
            has_attributes: false,
            has_children: false,
            has_text: false,
            is_null: false,
        }
    }

    /// Returns whether the element is a struct, and whether it has a value, which may be a field of the struct.
    fn kind(&self) -> (bool, bool) {
        let is_value = self.has_text && (!self.is_null || self.has_children);
        (self.has_attributes || self.has_children, is_value)
    }
}

impl Default for Comparison {
    fn default() -> Comparison {
        Comparison {
            schema: Type::Struct(Box::default()),
            columns: 0,
            open: Vec::new(),
            ignored: 0,
            elements: 0,
            rows: 0,
            is_new: false,
        }
    }
}

impl Comparison {
    /// Begins a row.
    pub(super) fn begin(&mut self) {
        self.end();
        self.rows += 1;
        self.elements += 1;
        self.is_new = false;
        let fields = take_fields(&mut self.schema);
        self.open.push(Open::new(0, fields, self.elements));
    }

    /// Ends the comparison.
    pub(super) fn end(&mut self) {
        while let Some(element) = self.open.pop() {
            self.put_back(element.column, element.fields);
        }
        self.ignored = 0;
    }

    /// Puts the fields of an element back into the schema.
    fn put_back(&mut self, column: usize, fields: Option<Box<Fields>>) {
        let Some(fields) = fields else {
            return;
        };
        let parent = self
            .open
            .last_mut()
            .and_then(|parent| parent.fields.as_mut());
        let column = parent.map(|parent| parent.columns[column].found.base_mut());
        *column.unwrap_or(&mut self.schema) = Type::Struct(fields);
    }

    /// Ends the comparison of a row that may change the schema.
    #[cold]
    fn set_new(&mut self) {
        self.end();
        self.is_new = true;
    }

    /// Compares the start tag of a child element. Returns its column in the fields of the element around it, if the row
    /// fits and the element around it has fields.
    #[inline]
    pub(super) fn start(&mut self, name: &str, options: &Options) -> Option<u32> {
        if self.ignored > 0 {
            self.ignored += 1;
            return None;
        }
        if self.open.is_empty() {
            return None;
        }
        let column = self.start_child(name, options);
        if column.is_none() && self.ignored == 0 {
            self.set_new();
        }
        column
    }

    /// Returns `None` if the element is ignored, or else if the row is new.
    #[inline]
    fn start_child(&mut self, name: &str, options: &Options) -> Option<u32> {
        // An element with the name of the text is a text of the element around it in some cases.
        if name == options.value_tag {
            return None;
        }
        let element = self.open.last_mut()?;
        element.has_children = true;
        let Some(fields) = &mut element.fields else {
            self.ignored = usize::from(self.is_mixed());
            return None;
        };
        let at = fields.names.find(name.as_bytes())?;
        let column = &mut fields.columns[at as usize];
        column.begin_in(element.number)?;
        self.elements += 1;
        let inner = take_fields(column.found.base_mut());
        self.open.push(Open::new(at as usize, inner, self.elements));
        Some(at)
    }

    /// Returns whether the column of the last open element is a string because of elements like this.
    fn is_mixed(&self) -> bool {
        let [.., parent, element] = &*self.open else {
            return false;
        };
        let parent = parent.fields.as_ref();
        parent.is_some_and(|parent| parent.columns[element.column].is_mixed)
    }

    /// Compares an attribute of the last start tag. The name is that of the column. Returns the column in the fields of the
    /// element, if the row fits and the element has fields.
    #[inline]
    pub(super) fn attribute(
        &mut self,
        name: &str,
        found: Option<ValueType>,
        options: &Options,
    ) -> Option<u32> {
        if self.ignored > 0 || self.open.is_empty() {
            return None;
        }
        let compared = self.compare_attribute(name, found, options);
        if compared.is_none() {
            self.set_new();
        }
        compared.flatten()
    }

    /// Returns `None` if the row is new, and `Some(None)` if the element has no fields.
    fn compare_attribute(
        &mut self,
        name: &str,
        found: Option<ValueType>,
        options: &Options,
    ) -> Option<Option<u32>> {
        if name == options.value_tag {
            return None;
        }
        let element = self.open.last_mut()?;
        element.has_attributes = true;
        let Some(fields) = &mut element.fields else {
            return self.is_mixed().then_some(None);
        };
        let at = fields.names.find(name.as_bytes())?;
        let column = fields.columns.get_mut(at as usize)?;
        // A child element with the same column makes no list.
        let mark = (element.number, true);
        if column.element == mark {
            return None;
        }
        column.element = mark;
        column.takes(found).then_some(Some(at))
    }

    /// Compares a text.
    #[inline]
    pub(super) fn text(&mut self, found: Option<ValueType>, options: &Options) {
        if self.ignored == 0 && !self.open.is_empty() && self.compare_text(found, options).is_none()
        {
            self.set_new();
        }
    }

    fn compare_text(&mut self, found: Option<ValueType>, options: &Options) -> Option<()> {
        let (element, before) = self.open.split_last_mut()?;
        element.has_text = true;
        element.is_null = found.is_none();
        let column = match &mut element.fields {
            Some(fields) => {
                let at = fields.names.get(&options.value_tag)?;
                let column = fields.columns.get_mut(at as usize)?;
                column.begin_in(element.number)?;
                column
            }
            None => &mut before.last_mut()?.fields.as_mut()?.columns[element.column],
        };
        column.takes(found).then_some(())
    }

    /// Compares the end tag of a child element.
    #[inline]
    pub(super) fn end_child(&mut self, options: &Options) {
        if self.ignored > 0 {
            self.ignored -= 1;
        } else if !self.open.is_empty() && self.compare_end(options).is_none() {
            self.set_new();
        }
    }

    fn compare_end(&mut self, options: &Options) -> Option<()> {
        let element = self.open.pop()?;
        let (is_struct, has_value) = element.kind();
        // A struct without a text and a value are a string, if they are in one row.
        let is_string = match &element.fields {
            Some(fields) if is_struct != has_value => {
                let value = fields.names.get(&options.value_tag);
                value.is_none_or(|at| *fields.columns[at as usize].found.base() == STRING)
            }
            _ => true,
        };
        let is_column_of_structs = element.fields.is_some();
        self.put_back(element.column, element.fields);
        let parent = self.open.last_mut()?.fields.as_mut()?;
        let column = parent.columns.get_mut(element.column)?;
        if !is_string {
            if column.row == (self.rows, !is_struct) {
                return None;
            }
            column.row = (self.rows, is_struct);
        }
        let fits = is_column_of_structs || !is_struct || (column.is_mixed && !has_value);
        fits.then_some(())
    }

    /// Merges the fields of a row into the schema, and adds the columns that were widened to a list, each with the reason.
    pub(super) fn merge(
        &mut self,
        more: Fields,
        options: &Options,
        widened: &mut Vec<(String, String)>,
    ) {
        self.end();
        let mut merge = Merge {
            widened: Some(widened),
            ..Merge::of_row(&options.value_tag)
        };
        if let Type::Struct(fields) = &mut self.schema {
            merge.merge_fields(fields, more);
        }
        self.columns += merge.added;
    }

    /// Returns the fields of the schema, if no row is being compared.
    pub(super) fn fields(&self) -> Option<&Fields> {
        match &self.schema {
            Type::Struct(fields) => Some(fields),
            _ => None,
        }
    }

    /// Returns the fields of Arrow.
    pub(super) fn into_fields(mut self, options: &Options) -> Vec<Field> {
        self.end();
        match self.schema {
            Type::Struct(fields) => fields_of(*fields, options),
            _ => Vec::new(),
        }
    }
}

/// Takes the fields out of a type, if it is a struct. The first field is compared first.
#[inline]
fn take_fields(found: &mut Type) -> Option<Box<Fields>> {
    match found {
        Type::Struct(fields) => fields.names.restart(),
        _ => return None,
    }
    match std::mem::take(found) {
        Type::Struct(fields) => Some(fields),
        _ => None,
    }
}

impl Column {
    /// Marks the column as a field of an element. Returns `None` if the type does not fit: the element has the field
    /// already, and the column contains no lists.
    #[inline]
    fn begin_in(&mut self, element: u64) -> Option<()> {
        let is_repeated = self.element.0 == element;
        if is_repeated && (self.element.1 || !matches!(self.found, Type::List(_))) {
            return None;
        }
        self.element = (element, false);
        Some(())
    }

    /// Returns whether a value does not change the type.
    #[inline]
    fn takes(&self, found: Option<ValueType>) -> bool {
        match (self.found.base(), found) {
            (_, None) => true,
            (Type::Value(known), Some(found)) => {
                *known == found || known.widened_to(found) == *known
            }
            _ => false,
        }
    }
}
