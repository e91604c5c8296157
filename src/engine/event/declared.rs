//! Declarations in a DOCTYPE that are intended for the program: notations and unparsed entities.

use super::details::DeclaredDetails;

/// A notation declared in a DOCTYPE.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<!DOCTYPE a [<!NOTATION gif PUBLIC 'GIF' 'gif.html'>]>");
/// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
/// let Some(gif) = doctype.notations().next() else { panic!() };
/// assert_eq!((gif.name(), gif.public_id()), ("gif", Some("GIF")));
/// assert_eq!(gif.system_id(), Some("gif.html"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NotationDeclaration<'a> {
    pub(super) details: &'a DeclaredDetails,
}

impl<'a> NotationDeclaration<'a> {
    /// Returns the name of the notation.
    pub fn name(&self) -> &'a str {
        &self.details.name
    }

    /// Returns the public identifier.
    pub fn public_id(&self) -> Option<&'a str> {
        self.details.public_id.as_deref()
    }

    /// Returns the system identifier.
    pub fn system_id(&self) -> Option<&'a str> {
        self.details.system_id.as_deref()
    }
}

/// An unparsed entity declared in a DOCTYPE: a resource that is not XML, such as an image. Attributes refer to it by
/// its name.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<!DOCTYPE a [<!ENTITY cat PUBLIC 'CAT' 'cat.gif' NDATA gif>]>");
/// let Some(Event::Doctype(doctype)) = parser.next_event()? else { panic!() };
/// let Some(cat) = doctype.unparsed_entities().next() else { panic!() };
/// assert_eq!((cat.name(), cat.public_id()), ("cat", Some("CAT")));
/// assert_eq!((cat.system_id(), cat.notation()), ("cat.gif", "gif"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UnparsedEntity<'a> {
    pub(super) details: &'a DeclaredDetails,
}

impl<'a> UnparsedEntity<'a> {
    /// Returns the name of the entity.
    pub fn name(&self) -> &'a str {
        &self.details.name
    }

    /// Returns the public identifier.
    pub fn public_id(&self) -> Option<&'a str> {
        self.details.public_id.as_deref()
    }

    /// Returns the system identifier.
    pub fn system_id(&self) -> &'a str {
        self.details.system_id.as_deref().unwrap_or_default()
    }

    /// Returns the name of the entity's notation.
    pub fn notation(&self) -> &'a str {
        self.details.notation.as_deref().unwrap_or_default()
    }
}
