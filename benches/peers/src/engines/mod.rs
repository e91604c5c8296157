//! The engines: each reads a job to its end through its public interface, and leaves nothing
//! unread. They know nothing of each other.

mod quick_xml;
mod roxmltree;
mod tagstream;
mod xml_rs;

use peers::inputs::Input;
use peers::reading::{Exact, Quick};
use std::error::Error;

/// What an engine reads, and how it is fed.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The document.
    pub input: &'a Input,
    /// Bytes of a chunk; the largest number for all at once.
    pub chunk: usize,
}

/// What comes of reading.
pub type Done = Result<(), Box<dyn Error>>;

/// A row of the table.
pub struct Engine {
    /// What it is called.
    pub name: &'static str,
    /// Reads for the check.
    pub exact: fn(&Job<'_>, &mut Exact) -> Done,
    /// Reads for the clock.
    pub quick: fn(&Job<'_>, &mut Quick) -> Done,
}

macro_rules! engines {
    ($($name:literal: $read:path,)*) => {
        &[$(Engine { name: $name, exact: $read, quick: $read },)*]
    };
}

/// All of them, in the order in which they are shown. Trees are built and then walked.
pub const ENGINES: &[Engine] = engines! {
    "quick-xml": quick_xml::slice,
    "quick-xml-buffered": quick_xml::buffered,
    "quick-xml-namespaces": quick_xml::namespaces,
    "xml-rs": xml_rs::events,
    "tagstream": tagstream::events,
    "tagstream-no-namespaces": tagstream::events_without_namespaces,
    "tagstream-namespaces": tagstream::events_with_namespaces,
    "tagstream-strict": tagstream::strict,
    "tagstream-pieces": tagstream::pieces,
    "tagstream-copied": tagstream::copied,
    "tagstream-balanced": tagstream::balanced,
    "tagstream-owned": tagstream::owned,
    "roxmltree-tree": roxmltree::tree,
    "tagstream-tree": tagstream::tree,
};
