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

// This room must not know of parsing or of events: what builds a tree from them stands above. Without the feature
// `tree` there is what HTML's balanced stream is made with: the operations of a tree, and what they are told.
//
// - `sink.rs`: the operations of a tree under construction; `build.rs`: `Document`'s own;
//   `append_element.rs`: the one by which most elements of HTML are added.
// - `edit.rs`, `edit_attributes.rs`, `insert.rs`: changing a tree that is there; `copy.rs`: from one document into another,
//   or into a fresh one.
// - `document.rs`: the array of nodes; `facts.rs`: the document as a whole; `strings.rs`, `names.rs` with `index.rs`, `prologue.rs`, `origins.rs`: what it
//   keeps beside them.
// - `patch.rs`, `patch_target.rs`: markers, and what `<template for>` puts there.
// - `qualified_name.rs`, `origin.rs`, `mode.rs`, `shadow.rs`, `size.rs`: what a tree is told, or says.
// - `node.rs`, `node_attribute.rs`, `elements.rs`, `walk.rs`: reading; `forms.rs`: the forms of controls; `alike.rs`: comparing.
// - `serialise/`: one file for each form in which a tree is written: XML, HTML, Canonical XML, an outline for
//   people, and the forms of two conformance suites; `layout.rs` knows where lines begin.

// First, so that the pages of `Document` and `Node` begin with what every program uses.
#[cfg(feature = "tree")]
mod document;
#[cfg(feature = "tree")]
mod node;

#[cfg(all(feature = "html", feature = "tree"))]
mod alike;
#[cfg(feature = "tree")]
mod append_element;
#[cfg(feature = "tree")]
mod build;
#[cfg(feature = "tree")]
mod copy;
#[cfg(feature = "tree")]
mod edit;
#[cfg(feature = "tree")]
mod edit_attributes;
#[cfg(feature = "tree")]
mod elements;
#[cfg(feature = "tree")]
mod facts;
#[cfg(feature = "tree")]
mod forms;
#[cfg(feature = "tree")]
mod index;
#[cfg(feature = "tree")]
mod insert;
mod mode;
#[cfg(feature = "tree")]
mod names;
pub mod namespaces;
#[cfg(feature = "tree")]
mod node_attribute;
mod origin;
#[cfg(feature = "tree")]
mod origins;
#[cfg(feature = "tree")]
mod patch;
mod patch_target;
#[cfg(feature = "tree")]
mod prologue;
mod qualified_name;
#[cfg(all(feature = "checkpoints", feature = "tree"))]
mod saved;
#[cfg(feature = "tree")]
mod serialise;
mod shadow;
mod sink;
mod size;
#[cfg(feature = "tree")]
mod strings;
#[cfg(feature = "tree")]
mod walk;

#[cfg(feature = "tree")]
pub use copy::IdMap;
#[cfg(feature = "tree")]
pub(crate) use document::Outline;
#[cfg(feature = "tree")]
pub use document::{Document, NodeId};
#[cfg(feature = "tree")]
pub use edit::Place;
#[cfg(feature = "tree")]
pub use insert::Insertion;
pub use mode::{QuirksMode, XmlVersion};
#[cfg(feature = "tree")]
pub use node::{Node, NodeKind};
#[cfg(feature = "tree")]
pub use node_attribute::Attribute;
pub use origin::Origin;
pub use patch_target::Patch;
#[cfg(feature = "tree")]
pub use prologue::{Doctype, Notation, XmlDeclaration};
pub use qualified_name::{NamespaceId, QualifiedName};
#[cfg(feature = "tree")]
pub use serialise::{C14n, Html5libStyle, Serializer};
pub use shadow::ShadowRoot;
pub use sink::TreeSink;
pub use size::TreeSize;
#[cfg(feature = "tree")]
pub use walk::{Ancestors, Attributes, Children, Descendants, Edge, Edges};
