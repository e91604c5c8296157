//! Serialization of trees, with one file for each output format. No serializer recurses, and each takes time linear in
//! the size of its output.

mod c14n;
mod coerce;
mod coercions;
mod html;
mod layout;
mod namespaces;
mod put;
mod serializer;
mod subset;
mod tag;
mod xml;

pub use c14n::C14n;
pub use coercions::{Coercion, Coercions};
pub use serializer::Serializer;
