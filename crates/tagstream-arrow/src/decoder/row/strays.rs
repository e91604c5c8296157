//! Errors outside of rows. The errors of a start tag are reported before the tag, so it is known only at the next start
//! tag whether an error belongs to a row.

use super::problems::Problem;

/// Maximum number of errors between two rows of which it is not known whether they are in the start tag of the second.
/// If there are more, the last one is retained.
const MAX_STRAYS: usize = 64;

/// Errors outside of rows since the last text. They belong to the next row if their places are in its start tag.
#[derive(Debug, Default)]
pub(super) struct Strays {
    errors: Vec<Problem>,
    /// The first error that is certainly outside of rows.
    outside: Option<Problem>,
}

impl Strays {
    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    pub(super) fn add(&mut self, error: Problem) {
        if self.errors.len() >= MAX_STRAYS {
            self.errors.pop();
        }
        self.errors.push(error);
    }

    /// Removes the errors that begin before an offset. They are outside of rows, and the first of them is reported.
    pub(super) fn separate(&mut self, start: u64) {
        if self.errors.is_empty() {
            return;
        }
        let is_inside = |error: &Problem| error.place.span.start >= start;
        let before = self.errors.iter().position(is_inside);
        let mut outside = self.errors.drain(..before.unwrap_or(self.errors.len()));
        self.outside = self.outside.take().or(outside.next());
    }

    /// Takes the errors of the row whose start tag has this offset. Returns the first one.
    pub(super) fn take_first_of_row(&mut self, start: u64) -> Option<Problem> {
        self.separate(start);
        self.errors.drain(..).next()
    }

    /// Takes the first error that is certainly outside of rows.
    pub(super) fn take_outside(&mut self) -> Option<Problem> {
        self.outside.take()
    }
}
