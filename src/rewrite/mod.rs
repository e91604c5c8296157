//! Streaming rewriter: passes a document on with the edits that a program makes. Everything that is not edited stays
//! the same, byte for byte.
//!
//! The data flow: `feed` gives each chunk to the [`Parser`] and to the output buffer ([`Through`]). The program gets
//! one event at a time and records edits of it ([`Edits`]). When it asks for the next event or for the output,
//! [`Changes`](changes::Changes) applies the edits: input before the event is copied, input that is replaced is
//! omitted, and new text is written in the encoding of the input.

// This module is first, so that the page of `Rewriter` begins with `new`.
mod new;

mod apply;
mod attributes;
mod changes;
#[cfg(feature = "checkpoints")]
mod checkpoint;
mod edits;
mod encode;
mod event;
mod join;
#[cfg(all(feature = "html", feature = "tree"))]
pub mod sanitize;
mod through;

pub use edits::Content;
pub use event::RewriteEvent;

use crate::engine::dialect::{Balance, Syntax};
use crate::engine::error::{Error, Position};
use crate::engine::event::Event;
use crate::engine::event::record::Record;
use crate::engine::input::chunk::Chunk;
use crate::engine::limits::{Limits, Stats};
use crate::engine::parser::{Parser, Status};
use crate::write::Refusal;
use crate::write::html::ContentModel;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use edits::{Closing, Edits};
use through::Through;

/// Passes a document on, with changes: you feed chunks of the input, edit the events, and take the output in chunks.
/// Input that no edit affects is output unchanged, byte for byte, in any encoding.
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
///                 event.set_attribute("rel", "nofollow");
///             }
///         }
///         out.extend_from_slice(rewriter.output());
///     }
///     rewriter.finish();
///     while rewriter.next_event()?.is_some() {}
///     out.extend_from_slice(rewriter.output());
///     assert_eq!(out, b"<!DOCTYPE html><P>See <A HREF='/b' rel=\"nofollow\">this</A>");
///     Ok(())
/// }
/// ```
///
/// The events form a tree, in the order of the input: every start has its end. In HTML they are
/// [balanced](crate::html#balanced-events) events without delay: a tag that is missing in the page [is
/// implied](crate::StartTag::is_implied), and for an event whose node is at another position in the tree `is_moved`
/// returns true. If you edit an implied tag, it is written. The `body` element ends at the end of the input, as in the
/// standard. A run of text arrives in pieces, so that the rewriter buffers no more than the largest tag;
/// [`is_last`](RewriteEvent::is_last) is true for the last piece.
///
/// Inserted content is written in the encoding of the input. A character that the encoding does not contain becomes a
/// character reference, where references are allowed. If an edit cannot be written, the next call returns an `Err`, and
/// none of the edits of that event are applied. Names are those of the events, so names of HTML elements are in
/// lowercase.
#[derive(Clone, Debug)]
#[doc(alias = "HtmlRewriter")]
pub struct Rewriter<D: Balance> {
    parser: Parser<D>,
    syntax: Syntax,
    through: Through,
    edits: Edits,
    closings: Vec<Closing>,
    /// Number of open elements after the current event.
    depth: u64,
    /// Set while the contents of an element are omitted because an edit removes them: the depth of that element, and
    /// true if its tags are omitted too.
    leaves_out: Option<(u64, bool)>,
    /// True if the current event must be rewritten even if the program does not edit it: it ends an element that has
    /// pending edits, or it continues a run of text that was changed.
    is_closing: bool,
    /// True after a piece of text if more pieces of the same run may follow.
    is_in_run: bool,
    /// The record of the empty text that ends a run of text, while this empty text is the current event. `None`
    /// otherwise.
    empty: Option<Record>,
    /// True if the current piece of a run of text ends inside a CDATA section.
    is_in_cdata: bool,
    /// True if the current piece of a run of text begins inside a CDATA section.
    was_in_cdata: bool,
    /// True if an earlier piece of the current run of text was rewritten, so that the other pieces have to be rewritten
    /// too.
    is_run_changed: bool,
    /// True if the text of the current run cannot be edited, because the run contains a DOCTYPE after the start of the
    /// document, or `</` together with the start of a CDATA section.
    is_run_odd: bool,
    /// Offset in the input of the last reference to an external entity, which the rewriter has skipped.
    skipped_at: Option<u64>,
    /// Offset in the input up to which the current run of text was searched for DOCTYPEs and CDATA delimiters.
    run_to: u64,
    /// Content model of the innermost open element.
    holds: ContentModel,
    /// Name of the innermost open element, if `holds` is raw text.
    raw: String,
    /// Offset in the input up to which the edit of the last text has replaced the input. The input of an event before
    /// this offset was replaced too.
    left_out_to: Option<u64>,
    /// For elements whose omitted end tags would be at the current position: the end tags of elements with this depth
    /// or a greater one are already written. `u64::MAX` if none are written.
    closed_from: u64,
    /// The error that the next call of `next_event` returns.
    failed: Option<RewriteError>,
    /// True once `finish` was called.
    is_ending: bool,
    /// End offset of the last event that was not empty. Set only if `is_ending` or `tracks_cuts` is true.
    ended_to: u64,
    /// True if the last event that was not empty is markup without its closing delimiter.
    is_cut: bool,
    /// True if markup can lack its closing delimiter anywhere in the document, as in MicroXML. In all other dialects
    /// this is possible only at the end of the input.
    tracks_cuts: bool,
    /// True if the carriage return before the current piece of text is a part of that piece.
    has_return: bool,
    /// End offset in the input of the last piece of text.
    piece_to: u64,
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
///         event.rename("<");
///     }
/// }
/// // The edit is not applied, and everything else continues.
/// assert_eq!(rewriter.output(), b"<p><b>");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewriteError {
    /// The document cannot be parsed further.
    Read(Error),
    /// An edit of the event at this position cannot be applied.
    Refused(Refusal, Position),
}

impl fmt::Display for RewriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RewriteError::Read(error) => error.fmt(f),
            RewriteError::Refused(refusal, position) => write!(f, "{position}: {refusal}"),
        }
    }
}

impl core::error::Error for RewriteError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            RewriteError::Read(error) => Some(error),
            RewriteError::Refused(refusal, _) => Some(refusal),
        }
    }
}

/// Returns the error of the parse unchanged. For a refused edit, see [`ErrorKind::Other`](crate::ErrorKind::Other).
impl From<RewriteError> for Error {
    fn from(error: RewriteError) -> Error {
        match error {
            RewriteError::Read(error) => error,
            RewriteError::Refused(..) => Error::other(error),
        }
    }
}

impl From<Error> for RewriteError {
    fn from(error: Error) -> RewriteError {
        RewriteError::Read(error)
    }
}

impl<D: Balance> Rewriter<D> {
    /// Sets the limits. Call this method before the first `feed`.
    ///
    /// ```
    /// use tagstream::{Limits, Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default()).limits(Limits::default().depth(1));
    /// rewriter.feed("<a><b>");
    /// rewriter.next_event()?;
    /// assert!(rewriter.next_event().is_err());
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    #[must_use]
    #[doc(alias = "memory_settings")]
    pub fn limits(self, limits: Limits) -> Rewriter<D> {
        Rewriter {
            parser: self.parser.limits(limits),
            ..self
        }
    }

    /// Sets the sizes of windows, chunks and batches. The results do not depend on them.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    #[must_use]
    pub fn inspect_sizes(self, sizes: crate::engine::input::sizes::Sizes) -> Rewriter<D> {
        Rewriter {
            parser: self.parser.inspect_sizes(sizes),
            ..self
        }
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
        self.make();
        let chunk = chunk.into_parts();
        self.through.feed(chunk.as_ref());
        self.parser.feed_parts(chunk);
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
        self.make();
        self.is_ending = true;
        self.parser.finish();
    }

    /// Returns the next event, which you can edit; returns `None` as [`Parser::next_event`] does.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::strict());
    /// rewriter.feed("<a id='1'/>");
    /// if let Some(mut event) = rewriter.next_event()? {
    ///     event.set_attribute("id", 2);
    /// }
    /// assert_eq!(rewriter.output(), br#"<a id="2"/>"#);
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An error of the parse, after all events before it. Or an edit of the previous event that could not be applied;
    /// in this case, the rewriter can be used further.
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<RewriteEvent<'_>>, RewriteError> {
        if self.edits.is_some || self.is_closing {
            self.make();
        }
        if let Some(failed) = self.failed.take() {
            return Err(failed);
        }
        if !self.advance()? {
            return Ok(None);
        }
        if self.left_out_to.is_some() {
            self.check_left_out()?;
        }
        let event = match &self.empty {
            None => self.parser.last_event(),
            Some(record) => Some(self.parser.empty_text(record)),
        };
        let is_last = !self.is_in_run && matches!(event, Some(Event::Text(_)));
        let edits = &mut self.edits;
        Ok(event.map(|event| RewriteEvent {
            event,
            edits,
            is_last,
        }))
    }

    /// Moves to the next event that has to be returned to the program. Skips the events in removed elements. Returns
    /// false if the parser needs more input.
    #[inline]
    fn advance(&mut self) -> Result<bool, RewriteError> {
        self.empty = None;
        loop {
            let is_there = self.parser.has_event()?;
            if self.is_in_run && self.ends_run(is_there) {
                return Ok(true);
            }
            if !is_there {
                // External entities are skipped, because a rewriter does not request them from the program.
                if let Status::NeedsEntity(_) = self.parser.status() {
                    self.parser.skip_entity();
                    continue;
                }
                return Ok(false);
            }
            if self.pass() {
                return Ok(true);
            }
        }
    }

    /// Returns true if a run of text, whose last piece was not known to be the last, has ended. The program then gets
    /// an empty text as the last piece.
    #[cold]
    fn ends_run(&mut self, is_there: bool) -> bool {
        let ends = match self.parser.coming() {
            Some(event) => !matches!(event, Event::Text(_)),
            None => !is_there && self.parser.status() == Status::Finished,
        };
        if ends {
            self.is_in_run = false;
            self.end_run();
            if self.leaves_out.is_some() {
                return false;
            }
            self.empty = Some(self.parser.empty_record());
        }
        ends
    }

    /// Moves to the next event of the batch. Returns true if the event is returned to the program.
    #[inline(always)]
    fn pass(&mut self) -> bool {
        self.parser.pass_event(|_: Event<'_>| ());
        if self.is_ending || self.tracks_cuts {
            self.note_end();
        }
        let Some(event) = self.parser.last_event() else {
            return false;
        };
        match event {
            Event::Start(tag) => {
                self.depth += 1;
                self.closed_from = u64::MAX;
                if self.leaves_out.is_some() {
                    return false;
                }
                let (holds, drops_newline) = apply::content(self.syntax, &tag);
                self.holds = holds;
                if drops_newline {
                    self.through.set_dropping(tag.span().end);
                }
                if self.holds == ContentModel::RawText {
                    self.raw.clear();
                    self.raw.push_str(tag.name());
                }
            }
            Event::End(_) => {
                let depth = self.depth;
                self.depth = depth.saturating_sub(1);
                self.holds = ContentModel::All;
                self.is_closing = self.closings.last().is_some_and(|last| last.depth == depth);
                if let Some((left_out, with_it)) = self.leaves_out {
                    if left_out != depth {
                        return false;
                    }
                    self.end_left_out(with_it);
                    return !with_it;
                }
            }
            _ if self.leaves_out.is_some() => return false,
            Event::Text(text) => {
                self.closed_from = u64::MAX;
                let is_piece = text.is_piece();
                if is_piece || self.is_in_run {
                    let starts = !self.is_in_run;
                    self.pass_piece(is_piece, starts);
                } else if self.was_in_cdata
                    || self.is_in_cdata
                    || self.is_run_odd
                    || self.has_return
                {
                    (self.was_in_cdata, self.is_in_cdata) = (false, false);
                    (self.is_run_odd, self.has_return) = (false, false);
                }
            }
            Event::Declaration(declaration) => {
                self.through.set_nel(declaration.version() == Some("1.1"));
            }
            Event::SkippedEntity(entity) => self.skipped_at = Some(entity.span().start),
            _ => {}
        }
        true
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
        self.make();
        self.put_passed();
        self.through.take()
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

    /// Returns the status of the parser: whether it needs input or is finished.
    ///
    /// ```
    /// use tagstream::{Rewriter, Status, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a/>");
    /// rewriter.finish();
    /// while rewriter.next_event()?.is_some() {}
    /// assert_eq!(rewriter.status(), Status::Finished);
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    pub fn status(&self) -> Status {
        self.parser.status()
    }

    /// Returns statistics about the work done so far.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a/>");
    /// while rewriter.next_event()?.is_some() {}
    /// assert_eq!(rewriter.stats().text, 4);
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    pub fn stats(&self) -> Stats {
        self.parser.stats()
    }

    /// Starts a new document: see [`Parser::reset`].
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
        self.through.reset();
        self.edits.clear();
        self.closings.clear();
        self.raw.clear();
        (self.depth, self.holds) = (0, ContentModel::All);
        (self.leaves_out, self.empty, self.failed) = (None, None, None);
        self.left_out_to = None;
        (self.is_closing, self.is_in_run) = (false, false);
        (self.is_in_cdata, self.is_run_changed) = (false, false);
        (self.is_run_odd, self.skipped_at) = (false, None);
        (self.is_ending, self.is_cut, self.ended_to) = (false, false, 0);
        (self.was_in_cdata, self.has_return) = (false, false);
    }
}

crate::checkpoint::checkpointable! {
    enum RewriteError { Read(error), Refused(refusal, position) }
}
