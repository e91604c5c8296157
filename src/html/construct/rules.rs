//! What a description by rules is made of: tokens and sets of them, properties as bits, rows, and tables
//! of look-ups made of rows. It must not know what any rule says.

use super::numbers::{Name, known};
use crate::event::{Doctype, StartTag};
use crate::html::names::{KNOWN, Names};
#[cfg(feature = "inspect")]
use alloc::{boxed::Box, vec::Vec};

/// Declares a set of properties, each a bit.
macro_rules! bits {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
        pub(in crate::html) struct $name(u64);

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
    /// Elements in scope at a place in the stack, a bit for each in each scope.
    Scoped
}

impl Scoped {
    /// All of this set that are in the other too; that are not.
    pub(super) const fn and(self, other: Scoped) -> Scoped {
        Scoped(self.0 & other.0)
    }

    pub(super) const fn without(self, other: Scoped) -> Scoped {
        Scoped(self.0 & !other.0)
    }
}

/// Scopes, in each of which some names are asked for: each pair has a bit. Of each the names that are
/// asked for, those that end it, and whether what is special among foreign elements does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scopes(pub(super) &'static [(Names, Names, bool)]);

impl Scopes {
    /// The first bit of a scope; within it the names have theirs in order.
    pub(super) const fn first(self, scope: usize) -> u32 {
        let (mut first, mut before) = (0, 0);
        while before < scope {
            first += self.0[before].0.rank(KNOWN);
            before += 1;
        }
        first
    }

    /// Those of the names `which` that are asked for in a scope.
    pub(super) const fn scoped(self, scope: usize, which: Names) -> Scoped {
        let (asked, first) = (self.0[scope].0, self.first(scope));
        let (mut scoped, mut number) = (Scoped::NONE, 0);
        while number < KNOWN {
            if which.has(number) && asked.has(number) {
                scoped = scoped.or(Scoped::nth(first + asked.rank(number)));
            }
            number += 1;
        }
        scoped
    }

    /// All that is out of scope above an element of HTML of this number, or a special foreign one.
    pub(super) const fn bounded_by(self, number: Option<usize>) -> Scoped {
        let (mut bounded, mut scope) = (Scoped::NONE, 0);
        while scope < self.0.len() {
            let (_, ends, ends_at_foreign) = self.0[scope];
            let is_end = match number {
                Some(number) => ends.has(number),
                None => ends_at_foreign,
            };
            if is_end {
                bounded = bounded.or(self.scoped(scope, Names::ALL));
            }
            scope += 1;
        }
        bounded
    }

    /// The bits by which an element of HTML is in scope itself.
    pub(super) const fn own(self, number: usize) -> Scoped {
        let (mut own, mut scope) = (Scoped::NONE, 0);
        while scope < self.0.len() {
            own = own.or(self.scoped(scope, Names::one(number)));
            scope += 1;
        }
        own
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
const STARTS: usize = Kind::EndOfFile as usize + 1;
const ENDS: usize = STARTS + KNOWN + 1;
const COLUMNS: usize = ENDS + KNOWN + 1;

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    /// Its column in the tables of the schema.
    pub(super) column: usize,
    /// The name of a tag.
    pub(super) name: Name<'a>,
    pub(super) content: Content<'a>,
}

/// What a token holds beside its name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    /// An end tag; a start tag without attributes that nobody wrote; the end of the input.
    Nothing,
    Tag(&'a StartTag<'a>),
    /// Characters, or a comment.
    Text(&'a str),
    Instruction {
        target: &'a str,
        data: &'a str,
    },
    Doctype(Doctype<'a>),
}

impl<'a> Token<'a> {
    #[inline]
    pub(super) fn start(name: Name<'a>, content: Content<'a>) -> Token<'a> {
        Token::new(STARTS + known(name.number), name, content)
    }

    #[inline]
    pub(super) fn end(name: Name<'a>) -> Token<'a> {
        Token::new(ENDS + known(name.number), name, Content::Nothing)
    }

    #[inline]
    pub(super) fn other(kind: Kind, content: Content<'a>) -> Token<'a> {
        Token::new(kind as usize, Name::NONE, content)
    }

    #[inline]
    fn new(column: usize, name: Name<'a>, content: Content<'a>) -> Token<'a> {
        Token {
            column,
            name,
            content,
        }
    }

    pub(super) fn is_end(&self) -> bool {
        self.column >= ENDS
    }

    /// The start tag, if somebody wrote one.
    pub(super) fn tag(&self) -> Option<&'a StartTag<'a>> {
        match self.content {
            Content::Tag(tag) => Some(tag),
            _ => None,
        }
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.tag()?.attribute(name)
    }

    pub(super) fn text(&self) -> &'a str {
        match self.content {
            Content::Text(text) => text,
            _ => "",
        }
    }
}

/// A set of tokens.
#[derive(Clone, Copy, Debug)]
pub(in crate::html) struct Tokens {
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

    /// Whether tokens of a kind are in the set; the names of the start tags and of the end tags that are.
    #[cfg(feature = "cli")]
    pub(super) const fn has_kind(&self, kind: Kind) -> bool {
        self.has(kind as usize)
    }

    #[cfg(feature = "cli")]
    pub(super) const fn names(&self) -> (Names, Names) {
        (self.starts, self.ends)
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
#[derive(Clone, Copy, Debug)]
pub(in crate::html) struct Row<Guard: 'static, Action: 'static> {
    pub(super) tokens: Tokens,
    pub(super) guards: &'static [Guard],
    pub(super) actions: &'static [Action],
}

/// Rows, and where to begin looking for one.
#[derive(Clone, Copy, Debug)]
pub(in crate::html) struct Table<Guard: 'static, Action: 'static> {
    rows: &'static [Row<Guard, Action>],
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

    /// All rows.
    #[cfg(feature = "cli")]
    pub(super) fn all(&self) -> &'static [Row<Guard, Action>] {
        self.rows
    }

    /// The rows from the first that is for the token of this column on; empty if there is none.
    #[inline(always)]
    pub(super) fn rows(&self, column: usize) -> &'static [Row<Guard, Action>] {
        let first = self.first[column] as usize;
        self.rows.get(first..).unwrap_or_default()
    }
}

/// Tables of which one lacks a row, for tests that ask whether each row is needed: they are never
/// freed. The rows are counted through all tables; gives none if there are not so many.
#[cfg(feature = "inspect")]
pub(super) fn without_row<Guard: Copy, Action: Copy, const TABLES: usize>(
    tables: &[Table<Guard, Action>; TABLES],
    mut row: usize,
) -> Option<&'static [Table<Guard, Action>; TABLES]> {
    let mut tables = *tables;
    for table in &mut tables {
        if row < table.rows.len() {
            let mut rows = table.rows.to_vec();
            rows.remove(row);
            *table = Table::new(Vec::leak(rows));
            return Some(Box::leak(Box::new(tables)));
        }
        row -= table.rows.len();
    }
    None
}
