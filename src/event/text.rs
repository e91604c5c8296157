//! The parts of events that are character data: text and comments.

use super::Part;
use super::record::{CONTINUED, MORE, MOVED, NULLS};
use crate::error::{Position, Span};
use core::fmt;

/// A run of text.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> Text<'a> {
    /// The text, references resolved and line ends normalised.
    #[inline(always)]
    pub fn as_str(&self) -> &'a str {
        self.part.first()
    }

    /// Whether more of the same run may follow as a further event: only where text was asked for
    /// in pieces.
    pub fn is_piece(&self) -> bool {
        self.part.record.flags & MORE != 0
    }

    /// Whether it goes on with the run of the text event before it, in Sky.
    #[inline(always)]
    pub(crate) fn is_continued(&self) -> bool {
        self.part.record.flags & CONTINUED != 0
    }

    /// Whether there may be U+0000 in it, in HTML.
    #[inline(always)]
    pub(crate) fn may_have_nulls(&self) -> bool {
        self.part.record.flags & NULLS != 0
    }

    /// Whether it is elsewhere in the tree: see [`Html`](crate::html#balanced-events).
    #[inline(always)]
    pub fn is_moved(&self) -> bool {
        self.part.record.flags & MOVED != 0
    }

    /// Where it stands.
    #[inline]
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its first character.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// A comment.
#[derive(Clone, Copy)]
pub struct Comment<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> Comment<'a> {
    /// What stands between `<!--` and `-->`, line ends normalised.
    #[inline(always)]
    pub fn as_str(&self) -> &'a str {
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

impl fmt::Debug for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<!--{}-->", self.as_str())
    }
}
