//! `TreeBuilder::new` and `TreeBuilder::with_sink`.

use super::TreeBuilder;
use super::construction::{Buildable, Construction};
use super::state::BuilderState;
use crate::engine::parser::TextPolicy;
use crate::tree::{Document, TreeSink};

impl<D: Buildable> TreeBuilder<D> {
    /// Creates a builder of a [`Document`].
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.feed("<a>")?;
    /// assert_eq!(builder.finish()?.to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(dialect: D) -> TreeBuilder<D> {
        TreeBuilder::with_sink(dialect, Document::new())
    }
}

impl<D: Buildable, S: TreeSink> TreeBuilder<D, S> {
    /// Creates a builder of the tree that `sink` stores.
    ///
    /// ```
    /// use tagstream::{Document, TreeBuilder, Xml};
    ///
    /// // Any `TreeSink` will do.
    /// let mut builder = TreeBuilder::with_sink(Xml::default(), Document::new());
    /// builder.feed("<a/>")?;
    /// builder.end()?;
    /// assert_eq!(builder.into_sink().to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_sink(dialect: D, sink: S) -> TreeBuilder<D, S> {
        let mut construction = dialect.construction(sink);
        construction.set_limits(&dialect.limits());
        TreeBuilder {
            // A tree joins the pieces of a run of text, so the parser does not have to buffer the run.
            parser: dialect.parser().text_for_tree(TextPolicy::Pieces),
            construction,
            state: BuilderState::new(&dialect.limits()),
        }
    }
}
