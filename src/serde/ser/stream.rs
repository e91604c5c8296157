//! The connection between the serializer and the XML writer: passes elements, attributes and texts to the writer, and
//! chooses prefixes for attributes in namespaces.

use super::error::SerError;
use super::node::ValueContext;
use crate::engine::namespaces::XML;
use crate::write::{Output, Writer};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

/// The whitespace that the reader of a text would ignore if it is all of the text and no CDATA section. The rules are
/// in `de/blank.rs`.
#[derive(Clone, Copy)]
pub(super) enum Whitespace {
    /// None: the text is the only content of an element.
    Kept,
    /// Whitespace with a newline.
    Newlines,
    /// All whitespace.
    Ignored,
}

/// A receiver of the parts of a document, in document order.
pub(super) trait Markup {
    /// Begins an element. The calls for its attributes have to follow immediately.
    fn start(&mut self, name: &str) -> Result<(), SerError>;
    fn attribute(&mut self, name: &str, value: &str) -> Result<(), SerError>;
    /// Adds text. Two texts in sequence are an error, because they would be read as one text.
    fn text(&mut self, text: &str, whitespace: Whitespace) -> Result<(), SerError>;
    fn end(&mut self) -> Result<(), SerError>;
}

/// The receiver that passes the parts of a document to a [`Writer`].
pub(super) struct Stream<'w, W: Output<K>, K> {
    out: &'w mut Writer<W, K>,
    /// The prefix that was chosen for each namespace of an attribute, by the namespace.
    prefixes: BTreeMap<String, String>,
    /// True if the last part was a text that is not empty.
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

    /// Returns the context of a value whose element gets a name. If the value is an enum, the name of the root element
    /// selects the variant. An element inside another element is read as a field, whose text selects the variant.
    pub(super) fn context<'n>(&self, name: &'n str) -> ValueContext<'n> {
        match self.out.has_open_element() {
            true => ValueContext::Element(name),
            false => ValueContext::Named(name),
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

    /// Adds an attribute. An attribute in a namespace gets a prefix, because an attribute without a prefix is in no
    /// namespace.
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

    fn text(&mut self, text: &str, whitespace: Whitespace) -> Result<(), SerError> {
        if text.is_empty() {
            return Ok(());
        }
        if core::mem::replace(&mut self.is_after_text, true) {
            return Err(SerError::unsupported(
                "two texts side by side would be read as one",
            ));
        }
        let is_ignored = match whitespace {
            Whitespace::Kept => false,
            Whitespace::Newlines => text.contains('\n'),
            Whitespace::Ignored => true,
        };
        // The writer writes a carriage return as a reference, which is not ignored, and which a CDATA section cannot
        // contain.
        let is_blank = text
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'\n'));
        match is_ignored && is_blank {
            true => self.out.cdata(text)?,
            false => self.out.text(text)?,
        };
        Ok(())
    }

    fn end(&mut self) -> Result<(), SerError> {
        self.is_after_text = false;
        self.out.end()?;
        Ok(())
    }
}

/// Splits `{namespace}name` into the namespace and the name. The namespace is `None` if the name has no braces.
fn namespaced(name: &str) -> (Option<&str>, &str) {
    let braced = name
        .strip_prefix('{')
        .and_then(|name| name.rsplit_once('}'));
    braced.map_or((None, name), |(namespace, name)| (Some(namespace), name))
}
