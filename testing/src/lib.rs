//! What tagstream's tests, fuzz targets and comparisons with other engines share. It knows the public
//! interface of the library only.
//!
//! - `crash_resume.rs`: runs the program `tagstream`, kills it at a random byte of its output, and runs it again.
//! - `cuts.rs`: the same events for every cut.
//! - `browser.rs`: a page of questions, put to Chromium.
//! - `cases.rs`: the cases of `tests/data`.
//! - `checkouts.rs`: what the tests read, made from checkouts of the suites.
//! - `compare/`: what the models and the library make of a document.
//! - `drawn.rs`: kinds of random documents, as cases of a program.
//! - `effort.rs`: how much is run.
//! - `event_text.rs`: events as `tests/data` writes them.
//! - `forged.rs`: checkpoints that somebody has changed.
//! - `generate/`: random documents of each dialect.
//! - `invariants/`: what must hold for any input whatever.
//! - `model/`: the documents that the dialects follow, by the letter.
//! - `pages.rs`: pages below folders.
//! - `pieces.rs`: lists of pieces of documents.
//! - `prompt.rs`: events as early as they can be.
//! - `pull.rs`: what is fed and pulled, and its events written down in full.
//! - `random.rs`: numbers that look random.
//! - `rewriting.rs`: documents passed on, with changes and without.
//! - `run.rs`: a test program of named cases.
//! - `scripted.rs`: documents whose scripts write.
//! - `shapes.rs`: documents that want to cost more than they are.
//! - `shrink.rs`: the smallest document that still shows a problem.
//! - `source.rs`: the project's own source, its comments and sizes.
//! - `suites.rs`: where the conformance suites are.
//! - `tree_text.rs`: trees as `tests/data` writes them.
//! - `writing.rs`: documents written, and read as what was asked for.

pub mod browser;
pub mod cases;
pub mod checkouts;
pub mod compare;
pub mod crash_resume;
pub mod cuts;
pub mod drawn;
pub mod effort;
pub mod event_text;
pub mod forged;
pub mod generate;
pub mod invariants;
pub mod model;
pub mod pages;
pub mod pieces;
pub mod prompt;
pub mod pull;
pub mod random;
pub mod rewriting;
pub mod run;
pub mod scripted;
pub mod shapes;
pub mod shrink;
pub mod source;
pub mod suites;
pub mod tree_text;
pub mod writing;
