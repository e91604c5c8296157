//! The attributes of tags.

use super::Part;
#[cfg(feature = "serde")]
use super::part::AttributeAt;
use super::part::{AttributeRecord, AttributeRecords, Source, split};
use super::record::{Attr, DEFAULTED, IMPLIED, NAME_CLEANED, PREFIXED, QUOTED, VALUE_CLEANED};
use super::strings::{Cleaned, ScratchOffset, Str};
use crate::error::{Position, Span};
use core::fmt;

/// The attributes of a start tag, in the order in which they were written.
#[derive(Clone)]
pub struct Attributes<'a> {
    pub(super) part: Part<'a>,
    pub(super) source: Source<'a>,
    pub(super) rest: AttributeRecords<'a>,
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

    fn nth(&mut self, count: usize) -> Option<Attribute<'a>> {
        let record = self.rest.nth(count)?;
        Some(Attribute {
            part: self.part,
            source: self.source,
            record,
        })
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

#[cfg(feature = "serde")]
impl<'a> AttributeAt<'a> {
    /// The attribute of this tag.
    #[inline(always)]
    pub(super) fn of(self, part: Part<'a>) -> Attribute<'a> {
        let AttributeAt { source, record } = self;
        Attribute {
            part,
            source,
            record,
        }
    }
}

impl<'a> Attribute<'a> {
    /// The qualified name.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a xml:lang='en'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!(one.name(), "xml:lang");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
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
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a b='1 &lt; 2'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!(one.value(), "1 < 2");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    pub fn value(&self) -> &'a str {
        match self.record().value() {
            Str::Cleaned(value) => self.part.cleaned(value),
            Str::Lent(start, end) => self.source.between(start, end),
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
        self.place_cleaned(&mut record, ScratchOffset::default())
            .index()
    }

    /// Says in a record that what is not as it was written begins there: the value, then the name and a
    /// NUL. Gives where that ends.
    pub(super) fn place_cleaned(&self, record: &mut Attr, mut at: ScratchOffset) -> ScratchOffset {
        if record.flags & VALUE_CLEANED != 0 {
            let start = at;
            at += self.value().len() as u32;
            record.value = Cleaned { start, end: at };
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
    /// [implied](crate::StartTag::is_implied), as all the places of its attributes.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a b='1 &lt; 2'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!(one.raw_value(), "1 &lt; 2");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn raw_value(&self) -> &'a str {
        if self.is_implied() {
            return "";
        }
        self.part.written(self.record().raw, self.record().raw_end)
    }

    /// The name without its prefix, where the prefix is one; the whole name otherwise.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a xml:lang='en'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!(one.local_name(), "lang");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn local_name(&self) -> &'a str {
        self.split_name().1
    }

    /// The prefix, if the name has one that is bound to a namespace.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a xml:lang='en'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!(one.prefix(), Some("xml"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn prefix(&self) -> Option<&'a str> {
        self.split_name().0
    }

    fn split_name(&self) -> (Option<&'a str>, &'a str) {
        let record = self.record();
        let is_bound = record.flags & PREFIXED != 0 && record.namespace != 0;
        split(self.name(), is_bound)
    }

    /// The name of the namespace, if the attribute is in one: only with a prefix, or as `xmlns`.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a xmlns:p='urn:p' p:b='1'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!(one.namespace(), Some("urn:p"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn namespace(&self) -> Option<&'a str> {
        self.part.namespace(self.record().namespace)
    }

    pub(crate) fn namespace_index(&self) -> u32 {
        self.record().namespace
    }

    /// Whether it stands in the tag; otherwise the document type gives it, as a default.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!DOCTYPE a [<!ATTLIST a b CDATA '1' c CDATA '2'>]><a b='3'>");
    /// parser.next_event()?;
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let specified = tag.attributes().map(|one| (one.name(), one.is_specified()));
    /// assert!(specified.eq([("b", true), ("c", false)]));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_specified(&self) -> bool {
        self.record().flags & DEFAULTED == 0
    }

    /// From the name to the end of the value, its quotes included; to the `=`, if nothing follows it.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a b='1'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!((one.span().start, one.span().end), (3, 8));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn span(&self) -> Span {
        if self.is_implied() {
            return self.part.span();
        }
        let quote = u32::from(self.record().flags & QUOTED != 0);
        self.part
            .span_of(self.record().name, self.record().raw_end + quote)
    }

    /// Where the name stands.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a bc='1'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!((one.name_span().start, one.name_span().end), (3, 5));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn name_span(&self) -> Span {
        if self.is_implied() {
            return self.part.span();
        }
        self.part
            .span_of(self.record().name, self.record().name_end)
    }

    /// Where the value stands, without its quotes. If there is none, it is empty: after the `=`, or at
    /// the end of the name if there is none of that either.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a bc='1'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!((one.value_span().start, one.value_span().end), (7, 8));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn value_span(&self) -> Span {
        if self.is_implied() {
            return self.part.span();
        }
        self.part.span_of(self.record().raw, self.record().raw_end)
    }

    /// Line and column of the name.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a\n  b='1'>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!((one.position().line(), one.position().column()), (2, 3));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
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
