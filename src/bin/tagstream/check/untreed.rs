//! A tree that isn't there: what constructs one says what is wrong with a document, and memory stays
//! bounded however long that is.

use std::rc::Rc;
use tagstream::TreeSink;
use tagstream::tree::QualifiedName;

/// Gives out nodes and forgets them.
#[derive(Debug, Default)]
pub(crate) struct NoTree {
    /// The node made last; the document is the first.
    last: u64,
}

impl NoTree {
    fn node(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

/// Where a node is put makes no difference to what is wrong: none has a parent.
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
