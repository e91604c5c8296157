//! Declarative shadow roots: templates that attach a shadow root to their parent element.

use super::schema;
use super::stack::Frame;
use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::dialects::html::construct::rules::Token;
use crate::dialects::html::names::Space;
use crate::engine::event::StartTag;
use crate::tree::{ShadowRoot, TreeSink};

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Handles a start tag `template`. If the tag declares a shadow root that can be attached, attaches the shadow
    /// root. Otherwise, inserts a template element.
    pub(super) fn insert_template(&mut self, token: &Token<'_>) {
        if self.options.shadow_roots
            && let Some(root) = token.tag().and_then(declared_shadow_root)
            && let Some(root) = self.attach(root)
        {
            return self.open_shadow_root(token, root);
        }
        self.insert_html(token.name, token.tag());
    }

    /// Attaches a shadow root to the current node. Returns `None` if the element may not have one or already has one.
    /// The root element is excluded: in a fragment it represents the context element, which is not in this tree, and
    /// in a document it is `html`, which cannot have a shadow root.
    fn attach(&mut self, root: ShadowRoot) -> Option<S::Handle> {
        let id = self.stack.frames.last();
        let host = &self.stack.frames[id];
        let is_named = || match host.name {
            known if schema::SHADOW_HOSTS.has(known as usize) => true,
            other => self.numbers.is_custom(other),
        };
        if id == self.stack.root() || host.space != Space::Html || host.is_host || !is_named() {
            return None;
        }
        let root = self.sink.attach_shadow_root(host.handle, root)?;
        self.stack.frames[id].is_host = true;
        Some(root)
    }

    /// Pushes the template onto the stack without inserting it into the tree. Its content is inserted into the shadow
    /// root.
    fn open_shadow_root(&mut self, token: &Token<'_>, root: S::Handle) {
        let current = self.stack.current();
        let parent = (current.inside, current.level);
        let mut frame = Frame::new(root, parent, token.name.number, Space::Html);
        frame.is_live = true;
        self.stack.push(frame);
    }
}

/// Returns the shadow root that a template's start tag declares, if it declares one.
fn declared_shadow_root(tag: &StartTag<'_>) -> Option<ShadowRoot> {
    let mode = tag.attribute("shadowrootmode")?;
    let is_closed = mode.eq_ignore_ascii_case("closed");
    let has = |name| tag.attribute(name).is_some();
    let slots = tag.attribute("shadowrootslotassignment");
    (is_closed || mode.eq_ignore_ascii_case("open")).then(|| ShadowRoot {
        is_closed,
        delegates_focus: has("shadowrootdelegatesfocus"),
        serializable: has("shadowrootserializable"),
        manual_slots: slots.is_some_and(|slots| slots.eq_ignore_ascii_case("manual")),
        clonable: has("shadowrootclonable"),
        without_registry: has("shadowrootcustomelementregistry"),
    })
}
