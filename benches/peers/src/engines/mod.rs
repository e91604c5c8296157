//! The engines: each reads a job to its end through its public interface, and leaves nothing
//! unread. They know nothing of each other.

#[cfg(feature = "sanitizers")]
pub mod ammonia;
pub mod html5ever;
pub mod html5gum;
pub mod lexbor;
#[cfg(feature = "rewriters")]
pub mod lol_html;
#[cfg(feature = "native")]
pub mod native;
pub mod quick_xml;
pub mod roxmltree;
pub mod scraper;
pub mod tagstream;
pub mod values;
pub mod xml_rs;

use crate::inputs::Input;
use crate::reading::{Exact, Quick, Reading};
use std::error::Error;

/// What is selected in pages.
pub const SELECTOR: &str = "body p > a[href]";

/// What an engine reads, and how it is fed.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The document.
    pub input: &'a Input,
    /// Bytes of a chunk; the largest number for all at once.
    pub chunk: usize,
}

/// Takes what is left of a page: the lists of sanitizers differ, so that it is nothing to be compared.
pub fn left<R: Reading>(clean: String, reading: &mut R) {
    std::hint::black_box(clean);
    reading.start("page");
}

/// What comes of reading.
pub type Done = Result<(), Box<dyn Error>>;

/// A row of a table.
#[derive(Clone, Copy)]
pub struct Engine {
    /// What it is called.
    pub name: &'static str,
    /// Reads for the check.
    pub exact: fn(&Job<'_>, &mut Exact) -> Done,
    /// Reads for the clock.
    pub quick: fn(&Job<'_>, &mut Quick) -> Done,
}

/// Names, and how each reads.
#[macro_export]
macro_rules! engines {
    ($($name:literal $read:path;)*) => {
        vec![$($crate::engines::Engine { name: $name, exact: $read, quick: $read }),*]
    };
}
