//! Errors that end a parse but are detected outside of it: exceeded limits of a tree, a failed source, invalid calls.

use super::Parser;
use crate::engine::dialect::Dialect;
use crate::engine::error::{Error, ErrorKind};
use crate::engine::event::record::{Fatal, RecordKind};
use crate::engine::limits::Limit;
use alloc::sync::Arc;

impl<D: Dialect> Parser<D> {
    /// Ends the parse with an exceeded limit, at the current event or at the end of the input.
    #[cold]
    pub(crate) fn fail_limit(&mut self, limit: Limit) -> Error {
        let at = self.held.queue.head.checked_sub(1);
        let (start, end) = match at.and_then(|at| self.held.queue.records.get(at)) {
            // A piece of text may continue, so its end is not a fixed position.
            Some(record) if record.kind == RecordKind::Text => (record.start, record.start),
            Some(record) => (record.start, record.end),
            None => (self.held.input.taken(), self.held.input.taken()),
        };
        self.held.queue.records.truncate(self.held.queue.head);
        self.fail(Fatal::new(ErrorKind::Limit(limit), start, end))
    }

    /// Ends the parse because the source of the input failed.
    pub(crate) fn fail_source(
        &mut self,
        error: Arc<dyn core::error::Error + Send + Sync>,
    ) -> Error {
        let error = self.source_error(error);
        self.error = Some(error.clone());
        error
    }

    /// Returns an error for a call that is not allowed now. The parse is not affected.
    pub(crate) fn use_error(&self, kind: ErrorKind) -> Error {
        let end = self.held.input.taken();
        self.error_at(Fatal::new(kind, end, end))
    }

    /// Returns an error for a source that failed. The parse is not affected, so it can continue if the source
    /// recovers.
    pub(crate) fn source_error(&self, error: Arc<dyn core::error::Error + Send + Sync>) -> Error {
        let end = self.held.input.end();
        self.error_at(Fatal::new(ErrorKind::Source(error), end, end))
    }
}
