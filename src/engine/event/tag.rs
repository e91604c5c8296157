//! Start tags.

use super::attribute::{Attribute, Attributes};
use super::part::AttributePairs;
use super::part::Part;
use super::record::{CLEANED, DUPLICATES, FOREIGN, IMPLIED, SELF_CLOSING};
use crate::engine::error::{Position, Span};
use crate::engine::namespaces::unprefixed;
use alloc::sync::Arc;
#[cfg(feature = "serde")]
use alloc::{vec, vec::Vec};
use core::fmt;

/// A start tag.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<a:link xmlns:a='urn:a' href='/b?c&amp;d'>");
/// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
/// assert_eq!((tag.name(), tag.prefix(), tag.local_name()), ("a:link", Some("a"), "link"));
/// assert_eq!((tag.namespace(), tag.attribute("href")), (Some("urn:a"), Some("/b?c&d")));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct StartTag<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> StartTag<'a> {
    /// Returns the qualified name: the prefix, if there is one, and the local name.
    #[inline(always)]
    #[doc(alias = "tag_name")]
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// Returns true if the tag has this qualified name.
    #[inline(always)]
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.part.is_first(name)
    }

    /// Returns the name without its prefix. A prefix that is not bound to a namespace is a part of the local name.
    pub fn local_name(&self) -> &'a str {
        self.part.local_name()
    }

    /// Returns the part of the name after its first colon, whether or not the prefix is bound to a namespace. Documents
    /// such as feeds often use prefixes that they do not declare, which error recovery makes a part of the local name.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<media:title>A</media:title>");
    /// let Some(Event::Start(tag)) = events.next_event()? else { panic!() };
    /// assert_eq!(tag.local_name(), "media:title");
    /// assert_eq!(tag.unprefixed_name(), "title");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn unprefixed_name(&self) -> &'a str {
        unprefixed(self.name())
    }

    /// Returns the prefix, if the name has one that is bound to a namespace.
    pub fn prefix(&self) -> Option<&'a str> {
        self.part.prefix()
    }

    /// Returns the name of the element's namespace, or `None` if the element is in no namespace.
    pub fn namespace(&self) -> Option<&'a str> {
        self.part.namespace(self.part.record.namespace)
    }

    /// Returns the value of the attribute with the given qualified name.
    #[doc(alias("attr", "get_attribute", "try_get_attribute"))]
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes()
            .find(|attribute| attribute.name() == name)
            .map(|attribute| attribute.value())
    }

    /// Returns the attributes in source order.
    #[inline(always)]
    #[doc(alias = "attrs")]
    pub fn attributes(&self) -> Attributes<'a> {
        let rest = self.part.attributes();
        Attributes {
            part: self.part,
            source: self.part.source_of(&rest),
            rest,
        }
    }

    /// Returns the value of the attribute that has this name and is in no namespace.
    #[inline(always)]
    #[cfg(feature = "select")]
    pub(crate) fn attribute_in_no_namespace(&self, name: &str) -> Option<&'a str> {
        self.part.attribute_in_no_namespace(name)
    }

    /// Returns an iterator over the qualified names and the values of the attributes. It is faster than
    /// [`attributes`](StartTag::attributes) for a loop that needs nothing else.
    #[inline(always)]
    pub(crate) fn attribute_pairs(&self) -> AttributePairs<'a> {
        self.part.attribute_pairs()
    }

    /// Returns the value of the attribute with the given namespace and local name.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<use xmlns:x='http://www.w3.org/1999/xlink' x:href='#a' href='#b'>");
    /// if let Some(Event::Start(tag)) = parser.next_event()? {
    ///     let href = tag.attribute_ns("http://www.w3.org/1999/xlink", "href");
    ///     assert_eq!(href, Some("#a"));
    /// }
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn attribute_ns(&self, namespace: &str, local_name: &str) -> Option<&'a str> {
        let is_it = |attribute: &Attribute<'_>| {
            attribute.local_name() == local_name && attribute.namespace() == Some(namespace)
        };
        self.attributes().find(is_it).map(|found| found.value())
    }

    /// Returns the number of open elements, including the element of this tag: 1 for the root element. Returns `None`
    /// for an owned tag, which has left its stream.
    ///
    /// The number is meaningful if the events are a tree, as those of a [balanced](crate::Parser::balanced) parser are,
    /// and by default those of [`Events`](crate::Events) in the XML family.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<feed><title>a</title><b><title>c</title></b></feed>");
    /// let mut titles = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "title" && tag.depth() == Some(2) => {
    ///             titles.push(events.read_text()?);
    ///         }
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(titles, ["a"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn depth(&self) -> Option<usize> {
        // Each open element is in memory, so the number fits.
        let depth = self.part.holder.depth(self.part.record)?;
        Some(depth as usize)
    }

    /// Returns whether the tag had further attributes in the source, which were dropped because their names are
    /// duplicates. A sanitizer may want to refuse such a tag.
    ///
    /// ```
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default());
    /// parser.feed("<a href=x HREF=y><b>");
    /// let mut tags = Vec::new();
    /// while let Some(event) = parser.next_event()? {
    ///     if let Event::Start(tag) = event {
    ///         tags.push((tag.attributes().count(), tag.has_duplicates()));
    ///     }
    /// }
    /// assert_eq!(tags, [(1, true), (0, false)]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn has_duplicates(&self) -> bool {
        let first = self.part.attributes().next();
        first.is_some_and(|first| first.read().flags & DUPLICATES != 0)
    }

    /// Returns the attribute at an index.
    #[inline]
    #[cfg(feature = "serde")]
    pub(crate) fn attribute_at(&self, index: usize) -> Option<Attribute<'a>> {
        self.part.attribute_at(index)
    }

    /// Returns the positions of the parts of the tag, as byte offsets in its source (see [`raw`](Self::raw)): first
    /// the end of the name, or 0 if the source contains no name; then four for each attribute, the start and end of its
    /// name and of its value. Returns a single 0 for a tag that is not in the source.
    #[cfg(feature = "serde")]
    pub(crate) fn places(&self) -> Vec<u32> {
        let start = self.part.record.start;
        let place = |mark| self.part.written(start, mark).len() as u32;
        let mut places = vec![0];
        if !self.is_implied() {
            if self.has_written_name() {
                places[0] = place(start + 1 + self.written_name().len() as u32);
            }
            for attribute in self.attributes() {
                let record = attribute.record();
                let marks = [record.name, record.name_end, record.raw, record.raw_end];
                places.extend(marks.map(place));
            }
        }
        places
    }

    /// Returns the name of the element's namespace as the string that the events of a parser share.
    pub(crate) fn shared_namespace(&self) -> Option<&'a Arc<str>> {
        self.part.shared_namespace(self.part.record.namespace)
    }

    /// Returns the index of the element's namespace: see `namespaces.rs`.
    pub(crate) fn namespace_index(&self) -> u32 {
        self.part.record.namespace
    }

    /// Returns whether the tag ends in `/>`.
    #[inline(always)]
    #[doc(alias("is_empty", "Empty"))]
    pub fn is_self_closing(&self) -> bool {
        self.part.record.flags & SELF_CLOSING != 0
    }

    /// Returns whether the tag is not in the source, but is implied by another token. This happens only in
    /// [balanced](crate::Parser::balanced) HTML. The span of an implied tag is empty and at the token, or
    /// the part of a text, that implies it.
    ///
    /// ```
    /// use tagstream::{Event, Events, Html};
    ///
    /// let mut events = Events::of(Html::default(), "<p>").balanced();
    /// let mut implied = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Start(tag) = event {
    ///         implied.push((tag.name().to_owned(), tag.is_implied()));
    ///     }
    /// }
    /// let implied = implied.iter().map(|(name, implied)| (&**name, *implied));
    /// assert!(implied.eq([("html", true), ("head", true), ("body", true), ("p", false)]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    pub fn is_implied(&self) -> bool {
        self.part.record.flags & IMPLIED != 0
    }

    /// Returns whether the element has another place in the tree than in the order of events: see
    /// [`Html`](crate::html#balanced-events).
    ///
    /// ```
    /// use tagstream::{Event, Events, Html};
    ///
    /// // Browsers move content of a table that is not allowed there to the position before the table.
    /// let mut events = Events::of(Html::default(), "<table><b>text</table>").balanced();
    /// let mut moved = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::Start(tag) if tag.is_moved() => moved.push(tag.name().to_owned()),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(moved, ["b"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    pub fn is_moved(&self) -> bool {
        self.part.is_moved()
    }

    /// Returns whether the element is in SVG or MathML, in HTML. Returns false in other dialects, where
    /// [`namespace`](StartTag::namespace) says this.
    ///
    /// In [balanced](crate::Parser::balanced) events, tree construction determines it. For tags as written, it is
    /// derived from the tags alone, as described in [`html`](crate::html#decisions). The tokenizer decides by the same
    /// rules whether the content of an element such as `title` is text: the content of a foreign element is markup.
    ///
    /// ```
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default());
    /// parser.feed("<title>a</title><svg><title><b>");
    /// let mut tags = Vec::new();
    /// while let Some(event) = parser.next_event()? {
    ///     if let Event::Start(tag) = event {
    ///         tags.push((tag.name().to_owned(), tag.is_foreign()));
    ///     }
    /// }
    /// let tags = tags.iter().map(|(name, is_foreign)| (&**name, *is_foreign));
    /// assert!(tags.eq([("title", false), ("svg", true), ("title", true), ("b", false)]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    pub fn is_foreign(&self) -> bool {
        self.part.record.flags & FOREIGN != 0
    }

    /// Returns false if the tag has no closing delimiter: see [`Event::is_complete`](crate::Event::is_complete).
    pub fn is_complete(&self) -> bool {
        self.part.is_complete()
    }

    /// Returns the source of the tag.
    ///
    /// ```
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default());
    /// parser.feed("<A HREF=/b>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!((tag.name(), tag.raw()), ("a", "<A HREF=/b>"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn raw(&self) -> &'a str {
        self.part
            .written(self.part.record.start, self.part.record.end)
    }

    /// Returns the range of bytes of the name in the input. If the tag is not in the input, or is a part of an entity,
    /// returns [`span`](StartTag::span).
    pub fn name_span(&self) -> Span {
        if !self.has_written_name() {
            return self.span();
        }
        let start = self.part.record.start + 1;
        self.part
            .span_of(start, start + self.written_name().len() as u32)
    }

    /// Returns whether the source of the tag, in the document, contains the name.
    pub(crate) fn has_written_name(&self) -> bool {
        !self.is_implied() && !self.part.is_from_entity()
    }

    /// Returns the name as it is in the source. In an `error` element of Sky, this is the unregistered name that the
    /// source has.
    pub(crate) fn written_name(&self) -> &'a str {
        if self.part.record.flags & CLEANED == 0 || self.is_implied() {
            return self.name();
        }
        let start = self.part.record.start + 1;
        self.part
            .source(start, start + self.written_length() as u32)
    }

    /// Returns the length in bytes of the name in the source, for a tag whose name differs from its source.
    fn written_length(&self) -> usize {
        match self.part.record.written {
            // The length does not fit into the record and has to be counted. The name in the source ends at one of
            // these ASCII characters.
            u16::MAX => {
                let ends = |byte| matches!(byte, b'\t' | b'\n' | 0xC | b'\r' | b' ' | b'/' | b'>');
                self.raw()[1..]
                    .bytes()
                    .take_while(|&byte| !ends(byte))
                    .count()
            }
            length => length.into(),
        }
    }

    /// Returns the range of bytes of the tag in the input.
    #[inline]
    #[doc(alias("source_location", "buffer_position"))]
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the `<`.
    #[doc(alias("line", "column"))]
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for StartTag<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.name())?;
        for attribute in self.attributes() {
            write!(f, " {}={:?}", attribute.name(), attribute.value())?;
        }
        f.write_str(if self.is_self_closing() { "/>" } else { ">" })
    }
}
