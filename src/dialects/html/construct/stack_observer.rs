//! The observer of tree construction: the interface through which the stream of balanced events learns about the
//! stack of open elements.
//!
//! In all methods, the parameter `moved` is true if the node was foster-parented: inserted before a table instead of
//! into the current node.

use super::numbers::Name;
use super::stack::FrameId;
use crate::dialects::html::construct::formatting::EntryId;
use crate::dialects::html::names::Space;
use crate::engine::error::ErrorCode;
use crate::engine::event::StartTag;
use alloc::vec::Vec;

/// The parent of an inserted comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentParent {
    /// The current node. If the value is true, the comment was foster-parented instead.
    Current(bool),
    /// The root element, after the end of the body.
    Root,
    /// The document, after the end of the root element.
    Document,
}

/// An observer of tree construction.
pub trait StackObserver: crate::checkpoint::Checkpointable {
    /// True if the sink builds a tree. Otherwise, elements are created without their attributes.
    const HAS_TREE: bool;

    /// Called when a tag is processed. `number` is the number of its name.
    fn tag(&mut self, number: u32);

    /// Called when an element was inserted. `tag` is its start tag, or `None` if the element is implied.
    fn started(&mut self, name: Name<'_>, space: Space, tag: Option<&StartTag<'_>>, moved: bool);

    /// Called when the formatting element of this list entry was reconstructed. Returns the size of the copy in bytes.
    fn reopened(&mut self, entry: EntryId, moved: bool) -> u64;

    /// Called after [`started`](StackObserver::started) or [`reopened`](StackObserver::reopened) if that element was
    /// pushed onto the stack, as this frame.
    fn opened(&mut self, frame: FrameId);

    /// Called after [`started`](StackObserver::started) if that element stays empty and was not pushed onto the stack.
    fn ended(&mut self);

    /// Called when the element of a frame was removed from the stack.
    fn closed(&mut self, frame: FrameId);

    /// Called when the adoption agency algorithm removed the element of a frame from the stack while the elements above
    /// it stay open. The frame may be used for a copy of the element afterwards.
    fn taken_out(&mut self, frame: FrameId);

    /// Called when the element of a frame, or a part of its content, was moved elsewhere in the tree.
    fn moved(&mut self, frame: FrameId);

    /// Number of bytes that the observer counts for an open element, and for an entry in the list of active formatting
    /// elements.
    const ELEMENT_BYTES: u32 = 0;

    /// Returns the number of bytes that the observer stores for the start tag of a formatting element as long as the
    /// element is in the list of active formatting elements. The number depends only on the tag.
    fn tag_bytes(_: &StartTag<'_>) -> u32 {
        0
    }

    /// Called when an element was added to the list of active formatting elements, with its start tag.
    fn formatting_added(&mut self, entry: EntryId, tag: &StartTag<'_>);

    /// Called when the head was pushed onto the stack.
    fn head(&mut self);

    /// Called with true before an element is inserted into the `head` that was already closed, and with false
    /// afterwards.
    fn head_again(&mut self, again: bool);

    /// Called when a run of text, or a piece of one, is the current token. `text` is the whole text.
    fn token_text(&mut self, text: &str);

    /// Called before a part of the text of the current token is processed as a token of its own.
    fn text_part(&mut self, text: &str);

    /// Called after a part of the text of the current token caused parse errors, which are at the end of the
    /// list. The bool is true if the part continues one of the piece before, in which the whole part causes the errors once.
    fn part_errors(&mut self, _: &mut Vec<ErrorCode>, _: bool) {}

    /// Returns whether [`part_ended`](Self::part_ended) has to be called.
    #[inline(always)]
    fn measures_parts(&self) -> bool {
        false
    }

    /// Called after a part of the text of the current token was processed as a token of its own. `retained` is the
    /// result of [`retained`](super::TreeConstruction::retained) then, and `is_stored` is true if the part was stored as text of a table.
    fn part_ended(&mut self, _part: &str, _retained: usize, _is_stored: bool) {}

    /// Called when characters were inserted.
    fn text(&mut self, text: &str, moved: bool);

    /// Called at the start of a run of text in a table, which is stored until the end of the run.
    fn hold(&mut self);
    /// Called for each part of a run of text in a table.
    fn table_text(&mut self, text: &str);
    /// Called at the end of a run of text in a table. The next call of [`text`](StackObserver::text) inserts the stored
    /// text.
    fn release(&mut self);

    /// Called when the comment or processing instruction of the current token was inserted.
    fn comment(&mut self, parent: CommentParent);

    /// Called when the attributes of the current tag were added to an existing element with its name.
    fn attributes(&mut self);

    /// Called when the DOCTYPE of the current token was inserted.
    fn doctype(&mut self);
}

/// The observer that ignores everything, for tree builders.
#[derive(Clone, Copy, Debug)]
pub struct NoObserver;

#[rustfmt::skip]
impl StackObserver for NoObserver {
    const HAS_TREE: bool = true;

    #[inline(always)]
    fn tag(&mut self, _: u32) {}
    #[inline(always)]
    fn started(&mut self, _: Name<'_>, _: Space, _: Option<&StartTag<'_>>, _: bool) {}
    #[inline(always)]
    fn reopened(&mut self, _: EntryId, _: bool) -> u64 { 0 }
    #[inline(always)]
    fn opened(&mut self, _: FrameId) {}
    #[inline(always)]
    fn ended(&mut self) {}
    #[inline(always)]
    fn closed(&mut self, _: FrameId) {}
    #[inline(always)]
    fn taken_out(&mut self, _: FrameId) {}
    #[inline(always)]
    fn moved(&mut self, _: FrameId) {}
    #[inline(always)]
    fn formatting_added(&mut self, _: EntryId, _: &StartTag<'_>) {}
    #[inline(always)]
    fn head(&mut self) {}
    #[inline(always)]
    fn head_again(&mut self, _: bool) {}
    #[inline(always)]
    fn token_text(&mut self, _: &str) {}
    #[inline(always)]
    fn text_part(&mut self, _: &str) {}
    #[inline(always)]
    fn text(&mut self, _: &str, _: bool) {}
    #[inline(always)]
    fn hold(&mut self) {}
    #[inline(always)]
    fn table_text(&mut self, _: &str) {}
    #[inline(always)]
    fn release(&mut self) {}
    #[inline(always)]
    fn comment(&mut self, _: CommentParent) {}
    #[inline(always)]
    fn attributes(&mut self) {}
    #[inline(always)]
    fn doctype(&mut self) {}
}

crate::checkpoint::checkpointable! {
    struct NoObserver;
}
