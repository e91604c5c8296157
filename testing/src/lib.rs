//! What tagstream's tests, fuzz targets and comparisons with other engines share. It knows the public
//! interface of the library only.
//!
//! - `cuts.rs`: the same events for every cut.
//! - `effort.rs`: how much is run.
//! - `generate/`: random documents of each dialect.
//! - `invariants/`: what must hold for any input whatever.
//! - `model/`: the documents that the dialects follow, by the letter.
//! - `notation.rs`: events in a few words each.
//! - `prompt.rs`: events as early as they can be.
//! - `pull.rs`: what is fed and pulled, and its events written down in full.
//! - `random.rs`: numbers that look random.
//! - `rows.rs`: the rows of `tests/data`.
//! - `run.rs`: a test program of named cases.
//! - `suites.rs`: where the conformance suites are.

pub mod cuts;
pub mod effort;
pub mod generate;
pub mod invariants;
pub mod model;
pub mod notation;
pub mod prompt;
pub mod pull;
pub mod random;
pub mod rows;
pub mod run;
pub mod suites;
