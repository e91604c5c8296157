//! A table of the schema made into one of look-ups: for every token the first row that matches. It must
//! not know what the rows do.

use super::notation::{Row, Tokens};
use crate::text::html_name_sets::KNOWN;

/// A column for each kind of token without a name, each start tag, each end tag; the last name stands
/// for all that are not known.
pub(super) const STARTS: usize = 6;
pub(super) const ENDS: usize = STARTS + KNOWN + 1;
const COLUMNS: usize = ENDS + KNOWN + 1;

/// All tables, one for each mode.
pub(super) type Schema = [Table; super::schema::TABLES.len()];

/// The rows of a mode, and where to begin looking for one.
#[derive(Clone, Debug)]
pub(super) struct Table {
    rows: &'static [Row],
    first: [u8; COLUMNS],
}

impl Table {
    pub(super) const fn new(rows: &'static [Row]) -> Table {
        let mut first = [u8::MAX; COLUMNS];
        let mut next = rows.len();
        assert!(next < u8::MAX as usize);
        while next > 0 {
            next -= 1;
            let mut column = 0;
            while column < COLUMNS {
                if rows[next].tokens.has(column) {
                    first[column] = next as u8;
                }
                column += 1;
            }
        }
        Table { rows, first }
    }

    /// The rows from the first that matches the token of this column on; empty if there is none.
    #[inline(always)]
    pub(super) fn rows(&self, column: usize) -> &'static [Row] {
        self.rows
            .get(self.first[column] as usize..)
            .unwrap_or_default()
    }
}

impl Tokens {
    /// Whether the token of this column is in the set.
    pub(super) const fn has(&self, column: usize) -> bool {
        if column < STARTS {
            self.kinds >> column & 1 != 0
        } else if column < ENDS {
            self.starts.has(column - STARTS)
        } else {
            self.ends.has(column - ENDS)
        }
    }
}
