//! The parser: chunks in, events out.

#[cfg(feature = "checkpoints")]
mod checkpoint;
mod entity;
mod failure;
mod inserted;
mod passed;
mod refill;
mod resolve;
mod status;

pub use status::{Status, TextPolicy};

use crate::dialect::{Dialect, Machine};
use crate::error::{Error, ErrorCode};
use crate::event::record::{Kind, Payload, Queue, Record};
use crate::event::strings::Str;
use crate::event::{Event, Held, Holder, OwnedEvent, Part, Receive, lend};
use crate::input::Input;
use crate::input::Mark;
use crate::input::chunk::{Chunk, Given};
use crate::input::encoding::Encoding;
use crate::input::raw::Side;
#[cfg(feature = "inspect")]
use crate::input::sizes::Sizes;
use crate::limits::{Limits, Stats};
use alloc::vec::Vec;
use core::ops::Range;

/// What the events of a batch may add to a tree at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    pub(crate) events: usize,
    pub(crate) attributes: usize,
    /// Bytes of all names, values and character data.
    pub(crate) bytes: usize,
}

/// Prepares a machine for what reads its events.
pub(crate) type Prepare<D> = fn(&mut <D as Dialect>::Machine);

/// A streaming pull parser: feed chunks of bytes, ask for events.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// let mut names = Vec::new();
/// for chunk in ["<feed><ent", "ry>1</entry></fe", "ed>"] {
///     parser.feed(chunk);
///     while let Some(event) = parser.next_event()? {
///         if let Event::Start(tag) = event {
///             names.push(tag.name().to_owned());
///         }
///     }
/// }
/// parser.finish();
/// while let Some(event) = parser.next_event()? {
///     println!("{event:?}");
/// }
/// assert_eq!(names, ["feed", "entry"]);
/// # Ok::<(), tagstream::Error>(())
/// ```
///
/// `feed` and `finish` never fail and never parse: [`next_event`](Parser::next_event) does the work.
///
/// A parser can be cloned at any time, to try something and to come back. The clone goes on from the same byte,
/// by itself:
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::strict());
/// parser.feed("<a>");
/// parser.next_event()?;
/// let before = parser.clone();
/// parser.feed("</b>");
/// assert!(parser.next_event().is_err());
///
/// parser = before;
/// parser.feed("</a>");
/// assert!(matches!(parser.next_event()?, Some(Event::End(_))));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Parser<D: Dialect> {
    dialect: D,
    machine: D::Machine,
    /// What makes its events a tree; what lets it wait for a host.
    balance: Prepare<D>,
    host: Prepare<D>,
    held: Held,
    limits: Limits,
    policy: TextPolicy,
    error: Option<Error>,
    fed_late: bool,
    /// The bytes of the entity that is being answered for, so far.
    entity: Vec<u8>,
    is_entity_too_long: bool,
    /// Its first piece was a string.
    is_entity_text: bool,
    /// All that was fed has been asked for.
    is_dry: bool,
    /// The event gone to last, if the batch in hand was made to look at the one behind it: as long as
    /// none of the batch was gone to.
    in_hand: Option<OwnedEvent>,
    /// What was asked for last was not there: no event is in hand.
    is_past: bool,
}

impl<D: Dialect> Parser<D> {
    /// A parser at the start of an input.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::strict());
    /// parser.feed("<a>text</a>");
    /// parser.finish();
    /// assert_eq!(parser.count(), 3);
    /// ```
    pub fn new(dialect: D) -> Parser<D> {
        let (mut machine, limits) = (dialect.machine(), dialect.limits());
        machine.set_limits(&limits);
        Parser {
            dialect,
            machine,
            balance: |_| {},
            host: |_| {},
            held: Held {
                input: Input::new(),
                queue: Queue::new(),
            },
            limits,
            policy: TextPolicy::Whole,
            error: None,
            fed_late: false,
            entity: Vec::new(),
            is_entity_too_long: false,
            is_entity_text: false,
            is_dry: true,
            in_hand: None,
            is_past: false,
        }
    }

    /// Prepares the machine so that the events are a tree.
    #[must_use]
    pub(crate) fn prepared(mut self, balance: Prepare<D>) -> Parser<D> {
        balance(&mut self.machine);
        self.machine.set_limits(&self.limits);
        self.balance = balance;
        self
    }

    /// Prepares the machine to wait for a host.
    pub(crate) fn set_host(&mut self, host: Prepare<D>) {
        host(&mut self.machine);
        self.host = host;
    }

    /// Begins a new document: all of the one before is forgotten, its error too. Options, limits and
    /// memory are kept.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::strict());
    /// for stanza in ["<a/>", "<b", "<c></d>", "<e>"] {
    ///     parser.feed(stanza);
    ///     if let Ok(Some(event)) = parser.next_event() {
    ///         println!("{event:?}");
    ///     }
    ///     parser.reset();
    /// }
    /// parser.feed("<f/>");
    /// assert_eq!(format!("{:?}", parser.next_event()?), "Some(Start(<f/>))");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn reset(&mut self) {
        let mut machine = self.dialect.machine();
        machine.inherit(&mut self.machine);
        (self.balance)(&mut machine);
        machine.set_limits(&self.limits);
        (self.host)(&mut machine);
        self.machine = machine;
        self.held.input.reset();
        self.held.queue.reset();
        self.error = None;
        self.fed_late = false;
        self.is_dry = true;
        self.in_hand = None;
        self.is_past = false;
        self.entity.clear();
        self.is_entity_too_long = false;
    }

    pub(crate) fn dialect(&self) -> &D {
        &self.dialect
    }

    pub(crate) fn limits_set(&self) -> &Limits {
        &self.limits
    }

    /// Sets the limits; call it before the first feed.
    ///
    /// ```
    /// use tagstream::{Limit, Limits, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).limits(Limits::default().name(3));
    /// parser.feed("<html>");
    /// assert_eq!(parser.next_event().unwrap_err().limit(), Some(Limit::Name));
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Parser<D> {
        self.limits = limits;
        self.machine.set_limits(&limits);
        self
    }

    /// Sets how text is handed out; [`TextPolicy::Whole`] unless set.
    ///
    /// ```
    /// use tagstream::{Event, Parser, TextPolicy, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).text(TextPolicy::Pieces);
    /// parser.feed("<a>one ");
    /// parser.next_event()?;
    /// assert!(matches!(parser.next_event()?, Some(Event::Text(text)) if text.as_str() == "one "));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn text(mut self, policy: TextPolicy) -> Parser<D> {
        self.policy = policy;
        self.held.queue.pieces = policy == TextPolicy::Pieces;
        self
    }

    /// Sets whether parse errors are events too; they are not unless set.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).report_errors(true);
    /// parser.feed("<a b=c>");
    /// let Some(Event::ParseError(error)) = parser.next_event()? else { panic!() };
    /// assert_eq!(error.code().as_str(), "unquoted-value");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn report_errors(mut self, report: bool) -> Parser<D> {
        self.held.queue.report = report;
        self
    }

    /// Sets the sizes of windows, chunks and batches, on which nothing depends; call it before the
    /// first feed.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    #[must_use]
    pub fn inspect_sizes(mut self, sizes: Sizes) -> Parser<D> {
        let sizes = sizes.some();
        self.held.input.set_sizes(&sizes);
        self.held.queue.capacity = sizes.batch;
        self.held.queue.expansion = sizes.expansion;
        self.held.queue.plain = sizes.plain;
        self.held.queue.brief = sizes.brief;
        self
    }

    /// Takes a chunk of the input, of any size: a string or bytes. What is owned is not copied.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<item i");
    /// assert!(parser.next_event()?.is_none());
    /// parser.feed(b"d='1'>");
    /// assert!(matches!(parser.next_event()?, Some(Event::Start(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    pub fn feed(&mut self, chunk: impl Chunk) {
        self.feed_given(chunk.give());
    }

    pub(crate) fn feed_given(&mut self, chunk: Given<'_>) {
        self.is_dry &= chunk.len() == 0;
        if self.held.input.is_finished() {
            self.fed_late = true;
        } else {
            self.held.input.feed(chunk);
        }
    }

    /// Says that the input ends here. Ask for events once more until there are none.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a>text");
    /// parser.next_event()?;
    /// // The text may go on.
    /// assert!(parser.next_event()?.is_none());
    /// parser.finish();
    /// assert!(matches!(parser.next_event()?, Some(Event::Text(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn finish(&mut self) {
        self.wake();
        self.held.input.finish();
    }

    /// The next event, lent until the next call.
    ///
    /// `None` means that more input is wanted, or, after [`finish`](Parser::finish), that the document
    /// has ended. Call it in a loop after each feed.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a><b/></a>");
    /// let mut events = 0;
    /// while let Some(event) = parser.next_event()? {
    ///     println!("{event:?}");
    ///     events += 1;
    /// }
    /// assert_eq!(events, 4);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What ends the parse: a strict dialect's first error, a limit, bytes fed after `finish`. All
    /// events before it were given out, and each later call returns the same error.
    #[inline(always)]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        if !self.has_event()? {
            return Ok(None);
        }
        let at = self.held.queue.head;
        self.held.queue.head += 1;
        self.lend(at, |event| Ok(Some(event)))
    }

    /// The event that [`next_event`](Parser::next_event) gives next, lent without going on to it: the event
    /// in hand stays the one lent before, and is still there with [`current`](Parser::current).
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a>text</a>");
    /// parser.next_event()?;
    /// assert!(matches!(parser.peek()?, Some(Event::Text(_))));
    /// assert!(matches!(parser.current(), Some(Event::Start(_))));
    /// assert!(matches!(parser.next_event()?, Some(Event::Text(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`next_event`](Parser::next_event), which gives the same error then.
    pub fn peek(&mut self) -> Result<Option<Event<'_>>, Error> {
        if !self.has_event_to_peek()? {
            return Ok(None);
        }
        self.lend(self.held.queue.head, |event| Ok(Some(event)))
    }

    /// Whether an event is there; makes the next batch if need be, and keeps the event in hand.
    pub(crate) fn has_event_to_peek(&mut self) -> Result<bool, Error> {
        if !self.is_drained() {
            return Ok(true);
        }
        let (in_hand, is_past) = (self.current().map(|event| event.to_owned()), self.is_past);
        let found = self.refill();
        self.in_hand = in_hand;
        if !matches!(found, Ok(true)) {
            self.is_past = is_past;
        }
        found
    }

    /// The event in hand: the one lent last. `None` before the first, and once more input was asked for.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a>");
    /// parser.next_event()?;
    /// assert_eq!(format!("{:?}", parser.current()), "Some(Start(<a>))");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn current(&self) -> Option<Event<'_>> {
        match &self.in_hand {
            _ if self.is_past => None,
            Some(event) if self.held.queue.head == 0 => Some(event.event()),
            _ => self.last_event(),
        }
    }

    /// How many elements are open at the event in hand, where events are nested.
    pub(crate) fn depth(&self) -> u64 {
        let queue = &self.held.queue;
        match (queue.head.checked_sub(1), self.current()) {
            (Some(at), Some(_)) => queue.depth_at(at),
            // The batch that it was of is gone.
            (None, Some(Event::End(_))) => queue.depth_before(0) + 1,
            (head, _) => queue.depth_before(head.map_or(0, |head| head + 1)),
        }
    }

    pub(crate) fn machine_as_is(&self) -> &D::Machine {
        &self.machine
    }

    /// Whether an event is there; makes the next batch if need be.
    #[inline(always)]
    pub(crate) fn has_event(&mut self) -> Result<bool, Error> {
        Ok(self.held.queue.head < self.held.queue.records.len() || self.refill()?)
    }

    /// Whether the events of the batch in hand have all been lent.
    #[inline(always)]
    pub(crate) fn is_drained(&self) -> bool {
        self.held.queue.head >= self.held.queue.records.len()
    }

    /// Goes on to the next event of the batch in hand, and hands it to `take`.
    ///
    /// PERF: not lent, so that it is known which kind of event `take` is given.
    #[inline(always)]
    pub(crate) fn pass_event<'a>(&'a mut self, to: impl Receive<'a>) {
        let at = self.held.queue.head;
        self.held.queue.head += 1;
        self.lend(at, to);
    }

    /// The event gone to last; `None` at the end of the input.
    #[inline(always)]
    pub(crate) fn last_event(&self) -> Option<Event<'_>> {
        let at = self.held.queue.head.checked_sub(1)?;
        self.lend(at, Some)
    }

    /// Takes errors that the event gone to last led to, or the end of the input; gives their indices.
    pub(crate) fn take_errors(&mut self, codes: &mut Vec<ErrorCode>) -> Range<u32> {
        let taken = &mut self.held.queue.codes;
        let first = taken.len() as u32;
        taken.append(codes);
        first..taken.len() as u32
    }

    /// The record of such an error, where that event stands.
    pub(crate) fn error_record(&self, index: u32) -> Record {
        let last = self.held.queue.head.checked_sub(1);
        let (start, end) = match last.map(|at| &self.held.queue.records[at]) {
            Some(record) => (record.start, record.end),
            None => (self.held.input.end(), self.held.input.end()),
        };
        Record {
            payload: Payload::error(index, 0),
            ..Record::new(Kind::Error, start, end)
        }
    }

    /// What the events of the batch in hand, which begins, may add to a tree at most.
    #[inline]
    pub(crate) fn batch(&self) -> Batch {
        let records = &self.held.queue.records;
        let first = records
            .first()
            .map_or(Mark::ZERO, |record| match record.string() {
                Str::Lent(start, _) => record.start.min(start),
                Str::Cleaned(_) => record.start,
            });
        let last = records.last().map_or(first, |record| record.end);
        Batch {
            events: records.len(),
            attributes: self.held.queue.attributes.len(),
            bytes: (last.max(first) - first) as usize + self.held.queue.scratch.len(),
        }
    }

    /// Bytes read, and bytes that entities came to, before the event gone to last; before the first of
    /// the batch while none was.
    #[cold]
    pub(crate) fn read_before(&self) -> u64 {
        let at = self.held.queue.head.saturating_sub(1);
        let read = match self.held.queue.records.get(at) {
            Some(record) => record.start,
            None => self.held.input.taken(),
        };
        let read = self.held.input.lines().offset(read, Side::Start);
        read.saturating_add(self.held.input.inserted())
            .saturating_add(self.held.queue.expanded(at))
    }

    /// Lends an error whose record was made for the event gone to last.
    pub(crate) fn error_event<'a>(&'a self, record: &'a Record) -> Event<'a> {
        let holder = Holder::Parser(&self.held);
        lend(Part { record, holder }, |event| event)
    }

    /// What the parser waits for.
    ///
    /// ```
    /// use tagstream::{Parser, Status, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// assert_eq!(parser.status(), Status::NeedsInput);
    /// parser.feed("<a/>");
    /// assert_eq!(parser.status(), Status::HasEvents);
    /// parser.finish();
    /// while parser.next_event()?.is_some() {}
    /// assert_eq!(parser.status(), Status::Finished);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn status(&self) -> Status {
        if self.held.queue.head < self.held.queue.records.len() {
            Status::HasEvents
        } else if self.error.is_some() {
            Status::Failed
        } else if let Some(request) = self.machine.wants() {
            Status::NeedsEntity(request.clone())
        } else if self.machine.is_paused() {
            Status::Paused
        } else if self.machine.is_finished() {
            Status::Finished
        } else if self.is_dry {
            Status::NeedsInput
        } else {
            Status::HasEvents
        }
    }

    /// Something has happened since events were asked for.
    pub(crate) fn wake(&mut self) {
        self.is_dry = false;
    }

    /// The encoding that the input is read in, once enough of it is there to know.
    ///
    /// ```
    /// use tagstream::{Encoding, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default());
    /// assert_eq!(parser.encoding(), None);
    /// parser.feed(b"<meta charset=iso-8859-2><p>");
    /// parser.finish();
    /// while parser.next_event()?.is_some() {}
    /// assert_eq!(parser.encoding(), Encoding::for_label("iso-8859-2"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn encoding(&self) -> Option<Encoding> {
        let sniffed = self.held.input.sniffed()?;
        (!self.held.input.is_open()).then_some(sniffed.encoding)
    }

    /// The work done so far.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a>Tom &amp; Jerry</a>");
    /// while parser.next_event()?.is_some() {}
    /// let stats = parser.stats();
    /// assert_eq!((stats.text, stats.expanded), (22, 0));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn stats(&self) -> Stats {
        Stats {
            text: self.held.input.text(),
            places: self.held.input.lines().looked_at(),
            ..self.held.queue.work
        }
    }

    /// The machine, for a consumer of the events that steers it between batches.
    pub(crate) fn machine(&mut self) -> &mut D::Machine {
        &mut self.machine
    }

    /// The same, for tests.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn inspect_machine(&mut self) -> &mut D::Machine {
        &mut self.machine
    }

    pub(crate) fn next_owned(&mut self) -> Result<Option<OwnedEvent>, Error> {
        if !self.has_event()? {
            return Ok(None);
        }
        let at = self.held.queue.head;
        self.held.queue.head += 1;
        let record = &self.held.queue.records[at];
        if D::Machine::KEEPS && record.kind == Kind::Kept {
            return Ok(self.held.queue.kept.get(record.kept()).cloned());
        }
        let holder = Holder::Parser(&self.held);
        Ok(Some(OwnedEvent::new(Part { record, holder })))
    }

    /// Lends the event of the record `at`.
    #[inline(always)]
    fn lend<'a, R: Receive<'a>>(&'a self, at: usize, to: R) -> R::Answer {
        let record = &self.held.queue.records[at];
        if D::Machine::KEEPS
            && record.kind == Kind::Kept
            && let Some(kept) = self.held.queue.kept.get(record.kept())
        {
            return to.receive(kept.event());
        }
        let holder = Holder::Parser(&self.held);
        lend(Part { record, holder }, to)
    }
}

/// Owned events, for programs that keep them; [`next_event`](Parser::next_event) is faster.
///
/// Like there, the end means "no more for now": after a further feed, there may be more. After an
/// error the iterator has ended.
impl<D: Dialect> Iterator for Parser<D> {
    type Item = Result<OwnedEvent, Error>;

    fn next(&mut self) -> Option<Result<OwnedEvent, Error>> {
        if self.is_drained() && self.error.is_some() {
            return None;
        }
        self.next_owned().transpose()
    }
}
