//! The table of the markers of a document: see `patch.rs`.

use super::node_id::NodeId;
use crate::engine::hash_seed::Seeds;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// The markers of a document by their names. Nodes that were added after the last search are not yet included.
#[derive(Clone, Debug, Default)]
pub(super) struct Markers {
    /// Number of nodes that were searched for markers. Checkpoints do not contain `seen` and `of_name`: after a
    /// checkpoint is loaded, the next search begins with the first node.
    pub(super) seen: usize,
    pub(super) of_name: HashMap<String, Vec<NodeId>, Seeds>,
    pub(super) steps: u64,
}

crate::checkpoint::checkpointable! {
    struct Markers { steps; skip seen = Default::default(), of_name = Default::default() }
}
