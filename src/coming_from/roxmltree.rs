//! From roxmltree: an element that is looked for by its id.
//!
//! Before:
//!
//! ```text
//! use roxmltree::Document;
//!
//! fn name_of(id: &str, text: &str) -> Result<Option<String>, roxmltree::Error> {
//!     let document = Document::parse(text)?;
//!     let found = document.descendants().find(|node| node.attribute("id") == Some(id));
//!     Ok(found.map(|node| node.tag_name().name().to_owned()))
//! }
//! ```
//!
//! After:
//!
//! ```
//! use tagstream::{Document, Error, Xml};
//!
//! fn name_of(id: &str, text: &str) -> Result<Option<String>, Error> {
//!     let document = Document::parse(Xml::strict(), text)?;
//!     let found = document.root().descendants().find(|node| node.attribute("id") == Some(id));
//!     Ok(found.map(|node| node.local_name().to_owned()))
//! }
//!
//! assert_eq!(name_of("b", "<svg><rect id='a'/><line id='b'/></svg>")?.as_deref(), Some("line"));
//! # Ok::<(), Error>(())
//! ```
//!
//! | roxmltree | here |
//! |---|---|
//! | `Document::parse(text)` | [`Document::parse`](crate::Document::parse) of [`Xml::strict`](crate::Xml::strict): of bytes too, in any encoding |
//! | `Document::parse_with_options`, `allow_dtd` | DOCTYPEs are read; [`Limits`](crate::Limits) bound what entities come to |
//! | `document.root_element()` | [`root_element`](crate::Document::root_element), an `Option` |
//! | `node.descendants()`, which begins with the node | [`descendants`](crate::Node::descendants), which begins below it |
//! | `node.tag_name().name()`, `namespace()` | [`local_name`](crate::Node::local_name), [`namespace`](crate::Node::namespace) |
//! | `node.has_tag_name("a")` | `node.local_name() == "a"` |
//! | `node.attribute((uri, "a"))` | [`attribute_ns`](crate::Node::attribute_ns) |
//! | `node.text()`, the first text in it | [`text_content`](crate::Node::text_content), all of it |
//! | `node.next_sibling_element()` | [`next_element`](crate::Node::next_element) |
//! | `node.range()`, `document.text_pos_at` | [`Node::span`](crate::Node::span), [`Node::position`](crate::Node::position), in trees that are built with [`TreeBuilder::positions`](crate::TreeBuilder::positions) |
//!
//! The tree does not borrow the text. It can be [built by the program](crate::TreeSink),
//! [changed](crate::Document#changing-a-tree), searched by CSS selectors (with the feature `select`), and written with
//! [`to_xml`](crate::Document::to_xml).
