//! Attributes of tags.

use super::packing::AttributeRecord;
use super::part::{AttributeRecords, Part, Source, split};
use super::record::{Attr, DEFAULTED, IMPLIED, NAME_CLEANED, PREFIXED, QUOTED, VALUE_CLEANED};
use super::strings::{Cleaned, ScratchOffset, Str};
use crate::engine::error::{Position, Span};
use crate::engine::namespaces::unprefixed;
use alloc::sync::Arc;
use core::fmt;

/// Iterator over the attributes of a start tag, in source order.
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
        Some(Attribute::new(self.part, self.source, record))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }

    fn nth(&mut self, count: usize) -> Option<Attribute<'a>> {
        let record = self.rest.nth(count)?;
        Some(Attribute::new(self.part, self.source, record))
    }

    /// PERF: finds out once for each tag how its records are stored, and not once for each attribute.
    #[inline(always)]
    fn fold<B, F: FnMut(B, Attribute<'a>) -> B>(self, start: B, mut take: F) -> B {
        let Attributes { part, source, rest } = self;
        let lend = |record| Attribute::new(part, source, record);
        match rest {
            AttributeRecords::Borrowed(records) => records.fold(start, |so_far, record| {
                take(so_far, lend(AttributeRecord::Borrowed(record)))
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
        Some(Attribute::new(self.part, self.source, record))
    }
}

impl fmt::Debug for Attributes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// An attribute of a start tag.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<a xmlns:p='urn:p' p:b='1 &lt; 2'>");
/// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
/// let Some(b) = tag.attributes().last() else { panic!() };
/// assert_eq!((b.name(), b.prefix(), b.local_name()), ("p:b", Some("p"), "b"));
/// assert_eq!((b.namespace(), b.value()), (Some("urn:p"), "1 < 2"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Attribute<'a> {
    part: Part<'a>,
    source: Source<'a>,
    record: AttributeRecord<'a>,
}

impl<'a> Attribute<'a> {
    #[inline(always)]
    pub(super) fn new(part: Part<'a>, source: Source<'a>, record: AttributeRecord<'a>) -> Self {
        Attribute {
            part,
            source,
            record,
        }
    }

    /// Returns the qualified name: the prefix, if there is one, and the local name.
    #[inline(always)]
    #[doc(alias = "key")]
    pub fn name(&self) -> &'a str {
        let attribute = self.record();
        if attribute.flags & NAME_CLEANED != 0 {
            self.part.clean_name(&attribute)
        } else {
            self.source.between(attribute.name, attribute.name_end)
        }
    }

    /// Returns the value, with references resolved and newlines normalized.
    #[inline(always)]
    #[doc(alias = "unescape_value")]
    pub fn value(&self) -> &'a str {
        match self.record().value() {
            Str::Cleaned(value) => self.part.cleaned(value),
            Str::Borrowed(start, end) => self.source.between(start, end),
        }
    }

    /// Returns a copy of the attribute's record, as the tokenizer wrote it.
    #[inline(always)]
    pub(crate) fn record(&self) -> Attr {
        self.record.read()
    }

    /// Returns the number of bytes that [`place_cleaned`](Self::place_cleaned) assigns to the strings that differ
    /// from their source.
    pub(super) fn cleaned_length(&self) -> usize {
        let mut record = self.record();
        self.place_cleaned(&mut record, ScratchOffset::default())
            .index()
    }

    /// Sets the ranges of the strings in `record` that differ from their source. The strings follow each other from
    /// `at` on: the value, then the name and a NUL. Returns the offset after them. The caller writes the strings in
    /// the same order.
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

    /// Returns whether the tag is not in the source, so that the attribute has no position of its own.
    fn is_implied(&self) -> bool {
        self.part.record.flags & IMPLIED != 0
    }

    /// Returns the value as it is in the source, without quotes. Returns an empty string if the tag is
    /// [implied](crate::StartTag::is_implied).
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

    /// Returns the name without its prefix. A prefix that is not bound to a namespace is a part of the local name.
    pub fn local_name(&self) -> &'a str {
        self.split_name().1
    }

    /// Returns the part of the name after its first colon, whether or not the prefix is bound to a namespace. Documents
    /// such as feeds often use prefixes that they do not declare, which error recovery makes a part of the local name.
    pub fn unprefixed_name(&self) -> &'a str {
        unprefixed(self.name())
    }

    /// Returns the prefix, if the name has one that is bound to a namespace.
    pub fn prefix(&self) -> Option<&'a str> {
        self.split_name().0
    }

    /// Returns the prefix and the local name.
    fn split_name(&self) -> (Option<&'a str>, &'a str) {
        let record = self.record();
        let is_bound = record.flags & PREFIXED != 0 && record.namespace != 0;
        split(self.name(), is_bound)
    }

    /// Returns the name of the attribute's namespace. An attribute is in a namespace only if its name has a prefix or
    /// is `xmlns`.
    pub fn namespace(&self) -> Option<&'a str> {
        self.part.namespace(self.record().namespace)
    }

    /// Returns the name of the attribute's namespace as the string that the events of a parser share.
    pub(crate) fn shared_namespace(&self) -> Option<&'a Arc<str>> {
        self.part.shared_namespace(self.record().namespace)
    }

    /// Returns the index of the attribute's namespace: see `namespaces.rs`.
    pub(crate) fn namespace_index(&self) -> u32 {
        self.record().namespace
    }

    /// Returns true if the attribute is in the tag, and false if its value is the default from its declaration in the
    /// DOCTYPE.
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

    /// Returns the range of bytes of the attribute in the input: from the name to the end of the value, with quotes.
    /// Without a value it ends after the `=`, and without an `=` after the name. If the tag is implied, returns the
    /// span of the tag.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let input = "<a bc='1'>";
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed(input);
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let Some(one) = tag.attributes().last() else { panic!() };
    /// assert_eq!(&input[one.span().range()], "bc='1'");
    /// assert_eq!(&input[one.name_span().range()], "bc");
    /// assert_eq!(&input[one.value_span().range()], "1");
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

    /// Returns the range of bytes of the name in the input. If the tag is implied, returns the span of the tag.
    pub fn name_span(&self) -> Span {
        if self.is_implied() {
            return self.part.span();
        }
        self.part
            .span_of(self.record().name, self.record().name_end)
    }

    /// Returns the range of bytes of the value in the input, without quotes. Without a value it is empty: after the
    /// `=`, or after the name if there is no `=`. If the tag is implied, returns the span of the tag.
    pub fn value_span(&self) -> Span {
        if self.is_implied() {
            return self.part.span();
        }
        self.part.span_of(self.record().raw, self.record().raw_end)
    }

    /// Returns the line and column of the name.
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
