//! Errors of serialization.

use crate::write::WriteError;
use alloc::string::{String, ToString};
use core::fmt;

/// The error that is returned if a value cannot be written: it has no representation in XML, or reading the document
/// would return a different value, or the output failed.
///
/// ```
/// use tagstream::ser::{SerError, to_string, to_string_with_root};
///
/// let error = to_string(&7).unwrap_err();
/// assert!(matches!(error, SerError::Unsupported(_)));
/// assert_eq!(error.to_string(), "a value without a name is no element: `to_string_with_root` gives it one");
/// let error = to_string_with_root("1st", &7).unwrap_err();
/// assert_eq!(error.to_string(), "this is not a valid name: `1st`");
/// ```
#[non_exhaustive]
pub enum SerError {
    /// The `Serialize` implementation of a type returned an error. Contains its message.
    Custom(String),
    /// The value has no representation in XML that would be read as the same value. Contains the reason.
    Unsupported(String),
    /// The writer refused a name or a character that is not valid in XML, or the output failed.
    Write(WriteError),
}

impl SerError {
    pub(super) fn unsupported(what: &str) -> SerError {
        SerError::Unsupported(what.to_string())
    }
}

crate::engine::error::debug_as_display!(SerError);

impl fmt::Display for SerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SerError::Custom(message) | SerError::Unsupported(message) => f.write_str(message),
            SerError::Write(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SerError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            SerError::Write(error) => Some(error),
            _ => None,
        }
    }
}

impl serde_core::ser::Error for SerError {
    fn custom<T: fmt::Display>(message: T) -> SerError {
        SerError::Custom(message.to_string())
    }
}

impl From<WriteError> for SerError {
    fn from(error: WriteError) -> SerError {
        SerError::Write(error)
    }
}
