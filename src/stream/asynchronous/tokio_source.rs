//! Events from the asynchronous readers of `tokio`.

use super::events::AsyncEvents;
use super::source::{AsyncSource, chunk_from_read};
use crate::engine::dialect::Dialect;
use crate::stream::reader::ReadBuffer;
use crate::stream::source::SourceError;
use bytes::Bytes;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::io;

impl<D: Dialect, R: tokio::io::AsyncRead + Unpin> AsyncEvents<D, TokioSource<R>> {
    /// Reads from an asynchronous reader of `tokio`. The reader does not need a buffer.
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
    #[doc(alias("from_reader", "from_file"))]
    pub fn read(dialect: D, reader: R) -> AsyncEvents<D, TokioSource<R>> {
        AsyncEvents::from_source(dialect, TokioSource::new(reader))
    }
}

/// A source that reads from a reader of `tokio`: see [`AsyncEvents::read`](crate::AsyncEvents::read).
#[derive(Debug)]
pub struct TokioSource<R> {
    pub(super) reader: R,
    buffer: ReadBuffer,
}

impl<R: tokio::io::AsyncRead + Unpin> TokioSource<R> {
    pub(super) fn new(reader: R) -> TokioSource<R> {
        let buffer = ReadBuffer::default();
        TokioSource { reader, buffer }
    }
}

impl<R: tokio::io::AsyncRead + Unpin> AsyncSource for TokioSource<R> {
    type Chunk = Bytes;

    fn poll_chunk(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Option<Bytes>, SourceError>> {
        loop {
            let mut free = tokio::io::ReadBuf::new(self.buffer.free());
            let result = ready!(Pin::new(&mut self.reader).poll_read(context, &mut free));
            let read = free.filled().len();
            match result {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => {
                    return Poll::Ready(chunk_from_read(&mut self.buffer, result.map(|()| read)));
                }
            }
        }
    }
}
