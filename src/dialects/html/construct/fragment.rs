//! Fragments: the initial state of tree construction for a context element.

use super::elements::Class;
use super::foreign;
use super::modes::Mode;
use super::schema;
use super::stack::NONE;
use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::dialects::html::names::{KNOWN_NAMES, Space};
use crate::dialects::html::options::Surroundings;
use crate::engine::text::html_element_names::ElementName;
use crate::tree::TreeSink;

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Inserts the `html` element that is the root of a fragment, and gives it the rule table and the insertion mode
    /// that the context element would determine.
    pub(super) fn begin_fragment(&mut self, context: &str, surroundings: Surroundings) {
        let (space, name) = Space::of_context(context);
        let known = ElementName::find(&name.to_ascii_lowercase());
        let name = known.map_or(KNOWN_NAMES as u32, |known| known as u32);
        let class = Class::of(name, space);
        let stands_for = class
            .mode
            .filter(|_| !class.groups.meets(schema::NOT_AS_CONTEXT));
        self.sink.set_fragment();
        self.insert_html(ElementName::Html.into(), None);
        let root = self.stack.root();
        self.stack.frames[root].content = space;
        self.stack.frames[root].foreign_rules = foreign::foreign_rules(name, space, |_| {
            surroundings.holds_html.then_some("text/html")
        });
        self.stack.turn(root, stands_for.unwrap_or(Mode::InBody));
        self.options.context = Some(class.groups);
        self.flags.quirks = surroundings.is_quirks;
        if surroundings.is_in_form || class.groups.meets(schema::FORM) {
            self.pointers.form = Some(NONE);
        }
    }
}
