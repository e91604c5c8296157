//! The parts of events that are start tags.

use super::attribute::{Attribute, Attributes};
use super::record::{CLEANED, DUPLICATES, IMPLIED, SELF_CLOSING};
use super::{OwnedTag, Part};
use crate::error::{Position, Span};
#[cfg(feature = "serde")]
use alloc::{vec, vec::Vec};
use core::fmt;

/// A start tag.
#[derive(Clone, Copy)]
pub struct StartTag<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> StartTag<'a> {
    /// The qualified name.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<atom:link href='/a'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!(tag.name(), "atom:link");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// The name without its prefix, where the prefix is one; the whole name otherwise.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a:link xmlns:a='urn:a'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!(tag.local_name(), "link");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn local_name(&self) -> &'a str {
        self.part.local_name()
    }

    /// The prefix, if the name has one that is bound to a namespace.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a:link xmlns:a='urn:a'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!(tag.prefix(), Some("a"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn prefix(&self) -> Option<&'a str> {
        self.part.prefix()
    }

    /// The name of the namespace, if the element is in one.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a:link xmlns:a='urn:a'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!(tag.namespace(), Some("urn:a"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn namespace(&self) -> Option<&'a str> {
        self.part.namespace(self.part.record.namespace)
    }

    /// The value of the attribute with this qualified name.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a href='/b?c&amp;d'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!(tag.attribute("href"), Some("/b?c&d"));
    /// assert_eq!(tag.attribute("title"), None);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes()
            .find(|attribute| attribute.name() == name)
            .map(|attribute| attribute.value())
    }

    /// The attributes, in the order in which they were written.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a href='/b' title='B'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert!(tag.attributes().map(|one| one.name()).eq(["href", "title"]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    pub fn attributes(&self) -> Attributes<'a> {
        let rest = self.part.attributes();
        Attributes {
            part: self.part,
            source: self.part.source_of(&rest),
            rest,
        }
    }

    /// The value of the attribute with this namespace and local name.
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

    /// How many elements are open here, its own among them: 1 for the root element. In events that are a tree:
    /// those of [`Events`](crate::Events) in the XML family, and of [`Balanced`](crate::Balanced). `None` for a
    /// tag that was kept, outside of its stream.
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
    pub fn depth(&self) -> Option<u64> {
        self.part.holder.depth(self.part.record)
    }

    /// Whether further attributes were written, which are not here because one of their names stood before
    /// them: a sanitizer may want to refuse such a tag.
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

    /// The same tag with strings of its own, to keep or to return from a loop.
    ///
    /// ```
    /// use tagstream::{Error, Event, Events, OwnedTag, Xml};
    ///
    /// fn first_item(feed: &str) -> Result<Option<OwnedTag>, Error> {
    ///     let mut events = Events::of(Xml::default(), feed);
    ///     while let Some(event) = events.next_event()? {
    ///         match event {
    ///             Event::Start(tag) if tag.name() == "item" => return Ok(Some(tag.to_owned())),
    ///             _ => {}
    ///         }
    ///     }
    ///     Ok(None)
    /// }
    ///
    /// let item = first_item("<feed><item id='1'/></feed>")?;
    /// assert_eq!(item.as_ref().and_then(|item| item.attribute("id")), Some("1"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_owned(&self) -> OwnedTag {
        OwnedTag::new(self)
    }

    /// The same, in the memory of another one.
    ///
    /// ```
    /// use tagstream::{Event, Events, OwnedTag, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<list><a/><b x='1'/></list>");
    /// let mut last: Option<OwnedTag> = None;
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Start(tag) = event {
    ///         match &mut last {
    ///             Some(last) => tag.clone_into(last),
    ///             None => last = Some(tag.to_owned()),
    ///         }
    ///     }
    /// }
    /// assert_eq!(format!("{last:?}"), r#"Some(<b x="1"/>)"#);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn clone_into(&self, owned: &mut OwnedTag) {
        owned.assign(self);
    }

    /// One of the attributes, by its place among them.
    #[inline]
    #[cfg(feature = "serde")]
    pub(crate) fn attribute_at(&self, index: usize) -> Option<Attribute<'a>> {
        Some(self.part.attribute_at(index)?.of(self.part))
    }

    /// Where its name ends in what was written, and where the names and values of its attributes begin and end there;
    /// of a tag that was not written, 0 alone.
    #[cfg(feature = "serde")]
    pub(crate) fn places(&self) -> Vec<u32> {
        let start = self.part.record.start;
        let place = |mark| self.part.written(start, mark).len() as u32;
        let mut places = vec![0];
        if !self.is_implied() {
            places[0] = place(start + 1 + self.written_name().len() as u32);
            for attribute in self.attributes() {
                let record = attribute.record();
                let marks = [record.name, record.name_end, record.raw, record.raw_end];
                places.extend(marks.map(place));
            }
        }
        places
    }

    pub(crate) fn namespace_index(&self) -> u32 {
        self.part.record.namespace
    }

    /// Whether the tag was written as one that closes itself: `<a/>`.
    ///
    /// ```
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default());
    /// parser.feed("<br/>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert!(tag.is_self_closing());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    pub fn is_self_closing(&self) -> bool {
        self.part.record.flags & SELF_CLOSING != 0
    }

    /// Whether no tag was written for it: only in [balanced](crate::Balanced) HTML, where it stands, empty,
    /// at what implied it.
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

    /// Whether the element is elsewhere in the tree: see [`Html`](crate::html#balanced-events).
    ///
    /// ```
    /// use tagstream::{Event, Events, Html};
    ///
    /// // Browsers put what stands in a table and is no part of one before the table.
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

    /// The tag as it was written.
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

    /// Where the name stands.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<link href='/a'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!((tag.name_span().start, tag.name_span().end), (1, 5));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn name_span(&self) -> Span {
        if self.is_implied() {
            return self.span();
        }
        let start = self.part.record.start + 1;
        self.part
            .span_of(start, start + self.written_name().len() as u32)
    }

    /// The name as it was written: of Sky's `error` elements, the one that is not registered.
    pub(crate) fn written_name(&self) -> &'a str {
        if self.part.record.flags & CLEANED == 0 || self.is_implied() {
            return self.name();
        }
        let start = self.part.record.start + 1;
        self.part
            .source(start, start + self.written_length() as u32)
    }

    /// Length of the name as written, which is not as meant.
    fn written_length(&self) -> usize {
        match self.part.record.written {
            // It is longer than the record can say, and ends where ASCII ends it.
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

    /// Where the tag stands.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<link href='/a'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!((tag.span().start, tag.span().end), (0, 16));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("\n  <link>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!((tag.position().line(), tag.position().column()), (2, 3));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
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
