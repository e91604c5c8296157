//! `Related`: a second position that an error refers to.

use super::entity_place::EntityPlace;
use super::position::{Position, Span};
use alloc::boxed::Box;
use core::fmt;

/// The relation of a second position to the error that refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Relation {
    /// The position is the start tag of the element whose end tag was expected.
    OpenTag,
    /// The position is the first of two attributes with the same name.
    FirstAttribute,
    /// The position is the declaration of the entity that is referenced, or whose text contains the error.
    Declaration,
}

impl Relation {
    /// Returns the word that precedes the position in messages: "opened", "first" or "declared".
    ///
    /// ```
    /// use tagstream::Relation;
    ///
    /// assert_eq!(Relation::OpenTag.as_str(), "opened");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Relation::OpenTag => "opened",
            Relation::FirstAttribute => "first",
            Relation::Declaration => "declared",
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A second position that explains an error: the start tag of the element whose end tag is missing, the first of two
/// attributes with the same name, or the declaration of an entity.
///
/// [`Error::related`](crate::Error::related) and [`ParseError::related`](crate::ParseError::related) return it.
///
/// ```
/// use tagstream::{Document, Relation, Xml};
///
/// let error = Document::parse(Xml::strict(), "<list>\n  <item>\n</list>").unwrap_err();
/// let related = error.related().unwrap();
/// assert_eq!(related.relation(), Relation::OpenTag);
/// assert_eq!(related.to_string(), "opened at 2:3");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Related {
    relation: Relation,
    span: Span,
    position: Position,
    entity: Option<Box<EntityPlace>>,
}

impl Related {
    pub(crate) fn new(
        relation: Relation,
        span: Span,
        position: Position,
        entity: Option<EntityPlace>,
    ) -> Related {
        Related {
            relation,
            span,
            position,
            entity: entity.map(Box::new),
        }
    }

    /// Returns the same with another place: see [`Error::with_places`](super::Error::with_places).
    pub(super) fn with_place(
        mut self,
        place: impl Fn(Span, Position) -> (Span, Position),
    ) -> Related {
        (self.span, self.position) = place(self.span, self.position);
        self
    }

    /// Returns the relation of this position to the error.
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// Returns the byte range in the input.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the line and column.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the position in an external entity, if the range is in one. The span is then that of the reference to
    /// the entity.
    pub fn entity(&self) -> Option<&EntityPlace> {
        self.entity.as_deref()
    }
}

impl fmt::Debug for Related {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({})", self.span)
    }
}

impl fmt::Display for Related {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.entity {
            Some(place) => write!(f, "{} at {place}", self.relation),
            None => write!(f, "{} at {}", self.relation, self.position),
        }
    }
}

crate::checkpoint::checkpointable! {
    enum Relation { OpenTag, FirstAttribute, Declaration }
    struct Related { relation, span, position, entity }
}
