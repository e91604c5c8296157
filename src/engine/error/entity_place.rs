//! `EntityPlace`: positions in external entities.

use super::position::{Position, Span};
use crate::engine::entity::EntityId;
use alloc::sync::Arc;
use core::fmt;

/// A position in an external entity.
///
/// ```
/// use tagstream::{Parser, Xml};
///
/// let mut parser = Parser::new(Xml::strict().external_entities(true));
/// parser.feed("<!DOCTYPE a [<!ENTITY b PUBLIC 'B' 'b.xml'>]><a>&b;</a>");
/// while parser.next_event()?.is_some() {}
/// parser.feed_entity("<c\nd=1/>");
/// parser.finish_entity(Some("/b.xml"));
/// let error = parser.next_event().unwrap_err();
/// let Some(place) = error.entity() else { panic!() };
/// assert_eq!((place.name(), place.public_id()), (Some("b"), Some("B")));
/// assert_eq!((place.system_id(), place.location()), ("b.xml", Some("/b.xml")));
/// assert_eq!((place.position().to_string(), &place.text()[place.span().range()]), ("2:3".into(), "1"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EntityPlace {
    pub(crate) id: Arc<EntityId>,
    pub(crate) location: Option<Arc<str>>,
    pub(crate) text: Arc<str>,
    pub(crate) span: Span,
    pub(crate) position: Position,
}

impl EntityPlace {
    /// Returns the name of the entity, or `None` for the external subset of a DOCTYPE.
    pub fn name(&self) -> Option<&str> {
        self.id.name.as_deref()
    }

    /// Returns the public identifier of the entity.
    pub fn public_id(&self) -> Option<&str> {
        self.id.public_id.as_deref()
    }

    /// Returns the system identifier of the entity, as declared.
    pub fn system_id(&self) -> &str {
        &self.id.system_id
    }

    /// Returns the location of the entity, as the program passed it to
    /// [`Parser::finish_entity`](crate::Parser::finish_entity).
    pub fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    /// Returns the text of the entity.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the byte range in the text of the entity.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the line and column in the text of the entity.
    pub fn position(&self) -> Position {
        self.position
    }
}

impl fmt::Debug for EntityPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({})", self.span)
    }
}

impl fmt::Display for EntityPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.system_id(), self.position)
    }
}

crate::checkpoint::checkpointable! {
    struct EntityPlace { id, location, text, span, position }
}
