//! The HTML standard as it says it, step for step. It is the standard of 2026-10-03.
//!
//! - `tokenizer/`: the tokenizer.
//! - `after.rs`, `body.rs`, `head.rs`, `tables.rs`: the insertion modes.
//! - `construction.rs`: the state of the parser, and what the insertion modes share.
//! - `foreign.rs`: the rules for foreign content.
//! - `formatting.rs`: the active formatting elements.
//! - `names.rs`: lists of names.
//! - `patch.rs`: markers, and templates whose content goes there.
//! - `prescan.rs`: how the encoding is found.
//! - `select.rs`: what a `select` shows.
//! - `tree.rs`: the nodes.
//! - `walks.rs`: what is found by walking down the stack of open elements.

mod after;
mod body;
pub mod construction;
mod foreign;
mod formatting;
mod head;
mod names;
mod patch;
pub mod prescan;
mod select;
mod tables;
pub mod tokenizer;
pub mod tree;
pub mod walks;
