//! Positions in the input: `Span`, a range of bytes, and `Position`, a line and a column.

use crate::engine::input::anchor::Anchor;
use core::fmt;
use core::ops::Range;

/// A range of bytes in the input. Offsets count from the start of the input.
///
/// Offsets refer to the input as it was fed, in every encoding: the bytes from `start` to `end` are the bytes that
/// were written there. An escape sequence of ISO-2022-JP belongs to the character after it. For UTF-8 input an offset
/// costs nothing to compute. For other encodings the parser decodes some KiB of the input again;
/// [`Stats::places`](crate::Stats::places) counts these computations.
///
/// ```
/// use tagstream::{Encoding, Event, Parser, Xml};
///
/// let input = b"<a>\xC4\xE3\xBA\xC3</a>";
/// let gbk = Encoding::for_xml_label("gbk").unwrap();
/// let mut parser = Parser::new(Xml::default().encoding(gbk));
/// parser.feed(input);
/// parser.next_event()?;
/// if let Some(Event::Text(text)) = parser.next_event()? {
///     let span = text.span();
///     assert_eq!((text.as_str(), span.start, span.end), ("\u{4F60}\u{597D}", 3, 7));
/// }
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u64,
    /// Offset after the last byte.
    pub end: u64,
}

impl Span {
    /// Returns the same range as indices into an input that is in memory as a whole. An offset greater than
    /// `usize::MAX` becomes `usize::MAX`.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let input = "<a>one<b/></a>";
    /// let mut events = Events::of(Xml::default(), input);
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Text(text) = event {
    ///         assert_eq!(&input[text.span().range()], "one");
    ///     }
    /// }
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn range(self) -> Range<usize> {
        let index = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        index(self.start)..index(self.end)
    }

    /// Returns the length in bytes.
    pub fn len(self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// Returns true if the range is empty. An item that the input does not contain has an empty range: for example
    /// the end event of an empty-element tag.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl From<Span> for Range<u64> {
    fn from(span: Span) -> Range<u64> {
        span.start..span.end
    }
}

/// Converts as [`Span::range`] does.
impl From<Span> for Range<usize> {
    fn from(span: Span) -> Range<usize> {
        span.range()
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A line and a column, for display to people.
///
/// A line ends at LF, CR, or CR LF.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("\n<!--\u{1F600}--><a>");
/// parser.next_event()?;
/// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
/// let position = tag.position();
/// assert_eq!((position.line(), position.column(), position.column_utf16()), (2, 9, 10));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) column_utf16: u64,
}

impl Position {
    pub(crate) fn new(line: u64, column: u64, column_utf16: u64) -> Position {
        Position {
            line,
            column,
            column_utf16,
        }
    }

    /// Converts a position of the index of lines.
    pub(crate) fn at(place: Anchor) -> Position {
        Position::new(place.line, place.column, place.column_utf16)
    }

    /// Returns the line, counted from 1.
    pub fn line(self) -> u64 {
        self.line
    }

    /// Returns the column in characters, counted from 1.
    pub fn column(self) -> u64 {
        self.column
    }

    /// Returns the column in UTF-16 code units, counted from 1. Editors and browsers count columns this way.
    pub fn column_utf16(self) -> u64 {
        self.column_utf16
    }

    /// Returns the position in a document, given the position in a part of the document: the difference of lines, and the
    /// differences of columns in the first line of the part, in characters and in UTF-16 code units.
    #[doc(hidden)]
    #[must_use]
    pub fn moved(self, first_line: u64, lines: i64, columns: [i64; 2]) -> Position {
        let columns = match self.line == first_line {
            true => columns,
            false => [0, 0],
        };
        Position {
            line: self.line.saturating_add_signed(lines),
            column: self.column.saturating_add_signed(columns[0]),
            column_utf16: self.column_utf16.saturating_add_signed(columns[1]),
        }
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::new(1, 1, 1)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

crate::checkpoint::checkpointable! {
    struct Span { start, end }
    struct Position { line, column, column_utf16 }
}
