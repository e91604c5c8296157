//! What an error refers to, as machines say it: a place in text that is held, or one that is known.
//!
//! A mark is worth nothing once its text is gone; what may be referred to later knows its place from then on.

use super::part::position_at;
use super::record::InEntity;
use crate::error::{Position, Related, Relation, Span};
use crate::input::Mark;
use crate::input::held_text::HeldText;
use crate::input::raw::Side;

/// A place in the input.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Place {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    span: Span,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    position: Position,
}

impl Place {
    /// That of what stands between two marks.
    pub(crate) fn of(text: &HeldText<'_>, start: Mark, end: Mark) -> Place {
        Place {
            span: Span {
                start: text.offset(start, Side::Start),
                end: text.offset(end, Side::End),
            },
            position: position_at(text.anchor(start)),
        }
    }
}

/// Where it is.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) enum Spot {
    /// Between two marks.
    Held(Mark, Mark),
    /// Its text may be gone.
    Known(Place),
}

impl Spot {
    /// What is held before the mark `to` goes, which becomes mark 0.
    pub(crate) fn leave(&mut self, text: &HeldText<'_>, to: Mark) {
        *self = match *self {
            Spot::Held(start, end) if start < to => Spot::Known(Place::of(text, start, end)),
            Spot::Held(start, end) => Spot::Held(start.rebased(to.get()), end.rebased(to.get())),
            known @ Spot::Known(_) => known,
        };
    }

    /// Whether it stays what it is.
    pub(crate) fn is_known(&self) -> bool {
        matches!(self, Spot::Known(_))
    }

    fn place(self, text: &HeldText<'_>) -> Place {
        match self {
            Spot::Held(start, end) => Place::of(text, start, end),
            Spot::Known(place) => place,
        }
    }
}

/// What an error refers to.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Referred {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) relation: Relation,
    pub(crate) spot: Spot,
    /// The place in an external entity, if it is in one.
    pub(crate) entity: Option<InEntity>,
}

impl Referred {
    /// What stands between two marks of the document.
    pub(crate) fn held(relation: Relation, start: Mark, end: Mark) -> Referred {
        Referred {
            relation,
            spot: Spot::Held(start, end),
            entity: None,
        }
    }

    /// The first of two attributes, whose name stands between two marks.
    pub(crate) fn first_attribute((from, to): (Mark, Mark)) -> Referred {
        Referred::held(Relation::FirstAttribute, from, to)
    }

    /// The same with its place.
    #[cold]
    pub(crate) fn related(&self, text: &HeldText<'_>) -> Related {
        let Place { span, position } = self.spot.place(text);
        let entity = self.entity.as_ref().map(InEntity::place);
        Related::new(self.relation, span, position, entity)
    }
}
