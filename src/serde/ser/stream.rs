//! Elements, attributes and texts on their way into a writer, which puts them out as soon as a tag is complete.

use super::error::SerError;
use crate::engine::namespaces::XML;
use crate::write::{Output, Writer};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

/// Takes the parts of a document in their order.
pub(super) trait Markup {
    /// Begins an element; its attributes follow.
    fn start(&mut self, name: &str) -> Result<(), SerError>;
    fn attribute(&mut self, name: &str, value: &str) -> Result<(), SerError>;
    /// Adds text. Two texts side by side are an error, because they would be read as one.
    fn text(&mut self, text: &str) -> Result<(), SerError>;
    fn end(&mut self) -> Result<(), SerError>;
}

pub(super) struct Stream<'w, W: Output<K>, K> {
    out: &'w mut Writer<W, K>,
    /// The prefix of each namespace that an attribute is in.
    prefixes: BTreeMap<String, String>,
    /// Whether the last part was a text.
    is_after_text: bool,
}

impl<'w, W: Output<K>, K> Stream<'w, W, K> {
    pub(super) fn new(out: &'w mut Writer<W, K>) -> Stream<'w, W, K> {
        Stream {
            out,
            prefixes: BTreeMap::new(),
            is_after_text: false,
        }
    }
}

impl<W: Output<K>, K> Markup for Stream<'_, W, K> {
    fn start(&mut self, name: &str) -> Result<(), SerError> {
        self.is_after_text = false;
        match namespaced(name) {
            (Some(namespace), name) => self.out.start_ns(namespace, name)?,
            (None, name) => self.out.start(name)?,
        };
        Ok(())
    }

    /// An attribute in a namespace gets a prefix, because it cannot be in one without.
    fn attribute(&mut self, name: &str, value: &str) -> Result<(), SerError> {
        match namespaced(name) {
            (Some(""), name) => self.out.attribute(name, value)?,
            (Some(namespace), name) => {
                if !self.prefixes.contains_key(namespace) {
                    let prefix = match namespace {
                        XML => "xml".to_owned(),
                        _ => format!("ns{}", self.prefixes.len() + 1),
                    };
                    self.prefixes.insert(namespace.to_owned(), prefix);
                }
                let name = format!("{}:{name}", self.prefixes[namespace]);
                self.out.attribute_ns(namespace, &name, value)?
            }
            (None, name) => self.out.attribute(name, value)?,
        };
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), SerError> {
        if text.is_empty() {
            return Ok(());
        }
        if core::mem::replace(&mut self.is_after_text, true) {
            return Err(SerError::unsupported(
                "two texts side by side would be read as one",
            ));
        }
        self.out.text(text)?;
        Ok(())
    }

    fn end(&mut self) -> Result<(), SerError> {
        self.is_after_text = false;
        self.out.end()?;
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
