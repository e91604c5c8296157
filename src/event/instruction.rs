//! The parts of events that are processing instructions.

use super::Part;
use super::record::{IN_DOCTYPE, MOVED, TARGET_CLEANED};
use crate::error::{Position, Span};
use core::fmt;

/// A processing instruction.
#[derive(Clone, Copy)]
pub struct ProcessingInstruction<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> ProcessingInstruction<'a> {
    /// The target: its first word.
    pub fn target(&self) -> &'a str {
        let record = self.part.record;
        let (start, end) = record.target();
        if record.flags & TARGET_CLEANED != 0 {
            self.part.scratch(start, end)
        } else {
            self.part.source(start, end)
        }
    }

    /// Whether it stands in a DOCTYPE: then it is no part of the tree.
    pub fn is_in_doctype(&self) -> bool {
        self.part.record.flags & IN_DOCTYPE != 0
    }

    /// What follows the target and white space, line ends normalised.
    pub fn data(&self) -> &'a str {
        self.part.first()
    }

    /// Whether it is elsewhere in the tree: see [`Html`](crate::html#balanced-events).
    pub fn is_moved(&self) -> bool {
        self.part.record.flags & MOVED != 0
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for ProcessingInstruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<?{} {}?>", self.target(), self.data())
    }
}
