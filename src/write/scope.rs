//! Which prefix is bound to which namespace, in the elements that are open in what is written. It must not
//! know how a declaration is written.

use crate::namespaces::XML;
use crate::seeds::Seeds;
use alloc::boxed::Box;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Up to so many bindings are looked through, and hardly any document has more.
const FEW: usize = 8;

/// The bindings of all open elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// In the order in which they were bound; the default namespace has an empty prefix.
    bindings: Vec<Binding>,
    /// Where those of each prefix are, the innermost last.
    of_prefix: HashMap<Box<str>, Vec<usize>, Seeds>,
}

#[derive(Clone, Debug)]
struct Binding {
    prefix: Box<str>,
    /// Empty where the binding of the prefix was taken away.
    namespace: Box<str>,
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
        self.bindings.push(Binding {
            prefix: prefix.into(),
            namespace: namespace.into(),
        });
    }

    /// Takes bindings away until so many are left.
    pub(crate) fn truncate(&mut self, length: usize) {
        while self.bindings.len() > length {
            let Some(Binding { prefix, .. }) = self.bindings.pop() else {
                return;
            };
            if let Some(places) = self.of_prefix.get_mut(&*prefix) {
                places.pop();
                if places.is_empty() {
                    self.of_prefix.remove(&*prefix);
                }
            }
        }
    }

    /// The namespace of a prefix, or with an empty one the default; empty if there is none.
    pub(crate) fn find(&self, prefix: &str) -> &str {
        if prefix == "xml" {
            return XML;
        }
        let found = if self.bindings.len() <= FEW {
            let mut innermost = self.bindings.iter().rev();
            innermost.find(|binding| *binding.prefix == *prefix)
        } else {
            let places = self.of_prefix.get(prefix);
            let last = places.and_then(|places| places.last());
            last.and_then(|at| self.bindings.get(*at))
        };
        found.map_or("", |binding| &binding.namespace)
    }
}
