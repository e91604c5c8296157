//! The edits of an event. A program records edits while it has the event; they are applied when the program requests
//! the next event.

use super::attributes::FEW;
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
///         event.append("1 < 2");
///         event.append(Content::Markup("<br>"));
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
    /// Markup, which is inserted without validation.
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

/// An owned copy of a [`Content`], which is stored until the content is written to the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) text: String,
    pub(super) is_markup: bool,
}

impl From<Content<'_>> for Kept {
    fn from(content: Content<'_>) -> Kept {
        match content {
            Content::Text(text) => Kept {
                text: String::from(text),
                is_markup: false,
            },
            Content::Markup(text) => Kept {
                text: String::from(text),
                is_markup: true,
            },
        }
    }
}

/// The edits of one event.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits {
    /// True if the program has recorded at least one edit of the current event.
    pub(super) is_some: bool,
    /// Attribute names, each with its new value, or with `None` to remove the attribute.
    pub(super) attributes: Vec<(String, Option<String>)>,
    /// Index of each name in `attributes`. Empty if there are at most `FEW` of them, or if the index has to be built
    /// again after a checkpoint was restored.
    places: HashMap<String, usize, Seeds>,
    pub(super) name: Option<String>,
    pub(super) before: Vec<Kept>,
    pub(super) after: Vec<Kept>,
    /// Content to insert at the beginning of the element.
    pub(super) first: Vec<Kept>,
    /// Content to insert at the end of the element.
    pub(super) last: Vec<Kept>,
    /// True if the contents of the element are removed.
    pub(super) is_emptied: bool,
    /// True if the event is removed; an element is removed with its contents.
    pub(super) is_removed: bool,
    /// True if the tags of the element are removed, but not its contents.
    pub(super) is_unwrapped: bool,
    pub(super) text: Option<String>,
}

impl Edits {
    /// Sets `is_some`, and returns the edits so that the caller can record one.
    pub(super) fn note(&mut self) -> &mut Edits {
        self.is_some = true;
        self
    }

    /// Records a new value of an attribute, or with `None` its removal.
    pub(super) fn attribute(&mut self, name: &str, value: Option<String>) {
        self.note();
        match self.place(name) {
            Some(at) => self.attributes[at].1 = value,
            None => self.attributes.push((String::from(name), value)),
        }
    }

    /// Returns the index of an attribute name in `attributes`.
    fn place(&mut self, name: &str) -> Option<usize> {
        if self.attributes.len() <= FEW {
            return self.attributes.iter().position(|(other, _)| {
                work::count(1);
                other == name
            });
        }
        // Adds the names that are not in the index yet: usually one, but all names when the index is built, which is
        // when there are more than `FEW` names for the first time, or after a checkpoint was restored.
        let known = self.places.len();
        for (at, (name, _)) in self.attributes.iter().enumerate().skip(known) {
            work::count(1);
            self.places.insert(name.clone(), at);
        }
        self.places.get(name).copied()
    }

    pub(super) fn clear(&mut self) {
        if self.is_some {
            *self = Edits::default();
        }
    }

    /// Returns true if there are edits that apply only to elements, such as edits of attributes.
    pub(super) fn is_of_elements(&self) -> bool {
        !self.attributes.is_empty()
            || self.name.is_some()
            || !self.first.is_empty()
            || !self.last.is_empty()
            || self.is_emptied
            || self.is_unwrapped
    }
}

/// The edits of an element that are stored at its start tag and applied at its end.
#[derive(Clone, Debug)]
pub(super) struct Closing {
    /// Depth of the element; the root element has the depth 1.
    pub(super) depth: u64,
    pub(super) name: Option<String>,
    pub(super) last: Vec<Kept>,
    pub(super) after: Vec<Kept>,
    /// True if the end tag is removed.
    pub(super) is_unwrapped: bool,
    /// Name of the end tag to write if the input has none.
    pub(super) end_tag: Option<String>,
    pub(super) holds: crate::write::html::ContentModel,
    /// Name of the element, if it contains raw text.
    pub(super) raw: String,
}

crate::checkpoint::checkpointable! {
    struct Kept { text, is_markup }
    struct Edits {
        is_some, attributes, name, before, after, first, last, is_emptied, is_removed, is_unwrapped,
        text
        ; skip places = Default::default()
    }
    struct Closing { depth, name, last, after, is_unwrapped, end_tag, holds, raw }
}
