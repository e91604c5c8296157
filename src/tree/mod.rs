//! Trees of markup: [`Document`] is a tree in memory, [`Node`] reads it, and [`TreeSink`] is the trait through which a
//! parser builds a `Document` or a tree of your own type.
//! ```
//! use tagstream::{Document, Html};
//!
//! let page = Document::parse(Html::default(), "<ul><li>Tom<li>Jerry")?;
//! let items = page.root().descendants().filter(|node| node.name() == "li");
//! assert!(items.map(|item| item.text_content()).eq(["Tom", "Jerry"]));
//! # Ok::<(), tagstream::Error>(())
//! ```

// Without the feature `tree`, this module contains only the parts that balanced events of HTML use: the trait
// `TreeSink` and the types of its parameters.
//
// - `sink.rs`: the trait `TreeSink`, the operations of a tree under construction; `build.rs`: its implementation for
//   `Document`; `append_element.rs`: the operation that adds most elements of HTML.
// - `edit.rs`, `edit_attributes.rs`, `insert.rs`: the public methods that change a document; `copy.rs`: copies nodes
//   into another document, or all nodes into a new one that takes less memory.
// - `document.rs`: the array of nodes; `facts.rs`: properties of the document as a whole; `strings.rs`, `names.rs` with
//   `index.rs`, `prologue.rs`, `origins.rs`: data that the nodes refer to, or that belongs to no node.
// - `patch.rs`, `patch_target.rs`: markers, and the content of `<template for>` that is inserted at them.
// - `qualified_name.rs`, `origin.rs`, `shadow.rs`, `size.rs`: types of parameters and results of `TreeSink`.
// - `node.rs`, `node_attribute.rs`, `elements.rs`, `walk.rs`: reading a tree; `forms.rs`: the forms of controls;
//   `alike.rs`: comparing two trees.
// - `saved.rs`: checkpoints of a document.
// - `serialise/`: one file for each output format: XML, HTML, Canonical XML, an outline for people, and the formats of
//   two conformance suites; `layout.rs` decides where line breaks are inserted.

// These modules are first, so that the rustdoc pages of `Document` and `Node` begin with the methods that every program
// uses.
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

pub use crate::engine::document_mode::{QuirksMode, XmlVersion};
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
#[cfg(feature = "checkpoints")]
pub(crate) use sink::SavedSink;
pub use sink::TreeSink;
pub use size::TreeSize;
#[cfg(feature = "tree")]
pub use walk::{Ancestors, Attributes, Children, Descendants, Edge, Edges};
