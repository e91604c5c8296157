//! The stack of open elements: a linked list of frames. Each frame has a summary of the elements below it.
//!
//! The standard answers many questions by walking down the stack, such as "is there a `p` in button scope?". On a
//! deep stack this would take quadratic time. Here, the summary of a frame answers them in constant time:
//!
//! ```text
//! #document ◂─▸ html ◂─▸ body ◂─▸ table ◂─▸ tr ◂─▸ td ◂─▸ b
//!                                                frame of td: in scope {td, tr, table, …}, mode InCell,
//!                                                nearest special element td, nearest boundary td, …
//! ```
//!
//! The summary of a frame is computed from the frame itself and the summary of the frame below it. If a frame is
//! removed or moved, the summaries above it are computed again, up to the first one that does not change.

use super::elements::{Class, NOTHING};
use super::modes::Mode;
use super::numbers::Name;
use super::schema;
use crate::dialects::html::construct::rules::{Group, Scoped};
use crate::dialects::html::names::Space;
use crate::engine::hash_seed::Seeds;
use crate::engine::linked_list::Links;
pub(super) use crate::engine::linked_list::NONE;
use hashbrown::HashMap;

/// Index of a frame on the stack. After the frame's element is closed, the index is reused.
pub(in crate::dialects::html) type FrameId = u32;

/// An entry of the stack: an open element, or the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<H> {
    /// The sink's handle of the element.
    pub(super) handle: H,
    /// The node into which its children are inserted: the element, or the contents of a template.
    pub(super) inside: H,
    /// The node into which the element was inserted.
    pub(super) outer: H,
    /// Depth of the element in the tree: `html` is 1, `body` is 2. If foster parenting or the adoption agency
    /// algorithm has moved something, the actual depth may be smaller.
    pub(super) level: u32,
    /// Index of the element's entry in the list of active formatting elements, or [`NONE`]. The index may belong to
    /// another element by now.
    pub(super) entry: u32,
    /// Number of the element's name: see [`Name`].
    pub(super) name: u32,
    /// The namespace of the element.
    pub(super) space: Space,
    /// The namespace of foreign elements that are inserted into this element. This is the element's own namespace,
    /// except for the root element of a fragment, where it is the namespace of the context element.
    pub(super) content: Space,
    /// If this is a foreign element: the rule table that applies, instead of the insertion mode, while it is the
    /// current node.
    pub(super) foreign_rules: Option<Mode>,
    /// The insertion mode that applies while this is the nearest element that determines a mode. `None` if it
    /// determines none.
    pub(super) stands_for: Option<Mode>,
    /// The groups to which the element belongs.
    pub(super) groups: Group,
    /// True if the element has a shadow root.
    pub(super) is_host: bool,
    /// True if this is a template whose content is inserted into the document: the template of a shadow root, or a
    /// template whose content is inserted at markers.
    pub(super) is_live: bool,
    /// The class of the element, which has the effect of the element on scopes.
    class: &'static Class,
    /// The facts about this frame and the frames below it.
    pub(super) summary: Summary,
}

/// The facts about the stack from the document up to a frame. In the fields, "nearest" means the topmost such element
/// in this part of the stack, which may be the element of the frame itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Summary {
    /// The elements that are in scope.
    pub(super) in_scope: Scoped,
    /// The insertion mode, which the nearest element with a mode determines.
    pub(super) mode: Mode,
    /// The nearest element of the category "special".
    pub(super) special: FrameId,
    /// The nearest element that ends the default scope.
    pub(super) boundary: FrameId,
    /// The nearest element in the HTML namespace.
    pub(super) html: FrameId,
    /// The nearest table or template, which determines the position of foster-parented nodes.
    pub(super) foster: FrameId,
    /// The nearest template.
    pub(super) template: FrameId,
    /// The select to which an option would belong if it was inserted into this element. If an option of a select would
    /// contain the new option, the frame of that option instead.
    pub(super) select: FrameId,
    /// True if there is an open optgroup above the element `select`.
    pub(super) in_optgroup: bool,
    /// True if the children of the element are in the contents of a template, which are not part of the document.
    /// Scripts there do not run.
    pub(super) is_inert: bool,
}

impl<H: Copy> Frame<H> {
    /// Returns the frame of an element that is not on the stack yet. `parent` is the parent node and its level.
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

    /// Returns whether this is an HTML element with this name.
    #[inline(always)]
    pub(super) fn is_html(&self, name: u32) -> bool {
        self.name == name && self.space == Space::Html
    }

    /// Returns the key of this element in [`Ends`], which counts the open elements with the same key. An end tag looks up
    /// the key of its own name to find out whether such an element is open.
    #[inline(always)]
    fn end(&self) -> (FrameId, u32, bool) {
        match self.space {
            Space::Html => (self.summary.special, self.name, false),
            _ => (self.summary.html, self.name, true),
        }
    }

    /// Returns the summary of the frame at index `id` above a frame with the summary `below`.
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
    /// Updates the fields of the summary that only few elements change, for an element with these groups.
    ///
    /// PERF: the parameters are passed by value, so that a frame is built in machine registers and not moved in
    /// memory.
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

/// Number of open elements that an end tag can find, by three values: the nearest frame that ends the search, the
/// name, and whether the element is foreign. The search for an HTML element ends at the nearest element of the
/// category "special". The search for a foreign element ends at the nearest HTML element.
type Ends = HashMap<(FrameId, u32, bool), u32, Seeds>;

/// The stack. Its first frame is the document; the open elements follow.
#[derive(Clone, Debug)]
pub(super) struct Stack<H> {
    pub(super) frames: Links<Frame<H>>,
    /// Index of the open elements that end tags can find. The index is created when an end tag finds no element near
    /// the top of the stack for the first time.
    ends: Option<Ends>,
    /// Counter of work, for tests: number of frames examined, pushed and popped.
    pub(super) steps: u64,
}

impl<H: Copy> Stack<H> {
    /// Creates a stack that contains only the document.
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

    /// Returns the number of open elements.
    #[inline(always)]
    pub(super) fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    /// Returns the current node. Before the first element, this is the document.
    #[inline(always)]
    pub(super) fn current(&self) -> &Frame<H> {
        &self.frames[self.frames.last()]
    }

    /// Returns the frame of the root element, or [`NONE`].
    pub(super) fn root(&self) -> FrameId {
        self.frames.after(self.frames.first())
    }

    /// Returns the frame of the second element on the stack, or [`NONE`].
    pub(super) fn second(&self) -> FrameId {
        self.frames.after(self.root())
    }

    /// Returns the elements that are in scope at the top of the stack.
    #[inline(always)]
    pub(super) fn in_scope(&self) -> Scoped {
        self.current().summary.in_scope
    }

    /// Returns whether the current node is in a group.
    #[inline(always)]
    pub(super) fn is_in(&self, group: Group) -> bool {
        self.current().groups.meets(group)
    }

    /// Returns whether an open element is in the default scope.
    pub(super) fn is_in_scope(&self, id: FrameId) -> bool {
        self.frames[id].summary.boundary == self.current().summary.boundary
    }

    /// Pushes an element.
    #[inline(always)]
    pub(super) fn push(&mut self, mut frame: Frame<H>) -> FrameId {
        self.steps += 1;
        frame.summary = frame.summarise(self.frames.next(), &self.current().summary);
        count(&mut self.ends, &frame, true);
        self.frames.push(frame)
    }

    /// Removes an open element without updating the summaries above it.
    #[inline]
    pub(super) fn take(&mut self, id: FrameId) {
        self.steps += 1;
        let frame = self.frames.remove(id);
        count(&mut self.ends, frame, false);
    }

    /// Removes an open element at any position.
    pub(super) fn remove(&mut self, id: FrameId) {
        let above = self.frames.after(id);
        self.take(id);
        self.repair(above, above);
    }

    /// Computes the summaries again, from a frame upwards: those up to `through` in any case, then up to the first
    /// one that does not change.
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

    /// Changes the insertion mode that the element of a frame determines. If the element is an active formatting
    /// element, changes the mode of the nearest element below that is not one.
    pub(super) fn turn(&mut self, mut id: FrameId, mode: Mode) {
        while self.frames[id].entry != NONE {
            id = self.frames.before(id);
        }
        self.frames[id].stands_for = Some(mode);
        self.frames[id].summary.mode = mode;
        let above = self.frames.after(id);
        self.repair(above, above);
    }

    /// Returns the element that an end tag with this name closes: the topmost HTML element with this name that has no
    /// element of the category "special" above it, or the topmost foreign element with this name that has no HTML
    /// element above it.
    pub(super) fn find(&mut self, name: u32, foreign: bool) -> Option<FrameId> {
        /// Number of frames to walk before the index is consulted. A shorter walk costs less than the index.
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

    /// Returns whether an open element has this key, so that an end tag finds it. Creates the index if necessary.
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

/// Adds a frame to the index of elements that end tags can find if `more` is true, or else removes the frame. Does
/// nothing if the index does not exist.
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

crate::checkpoint::checkpointable! {
    struct Frame<H> {
        handle, inside, outer, level, entry, name, space, content, foreign_rules, stands_for,
        groups, is_host, is_live, class, summary,
    }
    struct Summary {
        in_scope, mode, special, boundary, html, foster, template, select, in_optgroup, is_inert,
    }
    struct Stack<H> { frames, ends, steps }
}
