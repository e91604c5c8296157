//! Tokenizers of HTML side by side, with the same switching for elements that hold text and with
//! scripting on.
//!
//! - `engines.rs`: each engine, driven through its public interface.
//! - `pages.rs`: which pages are read.
//! - `reading.rs`: what is done with the tokens, the same for all.

pub mod engines;
pub mod pages;
pub mod reading;
