//! What few records have beside them: what a DOCTYPE or a declaration says, why the machine cannot go on. It must
//! not know of the queue.

use super::in_entity::InEntity;
use super::referred::Referred;
use crate::error::ErrorKind;
use crate::input::Mark;
use alloc::string::String;
use alloc::vec::Vec;

/// What a DOCTYPE says.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct DoctypeDetails {
    pub(crate) name: String,
    pub(crate) public_id: Option<String>,
    pub(crate) system_id: Option<String>,
    pub(crate) notations: Vec<DeclaredDetails>,
    pub(crate) unparsed: Vec<DeclaredDetails>,
    pub(crate) force_quirks: bool,
}

/// A notation or an unparsed entity, as declared.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct DeclaredDetails {
    pub(crate) name: String,
    pub(crate) public_id: Option<String>,
    pub(crate) system_id: Option<String>,
    pub(crate) notation: Option<String>,
}

/// What an XML declaration says.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct DeclarationDetails {
    pub(crate) version: Option<String>,
    pub(crate) encoding: Option<String>,
    pub(crate) standalone: Option<bool>,
}

/// Why the machine can't go on: the marks are the span.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Fatal {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) kind: ErrorKind,
    pub(crate) start: Mark,
    pub(crate) end: Mark,
    /// How many records of the batch come before it.
    pub(crate) records: usize,
    /// The place in an external entity, if it is in one.
    pub(crate) entity: Option<InEntity>,
    /// What it refers to.
    pub(crate) referred: Option<Referred>,
}

impl Fatal {
    /// What ends the parse between two marks, before any record.
    pub(crate) fn new(kind: ErrorKind, start: Mark, end: Mark) -> Fatal {
        Fatal {
            kind,
            start,
            end,
            records: 0,
            entity: None,
            referred: None,
        }
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::plain!(DoctypeDetails, DeclarationDetails);
