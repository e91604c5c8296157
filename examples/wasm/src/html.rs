//! A page as a tree.

use crate::memory;
use std::fmt::Write;
use tagstream::{Document, Html};

/// Reads a whole page. The output is a line for each link, with its address and its text. Returns 0, or 1 if a limit is
/// exceeded: the output is then the error.
#[unsafe(no_mangle)]
pub extern "C" fn read_html(length: usize) -> u32 {
    let mut memory = memory();
    memory.output.clear();
    let page = memory.input.get(..length).unwrap_or_default();
    let page = match Document::parse(Html::default(), page) {
        Ok(page) => page,
        Err(error) => {
            memory.output = error.to_string();
            return 1;
        }
    };
    for link in page.root().descendants().filter(|node| node.is_element() && node.name() == "a") {
        let address = link.attribute("href").unwrap_or_default();
        let told = writeln!(memory.output, "{address} {}", link.text_content());
        // Writing to a string cannot fail.
        debug_assert!(told.is_ok());
    }
    0
}
