//! Applying the edits of an event: determines which byte range of the input the event covers and which other tags have
//! to be written, and calls [`Changes`] to write the output.

use super::changes::Changes;
use super::edits::{Closing, Edits};
use super::{RewriteError, Rewriter};
use crate::engine::dialect::{Balance, Syntax};
use crate::engine::error::Span;
use crate::engine::event::{Event, StartTag, Text};
use crate::engine::namespaces::HTML_INDEX;
use crate::engine::parser::Status;
use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts;
use crate::write::html::ContentModel;
use crate::write::{Reason, Refusal, sure};
use alloc::string::String;
use alloc::vec::Vec;

/// Returns the content model of the element that a start tag opens, and true if the parser ignores a newline directly
/// after the tag. In raw text elements, text is not escaped.
#[inline(always)]
pub(super) fn content(syntax: Syntax, tag: &StartTag<'_>) -> (ContentModel, bool) {
    let scripting = match syntax {
        Syntax::Xml | Syntax::LeafXml | Syntax::MicroXml { .. } => {
            return (ContentModel::All, false);
        }
        Syntax::Sky if matches!(tag.name(), "script" | "style") => {
            return (ContentModel::RawText, false);
        }
        Syntax::Sky => return (ContentModel::All, false),
        Syntax::Html { scripting } => scripting,
    };
    let Some(name) = ElementName::find(tag.name()) else {
        return (ContentModel::All, false);
    };
    let holds = if tag.namespace_index() != HTML_INDEX {
        ContentModel::All
    } else if html_facts::unescaped(scripting).holds(name) {
        ContentModel::RawText
    } else if html_facts::ESCAPABLE_TEXT.holds(name) {
        ContentModel::Text
    } else {
        ContentModel::All
    };
    (holds, html_facts::DROPS_NEWLINE.holds(name))
}

/// Returns true if the element has no separate end tag: void elements of HTML, and elements with an empty-element tag
/// elsewhere.
fn closes_itself(syntax: Syntax, tag: &StartTag<'_>) -> bool {
    let is_html = matches!(syntax, Syntax::Html { .. }) && tag.namespace_index() == HTML_INDEX;
    match is_html {
        true => html_facts::VOID.contains(tag.name()),
        false => tag.is_self_closing(),
    }
}

impl<D: Balance> Rewriter<D> {
    /// Applies the pending edits to the current event. A refused edit is dropped; the next call of `next_event` returns
    /// the error.
    pub(super) fn make(&mut self) {
        self.through.forget_taken();
        if !self.edits.is_some && !self.is_closing {
            return;
        }
        self.through.set_encoding(self.parser.encoding());
        let edits = core::mem::take(&mut self.edits);
        let before = self.through.before();
        // The end of an element is written even if the program's edits of the end event are refused.
        if let Err(refusal) = self.make_event(edits) {
            self.through.go_back(before);
            self.refuse(refusal);
            if self.is_closing {
                let closed = self.make_event(Edits::default());
                self.forgive(closed);
            }
        }
        self.is_closing = false;
    }

    /// Called for the event after an edited text. Returns an error if the edit of the text has also replaced the input
    /// of this event. This happens with an entity whose replacement text contains several events, all of which have the
    /// byte range of the reference.
    #[cold]
    pub(super) fn check_left_out(&mut self) -> Result<(), RewriteError> {
        let to = self.left_out_to.take().unwrap_or(0);
        match self.parser.last_event() {
            Some(event) if self.empty.is_none() => {
                let span = event.span();
                let is_in = span.start < to && span.start < span.end;
                let refusal = || Refusal::new(Reason::Passed, "");
                match is_in {
                    true => Err(RewriteError::Refused(refusal(), event.position())),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Stores the refusal of an edit with the position of the current event. The next call of `next_event` returns it
    /// as an error.
    #[cold]
    fn refuse(&mut self, refusal: Refusal) {
        let event = match &self.empty {
            None => self.parser.last_event(),
            Some(record) => Some(self.parser.empty_text(record)),
        };
        let position = event.map(|event| event.position());
        self.failed = position.map(|position| RewriteError::Refused(refusal, position));
    }

    fn forgive(&mut self, made: Result<(), Refusal>) {
        if let Err(refusal) = made {
            self.refuse(refusal);
        }
    }

    fn make_event(&mut self, edits: Edits) -> Result<(), Refusal> {
        let event = match &self.empty {
            None => self.parser.last_event(),
            Some(record) => Some(self.parser.empty_text(record)),
        };
        let Some(event) = event else { return Ok(()) };
        let mut span = event.span();
        if let Event::Text(text) = event
            && self.empty.is_none()
        {
            span = self.place_of(&text, span)?;
        }
        let is_implied = match event {
            Event::Start(tag) => tag.is_implied(),
            Event::End(_) => span.start == span.end,
            _ => false,
        };
        if is_implied {
            // The tag is implied by the next token in the input. An earlier event may already cover the beginning of
            // that token, so the tag is inserted after the end of that event.
            let behind = self.parser.previous_end().unwrap_or(0);
            span.start = span.start.max(behind).max(self.through.done());
            span.end = span.start;
        }
        // True if the current event is a text that is the only event in its byte range. A run of text with a CDATA
        // section that is not closed before the end of the input is such a text, unless it is divided into pieces.
        let is_whole = matches!(event, Event::Text(text) if !text.is_piece() && !self.is_in_cdata);
        let is_cut = self.is_cut && (self.tracks_cuts || is_whole && self.empty.is_none())
            || is_implied
                && self.is_ending
                && span.start == self.through.end()
                && (self.is_cut
                    || self.ended_to < span.start && self.through.is_cut(self.ended_to));
        let begins = matches!(event, Event::Text(_))
            && self.holds == ContentModel::All
            && self.has_sections()
            && self.empty.is_none()
            && self.through.begins_section(span.start);
        let mut changes = Changes {
            through: &mut self.through,
            syntax: self.syntax,
            holds: self.holds,
            raw: &self.raw,
        };
        match event {
            Event::Start(_) | Event::Text(_) if is_cut && edits.is_some => {
                return Err(Refusal::new(Reason::Cut, ""));
            }
            Event::Start(tag) => {
                let leaves_out = changes.start(&tag, span, &edits)?;
                let is_self_closed = changes.is_self_closed(&tag);
                let is_opened = is_self_closed && edits.opens();
                let waits = edits.name.is_some()
                    || edits.is_unwrapped
                    || is_opened
                    || !edits.last.is_empty()
                    || !edits.after.is_empty();
                if waits {
                    let name = edits.name.as_deref().unwrap_or(tag.name());
                    // Write an omitted end tag, because it may not be optional for the new name.
                    let is_renamed = edits.name.is_some();
                    let becomes_void = is_renamed && html_facts::VOID.contains(name);
                    let needs_end = (is_renamed || !edits.after.is_empty())
                        && !closes_itself(self.syntax, &tag)
                        && !becomes_void;
                    self.closings.push(Closing {
                        depth: self.depth,
                        last: edits.last,
                        after: edits.after,
                        is_unwrapped: edits.is_unwrapped || becomes_void,
                        end_tag: (is_opened || needs_end).then(|| String::from(name)),
                        holds: self.holds,
                        raw: self.raw.clone(),
                        name: edits.name,
                    });
                }
                if leaves_out {
                    self.leaves_out = Some((self.depth, edits.is_removed));
                }
            }
            Event::End(tag) => {
                sure(
                    !edits.is_of_elements() && !edits.is_removed,
                    Reason::Edit,
                    tag.name(),
                )?;
                sure(edits.text.is_none(), Reason::Edit, tag.name())?;
                let closing = self.closings.last().filter(|_| self.is_closing);
                let puts =
                    |closing: &Closing| !closing.last.is_empty() || !closing.after.is_empty();
                if is_cut {
                    // The input ends inside markup, so nothing can be inserted at this position. The end tag need not
                    // be written, because the end of the input closes the element.
                    let puts = closing.is_some_and(puts)
                        || !(edits.before.is_empty() && edits.after.is_empty());
                    if self.is_closing {
                        self.closings.pop();
                    }
                    self.is_closing = false;
                    return sure(!puts, Reason::Cut, tag.name());
                }
                let is_closed =
                    closing.is_some_and(|one| one.end_tag.is_some() || one.is_unwrapped);
                let fills = !edits.before.is_empty() || is_closed || closing.is_some_and(puts);
                // Content that is inserted after an element must not become a part of it, so the element's own omitted
                // end tag is written.
                let is_own = !edits.after.is_empty() && !is_closed;
                // End tags of elements whose depth is at least `closed_from` are already written. The element that ends
                // here had the depth `self.depth + 1`.
                let outermost = self.depth + if is_own { 1 } else { 2 };
                let left = self.closed_from.saturating_sub(outermost);
                let ends = match fills || is_own {
                    true => self
                        .parser
                        .ends_left_out(is_own, left, |tag| closes_itself(self.syntax, &tag)),
                    false => Vec::new(),
                };
                if fills || is_own {
                    self.closed_from = outermost - u64::from(is_closed);
                }
                changes.end((&tag, span), &edits, closing, &ends)?;
                if self.is_closing {
                    self.closings.pop();
                }
            }
            Event::Text(text) => {
                sure(!edits.is_of_elements(), Reason::Edit, text.as_str())?;
                let cdata = (self.was_in_cdata || begins, self.is_in_cdata);
                let is_changed = changes.text(&text, span, &edits, cdata, self.is_run_changed)?;
                if is_changed && self.is_in_cdata && !self.is_in_run {
                    let end = self.through.end_of("]]>", self.through.done());
                    // True if the input ends inside the CDATA section.
                    let is_open = end == self.through.done() && self.is_ending;
                    let to = if is_open { self.through.end() } else { end };
                    self.through.leave_out_to(to);
                }
                self.is_run_changed = (self.is_run_changed || is_changed) && self.is_in_run;
                self.left_out_to = Some(self.through.done());
            }
            _ => {
                let is_comment = matches!(event, Event::Comment(_));
                let is_well = !edits.is_of_elements() && (edits.text.is_none() || is_comment);
                sure(is_well, Reason::Edit, "")?;
                changes.other(span, &edits)?;
            }
        }
        Ok(())
    }

    /// Returns the byte range of a text in the input. Returns a refusal if another event covers a part of the same
    /// range, so that the text cannot be edited separately.
    fn place_of(&self, text: &Text<'_>, span: Span) -> Result<Span, Refusal> {
        let is_html = matches!(self.syntax, Syntax::Html { .. });
        let place = match (self.parser.shares_place(), is_html) {
            (_, true) if self.is_run_odd => None,
            ((false, false), true) if self.holds != ContentModel::All => Some(span),
            ((false, false), true) => self.through.rest_of(span, text.as_str(), false),
            ((true, false), true) => self.through.rest_of(span, text.as_str(), true),
            ((false, true), true) => self.through.beginning_of(span, text.as_str()),
            // A late DOCTYPE inside the text must stay, because it declares entities that later references need.
            ((false, false), false) => {
                let is_odd = self.is_run_odd || self.is_doctype_in(span);
                (!is_odd && self.skipped_at != Some(span.start)).then_some(span)
            }
            _ => None,
        };
        let place = place.ok_or_else(|| Refusal::new(Reason::Passed, text.as_str()))?;
        let open = self.through.rfind("<![CDATA[", place);
        let closed = self.through.rfind("]]>", place);
        let is_open = match open {
            Some(_) => open > closed,
            None => closed.is_none() && self.through.begins_section(place.start),
        };
        let end = match is_open && self.has_sections() && !self.is_in_cdata {
            // If no text follows the CDATA section, no event covers its delimiter `]]>`, so the delimiter is added to
            // the range of this text.
            true => self.through.end_of("]]>", place.end),
            false => place.end,
        };
        let unit = if self.has_return {
            self.through.unit()
        } else {
            0
        };
        Ok(Span {
            start: place.start - unit,
            end,
        })
    }

    /// Records the end offset of the current event in `ended_to`, and in `is_cut` whether the event is markup without
    /// its closing delimiter.
    #[cold]
    pub(super) fn note_end(&mut self) {
        let Some(event) = self.parser.last_event() else {
            return;
        };
        let span = event.span();
        if span.start < span.end {
            self.is_cut = match event {
                Event::Text(_) if self.tracks_cuts => self.is_cut,
                // A CDATA section is complete if its closing delimiter follows.
                Event::Text(_) if self.holds == ContentModel::All && self.has_sections() => {
                    self.through.set_encoding(self.parser.encoding());
                    self.through.rfind("<![CDATA[", span) > self.through.rfind("]]>", span)
                }
                Event::Text(_) => false,
                _ => self.through.is_cut_before(span.end),
            };
            self.ended_to = span.end;
        }
    }

    /// Called at the end event of an element whose contents an edit has removed. `with_it` is true if the tags of the
    /// element are removed too.
    pub(super) fn end_left_out(&mut self, with_it: bool) {
        self.leaves_out = None;
        self.closed_from = self.depth + if with_it { 1 } else { 2 };
        let Some(event) = self.parser.last_event() else {
            return;
        };
        let span = event.span();
        self.through.forget_taken();
        self.through.set_encoding(self.parser.encoding());
        let behind = match span.start == span.end {
            true => self.parser.previous_end().unwrap_or(0),
            false => 0,
        };
        self.through
            .leave_out_to(if with_it { span.end } else { span.start }.max(behind));
        if with_it && self.is_closing {
            let mut changes = Changes {
                through: &mut self.through,
                syntax: self.syntax,
                holds: ContentModel::All,
                raw: "",
            };
            let closing = self.closings.pop();
            let put = match &closing {
                Some(closing) => changes.put_all(&closing.after, ContentModel::All, ""),
                None => Ok(()),
            };
            self.is_closing = false;
            self.forgive(put);
        }
    }

    /// Updates the state of the current run of text for its next piece. `is_piece` is true if more pieces may follow,
    /// and `starts` is true if this is the first piece of the run.
    #[cold]
    pub(super) fn pass_piece(&mut self, is_piece: bool, starts: bool) {
        let span = self
            .parser
            .last_event()
            .map_or(Span { start: 0, end: 0 }, |event| event.span());
        // If a piece begins with the line feed of a CR LF pair, the carriage return is in the range of no piece.
        self.has_return = self.syntax == Syntax::LeafXml
            && !starts
            && span.start > self.piece_to
            && self.through.ends_with_return(span.start);
        self.piece_to = span.end;
        if starts {
            self.through.set_encoding(self.parser.encoding());
            self.is_in_cdata = self.has_sections() && self.through.begins_section(span.start);
            self.was_in_cdata = self.is_in_cdata;
            (self.is_run_changed, self.is_run_odd) = (false, false);
            self.run_to = span.start;
        }
        if self.holds == ContentModel::All && self.has_sections() {
            self.through.set_encoding(self.parser.encoding());
            // The opening delimiter `<![CDATA[` can lie between two pieces or inside one, so the input before the piece
            // and the piece itself are searched separately.
            self.pass_sections(span.start);
            self.was_in_cdata = self.is_in_cdata;
            self.pass_sections(span.end);
        }
        self.is_in_run = is_piece;
        // Once a piece of the run is rewritten, the following pieces must be rewritten too.
        self.is_closing |= self.is_run_changed;
    }

    fn is_doctype_in(&self, span: Span) -> bool {
        self.syntax == Syntax::Xml && self.through.rfind("<!DOCTYPE", span).is_some()
    }

    fn has_sections(&self) -> bool {
        match self.syntax {
            Syntax::Html { .. } | Syntax::Xml | Syntax::LeafXml => true,
            Syntax::MicroXml { has_cdata } => has_cdata,
            Syntax::Sky => false,
        }
    }

    /// Searches the input up to an offset for CDATA delimiters, and updates `is_in_cdata`.
    fn pass_sections(&mut self, to: u64) {
        let between = Span {
            start: self.run_to.min(to),
            end: to,
        };
        self.is_run_odd |= self.is_doctype_in(between);
        let open = self.through.rfind("<![CDATA[", between);
        if open.is_some() && !self.is_in_cdata && !self.is_run_changed {
            // An end tag that closes no element is ignored and may contain anything, even `<![CDATA[`.
            self.is_run_odd |= self.through.rfind("</", between).is_some();
        }
        let close = self.through.rfind("]]>", between);
        if open.is_some() || close.is_some() {
            self.is_in_cdata = open > close;
        }
        self.run_to = to.max(self.run_to);
    }

    /// Called at the end of a run of text. If the run was rewritten and ends in a CDATA section, omits the rest of that
    /// section from the output.
    pub(super) fn end_run(&mut self) {
        if self.is_run_changed && self.is_in_cdata {
            let next = self.parser.coming().map(|event| event.span().start);
            let rest = Span {
                start: self.run_to,
                end: next.unwrap_or(self.through.end()),
            };
            match self.through.last_end("]]>", rest) {
                Some(at) => self.through.leave_out_to(at),
                // The input ends inside the CDATA section.
                None if self.is_ending && rest.end == self.through.end() => {
                    self.through.leave_out_to(rest.end);
                }
                None => {}
            }
        }
        if self.is_in_cdata && !self.is_run_changed && self.is_ending {
            // The section ends before the next event, so search only up to that event. Otherwise each section would
            // search the rest of the input, in quadratic time.
            let next = self.parser.coming().map(|event| event.span().start);
            let rest = Span {
                start: self.run_to,
                end: next
                    .filter(|next| *next > self.run_to)
                    .unwrap_or(self.through.end()),
            };
            self.is_cut |= self.through.rfind("]]>", rest).is_none();
        }
        (self.was_in_cdata, self.is_in_cdata) = (false, false);
        self.is_run_changed = false;
    }

    /// Copies the input that precedes all later events to the output, or omits it in removed elements. No edit can
    /// affect this input any more.
    pub(super) fn put_passed(&mut self) {
        self.through.set_encoding(self.parser.encoding());
        let is_there = self.parser.coming().is_some();
        let is_finished = self.parser.status() == Status::Finished;
        let is_end = !is_there && is_finished && !self.is_in_run;
        let mut to = match self.parser.last_event() {
            Some(event) => event.span().end,
            None => 0,
        };
        if !is_there {
            to = to.max(self.parser.earliest_start());
            if is_end {
                to = self.through.end();
            }
        }
        // Input between the pieces of a rewritten run is omitted up to the next piece.
        let is_anew = !is_there && self.is_in_run && self.is_run_changed;
        match self.leaves_out.is_some() {
            true => self.through.leave_out_to(to),
            false if is_anew => self.through.leave_out_gap_to(to),
            false if is_end => self.through.copy_to(to),
            false => self.through.copy_to(self.through.held(to)),
        }
    }
}

impl Edits {
    /// Returns true if the edits give a value to at least one attribute.
    pub(super) fn sets(&self) -> bool {
        self.attributes.iter().any(|(_, value)| value.is_some())
    }

    /// Returns true if the edits insert content into the element, so that an empty-element tag has to become a start
    /// tag and an end tag.
    pub(super) fn opens(&self) -> bool {
        !self.first.is_empty() || !self.last.is_empty()
    }
}
