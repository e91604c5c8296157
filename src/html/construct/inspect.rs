//! What the open elements say of themselves, written out for the tests, which hold it against literal
//! walks down the stack. It must not know what the standard says of them.

use super::TreeConstruction;
use super::elements::{FOREIGN, OTHERS, among};
use super::schema::SCOPES;
use crate::text::html_element_names::ElementName;
use crate::text::html_name_sets::Names;
use crate::tree::TreeSink;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl<S: TreeSink> TreeConstruction<S> {
    /// The open elements from the root on: of each its namespace, its name if that is known, and the
    /// mode that it stands for; then its summary, other elements by their places from the root on.
    pub(crate) fn open_elements(&self) -> Vec<[String; 2]> {
        let frames = &self.stack.frames;
        let after = |id: &u32| Some(frames.after(*id)).filter(|id| frames.get(*id).is_some());
        let open: Vec<u32> = core::iter::successors(after(&frames.first()), after).collect();
        let place = |id: u32| open.iter().position(|one| *one == id);
        let describe = |id: &u32| {
            let (frame, summary) = (&frames[*id], &frames[*id].summary);
            let sees = summary.sees;
            let known = ElementName::ALL.get(frame.name as usize);
            let name = known.map_or("?", |name| name.name());
            let mut seen = String::new();
            for (scope, (asked, ..)) in SCOPES.iter().enumerate() {
                for known in ElementName::ALL {
                    let number = known as usize;
                    if asked.has(number) && sees.meets(among(scope, Names::one(number))) {
                        seen += &format!(" {scope}:{}", known.name());
                    }
                }
            }
            let others = [sees.meets(OTHERS), sees.meets(FOREIGN)];
            let nearest = [
                summary.special,
                summary.boundary,
                summary.html,
                summary.foster,
                summary.template,
                summary.select,
            ];
            [
                format!("{:?} {name} {:?}", frame.space, frame.stands_for),
                format!(
                    "{:?}{seen} {others:?} {:?}",
                    summary.mode,
                    nearest.map(place)
                ),
            ]
        };
        open.iter().map(describe).collect()
    }
}
