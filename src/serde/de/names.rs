//! The names of elements and attributes, and how they match the names in a Rust type: `{namespace}name` for one
//! namespace, `{}name` for no namespace, `{*}name` for any namespace, and `name` without braces.

use crate::engine::namespaces::{NO_NAMESPACE, always};
use crate::engine::text::xml_names::prefix;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use hashbrown::Equivalent;

/// The name of an element or attribute in the document.
#[derive(Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) namespace: Option<&'a str>,
    /// The name without its prefix.
    pub(super) local: &'a str,
}

/// Returns the part of a name after its colon, or the whole name if it has none.
///
/// PERF: names are short, so an inline loop is faster than a call of a search function.
#[inline]
pub(super) fn local(name: &str) -> &str {
    match name.bytes().rposition(|byte| byte == b':') {
        Some(colon) => &name[colon + 1..],
        None => name,
    }
}

/// Returns the namespace in the braces with which a name of a Rust type begins, and the local name after them. Returns
/// `None` if the name has no braces.
pub(super) fn in_braces(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix('{')?.rsplit_once('}')
}

/// Returns the name with braces, after the prefix `sign` (`@` for attributes), that matches a name of the document. A
/// name with the same namespace is preferred to `{*}name`.
pub(super) fn braced(
    names: &'static [&'static str],
    sign: &str,
    name: Name<'_>,
) -> Option<&'static str> {
    let namespace_of = |of: &'static str| {
        let (namespace, local) = in_braces(of.strip_prefix(sign)?)?;
        (local == name.local).then_some(namespace)
    };
    let find = |wanted: &str| {
        let is_wanted = |of: &&&'static str| namespace_of(of) == Some(wanted);
        names.iter().find(is_wanted).copied()
    };
    find(name.namespace.unwrap_or_default()).or_else(|| find("*"))
}

/// A name of a Rust type that matches a name of the document.
pub(super) struct Match {
    pub(super) name: &'static str,
    /// True if the name has no braces, and the name of the document is in a namespace that the name does not mean.
    pub(super) is_foreign: bool,
}

/// Returns the name, after the prefix `sign` (`@` for attributes), that matches a name of the document best. The
/// preference is, from first to last: the same namespace, `name` if `is_own` is true, any namespace (`{*}name`), and
/// `name` for a name in another namespace.
pub(super) fn best(
    names: &'static [&'static str],
    sign: &str,
    name: Name<'_>,
    is_own: bool,
) -> Option<Match> {
    let found = |name: &'static str, is_foreign: bool| Some(Match { name, is_foreign });
    let plain = || {
        let is_plain = |of: &&'static str| of.strip_prefix(sign) == Some(name.local);
        names.iter().copied().find(is_plain)
    };
    let Some(braced) = braced(names, sign, name) else {
        return plain().and_then(|plain| found(plain, !is_own));
    };
    let is_any = braced[sign.len()..].starts_with("{*}");
    match plain() {
        Some(plain) if is_any && is_own => found(plain, false),
        _ => found(braced, false),
    }
}

/// Returns the variant that an element with this name selects.
pub(super) fn variant_of(
    variants: &'static [&'static str],
    name: Name<'_>,
) -> Option<&'static str> {
    best(variants, "", name, name.namespace.is_none()).map(|found| found.name)
}

/// Returns the prefix of the name of an attribute. The prefixes `xml` and `xmlns` are a part of the name.
pub(super) fn prefix_of(name: &str) -> Option<&str> {
    prefix(name).filter(|prefix| !matches!(*prefix, "xml" | "xmlns"))
}

/// The attributes of a tag that have the same local name.
#[derive(Clone, Copy, Default)]
pub(super) struct Rivals {
    /// True if one of them has no prefix.
    pub(super) has_plain: bool,
    /// Number of those that have a prefix.
    pub(super) prefixed: u32,
}

/// The group of children to which an element belongs: those that are one field, or one key of a map.
#[derive(Clone, Copy, PartialEq, Hash)]
pub(super) struct Slot<'a> {
    group: u64,
    pub(super) name: &'a str,
}

/// A [`Slot`] that owns its name. Both have the same hash.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct OwnedSlot {
    group: u64,
    pub(super) name: String,
}

/// The group of the elements that are a field whatever other elements there are.
const OWN: u64 = 0;
/// The group of the elements in other namespaces that may be a field of a struct.
const FOREIGN: u64 = 1;
/// The first group of a map. The child elements in each namespace other than that of their parent are a group of their
/// own, whose number is this constant plus the index of the namespace.
const FIRST_NAMESPACE: u64 = 2;

impl<'a> Slot<'a> {
    pub(super) fn own(name: &'a str) -> Slot<'a> {
        Slot { group: OWN, name }
    }

    pub(super) fn foreign(name: &'a str) -> Slot<'a> {
        let group = FOREIGN;
        Slot { group, name }
    }

    /// Returns the slot in a map for elements in a namespace, given by its index in the tape.
    pub(super) fn in_namespace(name: &'a str, index: u32) -> Slot<'a> {
        let group = FIRST_NAMESPACE + u64::from(index);
        Slot { group, name }
    }

    /// Returns whether the elements are read at the end of their parent.
    pub(super) fn is_foreign(self) -> bool {
        self.group != OWN
    }
}

impl OwnedSlot {
    pub(super) fn borrow(&self) -> Slot<'_> {
        Slot {
            group: self.group,
            name: &self.name,
        }
    }
}

impl From<Slot<'_>> for OwnedSlot {
    fn from(slot: Slot<'_>) -> OwnedSlot {
        OwnedSlot {
            group: slot.group,
            name: slot.name.to_owned(),
        }
    }
}

impl Equivalent<OwnedSlot> for Slot<'_> {
    fn equivalent(&self, key: &OwnedSlot) -> bool {
        *self == key.borrow()
    }
}

/// The namespace of an element. Equal namespaces of one document share their string, so they are compared by its
/// address: comparing long names for each element would take time proportional to their length.
#[derive(Clone)]
pub(super) enum Namespace {
    None,
    /// A predefined namespace, such as that of XHTML.
    Known(&'static str),
    /// A namespace that the document declares.
    Declared(Arc<str>),
}

impl Namespace {
    /// Returns the namespace with an index, given its name if the document declares it.
    pub(super) fn of(index: u32, declared: Option<&Arc<str>>) -> Namespace {
        match (always(index), declared) {
            (Some(known), _) => Namespace::Known(known),
            (None, Some(name)) => Namespace::Declared(Arc::clone(name)),
            (None, None) => Namespace::None,
        }
    }

    /// Returns whether an index, or the name that belongs to it, is this namespace or no namespace.
    pub(super) fn is_or_none(&self, index: u32, declared: Option<&Arc<str>>) -> bool {
        match (self, declared) {
            (Namespace::Declared(own), Some(other)) => Arc::ptr_eq(own, other),
            (Namespace::Known(own), None) => always(index).is_none_or(|other| other == *own),
            (_, declared) => index == NO_NAMESPACE && declared.is_none(),
        }
    }
}

impl PartialEq for Namespace {
    fn eq(&self, other: &Namespace) -> bool {
        match (self, other) {
            (Namespace::None, Namespace::None) => true,
            (Namespace::Known(one), Namespace::Known(two)) => one == two,
            (Namespace::Declared(one), Namespace::Declared(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }
}
