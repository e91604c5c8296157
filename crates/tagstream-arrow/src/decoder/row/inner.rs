//! Child elements of elements whose columns have no fields: they are part of a string, or do not fit.

use super::{Place, RowState, Rows};
use crate::error::RowErrorKind;
use tagstream::StartTag;

impl Rows {
    /// Handles the start of an element in a value.
    #[cold]
    pub(super) fn start_inner(&mut self, tag: &StartTag<'_>) {
        match self.state {
            RowState::Text(column) => {
                self.state = RowState::Inner(column, 1);
                self.push_tag(column, tag);
            }
            RowState::Inner(column, depth) => {
                self.state = RowState::Inner(column, depth + 1);
                self.push_tag(column, tag);
            }
            RowState::Value(column) | RowState::ValueRead(column) => {
                let place = Place::new(tag.span(), tag.position());
                let data_type = self.columns.all[column as usize].data_type.to_string();
                self.note_problem(column, RowErrorKind::Children { data_type }, place, false);
                self.pending.clear();
                // The element and its child are open too.
                self.state = match self.state {
                    RowState::Skipped(depth) => RowState::Skipped(depth + 2),
                    _ => RowState::Skipped(2),
                };
            }
            _ => {}
        }
    }

    /// Appends a start tag to a string, as Spark writes it: without escapes.
    fn push_tag(&mut self, column: u32, tag: &StartTag<'_>) {
        let mut written = String::from("<");
        written.push_str(tag.name());
        for attribute in tag.attributes() {
            written.push(' ');
            written.push_str(attribute.name());
            written.push_str("=\"");
            written.push_str(attribute.value());
            written.push('"');
        }
        written.push('>');
        self.push_piece(column, &written);
    }
}
