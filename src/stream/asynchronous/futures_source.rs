//! Events from the asynchronous readers and streams of the `futures` crates, and events as a stream.

use super::events::AsyncEvents;
use super::source::{AsyncSource, chunk_from_read};
use crate::engine::dialect::{Dialect, Form};
use crate::engine::error::Error;
use crate::engine::event::OwnedEvent;
use crate::engine::parser::Status;
use crate::stream::reader::ReadBuffer;
use crate::stream::source::{ChunkItem, SourceError};
use bytes::Bytes;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::io;

impl<D: Dialect, R: futures_io::AsyncRead + Unpin> AsyncEvents<D, FuturesSource<R>> {
    /// Reads from an asynchronous reader of the `futures` crates. The reader does not need a buffer.
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
    #[doc(alias = "from_reader")]
    pub fn read_futures(dialect: D, reader: R) -> AsyncEvents<D, FuturesSource<R>> {
        AsyncEvents::from_source(dialect, FuturesSource::new(reader))
    }
}

impl<D: Dialect, S: futures_core::Stream<Item: ChunkItem> + Unpin> AsyncEvents<D, StreamSource<S>> {
    /// Reads from a stream of chunks of any size, or of results of chunks, such as the body of a response.
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
    /// A stream that is not `Unpin` has to be pinned first: `AsyncEvents::stream(dialect, std::pin::pin!(stream))`.
    #[doc(alias = "from_stream")]
    pub fn stream(dialect: D, chunks: S) -> AsyncEvents<D, StreamSource<S>> {
        AsyncEvents::from_source(dialect, StreamSource(chunks))
    }
}

/// A stream of owned events, for programs that store them.
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
impl<D: Dialect, S: AsyncSource, F: Form> futures_core::Stream for AsyncEvents<D, S, F>
where
    Self: Unpin,
{
    type Item = Result<OwnedEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
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

/// A source that reads from a reader of the `futures` crates: see
/// [`AsyncEvents::read_futures`](crate::AsyncEvents::read_futures).
#[derive(Debug)]
pub struct FuturesSource<R> {
    pub(super) reader: R,
    buffer: ReadBuffer,
}

impl<R: futures_io::AsyncRead + Unpin> FuturesSource<R> {
    pub(super) fn new(reader: R) -> FuturesSource<R> {
        let buffer = ReadBuffer::default();
        FuturesSource { reader, buffer }
    }
}

impl<R: futures_io::AsyncRead + Unpin> AsyncSource for FuturesSource<R> {
    type Chunk = Bytes;

    fn poll_chunk(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Option<Bytes>, SourceError>> {
        loop {
            let free = self.buffer.free();
            match ready!(Pin::new(&mut self.reader).poll_read(context, free)) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return Poll::Ready(chunk_from_read(&mut self.buffer, result)),
            }
        }
    }
}

/// A source that reads from a stream of chunks: see [`AsyncEvents::stream`](crate::AsyncEvents::stream).
#[derive(Clone, Debug)]
pub struct StreamSource<S>(pub(super) S);

impl<S: futures_core::Stream<Item: ChunkItem> + Unpin> AsyncSource for StreamSource<S> {
    type Chunk = <S::Item as ChunkItem>::Chunk;

    fn poll_chunk(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Option<Self::Chunk>, SourceError>> {
        let item = ready!(Pin::new(&mut self.0).poll_next(context));
        Poll::Ready(item.map(ChunkItem::chunk).transpose())
    }
}
