//! How the tree of HTML is made: the tree construction of its standard, steered from here. It must
//! not know its rules.

use super::construction::{Buildable, Construction};
use crate::dialect::Dialect;
use crate::error::Code;
use crate::event::Event;
use crate::html::Html;
use crate::html::construct::TreeConstruction;
use crate::limits::Limits;
use crate::parser::Parser;
use crate::tree::TreeSink;
use alloc::vec::Vec;

impl Buildable for Html {
    type Construction<S: TreeSink> = TreeConstruction<S>;

    fn parser(&self) -> Parser<Html> {
        let mut machine = self.machine();
        machine.expect_feedback();
        Parser::with_machine(machine, self.limits())
    }

    fn construction<S: TreeSink>(&self, sink: S) -> TreeConstruction<S> {
        TreeConstruction::new(self, sink)
    }
}

impl<S: TreeSink> Construction<Html, S> for TreeConstruction<S> {
    fn sink(&self) -> &S {
        &self.sink
    }

    fn into_sink(self) -> S {
        self.sink
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.set_limits(limits);
    }

    fn report(&mut self, report: bool) {
        self.report = report;
    }

    #[inline]
    fn take(&mut self, event: &Event<'_>) {
        self.take(event);
    }

    fn end(&mut self) {
        self.end();
    }

    fn steer(&mut self, machine: &mut <Html as Dialect>::Machine) {
        let feedback = self.feedback();
        machine.give_feedback(feedback.state, feedback.cdata, feedback.foreign);
    }

    fn errors(&mut self) -> &mut Vec<Code> {
        &mut self.errors
    }

    fn script(&mut self) -> Option<S::Handle> {
        self.script.take()
    }

    fn steps(&self) -> u64 {
        self.steps()
    }
}
