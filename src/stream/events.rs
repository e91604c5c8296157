//! Events from a source of chunks.

use super::element::InnerText;
use super::source::{ChunkItem, ChunkSource, Source, is_passing};
use crate::engine::dialect::{AsWritten, Balance, Dialect, Form, Nested, Prefixed, Tree};
use crate::engine::error::{Error, ErrorKind};
use crate::engine::event::{Event, OwnedEvent, SkipByEvent};
use crate::engine::input::chunk::Chunk;
use crate::engine::parser::{Parser, Status};
#[cfg(feature = "tree")]
use crate::tree::Outline;
use alloc::string::String;
use alloc::vec::Vec;
use core::option;

/// The events of a source of chunks, up to the end of the document.
///
/// ```
/// use tagstream::{Event, Events, Xml};
///
/// let chunks = ["<a><b>on", "e</b><b>two</b></a>"];
/// let mut events = Events::chunks(Xml::default(), chunks);
/// let mut texts = Vec::new();
/// while let Some(event) = events.next_event()? {
///     if let Event::Text(text) = event {
///         texts.push(text.as_str().to_owned());
///     }
/// }
/// assert_eq!(texts, ["one", "two"]);
/// # Ok::<(), tagstream::Error>(())
/// ```
///
/// In the dialects of the XML family, the events form a tree by default: each start event has its end event, in the
/// right order, whatever the source contains. [`read_text`](Events::read_text),
/// [`skip_element`](Events::skip_element) and [`subtree`](Events::subtree) therefore always end with their element.
/// [`as_written`](Events::as_written) turns this off. In HTML, events are as written until
/// [`balanced`](Events::balanced) makes them a tree.
#[derive(Clone, Debug)]
#[doc(alias("Reader", "EventReader", "NsReader"))]
pub struct Events<D: Dialect, S, F = <D as Dialect>::Form> {
    pub(super) parser: Parser<D, F>,
    pub(super) source: S,
    /// The approximate size and the names of the subtree that was built last. The next subtree is expected to be
    /// similar, so its memory is allocated accordingly.
    #[cfg(feature = "tree")]
    pub(super) outline: Outline,
}

impl<D: Dialect, C: Chunk> Events<D, ChunkSource<option::IntoIter<C>>> {
    /// Reads a complete string or complete bytes.
    ///
    /// ```
    /// use tagstream::{Events, Html};
    ///
    /// assert_eq!(Events::of(Html::default(), "<p>é").count(), 2);
    /// ```
    #[doc(alias("from_str", "from_slice", "from_bytes"))]
    pub fn of(dialect: D, input: C) -> Events<D, ChunkSource<option::IntoIter<C>>> {
        Events::chunks(dialect, Some(input))
    }
}

impl<D: Dialect, I: Iterator<Item: ChunkItem>> Events<D, ChunkSource<I>> {
    /// Reads from an iterator of chunks of any size, or of results of chunks.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let chunks = ["<a>te", "xt</a>"];
    /// assert_eq!(Events::chunks(Xml::default(), chunks).count(), 3);
    /// let chunks = [Ok("<a>te"), Err(std::io::Error::other("cut off"))];
    /// assert!(Events::chunks(Xml::default(), chunks).any(|event| event.is_err()));
    /// ```
    pub fn chunks(
        dialect: D,
        chunks: impl IntoIterator<IntoIter = I>,
    ) -> Events<D, ChunkSource<I>> {
        Events::from_source(dialect, ChunkSource(chunks.into_iter()))
    }

    /// Starts a new document from other chunks: see [`Parser::reset`].
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::chunks(Xml::default(), ["<a>te", "xt</a>"]);
    /// assert_eq!(events.by_ref().count(), 3);
    /// events.reset(["<b", "/>"]);
    /// assert_eq!(events.count(), 2);
    /// ```
    pub fn reset(&mut self, chunks: impl IntoIterator<IntoIter = I>) {
        self.parser.reset();
        self.source = ChunkSource(chunks.into_iter());
    }
}

impl<D: Dialect, S: Source> Events<D, S> {
    /// Reads from a source that the program implements: see [`Source`].
    ///
    /// ```
    /// use tagstream::{Events, Source, SourceError, Xml};
    ///
    /// struct Once(Option<&'static str>);
    ///
    /// impl Source for Once {
    ///     type Chunk = &'static str;
    ///
    ///     fn next_chunk(&mut self) -> Result<Option<&'static str>, SourceError> {
    ///         Ok(self.0.take())
    ///     }
    /// }
    ///
    /// // The end of `b` is implied.
    /// let events = Events::from_source(Xml::default(), Once(Some("<a><b></a>")));
    /// assert_eq!(events.count(), 4);
    /// ```
    pub fn from_source(dialect: D, source: S) -> Events<D, S> {
        Events::with(Parser::start(dialect), source)
    }
}

impl<D: Balance, S: Source> Events<D, S, AsWritten> {
    /// Makes the events a tree: each start event has its end event, in the right order. Call it before the first
    /// event is requested.
    ///
    /// ```
    /// use tagstream::{Event, Events, Html};
    ///
    /// let mut events = Events::of(Html::default(), "<ul><li>Tom<li>Jerry</ul>").balanced();
    /// let mut items = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "li" => items.push(events.read_text()?),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(items, ["Tom", "Jerry"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn balanced(self) -> Events<D, S, Nested> {
        Events::with(self.parser.in_form(), self.source)
    }
}

impl<D: Dialect, S: Source, F: Form> Events<D, S, F> {
    /// Reads from a source with a parser that the program has configured.
    ///
    /// ```
    /// use tagstream::{Events, Parser, Source, SourceError, TextPolicy, Xml};
    ///
    /// struct Numbers(u8);
    ///
    /// impl Source for Numbers {
    ///     type Chunk = String;
    ///
    ///     fn next_chunk(&mut self) -> Result<Option<String>, SourceError> {
    ///         self.0 += 1;
    ///         Ok((self.0 < 4).then(|| self.0.to_string()))
    ///     }
    /// }
    ///
    /// let parser = Parser::new(Xml::default()).text(TextPolicy::Pieces);
    /// let mut events = Events::new(parser, Numbers(0));
    /// assert_eq!(format!("{:?}", events.next_event()?), "Some(Text(\"1\"))");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn new(parser: Parser<D, F>, source: S) -> Events<D, S, F> {
        Events::with(parser, source)
    }

    fn with(parser: Parser<D, F>, source: S) -> Events<D, S, F> {
        Events {
            parser,
            source,
            #[cfg(feature = "tree")]
            outline: Outline::default(),
        }
    }

    /// Replaces the source.
    pub(super) fn map_source<T: Source>(self, map: impl FnOnce(S) -> T) -> Events<D, T, F> {
        Events::with(self.parser, map(self.source))
    }

    /// Sets the options of the parser: `events.configure(|parser| parser.report_errors(true))`.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let events = Events::of(Xml::default(), "<a b=c>");
    /// let mut events = events.configure(|parser| parser.report_errors(true));
    /// assert!(matches!(events.next_event()?, Some(Event::ParseError(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn configure(
        self,
        configure: impl FnOnce(Parser<D, F>) -> Parser<D, F>,
    ) -> Events<D, S, F> {
        Events {
            parser: configure(self.parser),
            ..self
        }
    }

    /// Switches to events as written: no tag is implied, and end tags are not matched with start tags. Call it before
    /// the first event is requested.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// assert_eq!(Events::of(Xml::default(), "<a><b></a>").count(), 4);
    /// assert_eq!(Events::of(Xml::default(), "<a><b></a>").as_written().count(), 3);
    /// ```
    #[must_use]
    pub fn as_written(self) -> Events<D, S, AsWritten> {
        Events::with(self.parser.in_form(), self.source)
    }

    /// Returns the current event: the one that was returned last.
    pub fn current(&self) -> Option<Event<'_>> {
        self.parser.current()
    }

    /// Returns the next event, which borrows from `self` until the next call. Returns `None` at the end of the
    /// document.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a>text</a>");
    /// let mut count = 0;
    /// while let Some(event) = events.next_event()? {
    ///     println!("{}: {event:?}", event.position());
    ///     count += 1;
    /// }
    /// assert_eq!(count, 3);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error that ended the parse (see [`Parser::next_event`]), or the failure of the source.
    #[doc(alias("read_event", "read_event_into", "next"))]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        while !self.parser.has_event()? {
            if !self.feed()? {
                return Ok(None);
            }
        }
        self.parser.next_event()
    }

    /// Returns the event that [`next_event`](Events::next_event) will return next, without advancing: the current
    /// event stays the same.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a/><b>text</b>");
    /// let mut empty = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     let Event::Start(tag) = event else { continue };
    ///     let tag = tag.to_owned();
    ///     if let Some(Event::End(_)) = events.peek()? {
    ///         empty.push(tag);
    ///     }
    /// }
    /// assert_eq!(empty.len(), 1);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`next_event`](Events::next_event).
    pub fn peek(&mut self) -> Result<Option<Event<'_>>, Error> {
        while !self.parser.has_event_to_peek()? {
            if !self.feed()? {
                return Ok(None);
            }
        }
        self.parser.peek()
    }

    /// Reads the next chunk from the source and feeds it to the parser. At the end of the source, tells the parser that
    /// the input has ended. Returns false if the document has already ended.
    pub(super) fn feed(&mut self) -> Result<bool, Error> {
        if self.parser.status() == Status::Finished {
            return Ok(false);
        }
        let parser = &self.parser;
        self.source.discard_before(|| {
            let current = parser
                .current()
                .map_or(u64::MAX, |event| event.span().start);
            current.min(parser.earliest_start())
        });
        match self.source.next_chunk() {
            Ok(Some(chunk)) => self.parser.feed(chunk),
            Ok(None) => self.parser.finish(),
            Err(error) if is_passing(&error) => return Err(self.parser.source_error(error)),
            Err(error) => return Err(self.parser.fail_source(error)),
        }
        Ok(true)
    }

    /// Returns the parser, for its status, its encoding and its counters.
    pub fn parser(&self) -> &Parser<D, F> {
        &self.parser
    }

    /// Converts the events to their source.
    ///
    /// ```
    /// use tagstream::{Events, ReaderSource, Xml};
    ///
    /// let mut events = Events::read(Xml::default(), &b"<a/>"[..]);
    /// events.next_event()?;
    /// let source: ReaderSource<&[u8]> = events.into_source();
    /// assert!(format!("{source:?}").contains("ReaderSource"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn into_source(self) -> S {
        self.source
    }
}

impl<D: Balance, S: Source, F: Form> Events<D, S, F> {
    /// Returns the number of open elements at the current event. The element of a start or end tag is included. While
    /// the event is borrowed, for example in a match guard, use [`StartTag::depth`](crate::StartTag::depth).
    pub fn depth(&self) -> usize
    where
        F: Tree,
    {
        self.parser.depth()
    }

    /// Returns the namespace to which a prefix is bound at the current event. An empty prefix means the default
    /// namespace. See [`Parser::resolve`](crate::Parser::resolve).
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a xmlns:p='u'><b>p:name</b></a>");
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Text(_) = event {
    ///         assert_eq!(events.resolve("p"), Some("u"));
    ///     }
    /// }
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn resolve(&self, prefix: &str) -> Option<&str>
    where
        D: Prefixed,
    {
        self.parser.resolve(prefix)
    }

    /// Returns the prefixes in scope at the current event and their namespaces. See
    /// [`Parser::namespaces`](crate::Parser::namespaces).
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let input = "<a xmlns:p='u'><p:b>1</p:b></a>";
    /// let mut events = Events::of(Xml::default(), input).record_source();
    /// while let Some(event) = events.next_event()? {
    ///     if matches!(event, Event::Start(tag) if tag.local_name() == "b") {
    ///         assert_eq!(events.namespaces(), [("p", "u")]);
    ///         assert_eq!(events.read_source()?, b"<p:b>1</p:b>");
    ///     }
    /// }
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn namespaces(&self) -> Vec<(&str, &str)>
    where
        D: Prefixed,
    {
        self.parser.namespaces()
    }

    /// Reads the element that starts with the current event and returns its text: the `textContent` of the DOM. The
    /// next event is the one after the element.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<feed><title>Tom &amp; <b>Jerry</b></title><x/></feed>");
    /// let mut titles = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "title" => titles.push(events.read_text()?),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(titles, ["Tom & Jerry"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`next_event`](Events::next_event). Returns [`ErrorKind::NoElement`] if the current
    /// event is not a start tag. In that case nothing was read, and the following events can still be requested.
    #[doc(alias = "text_content")]
    pub fn read_text(&mut self) -> Result<String, Error>
    where
        F: Tree,
    {
        let mut text = String::new();
        self.read_text_into(&mut text)?;
        Ok(text)
    }

    /// Like [`read_text`](Events::read_text), but appends the text to `text`.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a>b<!--c-->d</a>");
    /// events.next_event()?;
    /// let mut text = String::from("a");
    /// events.read_text_into(&mut text)?;
    /// assert_eq!(text, "abd");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](Events::read_text). The text read before the error is appended to
    /// `text`.
    pub fn read_text_into(&mut self, text: &mut String) -> Result<(), Error>
    where
        F: Tree,
    {
        self.pass_element(|event| {
            if let Event::Text(part) = event {
                text.push_str(part.as_str());
            }
        })
    }

    /// Reads the element that starts with the current event and returns its text as a browser shows it: the
    /// `innerText` of the DOM. The next event is the one after the element. See [`InnerText`] for the difference between
    /// this text and that of a tree.
    ///
    /// ```
    /// use tagstream::{Event, Events, Html};
    ///
    /// let markup = "<article><h1>Tom</h1> <p>and\n Jerry<script>x</script></article>";
    /// let mut events = Events::of(Html::default(), markup).balanced();
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "article" => {
    ///             assert_eq!(events.read_inner_text()?, "Tom\n\nand Jerry");
    ///         }
    ///         _ => {}
    ///     }
    /// }
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](Events::read_text).
    #[doc(alias = "innerText")]
    pub fn read_inner_text(&mut self) -> Result<String, Error>
    where
        F: Tree,
    {
        self.expect_start()?;
        let mut text = InnerText::at(self.current());
        while let Some(open) = &mut text
            && !open.is_whole()
            && let Some(event) = self.next_event()?
        {
            open.take(&event);
        }
        Ok(text.map(InnerText::into_text).unwrap_or_default())
    }

    /// Skips the element that starts with the current event. The next event is the one after the element.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a><skip><b/></skip><c/></a>");
    /// let mut names = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "skip" => events.skip_element()?,
    ///         Event::Start(tag) => names.push(tag.name().to_owned()),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(names, ["a", "c"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](Events::read_text).
    #[doc(alias = "read_to_end")]
    pub fn skip_element(&mut self) -> Result<(), Error>
    where
        F: Tree,
    {
        self.expect_start()?;
        let mut nothing = SkipByEvent(|_: &Event<'_>| false);
        let mut open = self.parser.pass_elements(1, &mut nothing);
        while open > 0
            && let Some(event) = self.next_event()?
        {
            match event {
                Event::Start(_) => open += 1,
                Event::End(_) => open -= 1,
                _ => {}
            }
            open = self.parser.pass_elements(open, &mut nothing);
        }
        Ok(())
    }

    /// Calls `take` for each event within the element, except start and end tags, and reads the end tag of the
    /// element.
    fn pass_element(&mut self, mut take: impl FnMut(&Event<'_>)) -> Result<(), Error> {
        self.expect_start()?;
        let mut depth = 1_u64;
        while depth > 0
            && let Some(event) = self.next_event()?
        {
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                _ => take(&event),
            }
        }
        Ok(())
    }

    /// Returns an error if the current event is not a start tag.
    pub(super) fn expect_start(&self) -> Result<(), Error> {
        match self.current() {
            Some(Event::Start(_)) => Ok(()),
            _ => Err(self.parser.use_error(ErrorKind::NoElement)),
        }
    }
}

/// Iterates over owned events, for programs that store them.
impl<D: Dialect, S: Source, F: Form> Iterator for Events<D, S, F> {
    type Item = Result<OwnedEvent, Error>;

    fn next(&mut self) -> Option<Result<OwnedEvent, Error>> {
        if self.parser.is_drained() && self.parser.status() == Status::Failed {
            return None;
        }
        loop {
            match self.parser.next_owned() {
                Ok(None) => match self.feed() {
                    Ok(true) => {}
                    Ok(false) => return None,
                    Err(error) => return Some(Err(error)),
                },
                found => return found.transpose(),
            }
        }
    }
}
