//! The traits through which the tree builder uses a dialect: [`Buildable`] provides the parser, and [`Construction`]
//! makes a tree from its events.

#[cfg(feature = "checkpoints")]
use crate::checkpoint::{Damaged, Reader, Writer};
use crate::engine::dialect::Dialect;
use crate::engine::error::ErrorCode;
use crate::engine::event::{EventSink, ParserData};
use crate::engine::limits::Limits;
use crate::tree::{TreeSink, TreeSize};
use alloc::vec::Vec;

/// A dialect whose documents can be built as trees: see [`TreeBuilder`](crate::TreeBuilder).
///
/// Use this trait as the bound in generic code that builds trees:
///
/// ```
/// use tagstream::{Buildable, Document, Error, Html, Xml};
///
/// fn text<D: Buildable>(dialect: D, input: &str) -> Result<String, Error> {
///     Ok(Document::parse(dialect, input)?.root().text_content())
/// }
///
/// assert_eq!(text(Html::default(), "<p>one")?, text(Xml::default(), "<p>one</p>")?);
/// # Ok::<(), Error>(())
/// ```
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "trees of `{Self}` cannot be built",
    label = "the trait `Buildable` is required here",
    note = "generic code that builds trees needs the bound `D: tagstream::Buildable`, which all dialects satisfy; for \
            events, `D: tagstream::Dialect` is enough"
)]
pub trait Buildable: Dialect {
    /// The type that makes a tree from the events.
    #[doc(hidden)]
    type Construction<S: TreeSink>: Construction<Self, S>;

    /// Returns the function that switches a new tokenizer to the mode that the dialect's construction needs: for
    /// example, balanced events.
    #[doc(hidden)]
    fn tokenizer_mode() -> fn(&mut Self::Machine);

    /// Creates a construction at the start of a document.
    #[doc(hidden)]
    fn construction<S: TreeSink>(&self, sink: S) -> Self::Construction<S>;
}

/// A tree under construction: an [`EventSink`] that receives the events of a parser and calls the methods of the sink, which stores the tree.
pub trait Construction<D: Dialect, S: TreeSink>:
    EventSink + CheckpointableConstruction<D, S>
{
    /// Returns the sink with the tree built so far.
    fn sink(&self) -> &S;

    /// Returns a mutable reference to the sink. The builder uses it, for example, to announce the length of the next
    /// chunk.
    fn sink_mut(&mut self) -> &mut S;

    /// Consumes the construction and returns the sink with the tree.
    fn into_sink(self) -> S;

    /// Begins a new document in the same sink. `clear` removes the tree from the sink. `blank` creates an empty sink,
    /// which a construction can use as a temporary replacement while it moves its own sink into the new construction.
    /// Afterwards, the caller must set the limits and the reporting of errors again.
    fn restart(&mut self, dialect: &D, blank: impl FnOnce() -> S, clear: impl FnOnce(&mut S));

    /// Sets the limits that the construction checks itself.
    fn set_limits(&mut self, _limits: &Limits) {}

    /// Sets whether parse errors of the tree construction are recorded. [`errors`](Self::errors) returns them.
    fn report(&mut self, _report: bool) {}

    /// Completes the tree after the last event, at the end of the input.
    fn end(&mut self);

    /// Called when a batch of events ends, and before the builder returns to its caller: resolves the references of the
    /// construction to the strings of the batch, which `data` holds.
    fn end_batch(&mut self, _data: &ParserData) {}

    /// Adds the events at the start of the rest of a batch, as far as the construction can add them from their records.
    /// Returns their number. Stops after an event with which the tree has more than `max_nodes` nodes.
    fn take_batch(&mut self, data: &ParserData, max_nodes: u64) -> usize;

    /// Switches the tokenizer to the state that the tree construction requires, before the tokenizer produces the next
    /// batch of events.
    fn set_tokenizer_state(&mut self, _machine: &mut D::Machine) {}

    /// Returns the parse errors that the construction found at the last event or at the end of the input. The caller
    /// removes them from the list.
    fn errors(&mut self) -> &mut Vec<ErrorCode>;

    /// Returns the size of the tree before the run of text to which the last event belongs. `None` if the construction
    /// does not know it. The builder asks only after a piece of text that continues a run.
    fn size_before_run(&self) -> Option<TreeSize> {
        None
    }

    /// Returns upper bounds of the numbers of nodes and bytes that a batch of events can add to the tree besides its own
    /// content: copies of nodes, and text of earlier batches that is not inserted yet. `bytes` is the length of the source
    /// of the events.
    fn besides(&self, events: usize, bytes: usize) -> (u64, u64);

    /// Returns the script element that the last event closed, if the builder has to pause so that the host can run the
    /// script. The next call returns `None`.
    fn script(&mut self) -> Option<S::Handle> {
        None
    }
}

/// A [`Construction`] whose state can be saved in a checkpoint and loaded from one, if the sink
/// supports this too.
#[cfg(feature = "checkpoints")]
pub trait CheckpointableConstruction<D, S: TreeSink>: Sized {
    /// Appends the state of the construction and the sink, with its tree, to a checkpoint.
    fn save_construction(&self, to: &mut Writer)
    where
        S: crate::tree::CheckpointableSink;

    /// Reads the state of the construction and the sink, with its tree, from a checkpoint.
    fn load_construction(from: &mut Reader<'_>) -> Result<Self, Damaged>
    where
        S: crate::tree::CheckpointableSink;
}

/// Without the feature `checkpoints`: an empty trait, which all constructions implement.
#[cfg(not(feature = "checkpoints"))]
pub trait CheckpointableConstruction<D, S> {}

#[cfg(not(feature = "checkpoints"))]
impl<T, D, S> CheckpointableConstruction<D, S> for T {}
