//! Text and comments: the parts of events that are character data.

use super::part::{Holder, Part};
use super::record::{CONTINUED, IN_CDATA, MORE, NULLS, RESUMED};
use crate::engine::error::{Position, Span};
#[cfg(feature = "serde")]
use crate::engine::event::strings::Str;
use core::fmt;

/// A run of text.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> Text<'a> {
    /// Returns the text, with references resolved and newlines normalized.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a>Tom &amp; Jerry</a>");
    /// parser.next_event()?;
    /// let Some(Event::Text(text)) = parser.next_event()? else { panic!() };
    /// assert_eq!(text.as_str(), "Tom & Jerry");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    #[doc(alias("unescape", "decode"))]
    pub fn as_str(&self) -> &'a str {
        self.part.first()
    }

    /// Returns whether more text of the same run may follow in a further event. This happens only with
    /// [`TextPolicy::Pieces`](crate::TextPolicy::Pieces).
    ///
    /// ```
    /// use tagstream::{Event, Parser, TextPolicy, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).text(TextPolicy::Pieces);
    /// parser.feed("<a>Tom &amp;");
    /// parser.next_event()?;
    /// let Some(Event::Text(text)) = parser.next_event()? else { panic!() };
    /// assert!(text.is_piece());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_piece(&self) -> bool {
        self.part.record.flags & MORE != 0
    }

    /// Returns whether a script up to this text, or soon after it, has the word `<!--`.
    pub(crate) fn may_follow_escaped_script(&self) -> bool {
        match self.part.holder {
            Holder::Parser(data) => data.queue.has_escaped_script,
            Holder::Owned(_) => true,
        }
    }

    /// Returns whether the text is the first piece of its run. This is `false` only with
    /// [`TextPolicy::Pieces`](crate::TextPolicy::Pieces), for a text that continues the run of the event before it.
    ///
    /// Two runs can follow each other without an event between them, if the markup between them yields none, as an end
    /// tag without an element in balanced events:
    ///
    /// ```
    /// use tagstream::{Event, Parser, TextPolicy, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced().text(TextPolicy::Pieces);
    /// let mut pieces = Vec::new();
    /// for chunk in ["<a>one ", "two ", "</b>three</a>"] {
    ///     parser.feed(chunk);
    ///     while let Some(event) = parser.next_event()? {
    ///         if let Event::Text(text) = event {
    ///             pieces.push((text.as_str().to_owned(), text.is_first_piece()));
    ///         }
    ///     }
    /// }
    /// assert_eq!(pieces, [("one ".into(), true), ("two ".into(), false), ("three".into(), true)]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_first_piece(&self) -> bool {
        self.part.record.flags & RESUMED == 0
    }

    /// Returns whether the text is written inside a CDATA section. This is known only with
    /// [`TextPolicy::Pieces`](crate::TextPolicy::Pieces), where each piece is either inside one section or outside of
    /// all sections, and for the events of a tree builder with [`keep_cdata`](crate::TreeBuilder::keep_cdata). Otherwise, and for text from the replacement text of an entity, the result is `false`.
    ///
    /// ```
    /// use tagstream::{Event, Parser, TextPolicy, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).text(TextPolicy::Pieces);
    /// parser.feed("<a>Tom <![CDATA[& Jerry]]></a>");
    /// let mut pieces = Vec::new();
    /// while let Some(event) = parser.next_event()? {
    ///     if let Event::Text(text) = event {
    ///         pieces.push((text.as_str().to_owned(), text.span().start, text.is_cdata()));
    ///     }
    /// }
    /// assert_eq!(pieces, [("Tom ".into(), 3, false), ("& Jerry".into(), 16, true)]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_cdata(&self) -> bool {
        self.part.record.flags & IN_CDATA != 0
    }

    /// Returns whether the text continues the string token of the previous text event. This happens only in Sky.
    #[inline(always)]
    pub(crate) fn is_continued(&self) -> bool {
        self.part.record.flags & CONTINUED != 0
    }

    /// Returns whether the source of the text contains a reference or a CDATA section. The text may come from the
    /// replacement text of an entity.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn has_markup(&self) -> bool {
        let record = self.part.record;
        // PERF: the usual text is its source.
        let is_source = matches!(record.string(),
            Str::Borrowed(start, end) if (start, end) == (record.start, record.end));
        self.part.is_from_entity() || !is_source && self.has_markup_in_source()
    }

    /// As [`has_markup`](Self::has_markup), if the string of the text is not the range of its source.
    #[cfg(feature = "serde")]
    fn has_markup_in_source(&self) -> bool {
        let record = self.part.record;
        // A source that is as long as the text is equal to the text.
        let is_as_long = (record.end - record.start) as usize == self.as_str().len();
        let source = self.part.source(record.start, record.end);
        !is_as_long && source.contains(['<', '&'])
    }

    /// Returns whether the text may contain U+0000. This happens only in HTML.
    #[inline(always)]
    pub(crate) fn may_have_nulls(&self) -> bool {
        self.part.record.flags & NULLS != 0
    }

    /// Returns whether the text has another place in the tree than in the order of events: see
    /// [`Html`](crate::html#balanced-events).
    #[inline(always)]
    pub fn is_moved(&self) -> bool {
        self.part.is_moved()
    }

    /// Returns the range of bytes of the text in the input, references included as they are written.
    #[inline]
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the first character.
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
    /// Returns the content between `<!--` and `-->`, with newlines normalized.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!-- a -->");
    /// let Some(Event::Comment(comment)) = parser.next_event()? else { panic!() };
    /// assert_eq!(comment.as_str(), " a ");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    pub fn as_str(&self) -> &'a str {
        self.part.first()
    }

    /// Returns false if the comment has no closing delimiter: see [`Event::is_complete`](crate::Event::is_complete).
    pub fn is_complete(&self) -> bool {
        self.part.is_complete()
    }

    /// Returns whether the comment has another place in the tree than in the order of events: see
    /// [`Html`](crate::html#balanced-events).
    pub fn is_moved(&self) -> bool {
        self.part.is_moved()
    }

    /// Returns the range of bytes of the comment in the input, with its delimiters.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<!--{}-->", self.as_str())
    }
}
