//! Data of rare records that does not fit into a record: contents of DOCTYPEs and declarations, and the error that
//! ends a parse.

use super::in_entity::InEntity;
use super::referred::Referred;
use crate::engine::error::ErrorKind;
use crate::engine::input::BufferOffset;
use alloc::string::String;
use alloc::vec::Vec;

/// The contents of a DOCTYPE.
#[derive(Clone, Debug)]
pub(crate) struct DoctypeDetails {
    pub(crate) name: String,
    pub(crate) public_id: Option<String>,
    pub(crate) system_id: Option<String>,
    /// The text of the internal subset, if the program asked for it.
    pub(crate) internal_subset: Option<String>,
    /// Declared notations, in source order.
    pub(crate) notations: Vec<DeclaredDetails>,
    /// Declared unparsed entities, in source order.
    pub(crate) unparsed: Vec<DeclaredDetails>,
    /// True if the DOCTYPE is so malformed that an HTML document is in quirks mode: the *force-quirks flag* of the
    /// HTML standard.
    pub(crate) force_quirks: bool,
}

impl DoctypeDetails {
    /// A DOCTYPE without contents.
    pub(crate) const BLANK: DoctypeDetails = DoctypeDetails {
        name: String::new(),
        public_id: None,
        system_id: None,
        internal_subset: None,
        notations: Vec::new(),
        unparsed: Vec::new(),
        force_quirks: false,
    };
}

impl Default for DoctypeDetails {
    fn default() -> DoctypeDetails {
        Self::BLANK
    }
}

/// The declaration of a notation or of an unparsed entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DeclaredDetails {
    pub(crate) name: String,
    pub(crate) public_id: Option<String>,
    pub(crate) system_id: Option<String>,
    /// The name of an unparsed entity's notation; `None` for a notation.
    pub(crate) notation: Option<String>,
}

/// The contents of an XML declaration.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeclarationDetails {
    pub(crate) version: Option<String>,
    pub(crate) encoding: Option<String>,
    pub(crate) standalone: Option<bool>,
}

/// The error that ends the parse. `start` and `end` are the span of the error, as offsets in the buffered text.
#[derive(Clone, Debug)]
pub(crate) struct Fatal {
    pub(crate) kind: ErrorKind,
    pub(crate) start: BufferOffset,
    pub(crate) end: BufferOffset,
    /// Number of records of the batch that precede the error and are still returned.
    pub(crate) records: usize,
    /// The location in an external entity, if the error is in one.
    pub(crate) entity: Option<InEntity>,
    /// The related location that the error refers to, if there is one.
    pub(crate) referred: Option<Referred>,
}

impl Fatal {
    /// Creates an error between two offsets in the buffered text, before any record.
    pub(crate) fn new(kind: ErrorKind, start: BufferOffset, end: BufferOffset) -> Fatal {
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

crate::checkpoint::checkpointable! {
    struct DoctypeDetails {
        name, public_id, system_id, internal_subset, notations, unparsed, force_quirks,
    }
    struct DeclaredDetails { name, public_id, system_id, notation }
    struct DeclarationDetails { version, encoding, standalone }
    struct Fatal { kind, start, end, records, entity, referred }
}
