//! Methods of a writer, and constructors of its errors, that only the serializers of trees use. For example, they write
//! content without a root element, names in a namespace, and the internal subset of a document type.

use super::check::sure;
use super::error::{Reason, Refusal};
use super::prologue::Subset;
use super::scope::Namespace;
use super::value::{Value, check_namespace_declaration};
use super::writer_state::write_line;
use super::{Output, WriteError, Writer};

impl<W: Output<Kind>, Kind> Writer<W, Kind> {
    /// Makes the writer accept the content of an element instead of a document: text and several elements at the top.
    /// `is_xml11` is true for XML 1.1, false for 1.0.
    pub(crate) fn content(mut self, is_xml11: bool) -> Writer<W, Kind> {
        self.state.set_content(is_xml11);
        self
    }

    /// Writes an XML declaration. If `has_encoding` is true, the declaration names the encoding UTF-8. `standalone` is
    /// the value of the standalone declaration, if there is one.
    pub(crate) fn declare_xml(
        &mut self,
        version: &str,
        has_encoding: bool,
        standalone: Option<bool>,
    ) -> Result<(), WriteError> {
        self.state.declaration(version, has_encoding, standalone)?;
        Ok(())
    }

    /// Writes a document type with an internal subset. `ids` are the public and the system identifier.
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

    /// Returns true if a document type can be written here: there is none yet, and the root element has not begun.
    pub(crate) fn may_have_doctype(&self) -> bool {
        self.state.may_have_doctype()
    }

    /// Adds a notation declaration to an internal subset. `ids` are the public and the system identifier.
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

    /// Writes text as CDATA sections, with references between them for characters that a section cannot contain.
    pub(crate) fn sections(&mut self, text: &str) -> Result<(), WriteError> {
        Ok(self.state.sections(text)?)
    }

    /// Returns an error if the document cannot end here.
    pub(crate) fn check_end(&mut self) -> Result<(), WriteError> {
        Ok(self.state.finish()?)
    }

    /// Drops the output without writing the buffer to it.
    pub(crate) fn discard(&mut self) {
        self.output = None;
    }

    /// Completes the unfinished start tag, if there is one, so that an error in the tag is returned by this call.
    pub(crate) fn complete_tag(&mut self) -> Result<(), WriteError> {
        self.state.close_tag(false)?;
        self.write_if_full()?;
        Ok(())
    }

    /// Writes a newline, and `depth` times the string `indent`. The caller calls this only where whitespace has no
    /// effect.
    pub(crate) fn begin_line(&mut self, indent: &str, depth: usize) {
        let _ = write_line(&mut self.state.text, indent, depth);
    }

    /// Returns true if anything has been written.
    pub(crate) fn is_begun(&self) -> bool {
        self.state.document.is_begun
    }
}

impl WriteError {
    /// Returns the error for a string that is not a name.
    pub(crate) fn no_name(name: &str) -> WriteError {
        Refusal::new(Reason::Name, name).into()
    }

    /// Returns the error for a character that cannot be written.
    pub(crate) fn no_character(character: char) -> WriteError {
        Refusal::new(Reason::Character, character.encode_utf8(&mut [0; 4])).into()
    }

    /// Returns the error for a document without a root element.
    pub(crate) fn no_root() -> WriteError {
        Refusal::new(Reason::NoRoot, "").into()
    }

    /// Returns the error for a second root element, which has this name.
    pub(crate) fn second_root(name: &str) -> WriteError {
        Refusal::new(Reason::Root, name).into()
    }

    /// Returns the error for text outside the root element.
    pub(crate) fn outside_root(text: &str) -> WriteError {
        Refusal::new(Reason::OutsideRoot, text).into()
    }

    /// Returns the error for a tag that has two attributes with this name.
    pub(crate) fn twice(name: &str) -> WriteError {
        Refusal::new(Reason::Duplicate, name).into()
    }

    /// Returns the error for a tag in which one prefix would be bound to two namespaces.
    pub(crate) fn bound_twice(prefix: &str) -> WriteError {
        Refusal::new(Reason::Prefix, prefix).into()
    }

    /// Returns an error if Namespaces in XML forbids to bind `prefix` to `namespace`, or if the namespace name is a
    /// relative URL.
    pub(crate) fn check_declaration(prefix: &str, namespace: &str) -> Result<(), WriteError> {
        check_namespace_declaration(prefix, namespace, false)?;
        let (scheme, _) = namespace.split_once(':').unwrap_or_default();
        let is_later =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let is_absolute = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(is_later);
        let is_well = is_absolute || namespace.is_empty();
        Ok(sure(is_well, Reason::Relative, namespace)?)
    }

    /// Returns an error if Namespaces in XML forbids to bind `prefix` to `namespace`.
    pub(crate) fn check_reserved(
        prefix: &str,
        namespace: &str,
        is_xml11: bool,
    ) -> Result<(), Refusal> {
        check_namespace_declaration(prefix, namespace, is_xml11)
    }

    /// Sets [`Refusal::place`] to `place`, unless the error has a place already.
    pub(crate) fn at(mut self, place: usize) -> WriteError {
        if let WriteError::Refused(refusal) = &mut self {
            refusal.place.get_or_insert(place);
        }
        self
    }
}
