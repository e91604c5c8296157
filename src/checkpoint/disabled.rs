//! The traits of checkpoints without the feature `checkpoints`: they hold for every type.

pub trait Checkpointable {}
impl<T> Checkpointable for T {}

pub trait CheckpointableDialect {}
impl<T> CheckpointableDialect for T {}

pub trait CheckpointableTokenizer {}
impl<T> CheckpointableTokenizer for T {}

pub(crate) trait CheckpointableObject {}
impl<T> CheckpointableObject for T {}

/// Expands to nothing.
macro_rules! checkpointable {
    ($($list:tt)*) => {};
}
pub(crate) use checkpointable;
