//! Checkpoints of a tree builder, including its tree.

use super::TreeBuilder;
use super::construction::{Buildable, CheckpointableConstruction, Construction};
use super::fold::Growing;
use super::state::BuilderState;
use crate::checkpoint::{CheckpointError, CheckpointKind, Checkpointable, Damaged, Reader, Writer};
#[cfg(feature = "html")]
use crate::dialects::html::{Html, construct::TreeConstruction};
use crate::engine::dialect::{Balance, Hosted};
use crate::engine::parser::checkpoint::unseal;
use crate::engine::parser::{Parser, Prepare};
use crate::tree::{CheckpointableSink, Document, NodeId, TreeSink};
use alloc::vec::Vec;

impl<D: Balance, S: TreeSink> CheckpointableConstruction<D, S> for Growing<S> {
    fn save_construction(&self, to: &mut Writer)
    where
        S: CheckpointableSink,
    {
        self.save(to);
    }

    fn load_construction(from: &mut Reader<'_>) -> Result<Growing<S>, Damaged>
    where
        S: CheckpointableSink,
    {
        let mut growing: Growing<S> = Growing::load(from)?;
        growing.is_template = D::is_template;
        #[cfg(feature = "xml")]
        growing
            .sink
            .set_well_formedness(crate::dialects::xml::is_well_formed);
        match (&mut growing.top, D::wrapper()) {
            (Some(top), Some(wrapper)) => top.wrapper = wrapper,
            (None, _) => {}
            (Some(_), None) => return Err(Damaged),
        }
        Ok(growing)
    }
}

#[cfg(feature = "html")]
impl<S: TreeSink> CheckpointableConstruction<Html, S> for TreeConstruction<S> {
    fn save_construction(&self, to: &mut Writer)
    where
        S: CheckpointableSink,
    {
        self.save(to);
    }

    fn load_construction(from: &mut Reader<'_>) -> Result<TreeConstruction<S>, Damaged>
    where
        S: CheckpointableSink,
    {
        TreeConstruction::load(from)
    }
}

impl<D: Buildable> TreeBuilder<D> {
    /// Serializes the builder and the tree built so far: see [`Parser::checkpoint`]. The size is proportional to the
    /// size of the tree.
    ///
    /// ```
    /// use tagstream::{Html, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Html::default());
    /// builder.feed("<title>News</ti")?;
    /// let checkpoint = builder.checkpoint();
    ///
    /// let mut builder = TreeBuilder::restore(Html::default(), &checkpoint)?;
    /// builder.feed("tle><p>Tom")?;
    /// let page = "<html><head><title>News</title></head><body><p>Tom</p></body></html>";
    /// assert_eq!(builder.finish()?.to_html(), page);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        let TreeBuilder {
            parser,
            construction,
            state,
        } = self;
        let kind = match state.is_hosted {
            true => CheckpointKind::HostedTree,
            false => CheckpointKind::Tree,
        };
        parser.seal(kind, |to| {
            construction.save_construction(to);
            state.save(to);
        })
    }

    /// Restores a builder without a host from a [`checkpoint`](TreeBuilder::checkpoint).
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.feed("<list><item>1</it")?;
    /// let mut builder = TreeBuilder::restore(Xml::default(), &builder.checkpoint())?;
    /// assert_eq!(builder.resume_at(), 17);
    /// builder.feed("em></list>")?;
    /// assert_eq!(builder.finish()?.to_xml()?, "<list><item>1</item></list>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Parser::restore`].
    pub fn restore(dialect: D, checkpoint: &[u8]) -> Result<TreeBuilder<D>, CheckpointError> {
        TreeBuilder::unseal(dialect, CheckpointKind::Tree, |_| {}, checkpoint)
    }

    /// Returns the number of bytes of the input that were fed: see [`Parser::resume_at`].
    pub fn resume_at(&self) -> u64 {
        self.parser.resume_at()
    }

    /// Restores a builder from a checkpoint of the given kind. `host` is a function that prepares the tokenizer for
    /// pauses if the builder has a host, and does nothing otherwise. Fails if the scripts that the checkpoint refers to
    /// are not nodes of its tree.
    fn unseal(
        dialect: D,
        kind: CheckpointKind,
        host: Prepare<D>,
        checkpoint: &[u8],
    ) -> Result<TreeBuilder<D>, CheckpointError> {
        unseal(dialect, kind, checkpoint, |dialect, from| {
            let parser = Parser::load(dialect, D::tokenizer_mode(), host, from)?;
            let construction = D::Construction::<Document>::load_construction(from)?;
            let state: BuilderState<NodeId> = BuilderState::load(from)?;
            let tree = construction.sink();
            let is_one_saved = parser.insertions() == state.writers.scripts.len();
            let mut scripts = state.writers.scripts.iter().chain(&state.paused_at);
            if !is_one_saved || scripts.any(|node| tree.node(*node).is_none()) {
                return Err(Damaged);
            }
            Ok(TreeBuilder {
                parser,
                construction,
                state,
            })
        })
    }
}

impl<D: Hosted + Buildable> TreeBuilder<D> {
    /// Restores a [hosted](TreeBuilder::hosted) builder from a [`checkpoint`](TreeBuilder::checkpoint). If the
    /// builder was paused, it is paused again.
    ///
    /// ```
    /// use tagstream::sky::Registrations;
    /// use tagstream::{Sky, TreeBuilder};
    ///
    /// let sky = Sky::fragment().registered(["import"]);
    /// let mut builder = TreeBuilder::new(sky.clone()).hosted();
    /// builder.feed("<import src='clock.sky' /><clock />")?;
    /// let mut builder = TreeBuilder::restore_hosted(sky, &builder.checkpoint())?;
    /// assert!(builder.pause().is_some());
    /// builder.resume(Registrations::new(["clock"]));
    /// assert!(builder.finish()?.to_html().ends_with("<clock></clock>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Parser::restore`].
    pub fn restore_hosted(
        dialect: D,
        checkpoint: &[u8],
    ) -> Result<TreeBuilder<D>, CheckpointError> {
        TreeBuilder::unseal(dialect, CheckpointKind::HostedTree, D::host, checkpoint)
    }
}
