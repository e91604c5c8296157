//! Elements that a program reads without their events: [`Leaf`], and [`ElementReader`], the trait of programs that do so.

use super::borrowed::Event;
use super::part::{Holder, Part, Source};
use super::record::Record;
use super::strings::Str;
use super::tag::StartTag;
use super::text::Text;
use core::fmt;

/// An element that contains one text and nothing else. An [`ElementReader`] gets it.
///
/// ```
/// use tagstream::{ElementReader, Leaf, Parser, Skip, StartTag, Text, Xml};
///
/// struct Fields(Vec<String>);
///
/// impl ElementReader for Fields {
///     fn read_leaf(&mut self, leaf: Leaf<'_>) -> bool {
///         self.0.push(format!("{}={}", leaf.name(), leaf.as_str()));
///         true
///     }
///     fn skip_element(&mut self, _: StartTag<'_>) -> bool {
///         false
///     }
///     fn skip_text(&mut self, _: Text<'_>) -> bool {
///         false
///     }
/// }
///
/// let mut parser = Parser::new(Xml::default()).balanced();
/// parser.feed("<row><id>1</id><city>Rom</city></row>");
/// parser.finish();
/// let (mut fields, mut skip) = (Fields(Vec::new()), Skip::default());
/// while parser.next_event_after(&mut skip, &mut fields)?.is_some() {}
/// assert_eq!(fields.0, ["id=1", "city=Rom"]);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Leaf<'a> {
    pub(crate) start: Part<'a>,
    pub(crate) text: Part<'a>,
    /// The current chunk, which contains most names and texts.
    pub(crate) chunk: Source<'a>,
}

impl<'a> Leaf<'a> {
    /// Returns the start tag.
    #[inline(always)]
    pub fn tag(&self) -> StartTag<'a> {
        StartTag { part: self.start }
    }

    /// Returns the text.
    #[inline(always)]
    pub fn text(&self) -> Text<'a> {
        Text { part: self.text }
    }

    /// Returns the name of the element, as [`StartTag::name`] does.
    #[inline(always)]
    pub fn name(&self) -> &'a str {
        self.string(self.start)
    }

    /// Returns the text as a string, as [`Text::as_str`] does.
    #[inline(always)]
    pub fn as_str(&self) -> &'a str {
        self.string(self.text)
    }

    /// Returns the bytes of [`name`](Leaf::name).
    ///
    /// PERF: without the check for character boundaries.
    #[inline(always)]
    pub fn name_bytes(&self) -> &'a [u8] {
        self.bytes(self.start)
    }

    /// Returns the bytes of [`as_str`](Leaf::as_str).
    #[inline(always)]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes(self.text)
    }

    /// Returns the name or data of a part.
    ///
    /// PERF: the chunk is looked up once for all leaves of a batch.
    #[inline(always)]
    fn string(&self, part: Part<'a>) -> &'a str {
        match part.record.string() {
            Str::Borrowed(start, end) if start >= self.chunk.base => self.chunk.between(start, end),
            _ => outside_chunk(part.record, part.holder),
        }
    }

    #[inline(always)]
    fn bytes(&self, part: Part<'a>) -> &'a [u8] {
        match part.record.string() {
            Str::Borrowed(start, end) if start >= self.chunk.base => {
                self.chunk.bytes_between(start, end)
            }
            _ => outside_chunk(part.record, part.holder).as_bytes(),
        }
    }
}

impl fmt::Debug for Leaf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Leaf")
            .field(&self.tag())
            .field(&self.text())
            .finish()
    }
}

/// Returns the name or data of a record, which is not in the current chunk.
#[cold]
#[inline(never)]
fn outside_chunk<'a>(record: &'a Record, holder: Holder<'a>) -> &'a str {
    Part { record, holder }.first()
}

/// Reads or skips elements and texts that come next, without their events: see
/// [`Parser::next_event_after`](crate::Parser::next_event_after). Each method returns false if the program needs the events.
pub trait ElementReader {
    /// Reads or skips an element that contains one text and nothing else.
    fn read_leaf(&mut self, leaf: Leaf<'_>) -> bool;

    /// Skips the element of a start tag. An element that would be a leaf is passed to this method too if the parser has not
    /// read all of it yet, or if its text is divided.
    fn skip_element(&mut self, tag: StartTag<'_>) -> bool;

    /// Skips a text between elements.
    fn skip_text(&mut self, text: Text<'_>) -> bool;
}

/// Skips the elements and texts for whose events a function returns true.
pub(crate) struct SkipByEvent<F>(pub(crate) F);

impl<F: FnMut(&Event<'_>) -> bool> ElementReader for SkipByEvent<F> {
    #[inline(always)]
    fn read_leaf(&mut self, leaf: Leaf<'_>) -> bool {
        self.skip_element(leaf.tag())
    }

    #[inline(always)]
    fn skip_element(&mut self, tag: StartTag<'_>) -> bool {
        (self.0)(&Event::Start(tag))
    }

    #[inline(always)]
    fn skip_text(&mut self, text: Text<'_>) -> bool {
        (self.0)(&Event::Text(text))
    }
}
