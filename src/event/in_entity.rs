//! Places in external entities: the text of one that was read, and what stands in it.

use crate::entity::EntityId;
use crate::error::{EntityPlace, Position, Span};
use crate::input::line_index::LineIndex;
use alloc::sync::Arc;

/// An external entity that was read.
#[derive(Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct EntityText {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) id: Arc<EntityId>,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) location: Option<Arc<str>>,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) text: Arc<str>,
    pub(crate) lines: LineIndex,
}

/// Something in an external entity: the span is one of bytes in its text.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct InEntity {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) entity: Arc<EntityText>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl InEntity {
    /// The place, with its line and column.
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

#[cfg(feature = "checkpoints")]
crate::saved::plain!(EntityText);
