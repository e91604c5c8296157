//! The states of a parser as a program sees them, and the policy for text.

use crate::engine::entity::EntityRequest;

/// How text is split into events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextPolicy {
    /// One event for each run of text, however long it is and wherever chunks end.
    #[default]
    Whole,
    /// Text is returned as soon as it is available, so that memory stays bounded however long a run of text is.
    /// Joined, the pieces of a run equal the text of the single event in `Whole`.
    ///
    /// The span of a piece contains only the source of its text, so that a program can replace the piece in place. A
    /// piece therefore also ends before, and the next one begins after, all markup inside a run:
    ///
    /// - each delimiter of a CDATA section ([`Text::is_cdata`](crate::Text::is_cdata)),
    /// - markup that yields no event, such as a comment in MicroXML or `</>` in HTML,
    /// - a reference to an entity that the document declares. The text of the entity is a piece of its own, or several,
    ///   and the span of each is that of the reference.
    ///
    /// These ends do not depend on the chunks. [`Parser::is_in_text`](crate::Parser::is_in_text) and
    /// [`Text::is_first_piece`](crate::Text::is_first_piece) tell where a run ends.
    ///
    /// In LeafXML each piece is in NFC, but a character may combine with one in the piece before, if there is markup
    /// between them. Convert joined pieces to NFC. If comments or instructions are events there, runs are not split:
    /// those events precede the text that they interrupt. In balanced events of Sky, a run is not split at a comment
    /// that only whitespace precedes.
    Pieces,
}

/// The next step that a parser needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// The parser needs more input, or the end of the input.
    NeedsInput,
    /// There are events, or input that may contain some: request the next event.
    HasEvents,
    /// The parser needs an external entity and cannot continue without it: supply it with
    /// [`feed_entity`](crate::Parser::feed_entity) and [`finish_entity`](crate::Parser::finish_entity), or call
    /// [`skip_entity`](crate::Parser::skip_entity). This only happens if the dialect's option is set:
    /// [`Xml::external_entities`](crate::Xml::external_entities).
    NeedsEntity(EntityRequest),
    /// The host has to act and then to resume the parser: see [`TreeBuilder::hosted`](crate::TreeBuilder::hosted).
    Paused,
    /// The input has ended and all events were returned.
    Finished,
    /// An error has ended the parse.
    Failed,
}

crate::checkpoint::checkpointable! {
    enum TextPolicy { Whole, Pieces }
}
