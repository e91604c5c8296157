//! Checkpoints of trees: the sinks that can be part of one.

use super::sink::TreeSink;
use crate::checkpoint::Checkpointable;

/// A tree sink that can be part of a checkpoint.
pub trait CheckpointableSink:
    TreeSink<Handle: Checkpointable, Namespace: Checkpointable> + Checkpointable
{
}

impl<S> CheckpointableSink for S where
    S: TreeSink<Handle: Checkpointable, Namespace: Checkpointable> + Checkpointable
{
}
