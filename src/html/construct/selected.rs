//! What a select shows of itself: the children of its chosen option, copied into its first
//! `selectedcontent`.
//!
//! The chosen option is the last with the attribute `selected`; without any, where one option is shown,
//! the first that is not disabled. It is copied when it is popped, and when a `selectedcontent` is
//! inserted after that. One that stands in an option, in another one or in two selects is disabled;
//! where the first of a select is, nothing is shown. In a template, whose contents are in no document,
//! nothing happens when one is inserted, so none is disabled.
//!
//! Selects in selects, as tables make possible, would have copies copied, over and over. So copies are
//! held to [`Limits::entity_ratio`](crate::Limits::entity_ratio) nodes for each token read, after
//! [`ALLOWANCE`]; beyond that an option is not copied.

use super::TreeConstruction;
use super::schema;
use super::stack::{Frame, FrameId, NONE};
use crate::event::StartTag;
use crate::text::numeric::non_negative_integer;
use crate::tree::TreeSink;

/// So many nodes may be copied in any case.
const ALLOWANCE: u64 = 1 << 16;

/// An open select.
#[derive(Clone, Copy, Debug)]
pub(super) struct Select<H> {
    frame: FrameId,
    /// The template that it stands in.
    template: FrameId,
    shows_one: bool,
    multiple: bool,
    /// Whether the last option group is disabled.
    group_disabled: bool,
    chosen: Option<Chosen<H>>,
    /// Its first `selectedcontent`, and whether that is enabled; so many in `shown` are not its others.
    first: Option<(H, bool)>,
    before: usize,
}

/// The option chosen so far.
#[derive(Clone, Copy, Debug)]
struct Chosen<H> {
    option: H,
    /// A count of all that may become nodes before it; how many are in it at most, once it is closed.
    before: u64,
    size: Option<u64>,
}

impl<S: TreeSink> TreeConstruction<S> {
    /// A part of a select was opened.
    #[cold]
    pub(super) fn part_of_select(&mut self, id: FrameId, tag: Option<&StartTag<'_>>) {
        let frame = self.stack.frames[id];
        let attribute = |name: &str| tag.and_then(|tag| tag.attribute(name));
        if frame.groups.meets(schema::SELECTEDCONTENT) {
            self.selectedcontent_inserted(id, &frame);
        } else if frame.groups.meets(schema::SELECT) {
            let size = attribute("size").and_then(non_negative_integer);
            self.selects.push(Select {
                frame: id,
                template: frame.summary.template,
                shows_one: size.is_none_or(|size| size == 1),
                multiple: attribute("multiple").is_some(),
                group_disabled: false,
                chosen: None,
                first: None,
                before: self.shown.len(),
            });
        } else {
            let below = self.stack.frames[self.stack.frames.before(id)].summary;
            let before = self.tokens + self.made + self.copied;
            let disabled = attribute("disabled").is_some();
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
                select.chosen = Some(Chosen {
                    option: frame.handle,
                    before,
                    size: None,
                });
            }
        }
    }

    /// Notes a `selectedcontent` in all selects around it that have none yet, and lets the nearest show
    /// its option. The others of that one are emptied: first, so that those in the option are.
    fn selectedcontent_inserted(&mut self, id: FrameId, frame: &Frame<S::Handle>) {
        let template = frame.summary.template;
        let below = self.stack.frames[self.stack.frames.before(id)].summary;
        let around = |select: &&mut Select<S::Handle>| select.template == template;
        let nested = self.selects.iter_mut().rev().take(2).filter(around).count() > 1;
        let enabled = template != NONE || !nested && !below.sees.meets(schema::SHOWN_AROUND);
        for select in self.selects.iter_mut().rev().take_while(around) {
            self.steps += 1;
            if select.first.is_some() {
                break;
            }
            select.first = Some((frame.handle, enabled));
            select.before = self.shown.len() + 1;
        }
        let nearest = self.selects.last_mut().filter(around).copied();
        let Some(select) = nearest.filter(|_| template == NONE) else {
            return;
        };
        if !select.multiple {
            for other in self.shown.split_off(select.before.min(self.shown.len())) {
                self.empty(other);
            }
        }
        self.shown.push(frame.handle);
        self.show(&select);
    }

    /// A select or an option was popped.
    #[cold]
    pub(super) fn part_of_select_closed(&mut self, id: FrameId, frame: &Frame<S::Handle>) {
        let nodes = self.tokens + self.made + self.copied;
        if frame.groups.meets(schema::SELECT) {
            self.selects.pop_if(|select| select.frame == id);
        } else if let Some(select) = self.selects.last_mut()
            && let Some(chosen) = &mut select.chosen
            && chosen.option == frame.handle
        {
            chosen.size = Some(nodes - chosen.before);
            let select = *select;
            self.show(&select);
        }
    }

    /// Copies the chosen option of a select, unless it is still open: then it will be popped.
    fn show(&mut self, select: &Select<S::Handle>) {
        let Some((first, true)) = select.first.filter(|_| !select.multiple) else {
            return;
        };
        let Some(chosen) = select.chosen else {
            return self.empty(first);
        };
        if let Some(size) = chosen.size
            && self.copied.saturating_add(size) <= self.most_copies(1)
        {
            self.copied += size;
            self.steps += size;
            let copy = self.sink.clone_subtree(chosen.option);
            self.empty(first);
            self.sink.move_children(copy, first);
        }
    }

    /// So many copies are made of what was read so far, where a part of the ratio is the limit.
    pub(super) fn most_copies(&self, part: u64) -> u64 {
        ALLOWANCE.saturating_add(self.tokens.saturating_mul(self.copy_ratio / part))
    }

    /// Takes all children out of an element.
    fn empty(&mut self, element: S::Handle) {
        let old = self.sink.create_fragment();
        self.sink.move_children(element, old);
    }
}
