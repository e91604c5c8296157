//! How a parse ends early for what its users see and it does not: a limit of their own, a source that fails, a
//! call that cannot be served.

use super::Parser;
use crate::dialect::Dialect;
use crate::error::{Error, ErrorKind};
use crate::event::record::{Fatal, Kind};
use crate::limits::Limit;
use alloc::sync::Arc;

impl<D: Dialect> Parser<D> {
    /// Ends the parse because of what became of the event gone to last, or of the end.
    #[cold]
    pub(crate) fn fail_limit(&mut self, limit: Limit) -> Error {
        let at = self.held.queue.head.checked_sub(1);
        let (start, end) = match at.and_then(|at| self.held.queue.records.get(at)) {
            // A piece of text may go on.
            Some(record) if record.kind == Kind::Text => (record.start, record.start),
            Some(record) => (record.start, record.end),
            None => (self.held.input.taken(), self.held.input.taken()),
        };
        self.held.queue.records.truncate(self.held.queue.head);
        self.fail(Fatal::new(ErrorKind::Limit(limit), start, end))
    }

    /// Ends the parse because the source of its input failed.
    pub(crate) fn fail_source(
        &mut self,
        error: Arc<dyn core::error::Error + Send + Sync>,
    ) -> Error {
        let error = self.source_error(error);
        self.error = Some(error.clone());
        error
    }

    /// The program did something that it cannot do now; nothing has ended.
    pub(crate) fn use_error(&self, kind: ErrorKind) -> Error {
        let end = self.held.input.taken();
        self.error_at(Fatal::new(kind, end, end))
    }

    /// The source of the input failed, for now.
    pub(crate) fn source_error(&self, error: Arc<dyn core::error::Error + Send + Sync>) -> Error {
        let end = self.held.input.end();
        self.error_at(Fatal::new(ErrorKind::Source(error), end, end))
    }
}
