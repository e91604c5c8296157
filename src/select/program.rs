//! The compiled form of a selector list: steps, each a compound selector with the combinator before it, in groups of
//! at most 64 steps. The module `automaton` explains how steps are matched.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use cssparser::ToCss;
use selectors::attr::AttrSelectorOperator;

/// Maximum number of steps in a group: a set of steps is a `u64`.
pub(super) const MAX_GROUP_STEPS: usize = 64;

/// A compiled selector list.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// The selectors of the list. A group contains as many selectors as it has room for.
    pub(super) groups: Vec<Group>,
    /// Searches over the whole tree that have to be done before single elements can be matched (`:has`,
    /// `:nth-last-child(… of S)`).
    pub(super) surveys: Vec<Survey>,
}

/// Steps that are matched together. The predecessor of step *n*, to the left of its combinator, is step *n* − 1. The
/// steps of a nested selector (`:is(…)`) precede the step that contains it. The fields of type `u64` are sets of
/// steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) steps: Vec<Step>,
    /// The steps that begin a selector.
    pub(super) first: u64,
    /// The steps that follow a descendant combinator. The fields `child`, `next` and `later` are the same for `>`,
    /// `+` and `~`.
    pub(super) descendant: u64,
    pub(super) child: u64,
    pub(super) next: u64,
    pub(super) later: u64,
    /// The last steps of the selectors in the list, not of nested ones. An element matches if one of them holds
    /// there.
    pub(super) accept: u64,
    /// The arguments of `of` in `:nth-child(… of S)`.
    pub(super) counted: Vec<Counted>,
    /// Local names of the elements that `:nth-of-type` and similar pseudo-classes count.
    pub(super) types: Vec<Name>,
    /// True if elements of all types are counted, because a compound with `:nth-of-type` contains no type selector.
    pub(super) counts_all_types: bool,
    /// True if matching depends on siblings: on sibling combinators or on positions.
    pub(super) looks_beside: bool,
}

/// A compound selector.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) tests: Box<[Test]>,
}

/// The combinator between two compounds.
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
    /// The local name matches. HTML elements in HTML documents are compared with the name in lower case.
    Name(Name),
    Namespace(Option<Box<str>>),
    Id(Box<str>),
    Class(Box<str>),
    Attribute(Box<AttributeTest>),
    /// At least one of these steps holds at the element (`:is`, `:where`).
    Any(u64),
    /// None of these steps holds at the element (`:not`).
    No(u64),
    Root,
    Scope,
    Empty,
    /// The position among the siblings is in the set that An+B describes (`:nth-child` and similar).
    Index(Index),
    /// The element is an only child (`:only-child`) or the only child of its type (`:only-of-type`).
    Only {
        of_type: bool,
    },
    /// The element is in the set of the survey with this index (`:has`).
    In(usize),
    State(State),
    /// Never matches.
    Never,
}

/// A name as written in the selector, and in lower case.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) written: Box<str>,
    /// The name in lower case, if it differs from `written`.
    pub(super) lower: Option<Box<str>>,
}

impl Name {
    pub(super) fn new(written: &str, lower: &str) -> Name {
        Name {
            written: written.into(),
            lower: (written != lower).then(|| lower.into()),
        }
    }

    /// Returns true if an element or attribute has this name. `is_html` returns true if it belongs to an HTML element
    /// in an HTML document, whose names match case-insensitively.
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
    /// The condition on the value, or `None` if the attribute only has to be present.
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
    /// Ignored on HTML elements in HTML documents, because the attribute is in the list of the HTML standard:
    /// <https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors>.
    IgnoredInHtml,
}

/// A position among siblings in the form An+B, where A is `step` and B is `offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Index {
    pub(super) step: i64,
    pub(super) offset: i64,
    pub(super) of: Of,
    pub(super) from_end: bool,
}

/// The siblings that are counted for a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    Children,
    Type,
    /// The siblings that match a selector. The number is an index into [`Group::counted`].
    Matching(usize),
}

/// A way to find the elements that match `S` in `:nth-child(… of S)`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counted {
    /// The elements at which one of these steps holds.
    Steps(u64),
    /// The elements in the set of the survey with this index. Positions counted from the last sibling need it,
    /// because later siblings were not entered yet.
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

/// A pseudo-class that the HTML standard defines, and that the document alone determines, without user input.
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

/// A search over all elements of a tree. The result is a set of elements.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    pub(super) group: Group,
    pub(super) wanted: Wanted,
}

#[derive(Clone, Debug)]
pub(super) enum Wanted {
    /// The elements that match the selectors of the group.
    Matching,
    /// The elements that match `:has(…)` with one of these relative selectors.
    Having(Vec<Relative>),
}

/// A relative selector, the argument of `:has`: combinators from left to right, each with the number of the step to
/// its right.
pub(super) type Relative = Vec<(Combinator, u32)>;

impl Group {
    /// Returns true if elements with this name are counted by type.
    pub(super) fn counts_type(&self, name: &str, is_html: impl Fn() -> bool) -> bool {
        self.counts_all_types || self.types.iter().any(|one| one.is(name, &is_html))
    }
}

impl Program {
    /// Returns true if matching depends on the siblings of elements.
    pub(super) fn looks_beside(&self) -> bool {
        self.groups.iter().any(|group| group.looks_beside)
    }
}
