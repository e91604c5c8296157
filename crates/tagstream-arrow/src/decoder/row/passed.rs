//! Elements and texts that need no events: fields of one text, and elements and texts without a column.

use super::{RowState, Rows, local_name};
use crate::columns::{Column, Data, Settings, Struct, trim};
use tagstream::{ElementReader, Error, Event, Leaf, Nested, Parser, Skip, StartTag, Text, Xml};

/// Reads the fields of a struct that are one text each.
struct FieldReader<'a> {
    fields: &'a mut Struct,
    /// Number of values of the struct.
    len: usize,
    /// The columns from this index on, which contain the fields.
    first: u32,
    columns: &'a mut [Column],
    settings: &'a Settings,
    has_no_null_value: bool,
    ignores_namespace: bool,
    /// True if all elements are skipped.
    skips_all: bool,
    /// Number of bytes of strings of the row, and the maximum.
    text_bytes: u64,
    max_text_bytes: u64,
}

impl ElementReader for FieldReader<'_> {
    /// PERF: most fields are read here, with half of the instructions that their three events take.
    #[inline(always)]
    fn read_leaf(&mut self, leaf: Leaf<'_>) -> bool {
        let name = match self.ignores_namespace {
            true => local_name(leaf.name()).as_bytes(),
            false => leaf.name_bytes(),
        };
        let Some(column) = self.fields.elements.find(name) else {
            return true;
        };
        if self.skips_all {
            return true;
        }
        let index = (column - self.first) as usize;
        let Some(found) = self.columns.get_mut(index) else {
            return false;
        };
        let text = leaf.as_bytes();
        let text_bytes = self.text_bytes + text.len() as u64;
        if text_bytes > self.max_text_bytes {
            return false;
        }
        let is_read = (self.has_no_null_value && found.push_digits(self.len, text))
            || self.read_value(index, leaf.as_str());
        if is_read {
            self.text_bytes = text_bytes;
        }
        is_read
    }

    #[inline(always)]
    fn skip_element(&mut self, tag: StartTag<'_>) -> bool {
        let name = match self.ignores_namespace {
            true => local_name(tag.name()),
            false => tag.name(),
        };
        self.fields.elements.lacks(name.as_bytes())
    }

    #[inline(always)]
    fn skip_text(&mut self, _: Text<'_>) -> bool {
        self.fields.value.is_none()
    }
}

impl FieldReader<'_> {
    /// Appends a value to the column at an index, or to its list. Returns false if the value does not fit.
    #[inline(always)]
    fn read_value(&mut self, index: usize, text: &str) -> bool {
        let mut found = &mut self.columns[index];
        if let Data::List { element, .. } = &found.data {
            let element = (*element - self.first) as usize;
            found = &mut self.columns[element];
        } else if found.len() > self.len {
            // A second value replaces the first one, and is an error.
            return false;
        }
        let text = match self.settings.trims {
            true => trim(text),
            false => text,
        };
        let is_null = self.settings.null_value.as_deref() == Some(text);
        !is_null && found.push_plain(text, self.settings)
    }
}

impl Rows {
    /// Returns the number of open elements that are skipped, if the elements and texts that come next may need no events. If
    /// there is a matcher, all events are needed.
    #[inline(always)]
    pub(in crate::decoder) fn skipped(&self) -> Option<u32> {
        match self.state {
            // The text before an element ends at its start tag.
            _ if self.matcher.is_some() || !self.pending.is_empty() => None,
            RowState::Struct => Some(0),
            RowState::Skipped(depth) => Some(depth),
            _ => None,
        }
    }

    /// Reads and skips fields of the innermost open struct, after `skipped` open elements that are skipped. Returns the next
    /// event.
    #[inline]
    pub(in crate::decoder) fn next_event<'a>(
        &mut self,
        parser: &'a mut Parser<Xml, Nested>,
        skipped: u32,
    ) -> Result<Option<Event<'a>>, Error> {
        let max_text_bytes = self.max_text_bytes();
        let Some((parent, (fields, len, columns, settings))) = self
            .open
            .last()
            .and_then(|open| Some((*open, self.columns.split_at_struct(*open)?)))
        else {
            return parser.next_event();
        };
        let mut reader = FieldReader {
            fields,
            len,
            first: parent + 1,
            columns,
            settings,
            has_no_null_value: settings.null_value.is_none(),
            ignores_namespace: self.options.ignore_namespace,
            skips_all: self.problems.is_row_skipped(),
            text_bytes: self.row.text_bytes,
            max_text_bytes,
        };
        let mut skip = Skip::of_open(skipped.into());
        let next = parser.next_event_after(&mut skip, &mut reader);
        self.row.text_bytes = reader.text_bytes;
        self.state = match skip.open_elements() as u32 {
            0 => RowState::Struct,
            open => RowState::Skipped(open),
        };
        next
    }
}
