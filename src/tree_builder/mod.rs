//! The tree builder: builds a tree from the events of a parser.
//!
//! Data in: chunks of input ([`TreeBuilder::feed`]), which a [`Parser`] turns into events. Data out: calls of the
//! methods of a [`TreeSink`], which stores the tree; [`Document`] is the default. Between the two is a
//! [`Construction`], which depends on the dialect: `fold.rs` contains the construction for dialects whose events can
//! be balanced, `html.rs` the one for HTML. `inner.rs` parses markup into an element of an existing tree.
//! `subtree.rs` builds the tree of one element of a stream.

// This module is first, so that the rustdoc page of `TreeBuilder` begins with `new`.
mod new;

#[cfg(feature = "checkpoints")]
mod checkpoint;
mod construction;
mod fold;
mod guard;
mod hosted;
#[cfg(feature = "html")]
mod html;
mod inner;
mod state;
mod subtree;
mod written;

pub use construction::Buildable;
use construction::Construction;
use guard::Guard;
use state::BuilderState;
pub use subtree::Subtree;

#[cfg(feature = "inspect")]
use crate::engine::dialect::{Balance, Dialect, Nested};
use crate::engine::error::{Error, ErrorKind};
use crate::engine::event::{Event, EventSink};
use crate::engine::input::chunk::{Chunk, ChunkParts};
use crate::engine::input::encoding::Encoding;
#[cfg(feature = "inspect")]
use crate::engine::input::sizes::Sizes;
use crate::engine::limits::{Limits, Stats};
use crate::engine::parser::{Parser, Status, TextPolicy};
use crate::engine::tokenizer::Confidence;
use crate::engine::tokenizer::Tokenizer;
use crate::tree::{Document, Origin, TreeSink};
#[cfg(feature = "inspect")]
use alloc::string::String;
#[cfg(feature = "std")]
use alloc::sync::Arc;
#[cfg(feature = "inspect")]
use alloc::vec::Vec;

/// A builder of trees from chunks of input.
///
/// The tree can be read while it grows. It is a [`Document`], or another type that implements [`TreeSink`].
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
    state: BuilderState<S::Handle>,
}

impl<D: Buildable> TreeBuilder<D> {
    /// Begins a new document. The previous tree is deleted and its memory is reused. Options and limits are kept. Use
    /// [`reset_with`](TreeBuilder::reset_with) to keep the previous tree.
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
    /// Returns the tree built so far.
    pub fn document(&self) -> &Document {
        self.sink()
    }
}

impl<D: Buildable, S: TreeSink> TreeBuilder<D, S> {
    /// Begins a new document in another sink, and returns the sink of the previous document. Options and limits are
    /// kept.
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

    /// Resets the parser and the state of the builder for a new document. The caller must have restarted the
    /// construction before.
    fn restart(&mut self) {
        self.parser.reset();
        let limits = self.parser.limits_set();
        self.construction.set_limits(limits);
        self.construction.report(self.state.report);
        self.state.restart(limits);
    }

    /// Sets the limits. Call this method before the first call of `feed`.
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
        let limits = self.parser.limits_set();
        self.construction.set_limits(limits);
        self.state.guard = Guard::new(limits);
        self
    }

    /// Sets whether the tree records the positions of its nodes in the input: [`Node::span`](crate::Node::span) and
    /// [`position`](crate::Node::position). In a [`Document`] this takes 48 bytes for each node, 8 more for each
    /// element, and time to compute lines and columns. Each run of text is then read as one piece, or one between the
    /// delimiters of CDATA sections with [`keep_cdata`](TreeBuilder::keep_cdata).
    #[must_use]
    pub fn positions(mut self, keep: bool) -> TreeBuilder<D, S> {
        self.state.keeps_origins = keep;
        self.with_text()
    }

    /// Sets whether the tree tells the text of CDATA sections from other text. Each section that is not empty becomes a
    /// text node of its own, for which [`Node::is_cdata`](crate::Node::is_cdata) is true and which
    /// [`to_xml`](Document::to_xml) writes as a section. The default is false: a section is a part of the text around it,
    /// as the specifications define.
    ///
    /// This applies to the dialects that have CDATA sections: XML, LeafXML (unless its comments or instructions are events),
    /// and the later revision of MicroXML. Sections in the replacement text of an entity, at the top level of MicroXML, and
    /// in SVG and MathML in HTML, are ordinary text. In LeafXML, the text between two delimiters of sections is in NFC by
    /// itself. Events of [`next_event`](TreeBuilder::next_event) end at the delimiters too, and have
    /// [`Text::is_cdata`](crate::Text::is_cdata).
    ///
    /// Call this method before the first call of `feed`.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let source = "<a>1 &lt; 2<![CDATA[3 < 4]]></a>";
    /// let mut builder = TreeBuilder::new(Xml::default()).keep_cdata(true);
    /// builder.feed(source)?;
    /// let document = builder.finish()?;
    /// let texts = document.root_element().unwrap().children();
    /// assert!(texts.map(|text| (text.text(), text.is_cdata())).eq([("1 < 2", false), ("3 < 4", true)]));
    /// assert_eq!(document.to_xml()?, source);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "strip_cdata")]
    pub fn keep_cdata(mut self, keep: bool) -> TreeBuilder<D, S> {
        self.parser.split_at_sections(keep);
        self
    }

    /// Sets the parser's text policy: whole runs of text if errors are reported or positions are recorded, because both
    /// refer to a whole run; otherwise pieces.
    fn with_text(mut self) -> TreeBuilder<D, S> {
        let policy = match self.state.report || self.state.keeps_origins {
            true => TextPolicy::Whole,
            false => TextPolicy::Pieces,
        };
        self.parser = self.parser.text_for_tree(policy);
        self
    }

    /// Sets whether [`next_event`](TreeBuilder::next_event) also returns parse errors: those of the parser and those
    /// of the tree construction, each before the event that contains it. Each run of text is then returned as one
    /// event, except with [`keep_cdata`](TreeBuilder::keep_cdata), so that the errors in it do not depend on how the input is
    /// divided into chunks.
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
        self.state.report = report;
        self.with_text()
    }

    /// Sets the sizes of windows, chunks and batches, which have no influence on the result. Call this method before
    /// the first call of `feed`.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    #[must_use]
    pub fn inspect_sizes(mut self, sizes: Sizes) -> TreeBuilder<D, S> {
        self.parser = self.parser.inspect_sizes(sizes);
        self
    }

    /// Returns the name of the tokenizer's state.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn inspect_state(&self) -> String {
        self.parser.inspect_state()
    }

    /// Parses a chunk of the input and adds its content to the tree. If the builder pauses, the rest of the chunk and
    /// all chunks fed during the pause are buffered.
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
    /// The error that ended the parse. The tree contains everything before the error. Each later call returns the
    /// same error.
    #[doc(alias("write", "push", "process"))]
    pub fn feed(&mut self, chunk: impl Chunk) -> Result<(), Error> {
        self.supply(chunk);
        self.build()
    }

    /// Stores a chunk of the input without parsing it. [`next_event`](TreeBuilder::next_event) then adds one event at
    /// a time to the tree and returns the event.
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
        self.supply_parts(chunk.into_parts());
    }

    /// Stores a chunk of the input without parsing it, as [`supply`](TreeBuilder::supply) does. The chunk is given as
    /// its bytes, with a flag that is true if they are text.
    pub(crate) fn supply_parts(&mut self, chunk: ChunkParts<'_>) {
        if self.state.is_aborted {
            return;
        }
        self.construction.sink_mut().expect(chunk.len());
        self.parser.feed_parts(chunk);
    }

    /// Returns whether the encoding of the input may still change.
    pub(crate) fn confidence(&self) -> Confidence {
        self.parser.machine_as_is().confidence()
    }

    /// Lets the builder stop when the document declares another encoding late, because the input will be parsed again.
    pub(crate) fn stop_at_change(&mut self) {
        self.state.stops_at_change = true;
    }

    /// Ends the parse because the source of the input failed.
    #[cfg(feature = "std")]
    pub(crate) fn fail_source(
        &mut self,
        error: Arc<dyn core::error::Error + Send + Sync>,
    ) -> Error {
        self.parser.fail_source(error)
    }

    /// Feeds a part of the external entity that the parser requested: see [`Parser::feed_entity`].
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

    /// Marks the end of the external entity that the parser requested: see [`Parser::finish_entity`].
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

    /// Skips the external entity that the parser asked for: see [`Parser::skip_entity`].
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

    /// Marks the end of the input without parsing the rest: call [`build`](TreeBuilder::build) or
    /// [`next_event`](TreeBuilder::next_event) for that.
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

    /// Ends the input, parses the rest, and returns the tree. The builder then contains an empty tree;
    /// [`reset`](TreeBuilder::reset) begins a new document.
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
    /// The error that ended the parse, as for [`feed`](TreeBuilder::feed). [`sink`](TreeBuilder::sink) returns the
    /// tree built before the error. If the builder waits for its host or for an external entity, the error is
    /// [`ErrorKind::Waiting`]. Nothing is lost then: call the method again after the answer.
    #[doc(alias("end", "close"))]
    pub fn finish(&mut self) -> Result<S, Error>
    where
        S: Default,
    {
        self.end()?;
        Ok(core::mem::take(self.construction.sink_mut()))
    }

    /// Ends the input and parses the rest, as [`finish`](TreeBuilder::finish) does, but does not return the tree. Use
    /// this method for sinks without a default value; [`into_sink`](TreeBuilder::into_sink) then returns the tree.
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
    /// The same as for [`finish`](TreeBuilder::finish).
    pub fn end(&mut self) -> Result<(), Error> {
        self.parser.finish();
        self.build()?;
        match self.status() {
            Status::Finished => Ok(()),
            _ => Err(self.parser.use_error(ErrorKind::Waiting)),
        }
    }

    /// Adds the input that was fed but not parsed yet to the tree, up to the next pause. Call this method after a
    /// pause or after the answer to a request.
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
    /// The same as for [`feed`](TreeBuilder::feed).
    pub fn build(&mut self) -> Result<(), Error> {
        if self.state.report {
            while self.next_event()?.is_some() {}
            return Ok(());
        }
        // The events are not returned here, so skip the work of creating each event a second time for the caller.
        while self.state.paused_at.is_none() {
            if !self.grow_many()? {
                self.take_end()?;
                break;
            }
        }
        self.construction.end_batch(self.parser.data());
        Ok(())
    }

    /// Adds one event to the tree and returns the event. Text comes in pieces, unless errors are reported or
    /// positions are recorded. Returns `None` if more input is needed, if the builder is paused, or at the end of the
    /// document.
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
    /// The same as for [`build`](TreeBuilder::build).
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        if self.state.report && (self.state.is_held || !self.state.errors.is_empty()) {
            return Ok(self.held_event());
        }
        if self.state.paused_at.is_some() {
            return Ok(None);
        }
        if !self.grow()? {
            return self.take_end();
        }
        self.construction.end_batch(self.parser.data());
        if self.state.report && self.take_errors() {
            self.state.is_held = true;
            return Ok(self.held_event());
        }
        Ok(self.parser.last_event())
    }

    /// Adds one event of the parser to the tree. Returns false if the parser has no event. At the start of a batch of
    /// events, first lets the construction set the state of the tokenizer.
    #[inline(always)]
    fn grow(&mut self) -> Result<bool, Error> {
        if self.parser.is_drained() && !self.next_batch()? {
            return Ok(false);
        }
        self.grow_one()
    }

    /// Fetches the next batch of events. Returns whether there is one. Not inline, so that a program contains the code
    /// once for each builder: it runs once for each batch.
    #[inline(never)]
    fn next_batch(&mut self) -> Result<bool, Error> {
        self.construction.end_batch(self.parser.data());
        self.construction.set_tokenizer_state(self.parser.machine());
        let has_changed =
            self.state.stops_at_change && matches!(self.confidence(), Confidence::Changed(_));
        if has_changed || !self.parser.has_event()? {
            return Ok(false);
        }
        if self.state.run_at_end.is_some() || self.parser.may_end_in_run() {
            let runs = self.parser.runs_of_batch(self.state.run_at_end);
            (self.state.run_before, self.state.run_at_end) = runs;
        } else {
            self.state.run_before = None;
        }
        let size = self.construction.sink().size();
        let read = || self.parser.read_before_run(self.state.run_before);
        let batch = self.parser.batch();
        let besides = self.construction.besides(batch.events, batch.bytes);
        self.state.guard.look_ahead(size, batch, besides, read);
        self.construction.sink_mut().keep_source(self.parser.data());
        Ok(true)
    }

    /// As [`grow`](Self::grow), for as many events of the batch as the construction takes at once.
    #[inline(always)]
    fn grow_many(&mut self) -> Result<bool, Error> {
        if self.parser.is_drained() && !self.next_batch()? {
            return Ok(false);
        }
        if !self.state.keeps_origins
            && !self.state.is_hosted
            && let Some(max_nodes) = self.state.guard.far()
        {
            let data = self.parser.data();
            let taken = self.construction.take_batch(data, max_nodes);
            self.parser.pass_events(taken);
            if self.state.guard.is_near(self.construction.sink().size()) {
                self.test_size()?;
            }
            if self.parser.is_drained() {
                return Ok(true);
            }
        }
        self.grow_one()
    }

    /// Adds the next event of the batch to the tree.
    #[inline(always)]
    fn grow_one(&mut self) -> Result<bool, Error> {
        match S::STORES_ORIGINS && self.state.keeps_origins {
            false => self.parser.pass_event(&mut self.construction),
            true => self.grow_with_origin()?,
        }
        if self.state.guard.is_near(self.construction.sink().size()) {
            self.test_size()?;
        }
        if self.state.is_hosted {
            self.state.paused_at = self.construction.script();
        }
        Ok(true)
    }

    /// Adds an event to the tree. The sink has the position of the event in the input meanwhile, and none afterwards.
    #[cold]
    fn grow_with_origin(&mut self) -> Result<(), Error> {
        if let Some(event) = self.parser.next_event()? {
            let (span, position) = (event.span(), event.position());
            let origin = Origin { span, position };
            let end_tag = match &event {
                Event::End(tag) => Some(tag.name()),
                _ => None,
            };
            let sink = self.construction.sink_mut();
            sink.set_origin(Some(origin));
            sink.set_end_tag(end_tag);
            self.construction.take(&event);
            // The program can take the sink after any event, and nodes that the program creates have no position.
            self.construction.sink_mut().set_origin(None);
        }
        Ok(())
    }

    /// Checks the size of the tree against the limits, and ends the parse with an error if it exceeds one.
    #[cold]
    fn test_size(&mut self) -> Result<(), Error> {
        self.construction.end_batch(self.parser.data());
        let size = self.construction.sink().size();
        let run = self.state.run_before;
        let is_text = matches!(self.parser.last_event(), Some(Event::Text(_)));
        let before = match is_text && self.parser.continues_run(run) {
            true => self.construction.size_before_run(),
            false => None,
        };
        let read = || self.parser.read_before_run(run);
        let tested = self.state.guard.test(size, (is_text, before), read);
        tested.map_err(|limit| self.parser.fail_limit(limit, run))
    }

    /// Handles the case that the parser has no more events. At the end of the document, this completes the tree;
    /// otherwise the builder may have to pause for a script that writes.
    #[cold]
    fn take_end(&mut self) -> Result<Option<Event<'_>>, Error> {
        if self.state.is_ended || self.parser.status() != Status::Finished {
            self.pause_at_writer();
            return Ok(None);
        }
        self.state.is_ended = true;
        self.construction.end();
        if self.state.keeps_origins {
            let length = self.parser.input_length();
            self.construction.sink_mut().input_ended(length);
        }
        self.test_size()?;
        if self.take_errors() {
            return Ok(self.held_event());
        }
        Ok(None)
    }

    /// Moves the parse errors that the construction found to the parser's list, and stores their indices in
    /// `own.errors`. Returns true if there are any.
    fn take_errors(&mut self) -> bool {
        let errors = self.construction.errors();
        if errors.is_empty() {
            return false;
        }
        self.state.errors = self.parser.take_errors(errors);
        true
    }

    /// Returns the next parse error that was not returned yet. After the last one, returns the event in which these
    /// errors were found.
    #[cold]
    fn held_event(&mut self) -> Option<Event<'_>> {
        if let Some(index) = self.state.errors.next() {
            let record = self.state.error.insert(self.parser.error_record(index));
            return Some(self.parser.error_event(record));
        }
        self.state.is_held = false;
        self.parser.last_event()
    }

    /// Returns the sink with the tree built so far.
    pub fn sink(&self) -> &S {
        self.construction.sink()
    }

    /// Returns the sink with the tree, and consumes the builder.
    ///
    /// ```
    /// use tagstream::{TreeBuilder, Xml};
    ///
    /// let mut builder = TreeBuilder::new(Xml::strict());
    /// assert!(builder.feed("<a></b>").is_err());
    /// assert_eq!(builder.into_sink().to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    // PERF: inlined in the program, the whole builder would be moved.
    #[inline(never)]
    pub fn into_sink(self) -> S {
        self.construction.into_sink()
    }

    /// Returns whether the builder has events, needs input, is paused or is finished.
    pub fn status(&self) -> Status {
        if self.state.is_held || !self.state.errors.is_empty() {
            Status::HasEvents
        } else if self.state.paused_at.is_some() {
            Status::Paused
        } else if !self.state.is_ended && self.parser.status() == Status::Finished {
            // `take_end` has not completed the tree yet.
            Status::HasEvents
        } else {
            self.parser.status()
        }
    }

    /// Returns the encoding of the input, or `None` if the input so far does not determine it.
    pub fn encoding(&self) -> Option<Encoding> {
        self.parser.encoding()
    }

    /// Returns statistics on the work of the parser.
    pub fn stats(&self) -> Stats {
        self.parser.stats()
    }
}

#[cfg(feature = "inspect")]
impl<D: Balance + Dialect<Form = Nested>, S: TreeSink> TreeBuilder<D, S> {
    /// Returns the handles of the open elements, from the root on.
    #[doc(hidden)]
    pub fn open_nodes(&self) -> Vec<S::Handle> {
        let open = self.construction.open.iter().skip(1);
        open.map(|(element, _)| *element).collect()
    }
}
