//! The rows that are being read: events of the parser become values of columns.

mod ancestors;
mod inner;
mod problems;
mod texts;

pub(crate) use ancestors::Ancestors;

use crate::columns::{Columns, Data, ROOT, Unfit};
use crate::error::{RowErrorKind, SchemaError};
use crate::options::{Mode, Options};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, SchemaRef};
use tagstream::select::EventMatcher;
use tagstream::{EndTag, Event, Position, Span, StartTag, Text, Xml};

/// Maximum number of bytes of the strings of a row, whatever the options say: offsets in arrays have 31 bits.
const MAX_ROW_TEXT_BYTES: u64 = 1 << 30;

/// Number of bytes of rows after which the size of a batch is computed, at the latest. A batch exceeds its maximum by
/// this number and one row, so that offsets in arrays have 31 bits.
const MAX_UNCOUNTED_BYTES: u64 = 64 << 10;

/// Maximum number of cells of a batch, which are its rows times its columns with those of structs. A batch of wide rows
/// ends before it has its number of rows, since each cell needs memory, even if it is null.
const MAX_BATCH_CELLS: usize = 4 << 20;

/// Maximum number of cells of the structs in a row, for the same reason: an empty element can have thousands of columns.
const MAX_ROW_CELLS: u64 = 32 << 20;

/// Maximum number of bytes of a value in an error.
const MAX_SHOWN_BYTES: usize = 100;

/// The reason for which the loop over events returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A batch is full.
    Full,
    /// The parser has no more events.
    NeedsInput,
    /// An event was handled, and the loop can go on.
    Event,
    /// The next row is not read, since it begins at or after the limit.
    Stopped,
}

/// The state of the current row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There is no row.
    Outside,
    /// In the row or in a struct: the innermost one is the last in `Rows::open`.
    Struct,
    /// In an element whose column contains strings.
    Text(u32),
    /// In an element whose column contains values of another type.
    Value(u32),
    /// In an element that was one value already, from the text before. More text changes the value.
    ValueRead(u32),
    /// In child elements of an element whose column contains strings. The child elements are part of the string, as they
    /// are written. The number is that of open child elements.
    Inner(u32, u32),
    /// In an element without a column. The number is that of open elements.
    Skipped(u32),
}

impl State {
    /// Returns the state after the end tag of the innermost of `depth` skipped elements.
    #[inline(always)]
    fn after_skipped(depth: u32) -> State {
        match depth {
            1 => State::Struct,
            _ => State::Skipped(depth - 1),
        }
    }
}

/// A place in the input.
#[derive(Clone, Copy, Debug)]
struct Place {
    span: Span,
    position: Position,
}

impl Place {
    /// Returns the place of a start tag.
    fn of_start(tag: &StartTag<'_>) -> Place {
        Place {
            span: tag.span(),
            position: tag.position(),
        }
    }

    /// Returns the place of an end tag.
    fn of_end(tag: &EndTag<'_>) -> Place {
        Place {
            span: tag.span(),
            position: tag.position(),
        }
    }

    /// Returns the place of a text that goes on to the next tag, which has this offset. The place of its first piece ends
    /// where the chunk ends. A tag in the same entity has the offset of the text.
    fn up_to(mut self, tag: u64) -> Place {
        if tag > self.span.start {
            self.span.end = tag;
        }
        self
    }
}

/// An error of the current row.
#[derive(Clone, Debug)]
struct Problem {
    kind: RowErrorKind,
    place: Place,
    column: Option<u32>,
}

#[derive(Debug)]
pub(super) struct Rows {
    columns: Columns,
    state: State,
    /// The open structs of the current row.
    open: Vec<u32>,
    /// Text that is not in a column yet: of a value that is not a string, or beside child elements.
    text: String,
    /// The place of the first piece of `text`.
    text_place: Option<Place>,
    matcher: Option<EventMatcher<Xml>>,
    row_tag: String,
    ignore_namespace: bool,
    mode: Mode,
    batch_size: usize,
    max_batch_bytes: usize,
    /// Number of bytes of rows since the size of the batch was computed last.
    uncounted_bytes: u64,
    max_row_bytes: u64,
    /// True if rows have columns of attributes or of text.
    root_has_attributes: bool,
    corrupt_column: Option<u32>,
    /// Offset from which on a row is not read: the decoder stops at its start tag.
    limit: u64,
    /// The start tag at which the decoder has stopped: its offset and its place.
    stop: Option<Place>,
    /// The open elements outside of rows.
    ancestors: Ancestors,
    /// Length of the head of the document, if another decoder reads the head. An error in the head may be found only when
    /// more input is read.
    head_bytes: u64,
    /// The position of the first row after a head.
    first_position: Option<Position>,
    /// True if a row was begun.
    has_begun: bool,
    /// True if a DOCTYPE was found after the first row: the rows after it may depend on it.
    has_late_doctype: bool,
    /// Index in the batch of the current row.
    row: usize,
    /// Offset of the start tag of the current row.
    row_start: u64,
    row_span: Option<Span>,
    row_end: u64,
    /// The place of the end tag of the current row.
    end_place: Option<Place>,
    /// Number of bytes of strings of the current row.
    row_text: u64,
    /// Number of cells of the structs in the current row.
    row_cells: u64,
    /// The first problem of the current row that makes the row malformed.
    broken: Option<Problem>,
    is_too_long: bool,
    /// True if the row is too long because of its cells, and not because of its bytes.
    has_too_many_cells: bool,
    /// The first value of the current row that does not fit its column.
    unfit: Option<Problem>,
    /// True if a value of a field of the row does not fit, so that the rest of the row is skipped, as in Spark.
    is_cut: bool,
    /// The column of the current field of the row, or of the elements of its list, and the number of values that it had
    /// before the field.
    field_mark: (u32, usize),
    /// True if a value of the row itself does not fit, so that the whole row is null.
    is_root_unfit: bool,
    /// Errors outside of rows since the last text. They belong to the next row if their places are in its start tag.
    strays: Vec<Problem>,
    /// An error that is certainly outside of rows.
    stray_found: Option<Problem>,
}

/// Returns the part of a name after the last colon.
#[inline]
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

impl Rows {
    pub(super) fn new(
        schema: &SchemaRef,
        options: &Options,
        matcher: Option<EventMatcher<Xml>>,
    ) -> Result<Rows, SchemaError> {
        let mut columns = Columns::new(schema.fields(), options)?;
        let name = &options.column_name_of_corrupt_record;
        let corrupt = schema
            .fields()
            .iter()
            .position(|field| field.name() == name);
        let corrupt_column = match corrupt {
            Some(at) => {
                let column = columns.fields(ROOT).map_or(0, |root| root.fields[at]);
                if !columns.is_text(column) || !schema.field(at).is_nullable() {
                    return Err(SchemaError::Type {
                        column: name.clone(),
                        data_type: schema.field(at).data_type().to_string(),
                    });
                }
                Some(column)
            }
            None => None,
        };
        Ok(Rows {
            root_has_attributes: columns
                .fields(ROOT)
                .is_some_and(|root| !root.attributes.is_empty()),
            batch_size: (options.batch_size)
                .min(MAX_BATCH_CELLS / columns.all.len().max(1))
                .max(1),
            columns,
            state: State::Outside,
            open: Vec::new(),
            text: String::new(),
            text_place: None,
            matcher,
            row_tag: options.row_tag.clone(),
            ignore_namespace: options.ignore_namespace,
            mode: options.mode,
            max_batch_bytes: (options.max_batch_bytes)
                .min(MAX_ROW_TEXT_BYTES as usize - 2 * MAX_UNCOUNTED_BYTES as usize),
            uncounted_bytes: 0,
            max_row_bytes: options.max_row_bytes,
            corrupt_column,
            limit: u64::MAX,
            stop: None,
            ancestors: Ancestors::default(),
            head_bytes: 0,
            first_position: None,
            has_begun: false,
            has_late_doctype: false,
            row: 0,
            row_start: 0,
            row_span: None,
            row_end: 0,
            end_place: None,
            row_text: 0,
            row_cells: 0,
            has_too_many_cells: false,
            broken: None,
            is_too_long: false,
            unfit: None,
            is_cut: false,
            field_mark: (ROOT, 0),
            is_root_unfit: false,
            strays: Vec::new(),
            stray_found: None,
        })
    }

    /// Returns whether the source of malformed rows is needed.
    pub(super) fn wants_source(&self) -> bool {
        self.corrupt_column.is_some() && self.mode == Mode::Permissive
    }

    /// Returns the number of rows since the last batch.
    pub(super) fn len(&self) -> usize {
        self.columns.len(ROOT)
    }

    /// Returns whether the batch is full, after a row.
    pub(super) fn is_full(&mut self) -> bool {
        let len = self.len();
        self.uncounted_bytes += self
            .row_text
            .max(self.row_end.saturating_sub(self.row_start));
        if len >= self.batch_size {
            return true;
        }
        // PERF: the size is computed once in 64 rows, unless the rows are long.
        if !len.is_multiple_of(64) && self.uncounted_bytes < MAX_UNCOUNTED_BYTES {
            return false;
        }
        self.uncounted_bytes = 0;
        len > 0 && self.columns.bytes() >= self.max_batch_bytes
    }

    /// Returns the offset of the current row, if there is one.
    pub(super) fn row_start(&self) -> Option<u64> {
        (self.state != State::Outside).then_some(self.row_start)
    }

    /// Returns the offset of the end of the last row.
    pub(super) fn row_end(&self) -> u64 {
        self.row_end
    }

    pub(super) fn note_too_long(&mut self) {
        self.is_too_long = true;
        self.drop_row();
    }

    pub(super) fn take_batch(&mut self, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
        let len = self.len();
        let arrays = match self.state {
            State::Outside => self.columns.finish(schema.fields())?,
            _ => self.finish_before_row(schema)?,
        };
        RecordBatch::try_new_with_options(
            SchemaRef::clone(schema),
            arrays,
            &RecordBatchOptions::new().with_row_count(Some(len)),
        )
    }

    /// Takes the complete rows out of the columns. The current row stays.
    #[cold]
    fn finish_before_row(&mut self, schema: &SchemaRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let (field, mark) = self.field_mark;
        let before = self.columns.len(field);
        let rest = self.columns.take_rest();
        let arrays = self.columns.finish(schema.fields())?;
        self.columns.put_back(rest);
        let taken = before - self.columns.len(field);
        self.field_mark = (field, mark.saturating_sub(taken));
        self.row = 0;
        Ok(arrays)
    }

    /// Removes the values of the current row from the columns.
    fn drop_row(&mut self) {
        self.columns.truncate(ROOT, self.len());
        self.text.clear();
        self.text_place = None;
    }

    /// Removes the current row, which the input ends in.
    pub(super) fn abandon(&mut self) {
        self.drop_row();
        self.state = State::Outside;
        self.open.clear();
    }

    /// Sets the offset from which on a row is not read.
    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
        self.stop = None;
    }

    pub(super) fn ancestors(&self) -> &Ancestors {
        &self.ancestors
    }

    /// Returns whether the row at which the decoder has stopped cannot be read without the text before it: there was a
    /// late DOCTYPE, or an error that concerns both.
    pub(super) fn depends_on_text_before(&self) -> bool {
        self.has_late_doctype || !self.strays.is_empty()
    }

    /// Returns the position of the first row.
    pub(super) fn first_position(&self) -> Option<Position> {
        self.first_position
    }

    /// Returns the range of bytes and the position of the start tag at which the decoder has stopped.
    pub(super) fn stop(&self) -> Option<(Span, Position)> {
        self.stop.map(|place| (place.span, place.position))
    }

    /// Returns the length of the head that was read before a piece.
    pub(super) fn head_bytes(&self) -> u64 {
        self.head_bytes
    }

    /// Starts after a head with this length. Its errors are reported by another decoder.
    pub(super) fn follow_head(&mut self, ancestors: Ancestors, bytes: u64) {
        self.ancestors = ancestors;
        self.head_bytes = bytes;
        self.has_begun = true;
    }

    /// Handles a start tag. Returns true if the decoder stops before it.
    #[inline(always)]
    pub(super) fn start(&mut self, tag: &StartTag<'_>) -> bool {
        if let Some(matcher) = &mut self.matcher {
            let is_row = matcher.matches(&Event::Start(*tag));
            if self.state == State::Outside {
                if is_row {
                    return self.start_row(tag);
                }
                self.ancestors.push(tag.name());
                return false;
            }
        }
        if let State::Skipped(depth) = &mut self.state {
            *depth += 1;
            return false;
        }
        match self.state {
            State::Skipped(_) => {}
            State::Outside => {
                let name = tag.name();
                let local = if self.ignore_namespace {
                    local(name)
                } else {
                    name
                };
                if local == self.row_tag {
                    return self.start_row(tag);
                }
                self.ancestors.push(name);
            }
            State::Struct => self.start_field(tag),
            State::Text(_) | State::Inner(..) | State::Value(_) | State::ValueRead(_) => {
                self.start_inner(tag);
            }
        }
        false
    }

    /// Begins a row. Returns true if the row is not read, since it begins at or after the limit.
    #[inline(never)]
    pub(super) fn start_row(&mut self, tag: &StartTag<'_>) -> bool {
        let span = tag.span();
        if span.start >= self.limit {
            self.stop = Some(Place::of_start(tag));
            self.split_strays(span.start);
            return true;
        }
        self.has_begun = true;
        if self.head_bytes > 0 && self.first_position.is_none() {
            self.first_position = Some(tag.position());
        }
        self.row_start = span.start;
        self.row_span = Some(span);
        self.row = self.len();
        self.row_text = 0;
        self.row_cells = 0;
        self.state = State::Struct;
        self.open.push(ROOT);
        if let Some(root) = self.columns.fields(ROOT) {
            root.elements.restart();
        }
        if !self.strays.is_empty() {
            self.split_strays(span.start);
            self.broken = self.strays.drain(..).next();
        }
        if self.root_has_attributes {
            self.attributes(tag, ROOT);
        }
        false
    }

    /// Reads the attributes of a struct.
    fn attributes(&mut self, tag: &StartTag<'_>, parent: u32) {
        for attribute in tag.attributes() {
            let name = attribute.name();
            let name = if self.ignore_namespace {
                local(name)
            } else {
                name
            };
            let Some(column) = self
                .columns
                .fields(parent)
                .and_then(|fields| fields.attributes.find(name))
            else {
                continue;
            };
            let value = attribute.value();
            // Without their prefixes, two names can be the same. The last attribute counts, as in Spark.
            self.columns.target(parent, column);
            if !self.count_text(value.len()) {
                return;
            }
            // An attribute has one value. A list, which is not a value, does not take it, as in Spark.
            match self.columns.push_value(column, value) {
                Ok(Ok(())) => {}
                Ok(Err(null)) => self.note_null(
                    null,
                    Place {
                        span: attribute.span(),
                        position: attribute.position(),
                    },
                ),
                Err(Unfit) => {
                    let place = Place {
                        span: attribute.value_span(),
                        position: attribute.position(),
                    };
                    self.note_unfit(column, value, place, parent == ROOT);
                    if parent != ROOT {
                        // The struct was removed with its field, so the other attributes have no place.
                        return;
                    }
                }
            }
        }
        if let Some(fields) = self.columns.fields(parent) {
            fields.attributes.restart();
        }
    }

    #[inline]
    fn start_field(&mut self, tag: &StartTag<'_>) {
        if !self.text.is_empty() {
            self.finish_beside(tag.span().start);
            if let State::Skipped(depth) = &mut self.state {
                *depth += 1;
                return;
            }
        }
        let Some(parent) = self.open.last().copied() else {
            return;
        };
        let name = tag.name();
        let name = if self.ignore_namespace {
            local(name)
        } else {
            name
        };
        let found = self
            .columns
            .fields(parent)
            .and_then(|fields| fields.elements.find(name));
        let Some(column) = found else {
            self.state = State::Skipped(1);
            return;
        };
        if self.broken.is_some() || self.is_too_long || self.is_cut {
            self.state = State::Skipped(1);
            return;
        }
        let (target, is_repeated) = self.columns.target(parent, column);
        if is_repeated {
            self.note_repeated(target, Place::of_start(tag));
        }
        if parent == ROOT {
            self.field_mark = (target, self.columns.len(target));
        }
        match &mut self.columns.all[target as usize].data {
            Data::Text { .. } => self.state = State::Text(target),
            Data::Struct(fields) => {
                fields.elements.restart();
                let has_attributes = !fields.attributes.is_empty();
                self.open.push(target);
                if has_attributes {
                    self.attributes(tag, target);
                }
            }
            _ => self.state = State::Value(target),
        }
    }

    /// Counts bytes of strings. Returns false if the row has too many.
    #[inline]
    fn count_text(&mut self, len: usize) -> bool {
        self.row_text += len as u64;
        if self.row_text > self.max_row_bytes.min(MAX_ROW_TEXT_BYTES) {
            self.note_too_long();
            return false;
        }
        true
    }

    #[inline]
    fn push_piece(&mut self, column: u32, piece: &str) {
        if self.count_text(piece.len()) && !self.is_too_long {
            self.columns.push_piece(column, piece);
        }
    }

    #[inline(always)]
    pub(super) fn text(&mut self, text: &Text<'_>) {
        if let State::Skipped(_) = self.state {
            return;
        }
        match self.state {
            State::Skipped(_) => {}
            State::Outside => self.split_strays(u64::MAX),
            State::Text(column) | State::Inner(column, _) => self.push_piece(column, text.as_str()),
            State::Value(column) => self.value_text(column, text),
            State::Struct => {
                let Some(parent) = self.open.last() else {
                    return;
                };
                if let Data::Struct(fields) = &self.columns.all[*parent as usize].data
                    && fields.value.is_some()
                {
                    self.add_text(text);
                }
            }
            State::ValueRead(column) => {
                // The text before was not all of the value. The values of a row that is too long were removed before.
                if !self.is_too_long {
                    let len = self.columns.len(column);
                    self.columns.truncate(column, len - 1);
                }
                self.state = State::Value(column);
                self.add_text(text);
            }
        }
    }

    /// Handles an end tag. Returns true if it is that of the row.
    #[inline(always)]
    pub(super) fn end(&mut self, tag: &EndTag<'_>) -> bool {
        if let Some(matcher) = &mut self.matcher {
            matcher.matches(&Event::End(*tag));
        }
        if let State::Skipped(depth) = self.state {
            self.state = State::after_skipped(depth);
            return false;
        }
        match self.state {
            State::Skipped(_) => {}
            State::Outside => self.ancestors.pop(),
            State::Text(column) => {
                self.state = State::Struct;
                if !self.is_too_long
                    && let Err(null) = self.columns.finish_text(column)
                {
                    self.note_null(null, Place::of_end(tag));
                }
            }
            State::ValueRead(_) => {
                self.state = State::Struct;
                self.text.clear();
            }
            State::Value(column) => {
                self.state = State::Struct;
                self.finish_value(column, tag);
            }
            State::Inner(column, depth) => {
                self.state = if depth == 1 {
                    State::Text(column)
                } else {
                    State::Inner(column, depth - 1)
                };
                self.push_piece(column, "</");
                self.push_piece(column, tag.name());
                self.push_piece(column, ">");
            }
            State::Struct => return self.end_struct(tag),
        }
        false
    }

    /// Ends a struct. Returns true if it is the row.
    #[inline(never)]
    fn end_struct(&mut self, tag: &EndTag<'_>) -> bool {
        if !self.text.is_empty() {
            self.finish_beside(tag.span().start);
            if let State::Skipped(depth) = self.state {
                self.state = State::after_skipped(depth);
                return false;
            }
        }
        let Some(column) = self.open.pop() else {
            return false;
        };
        if column == ROOT {
            let span = tag.span();
            self.row_end = span.end;
            if self.row_end.saturating_sub(self.row_start) > self.max_row_bytes {
                self.is_too_long = true;
            }
            self.end_place = None;
            if !self.is_sound() {
                self.end_place = Some(Place::of_end(tag));
            }
            if let Err(null) = self.columns.finish_struct(ROOT) {
                let place = Place::of_end(tag);
                self.note_null(null, place);
                self.end_place = Some(place);
            }
            return true;
        }
        if let Err(null) = self.columns.finish_struct(column) {
            self.note_null(null, Place::of_end(tag));
        }
        self.row_cells += u64::from(self.columns.width(column));
        if self.row_cells > MAX_ROW_CELLS {
            self.has_too_many_cells = true;
            self.note_too_long();
        }
        false
    }

    /// Returns whether nothing is wrong with the current row.
    #[inline]
    fn is_sound(&self) -> bool {
        self.broken.is_none() && !self.is_too_long && self.unfit.is_none()
    }
}
