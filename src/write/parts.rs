//! What has a tree written asks of a writer beyond what programs do: content without a root, tags that are complete,
//! what a document type holds. It must not know of trees.

use super::check::sure;
use super::error::{Reason, Refusal};
use super::scope::Namespace;
use super::value::{Value, may_declare};
use super::{Output, WriteError, Writer};
use alloc::string::String;

/// What a document type declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subset(pub(super) String);

impl<W: Output<Kind>, Kind> Writer<W, Kind> {
    /// Writes what an element holds, not a document; of this version of XML.
    pub(crate) fn content(mut self, is_xml11: bool) -> Writer<W, Kind> {
        self.pen.set_content(is_xml11);
        self
    }

    /// Writes an XML declaration. The encoding, where there is one, is UTF-8.
    pub(crate) fn declare_xml(
        &mut self,
        version: &str,
        has_encoding: bool,
        standalone: Option<bool>,
    ) -> Result<(), WriteError> {
        self.pen.declaration(version, has_encoding, standalone)?;
        Ok(())
    }

    /// Writes a document type with what it declares.
    pub(crate) fn doctype_of(
        &mut self,
        name: &str,
        ids: (Option<&str>, Option<&str>),
        subset: &Subset,
    ) -> Result<(), WriteError> {
        self.pen.doctype(name, ids, &subset.0)?;
        Ok(())
    }

    /// Begins an element in a namespace, whose name is a shared string.
    pub(crate) fn start_in(
        &mut self,
        namespace: Namespace<'_>,
        name: &str,
    ) -> Result<(), WriteError> {
        Ok(self.pen.start(name, Some(namespace))?)
    }

    /// Adds an attribute in a namespace, whose name is a shared string.
    pub(crate) fn attribute_in(
        &mut self,
        namespace: Namespace<'_>,
        name: &str,
        value: &str,
    ) -> Result<(), WriteError> {
        Ok(self
            .pen
            .attribute(name, Some(namespace), Value::Text(value))?)
    }

    /// Adds a notation to what a document type declares.
    pub(crate) fn add_notation(
        &self,
        subset: &mut Subset,
        name: &str,
        ids: (Option<&str>, Option<&str>),
    ) -> Result<(), WriteError> {
        Ok(self.pen.add_notation(&mut subset.0, name, ids)?)
    }

    /// Adds a processing instruction to what stands in a document type.
    pub(crate) fn add_instruction(
        &self,
        subset: &mut Subset,
        target: &str,
        data: &str,
    ) -> Result<(), WriteError> {
        Ok(self.pen.add_instruction(&mut subset.0, target, data)?)
    }

    /// Reports why the document cannot end here, if it cannot.
    pub(crate) fn check_end(&mut self) -> Result<(), WriteError> {
        Ok(self.pen.finish()?)
    }

    /// Drops the gathered text and the output: nothing more is put out.
    pub(crate) fn discard(&mut self) {
        self.output = None;
    }

    /// Completes the tag that is open, so that what is wrong with it is told now.
    pub(crate) fn complete_tag(&mut self) -> Result<(), WriteError> {
        self.pen.close_tag(false)?;
        self.put()?;
        Ok(())
    }

    /// Begins a line, so deep, where white space may stand.
    pub(crate) fn begin_line(&mut self, indent: &str, depth: usize) {
        self.pen.push_line(indent, depth);
    }

    /// Whether anything has been written.
    pub(crate) fn is_begun(&self) -> bool {
        self.pen.is_begun
    }
}

impl WriteError {
    /// That this is no name of the kind.
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

    /// That a tag has an attribute twice.
    pub(crate) fn twice(name: &str) -> WriteError {
        Refusal::new(Reason::Duplicate, name).into()
    }

    /// That a prefix stands for two namespaces.
    pub(crate) fn bound_twice(prefix: &str) -> WriteError {
        Refusal::new(Reason::Prefix, prefix).into()
    }

    /// Refuses declarations that there are none of, and those of relative addresses.
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

    /// That this happened at a place, by its number.
    pub(crate) fn at(mut self, place: usize) -> WriteError {
        if let WriteError::Refused(refusal) = &mut self {
            refusal.place.get_or_insert(place);
        }
        self
    }
}
