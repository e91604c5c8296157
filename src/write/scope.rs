//! Which prefix is bound to which namespace, in the elements that are open in what is written. It must not
//! know how a declaration is written.

use crate::namespaces::XML;
use crate::seeds::Seeds;
use alloc::boxed::Box;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// The bindings of all open elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Those of each prefix, the innermost last; the default namespace has an empty prefix.
    bound: HashMap<Box<str>, Vec<Box<str>>, Seeds>,
    /// The prefixes in the order in which they were bound.
    order: Vec<Box<str>>,
}

impl Scope {
    /// How many bindings there are: what to go back to at the end of an element.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// Binds a prefix; an empty name takes the binding away.
    pub(crate) fn bind(&mut self, prefix: &str, namespace: &str) {
        let bound = self.bound.entry_ref(prefix).or_default();
        bound.push(namespace.into());
        self.order.push(prefix.into());
    }

    /// Takes bindings away until so many are left.
    pub(crate) fn truncate(&mut self, length: usize) {
        while self.order.len() > length {
            let Some(prefix) = self.order.pop() else {
                return;
            };
            if let Some(bound) = self.bound.get_mut(&*prefix) {
                bound.pop();
                if bound.is_empty() {
                    self.bound.remove(&*prefix);
                }
            }
        }
    }

    /// The namespace of a prefix, or with an empty one the default; empty if there is none.
    pub(crate) fn find(&self, prefix: &str) -> &str {
        if prefix == "xml" {
            return XML;
        }
        if self.order.is_empty() {
            return "";
        }
        let bound = self.bound.get(prefix).and_then(|bound| bound.last());
        bound.map_or("", |namespace| namespace)
    }
}
