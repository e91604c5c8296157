//! Trees written out. Each form is a file; none recurses, and all take time linear in what they
//! write.

mod canonical;
mod escape;
mod html;
mod html5lib;
mod outline;
mod xml;

pub use html5lib::Html5libStyle;
