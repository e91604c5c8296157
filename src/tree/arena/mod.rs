//! The tree in memory: [`Document`] stores the nodes in an array, and [`Node`] reads one node.
//!
//! - `build.rs`: the implementation of `TreeSink` for `Document`; `append_tag.rs`: the operation that adds most
//!   elements of HTML.
//! - `edit.rs`, `edit_attributes.rs`, `insert.rs`: the public methods that change a document; `copy.rs`: copies nodes
//!   into another document, or all nodes into a new one that takes less memory; `cdata.rs`: text that is written as a
//!   CDATA section.
//! - `document.rs`: the array of nodes; `facts.rs`: properties of the document as a whole; `strings.rs`, `names.rs` with
//!   `index.rs`, `prologue.rs`, `origins.rs`: data that the nodes refer to, or that belongs to no node.
//! - `patch.rs`: markers, and the content of `<template for>` that is inserted at them.
//! - `node.rs`, `node_attribute.rs`, `elements.rs`, `walk.rs`: reading a tree; `inner_text.rs`: the text that a browser
//!   shows; `forms.rs`: the forms of controls; `eq.rs`: comparing two trees.
//! - `checkpoint.rs`: checkpoints of a document.
//! - `serialise/`: one file for each output format, which are XML, HTML and Canonical XML; `layout.rs` decides where line
//!   breaks are inserted.

// These modules are first, so that the rustdoc pages of `Document` and `Node` begin with the methods that every program
// uses.
mod document;
mod node;

mod append_tag;
mod batch;
mod build;
mod cdata;
#[cfg(feature = "checkpoints")]
mod checkpoint;
mod copy;
mod edit;
mod edit_attributes;
mod elements;
#[cfg(feature = "html")]
mod eq;
mod facts;
mod forms;
mod index;
mod inner_text;
mod insert;
mod markers;
mod names;
mod node_attribute;
mod node_id;
mod origins;
mod owners;
mod patch;
mod prologue;
mod serialise;
mod strings;
mod tables;
mod texts;
mod walk;

pub use copy::IdMap;
pub use document::Document;
pub(crate) use document::Outline;
pub use edit::Place;
pub use insert::Insertion;
pub use node::{Node, NodeKind};
pub use node_attribute::Attribute;
pub use node_id::NodeId;
pub use prologue::{Doctype, Notation, XmlDeclaration};
pub use serialise::{C14n, Coercion, Coercions, Serializer};
pub use walk::{Ancestors, Attributes, Children, Descendants, Edge, Edges};
