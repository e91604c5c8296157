//! What tagstream's tests, fuzz targets and comparisons with other engines share. It knows the public
//! interface of the library only.
//!
//! - `effort.rs`: how much is run.
//! - `random.rs`: numbers that look random.
//! - `run.rs`: a test program of named cases.
//! - `suites.rs`: where the conformance suites are.

pub mod effort;
pub mod random;
pub mod run;
pub mod suites;
