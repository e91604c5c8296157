//! What a parser waits for, and how it hands out text.

use crate::entity::EntityRequest;

/// How text is handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextPolicy {
    /// One event for each run of text, however long it is and however the chunks were cut.
    #[default]
    Whole,
    /// What there is, as soon as it is there: memory stays bounded however long a run is. The pieces
    /// of a run, joined, are the text that `Whole` gives. In LeafXML with comments or instructions as
    /// events, which come before the text that they interrupt, a run comes as with `Whole`.
    Pieces,
}

/// What a parser waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// More input is wanted, or its end.
    NeedsInput,
    /// Events are there, or something was fed that may come to some: ask for them.
    HasEvents,
    /// An external entity is wanted, and nothing goes on without it: answer with
    /// [`feed_entity`](crate::Parser::feed_entity) and [`finish_entity`](crate::Parser::finish_entity), or with
    /// [`skip_entity`](crate::Parser::skip_entity). Only where the dialect was told to ask:
    /// [`Xml::external_entities`](crate::Xml::external_entities).
    NeedsEntity(EntityRequest),
    /// The host is to act and to resume: see [`TreeBuilder::hosted`](crate::TreeBuilder::hosted).
    Paused,
    /// The input has ended and every event was given out.
    Finished,
    /// An error has ended the parse.
    Failed,
}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(
    enum TextPolicy {
        Whole,
        Pieces,
    }
);
