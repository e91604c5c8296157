//! Related locations that errors refer to, such as the start tag that a mismatched end tag belongs to.
//!
//! An offset in the buffered text is valid only until that text is discarded. The tokenizer therefore stores a
//! location as a [`Spot`], which becomes a position in the input before the text is discarded.

use super::in_entity::InEntity;
use crate::engine::error::{Position, Related, Relation, Span};
use crate::engine::input::BufferOffset;
use crate::engine::input::held_text::HeldText;
use crate::engine::input::raw::Side;

/// A range in the input, with the line and column of its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputLocation {
    span: Span,
    position: Position,
}

impl InputLocation {
    /// Returns the location of the text between two offsets in the buffered text.
    pub(crate) fn of(text: &HeldText<'_>, start: BufferOffset, end: BufferOffset) -> InputLocation {
        InputLocation {
            span: Span {
                start: text.offset(start, Side::Start),
                end: text.offset(end, Side::End),
            },
            position: Position::at(text.anchor(start)),
        }
    }
}

/// A location that stays valid after its text is discarded.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    /// Start and end as offsets in the buffered text.
    Held(BufferOffset, BufferOffset),
    /// The location in the input. Its text may have been discarded.
    Known(InputLocation),
}

impl Spot {
    /// Updates the location before the text up to `to` is discarded. If it is in that text, it becomes a position in
    /// the input. Otherwise its offsets are rebased.
    pub(crate) fn leave(&mut self, text: &HeldText<'_>, to: BufferOffset) {
        *self = match *self {
            Spot::Held(start, end) if start < to => {
                Spot::Known(InputLocation::of(text, start, end))
            }
            Spot::Held(start, end) => Spot::Held(start.rebased(to.get()), end.rebased(to.get())),
            known @ Spot::Known(_) => known,
        };
    }

    /// Returns whether the location is already a position in the input, which does not change any more.
    pub(crate) fn is_known(&self) -> bool {
        matches!(self, Spot::Known(_))
    }

    fn place(self, text: &HeldText<'_>) -> InputLocation {
        match self {
            Spot::Held(start, end) => InputLocation::of(text, start, end),
            Spot::Known(place) => place,
        }
    }
}

/// A related location that an error refers to.
#[derive(Clone, Debug)]
pub(crate) struct Referred {
    /// The relation of the location to the error: for example, the tag that opened the element.
    pub(crate) relation: Relation,
    pub(crate) spot: Spot,
    /// The location in an external entity, if it is in one. `spot` is then the location of the reference to the
    /// entity.
    pub(crate) entity: Option<InEntity>,
}

impl Referred {
    /// Creates a related location from two offsets in the buffered text.
    pub(crate) fn held(relation: Relation, start: BufferOffset, end: BufferOffset) -> Referred {
        Referred {
            relation,
            spot: Spot::Held(start, end),
            entity: None,
        }
    }

    /// Creates the related location of a duplicate attribute: the name of the first attribute with that name, given by
    /// its start and end offset.
    pub(crate) fn first_attribute((from, to): (BufferOffset, BufferOffset)) -> Referred {
        Referred::held(Relation::FirstAttribute, from, to)
    }

    /// Returns the related location as the public type, with its line and column.
    #[cold]
    pub(crate) fn related(&self, text: &HeldText<'_>) -> Related {
        let InputLocation { span, position } = self.spot.place(text);
        let entity = self.entity.as_ref().map(InEntity::place);
        Related::new(self.relation, span, position, entity)
    }
}

crate::checkpoint::checkpointable! {
    struct InputLocation { span, position }
    enum Spot { Held(value, second), Known(value) }
    struct Referred { relation, spot, entity }
}
