//! Parsing of markup into an element of an existing tree, as `innerHTML` and `insertAdjacentHTML` do, with the rules
//! of HTML or XML.

#[cfg(feature = "html")]
mod html;
#[cfg(feature = "xml")]
mod xml;

use crate::engine::error::{EditError, Error};
use crate::tree::{Document, Node, NodeId};

impl Document {
    /// Replaces the children of an element by copies of the children of a node in another document. For a template
    /// element, replaces the template contents.
    pub(crate) fn replace_children(
        &mut self,
        element: NodeId,
        from: Node<'_>,
    ) -> Result<(), Error> {
        self.remove_children(element)?;
        let to = match self.element(element)?.template_contents() {
            Some(contents) => contents.id(),
            None => element,
        };
        Ok(self.import_children(from, to, None)?)
    }

    /// Returns the element with this ID.
    fn element(&self, element: NodeId) -> Result<Node<'_>, EditError> {
        let node = self.node(element).ok_or(EditError::NoNode)?;
        node.is_element()
            .then_some(node)
            .ok_or(EditError::NoElement)
    }
}

/// Returns the root element of a parsed fragment. Its children are the parsed nodes.
fn contents_of(parsed: &Document) -> Node<'_> {
    parsed.root_element().unwrap_or(parsed.root())
}
