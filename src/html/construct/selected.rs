//! What a select shows of itself: the children of its selected option, copied into its first
//! `selectedcontent`.
//!
//! The selected option is the last with the attribute `selected`; without any, where one option is
//! shown, the first that is not disabled. It is copied when it is popped, and when a `selectedcontent`
//! is inserted after that. One that stands in an option, in another one or in two selects is disabled:
//! nothing happens when it is inserted, and where it is the first of a select, nothing is shown. In a
//! template and in a fragment, which are in no document, nothing ever happens when one is inserted, so
//! none is disabled.
//!
//! An option in the selected one is of no select, but its copy is, which stands in a `selectedcontent`:
//! it may be the selected one from then on, until others take its place there.
//!
//! Selects in selects, as tables make possible, would have copies copied, over and over. Where [no more
//! may be copied](super::copies), what is shown stays as it is.

use super::TreeConstruction;
use super::copies::NODE;
use super::schema;
use super::stack::{Frame, FrameId, NONE};
use super::watch::Watch;
use crate::event::StartTag;
use crate::text::numeric::non_negative_integer;
use crate::tree::TreeSink;
use alloc::vec::Vec;

/// The open selects, and what they may show.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Selects<H> {
    open: Vec<Select<H>>,
    /// Options of the open selects, each with those in it behind it.
    options: Vec<Choice<H>>,
    /// Each `selectedcontent` that may hold something, in the order of insertion.
    shown: Vec<H>,
}

/// An open select.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct Select<H> {
    frame: FrameId,
    /// The template that it stands in.
    template: FrameId,
    shows_one: bool,
    multiple: bool,
    /// Whether the last option group is disabled.
    group_disabled: bool,
    /// Where its options begin; the innermost that is open; the first that is not disabled; the one with
    /// the selected one in it.
    options: usize,
    open: Option<usize>,
    default: Option<usize>,
    holder: Option<usize>,
    /// The selected option, and whether a copy of it is meant.
    selected: Option<usize>,
    is_copy: bool,
    /// Its first `selectedcontent`; so many in `shown` are not its others.
    first: Option<First<H>>,
    before: usize,
}

/// The first `selectedcontent` of a select.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct First<H> {
    handle: H,
    is_enabled: bool,
    /// Whether options in it are of the select, and whether they are in an optgroup then, a disabled
    /// one.
    lists: bool,
    in_optgroup: bool,
    group_disabled: bool,
}

/// An option of a select, or in one of those.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct Choice<H> {
    handle: H,
    frame: FrameId,
    /// The option that it is in directly.
    outer: Option<usize>,
    in_optgroup: bool,
    group_disabled: bool,
    is_disabled: bool,
    is_selected: bool,
    /// Whether the last option group in it is disabled.
    last_group_disabled: bool,
    /// What all nodes take that there were before it; what those in it take at most, and where the
    /// options in it end, once it is closed.
    before: u64,
    size: Option<u64>,
    end: usize,
}

impl<H> Selects<H> {
    pub(super) const fn new() -> Selects<H> {
        Selects {
            open: Vec::new(),
            options: Vec::new(),
            shown: Vec::new(),
        }
    }
}

impl<S: TreeSink, W: Watch> TreeConstruction<S, W> {
    /// A part of a select was opened.
    #[cold]
    pub(super) fn part_of_select(&mut self, id: FrameId, tag: Option<&StartTag<'_>>) {
        let frame = self.stack.frames[id];
        let attribute = |name: &str| tag.and_then(|tag| tag.attribute(name));
        if frame.groups.meets(schema::SELECTEDCONTENT) {
            self.selectedcontent_inserted(id, &frame);
        } else if frame.groups.meets(schema::SELECT) {
            let size = attribute("size").and_then(non_negative_integer);
            self.selects.open.push(Select {
                frame: id,
                template: frame.summary.template,
                shows_one: size.is_none_or(|size| size == 1),
                multiple: attribute("multiple").is_some(),
                group_disabled: false,
                options: self.selects.options.len(),
                open: None,
                default: None,
                holder: None,
                selected: None,
                is_copy: false,
                first: None,
                before: self.selects.shown.len(),
            });
        } else {
            let below = self.stack.frames[self.stack.frames.before(id)].summary;
            if below.select == NONE {
                return;
            }
            let is_disabled = attribute("disabled").is_some();
            if frame.groups.meets(schema::OPTGROUP) {
                self.selects.group_opened(below.select, is_disabled);
                return;
            }
            self.selects.option_opened(
                Choice {
                    handle: frame.handle,
                    frame: id,
                    outer: None,
                    in_optgroup: below.in_optgroup,
                    group_disabled: false,
                    is_disabled,
                    is_selected: attribute("selected").is_some(),
                    last_group_disabled: false,
                    before: self.most_bytes(),
                    size: None,
                    end: 0,
                },
                below.select,
            );
        }
    }

    /// Notes a `selectedcontent` in all selects around it that have none yet, and lets the nearest show
    /// its option. The others of that one are emptied: first, so that those in the option are.
    fn selectedcontent_inserted(&mut self, id: FrameId, frame: &Frame<S::Handle>) {
        let template = frame.summary.template;
        let is_connected = !frame.summary.is_inert && self.context.is_none();
        let below = self.stack.frames[self.stack.frames.before(id)].summary;
        let selects = &mut self.selects;
        let around = |select: &&mut Select<S::Handle>| select.template == template;
        let nested = selects.open.iter_mut().rev().take(2).filter(around).count() > 1;
        let is_enabled = !is_connected || !nested && !below.in_scope.meets(schema::SHOWN_AROUND);
        for select in selects.open.iter_mut().rev().take_while(around) {
            self.steps += 1;
            if select.first.is_some() {
                break;
            }
            select.first = Some(First {
                handle: frame.handle,
                is_enabled,
                lists: below.select == select.frame,
                in_optgroup: below.in_optgroup,
                group_disabled: below.in_optgroup && select.group_disabled,
            });
            select.before = selects.shown.len() + 1;
        }
        let nearest = selects.open.last_mut().filter(around).copied();
        let Some(select) = nearest.filter(|_| is_connected) else {
            return;
        };
        let shows = is_enabled && !select.multiple;
        if shows {
            let others = select.before.min(self.selects.shown.len());
            for other in self.selects.shown.split_off(others) {
                self.watch.moved(select.frame);
                self.empty(other);
            }
        }
        self.selects.shown.push(frame.handle);
        if shows {
            self.show();
        }
    }

    /// A select or an option was popped.
    #[cold]
    pub(super) fn part_of_select_closed(&mut self, id: FrameId, frame: &Frame<S::Handle>) {
        let bytes = self.most_bytes();
        if frame.groups.meets(schema::SELECT) {
            if let Some(select) = self.selects.open.pop_if(|select| select.frame == id) {
                self.selects.options.truncate(select.options);
            }
        } else if frame.summary.select == id && self.selects.option_closed(id, bytes) {
            self.show();
        }
    }

    /// Copies the selected option of the last select, unless it is still open: then it will be popped.
    fn show(&mut self) {
        let selects = &mut self.selects;
        let Some(select) = selects.open.last_mut().filter(|select| !select.multiple) else {
            return;
        };
        let Some(first) = select.first.filter(|first| first.is_enabled) else {
            return;
        };
        self.watch.moved(select.frame);
        let Some(selected) = select.selected else {
            return self.empty(first.handle);
        };
        let Some(&choice) = selects.options.get(selected) else {
            return;
        };
        if let Some(size) = choice.size
            && self.may_copy(size)
        {
            self.steps += size / NODE;
            let copy = self.copy_subtree(choice.handle, size);
            self.empty(first.handle);
            self.sink.move_children(copy, first.handle);
            self.selects.options_copied(selected, choice.end);
        }
    }

    /// What the nodes of the tree take at most; the strings of copies are those of what was copied.
    fn most_bytes(&self) -> u64 {
        (self.tokens + self.made) * NODE + self.copies.bytes()
    }

    /// Takes all children out of an element.
    fn empty(&mut self, element: S::Handle) {
        let old = self.sink.create_fragment();
        self.sink.move_children(element, old);
    }
}

impl<H: Copy> Selects<H> {
    /// The option of a frame among those of the last select that are open, which it is the innermost of
    /// then.
    fn open_option(&mut self, frame: FrameId) -> Option<usize> {
        let select = self.open.last_mut()?;
        let mut at = select.open;
        while let Some(option) = at.and_then(|at| self.options.get(at))
            && option.frame != frame
        {
            at = option.outer;
        }
        select.open = at;
        at
    }

    /// An optgroup was opened in the select or option of a frame.
    fn group_opened(&mut self, outer: FrameId, is_disabled: bool) {
        match self.open.last_mut() {
            Some(select) if select.frame == outer => select.group_disabled = is_disabled,
            _ => {
                let option = self.open_option(outer);
                if let Some(option) = option.and_then(|at| self.options.get_mut(at)) {
                    option.last_group_disabled = is_disabled;
                }
            }
        }
    }

    /// An option was opened in the select or option of a frame.
    fn option_opened(&mut self, mut choice: Choice<H>, outer: FrameId) {
        let Some(select) = self.open.last_mut() else {
            return;
        };
        if select.frame != outer {
            choice.outer = self.open_option(outer);
            if let Some(outer) = choice.outer.and_then(|outer| self.options.get(outer)) {
                choice.group_disabled = outer.last_group_disabled;
                self.open_at_end(choice);
            }
            return;
        }
        choice.group_disabled = select.group_disabled;
        let is_disabled = choice.is_disabled || choice.in_optgroup && choice.group_disabled;
        let is_first = select.selected.is_none() && select.shows_one && !is_disabled;
        // What was selected is done with.
        if choice.is_selected
            && let Some(holder) = select.holder
            && select.default.is_none_or(|default| default < holder)
        {
            self.options.truncate(holder);
        }
        let at = self.options.len();
        if !is_disabled {
            select.default = select.default.or(Some(at));
        }
        if choice.is_selected || is_first {
            (select.selected, select.holder) = (Some(at), Some(at));
            select.is_copy = false;
        }
        self.open_at_end(choice);
    }

    fn open_at_end(&mut self, choice: Choice<H>) {
        if let Some(select) = self.open.last_mut() {
            select.open = Some(self.options.len());
            self.options.push(choice);
        }
    }

    /// An option was closed; gives whether it is the selected one of its select.
    fn option_closed(&mut self, frame: FrameId, bytes: u64) -> bool {
        let Some(at) = self.open_option(frame) else {
            return false;
        };
        let end = self.options.len();
        let (Some(select), Some(option)) = (self.open.last_mut(), self.options.get_mut(at)) else {
            return false;
        };
        (option.size, option.end) = (Some(bytes - option.before), end);
        select.open = option.outer;
        if option.outer.is_some() {
            return false;
        }
        let is_selected = select.selected == Some(at) && !select.is_copy;
        if select.holder != Some(at) && select.default != Some(at) {
            self.options.truncate(at);
        }
        is_selected
    }

    /// What an option of the last select holds has come into its `selectedcontent`, in the place of what
    /// was there.
    fn options_copied(&mut self, option: usize, end: usize) {
        let Some(select) = self.open.last_mut() else {
            return;
        };
        if core::mem::take(&mut select.is_copy) {
            select.selected = select.default.filter(|_| select.shows_one);
            select.holder = select.selected;
        }
        let Some(first) = select.first.filter(|first| first.lists) else {
            return;
        };
        let inner = self.options.iter().enumerate().take(end).skip(option + 1);
        for (at, copy) in inner {
            if copy.outer != Some(option) || copy.in_optgroup && first.in_optgroup {
                continue;
            }
            let group_disabled = match copy.in_optgroup {
                true => copy.group_disabled,
                false => first.group_disabled,
            };
            let is_disabled = copy.is_disabled || group_disabled;
            let is_first = select.selected.is_none() && select.shows_one && !is_disabled;
            if copy.is_selected || is_first {
                (select.selected, select.is_copy) = (Some(at), true);
            }
        }
    }
}
