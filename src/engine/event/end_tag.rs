//! End tags, and attributes that are added to an element after its start tag.

use super::attribute::Attributes;
use super::part::Part;
use super::record::{IMPLIED, SELF_CLOSING, SHORT};
use super::tag::StartTag;
use crate::engine::error::{Position, Span};
use crate::engine::namespaces::unprefixed;
use core::fmt;

/// An end tag.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<p:a xmlns:p='urn:p'></p:a>");
/// parser.next_event()?;
/// let Some(Event::End(tag)) = parser.next_event()? else { panic!() };
/// assert_eq!((tag.name(), tag.prefix(), tag.local_name()), ("p:a", Some("p"), "a"));
/// assert_eq!(tag.namespace(), Some("urn:p"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct EndTag<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> EndTag<'a> {
    /// Returns the qualified name. For an end tag without a name, `</>`, it is the name of the element that the tag
    /// closes.
    #[inline(always)]
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// Returns the name without its prefix. A prefix that is not bound to a namespace is a part of the local name.
    pub fn local_name(&self) -> &'a str {
        self.part.local_name()
    }

    /// Returns the part of the name after its first colon, whether or not the prefix is bound to a namespace. Documents
    /// such as feeds often use prefixes that they do not declare, which error recovery makes a part of the local name.
    pub fn unprefixed_name(&self) -> &'a str {
        unprefixed(self.name())
    }

    /// Returns the prefix, if the name has one that is bound to a namespace.
    pub fn prefix(&self) -> Option<&'a str> {
        self.part.prefix()
    }

    /// Returns the name of the namespace of the closed element, or `None` if the element is in no namespace.
    pub fn namespace(&self) -> Option<&'a str> {
        self.part.namespace(self.part.record.namespace)
    }

    /// Returns whether the end tag has no name in the source: `</>`.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Sky};
    ///
    /// let mut parser = Parser::new(Sky::fragment());
    /// parser.feed("<a></>");
    /// parser.next_event()?;
    /// let Some(Event::End(tag)) = parser.next_event()? else { panic!() };
    /// assert!(tag.is_short());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_short(&self) -> bool {
        self.part.record.flags & SHORT != 0
    }

    /// Returns whether the end tag is not in the source: it is the end of an empty tag, or of an element that another
    /// token closes.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a/>");
    /// parser.next_event()?;
    /// let Some(Event::End(tag)) = parser.next_event()? else { panic!() };
    /// assert!(tag.is_implied());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_implied(&self) -> bool {
        self.part.record.flags & (IMPLIED | SELF_CLOSING) != 0
    }

    /// Returns false if the tag has no closing delimiter: see [`Event::is_complete`](crate::Event::is_complete).
    pub fn is_complete(&self) -> bool {
        self.part.is_complete()
    }

    /// Returns whether the element has another place in the tree than in the order of events, or ends earlier in the
    /// tree: see [`Html`](crate::html#balanced-events).
    ///
    /// ```
    /// use tagstream::{Event, Events, Html};
    ///
    /// let mut events = Events::of(Html::default(), "<a><p>text</a>").balanced();
    /// let mut moved = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::End(tag) if tag.is_moved() => moved.push(tag.name().to_owned()),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(moved, ["p", "a"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    pub fn is_moved(&self) -> bool {
        self.part.is_moved()
    }

    /// Returns the range of bytes of the tag in the input. It is empty if the tag is not in the source.
    #[inline]
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the range of bytes of the name in the input. For an end tag without a name, `</>`, the range is empty and
    /// follows the `</`. If the tag is not in the input, or is a part of an entity, returns [`span`](EndTag::span).
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a></a >");
    /// parser.next_event()?;
    /// let Some(Event::End(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!((tag.name_span().start, tag.name_span().end), (5, 6));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn name_span(&self) -> Span {
        let record = self.part.record;
        match record.written_name() {
            Some((start, end)) => self.part.span_of(record.start + start, record.start + end),
            None => self.span(),
        }
    }

    /// Returns the line and column of the `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for EndTag<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "</{}>", self.name())
    }
}

/// Attributes that are added to an open element: those of a second `<html>` or `<body>` tag in
/// [balanced](crate::Parser::balanced) HTML. Attributes that the element already has keep their values.
///
/// ```
/// use tagstream::{Event, Events, Html};
///
/// let mut events = Events::of(Html::default(), "<body class=a><body class=b id=c>").balanced();
/// let mut seen = false;
/// while let Some(event) = events.next_event()? {
///     if let Event::Attributes(added) = event {
///         assert_eq!((added.name(), added.attribute("id")), ("body", Some("c")));
///         seen = true;
///     }
/// }
/// assert!(seen);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct AddedAttributes<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> AddedAttributes<'a> {
    /// Returns the name of the element: `html` or `body`.
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// Returns the attributes of the second tag in source order.
    pub fn attributes(&self) -> Attributes<'a> {
        self.tag().attributes()
    }

    /// Returns the value of the attribute with the given name.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.tag().attribute(name)
    }

    /// Returns the second `<html>` or `<body>` tag, which has these attributes, as a start tag.
    pub(crate) fn tag(&self) -> StartTag<'a> {
        StartTag { part: self.part }
    }

    /// Returns the range of bytes of the second tag in the input.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the second tag's `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for AddedAttributes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.tag(), f)
    }
}
