//! Inference of schemas, with the rules of Spark 4.

use crate::columns::{Settings, trim};
use crate::decoder::{SKIPPED_ENTITY, parser_of, too_long};
use crate::error::{Error, RowError, RowErrorKind, SchemaError};
use crate::options::{Mode, Options};
use crate::reader::read_chunk;
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use bytes::Bytes;
use std::io::Read;
use std::sync::Arc;
use tagstream::select::EventMatcher;
use tagstream::{Event, Nested, Parser, Position, Span, StartTag, Xml};

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

/// A type as inference knows it.
#[derive(Clone, Debug, PartialEq)]
enum Type {
    /// No value was seen.
    Null,
    Boolean,
    Long,
    Double,
    /// Precision and scale.
    Decimal(u8, u8),
    Date,
    Timestamp,
    String,
    List(Box<Type>),
    /// Fields in the order in which they were found first.
    Struct(Fields),
}

/// Fields with their types. Names are found by a table, so that wide rows take linear time.
#[derive(Clone, Debug, Default, PartialEq)]
struct Fields {
    fields: Vec<(Arc<str>, Type)>,
    table: std::collections::HashMap<Arc<str>, usize>,
}

impl Fields {
    fn find(&mut self, name: &str) -> Option<&mut Type> {
        let index = *self.table.get(name)?;
        self.fields.get_mut(index).map(|(_, found)| found)
    }

    fn add(&mut self, name: Arc<str>, found: Type) {
        self.table.insert(Arc::clone(&name), self.fields.len());
        self.fields.push((name, found));
    }

    /// Adds a field to an object. If the object has the field, the field is a list.
    fn add_or_repeat(&mut self, name: &str, found: Type, merge: &mut Merge<'_>) {
        match self.find(name) {
            None => self.add(name.into(), found),
            Some(known) => {
                let old = std::mem::replace(known, Type::Null);
                *known = match old {
                    Type::List(_) => merge.merge(old, found),
                    old => Type::List(Box::new(merge.merge(old, found))),
                };
            }
        }
    }
}

/// Merges types, and notes what was widened.
struct Merge<'a> {
    value_tag: &'a str,
    /// Names of the fields around the types that are merged.
    path: Vec<Arc<str>>,
    /// Types that were widened: the path and the reason.
    widened: Option<&'a mut Vec<(String, String)>>,
    /// Number of fields that were added to structs, including nested ones.
    added: usize,
}

impl Merge<'_> {
    /// Returns the type of values of both types.
    fn merge(&mut self, one: Type, two: Type) -> Type {
        match (one, two) {
            (Type::Null, other) | (other, Type::Null) => other,
            (Type::Struct(mut fields), Type::Struct(more)) => {
                for (name, found) in more.fields {
                    match fields.find(&name) {
                        Some(known) => {
                            self.path.push(name);
                            *known = self.merge(std::mem::replace(known, Type::Null), found);
                            self.path.pop();
                        }
                        None => {
                            self.added += 1 + found.count();
                            fields.add(name, found);
                        }
                    }
                }
                Type::Struct(fields)
            }
            (Type::List(one), Type::List(two)) => Type::List(Box::new(self.merge(*one, *two))),
            (Type::List(one), two) => Type::List(Box::new(self.merge(*one, two))),
            (one, Type::List(two)) => {
                let merged = Type::List(Box::new(self.merge(one, *two)));
                self.note("the column is a list, since a row has several values".to_owned());
                merged
            }
            (Type::Struct(fields), other) | (other, Type::Struct(fields)) => {
                self.merge_value(fields, other)
            }
            (one, two) if one == two => one,
            (one, two) => {
                let merged = match (&one, &two) {
                    (Type::Long | Type::Double, Type::Long | Type::Double) => Type::Double,
                    (Type::Double, Type::Decimal(..)) | (Type::Decimal(..), Type::Double) => {
                        Type::Double
                    }
                    (Type::Long, Type::Decimal(precision, scale))
                    | (Type::Decimal(precision, scale), Type::Long) => {
                        wider_decimal((20, 0), (*precision, *scale))
                    }
                    (Type::Decimal(precision, scale), Type::Decimal(other, other_scale)) => {
                        wider_decimal((*precision, *scale), (*other, *other_scale))
                    }
                    (Type::Date | Type::Timestamp, Type::Date | Type::Timestamp) => Type::Timestamp,
                    _ => Type::String,
                };
                if merged != one {
                    self.note(format!(
                        "the type {} was widened to {}",
                        one.name(),
                        merged.name()
                    ));
                }
                merged
            }
        }
    }

    /// Merges a struct and a type without fields.
    fn merge_value(&mut self, mut fields: Fields, other: Type) -> Type {
        match fields.find(self.value_tag) {
            Some(value) => {
                *value = self.merge(std::mem::replace(value, Type::Null), other);
                Type::Struct(fields)
            }
            None => {
                self.note(
                    "the column has values with and without child elements, so it is a string"
                        .to_owned(),
                );
                Type::String
            }
        }
    }

    fn note(&mut self, reason: String) {
        let path = self.path.join(".");
        if let Some(widened) = &mut self.widened {
            widened.push((path, reason));
        }
    }
}

/// Returns the type of decimals of both precisions and scales, or doubles if there are too many digits.
fn wider_decimal((precision, scale): (u8, u8), (other, other_scale): (u8, u8)) -> Type {
    let range = (precision - scale).max(other - other_scale);
    match scale.max(other_scale) {
        scale if range + scale > 38 => Type::Double,
        scale => Type::Decimal(range + scale, scale),
    }
}

/// Returns the precision and the scale of a decimal number, if they are those of a type.
fn decimal_size(text: &str) -> Option<(u8, u8)> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let precision = digits.trim_start_matches('0').len().max(1);
    let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
    let scale = u8::try_from(scale).ok().filter(|scale| *scale <= 38)?;
    let precision = u8::try_from(precision)
        .ok()
        .filter(|precision| *precision <= 38)?;
    Some((precision.max(scale), scale))
}

impl Type {
    fn name(&self) -> &'static str {
        match self {
            Type::Null => "Null",
            Type::Boolean => "Boolean",
            Type::Long => "Int64",
            Type::Double => "Float64",
            Type::Decimal(..) => "Decimal128",
            Type::Date => "Date32",
            Type::Timestamp => "Timestamp",
            Type::String => "Utf8",
            Type::List(_) => "List",
            Type::Struct(_) => "Struct",
        }
    }

    /// Returns the type of Arrow. Values that are always null are strings, and structs without fields are left out.
    fn data_type(self, options: &Options) -> Option<DataType> {
        Some(match self {
            Type::Null | Type::String => DataType::Utf8,
            Type::Boolean => DataType::Boolean,
            Type::Long => DataType::Int64,
            Type::Double => DataType::Float64,
            Type::Decimal(precision, scale) => DataType::Decimal128(precision, scale as i8),
            Type::Date => DataType::Date32,
            Type::Timestamp => DataType::Timestamp(
                TimeUnit::Microsecond,
                Some(options.timezone.name.as_str().into()),
            ),
            Type::List(element) => DataType::List(Arc::new(Field::new_list_field(
                element.data_type(options)?,
                true,
            ))),
            Type::Struct(fields) => {
                let fields = fields_of(fields, options);
                if fields.is_empty() {
                    return None;
                }
                DataType::Struct(fields.into())
            }
        })
    }

    /// Returns the number of fields, including nested ones.
    fn count(&self) -> usize {
        match self {
            Type::Struct(fields) => fields
                .fields
                .iter()
                .map(|(_, found)| 1 + found.count())
                .sum(),
            Type::List(element) => element.count(),
            _ => 0,
        }
    }
}

/// Returns the fields of Arrow, in the order in which Java sorts their names.
fn fields_of(fields: Fields, options: &Options) -> Vec<Field> {
    let mut fields = fields.fields;
    fields.sort_by(|(one, _), (two, _)| one.encode_utf16().cmp(two.encode_utf16()));
    let field = |(name, found): (Arc<str>, Type)| {
        if name.is_empty() {
            return None;
        }
        Some(Field::new(&*name, found.data_type(options)?, true))
    };
    fields.into_iter().filter_map(field).collect()
}

/// An open element of a row.
#[derive(Clone, Debug, Default)]
struct Open {
    name: String,
    fields: Fields,
    attributes: Vec<(String, Type)>,
    /// The text since the last tag.
    text: String,
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
    open: Vec<Open>,
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
            open: Vec::new(),
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
        if !self.open.is_empty() {
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
        self.open.clear();
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
                    if self.open.is_empty() {
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
                            let open = Open::new(&tag, &self.options, &self.settings);
                            self.open.push(open);
                        }
                    } else if self.skipped > 0
                        || self.open.len() > self.options.max_depth
                        || self.broken.is_some()
                    {
                        self.skipped += 1;
                    } else {
                        let open = Open::new(&tag, &self.options, &self.settings);
                        self.finish_text();
                        self.open.push(open);
                    }
                }
                Event::Text(text) => {
                    if self.skipped == 0
                        && self.broken.is_none()
                        && let Some(open) = self.open.last_mut()
                    {
                        self.row_text += text.as_str().len() as u64;
                        if self.row_text <= self.options.max_row_bytes {
                            open.text.push_str(text.as_str());
                        }
                    }
                }
                Event::End(_) if self.skipped > 0 => self.skipped -= 1,
                Event::End(tag) if !self.open.is_empty() => {
                    let end = tag.span().end;
                    if self.open.len() == 1 {
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

    /// Infers the type of the text since the last tag.
    fn finish_text(&mut self) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        if !open
            .text
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
        {
            let found = infer(&open.text, &self.options, &self.settings);
            let mut merge = Merge {
                value_tag: &self.options.value_tag,
                path: Vec::new(),
                widened: None,
                added: 0,
            };
            open.fields
                .add_or_repeat(&self.options.value_tag, found, &mut merge);
        }
        open.text.clear();
    }

    /// Ends an element.
    fn end(&mut self) -> Result<(), Error> {
        self.finish_text();
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let value_tag = &self.options.value_tag;
        let mut merge = Merge {
            value_tag,
            path: Vec::new(),
            widened: None,
            added: 0,
        };
        if let Some(parent) = self.open.last_mut() {
            let name = open.name.clone();
            parent
                .fields
                .add_or_repeat(&name, open.field(value_tag), &mut merge);
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
        let mut fields = Fields::default();
        for (name, found) in open.attributes {
            fields.add_or_repeat(&name, found, &mut merge);
        }
        for (name, found) in open.fields.fields {
            fields.add_or_repeat(&name, found, &mut merge);
        }
        self.rows += 1;
        self.merge_row(fields)
    }

    fn merge_row(&mut self, fields: Fields) -> Result<(), Error> {
        let mut widened = Vec::new();
        let found = std::mem::replace(&mut self.found, Type::Null);
        let mut merge = Merge {
            value_tag: &self.options.value_tag,
            path: Vec::new(),
            widened: Some(&mut widened),
            added: 0,
        };
        self.found = merge.merge(found, Type::Struct(fields));
        self.columns += merge.added;
        for (column, reason) in widened {
            self.note(column, reason);
        }
        if self.columns > self.options.max_columns {
            return Err(SchemaError::Columns {
                limit: self.options.max_columns,
            }
            .into());
        }
        Ok(())
    }

    /// Notes an error of the parser, in a row or outside of rows.
    #[cold]
    fn note_error(&mut self, broken: (RowErrorKind, Span, Position)) {
        if self.first_error.is_none() {
            let (kind, span, position) = broken.clone();
            let row = match self.open.is_empty() {
                true => span.start,
                false => self.row.0.start,
            };
            self.first_error = Some(self.row_error(kind, span, position, row));
        }
        match self.open.is_empty() {
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
                self.merge_row(fields)
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

impl Open {
    fn new(tag: &StartTag<'_>, options: &Options, settings: &Settings) -> Open {
        let mut open = Open {
            name: options.name_of(tag.name()).to_owned(),
            ..Open::default()
        };
        if !options.exclude_attribute {
            for attribute in tag.attributes() {
                let name = format!(
                    "{}{}",
                    options.attribute_prefix,
                    options.name_of(attribute.name())
                );
                let found = infer(attribute.value(), options, settings);
                // Names without their prefixes can be the same. The last one counts.
                match open
                    .attributes
                    .iter_mut()
                    .find(|(known, _)| options.ignore_namespace && *known == name)
                {
                    Some((_, known)) => *known = found,
                    None => open.attributes.push((name, found)),
                }
            }
        }
        open
    }

    /// Returns the type of the element as a field of its parent.
    fn field(self, value_tag: &str) -> Type {
        let mut fields = self.fields;
        let is_value = match &*fields.fields {
            [] => return Open::with_attributes(Fields::default(), self.attributes, Type::Null),
            [(name, found)] => {
                &**name == value_tag && !matches!(found, Type::Struct(_) | Type::List(_))
            }
            _ => false,
        };
        if !is_value {
            return Open::with_attributes(fields, self.attributes, Type::Null);
        }
        let found = fields.fields.pop().map_or(Type::Null, |(_, found)| found);
        match self.attributes.is_empty() {
            true => found,
            false => {
                fields.table.clear();
                // The text of elements with attributes is no field if it is null, as in Spark.
                if found != Type::Null {
                    fields.add(value_tag.into(), found);
                }
                Open::with_attributes(fields, self.attributes, Type::Null)
            }
        }
    }

    /// Returns a struct of fields and attributes, or `empty` if there are none.
    fn with_attributes(mut fields: Fields, attributes: Vec<(String, Type)>, empty: Type) -> Type {
        for (name, found) in attributes {
            let mut merge = Merge {
                value_tag: "",
                path: Vec::new(),
                widened: None,
                added: 0,
            };
            match fields.find(&name) {
                Some(known) => *known = merge.merge(std::mem::replace(known, Type::Null), found),
                None => fields.add(name.into(), found),
            }
        }
        match fields.fields.is_empty() {
            true => empty,
            false => Type::Struct(fields),
        }
    }
}

/// Infers the type of one value.
fn infer(text: &str, options: &Options, settings: &Settings) -> Type {
    let text = if settings.trims { trim(text) } else { text };
    if !options.infer_schema {
        return Type::String;
    }
    if options.null_value.as_deref() == Some(text) {
        return Type::Null;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let bytes = unsigned.as_bytes();
    if bytes
        .first()
        .is_some_and(|first| first.is_ascii_digit() || *first == b'.')
    {
        if unsigned.parse::<i64>().is_ok() {
            return Type::Long;
        }
        if options.prefers_decimal
            && let Some((precision, scale)) = decimal_size(unsigned)
        {
            return Type::Decimal(precision, scale);
        }
        // Java ignores whitespace after the number.
        let (unsigned, bytes) = (trim(unsigned), trim(unsigned).as_bytes());
        let is_number = bytes
            .iter()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        if is_number && unsigned.parse::<f64>().is_ok() {
            return Type::Double;
        }
    }
    if options.prefer_date && settings.date(text).is_some() {
        return Type::Date;
    }
    if settings.timestamp(text).is_some() {
        return Type::Timestamp;
    }
    match text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
        true => Type::Boolean,
        false => Type::String,
    }
}
