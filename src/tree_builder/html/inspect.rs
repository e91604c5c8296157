//! Access to the tree construction of HTML, for tests and for the page that shows parsing at work.

use crate::dialects::html::Html;
use crate::dialects::html::construct::AppliedRow;
use crate::tree::TreeSink;
use crate::tree_builder::TreeBuilder;
use alloc::string::String;
use alloc::vec::Vec;

impl<S: TreeSink> TreeBuilder<Html, S> {
    /// Removes one row from the rule tables (the schema) of this builder. Rows are numbered consecutively through all
    /// rule tables. Returns false if there is no row of this number.
    #[doc(hidden)]
    pub fn drop_row(&mut self, row: usize) -> bool {
        self.construction.drop_row(row)
    }

    /// Disables plans, which are precomputed results of the rule tables for common tokens: the builder applies the rule
    /// tables to each token.
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

    /// Records the rows of the schema that are applied, until [`take_rows`](TreeBuilder::take_rows) returns them. Plans
    /// are disabled.
    #[doc(hidden)]
    #[must_use]
    pub fn record_rows(mut self) -> TreeBuilder<Html, S> {
        self.construction.record_rows();
        self
    }

    /// Returns the rows that were applied since the last call.
    #[doc(hidden)]
    pub fn take_rows(&mut self) -> Vec<AppliedRow> {
        self.construction.take_rows()
    }

    /// Returns the insertion mode, and the rules that apply to the next token: the same, or those for foreign content.
    #[doc(hidden)]
    pub fn modes(&self) -> [String; 2] {
        self.construction.modes()
    }

    /// Returns the handles of the open elements, from the root on.
    #[doc(hidden)]
    pub fn open_handles(&self) -> Vec<S::Handle> {
        self.construction.open_handles()
    }

    /// Returns the number of open elements, and the handle of the current node.
    #[doc(hidden)]
    pub fn current_node(&self) -> (usize, S::Handle) {
        self.construction.current()
    }

    /// Returns the handles of the active formatting elements. A marker is `None`.
    #[doc(hidden)]
    pub fn formatting_handles(&self) -> Vec<Option<S::Handle>> {
        self.construction.formatting_handles()
    }

    /// Returns a description of the first contradiction between the list of active formatting elements, its indexes, and
    /// the stack of open elements.
    #[doc(hidden)]
    pub fn formatting_problem(&self) -> Option<String> {
        self.construction.formatting_problem()
    }
}
