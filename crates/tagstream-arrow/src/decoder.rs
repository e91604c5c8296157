//! `Decoder`: chunks of XML in, record batches out.

pub(crate) mod row;
mod source;

use crate::error::{Error, RowError, RowErrorKind, SchemaError};
use crate::options::{Mode, Options};
use crate::parser::{Totals, parser_of};
use crate::pieces::{Head, NextRow};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use row::{Outcome, Rows};
use source::Source;
use std::ops::Range;
use std::sync::Arc;
use tagstream::{Event, Nested, Parser, Position, Span, Xml};

/// Maximum number of row errors that are kept for [`Decoder::row_errors`].
pub(crate) const MAX_KEPT_ERRORS: usize = 100;

/// The message of an error of a row with a reference that cannot be resolved.
pub(crate) const SKIPPED_ENTITY: &str = "a reference to an entity whose declaration was not read";

/// Reads chunks of XML into record batches of a given schema. It does no I/O.
///
/// ```
/// use std::sync::Arc;
/// use arrow_schema::{DataType, Field, Schema};
/// use tagstream_arrow::{Decoder, Options};
///
/// let schema = Schema::new(vec![
///     Field::new("_id", DataType::Int64, true),
///     Field::new("title", DataType::Utf8, true),
/// ]);
/// let mut decoder = Decoder::new(Arc::new(schema), Options::new("entry"))?;
/// let mut rows = 0;
/// for chunk in ["<feed><entry id='1'><ti", "tle>One</title></entry>", "<entry id='2'/></feed>"] {
///     decoder.feed_slice(chunk.as_bytes());
///     while let Some(batch) = decoder.next_batch()? {
///         rows += batch.num_rows();
///     }
/// }
/// decoder.finish();
/// while let Some(batch) = decoder.next_batch()? {
///     rows += batch.num_rows();
/// }
/// assert_eq!(rows, 2);
/// # Ok::<(), tagstream_arrow::Error>(())
/// ```
///
/// Memory is bounded by one batch, one row and the chunks that were fed and not read. The batches do not depend on where
/// the input is cut into chunks.
#[derive(Debug)]
pub struct Decoder {
    parser: Parser<Xml, Nested>,
    rows: Rows,
    /// Input that may be needed as the source of a malformed row.
    source: Option<Source>,
    schema: SchemaRef,
    options: Options,
    file: Option<Arc<str>>,
    /// The first errors of rows.
    errors: Vec<RowError>,
    /// Number of errors of rows, including those that are not kept.
    error_count: u64,
    /// An error that is returned after the rows before it.
    failed: Option<Failure>,
    is_finished: bool,
    has_ended: bool,
    /// Offset in the document of the input at offset 0: negative if the decoder reads the head before a piece.
    base: i64,
    /// Number of bytes of text of the document that other decoders have read before this one.
    text_elsewhere: u64,
}

/// An error that has ended the decoding.
#[derive(Clone, Debug)]
enum Failure {
    Parse(tagstream::Error),
    Row(Box<RowError>),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        match failure {
            Failure::Parse(error) => Error::Parse(error),
            Failure::Row(error) => Error::Row(error),
        }
    }
}

impl Decoder {
    /// Creates a decoder of rows with this schema. Fields of rows without a column are skipped.
    ///
    /// # Errors
    ///
    /// Returns an error if the schema contains a type that cannot be read from XML, or if the selector of the rows is not
    /// supported on streams.
    pub fn new(schema: SchemaRef, options: Options) -> Result<Decoder, SchemaError> {
        let (parser, matcher) = parser_of(&options)?;
        let rows = Rows::new(&schema, &options, matcher)?;
        Ok(Decoder {
            parser,
            source: rows.needs_source().then(Source::default),
            rows,
            schema,
            file: options.file.as_deref().map(Arc::from),
            options,
            errors: Vec::new(),
            error_count: 0,
            failed: None,
            is_finished: false,
            has_ended: false,
            base: 0,
            text_elsewhere: 0,
        })
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Appends a chunk to the input, without a copy.
    pub fn feed(&mut self, chunk: Bytes) {
        if let Some(source) = &mut self.source {
            source.push(chunk.clone());
        }
        self.parser.feed(chunk);
    }

    /// Appends a chunk to the input.
    pub fn feed_slice(&mut self, chunk: &[u8]) {
        if let Some(source) = &mut self.source {
            let chunk = Bytes::copy_from_slice(chunk);
            source.push(chunk.clone());
            self.parser.feed(chunk);
        } else {
            self.parser.feed(chunk);
        }
    }

    /// Marks the end of the input.
    pub fn finish(&mut self) {
        self.is_finished = true;
        self.parser.finish();
    }

    /// Returns the next batch. `None` means that more input is needed or, after [`finish`](Decoder::finish), that there
    /// are no more rows.
    ///
    /// # Errors
    ///
    /// Returns an error if the parser cannot continue and, in the mode [`FailFast`](Mode::FailFast), for the first row
    /// that is malformed. The rows before it are returned first. Each later call returns the same error.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        loop {
            if self.failed.is_some() || self.has_ended || self.rows.bounds.stop().is_some() {
                break;
            }
            match self.read() {
                Outcome::Full => return self.take_batch().map(Some),
                Outcome::Stopped => {
                    if let Some(error) = self.rows.take_error_outside(false) {
                        self.note(error);
                    }
                }
                Outcome::NeedsInput => {
                    self.note_progress();
                    if !self.is_finished {
                        return Ok(None);
                    }
                    self.has_ended = true;
                    if let Some(error) = self.rows.take_error_outside(true) {
                        self.note(error);
                    }
                }
                Outcome::Event => {}
            }
        }
        if self.rows.len() > 0 {
            return self.take_batch().map(Some);
        }
        match &self.failed {
            Some(failure) => Err(failure.clone().into()),
            None => Ok(None),
        }
    }

    /// Returns the complete rows that were read since the last batch, even if they are fewer than a batch has. Rows that
    /// were fed are read by [`next_batch`](Decoder::next_batch), which is called first. A program whose input comes
    /// slowly calls this method before it waits for input.
    ///
    /// # Errors
    ///
    /// Returns an error if Arrow cannot make a batch of the rows.
    pub fn flush(&mut self) -> Result<Option<RecordBatch>, Error> {
        match self.rows.len() {
            0 => Ok(None),
            _ => self.take_batch().map(Some),
        }
    }

    /// Returns the errors of rows, at most one for each row. Only the first 100 are kept.
    pub fn row_errors(&self) -> &[RowError] {
        &self.errors
    }

    /// Returns the number of errors of rows, including those that [`row_errors`](Decoder::row_errors) does not contain.
    pub fn row_error_count(&self) -> u64 {
        self.error_count
    }

    /// Creates a decoder of the rows that begin in a range of offsets of a document. It is fed with the input from the
    /// start of the range on, and goes on after the end of the range up to the next row. The range begins at a start tag
    /// that may be that of a row. See [`Head`].
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Decoder::new).
    pub fn piece(
        schema: SchemaRef,
        options: Options,
        head: &Head,
        range: Range<u64>,
    ) -> Result<Decoder, SchemaError> {
        let mut decoder = Decoder::piece_alone(schema, options, head, range)?;
        // The document before the piece is not known, but it is as long as the offset says.
        let text = u64::try_from(decoder.base).unwrap_or(0);
        decoder.count_part(Totals {
            text,
            entity_charge: 0,
        });
        Ok(decoder)
    }

    /// As [`piece`](Decoder::piece), but entities may expand only as far as the piece alone allows.
    pub(crate) fn piece_alone(
        schema: SchemaRef,
        options: Options,
        head: &Head,
        range: Range<u64>,
    ) -> Result<Decoder, SchemaError> {
        let mut decoder = Decoder::new(schema, options)?;
        decoder.parser = head.parser.clone();
        let head_bytes = head.bytes().len() as u64;
        decoder.rows.follow_head(head.open.clone(), head_bytes);
        if decoder.source.is_some() {
            decoder.source = Some(Source::starting_at(head_bytes));
        }
        decoder.base = range.start as i64 - head_bytes as i64;
        decoder.read_to(range.end);
        Ok(decoder)
    }

    /// Sets the offset in the document from which on no row is read: the decoder stops at the start tag of the first row
    /// at or after that offset. If it has stopped before, it goes on.
    pub fn read_to(&mut self, end: u64) {
        let was_stopped = self.rows.bounds.stop().is_some();
        self.rows
            .bounds
            .set_limit(end.saturating_add_signed(-self.base));
        if was_stopped && let Some(Event::Start(tag)) = self.parser.current() {
            // The rows were notified of this tag when they stopped at it. They stop at it again if it begins after the new
            // limit.
            self.rows.start_row(&tag);
        }
    }

    /// Returns the position of the first row, as the decoder counts lines.
    pub(crate) fn first_position(&self) -> Option<Position> {
        self.rows.bounds.first_position
    }

    /// Counts a part of the document that other decoders have read before this one.
    pub(crate) fn count_part(&mut self, part: Totals) {
        self.parser.count_part(part.text, part.entity_charge);
        self.text_elsewhere = self.text_elsewhere.saturating_add(part.text);
    }

    /// Returns the totals of the document up to the end of the input that was fed, which must have been read.
    pub(crate) fn totals(&mut self) -> Totals {
        let mut totals = Totals::of(&mut self.parser);
        totals.text = totals.text.saturating_add(self.text_elsewhere);
        totals
    }

    /// Returns the row at which the decoder has stopped, because it begins at or after the end of the range.
    pub fn next_row(&self) -> Option<NextRow> {
        let (span, position) = self.rows.bounds.stop()?;
        Some(NextRow {
            offset: span.start.saturating_add_signed(self.base),
            line: position.line(),
            column: position.column(),
            position,
            open: self.rows.ancestors.clone(),
            depends_on_text_before: self.rows.depends_on_text_before(),
        })
    }

    fn take_batch(&mut self) -> Result<RecordBatch, Error> {
        Ok(self.rows.take_batch(&self.schema)?)
    }

    /// Passes events to the rows, up to the next one that needs the whole decoder.
    fn read(&mut self) -> Outcome {
        let Decoder { parser, rows, .. } = self;
        loop {
            let next = match rows.skipped() {
                None => parser.next_event(),
                Some(depth) => rows.next_event(parser, depth),
            };
            let event = match next {
                Ok(Some(event)) => event,
                Ok(None) => return Outcome::NeedsInput,
                Err(error) => {
                    rows.abandon();
                    let error = place_in_document(error, rows.bounds.head_bytes, self.base);
                    self.fail(error);
                    return Outcome::Event;
                }
            };
            match event {
                Event::Text(text) => rows.text(&text),
                Event::Start(tag) => {
                    if rows.start_tag(&tag) {
                        return Outcome::Stopped;
                    }
                }
                Event::End(tag) => {
                    if rows.end_tag(&tag) {
                        return self.end_row();
                    }
                }
                event => rows.other_event(&event),
            }
        }
    }

    /// Ends a row at its end tag, which is the current event.
    fn end_row(&mut self) -> Outcome {
        if let Some(source) = &mut self.source {
            source.encoding = self.parser.encoding();
        }
        let error = self.rows.finish_row(self.source.as_ref());
        if let Some(source) = &mut self.source {
            source.discard(self.rows.row_end());
        }
        if let Some(error) = self.rows.take_error_outside(false) {
            self.note(error);
            if self.failed.is_some() {
                self.rows.remove_last_row();
                return Outcome::Event;
            }
        }
        if let Some(error) = error {
            self.note(error);
        }
        match self.failed.is_none() && self.rows.is_full() {
            true => Outcome::Full,
            false => Outcome::Event,
        }
    }

    /// Ends the document by an error of the parser. An error outside of rows comes before it.
    #[cold]
    fn fail(&mut self, error: tagstream::Error) {
        if let Some(error) = self.rows.take_error_outside(true) {
            self.note(error);
        }
        self.failed.get_or_insert(Failure::Parse(error));
    }

    fn note(&mut self, mut error: RowError) {
        error.file.clone_from(&self.file);
        error.row = error.row.saturating_add_signed(self.base);
        error.bytes = error.bytes.start.saturating_add_signed(self.base)
            ..error.bytes.end.saturating_add_signed(self.base);
        if self.options.mode == Mode::FailFast {
            self.failed = Some(Failure::Row(Box::new(error.clone())));
        }
        self.error_count += 1;
        if self.errors.len() < MAX_KEPT_ERRORS {
            self.errors.push(error);
        }
    }

    /// Updates limits and retained input after all input that was fed has been read.
    fn note_progress(&mut self) {
        let earliest = self.parser.earliest_start();
        match self.rows.row_start() {
            Some(start) => {
                if earliest.saturating_sub(start) > self.options.max_row_bytes {
                    self.rows.note_too_long();
                    if let Some(source) = &mut self.source {
                        source.discard(earliest);
                    }
                }
            }
            None => {
                if let Some(source) = &mut self.source {
                    source.discard(earliest);
                }
            }
        }
    }
}

/// Converts the offsets of an error of the parser to those in the document. `head_bytes` is the length of the head that
/// the parser has read before a piece, and `base` the offset of its input in the document.
#[cold]
fn place_in_document(error: tagstream::Error, head_bytes: u64, base: i64) -> tagstream::Error {
    error.with_places(|span, position| {
        let by = if span.start < head_bytes { 0 } else { base };
        let start = span.start.saturating_add_signed(by);
        let end = span.end.saturating_add_signed(by);
        (Span { start, end }, position)
    })
}

/// Returns the error of a row that is longer than the limit.
pub(crate) fn too_long(limit: u64) -> RowErrorKind {
    RowErrorKind::TooLong { limit }
}
