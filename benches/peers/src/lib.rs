//! What the programs that time share with each other, and with the test that compares what they read.
//!
//! - `inputs.rs`: what is read; `reading.rs`: what is done with everything read, the same for all.
//! - `engines/`: one file for each engine, each driving it through its public interface.
//! - `clock.rs`: how long that takes.
//! - `pages.rs`: which pages the test reads.
//! - `values/`: programs that read values, and their documents.

pub mod clock;
pub mod engines;
pub mod inputs;
pub mod pages;
pub mod reading;
pub mod values;
