//! Customizable selects: the children of a select's selected option are copied into its first `selectedcontent`
//! element.
//!
//! The selected option is the last option with the attribute `selected`. If no option has it and the select displays
//! one option, the selected option is the first one that is not disabled. That option is copied when it is popped, and
//! again when a `selectedcontent` is inserted later.
//!
//! A `selectedcontent` in an option, in another `selectedcontent` or in two selects is disabled: its insertion
//! changes nothing. If it is the first one of a select, nothing is copied. In templates and fragments, which are not
//! part of a document, the insertion of a `selectedcontent` has no effect, so none is disabled there.
//!
//! An option inside the selected option belongs to no select. But its copy is in a `selectedcontent`, and therefore
//! belongs to the select. It can be the selected option from then on, until other copies replace it.
//!
//! Selects can be nested, if tables are between them. Copies would then be copied again and again. If the [limit on
//! copies](super::copies) is reached, the content of a `selectedcontent` stays as it is.

use super::TreeConstruction;
use super::copies::MIN_NODE_BYTES;
use super::schema;
use super::stack::{Frame, FrameId, NONE};
use super::stack_observer::StackObserver;
use crate::engine::event::StartTag;
use crate::engine::text::numeric::non_negative_integer;
use crate::tree::TreeSink;
use alloc::vec::Vec;

/// The open selects, with their options and the `selectedcontent` elements.
#[derive(Clone, Debug)]
pub(super) struct Selects<H> {
    open: Vec<Select<H>>,
    /// The options of the open selects that are selected or may become so. Each option is followed by the options
    /// inside it.
    options: Vec<Choice<H>>,
    /// The `selectedcontent` elements that may have content, in the order of insertion.
    shown: Vec<H>,
}

/// An open select.
#[derive(Clone, Copy, Debug)]
struct Select<H> {
    frame: FrameId,
    /// The innermost template with contents of its own that contains the select, or [`NONE`].
    template: FrameId,
    /// True if the select displays one option: its `size` is 1 or absent.
    shows_one: bool,
    /// True if several options can be selected. Such a select has no selected option to copy.
    multiple: bool,
    /// True if the last optgroup of the select is disabled.
    group_disabled: bool,
    /// Length of [`Selects::options`] when the select was opened: the index of its first option.
    options: usize,
    /// Index in [`Selects::options`] of the innermost open option of the select.
    open: Option<usize>,
    /// Index in [`Selects::options`] of the select's first option that is not disabled.
    default: Option<usize>,
    /// Index in [`Selects::options`] of the option that is the selected option, or that contains it.
    holder: Option<usize>,
    /// Index in [`Selects::options`] of the selected option.
    selected: Option<usize>,
    /// True if the selected option is not the option at index `selected` itself, but its copy in the select's
    /// `selectedcontent`.
    is_copy: bool,
    /// The first `selectedcontent` of the select.
    first: Option<First<H>>,
    /// Index in [`Selects::shown`] of the first element that was inserted into this select after the select's first
    /// `selectedcontent`. All elements from this index on are `selectedcontent` elements of this select.
    before: usize,
}

/// The first `selectedcontent` of a select.
#[derive(Clone, Copy, Debug)]
struct First<H> {
    handle: H,
    /// False if this `selectedcontent` is disabled because it is inside an option, another `selectedcontent` or two
    /// selects. True otherwise.
    is_enabled: bool,
    /// True if options in this `selectedcontent` belong to the select.
    lists: bool,
    /// True if options in this `selectedcontent` are in an optgroup of the select.
    in_optgroup: bool,
    /// True if that optgroup is disabled.
    group_disabled: bool,
}

/// An option of a select, or an option inside such an option.
#[derive(Clone, Copy, Debug)]
struct Choice<H> {
    handle: H,
    frame: FrameId,
    /// Index in [`Selects::options`] of the innermost option around this one. `None` if this option belongs to the
    /// select.
    outer: Option<usize>,
    /// True if the option is in an optgroup of its select or of the option that contains it.
    in_optgroup: bool,
    /// True if that optgroup is disabled.
    group_disabled: bool,
    is_disabled: bool,
    is_selected: bool,
    /// True if the last optgroup inside this option is disabled.
    last_group_disabled: bool,
    /// Upper bound of the size of all nodes in the tree when the option was opened, in bytes.
    before: u64,
    /// Upper bound of the size of the option's descendants, in bytes. `None` while the option is open.
    size: Option<u64>,
    /// Index in [`Selects::options`] after the last option inside this one. Zero while this option is open.
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

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Called when a select, an option, an optgroup or a `selectedcontent` was pushed onto the stack.
    #[cold]
    pub(super) fn part_of_select(&mut self, id: FrameId, tag: Option<&StartTag<'_>>) {
        let frame = self.stack.frames[id];
        let attribute = |name: &str| tag.and_then(|tag| tag.attribute(name));
        if frame.groups.meets(schema::SELECTEDCONTENT) {
            self.selectedcontent_inserted(id, &frame);
        } else if frame.groups.meets(schema::SELECT) {
            self.select_opened(id, &frame, tag);
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

    /// Adds a select that was pushed onto the stack.
    fn select_opened(&mut self, id: FrameId, frame: &Frame<S::Handle>, tag: Option<&StartTag<'_>>) {
        let attribute = |name: &str| tag.and_then(|tag| tag.attribute(name));
        let size = attribute("size").and_then(non_negative_integer);
        let template = self.contents_around(frame.summary.template);
        self.selects.open.push(Select {
            frame: id,
            template,
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
    }

    /// Handles a new `selectedcontent`. It becomes the first one of all selects around it that have none. Then the
    /// selected option of the nearest select is copied into that select's first one, and the others are emptied. They
    /// are emptied before the copy, so that a `selectedcontent` in the option is copied empty.
    fn selectedcontent_inserted(&mut self, id: FrameId, frame: &Frame<S::Handle>) {
        let template = self.contents_around(frame.summary.template);
        let is_connected = !frame.summary.is_inert && self.options.context.is_none();
        let below = self.stack.frames[self.stack.frames.before(id)].summary;
        let selects = &mut self.selects;
        let around = |select: &&mut Select<S::Handle>| select.template == template;
        let nested = selects.open.iter_mut().rev().take(2).filter(around).count() > 1;
        let is_enabled = !is_connected || !nested && !below.in_scope.meets(schema::SHOWN_AROUND);
        for select in selects.open.iter_mut().rev().take_while(around) {
            self.counts.steps += 1;
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
                self.observer.moved(select.frame);
                self.empty(other);
            }
        }
        self.selects.shown.push(frame.handle);
        if shows {
            self.show();
        }
    }

    /// Called when a select or an option was popped.
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

    /// Copies the children of the innermost select's selected option into the select's first `selectedcontent`, unless
    /// the option is still open. An open option is copied when it is popped.
    fn show(&mut self) {
        let selects = &mut self.selects;
        let Some(select) = selects.open.last_mut().filter(|select| !select.multiple) else {
            return;
        };
        let Some(first) = select.first.filter(|first| first.is_enabled) else {
            return;
        };
        self.observer.moved(select.frame);
        let Some(selected) = select.selected else {
            return self.empty(first.handle);
        };
        let Some(&choice) = selects.options.get(selected) else {
            return;
        };
        if let Some(size) = choice.size
            && self.may_copy(size)
        {
            self.counts.steps += size / MIN_NODE_BYTES;
            let copy = self.copy_subtree(choice.handle, size);
            self.empty(first.handle);
            self.sink.move_children(copy, first.handle);
            self.selects.options_copied(selected, choice.end);
        }
    }

    /// Returns an upper bound of the size of the nodes in the tree, in bytes. Strings count once, because copies share
    /// them.
    fn most_bytes(&self) -> u64 {
        (self.counts.tokens + self.counts.elements) * MIN_NODE_BYTES + self.copies.bytes()
    }

    /// Removes all children of an element.
    fn empty(&mut self, element: S::Handle) {
        let old = self.sink.create_fragment();
        self.sink.move_children(element, old);
    }
}

impl<H: Copy> Selects<H> {
    /// Returns the index of the open option of the innermost select that has the given frame. Updates the select's
    /// innermost open option to it.
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

    /// Records an optgroup that was opened in the select or option with the frame `outer`.
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

    /// Records an option that was opened in the select or option with the frame `outer`.
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
        // The previously selected option is no longer needed.
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

    /// Appends an option to the list and makes it the innermost open option of the innermost select.
    fn open_at_end(&mut self, choice: Choice<H>) {
        if let Some(select) = self.open.last_mut() {
            select.open = Some(self.options.len());
            self.options.push(choice);
        }
    }

    /// Records that the option with the frame `frame` was closed. `bytes` is the upper bound of the size of all nodes
    /// at this point. Returns whether the option is the selected option of its select.
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

    /// Records that the children of an option of the innermost select were copied into its `selectedcontent`,
    /// replacing the previous content. `end` is the index after the last option in it.
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

crate::checkpoint::checkpointable! {
    struct Selects<H> { open, options, shown }
    struct Select<H> {
        frame, template, shows_one, multiple, group_disabled, options, open, default, holder,
        selected, is_copy, first, before,
    }
    struct First<H> { handle, is_enabled, lists, in_optgroup, group_disabled }
    struct Choice<H> {
        handle, frame, outer, in_optgroup, group_disabled, is_disabled, is_selected,
        last_group_disabled, before, size, end,
    }
}
