//! Qualified names, as a tree builder passes them to a tree.

use crate::engine::text::html_element_names::ElementName;
use core::hash::{Hash, Hasher};

/// The name of an element or attribute on its way into a tree.
///
/// `N` is the handle by which a [`TreeSink`](super::TreeSink) knows a namespace; for
/// [`Document`](super::Document) that is [`NamespaceId`]. The prefix and the local name are always
/// parts of the qualified name.
#[derive(Clone, Copy, Debug)]
pub struct QualifiedName<'a, N = NamespaceId> {
    pub(super) qualified: &'a str,
    pub(super) local_start: usize,
    pub(super) namespace: Option<N>,
    /// By which the name is found sooner: no other one is given with it in this namespace.
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
    /// A name without namespace; a colon in it is a character like others.
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

    /// A name in `namespace` and without prefix; a colon in it is a character like others.
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

    /// The same for a name that HTML knows, in capitals or not: it is the same wherever it has this
    /// number and namespace.
    #[inline(always)]
    pub(crate) fn known(name: &'a str, namespace: N, number: Option<ElementName>) -> Self {
        Self {
            known: number,
            ..Self::unprefixed(name, Some(namespace))
        }
    }

    /// A name in `namespace` whose prefix ends at the first colon; without a colon it has no
    /// prefix.
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

    /// The whole name, as the source has it.
    ///
    /// ```
    /// use tagstream::tree::QualifiedName;
    ///
    /// assert_eq!(QualifiedName::prefixed("svg:path", Some(1)).qualified(), "svg:path");
    /// ```
    pub const fn qualified(&self) -> &'a str {
        self.qualified
    }

    /// The part after the prefix.
    ///
    /// ```
    /// use tagstream::tree::QualifiedName;
    ///
    /// assert_eq!(QualifiedName::prefixed("svg:path", Some(1)).local(), "path");
    /// ```
    pub fn local(&self) -> &'a str {
        &self.qualified[self.local_start..]
    }

    /// The part before the colon.
    ///
    /// ```
    /// use tagstream::tree::QualifiedName;
    ///
    /// assert_eq!(QualifiedName::prefixed("svg:path", Some(1)).prefix(), Some("svg"));
    /// assert_eq!(QualifiedName::prefixed("path", Some(1)).prefix(), None);
    /// ```
    pub fn prefix(&self) -> Option<&'a str> {
        prefix(self.qualified, self.local_start)
    }

    /// The namespace.
    ///
    /// ```
    /// use tagstream::tree::QualifiedName;
    ///
    /// assert_eq!(QualifiedName::prefixed("svg:path", Some(1)).namespace(), Some(&1));
    /// ```
    pub const fn namespace(&self) -> Option<&N> {
        self.namespace.as_ref()
    }
}

/// A namespace within one [`Document`](super::Document).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamespaceId(pub(super) u32);

impl NamespaceId {
    /// That of the prefix `xml`, in every document.
    pub(super) const XML: NamespaceId = NamespaceId(0);

    /// Its place among the namespaces of the document.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The prefix of a name whose local part starts at `local_start`.
pub(super) fn prefix(qualified: &str, local_start: usize) -> Option<&str> {
    local_start.checked_sub(1).map(|colon| &qualified[..colon])
}

crate::checkpoint::checkpointable! {
    struct NamespaceId(value);
}
