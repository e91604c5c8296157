//! What the builder asks of a dialect: a parser, and a construction that makes a tree of its events.
//! It must not know of any dialect.

use crate::dialect::Dialect;
#[cfg(feature = "checkpoints")]
use crate::dialect::SavedSink;
use crate::error::ErrorCode;
use crate::event::{Event, Receive};
use crate::limits::Limits;
use crate::parser::Parser;
#[cfg(feature = "checkpoints")]
use crate::saved::CheckpointError;
use crate::tree::TreeSink;
use alloc::vec::Vec;

/// A dialect of which trees can be built: see [`TreeBuilder`](crate::TreeBuilder).
///
/// Generic code that builds trees asks for it:
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
    message = "no tree can be built of what may be any `{Self}`",
    label = "this may be a dialect without a tree, or no dialect",
    note = "generic code that builds trees asks for `D: tagstream::Buildable`, which all dialects are, where `D: \
            tagstream::Dialect` is enough for events"
)]
pub trait Buildable: Dialect {
    /// What makes a tree of the events.
    #[doc(hidden)]
    type Construction<S: TreeSink>: Construction<Self, S>;

    /// The parser of those events.
    #[doc(hidden)]
    fn parser(&self) -> Parser<Self>;

    /// A construction at the start of a document.
    #[doc(hidden)]
    fn construction<S: TreeSink>(&self, sink: S) -> Self::Construction<S>;
}

/// What takes events.
pub trait Taker {
    /// Takes an event.
    fn take(&mut self, event: &Event<'_>);
}

/// Hands an event to who takes it.
pub(crate) struct To<'t, T>(pub(crate) &'t mut T);

impl<'a, T: Taker> Receive<'a> for To<'_, T> {
    type Answer = ();

    #[inline(always)]
    fn receive(self, event: Event<'a>) {
        self.0.take(&event);
    }
}

/// A tree under construction, which grows by the events it takes.
pub trait Construction<D: Dialect, S: TreeSink>: Taker {
    /// The tree so far.
    fn sink(&self) -> &S;

    /// The same, to be told what is to come.
    fn sink_mut(&mut self) -> &mut S;

    /// The tree.
    fn into_sink(self) -> S;

    /// Begins a new document: `clear` makes the sink an empty one, and `blank` gives what stands for it
    /// meanwhile. Limits are to be set again, and whether errors are kept.
    fn restart(&mut self, dialect: &D, blank: impl FnOnce() -> S, clear: impl FnOnce(&mut S));

    /// Sets the limits.
    fn set_limits(&mut self, limits: &Limits);

    /// Sets whether errors are kept for [`errors`](Self::errors).
    fn report(&mut self, report: bool);

    /// The events have ended.
    fn end(&mut self);

    /// Tells the machine how to go on, before it makes the next batch.
    fn steer(&mut self, machine: &mut D::Machine);

    /// The errors that the last event or the end was, to be taken out.
    fn errors(&mut self) -> &mut Vec<ErrorCode>;

    /// The script that the last event has ended, to be taken out.
    fn script(&mut self) -> Option<S::Handle>;

    /// Adds what a checkpoint has of it, with its sink.
    #[cfg(feature = "checkpoints")]
    fn save(&self, bytes: &mut Vec<u8>)
    where
        S: SavedSink;

    /// The construction of such bytes, and the bytes behind them.
    #[cfg(feature = "checkpoints")]
    fn load(bytes: &[u8]) -> Result<(Self, &[u8]), CheckpointError>
    where
        Self: Sized,
        S: SavedSink;
}
