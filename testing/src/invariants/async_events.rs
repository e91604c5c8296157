//! Checks that asynchronous events are the same as those of a source that is always ready, even if waits are cancelled.

use crate::draws;
use crate::random::Random;
use crate::random_cases::{Drawn, Feed, RandomTest, Verdict};
use crate::rewriting::tree::Tested;
use crate::tree_formats::TreeFormats as _;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tagstream::{
    AsyncEvents, AsyncSource, Balance, Dialect, Document, Event, Events, Html, LeafXml, MicroXml,
    Nested, Parser, Sky, SourceError, Status, Xml,
};

/// The seed of the calls.
type Plan = u64;

/// The tests of all dialects.
pub const TESTS: [RandomTest<Plan>; 5] = [
    kind(
        "html/waiting",
        |random| drawn(random, Tested::Html),
        |plan, feed, input| of(&Html::default(), *plan, feed, input),
    ),
    kind(
        "xml/waiting",
        |random| drawn(random, Tested::Xml),
        |plan, feed, input| of(&Xml::default(), *plan, feed, input),
    ),
    kind(
        "microxml/waiting",
        |random| drawn(random, Tested::MicroXml),
        |plan, feed, input| of(&MicroXml::default(), *plan, feed, input),
    ),
    kind(
        "sky/waiting",
        |random| drawn(random, Tested::Sky),
        |plan, feed, input| of(&Sky::fragment(), *plan, feed, input),
    ),
    kind(
        "leafxml/waiting",
        |random| drawn(random, Tested::LeafXml),
        |plan, feed, input| of(&LeafXml::default(), *plan, feed, input),
    ),
];

const fn kind(
    name: &'static str,
    draw: fn(&mut Random) -> Drawn<Plan>,
    check: fn(&Plan, Feed, &[u8]) -> Result<Verdict, String>,
) -> RandomTest<Plan> {
    RandomTest {
        name,
        quick: 200,
        full: 1_000,
        draw,
        check,
        other: [0, 0],
        shrinks: true,
    }
}

/// Draws a document, a few of them long.
fn drawn(random: &mut Random, dialect: Tested) -> Drawn<Plan> {
    let longest = draws::document_length(random);
    (random.number(), draws::document(random, dialect, longest))
}

/// The next call to make.
#[derive(Clone, Copy)]
enum Step {
    Next,
    Peek,
    Text,
    Skip,
    Subtree,
    SubtreeInto,
}

/// Draws the next call. At some start tags, elements are skipped or read as a whole. Such calls are errors at any other
/// event, and are sometimes drawn there too.
fn step(random: &mut Random, current: Option<Event<'_>>) -> Step {
    let few = match current {
        Some(Event::Start(_)) => 8,
        _ => 40,
    };
    match random.below(few) {
        0 => Step::Text,
        1 => Step::Skip,
        2 if random.one_in(2) => Step::Subtree,
        2 => Step::SubtreeInto,
        3 => Step::Peek,
        _ => Step::Next,
    }
}

fn of<D: Balance>(dialect: &D, plan: Plan, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let expected = ready(dialect, plan, feed, input);
    for how in [How::Patient, How::GivesUp] {
        let found = waiting(dialect, plan, feed, input, how);
        if found != expected {
            return Err(format!("{how:?}:\n{found:#?}\nnot\n{expected:#?}"));
        }
    }
    Ok(Verdict::Right)
}

/// Configures a parser.
fn options<D: Dialect>(feed: Feed) -> impl FnOnce(Parser<D, Nested>) -> Parser<D, Nested> {
    move |parser| {
        let parser = parser.limits(feed.limits).report_errors(true);
        parser.inspect_sizes(feed.sizes)
    }
}

/// Returns the result of a loop whose source is always ready.
fn ready<D: Balance>(dialect: &D, plan: Plan, feed: Feed, input: &[u8]) -> Vec<String> {
    let events = Events::chunks(dialect.clone(), feed.chunks(input));
    let mut events = events.as_written().balanced().configure(options(feed));
    let (mut random, mut seen) = (Random(plan), Vec::new());
    let mut document = Document::new();
    loop {
        let told = match step(&mut random, events.current()) {
            Step::Next => events.next_event().map(shown),
            Step::Peek => events.peek().map(shown),
            Step::Text => events.read_text(),
            Step::Skip => events.skip_element().map(|()| "skipped".to_owned()),
            Step::Subtree => events.subtree().map(|tree| tree.to_canonical()),
            Step::SubtreeInto => {
                let read = events.subtree_into(&mut document);
                Ok(format!("{read:?} {}", document.to_canonical()))
            }
        };
        seen.push(match told {
            Ok(told) => format!("{} {told}", events.depth()),
            Err(error) => format!("{} {error}", events.depth()),
        });
        if matches!(events.parser().status(), Status::Finished | Status::Failed) {
            return seen;
        }
    }
}

/// How the test treats a future that is pending.
#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    /// Polls the future until it is ready.
    Patient,
    /// Drops the future and makes a new one.
    GivesUp,
}

/// Returns the result of a loop whose source is pending once before each chunk and before the end.
fn waiting<D: Balance>(dialect: &D, plan: Plan, feed: Feed, input: &[u8], how: How) -> Vec<String> {
    let source = Hesitating(feed.chunks(input), false);
    let events = AsyncEvents::from_source(dialect.clone(), source);
    let mut events = events.as_written().balanced().configure(options(feed));
    let (mut random, mut seen) = (Random(plan), Vec::new());
    let mut context = Context::from_waker(Waker::noop());
    let mut document = Document::new();
    loop {
        let step = step(&mut random, events.current());
        let told = loop {
            let polled = {
                let mut future = pin!(async {
                    match step {
                        Step::Next => events.next_event().await.map(shown),
                        Step::Peek => events.peek().await.map(shown),
                        Step::Text => events.read_text().await,
                        Step::Skip => events.skip_element().await.map(|()| "skipped".to_owned()),
                        Step::Subtree => events.subtree().await.map(|tree| tree.to_canonical()),
                        Step::SubtreeInto => {
                            let read = events.subtree_into(&mut document).await;
                            Ok(format!("{read:?} {}", document.to_canonical()))
                        }
                    }
                });
                let mut polled = future.as_mut().poll(&mut context);
                while polled.is_pending() && how == How::Patient {
                    polled = future.as_mut().poll(&mut context);
                }
                polled
            };
            if let Poll::Ready(told) = polled {
                break told;
            }
            // A document whose element is unfinished is empty.
            assert!(document.root_element().is_none() || !matches!(step, Step::SubtreeInto));
        };
        seen.push(match told {
            Ok(told) => format!("{} {told}", events.depth()),
            Err(error) => format!("{} {error}", events.depth()),
        });
        if matches!(events.parser().status(), Status::Finished | Status::Failed) {
            return seen;
        }
    }
}

fn shown(event: Option<Event<'_>>) -> String {
    match event {
        Some(event) => format!("{:?} {event:?}", event.span()),
        None => "nothing".to_owned(),
    }
}

/// A source that is pending once before each chunk and before the end.
struct Hesitating<I>(I, bool);

impl<'i, I: Iterator<Item = &'i [u8]>> AsyncSource for Hesitating<I> {
    type Chunk = &'i [u8];

    fn poll_chunk(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Option<&'i [u8]>, SourceError>> {
        self.1 = !self.1;
        if self.1 {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Ok(self.0.next()))
    }
}
