//! The record of the rows that tree construction has applied. Without the feature `inspect` it does nothing.

use super::notation::{Row, Table};
use super::rules::Token;
#[cfg(feature = "inspect")]
use alloc::string::String;
#[cfg(feature = "inspect")]
use alloc::vec::Vec;

/// The rows that were applied since they were taken, if they are recorded.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    /// The number of the table, the number of the row in it, and the token. `None` if rows are not recorded.
    #[cfg(feature = "inspect")]
    pub(super) rows: Option<Vec<(usize, usize, String)>>,
}

impl Trace {
    /// Records that a row is applied to a token.
    #[cfg(not(feature = "inspect"))]
    #[inline(always)]
    pub(super) fn applied(&mut self, _: &[Table], _: &Row, _: &Token<'_>) {}

    /// Records that a row of one of the tables is applied to a token. Further rows are dropped when the list is full.
    #[cfg(feature = "inspect")]
    pub(super) fn applied(&mut self, tables: &[Table], row: &Row, token: &Token<'_>) {
        let Some(rows) = self.rows.as_mut().filter(|rows| rows.len() < MAX_ROWS) else {
            return;
        };
        let place = |table: &Table| table.all().iter().position(|one| core::ptr::eq(one, row));
        let mut numbered = tables.iter().enumerate();
        let found = numbered.find_map(|(table, rows)| Some((table, place(rows)?)));
        if let Some((table, number)) = found {
            rows.push((table, number, super::token_text::describe(token)));
        }
    }
}

/// Maximum number of rows that are recorded before they are taken.
#[cfg(feature = "inspect")]
const MAX_ROWS: usize = 10_000;
