//! Serialized error codes, and the list of the codes of all dialects.

use super::shape::structs;
use super::{Stored, stored};
use crate::engine::error::ErrorCode;
use alloc::borrow::Cow;

structs! {
    /// The name of an error code, and its message. Dialects use the same name for different errors, which differ by
    /// their message.
    CodeForm<'a> {
        name: Cow<'a, str>,
        --
        message: Cow<'a, str>,
    }
}

stored! { ErrorCode as CodeForm }

/// The codes of all dialects in this build.
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

impl Stored for ErrorCode {
    type Form<'a> = CodeForm<'a>;

    fn form(&self) -> CodeForm<'_> {
        CodeForm {
            name: self.as_str().into(),
            message: self.message().into(),
        }
    }

    /// Returns the code with this name and message. If the message was changed by another version of the crate,
    /// returns the first code with the name.
    fn of(form: CodeForm<'_>) -> Result<ErrorCode, &'static str> {
        let named = || {
            let all = ALL.iter().copied().flatten().copied();
            all.filter(|code| code.as_str() == form.name)
        };
        let same = named().find(|code| code.message() == form.message);
        same.or_else(|| named().next())
            .ok_or("no error code of this name")
    }
}
