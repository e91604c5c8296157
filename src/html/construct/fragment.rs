//! Fragments: the context element that one is parsed in, and what the construction begins with.

use super::elements::Class;
use super::notation::Space;
use super::schema::{self, Mode};
use super::stack::{Frame, NONE};
use super::{TreeConstruction, foreign};
use crate::html::InitialState;
use crate::html::rules::Group;
use crate::text::html_element_names::ElementName;
use crate::text::html_name_sets::{KNOWN, Name};
use crate::tree::{QualifiedName, TreeSink};

/// The context of a fragment: `div`, `svg path`, `math mi`.
#[derive(Clone, Copy, Debug)]
struct Context<'a> {
    space: Space,
    name: &'a str,
}

impl<'a> Context<'a> {
    fn new(context: &'a str) -> Context<'a> {
        let (space, name) = match context.split_once(' ') {
            Some(("svg", name)) => (Space::Svg, name),
            Some(("math", name)) => (Space::Math, name),
            _ => (Space::Html, context),
        };
        Context { space, name }
    }

    /// The number of its name, or that of all that are not known.
    fn number(self) -> u32 {
        let name = self.name.to_ascii_lowercase();
        ElementName::find(&name).map_or(KNOWN as u32, |known| known as u32)
    }

    /// The groups that it is in, if it is of HTML.
    fn groups(self) -> Group {
        match self.space {
            Space::Html => Class::of(self.number(), self.space).groups,
            Space::Svg | Space::Math => Group::NONE,
        }
    }
}

/// The state that the tokenizer begins in, for what is in the context.
pub(in crate::html) fn initial_state(context: &str, scripting: bool) -> InitialState {
    let groups = Context::new(context).groups();
    if groups.meets(schema::RCDATA_CONTEXT) {
        InitialState::Rcdata
    } else if groups.meets(schema::RAWTEXT_CONTEXT) || scripting && groups.meets(schema::NOSCRIPT) {
        InitialState::Rawtext
    } else if groups.meets(schema::SCRIPT) {
        InitialState::ScriptData
    } else if groups.meets(schema::PLAINTEXT) {
        InitialState::Plaintext
    } else {
        InitialState::Data
    }
}

impl<S: TreeSink> TreeConstruction<S> {
    /// Begins with the root element that all of a fragment comes into.
    pub(super) fn begin_fragment(&mut self, context: &str) {
        let context = Context::new(context);
        let number = context.number();
        let root = Name::from(ElementName::Html);
        let name =
            QualifiedName::unprefixed(root.text, Some(self.spaces[Space::Html as usize].clone()));
        let element = self.sink.create_element(name);
        let document = self.sink.document();
        self.sink.append(document, element);
        let mut frame = Frame::new(element, document, root.number, Space::Html);
        frame.content = context.space;
        frame.point = foreign::point(number, context.space, |_| None);
        frame.stands_for = match context.space {
            Space::Html if !schema::NOT_AS_CONTEXT.has(number as usize) => {
                Class::of(number, context.space).mode
            }
            _ => None,
        };
        frame.stands_for = frame.stands_for.or(Some(Mode::InBody));
        self.stack.push(frame);
        let groups = context.groups();
        self.context = Some(groups);
        if groups.meets(schema::FORM) {
            self.form = Some(NONE);
        }
    }
}
