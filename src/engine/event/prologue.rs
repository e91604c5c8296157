//! XML declarations and DOCTYPEs: the parts of events that precede the root element.

use super::declared::{NotationDeclaration, UnparsedEntity};
use super::details::{DeclarationDetails, DoctypeDetails};
use super::part::Part;
use crate::engine::error::{Position, Span};
use core::fmt;

/// A DOCTYPE.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<!DOCTYPE a PUBLIC 'A' 'a.dtd'>");
/// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
/// assert_eq!((doctype.name(), doctype.public_id()), ("a", Some("A")));
/// assert_eq!(doctype.system_id(), Some("a.dtd"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Doctype<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> Doctype<'a> {
    /// Returns the contents of the DOCTYPE.
    pub(crate) fn details(&self) -> &'a DoctypeDetails {
        self.part.holder.doctype()
    }

    /// Returns the name of the root element as the DOCTYPE declares it.
    pub fn name(&self) -> &'a str {
        &self.details().name
    }

    /// Returns the public identifier.
    pub fn public_id(&self) -> Option<&'a str> {
        self.details().public_id.as_deref()
    }

    /// Returns the system identifier.
    pub fn system_id(&self) -> Option<&'a str> {
        self.details().system_id.as_deref()
    }

    /// Returns the text of the internal subset without its brackets, if the DOCTYPE has one and
    /// [`Xml::internal_subset`](crate::Xml::internal_subset) is set. Line ends are normalized. Nothing else is changed:
    /// references and declarations are as in the source.
    pub fn internal_subset(&self) -> Option<&'a str> {
        self.details().internal_subset.as_deref()
    }

    /// Returns the notations that the DOCTYPE declares, in source order.
    pub fn notations(&self) -> impl Iterator<Item = NotationDeclaration<'a>> {
        self.details()
            .notations
            .iter()
            .map(|details| NotationDeclaration { details })
    }

    /// Returns the unparsed entities that the DOCTYPE declares, in source order.
    pub fn unparsed_entities(&self) -> impl Iterator<Item = UnparsedEntity<'a>> {
        self.details()
            .unparsed
            .iter()
            .map(|details| UnparsedEntity { details })
    }

    /// Returns whether the DOCTYPE is so malformed that an HTML document is in quirks mode, whatever the identifiers
    /// are: the *force-quirks flag* of the HTML standard.
    ///
    /// ```
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default());
    /// parser.feed("<!DOCTYPE>");
    /// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
    /// assert!(doctype.force_quirks());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn force_quirks(&self) -> bool {
        self.details().force_quirks
    }

    /// Returns the range of bytes of the DOCTYPE in the input.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the `<`.
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
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<?xml version='1.0' encoding='utf-8' standalone='yes'?>");
/// let Some(Event::Declaration(xml)) = parser.next_event()? else { panic!() };
/// assert_eq!((xml.version(), xml.encoding()), (Some("1.0"), Some("utf-8")));
/// assert_eq!(xml.standalone(), Some(true));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct XmlDeclaration<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> XmlDeclaration<'a> {
    /// Returns the contents of the declaration.
    pub(super) fn details(&self) -> &'a DeclarationDetails {
        self.part.holder.declaration()
    }

    /// Returns the version, such as `1.0`.
    pub fn version(&self) -> Option<&'a str> {
        self.details().version.as_deref()
    }

    /// Returns the encoding that the declaration names.
    pub fn encoding(&self) -> Option<&'a str> {
        self.details().encoding.as_deref()
    }

    /// Returns true for `standalone="yes"`, false for `standalone="no"`, and `None` if the declaration does not say
    /// either.
    pub fn standalone(&self) -> Option<bool> {
        self.details().standalone
    }

    /// Returns the range of bytes of the declaration in the input.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the `<`.
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
