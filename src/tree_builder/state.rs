//! The state of a tree builder other than its parser and its construction.

use super::guard::Guard;
use crate::engine::event::record::Record;
use crate::engine::limits::Limits;
use crate::engine::parser::text_run::RunStart;
use alloc::vec::Vec;
use core::ops::Range;

/// State of a tree builder other than its parser and its construction.
///
/// - `error`: the record of the parse error returned last.
/// - `report`: true if parse errors are returned as events.
/// - `is_ended`: true after the tree was completed.
/// - `is_hosted`: true if the builder pauses for a host.
/// - `is_aborted`: true after [`TreeBuilder::abort`](super::TreeBuilder::abort).
/// - `stops_at_change`: true if the builder stops when the document declares another encoding late.
/// - `paused_at`: the script element that the builder is paused at.
#[derive(Clone, Debug)]
pub(super) struct BuilderState<H> {
    /// Indices, in the parser's list of errors, of the parse errors that are still to be returned to the program. These
    /// errors were found at the current event or at the end of the document.
    pub(super) errors: Range<u32>,
    pub(super) error: Option<Record>,
    pub(super) report: bool,
    /// True if the builder passes the position of each node in the input to the sink.
    pub(super) keeps_origins: bool,
    /// True if the current event was added to the tree but not returned yet, because its errors are returned first.
    pub(super) is_held: bool,
    pub(super) is_ended: bool,
    pub(super) is_hosted: bool,
    pub(super) is_aborted: bool,
    pub(super) stops_at_change: bool,
    pub(super) paused_at: Option<H>,
    /// The scripts that called `write` and have not finished.
    pub(super) writers: Writers<H>,
    /// The check of the size of the tree against the limits.
    pub(super) guard: Guard,
    /// The start of the run of text in which the batch before the current one ended, if it ended inside of a run.
    pub(super) run_before: Option<RunStart>,
    /// The start of the run of text in which the current batch ends, if it ends inside of a run.
    pub(super) run_at_end: Option<RunStart>,
}

impl<H> BuilderState<H> {
    /// Creates the state for the start of a document.
    pub(super) fn new(limits: &Limits) -> BuilderState<H> {
        BuilderState {
            errors: 0..0,
            error: None,
            report: false,
            keeps_origins: false,
            is_held: false,
            is_ended: false,
            is_hosted: false,
            is_aborted: false,
            stops_at_change: false,
            paused_at: None,
            writers: Writers::NONE,
            guard: Guard::new(limits),
            run_before: None,
            run_at_end: None,
        }
    }

    /// Resets the state for the start of another document, and keeps the options.
    pub(super) fn restart(&mut self, limits: &Limits) {
        *self = BuilderState {
            report: self.report,
            keeps_origins: self.keeps_origins,
            is_hosted: self.is_hosted,
            ..BuilderState::new(limits)
        };
    }
}

/// The scripts that called `write` and have not finished.
#[derive(Clone, Debug)]
pub(super) struct Writers<H> {
    /// The script elements, in the order of their first call of `write`. Each has an insertion point in the input. The
    /// insertion point of a later script precedes those of earlier scripts in the input.
    pub(super) scripts: Vec<H>,
    /// True if the builder is paused at the last of these scripts, because everything that this script wrote was
    /// parsed.
    pub(super) is_last: bool,
}

impl<H> Writers<H> {
    pub(super) const NONE: Writers<H> = Writers {
        scripts: Vec::new(),
        is_last: false,
    };
}

crate::checkpoint::checkpointable! {
    struct Writers<H> { scripts, is_last }
    struct BuilderState<H> {
        errors, error, report, keeps_origins, is_held, is_ended, is_hosted, is_aborted, stops_at_change,
        paused_at, writers, guard, run_before, run_at_end,
    }
}
