//! A tree sink that stores nothing: each node is only a number. Tree construction needs no more to keep its stack of
//! open elements.

use crate::tree::{QualifiedName, TreeSink};

/// A tree sink that numbers nodes. The numbers wrap around, so two nodes have different numbers if they exist at
/// about the same time.
#[derive(Clone, Debug, Default)]
pub(super) struct Handles {
    last: u32,
}

impl Handles {
    fn next(&mut self) -> u32 {
        self.last = self.last.wrapping_add(1);
        self.last
    }
}

#[rustfmt::skip]
impl TreeSink for Handles {
    type Handle = u32;
    type Namespace = ();

    fn document(&self) -> u32 { 0 }
    fn namespace(&mut self, _: &str) {}
    #[inline(always)]
    fn create_element(&mut self, _: QualifiedName<'_, ()>) -> u32 { self.next() }
    fn add_attribute(&mut self, _: u32, _: QualifiedName<'_, ()>, _: &str) {}
    fn add_missing_attribute(&mut self, _: u32, _: QualifiedName<'_, ()>, _: &str) {}
    fn create_comment(&mut self, _: &str) -> u32 { self.next() }
    fn create_processing_instruction(&mut self, _: &str, _: &str) -> u32 { self.next() }
    fn create_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>) -> u32 { self.next() }
    fn create_fragment(&mut self) -> u32 { self.next() }
    /// Returns an arbitrary node. The results of tree construction that are used here do not depend on it.
    fn parent(&self, _: u32) -> Option<u32> { Some(0) }
    fn append(&mut self, _: u32, _: u32) {}
    fn append_text(&mut self, _: u32, _: &str) {}
    fn insert_before(&mut self, _: u32, _: u32) {}
    fn insert_text_before(&mut self, _: u32, _: &str) {}
    fn remove(&mut self, _: u32) {}
    fn move_children(&mut self, _: u32, _: u32) {}
    fn clone_element(&mut self, _: u32) -> u32 { self.next() }
    fn clone_subtree(&mut self, _: u32) -> u32 { self.next() }
    fn template_contents(&mut self, _: u32) -> u32 { self.next() }
    fn set_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>) {}
}

crate::checkpoint::checkpointable! {
    struct Handles { last }
}
