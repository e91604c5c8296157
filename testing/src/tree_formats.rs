//! Trees in the formats that tests compare. The formats are those of the program `tagstream`, which compiles the same
//! files.

#[path = "../../crates/tagstream-cli/src/tree_formats/mod.rs"]
mod formats;

use formats::html5lib::Style;
use formats::{canonical, html5lib, outline};
use std::fmt;
use tagstream::{Document, Node};

/// A tree that can be written in the formats of the program.
pub trait TreeFormats {
    /// Returns the node at the top of the tree.
    fn top(&self) -> Node<'_>;

    /// Returns the outline of the tree: a node per line.
    fn to_outline(&self) -> String {
        string(|out| outline::write(self.top(), out))
    }

    /// Returns the nodes below the top in the format of html5lib's tests of HTML.
    fn to_html5lib(&self) -> String {
        string(|out| html5lib::write(self.top(), Style::Html, out))
    }

    /// Returns the nodes below the top in the format of html5lib, with namespaces as in the tests of XML.
    fn to_html5lib_xml(&self) -> String {
        string(|out| html5lib::write(self.top(), Style::Xml, out))
    }

    /// Returns the document in the canonical form of the XML conformance suite.
    fn to_canonical(&self) -> String {
        string(|out| canonical::write(self.top().document(), out))
    }
}

impl TreeFormats for Document {
    fn top(&self) -> Node<'_> {
        self.root()
    }
}

impl TreeFormats for Node<'_> {
    fn top(&self) -> Node<'_> {
        *self
    }
}

fn string(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    write(&mut out).expect("writing to a string does not fail");
    out
}
