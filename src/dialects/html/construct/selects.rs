//! The open selects of a document, with their options and their `selectedcontent` elements.

use super::stack::FrameId;
use alloc::vec::Vec;

/// The open selects, with their options and the `selectedcontent` elements.
#[derive(Clone, Debug)]
pub(super) struct Selects<H> {
    pub(super) open: Vec<Select<H>>,
    /// The options of the open selects that are selected or may become so. Each option is followed by the options
    /// inside it.
    pub(super) options: Vec<Choice<H>>,
    /// The `selectedcontent` elements that may have content, in the order of insertion.
    pub(super) shown: Vec<H>,
}

/// An open select.
#[derive(Clone, Copy, Debug)]
pub(super) struct Select<H> {
    pub(super) frame: FrameId,
    /// The innermost template with contents of its own that contains the select, or [`NONE`](super::stack::NONE).
    pub(super) template: FrameId,
    /// True if the select displays one option: its `size` is 1 or absent.
    pub(super) shows_one: bool,
    /// True if several options can be selected. Such a select has no selected option to copy.
    pub(super) multiple: bool,
    /// True if the last optgroup of the select is disabled.
    pub(super) group_disabled: bool,
    /// Length of [`Selects::options`] when the select was opened: the index of its first option.
    pub(super) options: usize,
    /// Index in [`Selects::options`] of the innermost open option of the select.
    pub(super) open: Option<usize>,
    /// Index in [`Selects::options`] of the select's first option that is not disabled.
    pub(super) default: Option<usize>,
    /// Index in [`Selects::options`] of the option that is the selected option, or that contains it.
    pub(super) holder: Option<usize>,
    /// Index in [`Selects::options`] of the selected option.
    pub(super) selected: Option<usize>,
    /// True if the selected option is not the option at index `selected` itself, but its copy in the select's
    /// `selectedcontent`.
    pub(super) is_copy: bool,
    /// The first `selectedcontent` of the select.
    pub(super) first: Option<First<H>>,
    /// Index in [`Selects::shown`] of the first element that was inserted into this select after the select's first
    /// `selectedcontent`. All elements from this index on are `selectedcontent` elements of this select.
    pub(super) before: usize,
}

/// The first `selectedcontent` of a select.
#[derive(Clone, Copy, Debug)]
pub(super) struct First<H> {
    pub(super) handle: H,
    /// False if this `selectedcontent` is disabled because it is inside an option, another `selectedcontent` or two
    /// selects. True otherwise.
    pub(super) is_enabled: bool,
    /// True if options in this `selectedcontent` belong to the select.
    pub(super) lists: bool,
    /// True if options in this `selectedcontent` are in an optgroup of the select.
    pub(super) in_optgroup: bool,
    /// True if that optgroup is disabled.
    pub(super) group_disabled: bool,
}

/// An option of a select, or an option inside such an option.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<H> {
    pub(super) handle: H,
    pub(super) frame: FrameId,
    /// Index in [`Selects::options`] of the innermost option around this one. `None` if this option belongs to the
    /// select.
    pub(super) outer: Option<usize>,
    /// True if the option is in an optgroup of its select or of the option that contains it.
    pub(super) in_optgroup: bool,
    /// True if that optgroup is disabled.
    pub(super) group_disabled: bool,
    pub(super) is_disabled: bool,
    pub(super) is_selected: bool,
    /// True if the last optgroup inside this option is disabled.
    pub(super) last_group_disabled: bool,
    /// Upper bound of the size of all nodes in the tree when the option was opened, in bytes.
    pub(super) before: u64,
    /// Upper bound of the size of the option's descendants, in bytes. `None` while the option is open.
    pub(super) size: Option<u64>,
    /// Index in [`Selects::options`] after the last option inside this one. Zero while this option is open.
    pub(super) end: usize,
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

impl<H: Copy> Selects<H> {
    /// Returns the index of the open option of the innermost select that has the given frame. Updates the select's
    /// innermost open option to it.
    pub(super) fn open_option(&mut self, frame: FrameId) -> Option<usize> {
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
    pub(super) fn group_opened(&mut self, outer: FrameId, is_disabled: bool) {
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
    pub(super) fn option_opened(&mut self, mut choice: Choice<H>, outer: FrameId) {
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
    pub(super) fn option_closed(&mut self, frame: FrameId, bytes: u64) -> bool {
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
    pub(super) fn options_copied(&mut self, option: usize, end: usize) {
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
