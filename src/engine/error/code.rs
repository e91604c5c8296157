//! `ErrorCode`: the names of errors in the input, and the macro that defines the codes of a dialect.

use core::fmt;

/// The name of a kind of error in the input. The name is spelled as in the specification of the dialect, or in the
/// same style if the specification names no errors.
///
/// The module of each dialect lists its codes.
///
/// ```
/// use tagstream::xml::errors::UNQUOTED_VALUE;
///
/// assert_eq!(UNQUOTED_VALUE.as_str(), "unquoted-value");
/// assert_eq!(UNQUOTED_VALUE.message(), "expected quotes around the attribute value");
/// ```
#[derive(Clone, Copy)]
pub struct ErrorCode {
    /// The row of the code. A single reference contains all of it, so that a code is as small as a pointer.
    row: &'static CodeRow,
}

/// A row of a dialect's table of error codes.
pub(crate) struct CodeRow {
    pub(crate) name: &'static str,
    pub(crate) message: &'static str,
    /// True if the error means that the end tag of the current element was expected.
    pub(crate) expects_end_tag: bool,
}

impl ErrorCode {
    /// Creates the code of a row.
    pub(crate) const fn new(row: &'static CodeRow) -> ErrorCode {
        ErrorCode { row }
    }

    /// Returns true if the error means that another end tag was expected. Its message then names the open element.
    pub(crate) fn expects_end_tag(self) -> bool {
        self.row.expects_end_tag
    }

    /// Returns the name, for example `duplicate-attribute`.
    pub fn as_str(self) -> &'static str {
        self.row.name
    }

    /// Returns a sentence, without a full stop, that describes the error.
    pub fn message(self) -> &'static str {
        self.row.message
    }
}

/// Defines the error codes of a dialect: a constant for each, with its name and its message. `end_tag` follows the
/// message if the error means that another end tag was expected.
macro_rules! codes {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $sentence:literal $(, $end_tag:ident)?;)*) => {
        $($(#[$doc])* #[doc = concat!("`", $name, "`: ", $sentence, ".")]
        pub const $constant: ErrorCode = ErrorCode::new(&$crate::engine::error::code::CodeRow {
            name: $name,
            message: $sentence,
            expects_end_tag: $crate::engine::error::code::codes!(@ $($end_tag)?),
        });)*

        /// All codes, in the order in which this page lists them.
        pub const ALL: &[ErrorCode] = &[$($constant),*];
    };
    (@) => { false };
    (@ end_tag) => { true };
}

pub(crate) use codes;

impl PartialEq for ErrorCode {
    fn eq(&self, other: &ErrorCode) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for ErrorCode {}

impl core::hash::Hash for ErrorCode {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
