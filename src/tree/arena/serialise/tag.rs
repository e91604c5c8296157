//! Coercion of the name and the attributes of an element.

use super::coerce::{Coerce as _, Coercer};
use super::namespaces::{Shared, of_attribute, of_element};
use super::xml::declared;
use crate::engine::hash_seed::Seeds;
use crate::engine::work;
use crate::tree::arena::node::Node;
use crate::tree::arena::node_attribute::Attribute;
use crate::tree::namespaces;
use crate::tree::qualified_name::NamespaceId;
use crate::write::{Reason, WriteError};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use hashbrown::{HashMap, HashSet};

/// A start tag that XML can express.
pub(super) struct Tag<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) namespace: Option<NamespaceId>,
    pub(super) attributes: Vec<TagAttribute<'a>>,
}

/// An attribute of a [`Tag`].
pub(super) struct TagAttribute<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) value: Cow<'a, str>,
    pub(super) kind: AttributeKind,
    /// Byte offset in `name` of the local name.
    local_start: usize,
}

/// The meaning of the name of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AttributeKind {
    /// A declaration of a namespace.
    Declaration,
    /// An attribute in the namespace of the prefix `xml`.
    Xml,
    /// An attribute in another namespace or in none.
    In(Option<NamespaceId>),
}

/// The prefixes that the names of a tag use, with their namespaces.
type Bound<'a> = HashMap<Cow<'a, str>, Option<NamespaceId>, Seeds>;

impl<'a> Coercer<'a> {
    /// Returns the start tag of an element. The names of namespaces are stored in `shared`.
    pub(super) fn start_tag(&mut self, shared: &mut Shared<'a>, element: Node<'a>) -> Tag<'a> {
        let mut bound = Bound::default();
        let (name, namespace) = match self.has_namespaces {
            true => self.element_name(shared, element, &mut bound),
            false => (self.plain_name(element.name()), None),
        };
        let mut attributes = Vec::new();
        for attribute in element.attributes() {
            let (name, local_start, kind) = match self.has_namespaces {
                true => self.attribute_name(shared, &attribute, &mut bound),
                false => (
                    self.plain_name(attribute.name()),
                    0,
                    AttributeKind::In(None),
                ),
            };
            attributes.push(TagAttribute {
                name,
                value: self.value(attribute.value()),
                kind,
                local_start,
            });
        }
        attributes.retain(|one| self.is_well(shared, one, &bound));
        self.drop_duplicates(&mut attributes);
        Tag {
            name,
            namespace,
            attributes,
        }
    }

    /// Returns a name that is written without namespaces.
    fn plain_name<'n>(&mut self, name: &'n str) -> Cow<'n, str> {
        let written = self.ncname(name);
        self.changed(Reason::Name, name, written)
    }

    /// Returns the name of an element and its namespace.
    fn element_name(
        &mut self,
        shared: &mut Shared<'a>,
        element: Node<'a>,
        bound: &mut Bound<'a>,
    ) -> (Cow<'a, str>, Option<NamespaceId>) {
        let name = element.name();
        let namespace = self.namespace(shared, of_element(element));
        if let (Some(prefix), Some(id)) = (element.prefix(), namespace)
            && let Some((written, _)) =
                self.prefixed(shared, prefix, element.local_name(), id, bound)
        {
            let written = whole(name, written);
            return (self.changed(Reason::Name, name, written), namespace);
        }
        // The namespaces of `xml` and `xmlns` cannot be default namespaces.
        let mut is_reserved = |id: &NamespaceId| {
            let id = Some(*id);
            matches!(
                shared.name(id).as_str(),
                namespaces::XML | namespaces::XMLNS
            )
        };
        let default = namespace.filter(|id| !is_reserved(id));
        bound.insert(Cow::Borrowed(""), default);
        let written = self.ncname(name);
        if default != namespace && matches!(written, Cow::Borrowed(_)) {
            self.report(Reason::Reserved, name, Some(&written));
        }
        (self.changed(Reason::Name, name, written), default)
    }

    /// Returns the name of an attribute, the byte offset of its local name, and the meaning of the name.
    fn attribute_name(
        &mut self,
        shared: &mut Shared<'a>,
        attribute: &Attribute<'a>,
        bound: &mut Bound<'a>,
    ) -> (Cow<'a, str>, usize, AttributeKind) {
        let name = attribute.name();
        let namespace = self.namespace(shared, of_attribute(attribute));
        let prefixed = match (declared(attribute), attribute.prefix(), namespace) {
            (Some(""), ..) if name == "xmlns" => {
                return (name.into(), 0, AttributeKind::Declaration);
            }
            (Some(prefix), ..) if !prefix.is_empty() && !prefix.contains(':') => {
                Some((self.joined("xmlns", prefix), AttributeKind::Declaration))
            }
            (None, Some(prefix), Some(id)) => {
                self.prefixed(shared, prefix, attribute.local_name(), id, bound)
            }
            // HTML does not treat `xml` as a prefix, but a parser of XML does.
            (None, _, None) => match name.strip_prefix("xml:") {
                Some(local) if !local.is_empty() && !local.contains(':') => {
                    Some((self.joined("xml", local), AttributeKind::Xml))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some((written, kind)) = prefixed {
            let written = whole(name, written);
            let local_start = written.find(':').map_or(0, |colon| colon + 1);
            return (self.changed(Reason::Name, name, written), local_start, kind);
        }
        let written = self.ncname(name);
        if attribute.namespace().is_some() && matches!(written, Cow::Borrowed(_)) {
            // An attribute without a prefix is in no namespace.
            self.report(Reason::Prefix, name, Some(&written));
        }
        (
            self.changed(Reason::Name, name, written),
            0,
            AttributeKind::In(None),
        )
    }

    /// Returns a name with a prefix, and the meaning of the name, or `None` if the tag cannot bind the prefix to the
    /// namespace `id`.
    fn prefixed(
        &mut self,
        shared: &mut Shared<'a>,
        prefix: &'a str,
        local: &'a str,
        id: NamespaceId,
        bound: &mut Bound<'a>,
    ) -> Option<(Cow<'a, str>, AttributeKind)> {
        let namespace = shared.name(Some(id)).as_str();
        let is_xml = namespace == namespaces::XML;
        let may_be = match prefix {
            "xml" => is_xml,
            "" | "xmlns" => false,
            _ => !is_xml && namespace != namespaces::XMLNS,
        };
        if !may_be || local.is_empty() {
            return None;
        }
        if is_xml {
            return Some((self.joined(prefix, local), AttributeKind::Xml));
        }
        let written = self.ncname(prefix);
        if *bound.entry(written).or_insert(Some(id)) != Some(id) {
            return None;
        }
        Some((self.joined(prefix, local), AttributeKind::In(Some(id))))
    }

    /// Returns a name of a prefix and a local name.
    fn joined<'n>(&self, prefix: &'n str, local: &'n str) -> Cow<'n, str> {
        match (self.ncname(prefix), self.ncname(local)) {
            // The caller has the string of the whole name.
            (Cow::Borrowed(_), Cow::Borrowed(_)) => Cow::Borrowed(""),
            (prefix, local) => Cow::Owned(alloc::format!("{prefix}:{local}")),
        }
    }

    /// Returns true if an attribute can be written beside the names of its tag: if it is a declaration, XML must allow
    /// the declaration, and the declaration must not contradict the names.
    fn is_well(
        &mut self,
        shared: &mut Shared<'a>,
        attribute: &TagAttribute<'a>,
        bound: &Bound<'a>,
    ) -> bool {
        if attribute.kind != AttributeKind::Declaration {
            return true;
        }
        let value = &*attribute.value;
        let prefix = match attribute.name.split_once(':') {
            Some((_, prefix)) => prefix,
            None => "",
        };
        if WriteError::check_reserved(prefix, value, self.is_xml11).is_err() {
            self.report(Reason::Reserved, &attribute.name, None);
            return false;
        }
        let Some(needed) = bound.get(prefix) else {
            return true;
        };
        let needed = shared.name(*needed);
        work::count(needed.as_str().len().min(value.len()));
        let is_same = needed.as_str() == value;
        if !is_same {
            self.report(Reason::Contradiction, &attribute.name, None);
        }
        is_same
    }

    /// Removes each attribute whose name is that of an earlier one.
    fn drop_duplicates(&mut self, attributes: &mut Vec<TagAttribute<'a>>) {
        if attributes.len() < 2 {
            return;
        }
        let mut seen: HashSet<_, Seeds> = HashSet::default();
        let mut is_first: Vec<bool> = Vec::with_capacity(attributes.len());
        is_first.extend(
            attributes
                .iter()
                .map(|one| seen.insert((one.kind, &one.name[one.local_start..]))),
        );
        drop(seen);
        let mut is_first = is_first.into_iter();
        attributes.retain(|one| {
            let is_first = is_first.next().unwrap_or(true);
            if !is_first {
                self.report(Reason::Duplicate, &one.name, None);
            }
            is_first
        });
    }
}

/// Returns the name that [`Coercer::joined`] made, or the name of the tree if that is unchanged.
fn whole<'a>(name: &'a str, joined: Cow<'a, str>) -> Cow<'a, str> {
    match joined {
        Cow::Borrowed(_) => Cow::Borrowed(name),
        joined => joined,
    }
}
