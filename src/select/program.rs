//! The compiled form of a selector list. A *step* is a compound selector, such as `li.x`, with the combinator before
//! it. Steps are in groups of at most 64. The module `automaton` explains how steps are matched.

use super::direction::Direction;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use cssparser::ToCss;
use selectors::attr::AttrSelectorOperator;

/// Maximum number of steps in a group, because a set of steps is a `u64`, one bit for each step.
pub(super) const MAX_GROUP_STEPS: usize = 64;

/// A compiled selector list.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// The selectors of the list, in groups of steps. A group contains as many whole selectors as fit in
    /// [`MAX_GROUP_STEPS`].
    pub(super) groups: Vec<Group>,
    /// The searches over the whole tree that must be done before single elements can be matched, for `:has` and
    /// `:nth-last-child(… of S)`.
    pub(super) surveys: Vec<Survey>,
}

/// A group of steps that are matched together. Step *n* − 1 is the predecessor of step *n*: the compound selector to
/// the left of its combinator. The steps of a nested selector (`:is(…)`) precede the step that contains it. A field of
/// type `u64` is a set of steps: bit *n* is step *n*.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// The steps of the group.
    pub(super) steps: Vec<Step>,
    /// The set of steps that begin a selector, so that no combinator precedes them.
    pub(super) first: u64,
    /// The set of steps after a descendant combinator.
    pub(super) descendant: u64,
    /// The set of steps after the combinator `>`.
    pub(super) child: u64,
    /// The set of steps after the combinator `+`.
    pub(super) next: u64,
    /// The set of steps after the combinator `~`.
    pub(super) later: u64,
    /// The set of the last steps of the selectors in the list, without those of nested selectors. An element matches
    /// the list if one of these steps holds at the element.
    pub(super) accept: u64,
    /// The selectors after `of` in `:nth-child(… of S)` and `:nth-last-child(… of S)`.
    pub(super) counted: Vec<OfSelector>,
    /// Local names of the elements that `:nth-of-type` and similar pseudo-classes count.
    pub(super) types: Vec<Name>,
    /// True if elements of all types are counted, because a compound with `:nth-of-type` contains no type selector.
    pub(super) counts_all_types: bool,
    /// True if matching depends on siblings: on sibling combinators or on positions.
    pub(super) depends_on_siblings: bool,
}

/// A compound selector: a conjunction of tests.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The tests, all of which must be true.
    pub(super) tests: Box<[Test]>,
}

/// The combinator between two compound selectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combinator {
    /// Whitespace: the element is a descendant.
    Descendant,
    /// `>`: the element is a child.
    Child,
    /// `+`: the element is the next sibling.
    Next,
    /// `~`: the element is a later sibling.
    Later,
}

/// A condition on one element.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// The local name matches. HTML elements in HTML documents are compared with the name in lower case.
    Name(Name),
    /// The element is in this namespace, or in none.
    Namespace(Option<Box<str>>),
    /// The attribute `id` has this value.
    Id(Box<str>),
    /// The attribute `class` contains this word.
    Class(Box<str>),
    /// The element has an attribute that the attribute selector matches.
    Attribute(Box<AttributeTest>),
    /// At least one of these steps holds at the element (`:is`, `:where`).
    AnyOf(u64),
    /// None of these steps holds at the element (`:not`).
    NoneOf(u64),
    /// The element is the root element (`:root`).
    Root,
    /// The element is the one at which the search began (`:scope`).
    Scope,
    /// The element has no children except for comments and processing instructions (`:empty`).
    Empty,
    /// The position of the element among its siblings is in the set that An+B describes (`:nth-child` and similar).
    NthIndex(NthIndex),
    /// The element is an only child (`:only-child`), or if `of_type` is true, the only child of its type
    /// (`:only-of-type`).
    Only { of_type: bool },
    /// The element is in the set that the survey with this index in [`Program::surveys`] found (`:has`).
    InSurvey(usize),
    /// The element matches a pseudo-class of the HTML standard.
    HtmlPseudoClass(HtmlPseudoClass),
    /// The language of the element is in one of these language ranges (`:lang`).
    Language(Box<[Box<str>]>),
    /// The element has this direction (`:dir`).
    Direction(Direction),
    /// A test that is false for every element.
    Never,
}

/// The name of an element or attribute in a selector, as written and in lower case.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// The name as written in the selector.
    pub(super) written: Box<str>,
    /// The name in lower case, if it differs from `written`.
    pub(super) lower: Option<Box<str>>,
}

impl Name {
    /// Creates a name; `lower` is the name in lower case.
    pub(super) fn new(written: &str, lower: &str) -> Name {
        Name {
            written: written.into(),
            lower: (written != lower).then(|| lower.into()),
        }
    }

    /// Returns true if `name`, the name of an element or attribute in the document, is this name. `is_html` returns
    /// true for an HTML element in an HTML document and for its attributes, whose names are compared
    /// case-insensitively.
    #[inline(always)]
    pub(super) fn is(&self, name: &str, is_html: impl FnOnce() -> bool) -> bool {
        *self.of(is_html) == *name
    }

    /// Returns the name that elements or attributes in the document must have. `is_html` is the same as for
    /// [`is`](Name::is).
    #[inline(always)]
    pub(super) fn of(&self, is_html: impl FnOnce() -> bool) -> &str {
        match &self.lower {
            Some(lower) if is_html() => lower,
            _ => &self.written,
        }
    }
}

/// An attribute selector: the namespace, name and value that an attribute must have.
#[derive(Clone, Debug)]
pub(super) struct AttributeTest {
    /// The condition on the namespace of the attribute.
    pub(super) namespace: AttributeNamespace,
    /// The local name of the attribute.
    pub(super) name: Name,
    /// The condition on the value, or `None` if the attribute only has to be present.
    pub(super) value: Option<ValueTest>,
}

/// The namespace that an attribute selector requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AttributeNamespace {
    /// Any namespace, or none (`[*|a]`).
    Any,
    /// No namespace (`[a]`).
    None,
    /// This namespace (`[p|a]`).
    Is(Box<str>),
}

/// The condition of an attribute selector on the value.
#[derive(Clone)]
pub(super) struct ValueTest {
    /// The operator, such as `^=`.
    pub(super) operator: AttrSelectorOperator,
    /// The rule by which upper and lower case are compared.
    pub(super) case: Case,
    /// The string to the right of the operator.
    pub(super) value: String,
}

impl fmt::Debug for ValueTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.operator.to_css(f)?;
        write!(f, "{:?} {:?}", self.value, self.case)
    }
}

/// The rule by which upper and lower case of an attribute's value are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// Upper and lower case differ.
    Sensitive,
    /// ASCII letters are compared case-insensitively.
    Ignored,
    /// Case-insensitive for HTML elements in HTML documents, because the attribute is in the list of the HTML standard:
    /// <https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors>.
    IgnoredInHtml,
}

/// A set of positions among siblings, in the form An+B.
#[derive(Clone, Copy, Debug)]
pub(super) struct NthIndex {
    /// The factor A of An+B.
    pub(super) step: i64,
    /// The summand B of An+B.
    pub(super) offset: i64,
    /// The siblings that are counted.
    pub(super) of: CountedSiblings,
    /// True if positions are counted from the last sibling.
    pub(super) from_end: bool,
}

/// The siblings that are counted for a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum CountedSiblings {
    /// All elements.
    Children,
    /// The elements of the same type: namespace and local name.
    Type,
    /// The elements that match the selector with this index in [`Group::counted`].
    Matching(usize),
}

/// The selector `S` of `:nth-child(… of S)`, by the way in which elements that match it are found.
#[derive(Clone, Copy, Debug)]
pub(super) enum OfSelector {
    /// The elements at which one of these steps holds.
    Steps(u64),
    /// The elements in the set that the survey with this index in [`Program::surveys`] found. This is needed for
    /// positions counted from the last sibling, because later siblings were not entered yet.
    Survey(usize),
}

impl NthIndex {
    /// Returns true if a position, counted from 1, is in the set.
    pub(super) fn contains(&self, number: u64) -> bool {
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

/// A pseudo-class that the HTML standard defines. Only those are supported that the document alone determines, without
/// user input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HtmlPseudoClass {
    Link,
    Checked,
    Disabled,
    Enabled,
    Required,
    Optional,
    ReadOnly,
    ReadWrite,
    PlaceholderShown,
    Open,
    Defined,
    /// A state of users, of navigation or of a running page, such as `:hover`: no element of a document has it.
    NoElement,
    /// The element is one that a name without prefix selects in XPath: an HTML element in an HTML document, or an element
    /// in no namespace. The module `xpath` translates expressions to selectors with this pseudo-class, which is not
    /// documented.
    XPathUnprefixed,
}

/// A search over all elements of a tree, which is done before single elements can be matched. The result is a set of
/// elements.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// The steps that the search matches.
    pub(super) group: Group,
    /// The elements that the search returns.
    pub(super) result: SurveyResult,
}

/// The elements that a survey returns.
#[derive(Clone, Debug)]
pub(super) enum SurveyResult {
    /// The elements that match the selectors of the group.
    Matching,
    /// The elements that match `:has(…)` with one of these relative selectors.
    Having(Vec<Relative>),
}

/// A relative selector, the argument of `:has`: its combinators from left to right, each with the index in
/// [`Group::steps`] of the step to its right.
pub(super) type Relative = Vec<(Combinator, u32)>;

impl Group {
    /// Returns true if a step depends on ancestors or siblings of the element, so that the state of matching has a frame
    /// for each open element.
    #[inline(always)]
    pub(super) fn has_frames(&self) -> bool {
        self.descendant | self.child != 0 || self.depends_on_siblings
    }

    /// Returns true if the elements with this local name are counted by type, for `:nth-of-type` and similar
    /// pseudo-classes.
    pub(super) fn counts_type(&self, name: &str, is_html: impl Fn() -> bool) -> bool {
        self.counts_all_types || self.types.iter().any(|one| one.is(name, &is_html))
    }
}

impl Program {
    /// Returns true if matching depends on the siblings of elements.
    pub(super) fn depends_on_siblings(&self) -> bool {
        self.groups.iter().any(|group| group.depends_on_siblings)
    }
}
