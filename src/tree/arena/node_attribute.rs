//! `Attribute`: a reference to an attribute of an element, with the methods that read the attribute.

use core::fmt;
use core::hash::{Hash, Hasher};

use super::document::Document;
use super::names::NameId;
use super::strings::Stored;
use crate::engine::namespaces::unprefixed;

/// A reference to an attribute of an element, with the methods that read the attribute. It is cheap to copy.
///
/// ```
/// use tagstream::{Document, Xml};
///
/// let document = Document::parse(Xml::default(), "<a xmlns:p='urn:p' p:b='1 &lt; 2'/>")?;
/// let b = document.root_element().unwrap().attributes().last().unwrap();
/// assert_eq!((b.name(), b.prefix(), b.local_name()), ("p:b", Some("p"), "b"));
/// assert_eq!((b.namespace(), b.value()), (Some("urn:p"), "1 < 2"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Attribute<'a> {
    pub(super) document: &'a Document,
    pub(super) name: NameId,
    pub(super) value: Stored,
}

/// Two attributes are equal if their qualified names, namespaces and values are equal. They may belong to different
/// elements or documents.
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
    /// Returns the index of the attribute's name in the name table of its document: see [`Node::name_number`].
    #[inline]
    pub(crate) fn name_number(&self) -> usize {
        self.name.index()
    }

    /// Returns the qualified name, which includes the prefix, as it is written in the source.
    #[inline]
    pub fn name(&self) -> &'a str {
        self.document.names.qualified(self.name)
    }

    /// Returns the name without its prefix.
    #[inline]
    pub fn local_name(&self) -> &'a str {
        self.document.names.local(self.name)
    }

    /// Returns the part of the name after its first colon, whether or not the prefix is bound to a namespace. Documents
    /// such as feeds often use prefixes that they do not declare, which error recovery makes a part of the local name.
    pub fn unprefixed_name(&self) -> &'a str {
        unprefixed(self.name())
    }

    /// Returns the prefix of the name, or `None` if the name has no prefix.
    pub fn prefix(&self) -> Option<&'a str> {
        self.document.names.prefix(self.name)
    }

    /// Returns the namespace name, or `None` if the attribute is in no namespace.
    #[inline]
    pub fn namespace(&self) -> Option<&'a str> {
        self.document.names.namespace(self.name)
    }

    /// Returns the value, in which character references are already replaced.
    #[inline]
    pub fn value(&self) -> &'a str {
        self.document.strings.read(self.value)
    }
}
