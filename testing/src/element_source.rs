//! The source of elements: the ranges of the elements in the events, and the bytes that `read_source` returns, also with
//! random cuts and asynchronously.

use crate::random::Random;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tagstream::{
    AsyncEvents, AsyncSource, Balance, Error, Event, Events, Parser, Source, SourceError, Span,
};

/// Returns the range from the start of the start tag to the end of the end tag of each element that has ended, in the
/// order of the start tags, and the number of elements around it. After an error, such as that of a strict dialect, the
/// open elements have not ended, and the list ends before the first of them.
#[must_use]
pub fn spans<D: Balance>(dialect: &D, input: &[u8]) -> Vec<(Span, usize)> {
    let mut parser = Parser::new(dialect.clone()).balanced();
    parser.feed(input);
    parser.finish();
    let (mut spans, mut open) = (Vec::new(), Vec::new());
    while let Ok(Some(event)) = parser.next_event() {
        match event {
            Event::Start(tag) => {
                let depth = open.len();
                open.push(spans.len());
                spans.push((tag.span(), depth));
            }
            Event::End(tag) => {
                if let Some(index) = open.pop() {
                    let (span, _): &mut (Span, usize) = &mut spans[index];
                    span.end = tag.span().end;
                }
            }
            _ => {}
        }
    }
    spans.truncate(open.first().copied().unwrap_or(spans.len()));
    spans
}

/// Chunks of random sizes. As an asynchronous source, it has no chunk at every other call.
#[derive(Debug)]
struct Chunks<'a> {
    rest: &'a [u8],
    random: Random,
    /// The size of the largest chunk.
    largest: usize,
    is_pending: bool,
}

impl<'a> Chunks<'a> {
    fn new(input: &'a [u8], random: &mut Random) -> Chunks<'a> {
        Chunks {
            rest: input,
            random: Random(random.number()),
            largest: [1, 2, 5, 50, 1000][random.below(5)],
            is_pending: false,
        }
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        let size = self.rest.len().min(1 + self.random.below(self.largest));
        let chunk;
        (chunk, self.rest) = self.rest.split_at(size);
        (size > 0).then_some(chunk)
    }
}

impl<'a> Source for Chunks<'a> {
    type Chunk = &'a [u8];

    fn next_chunk(&mut self) -> Result<Option<&'a [u8]>, SourceError> {
        Ok(self.next())
    }
}

impl<'a> AsyncSource for Chunks<'a> {
    type Chunk = &'a [u8];

    fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Result<Option<&'a [u8]>, SourceError>> {
        self.is_pending = !self.is_pending;
        match self.is_pending {
            true => Poll::Pending,
            false => Poll::Ready(Ok(self.next())),
        }
    }
}

/// Compares the source of each element with its range, for random cuts: by `Events` and by `AsyncEvents`. The futures of
/// the latter are dropped while they wait. Returns the number of elements.
///
/// # Errors
///
/// Returns a description of the first source that differs.
pub fn check_sources<D: Balance>(
    dialect: &D,
    input: &[u8],
    random: &mut Random,
) -> Result<usize, String> {
    let spans = spans(dialect, input);
    let depths = spans.iter().map(|(_, depth)| depth + 1).max().unwrap_or(0);
    for depth in 0..depths {
        let wanted = spans.iter().filter(|(_, one)| *one == depth);
        let wanted: Vec<&[u8]> = wanted
            .map(|(span, _)| &input[span.start as usize..span.end as usize])
            .collect();
        let parser = || Parser::new(dialect.clone()).balanced();
        let events = Events::new(parser(), Chunks::new(input, random)).record_source();
        let read = sources(events, depth, wanted.len());
        let events = AsyncEvents::new(parser(), Chunks::new(input, random)).record_source();
        let read_async = async_sources(events, depth, wanted.len());
        for (how, found) in [("Events", read), ("AsyncEvents", read_async)] {
            let found = found.map_err(|error| error.to_string())?;
            if found != wanted {
                let shown = |list: &[Vec<u8>]| -> Vec<String> {
                    list.iter()
                        .map(|one| one.escape_ascii().to_string())
                        .collect()
                };
                let wanted: Vec<Vec<u8>> = wanted.iter().map(|one| one.to_vec()).collect();
                let (found, wanted) = (shown(&found), shown(&wanted));
                let input = input.escape_ascii();
                return Err(format!(
                    "{how}, depth {depth}: {found:?}\nexpected {wanted:?}\ninput {input}"
                ));
            }
        }
    }
    Ok(spans.len())
}

/// Returns the source of the first elements that have `depth` elements around them.
fn sources<D: Balance, S: Source>(
    mut events: Events<D, tagstream::RecordedSource<S>, tagstream::Nested>,
    depth: usize,
    count: usize,
) -> Result<Vec<Vec<u8>>, Error> {
    let (mut found, mut open) = (Vec::new(), 0);
    while found.len() < count
        && let Some(event) = events.next_event()?
    {
        match event {
            Event::Start(_) if open == depth => found.push(events.read_source()?),
            Event::Start(_) => open += 1,
            Event::End(_) => open -= 1,
            _ => {}
        }
    }
    Ok(found)
}

/// Like [`sources`]. Each future is dropped when it waits, and the method is called again.
fn async_sources<D: Balance, S: AsyncSource>(
    mut events: AsyncEvents<D, tagstream::RecordedSource<S>, tagstream::Nested>,
    depth: usize,
    count: usize,
) -> Result<Vec<Vec<u8>>, Error> {
    let (mut found, mut open) = (Vec::new(), 0);
    while found.len() < count {
        let is_start = match polled(events.next_event()) {
            None => continue,
            Some(event) => match event? {
                Some(Event::Start(_)) if open == depth => true,
                Some(Event::Start(_)) => {
                    open += 1;
                    false
                }
                Some(Event::End(_)) => {
                    open -= 1;
                    false
                }
                Some(_) => false,
                None => break,
            },
        };
        if is_start {
            let mut waits = core::iter::repeat_with(|| polled(events.read_source()));
            found.push(
                waits
                    .find_map(|source| source)
                    .expect("an endless iterator")?,
            );
        }
    }
    Ok(found)
}

/// Polls a future once, and drops it. Returns `None` if it waits.
fn polled<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
