//! A page as a tree.

use crate::memory;
use std::fmt::Write;
use tagstream::{Document, Html};

/// Reads a whole page; the output is a line for each link, its address and its text. Gives 0, or 1 where a limit
/// is exceeded: the output then says which.
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
        // Strings take everything.
        debug_assert!(told.is_ok());
    }
    0
}
