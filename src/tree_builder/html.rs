//! Tree construction for HTML: connects the construction of `crate::html::construct`, which follows the HTML
//! standard, to the tree builder.

#[cfg(feature = "inspect")]
use super::TreeBuilder;
use super::construction::{Buildable, Construction, Taker};
#[cfg(feature = "checkpoints")]
use crate::checkpoint::{self, CheckpointError};
use crate::dialects::html::Html;
use crate::dialects::html::construct::TreeConstruction;
use crate::dialects::html::construct::stack_observer::NoObserver;
use crate::engine::dialect::Dialect;
use crate::engine::error::ErrorCode;
use crate::engine::event::Event;
use crate::engine::limits::Limits;
use crate::engine::parser::Parser;
#[cfg(feature = "checkpoints")]
use crate::tree::SavedSink;
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
        TreeConstruction::new(self, sink, NoObserver)
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
        let blank = TreeConstruction::new(html, blank(), NoObserver);
        let mut sink = core::mem::replace(self, blank).sink;
        clear(&mut sink);
        *self = TreeConstruction::new(html, sink, NoObserver);
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
        bytes.extend(checkpoint::to_bytes(self));
    }

    #[cfg(feature = "checkpoints")]
    fn load(bytes: &[u8]) -> Result<(Self, &[u8]), CheckpointError>
    where
        S: SavedSink,
    {
        checkpoint::first(bytes)
    }
}

/// Access for tests.
#[cfg(feature = "inspect")]
impl<S: TreeSink> TreeBuilder<Html, S> {
    /// Removes one row of the HTML schema, which the builder otherwise follows. Rows are numbered through all tables
    /// of the schema. Returns false if there is no row of this number.
    #[doc(hidden)]
    pub fn drop_row(&mut self, row: usize) -> bool {
        self.construction.drop_row(row)
    }

    /// Builds the tree without plans, by the rows of the schema alone.
    #[doc(hidden)]
    #[must_use]
    pub fn without_plans(mut self) -> TreeBuilder<Html, S> {
        self.construction.drop_plans();
        self
    }

    /// Returns the number of steps taken: rules applied, entries of the stack of open elements visited, nodes created
    /// or moved. Tests use the number to check that time is linear in the input.
    #[doc(hidden)]
    pub fn steps(&self) -> u64 {
        self.construction.steps()
    }

    /// Returns the stack of open elements: for each element its description, and the description of the data that the
    /// stack records for the element and those below it.
    #[doc(hidden)]
    pub fn open_elements(&self) -> Vec<[String; 2]> {
        self.construction.open_elements()
    }
}

#[cfg(test)]
mod tests {
    use crate::dialects::html::Html;
    use crate::engine::event::Event;
    use crate::engine::parser::Parser;

    /// Pairs are the names and values of the attributes: as written, lower-cased, with resolved references, and
    /// those of an event that owns its strings.
    #[test]
    fn pairs_are_names_and_values() {
        let mut parser = Parser::new(Html::default());
        parser.feed("<p A=1 b=2 c='&amp;' D=\"&lt;\" e b=3><br><hr a=b>");
        let mut count = 0;
        while let Ok(Some(event)) = parser.next_event() {
            let owned = event.to_owned();
            for event in [event, owned.event()] {
                let Event::Start(tag) = event else { panic!() };
                let attributes = tag.attributes().map(|one| (one.name(), one.value()));
                assert!(tag.attribute_pairs().eq(attributes), "{tag:?}");
                count += tag.attribute_pairs().count();
            }
        }
        assert_eq!(count, 2 * 6);
    }
}
