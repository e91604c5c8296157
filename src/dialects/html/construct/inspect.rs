//! Access to the internal state of tree construction, for tests and for the page that shows parsing at work. Tests
//! compare the summaries of the open elements with the results of walks down the stack, remove single rows of the
//! schema, disable plans, and read the counters of work. The page shows the open elements, the active formatting
//! elements and the rows that were applied.

use super::formatting::{EntryId, Formatting, MARKER};
use super::notation::{Row, Table};
use super::schema::{FOREIGN, MODE_NAMES, OTHERS, SCOPES, TABLES};
use super::stack::{Frame, FrameId, NONE};
use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use super::wording;
use crate::dialects::html::names::{KNOWN_NAMES, Names};
use crate::engine::linked_list::Links;
use crate::engine::text::html_element_names::ElementName;
use crate::tree::TreeSink;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

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

    /// Starts to record the rows that are applied. Plans are disabled, because they apply no rows.
    pub(crate) fn record_rows(&mut self) {
        self.drop_plans();
        self.trace.rows = Some(Vec::new());
    }

    /// Returns the recorded rows and removes them from the record.
    pub(crate) fn take_rows(&mut self) -> Vec<AppliedRow> {
        let rows = self.trace.rows.as_mut().map(core::mem::take);
        rows.unwrap_or_default()
            .into_iter()
            .map(|(table, row, token)| AppliedRow::new(table, row, token))
            .collect()
    }

    /// Returns the insertion mode, and the rules that apply to the next token: the same, or those for foreign content.
    pub(crate) fn modes(&self) -> [String; 2] {
        [self.insertion_mode(), self.rules()].map(|mode| wording::words(MODE_NAMES[mode as usize]))
    }

    /// Returns the open elements, from the root on.
    pub(crate) fn open_handles(&self) -> Vec<S::Handle> {
        let frames = &self.stack.frames;
        let (mut open, mut id) = (Vec::new(), self.stack.root());
        while let Some(frame) = frames.get(id) {
            open.push(frame.handle);
            id = frames.after(id);
        }
        open
    }

    /// Returns the number of open elements, and the handle of the current node.
    pub(crate) fn current(&self) -> (usize, S::Handle) {
        (self.stack.depth(), self.stack.current().handle)
    }

    /// Returns the list of active formatting elements. A marker is `None`.
    pub(crate) fn formatting_handles(&self) -> Vec<Option<S::Handle>> {
        let list = &self.formatting.list;
        let (mut entries, mut id) = (Vec::new(), list.first());
        while let Some(entry) = list.get(id) {
            entries.push(self.formatting.has(id).then_some(entry.handle));
            id = list.after(id);
        }
        entries
    }

    /// Returns a description of the first entry of the list of active formatting elements that contradicts the stack of
    /// open elements, another entry, or the indexes of the list. The frame of an entry must be open and refer to the
    /// entry, and the open elements must have the same order in the list and on the stack.
    pub(crate) fn formatting_problem(&self) -> Option<String> {
        let frames = &self.stack.frames;
        let mut open = Vec::new();
        let mut id = frames.first();
        while let Some(frame) = frames.get(id) {
            open.push((id, *frame));
            id = frames.after(id);
        }
        let (list, mut below) = (&self.formatting.list, 0);
        let mut id = list.first();
        while let Some(entry) = list.get(id) {
            if entry.frame != NONE {
                let place = open.iter().position(|(frame, _)| *frame == entry.frame);
                let Some(place) = place else {
                    return Some(format!("entry {id} has a closed frame: {entry:?}"));
                };
                if !self.formatting.is_consistent(id, frames) {
                    let frame = &open[place].1;
                    return Some(format!("entry {id} is not that of {frame:?}: {entry:?}"));
                }
                if place <= below {
                    return Some(format!("entry {id} is before an earlier one: {entry:?}"));
                }
                below = place;
            }
            id = list.after(id);
        }
        self.formatting.index_problem()
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

impl<H: Copy> Formatting<H> {
    /// Returns whether an entry has no frame, or has that of an open HTML element with the same name and the same node,
    /// whose frame refers to the entry.
    fn is_consistent(&self, id: EntryId, frames: &Links<Frame<H>>) -> bool
    where
        H: PartialEq,
    {
        let Some(entry) = self.list.get(id) else {
            return false;
        };
        let is_open = |frame: &Frame<H>| {
            frame.entry == id && frame.is_html(entry.name) && frame.handle == entry.handle
        };
        entry.frame == NONE || frames.get(entry.frame).is_some_and(is_open)
    }

    /// Returns a description of the first difference between the list and its counters and indexes.
    fn index_problem(&self) -> Option<String>
    where
        H: Debug,
    {
        let (mut level, mut count, mut bytes) = (0, 0, 0);
        let mut last = [NONE; KNOWN_NAMES + 1];
        let mut id = self.list.first();
        while let Some(entry) = self.list.get(id) {
            let name = entry.name as usize;
            if entry.level != level || entry.previous_of_name != last[name] {
                return Some(format!("entry {id} is not indexed: {entry:?}"));
            }
            if let Some(previous) = self.list.get(last[name])
                && previous.next_of_name != id
            {
                return Some(format!("entry {id} does not follow: {previous:?}"));
            }
            last[name] = id;
            bytes += entry.bytes as usize;
            match entry.name == MARKER {
                true => (level, count) = (level + 1, 0),
                false => count += 1,
            }
            id = self.list.after(id);
        }
        let found = (self.level, self.count, self.bytes, self.names);
        let limit = self.limit.max(1);
        match found == (level, count, bytes, last) && count as usize <= limit {
            true => None,
            false => Some(format!(
                "level {level}, {count} entries of {limit}, last {last:?}, but {found:?}"
            )),
        }
    }
}

/// A row of the schema that was applied to a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedRow {
    /// The mode whose table contains the row, in words.
    pub table: String,
    /// The number of the row in its table. The first row is 0.
    pub row: usize,
    /// The token that was processed.
    pub token: String,
    /// The tokens for which the row is, in the words of `docs/html-schema.md`.
    pub tokens: String,
    /// The conditions of the row, in the words of `docs/html-schema.md`.
    pub conditions: String,
    /// The actions of the row, in the words of `docs/html-schema.md`.
    pub actions: String,
}

impl AppliedRow {
    /// Describes the row with the number `row` of the table with the number `table`.
    fn new(table: usize, row: usize, token: String) -> AppliedRow {
        let Row {
            tokens,
            guards,
            actions,
        } = &TABLES[table].all()[row];
        let guards: Vec<String> = guards.iter().map(wording::guard).collect();
        AppliedRow {
            table: wording::words(MODE_NAMES[table]),
            row,
            token,
            tokens: plain(&wording::tokens(tokens)),
            conditions: plain(&guards.join(", and ")),
            actions: plain(&wording::actions(actions)),
        }
    }
}

/// Removes the marks of Markdown: backticks, asterisks and the targets of links.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    let mut rest = markdown;
    while let Some(at) = rest.find(['`', '*', '[', ']']) {
        text.push_str(&rest[..at]);
        let mark = &rest[at..];
        rest = match mark.find(')') {
            Some(end) if mark.starts_with("](") => &mark[end + 1..],
            _ => &mark[1..],
        };
    }
    text + rest
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
