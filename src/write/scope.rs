//! The namespace bindings of the open elements of a document that is being written.
//!
//! The name of a namespace may be long, and each element may request one. To compare two names once only, a binding
//! stores the shared string of the caller that was last found equal to its namespace. Events of one parser and nodes of
//! one tree have the same shared string, which is then recognized by its address.

use crate::engine::hash_seed::Seeds;
use crate::engine::namespaces::XML;
use crate::engine::work;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Maximum number of bindings in which a prefix is found by a linear search. More bindings, which are rare, are found
/// by a hash table.
const MAX_LINEAR_SEARCH_BINDINGS: usize = 8;

/// The name of the namespace that the caller requests for an element or attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Namespace<'n> {
    /// A string of the caller, which is compared byte by byte.
    Text(&'n str),
    /// A shared string, which is compared by its address first.
    Shared(&'n Arc<str>),
}

impl<'n> Namespace<'n> {
    /// Returns the name of the namespace.
    pub(crate) fn as_str(self) -> &'n str {
        match self {
            Namespace::Text(text) => text,
            Namespace::Shared(text) => text,
        }
    }
}

/// The namespace bindings of all open elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// The bindings in the order in which they were made. That of the default namespace has an empty prefix.
    bindings: Vec<Binding>,
    /// For each prefix, the indices of its bindings in `bindings`, the innermost last.
    indices_of_prefix: HashMap<Box<str>, Vec<usize>, Seeds>,
    /// The names of all bound namespaces, each with the number of its bindings. Bindings to equal names share one
    /// string.
    names: HashMap<Arc<str>, usize, Seeds>,
}

/// The binding of a prefix to a namespace.
#[derive(Clone, Debug)]
struct Binding {
    /// The prefix, which is empty for the default namespace.
    prefix: Box<str>,
    /// The name of the namespace, which is a key of `Scope::names`. An empty name means that the prefix has no
    /// namespace here.
    namespace: Arc<str>,
    /// The shared string of a caller that was last found equal to `namespace`, or `None` if none was.
    known_equal: Option<Arc<str>>,
}

impl Scope {
    /// Returns the number of bindings. Passed to [`truncate`](Scope::truncate) at the end of an element, this number
    /// removes the bindings of the element.
    pub(crate) fn len(&self) -> usize {
        self.bindings.len()
    }

    /// Binds a prefix to a namespace. An empty name of a namespace removes the binding of the prefix.
    pub(crate) fn bind(&mut self, prefix: &str, namespace: &str) {
        let indices = self.indices_of_prefix.entry_ref(prefix).or_default();
        indices.push(self.bindings.len());
        let known = self.names.get_key_value(namespace);
        let name = known.map_or_else(|| Arc::from(namespace), |(name, _)| Arc::clone(name));
        *self.names.entry(Arc::clone(&name)).or_default() += 1;
        self.bindings.push(Binding {
            prefix: prefix.into(),
            namespace: name,
            known_equal: None,
        });
    }

    /// Removes the innermost bindings until `length` are left.
    pub(crate) fn truncate(&mut self, length: usize) {
        while self.bindings.len() > length {
            let Some(Binding {
                prefix, namespace, ..
            }) = self.bindings.pop()
            else {
                return;
            };
            if let Some(indices) = self.indices_of_prefix.get_mut(&*prefix) {
                indices.pop();
                if indices.is_empty() {
                    self.indices_of_prefix.remove(&*prefix);
                }
            }
            if let Some(count) = self.names.get_mut(&*namespace) {
                *count -= 1;
                if *count == 0 {
                    self.names.remove(&*namespace);
                }
            }
        }
    }

    /// Returns the index in `bindings` of the innermost binding of a prefix.
    #[inline]
    fn find_binding(&self, prefix: &str) -> Option<usize> {
        if self.bindings.len() > MAX_LINEAR_SEARCH_BINDINGS {
            return self.indices_of_prefix.get(prefix)?.last().copied();
        }
        let mut innermost = self.bindings.iter();
        innermost.rposition(|binding| {
            work::count(1);
            *binding.prefix == *prefix
        })
    }

    /// Returns the name of the namespace to which a prefix is bound, or `None` if the prefix has no binding.
    pub(crate) fn namespace(&self, prefix: &str) -> Option<&Arc<str>> {
        Some(&self.bindings[self.find_binding(prefix)?].namespace)
    }

    /// Returns true if a prefix is bound to a namespace. The empty prefix is bound to the default namespace. Prefixes
    /// without a binding are bound to the empty name.
    pub(crate) fn is_bound(&mut self, prefix: &str, namespace: Namespace<'_>) -> bool {
        let binding = match prefix {
            "xml" => return namespace.as_str() == XML,
            _ => self.find_binding(prefix).map(|at| &mut self.bindings[at]),
        };
        let Some(binding) = binding else {
            return namespace.as_str().is_empty();
        };
        let is_same = |other: &Arc<str>| match namespace {
            Namespace::Shared(name) => Arc::ptr_eq(name, other),
            Namespace::Text(_) => false,
        };
        if binding.known_equal.as_ref().is_some_and(is_same) || is_same(&binding.namespace) {
            return true;
        }
        work::count(binding.namespace.len().min(namespace.as_str().len()));
        let is_equal = *binding.namespace == *namespace.as_str();
        if let Namespace::Shared(name) = namespace
            && is_equal
        {
            binding.known_equal = Some(Arc::clone(name));
        }
        is_equal
    }

    /// Returns the address of the name of the namespace to which a prefix is bound, or `None` if it is bound to none.
    /// Two prefixes are bound to the same namespace if the addresses are equal.
    pub(crate) fn find(&self, prefix: &str) -> Option<*const u8> {
        if prefix == "xml" {
            return Some(XML.as_ptr());
        }
        let namespace = &self.bindings[self.find_binding(prefix)?].namespace;
        (!namespace.is_empty()).then_some(namespace.as_ptr())
    }
}
