//! What a description by rules is made of: sets of tokens and of properties as bits, rows, and tables
//! of look-ups made of rows. It must not know what any rule says.

use crate::text::html_name_sets::{KNOWN, Names};

/// Declares a set of properties, each a bit.
macro_rules! bits {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) struct $name(u64);

        impl $name {
            pub(super) const NONE: $name = $name(0);

            /// The property of this number.
            pub(super) const fn nth(number: u32) -> $name {
                $name(1 << number)
            }

            /// All in either set.
            pub(super) const fn or(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }

            /// Whether the two have one in common.
            #[inline(always)]
            pub(super) const fn meets(self, other: $name) -> bool {
                self.0 & other.0 != 0
            }
        }
    };
}
bits! {
    /// A group of elements, or several: an element carries a bit for each that it is in.
    Group
}
bits! {
    /// Elements that can be seen from a place in the stack, a bit for each in each scope.
    Seen
}

impl Seen {
    /// All of this set that are in the other too; that are not.
    pub(super) const fn and(self, other: Seen) -> Seen {
        Seen(self.0 & other.0)
    }

    pub(super) const fn without(self, other: Seen) -> Seen {
        Seen(self.0 & !other.0)
    }
}

/// The kinds of tokens that have no name. A run of text is taken apart into runs of the first three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Space,
    Character,
    /// Processing instructions too.
    Comment,
    Doctype,
    EndOfFile,
}

/// A column for each kind of token without a name, each start tag, each end tag; the last name stands
/// for all that are not known.
pub(super) const STARTS: usize = Kind::EndOfFile as usize + 1;
pub(super) const ENDS: usize = STARTS + KNOWN + 1;
const COLUMNS: usize = ENDS + KNOWN + 1;

/// A set of tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens {
    kinds: u8,
    starts: Names,
    ends: Names,
}

impl Tokens {
    pub(super) const ALL: Tokens = Tokens {
        kinds: u8::MAX,
        starts: Names::ALL,
        ends: Names::ALL,
    };

    /// Tokens of a kind.
    pub(super) const fn of(kind: Kind) -> Tokens {
        Tokens {
            kinds: 1 << kind as u8,
            starts: Names::NONE,
            ends: Names::NONE,
        }
    }

    /// Tags of these names.
    pub(super) const fn tags(starts: Names, ends: Names) -> Tokens {
        Tokens {
            kinds: 0,
            starts,
            ends,
        }
    }

    /// The tokens of either set.
    pub(super) const fn or(self, other: Tokens) -> Tokens {
        Tokens {
            kinds: self.kinds | other.kinds,
            starts: self.starts.or(other.starts),
            ends: self.ends.or(other.ends),
        }
    }

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

/// A rule: for these tokens, where all conditions hold, these actions.
#[derive(Debug)]
pub(super) struct Row<Guard: 'static, Action: 'static> {
    pub(super) tokens: Tokens,
    pub(super) guards: &'static [Guard],
    pub(super) actions: &'static [Action],
}

/// Rows, and where to begin looking for one.
#[derive(Debug)]
pub(super) struct Table<Guard: 'static, Action: 'static> {
    pub(super) rows: &'static [Row<Guard, Action>],
    first: [u8; COLUMNS],
}

impl<Guard, Action> Table<Guard, Action> {
    pub(super) const fn new(rows: &'static [Row<Guard, Action>]) -> Table<Guard, Action> {
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

    /// The rows from the first that is for the token of this column on; empty if there is none.
    #[inline(always)]
    pub(super) fn rows(&self, column: usize) -> &'static [Row<Guard, Action>] {
        let first = self.first[column] as usize;
        self.rows.get(first..).unwrap_or_default()
    }
}
