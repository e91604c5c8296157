//! The pull parser: turns chunks of input into events.
//!
//! [`Parser`] connects the input (`Input`), the tokenizer of a dialect ([`Tokenizer`]) and the queue of records
//! (`Queue`). The program feeds chunks and asks for events. If the queue is empty, `refill.rs` runs the tokenizer
//! until it holds a batch of records, and each call then returns one of them as an [`Event`] that borrows from the
//! parser. The *current event* is the one that was returned last.
//!
//! Invariant: events borrow from the buffered text and the queue, which change only between batches.

// First, so that the page of `Parser` begins with `new`.
mod new;

#[cfg(feature = "checkpoints")]
pub(crate) mod checkpoint;
mod entity;
mod inserted;
mod passed;
mod refill;
mod resolve;
mod status;
pub(crate) mod text_run;

pub use status::{Status, TextPolicy};

use crate::engine::dialect::{AsWritten, Dialect, Form, Tree};
use crate::engine::error::{Error, ErrorCode};
use crate::engine::event::record::{Payload, Record, RecordKind};
use crate::engine::event::strings::Str;
use crate::engine::event::{
    Event, EventCopy, EventSink, Holder, OwnedEvent, ParserData, Part, pass,
};
use crate::engine::input::BufferOffset;
use crate::engine::input::chunk::{Chunk, ChunkParts};
use crate::engine::input::encoding::Encoding;
use crate::engine::input::raw::Side;
#[cfg(feature = "inspect")]
use crate::engine::input::sizes::Sizes;
use crate::engine::limits::{Limits, Stats};
use crate::engine::tokenizer::Tokenizer;
use alloc::vec::Vec;
#[cfg(feature = "inspect")]
use alloc::{format, string::String};
use core::marker::PhantomData;
use core::ops::Range;

/// Maximum number of events that [`Parser::earliest_start`] skips to find the next tag or text. With more events of
/// other kinds, it returns an earlier offset.
const MAX_SKIPPED_EVENTS: usize = 64;

/// Upper bounds of the size that the events of one batch add to a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    pub(crate) events: usize,
    pub(crate) attributes: usize,
    /// Bytes of all names, values and character data.
    pub(crate) bytes: usize,
}

/// A function that switches a new tokenizer into another mode, such as balanced events.
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
/// The second type parameter is the form of the events. [`Parser::new`] returns them as written, so end tags may be
/// missing or stray. [`balanced`](Parser::balanced) changes the form to [`Nested`](crate::Nested): the events are those
/// of a tree. Code for both forms is generic: `fn read<D: Dialect, F: Form>(parser: &mut Parser<D, F>)`.
///
/// A parser can be cloned at any time, for example to try something and to return to the earlier state. The clone
/// continues at the same byte, independently of the original:
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
#[doc(alias = "Tokenizer")]
pub struct Parser<D: Dialect, F = AsWritten> {
    dialect: D,
    machine: D::Machine,
    /// The function that switches the tokenizer to events that form a tree, and the function that makes it pause for a
    /// host. [`reset`](Parser::reset) calls both again for the new tokenizer.
    balance: Prepare<D>,
    host: Prepare<D>,
    /// True if `balance` switches to balanced events that are not delayed: see
    /// [`balanced_in_order`](Parser::balanced_in_order).
    is_in_order: bool,
    data: ParserData,
    policy: TextPolicy,
    error: Option<Error>,
    /// True if a chunk was fed after [`finish`](Parser::finish).
    fed_late: bool,
    /// The bytes of the requested external entity that were fed so far.
    entity: Vec<u8>,
    /// True if the entity is longer than the limit on memory allows.
    is_entity_too_long: bool,
    /// True if the first piece of the entity was a string.
    is_entity_text: bool,
    /// True if events were requested until there were none, and no chunk was fed since. The parser then needs more
    /// input.
    is_dry: bool,
    /// A copy of the current event, made when [`peek`](Parser::peek) replaced its batch by the next one. It is used
    /// until an event of the new batch becomes the current one.
    retained_event: Option<EventCopy>,
    /// True if the last request returned no event, so that there is no current event.
    is_past: bool,
    /// True if the last event before the current batch was a piece of text whose run could continue.
    was_in_text: bool,
    form: PhantomData<F>,
}

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Switches the tokenizer to another mode, such as events that form a tree.
    #[must_use]
    #[inline(always)]
    pub(crate) fn prepared(mut self, balance: Prepare<D>) -> Parser<D, F> {
        balance(&mut self.machine);
        let limits = *self.limits_set();
        self.machine.set_limits(&limits);
        self.balance = balance;
        self
    }

    /// Makes the tokenizer pause where its host has to act, such as at the end of a script. `host` is the function that
    /// switches the tokenizer to that mode.
    pub(crate) fn set_host(&mut self, host: Prepare<D>) {
        host(&mut self.machine);
        self.host = host;
    }

    /// Starts a new document. The previous document is discarded, including its error. Options, limits and allocated
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
        let mut old = core::mem::replace(&mut self.machine, self.dialect.machine());
        self.restart(&mut old);
        self.data.input.reset();
        self.data.queue.reset();
        self.error = None;
        self.fed_late = false;
        self.is_dry = true;
        self.retained_event = None;
        self.is_past = false;
        self.was_in_text = false;
        self.entity.clear();
        self.is_entity_too_long = false;
    }

    /// Prepares the tokenizer, which is new, for a document. It gets the limits of another one, whose buffers are reused.
    pub(super) fn restart(&mut self, old: &mut D::Machine) {
        self.machine.reuse_buffers(old);
        (self.balance)(&mut self.machine);
        self.machine.set_limits(&old.machine().limits);
        (self.host)(&mut self.machine);
    }

    pub(crate) fn dialect(&self) -> &D {
        &self.dialect
    }

    pub(crate) fn limits_set(&self) -> &Limits {
        &self.machine.machine().limits
    }

    /// Sets the limits. Call it before the first chunk is fed.
    ///
    /// ```
    /// use tagstream::{Limit, Limits, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).limits(Limits::default().name(3));
    /// parser.feed("<html>");
    /// assert_eq!(parser.next_event().unwrap_err().limit(), Some(Limit::Name));
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Parser<D, F> {
        let limits = limits.over(&self.dialect.limits());
        self.machine.set_limits(&limits);
        self
    }

    /// Sets how text is split into events. The default is [`TextPolicy::Whole`].
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
    pub fn text(mut self, policy: TextPolicy) -> Parser<D, F> {
        self = self.text_for_tree(policy);
        self.data.queue.settings.splits_at_markup = policy == TextPolicy::Pieces;
        self
    }

    /// As [`text`](Parser::text), but a piece of text may contain markup that is no event: such pieces are fewer, and in
    /// LeafXML they are in NFC together.
    #[must_use]
    #[inline(always)]
    pub(crate) fn text_for_tree(mut self, policy: TextPolicy) -> Parser<D, F> {
        self.set_text_for_tree(policy);
        self
    }

    /// As [`text_for_tree`](Parser::text_for_tree), without moving the parser.
    #[inline(always)]
    pub(crate) fn set_text_for_tree(&mut self, policy: TextPolicy) {
        self.policy = policy;
        self.data.queue.settings.splits_text = policy == TextPolicy::Pieces;
        self.data.queue.settings.splits_at_markup = false;
    }

    /// Sets whether pieces of text end at the delimiters of CDATA sections, whatever the text policy is.
    pub(crate) fn split_at_sections(&mut self, splits: bool) {
        self.data.queue.settings.splits_at_sections = splits;
    }

    /// Sets whether parse errors are reported as events. By default they are not.
    #[must_use]
    pub fn report_errors(mut self, report: bool) -> Parser<D, F> {
        self.data.queue.settings.reports_errors = report;
        self
    }

    /// Sets the sizes of windows, chunks and batches, which do not affect the events. Call it before the first chunk
    /// is fed.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    #[must_use]
    pub fn inspect_sizes(mut self, sizes: Sizes) -> Parser<D, F> {
        let sizes = sizes.some();
        self.data.input.set_sizes(&sizes);
        self.data.queue.settings.set_sizes(&sizes);
        self.machine.set_sizes(&sizes);
        self
    }

    /// Appends a chunk of any size to the input: a string or bytes. Owned chunks are not copied.
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
    #[doc(alias("write", "push"))]
    pub fn feed(&mut self, chunk: impl Chunk) {
        self.feed_parts(chunk.into_parts());
    }

    pub(crate) fn feed_parts(&mut self, chunk: ChunkParts<'_>) {
        self.is_dry &= chunk.len() == 0;
        if self.data.input.is_finished() {
            self.fed_late = true;
            self.wake();
        } else {
            self.data.input.feed(chunk);
        }
    }

    /// Marks the end of the input. Afterwards, request events until there are none.
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
    #[doc(alias("end", "close"))]
    pub fn finish(&mut self) {
        self.wake();
        self.data.input.finish();
    }

    /// Returns the next event, which borrows from the parser until the next call.
    ///
    /// `None` means that the parser needs more input or, after [`finish`](Parser::finish), that the document has
    /// ended. Call it in a loop after each feed.
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
    /// Returns the error that ended the parse: the first error of a strict dialect, an exceeded limit, or bytes fed
    /// after `finish`. All events before the error are returned first. Each later call returns the same error.
    #[inline(always)]
    #[doc(alias("read_event", "next"))]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        if !self.has_event()? {
            return Ok(None);
        }
        let at = self.data.queue.head;
        self.data.queue.head += 1;
        Ok(Some(self.event_at(at)))
    }

    /// Returns the event that [`next_event`](Parser::next_event) will return next, without advancing. The current
    /// event stays the same: [`current`](Parser::current) still returns it.
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
    /// Returns the same error as [`next_event`](Parser::next_event), which will return it too.
    pub fn peek(&mut self) -> Result<Option<Event<'_>>, Error> {
        if !self.has_event_to_peek()? {
            return Ok(None);
        }
        Ok(Some(self.event_at(self.data.queue.head)))
    }

    /// Returns whether there is a next event, and fetches the next batch if necessary. The current event is kept.
    pub(crate) fn has_event_to_peek(&mut self) -> Result<bool, Error> {
        if !self.is_drained() {
            return Ok(true);
        }
        let (retained_event, is_past) = (self.current().map(|event| event.copy()), self.is_past);
        let found = self.refill();
        self.retained_event = retained_event;
        if !matches!(found, Ok(true)) {
            self.is_past = is_past;
        }
        found
    }

    /// Returns the current event: the one that was returned last. Returns `None` before the first event, and after a
    /// request that returned no event.
    pub fn current(&self) -> Option<Event<'_>> {
        match &self.retained_event {
            _ if self.is_past => None,
            Some(event) if self.data.queue.head == 0 => Some(event.event()),
            _ => self.last_event(),
        }
    }

    /// Returns whether the next event may continue the run of text of the event that was returned last. This happens only
    /// with [`TextPolicy::Pieces`]. Parse errors between two pieces of text are not taken into account.
    ///
    /// The result changes to `false` as soon as the parser has read enough input to know that the run has ended, even if
    /// there is no next event yet.
    ///
    /// ```
    /// use tagstream::{Parser, TextPolicy, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).text(TextPolicy::Pieces);
    /// parser.feed("<a>text");
    /// while parser.next_event()?.is_some() {}
    /// assert!(parser.is_in_text());
    /// parser.feed("<b");
    /// assert!(parser.next_event()?.is_none());
    /// assert!(!parser.is_in_text());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_in_text(&self) -> bool {
        let queue = &self.data.queue;
        queue.continues(self.was_in_text).unwrap_or_else(|| {
            let has_ended =
                self.error.is_some() || queue.fatal.is_some() || self.machine.is_finished();
            let is_open = queue.is_run_open && !queue.is_run_unseen;
            is_open && !has_ended && self.machine.has_text()
        })
    }

    /// Returns the number of open elements at the current event. The element of a start or end tag is included.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// parser.feed("<a><b>text</b></a>");
    /// let mut depths = Vec::new();
    /// while parser.next_event()?.is_some() {
    ///     depths.push(parser.depth());
    /// }
    /// assert_eq!(depths, [1, 2, 2, 2, 1]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn depth(&self) -> usize
    where
        F: Tree,
    {
        let queue = &self.data.queue;
        let depth = match (queue.head.checked_sub(1), self.current()) {
            (Some(at), Some(_)) => queue.depth_at(at),
            // `peek` has replaced the batch that contained the current event.
            (None, Some(Event::End(_))) => queue.depth_before(0) + 1,
            (head, _) => queue.depth_before(head.map_or(0, |head| head + 1)),
        };
        // Each open element is in memory, so the number fits.
        depth as usize
    }

    /// Returns an offset in the input, in bytes, such that each later event starts at or after that offset. There
    /// are three exceptions: tags that are not in the input ([`is_implied`](crate::StartTag::is_implied)), parse errors,
    /// and [`Event::EncodingChange`], whose span is that of a tag that was returned already.
    ///
    /// A program that keeps the input, for example to copy the parts that it does not change, can discard the bytes
    /// before this offset. The offset is valid at any time: in the middle of a long text, of a token, and of markup for
    /// which there is no event.
    ///
    /// ```
    /// use tagstream::{Event, Parser, TextPolicy, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).text(TextPolicy::Pieces);
    /// parser.feed("<a>some text<b c='");
    /// parser.next_event()?;
    /// assert_eq!(parser.earliest_start(), 3);
    /// parser.next_event()?;
    /// assert!(parser.next_event()?.is_none());
    /// // The next event is a tag that starts at this offset.
    /// assert_eq!(parser.earliest_start(), 12);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn earliest_start(&self) -> u64 {
        let queue = &self.data.queue;
        let rest = queue.records.get(queue.head..).unwrap_or_default();
        let start = self.machine.earliest_delayed();
        let start = match self.earliest_queued(rest) {
            BufferOffset::NONE => start,
            mark => start.min(self.data.input.lines().offset(mark, Side::Start)),
        };
        match rest.is_empty() {
            true => start,
            false => start.min(self.released_start()),
        }
    }

    /// Returns the start of the earliest event that was delayed until the current batch, such as the text of a table, and
    /// that was not returned yet, or `u64::MAX` if there is none.
    pub(crate) fn released_start(&self) -> u64 {
        match self.machine.earliest_released(self.data.queue.head) {
            (start, BufferOffset::NONE) => start,
            (start, mark) => start.min(self.data.input.lines().offset(mark, Side::Start)),
        }
    }

    /// Returns an offset in the buffered text at or before the start of the records `rest`, which are those that were
    /// not returned yet, and of all tokens after them. Errors, and events that were delayed, are not considered.
    fn earliest_queued(&self, rest: &[Record]) -> BufferOffset {
        let mut first = BufferOffset::NONE;
        for (index, record) in rest.iter().enumerate() {
            if index == MAX_SKIPPED_EVENTS {
                return BufferOffset::ZERO;
            }
            match record.kind {
                RecordKind::Retained => return first,
                RecordKind::Start | RecordKind::End | RecordKind::Text => {
                    return first.min(record.start);
                }
                RecordKind::Error | RecordKind::EncodingChange => {}
                // An event that does not end the run of text around it, such as a processing instruction in a late
                // DOCTYPE, precedes that text.
                _ => first = first.min(record.start),
            }
        }
        first.min(self.machine.earliest(self.data.input.taken()))
    }

    pub(crate) fn machine_as_is(&self) -> &D::Machine {
        &self.machine
    }

    /// Returns whether there is a next event, and fetches the next batch if necessary.
    #[inline(always)]
    pub(crate) fn has_event(&mut self) -> Result<bool, Error> {
        Ok(self.data.queue.head < self.data.queue.records.len() || self.refill()?)
    }

    /// Returns the data of the current batch.
    #[inline(always)]
    pub(crate) fn data(&self) -> &ParserData {
        &self.data
    }

    /// Returns whether all events of the current batch have been returned.
    #[inline(always)]
    pub(crate) fn is_drained(&self) -> bool {
        self.data.queue.head >= self.data.queue.records.len()
    }

    /// Advances to the next event of the current batch and passes it to `sink`.
    ///
    /// PERF: the event is passed to a sink instead of returned, so that the compiler knows its variant there.
    #[inline(always)]
    pub(crate) fn pass_event(&mut self, sink: &mut impl EventSink) {
        let at = self.data.queue.head;
        self.data.queue.head += 1;
        pass(self.part(at), sink);
    }

    /// Returns the event that was returned last, or `None` before the first event of a batch.
    #[inline(always)]
    pub(crate) fn last_event(&self) -> Option<Event<'_>> {
        let at = self.data.queue.head.checked_sub(1)?;
        Some(self.event_at(at))
    }

    /// Moves error codes into the queue. They are the errors that the consumer of the events found at the current
    /// event, or at the end of the input. Returns their indices in the queue.
    pub(crate) fn take_errors(&mut self, codes: &mut Vec<ErrorCode>) -> Range<u32> {
        self.data.queue.append_errors(codes)
    }

    /// Returns the record of an error of the consumer of the events. `index` is the index of its code in the queue. Its
    /// span is that of the current event.
    pub(crate) fn error_record(&self, index: u32) -> Record {
        let last = self.data.queue.head.checked_sub(1);
        let (start, end) = match last.map(|at| &self.data.queue.records[at]) {
            Some(record) => (record.start, record.end),
            None => (self.data.input.end(), self.data.input.end()),
        };
        Record {
            payload: Payload::error(index, 0),
            ..Record::new(RecordKind::Error, start, end)
        }
    }

    /// Returns upper bounds of what the current batch adds to a tree. Call it before the first event of the batch.
    #[inline]
    pub(crate) fn batch(&self) -> Batch {
        let records = &self.data.queue.records;
        let first = records
            .first()
            .map_or(BufferOffset::ZERO, |record| match record.string() {
                Str::Borrowed(start, _) => record.start.min(start),
                Str::Cleaned(_) => record.start,
            });
        let last = records.last().map_or(first, |record| record.end);
        Batch {
            events: records.len(),
            attributes: self.data.queue.attributes.len(),
            bytes: (last.max(first) - first) as usize + self.data.queue.scratch.len(),
        }
    }

    /// Returns the number of bytes read before the record at an index, including inserted text and expanded entities.
    fn read_before_record(&self, at: usize) -> u64 {
        let read = match self.data.queue.records.get(at) {
            Some(record) => record.start,
            None => self.data.input.taken(),
        };
        let read = self.data.input.lines().offset(read, Side::Start);
        read.saturating_add(self.data.input.inserted())
            .saturating_add(self.data.queue.expanded(at))
    }

    /// Returns an error event for a record that was made with [`error_record`](Parser::error_record).
    pub(crate) fn error_event<'a>(&'a self, record: &'a Record) -> Event<'a> {
        let holder = Holder::Parser(&self.data);
        Event::of(Part { record, holder })
    }

    /// Returns what the parser needs next.
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
        if self.data.queue.head < self.data.queue.records.len() {
            Status::HasEvents
        } else if self.error.is_some() {
            Status::Failed
        } else if let Some(request) = self.machine.requested_entity() {
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

    /// Records that there may be new events, after input was fed or a pause has ended.
    pub(crate) fn wake(&mut self) {
        self.is_dry = false;
    }

    /// Returns the encoding of the input, or `None` while it is not known yet.
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
        let sniffed = self.data.input.sniffed()?;
        (!self.data.input.is_open()).then_some(sniffed.encoding)
    }

    /// Returns counters of the work done so far.
    pub fn stats(&self) -> Stats {
        Stats {
            text: self.data.input.text(),
            places: self.data.input.lines().looked_at(),
            ..self.data.queue.work
        }
    }

    /// Returns the tokenizer, for consumers of events that change its state between batches.
    pub(crate) fn machine(&mut self) -> &mut D::Machine {
        &mut self.machine
    }

    /// Returns the tokenizer, for tests.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn inspect_machine(&mut self) -> &mut D::Machine {
        &mut self.machine
    }

    /// Returns the name of the tokenizer's state: the variant of the dialect's enum of states.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn inspect_state(&self) -> String {
        format!("{:?}", self.machine.machine().state)
    }

    pub(crate) fn next_owned(&mut self) -> Result<Option<OwnedEvent>, Error> {
        if !self.has_event()? {
            return Ok(None);
        }
        let at = self.data.queue.head;
        self.data.queue.head += 1;
        let record = &self.data.queue.records[at];
        if D::Machine::RETAINS_EVENTS && record.kind == RecordKind::Retained {
            let kept = self.data.queue.kept.get(record.kept()).cloned();
            return Ok(kept.map(OwnedEvent::from));
        }
        Ok(Some(OwnedEvent::of(self.part(at))))
    }

    /// Returns the record at the index `at` with the data that it refers to.
    #[inline(always)]
    fn part(&self, at: usize) -> Part<'_> {
        Part {
            record: &self.data.queue.records[at],
            holder: Holder::Parser(&self.data),
        }
    }

    /// Returns the event of the record at the index `at`.
    #[inline(always)]
    fn event_at(&self, at: usize) -> Event<'_> {
        let part = self.part(at);
        if D::Machine::RETAINS_EVENTS
            && let Some(event) = Event::retained(part)
        {
            return event;
        }
        Event::of(part)
    }
}

/// Iterates over owned events, for programs that store them; [`next_event`](Parser::next_event) is faster.
///
/// As with `next_event`, `None` means that there is no event for now: after another chunk is fed, there may be more.
/// After an error, the iterator has ended.
impl<D: Dialect, F: Form> Iterator for Parser<D, F> {
    type Item = Result<OwnedEvent, Error>;

    fn next(&mut self) -> Option<Result<OwnedEvent, Error>> {
        if self.is_drained() && self.error.is_some() {
            return None;
        }
        self.next_owned().transpose()
    }
}
