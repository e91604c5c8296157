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

use super::copies::MIN_NODE_BYTES;
use super::schema;
use super::selects::{Choice, First, Select};
use super::stack::{Frame, FrameId, NONE};
use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::engine::event::StartTag;
use crate::engine::text::numeric::non_negative_integer;
use crate::tree::TreeSink;

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
