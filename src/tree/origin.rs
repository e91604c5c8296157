//! The type [`Origin`]: the position of a node in the input, for trees that store positions.

use crate::engine::error::{Position, Span};

/// The position of a node in the input, as byte offsets and as a line and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The byte range of the node in the input.
    pub span: Span,
    /// The line and the column at which the node begins.
    pub position: Position,
}

crate::checkpoint::checkpointable! {
    struct Origin { span, position }
}
