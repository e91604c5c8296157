//! Templates with a `for` attribute, whose content goes to markers elsewhere: "prepare content patching" and "find
//! markers" (#prepare-content-patching, #find-markers), and what the rules for `template` tags "in head" say of them.

use super::construction::{Construction, plain_attributes};
use super::tree::{Id, Kind, Namespace};
use crate::model::html::tokenizer::Tag;

impl Construction {
    /// The start tag of a template that is no shadow root, from the step on that asks for its `for` attribute.
    pub(super) fn insert_template(&mut self, tag: &Tag) {
        let attribute = |name: &str| tag.attributes.iter().find(|(one, _)| one == name);
        let is_shadow = attribute("shadowrootmode")
            .is_some_and(|(_, mode)| ["open", "closed"].contains(&&*mode.to_ascii_lowercase()));
        let Some((_, name)) = attribute("for").filter(|_| !is_shadow) else {
            self.insert_html_element(tag);
            return;
        };
        let place = self.appropriate_place(None);
        let mut scope = place.0;
        if self.body_element() == Some(scope) {
            scope = self.tree.parent(scope).expect("the html element");
        }
        let template = self.create_element(tag, Namespace::Html, plain_attributes(tag));
        if !self.prepare_content_patching(scope, template, name) {
            self.insert_at(template, place);
        }
        self.open.push(template);
    }

    /// The body element of the document (#the-body-element-2); a fragment is in none.
    fn body_element(&self) -> Option<Id> {
        let find = |id: Id, names: &[&str]| {
            let mut children = self.tree.children(id).iter();
            children.find(|&&child| self.tree.is(child, names)).copied()
        };
        find(self.document, &["html"]).and_then(|html| find(html, &["body", "frameset"]))
    }

    fn prepare_content_patching(&mut self, scope: Id, template: Id, name: &str) -> bool {
        if name.is_empty() {
            return false;
        }
        let Some((start, end)) = self.find_markers(scope, name) else {
            return false;
        };
        let target = self.tree.parent(start).expect("it is below the scope");
        self.tree.element_mut(template).patch = Some((target, start, end));
        if end != Some(start) {
            let siblings = self.tree.children(target).to_vec();
            let behind = siblings.iter().skip_while(|&&id| id != start).skip(1);
            for &node in behind.take_while(|&&id| Some(id) != end) {
                self.tree.remove(node);
            }
        }
        true
    }

    fn find_markers(&self, scope: Id, name: &str) -> Option<(Id, Option<Id>)> {
        let target = |id: Id| match self.tree.kind(id) {
            Kind::ProcessingInstruction(target, _) => &**target,
            _ => "",
        };
        for id in self.tree.descendants(scope) {
            let Kind::ProcessingInstruction(_, data) = self.tree.kind(id) else {
                continue;
            };
            if attribute(data, "name").as_deref() != Some(name) {
                continue;
            }
            if target(id) == "marker" {
                return Some((id, Some(id)));
            }
            if target(id) == "start" {
                let parent = self.tree.parent(id).expect("it is below the scope");
                let siblings = self.tree.children(parent).iter();
                let mut level = 0;
                for &sibling in siblings.skip_while(|&&one| one != id).skip(1) {
                    match target(sibling) {
                        "start" => level += 1,
                        "end" if level == 0 => return Some((id, Some(sibling))),
                        "end" => level -= 1,
                        _ => {}
                    }
                }
                return Some((id, None));
            }
        }
        None
    }

    /// What the end tag of a template does before elements are popped.
    pub(super) fn end_template_patch(&mut self) {
        let mut open = self.open.iter().rev();
        let template = open.find(|&&id| self.tree.is(id, &["template"])).copied();
        let template = template.expect("an open template");
        if let Some((_, start, end)) = self.tree.element_mut(template).patch.take() {
            self.tree.remove(start);
            if let Some(end) = end {
                self.tree.remove(end);
            }
        }
    }
}

/// A processing instruction attribute: the data is what stands in a start tag of XML, or there is none.
fn attribute(data: &str, wanted: &str) -> Option<String> {
    let xml = format!("<x {data}/>");
    let mut events = tagstream::Events::of(tagstream::Xml::strict(), &*xml);
    let mut found = None;
    while let Some(event) = events.next_event().ok()? {
        if let tagstream::Event::Start(tag) = event {
            found = tag.attribute(wanted).map(str::to_owned);
        }
    }
    found
}
