//! The engine of the page that shows how tagstream parses a document.
//!
//! A [`Session`] is fed the bytes of a document. At any time it returns the events, errors and nodes so far, and the
//! state of the parser, as JSON. The other functions decode, encode, sanitize and rewrite a document. The module `wasm`
//! exports all of them to JavaScript; tests use them as they are.

mod changes;
mod encoding;
mod engine;
#[path = "../../tagstream-cli/src/tree_formats/html5lib.rs"]
mod html5lib;
mod json;
mod log;
mod options;
mod rewriting;
mod rows;
mod sanitizing;
mod sections;
mod session;
mod source;
mod trace;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use encoding::encode;
pub use options::dialects;
pub use rewriting::rewrite;
pub use sanitizing::sanitize;
pub use sections::sections;
pub use session::Session;
