//! The part of a document whose rows are read.

use super::Place;
use tagstream::{Position, Span, StartTag};

/// The part of a document whose rows are read, and the facts that the decoders of other parts need.
#[derive(Debug)]
pub(in crate::decoder) struct Bounds {
    /// Offset from which on a row is not read: the decoder stops at its start tag.
    limit: u64,
    /// The start tag at which the decoder has stopped.
    stop: Option<Place>,
    /// Length of the head of the document, if another decoder reads the head. An error in the head may be found only when
    /// more input is read.
    pub(in crate::decoder) head_bytes: u64,
    /// The position of the first row after a head.
    pub(in crate::decoder) first_position: Option<Position>,
    /// True if a row was begun.
    pub(super) has_begun: bool,
    /// True if a DOCTYPE was found after the first row: the rows after it may depend on it.
    pub(super) has_late_doctype: bool,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            limit: u64::MAX,
            stop: None,
            head_bytes: 0,
            first_position: None,
            has_begun: false,
            has_late_doctype: false,
        }
    }
}

impl Bounds {
    /// Sets the offset from which on a row is not read.
    pub(in crate::decoder) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
        self.stop = None;
    }

    /// Returns the range of bytes and the position of the start tag at which the decoder has stopped.
    pub(in crate::decoder) fn stop(&self) -> Option<(Span, Position)> {
        self.stop.map(|place| (place.span, place.position))
    }

    /// Begins a row with this start tag. Returns false if the decoder stops there instead.
    pub(super) fn admit_row(&mut self, tag: &StartTag<'_>) -> bool {
        if tag.span().start >= self.limit {
            self.stop = Some(Place::new(tag.span(), tag.position()));
            return false;
        }
        self.has_begun = true;
        if self.head_bytes > 0 && self.first_position.is_none() {
            self.first_position = Some(tag.position());
        }
        true
    }
}
