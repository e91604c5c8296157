//! Construction of a selector set: compilation of its selectors into groups of steps.

use super::names::{NameIndex, ShortName};
use super::{SelectorGroup, SelectorId, SelectorSet, SetPosition, WORD_BITS};
use crate::engine::dialect::Balance;
use crate::engine::hash_seed::KeptSeeds;
use crate::select::SelectorError;
use crate::select::automaton::GroupState;
use crate::select::compile::{append_selector, has_room};
use crate::select::css::Css;
use crate::select::program::{Group, Name, Test};
use crate::select::selector::IntoSelector;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use selectors::parser::Selector as ParsedSelector;

impl<D: Balance> SelectorSet<D> {
    /// Creates an empty set for documents of this dialect.
    pub fn new(dialect: D) -> SelectorSet<D> {
        SelectorSet {
            position: SetPosition::new(&dialect),
            dialect,
            sources: Vec::new(),
            groups: Vec::new(),
            names: NameIndex::default(),
            has_frames: false,
            needs_all_tags: false,
            seeds: KeptSeeds::default(),
            selected: Vec::new(),
            has_selected: false,
        }
    }

    /// Adds a selector. Selectors should be added before the first element: a selector that is added later does not
    /// take the open elements into account.
    ///
    /// ```
    /// use tagstream::Xml;
    /// use tagstream::select::SelectorSet;
    ///
    /// let mut set = SelectorSet::new(Xml::default());
    /// assert_eq!(set.add("feed > entry, feed > title")?.index(), 0);
    /// assert_eq!(set.add("link[rel=self]")?.index(), 1);
    /// let error = set.add("entry:last-child").unwrap_err();
    /// assert_eq!((error.offset(), set.len()), (5, 2));
    /// # Ok::<(), tagstream::SelectorError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Events::select`](crate::Events::select).
    ///
    /// # Panics
    ///
    /// If the set has 2³² selectors.
    pub fn add<'s>(
        &mut self,
        selector: impl IntoSelector<'s>,
    ) -> Result<SelectorId, SelectorError> {
        let selector = selector.into_selector()?;
        if let Some(error) = &selector.stream_error {
            return Err(error.clone());
        }
        let parsed = selector.source.parse()?;
        let owner = u32::try_from(self.len()).expect("a set has less than 2³² selectors");
        for one in &parsed {
            self.append(owner, one)?;
        }
        self.sources.push(match selector {
            Cow::Borrowed(selector) => selector.source.clone(),
            Cow::Owned(selector) => selector.source,
        });
        self.selected
            .resize(self.sources.len().div_ceil(WORD_BITS), 0);
        Ok(SelectorId(owner))
    }

    /// Appends the steps of a selector without commas to a group.
    fn append(&mut self, owner: u32, selector: &ParsedSelector<Css>) -> Result<(), SelectorError> {
        // Streams refuse selectors that need surveys.
        let surveys = &mut Vec::new();
        let mut alone = Group::default();
        append_selector(&mut alone, surveys, selector)?;
        // Selectors that depend on siblings have groups of their own, because these groups cost more at each element.
        let fits = |one: &SelectorGroup| {
            one.group.depends_on_siblings == alone.depends_on_siblings
                && has_room(&one.group, selector)
        };
        let number = match self.groups.iter().rposition(fits) {
            Some(number) => number,
            None => {
                self.groups.push(SelectorGroup {
                    state: GroupState::new(&alone),
                    group: Group::default(),
                    unnamed: 0,
                    owners: Vec::new(),
                });
                self.groups.len() - 1
            }
        };
        let to = &mut self.groups[number];
        let first = to.group.steps.len();
        to.group.accept |= append_selector(&mut to.group, surveys, selector)?;
        to.owners.resize(to.group.steps.len(), owner);
        for (at, step) in to.group.steps.iter_mut().enumerate().skip(first) {
            let bit = 1 << at;
            let is_name = |test: &Test| matches!(test, Test::Name(_));
            let name = step.tests.iter().position(is_name);
            match name.and_then(|name| match &step.tests[name] {
                Test::Name(name) => indexed_names(name),
                _ => None,
            }) {
                None => to.unnamed |= bit,
                Some((written, lower)) => {
                    self.names.add(written, number, bit);
                    match lower {
                        Some(lower) => self.names.add(lower, number, bit),
                        // The index decides the test.
                        None => {
                            let tests = core::mem::take(&mut step.tests).into_vec();
                            step.tests = tests.into_iter().filter(|test| !is_name(test)).collect();
                        }
                    }
                }
            }
        }
        self.has_frames |= to.group.has_frames();
        self.needs_all_tags |= self.has_frames || to.unnamed != 0;
        Ok(())
    }
}

/// Returns the keys for a type selector in the [`NameIndex`]: the name as written, and in lower case if that differs.
/// Returns `None` if the index does not have such names.
fn indexed_names(name: &Name) -> Option<(ShortName, Option<ShortName>)> {
    let written = ShortName::new(&name.written)?;
    match &name.lower {
        None => Some((written, None)),
        Some(lower) => Some((written, Some(ShortName::new(lower)?))),
    }
}
