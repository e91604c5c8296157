//! The formats of trees that are not markup: an outline for people, and the formats of two conformance suites. The other
//! formats are methods of the library.
//!
//! The tests of the library compare trees in these formats: the package `testing` compiles this module too. So the module
//! uses only the library.

pub(crate) mod canonical;
pub(crate) mod escape;
pub(crate) mod html5lib;
pub(crate) mod outline;
