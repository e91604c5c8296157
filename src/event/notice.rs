//! The parts of events that tell of the parse: what was not read, what was repaired, and that the encoding is
//! another one.

use super::Part;
use super::record::InEntity;
use crate::error::{EntityPlace, ErrorCode, Position, Span};
use core::fmt;

/// A reference to an entity that was not read.
#[derive(Clone, Copy)]
pub struct SkippedEntity<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> SkippedEntity<'a> {
    /// The entity's name.
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// Where the reference stands.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `&`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for SkippedEntity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "&{};", self.name())
    }
}

/// The document says late that it is in another encoding than the one it is read in.
#[derive(Clone, Copy)]
pub struct EncodingChange<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> EncodingChange<'a> {
    /// The name of the encoding that it says.
    pub fn label(&self) -> &'a str {
        self.part.first()
    }

    /// Where it says so.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of that.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for EncodingChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

/// Something in the input that was wrong and was repaired.
#[derive(Clone, Copy)]
pub struct ParseError<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> ParseError<'a> {
    /// What was wrong.
    pub fn code(&self) -> ErrorCode {
        self.part.holder.code(self.part.record.code())
    }

    /// Where.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of that.
    pub fn position(&self) -> Position {
        self.part.position()
    }

    /// Where it is in an external entity, if it is in one: its span is then that of the reference to
    /// that.
    pub fn entity(&self) -> Option<EntityPlace> {
        self.in_entity().map(InEntity::place)
    }

    pub(super) fn in_entity(&self) -> Option<&'a InEntity> {
        self.part.holder.in_entity(self.part.record.entity())
    }
}

impl fmt::Debug for ParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.code(), self.part.span())
    }
}

impl fmt::Display for ParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} ({})",
            self.position(),
            self.code().message(),
            self.code()
        )
    }
}
