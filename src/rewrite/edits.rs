//! The edits of the current event, which are applied when the program drops the event.

use super::attributes::AttributeEdits;
use super::namespaces::PrefixedNames;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// Content that is inserted into a document: text, which is escaped, or markup, which is inserted unchanged.
///
/// ```
/// use tagstream::{Content, Html, Rewriter};
///
/// let mut rewriter = Rewriter::new(Html::default());
/// rewriter.feed("<p>");
/// rewriter.finish();
/// while let Some(mut event) = rewriter.next_event()? {
///     if event.as_start().is_some_and(|tag| tag.name() == "p") {
///         event.append("1 < 2")?;
///         event.append(Content::Markup("<br>"))?;
///     }
/// }
/// assert_eq!(rewriter.output(), b"<p>1 &lt; 2<br>");
/// # Ok::<(), tagstream::RewriteError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// Text, which is escaped. Where the document has no references, for example in a script, the text is inserted
    /// unchanged, or the edit is refused if the text could end the element.
    Text(&'a str),
    /// Markup, which is inserted unchanged. It is read with the options of the document's dialect. It is refused if its
    /// last token is not complete, so that the input after it could change how it is read. In XML, MicroXML and LeafXML,
    /// it is refused unless it is well-formed as the content of an element, also if the document is not: prefixes must
    /// be declared in the markup or at its place, and entities must be predefined, because the check does not know those
    /// that the DOCTYPE declares. An element for which the DOCTYPE declares default attributes with prefixes is refused too. In Sky, it is refused if its tags are not balanced.
    Markup(&'a str),
}

impl<'a> From<&'a str> for Content<'a> {
    fn from(text: &'a str) -> Content<'a> {
        Content::Text(text)
    }
}

impl<'a> From<&'a String> for Content<'a> {
    fn from(text: &'a String) -> Content<'a> {
        Content::Text(text)
    }
}

/// The edits of one event. All strings are validated; inserted content is in the form in which it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits {
    /// True if there is at least one edit.
    pub(super) is_some: bool,
    /// True if the event was [kept](super::RewriteEvent::keep), and its edits wait.
    pub(super) is_kept: bool,
    /// True if there is at least one edit other than those of attributes.
    pub(super) has_others: bool,
    pub(super) attributes: AttributeEdits,
    /// The attributes with prefixes after these edits, once an edit has needed them.
    pub(super) prefixed_names: Option<Box<PrefixedNames>>,
    pub(super) name: Option<String>,
    /// Content before the event.
    pub(super) before: String,
    /// Content after the event, or after the end of the element. The last piece is written first.
    pub(super) after: Vec<String>,
    /// Content at the beginning of the element. The last piece is written first.
    pub(super) first: Vec<String>,
    /// Content at the end of the element.
    pub(super) last: String,
    /// The new text of a text or a comment.
    pub(super) text: Option<String>,
    /// True if the event, or the element with its content, is removed.
    pub(super) is_removed: bool,
    /// True if the contents of the element are removed.
    pub(super) is_emptied: bool,
    /// True if the tags of the element are removed, but not its contents.
    pub(super) is_unwrapped: bool,
}

impl Edits {
    /// Returns true if the element's contents or its end are edited, and not only its start tag.
    pub(super) fn reaches_end(&self) -> bool {
        let inserts = self.fills() || !self.after.is_empty();
        let removes = self.is_removed || self.is_emptied || self.is_unwrapped;
        self.name.is_some() || inserts || removes
    }

    /// Returns true if the start tag is edited, removed or renamed.
    pub(super) fn changes_tag(&self) -> bool {
        let omits = self.is_removed || self.is_unwrapped;
        omits || self.name.is_some() || !self.attributes.is_empty()
    }

    /// Returns true if content is inserted into the element.
    pub(super) fn fills(&self) -> bool {
        !self.first.is_empty() || !self.last.is_empty()
    }

    /// Called before the edits are applied: discards the edits of the parts that are removed. The order of the calls does
    /// not matter.
    pub(super) fn settle(&mut self) {
        if self.is_removed {
            self.attributes.clear();
            self.first.clear();
            self.last.clear();
            (self.text, self.is_emptied, self.is_unwrapped) = (None, false, false);
        }
        if self.is_removed || self.is_unwrapped {
            self.name = None;
        }
    }

    /// Removes all edits of attributes and retains allocated memory. Called alone if there are no others.
    pub(super) fn clear_attributes(&mut self) {
        self.attributes.clear();
        self.prefixed_names = None;
        self.is_some = self.has_others;
    }

    /// Removes all edits and retains allocated memory.
    pub(super) fn clear(&mut self) {
        self.clear_attributes();
        self.before.clear();
        self.last.clear();
        self.first.clear();
        self.after.clear();
        (self.name, self.text) = (None, None);
        (self.is_some, self.has_others, self.is_removed) = (false, false, false);
        (self.is_emptied, self.is_unwrapped) = (false, false);
    }
}

/// Joins pieces of which the last one is written first.
pub(super) fn join_reversed(pieces: &[String]) -> String {
    let mut joined = String::with_capacity(pieces.iter().map(String::len).sum());
    pieces.iter().rev().for_each(|piece| joined.push_str(piece));
    joined
}
