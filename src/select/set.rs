//! `SelectorSet`: matches many selectors at once against the start tags of a stream.
//!
//! The steps of all selectors are in common groups of at most 64 (see `automaton.rs`), so that for a few dozen selectors
//! one word is the state. An index by element name returns the steps whose type selector has the name of a tag. All
//! other steps with a type selector are excluded without a test.

#[cfg(feature = "checkpoints")]
mod checkpoint;
mod names;

use self::names::NameIndex;
use super::SelectorError;
use super::automaton::GroupState;
use super::compile::{append_selector, has_room};
use super::css::Css;
use super::on_stream::TagSubject;
use super::program::{Group, Name, Test};
use super::selector::{IntoSelector, SelectorSource};
use crate::engine::dialect::Balance;
use crate::engine::event::{Doctype, StartTag};
use crate::engine::hash_seed::KeptSeeds;
use crate::tree::QuirksMode;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use selectors::parser::Selector as ParsedSelector;

/// Number of bits in a word of a bit set.
const WORD_BITS: usize = u64::BITS as usize;

/// A selector of a [`SelectorSet`].
///
/// ```
/// use tagstream::Html;
/// use tagstream::select::{SelectorId, SelectorSet};
///
/// let mut set = SelectorSet::new(Html::default());
/// let ids: [SelectorId; 2] = [set.add("a[href]")?, set.add("img")?];
/// assert_eq!(ids.map(SelectorId::index), [0, 1]);
/// # Ok::<(), tagstream::SelectorError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SelectorId(u32);

impl SelectorId {
    /// Returns the number of selectors that were added to the set before this one: the index in a list with an entry
    /// for each selector.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns true if a bit set contains the selector.
    #[inline]
    pub(crate) fn is_in(self, set: &[u64]) -> bool {
        let word = set.get(self.index() / WORD_BITS);
        word.is_some_and(|word| word >> (self.index() % WORD_BITS) & 1 != 0)
    }
}

/// A set of selectors that are matched at once against the start tags of a stream. The program passes each start tag to
/// [`enter`](SelectorSet::enter) and calls [`leave`](SelectorSet::leave) at the end of each element. The cost for a tag
/// hardly depends on the number of selectors, as long as few of them have its name.
///
/// ```
/// use tagstream::select::SelectorSet;
/// use tagstream::{Event, Events, Html};
///
/// let page = "<p>See <a href=/b>b</a>, <img src=c><a name=d>d</a>";
/// let mut set = SelectorSet::new(Html::default());
/// let links = set.add("a[href]")?;
/// let in_paragraphs = set.add("p a, p > img")?;
/// let mut events = Events::of(Html::default(), page).balanced();
/// let mut found = Vec::new();
/// while let Some(event) = events.next_event()? {
///     match event {
///         Event::Start(tag) => {
///             if set.enter(&tag) {
///                 found.push((tag.name(), set.is_selected(links), set.is_selected(in_paragraphs)));
///             }
///         }
///         Event::End(_) => set.leave(),
///         Event::Doctype(doctype) => set.doctype(&doctype),
///         _ => {}
///     }
/// }
/// assert_eq!(found, [("a", true, true), ("img", false, true), ("a", false, true)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Elements inside a template do not match. Tags of HTML as written have no namespace. They are matched as HTML elements,
/// and templates are not recognized.
#[derive(Clone, Debug)]
pub struct SelectorSet<D: Balance> {
    /// The dialect of the documents, which determines the quirks mode and recognizes templates.
    dialect: D,
    /// The texts of the selectors, by [`SelectorId::index`].
    sources: Vec<SelectorSource>,
    /// The compiled selectors.
    groups: Vec<SelectorGroup>,
    /// The steps that have a type selector, by its name.
    names: NameIndex,
    /// True if a selector depends on ancestors or siblings, so that a group has frames.
    has_frames: bool,
    /// The seeds of the hashes of element types.
    seeds: KeptSeeds,
    /// The position in the document.
    position: SetPosition,
    /// The set of selectors that match the last start tag: bit *n* % 64 of word *n* / 64 is selector *n*.
    selected: Vec<u64>,
    /// True if `selected` is not empty.
    has_selected: bool,
}

/// A group of steps of several selectors, with the state of matching them.
#[derive(Clone, Debug)]
struct SelectorGroup {
    /// The steps. A type selector that the [`NameIndex`] decides is not among their tests.
    group: Group,
    /// The state of matching the steps.
    state: GroupState,
    /// The set of steps that are tested for elements with any name.
    unnamed: u64,
    /// For each step, the index of the selector to which it belongs.
    owners: Vec<u32>,
}

/// The position of a [`SelectorSet`] in its document.
#[derive(Clone, Debug)]
struct SetPosition {
    /// Number of open elements, not counting elements inside templates.
    depth: u64,
    /// Number of open elements inside the outermost open template, including the template itself; 0 outside templates.
    /// Elements inside a template do not match.
    template_depth: u64,
    /// The quirks mode of the document, or `None` if the document is not HTML.
    mode: Option<QuirksMode>,
    /// True before the first DOCTYPE and the first element, which determine the quirks mode.
    is_at_start: bool,
}

impl SetPosition {
    /// Returns the position before the first event of a document.
    fn new<D: Balance>(dialect: &D) -> SetPosition {
        SetPosition {
            depth: 0,
            template_depth: 0,
            mode: dialect.quirks_mode(None),
            is_at_start: true,
        }
    }
}

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
        Ok(())
    }

    /// Enters the element of a start tag. Returns true if a selector matches the element.
    #[inline]
    pub fn enter(&mut self, tag: &StartTag<'_>) -> bool {
        self.clear_selected();
        let position = &mut self.position;
        if position.template_depth > 0 {
            position.template_depth += 1;
            return false;
        }
        let subject = TagSubject {
            tag: *tag,
            mode: position.mode,
            is_root: position.depth == 0,
        };
        position.depth += 1;
        position.is_at_start = false;
        position.template_depth = u64::from(D::is_template(tag));
        let mut named = self.names.find(tag.local_name());
        for (number, one) in self.groups.iter_mut().enumerate() {
            let mut allowed = one.unnamed;
            if let [(group, steps), rest @ ..] = named
                && *group == number
            {
                allowed |= steps;
                named = rest;
            }
            let here = one.state.enter(&one.group, &subject, &self.seeds, allowed);
            let mut matching = here & one.group.accept;
            self.has_selected |= matching != 0;
            while matching != 0 {
                let owner = one.owners[matching.trailing_zeros() as usize] as usize;
                self.selected[owner / WORD_BITS] |= 1 << (owner % WORD_BITS);
                matching &= matching - 1;
            }
        }
        self.has_selected
    }

    /// Leaves the innermost element that was entered and not yet left.
    #[inline]
    pub fn leave(&mut self) {
        let position = &mut self.position;
        if position.template_depth > 1 {
            position.template_depth -= 1;
            return;
        }
        position.template_depth = 0;
        position.depth = position.depth.saturating_sub(1);
        if self.has_frames {
            for one in &mut self.groups {
                one.state.leave();
            }
        }
    }

    /// Processes a DOCTYPE. The first one before the first element determines the quirks mode of an HTML document.
    pub fn doctype(&mut self, doctype: &Doctype<'_>) {
        if core::mem::take(&mut self.position.is_at_start) {
            self.position.mode = self.dialect.quirks_mode(Some(doctype));
        }
    }

    /// Returns true if the selector matches the last element that was entered.
    #[inline]
    pub fn is_selected(&self, id: SelectorId) -> bool {
        id.is_in(&self.selected)
    }

    /// Returns true if a selector matches the last element that was entered.
    #[inline]
    pub fn any_selected(&self) -> bool {
        self.has_selected
    }

    /// Returns the selectors that match the last element, as bits.
    pub(crate) fn selected(&self) -> &[u64] {
        &self.selected
    }

    /// Removes all selectors from the result.
    #[inline]
    pub(crate) fn clear_selected(&mut self) {
        if self.has_selected {
            self.has_selected = false;
            self.selected.fill(0);
        }
    }

    /// Returns true if the set has no selectors.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Returns the number of selectors.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Begins a new document: forgets the elements, and keeps the selectors.
    ///
    /// ```
    /// use tagstream::select::SelectorSet;
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut set = SelectorSet::new(Xml::default());
    /// set.add(":root")?;
    /// for _ in 0..2 {
    ///     let mut parser = Parser::new(Xml::default());
    ///     parser.feed("<feed>");
    ///     let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    ///     assert!(set.enter(&tag) && !set.enter(&tag));
    ///     set.reset();
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reset(&mut self) {
        self.position = SetPosition::new(&self.dialect);
        self.selected.fill(0);
        self.has_selected = false;
        for one in &mut self.groups {
            one.state.reset();
        }
    }
}

/// Returns the keys for a type selector in the [`NameIndex`]: the name as written, and in lower case if that differs.
/// Returns `None` if the index does not have such names.
fn indexed_names(name: &Name) -> Option<(names::ShortName, Option<names::ShortName>)> {
    let written = names::ShortName::new(&name.written)?;
    match &name.lower {
        None => Some((written, None)),
        Some(lower) => Some((written, Some(names::ShortName::new(lower)?))),
    }
}
