//! The namespaces of a document's names, as the serializers use them. The name of a namespace can be long, so
//! serializers compare the IDs of namespaces instead. Two IDs of a document are equal if the names of the namespaces
//! are equal.

use crate::engine::work;
use crate::tree::arena::document::Document;
use crate::tree::arena::node::Node;
use crate::tree::arena::node_attribute::Attribute;
use crate::tree::qualified_name::NamespaceId;
use crate::write::Namespace;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Returns the ID of an element's namespace, or `None` if the element is in no namespace.
pub(super) fn of_element(element: Node<'_>) -> Option<NamespaceId> {
    let names = &element.document().names;
    names.namespace_id(element.element_name()?)
}

/// Returns the ID of an attribute's namespace, or `None` if the attribute is in no namespace.
pub(super) fn of_attribute(attribute: &Attribute<'_>) -> Option<NamespaceId> {
    attribute.document.names.namespace_id(attribute.name)
}

/// The names of a document's namespaces as shared strings. Each string is created at the first call for its namespace.
/// Many elements can then refer to it without a copy.
pub(super) struct Shared<'a> {
    document: &'a Document,
    names: Vec<Option<Arc<str>>>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(document: &'a Document) -> Shared<'a> {
        Shared {
            document,
            names: Vec::new(),
        }
    }

    /// Sets the name that is returned for a namespace.
    pub(super) fn set_name(&mut self, namespace: NamespaceId, name: &Arc<str>) {
        let at = namespace.index();
        if at >= self.names.len() {
            self.names.resize(at + 1, None);
        }
        self.names[at] = Some(Arc::clone(name));
    }

    /// Returns the name of a namespace, which is an empty string for no namespace.
    pub(super) fn name(&mut self, namespace: Option<NamespaceId>) -> Namespace<'_> {
        let Some(namespace) = namespace else {
            return Namespace::Text("");
        };
        let at = namespace.index();
        if at >= self.names.len() {
            self.names.resize(at + 1, None);
        }
        Namespace::Shared(self.names[at].get_or_insert_with(|| {
            let name = self.document.names.namespace_name(namespace);
            work::count(name.len());
            Arc::from(name)
        }))
    }
}

/// The rank of each namespace of a document in the alphabetical order of their names, by the index of its ID. Ranks
/// begin at 1, and 0 is the rank of no namespace.
pub(super) struct Ranks(Vec<usize>);

impl Ranks {
    pub(super) fn new(document: &Document) -> Ranks {
        let names = &document.names;
        let mut sorted: Vec<NamespaceId> = names.namespace_ids().collect();
        sorted.sort_by_cached_key(|id| {
            let name = names.namespace_name(*id);
            work::count(name.len());
            name
        });
        let mut ranks = alloc::vec![0; sorted.len()];
        for (rank, id) in (1..).zip(sorted) {
            ranks[id.index()] = rank;
        }
        Ranks(ranks)
    }

    pub(super) fn of(&self, namespace: Option<NamespaceId>) -> usize {
        namespace.map_or(0, |id| self.0[id.index()])
    }
}
