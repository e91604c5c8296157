//! The source of elements: [`AsyncEvents::read_source`].

use super::elements::Open;
use super::events::AsyncEvents;
use super::source::AsyncSource;
use crate::engine::dialect::{Balance, Dialect, Form, Tree};
use crate::engine::error::{Error, Span};
use crate::engine::event::Event;
use crate::stream::element::Skip;
use crate::stream::recorded::{RecordedChunk, RecordedSource};
use crate::stream::source::SourceError;
use alloc::vec::Vec;
use core::task::{Context, Poll, ready};

/// An element whose source is being read.
#[derive(Debug)]
pub(super) struct ElementSource {
    skip: Skip,
    /// The range of the element. The end is `u64::MAX` until the element has ended.
    span: Span,
}

impl ElementSource {
    /// Starts after the current event if that is a start tag. Otherwise returns `None`.
    fn at(current: Option<Event<'_>>) -> Option<ElementSource> {
        let (start, end) = (current.as_ref()?.span().start, u64::MAX);
        Some(ElementSource {
            skip: Skip::at(current)?,
            span: Span { start, end },
        })
    }

    /// Processes the next event. Returns true if the element has ended.
    pub(super) fn take(&mut self, event: &Event<'_>) -> bool {
        let has_ended = self.skip.take(event);
        if has_ended {
            self.span.end = event.span().end;
        }
        has_ended
    }

    /// Returns the offset in the input of the start of the element.
    pub(super) fn start(&self) -> u64 {
        self.span.start
    }
}

impl<S: AsyncSource> AsyncSource for RecordedSource<S> {
    type Chunk = RecordedChunk;

    fn poll_chunk(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Option<RecordedChunk>, SourceError>> {
        let chunk = ready!(self.source.poll_chunk(context))?;
        Poll::Ready(Ok(chunk.map(|chunk| self.input.record(chunk))))
    }

    fn discard_before(&mut self, offset: impl FnOnce() -> u64) {
        self.input.discard_before(offset());
    }
}

impl<D: Dialect, S: AsyncSource, F: Form> AsyncEvents<D, S, F> {
    /// Records the input, so that [`read_source`](AsyncEvents::read_source) can return the bytes of an element: see
    /// [`Events::record_source`](crate::Events::record_source). Call it before the first event is requested.
    #[must_use]
    pub fn record_source(self) -> AsyncEvents<D, RecordedSource<S>, F> {
        self.map_source(RecordedSource::new)
    }
}

impl<D: Balance, S: AsyncSource, F: Tree> AsyncEvents<D, RecordedSource<S>, F> {
    /// Reads the element that starts with the current event and returns its source: see
    /// [`Events::read_source`](crate::Events::read_source). If the future is dropped, a second call continues the same
    /// element. The buffer of the recorded input has the whole element.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Event, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let input = &b"<feed><entry  id='1'>A &amp; B</entry ></feed>"[..];
    /// let mut events = AsyncEvents::read(Xml::default(), input).record_source();
    /// let mut entries = Vec::new();
    /// while let Some(event) = events.next_event().await? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "entry" => entries.push(events.read_source().await?),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(entries, [b"<entry  id='1'>A &amp; B</entry >"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](AsyncEvents::read_text).
    pub async fn read_source(&mut self) -> Result<Vec<u8>, Error> {
        if !matches!(self.open, Some(Open::Source(_))) {
            self.open = ElementSource::at(self.current()).map(Open::Source);
        }
        self.read_open().await?;
        Ok(match self.open.take() {
            Some(Open::Source(element)) => self.source.input.get_up_to(element.span).to_vec(),
            _ => Vec::new(),
        })
    }
}
