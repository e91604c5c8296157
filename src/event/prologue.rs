//! The parts of events that stand before the root element: XML declarations and DOCTYPEs.

use super::Part;
use super::declared::{NotationDeclaration, UnparsedEntity};
use super::record::{DeclarationDetails, DoctypeDetails};
use crate::error::{Position, Span};
use core::fmt;

/// A DOCTYPE.
#[derive(Clone, Copy)]
pub struct Doctype<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> Doctype<'a> {
    pub(super) fn details(&self) -> &'a DoctypeDetails {
        self.part.holder.doctype()
    }

    /// The name of the root element, as it says.
    pub fn name(&self) -> &'a str {
        &self.details().name
    }

    /// The public identifier.
    pub fn public_id(&self) -> Option<&'a str> {
        self.details().public_id.as_deref()
    }

    /// The system identifier.
    pub fn system_id(&self) -> Option<&'a str> {
        self.details().system_id.as_deref()
    }

    /// The notations that it declares.
    pub fn notations(&self) -> impl Iterator<Item = NotationDeclaration<'a>> {
        self.details()
            .notations
            .iter()
            .map(|details| NotationDeclaration { details })
    }

    /// The unparsed entities that it declares.
    pub fn unparsed_entities(&self) -> impl Iterator<Item = UnparsedEntity<'a>> {
        self.details()
            .unparsed
            .iter()
            .map(|details| UnparsedEntity { details })
    }

    /// Whether it is so wrong that a tree of HTML is to be in quirks mode, whatever it says.
    pub fn force_quirks(&self) -> bool {
        self.details().force_quirks
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for Doctype<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<!DOCTYPE {}", self.name())?;
        match (self.public_id(), self.system_id()) {
            (None, None) => {}
            (Some(public), None) => write!(f, " PUBLIC {public:?}")?,
            (Some(public), Some(system)) => write!(f, " PUBLIC {public:?} {system:?}")?,
            (None, Some(system)) => write!(f, " SYSTEM {system:?}")?,
        }
        f.write_str(">")
    }
}

/// An XML declaration.
#[derive(Clone, Copy)]
pub struct XmlDeclaration<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> XmlDeclaration<'a> {
    pub(super) fn details(&self) -> &'a DeclarationDetails {
        self.part.holder.declaration()
    }

    /// The version: `1.0`.
    pub fn version(&self) -> Option<&'a str> {
        self.details().version.as_deref()
    }

    /// The encoding, as it says.
    pub fn encoding(&self) -> Option<&'a str> {
        self.details().encoding.as_deref()
    }

    /// Whether the document says that it stands alone.
    pub fn standalone(&self) -> Option<bool> {
        self.details().standalone
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for XmlDeclaration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Declaration")
            .field("version", &self.version())
            .field("encoding", &self.encoding())
            .field("standalone", &self.standalone())
            .finish()
    }
}
