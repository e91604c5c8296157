//! The cloning of the chosen option of a select into its `selectedcontent`.
//!
//! An option is the chosen one while it is the last with the attribute `selected`; without any, where
//! one option is shown, the first that is not disabled. Its children are copied when it is popped.
//!
//! Selects in selects, as tables make possible, would have copies copied, over and over. So copies are
//! held to [`Limits::entity_ratio`](crate::Limits::entity_ratio) nodes for each token read, after
//! [`ALLOWANCE`]; beyond that an option is not copied.

use super::TreeConstruction;
use super::schema;
use super::stack::{Frame, FrameId};
use crate::event::StartTag;
use crate::tree::TreeSink;

/// So many nodes may be copied in any case.
const ALLOWANCE: u64 = 1 << 16;

/// An open select.
#[derive(Clone, Copy, Debug)]
pub(super) struct Select<H> {
    frame: FrameId,
    /// The template that it stands in.
    template: FrameId,
    /// Whether one option is shown; whether the chosen one is shown elsewhere.
    shows_one: bool,
    multiple: bool,
    /// The option chosen so far, and the first element that shows it.
    chosen: Option<H>,
    shown_in: Option<H>,
    /// Whether the last option group is disabled.
    group_disabled: bool,
}

/// An option or select that is open, and how many nodes there were before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    frame: FrameId,
    nodes: u64,
}

impl<S: TreeSink> TreeConstruction<S> {
    /// A part of a select was opened.
    #[cold]
    pub(super) fn part_of_select(&mut self, id: FrameId, tag: Option<&StartTag<'_>>) {
        let Some(frame) = self.stack.get(id).copied() else {
            return;
        };
        let attribute = |name: &str| tag.and_then(|tag| tag.attribute(name));
        if frame.groups.meets(schema::SELECT) {
            self.selects.push(Select {
                frame: id,
                template: frame.summary.template,
                shows_one: attribute("size")
                    .and_then(number)
                    .is_none_or(|size| size == 1),
                multiple: attribute("multiple").is_some(),
                chosen: None,
                shown_in: None,
                group_disabled: false,
            });
            return;
        }
        if frame.groups.meets(schema::SELECTEDCONTENT) {
            let template = frame.summary.template;
            let around = self.selects.iter_mut().rev();
            for select in around.take_while(|select| select.template == template) {
                self.steps += 1;
                if select.shown_in.is_some() {
                    break;
                }
                select.shown_in = Some(frame.handle);
            }
            return;
        }
        let Some(below) = self
            .stack
            .get(self.stack.below(id))
            .map(|below| below.summary)
        else {
            return;
        };
        let disabled = attribute("disabled").is_some();
        if frame.groups.meets(schema::OPTION) {
            self.options.push(Before {
                frame: id,
                nodes: self.nodes(),
            });
        }
        let select = self.selects.last_mut();
        let Some(select) = select.filter(|select| select.frame == below.select) else {
            return;
        };
        if frame.groups.meets(schema::OPTGROUP) {
            select.group_disabled = disabled;
        } else if attribute("selected").is_some()
            || select.chosen.is_none()
                && select.shows_one
                && !disabled
                && !(below.in_optgroup && select.group_disabled)
        {
            select.chosen = Some(frame.handle);
        }
    }

    /// A select or an option was popped.
    #[cold]
    pub(super) fn part_of_select_closed(&mut self, id: FrameId, frame: &Frame<S::Handle>) {
        if frame.groups.meets(schema::SELECT) {
            self.selects.pop_if(|select| select.frame == id);
            return;
        }
        let Some(before) = self.options.iter().rposition(|option| option.frame == id) else {
            return;
        };
        let before = self
            .options
            .drain(before..)
            .next()
            .map_or(0, |one| one.nodes);
        let size = self.nodes() - before;
        let select = self.selects.last();
        let Some(shown_in) = select
            .filter(|select| !select.multiple && select.chosen == Some(frame.handle))
            .and_then(|select| select.shown_in)
        else {
            return;
        };
        let most = ALLOWANCE.saturating_add(self.tokens.saturating_mul(self.copy_ratio));
        if self.copied.saturating_add(size) > most {
            return;
        }
        self.copied += size;
        self.steps += size;
        let old = self.sink.create_fragment();
        self.sink.move_children(shown_in, old);
        let copy = self.sink.clone_subtree(frame.handle);
        self.sink.move_children(copy, shown_in);
    }

    /// More nodes than there are: each token makes a few.
    fn nodes(&self) -> u64 {
        self.made + self.copied
    }
}

/// A non-negative integer at the beginning of a value.
fn number(value: &str) -> Option<u64> {
    let value = value.trim_start_matches(['\t', '\n', '\u{C}', '\r', ' ']);
    let value = value.strip_prefix('+').unwrap_or(value);
    let end = value.find(|c: char| !c.is_ascii_digit());
    let digits = &value[..end.unwrap_or(value.len())];
    let saturated = |_| u64::MAX;
    (!digits.is_empty()).then(|| digits.parse().unwrap_or_else(saturated))
}
