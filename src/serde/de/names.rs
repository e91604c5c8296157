//! The names of elements and attributes, and how they match the names in a Rust type: `{namespace}name` for one
//! namespace, `{}name` for no namespace, `{*}name` for any namespace, and `name` without braces.

use crate::engine::namespaces::always;
use alloc::sync::Arc;

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

/// Returns the variant that an element with this name selects. The preference is, from first to last: the same
/// namespace, `name` for an element in no namespace, any namespace (`{*}name`), and `name` for an element in a
/// namespace.
pub(super) fn variant_of(
    variants: &'static [&'static str],
    name: Name<'_>,
) -> Option<&'static str> {
    let plain = || variants.iter().copied().find(|of| *of == name.local);
    match (braced(variants, "", name), name.namespace) {
        (Some(found), None) if in_braces(found).is_some_and(|(namespace, _)| namespace == "*") => {
            plain().or(Some(found))
        }
        (Some(found), _) => Some(found),
        (None, _) => plain(),
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
