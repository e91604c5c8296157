//! The tree builder: makes a tree of events. What the dialects do differently is their construction:
//! `fold.rs` for those whose events can be balanced, `html.rs` for HTML. `inner.rs` puts markup into an element
//! of a tree. `subtree.rs` folds one element of a stream.

#[cfg(feature = "checkpoints")]
mod checkpoint;
mod construction;
mod fold;
mod guard;
mod hosted;
#[cfg(feature = "html")]
mod html;
#[cfg(any(feature = "html", feature = "xml"))]
mod inner;
mod own;
mod subtree;
mod written;

pub use construction::Buildable;
pub(crate) use construction::To;
use construction::{Construction, Taker};
use guard::Guard;
use own::Own;
pub use subtree::Subtree;

use crate::dialect::{Confidence, Machine};
use crate::error::{Error, ErrorKind};
use crate::event::Event;
use crate::input::chunk::{Chunk, Given};
use crate::input::encoding::Encoding;
#[cfg(feature = "inspect")]
use crate::input::sizes::Sizes;
use crate::limits::{Limits, Stats};
use crate::parser::{Parser, Status, TextPolicy};
use crate::tree::{Document, Origin, TreeSink};
use alloc::sync::Arc;

/// Builds a tree from chunks.
///
/// The tree can be read while it grows. It is a [`Document`], or whatever else implements
/// [`TreeSink`].
///
/// ```
/// use tagstream::{TreeBuilder, Xml};
///
/// let mut builder = TreeBuilder::new(Xml::default());
/// for chunk in ["<list><item>1</it", "em><item>2</item></list>"] {
///     builder.feed(chunk)?;
/// }
/// let document = builder.finish()?;
/// let root = document.root_element().unwrap();
/// assert_eq!(root.name(), "list");
/// assert_eq!(root.children().count(), 2);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TreeBuilder<D: Buildable, S: TreeSink = Document> {
    parser: Parser<D>,
    construction: D::Construction<S>,
    own: Own<S::Handle>,
}

impl<D: Buildable> TreeBuilder<D> {
    /// A builder of a [`Document`].
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

    /// Begins a new document in the memory of the one before, which is gone: what of it is to stay, is
    /// read before. Options and limits are kept. [`reset_with`](TreeBuilder::reset_with) gives the tree
    /// away.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// for stanza in ["<message>One</message>", "<message>Two</message>"] {
    ///     builder.feed(stanza)?;
    ///     builder.end()?;
    ///     println!("{}", builder.document().root().text_content());
    ///     builder.reset();
    /// }
    /// assert!(builder.document().root_element().is_none());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn reset(&mut self) {
        let dialect = self.parser.dialect();
        self.construction
            .restart(dialect, Document::new, Document::clear);
        self.restart();
    }
}

impl<D: Buildable> TreeBuilder<D> {
    /// The tree so far.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::strict());
    /// assert!(builder.feed("<a><b/></c>").is_err());
    /// assert_eq!(builder.document().root_element().unwrap().children().count(), 1);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn document(&self) -> &Document {
        self.sink()
    }
}

impl<D: Buildable, S: TreeSink> TreeBuilder<D, S> {
    /// A builder of whatever tree `sink` makes.
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
            // A tree joins the pieces of a text, so that none has to be held beside it.
            parser: dialect.parser().text(TextPolicy::Pieces),
            construction,
            own: Own::new(&dialect.limits()),
        }
    }

    /// Begins a new document in another sink; gives that of the one before. Options and limits are kept.
    ///
    /// ```
    /// use tagstream::{Document, TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.feed("<a/>")?;
    /// builder.end()?;
    /// let before = builder.reset_with(Document::new());
    /// builder.feed("<b/>")?;
    /// assert_eq!((before.to_xml()?, builder.finish()?.to_xml()?), ("<a/>".into(), "<b/>".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reset_with(&mut self, sink: S) -> S {
        let construction = self.parser.dialect().construction(sink);
        let before = core::mem::replace(&mut self.construction, construction);
        self.restart();
        before.into_sink()
    }

    /// A new document begins; the construction is new.
    fn restart(&mut self) {
        self.parser.reset();
        let limits = self.parser.limits_set();
        self.construction.set_limits(limits);
        self.construction.report(self.own.report);
        self.own.restart(limits);
    }

    /// Sets the limits; call it before the first feed.
    ///
    /// ```
    /// use tagstream::{Limit, Limits, TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default()).limits(Limits::default().tree_nodes(2));
    /// assert_eq!(builder.feed("<a><b/></a>").unwrap_err().limit(), Some(Limit::TreeNodes));
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> TreeBuilder<D, S> {
        self.parser = self.parser.limits(limits);
        self.construction.set_limits(&limits);
        self.own.guard = Guard::new(&limits);
        self
    }

    /// Sets whether the tree keeps where in the input its nodes stand: [`Node::span`](crate::Node::span) and
    /// [`position`](crate::Node::position). In a [`Document`] that takes 48 bytes a node, and the time to find
    /// lines and columns; text is read whole then.
    ///
    /// ```
    /// use tagstream::{Html, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Html::default()).positions(true);
    /// builder.feed("<p>\n <b>a</b>")?;
    /// let page = builder.finish()?;
    /// let bold = page.root().descendants().find(|node| node.name() == "b").unwrap();
    /// assert_eq!(bold.position().map(|position| position.line()), Some(2));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn positions(mut self, keep: bool) -> TreeBuilder<D, S> {
        self.own.keeps_origins = keep;
        self.with_text()
    }

    /// Text comes whole where its places are told, which are those of a run.
    fn with_text(mut self) -> TreeBuilder<D, S> {
        let policy = match self.own.report || self.own.keeps_origins {
            true => TextPolicy::Whole,
            false => TextPolicy::Pieces,
        };
        self.parser = self.parser.text(policy);
        self
    }

    /// Sets whether [`next_event`](TreeBuilder::next_event) lends parse errors too: those of the
    /// parser and those of the tree's construction, each before the event that it lies in. Text then
    /// comes whole, so that an error of a run of text does not depend on where the chunks were cut.
    ///
    /// ```
    /// use tagstream::{Event, Html, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Html::default()).report_errors(true);
    /// builder.supply("<!DOCTYPE html><p></b>");
    /// builder.supply_end();
    /// let mut errors = Vec::new();
    /// while let Some(event) = builder.next_event()? {
    ///     if let Event::ParseError(error) = event {
    ///         errors.push(error.position().column());
    ///     }
    /// }
    /// assert!(errors.contains(&19));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn report_errors(mut self, report: bool) -> TreeBuilder<D, S> {
        self.parser = self.parser.report_errors(report);
        self.construction.report(report);
        self.own.report = report;
        self.with_text()
    }

    /// Sets the sizes of windows, chunks and batches, on which nothing depends; call it before the
    /// first feed.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    #[must_use]
    pub fn inspect_sizes(mut self, sizes: Sizes) -> TreeBuilder<D, S> {
        self.parser = self.parser.inspect_sizes(sizes);
        self
    }

    /// Takes a chunk of the input, and lets the tree grow by it; where it pauses, up to there. What is fed
    /// while it is paused is kept.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.feed("<a><b/>")?;
    /// assert_eq!(builder.document().to_xml()?, "<a><b/></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What ends the parse; the tree holds all that was read before, and each later call returns the same
    /// error.
    pub fn feed(&mut self, chunk: impl Chunk) -> Result<(), Error> {
        self.supply(chunk);
        self.build()
    }

    /// Takes a chunk of the input and does nothing with it: [`next_event`](TreeBuilder::next_event) lets
    /// the tree grow by one event, for who wants to see them.
    ///
    /// ```
    /// use tagstream::{Event, TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.supply("<a/>");
    /// assert!(builder.document().root_element().is_none());
    /// assert!(matches!(builder.next_event()?, Some(Event::Start(_))));
    /// assert!(builder.document().root_element().is_some());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn supply(&mut self, chunk: impl Chunk) {
        self.supply_given(chunk.give());
    }

    pub(crate) fn supply_given(&mut self, chunk: Given<'_>) {
        if self.own.is_aborted {
            return;
        }
        self.construction.sink_mut().expect(chunk.len());
        self.parser.feed_given(chunk);
    }

    /// What may still come of the encoding.
    pub(crate) fn confidence(&self) -> Confidence {
        self.parser.machine_as_is().confidence()
    }

    /// Ends the parse because the source of its input failed.
    pub(crate) fn fail_source(
        &mut self,
        error: Arc<dyn core::error::Error + Send + Sync>,
    ) -> Error {
        self.parser.fail_source(error)
    }

    /// Takes a piece of an external entity: see [`Parser::feed_entity`].
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default().external_entities(true));
    /// builder.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>")?;
    /// builder.feed_entity("text");
    /// builder.finish_entity(None);
    /// assert_eq!(builder.finish()?.root().text_content(), "text");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn feed_entity(&mut self, piece: impl Chunk) {
        self.parser.feed_entity(piece);
    }

    /// Says that the external entity ends here: see [`Parser::finish_entity`].
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default().external_entities(true));
    /// builder.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>")?;
    /// // The file is empty.
    /// builder.finish_entity(Some("/b.xml"));
    /// assert_eq!(builder.finish()?.root().text_content(), "");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn finish_entity(&mut self, location: Option<&str>) {
        self.parser.finish_entity(location);
    }

    /// Says that the external entity is not to be read.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default().external_entities(true));
    /// builder.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>")?;
    /// assert!(builder.finish().is_err());
    /// builder.skip_entity();
    /// assert!(builder.finish().is_ok());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn skip_entity(&mut self) {
        self.parser.skip_entity();
    }

    /// Says that the input ends here, and does nothing else.
    ///
    /// ```
    /// use tagstream::{Status, TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.supply("<a>");
    /// builder.supply_end();
    /// while builder.next_event()?.is_some() {}
    /// assert_eq!(builder.status(), Status::Finished);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn supply_end(&mut self) {
        self.parser.finish();
    }

    /// Says that the input ends here, lets the tree grow by the rest of it, and gives the tree away. The
    /// builder has another one then, which is empty; [`reset`](TreeBuilder::reset) begins a new document.
    ///
    /// ```
    /// use tagstream::{Html, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Html::default());
    /// builder.feed("<p>one")?;
    /// let document = builder.finish()?;
    /// assert_eq!(document.root().text_content(), "one");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What ends the parse, as [`feed`](TreeBuilder::feed); [`sink`](TreeBuilder::sink) has what was built.
    /// Where the builder waits for its host or for an entity, [`ErrorKind::Waiting`]: nothing is lost, and it
    /// can be finished after the answer.
    pub fn finish(&mut self) -> Result<S, Error>
    where
        S: Default,
    {
        self.end()?;
        Ok(core::mem::take(self.construction.sink_mut()))
    }

    /// The same for a sink that has no default: [`into_sink`](TreeBuilder::into_sink) gives the tree away.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::strict());
    /// builder.feed("<a>")?;
    /// assert!(builder.end().is_err());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`finish`](TreeBuilder::finish).
    pub fn end(&mut self) -> Result<(), Error> {
        self.parser.finish();
        self.build()?;
        match self.status() {
            Status::Finished => Ok(()),
            _ => Err(self.parser.use_error(ErrorKind::Waiting)),
        }
    }

    /// Lets the tree grow by what was fed, after a pause or an answer; where it pauses, up to there.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.supply("<a/>");
    /// builder.build()?;
    /// assert_eq!(builder.document().to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`feed`](TreeBuilder::feed).
    pub fn build(&mut self) -> Result<(), Error> {
        if self.own.report {
            while self.next_event()?.is_some() {}
            return Ok(());
        }
        // Nobody sees the events, so none is made a second time to be lent.
        while self.own.paused_at.is_none() {
            if !self.grow()? {
                self.take_end()?;
                break;
            }
        }
        Ok(())
    }

    /// Lets the tree grow by one event and lends that. Text comes in pieces. `None` means that more
    /// input is wanted, that the builder pauses, or that the document has ended.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.supply("<a><b/></a>");
    /// let mut sizes = Vec::new();
    /// while builder.next_event()?.is_some() {
    ///     sizes.push(builder.document().node_count());
    /// }
    /// assert_eq!(sizes, [2, 3, 3, 3]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`build`](TreeBuilder::build).
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        if self.own.report && (self.own.is_held || !self.own.errors.is_empty()) {
            return Ok(self.held_event());
        }
        if self.own.paused_at.is_some() {
            return Ok(None);
        }
        if !self.grow()? {
            return self.take_end();
        }
        if self.own.report && self.take_errors() {
            self.own.is_held = true;
            return Ok(self.held_event());
        }
        Ok(self.parser.last_event())
    }

    /// Lets the tree grow by an event of the parser; gives whether there was one.
    #[inline(always)]
    fn grow(&mut self) -> Result<bool, Error> {
        if self.parser.is_drained() {
            self.construction.steer(self.parser.machine());
            if !self.parser.has_event()? {
                return Ok(false);
            }
            let size = self.construction.sink().size();
            let read = || self.parser.read_before();
            self.own.guard.look_ahead(size, self.parser.batch(), read);
        }
        match self.own.keeps_origins {
            false => self.parser.pass_event(To(&mut self.construction)),
            true => self.grow_with_origin()?,
        }
        if self.own.guard.is_near(self.construction.sink().size()) {
            self.test_size()?;
        }
        if self.own.is_hosted {
            self.own.paused_at = self.construction.script();
        }
        Ok(true)
    }

    /// Passes an event with its origin.
    #[cold]
    fn grow_with_origin(&mut self) -> Result<(), Error> {
        if let Some(event) = self.parser.next_event()? {
            let (span, position) = (event.span(), event.position());
            let origin = Origin { span, position };
            self.construction.sink_mut().set_origin(Some(origin));
            self.construction.take(&event);
        }
        Ok(())
    }

    /// Holds the tree against its limits.
    #[cold]
    fn test_size(&mut self) -> Result<(), Error> {
        let size = self.construction.sink().size();
        let event = self.parser.last_event();
        let tested = self
            .own
            .guard
            .test(size, event.as_ref(), || self.parser.read_before());
        tested.map_err(|limit| self.parser.fail_limit(limit))
    }

    /// The parser has nothing more: perhaps that is the end of the tree.
    #[cold]
    fn take_end(&mut self) -> Result<Option<Event<'_>>, Error> {
        if self.own.is_ended || self.parser.status() != Status::Finished {
            self.pause_at_writer();
            return Ok(None);
        }
        self.own.is_ended = true;
        self.construction.sink_mut().set_origin(None);
        self.construction.end();
        self.test_size()?;
        if self.take_errors() {
            return Ok(self.held_event());
        }
        Ok(None)
    }

    /// Takes the errors of the construction; gives whether there are any.
    fn take_errors(&mut self) -> bool {
        let errors = self.construction.errors();
        if errors.is_empty() {
            return false;
        }
        self.own.errors = self.parser.take_errors(errors);
        true
    }

    /// An error that waits, else the event that it lies in.
    #[cold]
    fn held_event(&mut self) -> Option<Event<'_>> {
        if let Some(index) = self.own.errors.next() {
            let record = self.own.error.insert(self.parser.error_record(index));
            return Some(self.parser.error_event(record));
        }
        self.own.is_held = false;
        self.parser.last_event()
    }

    /// The tree so far.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.feed("<a>")?;
    /// assert_eq!(builder.sink().node_count(), 2);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn sink(&self) -> &S {
        self.construction.sink()
    }

    /// The tree.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::strict());
    /// assert!(builder.feed("<a></b>").is_err());
    /// assert_eq!(builder.into_sink().to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_sink(self) -> S {
        self.construction.into_sink()
    }

    /// What the builder waits for.
    ///
    /// ```
    /// use tagstream::{Status, TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.feed("<a/>")?;
    /// assert_eq!(builder.status(), Status::NeedsInput);
    /// builder.end()?;
    /// assert_eq!(builder.status(), Status::Finished);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn status(&self) -> Status {
        if self.own.is_held || !self.own.errors.is_empty() {
            Status::HasEvents
        } else if self.own.paused_at.is_some() {
            Status::Paused
        } else if !self.own.is_ended && self.parser.status() == Status::Finished {
            // The end is still to be told.
            Status::HasEvents
        } else {
            self.parser.status()
        }
    }

    /// The encoding that the input is read in, once enough of it is there to know.
    ///
    /// ```
    /// use tagstream::{Encoding, TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.feed("<a/>")?;
    /// assert_eq!(builder.encoding(), Some(Encoding::UTF_8));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn encoding(&self) -> Option<Encoding> {
        self.parser.encoding()
    }

    /// The work that the parser has done.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::default());
    /// builder.feed("<a/>")?;
    /// assert_eq!(builder.stats().text, 4);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn stats(&self) -> Stats {
        self.parser.stats()
    }
}
