//! [`OwnedEvent`]: an event that does not borrow from its parser.

use super::borrowed::Event;
use super::owned_data::EventCopy;
use super::part::{Holder, ParserData, Part};
use crate::engine::error::Span;
use alloc::sync::Arc;
use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};

/// An event that owns its strings. It can be stored, serialized and sent to another thread.
/// [`event`](OwnedEvent::event) borrows the [`Event`](super::Event), on which a program can match.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<a b='c'>");
/// let owned = parser.next().unwrap()?;
/// drop(parser);
/// let Event::Start(tag) = owned.event() else { panic!() };
/// assert_eq!(tag.attribute("b"), Some("c"));
/// # Ok::<(), tagstream::Error>(())
/// ```
///
/// # Memory
///
/// An owned event is usually a copy of one event. A program that makes owned events of most events gets another form,
/// which is several times faster: the parser copies about 128 events at once, and the owned events of these share that
/// copy. The copy has at most 64 KiB, besides 4 KiB of fixed size, and is freed with the last owned event that refers to
/// it. A program that makes owned events of all events, but stores few of them for long, can store copies that
/// refer to nothing else:
///
/// ```
/// use tagstream::{Event, Events, OwnedEvent, Xml};
///
/// let mut comments: Vec<OwnedEvent> = Vec::new();
/// for event in Events::of(Xml::default(), "<a><!--one--><b/><!--two--></a>") {
///     let event = event?;
///     if let Event::Comment(comment) = event.event() {
///         comments.push(event.event().to_owned());
///     }
/// }
/// assert_eq!(comments.len(), 2);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone)]
pub struct OwnedEvent(Contents);

/// The data of an owned event.
#[derive(Clone)]
enum Contents {
    Copy(EventCopy),
    /// A copy of a batch, and the index of the event's record in it.
    InBatch(Arc<ParserData>, u32),
}

impl OwnedEvent {
    /// Creates an owned event of a borrowed event.
    pub(crate) fn of(part: Part<'_>) -> OwnedEvent {
        if let Holder::Parser(data) = part.holder
            && let Some((batch, index)) = data.shared(part.record)
        {
            return OwnedEvent(Contents::InBatch(batch, index));
        }
        OwnedEvent::from(EventCopy::new(part))
    }

    /// Replaces this event by a copy of a borrowed event. The memory of its strings is reused.
    pub(super) fn assign(&mut self, part: Part<'_>) {
        match &mut self.0 {
            Contents::Copy(copy) => copy.assign(part),
            Contents::InBatch(..) => *self = OwnedEvent::from(EventCopy::new(part)),
        }
    }

    /// Returns the borrowed event.
    #[inline]
    pub fn event(&self) -> Event<'_> {
        Event::of(self.part())
    }

    #[inline]
    pub(super) fn part(&self) -> Part<'_> {
        match &self.0 {
            Contents::Copy(copy) => copy.part(),
            Contents::InBatch(batch, index) => Part {
                record: &batch.queue.records[*index as usize],
                holder: Holder::Parser(batch),
            },
        }
    }

    /// Returns the range of bytes of the event in the input.
    pub fn span(&self) -> Span {
        self.event().span()
    }
}

// The copy of a batch never changes, so that a panic cannot leave it in an inconsistent state. The compiler cannot derive
// this, because its type has a field for an error of the program, which no copy has.
impl UnwindSafe for OwnedEvent {}
impl RefUnwindSafe for OwnedEvent {}

impl From<EventCopy> for OwnedEvent {
    fn from(copy: EventCopy) -> OwnedEvent {
        OwnedEvent(Contents::Copy(copy))
    }
}

impl fmt::Debug for OwnedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.event().fmt(f)
    }
}
