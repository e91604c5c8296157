//! Reading on several threads: one document in pieces, or [several files](files).
//!
//! The threads are those of `std`. A pool such as rayon's is made for tasks that run to their end, but the reader of the
//! input waits for the disk and the consumer waits for its turn, and a waiting task would keep a thread of the pool.

mod files;

use crate::chunks::{CHUNK_BYTES, read_some};
use crate::decoder::Decoder;
use crate::error::{Error, RowError};
use crate::options::Options;
use crate::parser::Totals;
use crate::pieces::{Head, HeadFinder, NextRow, find_candidate};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use bytes::Bytes;
pub use files::{FilesReader, read_files};
use std::collections::VecDeque;
use std::io::Read;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use tagstream::{Limit, Limits, Position};

/// Length of a piece, in bytes, before it is extended to the next candidate.
const PIECE_BYTES: usize = 4 << 20;

/// Maximum number of bytes of batches that wait until it is the turn of their pieces, for all threads together.
const MAX_WAITING_BYTES: usize = 256 << 20;

/// The least maximum for one piece.
const MIN_WAITING_BYTES: usize = 16 << 20;

/// A part of the document. Its rows are those that begin in it.
#[derive(Debug)]
struct Piece {
    bytes: Bytes,
    /// Offset of the piece in the document.
    start: u64,
    /// True if the piece begins at a candidate, so that it can be read before the pieces before it.
    is_candidate: bool,
    /// The piece after this one, in which the first row may be that ends the piece. `None` if this piece is the last.
    rest: Option<Bytes>,
}

impl Piece {
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

/// The rows of a piece.
struct Answer {
    batches: Vec<RecordBatch>,
    failed: Option<Error>,
    decoder: Box<Decoder>,
    /// The totals at the end of the piece, as if the piece followed the head.
    totals: Totals,
    /// The charge for all entities that the decoder has expanded, of which some may be after the piece. It is `u64::MAX` if
    /// they exceed the limit for the piece alone.
    final_charge: u64,
}

/// A piece on its way to the consumer.
struct Ordered {
    piece: Arc<Piece>,
    /// The rows of the piece, if it is read by a thread of its own, and the head that it is read after.
    answer: Option<(Receiver<Answer>, Arc<Head>)>,
}

/// A message from the thread that reads the input to the consumer.
enum Message {
    Piece(Ordered),
    Failed(Error),
}

/// A piece for a worker, and the sender of its rows.
type Job = (Arc<Piece>, Arc<Head>, SyncSender<Answer>);

/// Reads one document on several threads. The rows are those of [`XmlReader`], in the same order, and so are the errors
/// and their positions; batches may have fewer rows.
///
/// Memory is bounded by a few pieces of some MiB for each thread, and by batches of at most 256 MiB, or 16 MiB for each
/// thread, that were read before it is their turn.
///
/// ```
/// use tagstream_arrow::{Options, ParallelReader, infer_schema};
///
/// let xml: &[u8] = b"<log><entry n='1'/><entry n='2'/></log>";
/// let schema = infer_schema(xml, &Options::new("entry"))?.schema;
/// let mut rows = 0;
/// for batch in ParallelReader::new(xml, schema, Options::new("entry"), 2)? {
///     rows += batch?.num_rows();
/// }
/// assert_eq!(rows, 2);
/// # Ok::<(), tagstream_arrow::Error>(())
/// ```
#[derive(Debug)]
pub struct ParallelReader {
    schema: SchemaRef,
    messages: Option<Receiver<Message>>,
    /// The decoder of the last piece that was read, which confirms the next one.
    last: Option<Last>,
    ready: VecDeque<RecordBatch>,
    /// The piece that the last decoder reads.
    reading: Option<Reading>,
    errors: Vec<RowError>,
    error_count: u64,
    failed: Option<Error>,
    has_ended: bool,
    confirmed: u64,
    limits: Limits,
}

/// The decoder of the last piece, and the shift of its lines.
#[derive(Debug)]
struct Last {
    decoder: Box<Decoder>,
    shift: Shift,
    /// The totals of the document up to the end of the last piece.
    totals: Totals,
    /// Number of row errors of the decoder that were passed on.
    passed: (usize, u64),
}

/// The difference of lines and columns in a piece and in the document.
#[derive(Clone, Copy, Debug, Default)]
struct Shift {
    /// Offset in the document of the first row of the piece. Places before it are in the head.
    start: u64,
    /// The position of that row, as the decoder of the piece counts.
    from: Position,
    /// The position of that row in the document.
    to: Position,
}

impl Shift {
    /// Returns the differences of lines, of columns, and of columns in UTF-16.
    fn by(self) -> (i64, [i64; 2]) {
        let between = |from: u64, to: u64| to as i64 - from as i64;
        let (from, to) = (self.from, self.to);
        let columns = [
            between(from.column(), to.column()),
            between(from.column_utf16(), to.column_utf16()),
        ];
        (between(from.line(), to.line()), columns)
    }

    fn position(self, position: Position) -> Position {
        let (lines, columns) = self.by();
        position.moved(self.from.line(), lines, columns)
    }

    fn row_error(self, error: &mut RowError) {
        let (lines, columns) = self.by();
        if error.line == self.from.line() {
            error.column = error.column.saturating_add_signed(columns[0]);
        }
        error.line = error.line.saturating_add_signed(lines);
    }

    fn error(self, error: Error) -> Error {
        match error {
            Error::Row(mut error) => {
                self.row_error(&mut error);
                Error::Row(error)
            }
            Error::Parse(error) => Error::Parse(error.with_places(
                |span, position| match span.start < self.start {
                    true => (span, position),
                    false => (span, self.position(position)),
                },
            )),
            error => error,
        }
    }
}

impl ParallelReader {
    /// Starts reading with a number of threads, besides one thread that reads the input.
    ///
    /// # Errors
    ///
    /// The same as for [`Decoder::new`].
    pub fn new(
        read: impl Read + Send + 'static,
        schema: SchemaRef,
        options: Options,
        threads: usize,
    ) -> Result<ParallelReader, Error> {
        ParallelReader::with_piece_bytes(read, schema, options, threads, PIECE_BYTES)
    }

    /// As [`new`](ParallelReader::new), with pieces of another length.
    ///
    /// # Errors
    ///
    /// The same as for [`Decoder::new`].
    pub fn with_piece_bytes(
        read: impl Read + Send + 'static,
        schema: SchemaRef,
        options: Options,
        threads: usize,
        bytes: usize,
    ) -> Result<ParallelReader, Error> {
        // Errors of the schema are found here, and not in each thread.
        let decoder = Decoder::new(Arc::clone(&schema), options.clone())?;
        let limits = options.limits;
        let threads = threads.max(1);
        let (jobs, queue) = sync_channel::<Job>(threads);
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads {
            let (queue, schema, options) =
                (Arc::clone(&queue), Arc::clone(&schema), options.clone());
            let max_bytes = (MAX_WAITING_BYTES / (threads + 2)).max(MIN_WAITING_BYTES);
            thread::spawn(move || work(&queue, &schema, &options, max_bytes));
        }
        let (messages, ordered) = sync_channel(threads + 1);
        thread::spawn(move || cut(read, &options, bytes.max(1), &jobs, &messages));
        Ok(ParallelReader {
            schema,
            messages: Some(ordered),
            last: Some(Last {
                decoder: Box::new(decoder),
                shift: Shift::default(),
                totals: Totals::default(),
                passed: (0, 0),
            }),
            ready: VecDeque::new(),
            reading: None,
            errors: Vec::new(),
            error_count: 0,
            failed: None,
            has_ended: false,
            confirmed: 0,
            limits,
        })
    }

    /// Returns the first errors of rows. See [`Decoder::row_errors`].
    pub fn row_errors(&self) -> &[RowError] {
        &self.errors
    }

    /// Returns the number of errors of rows.
    pub fn row_error_count(&self) -> u64 {
        self.error_count
    }

    /// Returns the number of pieces that were read beside the pieces before them, and confirmed.
    pub fn confirmed_pieces(&self) -> u64 {
        self.confirmed
    }

    /// Returns the next batch, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns the errors of the input and of [`Decoder::next_batch`]. After an error, there are no more batches.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        loop {
            if let Some(batch) = self.ready.pop_front() {
                return Ok(Some(batch));
            }
            if let Some(error) = self.failed.take() {
                self.has_ended = true;
                return Err(error);
            }
            if self.reading.is_some() {
                match self.read_on() {
                    Some(batch) => return Ok(Some(batch)),
                    None => continue,
                }
            }
            if self.has_ended {
                return Ok(None);
            }
            let message = self
                .messages
                .as_ref()
                .and_then(|messages| messages.recv().ok());
            match message {
                Some(Message::Piece(ordered)) => self.take(ordered),
                Some(Message::Failed(error)) => {
                    self.messages = None;
                    self.failed = Some(error);
                }
                None => self.has_ended = true,
            }
        }
    }

    /// Takes the rows of the next piece, from its own decoder or from the one before.
    fn take(&mut self, ordered: Ordered) {
        let Ordered { piece, answer } = ordered;
        if piece.start == 0 {
            self.go_on(piece, true);
            return;
        }
        let next = self.last.as_ref().and_then(|last| last.decoder.next_row());
        if let (Some(next), Some((answer, head))) = (next, answer)
            && next.confirms(&head, piece.start)
            && let Ok(answer) = answer.recv()
            && let Some(before) = self.part_before(&head, &answer)
        {
            self.accept(&next, answer, before);
        } else {
            self.go_on(piece, false);
        }
    }

    /// Returns the part of the document between the head and a piece. Returns `None` if a limit that depends on the text
    /// before the piece may end the document in it, since the decoder of the piece does not know that text.
    fn part_before(&self, head: &Head, answer: &Answer) -> Option<Totals> {
        let last = self.last.as_ref()?;
        let before = last.totals.since(head.totals);
        // The memory of a parser depends on the text before too.
        if let Some(Error::Parse(error)) = &answer.failed
            && error.limit() == Some(Limit::Memory)
        {
            return None;
        }
        let charge = answer.final_charge.saturating_add(before.entity_charge);
        let ratio = self.limits.entity_ratio as u64;
        let limit =
            (self.limits.entity_allowance as u64).max(last.totals.text.saturating_mul(ratio));
        (charge <= limit && answer.final_charge < u64::MAX).then_some(before)
    }

    /// Takes the rows that a piece's own decoder has read. `before` is the part of the document between the head and the
    /// piece.
    fn accept(&mut self, next: &NextRow, mut answer: Answer, before: Totals) {
        let shift = self
            .last
            .as_ref()
            .map_or(Shift::default(), |last| last.shift);
        // The piece begins with a row, since the decoder before has stopped there.
        let shift = Shift {
            start: next.offset,
            from: answer.decoder.first_position().unwrap_or_default(),
            to: shift.position(next.position),
        };
        answer.decoder.count_part(before);
        self.confirmed += 1;
        self.ready.extend(answer.batches);
        self.last = Some(Last {
            decoder: answer.decoder,
            shift,
            totals: answer.totals.and(before),
            passed: (0, 0),
        });
        self.pass_errors(answer.failed);
    }

    /// Lets the last decoder begin to read a piece. `is_first` is true for the first piece, which it was not fed with
    /// before.
    fn go_on(&mut self, piece: Arc<Piece>, is_first: bool) {
        let Some(last) = &mut self.last else {
            return;
        };
        if is_first {
            last.decoder.feed(piece.bytes.clone());
        }
        self.reading = Some(Reading::new(piece, &mut last.decoder));
    }

    /// Returns the next batch of the piece that the last decoder reads, or `None` at the end of the piece. An error is in
    /// `failed`.
    fn read_on(&mut self) -> Option<RecordBatch> {
        let (reading, last) = (self.reading.as_mut()?, self.last.as_mut()?);
        let (batch, failed) = match reading.next(&mut last.decoder) {
            Ok(batch) => (batch, None),
            Err(error) => (None, Some(error)),
        };
        if batch.is_none() {
            last.totals = reading.totals(&mut last.decoder);
            self.reading = None;
        }
        self.pass_errors(failed);
        batch
    }

    /// Takes the new errors of rows of the last decoder, and the error by which it has failed.
    fn pass_errors(&mut self, failed: Option<Error>) {
        let Some(last) = &mut self.last else {
            return;
        };
        for error in &last.decoder.row_errors()[last.passed.0..] {
            let mut error = error.clone();
            last.shift.row_error(&mut error);
            if self.errors.len() < crate::decoder::MAX_KEPT_ERRORS {
                self.errors.push(error);
            }
        }
        self.error_count += last.decoder.row_error_count() - last.passed.1;
        last.passed = (
            last.decoder.row_errors().len(),
            last.decoder.row_error_count(),
        );
        self.failed = failed.map(|error| last.shift.error(error));
        if self.failed.is_some() {
            self.messages = None;
        }
    }
}

impl Iterator for ParallelReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().map_err(ArrowError::from).transpose()
    }
}

impl RecordBatchReader for ParallelReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// A piece that a decoder was fed with, and reads up to the first row after it.
#[derive(Debug)]
struct Reading {
    piece: Arc<Piece>,
    /// The totals at the end of the piece, once it was reached.
    totals: Option<Totals>,
}

impl Reading {
    fn new(piece: Arc<Piece>, decoder: &mut Decoder) -> Reading {
        decoder.read_to(match piece.rest {
            Some(_) => piece.end(),
            None => u64::MAX,
        });
        Reading {
            piece,
            totals: None,
        }
    }

    /// Returns the next batch, or `None` at the end.
    fn next(&mut self, decoder: &mut Decoder) -> Result<Option<RecordBatch>, Error> {
        loop {
            if let Some(batch) = decoder.next_batch()? {
                return Ok(Some(batch));
            }
            if self.totals.is_some() {
                return Ok(None);
            }
            // At the end of the piece, all of the text before the next row was read, and nothing of the row. After the
            // row is found, more was read.
            self.totals = Some(decoder.totals());
            match &self.piece.rest {
                Some(rest) => decoder.feed(rest.clone()),
                None => decoder.finish(),
            }
        }
    }

    /// Returns the totals at the end of the piece, or where an error has ended the document.
    fn totals(&self, decoder: &mut Decoder) -> Totals {
        self.totals.unwrap_or_else(|| decoder.totals())
    }
}

/// Reads all of a piece. Returns `None` if the batches need more memory than the limit.
fn read_piece(piece: &Arc<Piece>, mut decoder: Decoder, max_bytes: usize) -> Option<Answer> {
    decoder.feed(piece.bytes.clone());
    let mut reading = Reading::new(Arc::clone(piece), &mut decoder);
    let mut batches = Vec::new();
    let mut bytes = 0;
    let failed = loop {
        match reading.next(&mut decoder) {
            Ok(Some(batch)) => {
                bytes += batch.get_array_memory_size();
                batches.push(batch);
            }
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
        if bytes > max_bytes {
            return None;
        }
    };
    let totals = reading.totals(&mut decoder);
    Some(Answer {
        final_charge: decoder.totals().entity_charge,
        batches,
        failed,
        decoder: Box::new(decoder),
        totals,
    })
}

/// Reads pieces until there are no more.
fn work(queue: &Mutex<Receiver<Job>>, schema: &SchemaRef, options: &Options, max_bytes: usize) {
    loop {
        let job = match queue.lock() {
            Ok(queue) => queue.recv(),
            Err(_) => return,
        };
        let Ok((piece, head, answers)) = job else {
            return;
        };
        // The schema was used for a decoder before.
        let range = piece.start..u64::MAX;
        let decoder = Decoder::piece_alone(Arc::clone(schema), options.clone(), &head, range);
        let Ok(decoder) = decoder else {
            return;
        };
        // Rows that need much more memory than their source are read when it is their turn, by the decoder before.
        if let Some(answer) = read_piece(&piece, decoder, max_bytes) {
            // The consumer does not wait for the rows of a piece that was not confirmed.
            let _ = answers.send(answer);
        }
    }
}

/// Reads the input, and cuts it into pieces.
struct Cutter<'a> {
    options: &'a Options,
    piece_bytes: usize,
    /// The head, once it was found.
    head: Option<Arc<Head>>,
    finder: Option<HeadFinder>,
    /// Input that is in no piece yet.
    pending: Vec<u8>,
    /// Offset of `pending` in the document.
    start: u64,
    /// True if `pending` begins at a candidate.
    is_candidate: bool,
    /// Number of bytes of `pending` in which there is no candidate where it can be cut.
    searched: usize,
    /// The piece before `pending`, which is sent when the next one is complete.
    previous: Option<Piece>,
    jobs: &'a SyncSender<Job>,
    messages: &'a SyncSender<Message>,
}

/// The consumer has gone.
struct Gone;

fn cut(
    mut read: impl Read,
    options: &Options,
    piece_bytes: usize,
    jobs: &SyncSender<Job>,
    messages: &SyncSender<Message>,
) {
    let mut cutter = Cutter {
        options,
        piece_bytes,
        head: None,
        finder: HeadFinder::new(options).ok(),
        pending: Vec::new(),
        start: 0,
        is_candidate: false,
        searched: 0,
        previous: None,
        jobs,
        messages,
    };
    loop {
        // The input is read into the piece itself.
        let before = cutter.pending.len();
        cutter.pending.resize(before + CHUNK_BYTES, 0);
        let length = read_some(&mut read, &mut cutter.pending[before..]);
        cutter
            .pending
            .truncate(before + *length.as_ref().unwrap_or(&0));
        let is_over = match length {
            Ok(0) => {
                // The consumer may have gone.
                let _ = cutter.finish(true);
                true
            }
            Ok(_) => cutter.take(before).is_err(),
            Err(error) => {
                let _ = cutter.finish(false);
                let _ = messages.send(Message::Failed(error.into()));
                true
            }
        };
        if is_over {
            return;
        }
    }
}

impl Cutter<'_> {
    /// Makes pieces of the input. The input from `start` on is new.
    fn take(&mut self, start: usize) -> Result<(), Gone> {
        if let Some(mut finder) = self.finder.take() {
            match finder.feed(Bytes::copy_from_slice(&self.pending[start..])) {
                Ok(false) => self.finder = Some(finder),
                Ok(true) => self.head = finder.head().map(Arc::new),
                // The decoder of the first piece finds the error too.
                Err(_) => {}
            }
        }
        while self.pending.len() > self.piece_bytes {
            let Some((at, is_candidate)) = self.place() else {
                return Ok(());
            };
            self.split(at, is_candidate)?;
        }
        Ok(())
    }

    /// Returns the length of the next piece, and whether there is a candidate after it.
    fn place(&mut self) -> Option<(usize, bool)> {
        // A document without a head is not cut at candidates.
        let Some(head) = &self.head else {
            return Some((self.piece_bytes, false));
        };
        let first = (head.first_row + 1).saturating_sub(self.start) as usize;
        let from = self.piece_bytes.max(first).max(self.searched);
        let rest = self.pending.get(from..).unwrap_or_default();
        if let Some(at) = find_candidate(rest, self.options) {
            return Some((from + at, true));
        }
        // A candidate may begin near the end and go on in the next chunk.
        let safe = self
            .pending
            .len()
            .saturating_sub(self.options.row_tag.len() + 2);
        self.searched = safe.max(from.min(self.pending.len()));
        (self.pending.len() > self.piece_bytes.saturating_mul(4) && safe > 0)
            .then_some((safe, false))
    }

    /// Makes a piece of the first bytes of `pending`.
    fn split(&mut self, at: usize, is_candidate: bool) -> Result<(), Gone> {
        let mut rest =
            Vec::with_capacity(self.piece_bytes.max(self.pending.len() - at) + 2 * CHUNK_BYTES);
        rest.extend_from_slice(&self.pending[at..]);
        self.pending.truncate(at);
        let bytes = Bytes::from(std::mem::replace(&mut self.pending, rest));
        let piece = Piece {
            start: self.start,
            bytes,
            is_candidate: self.is_candidate,
            rest: None,
        };
        self.start += at as u64;
        self.is_candidate = is_candidate;
        self.searched = 0;
        let rest = piece.bytes.clone();
        match self.previous.replace(piece) {
            Some(previous) => self.send(Piece {
                rest: Some(rest),
                ..previous
            }),
            None => Ok(()),
        }
    }

    /// Sends the rest of the input. `is_end` is false if there would be more, but it cannot be read.
    fn finish(&mut self, is_end: bool) -> Result<(), Gone> {
        if !self.pending.is_empty() || self.previous.is_none() {
            self.split(self.pending.len(), false)?;
        }
        match self.previous.take() {
            Some(previous) => self.send(Piece {
                rest: (!is_end).then(Bytes::new),
                ..previous
            }),
            None => Ok(()),
        }
    }

    fn send(&mut self, piece: Piece) -> Result<(), Gone> {
        let piece = Arc::new(piece);
        let mut job = None;
        let mut answer = None;
        if piece.is_candidate
            && let Some(head) = &self.head
        {
            let (sender, receiver) = sync_channel(1);
            job = Some((Arc::clone(&piece), Arc::clone(head), sender));
            answer = Some((receiver, Arc::clone(head)));
        }
        self.messages
            .send(Message::Piece(Ordered { piece, answer }))
            .map_err(|_| Gone)?;
        match job {
            Some(job) => self.jobs.send(job).map_err(|_| Gone),
            None => Ok(()),
        }
    }
}
