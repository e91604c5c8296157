//! The stack of open elements: frames linked in order, each with a summary of all below it, which
//! answers what the standard finds out by walking down. It must not know of rules, nor of the tree.
//!
//! ```text
//! #document ◂─▸ html ◂─▸ body ◂─▸ table ◂─▸ tr ◂─▸ td ◂─▸ b
//!                                                frame td: in scope {td, tr, table, …}, in cell,
//!                                                nearest special td, nearest boundary td, …
//! ```
//!
//! A summary follows from the frame itself and from the summary below. Where a frame is taken out or
//! moved, those above are worked out anew, up to the first that stays as it is.

use super::elements::{Class, NOTHING};
use super::numbers::Name;
use super::schema::{self, Mode};
use crate::html::construct::rules::{Group, Scoped};
use crate::html::names::Space;
use crate::links::Links;
pub(super) use crate::links::NONE;
use crate::seeds::Seeds;
use hashbrown::HashMap;

/// Where a frame is; it may be another's once that is closed.
pub(in crate::html) type FrameId = u32;

/// An open element.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Frame<H> {
    /// The element; the node that its children go into; the node that it was put into.
    pub(super) handle: H,
    pub(super) inside: H,
    pub(super) outer: H,
    /// How deep in the tree it is, itself counted: `html` is 1, `body` 2. Where foster parenting or the
    /// adoption agency has moved something, it may be less deep than this.
    pub(super) level: u32,
    /// Its entry in the list of active formatting elements.
    pub(super) entry: u32,
    /// The number of its name, in lower case.
    pub(super) name: u32,
    pub(super) space: Space,
    /// The namespace that foreign elements in it are of: its own but for the context of a fragment.
    pub(super) content: Space,
    /// The rules that come before the insertion mode's, where it is foreign.
    pub(super) foreign_rules: Option<Mode>,
    /// The insertion mode that it stands for.
    pub(super) stands_for: Option<Mode>,
    pub(super) groups: Group,
    /// It has a shadow root; it is the template of one, or one whose content goes elsewhere, so that what is in it is
    /// connected.
    pub(super) is_host: bool,
    pub(super) is_live: bool,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::html::saved::class"))]
    class: &'static Class,
    pub(super) summary: Summary,
}

/// What follows from a frame and all below it. "Nearest" counts the frame itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Summary {
    pub(super) in_scope: Scoped,
    pub(super) mode: Mode,
    /// The nearest special element, boundary of the default scope, and element of HTML.
    pub(super) special: FrameId,
    pub(super) boundary: FrameId,
    pub(super) html: FrameId,
    /// The nearest table or template; the nearest template.
    pub(super) foster: FrameId,
    pub(super) template: FrameId,
    /// The select that an option here would be of, or else the option of one that it would be in; and
    /// whether an optgroup is in between.
    pub(super) select: FrameId,
    pub(super) in_optgroup: bool,
    /// Whether it is in a template: what is there is not connected, and its scripts do not run.
    pub(super) is_inert: bool,
}

impl<H: Copy> Frame<H> {
    /// The frame of an element that is not in the stack yet, in a parent of this level.
    #[inline(always)]
    pub(super) fn new(handle: H, parent: (H, u32), name: u32, space: Space) -> Frame<H> {
        let (outer, level) = parent;
        let class = Class::of(name, space);
        Frame {
            handle,
            inside: handle,
            outer,
            level: level + 1,
            entry: NONE,
            name,
            space,
            content: space,
            foreign_rules: None,
            stands_for: class.mode,
            groups: class.groups,
            is_host: false,
            is_live: false,
            class,
            summary: Summary {
                in_scope: Scoped::NONE,
                mode: Mode::Initial,
                special: NONE,
                boundary: NONE,
                html: NONE,
                foster: NONE,
                template: NONE,
                select: NONE,
                in_optgroup: false,
                is_inert: false,
            },
        }
    }

    /// Whether it is an element of HTML of that name.
    #[inline(always)]
    pub(super) fn is_html(&self, name: u32) -> bool {
        self.name == name && self.space == Space::Html
    }

    /// By what an end tag of its name finds it: see [`Ends`].
    #[inline(always)]
    fn end(&self) -> (FrameId, u32, bool) {
        match self.space {
            Space::Html => (self.summary.special, self.name, false),
            _ => (self.summary.html, self.name, true),
        }
    }

    /// The summary of the frame as `id` above one with the summary `below`.
    #[inline(always)]
    fn summarise(&self, id: FrameId, below: &Summary) -> Summary {
        let mut summary = *below;
        summary.in_scope = self.class.in_scope_above(below.in_scope);
        if let Some(mode) = self.stands_for {
            summary.mode = mode;
        }
        if self.space == Space::Html {
            summary.html = id;
        }
        if self.groups.meets(schema::SPECIAL) {
            summary.special = id;
            if self.class.is_boundary() {
                summary.boundary = id;
            }
        }
        match self.groups.meets(schema::SUMMARISED) {
            true => summary.with(self.groups, id, self.is_live),
            false => summary,
        }
    }
}

impl Summary {
    /// The part of the summary that few elements change.
    ///
    /// PERF: nothing is lent here, so that a frame is made in registers and not moved in memory.
    #[inline(never)]
    fn with(mut self, groups: Group, id: FrameId, is_live: bool) -> Summary {
        if groups.meets(schema::TABLE.or(schema::TEMPLATE)) {
            self.foster = id;
        }
        if groups.meets(schema::TEMPLATE) {
            self.template = id;
            self.is_inert |= !is_live;
        }
        if groups.meets(schema::SELECT) {
            self.select = id;
            self.in_optgroup = false;
        }
        let second = groups.meets(schema::OPTGROUP) && self.in_optgroup;
        self.in_optgroup |= groups.meets(schema::OPTGROUP);
        if second || groups.meets(schema::HIDES_SELECT) {
            self.select = NONE;
        }
        if groups.meets(schema::OPTION) && self.select != NONE {
            self.select = id;
            self.in_optgroup = false;
        }
        self
    }
}

/// How many open elements an end tag could find, by name, whether they are foreign, and the nearest
/// frame that ends the search: an element is found only while nothing special stands above it where it
/// is one of HTML, nothing of HTML where it is foreign.
type Ends = HashMap<(FrameId, u32, bool), u32, Seeds>;

/// The stack: the document, and above it the open elements.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Stack<H> {
    pub(super) frames: Links<Frame<H>>,
    /// Kept from the first end tag on that finds nothing near.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    ends: Option<Ends>,
    /// Frames looked at, pushed, popped.
    pub(super) steps: u64,
}

impl<H: Copy> Stack<H> {
    pub(super) fn new(document: H) -> Stack<H> {
        let mut frames = Links::new();
        frames.push(Frame {
            class: &NOTHING,
            level: 0,
            ..Frame::new(document, (document, 0), Name::NONE.number, Space::Html)
        });
        Stack {
            frames,
            ends: None,
            steps: 0,
        }
    }

    /// How many elements are open.
    #[inline(always)]
    pub(super) fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    /// The current node: the document before the first element.
    #[inline(always)]
    pub(super) fn current(&self) -> &Frame<H> {
        &self.frames[self.frames.last()]
    }

    /// Where the root element is, and the second one.
    pub(super) fn root(&self) -> FrameId {
        self.frames.after(self.frames.first())
    }

    pub(super) fn second(&self) -> FrameId {
        self.frames.after(self.root())
    }

    /// What is in scope at the top.
    #[inline(always)]
    pub(super) fn in_scope(&self) -> Scoped {
        self.current().summary.in_scope
    }

    /// Whether the current node is in a group.
    #[inline(always)]
    pub(super) fn is_in(&self, group: Group) -> bool {
        self.current().groups.meets(group)
    }

    /// Whether an open element is in the default scope.
    pub(super) fn is_in_scope(&self, id: FrameId) -> bool {
        self.frames[id].summary.boundary == self.current().summary.boundary
    }

    /// Makes an element the current node.
    #[inline(always)]
    pub(super) fn push(&mut self, mut frame: Frame<H>) -> FrameId {
        self.steps += 1;
        frame.summary = frame.summarise(self.frames.next(), &self.current().summary);
        count(&mut self.ends, &frame, true);
        self.frames.push(frame)
    }

    /// Takes an open element out of the stack, without looking after the summaries above.
    #[inline]
    pub(super) fn take(&mut self, id: FrameId) {
        self.steps += 1;
        let frame = self.frames.remove(id);
        count(&mut self.ends, frame, false);
    }

    /// Takes any open element out of the stack.
    pub(super) fn remove(&mut self, id: FrameId) {
        let above = self.frames.after(id);
        self.take(id);
        self.repair(above, above);
    }

    /// Works the summaries out anew, from a frame upwards: up to `through` in any case, then up to the
    /// first that stays as it is.
    pub(super) fn repair(&mut self, from: FrameId, through: FrameId) {
        let (mut id, mut must) = (from, true);
        while let Some(frame) = self.frames.get(id).copied() {
            self.steps += 1;
            let summary = frame.summarise(id, &self.frames[self.frames.before(id)].summary);
            must &= id != through;
            if summary != frame.summary {
                count(&mut self.ends, &frame, false);
                self.frames[id].summary = summary;
                count(&mut self.ends, &self.frames[id], true);
            } else if !must {
                return;
            }
            id = self.frames.after(id);
        }
    }

    /// Changes the mode that a frame stands for, or that below reopened formatting elements.
    pub(super) fn turn(&mut self, mut id: FrameId, mode: Mode) {
        while self.frames[id].entry != NONE {
            id = self.frames.before(id);
        }
        self.frames[id].stands_for = Some(mode);
        self.frames[id].summary.mode = mode;
        let above = self.frames.after(id);
        self.repair(above, above);
    }

    /// The topmost element of that name: one of HTML with nothing special above it, or a foreign one
    /// with nothing of HTML above it. Walks down, or asks first whether that is worth it.
    pub(super) fn find(&mut self, name: u32, foreign: bool) -> Option<FrameId> {
        /// So far a walk costs less than asking.
        const SHORT: u32 = 8;
        let Summary { special, html, .. } = self.current().summary;
        let last = if foreign { html } else { special };
        let (mut id, mut walked) = (self.frames.last(), 0);
        while let Some(frame) = self.frames.get(id) {
            if frame.name == name && (frame.space != Space::Html) == foreign {
                return Some(id);
            }
            walked += 1;
            self.steps += 1;
            if id == last || walked == SHORT && !self.has_end((last, name, foreign)) {
                return None;
            }
            id = self.frames.before(id);
        }
        None
    }

    /// Whether an end tag would find something.
    fn has_end(&mut self, end: (FrameId, u32, bool)) -> bool {
        if self.ends.is_none() {
            self.ends = Some(Ends::default());
            let mut id = self.root();
            while let Some(frame) = self.frames.get(id).copied() {
                self.steps += 1;
                count(&mut self.ends, &frame, true);
                id = self.frames.after(id);
            }
        }
        let ends = self.ends.as_ref();
        ends.is_some_and(|ends| ends.contains_key(&end))
    }
}

/// Counts a frame among those that end tags could find, or no more.
#[inline(always)]
fn count<H: Copy>(ends: &mut Option<Ends>, frame: &Frame<H>, more: bool) {
    if let Some(ends) = ends {
        count_end(ends, frame.end(), more);
    }
}

#[cold]
fn count_end(ends: &mut Ends, end: (FrameId, u32, bool), more: bool) {
    let count = ends.entry(end).or_insert(0);
    *count = count.wrapping_add(if more { 1 } else { u32::MAX });
    if *count == 0 {
        ends.remove(&end);
    }
}
