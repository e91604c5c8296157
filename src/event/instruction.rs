//! The parts of events that are processing instructions.

use super::Part;
use super::record::IN_DOCTYPE;
use super::strings::Str;
use crate::error::{Position, Span};
use core::fmt;

/// A processing instruction.
#[derive(Clone, Copy)]
pub struct ProcessingInstruction<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> ProcessingInstruction<'a> {
    /// The target: its first word.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<?xml-stylesheet href='a.css'?>");
    /// let Some(Event::ProcessingInstruction(it)) = parser.next_event()? else { panic!() };
    /// assert_eq!(it.target(), "xml-stylesheet");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn target(&self) -> &'a str {
        match self.part.record.target() {
            Str::Cleaned(target) => self.part.cleaned(target),
            Str::Lent(start, end) => self.part.source(start, end),
        }
    }

    /// Whether it stands in a DOCTYPE: then it is no part of the tree.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!DOCTYPE a [<?b c?>]>");
    /// let Some(Event::ProcessingInstruction(it)) = parser.next_event()? else { panic!() };
    /// assert!(it.is_in_doctype());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_in_doctype(&self) -> bool {
        self.part.record.flags & IN_DOCTYPE != 0
    }

    /// What follows the target and white space, line ends normalised.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<?xml-stylesheet href='a.css'?>");
    /// let Some(Event::ProcessingInstruction(it)) = parser.next_event()? else { panic!() };
    /// assert_eq!(it.data(), "href='a.css'");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn data(&self) -> &'a str {
        self.part.first()
    }

    /// Whether it is elsewhere in the tree: see [`Html`](crate::html#balanced-events).
    ///
    /// ```
    /// use tagstream::{Event, Events, Html};
    ///
    /// let mut events = Events::of(Html::default(), "<p><?a b?>").balanced();
    /// let mut moved = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::ProcessingInstruction(it) = event {
    ///         moved.push(it.is_moved());
    ///     }
    /// }
    /// assert_eq!(moved, [false]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_moved(&self) -> bool {
        self.part.is_moved()
    }

    /// Where it stands.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<?a b?>");
    /// let Some(Event::ProcessingInstruction(it)) = parser.next_event()? else { panic!() };
    /// assert_eq!((it.span().start, it.span().end), (0, 7));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("\n<?a b?>");
    /// let Some(Event::ProcessingInstruction(it)) = parser.next_event()? else { panic!() };
    /// assert_eq!((it.position().line(), it.position().column()), (2, 1));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for ProcessingInstruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<?{} {}?>", self.target(), self.data())
    }
}
