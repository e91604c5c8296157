//! Events from an asynchronous source of chunks. The futures can be dropped at any `.await` without losing events.

use super::elements::Open;
use super::source::AsyncSource;
use crate::engine::dialect::{AsWritten, Balance, Dialect, Form, Nested, Prefixed};
use crate::engine::error::Error;
use crate::engine::event::Event;
use crate::engine::parser::{Parser, Status};
use crate::stream::source::is_passing;
use crate::tree::Outline;
use core::future::poll_fn;
use core::task::{Context, Poll, ready};

/// The events of an asynchronous source of chunks: [`Events`](crate::Events) for asynchronous programs.
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
/// All methods are cancel-safe: no event is lost if a future is dropped, by `select!` or a timeout.
/// [`next_event`](AsyncEvents::next_event) and [`peek`](AsyncEvents::peek), called again, return the same event that
/// they would have returned. [`read_text`](AsyncEvents::read_text), [`skip_element`](AsyncEvents::skip_element) and
/// [`subtree`](AsyncEvents::subtree), called again, continue the same element. If `next_event` is called instead of
/// them, it returns the next event within that element.
#[derive(Debug)]
pub struct AsyncEvents<D: Dialect, S, F = <D as Dialect>::Form> {
    pub(super) parser: Parser<D, F>,
    pub(super) source: S,
    /// The approximate size and the names of the subtree that was built last. The next subtree is expected to be
    /// similar, so its memory is allocated accordingly.
    pub(super) outline: Outline,
    /// The element that a method such as `read_text` is reading. Still set after such a method's future was dropped
    /// before the end of the element; `None` otherwise.
    pub(super) open: Option<Open>,
}

/// The events can be moved after they were polled, because no field is pinned.
impl<D: Dialect, S: Unpin, F> Unpin for AsyncEvents<D, S, F> {}

impl<D: Dialect, S: AsyncSource> AsyncEvents<D, S> {
    /// Reads from a source that the program implements: see [`AsyncSource`].
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
        AsyncEvents::with(Parser::start(dialect), source)
    }
}

impl<D: Balance, S: AsyncSource> AsyncEvents<D, S, AsWritten> {
    /// Makes the events a tree: see [`Events::balanced`](crate::Events::balanced). Call it before the first event is
    /// requested.
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
    pub fn balanced(self) -> AsyncEvents<D, S, Nested> {
        AsyncEvents::with(self.parser.in_form(), self.source)
    }
}

impl<D: Dialect, S: AsyncSource, F: Form> AsyncEvents<D, S, F> {
    /// Reads from a source with a parser that the program has configured: see
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
    pub fn new(parser: Parser<D, F>, source: S) -> AsyncEvents<D, S, F> {
        AsyncEvents::with(parser, source)
    }

    fn with(parser: Parser<D, F>, source: S) -> AsyncEvents<D, S, F> {
        AsyncEvents {
            parser,
            source,
            outline: Outline::default(),
            open: None,
        }
    }

    pub(super) fn map_source<T: AsyncSource>(
        self,
        map: impl FnOnce(S) -> T,
    ) -> AsyncEvents<D, T, F> {
        AsyncEvents::with(self.parser, map(self.source))
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
    pub fn configure(self, configure: impl FnOnce(Parser<D, F>) -> Parser<D, F>) -> Self {
        AsyncEvents::with(configure(self.parser), self.source)
    }

    /// Switches to events as written: see [`Events::as_written`](crate::Events::as_written). Call it before the first
    /// event is requested.
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
    pub fn as_written(self) -> AsyncEvents<D, S, AsWritten> {
        AsyncEvents::with(self.parser.in_form(), self.source)
    }

    /// Starts a new document from another source: see [`Parser::reset`].
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

    /// Returns the current event: the one that was returned last.
    pub fn current(&self) -> Option<Event<'_>> {
        self.parser.current()
    }

    /// Returns the next event, which borrows from `self` until the next call. Returns `None` at the end of the
    /// document.
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
    /// Returns the error that ended the parse (see [`Parser::next_event`]), or the failure of the source.
    #[doc(alias = "read_event_into_async")]
    pub async fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.open = None;
        while !self.parser.has_event()? {
            if !self.feed().await? {
                return Ok(None);
            }
        }
        self.parser.next_event()
    }

    /// Returns the event that [`next_event`](AsyncEvents::next_event) will return next, without advancing: see
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
    /// Returns the same errors as [`next_event`](AsyncEvents::next_event).
    pub async fn peek(&mut self) -> Result<Option<Event<'_>>, Error> {
        while !self.parser.has_event_to_peek()? {
            if !self.feed().await? {
                return Ok(None);
            }
        }
        self.parser.peek()
    }

    /// Feeds the parser the next chunk, or finishes it at the end of the source. Returns false if the document has
    /// ended.
    pub(super) async fn feed(&mut self) -> Result<bool, Error> {
        poll_fn(|context| self.poll_feed(context)).await
    }

    pub(super) fn poll_feed(&mut self, context: &mut Context<'_>) -> Poll<Result<bool, Error>> {
        if self.parser.status() == Status::Finished {
            return Poll::Ready(Ok(false));
        }
        let (parser, open) = (&self.parser, &self.open);
        self.source.discard_before(|| {
            let current = parser.current().map(|event| event.span().start);
            let element = match open {
                Some(Open::Source(element)) => Some(element.start()),
                _ => None,
            };
            let needed = [current, element, Some(parser.earliest_start())];
            needed.into_iter().flatten().min().unwrap_or(u64::MAX)
        });
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

    /// Returns the parser, for its status, its encoding and its counters.
    pub fn parser(&self) -> &Parser<D, F> {
        &self.parser
    }

    /// Converts the events to their source.
    pub fn into_source(self) -> S {
        self.source
    }

    /// Returns the namespace to which a prefix is bound at the current event: see
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
