//! The rows that are being read: events of the parser become values of columns.
//!
//! The events of a row change its [`RowState`]. `elements` handles tags and attributes, `texts` texts, and `inner` child
//! elements of values. `passed` reads fields that need no events. `problems` has the errors of a row and replaces or
//! removes malformed rows; `strays` has the errors outside of rows. `batch` makes batches of complete rows. `bounds` is the
//! part of the document whose rows are read.

mod ancestors;
mod batch;
mod bounds;
mod elements;
mod inner;
mod passed;
mod problems;
mod strays;
mod texts;

pub(crate) use ancestors::Ancestors;

use crate::columns::{Columns, ROOT};
use crate::error::SchemaError;
use crate::options::{Mode, Options};
use arrow_schema::SchemaRef;
use bounds::Bounds;
use problems::{Place, Problems};
use strays::Strays;
use tagstream::select::EventMatcher;
use tagstream::{Span, Xml};
use texts::PendingText;

/// Maximum number of bytes of the strings of a row, whatever the options say: offsets in arrays have 31 bits.
const MAX_ROW_TEXT_BYTES: u64 = 1 << 30;

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
enum RowState {
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

impl RowState {
    /// Returns the state after the end tag of the innermost of `depth` skipped elements.
    #[inline(always)]
    fn after_skipped(depth: u32) -> RowState {
        match depth {
            1 => RowState::Struct,
            _ => RowState::Skipped(depth - 1),
        }
    }
}

/// The rows of a document: those of the current batch, and the row that is being read.
#[derive(Debug)]
pub(super) struct Rows {
    columns: Columns,
    options: RowOptions,
    matcher: Option<EventMatcher<Xml>>,
    state: RowState,
    /// The open structs of the current row.
    open: Vec<u32>,
    /// The open elements outside of rows.
    pub(super) ancestors: Ancestors,
    pub(super) bounds: Bounds,
    row: Row,
    pending: PendingText,
    /// The problems of the current row.
    problems: Problems,
    strays: Strays,
    /// Number of bytes of rows since the size of the batch was computed last.
    uncounted_bytes: u64,
}

/// The options of rows, with the facts about the schema that each row needs.
#[derive(Debug)]
struct RowOptions {
    row_tag: String,
    ignore_namespace: bool,
    mode: Mode,
    batch_size: usize,
    max_batch_bytes: usize,
    max_row_bytes: u64,
    /// True if rows have columns of attributes or of text.
    root_has_attributes: bool,
    corrupt_column: Option<u32>,
}

/// The row that is being read or was read last.
#[derive(Debug, Default)]
struct Row {
    /// Index in the batch.
    index: usize,
    start_tag: Span,
    /// Offset of the end of the row.
    end: u64,
    /// The place of the end tag, if the row has a problem.
    end_place: Option<Place>,
    /// Number of bytes of strings.
    text_bytes: u64,
    /// Number of cells of the structs.
    cells: u64,
    field: FieldMark,
}

/// The column of the current field of a row, or of the elements of its list.
#[derive(Clone, Copy, Debug, Default)]
struct FieldMark {
    column: u32,
    /// Number of values of the column before the field.
    len: usize,
}

impl RowOptions {
    fn new(
        schema: &SchemaRef,
        options: &Options,
        columns: &mut Columns,
    ) -> Result<RowOptions, SchemaError> {
        Ok(RowOptions {
            row_tag: options.row_tag.clone(),
            ignore_namespace: options.ignore_namespace,
            mode: options.mode,
            batch_size: batch::max_rows(options, columns),
            max_batch_bytes: batch::max_bytes(options),
            max_row_bytes: options.max_row_bytes,
            root_has_attributes: columns
                .fields(ROOT)
                .is_some_and(|root| !root.attributes.is_empty()),
            corrupt_column: corrupt_column(schema, options, columns)?,
        })
    }

    /// Returns the part of a name of the input that is the name of a column.
    #[inline]
    fn name_of<'a>(&self, name: &'a str) -> &'a str {
        match self.ignore_namespace {
            true => local_name(name),
            false => name,
        }
    }
}

/// Returns the column of corrupt records, if the schema has it.
fn corrupt_column(
    schema: &SchemaRef,
    options: &Options,
    columns: &mut Columns,
) -> Result<Option<u32>, SchemaError> {
    let name = &options.column_name_of_corrupt_record;
    let mut fields = schema.fields().iter();
    let Some(at) = fields.position(|field| field.name() == name) else {
        return Ok(None);
    };
    let column = columns.fields(ROOT).map_or(0, |root| root.fields[at]);
    let field = schema.field(at);
    if !columns.is_text(column) || !field.is_nullable() {
        return Err(SchemaError::Type {
            column: name.clone(),
            data_type: field.data_type().to_string(),
        });
    }
    Ok(Some(column))
}

/// Returns the part of a name after the last colon.
#[inline]
fn local_name(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

impl Rows {
    pub(super) fn new(
        schema: &SchemaRef,
        options: &Options,
        matcher: Option<EventMatcher<Xml>>,
    ) -> Result<Rows, SchemaError> {
        let mut columns = Columns::new(schema.fields(), options)?;
        Ok(Rows {
            options: RowOptions::new(schema, options, &mut columns)?,
            columns,
            matcher,
            state: RowState::Outside,
            open: Vec::new(),
            ancestors: Ancestors::default(),
            bounds: Bounds::default(),
            row: Row::default(),
            pending: PendingText::default(),
            problems: Problems::default(),
            strays: Strays::default(),
            uncounted_bytes: 0,
        })
    }

    /// Returns whether the source of malformed rows is needed.
    pub(super) fn needs_source(&self) -> bool {
        self.options.corrupt_column.is_some() && self.options.mode == Mode::Permissive
    }

    /// Returns the number of rows since the last batch.
    pub(super) fn len(&self) -> usize {
        self.columns.len(ROOT)
    }

    /// Returns the offset of the current row, if there is one.
    pub(super) fn row_start(&self) -> Option<u64> {
        (self.state != RowState::Outside).then_some(self.row.start_tag.start)
    }

    /// Returns the offset of the end of the last row.
    pub(super) fn row_end(&self) -> u64 {
        self.row.end
    }

    /// Starts after a head with this length. Its errors are reported by another decoder.
    pub(super) fn follow_head(&mut self, ancestors: Ancestors, bytes: u64) {
        self.ancestors = ancestors;
        self.bounds.head_bytes = bytes;
        self.bounds.has_begun = true;
    }

    /// Returns whether the row at which the decoder has stopped cannot be read without the text before it: there was a
    /// late DOCTYPE, or an error that concerns both.
    pub(super) fn depends_on_text_before(&self) -> bool {
        self.bounds.has_late_doctype || !self.strays.is_empty()
    }

    /// Removes the values of the current row from the columns.
    fn drop_row(&mut self) {
        self.columns.truncate(ROOT, self.len());
        self.pending.clear();
    }

    /// Removes the current row, which the input ends in.
    pub(super) fn abandon(&mut self) {
        self.drop_row();
        self.state = RowState::Outside;
        self.open.clear();
    }
}
