//! Streaming rewriter: passes a document on with the edits that a program makes. Everything that is not edited stays
//! the same, byte for byte.
//!
//! The data flow: `feed` gives each chunk to the [`Parser`] and to the output buffer ([`OutputBuffer`]). The program
//! gets one event at a time and edits it. Each edit is validated when it is called (`checks.rs`), recorded ([`Edits`]),
//! and applied when the event is dropped (`apply.rs`): input before the event is copied, input that is replaced is
//! omitted, and new content is written in the encoding of the input. Edits of the end of an element wait on a stack
//! ([`ElementEnd`]). Where bytes become adjacent that were not adjacent in the input, one table says how to keep them
//! apart (`seam.rs`).
//!
//! Invariant: nothing depends on where the input is cut into chunks. No decision uses the batch that the parser has
//! read, the number of pieces of a text, or the output that the program has taken.

// This module is first, so that the page of `Rewriter` begins with `new`.
mod new;

mod apply;
mod attributes;
mod beginning;
#[cfg(feature = "checkpoints")]
mod checkpoint;
mod checks;
mod content;
mod edits;
mod elements;
mod encode;
mod event;
mod fragment;
mod implied;
mod input;
mod namespaces;
mod output;
mod place;
mod raw_text;
#[cfg(all(feature = "html", feature = "tree"))]
pub mod sanitize;
mod seam;
mod state;
mod tag;
#[cfg(feature = "select")]
mod unselected;

pub use edits::Content;
pub use event::RewriteEvent;

use crate::engine::dialect::{AsWritten, Balance, Form};
use crate::engine::error::{Error, Position};
use crate::engine::event::Event;
use crate::engine::event::record::Record;
use crate::engine::input::chunk::{Chunk, ChunkParts};
use crate::engine::limits::{Limits, Stats};
use crate::engine::parser::{Parser, Status};
#[cfg(feature = "select")]
use crate::select::{IntoSelector, SelectorError, SelectorId, SelectorSet};
use crate::write::Refusal;
use alloc::vec::Vec;
use state::RewriterState;

/// Passes a document on, with changes: you feed chunks of the input, edit the events, and take the output in chunks.
/// Input that no edit affects is output unchanged, byte for byte, in any encoding.
///
/// A rewriter has two forms. With [`balanced`](Rewriter::balanced), elements begin and end as in the tree that a browser
/// builds, also where the page has no tags for them. [`Rewriter::new`] alone reads the tags as they are written, as lol_html
/// does: that is faster, and enough for edits of attributes, texts and comments, but an element without an end tag ends
/// only where an element around it ends, and a tag that is missing in the page is not found:
///
/// ```
/// use tagstream::{Form, Html, Rewriter};
///
/// type Failed = Box<dyn std::error::Error>;
///
/// /// Removes the elements that a selector selects, and returns the page and the number of these elements.
/// fn without<F: Form>(mut rewriter: Rewriter<Html, F>, selector: &str) -> Result<(String, usize), Failed> {
///     let selected = rewriter.select(selector)?;
///     rewriter.feed("<div><p data-if>a<p>b</div>");
///     rewriter.finish();
///     let mut count = 0;
///     while let Some(mut event) = rewriter.next_selected()? {
///         if event.is_selected(selected) {
///             event.remove()?;
///             count += 1;
///         }
///     }
///     Ok((String::from_utf8(rewriter.take_output())?, count))
/// }
///
/// // In the tree, the second paragraph ends the first one.
/// let balanced = || Rewriter::new(Html::default()).balanced();
/// assert_eq!(without(balanced(), "[data-if]")?.0, "<div><p>b</div>");
///
/// // As written, only the end of the `div` ends it.
/// let written = || Rewriter::new(Html::default());
/// assert_eq!(without(written(), "[data-if]")?.0, "<div></div>");
///
/// // The tree has a `head`, although the page has no tag for it.
/// let mut rewriter = balanced();
/// let head = rewriter.select("head")?;
/// rewriter.feed("<p>a");
/// assert!(rewriter.next_selected()?.is_some_and(|event| event.is_selected(head)));
/// let mut rewriter = written();
/// rewriter.select("head")?;
/// rewriter.feed("<p>a");
/// assert!(rewriter.next_selected()?.is_none());
/// # Ok::<(), Failed>(())
/// ```
///
/// # Chunks
///
/// Chunks can end anywhere. The output is complete up to the last event:
///
/// ```
/// use tagstream::{Html, RewriteError, Rewriter};
///
/// fn main() -> Result<(), RewriteError> {
///     let mut rewriter = Rewriter::new(Html::default());
///     let mut out = Vec::new();
///     for chunk in ["<!DOCTYPE html><P>See <A HR", "EF='/b'>this</A>"] {
///         rewriter.feed(chunk);
///         while let Some(mut event) = rewriter.next_event()? {
///             if event.as_start().is_some_and(|tag| tag.name() == "a") {
///                 event.set_attribute("rel", "nofollow")?;
///             }
///         }
///         rewriter.output_to(&mut out);
///     }
///     rewriter.finish();
///     while rewriter.next_event()?.is_some() {}
///     rewriter.output_to(&mut out);
///     assert_eq!(out, b"<!DOCTYPE html><P>See <A HREF='/b' rel=\"nofollow\">this</A>");
///     Ok(())
/// }
/// ```
///
/// # Selectors
///
/// With [`select`](Rewriter::select), CSS selectors find the elements to edit, and
/// [`next_selected`](Rewriter::next_selected) returns only their start tags:
///
/// ```
/// use tagstream::{Html, Rewriter};
///
/// let mut rewriter = Rewriter::new(Html::default());
/// let links = rewriter.select("a[href]")?;
/// let images = rewriter.select("main img")?;
/// rewriter.feed("<main><a href=/b><img src=c></a></main><a>d</a>");
/// rewriter.finish();
/// while let Some(mut event) = rewriter.next_selected()? {
///     if event.is_selected(links) {
///         event.set_attribute("rel", "nofollow")?;
///     }
///     if event.is_selected(images) {
///         event.set_attribute("loading", "lazy")?;
///     }
/// }
/// let expected = "<main><a href=/b rel=\"nofollow\"><img src=c loading=\"lazy\"></a></main><a>d</a>";
/// assert_eq!(rewriter.output(), expected.as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Two forms
///
/// [`Rewriter::new`] reads tags as they are written, like [`Parser::new`]: an element begins at its start tag and ends
/// at the next end tag with its name, at the end tag of an element around it, or at the end of the input. With
/// [`balanced`](Rewriter::balanced), the events are those of tree construction, in the order of the input, and every
/// start has its end: what is edited is what the tree has. In HTML, a tag that is missing in the page [is
/// implied](crate::StartTag::is_implied), and it is written if you edit it; an element whose end tag is missing ends
/// where the standard says.
///
/// # Errors of edits
///
/// An edit that cannot be made is refused when its method is called. Whether content can be inserted at the end of an
/// element is known only there: if tree construction has moved that end, if a formatting element is opened again, or if
/// the input ends inside a token, the next call of `next_event` returns [`RewriteError::Refused`] with the position.
/// Nothing is inserted then, and the rewriter can be used further. The same error follows an element that was removed,
/// renamed, unwrapped or given new contents, and whose end shows that the rest of the page is read differently without
/// it: the tag that ends it would have another meaning, the parser copies it, or an SVG element in it stays open. Such an
/// edit is made already; a program that needs the tree unchanged otherwise has to reject the page.
///
/// Content beside a start tag is at the place of that tag in the input. If tree construction moves the element, or moves
/// nodes out of a table, the content stays where it is.
///
/// Markup that the parser ignores, such as an end tag that closes nothing, stays in the output. It can take effect if an
/// edit removes, unwraps or renames the element because of which it was ignored: in `<select><select>`, the second tag
/// ends the element; if the first one is unwrapped, the second one begins an element.
///
/// # Text
///
/// A run of text arrives in pieces, so that the rewriter buffers no more than the largest tag. After the last piece,
/// [`is_last`](RewriteEvent::is_last) is true, either for this piece or for an empty text after it. New text of a piece
/// inside a CDATA section stays inside it, unless a character of the text needs a reference.
///
/// Inserted content is written in the encoding of the input. A character that the encoding does not contain becomes a
/// character reference, where references are allowed. Names are those of the events, so names of HTML elements are in
/// lowercase.
#[derive(Clone, Debug)]
#[doc(alias = "HtmlRewriter")]
pub struct Rewriter<D: Balance, F = AsWritten> {
    parser: Parser<D, F>,
    #[cfg(feature = "select")]
    selectors: SelectorSet<D>,
    state: RewriterState,
    /// True after a piece of text that more pieces of the same run may follow.
    is_in_text: bool,
    /// The record of the empty text that ends a run of text, while this text is the current event.
    empty: Option<Record>,
    /// True if `finish` was called. The parser is informed when it has read all input.
    is_finishing: bool,
}

/// The error for a document that cannot be read, or an edit that cannot be applied.
///
/// ```
/// use tagstream::{Html, RewriteError, Rewriter};
///
/// let mut rewriter = Rewriter::new(Html::default());
/// rewriter.feed("<p><b>");
/// while let Ok(Some(mut event)) = rewriter.next_event() {
///     if event.as_start().is_some_and(|tag| tag.name() == "b") {
///         let error = event.rename("<").unwrap_err();
///         assert_eq!(error.to_string(), "1:4: this is not a valid name: `<`");
///     }
/// }
/// // The edit is not applied, and everything else continues.
/// assert_eq!(rewriter.output(), b"<p><b>");
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RewriteError {
    /// The document cannot be parsed further.
    #[error("{0}")]
    Read(#[from] Error),
    /// An edit of the event at this position cannot be applied.
    #[error("{1}: {0}")]
    Refused(#[source] Refusal, Position),
}

crate::engine::error::debug_as_display!(RewriteError);

/// Returns the error of the parse unchanged. For a refused edit, see [`ErrorKind::Other`](crate::ErrorKind::Other).
impl From<RewriteError> for Error {
    fn from(error: RewriteError) -> Error {
        match error {
            RewriteError::Read(error) => error,
            RewriteError::Refused(..) => Error::other(error),
        }
    }
}

impl<D: Balance, F: Form> Rewriter<D, F> {
    /// Sets the limits. Call this method before the first `feed`. A rewriter counts its open elements, and the edits that
    /// wait for their ends, apart from the memory of its parser; neither may exceed [`Limits::memory`].
    #[must_use]
    #[doc(alias = "memory_settings")]
    pub fn limits(mut self, limits: Limits) -> Rewriter<D, F> {
        let parser = self.parser.limits(limits);
        self.state.elements.set_memory(parser.limits_set().memory);
        Rewriter { parser, ..self }
    }

    /// Sets the sizes of windows, chunks and batches. The results do not depend on them.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    #[must_use]
    pub fn inspect_sizes(mut self, sizes: crate::engine::input::sizes::Sizes) -> Rewriter<D, F> {
        self.state.elements.set_sizes(&sizes);
        self.state.edits.attributes.set_sizes(&sizes);
        Rewriter {
            parser: self.parser.inspect_sizes(sizes),
            ..self
        }
    }

    /// Adds a selector, which is matched against the start tags that follow. Call it before the first `feed`, as often
    /// as you like. A selector that is added later does not take the open elements into account, and selects no element
    /// whose start tag was read before.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// let titles = rewriter.select("entry > title")?;
    /// rewriter.feed("<feed><title/><entry><title/></entry></feed>");
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.is_selected(titles) {
    ///         event.append("new")?;
    ///     }
    /// }
    /// let expected = "<feed><title/><entry><title>new</title></entry></feed>";
    /// assert_eq!(rewriter.output(), expected.as_bytes());
    /// assert_eq!(rewriter.select("title:empty").unwrap_err().offset(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A selector that is not valid, or one that start tags do not decide, such as `:last-child`: see
    /// [`SelectorSet::add`].
    #[cfg(feature = "select")]
    pub fn select<'s>(
        &mut self,
        selector: impl IntoSelector<'s>,
    ) -> Result<SelectorId, SelectorError> {
        self.selectors.add(selector)
    }

    /// Adds a chunk of the input: see [`Parser::feed`].
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a><");
    /// while rewriter.next_event()?.is_some() {}
    /// assert_eq!(rewriter.output(), b"<a>");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    #[doc(alias = "write")]
    pub fn feed(&mut self, chunk: impl Chunk) {
        if self.state.edits.is_kept {
            self.end_kept();
        }
        let parts = chunk.into_parts();
        if self.is_finishing {
            // The parser reports that it was fed after the end.
            self.parser.finish();
            return self.parser.feed_parts(parts);
        }
        let is_text = parts.is_text;
        let bytes = parts.into_bytes();
        self.state.output.feed(&bytes);
        self.parser.feed_parts(ChunkParts::shared(bytes, is_text));
    }

    /// Marks the end of the input. Afterwards, call `next_event` until it returns `None`, and take the output.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a>text <");
    /// rewriter.finish();
    /// while rewriter.next_event()?.is_some() {}
    /// assert_eq!(rewriter.output(), b"<a>text <");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    #[doc(alias = "end")]
    pub fn finish(&mut self) {
        self.is_finishing = true;
    }

    /// Returns the next event, which you can edit; returns `None` as [`Parser::next_event`] does.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::strict());
    /// rewriter.feed("<a id='1'/>");
    /// if let Some(mut event) = rewriter.next_event()? {
    ///     event.set_attribute("id", 2)?;
    /// }
    /// assert_eq!(rewriter.output(), br#"<a id="2"/>"#);
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An error of the parse, after all events before it. Or an edit whose result is known at the end of an element only; in
    /// this case, the rewriter can be used further. The reason is `moved` if the parser moves or repeats the element or
    /// its contents, `foreign` if the edit changes which tags are SVG or MathML, `cut` if the input ends inside the markup
    /// before the place, `raw-text` if the content would end the element, and `passed` if the output is written beyond the
    /// place.
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<RewriteEvent<'_>>, RewriteError> {
        self.next(false)
    }

    /// Returns the next start tag that a selector selects, and passes everything before it on.
    ///
    /// # Errors
    ///
    /// The same as for [`next_event`](Rewriter::next_event).
    #[cfg(feature = "select")]
    #[inline]
    pub fn next_selected(&mut self) -> Result<Option<RewriteEvent<'_>>, RewriteError> {
        self.next(true)
    }

    /// Returns the event that was [kept](RewriteEvent::keep), with its edits, or `None` if it has ended.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a>");
    /// assert!(rewriter.current().is_none());
    /// if let Some(event) = rewriter.next_event()? {
    ///     event.keep();
    /// }
    /// assert!(rewriter.current().is_some_and(|event| event.as_start().is_some()));
    /// assert!(rewriter.current().is_none(), "the event was dropped, and not kept");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    pub fn current(&mut self) -> Option<RewriteEvent<'_>> {
        if !self.state.edits.is_kept {
            return None;
        }
        self.state.edits.is_kept = false;
        self.lend()
    }

    /// Ends the event that was kept, and applies its edits.
    #[cold]
    fn end_kept(&mut self) {
        drop(self.current());
    }

    #[inline]
    fn next(&mut self, only_selected: bool) -> Result<Option<RewriteEvent<'_>>, RewriteError> {
        if self.state.edits.is_kept {
            self.end_kept();
        }
        match self.advance(only_selected)? {
            true => Ok(self.lend()),
            false => Ok(None),
        }
    }

    /// Returns the event at which the rewriter is.
    #[inline]
    fn lend(&mut self) -> Option<RewriteEvent<'_>> {
        let event = match &self.empty {
            None => self.parser.last_event(),
            Some(record) => Some(self.parser.empty_text(record)),
        };
        // The run of text ended before its empty last piece.
        let is_last = !self.is_in_text && matches!(event, Some(Event::Text(_)));
        let state = &mut self.state;
        #[cfg(feature = "select")]
        let selected = self.selectors.selected();
        let document = &self.parser;
        event.map(|event| RewriteEvent {
            event,
            state,
            document,
            #[cfg(feature = "select")]
            selected,
            is_last,
        })
    }

    /// Moves to the next event that the program gets. Returns false if there is none yet.
    #[inline]
    fn advance(&mut self, only_selected: bool) -> Result<bool, RewriteError> {
        self.empty = None;
        loop {
            if self.state.has_pending() {
                self.state.settle()?;
            }
            #[cfg(feature = "select")]
            if only_selected && !F::IS_TREE && self.parser.is_drained() && self.pass_raw_text() {
                return Ok(false);
            }
            if !self.parser.has_event()? {
                match self.wait()? {
                    Waiting::Continue => continue,
                    Waiting::Text if !only_selected => return Ok(true),
                    Waiting::Text => continue,
                    Waiting::Input => return Ok(false),
                }
            }
            self.state.output.encode.encoding = self.parser.encoding();
            if self.is_in_text && self.ends_text() {
                self.end_text();
                if !only_selected && self.state.omitted.is_none() {
                    return Ok(true);
                }
                self.empty = None;
            }
            let Some(is_entered) = self.pass_unselected(only_selected) else {
                continue;
            };
            let released = self.released();
            let Some(event) = self.parser.last_event() else {
                continue;
            };
            // The token that exceeds the limit of memory can be a piece of a text, or a whole text.
            if F::IS_TREE
                && matches!(event, Event::Text(_))
                && let Some(at) = self.parser.out_of_memory_at()
                && event.span().start >= at
            {
                continue;
            }
            let (ended, is_lent) = self.state.pass(&event, released);
            #[cfg(feature = "select")]
            let is_selected =
                pass_selectors(&mut self.selectors, &self.state, &event, ended, is_entered);
            #[cfg(not(feature = "select"))]
            let (_, is_selected) = (ended, is_entered);
            if let Event::Text(text) = event {
                // A run of text ends with this piece only if the next event is known, ends a run, and begins where the
                // piece ends.
                let is_html = self.state.is_html();
                let next = self.parser.coming().filter(|next| ends_run(next, is_html));
                let end = self.state.place.span.end;
                self.is_in_text =
                    text.is_piece() || next.is_none_or(|next| next.span().start != end);
            }
            if is_lent && (!only_selected || is_selected) {
                return Ok(true);
            }
        }
    }

    /// Advances to the next event that has to be processed as the current event: see `unselected.rs`. Returns true if the
    /// selectors have entered the event, and selected it. Returns `None` if all events of the batch are passed.
    #[inline]
    fn pass_unselected(&mut self, only_selected: bool) -> Option<bool> {
        #[cfg(feature = "select")]
        if only_selected && self.state.is_idle() && !F::IS_TREE {
            return self.pass_run();
        }
        let _ = only_selected;
        self.parser.pass();
        Some(false)
    }

    /// Returns true if the next event ends the current run of text.
    #[inline]
    fn ends_text(&self) -> bool {
        let next = self.parser.coming();
        next.is_some_and(|next| ends_run(&next, self.state.is_html()))
    }

    /// Returns the offset of a delayed text that may follow the next event: see
    /// [`released_start`](crate::Parser::released_start).
    #[inline]
    fn released(&self) -> u64 {
        match F::IS_TREE {
            true => self.parser.released_start(),
            false => u64::MAX,
        }
    }

    /// Ends a run of text with an empty text.
    #[cold]
    fn end_text(&mut self) {
        self.is_in_text = false;
        let record = self.parser.empty_record();
        // The record of an event that was delayed does not know the offset of the event.
        let next = match self.parser.coming() {
            Some(event) => event.span(),
            None => self.parser.empty_text(&record).span(),
        };
        let released = self.released();
        self.state.pass_empty_text(next, released);
        self.empty = Some(record);
    }

    /// Called if the parser has no event. Ends the input, and skips external entities, because a rewriter does not
    /// request them from the program.
    #[cold]
    fn wait(&mut self) -> Result<Waiting, RewriteError> {
        // The encoding can be undecided before the end of the input.
        self.state.output.encode.encoding = self.parser.encoding();
        if let Status::NeedsEntity(_) = self.parser.status() {
            self.parser.skip_entity();
            return Ok(Waiting::Continue);
        }
        if self.is_finishing && self.state.place.input.limit.is_none() {
            self.state.place.input.limit = Some(self.parser.earliest_start());
            self.state.place.input.end = self.state.output.end();
            self.parser.finish();
            return Ok(Waiting::Continue);
        }
        if self.state.place.input.limit.is_none() || self.state.place.input.is_ended {
            return Ok(Waiting::Input);
        }
        if self.is_in_text {
            self.end_text();
            if self.state.omitted.is_none() {
                return Ok(Waiting::Text);
            }
        }
        let record = self.parser.empty_record();
        let position = self.parser.empty_text(&record).position();
        self.state.finish(position);
        self.state.settle()?;
        Ok(Waiting::Input)
    }

    /// Returns the output that was not returned before. This is the output up to the end of the current event. Once
    /// `next_event` has returned `None`, the output contains all input that cannot be affected by later events.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a><b/>");
    /// rewriter.next_event()?;
    /// assert_eq!(rewriter.output(), b"<a>");
    /// rewriter.next_event()?;
    /// assert_eq!(rewriter.output(), b"<b/>");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    pub fn output(&mut self) -> &[u8] {
        let (to, is_end) = self.passed();
        self.state.output.take(to, is_end)
    }

    /// Like [`output`](Rewriter::output), but appends the output to a buffer. Unchanged input is copied only once, which
    /// is faster.
    pub fn output_to(&mut self, buffer: &mut Vec<u8>) {
        let (to, is_end) = self.passed();
        self.state.output.take_into(to, is_end, buffer);
    }

    /// Like [`output`](Rewriter::output), but returns owned bytes.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a>");
    /// rewriter.next_event()?;
    /// assert_eq!(rewriter.take_output(), b"<a>");
    /// assert_eq!(rewriter.take_output(), b"");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    pub fn take_output(&mut self) -> Vec<u8> {
        Vec::from(self.output())
    }

    /// Returns the offset up to which the input is passed on, and true if that is all of it.
    fn passed(&mut self) -> (u64, bool) {
        if self.state.edits.is_kept {
            self.end_kept();
        }
        self.state.output.encode.encoding = self.parser.encoding();
        let next = match self.parser.is_drained() {
            true => self.parser.earliest_start(),
            false => 0,
        };
        let next = self
            .parser
            .out_of_memory_at()
            .map_or(next, |at| at.min(next));
        self.state.passed(next)
    }

    /// Returns the status of the parser: whether it needs input or is finished.
    pub fn status(&self) -> Status {
        match self.parser.status() {
            Status::NeedsInput if self.is_finishing && self.state.place.input.limit.is_none() => {
                Status::HasEvents
            }
            Status::Finished if !self.state.place.input.is_ended => Status::HasEvents,
            status => status,
        }
    }

    /// Returns statistics about the work done so far.
    pub fn stats(&self) -> Stats {
        self.parser.stats()
    }

    /// Starts a new document, and keeps the selectors: see [`Parser::reset`].
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a>");
    /// rewriter.next_event()?;
    /// rewriter.reset();
    /// rewriter.feed("<b>");
    /// rewriter.next_event()?;
    /// assert_eq!(rewriter.output(), b"<b>");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    pub fn reset(&mut self) {
        self.parser.reset();
        #[cfg(feature = "select")]
        self.selectors.reset();
        let RewriterState {
            syntax, top_level, ..
        } = self.state;
        let memory = self.state.elements.memory();
        self.state = RewriterState::new(syntax, top_level, F::IS_TREE);
        self.state.elements.set_memory(memory);
        (self.is_in_text, self.is_finishing) = (false, false);
    }
}

/// The state of a rewriter whose parser has no event.
enum Waiting {
    /// The parser may have an event now.
    Continue,
    /// An empty text ends a run of text.
    Text,
    /// The rewriter needs more input, or has passed all of it.
    Input,
}

/// Passes an event to the selectors. `ended` is the number of elements that it ends. `is_entered` is true if the
/// selectors have entered the event already, and selected it. Returns true if the event is selected.
#[cfg(feature = "select")]
#[inline]
fn pass_selectors<D: Balance>(
    selectors: &mut SelectorSet<D>,
    state: &RewriterState,
    event: &Event<'_>,
    ended: usize,
    is_entered: bool,
) -> bool {
    if selectors.is_empty() {
        return false;
    }
    match event {
        Event::Start(tag) => {
            let is_selected = is_entered || selectors.enter(tag);
            if state.place.closes_itself && state.has_no_end_event() {
                selectors.leave();
            }
            return is_selected;
        }
        Event::End(_) => (0..ended).for_each(|_| selectors.leave()),
        Event::Doctype(doctype) => selectors.doctype(doctype),
        _ => {}
    }
    selectors.clear_selected();
    false
}

/// Returns true if an event ends the run of text before it. In HTML, ignored markup does not: the tree has one text node
/// then.
fn ends_run(event: &Event<'_>, is_html: bool) -> bool {
    match event {
        Event::Text(text) => !is_html && text.is_first_piece(),
        Event::ParseError(_) | Event::EncodingChange(_) => false,
        // An ignored DOCTYPE in the text does not end the run.
        Event::ProcessingInstruction(instruction) => !instruction.is_in_doctype(),
        _ => true,
    }
}

crate::checkpoint::checkpointable! {
    enum RewriteError { Read(error), Refused(refusal, position) }
}
