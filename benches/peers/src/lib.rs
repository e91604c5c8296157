//! Code that the measuring programs share with each other and with the test that compares the engines.
//!
//! - `inputs.rs`: the documents. `reading.rs`: counts and hashes everything that an engine reads.
//! - `engines/`: one file for each engine, which is used through its public interface.
//! - `clock.rs`: measures times.
//! - `pages.rs`: chooses the pages that the test reads.
//! - `values/`: types that serde deserializes, and their documents.

pub mod clock;
pub mod engines;
pub mod inputs;
pub mod pages;
pub mod reading;
pub mod values;
