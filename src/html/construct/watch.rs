//! Who is told what happens on the stack of open elements, where somebody wants to know beside the tree.
//! It must not know why.

use super::numbers::Name;
use super::stack::FrameId;
use crate::event::StartTag;
use crate::html::construct::formatting::EntryId;
use crate::html::names::Space;

/// Where a comment goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whereto {
    /// Into the current node; or else before the table that this is a part of.
    Current(bool),
    /// Behind all that the root element has; behind that.
    Root,
    Document,
}

/// Who is told.
pub trait Watch: crate::dialect::Lasting {
    /// Whether there is a tree too: else elements need no attributes.
    const HAS_TREE: bool;

    /// The token in hand is a tag of this name.
    fn tag(&mut self, number: u32);

    /// An element was inserted, for the tag or because none was written.
    fn started(&mut self, name: Name<'_>, space: Space, tag: Option<&StartTag<'_>>, moved: bool);

    /// A formatting element was inserted once more; gives how many bytes were copied of it.
    fn reopened(&mut self, entry: EntryId, moved: bool) -> u64;

    /// That element is open, in this frame.
    fn opened(&mut self, frame: FrameId);

    /// That element has ended.
    fn ended(&mut self);

    /// The element of a frame is open no more.
    fn closed(&mut self, frame: FrameId);

    /// The same, while those above stay open; the frame may go on as that of a copy.
    fn taken_out(&mut self, frame: FrameId);

    /// What is in the element of a frame, or the element itself, is elsewhere in the tree.
    fn moved(&mut self, frame: FrameId);

    /// The tag of a formatting element was listed.
    fn listed(&mut self, entry: EntryId, tag: &StartTag<'_>);

    /// The current node is the head.
    fn head(&mut self);

    /// The head, which is closed, takes the next element; it does no more.
    fn head_again(&mut self, again: bool);

    /// Characters were inserted.
    fn text(&mut self, text: &str, moved: bool);

    /// Text is held back from here on; more of it; the next text that is inserted is what was held.
    fn hold(&mut self);
    fn held(&mut self, text: &str);
    fn release(&mut self);

    /// The comment or processing instruction in hand was inserted.
    fn comment(&mut self, whereto: Whereto);

    /// The attributes of the tag in hand were added to the element of its name.
    fn attributes(&mut self);

    /// The DOCTYPE in hand was inserted.
    fn doctype(&mut self);
}

/// Nobody.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Unwatched;

#[rustfmt::skip]
impl Watch for Unwatched {
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
    fn listed(&mut self, _: EntryId, _: &StartTag<'_>) {}
    #[inline(always)]
    fn head(&mut self) {}
    #[inline(always)]
    fn head_again(&mut self, _: bool) {}
    #[inline(always)]
    fn text(&mut self, _: &str, _: bool) {}
    #[inline(always)]
    fn hold(&mut self) {}
    #[inline(always)]
    fn held(&mut self, _: &str) {}
    #[inline(always)]
    fn release(&mut self) {}
    #[inline(always)]
    fn comment(&mut self, _: Whereto) {}
    #[inline(always)]
    fn attributes(&mut self) {}
    #[inline(always)]
    fn doctype(&mut self) {}
}
