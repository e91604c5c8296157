//! Why a tree could not be changed as a program wanted; places in what was put behind something else. It must not
//! know of trees.

use super::{Error, ErrorKind, Position, Span};
use core::fmt;

/// Why a [`Document`](crate::Document) could not be changed so: the program asked for what no tree can be.
/// Then the document is as it was.
///
/// ```
/// use tagstream::tree::Place;
/// use tagstream::{Document, EditError, Xml};
///
/// let mut document = Document::parse(Xml::default(), "<a><b/></a>")?;
/// let a = document.root_element().unwrap();
/// let (a, b) = (a.id(), a.first_child().unwrap().id());
/// assert_eq!(document.insert(a, Place::LastIn(b)), Err(EditError::Cycle));
/// assert_eq!(document.set_attribute(b, "c d", ""), Err(EditError::Name));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EditError {
    /// The document has no node of this id.
    NoNode,
    /// What was asked for is for elements only.
    NoElement,
    /// The node can hold no text, or has no name.
    NoData,
    /// The node can have no children.
    NoParent,
    /// The node beside which another was to be put has no parent.
    NoPlace,
    /// The node would come to stand below itself.
    Cycle,
    /// The document, and a fragment, stand nowhere.
    Root,
    /// It is no name that could be read again.
    Name,
    /// There are as many nodes and attributes as a document can have.
    Full,
}

impl EditError {
    /// Its name, for programs: `cycle`.
    ///
    /// ```
    /// assert_eq!(tagstream::EditError::Cycle.as_str(), "cycle");
    /// ```
    pub fn as_str(self) -> &'static str {
        self.words().0
    }

    /// A sentence that says what was wrong.
    ///
    /// ```
    /// assert_eq!(tagstream::EditError::Cycle.message(), "a node can't stand below itself");
    /// ```
    pub fn message(self) -> &'static str {
        self.words().1
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            EditError::NoNode => ("no-node", "the document has no such node"),
            EditError::NoElement => ("node-is-no-element", "the node is no element"),
            EditError::NoData => (
                "no-data",
                "the node has nothing of the kind that can be set",
            ),
            EditError::NoParent => ("no-parent", "the node can have no children"),
            EditError::NoPlace => (
                "no-place",
                "the node stands in no tree, so nothing stands beside it",
            ),
            EditError::Cycle => ("cycle", "a node can't stand below itself"),
            EditError::Root => ("root", "a document or fragment can't be put anywhere"),
            EditError::Name => ("no-name", "this is no name"),
            EditError::Full => ("full", "the document can have no more nodes or attributes"),
        }
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl core::error::Error for EditError {}

impl From<EditError> for Error {
    fn from(error: EditError) -> Error {
        Error::new(
            ErrorKind::Edit(error),
            Span::default(),
            Position::new(1, 1, 1),
        )
    }
}

impl Error {
    /// Its place in an input without what stood before that, which has no line end.
    pub(crate) fn without(self, before: &str) -> Error {
        let Position {
            line,
            column,
            column_utf16,
        } = self.position;
        let less = |from: u64, by: usize| from.saturating_sub(by as u64);
        let position = match line {
            1 => Position::new(
                line,
                less(column, before.chars().count()).max(1),
                less(column_utf16, before.encode_utf16().count()).max(1),
            ),
            _ => self.position,
        };
        let span = Span {
            start: less(self.span.start, before.len()),
            end: less(self.span.end, before.len()),
        };
        Error {
            span,
            position,
            ..self
        }
    }
}
