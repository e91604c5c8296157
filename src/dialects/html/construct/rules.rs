//! The building blocks of rule tables: tokens and sets of tokens, groups and scopes as bit sets, rows, and tables
//! that find the first row for a token.

use super::numbers::{Name, known};
use crate::dialects::html::names::{KNOWN_NAMES, Names};
use crate::engine::event::{Doctype, StartTag};

/// Declares a bit set type.
macro_rules! bits {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::dialects::html) struct $name(u64);

        crate::checkpoint::checkpointable! {
            struct $name(bits);
        }

        impl $name {
            pub(super) const NONE: $name = $name(0);

            /// Returns the set that contains only the member with this number.
            pub(super) const fn nth(number: u32) -> $name {
                $name(1 << number)
            }

            /// Returns whether both sets have the same members: `==` in constant expressions.
            #[inline(always)]
            pub(super) const fn is(self, other: $name) -> bool {
                self.0 == other.0
            }

            /// Returns the union of both sets.
            pub(super) const fn or(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }

            /// Returns whether both sets have a member in common.
            #[inline(always)]
            pub(super) const fn meets(self, other: $name) -> bool {
                self.0 & other.0 != 0
            }
        }
    };
}
bits! {
    /// A set of groups of elements. An element has the bit of each group that it belongs to.
    Group
}
bits! {
    /// The elements that are in scope at a position of the stack. There is a bit for each scope and each name that is
    /// searched for in that scope: see [`Scopes`].
    Scoped
}

impl Scoped {
    /// Returns the members of this set that are in `other`.
    pub(super) const fn and(self, other: Scoped) -> Scoped {
        Scoped(self.0 & other.0)
    }

    /// Returns the members of this set that are not in `other`.
    pub(super) const fn without(self, other: Scoped) -> Scoped {
        Scoped(self.0 & !other.0)
    }
}

/// A scope: the part of the stack in which an element is searched for.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialects::html) enum Scope {
    /// The standard's "in scope".
    Default,
    Button,
    List,
    Table,
    /// The part of the stack in which a start tag `li`, `dd` or `dt` searches for an open item to close.
    Item,
    /// The whole stack.
    Open,
    /// The part of the stack above the innermost template.
    Around,
}

/// The scopes in which elements are searched for. For each scope: the names that are searched for, the HTML elements
/// that end the scope, and whether foreign elements of the category "special" end the scope. Each pair of a scope and
/// a name that is searched for has a bit in [`Scoped`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Scopes(pub(super) &'static [(Names, Names, bool)]);

impl Scopes {
    /// Returns the first bit of a scope. The bits of its names follow, in the order of the names.
    pub(super) const fn first(self, scope: usize) -> u32 {
        let (mut first, mut before) = (0, 0);
        while before < scope {
            first += self.0[before].0.rank(KNOWN_NAMES);
            before += 1;
        }
        first
    }

    /// Returns the bits in [`Scoped`] for the names `which` in a scope. Names that are not searched for in the scope
    /// have no bit.
    pub(super) const fn scoped(self, scope: usize, which: Names) -> Scoped {
        let (asked, first) = (self.0[scope].0, self.first(scope));
        let (mut scoped, mut left) = (Scoped::NONE, asked.without(asked.without(which)));
        while let Some(number) = left.first() {
            scoped = scoped.or(Scoped::nth(first + asked.rank(number)));
            left = left.without(Names::one(number));
        }
        scoped
    }

    /// Returns the bits in [`Scoped`] for the names `which` in a scope, like [`Scopes::scoped`].
    pub(super) const fn of(self, scope: Scope, which: Names) -> Scoped {
        self.scoped(scope as usize, which)
    }

    /// Returns the bits of all scopes that an element ends. When the element is pushed, these bits are cleared before
    /// its own bits are set. The element is the HTML element with this number, or, for `None`, a foreign element of the
    /// category "special".
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

    /// Returns the bits of an HTML element in all scopes in which it is searched for.
    pub(super) const fn own(self, number: usize) -> Scoped {
        let (mut own, mut scope) = (Scoped::NONE, 0);
        while scope < self.0.len() {
            own = own.or(self.scoped(scope, Names::one(number)));
            scope += 1;
        }
        own
    }
}

/// The kinds of tokens other than tags. A run of text is split into runs of the first three kinds: U+0000, whitespace,
/// and other characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TokenKind {
    Null,
    Space,
    #[default]
    Character,
    /// A comment or a processing instruction.
    Comment,
    Doctype,
    EndOfFile,
}

/// Number of the first column of start tags. A rule table has a column for each kind of token without a name, for
/// each start tag and for each end tag. All tags with unknown names share the last column of their kind.
pub(super) const STARTS: usize = TokenKind::EndOfFile as usize + 1;
/// Number of the first column of end tags.
pub(super) const ENDS: usize = STARTS + KNOWN_NAMES + 1;
/// Number of columns of a rule table.
pub(super) const COLUMNS: usize = ENDS + KNOWN_NAMES + 1;

/// A token, in the form in which it is matched with the rows of the rule tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    /// The token's column in the rule tables: see [`STARTS`] and [`ENDS`].
    pub(super) column: usize,
    /// The name, if the token is a tag; otherwise [`Name::NONE`].
    pub(super) name: Name<'a>,
    pub(super) content: Content<'a>,
}

/// The content of a token other than its name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    /// No content: an end tag, an implied start tag without attributes, or the end of the input.
    Nothing,
    /// The start tag that was written.
    Tag(&'a StartTag<'a>),
    /// The characters of a run of text, or the data of a comment.
    Text(&'a str),
    /// The target and the data of a processing instruction.
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
    pub(super) fn other(kind: TokenKind, content: Content<'a>) -> Token<'a> {
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

    /// Returns the start tag, unless it is implied.
    pub(super) fn tag(&self) -> Option<&'a StartTag<'a>> {
        match self.content {
            Content::Tag(tag) => Some(tag),
            _ => None,
        }
    }

    /// Returns the value of an attribute.
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

/// The set of tokens to which a row of a rule table applies. Tags are in the set by name, other tokens by kind.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialects::html) struct Tokens {
    /// One bit for each [`TokenKind`].
    kinds: u8,
    /// The names of the start tags in the set.
    starts: Names,
    /// The names of the end tags in the set.
    ends: Names,
}

impl Tokens {
    pub(super) const ALL: Tokens = Tokens {
        kinds: u8::MAX,
        starts: Names::ALL,
        ends: Names::ALL,
    };

    /// Returns the set of all tokens of a kind.
    pub(super) const fn of(kind: TokenKind) -> Tokens {
        Tokens {
            kinds: 1 << kind as u8,
            starts: Names::NONE,
            ends: Names::NONE,
        }
    }

    /// Returns the set of start tags and end tags with the given names.
    pub(super) const fn tags(starts: Names, ends: Names) -> Tokens {
        Tokens {
            kinds: 0,
            starts,
            ends,
        }
    }

    /// Returns the union of both sets.
    pub(super) const fn or(self, other: Tokens) -> Tokens {
        Tokens {
            kinds: self.kinds | other.kinds,
            starts: self.starts.or(other.starts),
            ends: self.ends.or(other.ends),
        }
    }

    /// Returns whether the set contains the tokens of a kind.
    #[cfg(any(test, feature = "inspect"))]
    pub(super) const fn has_kind(&self, kind: TokenKind) -> bool {
        self.has(kind as usize)
    }

    /// Returns the names of the start tags and of the end tags in the set.
    #[cfg(any(test, feature = "inspect"))]
    pub(super) const fn names(&self) -> (Names, Names) {
        (self.starts, self.ends)
    }

    /// Returns whether the set contains the tokens of this column.
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

/// A rule: the actions for certain tokens if all conditions are true.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialects::html) struct Row<Guard: 'static, Action: 'static> {
    pub(super) tokens: Tokens,
    pub(super) guards: &'static [Guard],
    pub(super) actions: &'static [Action],
}

/// A rule table. It finds the first row for each column in constant time.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialects::html) struct Table<Guard: 'static, Action: 'static> {
    pub(super) rows: &'static [Row<Guard, Action>],
    /// For each column, the index in `rows` of the first row that lists its tokens, or `u8::MAX`.
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

    /// Returns the index of the first row that applies to tokens of this column, or an index after all rows.
    pub(super) const fn first(&self, column: usize) -> usize {
        self.first[column] as usize
    }

    /// Returns all rows.
    pub(super) const fn all(&self) -> &'static [Row<Guard, Action>] {
        self.rows
    }

    /// Returns the rows from the first one that applies to tokens of this column. Returns an empty slice if there is
    /// none.
    #[inline(always)]
    pub(super) fn rows(&self, column: usize) -> &'static [Row<Guard, Action>] {
        self.rows.get(self.first(column)..).unwrap_or_default()
    }
}

crate::checkpoint::checkpointable! {
    enum TokenKind { Null, Space, Character, Comment, Doctype, EndOfFile }
}
