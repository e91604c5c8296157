//! Why a checkpoint is not read.

use alloc::string::String;

/// Why a checkpoint cannot be gone on from.
///
/// ```
/// use tagstream::{CheckpointError, Html, Parser, Xml};
///
/// let checkpoint = Parser::new(Xml::default()).checkpoint();
/// let error = Parser::restore(Html::default(), &checkpoint).unwrap_err();
/// assert_eq!(error, CheckpointError::Dialect);
/// assert_eq!(error.to_string(), "the checkpoint is of another dialect");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The bytes do not begin as a checkpoint does.
    #[error("this is no checkpoint")]
    Foreign,
    /// It was written by a version of this crate, or a build of it, that saves otherwise: other minor versions do,
    /// machines with other words, and builds with or without the features `select` and `serde`.
    #[error("the checkpoint was written by tagstream {found}, and this is {ours}")]
    Version {
        /// What wrote it.
        found: String,
        /// What this is.
        ours: String,
    },
    /// It is of something else: of a `Balanced`, and not of a `Parser`.
    #[error("the checkpoint is of another kind: {0}")]
    Kind(&'static str),
    /// It is of another dialect.
    #[error("the checkpoint is of another dialect")]
    Dialect,
    /// The dialect has other options than the one it was made with.
    #[error("the checkpoint was made with other options of the dialect")]
    Options,
    /// The bytes are not those that were written: some are missing, or changed.
    #[error("the checkpoint is damaged")]
    Damaged,
}
