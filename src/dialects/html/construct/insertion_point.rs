//! The insertion of nodes: the "appropriate place for inserting a node" with foster parenting, and the insertion of
//! elements, text and comments there.

use super::copies::MIN_NODE_BYTES;
use super::elements::Class;
use super::numbers::Name;
use super::stack::{Frame, FrameId, NONE};
use super::stack_observer::{CommentParent, StackObserver};
use super::state::TreeConstruction;
use super::{foreign, schema};
use crate::dialects::html::construct::rules::{Content, Token};
use crate::dialects::html::errors;
use crate::dialects::html::names::Space;
use crate::engine::event::StartTag;
use crate::tree::{QualifiedName, TreeSink};

/// A position in the tree: after the last child of `parent`, or directly before one of its children.
#[derive(Clone, Copy, Debug)]
pub(super) struct InsertionPoint<H> {
    /// The node that becomes the parent of the inserted node.
    pub(super) parent: H,
    /// The child of `parent` before which the node is inserted. `None` for the position after the last child.
    before: Option<H>,
    /// The depth of `parent` in the tree.
    pub(super) level: u32,
}

impl<H: Copy> InsertionPoint<H> {
    /// Returns the position after the last child of `parent`. `level` is the depth of `parent` in the tree.
    #[inline(always)]
    pub(super) fn inside(parent: H, level: u32) -> InsertionPoint<H> {
        InsertionPoint {
            parent,
            before: None,
            level,
        }
    }

    /// Returns the position before a child of the same parent.
    pub(super) fn before(self, child: H) -> InsertionPoint<H> {
        let before = Some(child);
        InsertionPoint { before, ..self }
    }
}

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Returns the appropriate place for inserting a node whose target is the given open element.
    #[inline(always)]
    pub(super) fn place_in(&self, target: &Frame<S::Handle>) -> InsertionPoint<S::Handle> {
        if self.placement.is_elsewhere {
            return self.place_elsewhere(target);
        }
        InsertionPoint::inside(target.inside, target.level)
    }

    /// Returns the appropriate place for an element. If the target is at the depth limit, this is the target's
    /// parent, so that the element becomes a sibling of the target.
    pub(super) fn place_of_element(&self, target: &Frame<S::Handle>) -> InsertionPoint<S::Handle> {
        let mut place = self.place_in(target);
        if place.level as usize >= self.options.max_depth.max(1) && place.parent == target.inside {
            place = InsertionPoint::inside(target.outer, place.level - 1);
        }
        place
    }

    /// Returns the position for foster parenting: before the last open table, or in the last open template, whichever
    /// is nearer.
    #[cold]
    pub(super) fn foster_place(&self) -> InsertionPoint<S::Handle> {
        let last = self.stack.current().summary.foster;
        let inside = |id: FrameId| self.place_inside(&self.stack.frames[id]);
        match self.stack.frames.get(last) {
            None => inside(self.stack.root()),
            Some(template) if template.groups.meets(schema::TEMPLATE) => inside(last),
            Some(table) => match self.sink.parent(table.handle) {
                Some(parent) => InsertionPoint {
                    parent,
                    before: Some(table.handle),
                    level: table.level - 1,
                },
                None => inside(self.stack.frames.before(last)),
            },
        }
    }

    /// Inserts a node at a position.
    #[inline]
    pub(super) fn put(&mut self, place: InsertionPoint<S::Handle>, node: S::Handle) {
        match place.before {
            None => self.sink.append(place.parent, node),
            Some(before) => self.sink.insert_before(before, node),
        }
    }

    /// Returns whether a node that is inserted now is foster-parented.
    #[inline(always)]
    pub(super) fn is_fostered(&self) -> bool {
        self.placement.is_fostering && self.stack.is_in(schema::FOSTERED)
    }

    /// Inserts characters at the appropriate place. The sink appends them to a text node that is already there.
    #[inline(never)]
    pub(super) fn insert_text(&mut self, text: &str) {
        self.observer.text(text, self.is_fostered());
        let place = self.place_in(self.stack.current());
        match place.before {
            None => self.sink.append_text(place.parent, text),
            Some(before) => self.sink.insert_text_before(before, text),
        }
    }

    /// Inserts a comment or a processing instruction as the last child of a frame, or at the appropriate place if
    /// `parent` is [`NONE`].
    pub(super) fn insert_comment(&mut self, token: &Token<'_>, parent: FrameId) {
        self.observer.comment(match parent {
            NONE => CommentParent::Current(self.is_fostered()),
            parent if parent == self.stack.frames.first() => CommentParent::Document,
            _ => CommentParent::Root,
        });
        let node = match token.content {
            Content::Instruction { target, data } => {
                self.sink.create_processing_instruction(target, data)
            }
            _ => self.sink.create_comment(token.text()),
        };
        match self.stack.frames.get(parent) {
            _ if node == self.sink.document() => {} // The sink has no nodes of this kind.
            Some(parent) => self.sink.append(parent.inside, node),
            None => self.put(self.place_in(self.stack.current()), node),
        }
    }

    /// Inserts an HTML element and makes it the current node.
    #[inline(never)]
    pub(super) fn insert_html(&mut self, name: Name<'_>, tag: Option<&StartTag<'_>>) {
        let (element, parent) = self.create(name, Space::Html, tag);
        self.open(Frame::new(element, parent, name.number, Space::Html), tag);
    }

    /// Inserts an HTML element that stays empty, without pushing it onto the stack.
    #[inline(never)]
    pub(super) fn insert_void(&mut self, name: Name<'_>, tag: Option<&StartTag<'_>>) {
        let (element, (_, level)) = self.create(name, Space::Html, tag);
        if self.pointers.form_element.is_some() {
            let groups = Class::of(name.number, Space::Html).groups;
            self.associate(element, groups, level, tag);
        }
        self.observer.ended();
        self.sink.element_closed(element);
        self.token.is_acknowledged = true;
    }

    /// Inserts an element of SVG or MathML and makes it the current node. If its tag is self-closing, pops it again.
    pub(super) fn insert_foreign(&mut self, token: &Token<'_>, space: Space) {
        let tag = token.tag();
        let (element, parent) = self.create(token.name, space, tag);
        let mut frame = Frame::new(element, parent, token.name.number, space);
        frame.foreign_rules =
            foreign::foreign_rules(token.name.number, space, |name| token.attribute(name));
        self.open(frame, tag);
        if tag.is_some_and(StartTag::is_self_closing) {
            self.token.is_acknowledged = true;
            self.end_script();
            self.pop();
        }
    }

    /// Creates and inserts an element. Returns it with the parent into which it was inserted and the depth of that
    /// parent.
    #[inline(always)]
    fn create(
        &mut self,
        name: Name<'_>,
        space: Space,
        tag: Option<&StartTag<'_>>,
    ) -> (S::Handle, (S::Handle, u32)) {
        let target = self.stack.current();
        let (parent, level) = (target.inside, target.level);
        let is_html_in_tree = W::HAS_TREE && space == Space::Html;
        if !is_html_in_tree
            || self.placement.is_elsewhere
            || level as usize >= self.options.max_depth
        {
            let element = self.make(name, space, tag);
            return (element, self.put_element(element));
        }
        self.counts.elements += 1;
        self.observer.started(name, space, tag, false);
        let name = foreign::element_name(name, space, self.space(space));
        let element = match tag {
            Some(tag) => self.sink.append_tag(parent, name, tag),
            None => (self.sink).append_element(parent, name, core::iter::empty()),
        };
        (element, (parent, level))
    }

    /// Creates an element with the attributes of its tag, without inserting it into the tree.
    #[inline(always)]
    pub(super) fn make(
        &mut self,
        name: Name<'_>,
        space: Space,
        tag: Option<&StartTag<'_>>,
    ) -> S::Handle {
        let is_moved = self.is_fostered();
        self.observer.started(name, space, tag, is_moved);
        let name = foreign::element_name(name, space, self.space(space));
        let element = self.sink.create_element(name);
        if W::HAS_TREE
            && let Some(tag) = tag
        {
            for attribute in tag.attributes() {
                let name = match space {
                    Space::Html => QualifiedName::new(attribute.name()),
                    _ => self.foreign_attribute(attribute.name(), space),
                };
                self.sink.add_attribute(element, name, attribute.value());
            }
        }
        element
    }

    /// Inserts a copy of a formatting element and makes it the current node.
    pub(super) fn insert_copy(&mut self, copy: S::Handle, name: u32, entry: u32) -> FrameId {
        let is_moved = self.is_fostered();
        let copied = self.observer.reopened(entry, is_moved);
        self.copies.add(copied);
        let parent = self.put_element(copy);
        let mut frame = Frame::new(copy, parent, name, Space::Html);
        frame.entry = entry;
        let id = self.stack.push(frame);
        self.observer.opened(id);
        id
    }

    /// Inserts a new element at the appropriate place. Returns the parent there and the depth of that parent.
    ///
    /// PERF: the usual case, insertion into the current node, is handled without an `InsertionPoint`, because the
    /// compiler would build that value in memory instead of registers.
    #[inline(always)]
    fn put_element(&mut self, element: S::Handle) -> (S::Handle, u32) {
        self.counts.elements += 1;
        let target = self.stack.current();
        let (parent, level) = (target.inside, target.level);
        if self.placement.is_elsewhere || level as usize >= self.options.max_depth {
            return self.put_element_elsewhere(element);
        }
        self.sink.append(parent, element);
        (parent, level)
    }

    /// Inserts a new element if the appropriate place may be elsewhere than in the current node.
    #[cold]
    fn put_element_elsewhere(&mut self, element: S::Handle) -> (S::Handle, u32) {
        let place = self.place_of_element(self.stack.current());
        self.put(place, element);
        (place.parent, place.level)
    }

    /// Pushes a new element onto the stack, with the additional steps for templates, form controls and parts of
    /// selects.
    #[inline(always)]
    fn open(&mut self, mut frame: Frame<S::Handle>, tag: Option<&StartTag<'_>>) {
        if frame.groups.meets(schema::TEMPLATE) {
            frame.inside = self.sink.template_contents(frame.handle);
        }
        let (groups, control, level) = (frame.groups, frame.handle, frame.level - 1);
        let id = self.stack.push(frame);
        self.observer.opened(id);
        if groups.meets(schema::OPENED_WITH_CARE) {
            self.associate(control, groups, level, tag);
            if groups.meets(schema::PART_OF_SELECT.or(schema::OPTGROUP)) {
                self.part_of_select(id, tag);
            }
        }
    }

    /// Pops the current node, unless it is the root element.
    #[inline(never)]
    pub(super) fn pop(&mut self) {
        if self.stack.depth() > 1 {
            self.pop_any();
        }
    }

    /// Pops the current node, which may be the root element.
    #[inline]
    pub(super) fn pop_any(&mut self) {
        let id = self.stack.frames.last();
        self.stack.take(id);
        self.closed(id);
    }

    /// Removes an open element from any position of the stack.
    pub(super) fn remove_frame(&mut self, id: FrameId) {
        self.stack.remove(id);
        self.closed(id);
    }

    /// Performs the steps that follow the removal of an element from the stack. The element's frame can still be read.
    #[inline(always)]
    fn closed(&mut self, id: FrameId) {
        let frame = &self.stack.frames[id];
        let handle = frame.handle;
        if let Some(entry) = self.formatting.of(id, frame) {
            self.formatting.list[entry].frame = NONE;
        }
        self.observer.closed(id);
        if frame.groups.meets(schema::CLOSED_WITH_CARE) {
            self.closed_with_care(id);
        }
        self.sink.element_closed(handle);
    }

    /// Performs the additional steps for a form, a select, an option or a template that was closed. The form element
    /// pointer stays set.
    #[cold]
    fn closed_with_care(&mut self, id: FrameId) {
        if self.pointers.form == Some(id) {
            self.pointers.form = Some(NONE);
        }
        let frame = self.stack.frames[id];
        if frame.groups.meets(schema::TEMPLATE) {
            return self.patch_closed(id);
        }
        if !frame.groups.meets(schema::FORM) {
            self.part_of_select_closed(id, &frame);
        }
    }

    /// Returns whether a copy of the given size may be made. Reports a parse error if not.
    pub(super) fn may_copy(&mut self, bytes: u64) -> bool {
        let may = self.copies.allow(bytes);
        if !may {
            self.error(errors::TOO_MUCH_COPIED);
        }
        may
    }

    /// Copies an element without its children.
    pub(super) fn copy_element(&mut self, element: S::Handle) -> S::Handle {
        let before = self.sink.size().bytes;
        let copy = self.sink.clone_element(element);
        self.count_copy(before, MIN_NODE_BYTES);
        copy
    }

    /// Copies an element with its descendants. `bytes` is the estimated size of the copy.
    pub(super) fn copy_subtree(&mut self, element: S::Handle, bytes: u64) -> S::Handle {
        let before = self.sink.size().bytes;
        let copy = self.sink.clone_subtree(element);
        self.count_copy(before, bytes);
        copy
    }

    /// Counts a copy: the growth of the tree if the sink reports it, and at least `bytes`. `before` is the size of
    /// the tree before the copy.
    fn count_copy(&mut self, before: u64, bytes: u64) {
        let grown = self.sink.size().bytes.saturating_sub(before);
        self.copies.add(bytes.max(grown));
    }
}
