//! `EditError`: the reason why a change of a tree was refused.

use super::debug::debug_as_display;
use alloc::boxed::Box;
use core::fmt;

/// The reason why a [`Document`](crate::Document) refused a change. The document is unchanged.
///
/// ```
/// use tagstream::tree::Place;
/// use tagstream::{Document, EditError, Xml};
///
/// let mut document = Document::parse(Xml::default(), "<a><b/></a>")?;
/// let a = document.root_element().unwrap();
/// let (a, b) = (a.id(), a.first_child().unwrap().id());
/// assert_eq!(document.insert(a, Place::LastIn(b)), Err(EditError::Cycle));
/// let error = document.set_attribute(b, "c d", "").unwrap_err();
/// assert_eq!(error, EditError::Name("c d".into()));
/// assert_eq!(error.to_string(), "`c d` is not a valid name");
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EditError {
    /// The document has no node with this ID.
    NoNode,
    /// The operation applies to elements only, and the node is not an element.
    NoElement,
    /// The node has no text or no name that could be set.
    NoData,
    /// The node cannot have children.
    NoParent,
    /// The node cannot get a sibling, because it has no parent.
    NoPlace,
    /// The node would become its own descendant.
    Cycle,
    /// Documents and fragments cannot be inserted into a tree.
    Root,
    /// The name is not valid. The error contains its first 60 characters.
    Name(Box<str>),
    /// The document already has the maximum number of nodes and attributes.
    Full,
}

/// Maximum number of characters of a refused name that an error contains.
const MAX_NAME_CHARS: usize = 60;

impl EditError {
    pub(crate) fn name(name: &str) -> EditError {
        let end = name.char_indices().nth(MAX_NAME_CHARS);
        EditError::Name(name[..end.map_or(name.len(), |(at, _)| at)].into())
    }

    /// Returns the name of the error, for programs: for example `cycle`.
    pub fn as_str(&self) -> &'static str {
        self.words().0
    }

    /// Returns a sentence that describes the error.
    pub fn message(&self) -> &'static str {
        self.words().1
    }

    fn words(&self) -> (&'static str, &'static str) {
        match self {
            EditError::NoNode => ("no-node", "the document has no node with this id"),
            EditError::NoElement => ("node-is-no-element", "the node is not an element"),
            EditError::NoData => ("no-data", "the node has no text or name that can be set"),
            EditError::NoParent => (
                "no-parent",
                "only documents, fragments and elements can have children",
            ),
            EditError::NoPlace => (
                "no-place",
                "the node has no parent, so nothing can be inserted before or after it",
            ),
            EditError::Cycle => (
                "cycle",
                "a node cannot be inserted into itself or below itself",
            ),
            EditError::Root => ("root", "a document or a fragment cannot be inserted"),
            EditError::Name(_) => ("no-name", "this is not a valid name"),
            EditError::Full => ("full", "the document can have no more nodes or attributes"),
        }
    }
}

debug_as_display!(EditError);

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Name(name) => write!(f, "`{}` is not a valid name", name.escape_debug()),
            _ => f.write_str(self.message()),
        }
    }
}

impl core::error::Error for EditError {}
