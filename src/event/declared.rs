//! What a DOCTYPE declares for the program to use: notations and unparsed entities.

use super::record::DeclaredDetails;

/// A notation, as declared.
#[derive(Clone, Copy, Debug)]
pub struct NotationDeclaration<'a> {
    pub(super) details: &'a DeclaredDetails,
}

impl<'a> NotationDeclaration<'a> {
    /// Its name.
    pub fn name(&self) -> &'a str {
        &self.details.name
    }

    /// The public identifier.
    pub fn public_id(&self) -> Option<&'a str> {
        self.details.public_id.as_deref()
    }

    /// The system identifier.
    pub fn system_id(&self) -> Option<&'a str> {
        self.details.system_id.as_deref()
    }
}

/// An entity that is no XML, as declared: attributes may name it.
#[derive(Clone, Copy, Debug)]
pub struct UnparsedEntity<'a> {
    pub(super) details: &'a DeclaredDetails,
}

impl<'a> UnparsedEntity<'a> {
    /// Its name.
    pub fn name(&self) -> &'a str {
        &self.details.name
    }

    /// The public identifier.
    pub fn public_id(&self) -> Option<&'a str> {
        self.details.public_id.as_deref()
    }

    /// The system identifier.
    pub fn system_id(&self) -> &'a str {
        self.details.system_id.as_deref().unwrap_or_default()
    }

    /// The name of its notation.
    pub fn notation(&self) -> &'a str {
        self.details.notation.as_deref().unwrap_or_default()
    }
}
