//! How steps are taken through a tree from its root on: what holds at an element follows from the bits of its
//! parent, of those above, and of those before it. It must not know whether a tree is walked or read.
//!
//! ```text
//! step       0      1      2          a > b c
//! bits here: a      a > b  a > b c    which steps end at this element
//! path:      the bits of this element and all above it
//! ```
//!
//! Each element costs its candidates only: the steps that begin a selector, and those whose predecessor is where
//! their combinator says.

use super::count::Count;
use super::program::{
    AttributeNamespace, AttributeTest, Case, Counted, Group, Of, Program, State, Test, ValueTest,
};
use crate::seeds::Seeds;
use alloc::vec::Vec;
use core::hash::BuildHasher;
use hashbrown::HashMap;
use selectors::attr::CaseSensitivity;

/// What an element is asked.
pub(super) trait Subject {
    fn local_name(&self) -> &str;

    fn namespace(&self) -> Option<&str>;

    /// Whether it is an element of HTML in a document of HTML.
    fn is_html(&self) -> bool;

    /// Whether ids and classes are the same in either case.
    fn is_quirky(&self) -> bool;

    fn is_root(&self) -> bool;

    fn is_scope(&self) -> bool;

    /// The value of an attribute in no namespace.
    fn attribute(&self, name: &str) -> Option<&str>;

    /// Whether there is an attribute of which this is true: its namespace, its local name, its value.
    fn any_attribute(&self, is_it: impl FnMut(Option<&str>, &str, &str) -> bool) -> bool;

    fn is(&self, state: State) -> bool;

    fn is_empty(&self) -> bool {
        false
    }

    /// Whether it is in the set of a survey.
    fn is_in(&self, survey: usize) -> bool {
        let _ = survey;
        false
    }

    /// How many of this element and its siblings `counts` is true of.
    fn count(&self, counts: impl FnMut(&Self) -> bool) -> u64
    where
        Self: Sized,
    {
        let _ = counts;
        0
    }
}

/// The state of a program in a tree: a stack of what is open.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    tracks: Vec<Track>,
    seeds: Seeds,
}

/// The same of one group.
#[derive(Clone, Debug, Default)]
struct Track {
    /// Of each open element.
    frames: Vec<Frame>,
    /// What was before in each open element, in the document too, if siblings matter.
    levels: Vec<Level>,
    /// The steps that were tried.
    work: Count,
}

#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    here: u64,
    path: u64,
}

/// The children of an element so far.
#[derive(Clone, Debug, Default)]
struct Level {
    previous: u64,
    earlier: u64,
    children: u64,
    /// How many there are of each type.
    types: HashMap<u64, u64, Seeds>,
    /// How many match what is counted.
    matching: Vec<u64>,
    /// How many there are in all, once that was asked.
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

    /// Enters an element; gives whether it matches.
    #[inline(always)]
    pub(super) fn enter(&mut self, program: &Program, subject: &impl Subject) -> bool {
        let mut matches = false;
        for (group, track) in program.groups.iter().zip(&mut self.tracks) {
            matches |= track.enter(group, subject, &self.seeds) & group.accept != 0;
        }
        matches
    }

    /// Leaves the element that was entered last.
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

/// The state of a single group.
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

    /// Enters an element; gives the steps that hold there.
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

    /// The same where siblings matter.
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
    /// The steps that may hold at a child.
    #[inline(always)]
    fn step(self, group: &Group) -> u64 {
        self.path << 1 & group.descendant | self.here << 1 & group.child
    }
}

impl Level {
    /// Takes note of a child.
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

    /// A test that asks where among its siblings an element is.
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

    /// The number of the element that is entered, among those that are counted.
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

/// The element that is entered, as a child like others.
struct Sibling<'a, S> {
    subject: &'a S,
    group: &'a Group,
    seeds: &'a Seeds,
    /// The steps that hold so far.
    here: u64,
    /// Its type, if that is counted.
    kind: Option<u64>,
}

/// The type of an element: a number that another type is most unlikely to have.
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

/// Whether a test holds at an element where these steps do. `beside` is asked what needs siblings.
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
