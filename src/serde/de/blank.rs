//! Text that consists of whitespace only: whether it is content or only indents elements.
//!
//! Whitespace is content in an element without child elements, if it contains no newline, if a reference or a CDATA
//! section is a part of it, or if `xml:space="preserve"` applies to it. The cursor skips other whitespace, which is
//! indentation. A type may not want all whitespace that is content: an element of a list that is followed by a space
//! is the usual case. So the text keeps the reason why it is content, and the type decides by this reason.

use super::names::local;
use crate::engine::event::StartTag;
use crate::engine::namespaces::XML;
use crate::engine::text::xml_names::is_white_space;
use alloc::vec::Vec;

/// The reason why a text of whitespace is content, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Blank {
    /// The text lies between elements, and contains no newline.
    Inline,
    /// The text is all content of its element.
    Alone,
    /// The text contains a reference or a CDATA section, or `xml:space="preserve"` applies to it.
    Explicit,
}

impl Blank {
    /// Returns the reason as far as the text alone decides.
    pub(super) fn of_text(is_explicit: bool) -> Blank {
        match is_explicit {
            true => Blank::Explicit,
            false => Blank::Inline,
        }
    }
}

/// Returns whether a text consists of whitespace only.
#[inline]
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| is_white_space(char::from(byte)))
}

/// The open elements that have an attribute `xml:space`.
#[derive(Default)]
pub(super) struct Spaces {
    /// For each element, its depth, and whether the attribute has the value `preserve`. An element is removed
    /// when another element or text has at most the same depth.
    elements: Vec<(usize, bool)>,
}

impl Spaces {
    /// Adds the element of a start tag if it has the attribute. Has to be called for each start tag.
    #[inline]
    pub(super) fn add(&mut self, tag: &StartTag<'_>) {
        let mut attributes = tag.attributes();
        // PERF: most elements have no attributes.
        if attributes.len() == 0 && self.elements.is_empty() {
            return;
        }
        let space = attributes.find(|attribute| {
            attribute.name().ends_with("space")
                && local(attribute.name()) == "space"
                && attribute.namespace() == Some(XML)
        });
        // PERF: the depth is found by a walk over the batch, so it is not asked for in documents without `xml:space`.
        if space.is_none() && self.elements.is_empty() {
            return;
        }
        let depth = tag.depth().unwrap_or_default();
        self.close(depth.saturating_sub(1));
        if let Some(space) = space {
            self.elements.push((depth, space.value() == "preserve"));
        }
    }

    /// Returns true if no element has the attribute.
    pub(super) fn are_none(&self) -> bool {
        self.elements.is_empty()
    }

    /// Removes the elements that are deeper than this depth.
    fn close(&mut self, depth: usize) {
        while self.elements.last().is_some_and(|last| last.0 > depth) {
            self.elements.pop();
        }
    }

    /// Returns whether whitespace is preserved in text at a depth: the number of open elements there.
    pub(super) fn is_preserved(&mut self, depth: usize) -> bool {
        self.close(depth);
        self.elements.last().is_some_and(|last| last.1)
    }
}
