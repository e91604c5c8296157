//! Malformed rows: the problems of a row, and the row and the error that it becomes.

use super::super::SKIPPED_ENTITY;
use super::super::source::Source;
use super::super::too_long;
use super::{MAX_ROW_TEXT_BYTES, RowState, Rows};
use crate::columns::{ROOT, UnfitNull};
use crate::error::{RowError, RowErrorKind};
use crate::options::Mode;
use tagstream::{Event, Position, Span};

/// Maximum number of cells of the structs in a row, since each cell needs memory: an empty element can have thousands of
/// columns.
pub(super) const MAX_ROW_CELLS: u64 = 32 << 20;

/// Maximum number of bytes of a value in an error.
const MAX_SHOWN_BYTES: usize = 100;

/// A place in the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) span: Span,
    pub(super) position: Position,
}

impl Place {
    pub(super) fn new(span: Span, position: Position) -> Place {
        Place { span, position }
    }

    /// Returns the place of a text that goes on to the next tag, which has this offset. The place of its first piece ends
    /// where the chunk ends. A tag in the same entity has the offset of the text.
    pub(super) fn up_to(mut self, tag: u64) -> Place {
        if tag > self.span.start {
            self.span.end = tag;
        }
        self
    }
}

/// An error of a row or outside of rows.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    kind: RowErrorKind,
    pub(super) place: Place,
    column: Option<u32>,
}

/// The problems of the current row.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// The first problem that makes the row malformed.
    pub(super) broken: Option<Problem>,
    pub(super) is_too_long: bool,
    /// True if the row is too long because of its cells, and not because of its bytes.
    pub(super) has_too_many_cells: bool,
    /// The first value that does not fit its column.
    unfit: Option<Problem>,
    /// True if a value of a field of the row does not fit, so that the rest of the row is skipped, as in Spark.
    pub(super) is_cut: bool,
    /// True if a value of the row itself does not fit, so that the whole row is null.
    is_root_unfit: bool,
}

impl Problems {
    /// Returns whether nothing is wrong with the row.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.broken.is_none() && !self.is_too_long && self.unfit.is_none()
    }

    /// Returns whether the other elements of the row are not read.
    #[inline]
    pub(super) fn is_row_skipped(&self) -> bool {
        self.broken.is_some() || self.is_too_long || self.is_cut
    }
}

impl Rows {
    /// Notes that the row has too many bytes or cells, and removes its values.
    pub(in crate::decoder) fn note_too_long(&mut self) {
        self.problems.is_too_long = true;
        self.drop_row();
    }

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
            self.problems.is_root_unfit = true;
        } else if !self.problems.is_cut {
            self.problems.is_cut = true;
            let field = self
                .columns
                .fields(ROOT)
                .map_or(ROOT, |root| root.fields[top as usize]);
            match self.columns.element(field) {
                Some(element) => self.columns.truncate(element, self.row.field.len),
                None => self.columns.truncate(field, self.row.index),
            }
            let depth = self.open.len() as u32 - 1;
            self.open.truncate(1);
            self.state = if depth == 0 {
                RowState::Struct
            } else {
                RowState::Skipped(depth)
            };
        }
        self.problems.unfit.get_or_insert(Problem {
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
        self.problems.unfit.get_or_insert(Problem {
            kind: RowErrorKind::Repeated,
            place,
            column: Some(column),
        });
    }

    /// Ends the row: adds it to the batch, or removes it. Returns its error, if it has one.
    #[inline]
    pub(in crate::decoder) fn finish_row(&mut self, source: Option<&Source>) -> Option<RowError> {
        self.state = RowState::Outside;
        let error = match self.problems.is_empty() {
            true => None,
            false => Some(self.finish_malformed_row(source)),
        };
        debug_assert!(self.columns.are_consistent());
        error
    }

    #[cold]
    fn finish_malformed_row(&mut self, source: Option<&Source>) -> RowError {
        let problems = std::mem::take(&mut self.problems);
        let is_too_long = problems.is_too_long;
        let is_whole = problems.broken.is_some() || is_too_long || problems.is_root_unfit;
        let problem = match is_too_long {
            true => None,
            false => problems.broken.or(problems.unfit),
        };
        let problem = problem.or(self.row.end_place.map(|place| Problem {
            kind: match problems.has_too_many_cells {
                true => RowErrorKind::TooManyCells {
                    limit: MAX_ROW_CELLS,
                },
                false => too_long(self.options.max_row_bytes),
            },
            place: Place::new(self.row.start_tag, place.position),
            column: None,
        }));
        let source = source.filter(|_| !is_too_long);
        let is_kept = self.options.mode == Mode::Permissive && self.replace_row(is_whole, source);
        if !is_kept {
            self.columns.truncate(ROOT, self.row.index);
        }
        if is_too_long {
            // The number of bytes up to the place where the row was found too long depends on the chunks.
            self.row.text_bytes = 0;
        }
        self.error_of(problem)
    }

    /// Makes all columns of the current row null if `is_whole` is true, and fills the column of corrupt records from the
    /// source, which is not retained for a row that is too long. Returns false if a column is not nullable.
    fn replace_row(&mut self, is_whole: bool, source: Option<&Source>) -> bool {
        let row = self.row.index;
        if is_whole {
            self.columns.truncate(ROOT, row);
        }
        if let Some(column) = self.options.corrupt_column {
            self.columns.truncate(column, row);
            let text = source.map_or(String::new(), |source| {
                source.text(self.row.start_tag.start..self.row.end)
            });
            let is_retained = !text.is_empty() && text.len() as u64 <= MAX_ROW_TEXT_BYTES;
            let is_pushed = match is_retained {
                true => self.columns.push_source(column, &text).is_ok(),
                // The other columns have their values already, unless the whole row is null.
                false => is_whole || self.columns.push_null(column).is_ok(),
            };
            if !is_pushed {
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
            bytes: span.map_or(self.row.start_tag.start..self.row.end, |span| {
                span.start..span.end
            }),
            row: self.row.start_tag.start,
            line: position.line(),
            column: position.column(),
            column_name: column.map(|column| self.columns.all[column as usize].path.clone()),
            kind,
        }
    }

    /// Handles an event that is neither a tag nor a text.
    #[cold]
    pub(in crate::decoder) fn other_event(&mut self, event: &Event<'_>) {
        let (message, place) = match event {
            Event::ParseError(error) => {
                let place = Place::new(error.span(), error.position());
                (error.code().message(), place)
            }
            Event::SkippedEntity(entity) => {
                let place = Place::new(entity.span(), entity.position());
                (SKIPPED_ENTITY, place)
            }
            event => {
                if let Some(matcher) = &mut self.matcher {
                    matcher.matches(event);
                }
                return;
            }
        };
        if place.span.start < self.bounds.head_bytes {
            return;
        }
        if let Event::ParseError(error) = event {
            let is_doctype = error.code().as_str().ends_with("doctype");
            self.bounds.has_late_doctype |= self.bounds.has_begun && is_doctype;
        }
        let problem = Problem {
            kind: RowErrorKind::Malformed(message),
            place,
            column: None,
        };
        match self.state {
            RowState::Outside => self.strays.add(problem),
            _ => _ = self.problems.broken.get_or_insert(problem),
        }
    }

    /// Returns an error outside of rows that is before the current row, or at the end of the input.
    pub(in crate::decoder) fn take_error_outside(&mut self, is_end: bool) -> Option<RowError> {
        if is_end {
            self.strays.separate(u64::MAX);
        }
        let problem = self.strays.take_outside()?;
        let mut error = self.error_of(Some(problem));
        error.row = error.bytes.start;
        Some(error)
    }

    /// Removes the last row, which an error before it makes unread.
    pub(in crate::decoder) fn remove_last_row(&mut self) {
        self.columns.truncate(ROOT, self.row.index);
    }
}
