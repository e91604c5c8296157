//! The position of a node in the input, for trees that store positions.

use crate::engine::error::{Position, Span};

/// The position of a node in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Byte range in the input.
    pub span: Span,
    /// Line and column of the start.
    pub position: Position,
}

crate::checkpoint::checkpointable! {
    struct Origin { span, position }
}
