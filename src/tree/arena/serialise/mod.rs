//! Trees written out. Each form is a file; none recurses, and all take time linear in what they
//! write.

mod c14n;
mod canonical;
mod escape;
mod html;
mod html5lib;
mod layout;
mod namespaces;
mod outline;
mod put;
mod serializer;
mod xml;

pub use c14n::C14n;
pub use html5lib::Html5libStyle;
pub use serializer::Serializer;
