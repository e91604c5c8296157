//! External entities as a program sees them: their identifiers, and the request for their bytes.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The name and identifiers of an external entity, and the location of the entity that declares it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EntityId {
    pub(crate) name: Option<String>,
    pub(crate) is_parameter: bool,
    pub(crate) public_id: Option<String>,
    pub(crate) system_id: String,
    pub(crate) base: Option<Arc<str>>,
}

impl EntityId {
    /// Returns the number of bytes of memory that the identifiers take.
    pub(crate) fn memory_used(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        size_of::<EntityId>() + length(&self.name) + length(&self.public_id) + self.system_id.len()
    }
}

/// A request for the bytes of an external entity. See [`Status::NeedsEntity`](crate::Status).
///
/// ```
/// use tagstream::{Parser, Status, Xml};
///
/// let mut parser = Parser::new(Xml::default().external_entities(true));
/// parser.feed("<!DOCTYPE a [<!ENTITY b PUBLIC 'B' 'b.xml'>]><a>&b;</a>");
/// while parser.next_event()?.is_some() {}
/// let Status::NeedsEntity(wanted) = parser.status() else { panic!() };
/// assert_eq!((wanted.name(), wanted.is_parameter()), (Some("b"), false));
/// assert_eq!((wanted.public_id(), wanted.system_id()), (Some("B"), "b.xml"));
/// // The declaration is in the document itself.
/// assert_eq!(wanted.base(), None);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntityRequest {
    pub(crate) id: Arc<EntityId>,
}

impl EntityRequest {
    /// Returns the name of the entity, or `None` for the external subset of a DOCTYPE.
    pub fn name(&self) -> Option<&str> {
        self.id.name.as_deref()
    }

    /// Returns whether the entity is a parameter entity.
    pub fn is_parameter(&self) -> bool {
        self.id.is_parameter
    }

    /// Returns the public identifier, if the declaration has one.
    pub fn public_id(&self) -> Option<&str> {
        self.id.public_id.as_deref()
    }

    /// Returns the system identifier as written. If it is relative, it is relative to [`base`](EntityRequest::base).
    pub fn system_id(&self) -> &str {
        &self.id.system_id
    }

    /// Returns the location of the entity that contains the declaration, as the program supplied it with the entity's
    /// bytes. Returns `None` if the declaration is in the document, or if the program supplied no location.
    pub fn base(&self) -> Option<&str> {
        self.id.base.as_deref()
    }
}

crate::checkpoint::checkpointable! {
    struct EntityId { name, is_parameter, public_id, system_id, base }
    struct EntityRequest { id }
}

/// Number of bytes of memory that are charged for each byte of an external entity while it is decoded.
pub(crate) const ENTITY_SHARE: usize = 6;

/// The reaction of a program to the request for an external entity.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The program supplied the bytes.
    Bytes {
        bytes: Vec<u8>,
        /// True if the program supplied a string.
        is_text: bool,
        /// Location of the entity, if the program supplied it.
        location: Option<Arc<str>>,
    },
    /// The entity is not to be parsed.
    Skip,
    /// The entity has more bytes than the limit on memory allows.
    TooLong,
}

crate::checkpoint::checkpointable! {
    enum Answer { Bytes { bytes, is_text, location }, Skip, TooLong }
}
