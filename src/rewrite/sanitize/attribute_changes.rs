//! Changes of the attributes of an element in a tree.

use crate::tree::{Attribute, Document, NodeId};
use alloc::string::String;
use alloc::vec::Vec;

/// The change of an attribute.
pub(super) enum Change {
    None,
    Removed,
    /// The attribute gets this value.
    To(String),
}

/// Changes the attributes of an element as a function returns for each of them.
pub(super) fn change_attributes(
    document: &mut Document,
    element: NodeId,
    mut change: impl FnMut(Attribute<'_>) -> Change,
) {
    let Some(node) = document.node(element) else {
        return;
    };
    // The number of the name of each attribute that changes, and the new value, or `None` if the attribute is removed.
    let mut edits: Vec<(usize, Option<String>)> = Vec::new();
    for attribute in node.attributes() {
        match change(attribute) {
            Change::None => {}
            Change::Removed => edits.push((attribute.name_number(), None)),
            Change::To(value) => edits.push((attribute.name_number(), Some(value))),
        }
    }
    edits.sort_unstable();
    let edit = |attribute: Attribute<'_>| {
        let number = attribute.name_number();
        let found = edits.binary_search_by_key(&number, |(number, _)| *number);
        found.ok().map(|at| edits[at].1.as_deref())
    };
    if edits.iter().any(|(_, value)| value.is_none()) {
        document.retain_each(element, |one| edit(one) != Some(None));
    }
    if edits.iter().any(|(_, value)| value.is_some()) {
        document.set_values(element, |one| edit(one).flatten());
    }
}
