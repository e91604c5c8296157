//! The parts of events that are tags, and their attributes.

use super::part::{AttributeRecord, AttributeRecords, Source};
use super::record::{
    Attr, CLEANED, DEFAULTED, DUPLICATES, IMPLIED, MOVED, NAME_CLEANED, PREFIXED, QUOTED,
    SELF_CLOSING, SHORT, VALUE_CLEANED,
};
use super::{OwnedTag, Part};
use crate::error::{Position, Span};
use crate::namespaces::has_prefixes;
use core::fmt;

/// A start tag.
#[derive(Clone, Copy)]
pub struct StartTag<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> StartTag<'a> {
    /// The qualified name.
    #[inline(always)]
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// The name without its prefix, where the prefix is one; the whole name otherwise.
    pub fn local_name(&self) -> &'a str {
        if self.prefix().is_some() {
            local_name(self.name())
        } else {
            self.name()
        }
    }

    /// The prefix, if the name has one that is bound to a namespace.
    pub fn prefix(&self) -> Option<&'a str> {
        match has_prefixes(self.part.record.namespace) {
            true => prefix(self.name()),
            false => None,
        }
    }

    /// The name of the namespace, if the element is in one.
    pub fn namespace(&self) -> Option<&'a str> {
        self.part.namespace(self.part.record.namespace)
    }

    /// The value of the attribute with this qualified name.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes()
            .find(|attribute| attribute.name() == name)
            .map(|attribute| attribute.value())
    }

    /// The attributes, in the order in which they were written.
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

    pub(crate) fn namespace_index(&self) -> u32 {
        self.part.record.namespace
    }

    /// Whether the tag was written as one that closes itself: `<a/>`.
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
    #[inline(always)]
    pub fn is_moved(&self) -> bool {
        self.part.record.flags & MOVED != 0
    }

    /// The tag as it was written.
    pub fn raw(&self) -> &'a str {
        self.part
            .written(self.part.record.start, self.part.record.end)
    }

    /// Where the name stands.
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
    #[inline]
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
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

/// The attributes of a start tag, in the order in which they were written.
#[derive(Clone)]
pub struct Attributes<'a> {
    part: Part<'a>,
    source: Source<'a>,
    rest: AttributeRecords<'a>,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Attribute<'a>> {
        let record = self.rest.next()?;
        Some(Attribute {
            part: self.part,
            source: self.source,
            record,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }

    /// PERF: asked once, and not for each attribute, who keeps the records.
    #[inline(always)]
    fn fold<B, F: FnMut(B, Attribute<'a>) -> B>(self, start: B, mut take: F) -> B {
        let Attributes { part, source, rest } = self;
        let lend = |record| Attribute {
            part,
            source,
            record,
        };
        match rest {
            AttributeRecords::Lent(records) => records.fold(start, |so_far, record| {
                take(so_far, lend(AttributeRecord::Lent(record)))
            }),
            packed @ AttributeRecords::Packed(..) => {
                packed.fold(start, |so_far, record| take(so_far, lend(record)))
            }
        }
    }
}

impl ExactSizeIterator for Attributes<'_> {}

impl DoubleEndedIterator for Attributes<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let record = self.rest.next_back()?;
        Some(Attribute {
            part: self.part,
            source: self.source,
            record,
        })
    }
}

impl fmt::Debug for Attributes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// One attribute of a start tag.
#[derive(Clone, Copy)]
pub struct Attribute<'a> {
    part: Part<'a>,
    source: Source<'a>,
    record: AttributeRecord<'a>,
}

impl<'a> Attribute<'a> {
    /// The qualified name.
    #[inline(always)]
    pub fn name(&self) -> &'a str {
        let attribute = self.record();
        if attribute.flags & NAME_CLEANED != 0 {
            self.part.clean_name(&attribute)
        } else {
            self.source.between(attribute.name, attribute.name_end)
        }
    }

    /// The value, references resolved and normalised.
    #[inline(always)]
    pub fn value(&self) -> &'a str {
        let record = self.record();
        if record.flags & VALUE_CLEANED != 0 {
            self.part.scratch(record.value, record.value_end)
        } else {
            self.source.between(record.raw, record.raw_end)
        }
    }

    /// Name and value, as bytes.
    #[inline(always)]
    pub(crate) fn as_bytes(&self) -> (&'a [u8], &'a [u8]) {
        let Attr {
            flags,
            name,
            name_end,
            raw,
            raw_end,
            ..
        } = self.record();
        if flags & (NAME_CLEANED | VALUE_CLEANED) != 0 {
            return (self.name().as_bytes(), self.value().as_bytes());
        }
        let source = self.source;
        (
            source.bytes_between(name, name_end),
            source.bytes_between(raw, raw_end),
        )
    }

    #[inline(always)]
    pub(crate) fn record(&self) -> Attr {
        self.record.read()
    }

    /// Length of what is not as it was written of it, in memory of its own.
    pub(super) fn cleaned_length(&self) -> usize {
        let mut record = self.record();
        self.place_cleaned(&mut record, 0) as usize
    }

    /// Says in a record that what is not as it was written begins there: the value, then the name and a
    /// NUL. Gives where that ends.
    pub(super) fn place_cleaned(&self, record: &mut Attr, mut at: u32) -> u32 {
        if record.flags & VALUE_CLEANED != 0 {
            record.value = at;
            at += self.value().len() as u32;
            record.value_end = at;
        }
        if record.flags & NAME_CLEANED != 0 {
            record.clean_name = at;
            at += self.name().len() as u32 + 1;
        }
        at
    }

    /// The attribute stands nowhere: its tag was not written.
    fn is_implied(&self) -> bool {
        self.part.record.flags & IMPLIED != 0
    }

    /// The value as it was written, without its quotes; empty where the tag is
    /// [implied](StartTag::is_implied), as all the places of its attributes.
    pub fn raw_value(&self) -> &'a str {
        if self.is_implied() {
            return "";
        }
        self.part.written(self.record().raw, self.record().raw_end)
    }

    /// The name without its prefix, where the prefix is one; the whole name otherwise.
    pub fn local_name(&self) -> &'a str {
        if self.prefix().is_some() {
            local_name(self.name())
        } else {
            self.name()
        }
    }

    /// The prefix, if the name has one that is bound to a namespace.
    pub fn prefix(&self) -> Option<&'a str> {
        let record = self.record();
        let known = record.flags & PREFIXED != 0 && record.namespace != 0;
        if known { prefix(self.name()) } else { None }
    }

    /// The name of the namespace, if the attribute is in one: only with a prefix, or as `xmlns`.
    pub fn namespace(&self) -> Option<&'a str> {
        self.part.namespace(self.record().namespace)
    }

    pub(crate) fn namespace_index(&self) -> u32 {
        self.record().namespace
    }

    /// Whether it stands in the tag; otherwise the document type gives it, as a default.
    pub fn is_specified(&self) -> bool {
        self.record().flags & DEFAULTED == 0
    }

    /// From the name to the end of the value, its quotes included; to the `=`, if nothing follows it.
    pub fn span(&self) -> Span {
        if self.is_implied() {
            return self.part.span();
        }
        let quote = u32::from(self.record().flags & QUOTED != 0);
        self.part
            .span_of(self.record().name, self.record().raw_end + quote)
    }

    /// Where the name stands.
    pub fn name_span(&self) -> Span {
        if self.is_implied() {
            return self.part.span();
        }
        self.part
            .span_of(self.record().name, self.record().name_end)
    }

    /// Where the value stands, without its quotes. If there is none, it is empty: after the `=`, or at
    /// the end of the name if there is none of that either.
    pub fn value_span(&self) -> Span {
        if self.is_implied() {
            return self.part.span();
        }
        self.part.span_of(self.record().raw, self.record().raw_end)
    }

    /// Line and column of the name.
    pub fn position(&self) -> Position {
        if self.is_implied() {
            return self.part.position();
        }
        self.part.position_of(self.record().name)
    }
}

impl fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={:?}", self.name(), self.value())
    }
}

/// An end tag.
#[derive(Clone, Copy)]
pub struct EndTag<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> EndTag<'a> {
    /// The qualified name; of a short end tag, `</>`, that of the element that it closes.
    #[inline(always)]
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// The name without its prefix, where the prefix is one; the whole name otherwise.
    pub fn local_name(&self) -> &'a str {
        if self.prefix().is_some() {
            local_name(self.name())
        } else {
            self.name()
        }
    }

    /// The prefix, if the name has one that is bound to a namespace.
    pub fn prefix(&self) -> Option<&'a str> {
        match has_prefixes(self.part.record.namespace) {
            true => prefix(self.name()),
            false => None,
        }
    }

    /// The name of the namespace of the element that it closes, if that is in one.
    pub fn namespace(&self) -> Option<&'a str> {
        self.part.namespace(self.part.record.namespace)
    }

    /// Whether it was written without a name: `</>`.
    pub fn is_short(&self) -> bool {
        self.part.record.flags & SHORT != 0
    }

    /// Whether it was not written: the end of an empty tag, or of an element that something else
    /// closed.
    pub fn is_implied(&self) -> bool {
        self.part.record.flags & (IMPLIED | SELF_CLOSING) != 0
    }

    /// Whether the element is elsewhere in the tree, or ended earlier there: see
    /// [`Html`](crate::html#balanced-events).
    #[inline(always)]
    pub fn is_moved(&self) -> bool {
        self.part.record.flags & MOVED != 0
    }

    /// Where it stands; empty if it was not written.
    #[inline]
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for EndTag<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "</{}>", self.name())
    }
}

/// Attributes that come to an element which is open: those of a second `<html>` or `<body>`, in
/// [balanced](crate::Balanced) HTML. An attribute that the element has already stays as it is.
///
/// ```
/// use tagstream::{Event, Events, Html};
///
/// let mut events = Events::of(Html::default(), "<body class=a><body class=b id=c>").balanced();
/// while let Some(event) = events.next_event()? {
///     if let Event::Attributes(added) = event {
///         assert_eq!((added.name(), added.attribute("id")), ("body", Some("c")));
///     }
/// }
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct AddedAttributes<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> AddedAttributes<'a> {
    /// The name of the element: `html` or `body`.
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// The attributes, in the order in which they were written.
    pub fn attributes(&self) -> Attributes<'a> {
        self.tag().attributes()
    }

    /// The value of the attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.tag().attribute(name)
    }

    fn tag(&self) -> StartTag<'a> {
        StartTag { part: self.part }
    }

    /// Where the tag stands that has them.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for AddedAttributes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.tag(), f)
    }
}

/// The part of a qualified name before its colon, if there is one.
fn prefix(name: &str) -> Option<&str> {
    memchr::memchr(b':', name.as_bytes()).map(|at| &name[..at])
}

/// The part of a qualified name after its colon, or all of it.
fn local_name(name: &str) -> &str {
    memchr::memchr(b':', name.as_bytes()).map_or(name, |at| &name[at + 1..])
}
