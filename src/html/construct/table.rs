//! The schema made into a table of look-ups: for every mode and token the first row that matches. It
//! must not know what the rows do.

use super::elements::{KNOWN, Names};
use super::notation::{Kind, MODES, Mode, Row, Tokens};
use super::schema;

/// A column for each kind of token without a name, each start tag, each end tag; the last name stands
/// for all that are not known.
pub(super) const STARTS: usize = 6;
pub(super) const ENDS: usize = STARTS + KNOWN + 1;
const COLUMNS: usize = ENDS + KNOWN + 1;

/// No row.
const NOWHERE: u8 = u8::MAX;

type Columns = [u8; COLUMNS];

/// The rows, and where to begin looking for one.
#[derive(Debug)]
pub(super) struct Schema {
    tables: [&'static [Row]; MODES],
    first: [Columns; MODES],
}

/// The column of a token that has no name.
pub(super) const fn column(kind: Kind) -> usize {
    kind as usize
}

/// The first row for each column.
const fn first(rows: &[Row]) -> Columns {
    let mut columns = [NOWHERE; COLUMNS];
    let mut next = rows.len();
    assert!(next < NOWHERE as usize);
    while next > 0 {
        next -= 1;
        let tokens = &rows[next].tokens;
        let mut kind = 0;
        while kind < STARTS {
            if tokens.kinds >> kind & 1 != 0 {
                columns[kind] = next as u8;
            }
            kind += 1;
        }
        mark(&mut columns, STARTS, tokens.starts, next as u8);
        mark(&mut columns, ENDS, tokens.ends, next as u8);
    }
    columns
}

const fn mark(columns: &mut Columns, from: usize, names: Names, row: u8) {
    let mut number = 0;
    while number <= KNOWN {
        if names.has(number) {
            columns[from + number] = row;
        }
        number += 1;
    }
}

/// The columns of one table, as a constant of its own: the compiler watches how long one takes.
struct Of<const MODE: usize>;

impl<const MODE: usize> Of<MODE> {
    const FIRST: Columns = first(schema::TABLES[MODE]);
}

/// The schema of HTML.
pub(super) static SCHEMA: Schema = Schema {
    tables: schema::TABLES,
    first: [
        Of::<0>::FIRST,
        Of::<1>::FIRST,
        Of::<2>::FIRST,
        Of::<3>::FIRST,
        Of::<4>::FIRST,
        Of::<5>::FIRST,
        Of::<6>::FIRST,
        Of::<7>::FIRST,
        Of::<8>::FIRST,
        Of::<9>::FIRST,
        Of::<10>::FIRST,
        Of::<11>::FIRST,
        Of::<12>::FIRST,
        Of::<13>::FIRST,
        Of::<14>::FIRST,
        Of::<15>::FIRST,
        Of::<16>::FIRST,
        Of::<17>::FIRST,
        Of::<18>::FIRST,
        Of::<19>::FIRST,
        Of::<20>::FIRST,
        Of::<21>::FIRST,
        Of::<22>::FIRST,
        Of::<23>::FIRST,
        Of::<24>::FIRST,
    ],
};

impl Schema {
    /// The rows of a mode, from the first that matches the token on; empty if there is none.
    #[inline(always)]
    pub(super) fn rows(&self, mode: Mode, column: usize) -> &'static [Row] {
        let rows = self.tables[mode as usize];
        let first = self.first[mode as usize][column] as usize;
        rows.get(first..).unwrap_or_default()
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
