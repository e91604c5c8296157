//! Events of XML, from input in chunks.

use crate::memory;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use tagstream::{Event, Parser, Xml};

static PARSER: Mutex<Option<Parser<Xml>>> = Mutex::new(None);

/// Reads the chunk that was written; a chunk of no bytes ends the input. The output is a line for each event. Returns
/// 0, or 1 if the document is not well-formed or exceeds a limit: the output is then the error.
#[unsafe(no_mangle)]
pub extern "C" fn read_xml(length: usize) -> u32 {
    let mut memory = memory();
    let mut parser = PARSER.lock().unwrap_or_else(PoisonError::into_inner);
    let parser = parser.get_or_insert_with(|| Parser::new(Xml::strict()));
    match memory.input.get(..length) {
        Some([]) | None => parser.finish(),
        Some(chunk) => parser.feed(chunk),
    }
    memory.output.clear();
    loop {
        let told = match parser.next_event() {
            Ok(Some(Event::Start(tag))) => writeln!(memory.output, "<{}>", tag.name()),
            Ok(Some(Event::End(tag))) => writeln!(memory.output, "</{}>", tag.name()),
            Ok(Some(Event::Text(text))) => writeln!(memory.output, "{:?}", text.as_str()),
            Ok(Some(_)) => Ok(()),
            Ok(None) => return 0,
            Err(error) => {
                memory.output = error.to_string();
                return 1;
            }
        };
        // Writing to a string cannot fail.
        debug_assert!(told.is_ok());
    }
}
