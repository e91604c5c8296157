//! Tree construction for HTML: connects the construction of `crate::html::construct`, which follows the HTML
//! standard, to the tree builder.

#[cfg(feature = "inspect")]
mod inspect;
mod write;

use super::construction::{Buildable, Construction};
use crate::dialects::html::Html;
use crate::dialects::html::construct::TreeConstruction;
use crate::dialects::html::construct::copies::MIN_NODE_BYTES;
use crate::dialects::html::construct::stack_observer::NoObserver;
use crate::engine::dialect::Dialect;
use crate::engine::error::ErrorCode;
use crate::engine::event::ParserData;
use crate::engine::limits::Limits;
use crate::tree::{TreeSink, TreeSize};
use alloc::vec::Vec;

/// The size of the copy of an element without its strings, in bytes, is at most this number.
const MAX_NODE_BYTES: u64 = 128;

impl Buildable for Html {
    type Construction<S: TreeSink> = TreeConstruction<S>;

    #[inline(always)]
    fn tokenizer_mode() -> fn(&mut <Html as Dialect>::Machine) {
        |machine| machine.expect_feedback()
    }

    fn construction<S: TreeSink>(&self, sink: S) -> TreeConstruction<S> {
        TreeConstruction::new(self, sink, NoObserver)
    }
}

impl<S: TreeSink> Construction<Html, S> for TreeConstruction<S> {
    fn sink(&self) -> &S {
        &self.sink
    }

    fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    #[inline(always)]
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
        self.parse_errors.are_reported = report;
    }

    fn end(&mut self) {
        self.end();
    }

    #[inline(always)]
    fn end_batch(&mut self, data: &ParserData) {
        self.end_batch(data);
    }

    #[inline(always)]
    fn take_batch(&mut self, data: &ParserData, max_nodes: u64) -> usize {
        self.take_batch(data, max_nodes)
    }

    fn set_tokenizer_state(&mut self, machine: &mut <Html as Dialect>::Machine) {
        let feedback = self.feedback();
        machine.give_feedback(feedback.state, feedback.cdata, feedback.alone);
    }

    fn errors(&mut self) -> &mut Vec<ErrorCode> {
        &mut self.parse_errors.codes
    }

    fn size_before_run(&self) -> Option<TreeSize> {
        Some(self.size_before_run)
    }

    #[inline(always)]
    fn besides(&self, events: usize, bytes: usize) -> (u64, u64) {
        // Only one reconstruction of the active formatting elements can exceed the limit on copies.
        let (open, text) = self.unfinished();
        let copies = self.copies.left_in_batch(bytes);
        let copies = copies.saturating_add(MAX_NODE_BYTES * (open + events) as u64);
        (
            1 + copies / MIN_NODE_BYTES,
            copies.saturating_add(text as u64),
        )
    }

    fn script(&mut self) -> Option<S::Handle> {
        self.script.take()
    }
}

#[cfg(test)]
mod tests {
    use crate::dialects::html::Html;
    use crate::engine::event::Event;
    use crate::engine::parser::Parser;

    /// Test: `attribute_pairs` returns the same names and values as `attributes`, for names that are lowercased, values
    /// with resolved references, and owned events.
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
