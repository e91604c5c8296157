//! Access to the internal state of tree construction, for tests. Tests compare the summaries of the open elements with
//! the results of walks down the stack, remove single rows of the schema, disable plans, and read the counters of work.

use super::TreeConstruction;
use super::elements::{FOREIGN, OTHERS};
use super::notation::Table;
use super::schema::{SCOPES, TABLES};
use super::stack::{Frame, FrameId};
use super::stack_observer::StackObserver;
use crate::dialects::html::names::Names;
use crate::engine::text::html_element_names::ElementName;
use crate::tree::TreeSink;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Removes a row of the schema. See [`without_row`].
    pub(crate) fn drop_row(&mut self, row: usize) -> bool {
        let schema = without_row(row);
        schema.map(|schema| self.schema = schema).is_some()
    }

    /// Disables plans, so that the rows are applied to each token.
    pub(crate) fn drop_plans(&mut self) {
        // A copy of the same rows at another address. `has_plans` compares addresses and therefore returns false.
        static ROWS: [Table; TABLES.len()] = TABLES;
        self.schema = &ROWS;
    }

    /// Returns the sum of all counters of work.
    pub(crate) fn steps(&self) -> u64 {
        self.counts.rules + self.counts.steps + self.stack.steps + self.formatting.steps
    }

    /// Returns a description of each open element, from the root on. The first string has the namespace, the name if it
    /// is known, and the insertion mode that the element determines. The second string has the summary of the element's
    /// frame, in which other elements are given by their index, counted from the root.
    pub(crate) fn open_elements(&self) -> Vec<[String; 2]> {
        let frames = &self.stack.frames;
        let (mut open, mut id) = (Vec::new(), self.stack.root());
        while frames.get(id).is_some() {
            open.push(id);
            id = frames.after(id);
        }
        let place = |id: FrameId| open.iter().position(|one| *one == id);
        let describe = |frame: &Frame<S::Handle>| {
            let name = ElementName::ALL.get(frame.name as usize);
            let name = name.map_or("?", |name| name.name());
            let (below, mut seen) = (&frame.summary, String::new());
            for (scope, (asked, ..)) in SCOPES.0.iter().enumerate() {
                let asked = |name: &&ElementName| asked.has(**name as usize);
                for name in ElementName::ALL.iter().filter(asked) {
                    if below
                        .in_scope
                        .meets(SCOPES.scoped(scope, Names::of(&[*name])))
                    {
                        seen += &format!(" {scope}:{}", name.name());
                    }
                }
            }
            let others = [OTHERS, FOREIGN].map(|seen| below.in_scope.meets(seen));
            let (a, b) = ([below.special, below.boundary], [below.html, below.foster]);
            let nearest = [a, b, [below.template, below.select]].map(|pair| pair.map(place));
            [
                format!("{:?} {name} {:?}", frame.space, frame.stands_for),
                format!("{:?}{seen} {others:?} {nearest:?}", below.mode),
            ]
        };
        open.iter().map(|id| describe(&frames[*id])).collect()
    }
}

/// Returns a copy of all tables in which one row is missing, for tests that check whether each row is needed. The
/// copy is leaked. `row` is the number of the row, counted through all tables. Returns `None` if there is no such
/// row.
fn without_row(mut row: usize) -> Option<&'static [Table; TABLES.len()]> {
    let mut tables = TABLES;
    for table in &mut tables {
        if row < table.rows.len() {
            let mut rows = table.rows.to_vec();
            rows.remove(row);
            *table = Table::new(Vec::leak(rows));
            return Some(Box::leak(Box::new(tables)));
        }
        row -= table.rows.len();
    }
    None
}
