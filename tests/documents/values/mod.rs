//! Deserialization and serialization. The tables of quick-xml's documentation are tested row by row, and each result is
//! compared with that of quick-xml. Further tests are about features that only this library has, positions of errors,
//! and limits.

mod basics;
mod choices;
mod errors;
mod lists;
mod namespaces;
mod ours;
mod records;
mod serializer;
mod special;
mod untyped;
mod whitespace;
mod writing;

use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::io::Read;
use tagstream::de::{from_reader, from_str};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    basics::add(program);
    choices::add(program);
    errors::add(program);
    lists::add(program);
    namespaces::add(program);
    ours::add(program);
    records::add(program);
    serializer::add(program);
    special::add(program);
    untyped::add(program);
    whitespace::add(program);
    writing::add(program);
}

/// A reader that returns one byte at a time.
struct Slowly<'a>(&'a [u8]);

impl Read for Slowly<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let (Some((first, rest)), Some(place)) = (self.0.split_first(), buffer.first_mut()) else {
            return Ok(0);
        };
        *place = *first;
        self.0 = rest;
        Ok(1)
    }
}

/// Returns the value of a document. Asserts that the value is the same if the document is a string and if its bytes are
/// read one by one.
fn ours<T: DeserializeOwned + Debug + PartialEq>(document: &str) -> Option<T> {
    let read = from_str::<T>(document);
    let slowly = from_reader::<_, T>(Slowly(document.as_bytes()));
    match (read, slowly) {
        (Ok(value), Ok(other)) => {
            assert_eq!(value, other, "{document}");
            Some(value)
        }
        (Err(error), Err(other)) => {
            assert_eq!(error.to_string(), other.to_string(), "{document}");
            None
        }
        (read, slowly) => panic!("{read:?}, of a reader {slowly:?}: {document}"),
    }
}

/// Asserts that a document has this value, or results in an error, both in this library and in quick-xml.
fn same<T: DeserializeOwned + Debug + PartialEq>(document: &str, wanted: Option<T>) {
    assert_eq!(ours::<T>(document), wanted, "{document}");
    let theirs = quick_xml::de::from_str::<T>(document).ok();
    assert_eq!(theirs, wanted, "quick-xml: {document}");
}

/// Asserts that a document has the value `wanted` in this library and the value `theirs` in quick-xml. `None` is an
/// error. The documentation of `tagstream::de` explains the differences.
fn differs<T: DeserializeOwned + Debug + PartialEq>(
    document: &str,
    wanted: Option<T>,
    theirs: Option<T>,
) {
    assert_ne!(wanted, theirs);
    assert_eq!(ours::<T>(document), wanted, "{document}");
    let found = quick_xml::de::from_str::<T>(document).ok();
    assert_eq!(found, theirs, "quick-xml: {document}");
}
