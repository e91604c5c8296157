//! Matching of a compiled selector against elements that are entered and left in document order, as start and end tags.
//!
//! A selector such as `a > b c` consists of *steps*, one for each compound selector (`a`, `b`, `c`). A step *holds*
//! at an element if the element matches the compound, and the steps to its left hold at the elements that the
//! combinators demand. Sets of steps are words of 64 bits: bit *n* is step *n*. The bits of an element follow from
//! the bits of its parent, of its other ancestors and of its earlier siblings, so that one pass from the root
//! downward suffices.
//!
//! ```text
//! selector      a > b c
//! step          0   1 2
//!
//! <a>           here {0}      path {0}
//!   <b>         here {1}      path {0, 1}
//!     <c>       here {2}      path {0, 1, 2}     step 2 is the last: <c> matches
//! ```
//!
//! `here` is the set of steps that hold at the element itself, and `path` is the union of `here` over the element and
//! its ancestors.
//!
//! Only *candidates* are tested at an element: the steps that begin a selector, and the steps whose predecessor holds
//! at the parent (`>`), at an ancestor (descendant combinator), at the previous sibling (`+`) or at an earlier
//! sibling (`~`). As the predecessor of step *n* is step *n* − 1, the candidates are computed with shifts and masks.

use super::count::Count;
use super::direction::Direction;
use super::language;
use super::program::{
    AttributeNamespace, AttributeTest, Case, CountedSiblings, Group, HtmlPseudoClass, OfSelector,
    Program, Test, ValueTest,
};
#[cfg(feature = "checkpoints")]
use crate::checkpoint::Damaged;
use crate::engine::hash_seed::{KeptSeeds, Seeds};
use alloc::vec::Vec;
use core::hash::BuildHasher;
use hashbrown::HashMap;
use selectors::attr::CaseSensitivity;

/// The greatest number of elements that a checkpoint can contain. A counter that is loaded does not overflow when further
/// elements are counted.
#[cfg(feature = "checkpoints")]
pub(super) const MAX_LOADED_COUNT: u64 = u64::MAX / 2;

/// An element that a selector is matched against, with the properties that selectors test. Implemented for elements of
/// trees and for start tags of streams.
pub(super) trait Subject {
    /// Returns the local name of the element.
    fn local_name(&self) -> &str;

    /// Returns the namespace of the element, or `None` if it has none.
    fn namespace(&self) -> Option<&str>;

    /// Returns true if the element is an HTML element in an HTML document, whose names are compared case-insensitively.
    fn is_html(&self) -> bool;

    /// Returns true if the document is in quirks mode, in which IDs and classes are compared case-insensitively.
    fn is_quirky(&self) -> bool;

    /// Returns true if the element is the root element (`:root`).
    fn is_root(&self) -> bool;

    /// Returns true if the element is the one at which the search began (`:scope`).
    fn is_scope(&self) -> bool;

    /// Returns the value of the attribute with this name that is in no namespace.
    fn attribute(&self, name: &str) -> Option<&str>;

    /// Returns true if `is_it` returns true for at least one attribute. The arguments of `is_it` are the attribute's
    /// namespace, local name and value.
    fn any_attribute(&self, is_it: impl FnMut(Option<&str>, &str, &str) -> bool) -> bool;

    /// Returns true if the element matches a pseudo-class of the HTML standard.
    fn is(&self, pseudo_class: HtmlPseudoClass) -> bool;

    /// Returns the language of the element: an empty string if it is unknown. Streams refuse selectors that contain
    /// `:lang`.
    fn language(&self) -> &str {
        ""
    }

    /// Returns the direction of the text in the element. Streams refuse selectors that contain `:dir`.
    fn direction(&self) -> Direction {
        Direction::default()
    }

    /// Returns true if the element has no child elements and no text (`:empty`). Streams refuse selectors that contain
    /// `:empty`.
    fn is_empty(&self) -> bool {
        false
    }

    /// Returns true if the element is in the set that the survey with this index in [`Program::surveys`] found. Streams
    /// refuse selectors that need surveys.
    fn is_in(&self, survey: usize) -> bool {
        let _ = survey;
        false
    }

    /// Counts the elements for which `counts` returns true, among this element and all its siblings, including later
    /// ones. On streams, later siblings are not known, and selectors that need the number are refused.
    fn count(&self, counts: impl FnMut(&Self) -> bool) -> u64
    where
        Self: Sized,
    {
        let _ = counts;
        0
    }
}

/// The state of matching a [`Program`]: for each group of steps, the steps that hold at each open element.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    /// The state of each group in [`Program::groups`].
    groups: Vec<GroupState>,
    /// The seeds of the hashes of element types.
    seeds: KeptSeeds,
}

/// The state of matching one [`Group`] of steps.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupState {
    /// If the steps of the group depend on other elements: one frame for each open element, outermost first. Otherwise
    /// empty.
    frames: Vec<ElementSteps>,
    /// If the group depends on siblings: the data about the children of the document and of each open element,
    /// outermost first. Otherwise empty.
    levels: Vec<Level>,
    /// Number of steps that were tested.
    work: Count,
}

/// The steps that hold at one open element and at its ancestors: see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
struct ElementSteps {
    /// The set of steps that hold at the element.
    here: u64,
    /// The set of steps that hold at the element or at one of its ancestors.
    path: u64,
}

/// Data about the children of the document or of one open element. Unless a field says otherwise, only the children
/// that were left already count.
#[derive(Clone, Debug, Default)]
struct Level {
    /// The set of steps that hold at the last child.
    previous: u64,
    /// The set of steps that hold at any of the children.
    earlier: u64,
    /// Number of children.
    children: u64,
    /// Number of children of each type. The key is the hash that [`type_hash`] returns. Only the types that the group
    /// counts are stored.
    types: HashMap<u64, u64, Seeds>,
    /// For each selector in [`Group::counted`], the number of children that match the selector.
    matching: Vec<u64>,
    /// Number of all children, including those not yet entered. `None` until a test needs the number.
    child_total: Option<u64>,
    /// Number of all children of each type, as in `types`, including those not yet entered. `None` until a test needs
    /// the numbers.
    type_totals: Option<HashMap<u64, u64, Seeds>>,
    /// For each selector in [`Group::counted`], the number of all children that match the selector, including those not
    /// yet entered. `None` until a test needs the number.
    matching_totals: Vec<Option<u64>>,
}

impl Automaton {
    /// Returns the state before the first element.
    pub(super) fn new(program: &Program) -> Automaton {
        Automaton {
            groups: program.groups.iter().map(GroupState::new).collect(),
            seeds: KeptSeeds::default(),
        }
    }

    /// Enters an element. Returns true if the element matches a selector of the list.
    #[inline(always)]
    pub(super) fn enter(&mut self, program: &Program, subject: &impl Subject) -> bool {
        let mut matches = false;
        for (group, state) in program.groups.iter().zip(&mut self.groups) {
            matches |= state.enter(group, subject, &self.seeds, u64::MAX) & group.accept != 0;
        }
        matches
    }

    /// Leaves the innermost element that was entered and not yet left.
    #[inline(always)]
    pub(super) fn leave(&mut self) {
        for state in &mut self.groups {
            state.leave();
        }
    }

    /// Returns the number of steps that were tested, for tests of linear time.
    #[cfg(feature = "inspect")]
    pub(super) fn work(&self) -> u64 {
        self.groups.iter().map(|state| state.work.get()).sum()
    }
}

/// The state of matching the group of a survey.
#[derive(Debug)]
pub(super) struct SurveyMatcher {
    /// The steps that hold at each open element.
    state: GroupState,
    /// The seeds of the hashes of element types.
    seeds: KeptSeeds,
}

impl SurveyMatcher {
    /// Returns the state before the first element.
    pub(super) fn new(group: &Group) -> SurveyMatcher {
        SurveyMatcher {
            state: GroupState::new(group),
            seeds: KeptSeeds::default(),
        }
    }

    /// Enters an element. Returns the set of steps that hold at the element.
    pub(super) fn enter(&mut self, group: &Group, subject: &impl Subject) -> u64 {
        self.state.enter(group, subject, &self.seeds, u64::MAX)
    }

    /// Leaves the innermost element that was entered and not yet left.
    pub(super) fn leave(&mut self) {
        self.state.leave();
    }
}

impl GroupState {
    /// Returns the state before the first element.
    pub(super) fn new(group: &Group) -> GroupState {
        let mut state = GroupState::default();
        if group.depends_on_siblings {
            state.levels.push(Level::default());
        }
        state
    }

    /// Enters an element. Returns the set of steps that hold at the element. Only the steps in `allowed` are tested;
    /// the caller knows that the others do not hold.
    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        group: &Group,
        subject: &impl Subject,
        seeds: &KeptSeeds,
        allowed: u64,
    ) -> u64 {
        if group.depends_on_siblings {
            return self.enter_with_siblings(group, subject, seeds, allowed);
        }
        let has_frames = group.has_frames();
        let above = match has_frames {
            true => self.frames.last().copied().unwrap_or_default(),
            false => ElementSteps::default(),
        };
        let candidates = (group.first | above.candidates_below(group)) & allowed;
        let here = test_steps(&mut self.work, group, subject, candidates, |_, _| false);
        if has_frames {
            self.frames.push(ElementSteps {
                here,
                path: above.path | here,
            });
        }
        here
    }

    /// Enters an element, for a group with sibling combinators or positional pseudo-classes such as `:nth-child`.
    /// Returns the set of steps that hold at the element.
    fn enter_with_siblings(
        &mut self,
        group: &Group,
        subject: &impl Subject,
        seeds: &KeptSeeds,
        allowed: u64,
    ) -> u64 {
        let above = self.frames.last().copied().unwrap_or_default();
        let Some(level) = self.levels.last_mut() else {
            return 0;
        };
        let candidates = (group.first
            | above.candidates_below(group)
            | level.previous << 1 & group.next
            | level.earlier << 1 & group.later)
            & allowed;
        let counts = group.counts_type(subject.local_name(), || subject.is_html());
        let type_hash = counts.then(|| type_hash(subject, seeds));
        let here = test_steps(&mut self.work, group, subject, candidates, |test, here| {
            let entered = EnteredElement {
                subject,
                group,
                seeds,
                here,
                type_hash,
            };
            level.holds(test, &entered)
        });
        level.record_child(here, group, type_hash, subject);
        self.frames.push(ElementSteps {
            here,
            path: above.path | here,
        });
        self.levels.push(Level::default());
        here
    }

    /// Leaves the innermost element that was entered and not yet left.
    #[inline(always)]
    pub(super) fn leave(&mut self) {
        self.frames.pop();
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    /// Forgets all elements, and returns to the state before the first element.
    pub(super) fn reset(&mut self) {
        self.frames.clear();
        self.levels.truncate(1);
        if let Some(level) = self.levels.first_mut() {
            *level = Level::default();
        }
    }

    /// Returns true if a loaded state can be one of this group, with at most `depth` open elements.
    #[cfg(feature = "checkpoints")]
    pub(super) fn is_valid(&self, group: &Group, depth: u64) -> bool {
        let levels = match group.depends_on_siblings {
            true => self.frames.len() + 1,
            false => 0,
        };
        let frames = self.frames.len() as u64;
        frames <= depth && (group.has_frames() || frames == 0) && self.levels.len() == levels
    }
}

impl ElementSteps {
    /// Returns the candidates at a child of this element that follow from the element and its ancestors: the steps
    /// after `>` whose predecessor holds at this element, and the steps after a descendant combinator whose predecessor
    /// holds at this element or an ancestor.
    #[inline(always)]
    fn candidates_below(self, group: &Group) -> u64 {
        self.path << 1 & group.descendant | self.here << 1 & group.child
    }
}

impl Level {
    /// Checks that the counters of a loaded level cannot overflow.
    #[cfg(feature = "checkpoints")]
    fn validate(&mut self) -> Result<(), Damaged> {
        let most = self.types.values().copied().fold(self.children, u64::max);
        match most <= MAX_LOADED_COUNT {
            true => Ok(()),
            false => Err(Damaged),
        }
    }

    /// Counts a child after its steps were tested. `here` is the set of steps that hold at the child. `type_hash` is
    /// the hash of its type, or `None` if the group does not count children of this type.
    fn record_child(
        &mut self,
        here: u64,
        group: &Group,
        type_hash: Option<u64>,
        subject: &impl Subject,
    ) {
        self.previous = here;
        self.earlier |= here;
        self.children += 1;
        if let Some(type_hash) = type_hash {
            *self.types.entry(type_hash).or_default() += 1;
        }
        self.matching.resize(group.counted.len(), 0);
        for (count, counted) in self.matching.iter_mut().zip(&group.counted) {
            *count += u64::from(counted.has(here, subject));
        }
    }

    /// Returns true if the entered element passes a test of its position among its siblings (`:nth-child`,
    /// `:only-of-type` …).
    fn holds<S: Subject>(&mut self, test: &Test, entered: &EnteredElement<'_, S>) -> bool {
        match test {
            Test::NthIndex(index) => {
                let number = match index.from_end {
                    false => self.position(index.of, entered),
                    true => self.position_from_end(index.of, entered),
                };
                number.is_some_and(|number| index.contains(number))
            }
            Test::Only { of_type } => {
                let of = match of_type {
                    true => CountedSiblings::Type,
                    false => CountedSiblings::Children,
                };
                self.position(of, entered) == Some(1)
                    && self.position_from_end(of, entered) == Some(1)
            }
            _ => false,
        }
    }

    /// Returns the position of the entered element among the siblings that `of` selects, counted from 1. Returns `None`
    /// if `of` does not select the element itself.
    fn position<S: Subject>(
        &self,
        of: CountedSiblings,
        entered: &EnteredElement<'_, S>,
    ) -> Option<u64> {
        let before = match of {
            CountedSiblings::Children => self.children,
            CountedSiblings::Type => self
                .types
                .get(&entered.type_hash?)
                .copied()
                .unwrap_or_default(),
            CountedSiblings::Matching(number) => {
                if !entered.group.counted[number].has(entered.here, entered.subject) {
                    return None;
                }
                self.matching.get(number).copied().unwrap_or_default()
            }
        };
        Some(before + 1)
    }

    /// Returns the position of the entered element among the siblings that `of` selects, counted from 1 at the last
    /// sibling. Returns `None` if `of` does not select the element itself.
    fn position_from_end<S: Subject>(
        &mut self,
        of: CountedSiblings,
        entered: &EnteredElement<'_, S>,
    ) -> Option<u64> {
        let position = self.position(of, entered)?;
        let subject = entered.subject;
        let total = match of {
            CountedSiblings::Children => *self
                .child_total
                .get_or_insert_with(|| subject.count(|_| true)),
            CountedSiblings::Type => {
                let totals = self.type_totals.get_or_insert_with(|| {
                    let mut totals = HashMap::default();
                    subject.count(|one| {
                        *totals.entry(type_hash(one, entered.seeds)).or_default() += 1;
                        true
                    });
                    totals
                });
                totals.get(&entered.type_hash?).copied().unwrap_or_default()
            }
            CountedSiblings::Matching(number) => {
                let counted = &entered.group.counted;
                self.matching_totals.resize(counted.len(), None);
                let total = || subject.count(|one| counted[number].has(0, one));
                *self.matching_totals[number].get_or_insert_with(total)
            }
        };
        Some((total + 1).saturating_sub(position))
    }
}

/// The element that is being entered, with the arguments of the tests that count siblings.
struct EnteredElement<'a, S> {
    /// The element.
    subject: &'a S,
    /// The group of at most 64 steps whose tests are applied to the element.
    group: &'a Group,
    /// The seeds of the hashes of element types.
    seeds: &'a KeptSeeds,
    /// The set of steps that are already known to hold at the element.
    here: u64,
    /// Hash of the type of the element, or `None` if no selector of the group counts elements of
    /// this type.
    type_hash: Option<u64>,
}

/// Returns a seeded hash of the type of an element: namespace and local name. Two types with the same hash are very
/// unlikely.
fn type_hash(subject: &impl Subject, seeds: &KeptSeeds) -> u64 {
    seeds.hash_one((subject.namespace(), subject.local_name()))
}

impl OfSelector {
    /// Returns true if the element matches the selector. `here` is the set of steps that hold at the element.
    fn has(self, here: u64, subject: &impl Subject) -> bool {
        match self {
            OfSelector::Steps(steps) => here & steps != 0,
            OfSelector::Survey(survey) => subject.is_in(survey),
        }
    }
}

/// Tests candidates at an element, and counts them in `work`. Returns the set of steps that hold at the element. Tests of
/// the position among siblings are passed to `test_siblings`, with the set of steps that are already known to hold.
#[inline(always)]
fn test_steps(
    work: &mut Count,
    group: &Group,
    subject: &impl Subject,
    mut candidates: u64,
    mut test_siblings: impl FnMut(&Test, u64) -> bool,
) -> u64 {
    let mut here = 0;
    while candidates != 0 {
        let step = &group.steps[candidates.trailing_zeros() as usize];
        work.add(1);
        let mut tests = step.tests.iter();
        if tests.all(|test| holds(test, subject, here, |test| test_siblings(test, here))) {
            here |= candidates & candidates.wrapping_neg();
        }
        candidates &= candidates - 1;
    }
    here
}

/// Returns true if an element passes a test. `here` is the set of steps that are already known to hold at the element,
/// which decides `:is` and `:not`. Tests of the position among siblings are passed to `test_siblings`.
#[inline(always)]
fn holds(
    test: &Test,
    subject: &impl Subject,
    here: u64,
    test_siblings: impl FnOnce(&Test) -> bool,
) -> bool {
    match test {
        Test::Name(name) => name.is(subject.local_name(), || subject.is_html()),
        _ => holds_other(test, subject, here, test_siblings),
    }
}

/// Does the work of [`holds`] for all tests but those of names. PERF: a function of its own, so that [`holds`] is
/// inlined.
#[inline(never)]
fn holds_other(
    test: &Test,
    subject: &impl Subject,
    here: u64,
    test_siblings: impl FnOnce(&Test) -> bool,
) -> bool {
    match test {
        Test::Name(name) => name.is(subject.local_name(), || subject.is_html()),
        Test::Namespace(name) => subject.namespace().unwrap_or("") == name.as_deref().unwrap_or(""),
        Test::Id(id) => {
            let value = subject.attribute("id");
            value.is_some_and(|value| case(subject.is_quirky()).eq(value.as_bytes(), id.as_bytes()))
        }
        Test::Class(class) => subject.attribute("class").is_some_and(|value| {
            let case = case(subject.is_quirky());
            let mut classes = value.split(['\t', '\n', '\u{C}', '\r', ' ']);
            classes.any(|one| case.eq(one.as_bytes(), class.as_bytes()))
        }),
        Test::Attribute(test) => has_attribute(test, subject),
        Test::AnyOf(steps) => here & steps != 0,
        Test::NoneOf(steps) => here & steps == 0,
        Test::Root => subject.is_root(),
        Test::Scope => subject.is_scope(),
        Test::Empty => subject.is_empty(),
        Test::InSurvey(survey) => subject.is_in(*survey),
        Test::HtmlPseudoClass(pseudo_class) => subject.is(*pseudo_class),
        Test::Direction(direction) => subject.direction() == *direction,
        Test::Language(ranges) => language::is_in_any(subject.language(), ranges),
        Test::NthIndex(_) | Test::Only { .. } => test_siblings(test),
        Test::Never => false,
    }
}

/// Returns the comparison that ignores case, or the one that does not.
fn case(is_ignored: bool) -> CaseSensitivity {
    match is_ignored {
        true => CaseSensitivity::AsciiCaseInsensitive,
        false => CaseSensitivity::CaseSensitive,
    }
}

/// Returns true if the element has an attribute that the attribute selector matches.
fn has_attribute(test: &AttributeTest, subject: &impl Subject) -> bool {
    let admits = |value: &str| match &test.value {
        None => true,
        Some(ValueTest {
            operator,
            case: rule,
            value: wanted,
        }) => {
            let is_ignored = match rule {
                Case::Sensitive => false,
                Case::Ignored => true,
                Case::IgnoredInHtml => subject.is_html(),
            };
            operator.eval_str(value, wanted, case(is_ignored))
        }
    };
    let wanted = match &test.namespace {
        AttributeNamespace::None => {
            let name = test.name.of(|| subject.is_html());
            return subject.attribute(name).is_some_and(admits);
        }
        AttributeNamespace::Any => None,
        AttributeNamespace::Is(wanted) => Some(&**wanted),
    };
    subject.any_attribute(|namespace, name, value| {
        test.name.is(name, || subject.is_html())
            && wanted.is_none_or(|wanted| namespace == Some(wanted))
            && admits(value)
    })
}

crate::checkpoint::checkpointable! {
    struct GroupState { frames, levels; skip work = Count::default() }
    struct ElementSteps { here, path }
    // On streams, the number of later siblings is not known, and `of` is not supported.
    struct Level {
        previous, earlier, children, types;
        skip matching = Vec::new(), child_total = None, type_totals = None,
            matching_totals = Vec::new();
        then Level::validate
    }
}
