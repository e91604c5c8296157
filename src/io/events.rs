//! Events of a source of chunks.

#[cfg(feature = "std")]
use super::source::ReaderSource;
use super::source::{ChunkItem, ChunkSource, Source, is_passing};
use crate::dialect::{AsWritten, Balance, Dialect, Form, Nested, Prefixed, Tree};
use crate::error::{Error, ErrorKind};
use crate::event::{Event, OwnedEvent};
use crate::input::chunk::Chunk;
use crate::parser::{Parser, Status};
#[cfg(feature = "tree")]
use crate::tree::Outline;
use alloc::string::String;
use core::marker::PhantomData;
use core::option;

/// The events of a source of chunks, from its beginning to its end.
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
/// In the dialects of XML they are a tree: every start has its end, in order, whatever was written. So
/// [`read_text`](Events::read_text), [`skip_element`](Events::skip_element) and
/// [`subtree`](Events::subtree) are bounded by the element. [`as_written`](Events::as_written) turns that
/// off; in HTML events are as written, until [`balanced`](Events::balanced) makes them a tree.
#[derive(Clone, Debug)]
pub struct Events<D: Dialect, S, F = <D as Dialect>::Form> {
    pub(super) parser: Parser<D>,
    source: S,
    form: PhantomData<F>,
    /// What the last subtree was like.
    #[cfg(feature = "tree")]
    pub(super) outline: Outline,
}

impl<D: Dialect, C: Chunk> Events<D, ChunkSource<option::IntoIter<C>>> {
    /// The events of a string or bytes in hand.
    ///
    /// ```
    /// use tagstream::{Events, Html};
    ///
    /// assert_eq!(Events::of(Html::default(), "<p>é").count(), 2);
    /// ```
    pub fn of(dialect: D, input: C) -> Events<D, ChunkSource<option::IntoIter<C>>> {
        Events::chunks(dialect, Some(input))
    }
}

impl<D: Dialect, I: Iterator<Item: ChunkItem>> Events<D, ChunkSource<I>> {
    /// The events of chunks of any size, or of results of chunks.
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

    /// Begins a new document, of other chunks: see [`Parser::reset`].
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

#[cfg(feature = "std")]
impl<D: Dialect, R: std::io::Read> Events<D, ReaderSource<R>> {
    /// The events of what is read from `reader`, as it comes; it needs no buffer of its own.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let mut events = Events::read(Xml::default(), &b"<a>text</a>"[..]);
    /// let mut text = String::new();
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Text(run) = event {
    ///         text.push_str(run.as_str());
    ///     }
    /// }
    /// assert_eq!(text, "text");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn read(dialect: D, reader: R) -> Events<D, ReaderSource<R>> {
        Events::from_source(dialect, ReaderSource::new(reader))
    }

    /// Begins a new document, of another reader: see [`Parser::reset`].
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::read(Xml::default(), &b"<a>text</a>"[..]);
    /// assert_eq!(events.by_ref().count(), 3);
    /// events.reset(&b"<b/>"[..]);
    /// assert_eq!(events.count(), 2);
    /// ```
    pub fn reset(&mut self, reader: R) {
        self.parser.reset();
        self.source.reader = reader;
    }
}

impl<D: Dialect, S: Source> Events<D, S> {
    /// The events of a dialect that a source of your own has.
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
        Events::with(Parser::new(dialect).prepared(D::form), source)
    }
}

impl<D: Balance, S: Source> Events<D, S, AsWritten> {
    /// Makes the events a tree: every start has its end, in order. Call it before the first event.
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
    pub fn balanced(mut self) -> Events<D, S, Nested> {
        self.parser = self.parser.prepared(D::balance);
        self.parser.reset();
        Events::with(self.parser, self.source)
    }
}

impl<D: Dialect, S: Source> Events<D, S, AsWritten> {
    /// The events that a parser of your own options finds in a source, as they are written.
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
    pub fn new(parser: Parser<D>, source: S) -> Events<D, S, AsWritten> {
        Events::with(parser, source)
    }
}

impl<D: Dialect, S: Source, F: Form> Events<D, S, F> {
    fn with(parser: Parser<D>, source: S) -> Events<D, S, F> {
        Events {
            parser,
            source,
            form: PhantomData,
            #[cfg(feature = "tree")]
            outline: Outline::default(),
        }
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
    pub fn configure(self, configure: impl FnOnce(Parser<D>) -> Parser<D>) -> Events<D, S, F> {
        Events {
            parser: configure(self.parser),
            ..self
        }
    }

    /// Leaves the events as they stand in the input: nothing is implied, nothing is matched. Call it before
    /// the first event.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// assert_eq!(Events::of(Xml::default(), "<a><b></a>").count(), 4);
    /// assert_eq!(Events::of(Xml::default(), "<a><b></a>").as_written().count(), 3);
    /// ```
    #[must_use]
    pub fn as_written(mut self) -> Events<D, S, AsWritten> {
        self.parser = self.parser.prepared(|_| {});
        self.parser.reset();
        Events::with(self.parser, self.source)
    }

    /// The event in hand: the one lent last.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a>text</a>");
    /// assert!(events.current().is_none());
    /// events.next_event()?;
    /// assert_eq!(format!("{:?}", events.current()), "Some(Start(<a>))");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn current(&self) -> Option<Event<'_>> {
        self.parser.current()
    }

    /// The next event, lent until the next call; `None` at the end of the document.
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
    /// What ends the parse, as [`Parser::next_event`] says, or the failure of the source.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        while !self.parser.has_event()? {
            if !self.feed()? {
                return Ok(None);
            }
        }
        self.parser.next_event()
    }

    /// The event that [`next_event`](Events::next_event) gives next, lent without going on to it: the event
    /// in hand stays the one lent before.
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
    /// As [`next_event`](Events::next_event).
    pub fn peek(&mut self) -> Result<Option<Event<'_>>, Error> {
        while !self.parser.has_event_to_peek()? {
            if !self.feed()? {
                return Ok(None);
            }
        }
        self.parser.peek()
    }

    /// Feeds the parser a chunk; gives whether the document goes on.
    pub(super) fn feed(&mut self) -> Result<bool, Error> {
        if self.parser.status() == Status::Finished {
            return Ok(false);
        }
        match self.source.next_chunk() {
            Ok(Some(chunk)) => self.parser.feed(chunk),
            Ok(None) => self.parser.finish(),
            Err(error) if is_passing(&error) => return Err(self.parser.source_error(error)),
            Err(error) => return Err(self.parser.fail_source(error)),
        }
        Ok(true)
    }

    /// The parser, to ask for its status, its encoding, its work.
    ///
    /// ```
    /// use tagstream::{Encoding, Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a/>");
    /// while events.next_event()?.is_some() {}
    /// assert_eq!(events.parser().encoding(), Some(Encoding::UTF_8));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn parser(&self) -> &Parser<D> {
        &self.parser
    }

    /// The source.
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
    /// How many elements are open at the event in hand: the element of a tag is one of them. In guards, where
    /// the event is lent, [`StartTag::depth`](crate::StartTag::depth) serves.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a><b>text</b></a>");
    /// let mut depths = Vec::new();
    /// while events.next_event()?.is_some() {
    ///     depths.push(events.depth());
    /// }
    /// assert_eq!(depths, [1, 2, 2, 2, 1]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn depth(&self) -> u64
    where
        F: Tree,
    {
        self.parser.depth()
    }

    /// The namespace that a prefix stands for where the event in hand stands, or the default namespace, if the
    /// prefix is empty: see [`Parser::resolve`](crate::Parser::resolve).
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

    /// The text in the element that begins with the event in hand, up to its end: the `textContent` of the
    /// DOM. The next event is what follows the element.
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
    /// As [`next_event`](Events::next_event). [`ErrorKind::NoElement`] if the event in hand is no start tag:
    /// then nothing was read, and the next event is the next event.
    pub fn read_text(&mut self) -> Result<String, Error>
    where
        F: Tree,
    {
        let mut text = String::new();
        self.read_text_into(&mut text)?;
        Ok(text)
    }

    /// The same behind what is in `text` already.
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
    /// As [`read_text`](Events::read_text); `text` has what was read before.
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

    /// Passes over the element that begins with the event in hand: the next event is what follows its end.
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
    /// As [`read_text`](Events::read_text).
    pub fn skip_element(&mut self) -> Result<(), Error>
    where
        F: Tree,
    {
        self.pass_element(|_| {})
    }

    /// Hands on the events in an element, its own end left out.
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

    /// The event in hand is to be a start tag.
    pub(super) fn expect_start(&self) -> Result<(), Error> {
        match self.current() {
            Some(Event::Start(_)) => Ok(()),
            _ => Err(self.parser.use_error(ErrorKind::NoElement)),
        }
    }
}

/// Owned events, for programs that keep them.
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
