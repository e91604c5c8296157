//! `ErrorKind`: the reason why a parse or an operation failed. `Category`: the party that can correct it.

use super::code::ErrorCode;
use super::edit::EditError;
#[cfg(feature = "select")]
use super::selector::SelectorError;
use crate::engine::input::encoding::Encoding;
use crate::engine::limits::Limit;
#[cfg(feature = "select")]
use alloc::boxed::Box;
use alloc::sync::Arc;

/// The reason why a parse or an operation failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input violates the grammar of a strict dialect.
    #[error("{} ({code})", .0.message(), code = .0)]
    Syntax(ErrorCode),
    /// A limit was reached.
    #[error("{0}")]
    Limit(Limit),
    /// The program fed a chunk after it had called `finish`.
    #[error("a chunk was fed after `finish` was called")]
    FeedAfterFinish,
    /// The program fed a string after bytes in another encoding than UTF-8.
    #[error("a string was fed after bytes in another encoding than UTF-8")]
    TextAfterBytes,
    /// The input is in an encoding that this build does not [have](Encoding::is_available).
    #[error("the input is in {name}, which the feature `encodings` of tagstream reads", name = .0.name())]
    UnavailableEncoding(Encoding),
    /// The program called `finish` while the parser waits for its host, which runs scripts or loads modules, or for an
    /// external entity.
    #[error("`finish` was called while the parser waits for its host or for an external entity")]
    Waiting,
    /// The program called [`TreeBuilder::write`](crate::TreeBuilder::write), which writes as a script does, but the
    /// builder is not paused at a script.
    #[error("`write` was called while the tree builder is not paused at a script")]
    NotPaused,
    /// The program called a method that needs a start tag, but the current event is not a start tag.
    #[error("the current event is not a start tag")]
    NoElement,
    /// The program tried to change a tree in a way that is not allowed.
    #[error("{0}")]
    Edit(EditError),
    /// A selector was refused: see [`SelectorError`](crate::select::SelectorError).
    #[cfg(feature = "select")]
    #[error("{0}")]
    Selector(Box<SelectorError>),
    /// The source of the input failed, for example when reading a file.
    #[error("the source of the input failed: {0}")]
    Source(#[source] Arc<dyn core::error::Error + Send + Sync>),
    /// Another error that `?` converted: an [`io::Error`](std::io::Error), a [`WriteError`](crate::WriteError), a
    /// [`RewriteError`](crate::RewriteError), an error of deserialization (`de::DeError`, with the feature `serde`) or
    /// the error of a [fragment's context](crate::Html::fragment).
    /// [`Error::source`](core::error::Error::source) returns it.
    #[error("{0}")]
    Other(#[source] Arc<dyn core::error::Error + Send + Sync>),
}

/// Compares the kinds and their codes, limits, edits, selectors and encodings. The errors in `Source` and `Other` are
/// not compared.
impl PartialEq for ErrorKind {
    fn eq(&self, other: &ErrorKind) -> bool {
        match (self, other) {
            (ErrorKind::Syntax(one), ErrorKind::Syntax(other)) => one == other,
            (ErrorKind::Limit(one), ErrorKind::Limit(other)) => one == other,
            (ErrorKind::Edit(one), ErrorKind::Edit(other)) => one == other,
            #[cfg(feature = "select")]
            (ErrorKind::Selector(one), ErrorKind::Selector(other)) => one == other,
            (ErrorKind::UnavailableEncoding(one), ErrorKind::UnavailableEncoding(other)) => {
                one == other
            }
            _ => core::mem::discriminant(self) == core::mem::discriminant(other),
        }
    }
}

impl Eq for ErrorKind {}

impl ErrorKind {
    /// Returns the name of the error, and the party that can correct its cause.
    pub(super) fn name_and_category(&self) -> (&'static str, Category) {
        match self {
            ErrorKind::Syntax(code) => (code.as_str(), Category::Input),
            ErrorKind::Limit(limit) => (limit.as_str(), Category::Limit),
            ErrorKind::FeedAfterFinish => ("feed-after-finish", Category::Use),
            ErrorKind::TextAfterBytes => ("text-after-bytes", Category::Use),
            ErrorKind::UnavailableEncoding(_) => ("unavailable-encoding", Category::Use),
            ErrorKind::Waiting => ("waiting", Category::Use),
            ErrorKind::NotPaused => ("not-paused", Category::Use),
            ErrorKind::NoElement => ("no-element", Category::Use),
            ErrorKind::Edit(error) => (error.as_str(), Category::Use),
            #[cfg(feature = "select")]
            ErrorKind::Selector(_) => ("selector", Category::Use),
            ErrorKind::Source(_) => ("source", Category::Source),
            ErrorKind::Other(_) => ("other", Category::Other),
        }
    }
}

/// The party that can correct the cause of an [`Error`](crate::Error).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The author of the input.
    Input,
    /// The party that set the limit. The input may be valid.
    Limit,
    /// The program that calls the parser.
    Use,
    /// The provider of the bytes, such as the file system or the network.
    Source,
    /// Unknown: the category depends on the error that was converted. See [`ErrorKind::Other`].
    Other,
}
