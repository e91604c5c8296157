//! The error for a string that cannot be the context of a fragment.

use crate::engine::error::Error;
use alloc::sync::Arc;

/// The error of [`Html::fragment`](super::Html::fragment) for a context that is not the name of an element.
#[derive(Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[error(
    "{context:?} is no context of a fragment: that is the name of an element, `td`, or `svg path`"
)]
pub struct ContextError {
    context: Arc<str>,
}

crate::engine::error::debug_as_display!(ContextError);

impl ContextError {
    pub(super) fn new(context: &str) -> ContextError {
        ContextError {
            context: context.into(),
        }
    }

    /// Returns the context that was given.
    ///
    /// ```
    /// use tagstream::Html;
    ///
    /// assert_eq!(Html::fragment("<tr>").unwrap_err().context(), "<tr>");
    /// ```
    pub fn context(&self) -> &str {
        &self.context
    }
}

/// Converts the error to an [`ErrorKind::Other`](crate::ErrorKind::Other), for functions that parse a fragment.
///
/// ```
/// use tagstream::{Document, Error, Html};
///
/// fn cells(row: &str) -> Result<usize, Error> {
///     let row = Document::parse(Html::fragment("tr")?, row)?;
///     Ok(row.root_element().map_or(0, |root| root.children().count()))
/// }
///
/// assert_eq!(cells("<td>1<td>2")?, 2);
/// # Ok::<(), Error>(())
/// ```
impl From<ContextError> for Error {
    fn from(error: ContextError) -> Error {
        Error::other(error)
    }
}
