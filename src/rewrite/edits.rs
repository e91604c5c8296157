//! The edits of the current event, which are applied when the program drops the event.

use super::attributes::{AttributeEdits, MAX_LINEAR_EDITS};
use crate::engine::dialect::Syntax;
use crate::engine::hash_seed::Seeds;
use crate::engine::work;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashMap;

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
    /// Markup, which is inserted unchanged. It is refused if its last token is not complete, and in dialects other than
    /// HTML if its tags are not balanced.
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
    /// Attribute names, each with its new value as it is written, or with `None` to remove the attribute.
    pub(super) attributes: Vec<(String, Option<String>)>,
    /// Index of each name in `attributes`, if there are more than [`MAX_LINEAR_EDITS`].
    indexes: HashMap<String, usize, Seeds>,
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
    /// Records a new value of an attribute, or with `None` its removal.
    pub(super) fn set_attribute(&mut self, name: &str, value: Option<String>, syntax: Syntax) {
        self.is_some = true;
        let name = match syntax {
            Syntax::Html { .. } => name.to_ascii_lowercase(),
            _ => String::from(name),
        };
        match self.index(&name) {
            Some(at) => self.attributes[at].1 = value,
            None => self.attributes.push((name, value)),
        }
    }

    fn index(&mut self, name: &str) -> Option<usize> {
        if self.attributes.len() <= MAX_LINEAR_EDITS {
            work::count(self.attributes.len());
            return self.attributes.iter().position(|(other, _)| other == name);
        }
        // Adds the names that are not in the index yet: all of them when the index is built, and then one at a time.
        let known = self.indexes.len();
        for (at, (name, _)) in self.attributes.iter().enumerate().skip(known) {
            work::count(1);
            self.indexes.insert(name.clone(), at);
        }
        self.indexes.get(name).copied()
    }

    /// Returns the attribute edits with a lookup by name.
    pub(super) fn attribute_edits(&self, syntax: Syntax) -> AttributeEdits<'_> {
        AttributeEdits::new(&self.attributes, syntax)
    }

    /// Returns true if content is inserted into the element.
    pub(super) fn fills(&self) -> bool {
        !self.first.is_empty() || !self.last.is_empty()
    }

    /// Removes all edits and retains allocated memory.
    pub(super) fn clear(&mut self) {
        self.attributes.clear();
        self.indexes.clear();
        self.before.clear();
        self.last.clear();
        self.first.clear();
        self.after.clear();
        (self.name, self.text) = (None, None);
        (self.is_some, self.is_removed) = (false, false);
        (self.is_emptied, self.is_unwrapped) = (false, false);
    }
}

/// Joins pieces of which the last one is written first.
pub(super) fn join_reversed(pieces: &[String]) -> String {
    let mut joined = String::with_capacity(pieces.iter().map(String::len).sum());
    pieces.iter().rev().for_each(|piece| joined.push_str(piece));
    joined
}
