//! `XPathError`: the reason why an expression was refused, with its place in the expression.

use crate::engine::error::{Error, debug_as_display};
use alloc::string::String;

/// The reason why an XPath expression was refused or could not be evaluated, with its byte offset.
///
/// ```
/// use tagstream::xpath::{XPath, XPathErrorKind};
///
/// let error = XPath::new("//a[contains(@href)]").unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (XPathErrorKind::ArgumentCount, 4));
/// assert_eq!(error.to_string(), "contains() takes 2 arguments, not 1 (offset 4)");
/// ```
///
/// In functions that return [`Error`](crate::Error), `?` converts it.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (offset {offset})")]
pub struct XPathError {
    kind: XPathErrorKind,
    offset: usize,
    message: String,
}

debug_as_display!(XPathError);

/// The kind of an [`XPathError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum XPathErrorKind {
    /// A syntax error.
    Syntax,
    /// The expression is longer than 16 KiB, or is nested more deeply than 64 levels. Parentheses, predicates, function
    /// calls, operators and unary minus are levels; a chain of `or`, `and` or `|` is only a few levels, whatever its
    /// length.
    TooLarge,
    /// A function is not in the core library of XPath 1.0.
    UnknownFunction,
    /// A function has too many or too few arguments.
    ArgumentCount,
    /// A namespace prefix is not declared: see [`XPath::namespace`](crate::xpath::XPath::namespace).
    UnknownPrefix,
    /// A variable has no value: see [`XPath::variable`](crate::xpath::XPath::variable).
    UnknownVariable,
    /// A number, string or boolean is at a place where nodes are needed.
    NotNodes,
    /// Streams do not support a part of the expression, so that the expression needs a tree, or a part can select nodes that
    /// are not elements.
    NotOnStreams,
}

impl XPathError {
    pub(super) fn new(
        kind: XPathErrorKind,
        offset: usize,
        message: impl Into<String>,
    ) -> XPathError {
        XPathError {
            kind,
            offset,
            message: message.into(),
        }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> XPathErrorKind {
        self.kind
    }

    /// Returns the byte offset in the expression at which the refused part begins. For a syntax error, this is the
    /// offset at which the parser found the error.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl From<XPathError> for Error {
    fn from(error: XPathError) -> Error {
        Error::other(error)
    }
}
