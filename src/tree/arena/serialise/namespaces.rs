//! The namespaces of a document's names while it is written. Names of namespaces may be long, so they are compared by
//! their handles, which are equal if the names are.

use crate::engine::work;
use crate::tree::qualified_name::NamespaceId;
use crate::tree::{Attribute, Document, Node};
use crate::write::Namespace;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The handle of an element's namespace.
pub(super) fn of_element(element: Node<'_>) -> Option<NamespaceId> {
    let names = &element.document().names;
    names.namespace_id(element.element_name()?)
}

/// The handle of an attribute's namespace.
pub(super) fn of_attribute(attribute: &Attribute<'_>) -> Option<NamespaceId> {
    attribute.document.names.namespace_id(attribute.name)
}

/// The names of a document's namespaces as shared strings, each made when it is first asked for.
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

    /// The name of a namespace.
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

/// The rank of each namespace of a document in the order of their names, by handle. No namespace comes first.
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
