//! The trait of tree sinks that a checkpoint can contain.

use super::sink::TreeSink;
use crate::checkpoint::Checkpointable;

/// A tree sink that a checkpoint can contain: the sink, its handles and its namespaces can be saved and loaded.
pub trait CheckpointableSink:
    TreeSink<Handle: Checkpointable, Namespace: Checkpointable> + Checkpointable
{
}

impl<S> CheckpointableSink for S where
    S: TreeSink<Handle: Checkpointable, Namespace: Checkpointable> + Checkpointable
{
}
