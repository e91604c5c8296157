//! What the models and the library make of a document, compared: kinds of random documents for the
//! program `random`, and single ones for suites.

pub mod leafxml;
pub mod microxml;
pub mod plain;
pub mod prefixes;
pub mod select;
pub mod sky;
pub mod xml;

/// A document without marks of an encoding at its start: they are no characters of the input.
fn unmarked(mut input: &[u8]) -> &[u8] {
    let marks: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE"];
    while let Some(rest) = marks.iter().find_map(|mark| input.strip_prefix(*mark)) {
        input = rest;
    }
    input
}
