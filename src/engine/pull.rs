//! The trait [`Pull`]: the methods that a [`Parser`] and a [`Balanced`] have in common.

use crate::engine::balance::Balanced;
use crate::engine::dialect::{Balance, Dialect, Sealed};
use crate::engine::error::Error;
use crate::engine::event::Event;
use crate::engine::input::chunk::Chunk;
use crate::engine::input::encoding::Encoding;
use crate::engine::limits::Stats;
use crate::engine::parser::{Parser, Status};

/// A [`Parser`] or a [`Balanced`] of any dialect, for code that works with all of them.
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
    /// Appends a chunk to the input: see [`Parser::feed`].
    ///
    /// ```
    /// use tagstream::{Parser, Pull, Xml};
    ///
    /// fn fed(mut parser: impl Pull) -> u64 {
    ///     parser.feed("<a>");
    ///     let _ = parser.next_event();
    ///     parser.stats().text
    /// }
    ///
    /// assert_eq!(fed(Parser::new(Xml::default())), 3);
    /// ```
    fn feed(&mut self, chunk: impl Chunk);

    /// Marks the end of the input: see [`Parser::finish`].
    ///
    /// ```
    /// use tagstream::{Balanced, Error, Pull, Status, Xml};
    ///
    /// fn read(parser: &mut impl Pull) -> Result<(), Error> {
    ///     parser.feed("<a>");
    ///     parser.finish();
    ///     while parser.next_event()?.is_some() {}
    ///     Ok(())
    /// }
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// read(&mut parser)?;
    /// assert_eq!(parser.status(), Status::Finished);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    fn finish(&mut self);

    /// Appends a piece of the requested external entity: see [`Parser::feed_entity`].
    ///
    /// ```
    /// use tagstream::{Parser, Pull, Status, Xml};
    ///
    /// fn answer(parser: &mut impl Pull) {
    ///     if let Status::NeedsEntity(wanted) = parser.status() {
    ///         parser.feed_entity(format!("<from>{}</from>", wanted.system_id()));
    ///         parser.finish_entity(None);
    ///     }
    /// }
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>");
    /// while parser.next_event()?.is_some() {}
    /// answer(&mut parser);
    /// assert_eq!(parser.count(), 4);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    fn feed_entity(&mut self, piece: impl Chunk);

    /// Marks the end of the external entity: see [`Parser::finish_entity`].
    ///
    /// ```
    /// use tagstream::{Parser, Pull, Status, Xml};
    ///
    /// fn answer_nothing(parser: &mut impl Pull) {
    ///     if let Status::NeedsEntity(wanted) = parser.status() {
    ///         parser.finish_entity(Some(wanted.system_id()));
    ///     }
    /// }
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>");
    /// while parser.next_event()?.is_some() {}
    /// answer_nothing(&mut parser);
    /// assert_eq!(parser.count(), 1);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    fn finish_entity(&mut self, location: Option<&str>);

    /// Skips the requested external entity: see [`Parser::skip_entity`].
    ///
    /// ```
    /// use tagstream::{Event, Parser, Pull, Xml};
    ///
    /// fn skip(parser: &mut impl Pull) {
    ///     parser.skip_entity();
    /// }
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>");
    /// while parser.next_event()?.is_some() {}
    /// skip(&mut parser);
    /// assert!(matches!(parser.next_event()?, Some(Event::SkippedEntity(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    fn skip_entity(&mut self);

    /// Returns the next event: see [`Parser::next_event`].
    ///
    /// ```
    /// use tagstream::{Error, Event, Html, Parser, Pull};
    ///
    /// fn first_name(parser: &mut impl Pull) -> Result<Option<String>, Error> {
    ///     while let Some(event) = parser.next_event()? {
    ///         if let Event::Start(tag) = event {
    ///             return Ok(Some(tag.name().to_owned()));
    ///         }
    ///     }
    ///     Ok(None)
    /// }
    ///
    /// let mut parser = Parser::new(Html::default());
    /// parser.feed("<!DOCTYPE html><p>");
    /// assert_eq!(first_name(&mut parser)?.as_deref(), Some("p"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Parser::next_event`].
    fn next_event(&mut self) -> Result<Option<Event<'_>>, Error>;

    /// Returns what the parser needs next: see [`Parser::status`].
    ///
    /// ```
    /// use tagstream::{Parser, Pull, Status, Xml};
    ///
    /// fn wants_more(parser: &impl Pull) -> bool {
    ///     parser.status() == Status::NeedsInput
    /// }
    ///
    /// assert!(wants_more(&Parser::new(Xml::default())));
    /// ```
    fn status(&self) -> Status;

    /// Returns the encoding of the input, or `None` while it is not known yet.
    ///
    /// ```
    /// use tagstream::{Parser, Pull, Xml};
    ///
    /// fn encoding_name(parser: &impl Pull) -> &'static str {
    ///     parser.encoding().map_or("not known yet", |encoding| encoding.name())
    /// }
    ///
    /// assert_eq!(encoding_name(&Parser::new(Xml::default())), "not known yet");
    /// ```
    fn encoding(&self) -> Option<Encoding>;

    /// Returns counters of the work done so far.
    ///
    /// ```
    /// use tagstream::{Parser, Pull, Xml};
    ///
    /// fn work(parser: &impl Pull) -> u64 {
    ///     parser.stats().total()
    /// }
    ///
    /// assert_eq!(work(&Parser::new(Xml::default())), 0);
    /// ```
    fn stats(&self) -> Stats;

    /// Starts a new document: see [`Parser::reset`].
    ///
    /// ```
    /// use tagstream::{Parser, Pull, Status, Xml};
    ///
    /// fn again(parser: &mut impl Pull) {
    ///     parser.reset();
    /// }
    ///
    /// let mut parser = Parser::new(Xml::strict());
    /// parser.feed("</a>");
    /// assert!(parser.next_event().is_err());
    /// again(&mut parser);
    /// assert_eq!(parser.status(), Status::NeedsInput);
    /// ```
    fn reset(&mut self);
}

/// Implements [`Pull`] by the type's own methods of the same names.
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
