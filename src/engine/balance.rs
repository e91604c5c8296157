//! Balanced events: the events of a document as a tree, produced while the input streams.
//!
//! [`Balanced`] is a [`Parser`] that is switched to this mode. The tokenizer of the dialect then applies the rules
//! for tree construction itself, so `Balanced` only forwards calls.

#[cfg(feature = "checkpoints")]
use crate::checkpoint;
use crate::engine::dialect::{Balance, Dialect, Prefixed};
use crate::engine::error::Error;
use crate::engine::event::{Event, OwnedEvent};
use crate::engine::input::chunk::Chunk;
use crate::engine::input::encoding::Encoding;
#[cfg(feature = "inspect")]
use crate::engine::input::sizes::Sizes;
use crate::engine::limits::{Limits, Stats};
use crate::engine::parser::{Parser, Status, TextPolicy};
#[cfg(feature = "checkpoints")]
use alloc::vec::Vec;

/// A streaming pull parser whose events form a tree: each start event has its end event, in the right order. Stray
/// end tags, further root elements and text outside of the root element are dropped. No tree is built in memory. In
/// HTML the events follow from the standard's tree construction: see [`html`](crate::html#balanced-events).
///
/// ```
/// use tagstream::{Balanced, Event, Xml};
///
/// let mut parser = Balanced::new(Xml::default());
/// parser.feed("<a><b>text</a></c>");
/// parser.finish();
/// let mut depth = 0;
/// while let Some(event) = parser.next_event()? {
///     match event {
///         Event::Start(_) => depth += 1,
///         Event::End(_) => depth -= 1,
///         _ => {}
///     }
/// }
/// assert_eq!(depth, 0);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Balanced<D: Dialect> {
    parser: Parser<D>,
}

impl<D: Balance> Parser<D> {
    /// Converts the parser to one whose events form a tree. Options and limits are kept. Call it before the first
    /// chunk is fed.
    ///
    /// ```
    /// use tagstream::{Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default()).report_errors(true).balanced();
    /// parser.feed("<!DOCTYPE html><p>");
    /// parser.finish();
    /// assert_eq!(parser.count(), 9);
    /// ```
    #[must_use]
    pub fn balanced(self) -> Balanced<D> {
        let mut parser = self.prepared(D::balance);
        parser.reset();
        Balanced { parser }
    }
}

impl<D: Balance> Balanced<D> {
    /// Creates a parser at the start of an input.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a><b>");
    /// parser.finish();
    /// assert_eq!(parser.count(), 4);
    /// ```
    pub fn new(dialect: D) -> Balanced<D> {
        Balanced {
            parser: Parser::new(dialect).prepared(D::balance),
        }
    }

    /// Returns the underlying parser.
    pub(crate) fn parser(&self) -> &Parser<D> {
        &self.parser
    }

    /// Returns the underlying parser, whose events still form a tree.
    pub(crate) fn into_parser(self) -> Parser<D> {
        self.parser
    }

    /// Sets the limits. Call it before the first chunk is fed.
    ///
    /// ```
    /// use tagstream::{Balanced, Limit, Limits, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default()).limits(Limits::default().depth(1));
    /// parser.feed("<a><b>");
    /// parser.next_event()?;
    /// let error = parser.next_event().unwrap_err();
    /// assert_eq!(error.limit(), Some(Limit::Depth));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn limits(self, limits: Limits) -> Balanced<D> {
        Balanced {
            parser: self.parser.limits(limits),
        }
    }

    /// Sets how text is split into events: see [`Parser::text`].
    ///
    /// ```
    /// use tagstream::{Balanced, Event, TextPolicy, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default()).text(TextPolicy::Pieces);
    /// parser.feed("<a>one ");
    /// parser.next_event()?;
    /// assert!(matches!(parser.next_event()?, Some(Event::Text(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn text(self, policy: TextPolicy) -> Balanced<D> {
        Balanced {
            parser: self.parser.text(policy),
        }
    }

    /// Sets whether parse errors are reported as events. By default they are not.
    ///
    /// ```
    /// use tagstream::{Balanced, Event, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default()).report_errors(true);
    /// parser.feed("<a></b></a>");
    /// parser.next_event()?;
    /// assert!(matches!(parser.next_event()?, Some(Event::ParseError(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn report_errors(self, report: bool) -> Balanced<D> {
        Balanced {
            parser: self.parser.report_errors(report),
        }
    }

    /// Sets the sizes of windows, chunks and batches, which do not affect the events. Call it before the first chunk
    /// is fed.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    #[must_use]
    pub fn inspect_sizes(self, sizes: Sizes) -> Balanced<D> {
        Balanced {
            parser: self.parser.inspect_sizes(sizes),
        }
    }

    /// Returns the tokenizer, for tests.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn inspect_machine(&mut self) -> &mut D::Machine {
        self.parser.inspect_machine()
    }

    /// Starts a new document: see [`Parser::reset`].
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a><b>");
    /// parser.next_event()?;
    /// parser.reset();
    /// parser.feed("<c/>");
    /// assert_eq!(format!("{:?}", parser.next_event()?), "Some(Start(<c/>))");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn reset(&mut self) {
        self.parser.reset();
    }

    /// Returns a checkpoint of the parser: see [`Parser::checkpoint`].
    ///
    /// ```
    /// use tagstream::{Balanced, Html};
    ///
    /// let mut parser = Balanced::new(Html::default());
    /// parser.feed("<p><b");
    /// while parser.next_event()?.is_some() {}
    /// let mut parser = Balanced::restore(Html::default(), &parser.checkpoint())?;
    /// parser.feed(">");
    /// assert_eq!(format!("{:?}", parser.next_event()?), "Some(Start(<b>))");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "checkpoints")]
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        self.parser
            .seal(checkpoint::CheckpointKind::Balanced, |_| {})
    }

    /// Creates a parser from a [`checkpoint`](Balanced::checkpoint), with the same dialect options.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let checkpoint = Balanced::new(Xml::default()).checkpoint();
    /// assert!(Balanced::restore(Xml::default(), &checkpoint).is_ok());
    /// assert!(Balanced::restore(Xml::default(), b"<a>").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Parser::restore`].
    #[cfg(feature = "checkpoints")]
    pub fn restore(
        dialect: D,
        checkpoint: &[u8],
    ) -> Result<Balanced<D>, checkpoint::CheckpointError> {
        let kind = checkpoint::CheckpointKind::Balanced;
        Parser::unseal(
            dialect,
            kind,
            checkpoint,
            |dialect, payload| match Parser::load(dialect, D::balance, |_| {}, payload)? {
                (parser, []) => Ok(Balanced { parser }),
                _ => Err(checkpoint::CheckpointError::Damaged),
            },
        )
    }

    /// Returns the number of bytes of the input that were fed: see [`Parser::resume_at`].
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a>");
    /// assert_eq!(parser.resume_at(), 3);
    /// ```
    #[cfg(feature = "checkpoints")]
    pub fn resume_at(&self) -> u64 {
        self.parser.resume_at()
    }

    /// Appends a chunk to the input: see [`Parser::feed`].
    ///
    /// ```
    /// use tagstream::{Balanced, Event, Html};
    ///
    /// let mut parser = Balanced::new(Html::default());
    /// parser.feed("<p>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!(tag.name(), "html");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("write", "push"))]
    pub fn feed(&mut self, chunk: impl Chunk) {
        self.parser.feed(chunk);
    }

    /// Marks the end of the input: see [`Parser::finish`].
    ///
    /// ```
    /// use tagstream::{Balanced, Event, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a>");
    /// parser.finish();
    /// parser.next_event()?;
    /// assert!(matches!(parser.next_event()?, Some(Event::End(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("end", "close"))]
    pub fn finish(&mut self) {
        self.parser.finish();
    }

    /// Appends a piece of the requested external entity: see [`Parser::feed_entity`](crate::Parser::feed_entity).
    ///
    /// ```
    /// use tagstream::{Balanced, Event, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>");
    /// while parser.next_event()?.is_some() {}
    /// parser.feed_entity("<c/>");
    /// parser.finish_entity(None);
    /// assert!(matches!(parser.next_event()?, Some(Event::Start(tag)) if tag.name() == "c"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn feed_entity(&mut self, piece: impl Chunk) {
        self.parser.feed_entity(piece);
    }

    /// Marks the end of the external entity: see [`Parser::finish_entity`](crate::Parser::finish_entity).
    ///
    /// ```
    /// use tagstream::{Balanced, Event, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>");
    /// while parser.next_event()?.is_some() {}
    /// parser.finish_entity(Some("/etc/b.xml"));
    /// assert!(matches!(parser.next_event()?, Some(Event::End(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn finish_entity(&mut self, location: Option<&str>) {
        self.parser.finish_entity(location);
    }

    /// Skips the requested external entity: see [`Parser::skip_entity`](crate::Parser::skip_entity).
    ///
    /// ```
    /// use tagstream::{Balanced, Event, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>");
    /// while parser.next_event()?.is_some() {}
    /// parser.skip_entity();
    /// assert!(matches!(parser.next_event()?, Some(Event::SkippedEntity(b)) if b.name() == "b"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn skip_entity(&mut self) {
        self.parser.skip_entity();
    }

    /// Returns the next event: see [`Parser::next_event`].
    ///
    /// ```
    /// use tagstream::{Balanced, Event, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a><b></a>");
    /// let mut ends = Vec::new();
    /// while let Some(event) = parser.next_event()? {
    ///     if let Event::End(tag) = event {
    ///         ends.push(tag.name().to_owned());
    ///     }
    /// }
    /// assert_eq!(ends, ["b", "a"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Parser::next_event`].
    #[inline(always)]
    #[doc(alias("read_event", "next"))]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.parser.next_event()
    }

    /// Returns the next event without advancing: see [`Parser::peek`].
    ///
    /// ```
    /// use tagstream::{Balanced, Event, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a/>");
    /// parser.next_event()?;
    /// assert!(matches!(parser.peek()?, Some(Event::End(_))));
    /// assert!(matches!(parser.current(), Some(Event::Start(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Parser::peek`].
    pub fn peek(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.parser.peek()
    }

    /// Returns the current event: see [`Parser::current`].
    ///
    /// ```
    /// use tagstream::{Balanced, Event, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a>");
    /// assert!(parser.current().is_none());
    /// parser.next_event()?;
    /// assert!(matches!(parser.current(), Some(Event::Start(_))));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn current(&self) -> Option<Event<'_>> {
        self.parser.current()
    }

    /// Returns the number of open elements at the current event. The element of a start or end tag is included.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a><b>text</b></a>");
    /// let mut depths = Vec::new();
    /// while parser.next_event()?.is_some() {
    ///     depths.push(parser.depth());
    /// }
    /// assert_eq!(depths, [1, 2, 2, 2, 1]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn depth(&self) -> usize {
        // Each open element is in memory, so the number fits.
        self.parser.depth() as usize
    }

    /// Returns the namespace to which a prefix is bound at the current event. An empty prefix means the default
    /// namespace. See [`Parser::resolve`](crate::Parser::resolve).
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a xmlns:p='u'>");
    /// parser.next_event()?;
    /// assert_eq!(parser.resolve("p"), Some("u"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn resolve(&self, prefix: &str) -> Option<&str>
    where
        D: Prefixed,
    {
        self.parser.resolve(prefix)
    }

    /// Returns what the parser needs next: see [`Parser::status`].
    ///
    /// ```
    /// use tagstream::{Balanced, Status, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// assert_eq!(parser.status(), Status::NeedsInput);
    /// parser.feed("<a>");
    /// assert_eq!(parser.status(), Status::HasEvents);
    /// ```
    pub fn status(&self) -> Status {
        self.parser.status()
    }

    /// Returns the encoding of the input, or `None` while it is not known yet.
    ///
    /// ```
    /// use tagstream::{Balanced, Encoding, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed(b"<?xml version='1.0' encoding='iso-8859-2'?><a>");
    /// while parser.next_event()?.is_some() {}
    /// assert_eq!(parser.encoding(), Encoding::for_xml_label("iso-8859-2"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn encoding(&self) -> Option<Encoding> {
        self.parser.encoding()
    }

    /// Returns counters of the work done so far.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a>text</a>");
    /// while parser.next_event()?.is_some() {}
    /// assert_eq!(parser.stats().text, 11);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn stats(&self) -> Stats {
        self.parser.stats()
    }
}

/// Iterates over owned events: see [`Parser`]'s iterator.
impl<D: Balance> Iterator for Balanced<D> {
    type Item = Result<OwnedEvent, Error>;

    fn next(&mut self) -> Option<Result<OwnedEvent, Error>> {
        self.parser.next()
    }
}
