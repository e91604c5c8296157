//! Tags and attributes: the elements outside of rows, the rows, and their fields.

use super::problems::MAX_ROW_CELLS;
use super::{FieldMark, Place, RowState, Rows};
use crate::columns::{Data, ROOT, Unfit};
use tagstream::{EndTag, Event, StartTag};

impl Rows {
    /// Handles a start tag. Returns true if the decoder stops before it.
    #[inline(always)]
    pub(in crate::decoder) fn start_tag(&mut self, tag: &StartTag<'_>) -> bool {
        if let Some(matcher) = &mut self.matcher {
            let is_row = matcher.matches(&Event::Start(*tag));
            if self.state == RowState::Outside {
                if is_row {
                    return self.start_row(tag);
                }
                self.ancestors.push(tag.name());
                return false;
            }
        }
        if let RowState::Skipped(depth) = &mut self.state {
            *depth += 1;
            return false;
        }
        match self.state {
            RowState::Skipped(_) => {}
            RowState::Outside => {
                if self.options.name_of(tag.name()) == self.options.row_tag {
                    return self.start_row(tag);
                }
                self.ancestors.push(tag.name());
            }
            RowState::Struct => self.start_field(tag),
            RowState::Text(_)
            | RowState::Inner(..)
            | RowState::Value(_)
            | RowState::ValueRead(_) => {
                self.start_inner(tag);
            }
        }
        false
    }

    /// Begins a row. Returns true if the row is not read, since it begins at or after the limit.
    #[inline(never)]
    pub(in crate::decoder) fn start_row(&mut self, tag: &StartTag<'_>) -> bool {
        let span = tag.span();
        if !self.bounds.admit_row(tag) {
            self.strays.separate(span.start);
            return true;
        }
        self.row.index = self.len();
        self.row.start_tag = span;
        self.row.text_bytes = 0;
        self.row.cells = 0;
        self.state = RowState::Struct;
        self.open.push(ROOT);
        if let Some(root) = self.columns.fields(ROOT) {
            root.elements.restart();
        }
        if !self.strays.is_empty() {
            self.problems.broken = self.strays.take_first_of_row(span.start);
        }
        if self.options.root_has_attributes {
            self.read_attributes(tag, ROOT);
        }
        false
    }

    /// Reads the attributes of a struct.
    fn read_attributes(&mut self, tag: &StartTag<'_>, parent: u32) {
        for attribute in tag.attributes() {
            let name = self.options.name_of(attribute.name());
            let Some(column) = self
                .columns
                .fields(parent)
                .and_then(|fields| fields.attributes.find(name.as_bytes()))
            else {
                continue;
            };
            let value = attribute.value();
            // Without their prefixes, two names can be the same. The last attribute counts, as in Spark.
            self.columns.target(parent, column);
            if !self.count_text(value.len()) {
                return;
            }
            // An attribute has one value. A list, which is not a value, does not take it, as in Spark.
            match self.columns.push_value(column, value) {
                Ok(Ok(())) => {}
                Ok(Err(null)) => {
                    self.note_null(null, Place::new(attribute.span(), attribute.position()));
                }
                Err(Unfit) => {
                    let place = Place::new(attribute.value_span(), attribute.position());
                    self.note_unfit(column, value, place, parent == ROOT);
                    if parent != ROOT {
                        // The struct was removed with its field, so the other attributes have no place.
                        return;
                    }
                }
            }
        }
        if let Some(fields) = self.columns.fields(parent) {
            fields.attributes.restart();
        }
    }

    /// Begins an element in the row or in a struct.
    #[inline]
    fn start_field(&mut self, tag: &StartTag<'_>) {
        if !self.pending.is_empty() {
            self.finish_text_beside_elements(tag.span().start);
            if let RowState::Skipped(depth) = &mut self.state {
                *depth += 1;
                return;
            }
        }
        let Some(parent) = self.open.last().copied() else {
            return;
        };
        let name = self.options.name_of(tag.name());
        let found = self
            .columns
            .fields(parent)
            .and_then(|fields| fields.elements.find(name.as_bytes()));
        let Some(column) = found else {
            self.state = RowState::Skipped(1);
            return;
        };
        if self.problems.is_row_skipped() {
            self.state = RowState::Skipped(1);
            return;
        }
        let (target, is_repeated) = self.columns.target(parent, column);
        if is_repeated {
            self.note_repeated(target, Place::new(tag.span(), tag.position()));
        }
        if parent == ROOT {
            self.row.field = FieldMark {
                column: target,
                len: self.columns.len(target),
            };
        }
        match &mut self.columns.all[target as usize].data {
            Data::Text { .. } => self.state = RowState::Text(target),
            Data::Struct(fields) => {
                fields.elements.restart();
                let has_attributes = !fields.attributes.is_empty();
                self.open.push(target);
                if has_attributes {
                    self.read_attributes(tag, target);
                }
            }
            _ => self.state = RowState::Value(target),
        }
    }

    /// Handles an end tag. Returns true if it is that of the row.
    #[inline(always)]
    pub(in crate::decoder) fn end_tag(&mut self, tag: &EndTag<'_>) -> bool {
        if let Some(matcher) = &mut self.matcher {
            matcher.matches(&Event::End(*tag));
        }
        if let RowState::Skipped(depth) = self.state {
            self.state = RowState::after_skipped(depth);
            return false;
        }
        match self.state {
            RowState::Skipped(_) => {}
            RowState::Outside => self.ancestors.pop(),
            RowState::Text(column) => {
                self.state = RowState::Struct;
                if !self.problems.is_too_long
                    && let Err(null) = self.columns.finish_text(column)
                {
                    self.note_null(null, Place::new(tag.span(), tag.position()));
                }
            }
            RowState::ValueRead(_) => {
                self.state = RowState::Struct;
                self.pending.clear();
            }
            RowState::Value(column) => {
                self.state = RowState::Struct;
                self.finish_value(column, tag);
            }
            RowState::Inner(column, depth) => {
                self.state = if depth == 1 {
                    RowState::Text(column)
                } else {
                    RowState::Inner(column, depth - 1)
                };
                self.push_piece(column, "</");
                self.push_piece(column, tag.name());
                self.push_piece(column, ">");
            }
            RowState::Struct => return self.end_struct(tag),
        }
        false
    }

    /// Ends a struct. Returns true if it is the row.
    #[inline(never)]
    fn end_struct(&mut self, tag: &EndTag<'_>) -> bool {
        if !self.pending.is_empty() {
            self.finish_text_beside_elements(tag.span().start);
            if let RowState::Skipped(depth) = self.state {
                self.state = RowState::after_skipped(depth);
                return false;
            }
        }
        let Some(column) = self.open.pop() else {
            return false;
        };
        if column == ROOT {
            self.end_row(tag);
            return true;
        }
        if let Err(null) = self.columns.finish_struct(column) {
            self.note_null(null, Place::new(tag.span(), tag.position()));
        }
        self.row.cells += u64::from(self.columns.width(column));
        if self.row.cells > MAX_ROW_CELLS {
            self.problems.has_too_many_cells = true;
            self.note_too_long();
        }
        false
    }

    /// Ends the struct of the row.
    fn end_row(&mut self, tag: &EndTag<'_>) {
        let span = tag.span();
        self.row.end = span.end;
        let bytes = self.row.end.saturating_sub(self.row.start_tag.start);
        if bytes > self.options.max_row_bytes {
            self.problems.is_too_long = true;
        }
        let null = self.columns.finish_struct(ROOT).err();
        // PERF: the position is computed for rows with a problem only. It takes 800 instructions.
        self.row.end_place =
            (null.is_some() || !self.problems.is_empty()).then(|| Place::new(span, tag.position()));
        if let Some((null, place)) = null.zip(self.row.end_place) {
            self.note_null(null, place);
        }
    }
}
