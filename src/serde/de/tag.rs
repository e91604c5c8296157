//! The start tags and attributes that the cursor returns, whether the parser supplies them or they were recorded.

use super::names::{Name, Namespace, local};
use super::tape::{TapedAttribute, TapedTag};
use crate::engine::error::{Position, Span};
use crate::engine::event::{Attribute, StartTag};
use alloc::sync::Arc;

/// The start tag of an element: `Live` if it is the current event of the parser, `Taped` if it was recorded on the
/// tape.
pub(super) enum Tag<'de, 'a> {
    Live(StartTag<'a>),
    Taped(TapedTag<'de, 'a>),
}

/// An attribute of a [`Tag`]: `Live` if the parser supplies it, `Taped` if it was recorded on the tape.
pub(super) enum TagAttribute<'de, 'a> {
    Live(Attribute<'a>),
    Taped(TapedAttribute<'de, 'a>),
}

impl<'a> Tag<'_, 'a> {
    #[inline]
    pub(super) fn name(&self) -> &'a str {
        match self {
            Tag::Live(tag) => tag.name(),
            Tag::Taped(tag) => tag.name.text(),
        }
    }

    #[inline]
    pub(super) fn namespace(&self) -> Option<&'a str> {
        match self {
            Tag::Live(tag) => tag.namespace(),
            Tag::Taped(tag) => tag.namespace,
        }
    }

    /// Returns the namespace and the local name.
    pub(super) fn expanded(&self) -> Name<'a> {
        Name {
            namespace: self.namespace(),
            local: local(self.name()),
        }
    }

    pub(super) fn attribute_count(&self) -> usize {
        match self {
            Tag::Live(tag) => tag.attributes().len(),
            Tag::Taped(tag) => tag.attributes,
        }
    }

    /// Returns the index of the namespace, and its shared name if the document declares it.
    #[inline]
    fn namespace_index(&self) -> (u32, Option<&'a Arc<str>>) {
        match self {
            Tag::Live(tag) => (tag.namespace_index(), tag.shared_namespace()),
            Tag::Taped(tag) => tag.shared_namespace,
        }
    }

    /// Returns the namespace as a value that can be stored and compared.
    pub(super) fn shared_namespace(&self) -> Namespace {
        let (index, declared) = self.namespace_index();
        Namespace::of(index, declared)
    }

    /// Returns whether the element is in this namespace or in no namespace.
    #[inline]
    pub(super) fn is_in_none_or(&self, namespace: &Namespace) -> bool {
        let (index, declared) = self.namespace_index();
        namespace.is_or_none(index, declared)
    }

    /// Returns the index of the namespace in the tape. The result has no meaning if the tag is not recorded.
    pub(super) fn taped_namespace(&self) -> u32 {
        self.namespace_index().0
    }
}

impl<'a> TagAttribute<'_, 'a> {
    #[inline]
    pub(super) fn name(&self) -> &'a str {
        match self {
            TagAttribute::Live(attribute) => attribute.name(),
            TagAttribute::Taped(attribute) => attribute.name.text(),
        }
    }

    #[inline]
    pub(super) fn value(&self) -> &'a str {
        match self {
            TagAttribute::Live(attribute) => attribute.value(),
            TagAttribute::Taped(attribute) => attribute.value.text(),
        }
    }

    #[inline]
    pub(super) fn namespace(&self) -> Option<&'a str> {
        match self {
            TagAttribute::Live(attribute) => attribute.namespace(),
            TagAttribute::Taped(attribute) => attribute.namespace,
        }
    }

    /// Returns the namespace and the local name.
    pub(super) fn expanded(&self) -> Name<'a> {
        Name {
            namespace: self.namespace(),
            local: local(self.name()),
        }
    }

    /// Returns the byte range in the document, and its position.
    pub(super) fn place(&self) -> (Span, Position) {
        match self {
            TagAttribute::Live(attribute) => (attribute.span(), attribute.position()),
            TagAttribute::Taped(attribute) => attribute.place,
        }
    }
}
