//! `<template for>`: templates whose content goes to markers elsewhere in the tree as it is read. It must not know how
//! markers are found: the sink does.

use super::TreeConstruction;
use super::place::Place;
use super::schema;
use super::stack::{Frame, FrameId};
use super::watch::Watch;
use crate::html::construct::rules::Token;
use crate::html::names::Space;
use crate::tree::{Patch, TreeSink};

/// A template that is open, and where its content goes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Open<H> {
    template: FrameId,
    target: H,
    start: H,
    end: Option<H>,
}

impl<S: TreeSink, W: Watch> TreeConstruction<S, W> {
    /// Inserts a template, or where the sink has markers for it, makes it the current node without inserting it.
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
        let is_deep = patch.level as usize >= self.depth.max(1);
        let outer = self.sink.parent(patch.target).filter(|_| is_deep);
        let outer = outer.unwrap_or(patch.target);
        let mut frame = Frame::new(handle, (outer, 0), token.name.number, Space::Html);
        (frame.inside, frame.level, frame.is_live) = (patch.target, patch.level, true);
        let template = self.stack.push(frame);
        self.watch.opened(template);
        self.patches.push(Open {
            template,
            target: patch.target,
            start: patch.start,
            end: patch.end,
        });
        self.elsewhere = true;
    }

    /// What the markers are looked for in: where the template would be; of a document's body, the whole document.
    fn scope_of_patch(&self) -> S::Handle {
        let parent = self.place_in(self.stack.current()).parent;
        let body = self.stack.frames.get(self.stack.second());
        let is_body = self.context.is_none()
            && body.is_some_and(|body| body.handle == parent && body.groups.meets(schema::BODY));
        let html = self.sink.parent(parent).filter(|_| is_body);
        html.unwrap_or(parent)
    }

    /// The end tag of the last open template: the markers that its content went to go out.
    pub(super) fn end_patch(&mut self) {
        let last = self.stack.current().summary.template;
        if let Some(open) = self.patches.last().filter(|open| open.template == last) {
            let patch = Patch {
                target: open.target,
                start: open.start,
                end: open.end,
                level: self.stack.frames[last].level,
            };
            self.sink.end_patch(patch);
        }
    }

    /// A template is open no more.
    pub(super) fn patch_closed(&mut self, id: FrameId) {
        if self.patches.last().is_some_and(|open| open.template == id) {
            self.patches.pop();
            self.elsewhere = self.fostering || !self.patches.is_empty();
        }
    }

    /// The place in an open element, whose content may go elsewhere.
    #[cold]
    pub(super) fn place_elsewhere(&self, target: &Frame<S::Handle>) -> Place<S::Handle> {
        match self.fostering && target.groups.meets(schema::FOSTERED) {
            true => self.foster_place(),
            false => self.place_inside(target),
        }
    }

    /// The place of the last child of an open element; of a template, where its content goes.
    pub(super) fn place_inside(&self, target: &Frame<S::Handle>) -> Place<S::Handle> {
        let place = Place::inside(target.inside, target.level);
        let last = self.patches.last();
        let last = last.filter(|open| self.stack.frames[open.template].handle == target.handle);
        // The end may have gone elsewhere since.
        let end = last.and_then(|open| open.end);
        match end.filter(|end| self.sink.parent(*end) == Some(target.inside)) {
            Some(end) => place.before(end),
            None => place,
        }
    }
}
