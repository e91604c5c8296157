//! The namespace bindings of the elements that are open in what is written.
//!
//! An element asks for its namespace by name, and the name may be as long as half the document. So bindings keep the
//! shared string that was last found equal to their namespace: elements that ask with the same shared string, as events of
//! one parser and nodes of one tree do, are compared by its address.

use crate::engine::hash_seed::Seeds;
use crate::engine::namespaces::XML;
use crate::engine::work;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Number of bindings up to which a prefix is found by a linear search. Hardly any document has more.
const MAX_LINEAR_SEARCH_BINDINGS: usize = 8;

/// The name of a namespace that an element or attribute is to be in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Namespace<'n> {
    /// A string of the caller, which is compared byte by byte.
    Text(&'n str),
    /// A shared string, which is compared by its address first.
    Shared(&'n Arc<str>),
}

impl<'n> Namespace<'n> {
    pub(crate) fn as_str(self) -> &'n str {
        match self {
            Namespace::Text(text) => text,
            Namespace::Shared(text) => text,
        }
    }
}

/// The bindings of all open elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// In the order in which they were bound; the default namespace has an empty prefix.
    bindings: Vec<Binding>,
    /// Indices of the bindings of each prefix, the innermost last.
    of_prefix: HashMap<Box<str>, Vec<usize>, Seeds>,
    /// The names that are bound, each with the number of its bindings: bindings of equal names share the string.
    names: HashMap<Arc<str>, usize, Seeds>,
}

#[derive(Clone, Debug)]
struct Binding {
    prefix: Box<str>,
    /// Empty where the binding of the prefix was taken away. A key of `Scope::names`.
    namespace: Arc<str>,
    /// The shared string of a caller that was last found equal to `namespace`.
    equal: Option<Arc<str>>,
}

impl Scope {
    /// How many bindings there are: what to go back to at the end of an element.
    pub(crate) fn len(&self) -> usize {
        self.bindings.len()
    }

    /// Binds a prefix; an empty name takes the binding away.
    pub(crate) fn bind(&mut self, prefix: &str, namespace: &str) {
        let places = self.of_prefix.entry_ref(prefix).or_default();
        places.push(self.bindings.len());
        let known = self.names.get_key_value(namespace);
        let name = known.map_or_else(|| Arc::from(namespace), |(name, _)| Arc::clone(name));
        *self.names.entry(Arc::clone(&name)).or_default() += 1;
        self.bindings.push(Binding {
            prefix: prefix.into(),
            namespace: name,
            equal: None,
        });
    }

    /// Takes bindings away until so many are left.
    pub(crate) fn truncate(&mut self, length: usize) {
        while self.bindings.len() > length {
            let Some(Binding {
                prefix, namespace, ..
            }) = self.bindings.pop()
            else {
                return;
            };
            if let Some(places) = self.of_prefix.get_mut(&*prefix) {
                places.pop();
                if places.is_empty() {
                    self.of_prefix.remove(&*prefix);
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

    /// Index of the innermost binding of a prefix.
    fn place(&self, prefix: &str) -> Option<usize> {
        if self.bindings.len() > MAX_LINEAR_SEARCH_BINDINGS {
            return self.of_prefix.get(prefix)?.last().copied();
        }
        let mut innermost = self.bindings.iter();
        innermost.rposition(|binding| {
            work::count(1);
            *binding.prefix == *prefix
        })
    }

    /// Whether a prefix is bound to a namespace, or with an empty prefix, whether that is the default namespace. An empty
    /// name is bound to each prefix that has no binding.
    pub(crate) fn is_bound(&mut self, prefix: &str, namespace: Namespace<'_>) -> bool {
        let binding = match prefix {
            "xml" => return namespace.as_str() == XML,
            _ => self.place(prefix).map(|at| &mut self.bindings[at]),
        };
        let Some(binding) = binding else {
            return namespace.as_str().is_empty();
        };
        let is_same = |other: &Arc<str>| match namespace {
            Namespace::Shared(name) => Arc::ptr_eq(name, other),
            Namespace::Text(_) => false,
        };
        if binding.equal.as_ref().is_some_and(is_same) {
            return true;
        }
        work::count(binding.namespace.len().min(namespace.as_str().len()));
        let is_equal = *binding.namespace == *namespace.as_str();
        if let Namespace::Shared(name) = namespace
            && is_equal
        {
            binding.equal = Some(Arc::clone(name));
        }
        is_equal
    }

    /// The namespace of a prefix, or `None` if it has none. Two are equal if their addresses are.
    pub(crate) fn find(&self, prefix: &str) -> Option<*const u8> {
        if prefix == "xml" {
            return Some(XML.as_ptr());
        }
        let namespace = &self.bindings[self.place(prefix)?].namespace;
        (!namespace.is_empty()).then_some(namespace.as_ptr())
    }
}
