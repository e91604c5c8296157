//! Tree construction.

use super::{Html, InitialState};
use crate::error::Code;
use crate::event::Event;
use crate::limits::Limits;
use crate::tree::TreeSink;
use alloc::vec::Vec;

/// What the tokenizer is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feedback {
    /// The state to go on in, where it is another one than the data state.
    pub(crate) state: Option<InitialState>,
    /// Whether CDATA sections are read: the adjusted current node is foreign.
    pub(crate) cdata: bool,
    /// Whether any open element is foreign.
    pub(crate) foreign: bool,
}

/// The tree construction stage.
#[derive(Clone, Debug)]
pub struct TreeConstruction<S: TreeSink> {
    sink: S,
    errors: Vec<Code>,
    steps: u64,
}

impl<S: TreeSink> TreeConstruction<S> {
    pub(crate) fn new(_: &Html, sink: S) -> Self {
        Self {
            sink,
            errors: Vec::new(),
            steps: 0,
        }
    }
    pub(crate) fn sink(&self) -> &S {
        &self.sink
    }
    pub(crate) fn into_sink(self) -> S {
        self.sink
    }
    pub(crate) fn set_limits(&mut self, _: &Limits) {}
    pub(crate) fn report(&mut self, _: bool) {}
    pub(crate) fn take(&mut self, _: &Event<'_>) {
        self.steps += 1;
    }
    pub(crate) fn end(&mut self) {}
    pub(crate) fn feedback(&mut self) -> Feedback {
        Feedback {
            state: None,
            cdata: false,
            foreign: false,
        }
    }
    pub(crate) fn errors(&mut self) -> &mut Vec<Code> {
        &mut self.errors
    }
    pub(crate) fn script(&mut self) -> Option<S::Handle> {
        None
    }
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }
}
