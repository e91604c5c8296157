//! The tables of a document that few documents need: contents of templates, shadow roots, and names of attributes.

use super::names::NameId;
use super::node_id::NodeId;
use crate::tree::shadow::ShadowRoot;
use alloc::boxed::Box;
use hashbrown::{HashMap, HashSet};

/// The tables of a document. They are allocated when the first entry is added.
#[derive(Clone, Default)]
pub(super) struct Tables(Option<Box<Entries>>);

#[derive(Clone, Default)]
struct Entries {
    /// For each template element that has contents, the fragment with the contents.
    templates: HashMap<NodeId, NodeId>,
    /// For each element that has a shadow root, the fragment that is the shadow root, and its properties.
    shadow_roots: HashMap<NodeId, (NodeId, ShadowRoot)>,
    /// For each element with `is_indexed`, the names of its attributes. The set answers quickly whether such an element
    /// has an attribute with a given name.
    indexed: HashSet<(NodeId, NameId)>,
}

impl Tables {
    pub(super) const NONE: Tables = Tables(None);

    /// Returns the fragment with the contents of a template element, if the element has contents.
    pub(super) fn template(&self, element: NodeId) -> Option<NodeId> {
        self.0.as_ref()?.templates.get(&element).copied()
    }

    pub(super) fn add_template(&mut self, element: NodeId, contents: NodeId) {
        self.entries().templates.insert(element, contents);
    }

    /// Returns the shadow root of an element and its properties, if the element has a shadow root.
    pub(super) fn shadow_root(&self, host: NodeId) -> Option<&(NodeId, ShadowRoot)> {
        self.0.as_ref()?.shadow_roots.get(&host)
    }

    pub(super) fn add_shadow_root(&mut self, host: NodeId, fragment: NodeId, root: ShadowRoot) {
        self.entries().shadow_roots.insert(host, (fragment, root));
    }

    /// Returns true if an element, whose attributes are indexed, has an attribute with this name.
    pub(super) fn has_attribute(&self, element: NodeId, name: NameId) -> bool {
        let entries = self.0.as_ref();
        entries.is_some_and(|entries| entries.indexed.contains(&(element, name)))
    }

    pub(super) fn add_attribute(&mut self, element: NodeId, name: NameId) {
        self.entries().indexed.insert((element, name));
    }

    pub(super) fn remove_attribute(&mut self, element: NodeId, name: NameId) {
        if let Some(entries) = &mut self.0 {
            entries.indexed.remove(&(element, name));
        }
    }

    /// Removes all entries. The memory is kept.
    pub(super) fn clear(&mut self) {
        if let Some(entries) = &mut self.0 {
            entries.templates.clear();
            entries.shadow_roots.clear();
            entries.indexed.clear();
        }
    }

    /// Returns true if all nodes and names that the entries refer to exist.
    #[cfg(feature = "checkpoints")]
    pub(super) fn is_valid(
        &self,
        is_node: impl Fn(NodeId) -> bool,
        is_name: impl Fn(NameId) -> bool,
    ) -> bool {
        self.0.as_ref().is_none_or(|entries| {
            let templates = entries.templates.iter();
            let shadow_roots = entries.shadow_roots.iter();
            let mut contents = templates.chain(shadow_roots.map(|(host, (root, _))| (host, root)));
            let mut names = entries.indexed.iter();
            contents.all(|(host, content)| is_node(*host) && is_node(*content))
                && names.all(|(node, name)| is_node(*node) && is_name(*name))
        })
    }

    fn entries(&mut self) -> &mut Entries {
        self.0.get_or_insert_default()
    }
}

crate::checkpoint::checkpointable! {
    struct Tables(value);
    struct Entries { templates, shadow_roots, indexed }
}
