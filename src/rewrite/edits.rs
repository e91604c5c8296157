//! What is to become of an event: noted while it is lent, made when it goes. It must not know how.

use super::attributes::FEW;
use crate::seeds::Seeds;
use crate::work;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// What is put into a document: text, which is escaped, or markup, which stands as it is.
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
    /// Text. Where the document has no references, in a script, it stands as it is, or is refused.
    Text(&'a str),
    /// Markup, which nobody looks at.
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

/// Content that is kept until its place has come.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
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

/// What is to become of an event.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Edits {
    /// Whether there is anything.
    pub(super) is_some: bool,
    /// Values of attributes by name; none to remove them.
    pub(super) attributes: Vec<(String, Option<String>)>,
    /// Index of each name in `attributes`, or empty if there are few, or it has to be made again.
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    places: HashMap<String, usize, Seeds>,
    pub(super) name: Option<String>,
    pub(super) before: Vec<Kept>,
    pub(super) after: Vec<Kept>,
    /// At the beginning of the element, and at its end.
    pub(super) first: Vec<Kept>,
    pub(super) last: Vec<Kept>,
    /// What the element holds is left out.
    pub(super) is_emptied: bool,
    /// It is left out, with what it holds.
    pub(super) is_removed: bool,
    /// It is left out, but not what it holds.
    pub(super) is_unwrapped: bool,
    pub(super) text: Option<String>,
}

impl Edits {
    /// Something is to become of it.
    pub(super) fn note(&mut self) -> &mut Edits {
        self.is_some = true;
        self
    }

    /// Sets the value of an attribute, or that it is to go.
    pub(super) fn attribute(&mut self, name: &str, value: Option<String>) {
        self.note();
        match self.place(name) {
            Some(at) => self.attributes[at].1 = value,
            None => self.attributes.push((String::from(name), value)),
        }
    }

    /// Index of an attribute among those that are edited.
    fn place(&mut self, name: &str) -> Option<usize> {
        if self.attributes.len() <= FEW {
            return self.attributes.iter().position(|(other, _)| {
                work::count(1);
                other == name
            });
        }
        // Edits are added one at a time, and are read from a checkpoint all at once.
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

    /// Whether there is what only an element can have.
    pub(super) fn is_of_elements(&self) -> bool {
        !self.attributes.is_empty()
            || self.name.is_some()
            || !self.first.is_empty()
            || !self.last.is_empty()
            || self.is_emptied
            || self.is_unwrapped
    }
}

/// What waits for the end of an element.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Closing {
    /// How deep the element is.
    pub(super) depth: u64,
    pub(super) name: Option<String>,
    pub(super) last: Vec<Kept>,
    pub(super) after: Vec<Kept>,
    /// Its end tag goes; it gets this one, where none is written.
    pub(super) is_unwrapped: bool,
    pub(super) end_tag: Option<String>,
    pub(super) holds: crate::write::html::Holds,
    /// The name of an element that holds text as it stands.
    pub(super) raw: String,
}
