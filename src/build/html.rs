//! How the tree of HTML is made: the tree construction of its standard, steered from here. It must
//! not know its rules.

#[cfg(feature = "inspect")]
use super::TreeBuilder;
use super::construction::{Buildable, Construction, Taker};
use crate::dialect::Dialect;
#[cfg(feature = "checkpoints")]
use crate::dialect::SavedSink;
use crate::error::ErrorCode;
use crate::event::Event;
use crate::html::Html;
use crate::html::construct::TreeConstruction;
use crate::html::construct::watch::Unwatched;
use crate::limits::Limits;
use crate::parser::Parser;
#[cfg(feature = "checkpoints")]
use crate::saved::{self, CheckpointError};
use crate::tree::TreeSink;
#[cfg(feature = "inspect")]
use alloc::string::String;
use alloc::vec::Vec;

impl Buildable for Html {
    type Construction<S: TreeSink> = TreeConstruction<S>;

    fn parser(&self) -> Parser<Html> {
        Parser::new(self.clone()).prepared(|machine| machine.expect_feedback())
    }

    fn construction<S: TreeSink>(&self, sink: S) -> TreeConstruction<S> {
        TreeConstruction::new(self, sink, Unwatched)
    }
}

impl<S: TreeSink> Taker for TreeConstruction<S> {
    #[inline(always)]
    fn take(&mut self, event: &Event<'_>) {
        self.take(event);
    }
}

impl<S: TreeSink> Construction<Html, S> for TreeConstruction<S> {
    fn sink(&self) -> &S {
        &self.sink
    }

    fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    fn into_sink(self) -> S {
        self.sink
    }

    fn restart(&mut self, html: &Html, blank: impl FnOnce() -> S, clear: impl FnOnce(&mut S)) {
        let blank = TreeConstruction::new(html, blank(), Unwatched);
        let mut sink = core::mem::replace(self, blank).sink;
        clear(&mut sink);
        *self = TreeConstruction::new(html, sink, Unwatched);
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.set_limits(limits);
    }

    fn report(&mut self, report: bool) {
        self.report = report;
    }

    fn end(&mut self) {
        self.end();
    }

    fn steer(&mut self, machine: &mut <Html as Dialect>::Machine) {
        let feedback = self.feedback();
        machine.give_feedback(feedback.state, feedback.cdata, feedback.alone);
    }

    fn errors(&mut self) -> &mut Vec<ErrorCode> {
        &mut self.errors
    }

    fn script(&mut self) -> Option<S::Handle> {
        self.script.take()
    }

    #[cfg(feature = "checkpoints")]
    fn save(&self, bytes: &mut Vec<u8>)
    where
        S: SavedSink,
    {
        bytes.extend(saved::to_bytes(self));
    }

    #[cfg(feature = "checkpoints")]
    fn load(bytes: &[u8]) -> Result<(Self, &[u8]), CheckpointError>
    where
        S: SavedSink,
    {
        saved::first(bytes)
    }
}

/// What tests ask.
#[cfg(feature = "inspect")]
impl<S: TreeSink> TreeBuilder<Html, S> {
    /// Lets the builder go by the schema of HTML without one of its rows, counted through all its
    /// tables; gives whether there are so many.
    #[doc(hidden)]
    pub fn drop_row(&mut self, row: usize) -> bool {
        self.construction.drop_row(row)
    }

    /// The steps that the construction has taken: rules applied, frames of the stack of open elements
    /// visited, nodes made or moved. It is the measure behind the promise of linear time.
    #[doc(hidden)]
    pub fn steps(&self) -> u64 {
        self.construction.steps()
    }

    /// The stack of open elements: of each what it is, and what the stack says of it and all below.
    #[doc(hidden)]
    pub fn open_elements(&self) -> Vec<[String; 2]> {
        self.construction.open_elements()
    }
}
