//! What is to be written, until the attributes of each element are known: a type may have them behind its elements. It
//! must not know of types.

use super::error::SerError;
use crate::namespaces::XML;
use crate::write::{Output, Writer};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

enum Step {
    /// An element begins: its name, and the first of its attributes.
    Start(Range<usize>, Option<usize>),
    Text(Range<usize>),
    End,
}

struct Attribute {
    name: Range<usize>,
    value: Range<usize>,
    next: Option<usize>,
}

#[derive(Default)]
pub(super) struct Draft {
    steps: Vec<Step>,
    attributes: Vec<Attribute>,
    strings: String,
}

/// An element that is open: its step, and the last of its attributes.
pub(super) struct Open {
    step: usize,
    last: Option<usize>,
}

impl Draft {
    fn push(&mut self, string: &str) -> Range<usize> {
        let start = self.strings.len();
        self.strings.push_str(string);
        start..self.strings.len()
    }

    pub(super) fn start(&mut self, name: &str) -> Open {
        let name = self.push(name);
        self.steps.push(Step::Start(name, None));
        Open {
            step: self.steps.len() - 1,
            last: None,
        }
    }

    /// Gives an element that is open an attribute.
    pub(super) fn attribute(&mut self, open: &mut Open, name: &str, value: &str) {
        let (name, value) = (self.push(name), self.push(value));
        let next = None;
        self.attributes.push(Attribute { name, value, next });
        let at = Some(self.attributes.len() - 1);
        match open.last {
            Some(last) => self.attributes[last].next = at,
            None => {
                if let Step::Start(_, first) = &mut self.steps[open.step] {
                    *first = at;
                }
            }
        }
        open.last = at;
    }

    /// Adds text, of which two pieces side by side would be read as one.
    pub(super) fn text(&mut self, text: &str) -> Result<(), SerError> {
        if text.is_empty() {
            return Ok(());
        }
        if let Some(Step::Text(_)) = self.steps.last() {
            return Err(SerError::unsupported(
                "two texts side by side would be read as one",
            ));
        }
        let text = self.push(text);
        self.steps.push(Step::Text(text));
        Ok(())
    }

    pub(super) fn end(&mut self) {
        self.steps.push(Step::End);
    }

    /// Writes it.
    pub(super) fn write<W: Output<K>, K>(&self, out: &mut Writer<W, K>) -> Result<(), SerError> {
        let mut prefixes = BTreeMap::new();
        for step in &self.steps {
            match step {
                Step::Start(name, first) => {
                    match namespaced(&self.strings[name.clone()]) {
                        (Some(namespace), name) => out.start_ns(namespace, name)?,
                        (None, name) => out.start(name)?,
                    };
                    let mut next = *first;
                    while let Some(at) = next {
                        self.write_attribute(&self.attributes[at], &mut prefixes, out)?;
                        next = self.attributes[at].next;
                    }
                }
                Step::Text(text) => {
                    out.text(&self.strings[text.clone()])?;
                }
                Step::End => {
                    out.end()?;
                }
            }
        }
        Ok(())
    }

    /// Writes an attribute; of a namespace, with a prefix, which it cannot be without.
    fn write_attribute<'a, W: Output<K>, K>(
        &'a self,
        attribute: &Attribute,
        prefixes: &mut BTreeMap<&'a str, String>,
        out: &mut Writer<W, K>,
    ) -> Result<(), SerError> {
        let value = &self.strings[attribute.value.clone()];
        match namespaced(&self.strings[attribute.name.clone()]) {
            (Some(""), name) => out.attribute(name, value)?,
            (Some(namespace), name) => {
                let next = prefixes.len() + 1;
                let prefix = prefixes
                    .entry(namespace)
                    .or_insert_with(|| match namespace {
                        XML => String::from("xml"),
                        _ => format!("ns{next}"),
                    });
                out.attribute_ns(namespace, &format!("{prefix}:{name}"), value)?
            }
            (None, name) => out.attribute(name, value)?,
        };
        Ok(())
    }
}

/// The namespace that a name says it is in, and the name.
fn namespaced(name: &str) -> (Option<&str>, &str) {
    let braced = name
        .strip_prefix('{')
        .and_then(|name| name.rsplit_once('}'));
    braced.map_or((None, name), |(namespace, name)| (Some(namespace), name))
}
