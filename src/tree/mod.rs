//! Trees of markup: [`Document`] is a tree in memory, [`Node`] is a reference to one of its nodes, and [`TreeSink`] is
//! the trait through which a parser builds a `Document` or a tree of your own type.
//! ```
//! use tagstream::{Document, Html};
//!
//! let page = Document::parse(Html::default(), "<ul><li>Tom<li>Jerry")?;
//! let items = page.root().descendants().filter(|node| node.name() == "li");
//! assert!(items.map(|item| item.text_content()).eq(["Tom", "Jerry"]));
//! # Ok::<(), tagstream::Error>(())
//! ```

// The submodule `arena` has `Document` and `Node`, which need the feature `tree`. Without this feature, the other
// modules are still used for balanced events of HTML. They have the trait `TreeSink`, which has the operations of a
// tree under construction (`sink.rs`), and the types of its parameters and results (`qualified_name.rs`, `origin.rs`,
// `patch_target.rs`, `shadow.rs`, `size.rs`).

#[cfg(feature = "tree")]
mod arena;
#[cfg(feature = "checkpoints")]
mod checkpoint;
pub mod namespaces;
mod origin;
mod patch_target;
mod qualified_name;
mod shadow;
mod sink;
mod size;

pub use crate::engine::document_mode::{QuirksMode, XmlVersion};
#[cfg(feature = "tree")]
pub(crate) use arena::Outline;
#[cfg(feature = "tree")]
pub use arena::{
    Ancestors, Attribute, Attributes, C14n, Children, Coercion, Coercions, Descendants, Doctype,
    Document, Edge, Edges, IdMap, Insertion, Node, NodeId, NodeKind, Notation, Place, Serializer,
    XmlDeclaration,
};
#[cfg(feature = "checkpoints")]
pub(crate) use checkpoint::CheckpointableSink;
pub use origin::Origin;
pub use patch_target::Patch;
pub use qualified_name::{NamespaceId, QualifiedName};
pub use shadow::ShadowRoot;
pub use sink::TreeSink;
pub(crate) use sink::{Named, PlainBatch, namespace_handle};
pub use size::TreeSize;
