//! `SelectorSet`: matches many selectors at once against the start tags of a stream.
//!
//! The steps of all selectors are in common groups of at most 64 (see `automaton.rs`), so that for a few dozen selectors
//! one word is the state. An index by element name returns the steps whose type selector has the name of a tag. All
//! other steps with a type selector are excluded without a test.

// This module is first, so that the page of `SelectorSet` begins with `new`.
mod new;

#[cfg(feature = "checkpoints")]
mod checkpoint;
mod names;

use self::names::NameIndex;
use super::automaton::GroupState;
use super::on_stream::TagSubject;
use super::program::Group;
use super::selector::SelectorSource;
use crate::engine::dialect::Balance;
use crate::engine::event::{Doctype, StartTag};
use crate::engine::hash_seed::KeptSeeds;
use crate::tree::QuirksMode;
use alloc::vec::Vec;

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
///                 found.push([links, in_paragraphs].map(|id| set.is_selected(id)));
///             }
///         }
///         Event::End(_) => set.leave(),
///         Event::Doctype(doctype) => set.doctype(&doctype),
///         _ => {}
///     }
/// }
/// assert_eq!(found, [[true, true], [false, true], [false, true]]);
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
    /// True if a tag can have an effect on a group without steps of its name: a group has frames, or has steps without a
    /// type selector.
    needs_all_tags: bool,
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
    /// Enters the element of a start tag. Returns true if a selector matches the element.
    #[inline]
    pub fn enter(&mut self, tag: &StartTag<'_>) -> bool {
        self.clear_selected();
        let position = &mut self.position;
        if position.template_depth > 0 {
            position.template_depth += 1;
            return false;
        }
        let is_root = position.depth == 0;
        position.depth += 1;
        position.is_at_start = false;
        position.template_depth = u64::from(D::is_template(tag));
        let named = match self.names.is_empty() {
            true => &[],
            false => self.names.find(tag.local_name()),
        };
        if named.is_empty() && !self.needs_all_tags {
            return false;
        }
        let subject = TagSubject {
            tag: *tag,
            mode: position.mode,
            is_root,
        };
        let SelectorSet {
            groups,
            selected,
            seeds,
            ..
        } = self;
        self.has_selected = enter_groups(groups, named, &subject, seeds, selected);
        self.has_selected
    }

    /// Enters the element of a start tag that no selector matches because of its name. Returns false, and changes nothing,
    /// for other elements. No selector may match the element that was entered before.
    ///
    /// PERF: most tags of a document have a name that no selector has, and need nothing but a count.
    #[inline(always)]
    pub(crate) fn enter_unselected(&mut self, tag: &StartTag<'_>) -> bool {
        let position = &mut self.position;
        let is_other = position.template_depth == 0
            && !self.needs_all_tags
            && self.names.lacks(tag.part.local_name());
        if !is_other || D::is_template(tag) {
            return false;
        }
        position.depth += 1;
        position.is_at_start = false;
        true
    }

    /// Leaves a number of elements that were entered and not yet left.
    #[inline(always)]
    pub(crate) fn leave_some(&mut self, count: usize) {
        if self.has_frames || self.position.template_depth > 0 {
            return (0..count).for_each(|_| self.leave());
        }
        self.position.depth = self.position.depth.saturating_sub(count as u64);
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

/// Enters an element in all groups, and adds the selectors that match it to `selected`. `named` are the steps with its
/// name: see [`NameIndex::find`]. Returns true if a selector matches.
fn enter_groups(
    groups: &mut [SelectorGroup],
    mut named: &[(usize, u64)],
    subject: &TagSubject<'_>,
    seeds: &KeptSeeds,
    selected: &mut [u64],
) -> bool {
    let mut has_selected = false;
    for (number, one) in groups.iter_mut().enumerate() {
        let mut allowed = one.unnamed;
        if let [(group, steps), rest @ ..] = named
            && *group == number
        {
            allowed |= steps;
            named = rest;
        }
        let here = one.state.enter(&one.group, subject, seeds, allowed);
        let mut matching = here & one.group.accept;
        has_selected |= matching != 0;
        while matching != 0 {
            let owner = one.owners[matching.trailing_zeros() as usize] as usize;
            selected[owner / WORD_BITS] |= 1 << (owner % WORD_BITS);
            matching &= matching - 1;
        }
    }
    has_selected
}
