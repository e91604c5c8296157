//! The position of the current event of a rewriter, and what is known about it.

use super::raw_text::RawText;
use super::seam::Context;
use crate::engine::error::Span;
use alloc::string::String;

/// The position of the current event.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// Byte range of the current event in the input.
    pub(super) span: Span,
    /// Offset in the input of the end of all events before the current one.
    pub(super) previous_end: u64,
    /// Offset in the input of the last event that is implied, which means that no characters of the input stand for the
    /// event. Later events are not before this offset.
    pub(super) implied_end: u64,
    /// Offset in the input after the last token, if that token lacks its closing delimiter. Nothing can be inserted
    /// there.
    pub(super) incomplete_end: Option<u64>,
    /// Offset in the input after the last event, if it is a processing instruction inside a DOCTYPE.
    pub(super) doctype_part_end: Option<u64>,
    pub(super) input: InputEnd,
    /// The content model of the innermost open element.
    pub(super) context: Context,
    /// The content model of the element that the current event ends.
    pub(super) ended_context: Context,
    /// True if no text can be inserted into the element that the current event ends.
    pub(super) ended_refuses_text: bool,
    /// True if the element that the current event ends is elsewhere in the tree than in the input.
    pub(super) ended_is_moved: bool,
    /// Name of the innermost open element, if its content model is raw text.
    pub(super) raw_name: String,
    /// The text of the innermost open element, if its content model is raw text.
    pub(super) raw: RawText,
    /// True if the last start tag ends its element.
    pub(super) closes_itself: bool,
    /// True if the document has a frameset, in which parts of texts are ignored.
    pub(super) has_frameset: bool,
    /// True if the current start tag, as written, may end elements of SVG or MathML.
    pub(super) leaves_foreign: bool,
    /// Offset in the input of the last implied end of an element of SVG or MathML.
    pub(super) foreign_end: Option<u64>,
    pub(super) text: TextPlace,
}

/// The end of the input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InputEnd {
    /// Offset in the input of a token that the end of the input cuts off, or of the end of the input. `None` before
    /// the end of the input is known.
    pub(super) limit: Option<u64>,
    /// Offset of the end of the input, if `limit` is set.
    pub(super) end: u64,
    /// True once all input was passed.
    pub(super) is_ended: bool,
}

/// The last text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextPlace {
    /// True if the current event comes from an entity, or the current text follows such a text.
    pub(super) is_from_entity: bool,
    /// True if the last text is in a CDATA section.
    pub(super) is_in_section: bool,
    /// True if the last text is elsewhere in the tree than in the input.
    pub(super) is_moved: bool,
    /// True if the current event is text of a run that directly follows a token without its closing delimiter.
    pub(super) follows_incomplete: bool,
}

impl Place {
    /// Returns true if the current event is in the input, and is not implied.
    #[inline]
    pub(super) fn is_written(&self) -> bool {
        self.span.start < self.span.end
    }

    /// Moves to an event with this byte range. An event that is not in the input is moved before the delayed text that
    /// begins at the offset `released`, if it is after that offset.
    #[inline]
    pub(super) fn move_to(&mut self, span: Span, released: u64) {
        self.span = span;
        if !self.is_written() && (self.previous_end..span.start).contains(&released) {
            (self.span.start, self.span.end) = (released, released);
        }
    }

    /// Offset in the input of the end of the current event.
    pub(super) fn end(&self) -> u64 {
        match self.is_written() {
            true => self.span.end.max(self.previous_end),
            false => self.start(),
        }
    }

    /// Returns true if the current event is implied by the end of the input.
    pub(super) fn is_at_end(&self) -> bool {
        self.input.limit.is_some() && self.span.start >= self.input.end
    }

    /// Returns true if the last event before the current one is a processing instruction inside a DOCTYPE.
    pub(super) fn follows_doctype_part(&self) -> bool {
        self.doctype_part_end == Some(self.previous_end)
    }

    /// Offset in the input at which content before the current event is inserted.
    pub(super) fn start(&self) -> u64 {
        let start = match self.input.limit {
            Some(limit) if !self.is_written() && self.is_at_end() => limit.max(self.implied_end),
            _ => self.span.start,
        };
        start.max(self.previous_end)
    }
}

crate::checkpoint::checkpointable! {
    struct InputEnd { limit, end, is_ended }
    struct TextPlace { is_from_entity, is_in_section, is_moved, follows_incomplete }
    struct Place {
        span, previous_end, implied_end, incomplete_end, doctype_part_end, input, context, ended_context,
        ended_refuses_text, ended_is_moved, raw_name, raw, closes_itself, has_frameset, leaves_foreign,
        foreign_end, text
    }
}
