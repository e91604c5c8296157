//! Patches: the content of `<template for>` is inserted at markers elsewhere in the tree. The sink finds the markers
//! ([`TreeSink::begin_patch`]).

use super::insertion_point::InsertionPoint;
use super::schema;
use super::stack::{Frame, FrameId};
use super::stack_observer::StackObserver;
use super::state::OpenPatch;
use super::state::TreeConstruction;
use crate::dialects::html::construct::rules::Token;
use crate::dialects::html::names::Space;
use crate::tree::{Patch, TreeSink};

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Handles a start tag `<template for>`. If the sink finds markers, makes the template the current node without
    /// inserting it into the tree. Otherwise, inserts an ordinary template.
    pub(super) fn insert_patch(&mut self, token: &Token<'_>) {
        let name = token.attribute("for").unwrap_or_default();
        let scope = self.scope_of_patch();
        let patch = match name {
            "" => None,
            name => self.sink.begin_patch(scope, name),
        };
        let Some(patch) = patch else {
            return self.insert_html(token.name, token.tag());
        };
        let handle = self.make(token.name, Space::Html, token.tag());
        let is_deep = patch.level as usize >= self.options.max_depth.max(1);
        let outer = self.sink.parent(patch.target).filter(|_| is_deep);
        let outer = outer.unwrap_or(patch.target);
        let mut frame = Frame::new(handle, (outer, 0), token.name.number, Space::Html);
        (frame.inside, frame.level, frame.is_live) = (patch.target, patch.level, true);
        let around = self.contents_around(self.stack.current().summary.template);
        let template = self.stack.push(frame);
        self.observer.opened(template);
        self.placement.patches.push(OpenPatch {
            template,
            around,
            target: patch.target,
            start: patch.start,
            end: patch.end,
        });
        self.placement.is_elsewhere = true;
    }

    /// Returns the frame of the innermost open template that has a content tree of its own, or `NONE`. `template` is
    /// the innermost open template. A template whose content is inserted at markers has no content tree.
    pub(super) fn contents_around(&self, template: FrameId) -> FrameId {
        match self.placement.patches.last() {
            Some(open) if open.template == template => open.around,
            _ => template,
        }
    }

    /// Returns the node in which markers are searched for: the parent into which the template would be inserted, or
    /// the `html` element if that parent is the body of a document.
    fn scope_of_patch(&self) -> S::Handle {
        let parent = self.place_in(self.stack.current()).parent;
        let body = self.stack.frames.get(self.stack.second());
        let is_body = self.options.context.is_none()
            && body.is_some_and(|body| body.handle == parent && body.groups.meets(schema::BODY));
        let html = self.sink.parent(parent).filter(|_| is_body);
        html.unwrap_or(parent)
    }

    /// Handles the end tag of the innermost open template: if the content of that template was inserted at markers,
    /// calls the sink to remove the markers.
    pub(super) fn end_patch(&mut self) {
        let last = self.stack.current().summary.template;
        if let Some(open) = self
            .placement
            .patches
            .last()
            .filter(|open| open.template == last)
        {
            let patch = Patch {
                target: open.target,
                start: open.start,
                end: open.end,
                level: self.stack.frames[last].level,
            };
            self.sink.end_patch(patch);
        }
    }

    /// Called when a template was removed from the stack. If its content was inserted at markers, ends that insertion.
    pub(super) fn patch_closed(&mut self, id: FrameId) {
        if self
            .placement
            .patches
            .last()
            .is_some_and(|open| open.template == id)
        {
            self.placement.patches.pop();
            self.placement.is_elsewhere =
                self.placement.is_fostering || !self.placement.patches.is_empty();
        }
    }

    /// Returns the position for a node whose target is the given open element, while nodes may be inserted elsewhere:
    /// by foster parenting or by a patch.
    #[cold]
    pub(super) fn place_elsewhere(&self, target: &Frame<S::Handle>) -> InsertionPoint<S::Handle> {
        match self.placement.is_fostering && target.groups.meets(schema::FOSTERED) {
            true => self.foster_place(),
            false => self.place_inside(target),
        }
    }

    /// Returns the position after the last child of an open element. For a patch, this is the position before the end
    /// marker.
    pub(super) fn place_inside(&self, target: &Frame<S::Handle>) -> InsertionPoint<S::Handle> {
        let place = InsertionPoint::inside(target.inside, target.level);
        let last = self.placement.patches.last();
        let last = last.filter(|open| self.stack.frames[open.template].handle == target.handle);
        // The end marker may have been moved or removed in the meantime.
        let end = last.and_then(|open| open.end);
        match end.filter(|end| self.sink.parent(*end) == Some(target.inside)) {
            Some(end) => place.before(end),
            None => place,
        }
    }
}
