//! What a tree builder knows of itself. It must not know how a tree is made.

use super::guard::Guard;
use super::written::Writers;
use crate::event::record::Record;
use crate::limits::Limits;
use core::ops::Range;

/// What a builder has beside its parser and its construction.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Own<H> {
    /// Errors of the event lent last, or of the end, that are still to be lent; and the one lent last.
    pub(super) errors: Range<u32>,
    pub(super) error: Option<Record>,
    pub(super) report: bool,
    /// The tree is told where in the input its nodes stand.
    pub(super) keeps_origins: bool,
    /// The event lent last has errors which come before it.
    pub(super) is_held: bool,
    pub(super) is_ended: bool,
    pub(super) is_hosted: bool,
    pub(super) is_aborted: bool,
    pub(super) paused_at: Option<H>,
    pub(super) writers: Writers<H>,
    pub(super) guard: Guard,
}

impl<H> Own<H> {
    /// At the beginning of a document.
    pub(super) fn new(limits: &Limits) -> Own<H> {
        Own {
            errors: 0..0,
            error: None,
            report: false,
            keeps_origins: false,
            is_held: false,
            is_ended: false,
            is_hosted: false,
            is_aborted: false,
            paused_at: None,
            writers: Writers::NONE,
            guard: Guard::new(limits),
        }
    }

    /// At the beginning of another one, built in the same way.
    pub(super) fn restart(&mut self, limits: &Limits) {
        *self = Own {
            report: self.report,
            keeps_origins: self.keeps_origins,
            is_hosted: self.is_hosted,
            ..Own::new(limits)
        };
    }
}
