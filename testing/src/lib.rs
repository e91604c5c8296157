//! The library of tagstream's tests, fuzz targets and comparisons with other engines. It uses only the public API of
//! tagstream.
//!
//! - `browser.rs`: runs a page with questions in Chromium.
//! - `cases.rs`: the reader of the cases in `tests/data`.
//! - `checkouts.rs`: converts checkouts of the suites to the files that the tests read.
//! - `compare/`: compares the events and trees of the library with those of the models.
//! - `corrupt_checkpoints.rs`: restores checkpoints that were changed.
//! - `crash_resume.rs`: runs the program `tagstream`, kills it at a random byte of its output, and runs it again.
//! - `cuts.rs`: checks that the events do not depend on how the input is cut.
//! - `draws.rs`: random sizes of the engine, limits, chunks and documents.
//! - `effort.rs`: the quick and the full effort of tests.
//! - `element_source.rs`: checks the source of elements with random cuts.
//! - `event_text.rs`: events as text, as in `tests/data`.
//! - `generate/`: generators of random documents for each dialect.
//! - `html_files.rs`: finds HTML files below a folder.
//! - `imports.rs`: the files that each file imports, and circles among them.
//! - `invariants/`: properties that must hold for any input.
//! - `latency.rs`: checks that each event is delivered as early as possible.
//! - `model/`: a second, simple implementation of each dialect except HTML.
//! - `pieces.rs`: lists of pieces of documents.
//! - `pull.rs`: a common interface of parsers, and a complete text form of events.
//! - `python.rs`: a process of Python that answers questions.
//! - `random.rs`: a random number generator with a seed.
//! - `random_cases.rs`: tests of random documents, as cases of a test program.
//! - `rewriting/`: edits of random documents, compared with a model, in chunks, and by a browser.
//! - `run.rs`: a test program with named cases.
//! - `scripted.rs`: documents whose scripts write markup.
//! - `shapes.rs`: documents whose processing may be expensive for their length.
//! - `shrink.rs`: reduces a document to a small one that shows the same problem.
//! - `source.rs`: the project's own source code: its comments and its size.
//! - `suites.rs`: finds and reads the conformance suites.
//! - `tree_formats.rs`: trees in the formats of the program, to compare them.
//! - `tree_text.rs`: trees as text, as in `tests/data`.
//! - `writing.rs`: checks that written documents are read as the same events.

pub mod awkward;
pub mod browser;
pub mod cases;
pub mod checkouts;
pub mod compare;
pub mod corrupt_checkpoints;
pub mod crash_resume;
pub mod cuts;
pub mod draws;
pub mod effort;
pub mod element_source;
pub mod event_text;
pub mod generate;
pub mod html_files;
pub mod imports;
pub mod invariants;
pub mod latency;
pub mod model;
pub mod pieces;
pub mod pull;
pub mod python;
pub mod random;
pub mod random_cases;
pub mod rewriting;
pub mod run;
pub mod scripted;
pub mod shapes;
pub mod shrink;
pub mod source;
pub mod suites;
pub mod tree_formats;
pub mod tree_text;
pub mod writing;
