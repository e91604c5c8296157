//! The stack of open elements: frames linked in order, each with a summary of all below it, which
//! answers what the standard finds out by walking down. It must not know of rules, nor of the tree.
//!
//! ```text
//! html ◂─▸ body ◂─▸ table ◂─▸ tr ◂─▸ td ◂─▸ b        frame td: sees {td, tr, table, …}, in cell,
//!                                                      nearest special td, nearest boundary td, …
//! ```
//!
//! A summary follows from the frame itself and from the summary below. Where a frame is taken out or
//! moved, those above are worked out anew, up to the first that stays as it is.

use super::elements::{CLASSES, Class, Group, KNOWN, Seen};
use super::ends::Ends;
use super::notation::Mode;
use super::schema;
use alloc::vec::Vec;

/// Where a frame is; it may be another's once that is closed.
pub(super) type FrameId = u32;

/// No frame.
pub(super) const NONE: u32 = u32::MAX;

/// A namespace of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Html,
    Svg,
    Math,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<H> {
    /// The element; the node that its children go into; the node that it was put into.
    pub(super) handle: H,
    pub(super) inside: H,
    pub(super) outer: H,
    pub(super) below: FrameId,
    pub(super) above: FrameId,
    /// Its entry in the list of active formatting elements.
    pub(super) entry: u32,
    /// The number of its name, in lower case; see [`Name`](super::token::Name).
    pub(super) name: u32,
    pub(super) space: Space,
    /// The namespace that foreign elements in it are of: its own but for the context of a fragment.
    pub(super) content: Space,
    /// The rules that come before the insertion mode's, where it is foreign.
    pub(super) point: Option<Mode>,
    /// The insertion mode that it stands for.
    pub(super) stands_for: Option<Mode>,
    pub(super) groups: Group,
    class: &'static Class,
    pub(super) summary: Summary,
}

/// What follows from a frame and all below it. "Nearest" counts the frame itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) sees: Seen,
    pub(super) mode: Mode,
    /// The nearest special element.
    pub(super) special: FrameId,
    /// The nearest boundary of the default scope.
    pub(super) boundary: FrameId,
    /// The nearest element of HTML.
    pub(super) html: FrameId,
    /// The nearest table or template.
    pub(super) foster: FrameId,
    /// The nearest template.
    pub(super) template: FrameId,
    /// The select that an option here would be of, and whether an optgroup is in between.
    pub(super) select: FrameId,
    pub(super) in_optgroup: bool,
}

/// Elements of SVG and MathML.
static FOREIGN: Class = Class::foreign(false);
static FOREIGN_SPECIAL: Class = Class::foreign(true);

/// The class of an element.
pub(super) fn class(name: u32, space: Space) -> &'static Class {
    let number = (name as usize).min(KNOWN);
    match space {
        Space::Html => &CLASSES[number],
        Space::Svg if schema::SVG_HTML_POINTS.has(number) => &FOREIGN_SPECIAL,
        Space::Math
            if schema::MATH_TEXT_POINTS
                .or(schema::MATH_ANNOTATION)
                .has(number) =>
        {
            &FOREIGN_SPECIAL
        }
        Space::Svg | Space::Math => &FOREIGN,
    }
}

impl<H: Copy> Frame<H> {
    /// A frame that is not in the stack yet.
    #[inline(always)]
    pub(super) fn new(handle: H, outer: H, name: u32, space: Space) -> Frame<H> {
        let class = class(name, space);
        Frame {
            handle,
            inside: handle,
            outer,
            below: NONE,
            above: NONE,
            entry: NONE,
            name,
            space,
            content: space,
            point: None,
            stands_for: class.mode,
            groups: class.groups,
            class,
            summary: Summary {
                sees: Seen::NOTHING,
                mode: Mode::InBody,
                special: NONE,
                boundary: NONE,
                html: NONE,
                foster: NONE,
                template: NONE,
                select: NONE,
                in_optgroup: false,
            },
        }
    }

    /// Whether it is an element of HTML of that name.
    #[inline(always)]
    pub(super) fn is_html(&self, name: u32) -> bool {
        self.name == name && self.space == Space::Html
    }

    /// The summary of the frame as `id` above one with the summary `below`.
    #[inline(always)]
    fn summarise(&self, id: FrameId, below: &Summary) -> Summary {
        let mut summary = *below;
        summary.sees = self.class.sees(below.sees);
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
        if self.groups.meets(schema::SUMMARISED) {
            self.summarise_rare(id, &mut summary);
        }
        summary
    }

    /// The part of the summary that few elements change.
    fn summarise_rare(&self, id: FrameId, summary: &mut Summary) {
        if self.groups.meets(schema::TABLE.or(schema::TEMPLATE)) {
            summary.foster = id;
        }
        if self.groups.meets(schema::TEMPLATE) {
            summary.template = id;
        }
        if self.groups.meets(schema::SELECT) {
            summary.select = id;
            summary.in_optgroup = false;
        }
        let second = self.groups.meets(schema::OPTGROUP) && summary.in_optgroup;
        summary.in_optgroup |= self.groups.meets(schema::OPTGROUP);
        if second || self.groups.meets(schema::HIDES_SELECT) {
            summary.select = NONE;
        }
    }
}

/// The stack.
#[derive(Clone, Debug)]
pub(super) struct Stack<H> {
    frames: Vec<Frame<H>>,
    free: Vec<FrameId>,
    pub(super) top: FrameId,
    pub(super) bottom: FrameId,
    len: usize,
    ends: Ends,
    /// Frames looked at, pushed, popped.
    pub(super) steps: u64,
}

impl<H: Copy> Stack<H> {
    pub(super) fn new() -> Stack<H> {
        Stack {
            frames: Vec::new(),
            free: Vec::new(),
            top: NONE,
            bottom: NONE,
            len: 0,
            ends: Ends::default(),
            steps: 0,
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The current node; none before the first.
    #[inline(always)]
    pub(super) fn current(&self) -> Option<&Frame<H>> {
        self.frames.get(self.top as usize)
    }

    #[inline(always)]
    pub(super) fn get(&self, id: FrameId) -> Option<&Frame<H>> {
        self.frames.get(id as usize)
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, id: FrameId) -> Option<&mut Frame<H>> {
        self.frames.get_mut(id as usize)
    }

    /// The second element.
    pub(super) fn second(&self) -> Option<&Frame<H>> {
        self.get(self.get(self.bottom)?.above)
    }

    /// What is seen from the top.
    #[inline(always)]
    pub(super) fn sees(&self) -> Seen {
        self.current()
            .map_or(Seen::NOTHING, |frame| frame.summary.sees)
    }

    /// The groups of the current node.
    #[inline(always)]
    pub(super) fn groups(&self) -> Group {
        self.current().map_or(Group::NONE, |frame| frame.groups)
    }

    /// Whether the element at `id` is in the default scope.
    pub(super) fn is_in_scope(&self, id: FrameId) -> bool {
        let boundary = |id| Some(self.get(id)?.summary.boundary);
        boundary(id).is_some_and(|found| boundary(self.top) == Some(found))
    }

    /// Makes an element the current node.
    #[inline]
    pub(super) fn push(&mut self, mut frame: Frame<H>) -> FrameId {
        self.steps += 1;
        let id = self.free.pop().unwrap_or(self.frames.len() as FrameId);
        (frame.below, frame.above) = (self.top, NONE);
        let summary = match self.frames.get_mut(self.top as usize) {
            Some(top) => {
                top.above = id;
                top.summary
            }
            None => {
                self.bottom = id;
                frame.summary
            }
        };
        frame.summary = frame.summarise(id, &summary);
        self.ends.open(&frame);
        match self.frames.get_mut(id as usize) {
            Some(place) => *place = frame,
            None => self.frames.push(frame),
        }
        self.top = id;
        self.len += 1;
        id
    }

    /// Takes the current node from the stack.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(FrameId, Frame<H>)> {
        let id = self.top;
        let frame = *self.frames.get(id as usize)?;
        self.unlink(id);
        Some((id, frame))
    }

    /// Whether the frame at `id`, which was in the stack, still is.
    pub(super) fn holds(&self, id: FrameId) -> bool {
        self.get(id).is_some_and(|frame| {
            let below = self.get(frame.below);
            below.is_some_and(|below| below.above == id)
        })
    }

    /// Takes a frame out of the stack, without looking after the summaries above.
    pub(super) fn unlink(&mut self, id: FrameId) {
        let Some(frame) = self.frames.get(id as usize).copied() else {
            return;
        };
        self.steps += 1;
        self.ends.close(&frame);
        self.join(frame.below, frame.above);
        self.free.push(id);
        self.len -= 1;
    }

    /// Lets two frames follow each other.
    #[inline(always)]
    fn join(&mut self, below: FrameId, above: FrameId) {
        match self.frames.get_mut(below as usize) {
            Some(frame) => frame.above = above,
            None => self.bottom = above,
        }
        match self.frames.get_mut(above as usize) {
            Some(frame) => frame.below = below,
            None => self.top = below,
        }
    }

    /// Takes any frame out of the stack.
    pub(super) fn remove(&mut self, id: FrameId) {
        let above = self.get(id).map_or(NONE, |frame| frame.above);
        self.unlink(id);
        self.repair(above, above);
    }

    /// Puts a frame directly above another one, without looking after the summaries.
    pub(super) fn relink(&mut self, id: FrameId, below: FrameId) {
        let Some(frame) = self.frames.get(id as usize).copied() else {
            return;
        };
        self.join(frame.below, frame.above);
        let above = self.get(below).map_or(NONE, |frame| frame.above);
        self.join(below, id);
        self.join(id, above);
    }

    /// Works the summaries out anew, from a frame upwards: up to `through` in any case, then up to the
    /// first that stays as it is.
    pub(super) fn repair(&mut self, from: FrameId, through: FrameId) {
        let (mut id, mut must) = (from, true);
        while let Some(frame) = self.frames.get(id as usize).copied() {
            self.steps += 1;
            let below = match self.get(frame.below) {
                Some(below) => below.summary,
                None => return,
            };
            let summary = frame.summarise(id, &below);
            if summary == frame.summary {
                if !must || id == through {
                    return;
                }
            } else {
                self.ends.close(&frame);
                if let Some(place) = self.frames.get_mut(id as usize) {
                    place.summary = summary;
                    self.ends.open(place);
                }
            }
            must &= id != through;
            id = frame.above;
        }
    }

    /// Changes the insertion mode that a frame stands for. No frame above takes it over.
    pub(super) fn turn(&mut self, id: FrameId, mode: Mode) {
        if let Some(frame) = self.frames.get_mut(id as usize) {
            frame.stands_for = Some(mode);
            frame.summary.mode = mode;
        }
        let above = self.get(id).map_or(NONE, |frame| frame.above);
        self.repair(above, above);
    }

    /// The topmost element of HTML of that name with nothing special above it.
    pub(super) fn find_ordinary(&mut self, name: u32) -> Option<FrameId> {
        let special = self.current()?.summary.special;
        self.find(special, |frame| frame.is_html(name), name, false)
    }

    /// The topmost foreign element of that name with nothing of HTML above it.
    pub(super) fn find_foreign(&mut self, name: u32) -> Option<FrameId> {
        let html = self.current()?.summary.html;
        let is_it = |frame: &Frame<H>| frame.name == name && frame.space != Space::Html;
        self.find(html, is_it, name, true)
    }

    /// Walks down to the frame `last`, or asks first whether that is worth it.
    fn find(
        &mut self,
        last: FrameId,
        is_it: impl Fn(&Frame<H>) -> bool,
        name: u32,
        foreign: bool,
    ) -> Option<FrameId> {
        /// So far a walk costs less than asking.
        const SHORT: u32 = 8;
        let mut id = self.top;
        let mut walked = 0;
        while let Some(frame) = self.get(id) {
            if is_it(frame) {
                return Some(id);
            }
            if id == last {
                return None;
            }
            id = frame.below;
            walked += 1;
            self.steps += 1;
            if walked == SHORT && !self.has_end(last, name, foreign) {
                return None;
            }
        }
        None
    }

    /// Whether the name is one of those above the frame `last`, or its own.
    fn has_end(&mut self, last: FrameId, name: u32, foreign: bool) -> bool {
        if !self.ends.is_counting() {
            self.ends.count();
            let mut id = self.bottom;
            while let Some(frame) = self.frames.get(id as usize) {
                self.ends.open(frame);
                self.steps += 1;
                id = frame.above;
            }
        }
        self.ends.has(last, name, foreign)
    }
}
