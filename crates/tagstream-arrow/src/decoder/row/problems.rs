//! Malformed rows: the first problem of a row, and the row and the error that it becomes.

use super::super::SKIPPED_ENTITY;
use super::super::source::Source;
use super::super::too_long;
use super::{MAX_ROW_CELLS, MAX_ROW_TEXT_BYTES, MAX_SHOWN_BYTES, Place, Problem, Rows, State};
use crate::columns::{ROOT, UnfitNull};
use crate::error::{RowError, RowErrorKind};
use crate::options::Mode;
use tagstream::{Event, Position};

/// Maximum number of errors between two rows of which it is not known whether they are in the start tag of the second.
/// If there are more, the last one is retained.
const MAX_STRAYS: usize = 64;

impl Rows {
    /// Notes a problem of a value. If it is in a field of the row, the field and the rest of the row are null.
    pub(super) fn note_problem(
        &mut self,
        column: u32,
        kind: RowErrorKind,
        place: Place,
        is_root: bool,
    ) {
        let top = self.columns.all[column as usize].top;
        if is_root {
            self.is_root_unfit = true;
        } else if !self.is_cut {
            self.is_cut = true;
            let field = self
                .columns
                .fields(ROOT)
                .map_or(ROOT, |root| root.fields[top as usize]);
            match self.columns.element(field) {
                Some(element) => self.columns.truncate(element, self.field_mark.1),
                None => self.columns.truncate(field, self.row),
            }
            let depth = self.open.len() as u32 - 1;
            self.open.truncate(1);
            self.state = if depth == 0 {
                State::Struct
            } else {
                State::Skipped(depth)
            };
        }
        self.unfit.get_or_insert(Problem {
            kind,
            place,
            column: Some(column),
        });
    }

    #[cold]
    pub(super) fn note_unfit(&mut self, column: u32, text: &str, place: Place, is_root: bool) {
        let mut end = text.len().min(MAX_SHOWN_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let kind = RowErrorKind::Value {
            value: text[..end].to_owned(),
            data_type: self.columns.all[column as usize].data_type.to_string(),
        };
        self.note_problem(column, kind, place, is_root);
    }

    #[cold]
    pub(super) fn note_null(&mut self, null: UnfitNull, place: Place) {
        self.note_problem(null.0, RowErrorKind::Null, place, true);
    }

    /// Notes that a column which is no list has a second value in the row. The row keeps that value, as in Spark.
    #[cold]
    pub(super) fn note_repeated(&mut self, column: u32, place: Place) {
        self.unfit.get_or_insert(Problem {
            kind: RowErrorKind::Repeated,
            place,
            column: Some(column),
        });
    }

    /// Ends the row: adds it to the batch, or removes it. Returns its error, if it has one.
    #[inline]
    pub(in crate::decoder) fn finish_row(&mut self, source: Option<&Source>) -> Option<RowError> {
        self.state = State::Outside;
        let error = match self.is_sound() {
            true => None,
            false => Some(self.finish_unsound_row(source)),
        };
        debug_assert!(self.columns.are_consistent());
        error
    }

    #[cold]
    pub(super) fn finish_unsound_row(&mut self, source: Option<&Source>) -> RowError {
        let place = self.end_place;
        let is_whole = self.broken.is_some() || self.is_too_long || self.is_root_unfit;
        let problem = match (self.is_too_long, self.broken.take(), self.unfit.take()) {
            (true, ..) => None,
            (_, Some(broken), _) => Some(broken),
            (_, None, unfit) => unfit,
        };
        let problem = problem.or(place.map(|place| Problem {
            kind: match self.has_too_many_cells {
                true => RowErrorKind::TooManyCells {
                    limit: MAX_ROW_CELLS,
                },
                false => too_long(self.max_row_bytes),
            },
            place: Place {
                span: self.row_span.unwrap_or(place.span),
                ..place
            },
            column: None,
        }));
        let is_kept = self.mode == Mode::Permissive && self.replace_row(is_whole, source);
        if !is_kept {
            self.columns.truncate(ROOT, self.row);
        }
        if self.is_too_long {
            // The number of bytes up to the place where the row was found too long depends on the chunks.
            self.row_text = 0;
        }
        self.is_too_long = false;
        self.has_too_many_cells = false;
        self.is_root_unfit = false;
        self.is_cut = false;
        self.error_of(problem)
    }

    /// Makes all columns of the current row null if `is_whole` is true, and fills the column of corrupt records. Returns
    /// false if a column is not nullable.
    fn replace_row(&mut self, is_whole: bool, source: Option<&Source>) -> bool {
        let row = self.row;
        if is_whole {
            self.columns.truncate(ROOT, row);
        }
        if let Some(column) = self.corrupt_column {
            self.columns.truncate(column, row);
            let text = source.map_or(String::new(), |source| {
                source.text(self.row_start..self.row_end)
            });
            // The source of a row that is too long is not retained.
            let is_retained =
                !self.is_too_long && !text.is_empty() && text.len() as u64 <= MAX_ROW_TEXT_BYTES;
            if is_retained && self.columns.push_source(column, &text).is_err() {
                return false;
            }
        }
        !is_whole || self.columns.finish_struct(ROOT).is_ok()
    }

    fn error_of(&self, problem: Option<Problem>) -> RowError {
        let (kind, span, position, column) = match problem {
            Some(Problem {
                kind,
                place,
                column,
            }) => (kind, Some(place.span), place.position, column),
            None => (
                RowErrorKind::Malformed("the row is malformed"),
                None,
                Position::default(),
                None,
            ),
        };
        RowError {
            file: None,
            bytes: span.map_or(self.row_start..self.row_end, |span| span.start..span.end),
            row: self.row_start,
            line: position.line(),
            column: position.column(),
            column_name: column.map(|column| self.columns.all[column as usize].path.clone()),
            kind,
        }
    }

    /// Handles an event that is neither a tag nor a text.
    #[cold]
    pub(in crate::decoder) fn other(&mut self, event: &Event<'_>) {
        let problem = match event {
            Event::ParseError(error) => Problem {
                kind: RowErrorKind::Malformed(error.code().message()),
                place: Place {
                    span: error.span(),
                    position: error.position(),
                },
                column: None,
            },
            Event::SkippedEntity(entity) => Problem {
                kind: RowErrorKind::Malformed(SKIPPED_ENTITY),
                place: Place {
                    span: entity.span(),
                    position: entity.position(),
                },
                column: None,
            },
            event => {
                if let Some(matcher) = &mut self.matcher {
                    matcher.matches(event);
                }
                return;
            }
        };
        if problem.place.span.start < self.head_bytes {
            return;
        }
        if let Event::ParseError(error) = event {
            self.has_late_doctype |= self.has_begun && error.code().as_str().ends_with("doctype");
        }
        if self.state != State::Outside {
            self.broken.get_or_insert(problem);
            return;
        }
        self.add_stray(problem);
    }

    /// Adds an error outside of rows. The errors of a start tag come before the tag.
    fn add_stray(&mut self, problem: Problem) {
        if self.strays.len() >= MAX_STRAYS {
            self.strays.pop();
        }
        self.strays.push(problem);
    }

    /// Removes the errors that begin before an offset. They are outside of rows, and the first of them is reported.
    pub(super) fn split_strays(&mut self, start: u64) {
        if self.strays.is_empty() {
            return;
        }
        let is_inside = |stray: &Problem| stray.place.span.start >= start;
        let before = self.strays.iter().position(is_inside);
        let mut outside = self.strays.drain(..before.unwrap_or(self.strays.len()));
        self.stray_found = self.stray_found.take().or(outside.next());
    }

    /// Returns an error outside of rows that is before the current row, or at the end of the input.
    pub(in crate::decoder) fn take_stray(&mut self, is_end: bool) -> Option<RowError> {
        if is_end {
            self.split_strays(u64::MAX);
        }
        let problem = self.stray_found.take();
        let mut error = self.error_of(Some(problem?));
        error.row = error.bytes.start;
        Some(error)
    }

    /// Removes the last row, which an error before it makes unread.
    pub(in crate::decoder) fn remove_last(&mut self) {
        self.columns.truncate(ROOT, self.row);
    }
}
