//! Inference of schemas, with the rules of Spark 4.

mod shape;
mod types;
mod values;

use crate::columns::Settings;
use crate::decoder::{SKIPPED_ENTITY, parser_of, too_long};
use crate::error::{Error, RowError, RowErrorKind, SchemaError};
use crate::options::{Mode, Options};
use crate::reader::read_chunk;
use arrow_schema::{Schema, SchemaRef};
use bytes::Bytes;
use shape::Shape;
use std::collections::HashSet;
use std::io::Read;
use std::sync::Arc;
use tagstream::select::EventMatcher;
use tagstream::{Event, Nested, Parser, Position, Span, Xml};
use types::{Fields, Merge, Type, fields_of};

/// Maximum number of notes.
const MAX_NOTES: usize = 1000;

/// Maximum number of shapes of rows that are remembered, and of bytes of each.
const MAX_KNOWN_SHAPES: usize = 1024;
const MAX_KNOWN_BYTES: usize = 4096;

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
    /// The type of all rows.
    found: Type,
    /// The shape of the current row.
    shape: Shape,
    /// Shapes of rows that change nothing in `found`.
    known: HashSet<Vec<u8>>,
    /// The last of these shapes that was found again, or none. A row without content changes nothing either.
    last_known: Vec<u8>,
    /// The text since the last tag.
    text: String,
    /// Number of open elements of the current row that are inferred, including the row.
    depth: usize,
    /// Number of open elements below the deepest level that is inferred.
    skipped: usize,
    row: (Span, Position),
    /// Number of bytes of text of the current row, which may come from entities.
    row_text: u64,
    /// An error of the current row, or between rows.
    broken: Option<(RowErrorKind, Span, Position)>,
    /// Number of fields of `found`, at least.
    columns: usize,
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
            found: Type::Struct(Fields::default()),
            shape: Shape::default(),
            known: HashSet::new(),
            last_known: Vec::new(),
            text: String::new(),
            depth: 0,
            skipped: 0,
            row: (Span::default(), Position::default()),
            row_text: 0,
            broken: None,
            columns: 0,
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
        if self.depth > 0 {
            self.check_length(self.parser.earliest_start());
        }
        Ok(())
    }

    /// Notes that the current row is too long, if the part of it before an offset is.
    fn check_length(&mut self, end: u64) {
        let limit = self.options.max_row_bytes;
        if end.saturating_sub(self.row.0.start) > limit || self.row_text > limit {
            self.broken = Some((too_long(limit), self.row.0, self.row.1));
        }
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
        self.depth = 0;
        self.text.clear();
        self.skipped = 0;
        self.broken = None;
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
        let fields = match self.found {
            Type::Struct(fields) => fields_of(fields, &self.options),
            _ => Vec::new(),
        };
        Ok(Inferred {
            schema: Arc::new(Schema::new(fields)),
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
                Event::Start(tag) => {
                    if self.depth == 0 {
                        let name = self.options.name_of(tag.name());
                        if is_row.unwrap_or(name == self.options.row_tag) {
                            self.row = (tag.span(), tag.position());
                            self.count += 1;
                            if self
                                .broken
                                .as_ref()
                                .is_some_and(|(_, span, _)| span.start < tag.span().start)
                            {
                                self.broken = None;
                            }
                            self.skipped = 0;
                            self.row_text = 0;
                            self.text.clear();
                            self.shape.clear();
                            self.shape.attributes(&tag, &self.options, &self.settings);
                            self.depth = 1;
                        }
                    } else if self.skipped > 0
                        || self.depth > self.options.max_depth
                        || self.broken.is_some()
                    {
                        self.skipped += 1;
                    } else {
                        finish_text(
                            &mut self.text,
                            &mut self.shape,
                            &self.options,
                            &self.settings,
                        );
                        self.shape.start(&tag, &self.options, &self.settings);
                        self.depth += 1;
                    }
                }
                Event::Text(text)
                    if self.depth > 0 && self.skipped == 0 && self.broken.is_none() =>
                {
                    self.row_text += text.as_str().len() as u64;
                    // PERF: whitespace between elements, which is half of the texts, is not copied.
                    let is_left_out =
                        self.settings.trims && self.text.is_empty() && is_whitespace(text.as_str());
                    if self.row_text <= self.options.max_row_bytes && !is_left_out {
                        self.text.push_str(text.as_str());
                    }
                }
                Event::End(_) if self.skipped > 0 => self.skipped -= 1,
                Event::End(tag) if self.depth > 0 => {
                    let end = tag.span().end;
                    if self.depth == 1 {
                        self.check_length(end);
                    }
                    self.end()?;
                }
                Event::ParseError(error) => {
                    let kind = RowErrorKind::Malformed(error.code().message());
                    let broken = (kind, error.span(), error.position());
                    self.note_error(broken);
                }
                Event::SkippedEntity(entity) => {
                    let kind = RowErrorKind::Malformed(SKIPPED_ENTITY);
                    let broken = (kind, entity.span(), entity.position());
                    self.note_error(broken);
                }
                _ => {}
            }
        }
    }

    /// Ends an element.
    fn end(&mut self) -> Result<(), Error> {
        finish_text(
            &mut self.text,
            &mut self.shape,
            &self.options,
            &self.settings,
        );
        self.depth -= 1;
        if self.depth > 0 {
            self.shape.end();
            return Ok(());
        }
        if let Some((kind, span, position)) = self.broken.take() {
            return self.broken_row(kind, span, position);
        }
        // A multiplicative hash of the number of the row spreads the rows of the sample.
        let hash = self.count.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        if hash % 1_000_000 >= u64::from(self.options.sampling_millionths) {
            return Ok(());
        }
        self.rows += 1;
        if self.last_known == self.shape.bytes() {
            return Ok(());
        }
        if self.known.contains(self.shape.bytes()) {
            self.last_known.clear();
            self.last_known.extend_from_slice(self.shape.bytes());
            return Ok(());
        }
        let fields = self.shape.fields(&self.options);
        if self.merge_row(fields)? {
            self.forget_shapes();
        } else if self.shape.bytes().len() <= MAX_KNOWN_BYTES {
            if self.known.len() >= MAX_KNOWN_SHAPES {
                self.known.clear();
            }
            self.known.insert(self.shape.bytes().to_vec());
        }
        Ok(())
    }

    /// Forgets the shapes that have changed nothing, since they may change the new type.
    fn forget_shapes(&mut self) {
        self.known.clear();
        self.last_known.clear();
    }

    /// Merges the fields of a row into the type of all rows. Returns true if that type has changed.
    fn merge_row(&mut self, fields: Fields) -> Result<bool, Error> {
        let mut widened = Vec::new();
        let found = std::mem::replace(&mut self.found, Type::Null);
        let mut merge = Merge {
            widened: Some(&mut widened),
            ..Merge::of_row(&self.options.value_tag)
        };
        self.found = merge.merge(found, Type::Struct(fields));
        self.columns += merge.added;
        let has_changed = merge.has_changed;
        for (column, reason) in widened {
            self.note(column, reason);
        }
        if self.columns > self.options.max_columns {
            return Err(SchemaError::Columns {
                limit: self.options.max_columns,
            }
            .into());
        }
        Ok(has_changed)
    }

    /// Notes an error of the parser, in a row or outside of rows.
    #[cold]
    fn note_error(&mut self, broken: (RowErrorKind, Span, Position)) {
        if self.first_error.is_none() {
            let (kind, span, position) = broken.clone();
            let row = match self.depth == 0 {
                true => span.start,
                false => self.row.0.start,
            };
            self.first_error = Some(self.row_error(kind, span, position, row));
        }
        match self.depth == 0 {
            true => self.broken = Some(broken),
            false => _ = self.broken.get_or_insert(broken),
        }
    }

    fn row_error(&self, kind: RowErrorKind, span: Span, position: Position, row: u64) -> RowError {
        RowError {
            file: self.options.file.as_deref().map(Arc::from),
            bytes: span.start..span.end,
            row,
            line: position.line(),
            column: position.column(),
            column_name: None,
            kind,
        }
    }

    fn broken_row(
        &mut self,
        kind: RowErrorKind,
        span: Span,
        position: Position,
    ) -> Result<(), Error> {
        self.malformed += 1;
        let error = self.row_error(kind.clone(), span, position, self.row.0.start);
        self.first_error.get_or_insert_with(|| error.clone());
        match self.options.mode {
            Mode::FailFast => Err(Error::Row(Box::new(error))),
            Mode::Permissive => {
                self.note(String::new(), kind.to_string());
                let mut fields = Fields::default();
                fields.add(
                    self.options.column_name_of_corrupt_record.as_str().into(),
                    Type::String,
                );
                if self.merge_row(fields)? {
                    self.forget_shapes();
                }
                Ok(())
            }
            Mode::DropMalformed => {
                self.note(String::new(), kind.to_string());
                Ok(())
            }
        }
    }

    fn note(&mut self, column: String, reason: String) {
        let is_known = self
            .notes
            .iter()
            .any(|note| note.column == column && note.reason == reason);
        if self.notes.len() < MAX_NOTES && !is_known {
            let (span, position) = self.row;
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

/// Returns whether a text consists of the whitespace of XML.
fn is_whitespace(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// Records the text since the last tag, unless it is whitespace.
fn finish_text(text: &mut String, shape: &mut Shape, options: &Options, settings: &Settings) {
    if !is_whitespace(text) {
        shape.text(text, options, settings);
    }
    text.clear();
}
