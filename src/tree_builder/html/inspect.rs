//! Access to the tree construction of HTML for tests.

use crate::dialects::html::Html;
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
}
