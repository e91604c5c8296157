//! Matching of a compiled selector against elements that are entered and left in document order.
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
use super::program::{
    AttributeNamespace, AttributeTest, Case, Counted, Group, Of, Program, State, Test, ValueTest,
};
use crate::engine::hash_seed::Seeds;
use alloc::vec::Vec;
use core::hash::BuildHasher;
use hashbrown::HashMap;
use selectors::attr::CaseSensitivity;

/// The properties of an element that selectors test. Elements of trees and start tags of streams implement it.
pub(super) trait Subject {
    fn local_name(&self) -> &str;

    fn namespace(&self) -> Option<&str>;

    /// Returns true if this is an HTML element in an HTML document.
    fn is_html(&self) -> bool;

    /// Returns true if IDs and classes match case-insensitively, which is the case in quirks mode.
    fn is_quirky(&self) -> bool;

    fn is_root(&self) -> bool;

    fn is_scope(&self) -> bool;

    /// Returns the value of the attribute with this name that is in no namespace.
    fn attribute(&self, name: &str) -> Option<&str>;

    /// Returns true if `is_it` returns true for at least one attribute. The arguments of `is_it` are the attribute's
    /// namespace, local name and value.
    fn any_attribute(&self, is_it: impl FnMut(Option<&str>, &str, &str) -> bool) -> bool;

    fn is(&self, state: State) -> bool;

    fn is_empty(&self) -> bool {
        false
    }

    /// Returns true if the element is in the set of the survey with this index in [`Program::surveys`]. On streams
    /// there are no surveys.
    fn is_in(&self, survey: usize) -> bool {
        let _ = survey;
        false
    }

    /// Counts the elements for which `counts` returns true, among this element and all its siblings, later ones
    /// included. On streams, later siblings are not known; selectors that need them are refused there.
    fn count(&self, counts: impl FnMut(&Self) -> bool) -> u64
    where
        Self: Sized,
    {
        let _ = counts;
        0
    }
}

/// The state of a [`Program`] that is matched against a tree: the bits of each open element, for each group.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    tracks: Vec<Track>,
    seeds: Seeds,
}

/// The state of one [`Group`].
#[derive(Clone, Debug, Default)]
struct Track {
    /// One frame for each open element, outermost first.
    frames: Vec<Frame>,
    /// If the group depends on siblings: the data on the children of the document and of each open element, outermost
    /// first. Otherwise empty.
    levels: Vec<Level>,
    /// Number of steps that were tested.
    work: Count,
}

/// The bits of one open element: see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    here: u64,
    path: u64,
}

/// Data on the children, so far, of the document or of one open element. The fields `previous` and `earlier` are the
/// steps that hold at the last child, and the union over all children.
#[derive(Clone, Debug, Default)]
struct Level {
    previous: u64,
    earlier: u64,
    children: u64,
    /// Number of children of each type; the key is the hash that [`kind`] returns.
    types: HashMap<u64, u64, Seeds>,
    /// Number of children that match each entry of [`Group::counted`].
    matching: Vec<u64>,
    /// Total number of children, including those not yet entered. `None` until a test needs the number. The fields
    /// `totals` and `matching_total` are the same for `types` and `matching`.
    total: Option<u64>,
    totals: Option<HashMap<u64, u64, Seeds>>,
    matching_total: Vec<Option<u64>>,
}

impl Automaton {
    pub(super) fn new(program: &Program) -> Automaton {
        Automaton {
            tracks: program.groups.iter().map(Track::new).collect(),
            seeds: Seeds::default(),
        }
    }

    /// Enters an element. Returns true if the element matches a selector of the list.
    #[inline(always)]
    pub(super) fn enter(&mut self, program: &Program, subject: &impl Subject) -> bool {
        let mut matches = false;
        for (group, track) in program.groups.iter().zip(&mut self.tracks) {
            matches |= track.enter(group, subject, &self.seeds) & group.accept != 0;
        }
        matches
    }

    /// Leaves the element that was entered last and not left yet.
    #[inline(always)]
    pub(super) fn leave(&mut self) {
        for track in &mut self.tracks {
            track.leave();
        }
    }

    #[cfg(feature = "inspect")]
    pub(super) fn work(&self) -> u64 {
        self.tracks.iter().map(|track| track.work.get()).sum()
    }
}

/// The state of one group that is matched on its own, for a survey.
#[derive(Debug)]
pub(super) struct Single {
    track: Track,
    seeds: Seeds,
}

impl Single {
    pub(super) fn new(group: &Group) -> Single {
        Single {
            track: Track::new(group),
            seeds: Seeds::default(),
        }
    }

    /// Enters an element. Returns the set of steps that hold at the element.
    pub(super) fn enter(&mut self, group: &Group, subject: &impl Subject) -> u64 {
        self.track.enter(group, subject, &self.seeds)
    }

    pub(super) fn leave(&mut self) {
        self.track.leave();
    }
}

impl Track {
    fn new(group: &Group) -> Track {
        let mut track = Track::default();
        if group.looks_beside {
            track.levels.push(Level::default());
        }
        track
    }

    #[inline(always)]
    fn enter(&mut self, group: &Group, subject: &impl Subject, seeds: &Seeds) -> u64 {
        if group.looks_beside {
            return self.enter_beside(group, subject, seeds);
        }
        let above = self.frames.last().copied().unwrap_or_default();
        let mut open = group.first | above.step(group);
        let mut here = 0;
        while open != 0 {
            let step = &group.steps[open.trailing_zeros() as usize];
            self.work.add(1);
            if step
                .tests
                .iter()
                .all(|test| holds(test, subject, here, |_, _| false))
            {
                here |= open & open.wrapping_neg();
            }
            open &= open - 1;
        }
        self.frames.push(Frame {
            here,
            path: above.path | here,
        });
        here
    }

    /// Does the same as [`enter`](Track::enter) for a group with sibling combinators or positional pseudo-classes
    /// such as `:nth-child`.
    fn enter_beside(&mut self, group: &Group, subject: &impl Subject, seeds: &Seeds) -> u64 {
        let above = self.frames.last().copied().unwrap_or_default();
        let Some(level) = self.levels.last_mut() else {
            return 0;
        };
        let mut open = group.first
            | above.step(group)
            | level.previous << 1 & group.next
            | level.earlier << 1 & group.later;
        let counts = group.counts_type(subject.local_name(), || subject.is_html());
        let kind = counts.then(|| kind(subject, seeds));
        let mut here = 0;
        while open != 0 {
            let step = &group.steps[open.trailing_zeros() as usize];
            self.work.add(1);
            let holds = step.tests.iter().all(|test| {
                holds(test, subject, here, |test, subject| {
                    let sibling = Sibling {
                        subject,
                        group,
                        seeds,
                        here,
                        kind,
                    };
                    level.holds(test, &sibling)
                })
            });
            if holds {
                here |= open & open.wrapping_neg();
            }
            open &= open - 1;
        }
        level.take(here, group, kind, subject);
        self.frames.push(Frame {
            here,
            path: above.path | here,
        });
        self.levels.push(Level::default());
        here
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.frames.pop();
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }
}

impl Frame {
    /// Returns the candidates at a child of this element: the steps whose predecessor holds at this element or, for
    /// the descendant combinator, at one of its ancestors.
    #[inline(always)]
    fn step(self, group: &Group) -> u64 {
        self.path << 1 & group.descendant | self.here << 1 & group.child
    }
}

impl Level {
    /// Records a child after its steps were tested. `here` is the set of steps that hold at the child; `kind` is its
    /// type, if children of this type are counted.
    fn take(&mut self, here: u64, group: &Group, kind: Option<u64>, subject: &impl Subject) {
        self.previous = here;
        self.earlier |= here;
        self.children += 1;
        if let Some(kind) = kind {
            *self.types.entry(kind).or_default() += 1;
        }
        self.matching.resize(group.counted.len(), 0);
        for (count, counted) in self.matching.iter_mut().zip(&group.counted) {
            *count += u64::from(counted.has(here, subject));
        }
    }

    /// Evaluates a test that depends on the position of the element among its siblings (`:nth-child`, `:only-of-type`
    /// …).
    fn holds<S: Subject>(&mut self, test: &Test, sibling: &Sibling<'_, S>) -> bool {
        match test {
            Test::Index(index) => {
                let number = match index.from_end {
                    false => self.number(index.of, sibling),
                    true => self.number_from_end(index.of, sibling),
                };
                number.is_some_and(|number| index.admits(number))
            }
            Test::Only { of_type } => {
                let of = match of_type {
                    true => Of::Type,
                    false => Of::Children,
                };
                self.number(of, sibling) == Some(1) && self.number_from_end(of, sibling) == Some(1)
            }
            _ => false,
        }
    }

    /// Returns the position, counted from 1, of the entered element among those siblings that `of` selects. Returns
    /// `None` if `of` does not select the element itself.
    fn number<S: Subject>(&self, of: Of, sibling: &Sibling<'_, S>) -> Option<u64> {
        let before = match of {
            Of::Children => self.children,
            Of::Type => self.types.get(&sibling.kind?).copied().unwrap_or_default(),
            Of::Matching(number) => {
                if !sibling.group.counted[number].has(sibling.here, sibling.subject) {
                    return None;
                }
                self.matching.get(number).copied().unwrap_or_default()
            }
        };
        Some(before + 1)
    }

    /// Returns the same position as [`number`](Level::number), but counted from the last sibling.
    fn number_from_end<S: Subject>(&mut self, of: Of, sibling: &Sibling<'_, S>) -> Option<u64> {
        let number = self.number(of, sibling)?;
        let subject = sibling.subject;
        let total = match of {
            Of::Children => *self.total.get_or_insert_with(|| subject.count(|_| true)),
            Of::Type => {
                let totals = self.totals.get_or_insert_with(|| {
                    let mut totals = HashMap::default();
                    subject.count(|one| {
                        *totals.entry(kind(one, sibling.seeds)).or_default() += 1;
                        true
                    });
                    totals
                });
                totals.get(&sibling.kind?).copied().unwrap_or_default()
            }
            Of::Matching(number) => {
                let counted = &sibling.group.counted;
                self.matching_total.resize(counted.len(), None);
                let total = || subject.count(|one| counted[number].has(0, one));
                *self.matching_total[number].get_or_insert_with(total)
            }
        };
        Some((total + 1).saturating_sub(number))
    }
}

/// The entered element, as an argument of the tests that count siblings.
struct Sibling<'a, S> {
    subject: &'a S,
    group: &'a Group,
    seeds: &'a Seeds,
    /// The steps that are already known to hold at the element.
    here: u64,
    /// Type of the element, if elements of this type are counted.
    kind: Option<u64>,
}

/// Returns the type of an element (namespace and local name) as a seeded hash. A collision of two types is very
/// unlikely.
fn kind(subject: &impl Subject, seeds: &Seeds) -> u64 {
    seeds.hash_one((subject.namespace(), subject.local_name()))
}

impl Counted {
    fn has(self, here: u64, subject: &impl Subject) -> bool {
        match self {
            Counted::Steps(steps) => here & steps != 0,
            Counted::Survey(survey) => subject.is_in(survey),
        }
    }
}

/// Evaluates a test at an element. `here` is the set of steps already known to hold at the element, for `:is` and
/// `:not`. Tests that depend on siblings are passed to `beside`.
#[inline(always)]
fn holds<S: Subject>(
    test: &Test,
    subject: &S,
    here: u64,
    beside: impl FnOnce(&Test, &S) -> bool,
) -> bool {
    match test {
        Test::Name(name) => name.is(subject.local_name(), || subject.is_html()),
        _ => holds_beyond(test, subject, here, beside),
    }
}

#[inline(never)]
fn holds_beyond<S: Subject>(
    test: &Test,
    subject: &S,
    here: u64,
    beside: impl FnOnce(&Test, &S) -> bool,
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
        Test::Any(steps) => here & steps != 0,
        Test::No(steps) => here & steps == 0,
        Test::Root => subject.is_root(),
        Test::Scope => subject.is_scope(),
        Test::Empty => subject.is_empty(),
        Test::In(survey) => subject.is_in(*survey),
        Test::State(state) => subject.is(*state),
        Test::Index(_) | Test::Only { .. } => beside(test, subject),
        Test::Never => false,
    }
}

fn case(is_ignored: bool) -> CaseSensitivity {
    match is_ignored {
        true => CaseSensitivity::AsciiCaseInsensitive,
        false => CaseSensitivity::CaseSensitive,
    }
}

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
    subject.any_attribute(|namespace, name, value| {
        test.name.is(name, || subject.is_html())
            && match &test.namespace {
                AttributeNamespace::Any => true,
                AttributeNamespace::None => namespace.is_none(),
                AttributeNamespace::Is(wanted) => namespace == Some(wanted),
            }
            && admits(value)
    })
}
