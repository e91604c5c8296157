//! `TreeBuilder::new` and `TreeBuilder::with_sink`.

use super::TreeBuilder;
use super::construction::{Buildable, Construction};
use super::state::BuilderState;
use crate::engine::error::Error;
use crate::engine::input::chunk::ChunkParts;
use crate::engine::parser::{Parser, TextPolicy};
use crate::engine::tokenizer::Confidence;
use crate::tree::{Document, TreeSink};
use bytes::Bytes;

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
    // PERF: inlined in the program, the builder would be created in parts and moved together.
    #[inline(never)]
    pub fn new(dialect: D) -> TreeBuilder<D> {
        TreeBuilder::start(dialect, Document::new)
    }

    /// Parses a whole input, of which the document can keep all. If the document declares another encoding late, the
    /// input is parsed again from the start, with a new builder.
    pub(crate) fn parse(dialect: D, input: ChunkParts<'_>) -> Result<Document, Error> {
        let mut builder = TreeBuilder::new(dialect);
        if input.is_text || builder.confidence() == Confidence::Certain {
            builder.supply_parts(input);
            builder.end()?;
        } else {
            builder.parse_tentative(input.into_bytes())?;
        }
        // PERF: only a part of the builder is moved. `finish` would also put a new empty document into the builder.
        let TreeBuilder { construction, .. } = builder;
        Ok(construction.into_sink())
    }

    /// Parses a whole input whose encoding may change.
    fn parse_tentative(&mut self, input: Bytes) -> Result<(), Error> {
        self.stop_at_change();
        self.supply(input.clone());
        let ended = self.end();
        let Confidence::Changed(encoding) = self.confidence() else {
            return ended;
        };
        *self = TreeBuilder::new(self.parser.dialect().clone().in_encoding(encoding));
        self.supply(input);
        self.end()
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
        TreeBuilder::start(dialect, || sink)
    }

    /// Creates a builder of the tree that the result of `sink` stores.
    ///
    /// PERF: all parts are created in their place in the builder, and changed there. A builder has thousands of bytes, so
    /// each move takes as many instructions as a few short elements.
    #[inline(always)]
    fn start(dialect: D, sink: impl FnOnce() -> S) -> TreeBuilder<D, S> {
        let limits = dialect.limits();
        let mut builder = TreeBuilder {
            construction: dialect.construction(sink()),
            state: BuilderState::new(&limits),
            parser: Parser::start_with(dialect, D::tokenizer_mode()),
        };
        builder.construction.set_limits(&limits);
        // A tree joins the pieces of a run of text, so the parser does not have to buffer the run.
        builder.parser.set_text_for_tree(TextPolicy::Pieces);
        builder
    }
}
