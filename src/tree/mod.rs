//! Trees of markup: [`Document`] keeps one, [`Node`] walks it, [`TreeSink`] is the way in for
//! whoever builds it.
//!
//! ```
//! use tagstream::{Document, Html};
//!
//! let page = Document::parse(Html::default(), "<ul><li>Tom<li>Jerry")?;
//! let items = page.root().descendants().filter(|node| node.name() == "li");
//! assert!(items.map(|item| item.text_content()).eq(["Tom", "Jerry"]));
//! # Ok::<(), tagstream::Error>(())
//! ```

// This room must not know of parsing or of events: what builds a tree from them stands above.
//
// - `sink.rs`: the operations of a tree under construction; `build.rs`: `Document`'s own.
// - `edit.rs`, `edit_attributes.rs`: changing a tree that is there; `copy.rs`: from one document into another,
//   or into a fresh one.
// - `document.rs`: the array of nodes; `strings.rs`, `names.rs` with `index.rs`, `prologue.rs`: what it
//   keeps beside them.
// - `origin.rs`: where nodes stand in the input.
// - `node.rs`, `elements.rs`, `walk.rs`: reading.
// - `serialise/`: one file for each form in which a tree is written: XML, HTML, an outline for
//   people, and the forms of two conformance suites.

mod build;
mod copy;
mod document;
mod edit;
mod edit_attributes;
mod elements;
mod index;
mod names;
pub mod namespaces;
mod node;
mod origin;
mod prologue;
mod serialise;
mod sink;
mod strings;
mod walk;

pub use copy::IdMap;
pub(crate) use document::Outline;
pub use document::{Document, NodeId};
pub use edit::Place;
pub use names::{NamespaceId, QualifiedName};
pub use node::{Attribute, Node, NodeKind};
pub use origin::Origin;
pub use prologue::{Doctype, Notation, QuirksMode, XmlVersion};
pub use serialise::Html5libStyle;
pub use sink::{TreeSink, TreeSize};
pub use walk::{Ancestors, Attributes, Children, Descendants, Edge, Edges};
