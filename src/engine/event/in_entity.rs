//! Locations in external entities.

use crate::engine::entity::EntityId;
use crate::engine::error::{EntityPlace, Position, Span};
use crate::engine::input::line_index::LineIndex;
use alloc::sync::Arc;

/// The decoded text of an external entity, with its identifiers.
#[derive(Debug)]
pub(crate) struct EntityText {
    pub(crate) id: Arc<EntityId>,
    /// The location that the program supplied together with the text: see
    /// [`Parser::finish_entity`](crate::Parser::finish_entity).
    pub(crate) location: Option<Arc<str>>,
    pub(crate) text: Arc<str>,
    /// The positions of the line ends in `text`.
    pub(crate) lines: LineIndex,
}

/// A range in an external entity. `start` and `end` are byte offsets in the entity's decoded text.
#[derive(Clone, Debug)]
pub(crate) struct InEntity {
    pub(crate) entity: Arc<EntityText>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl InEntity {
    /// Returns the location as the public type, with its line and column.
    pub(crate) fn place(&self) -> EntityPlace {
        let text = &self.entity.text;
        let start = self.start.min(text.len());
        let anchor = self.entity.lines.place_in(text, start);
        EntityPlace {
            id: Arc::clone(&self.entity.id),
            location: self.entity.location.clone(),
            text: Arc::clone(text),
            span: Span {
                start: start as u64,
                end: self.end.min(text.len()) as u64,
            },
            position: Position::new(anchor.line, anchor.column, anchor.column_utf16),
        }
    }
}

crate::checkpoint::checkpointable! {
    struct EntityText { id, location, text, lines }
    struct InEntity { entity, start, end }
}
