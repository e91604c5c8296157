//! Serialization of trees, with one file for each output format. No serializer recurses, and each takes time linear in
//! the size of its output.

mod c14n;
mod html;
mod layout;
mod namespaces;
mod put;
mod serializer;
mod xml;

pub use c14n::C14n;
pub use serializer::Serializer;
