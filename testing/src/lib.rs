//! What tagstream's tests, fuzz targets and comparisons with other engines share. It knows the public
//! interface of the library only.
//!
//! - `cuts.rs`: the same events for every cut.
//! - `browser.rs`: a page of questions, put to Chromium.
//! - `checkouts.rs`: what the tests read, made from checkouts of the suites.
//! - `compare/`: what the models and the library make of a document.
//! - `random_cases.rs`: kinds of random documents, as cases of a program.
//! - `effort.rs`: how much is run.
//! - `corrupt_checkpoints.rs`: checkpoints that somebody has changed.
//! - `generate/`: random documents of each dialect.
//! - `invariants/`: what must hold for any input whatever.
//! - `killed.rs`: the program `tagstream`, killed at random and run again.
//! - `model/`: the documents that the dialects follow, by the letter.
//! - `notation.rs`: events in a few words each.
//! - `html_files.rs`: pages below folders.
//! - `latency.rs`: events as early as they can be.
//! - `pull.rs`: what is fed and pulled, and its events written down in full.
//! - `random.rs`: numbers that look random.
//! - `rewriting.rs`: documents passed on, with changes and without.
//! - `rows.rs`: the rows of `tests/data`.
//! - `run.rs`: a test program of named cases.
//! - `scripted.rs`: documents whose scripts write.
//! - `shapes.rs`: documents that want to cost more than they are.
//! - `shrink.rs`: the smallest document that still shows a problem.
//! - `source.rs`: the project's own source, its comments and sizes.
//! - `suites.rs`: where the conformance suites are.
//! - `writing.rs`: documents written, and read as what was asked for.

pub mod browser;
pub mod checkouts;
pub mod compare;
pub mod corrupt_checkpoints;
pub mod cuts;
pub mod effort;
pub mod generate;
pub mod html_files;
pub mod invariants;
pub mod killed;
pub mod latency;
pub mod model;
pub mod notation;
pub mod pull;
pub mod random;
pub mod random_cases;
pub mod rewriting;
pub mod rows;
pub mod run;
pub mod scripted;
pub mod shapes;
pub mod shrink;
pub mod source;
pub mod suites;
pub mod writing;
