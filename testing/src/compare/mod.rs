//! Comparisons of the events and trees of the library with those of the models, for random documents and for those of
//! the suites.

pub mod leafxml;
pub mod microxml;
pub mod plain;
pub mod prefixes;
pub mod select;
pub mod sky;
pub mod xml;

/// Removes byte-order marks at the start of a document, because the models do not read them.
fn unmarked(mut input: &[u8]) -> &[u8] {
    let marks: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE"];
    while let Some(rest) = marks.iter().find_map(|mark| input.strip_prefix(*mark)) {
        input = rest;
    }
    input
}
