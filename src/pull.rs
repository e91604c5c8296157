//! What chunks are fed to and events are pulled from, whichever it is. It must not know what they do.

use crate::balance::Balanced;
use crate::dialect::{Balance, Dialect, Sealed};
use crate::error::Error;
use crate::event::Event;
use crate::input::chunk::Chunk;
use crate::input::encoding::Encoding;
use crate::limits::Stats;
use crate::parser::{Parser, Status};

/// What chunks are fed to and events are pulled from: a [`Parser`] or a [`Balanced`], of any dialect. For
/// code that is the same for all of them.
///
/// ```
/// use tagstream::{Balanced, Error, Event, Html, Parser, Pull};
///
/// fn starts(mut parser: impl Pull, input: &str) -> Result<usize, Error> {
///     parser.feed(input);
///     parser.finish();
///     let mut starts = 0;
///     while let Some(event) = parser.next_event()? {
///         starts += usize::from(matches!(event, Event::Start(_)));
///     }
///     Ok(starts)
/// }
///
/// assert_eq!(starts(Parser::new(Html::default()), "<p>")?, 1);
/// assert_eq!(starts(Balanced::new(Html::default()), "<p>")?, 4);
/// # Ok::<(), Error>(())
/// ```
///
/// The trait can't be implemented outside this crate.
pub trait Pull: Sealed {
    /// Takes a chunk of the input: see [`Parser::feed`].
    fn feed(&mut self, chunk: impl Chunk);

    /// Says that the input ends here: see [`Parser::finish`].
    fn finish(&mut self);

    /// Takes a piece of an external entity: see [`Parser::feed_entity`].
    fn feed_entity(&mut self, piece: impl Chunk);

    /// Says that the external entity ends here: see [`Parser::finish_entity`].
    fn finish_entity(&mut self, location: Option<&str>);

    /// Says that the external entity is not to be read: see [`Parser::skip_entity`].
    fn skip_entity(&mut self);

    /// The next event: see [`Parser::next_event`].
    ///
    /// # Errors
    ///
    /// As there.
    fn next_event(&mut self) -> Result<Option<Event<'_>>, Error>;

    /// What is waited for.
    fn status(&self) -> Status;

    /// The encoding that the input is read in, once enough of it is there to know.
    fn encoding(&self) -> Option<Encoding>;

    /// The work done so far.
    fn stats(&self) -> Stats;

    /// Begins a new document: see [`Parser::reset`].
    fn reset(&mut self);
}

/// Both have methods of these names.
macro_rules! pull {
    ($parser:ident, $dialect:ident) => {
        impl<D: $dialect> Sealed for $parser<D> {}

        impl<D: $dialect> Pull for $parser<D> {
            fn feed(&mut self, chunk: impl Chunk) {
                self.feed(chunk);
            }

            fn finish(&mut self) {
                self.finish();
            }

            fn feed_entity(&mut self, piece: impl Chunk) {
                self.feed_entity(piece);
            }

            fn finish_entity(&mut self, location: Option<&str>) {
                self.finish_entity(location);
            }

            fn skip_entity(&mut self) {
                self.skip_entity();
            }

            #[inline(always)]
            fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
                self.next_event()
            }

            fn status(&self) -> Status {
                self.status()
            }

            fn encoding(&self) -> Option<Encoding> {
                self.encoding()
            }

            fn stats(&self) -> Stats {
                self.stats()
            }

            fn reset(&mut self) {
                self.reset();
            }
        }
    };
}

pull! { Parser, Dialect }
pull! { Balanced, Balance }
