//! The engines. Each reads a job to its end through its public interface and passes everything to the reading.

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

/// The selector that is used on pages.
pub const SELECTOR: &str = "body p > a[href]";

/// The selectors of a rewriter with twenty of them. Only the first one has an edit.
pub const TWENTY_SELECTORS: [&str; 20] = [
    "a[href]",
    "img[src]",
    "link[rel]",
    "script[src]",
    "form",
    "input",
    "p.intro",
    "div#main",
    "ul li",
    "div > p",
    "h1",
    "h2",
    "h3",
    "table.data",
    "td",
    "span.name",
    "meta[name]",
    "iframe",
    "video",
    "nav a",
];

/// The document that an engine reads, and the size of the chunks.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The document.
    pub input: &'a Input,
    /// Size of the chunks in bytes. `usize::MAX` feeds the document in one chunk.
    pub chunk: usize,
}

/// Takes a sanitized page. The page is not compared, because the lists of the sanitizers differ.
pub fn left<R: Reading>(clean: String, reading: &mut R) {
    std::hint::black_box(clean);
    reading.start("page");
}

/// The result of reading.
pub type Done = Result<(), Box<dyn Error>>;

/// A row of a table.
#[derive(Clone, Copy)]
pub struct Engine {
    /// The name.
    pub name: &'static str,
    /// Reads exactly, for the comparison of the engines.
    pub exact: fn(&Job<'_>, &mut Exact) -> Done,
    /// Reads quickly, for the measurement.
    pub quick: fn(&Job<'_>, &mut Quick) -> Done,
}

/// Makes a list of engines from names and functions.
#[macro_export]
macro_rules! engines {
    ($($name:literal $read:path;)*) => {
        vec![$($crate::engines::Engine { name: $name, exact: $read, quick: $read }),*]
    };
}
