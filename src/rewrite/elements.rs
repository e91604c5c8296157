//! The stack of open elements of a rewriter.

use super::seam::Context;
use crate::engine::hash_seed::{KeptSeeds, Seeds};
use crate::engine::input::sizes::Sizes;
use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts;
use crate::engine::text::key::GOLDEN_RATIO;
use crate::engine::work;
use alloc::string::String;
use alloc::vec::Vec;
use core::hash::BuildHasher;
use hashbrown::HashMap;

/// An open element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Element {
    /// Hash of the name. Zero in balanced events, whose end tags need no search.
    pub(super) hash: u64,
    /// True if text cannot be inserted into the element.
    pub(super) refuses_text: bool,
    /// True if the element is a part of a table in which tree construction ends a `form` at its start tag, or is in such
    /// a part and in no cell of it.
    pub(super) is_in_table: bool,
    /// True if the element is in SVG or MathML. As written: and contains elements of the same namespace.
    pub(super) is_foreign: bool,
    /// As written: true if the element contains an element of SVG or MathML that another end tag ended, so that it is still
    /// open for the parser.
    pub(super) leaves_foreign: bool,
    /// True if the element is a `template` of HTML.
    pub(super) is_template: bool,
    /// True if the element is elsewhere in the tree than in the input, or than its contents.
    pub(super) is_moved: bool,
    /// True for a formatting element of HTML that tree construction opens again.
    pub(super) is_reopened: bool,
    /// True for a formatting element of HTML whose start tag is edited.
    pub(super) is_edited: bool,
}

/// The open elements: the tags as written, or the elements of the tree.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    open: Vec<Element>,
    /// Number of open elements by their hashes. Used only if searches that found nothing have become expensive.
    counts: Option<HashMap<u64, u32, Seeds>>,
    /// Number of elements that were compared by searches that found nothing, minus the number of elements opened.
    wasted: i64,
    /// The value of `wasted` from which the open elements are counted: see [`Sizes::wasted`].
    max_wasted: i64,
    /// Maximum number of bytes of open elements and of the edits that wait for their ends: see [`Limits::memory`].
    memory: usize,
    /// Number of bytes of the edits that wait for the ends of elements.
    memory_used: usize,
    /// Maximum number of open elements, so that they and the edits have at most `memory` bytes.
    max_depth: usize,
    seeds: KeptSeeds,
    traits: TraitCache,
}

/// Number of bytes that an open element counts: three times its size, because a growing vector is copied to one of twice
/// the capacity.
const ELEMENT_BYTES: usize = 3 * size_of::<Element>();

impl Default for Elements {
    fn default() -> Elements {
        Elements {
            open: Vec::new(),
            counts: None,
            wasted: 0,
            max_wasted: MAX_WASTED,
            memory: usize::MAX,
            memory_used: 0,
            max_depth: usize::MAX,
            seeds: KeptSeeds::default(),
            traits: TraitCache::default(),
        }
    }
}

/// The properties of an HTML element that its name determines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ElementTraits {
    /// True if the start tag ends the element.
    pub(super) is_void: bool,
    /// True if the contents are not read like those of other elements: see [`html_facts::SPECIAL_CONTENT`].
    pub(super) has_special_content: bool,
}

impl ElementTraits {
    #[cold]
    #[inline(never)]
    fn of(name: &str) -> ElementTraits {
        let known = ElementName::find(name);
        ElementTraits {
            is_void: known.is_some_and(|name| html_facts::VOID.holds(name)),
            has_special_content: known.is_some_and(|name| html_facts::SPECIAL_CONTENT.holds(name)),
        }
    }
}

/// The properties of some HTML elements, with the hashes of their names. A new name replaces another one with the same
/// slot.
///
/// PERF: the hash is computed for the stack of open elements anyway, so a look at the cache takes a few instructions
/// instead of a search in the table of all elements.
#[derive(Clone, Debug, Default)]
struct TraitCache {
    slots: [(u64, ElementTraits); 1 << TraitCache::BITS],
}

impl TraitCache {
    const BITS: u32 = 5;

    /// Returns the properties of the element with this name and hash. An unused slot has the hash of an empty name.
    #[inline(always)]
    fn find(&mut self, hash: u64, name: &str) -> ElementTraits {
        let at = hash.wrapping_mul(GOLDEN_RATIO) >> (u64::BITS - TraitCache::BITS);
        let slot = &mut self.slots[at as usize];
        if slot.0 != hash {
            *slot = (hash, ElementTraits::of(name));
        }
        slot.1
    }
}

/// Returns at most seven bytes as a little-endian number.
///
/// PERF: words that overlap are faster than a copy of a length that the compiler does not know.
#[inline(always)]
fn padded(bytes: &[u8]) -> u64 {
    let half = |at: usize| {
        let half = bytes[at..].first_chunk().copied().unwrap_or_default();
        u64::from(u32::from_le_bytes(half))
    };
    let byte = |at: usize| u64::from(bytes[at]) << (8 * at);
    match bytes.len() {
        0 => 0,
        length @ 1..4 => byte(0) | byte(length / 2) | byte(length - 1),
        length => half(0) | half(length - 4) << (8 * (length - 4)),
    }
}

/// The usual value of `max_wasted`.
const MAX_WASTED: i64 = Sizes::USUAL.wasted as i64;

impl Elements {
    /// Sets the value of `wasted` from which the open elements are counted.
    #[cfg(feature = "inspect")]
    pub(super) fn set_sizes(&mut self, sizes: &Sizes) {
        self.max_wasted = i64::try_from(sizes.wasted).unwrap_or(i64::MAX);
    }

    /// Sets the maximum number of bytes of open elements and of the edits that wait for their ends.
    pub(super) fn set_memory(&mut self, memory: usize) {
        self.memory = memory;
        self.set_memory_used(self.memory_used);
    }

    /// Returns the maximum number of bytes of open elements and of the edits that wait for their ends.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }

    /// Sets the number of bytes of the edits that wait for the ends of elements.
    fn set_memory_used(&mut self, memory_used: usize) {
        self.memory_used = memory_used;
        self.max_depth = self.memory.saturating_sub(memory_used) / ELEMENT_BYTES;
    }

    /// Called when edits of this number of bytes begin to wait for the end of an element.
    pub(super) fn hold(&mut self, bytes: usize) {
        self.set_memory_used(self.memory_used + bytes);
    }

    /// Called when such edits are applied.
    pub(super) fn release(&mut self, bytes: usize) {
        self.set_memory_used(self.memory_used.saturating_sub(bytes));
    }

    /// Returns true if the open elements and the waiting edits have more bytes than the limit.
    #[inline]
    pub(super) fn exceed_memory(&self) -> bool {
        self.open.len() > self.max_depth
    }

    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the innermost element.
    pub(super) fn last(&self) -> Element {
        self.open.last().copied().unwrap_or_default()
    }

    /// Called for a node that is moved out of the parts of a table. If a template contains these without a table, the
    /// node follows them, as if they were moved before it.
    pub(super) fn set_moved_in_template(&mut self) {
        let open = &mut self.open;
        // The parts of a table are nested at most three deep.
        let mut depths = (open.len().saturating_sub(4)..open.len()).rev();
        let is_part = |depth: &usize| *depth > 0 && open[depth - 1].is_template;
        if let Some(depth) = depths.find(is_part) {
            open[depth].is_moved = true;
        }
    }

    /// Notes that the start tag of the innermost element is edited, which is a formatting element.
    pub(super) fn set_edited(&mut self) {
        if let Some(element) = self.open.last_mut() {
            element.is_edited = true;
        }
    }

    /// Returns the parent of the innermost element.
    pub(super) fn parent(&self) -> Element {
        self.open.iter().nth_back(1).copied().unwrap_or_default()
    }

    /// Returns the element with this depth. The root element has the depth 1.
    pub(super) fn at(&self, depth: usize) -> Element {
        self.open[depth - 1]
    }

    /// As written: notes for the element with this depth whether an element of SVG or MathML in it is still open for the
    /// parser.
    pub(super) fn set_leaves_foreign(&mut self, depth: usize, leaves_foreign: bool) {
        if leaves_foreign && let Some(element) = self.open[..depth].last_mut() {
            element.leaves_foreign = true;
        }
    }

    /// Returns a hash of a name, which is unique for names of at most seven bytes: the highest byte is the length, because
    /// names of XML-ER can end with U+0000. The hash of a longer name has seeds, so that nobody can choose names with the
    /// same hash.
    #[inline(always)]
    pub(super) fn hash(&self, name: &str) -> u64 {
        let bytes = name.as_bytes();
        if bytes.len() > 7 {
            return self.seeds.hash_one(name);
        }
        padded(bytes) | (bytes.len() as u64) << 56
    }

    /// Opens an element of balanced events.
    #[inline]
    pub(super) fn push(&mut self, element: Element) {
        self.open.push(element);
    }

    /// Returns the properties of an HTML element with this name and [hash](Self::hash).
    #[inline(always)]
    pub(super) fn traits_of(&mut self, hash: u64, name: &str) -> ElementTraits {
        self.traits.find(hash, name)
    }

    /// Opens an element as written, whose name has this [hash](Self::hash).
    #[inline(always)]
    pub(super) fn push_hashed(&mut self, hash: u64, is_foreign: bool) {
        self.open.push(Element {
            hash,
            is_foreign,
            ..Element::default()
        });
        self.wasted -= 1;
        if let Some(counts) = &mut self.counts {
            *counts.entry(hash).or_default() += 1;
        }
    }

    /// Closes the innermost element, and returns it.
    pub(super) fn pop(&mut self) -> Element {
        let last = self.last();
        self.close_to(self.depth().saturating_sub(1));
        last
    }

    /// Closes the innermost elements until `depth` elements are open.
    #[inline(always)]
    pub(super) fn close_to(&mut self, depth: usize) {
        if self.counts.is_some() {
            self.discount(depth);
        }
        self.open.truncate(depth);
    }

    /// Removes all elements but the `depth` outermost from the counts.
    #[cold]
    fn discount(&mut self, depth: usize) {
        let Some(counts) = &mut self.counts else {
            return;
        };
        for closed in &self.open[depth..] {
            if let Some(count) = counts.get_mut(&closed.hash) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&closed.hash);
                }
            }
        }
    }

    /// Returns the depth of the parent of the element that an end tag closes, or `None` if it closes nothing. The root
    /// element has the depth 1.
    #[inline]
    pub(super) fn closed_by(&mut self, name: &str) -> Option<usize> {
        let hash = self.hash(name);
        match self.open.last() {
            Some(last) if last.hash == hash => Some(self.open.len() - 1),
            _ => self.search(hash),
        }
    }

    #[cold]
    fn search(&mut self, hash: u64) -> Option<usize> {
        if self.wasted > self.max_wasted && self.counts.is_none() {
            let mut counts = HashMap::default();
            for open in &self.open {
                *counts.entry(open.hash).or_default() += 1;
            }
            self.counts = Some(counts);
        }
        if let Some(counts) = &self.counts
            && !counts.contains_key(&hash)
        {
            return None;
        }
        let found = self.open.iter().rposition(|other| other.hash == hash);
        let compared = self.open.len() - found.unwrap_or(0);
        work::count(compared);
        if found.is_none() {
            self.wasted += compared as i64;
        }
        found
    }
}

/// The pending edits of the end of an open element.
#[derive(Clone, Debug)]
pub(super) struct ElementEnd {
    pub(super) depth: usize,
    /// Name of the end tag, after renaming.
    pub(super) name: String,
    pub(super) is_renamed: bool,
    pub(super) is_unwrapped: bool,
    /// True if the element is removed, so that only content after it is written.
    pub(super) is_removed: bool,
    /// True if the element was written as an empty-element tag and has contents now, so that it needs an end tag.
    pub(super) is_opened: bool,
    /// True if the start tag ends the element: a void element, or an empty-element tag.
    pub(super) closes_itself: bool,
    /// True for a formatting element of HTML, whose end tag is never written where the input has none.
    pub(super) is_formatting: bool,
    /// True for a part of a table from which a node was moved out.
    pub(super) has_moved: bool,
    /// The content model of the element.
    pub(super) context: Context,
    /// Content to insert before the end tag.
    pub(super) last: String,
    /// Content to insert after the end tag.
    pub(super) after: String,
    /// Number of bytes that the edits count while they wait: see [`ElementEnd::bytes`].
    pub(super) memory_used: usize,
}

impl ElementEnd {
    /// Returns the number of bytes that the edits count: those of the strings, and three times its own size, like an open
    /// element.
    pub(super) fn bytes(&self) -> usize {
        let strings = self.name.len() + self.last.len() + self.after.len();
        3 * size_of::<ElementEnd>() + strings
    }

    /// Returns true if there is something to do at the end of the element.
    pub(super) fn is_needed(&self) -> bool {
        let inserts = !self.last.is_empty() || !self.after.is_empty();
        self.is_renamed || self.is_unwrapped || self.is_opened || inserts
    }
}

crate::checkpoint::checkpointable! {
    struct Element {
        hash, refuses_text, is_in_table, is_foreign, leaves_foreign, is_template, is_moved, is_reopened, is_edited
    }
    struct Elements {
        open, memory, memory_used, max_depth, seeds
        ; skip counts = None, wasted = 0, max_wasted = MAX_WASTED, traits = Default::default()
    }
    struct ElementEnd {
        depth, name, is_renamed, is_unwrapped, is_removed, is_opened, closes_itself, is_formatting, has_moved,
        context, last, after, memory_used
    }
}
