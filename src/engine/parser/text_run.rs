//! The starts of runs of text that a tree builder reads in pieces. The limits of a tree must not depend on the pieces,
//! so all pieces of a run are checked, and fail, as if they were at the start of the run.

use super::Parser;
use crate::engine::dialect::{Dialect, Form};
use crate::engine::error::{Error, ErrorKind, Position, Span};
use crate::engine::event::details::Fatal;
use crate::engine::event::record::{MORE, Record, RecordKind};
use crate::engine::input::raw::Side;
use crate::engine::limits::Limit;

/// The start of a run of text of which earlier batches have returned pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunStart {
    /// Number of bytes read before the run, including inserted text and expanded entities.
    read: u64,
    /// Byte offset of the run in the input.
    offset: u64,
    position: Position,
}

/// Returns whether a record is a piece of text of whose run more may follow.
#[inline(always)]
fn is_open(record: &Record) -> bool {
    record.kind == RecordKind::Text && record.flags & MORE != 0
}

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Returns whether the batch may end inside a run of text. This is certain unless the last record is an error.
    #[inline(always)]
    pub(crate) fn may_end_in_run(&self) -> bool {
        let last = self.data.queue.records.last();
        last.is_some_and(|last| is_open(last) || last.kind == RecordKind::Error)
    }

    /// Returns the start of the run of text that the batch continues, and that of the run in which the batch ends, if
    /// any. `before` is the start of the run in which the batch before ended. Call it before the first event of the
    /// batch.
    #[cold]
    pub(crate) fn runs_of_batch(
        &mut self,
        before: Option<RunStart>,
    ) -> (Option<RunStart>, Option<RunStart>) {
        // A token that becomes no event may have ended the run since.
        let before = before.filter(|_| self.data.queue.is_run_open);
        let at_end = self.run_at_end(before);
        self.data.queue.is_run_open = at_end.is_some();
        (before, at_end)
    }

    fn run_at_end(&self, before: Option<RunStart>) -> Option<RunStart> {
        let records = &self.data.queue.records;
        let Some(last) = records.iter().rposition(is_no_error) else {
            return before;
        };
        let run = self.run_of(last, before.is_some());
        match is_open(&records[last]) {
            true => run.map_or(before, |first| Some(self.run_start(first))),
            false => None,
        }
    }

    /// Returns whether the current event is a piece of text that continues a run. `before` is the start of the run in
    /// which the batch before ended.
    #[cold]
    pub(crate) fn continues_run(&self, before: Option<RunStart>) -> bool {
        let at = self.data.queue.head.saturating_sub(1);
        self.run_of(at, before.is_some()) != Some(at)
    }

    /// Returns the number of bytes read before the current event, or, if it is a piece of text, before its run. Inserted
    /// text and expanded entities are included. At the start of a batch, the current event is its first one that is no
    /// parse error: an error can be reported before the tag or the text that it is in.
    #[cold]
    pub(crate) fn read_before_run(&self, before: Option<RunStart>) -> u64 {
        let records = &self.data.queue.records;
        let from = self.data.queue.head.saturating_sub(1);
        let Some(at) = (from..records.len()).find(|at| is_no_error(&records[*at])) else {
            return 0;
        };
        match (self.run_of(at, before.is_some()), before) {
            (None, Some(start)) => start.read,
            (first, _) => self.read_before_record(first.unwrap_or(at)),
        }
    }

    /// Ends the parse with an exceeded limit, at the current event or at the end of the input. If the event is a piece
    /// of text, the error is at the start of its run.
    #[cold]
    pub(crate) fn fail_limit(&mut self, limit: Limit, before: Option<RunStart>) -> Error {
        let at = self.data.queue.head.checked_sub(1);
        let first = at.and_then(|at| self.run_of(at, before.is_some()));
        self.data.queue.records.truncate(self.data.queue.head);
        let kind = ErrorKind::Limit(limit);
        let (start, end) = match first.or(at).and_then(|at| self.data.queue.records.get(at)) {
            // A piece of text may continue, so its end is not a fixed position.
            Some(record) if record.kind == RecordKind::Text => (record.start, record.start),
            Some(record) => (record.start, record.end),
            None => (self.data.input.taken(), self.data.input.taken()),
        };
        let fatal = Fatal::new(kind, start, end);
        let Some(run) = before.filter(|_| at.is_some() && first.is_none()) else {
            return self.fail(fatal);
        };
        let (start, end) = (run.offset, run.offset);
        let about = self.about(&fatal);
        let error = Error::new(fatal.kind, Span { start, end }, run.position).about(about);
        self.error = Some(error.clone());
        error
    }

    /// Returns the index of the first record of the run of text to which the record at an index belongs, or the same
    /// index if that record is not a text. Returns `None` if the run began in an earlier batch, which is possible if
    /// `continues` is true.
    fn run_of(&self, at: usize, continues: bool) -> Option<usize> {
        let records = self.data.queue.records.get(..=at).unwrap_or_default();
        let Some((last, earlier)) = records.split_last() else {
            return Some(at);
        };
        if last.kind != RecordKind::Text {
            return Some(at);
        }
        let mut first = at;
        for (index, record) in earlier.iter().enumerate().rev() {
            if is_open(record) {
                first = index;
            } else if is_no_error(record) {
                return Some(first);
            }
        }
        (!continues).then_some(first)
    }

    /// Returns the start of the run of text whose first piece is the record at an index.
    fn run_start(&self, first: usize) -> RunStart {
        let mark = self.data.queue.records[first].start;
        let text = self.data.text();
        RunStart {
            read: self.read_before_record(first),
            offset: text.offset(mark, Side::Start),
            position: Position::at(text.anchor(mark)),
        }
    }
}

fn is_no_error(record: &Record) -> bool {
    record.kind != RecordKind::Error
}

crate::checkpoint::checkpointable! {
    struct RunStart { read, offset, position }
}
