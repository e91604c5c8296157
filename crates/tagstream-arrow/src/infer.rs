//! Inference of schemas, with the rules of Spark 4.

mod comparison;
mod row;
mod shape;
mod types;
mod values;

use crate::chunks::read_chunk;
use crate::columns::Settings;
use crate::decoder::SKIPPED_ENTITY;
use crate::error::{Error, RowError, RowErrorKind, SchemaError};
use crate::options::{Mode, Options};
use crate::parser::parser_of;
use arrow_schema::{Schema, SchemaRef};
use bytes::Bytes;
use row::{Problem, Row};
use std::io::Read;
use std::sync::Arc;
use tagstream::select::EventMatcher;
use tagstream::{Event, Nested, Parser, Xml};
use types::{Fields, STRING};

/// Maximum number of notes.
const MAX_NOTES: usize = 1000;

/// A schema that was inferred.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Inferred {
    /// The schema. Fields of each struct are in the order of their names.
    pub schema: SchemaRef,
    /// Number of rows that inference has read.
    pub rows: u64,
    /// Types that were changed by a later row, and rows that were left out. Only the first 1,000 are kept.
    pub notes: Vec<Note>,
    /// Number of rows that are malformed.
    pub malformed: u64,
    /// The first error of the input, in a row or outside of rows.
    pub first_error: Option<RowError>,
}

/// A remark of inference about a column or a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The path of the column, such as `author.name`. Empty for a whole row.
    pub column: String,
    /// The reason.
    pub reason: String,
    /// The line of the start tag of the row that is the first to show it.
    pub line: u64,
    /// The column of that start tag, in characters from 1.
    pub character: u64,
    /// The offset of that start tag in bytes.
    pub offset: u64,
}

/// Infers the schema of rows by reading all of the input.
///
/// ```
/// use tagstream_arrow::{Options, infer_schema};
///
/// let xml = b"<log><entry n='1'><at>2026-01-01</at></entry><entry n='1.5'/></log>";
/// let inferred = infer_schema(&xml[..], &Options::new("entry"))?;
/// let types: Vec<_> = inferred.schema.fields().iter().map(|field| field.data_type().to_string()).collect();
/// assert_eq!(types, ["Float64", "Date32"]);
/// assert_eq!(inferred.notes[0].reason, "the type Int64 was widened to Float64");
/// # Ok::<(), tagstream_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the input cannot be read or parsed, if the schema has more columns than the limit, and in the mode
/// [`FailFast`](Mode::FailFast) if a row is malformed.
pub fn infer_schema(mut read: impl Read, options: &Options) -> Result<Inferred, Error> {
    let mut inferrer = Inferrer::new(options.clone())?;
    let mut buffer = Vec::new();
    loop {
        match read_chunk(&mut read, &mut buffer)? {
            0 => return inferrer.finish(),
            length => inferrer.feed(Bytes::copy_from_slice(&buffer[..length]))?,
        }
    }
}

/// Infers a schema from chunks of XML. It does no I/O.
#[derive(Debug)]
pub struct Inferrer {
    parser: Parser<Xml, Nested>,
    matcher: Option<EventMatcher<Xml>>,
    options: Options,
    settings: Settings,
    row: Row,
    /// Number of rows that were begun.
    count: u64,
    rows: u64,
    malformed: u64,
    first_error: Option<RowError>,
    notes: Vec<Note>,
}

impl Inferrer {
    /// Creates an inferrer.
    ///
    /// # Errors
    ///
    /// Returns an error if the selector of the rows is not supported on streams.
    pub fn new(options: Options) -> Result<Inferrer, Error> {
        let (parser, matcher) = parser_of(&options)?;
        Ok(Inferrer {
            parser,
            matcher,
            settings: Settings::new(&options),
            options,
            row: Row::default(),
            count: 0,
            rows: 0,
            malformed: 0,
            first_error: None,
            notes: Vec::new(),
        })
    }

    /// Reads a chunk of the input.
    ///
    /// # Errors
    ///
    /// Returns an error if the parser cannot continue, if the schema has more columns than the limit, and in the mode
    /// [`FailFast`](Mode::FailFast) if a row is malformed.
    pub fn feed(&mut self, chunk: Bytes) -> Result<(), Error> {
        self.parser.feed(chunk);
        self.run()?;
        if self.row.is_open() {
            let end = self.parser.earliest_start();
            self.row.check_length(end, &self.options);
        }
        Ok(())
    }

    /// Ends a document. The next chunk is the first one of another document, whose rows have the same schema.
    ///
    /// ```
    /// use tagstream_arrow::{Inferrer, Options};
    ///
    /// let mut inferrer = Inferrer::new(Options::new("entry"))?;
    /// for document in ["<log><entry n='1'/></log>", "<log><entry n='1.5'/></log>"] {
    ///     inferrer.feed(document.into())?;
    ///     inferrer.end_document()?;
    /// }
    /// let inferred = inferrer.finish_early()?;
    /// assert_eq!(inferred.rows, 2);
    /// assert_eq!(inferred.schema.field(0).data_type().to_string(), "Float64");
    /// # Ok::<(), tagstream_arrow::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`feed`](Inferrer::feed).
    pub fn end_document(&mut self) -> Result<(), Error> {
        self.parser.finish();
        self.run()?;
        self.leave_document()
    }

    /// Leaves a document before its end. A row that was not read completely is ignored. The next chunk is the first one
    /// of another document, whose rows have the same schema.
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Inferrer::new).
    pub fn leave_document(&mut self) -> Result<(), Error> {
        (self.parser, self.matcher) = parser_of(&self.options)?;
        self.row.abandon();
        Ok(())
    }

    /// Ends the input, and returns the schema.
    ///
    /// # Errors
    ///
    /// The same as for [`feed`](Inferrer::feed).
    pub fn finish(mut self) -> Result<Inferred, Error> {
        self.parser.finish();
        self.run()?;
        self.finish_early()
    }

    /// Returns the schema of the rows that were read completely.
    ///
    /// # Errors
    ///
    /// Returns an error if the schema has more columns than the limit.
    pub fn finish_early(self) -> Result<Inferred, Error> {
        Ok(Inferred {
            schema: Arc::new(Schema::new(self.row.comparison.into_fields(&self.options))),
            rows: self.rows,
            notes: self.notes,
            malformed: self.malformed,
            first_error: self.first_error,
        })
    }

    fn run(&mut self) -> Result<(), Error> {
        loop {
            // The inferrer is not borrowed while it handles an event of its own parser.
            let Inferrer { parser, .. } = self;
            let Some(event) = parser.next_event()? else {
                return Ok(());
            };
            let is_row = self.matcher.as_mut().map(|matcher| matcher.matches(&event));
            match event {
                Event::Start(tag) if self.row.is_open() => {
                    self.row.start(&tag, &self.options, &self.settings);
                }
                Event::Start(tag) => {
                    let name = self.options.name_of(tag.name());
                    if is_row.unwrap_or(name == self.options.row_tag) {
                        self.count += 1;
                        self.row.begin(&tag, &self.options, &self.settings);
                    }
                }
                Event::Text(text) => {
                    self.row.text(text.as_str(), &self.options, &self.settings);
                }
                Event::End(tag) => {
                    let end = tag.span().end;
                    if self.row.end(end, &self.options, &self.settings) {
                        self.finish_row()?;
                    }
                }
                Event::ParseError(error) => {
                    let problem = Problem {
                        kind: RowErrorKind::Malformed(error.code().message()),
                        span: error.span(),
                        position: error.position(),
                    };
                    self.note_error(problem);
                }
                Event::SkippedEntity(entity) => {
                    let problem = Problem {
                        kind: RowErrorKind::Malformed(SKIPPED_ENTITY),
                        span: entity.span(),
                        position: entity.position(),
                    };
                    self.note_error(problem);
                }
                _ => {}
            }
        }
    }

    /// Ends a row: merges its types into the schema, unless the row fits.
    fn finish_row(&mut self) -> Result<(), Error> {
        if let Some(problem) = self.row.problem.take() {
            return self.finish_malformed_row(problem);
        }
        // A multiplicative hash of the number of the row spreads the rows of the sample.
        let hash = self.count.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        if hash % 1_000_000 >= u64::from(self.options.sampling_millionths) {
            return Ok(());
        }
        self.rows += 1;
        if !self.row.comparison.is_new {
            return Ok(());
        }
        let schema = self.row.comparison.fields();
        let fields = self.row.shape.fields(schema, &self.options);
        self.merge_row(fields)
    }

    /// Ends a malformed row, which may have the column of corrupt records.
    fn finish_malformed_row(&mut self, problem: Problem) -> Result<(), Error> {
        self.malformed += 1;
        let error = problem.row_error(self.row.span.start, &self.options);
        self.first_error.get_or_insert_with(|| error.clone());
        if self.options.mode == Mode::FailFast {
            return Err(Error::Row(Box::new(error)));
        }
        self.note(String::new(), problem.kind.to_string());
        if self.options.mode == Mode::Permissive {
            let mut fields = Fields::default();
            let name = self.options.column_name_of_corrupt_record.as_str();
            fields.add(name, STRING);
            self.merge_row(fields)?;
        }
        Ok(())
    }

    /// Merges the fields of a row into the schema.
    fn merge_row(&mut self, fields: Fields) -> Result<(), Error> {
        let mut widened = Vec::new();
        let comparison = &mut self.row.comparison;
        comparison.merge(fields, &self.options, &mut widened);
        let limit = self.options.max_columns;
        let has_too_many = comparison.columns > limit;
        for (column, reason) in widened {
            self.note(column, reason);
        }
        match has_too_many {
            true => Err(SchemaError::Columns { limit }.into()),
            false => Ok(()),
        }
    }

    /// Notes an error of the parser, in a row or outside of rows.
    #[cold]
    fn note_error(&mut self, problem: Problem) {
        if self.first_error.is_none() {
            let row = match self.row.is_open() {
                true => self.row.span.start,
                false => problem.span.start,
            };
            self.first_error = Some(problem.row_error(row, &self.options));
        }
        self.row.note(problem);
    }

    fn note(&mut self, column: String, reason: String) {
        let is_known = self
            .notes
            .iter()
            .any(|note| note.column == column && note.reason == reason);
        if self.notes.len() < MAX_NOTES && !is_known {
            let Row { span, position, .. } = &self.row;
            self.notes.push(Note {
                column,
                reason,
                line: position.line(),
                character: position.column(),
                offset: span.start,
            });
        }
    }
}

impl Options {
    /// Returns the part of a name of the input that is the name of a column.
    pub(crate) fn name_of<'a>(&self, name: &'a str) -> &'a str {
        match self.ignore_namespace {
            true => name.rsplit(':').next().unwrap_or(name),
            false => name,
        }
    }
}
