//! The rows of one file, in parts, and the places in the file from which reading can continue.

use crate::failure::Failure;
use crate::input::{Given, Input};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use tagstream_arrow::{Decoder, Error, Head, HeadFinder, Options, ParallelReader, RowError};

/// Maximum number of bytes between two marks.
const MAX_STEP: u64 = 8 << 20;

/// A place in a file from which reading can continue: the beginning, or the start tag of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    /// Offset of the start tag in bytes; 0 for the beginning of the file.
    pub(super) offset: u64,
    /// Line of the start tag, from 1.
    pub(super) line: u64,
    /// Column of the start tag, in characters from 1.
    pub(super) column: u64,
    /// Number of rows before the place.
    pub(super) rows: u64,
    /// Number of row errors before the place.
    pub(super) errors: u64,
}

/// The next rows of a file.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) batch: Option<RecordBatch>,
    /// New errors of rows. Only the first ones of a file are kept.
    pub(super) errors: Vec<RowError>,
    /// Number of new errors of rows, including those that are not kept.
    pub(super) error_count: u64,
    /// The place after the rows, if reading can continue there.
    pub(super) mark: Option<Mark>,
    /// True if the next part may have to wait for input, so that the output should be flushed.
    pub(super) is_last_available: bool,
}

/// The settings for reading a file.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) schema: SchemaRef,
    pub(super) options: Options,
    pub(super) given: Given,
    /// True if the first row error ends the program.
    pub(super) is_fail_fast: bool,
    /// Number of threads.
    pub(super) jobs: usize,
    /// Number of bytes between two checkpoints, if checkpoints are saved.
    pub(super) every: Option<u64>,
}

/// An input, and the part of it that was read already.
pub(super) struct Opened {
    pub(super) input: Input,
    pub(super) replayed: VecDeque<Bytes>,
}

/// Reads the rows of one file.
pub(super) struct RowReader {
    source: Source,
    file: PathBuf,
    /// Number of rows before the next one.
    rows: u64,
    /// Number of row errors before the next one.
    errors: u64,
    /// Number of row errors of the source that were passed on: those that are kept, and all.
    passed: (usize, u64),
    /// A failure that is returned after the errors of rows before it.
    failed: Option<Failure>,
    is_fail_fast: bool,
}

enum Source {
    Serial(Box<Serial>),
    Parallel(Box<ParallelReader>),
}

/// Reads a file with one decoder.
struct Serial {
    decoder: Decoder,
    input: Input,
    /// Chunks that are read before the input.
    replayed: VecDeque<Bytes>,
    is_finished: bool,
    /// True if the output was flushed since the last chunk.
    is_flushed: bool,
    /// Looks for the head, if marks are wanted.
    finder: Option<HeadFinder>,
    /// The head of the document. Without one, there are no marks.
    head: Option<Head>,
    /// The last two chunks that were fed, and the offset of each in the file.
    recent: [(u64, Bytes); 2],
    /// Number of bytes between two marks.
    step: u64,
    shift: Shift,
}

/// The difference between lines and columns as the decoder counts them and those in the file. A decoder that continues in
/// the middle of a file counts from the head on.
#[derive(Clone, Copy, Debug, Default)]
struct Shift {
    /// Offset in the file from which on places are shifted.
    start: u64,
    /// The line of the first row as the decoder counts.
    first_line: u64,
    lines: i64,
    /// The difference of columns in the first line.
    columns: i64,
}

impl Shift {
    fn place(self, line: u64, column: u64) -> (u64, u64) {
        let columns = match line == self.first_line {
            true => self.columns,
            false => 0,
        };
        (
            line.saturating_add_signed(self.lines),
            column.saturating_add_signed(columns),
        )
    }

    /// Returns an error with the line and the column in the file.
    fn error(self, error: Error) -> Error {
        match error {
            Error::Row(mut error) => {
                (error.line, error.column) = self.place(error.line, error.column);
                Error::Row(error)
            }
            Error::Parse(error) => Error::Parse(error.with_places(
                |span, position| match span.start < self.start {
                    true => (span, position),
                    false => {
                        let columns = [self.columns; 2];
                        (span, position.moved(self.first_line, self.lines, columns))
                    }
                },
            )),
            error => error,
        }
    }
}

impl RowReader {
    /// Begins to read a file.
    pub(super) fn new(opened: Opened, settings: &Settings) -> Result<RowReader, Failure> {
        let Opened { input, replayed } = opened;
        let file = input.file().to_owned();
        let options = settings.options.clone().file(Some(&name(&file)));
        let schema = SchemaRef::clone(&settings.schema);
        let failure = |error: Error| failure(&file, &error);
        let source = match settings.jobs {
            0 | 1 => {
                let finder = match settings.every {
                    Some(_) if input.is_plain_file() => {
                        Some(HeadFinder::new(&options).map_err(failure)?)
                    }
                    _ => None,
                };
                Source::Serial(Box::new(Serial {
                    decoder: Decoder::new(schema, options)
                        .map_err(|error| failure(error.into()))?,
                    input,
                    replayed,
                    is_finished: false,
                    is_flushed: false,
                    finder,
                    head: None,
                    recent: Default::default(),
                    step: settings.every.unwrap_or(MAX_STEP).min(MAX_STEP),
                    shift: Shift::default(),
                }))
            }
            jobs => {
                let reader = Chunks::from(Opened { input, replayed });
                let reader = ParallelReader::new(reader, schema, options, jobs).map_err(failure)?;
                Source::Parallel(Box::new(reader))
            }
        };
        Ok(RowReader {
            source,
            file,
            rows: 0,
            errors: 0,
            passed: (0, 0),
            failed: None,
            is_fail_fast: settings.is_fail_fast,
        })
    }

    /// Begins to read a file at a mark. Reads from the beginning if the reader has several threads, or the file cannot be
    /// read from its middle.
    pub(super) fn at(
        opened: Opened,
        settings: &Settings,
        mark: Mark,
    ) -> Result<RowReader, Failure> {
        let mut reader = RowReader::new(opened, settings)?;
        let failure = |error: Error| failure(&reader.file, &error);
        let Source::Serial(serial) = &mut reader.source else {
            return Ok(reader);
        };
        if mark.offset == 0 || serial.finder.is_none() {
            return Ok(reader);
        }
        while let Some(finder) = &mut serial.finder {
            let Some(chunk) = serial.input.next_chunk()? else {
                break;
            };
            if finder.feed(chunk).map_err(failure)? {
                serial.head = serial.finder.take().and_then(HeadFinder::head);
            }
        }
        let Some(head) = &serial.head else {
            let reason = "the file has changed since the checkpoint was written";
            return Err(Failure::read(&reader.file, reason));
        };
        let (line, column) = end_of(head.bytes());
        serial.shift = Shift {
            start: mark.offset,
            first_line: line,
            lines: mark.line as i64 - line as i64,
            columns: mark.column as i64 - column as i64,
        };
        let options = settings.options.clone().file(Some(&name(&reader.file)));
        let schema = SchemaRef::clone(&settings.schema);
        let range = mark.offset..mark.offset.saturating_add(serial.step);
        serial.decoder =
            Decoder::piece(schema, options, head, range).map_err(|error| failure(error.into()))?;
        serial.input.go_to(mark.offset)?;
        serial.recent[1].0 = mark.offset;
        (reader.rows, reader.errors) = (mark.rows, mark.errors);
        Ok(reader)
    }

    /// Returns the number of rows that were read, including those before a mark at which reading began.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the number of row errors that were read, including those before a mark at which reading began.
    pub(super) fn errors(&self) -> u64 {
        self.errors
    }

    /// Returns the next rows, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Part>, Failure> {
        if let Some(failure) = self.failed.take() {
            return Err(failure);
        }
        let result = match &mut self.source {
            Source::Serial(serial) => serial.next(),
            Source::Parallel(reader) => reader.next_batch().map(|batch| {
                let batch = batch?;
                Some(Part {
                    batch: Some(batch),
                    ..Part::default()
                })
            }),
        };
        let (errors, count) = match &self.source {
            Source::Serial(serial) => (
                serial.decoder.row_errors(),
                serial.decoder.row_error_count(),
            ),
            Source::Parallel(reader) => (reader.row_errors(), reader.row_error_count()),
        };
        // The first error is the failure, if it ends the program.
        let (errors, count) = match self.is_fail_fast {
            true => (&[][..], 0),
            false => (errors, count),
        };
        let mut errors = errors[self.passed.0..].to_vec();
        let error_count = count - self.passed.1;
        self.passed = (self.passed.0 + errors.len(), count);
        let shift = match &self.source {
            Source::Serial(serial) => serial.shift,
            Source::Parallel(_) => Shift::default(),
        };
        for error in &mut errors {
            (error.line, error.column) = shift.place(error.line, error.column);
        }
        self.errors += error_count;
        match result {
            Ok(Some(mut part)) => {
                self.rows += part
                    .batch
                    .as_ref()
                    .map_or(0, |batch| batch.num_rows() as u64);
                if let Some(mark) = &mut part.mark {
                    (mark.rows, mark.errors) = (self.rows, self.errors);
                }
                (part.errors, part.error_count) = (errors, error_count);
                Ok(Some(part))
            }
            Err(Error::Row(error)) => Err(failure(&self.file, &shift.error(Error::Row(error)))),
            Ok(None) if error_count == 0 => Ok(None),
            // There are errors after the last row.
            result => {
                let failed = result.err().map(|error| shift.error(error));
                self.failed = failed.map(|error| failure(&self.file, &error));
                Ok(Some(Part {
                    errors,
                    error_count,
                    ..Part::default()
                }))
            }
        }
    }
}

impl Serial {
    fn next(&mut self) -> Result<Option<Part>, Error> {
        loop {
            if let Some(batch) = self.decoder.next_batch()? {
                return Ok(Some(Part {
                    batch: Some(batch),
                    ..Part::default()
                }));
            }
            if let Some(next) = self.decoder.next_row() {
                // All rows before this one were returned.
                let is_mark = self.is_start_tag(next.offset)
                    && self
                        .head
                        .as_ref()
                        .is_some_and(|head| next.confirms(head, next.offset));
                let (line, column) = self.shift.place(next.line, next.column);
                self.decoder.read_to(next.offset.saturating_add(self.step));
                return Ok(Some(Part {
                    mark: is_mark.then_some(Mark {
                        offset: next.offset,
                        line,
                        column,
                        ..Mark::default()
                    }),
                    ..Part::default()
                }));
            }
            if self.is_finished {
                return Ok(None);
            }
            let chunk = match self.replayed.pop_front() {
                Some(chunk) => Some(chunk),
                // Rows that are complete are written before a read that can block.
                None if self.input.can_block() && !self.is_flushed => {
                    self.is_flushed = true;
                    return Ok(Some(Part {
                        batch: self.decoder.flush()?,
                        is_last_available: true,
                        ..Part::default()
                    }));
                }
                None => self.input.next_chunk().map_err(io_error)?,
            };
            self.is_flushed = false;
            let Some(chunk) = chunk else {
                self.is_finished = true;
                self.decoder.finish();
                continue;
            };
            if let Some(finder) = &mut self.finder
                // The decoder finds an error of the parser too.
                && finder.feed(chunk.clone()).unwrap_or(true)
            {
                self.head = self.finder.take().and_then(HeadFinder::head);
                if let Some(head) = &self.head {
                    let end = head.first_row().saturating_add(self.step);
                    self.decoder.read_to(end);
                }
            }
            if self.finder.is_some() || self.head.is_some() {
                let (offset, last) = &self.recent[1];
                let offset = offset + last.len() as u64;
                self.recent.swap(0, 1);
                self.recent[1] = (offset, chunk.clone());
            }
            self.decoder.feed(chunk);
        }
    }

    /// Returns true if a tag begins at an offset of the file. A row that comes from an entity has the offset of the
    /// reference, at which reading cannot continue.
    fn is_start_tag(&self, offset: u64) -> bool {
        self.recent.iter().any(|(start, chunk)| {
            let at = offset.checked_sub(*start);
            at.and_then(|at| chunk.get(at as usize)) == Some(&b'<')
        })
    }
}

/// Chunks of an input as a reader.
pub(super) struct Chunks {
    current: Bytes,
    replayed: VecDeque<Bytes>,
    input: Input,
}

impl From<Opened> for Chunks {
    fn from(Opened { input, replayed }: Opened) -> Chunks {
        Chunks {
            current: Bytes::new(),
            replayed,
            input,
        }
    }
}

impl io::Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.current.is_empty() {
            self.current = match self.replayed.pop_front() {
                Some(chunk) => chunk,
                None => match self.input.next_chunk().map_err(io_error)? {
                    Some(chunk) => chunk,
                    None => return Ok(0),
                },
            };
        }
        let length = self.current.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.current.split_to(length));
        Ok(length)
    }
}

/// Converts a failure of the input to an error whose message contains the name of the file.
fn io_error(failure: Failure) -> io::Error {
    match failure {
        Failure::Refused(message) | Failure::Unusable(message) => io::Error::other(message),
        Failure::ClosedPipe | Failure::NothingFound => io::ErrorKind::Other.into(),
    }
}

/// Converts an error of reading `file`.
pub(super) fn failure(file: &Path, error: &Error) -> Failure {
    match error {
        Error::Parse(error) => Failure::parse(file, error),
        Error::Row(error) => Failure::Refused(error.to_string()),
        // The message contains the name of the file.
        Error::Io(error) => Failure::Unusable(error.to_string()),
        error => Failure::read(file, error),
    }
}

/// Returns the name of a file for messages.
pub(super) fn name(file: &Path) -> String {
    file.display().to_string()
}

/// Returns the line and the column after a text in UTF-8.
fn end_of(text: &[u8]) -> (u64, u64) {
    let (mut line, mut column) = (1, 1);
    let mut last = 0;
    for &byte in text {
        match byte {
            b'\n' if last == b'\r' => {}
            b'\n' | b'\r' => (line, column) = (line + 1, 1),
            // A continuation of a character.
            0x80..0xC0 => {}
            _ => column += 1,
        }
        last = byte;
    }
    (line, column)
}
