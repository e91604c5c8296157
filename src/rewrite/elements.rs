//! The stack of open elements of a rewriter.

use super::seam::Context;
use crate::engine::hash_seed::{KeptSeeds, Seeds};
use crate::engine::work;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::hash::BuildHasher;
use hashbrown::HashMap;

/// Number of counters of open elements. Elements share a counter if the high bits of their hashes are the same.
const COUNTERS: usize = 256;

/// An open element.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Hash of the name. Zero in balanced events, whose end tags need no search.
    hash: u64,
    /// Whether text can be inserted into the element.
    takes_text: bool,
    /// Whether the element is in SVG or MathML.
    is_foreign: bool,
    /// Whether the element is a `template` of HTML.
    is_template: bool,
}

/// Properties of an element of balanced events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// Whether text can be inserted into the element.
    pub(super) takes_text: bool,
    /// Whether the element is in SVG or MathML.
    pub(super) is_foreign: bool,
    /// Whether the element is a `template` of HTML.
    pub(super) is_template: bool,
}

/// The open elements: the tags as written, or the elements of the tree.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    open: Vec<Open>,
    /// Number of open elements by the high bits of their hashes. If a number is zero, an end tag needs no search.
    counts: Box<[u32]>,
    /// Number of open elements by their whole hashes. Used only if searches that found nothing have become expensive.
    exact: Option<HashMap<u64, u32, Seeds>>,
    /// Number of elements that were compared by searches that found nothing, minus the number of elements opened.
    wasted: i64,
    seeds: KeptSeeds,
}

/// The value of `wasted` from which exact numbers are counted.
const MAX_WASTED: i64 = 4096;

impl Default for Elements {
    fn default() -> Elements {
        Elements {
            open: Vec::new(),
            counts: alloc::vec![0; COUNTERS].into(),
            exact: None,
            wasted: 0,
            seeds: KeptSeeds::default(),
        }
    }
}

impl Elements {
    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns whether text can be inserted into the innermost element.
    pub(super) fn takes_text(&self) -> bool {
        self.open.last().is_none_or(|last| last.takes_text)
    }

    /// Returns whether text can be inserted into the parent of the innermost element.
    pub(super) fn parent_takes_text(&self) -> bool {
        let parent = self.open.len().checked_sub(2).map(|at| self.open[at]);
        parent.is_none_or(|parent| parent.takes_text)
    }

    /// Returns whether the parent of the innermost element is a `template`.
    pub(super) fn is_in_template(&self) -> bool {
        let parent = self.open.len().checked_sub(2).map(|at| self.open[at]);
        parent.is_some_and(|parent| parent.is_template)
    }

    /// Returns a hash of a name, which is unique for names of at most eight bytes. The hash of a longer name has seeds,
    /// so that nobody can choose names with the same hash.
    #[inline]
    fn hash(&self, name: &str) -> u64 {
        let bytes = name.as_bytes();
        if bytes.len() > 8 {
            return self.seeds.hash_one(name);
        }
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        (u64::from_le_bytes(word) ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    #[inline]
    fn counter(hash: u64) -> usize {
        (hash >> 56) as usize % COUNTERS
    }

    /// Opens an element of balanced events.
    #[inline]
    pub(super) fn push_balanced(&mut self, facts: Facts) {
        self.open.push(Open {
            hash: 0,
            takes_text: facts.takes_text,
            is_foreign: facts.is_foreign,
            is_template: facts.is_template,
        });
    }

    /// Closes an element of balanced events. Returns whether it is in SVG or MathML.
    #[inline]
    pub(super) fn pop_balanced(&mut self) -> bool {
        self.open.pop().is_some_and(|open| open.is_foreign)
    }

    /// Returns whether the innermost element is in SVG or MathML and contains elements of the same namespace.
    pub(super) fn is_foreign(&self) -> bool {
        self.open.last().is_some_and(|last| last.is_foreign)
    }

    /// Opens an element as written. `is_foreign` is true if it is in SVG or MathML and contains elements of the same
    /// namespace.
    #[inline]
    pub(super) fn push(&mut self, name: &str, is_foreign: bool) {
        let hash = self.hash(name);
        self.counts[Elements::counter(hash)] += 1;
        self.open.push(Open {
            hash,
            takes_text: true,
            is_foreign,
            is_template: false,
        });
        self.wasted -= 1;
        if let Some(exact) = &mut self.exact {
            *exact.entry(hash).or_default() += 1;
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        let Some(last) = self.open.pop() else { return };
        self.counts[Elements::counter(last.hash)] -= 1;
        if let Some(exact) = &mut self.exact
            && let Some(count) = exact.get_mut(&last.hash)
        {
            *count -= 1;
            if *count == 0 {
                exact.remove(&last.hash);
            }
        }
    }

    /// Returns the depth of the element that an end tag closes, or `None` if it closes nothing. The root element has
    /// the depth 1.
    #[inline]
    pub(super) fn closed_by(&mut self, name: &str) -> Option<usize> {
        let hash = self.hash(name);
        match self.open.last() {
            Some(last) if last.hash == hash => Some(self.open.len()),
            _ if self.counts[Elements::counter(hash)] == 0 => None,
            _ => self.search(hash),
        }
    }

    #[cold]
    fn search(&mut self, hash: u64) -> Option<usize> {
        if self.wasted > MAX_WASTED && self.exact.is_none() {
            let mut exact = HashMap::default();
            for open in &self.open {
                *exact.entry(open.hash).or_default() += 1;
            }
            self.exact = Some(exact);
        }
        if let Some(exact) = &self.exact
            && !exact.contains_key(&hash)
        {
            return None;
        }
        let found = self.open.iter().rposition(|other| other.hash == hash);
        let compared = self.open.len() - found.unwrap_or(0);
        work::count(compared);
        if found.is_none() {
            self.wasted += compared as i64;
        }
        found.map(|at| at + 1)
    }

    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.counts.fill(0);
        (self.exact, self.wasted) = (None, 0);
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
    /// True if the element was written as an empty-element tag and has contents now, so that it needs an end tag.
    pub(super) is_opened: bool,
    /// True if the start tag ends the element: a void element, or an empty-element tag.
    pub(super) closes_itself: bool,
    /// True for a formatting element of HTML, whose end tag is never written where the input has none.
    pub(super) is_formatting: bool,
    /// The content model of the element.
    pub(super) context: Context,
    /// Content to insert before the end tag.
    pub(super) last: String,
    /// Content to insert after the end tag.
    pub(super) after: String,
}

impl ElementEnd {
    /// Returns true if there is something to do at the end of the element.
    pub(super) fn is_needed(&self) -> bool {
        let inserts = !self.last.is_empty() || !self.after.is_empty();
        self.is_renamed || self.is_unwrapped || self.is_opened || inserts
    }
}

crate::checkpoint::checkpointable! {
    struct Open { hash, takes_text, is_foreign, is_template }
    struct Elements {
        open, seeds
        ; skip counts = alloc::vec![0; COUNTERS].into(), exact = None, wasted = 0
        ; then Elements::count_all
    }
    struct ElementEnd {
        depth, name, is_renamed, is_unwrapped, is_opened, closes_itself, is_formatting, context, last, after
    }
}

#[cfg(feature = "checkpoints")]
impl Elements {
    /// Counts the open elements of a checkpoint.
    fn count_all(&mut self) -> Result<(), crate::checkpoint::Damaged> {
        for open in &self.open {
            self.counts[Elements::counter(open.hash)] += 1;
        }
        Ok(())
    }
}
