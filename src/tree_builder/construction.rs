//! The traits through which the tree builder uses a dialect: [`Buildable`] provides the parser, and [`Construction`]
//! makes a tree from its events.

use super::checkpoint::CheckpointableConstruction;
use crate::engine::dialect::Dialect;
use crate::engine::error::ErrorCode;
use crate::engine::event::{Event, Receive};
use crate::engine::limits::Limits;
use crate::engine::parser::Parser;
use crate::tree::TreeSink;
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

    /// Creates a parser whose events suit the construction.
    #[doc(hidden)]
    fn parser(&self) -> Parser<Self>;

    /// Creates a construction at the start of a document.
    #[doc(hidden)]
    fn construction<S: TreeSink>(&self, sink: S) -> Self::Construction<S>;
}

/// A consumer of events.
pub trait Taker {
    /// Processes an event.
    fn take(&mut self, event: &Event<'_>);
}

/// Adapter that passes each event of a parser to a [`Taker`].
pub(crate) struct To<'t, T>(pub(crate) &'t mut T);

impl<'a, T: Taker> Receive<'a> for To<'_, T> {
    type Answer = ();

    #[inline(always)]
    fn receive(self, event: Event<'a>) {
        self.0.take(&event);
    }
}

/// A tree under construction, which grows with each event that it takes.
pub trait Construction<D: Dialect, S: TreeSink>: Taker + CheckpointableConstruction<D, S> {
    /// Returns the sink with the tree built so far.
    fn sink(&self) -> &S;

    /// Returns the sink for changes: for example to announce the length of the next chunk.
    fn sink_mut(&mut self) -> &mut S;

    /// Returns the sink with the tree.
    fn into_sink(self) -> S;

    /// Begins a new document in the same sink. `clear` removes the tree from the sink; `blank` creates a temporary
    /// sink that replaces it meanwhile. Afterwards, the caller must set the limits and the reporting of errors again.
    fn restart(&mut self, dialect: &D, blank: impl FnOnce() -> S, clear: impl FnOnce(&mut S));

    /// Sets the limits.
    fn set_limits(&mut self, limits: &Limits);

    /// Sets whether errors are recorded for [`errors`](Self::errors).
    fn report(&mut self, report: bool);

    /// Completes the tree after the last event.
    fn end(&mut self);

    /// Sets the state of the tokenizer before it produces the next batch of events.
    fn set_tokenizer_state(&mut self, machine: &mut D::Machine);

    /// Returns the errors found at the last event or at the end. The caller removes them.
    fn errors(&mut self) -> &mut Vec<ErrorCode>;

    /// Removes and returns the script element that the last event ended, if the builder has to pause for it.
    fn script(&mut self) -> Option<S::Handle>;
}
