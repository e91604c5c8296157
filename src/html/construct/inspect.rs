//! What tests ask: what the open elements say of themselves, which they hold against literal walks down
//! the stack; the schema without one of its rows; the steps taken. It must not know what the standard says of them.

use super::TreeConstruction;
use super::elements::{FOREIGN, OTHERS};
use super::rules::without_row;
use super::schema::{SCOPES, TABLES};
use super::stack::{Frame, FrameId};
use super::watch::Watch;
use crate::html::names::Names;
use crate::text::html_element_names::ElementName;
use crate::tree::TreeSink;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl<S: TreeSink, W: Watch> TreeConstruction<S, W> {
    /// Drops a row of the schema: see [`without_row`].
    pub(crate) fn drop_row(&mut self, row: usize) -> bool {
        let schema = without_row(&TABLES, row);
        schema.map(|schema| self.schema = schema).is_some()
    }

    pub(crate) fn steps(&self) -> u64 {
        self.rules + self.steps + self.stack.steps + self.formatting.steps
    }

    /// The open elements from the root on: of each its namespace, its name if that is known, and the
    /// mode that it stands for; then its summary, other elements by their places from the root on.
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
