//! The stored form owners of controls: see `forms.rs`.

use super::node_id::{Link, NodeId};
use alloc::boxed::Box;
use hashbrown::HashMap;

/// The forms of controls that are not descendants of their form, and the moves of nodes since the first control of this
/// kind was added.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners {
    /// For each control, its form and the value of `moves` at the time of the association.
    pub(super) forms: HashMap<NodeId, (NodeId, u64)>,
    /// For each moved node, the number of its last move.
    pub(super) moved: HashMap<NodeId, u64>,
    /// Number of moves of nodes since the first association of a control with a form.
    pub(super) moves: u64,
}

impl Owners {
    /// Returns the number of bytes that the entries of both tables take, without unused capacity.
    pub(super) fn bytes(&self) -> usize {
        self.forms.len() * size_of::<(NodeId, (NodeId, u64))>()
            + self.moved.len() * size_of::<(NodeId, u64)>()
    }

    /// Returns a copy of the data in which all IDs are replaced by those that the nodes have after
    /// [`Document::compact`](super::Document::compact), or `None` if no association of a control with a form is left. `ids` contains the new ID
    /// of each node, by the index of its old ID.
    pub(super) fn compacted(&self, ids: &[Link]) -> Option<Box<Owners>> {
        let now = |id: NodeId| ids.get(id.index()).copied().flatten();
        let forms = self
            .forms
            .iter()
            .filter_map(|(control, (form, since))| Some((now(*control)?, (now(*form)?, *since))));
        let moved = self.moved.iter();
        let owners = Owners {
            forms: forms.collect(),
            moved: moved
                .filter_map(|(node, last)| Some((now(*node)?, *last)))
                .collect(),
            moves: self.moves,
        };
        (!owners.forms.is_empty()).then(|| Box::new(owners))
    }

    /// Validates data that was loaded from a checkpoint. Returns true if `is_node` returns true for each ID, that is,
    /// if each node exists.
    #[cfg(feature = "checkpoints")]
    pub(super) fn is_valid(&self, is_node: impl Fn(NodeId) -> bool) -> bool {
        let mut forms = self.forms.iter();
        forms.all(|(control, (form, _))| is_node(*control) && is_node(*form))
            && self.moved.keys().all(|node| is_node(*node))
    }

    /// Returns true if a node was moved after the move with the number `since`.
    pub(super) fn is_moved(&self, node: NodeId, since: u64) -> bool {
        self.moved.get(&node).is_some_and(|last| *last > since)
    }
}

crate::checkpoint::checkpointable! {
    struct Owners { forms, moved, moves }
}
