//! External entities as a program meets them: what they are called, and the question for their bytes.
//!
//! It must not know who asks, nor what is done with the answer.

use alloc::string::String;
use alloc::sync::Arc;

/// What an external entity is called, and where it was declared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct EntityId {
    pub(crate) name: Option<String>,
    pub(crate) is_parameter: bool,
    pub(crate) public_id: Option<String>,
    pub(crate) system_id: String,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) base: Option<Arc<str>>,
}

impl EntityId {
    /// Bytes that it takes.
    pub(crate) fn held(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        size_of::<EntityId>() + length(&self.name) + length(&self.public_id) + self.system_id.len()
    }
}

/// The question for the bytes of an external entity: see [`Status::NeedsEntity`](crate::Status).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntityRequest {
    pub(crate) id: Arc<EntityId>,
}

impl EntityRequest {
    /// The name of the entity; the external subset of a DOCTYPE has none.
    ///
    /// ```
    /// use tagstream::{Parser, Status, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>");
    /// while parser.next_event()?.is_some() {}
    /// let Status::NeedsEntity(wanted) = parser.status() else { panic!() };
    /// assert_eq!(wanted.name(), Some("b"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn name(&self) -> Option<&str> {
        self.id.name.as_deref()
    }

    /// Whether it is a parameter entity.
    ///
    /// ```
    /// use tagstream::{Parser, Status, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY % b SYSTEM 'b.ent'> %b;]><a/>");
    /// while parser.next_event()?.is_some() {}
    /// let Status::NeedsEntity(wanted) = parser.status() else { panic!() };
    /// assert!(wanted.is_parameter());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_parameter(&self) -> bool {
        self.id.is_parameter
    }

    /// The public identifier.
    ///
    /// ```
    /// use tagstream::{Parser, Status, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a PUBLIC 'A' 'a.dtd'><a/>");
    /// while parser.next_event()?.is_some() {}
    /// let Status::NeedsEntity(wanted) = parser.status() else { panic!() };
    /// assert_eq!(wanted.public_id(), Some("A"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn public_id(&self) -> Option<&str> {
        self.id.public_id.as_deref()
    }

    /// The system identifier, as written: relative to [`base`](EntityRequest::base).
    ///
    /// ```
    /// use tagstream::{Parser, Status, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a SYSTEM 'a.dtd'><a/>");
    /// while parser.next_event()?.is_some() {}
    /// let Status::NeedsEntity(wanted) = parser.status() else { panic!() };
    /// assert_eq!(wanted.system_id(), "a.dtd");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn system_id(&self) -> &str {
        &self.id.system_id
    }

    /// Where the entity stands that has the declaration, as the program has said with its answer;
    /// `None` for the document.
    ///
    /// ```
    /// use tagstream::{Parser, Status, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a SYSTEM 'a.dtd'><a/>");
    /// while parser.next_event()?.is_some() {}
    /// let Status::NeedsEntity(wanted) = parser.status() else { panic!() };
    /// assert_eq!(wanted.base(), None);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn base(&self) -> Option<&str> {
        self.id.base.as_deref()
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::plain!(EntityId);
#[cfg(feature = "checkpoints")]
crate::saved::saved!(EntityRequest { id });
