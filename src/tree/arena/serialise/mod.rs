//! Trees written out. Each form is a file; none recurses, and all take time linear in what they
//! write.

mod c14n;
mod html;
mod layout;
mod namespaces;
mod put;
mod serializer;
mod xml;

pub use c14n::C14n;
pub use serializer::Serializer;
