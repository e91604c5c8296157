//! The dialects: the options, the tokenizer states, the errors and the tree construction of each. No dialect uses
//! another.

#[cfg(feature = "html")]
pub mod html;
#[cfg(feature = "leafxml")]
pub mod leafxml;
#[cfg(feature = "microxml")]
pub mod microxml;
#[cfg(feature = "sky")]
pub mod sky;
#[cfg(feature = "xml")]
pub mod xml;
