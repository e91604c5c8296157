//! A tree of which there are only handles: construction needs no more to know what is open. It must not
//! know of events.

use crate::tree::{QualifiedName, TreeSink};

/// Counts the nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Handles {
    last: u64,
}

impl Handles {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

#[rustfmt::skip]
impl TreeSink for Handles {
    type Handle = u64;
    type Namespace = ();

    fn document(&self) -> u64 { 0 }
    fn namespace(&mut self, _: &str) {}
    #[inline(always)]
    fn create_element(&mut self, _: QualifiedName<'_, ()>) -> u64 { self.next() }
    fn add_attribute(&mut self, _: u64, _: QualifiedName<'_, ()>, _: &str) {}
    fn add_missing_attribute(&mut self, _: u64, _: QualifiedName<'_, ()>, _: &str) {}
    fn create_comment(&mut self, _: &str) -> u64 { self.next() }
    fn create_processing_instruction(&mut self, _: &str, _: &str) -> u64 { self.next() }
    fn create_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>) -> u64 { self.next() }
    fn create_fragment(&mut self) -> u64 { self.next() }
    /// Some node: where it is asked for, nothing else depends on which.
    fn parent(&self, _: u64) -> Option<u64> { Some(0) }
    fn append(&mut self, _: u64, _: u64) {}
    fn append_text(&mut self, _: u64, _: &str) {}
    fn insert_before(&mut self, _: u64, _: u64) {}
    fn insert_text_before(&mut self, _: u64, _: &str) {}
    fn remove(&mut self, _: u64) {}
    fn move_children(&mut self, _: u64, _: u64) {}
    fn clone_element(&mut self, _: u64) -> u64 { self.next() }
    fn clone_subtree(&mut self, _: u64) -> u64 { self.next() }
    fn template_contents(&mut self, _: u64) -> u64 { self.next() }
    fn set_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>) {}
}
