//! Serialization of error codes, and the list of the error codes of all dialects.

use super::shape::structs;
use super::stored;
use crate::engine::error::ErrorCode;
use alloc::borrow::Cow;

structs! {
    /// The serialized form of an error code: its name and its message. Several dialects may use the same name for
    /// different errors, so the message is needed to identify the code.
    CodeForm<'a> {
        name: Cow<'a, str>,
        --
        message: Cow<'a, str>,
    }
}

stored! { ErrorCode as CodeForm }

/// The error codes of all dialects that are compiled in, one list for each dialect.
const ALL: &[&[ErrorCode]] = &[
    #[cfg(feature = "xml")]
    crate::dialects::xml::errors::ALL,
    #[cfg(feature = "html")]
    crate::dialects::html::errors::ALL,
    #[cfg(feature = "microxml")]
    crate::dialects::microxml::errors::ALL,
    #[cfg(feature = "sky")]
    crate::dialects::sky::errors::ALL,
    #[cfg(feature = "leafxml")]
    crate::dialects::leafxml::errors::ALL,
];

impl<'a> CodeForm<'a> {
    fn of(code: &ErrorCode) -> CodeForm<'a> {
        CodeForm {
            name: code.as_str().into(),
            message: code.message().into(),
        }
    }

    /// Returns the code with this name and message. If the message was changed by another version of the crate,
    /// returns the first code with the name.
    fn value(self) -> Result<ErrorCode, &'static str> {
        let named = || {
            let all = ALL.iter().copied().flatten().copied();
            all.filter(|code| code.as_str() == self.name)
        };
        let same = named().find(|code| code.message() == self.message);
        same.or_else(|| named().next())
            .ok_or("no error code of this name")
    }
}
