//! Batches of complete rows: their sizes, and the arrays of their columns.

use super::{MAX_ROW_TEXT_BYTES, RowState, Rows};
use crate::columns::Columns;
use crate::options::Options;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, SchemaRef};

/// Number of bytes of rows after which the size of a batch is computed, at the latest. A batch exceeds its maximum by
/// this number and one row, so that offsets in arrays have 31 bits.
const MAX_UNCOUNTED_BYTES: u64 = 64 << 10;

/// Maximum number of cells of a batch, which are its rows times its columns with those of structs. A batch of wide rows
/// ends before it has its number of rows, since each cell needs memory, even if it is null.
const MAX_BATCH_CELLS: usize = 4 << 20;

/// Returns the maximum number of rows of a batch.
pub(super) fn max_rows(options: &Options, columns: &Columns) -> usize {
    let max = MAX_BATCH_CELLS / columns.all.len().max(1);
    options.batch_size.min(max).max(1)
}

/// Returns the size of the columns from which on a batch is full.
pub(super) fn max_bytes(options: &Options) -> usize {
    let max = MAX_ROW_TEXT_BYTES as usize - 2 * MAX_UNCOUNTED_BYTES as usize;
    options.max_batch_bytes.min(max)
}

impl Rows {
    /// Returns whether the batch is full, after a row.
    pub(in crate::decoder) fn is_full(&mut self) -> bool {
        let len = self.len();
        let source_bytes = self.row.end.saturating_sub(self.row.start_tag.start);
        self.uncounted_bytes += self.row.text_bytes.max(source_bytes);
        if len >= self.options.batch_size {
            return true;
        }
        // PERF: the size is computed once in 64 rows, unless the rows are long.
        if !len.is_multiple_of(64) && self.uncounted_bytes < MAX_UNCOUNTED_BYTES {
            return false;
        }
        self.uncounted_bytes = 0;
        len > 0 && self.columns.bytes() >= self.options.max_batch_bytes
    }

    /// Takes the complete rows as a batch.
    pub(in crate::decoder) fn take_batch(
        &mut self,
        schema: &SchemaRef,
    ) -> Result<RecordBatch, ArrowError> {
        let len = self.len();
        let arrays = match self.state {
            RowState::Outside => self.columns.finish(schema.fields())?,
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
        let field = self.row.field.column;
        let before = self.columns.len(field);
        let rest = self.columns.take_rest();
        let arrays = self.columns.finish(schema.fields())?;
        self.columns.put_back(rest);
        let taken = before - self.columns.len(field);
        self.row.field.len = self.row.field.len.saturating_sub(taken);
        self.row.index = 0;
        Ok(arrays)
    }
}
