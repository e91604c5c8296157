//! Processing instructions.

use super::part::Part;
use super::record::IN_DOCTYPE;
use super::strings::Str;
use crate::engine::error::{Position, Span};
use core::fmt;

/// A processing instruction.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<?xml-stylesheet href='a.css'?>");
/// let Some(Event::ProcessingInstruction(it)) = parser.next_event()? else { panic!() };
/// assert_eq!((it.target(), it.data()), ("xml-stylesheet", "href='a.css'"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ProcessingInstruction<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> ProcessingInstruction<'a> {
    /// Returns the target, which is the first word of the instruction.
    pub fn target(&self) -> &'a str {
        match self.part.record.target() {
            Str::Cleaned(target) => self.part.cleaned(target),
            Str::Borrowed(start, end) => self.part.source(start, end),
        }
    }

    /// Returns whether the instruction is inside a DOCTYPE. Such an instruction is not part of the tree.
    pub fn is_in_doctype(&self) -> bool {
        self.part.record.flags & IN_DOCTYPE != 0
    }

    /// Returns the text that follows the target, without the whitespace between the two. Newlines are normalized.
    pub fn data(&self) -> &'a str {
        self.part.first()
    }

    /// Returns false if the instruction has no closing delimiter: see [`Event::is_complete`](crate::Event::is_complete).
    pub fn is_complete(&self) -> bool {
        self.part.is_complete()
    }

    /// Returns whether the instruction has another place in the tree than in the order of events: see
    /// [`Html`](crate::html#balanced-events).
    pub fn is_moved(&self) -> bool {
        self.part.is_moved()
    }

    /// Returns the range of bytes of the instruction in the input, with its delimiters.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for ProcessingInstruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<?{} {}?>", self.target(), self.data())
    }
}
