//! The parser: chunks in, events out.

use crate::dialect::{Dialect, Machine};
use crate::error::{Code, Error, ErrorKind, Span};
use crate::event::record::{CLEANED, Fatal, Kind, Queue, Record};
use crate::event::{Details, Event, OwnedEvent, ParseError, Part, lend, lend_rare, position};
use crate::input::encoding::Encoding;
use crate::input::places::Anchor;
use crate::input::{Input, Supply};
use crate::limits::{Limit, Limits, Work};
use alloc::sync::Arc;
use bytes::Bytes;

/// No token is longer, whatever the limits say: marks are numbers of 32 bits.
const LONGEST_TOKEN: usize = 1 << 31;

/// How text is handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextPolicy {
    /// One event for each run of text, however long it is and however the chunks were cut.
    #[default]
    Whole,
    /// What there is, as soon as it is there: memory stays bounded however long a run is. The pieces
    /// of a run, joined, are the text that `Whole` gives.
    Pieces,
}

/// What a parser waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// Events are there, or more input is wanted.
    NeedsInput,
    /// A tree builder waits for its host to act on a script and to
    /// [`resume`](crate::TreeBuilder::resume) it.
    Paused,
    /// The input has ended and every event was given out.
    Finished,
    /// An error has ended the parse.
    Failed,
}

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
/// A clone is a checkpoint: it goes on from the same byte.
#[derive(Clone, Debug)]
pub struct Parser<D: Dialect> {
    machine: D::Machine,
    input: Input,
    queue: Queue,
    limits: Limits,
    policy: TextPolicy,
    error: Option<Error>,
    fed_late: bool,
    known: Option<Anchor>,
}

impl<D: Dialect> Parser<D> {
    /// A parser at the start of an input.
    pub fn new(dialect: D) -> Parser<D> {
        Parser::with_machine(dialect.machine(), dialect.limits())
    }

    pub(crate) fn with_machine(machine: D::Machine, limits: Limits) -> Parser<D> {
        let parser = Parser {
            machine,
            input: Input::new(),
            queue: Queue::new(),
            limits,
            policy: TextPolicy::Whole,
            error: None,
            fed_late: false,
            known: None,
        };
        parser.limits(limits)
    }

    /// Sets the limits; call it before the first feed.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Parser<D> {
        self.limits = limits;
        self.machine.set_limits(&limits);
        self
    }

    /// Sets how text is handed out; [`TextPolicy::Whole`] unless set.
    #[must_use]
    pub fn text(mut self, policy: TextPolicy) -> Parser<D> {
        self.policy = policy;
        self
    }

    /// Sets whether parse errors are events too; they are not unless set.
    #[must_use]
    pub fn errors(mut self, report: bool) -> Parser<D> {
        self.queue.report = report;
        self
    }

    /// Takes a chunk of the input, of any size, without copying it.
    pub fn feed(&mut self, chunk: impl Into<Bytes>) {
        self.feed_bytes(chunk.into());
    }

    fn feed_bytes(&mut self, chunk: Bytes) {
        if self.input.is_finished() {
            self.fed_late = true;
        } else {
            self.input.feed(chunk);
        }
    }

    /// Takes a copy of a chunk.
    pub fn feed_slice(&mut self, chunk: &[u8]) {
        if self.input.is_finished() {
            self.fed_late = true;
        } else {
            self.input.feed_slice(chunk);
        }
    }

    /// Says that the input ends here. Ask for events once more until there are none.
    pub fn finish(&mut self) {
        self.input.finish();
    }

    /// The next event, lent until the next call.
    ///
    /// `None` means that more input is wanted, or, after [`finish`](Parser::finish), that the document
    /// has ended. Call it in a loop after each feed.
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
        let at = self.queue.head;
        self.queue.head += 1;
        Ok(Some(event(&self.input, &self.queue, at)))
    }

    /// Whether an event is there; makes the next batch if need be.
    #[inline(always)]
    pub(crate) fn has_event(&mut self) -> Result<bool, Error> {
        Ok(self.queue.head < self.queue.records.len() || self.refill()?)
    }

    /// Whether the events of the batch in hand have all been lent.
    #[inline(always)]
    pub(crate) fn is_drained(&self) -> bool {
        self.queue.head >= self.queue.records.len()
    }

    /// The event that was lent last, once more; `None` at the end of the input.
    pub(crate) fn last_event(&self) -> Option<Event<'_>> {
        let at = self.queue.head.checked_sub(1)?;
        Some(event(&self.input, &self.queue, at))
    }

    /// The record of an error where the event lent last stands, or at the end of the input.
    pub(crate) fn error_record(&self) -> Record {
        let last = self.queue.head.checked_sub(1);
        let (start, end) = match last.map(|at| &self.queue.records[at]) {
            Some(record) => (record.start, record.end),
            None => (self.input.end(), self.input.end()),
        };
        Record::new(Kind::Error, start, end)
    }

    /// Lends an error whose record was made for the event lent last.
    pub(crate) fn error_event<'a>(&'a self, record: &'a Record, code: Code) -> Event<'a> {
        let part = part(&self.input, &self.queue, record);
        Event::ParseError(ParseError { part, code })
    }

    /// Ends the parse because the source of its input failed.
    pub(crate) fn fail_source(
        &mut self,
        error: Arc<dyn core::error::Error + Send + Sync>,
    ) -> Error {
        let end = self.input.end();
        self.fail(Fatal {
            kind: ErrorKind::Source(error),
            start: end,
            end,
            records: 0,
        })
    }

    /// What the parser waits for.
    pub fn status(&self) -> Status {
        if self.queue.head < self.queue.records.len() {
            Status::NeedsInput
        } else if self.error.is_some() {
            Status::Failed
        } else if self.machine.is_finished() {
            Status::Finished
        } else {
            Status::NeedsInput
        }
    }

    /// The encoding that the input is read in, once enough of it is there to know.
    pub fn encoding(&self) -> Option<Encoding> {
        self.input.sniffed().map(|sniffed| sniffed.encoding)
    }

    /// The work done so far.
    pub fn work(&self) -> Work {
        Work {
            text: self.input.text(),
            ..self.queue.work
        }
    }

    /// The machine, for a consumer of the events that steers it between batches.
    #[doc(hidden)]
    pub fn machine(&mut self) -> &mut D::Machine {
        &mut self.machine
    }

    /// Fills the queue with the next batch; gives whether there is an event in it.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Result<bool, Error> {
        let by = self.queue.clear();
        if by > 0 {
            self.machine.rebase_scratch(by);
        }
        self.known = None;
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let (machine, most) = (&mut self.machine, self.limits.token);
        let sniff = |prefix: &[u8], finished: bool| {
            // What decides lies within the limit of a token, or nothing does.
            let prefix = &prefix[..prefix.len().min(most)];
            machine.sniff(prefix, finished || prefix.len() == most)
        };
        if !self.input.sniff(sniff) {
            return Ok(false);
        }
        loop {
            if let Some(fatal) = self.queue.fatal.take() {
                return Err(self.fail(fatal));
            }
            if self.machine.is_finished() {
                if self.fed_late {
                    let end = self.input.end();
                    let kind = ErrorKind::FeedAfterFinish;
                    return Err(self.fail(Fatal {
                        kind,
                        start: end,
                        end,
                        records: 0,
                    }));
                }
                return Ok(false);
            }
            let mut eof = false;
            if self.input.is_dry() {
                if self.policy == TextPolicy::Pieces {
                    self.machine.flush(&mut self.input, &mut self.queue, true);
                    if !self.queue.records.is_empty() {
                        return Ok(true);
                    }
                }
                match self.advance() {
                    Supply::Window => {}
                    Supply::IllFormed => {
                        self.machine.ill_formed(&mut self.input, &mut self.queue);
                    }
                    Supply::End => eof = true,
                    Supply::Starved if self.queue.fatal.is_none() => return Ok(false),
                    Supply::Starved => {}
                }
            }
            if self.queue.fatal.is_none() {
                self.machine.run(&mut self.input, &mut self.queue, eof);
            }
            if let Some(fatal) = &self.queue.fatal {
                self.queue.records.truncate(fatal.records);
            }
            if !self.queue.records.is_empty() {
                return Ok(true);
            }
        }
    }

    /// Makes the next window, within the limits.
    fn advance(&mut self) -> Supply {
        let (input, queue) = (&mut self.input, &mut self.queue);
        let end = input.end();
        let keep = self.machine.keep(end);
        let longest = self.limits.token.min(LONGEST_TOKEN);
        let room = longest.saturating_sub((end - keep) as usize);
        let over = if room == 0 {
            Some(Limit::Token)
        } else {
            let held = input
                .held()
                .saturating_add(queue.carry.len() + queue.scratch.len());
            (held > self.limits.memory).then_some(Limit::Memory)
        };
        if let Some(limit) = over
            && !input.is_starved()
        {
            self.machine.flush(input, queue, false);
            queue.fail(ErrorKind::Limit(limit), keep, end);
            return Supply::Starved;
        }
        let most = room.min(longest);
        let advance = self.machine.advance(input, queue, most.max(1));
        queue.work.copied += advance.copied as u64;
        if advance.rebase > 0 {
            for attribute in &mut queue.attributes {
                attribute.rebase(advance.rebase);
            }
        }
        advance.supply
    }

    #[cold]
    fn fail(&mut self, fatal: Fatal) -> Error {
        let (start, end) = (fatal.start, fatal.end);
        let places = self.input.places();
        let span = Span {
            start: places.offset(start),
            end: places.offset(end),
        };
        let (chunk, shift) = self.input.chunk();
        let (source, base) = match start < shift {
            true => (&*self.queue.carry, 0),
            false => (chunk, shift),
        };
        let error = Error::new(fatal.kind, span, position(places, source, base, start));
        self.error = Some(error.clone());
        error
    }

    pub(crate) fn next_owned(&mut self) -> Result<Option<OwnedEvent>, Error> {
        if !self.has_event()? {
            return Ok(None);
        }
        let at = self.queue.head;
        self.queue.head += 1;
        let event = event(&self.input, &self.queue, at);
        let (owned, anchor) = OwnedEvent::after(&event, self.known);
        self.known = Some(anchor);
        Ok(Some(owned))
    }
}

/// Lends the event of the record `at`.
#[inline(always)]
fn event<'a>(input: &'a Input, queue: &'a Queue, at: usize) -> Event<'a> {
    let part = part(input, queue, &queue.records[at]);
    lend(part, &queue.attributes, &queue.namespaces, |part| {
        rare(queue, part)
    })
}

/// What an event of the record is lent from.
#[inline(always)]
fn part<'a>(input: &'a Input, queue: &'a Queue, record: &'a Record) -> Part<'a> {
    let first = match record.flags & CLEANED != 0 {
        true => record.start,
        false => record.start.min(record.a),
    };
    let (chunk, shift) = input.chunk();
    let carried = first < shift;
    Part {
        record,
        source: if carried { &queue.carry } else { chunk },
        base: if carried { 0 } else { shift },
        scratch: &queue.scratch,
        places: input.places(),
    }
}

#[cold]
#[inline(never)]
fn rare<'a>(queue: &'a Queue, part: Part<'a>) -> Event<'a> {
    let details = Details {
        codes: &queue.codes,
        doctype: queue.doctype.as_deref(),
        declaration: queue.declaration.as_deref(),
    };
    lend_rare(part, details)
}

/// Owned events, for programs that keep them; [`next_event`](Parser::next_event) is faster.
///
/// Like there, the end means "no more for now": after a further feed, there may be more. After an
/// error the iterator has ended.
impl<D: Dialect> Iterator for Parser<D> {
    type Item = Result<OwnedEvent, Error>;

    fn next(&mut self) -> Option<Result<OwnedEvent, Error>> {
        if self.status() == Status::Failed {
            return None;
        }
        self.next_owned().transpose()
    }
}
