//! Methods of a writer for the serializers of trees: content without a root element, tags that are completed early, and
//! the internal subset of a document type.

use super::check::sure;
use super::error::{Reason, Refusal};
use super::scope::Namespace;
use super::value::{Value, may_declare};
use super::{Output, WriteError, Writer};
use alloc::string::String;

/// The internal subset of a document type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subset(pub(super) String);

impl<W: Output<Kind>, Kind> Writer<W, Kind> {
    /// Makes the writer write the content of an element instead of a document, in XML 1.1 or 1.0.
    pub(crate) fn content(mut self, is_xml11: bool) -> Writer<W, Kind> {
        self.state.set_content(is_xml11);
        self
    }

    /// Writes an XML declaration. If the declaration has an encoding, the encoding is UTF-8.
    pub(crate) fn declare_xml(
        &mut self,
        version: &str,
        has_encoding: bool,
        standalone: Option<bool>,
    ) -> Result<(), WriteError> {
        self.state.declaration(version, has_encoding, standalone)?;
        Ok(())
    }

    /// Writes a document type with an internal subset.
    pub(crate) fn doctype_of(
        &mut self,
        name: &str,
        ids: (Option<&str>, Option<&str>),
        subset: &Subset,
    ) -> Result<(), WriteError> {
        self.state.doctype(name, ids, &subset.0)?;
        Ok(())
    }

    /// Starts an element in a namespace.
    pub(crate) fn start_in(
        &mut self,
        namespace: Namespace<'_>,
        name: &str,
    ) -> Result<(), WriteError> {
        Ok(self.state.start(name, Some(namespace))?)
    }

    /// Adds an attribute in a namespace.
    pub(crate) fn attribute_in(
        &mut self,
        namespace: Namespace<'_>,
        name: &str,
        value: &str,
    ) -> Result<(), WriteError> {
        Ok(self
            .state
            .attribute(name, Some(namespace), Value::Text(value))?)
    }

    /// Adds a notation declaration to an internal subset.
    pub(crate) fn add_notation(
        &self,
        subset: &mut Subset,
        name: &str,
        ids: (Option<&str>, Option<&str>),
    ) -> Result<(), WriteError> {
        Ok(self.state.add_notation(&mut subset.0, name, ids)?)
    }

    /// Adds a processing instruction to an internal subset.
    pub(crate) fn add_instruction(
        &self,
        subset: &mut Subset,
        target: &str,
        data: &str,
    ) -> Result<(), WriteError> {
        Ok(self.state.add_instruction(&mut subset.0, target, data)?)
    }

    /// Returns an error if the document cannot end here.
    pub(crate) fn check_end(&mut self) -> Result<(), WriteError> {
        Ok(self.state.finish()?)
    }

    /// Discards the output. Text that was not yet passed to the output is lost.
    pub(crate) fn discard(&mut self) {
        self.output = None;
    }

    /// Completes the unfinished tag, so that an error in the tag is returned now.
    pub(crate) fn complete_tag(&mut self) -> Result<(), WriteError> {
        self.state.close_tag(false)?;
        self.put()?;
        Ok(())
    }

    /// Begins a new line with `depth` times the indentation. The caller knows that whitespace has no effect here.
    pub(crate) fn begin_line(&mut self, indent: &str, depth: usize) {
        self.state.push_line(indent, depth);
    }

    /// Returns true if anything has been written.
    pub(crate) fn is_begun(&self) -> bool {
        self.state.document.is_begun
    }
}

impl WriteError {
    /// The error that a string is not a name.
    pub(crate) fn no_name(name: &str) -> WriteError {
        Refusal::new(Reason::Name, name).into()
    }

    pub(crate) fn no_character(character: char) -> WriteError {
        Refusal::new(Reason::Character, character.encode_utf8(&mut [0; 4])).into()
    }

    pub(crate) fn no_root() -> WriteError {
        Refusal::new(Reason::NoRoot, "").into()
    }

    pub(crate) fn second_root(name: &str) -> WriteError {
        Refusal::new(Reason::Root, name).into()
    }

    pub(crate) fn outside_root(text: &str) -> WriteError {
        Refusal::new(Reason::OutsideRoot, text).into()
    }

    /// The error that a tag has two attributes with the same name.
    pub(crate) fn twice(name: &str) -> WriteError {
        Refusal::new(Reason::Duplicate, name).into()
    }

    /// The error that a tag declares a prefix for two namespaces.
    pub(crate) fn bound_twice(prefix: &str) -> WriteError {
        Refusal::new(Reason::Prefix, prefix).into()
    }

    /// Refuses namespace declarations that are not allowed, and namespace names that are relative URLs.
    pub(crate) fn check_declaration(prefix: &str, namespace: &str) -> Result<(), WriteError> {
        may_declare(prefix, namespace, false)?;
        let (scheme, _) = namespace.split_once(':').unwrap_or_default();
        let is_later =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let is_absolute = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(is_later);
        let is_well = is_absolute || namespace.is_empty();
        Ok(sure(is_well, Reason::Relative, namespace)?)
    }

    /// Adds the place of the refused markup, unless the error has one.
    pub(crate) fn at(mut self, place: usize) -> WriteError {
        if let WriteError::Refused(refusal) = &mut self {
            refusal.place.get_or_insert(place);
        }
        self
    }
}
