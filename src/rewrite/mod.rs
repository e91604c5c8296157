//! Documents passed on with some changes: what is not changed stays as it was, byte for byte. It must not know
//! what a program wants changed.

// First, so that the page of `Rewriter` begins with `new`.
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
mod through;

pub use edits::Content;
pub use event::RewriteEvent;

use crate::dialect::{Balance, Syntax};
use crate::error::{Error, Position};
use crate::event::Event;
use crate::event::record::Record;
use crate::input::chunk::Chunk;
use crate::limits::{Limits, Stats};
use crate::parser::{Parser, Status};
use crate::write::Refusal;
use crate::write::html::Holds;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use edits::{Closing, Edits};
use through::Through;

/// Passes a document on, with changes: chunks go in, events come out, and so does the document, in chunks. What
/// no change touches is the same, byte for byte, in any encoding.
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
/// The events are a tree, in the order of the input: every start has its end. In HTML they are those of
/// [balanced](crate::html#balanced-events) events, with nothing held back: what a page does not write
/// [is implied](crate::StartTag::is_implied), and what it writes elsewhere than where the tree has it says
/// `is_moved`. An implied tag that is changed is written. The end of `body` is that of the input, as in the
/// standard. Text comes in pieces, so that no more is held than the largest tag;
/// [`is_last`](RewriteEvent::is_last) says where a run ends.
///
/// What is put in is written in the encoding of the input; what that cannot say becomes a reference, where there
/// may be one. What cannot be written is an `Err` of the next call, and no change is made to that event. Names are
/// those of the events, so those of HTML are in lower case.
#[derive(Clone, Debug)]
#[doc(alias = "HtmlRewriter")]
pub struct Rewriter<D: Balance> {
    parser: Parser<D>,
    syntax: Syntax,
    through: Through,
    edits: Edits,
    closings: Vec<Closing>,
    /// How many elements are open behind the event in hand.
    depth: u64,
    /// The element whose content is left out, and whether it is too.
    leaves_out: Option<(u64, bool)>,
    /// What waits for the end in hand is to be made.
    is_closing: bool,
    /// Text has come of which there may be more.
    is_in_run: bool,
    /// The event in hand is the empty end of such a text.
    empty: Option<Record>,
    /// The run goes on in a CDATA section; a piece before it was changed.
    is_in_cdata: bool,
    was_in_cdata: bool,
    is_run_changed: bool,
    /// A late DOCTYPE stands in the run.
    is_run_odd: bool,
    /// An entity that was not read has its place here.
    skipped_at: Option<u64>,
    /// Such a run was looked at up to here.
    run_to: u64,
    /// What the innermost element holds, and its name if that is text as it stands.
    holds: Holds,
    raw: String,
    /// Text was changed up to here, which no event behind it may have too.
    left_out_to: Option<u64>,
    /// The ends of elements so deep, and deeper, are written, of those that end here.
    closed_from: u64,
    failed: Option<RewriteError>,
    /// The end of the input was told.
    is_ending: bool,
    /// Since then events came up to this offset; whether the last of them was markup without its end.
    ended_to: u64,
    is_cut: bool,
    /// Markup may have no end of its own anywhere.
    tracks_cuts: bool,
    /// A carriage return before the piece in hand is of that.
    has_return: bool,
    /// Where the last piece ended.
    piece_to: u64,
}

/// Why a document was not passed on, or a change not made.
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
/// // The change was not made, and all else goes on.
/// assert_eq!(rewriter.output(), b"<p><b>");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewriteError {
    /// The document could not be read on.
    Read(Error),
    /// A change could not be made, of the event in this place.
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

/// An error of the parse is that error; see [`ErrorKind::Other`](crate::ErrorKind::Other) for a change that was refused.
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
    /// Sets the limits; call it before the first feed.
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

    /// Sets the sizes of windows, chunks and batches, on which nothing depends.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    #[must_use]
    pub fn inspect_sizes(self, sizes: crate::input::sizes::Sizes) -> Rewriter<D> {
        Rewriter {
            parser: self.parser.inspect_sizes(sizes),
            ..self
        }
    }

    /// Takes a chunk of the input: see [`Parser::feed`].
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
        let chunk = chunk.give();
        self.through.feed(chunk.as_ref());
        self.parser.feed_given(chunk);
    }

    /// Says that the input ends here. Ask for events once more until there are none, and for the output.
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

    /// The next event, with which something may be done; `None` as of [`Parser::next_event`].
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
    /// What ends the parse, once all events before it were given out; what of the event before could not be
    /// changed, which ends nothing.
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

    /// Goes on to the next event that is lent; gives whether there is one.
    #[inline]
    fn advance(&mut self) -> Result<bool, RewriteError> {
        self.empty = None;
        loop {
            let is_there = self.parser.has_event()?;
            if self.is_in_run && self.ends_run(is_there) {
                return Ok(true);
            }
            if !is_there {
                // What the program was not asked for is not read.
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

    /// Whether the run of text has come to its end, which is lent as a text of its own.
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

    /// Goes on to the next event of the batch; gives whether it is lent.
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
                self.holds = apply::holds(self.syntax, &tag);
                if apply::drops_line_feed(tag.name()) {
                    self.through.set_dropping(tag.span().end);
                }
                if self.holds == Holds::RawText {
                    self.raw.clear();
                    self.raw.push_str(tag.name());
                }
            }
            Event::End(_) => {
                let depth = self.depth;
                self.depth = depth.saturating_sub(1);
                self.holds = Holds::All;
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

    /// What can be put out: all that is passed, once there was no event any more, and else up to the event
    /// that was lent last. It is put out once.
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

    /// The same, to keep.
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

    /// What is waited for.
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

    /// The work done so far.
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

    /// Begins a new document: see [`Parser::reset`].
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
        (self.depth, self.holds) = (0, Holds::All);
        (self.leaves_out, self.empty, self.failed) = (None, None, None);
        self.left_out_to = None;
        (self.is_closing, self.is_in_run) = (false, false);
        (self.is_in_cdata, self.is_run_changed) = (false, false);
        (self.is_run_odd, self.skipped_at) = (false, None);
        (self.is_ending, self.is_cut, self.ended_to) = (false, false, 0);
        (self.was_in_cdata, self.has_return) = (false, false);
    }
}
