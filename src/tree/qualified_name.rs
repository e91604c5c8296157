//! Qualified names, as a tree builder passes them to a tree sink.

use crate::engine::text::html_element_names::ElementName;
use core::hash::{Hash, Hasher};

/// The name of an element or attribute: a qualified name, which consists of an optional prefix and a local name, and a
/// namespace. A parser passes names to a [`TreeSink`](super::TreeSink) in this form.
///
/// `N` is the type of a namespace handle, [`TreeSink::Namespace`](super::TreeSink::Namespace). For
/// [`Document`](super::Document), it is [`NamespaceId`].
#[derive(Clone, Copy, Debug)]
pub struct QualifiedName<'a, N = NamespaceId> {
    pub(super) qualified: &'a str,
    pub(super) local_start: usize,
    pub(super) namespace: Option<N>,
    /// The number of the name in the table of HTML's element names, if it has one. A sink finds a name faster by its
    /// number. In a namespace, all names with the same number are equal.
    pub(super) known: Option<ElementName>,
}

impl<N: PartialEq> PartialEq for QualifiedName<'_, N> {
    fn eq(&self, other: &Self) -> bool {
        (self.qualified, self.local_start) == (other.qualified, other.local_start)
            && self.namespace == other.namespace
    }
}

impl<N: Eq> Eq for QualifiedName<'_, N> {}

impl<N: Hash> Hash for QualifiedName<'_, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.qualified, self.local_start, &self.namespace).hash(state);
    }
}

impl<'a, N> QualifiedName<'a, N> {
    /// Returns a name without a namespace and without a prefix. A colon is part of the local name.
    ///
    /// ```
    /// use tagstream::tree::QualifiedName;
    ///
    /// let name = QualifiedName::<()>::new("a:b");
    /// assert_eq!((name.local(), name.prefix()), ("a:b", None));
    /// ```
    pub const fn new(name: &'a str) -> Self {
        Self {
            qualified: name,
            local_start: 0,
            namespace: None,
            known: None,
        }
    }

    /// Returns a name in `namespace` without a prefix. A colon is part of the local name.
    ///
    /// ```
    /// use tagstream::tree::QualifiedName;
    ///
    /// let name = QualifiedName::unprefixed("p", Some("http://www.w3.org/1999/xhtml"));
    /// assert_eq!(name.namespace(), Some(&"http://www.w3.org/1999/xhtml"));
    /// ```
    pub const fn unprefixed(name: &'a str, namespace: Option<N>) -> Self {
        Self {
            qualified: name,
            local_start: 0,
            namespace,
            known: None,
        }
    }

    /// Returns a name in `namespace` without a prefix. `number` is the number of the name in the table of HTML's
    /// element names, if the name is in the table. In a namespace, all names with the same number must be equal,
    /// including their case.
    #[inline(always)]
    pub(crate) fn known(name: &'a str, namespace: N, number: Option<ElementName>) -> Self {
        Self {
            known: number,
            ..Self::unprefixed(name, Some(namespace))
        }
    }

    /// Returns a name in `namespace` whose prefix ends at the first colon. A name without a colon has no prefix.
    ///
    /// ```
    /// use tagstream::tree::QualifiedName;
    ///
    /// let name = QualifiedName::prefixed("svg:path", Some("http://www.w3.org/2000/svg"));
    /// assert_eq!((name.prefix(), name.local()), (Some("svg"), "path"));
    /// ```
    pub fn prefixed(qualified: &'a str, namespace: Option<N>) -> Self {
        let local_start = qualified.find(':').map_or(0, |colon| colon + 1);
        Self {
            qualified,
            local_start,
            namespace,
            known: None,
        }
    }

    /// Returns the whole name with its prefix, as it is written in the source.
    pub const fn qualified(&self) -> &'a str {
        self.qualified
    }

    /// Returns the local name, which is the part after the prefix and the colon.
    pub fn local(&self) -> &'a str {
        &self.qualified[self.local_start..]
    }

    /// Returns the prefix, which is the part before the colon, or `None` if the name has no prefix.
    pub fn prefix(&self) -> Option<&'a str> {
        prefix(self.qualified, self.local_start)
    }

    /// Returns the namespace, or `None` if the name is in no namespace.
    pub const fn namespace(&self) -> Option<&N> {
        self.namespace.as_ref()
    }
}

/// The ID of a namespace in one [`Document`](super::Document). It is valid only in this document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamespaceId(pub(super) u32);

impl NamespaceId {
    /// The ID of the namespace of the prefix `xml`, which is the same in every document.
    pub(super) const XML: NamespaceId = NamespaceId(0);

    /// Returns the index of the namespace in the list of the document's namespaces.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Returns the prefix of a qualified name. `local_start` is the byte offset of its local part, or 0 if the name has no
/// prefix.
pub(super) fn prefix(qualified: &str, local_start: usize) -> Option<&str> {
    local_start.checked_sub(1).map(|colon| &qualified[..colon])
}

crate::checkpoint::checkpointable! {
    struct NamespaceId(value);
}
