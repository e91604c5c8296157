//! XML declarations and DOCTYPEs: the parts of events that precede the root element.

use super::declared::{NotationDeclaration, UnparsedEntity};
use super::details::{DeclarationDetails, DoctypeDetails};
use super::part::Part;
use crate::engine::error::{Position, Span};
use core::fmt;

/// A DOCTYPE.
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
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!DOCTYPE html>");
    /// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
    /// assert_eq!(doctype.name(), "html");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn name(&self) -> &'a str {
        &self.details().name
    }

    /// Returns the public identifier.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01//EN' 'http://www.w3.org/TR/html4/strict.dtd'>");
    /// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
    /// assert_eq!(doctype.public_id(), Some("-//W3C//DTD HTML 4.01//EN"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn public_id(&self) -> Option<&'a str> {
        self.details().public_id.as_deref()
    }

    /// Returns the system identifier.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!DOCTYPE a SYSTEM 'a.dtd'>");
    /// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
    /// assert_eq!(doctype.system_id(), Some("a.dtd"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn system_id(&self) -> Option<&'a str> {
        self.details().system_id.as_deref()
    }

    /// Returns the notations that the DOCTYPE declares, in source order.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!DOCTYPE a [<!NOTATION gif PUBLIC 'GIF'>]>");
    /// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
    /// assert!(doctype.notations().map(|notation| notation.name()).eq(["gif"]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn notations(&self) -> impl Iterator<Item = NotationDeclaration<'a>> {
        self.details()
            .notations
            .iter()
            .map(|details| NotationDeclaration { details })
    }

    /// Returns the unparsed entities that the DOCTYPE declares, in source order.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!DOCTYPE a [<!ENTITY cat SYSTEM 'cat.gif' NDATA gif>]>");
    /// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
    /// assert!(doctype.unparsed_entities().map(|entity| entity.name()).eq(["cat"]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
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
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!DOCTYPE a>");
    /// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
    /// assert_eq!((doctype.span().start, doctype.span().end), (0, 12));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the `<`.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("\n<!DOCTYPE a>");
    /// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
    /// assert_eq!((doctype.position().line(), doctype.position().column()), (2, 1));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
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
    /// Returns the contents of the declaration.
    pub(super) fn details(&self) -> &'a DeclarationDetails {
        self.part.holder.declaration()
    }

    /// Returns the version, such as `1.0`.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<?xml version='1.1'?>");
    /// let Some(Event::Declaration(xml)) = parser.next_event()? else { panic!() };
    /// assert_eq!(xml.version(), Some("1.1"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn version(&self) -> Option<&'a str> {
        self.details().version.as_deref()
    }

    /// Returns the encoding that the declaration names.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<?xml version='1.0' encoding='utf-8'?>");
    /// let Some(Event::Declaration(xml)) = parser.next_event()? else { panic!() };
    /// assert_eq!(xml.encoding(), Some("utf-8"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn encoding(&self) -> Option<&'a str> {
        self.details().encoding.as_deref()
    }

    /// Returns true for `standalone="yes"`, false for `standalone="no"`, and `None` if the declaration does not say
    /// either.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<?xml version='1.0' standalone='yes'?>");
    /// let Some(Event::Declaration(xml)) = parser.next_event()? else { panic!() };
    /// assert_eq!(xml.standalone(), Some(true));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn standalone(&self) -> Option<bool> {
        self.details().standalone
    }

    /// Returns the range of bytes of the declaration in the input.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<?xml version='1.0'?>");
    /// let Some(Event::Declaration(xml)) = parser.next_event()? else { panic!() };
    /// assert_eq!((xml.span().start, xml.span().end), (0, 21));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the `<`.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<?xml version='1.0'?>");
    /// let Some(Event::Declaration(xml)) = parser.next_event()? else { panic!() };
    /// assert_eq!((xml.position().line(), xml.position().column()), (1, 1));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
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
