//! `Attribute`: an attribute of an element of a document, for reading.

use core::fmt;
use core::hash::{Hash, Hasher};

use super::document::Document;
use super::names::NameId;
use super::strings::Stored;

/// An attribute of an element.
#[derive(Clone, Copy)]
pub struct Attribute<'a> {
    pub(super) document: &'a Document,
    pub(super) name: NameId,
    pub(super) value: Stored,
}

/// Two are the same that have the same name, namespace and value, whatever element they are of.
impl PartialEq for Attribute<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.name(), self.namespace(), self.value())
            == (other.name(), other.namespace(), other.value())
    }
}

impl Eq for Attribute<'_> {}

impl Hash for Attribute<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.name(), self.namespace(), self.value()).hash(state);
    }
}

impl fmt::Debug for Attribute<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={:?}", self.name(), self.value())
    }
}

impl<'a> Attribute<'a> {
    /// The number of its name: see [`Node::name_number`].
    #[inline]
    pub(crate) fn name_number(&self) -> usize {
        self.name.index()
    }

    /// The qualified name, as the source has it.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a xmlns:p='urn:p' p:b='1'/>")?;
    /// let root = document.root_element().unwrap();
    /// let one = root.attributes().last().unwrap();
    /// assert_eq!(one.name(), "p:b");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    pub fn name(&self) -> &'a str {
        self.document.names.qualified(self.name)
    }

    /// The name without its prefix.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a xmlns:p='urn:p' p:b='1'/>")?;
    /// let root = document.root_element().unwrap();
    /// let one = root.attributes().last().unwrap();
    /// assert_eq!(one.local_name(), "b");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    pub fn local_name(&self) -> &'a str {
        self.document.names.local(self.name)
    }

    /// The prefix.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a xmlns:p='urn:p' p:b='1'/>")?;
    /// let root = document.root_element().unwrap();
    /// let one = root.attributes().last().unwrap();
    /// assert_eq!(one.prefix(), Some("p"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn prefix(&self) -> Option<&'a str> {
        self.document.names.prefix(self.name)
    }

    /// The namespace.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a xmlns:p='urn:p' p:b='1'/>")?;
    /// let root = document.root_element().unwrap();
    /// let one = root.attributes().last().unwrap();
    /// assert_eq!(one.namespace(), Some("urn:p"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    pub fn namespace(&self) -> Option<&'a str> {
        self.document.names.namespace(self.name)
    }

    /// The value.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a xmlns:p='urn:p' p:b='1'/>")?;
    /// let root = document.root_element().unwrap();
    /// let one = root.attributes().last().unwrap();
    /// assert_eq!(one.value(), "1");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    pub fn value(&self) -> &'a str {
        self.document.strings.read(self.value)
    }
}
