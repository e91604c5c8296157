//! A tree sink that stores no nodes. Errors of tree construction are reported without a tree, so memory is bounded,
//! however long the document is.

use std::rc::Rc;
use tagstream::TreeSink;
use tagstream::tree::QualifiedName;

/// A tree sink that returns node numbers and stores nothing.
#[derive(Debug, Default)]
pub(crate) struct NoTree {
    /// Number of the last node created. The document has the number 0.
    last: u64,
}

impl NoTree {
    fn node(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

/// The parents of nodes have no influence on the errors, so no node has a parent.
impl TreeSink for NoTree {
    type Handle = u64;
    type Namespace = Rc<str>;

    fn document(&self) -> u64 {
        0
    }

    fn namespace(&mut self, name: &str) -> Rc<str> {
        name.into()
    }

    fn create_element(&mut self, _: QualifiedName<'_, Rc<str>>) -> u64 {
        self.node()
    }

    fn add_attribute(&mut self, _: u64, _: QualifiedName<'_, Rc<str>>, _: &str) {}

    fn add_missing_attribute(&mut self, _: u64, _: QualifiedName<'_, Rc<str>>, _: &str) {}

    fn create_comment(&mut self, _: &str) -> u64 {
        self.node()
    }

    fn create_processing_instruction(&mut self, _: &str, _: &str) -> u64 {
        self.node()
    }

    fn create_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>) -> u64 {
        self.node()
    }

    fn create_fragment(&mut self) -> u64 {
        self.node()
    }

    fn parent(&self, _: u64) -> Option<u64> {
        None
    }

    fn append(&mut self, _: u64, _: u64) {}

    fn append_text(&mut self, _: u64, _: &str) {}

    fn insert_before(&mut self, _: u64, _: u64) {}

    fn insert_text_before(&mut self, _: u64, _: &str) {}

    fn remove(&mut self, _: u64) {}

    fn move_children(&mut self, _: u64, _: u64) {}

    fn clone_element(&mut self, _: u64) -> u64 {
        self.node()
    }

    fn clone_subtree(&mut self, _: u64) -> u64 {
        self.node()
    }

    fn template_contents(&mut self, element: u64) -> u64 {
        element
    }

    fn set_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>) {}
}
