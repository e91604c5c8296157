//! What a selector is once it is compiled: steps, each a compound with the combinator before it, in groups
//! of as many as a word has bits. It must not know of documents or events.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use cssparser::ToCss;
use selectors::attr::AttrSelectorOperator;

/// So many steps are in one group: one bit each.
pub(super) const MOST: usize = 64;

/// A list of selectors.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// The selectors of the list, as many in one group as have room there.
    pub(super) groups: Vec<Group>,
    /// What has to be known of a whole tree before one element of it can be judged.
    pub(super) surveys: Vec<Survey>,
}

/// Steps that are taken side by side. The predecessor of a step is the one before it; those of a selector
/// within another (`:is(…)`) stand before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) steps: Vec<Step>,
    /// The steps that begin a selector.
    pub(super) first: u64,
    /// The steps that are after each combinator.
    pub(super) descendant: u64,
    pub(super) child: u64,
    pub(super) next: u64,
    pub(super) later: u64,
    /// The last steps of the selectors that are asked for.
    pub(super) accept: u64,
    /// What `of` counts.
    pub(super) counted: Vec<Counted>,
    /// The names whose types are counted.
    pub(super) types: Vec<Name>,
    /// All types are counted.
    pub(super) counts_all_types: bool,
    /// Something counts, or asks for siblings.
    pub(super) looks_beside: bool,
}

/// A compound selector.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) tests: Box<[Test]>,
}

/// What stands between two compounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

/// A condition on one element.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// The local name; in HTML the one in lower case.
    Name(Name),
    Namespace(Option<Box<str>>),
    Id(Box<str>),
    Class(Box<str>),
    Attribute(Box<AttributeTest>),
    /// One of these steps holds here (`:is`, `:where`).
    Any(u64),
    /// None of these does (`:not`).
    No(u64),
    Root,
    Scope,
    Empty,
    /// Its number among siblings is one of those that are asked for.
    Index(Index),
    /// `:only-child`, or of its type.
    Only {
        of_type: bool,
    },
    /// It is in the set of this survey (`:has`).
    In(usize),
    State(State),
    /// Nothing matches.
    Never,
}

/// A name as it is written, and in lower case.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) written: Box<str>,
    /// Where that is another.
    pub(super) lower: Option<Box<str>>,
}

impl Name {
    pub(super) fn new(written: &str, lower: &str) -> Name {
        Name {
            written: written.into(),
            lower: (written != lower).then(|| lower.into()),
        }
    }

    /// Whether an element or attribute has this name; `is_html` says whether HTML's rules are for it.
    #[inline(always)]
    pub(super) fn is(&self, name: &str, is_html: impl FnOnce() -> bool) -> bool {
        match &self.lower {
            None => *self.written == *name,
            Some(lower) if is_html() => **lower == *name,
            Some(_) => *self.written == *name,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct AttributeTest {
    pub(super) namespace: AttributeNamespace,
    pub(super) name: Name,
    /// `None`: it is there.
    pub(super) value: Option<ValueTest>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AttributeNamespace {
    Any,
    None,
    Is(Box<str>),
}

#[derive(Clone)]
pub(super) struct ValueTest {
    pub(super) operator: AttrSelectorOperator,
    pub(super) case: Case,
    pub(super) value: String,
}

impl fmt::Debug for ValueTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.operator.to_css(f)?;
        write!(f, "{:?} {:?}", self.value, self.case)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Sensitive,
    Ignored,
    /// Ignored on elements of HTML in documents of HTML: the attribute is in the standard's list.
    IgnoredInHtml,
}

/// An+B.
#[derive(Clone, Copy, Debug)]
pub(super) struct Index {
    pub(super) step: i64,
    pub(super) offset: i64,
    pub(super) of: Of,
    pub(super) from_end: bool,
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    Children,
    Type,
    /// What matches, by its place in [`Group::counted`].
    Matching(usize),
}

/// What matches the selectors behind `of`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counted {
    /// Elements where one of these steps holds.
    Steps(u64),
    /// Those in the set of a survey: what comes later has to be known.
    Survey(usize),
}

impl Index {
    pub(super) fn admits(&self, number: u64) -> bool {
        let Ok(number) = i64::try_from(number) else {
            return false;
        };
        let distance = number - self.offset;
        match self.step {
            0 => distance == 0,
            step => distance % step == 0 && distance / step >= 0,
        }
    }
}

/// A pseudo-class that the standard of HTML defines, as far as a tree that nobody has touched tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Link,
    Checked,
    Disabled,
    Enabled,
    Required,
    Optional,
    ReadOnly,
    ReadWrite,
    PlaceholderShown,
}

/// What is asked of all elements of a tree at once.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    pub(super) group: Group,
    pub(super) wanted: Wanted,
}

#[derive(Clone, Debug)]
pub(super) enum Wanted {
    /// Elements that the group's selectors match.
    Matching,
    /// Elements from which one of these leads to others.
    Having(Vec<Relative>),
}

/// A selector behind `:has`: combinators and the steps after them, from left to right.
pub(super) type Relative = Vec<(Combinator, u32)>;

impl Group {
    /// Whether elements of this one's type are counted.
    pub(super) fn counts_type(&self, name: &str, is_html: impl Fn() -> bool) -> bool {
        self.counts_all_types || self.types.iter().any(|one| one.is(name, &is_html))
    }
}

impl Program {
    /// Whether an element's siblings matter.
    pub(super) fn looks_beside(&self) -> bool {
        self.groups.iter().any(|group| group.looks_beside)
    }
}
