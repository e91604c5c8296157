//! The error that is returned if a checkpoint cannot be restored.

use alloc::string::String;

/// The reason why a checkpoint cannot be restored.
///
/// ```
/// use tagstream::{CheckpointError, Html, Parser, Xml};
///
/// let checkpoint = Parser::new(Xml::default()).checkpoint();
/// let error = <Parser<Html>>::restore(Html::default(), &checkpoint).unwrap_err();
/// assert_eq!(error, CheckpointError::Dialect);
/// assert_eq!(error.to_string(), "the checkpoint is of another dialect");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The bytes are not a checkpoint.
    #[error("these bytes are not a checkpoint")]
    Foreign,
    /// The checkpoint was written by an incompatible build of this crate: another minor version, a target with
    /// another size of `usize`, or a build in which the features `select` and `serde` are different.
    #[error(
        "the checkpoint was written by tagstream {found}, which this build ({ours}) cannot read"
    )]
    Version {
        /// Version and features of the build that wrote the checkpoint.
        found: String,
        /// Version and features of this build.
        ours: String,
    },
    /// The checkpoint is of another type, such as a balanced parser instead of one of events as written. The string
    /// names that type.
    #[error("the checkpoint is of another kind: {0}")]
    Kind(&'static str),
    /// The checkpoint is of another dialect.
    #[error("the checkpoint is of another dialect")]
    Dialect,
    /// The checkpoint was made with other options of the dialect.
    #[error("the checkpoint was made with other options of the dialect")]
    Options,
    /// Bytes of the checkpoint are missing or changed.
    #[error("the checkpoint is damaged")]
    Damaged,
}
