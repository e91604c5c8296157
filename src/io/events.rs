//! Events of a source of chunks.

#[cfg(feature = "std")]
use super::source::ReaderSource;
use super::source::{ChunkItem, ChunkSource, Source, is_passing};
use crate::build::{Subtree, To};
use crate::dialect::{Dialect, Streamable};
use crate::error::Error;
use crate::event::{Event, OwnedEvent};
use crate::input::chunk::Chunk;
use crate::parser::{Parser, Status};
use crate::tree::{Document, Outline};
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
#[derive(Clone, Debug)]
pub struct Events<D: Dialect, S> {
    parser: Parser<D>,
    source: S,
    /// What the last subtree was like.
    outline: Outline,
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
        Events::new(Parser::new(dialect), ChunkSource(chunks.into_iter()))
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
    /// while let Some(event) = events.next_event()? {
    ///     println!("{event:?}");
    /// }
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn read(dialect: D, reader: R) -> Events<D, ReaderSource<R>> {
        Events::new(Parser::new(dialect), ReaderSource::new(reader))
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
    /// The events that a parser of your own options finds in a source.
    pub fn new(parser: Parser<D>, source: S) -> Events<D, S> {
        Events {
            parser,
            source,
            outline: Outline::default(),
        }
    }

    /// Sets the options of the parser: `events.configure(|parser| parser.errors(true))`.
    #[must_use]
    pub fn configure(self, configure: impl FnOnce(Parser<D>) -> Parser<D>) -> Events<D, S> {
        Events {
            parser: configure(self.parser),
            ..self
        }
    }

    /// Lets the events be balanced, as those of [`Balanced`](crate::Balanced): every start has its end.
    /// Call it before the first event.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let mut events = Events::chunks(Xml::default(), ["<a><b></c></a>"]).balanced();
    /// let mut ends = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::End(tag) = event {
    ///         ends.push(tag.name().to_owned());
    ///     }
    /// }
    /// assert_eq!(ends, ["b", "a"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn balanced(mut self) -> Events<D, S>
    where
        D: Streamable,
    {
        self.parser = self.parser.balanced(D::balance);
        self
    }

    /// The next event, lent until the next call; `None` at the end of the document.
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

    /// The element that begins with the event in hand, as a tree, read to its end; the next event is
    /// what follows its end tag. `None` if the event in hand is no start tag. Memory is bounded by the
    /// element, however long the document. An element that the document's end cuts off is as it is.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let chunks = ["<dump><page><title>On", "e</title></page><page><title>Two</title></page></dump>"];
    /// let mut events = Events::chunks(Xml::default(), chunks);
    /// let mut titles = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Start(tag) = event
    ///         && tag.name() == "page"
    ///         && let Some(page) = events.subtree()?
    ///     {
    ///         let title = page.root_element().and_then(|page| page.children().next());
    ///         titles.push(title.map(|title| title.text_content()));
    ///     }
    /// }
    /// assert_eq!(titles, [Some("One".to_owned()), Some("Two".to_owned())]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`next_event`](Events::next_event). With [`Parser::subtree`] and a loop of your own what was
    /// read before is not lost.
    pub fn subtree(&mut self) -> Result<Option<Document>, Error>
    where
        D: Streamable,
    {
        let document = Document::following(&self.outline);
        let Some(mut subtree) = self.parser.subtree_in(document) else {
            return Ok(None);
        };
        self.fill(&mut subtree)?;
        let document = subtree.into_sink();
        self.outline = document.outline();
        Ok(Some(document))
    }

    /// The same in a document that there is: what it holds goes, and its memory is used again. Gives
    /// whether the event in hand is a start tag.
    ///
    /// ```
    /// use tagstream::{Document, Event, Events, Xml};
    ///
    /// let chunks = ["<dump><page>One</page><page>Two</page></dump>"];
    /// let mut events = Events::chunks(Xml::default(), chunks);
    /// let (mut page, mut texts) = (Document::new(), Vec::new());
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Start(tag) = event
    ///         && tag.name() == "page"
    ///     {
    ///         events.subtree_into(&mut page)?;
    ///         texts.push(page.root().text_content());
    ///     }
    /// }
    /// assert_eq!(texts, ["One", "Two"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`next_event`](Events::next_event); the document has what was read before.
    pub fn subtree_into(&mut self, document: &mut Document) -> Result<bool, Error>
    where
        D: Streamable,
    {
        document.clear();
        if !matches!(self.parser.last_event(), Some(Event::Start(_))) {
            return Ok(false);
        }
        let sink = core::mem::replace(document, Document::hollow(&self.outline));
        let Some(mut subtree) = self.parser.subtree_in(sink) else {
            return Ok(false);
        };
        let filled = self.fill(&mut subtree);
        *document = subtree.into_sink();
        filled.map(|()| true)
    }

    /// Reads a subtree to its end.
    fn fill(&mut self, subtree: &mut Subtree) -> Result<(), Error>
    where
        D: Streamable,
    {
        loop {
            while !self.parser.is_drained() {
                self.parser.pass_event(To(&mut *subtree));
                if subtree.is_whole() {
                    return Ok(());
                }
            }
            if !self.parser.has_event()? && !self.feed()? {
                return Ok(());
            }
        }
    }

    /// Feeds the parser a chunk; gives whether the document goes on.
    fn feed(&mut self) -> Result<bool, Error> {
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
    pub fn parser(&self) -> &Parser<D> {
        &self.parser
    }

    /// The source.
    pub fn into_source(self) -> S {
        self.source
    }
}

/// Owned events, for programs that keep them.
impl<D: Dialect, S: Source> Iterator for Events<D, S> {
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
