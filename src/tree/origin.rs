//! Where something stands in the input, for trees that keep it. It must not know who says so, nor what it is.

use crate::error::{Position, Span};

/// Where something stands in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Its bytes.
    pub span: Span,
    /// Line and column of its beginning.
    pub position: Position,
}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(Origin { span, position });
