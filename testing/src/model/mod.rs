//! The documents that the dialects follow a second time, each as its text says it: slow, with the whole
//! input in hand, and knowing nothing of how the library reads. What they make of an input is what the
//! library must make of it.

pub mod leafxml;
pub mod microxml;
pub mod sky;
pub mod xml;
