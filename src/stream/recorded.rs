//! The source of elements: a buffer of the input, the adapter that fills it, and [`Events::read_source`].

use super::events::Events;
use super::source::{Source, SourceError};
use crate::engine::dialect::{Balance, Dialect, Form, Tree};
use crate::engine::error::{Error, Span};
use crate::engine::event::Event;
use crate::engine::input::chunk::{Chunk, ChunkParts, IntoChunkParts};
use alloc::vec::Vec;
use bytes::Bytes;

/// The last part of the input, for programs that feed chunks themselves and need the source of elements.
///
/// Append each chunk with [`push`](Self::push) when it is fed. [`get`](Self::get) returns the bytes of a range that the
/// parser has reported, and [`discard_before`](Self::discard_before) drops the bytes that are not needed any more: those
/// before [`Parser::earliest_start`](crate::Parser::earliest_start) and before the element that is being read. If the
/// input is a reader or an iterator, [`Events::read_source`](crate::Events::read_source) does all this in one call.
///
/// ```
/// use tagstream::{Event, Parser, SourceBuffer, Span, Xml};
///
/// let mut parser = Parser::new(Xml::default()).balanced();
/// let (mut input, mut start, mut sources) = (SourceBuffer::default(), None, Vec::new());
/// for chunk in ["<a><b>on", "e</b> <b id = '2'", "/></a>"] {
///     input.push(chunk.as_bytes());
///     parser.feed(chunk);
///     while let Some(event) = parser.next_event()? {
///         match (&event, start) {
///             (Event::Start(tag), None) if tag.name() == "b" => start = Some(tag.span().start),
///             (Event::End(tag), Some(first)) if tag.name() == "b" => {
///                 let source = input.get(Span { start: first, end: tag.span().end }).unwrap();
///                 sources.push(String::from_utf8_lossy(source).into_owned());
///                 start = None;
///             }
///             _ => {}
///         }
///     }
///     input.discard_before(start.unwrap_or(parser.earliest_start()));
/// }
/// assert_eq!(sources, ["<b>one</b>", "<b id = '2'/>"]);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SourceBuffer {
    bytes: Vec<u8>,
    /// Index in `bytes` of the first byte that was not discarded.
    first: usize,
    /// Offset in the input of the first byte that was not discarded.
    start: u64,
}

impl SourceBuffer {
    /// Capacity of the buffer, in bytes, up to which memory is not returned.
    const MIN_CAPACITY_BYTES: usize = 64 << 10;

    /// Appends a chunk of the input.
    pub fn push(&mut self, chunk: &[u8]) {
        self.bytes.extend_from_slice(chunk);
    }

    /// Discards the bytes before an offset in the input. Bytes that were not pushed yet are not discarded.
    pub fn discard_before(&mut self, offset: u64) {
        let count = offset.min(self.end()).saturating_sub(self.start);
        self.start += count;
        // The discarded bytes are in memory, so their number fits.
        self.first += count as usize;
        // The bytes are moved only if half of them were discarded, so that moving takes linear time.
        if self.first > self.bytes.len() / 2 {
            self.bytes.drain(..self.first);
            self.first = 0;
            let needed = self.bytes.len().max(SourceBuffer::MIN_CAPACITY_BYTES);
            if self.bytes.capacity() / 4 > needed {
                self.bytes.shrink_to(needed);
            }
        }
    }

    /// Returns the bytes in a range of the input, or `None` if some of them were discarded or not pushed yet.
    pub fn get(&self, span: Span) -> Option<&[u8]> {
        let index = |offset: u64| usize::try_from(offset.checked_sub(self.start)?).ok();
        self.bytes[self.first..].get(index(span.start)?..index(span.end)?)
    }

    /// Returns the bytes in a range of the input that were pushed.
    #[cfg(any(feature = "futures", feature = "tokio"))]
    pub(super) fn get_up_to(&self, span: Span) -> &[u8] {
        let (start, end) = (span.start, span.end.min(self.end()));
        self.get(Span { start, end }).unwrap_or_default()
    }

    /// Appends a chunk of a source, and returns the chunk for the parser.
    pub(super) fn record(&mut self, chunk: impl Chunk) -> RecordedChunk {
        let parts = chunk.into_parts();
        let is_text = parts.is_text;
        let bytes = parts.into_bytes();
        self.push(&bytes);
        RecordedChunk { bytes, is_text }
    }

    /// Returns the offset in the input of the end of the bytes that were pushed.
    fn end(&self) -> u64 {
        self.start + (self.bytes.len() - self.first) as u64
    }
}

/// A source that records the input, so that [`Events::read_source`](crate::Events::read_source) can return the bytes of
/// an element. [`Events::record_source`](crate::Events::record_source) and `AsyncEvents::record_source` create it.
#[derive(Clone, Debug)]
pub struct RecordedSource<S> {
    pub(super) source: S,
    pub(super) input: SourceBuffer,
    /// Offset of the first byte of the element being read that was not returned yet. `u64::MAX` if no element is read.
    unread: u64,
}

impl<S> RecordedSource<S> {
    pub(super) fn new(source: S) -> RecordedSource<S> {
        RecordedSource {
            source,
            input: SourceBuffer::default(),
            unread: u64::MAX,
        }
    }

    /// Passes the unread bytes of the element before the offset `end` to `take`.
    fn pass_before<E>(
        &mut self,
        end: u64,
        take: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let end = end.min(self.input.end());
        let start = self.unread;
        if start < end {
            self.unread = end;
            take(self.input.get(Span { start, end }).unwrap_or_default())?;
        }
        Ok(())
    }
}

impl<S: Source> Source for RecordedSource<S> {
    type Chunk = RecordedChunk;

    fn next_chunk(&mut self) -> Result<Option<RecordedChunk>, SourceError> {
        let chunk = self.source.next_chunk()?;
        Ok(chunk.map(|chunk| self.input.record(chunk)))
    }

    fn discard_before(&mut self, offset: impl FnOnce() -> u64) {
        // `pass_source` has passed the unread bytes before this offset.
        self.input.discard_before(offset());
    }
}

/// A chunk of a [`RecordedSource`].
#[derive(Clone, Debug)]
pub struct RecordedChunk {
    bytes: Bytes,
    is_text: bool,
}

impl IntoChunkParts for RecordedChunk {
    fn into_parts<'a>(self) -> ChunkParts<'a>
    where
        Self: 'a,
    {
        ChunkParts::shared(self.bytes, self.is_text)
    }
}

impl<D: Dialect, S: Source, F: Form> Events<D, S, F> {
    /// Records the input, so that [`read_source`](Events::read_source) can return the bytes of an element. Call it before
    /// the first event is requested.
    ///
    /// Each chunk is copied. The bytes before the current event are discarded.
    ///
    /// ```
    /// use tagstream::{Event, Events, Html};
    ///
    /// let mut events = Events::of(Html::default(), "<ul><li>Tom<li>Jerry</ul>").balanced().record_source();
    /// while let Some(event) = events.next_event()? {
    ///     if matches!(event, Event::Start(tag) if tag.name() == "ul") {
    ///         events.next_event()?;
    ///         assert_eq!(events.read_source()?, b"<li>Tom");
    ///     }
    /// }
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn record_source(self) -> Events<D, RecordedSource<S>, F> {
        self.map_source(RecordedSource::new)
    }
}

impl<D: Balance, S: Source, F: Tree> Events<D, RecordedSource<S>, F> {
    /// Reads the element that starts with the current event and returns its source: the bytes of the input from the `<` of
    /// its start tag to the `>` of its end tag, in the encoding of the input. The next event is the one after the element.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let input = "<feed><entry  id='1'>A &amp; <!-- B --></entry ><entry/></feed>";
    /// let mut events = Events::of(Xml::default(), input).record_source();
    /// let mut entries = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "entry" => entries.push(events.read_source()?),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(entries[0], b"<entry  id='1'>A &amp; <!-- B --></entry >");
    /// assert_eq!(entries[1], b"<entry/>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// The source begins where the span of the start tag begins, and ends where the span of the end tag ends:
    ///
    /// - An element without an end tag ends where its end is implied: before the tag that closes it, or at the end of the
    ///   input.
    /// - An element without a start tag, such as the `tbody` that HTML inserts in a table, begins before the tag or the text
    ///   that implies it, so that the source is its content and its end tag.
    /// - The elements `html` and `body` of HTML end at the end of the input, because content after their end tags is
    ///   inserted in `body`.
    /// - In HTML, the content of an element can be moved out of it or into it. The source is that of the input:
    ///   [`Event::is_moved`](crate::Event::is_moved).
    /// - An element in the replacement text of an entity of XML has the source of the entity reference:
    ///   [`Event::is_from_entity`](crate::Event::is_from_entity).
    ///
    /// The prefixes of names may be declared outside the element: see [`namespaces`](Events::namespaces).
    /// [`TextDecoder`](crate::TextDecoder) decodes the bytes, and [`Parser::encoding`](crate::Parser::encoding) returns
    /// their encoding.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](Events::read_text).
    #[doc(alias("outer_html", "read_raw", "raw"))]
    pub fn read_source(&mut self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.read_source_with(|part| {
            bytes.extend_from_slice(part);
            Ok::<(), Error>(())
        })?;
        Ok(bytes)
    }

    /// Like [`read_source`](Events::read_source), but passes the source to `take` in parts, so that memory does not depend
    /// on the length of the element. Where the source is divided depends on the chunks of the input.
    ///
    /// ```
    /// use std::error::Error;
    /// use std::io::Write;
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::read(Xml::default(), &b"<a>long</a>"[..]).record_source();
    /// events.next_event()?;
    /// let mut file = Vec::new();
    /// events.read_source_with(|part| Ok::<(), Box<dyn Error>>(file.write_all(part)?))?;
    /// assert_eq!(file, b"<a>long</a>");
    /// # Ok::<(), Box<dyn Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](Events::read_text), and those of `take`. After an error of `take`, the next
    /// event is one in the element.
    pub fn read_source_with<E: From<Error>>(
        &mut self,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.expect_start()?;
        self.source.unread = self.current().map_or(u64::MAX, |tag| tag.span().start);
        let result = self.pass_source(&mut take);
        self.source.unread = u64::MAX;
        result
    }

    fn pass_source<E: From<Error>>(
        &mut self,
        take: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut depth = 1_u64;
        let end = loop {
            while !self.parser.has_event()? {
                // The end of the element does not start before this offset.
                let earliest = self.parser.earliest_start();
                self.source.pass_before(earliest, take)?;
                if !self.feed()? {
                    return self.source.pass_before(u64::MAX, take);
                }
            }
            match self.parser.next_event()? {
                Some(Event::Start(_)) => depth += 1,
                Some(Event::End(tag)) if depth == 1 => break tag.span().end,
                Some(Event::End(_)) => depth -= 1,
                _ => {}
            }
        };
        self.source.pass_before(end, take)
    }
}
