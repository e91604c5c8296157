//! For who comes from another library: the same small program before and after, and what is called what here.
//!
//! - [`quick_xml`]: a loop over events that reads text
//! - [`html5ever`], and scraper: the tree of a page, and the page without a tree
//! - [`lol_html`]: a page that is changed as it goes by
//! - [`roxmltree`]: a tree of XML that is searched
//! - [`xml_rs`]: a loop over events of a reader

// Nothing but pages of documentation, built for that alone. The programs before are as the other libraries'
// documentation of 2026 has their names; those after are compiled and run.

pub mod html5ever;
pub mod lol_html;
pub mod quick_xml;
pub mod roxmltree;
pub mod xml_rs;
