//! Events of a source that is waited for: the loop of `Events`, which may be left at every wait.

use super::async_elements::Open;
use super::async_source::AsyncSource;
#[cfg(feature = "tokio")]
use super::async_source::TokioSource;
#[cfg(feature = "futures")]
use super::async_source::{FuturesSource, StreamSource};
#[cfg(feature = "futures")]
use super::source::ChunkItem;
use super::source::is_passing;
use crate::dialect::{AsWritten, Balance, Dialect, Form, Nested, Prefixed};
use crate::error::Error;
use crate::event::{Event, OwnedEvent};
use crate::parser::{Parser, Status};
use crate::tree::Outline;
use core::future::poll_fn;
use core::marker::PhantomData;
use core::task::{Context, Poll, ready};

/// The events of a source that is waited for: [`Events`](crate::Events) for asynchronous programs.
///
/// ```
/// use tagstream::{AsyncEvents, Event, Xml};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), tagstream::Error> {
/// // Whatever is `tokio::io::AsyncRead`: a connection, a file, here some bytes.
/// let reader = &b"<feed><title>Tom &amp; Jerry</title></feed>"[..];
/// let mut events = AsyncEvents::read(Xml::default(), reader);
/// let mut titles = Vec::new();
/// while let Some(event) = events.next_event().await? {
///     match event {
///         Event::Start(tag) if tag.name() == "title" => titles.push(events.read_text().await?),
///         _ => {}
///     }
/// }
/// assert_eq!(titles, ["Tom & Jerry"]);
/// # Ok(())
/// # }
/// ```
///
/// Every wait may be given up: a future that is dropped, in a `select!` or by a timeout, loses nothing.
/// [`next_event`](AsyncEvents::next_event) and [`peek`](AsyncEvents::peek), called again, give what they would have given.
/// [`read_text`](AsyncEvents::read_text), [`skip_element`](AsyncEvents::skip_element) and
/// [`subtree`](AsyncEvents::subtree), called again, go on where they were left; `next_event` instead goes on with what the
/// element has next.
#[derive(Debug)]
pub struct AsyncEvents<D: Dialect, S, F = <D as Dialect>::Form> {
    pub(super) parser: Parser<D>,
    source: S,
    form: PhantomData<F>,
    /// What the last subtree was like.
    pub(super) outline: Outline,
    /// What was begun, and perhaps left.
    pub(super) open: Option<Open>,
}

/// Nothing in it is ever pinned.
impl<D: Dialect, S: Unpin, F> Unpin for AsyncEvents<D, S, F> {}

#[cfg(feature = "tokio")]
impl<D: Dialect, R: tokio::io::AsyncRead + Unpin> AsyncEvents<D, TokioSource<R>> {
    /// The events of what is read from a reader of tokio's, as it comes; it needs no buffer of its own.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Html};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Html::default(), &b"<p>text"[..]);
    /// assert_eq!(format!("{:?}", events.next_event().await?), "Some(Start(<p>))");
    /// # Ok(())
    /// # }
    /// ```
    pub fn read(dialect: D, reader: R) -> AsyncEvents<D, TokioSource<R>> {
        AsyncEvents::from_source(dialect, TokioSource::new(reader))
    }
}

#[cfg(feature = "futures")]
impl<D: Dialect, R: futures_io::AsyncRead + Unpin> AsyncEvents<D, FuturesSource<R>> {
    /// The events of what is read from a reader of the `futures` crates, as it comes; it needs no buffer of its own.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Html};
    ///
    /// # futures::executor::block_on(async {
    /// let mut events = AsyncEvents::read_futures(Html::default(), &b"<p>text"[..]);
    /// assert_eq!(format!("{:?}", events.next_event().await?), "Some(Start(<p>))");
    /// # Ok::<(), tagstream::Error>(())
    /// # })?;
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn read_futures(dialect: D, reader: R) -> AsyncEvents<D, FuturesSource<R>> {
        AsyncEvents::from_source(dialect, FuturesSource::new(reader))
    }
}

#[cfg(feature = "futures")]
impl<D: Dialect, S: futures_core::Stream<Item: ChunkItem> + Unpin> AsyncEvents<D, StreamSource<S>> {
    /// The events of a stream of chunks of any size, or of results of chunks, such as the body of a response.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # futures::executor::block_on(async {
    /// let chunks = futures::stream::iter([Ok("<a>te"), Err(std::io::Error::other("cut off"))]);
    /// let mut events = AsyncEvents::stream(Xml::default(), chunks);
    /// assert_eq!(format!("{:?}", events.next_event().await?), "Some(Start(<a>))");
    /// assert!(events.next_event().await.is_err());
    /// # Ok::<(), tagstream::Error>(())
    /// # })?;
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// A stream that must not move is pinned first: `AsyncEvents::stream(dialect, std::pin::pin!(stream))`.
    pub fn stream(dialect: D, chunks: S) -> AsyncEvents<D, StreamSource<S>> {
        AsyncEvents::from_source(dialect, StreamSource(chunks))
    }
}

impl<D: Dialect, S: AsyncSource> AsyncEvents<D, S> {
    /// The events of a dialect that a source of your own has: see [`AsyncSource`].
    ///
    /// ```
    /// use std::task::{Context, Poll};
    /// use tagstream::{AsyncEvents, AsyncSource, SourceError, Xml};
    ///
    /// struct Once(Option<&'static str>);
    ///
    /// impl AsyncSource for Once {
    ///     type Chunk = &'static str;
    ///
    ///     fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Result<Option<&'static str>, SourceError>> {
    ///         Poll::Ready(Ok(self.0.take()))
    ///     }
    /// }
    ///
    /// # futures::executor::block_on(async {
    /// let mut events = AsyncEvents::from_source(Xml::default(), Once(Some("<a/>")));
    /// assert!(events.next_event().await?.is_some());
    /// # Ok::<(), tagstream::Error>(())
    /// # })?;
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn from_source(dialect: D, source: S) -> AsyncEvents<D, S> {
        AsyncEvents::with(Parser::new(dialect).prepared(D::form), source)
    }
}

impl<D: Balance, S: AsyncSource> AsyncEvents<D, S, AsWritten> {
    /// Makes the events a tree: see [`Events::balanced`](crate::Events::balanced). Call it before the first event.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Event, Html};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let list = &b"<ul><li>Tom<li>Jerry</ul>"[..];
    /// let mut events = AsyncEvents::read(Html::default(), list).balanced();
    /// let mut items = Vec::new();
    /// while let Some(event) = events.next_event().await? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "li" => items.push(events.read_text().await?),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(items, ["Tom", "Jerry"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn balanced(mut self) -> AsyncEvents<D, S, Nested> {
        self.parser = self.parser.prepared(D::balance);
        self.parser.reset();
        AsyncEvents::with(self.parser, self.source)
    }
}

impl<D: Dialect, S: AsyncSource> AsyncEvents<D, S, AsWritten> {
    /// The events that a parser of your own options finds in a source, as they are written: see
    /// [`Events::new`](crate::Events::new).
    ///
    /// ```
    /// use std::task::{Context, Poll};
    /// use tagstream::{AsyncEvents, AsyncSource, Parser, SourceError, TextPolicy, Xml};
    ///
    /// struct Numbers(u8);
    ///
    /// impl AsyncSource for Numbers {
    ///     type Chunk = String;
    ///
    ///     fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Result<Option<String>, SourceError>> {
    ///         self.0 += 1;
    ///         Poll::Ready(Ok((self.0 < 4).then(|| self.0.to_string())))
    ///     }
    /// }
    ///
    /// # futures::executor::block_on(async {
    /// let parser = Parser::new(Xml::default()).text(TextPolicy::Pieces);
    /// let mut events = AsyncEvents::new(parser, Numbers(0));
    /// assert_eq!(format!("{:?}", events.next_event().await?), "Some(Text(\"1\"))");
    /// # Ok::<(), tagstream::Error>(())
    /// # })?;
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn new(parser: Parser<D>, source: S) -> AsyncEvents<D, S, AsWritten> {
        AsyncEvents::with(parser, source)
    }
}

impl<D: Dialect, S: AsyncSource, F: Form> AsyncEvents<D, S, F> {
    fn with(parser: Parser<D>, source: S) -> AsyncEvents<D, S, F> {
        AsyncEvents {
            parser,
            source,
            form: PhantomData,
            outline: Outline::default(),
            open: None,
        }
    }

    /// Sets the options of the parser: see [`Events::configure`](crate::Events::configure).
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Event, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let events = AsyncEvents::read(Xml::default(), &b"<a b=c>"[..]);
    /// let mut events = events.configure(|parser| parser.report_errors(true));
    /// assert!(matches!(events.next_event().await?, Some(Event::ParseError(_))));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn configure(self, configure: impl FnOnce(Parser<D>) -> Parser<D>) -> Self {
        AsyncEvents::with(configure(self.parser), self.source)
    }

    /// Leaves the events as they stand in the input: see [`Events::as_written`](crate::Events::as_written). Call it
    /// before the first event.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a><b></a>"[..]).as_written();
    /// let mut count = 0;
    /// while events.next_event().await?.is_some() {
    ///     count += 1;
    /// }
    /// assert_eq!(count, 3);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn as_written(mut self) -> AsyncEvents<D, S, AsWritten> {
        self.parser = self.parser.prepared(|_| {});
        self.parser.reset();
        AsyncEvents::with(self.parser, self.source)
    }

    /// Begins a new document, of another source: see [`Parser::reset`].
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a/>"[..]);
    /// while events.next_event().await?.is_some() {}
    /// let other = AsyncEvents::read(Xml::default(), &b"<b/>"[..]);
    /// events.reset(other.into_source());
    /// assert_eq!(format!("{:?}", events.next_event().await?), "Some(Start(<b/>))");
    /// # Ok(())
    /// # }
    /// ```
    pub fn reset(&mut self, source: S) {
        self.parser.reset();
        self.source = source;
        self.open = None;
    }

    /// The event in hand: the one lent last.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a>text</a>"[..]);
    /// assert!(events.current().is_none());
    /// events.next_event().await?;
    /// assert_eq!(format!("{:?}", events.current()), "Some(Start(<a>))");
    /// # Ok(())
    /// # }
    /// ```
    pub fn current(&self) -> Option<Event<'_>> {
        self.parser.current()
    }

    /// The next event, lent until the next call; `None` at the end of the document.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (mut sender, receiver) = tokio::io::duplex(64);
    /// let mut events = AsyncEvents::read(Xml::default(), receiver);
    /// tokio::io::AsyncWriteExt::write_all(&mut sender, b"<a").await?;
    /// tokio::select! {
    ///     biased;
    ///     _ = events.next_event() => unreachable!("the tag has no end yet"),
    ///     () = std::future::ready(()) => {}
    /// }
    /// tokio::io::AsyncWriteExt::write_all(&mut sender, b"/>").await?;
    /// assert_eq!(format!("{:?}", events.next_event().await?), "Some(Start(<a/>))");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// What ends the parse, as [`Parser::next_event`] says, or the failure of the source.
    pub async fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.open = None;
        while !self.parser.has_event()? {
            if !self.feed().await? {
                return Ok(None);
            }
        }
        self.parser.next_event()
    }

    /// The event that [`next_event`](AsyncEvents::next_event) gives next, lent without going on to it: see
    /// [`Events::peek`](crate::Events::peek).
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Event, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a/>"[..]);
    /// events.next_event().await?;
    /// assert!(matches!(events.peek().await?, Some(Event::End(_))));
    /// assert!(matches!(events.current(), Some(Event::Start(_))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`next_event`](AsyncEvents::next_event).
    pub async fn peek(&mut self) -> Result<Option<Event<'_>>, Error> {
        while !self.parser.has_event_to_peek()? {
            if !self.feed().await? {
                return Ok(None);
            }
        }
        self.parser.peek()
    }

    /// Feeds the parser a chunk, once it is there; gives whether the document goes on.
    pub(super) async fn feed(&mut self) -> Result<bool, Error> {
        poll_fn(|context| self.poll_feed(context)).await
    }

    fn poll_feed(&mut self, context: &mut Context<'_>) -> Poll<Result<bool, Error>> {
        if self.parser.status() == Status::Finished {
            return Poll::Ready(Ok(false));
        }
        Poll::Ready(match ready!(self.source.poll_chunk(context)) {
            Ok(Some(chunk)) => {
                self.parser.feed(chunk);
                Ok(true)
            }
            Ok(None) => {
                self.parser.finish();
                Ok(true)
            }
            Err(error) if is_passing(&error) => Err(self.parser.source_error(error)),
            Err(error) => Err(self.parser.fail_source(error)),
        })
    }

    /// The parser, to ask for its status, its encoding, its work.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Encoding, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a/>"[..]);
    /// while events.next_event().await?.is_some() {}
    /// assert_eq!(events.parser().encoding(), Some(Encoding::UTF_8));
    /// # Ok(())
    /// # }
    /// ```
    pub fn parser(&self) -> &Parser<D> {
        &self.parser
    }

    /// The source.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, TokioSource, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a/>"[..]);
    /// events.next_event().await?;
    /// let source: TokioSource<&[u8]> = events.into_source();
    /// assert!(format!("{source:?}").contains("TokioSource"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn into_source(self) -> S {
        self.source
    }

    /// The namespace that a prefix stands for where the event in hand stands: see
    /// [`Parser::resolve`](crate::Parser::resolve).
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a xmlns:p='u'>p:name</a>"[..]);
    /// events.next_event().await?;
    /// assert_eq!(events.resolve("p"), Some("u"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn resolve(&self, prefix: &str) -> Option<&str>
    where
        D: Prefixed,
    {
        self.parser.resolve(prefix)
    }
}

/// Owned events, for programs that keep them or hand them on.
///
/// ```
/// use futures::StreamExt;
/// use tagstream::{AsyncEvents, Xml};
///
/// # futures::executor::block_on(async {
/// let chunks = futures::stream::iter(["<a>te", "xt</a>"]);
/// let events = AsyncEvents::stream(Xml::default(), chunks);
/// assert_eq!(events.map(|event| format!("{:?}", event)).collect::<Vec<_>>().await.len(), 3);
/// # });
/// ```
#[cfg(feature = "futures")]
impl<D: Dialect, S: AsyncSource, F: Form> futures_core::Stream for AsyncEvents<D, S, F>
where
    Self: Unpin,
{
    type Item = Result<OwnedEvent, Error>;

    fn poll_next(
        mut self: core::pin::Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Self::Item>> {
        let events = &mut *self;
        events.open = None;
        if events.parser.is_drained() && events.parser.status() == Status::Failed {
            return Poll::Ready(None);
        }
        loop {
            match events.parser.next_owned() {
                Ok(None) => match ready!(events.poll_feed(context)) {
                    Ok(true) => {}
                    Ok(false) => return Poll::Ready(None),
                    Err(error) => return Poll::Ready(Some(Err(error))),
                },
                found => return Poll::Ready(found.transpose()),
            }
        }
    }
}
