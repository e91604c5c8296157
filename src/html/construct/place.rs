//! Where a node goes: the appropriate place for inserting a node, with foster parenting; and the
//! insertion of elements, text and comments there. It must not know of rules.

use super::TreeConstruction;
use super::stack::{Frame, FrameId, NONE, Space};
use super::token::{Content, Name, Token};
use super::{foreign, schema};
use crate::event::StartTag;
use crate::tree::{QualifiedName, TreeSink};

/// A place in the tree: the last child of `parent`, or immediately before a child of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<H> {
    pub(super) parent: H,
    pub(super) before: Option<H>,
}

impl<S: TreeSink> TreeConstruction<S> {
    /// The appropriate place for inserting a node, in the current node.
    #[inline(always)]
    pub(super) fn place(&self) -> Option<Place<S::Handle>> {
        self.place_in(self.stack.top)
    }

    /// The appropriate place for inserting a node, in a given open element.
    #[inline(always)]
    pub(super) fn place_in(&self, target: FrameId) -> Option<Place<S::Handle>> {
        let frame = self.stack.get(target)?;
        if self.fostering && frame.groups.meets(schema::FOSTERED) {
            return self.foster_place();
        }
        Some(Place {
            parent: frame.inside,
            before: None,
        })
    }

    /// Before the last open table, or in the last open template, whichever is nearer.
    #[cold]
    fn foster_place(&self) -> Option<Place<S::Handle>> {
        let last = self.stack.current()?.summary.foster;
        let inside = |frame: &Frame<S::Handle>| Place {
            parent: frame.inside,
            before: None,
        };
        let Some(found) = self.stack.get(last) else {
            return self.stack.get(self.stack.bottom).map(inside);
        };
        if found.groups.meets(schema::TEMPLATE) {
            return Some(inside(found));
        }
        match self.sink.parent(found.handle) {
            Some(parent) => Some(Place {
                parent,
                before: Some(found.handle),
            }),
            None => self.stack.get(found.below).map(inside),
        }
    }

    /// Puts a node into a place.
    #[inline]
    pub(super) fn put(&mut self, place: Place<S::Handle>, node: S::Handle) {
        match place.before {
            None => self.sink.append(place.parent, node),
            Some(before) => self.sink.insert_before(before, node),
        }
    }

    /// Inserts characters.
    #[inline]
    pub(super) fn insert_text(&mut self, text: &str) {
        match self.place() {
            Some(Place {
                parent,
                before: None,
            }) => self.sink.append_text(parent, text),
            Some(Place {
                before: Some(before),
                ..
            }) => self.sink.insert_text_before(before, text),
            None => {}
        }
    }

    /// Inserts a comment or a processing instruction; with a parent given, as its last child.
    pub(super) fn insert_comment(&mut self, token: &Token<'_>, parent: Option<S::Handle>) {
        let place = match parent {
            Some(parent) => Place {
                parent,
                before: None,
            },
            None => match self.place() {
                Some(place) => place,
                None => return,
            },
        };
        let node = match token.content {
            Content::Comment(data) => self.sink.create_comment(data),
            Content::Instruction { target, data } => {
                self.sink.create_processing_instruction(target, data)
            }
            _ => return,
        };
        self.put(place, node);
    }

    /// Inserts an element of HTML and makes it the current node.
    #[inline]
    pub(super) fn insert_html(&mut self, name: Name<'_>, tag: Option<&StartTag<'_>>) {
        let (element, outer) = self.create_html(name, tag);
        let frame = Frame::new(element, outer, name.number, Space::Html);
        self.open(frame, tag);
    }

    /// Inserts an element of HTML that stays empty.
    #[inline]
    pub(super) fn insert_void(&mut self, name: Name<'_>, tag: Option<&StartTag<'_>>) {
        let (element, _) = self.create_html(name, tag);
        self.sink.element_closed(element);
        self.acknowledged = true;
    }

    /// A new element of HTML in its place, and the node that it was put into.
    #[inline]
    fn create_html(
        &mut self,
        name: Name<'_>,
        tag: Option<&StartTag<'_>>,
    ) -> (S::Handle, S::Handle) {
        let html = self.spaces.html.clone();
        let element = self
            .sink
            .create_element(QualifiedName::unprefixed(name.text, Some(html)));
        if let Some(tag) = tag {
            for attribute in tag.attributes() {
                let name = QualifiedName::new(attribute.name());
                self.sink.add_attribute(element, name, attribute.value());
            }
        }
        (element, self.put_element(element))
    }

    /// Inserts an element of SVG or MathML and makes it the current node; gives it up at once where
    /// its tag closes itself.
    pub(super) fn insert_foreign(&mut self, token: &Token<'_>, space: Space) {
        let tag = token.tag();
        let namespace = match space {
            Space::Html => self.spaces.html.clone(),
            Space::Svg => self.spaces.svg.clone(),
            Space::Math => self.spaces.math.clone(),
        };
        let name = foreign::element_name(token.name, space);
        let element = self
            .sink
            .create_element(QualifiedName::unprefixed(name, Some(namespace)));
        for attribute in tag.iter().flat_map(|tag| tag.attributes()) {
            let name = self.foreign_attribute(attribute.name(), space);
            self.sink.add_attribute(element, name, attribute.value());
        }
        let outer = self.put_element(element);
        let mut frame = Frame::new(element, outer, token.name.number, space);
        foreign::make_point(&mut frame, |name| token.attribute(name));
        self.open(frame, tag);
        if tag.is_some_and(StartTag::is_self_closing) {
            self.acknowledged = true;
            self.end_script();
            self.pop();
        }
    }

    /// Inserts a copy of a formatting element and makes it the current node.
    pub(super) fn insert_copy(&mut self, copy: S::Handle, name: u32, entry: u32) -> FrameId {
        let outer = self.put_element(copy);
        let mut frame = Frame::new(copy, outer, name, Space::Html);
        frame.entry = entry;
        self.stack.push(frame)
    }

    /// Puts a new element where it belongs; where the parent is at the limit of depth, into that
    /// parent's parent. Gives the node that it was put into.
    #[inline]
    fn put_element(&mut self, element: S::Handle) -> S::Handle {
        self.made += 1;
        let Some(mut place) = self.place() else {
            let document = self.sink.document();
            self.sink.append(document, element);
            return document;
        };
        if self.stack.len() >= self.depth
            && let Some(current) = self.stack.current()
            && place.before.is_none()
            && place.parent == current.inside
        {
            place.parent = current.outer;
        }
        self.put(place, element);
        place.parent
    }

    /// Makes a new element the current node.
    #[inline]
    fn open(&mut self, mut frame: Frame<S::Handle>, tag: Option<&StartTag<'_>>) {
        if frame.groups.meets(schema::TEMPLATE) {
            frame.inside = self.sink.template_contents(frame.handle);
        }
        let groups = frame.groups;
        let id = self.stack.push(frame);
        if groups.meets(schema::PART_OF_SELECT.or(schema::OPTGROUP)) {
            self.part_of_select(id, tag);
        }
    }

    /// Takes the current node from the stack.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.stack.len() <= 1 {
            return;
        }
        self.pop_any();
    }

    /// The same, the root element included.
    #[inline]
    pub(super) fn pop_any(&mut self) {
        let Some((id, frame)) = self.stack.pop() else {
            return;
        };
        if let Some(entry) = self.formatting.get_mut(frame.entry) {
            entry.frame = NONE;
        }
        if frame.groups.meets(schema::POPPED_WITH_CARE) {
            self.popped_with_care(id, &frame);
        }
        self.sink.element_closed(frame.handle);
    }

    /// What else there is to do for a form, a select or an option that was popped.
    #[cold]
    fn popped_with_care(&mut self, id: FrameId, frame: &Frame<S::Handle>) {
        if frame.groups.meets(schema::FORM) {
            self.form_closed(id);
        } else {
            self.part_of_select_closed(id, frame);
        }
    }

    /// Forgets the frame of a form that is open no more; the pointer stays set.
    pub(super) fn form_closed(&mut self, id: FrameId) {
        if self.form == Some(id) {
            self.form = Some(NONE);
        }
    }

    /// Takes a frame out of the middle of the stack.
    pub(super) fn remove_frame(&mut self, id: FrameId) {
        let Some(frame) = self.stack.get(id).copied() else {
            return;
        };
        if let Some(entry) = self.formatting.get_mut(frame.entry) {
            entry.frame = NONE;
        }
        self.stack.remove(id);
        self.form_closed(id);
        self.sink.element_closed(frame.handle);
    }
}
