//! The state of a rewriter beside its parser: the open elements, the position of the current event, and the edits that
//! wait for the end of an element.
//!
//! [`RewriterState::pass`] is called for each event. It decides whether the program gets the event, and applies the edits
//! of elements that end. `apply.rs` applies the edits of the current event.

use super::RewriteError;
use super::edits::Edits;
use super::elements::{Element, ElementEnd, ElementTraits, Elements};
use super::encode::References;
use super::implied::ImpliedTags;
use super::output::OutputBuffer;
use super::place::Place;
use super::raw_text::{PieceKind, RawText, is_raw_text_in_sky};
use super::seam::Context;
use crate::engine::dialect::{Syntax, TopLevel};
use crate::engine::error::{About, Error, ErrorKind, Position, Span};
use crate::engine::event::{EndTag, Event, StartTag, Text};
use crate::engine::limits::Limit;
use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_element_sets::Names;
use crate::engine::text::html_facts;
use crate::write::{Reason, Refusal};
use alloc::vec::Vec;

/// The state of a rewriter beside its parser.
#[derive(Clone, Debug)]
pub(super) struct RewriterState {
    pub(super) output: OutputBuffer,
    /// The edits of the current event.
    pub(super) edits: Edits,
    pub(super) syntax: Syntax,
    pub(super) top_level: TopLevel,
    /// True if the events are balanced.
    pub(super) is_balanced: bool,
    pub(super) elements: Elements,
    /// The edits that wait for the ends of open elements, the innermost last.
    pub(super) ends: Vec<ElementEnd>,
    /// The element whose contents are omitted.
    pub(super) omitted: Option<Omitted>,
    pub(super) place: Place,
    pub(super) implied: ImpliedTags,
    /// The edits of the element that the current event ends, and the byte range of the name in the end tag.
    pub(super) ending: Option<(ElementEnd, Span)>,
    /// The formatting elements of HTML that ended without an end tag and are edited or omitted, as bits: see
    /// [`RewriterState::formatting_bit`]. If one of them is opened again, the tree has an element that the edit cannot have
    /// meant.
    pub(super) edited_formatting: u32,
    pub(super) ended_formatting: EndedFormatting,
    /// The error that the next call of `next_event` returns.
    pub(super) failed: Option<RewriteError>,
}

/// Whether formatting elements of HTML ended without their own end tags. If text follows, they are opened again.
#[derive(Clone, Debug, Default)]
pub(super) struct EndedFormatting {
    /// True if formatting elements would be opened again before the current event.
    is_before: bool,
    /// True if formatting elements would be opened again after the current event.
    is_after: bool,
    /// The depths of the open elements of [`html_facts::FORMATTING_SCOPES`] before which formatting elements ended. They
    /// are opened again after the element.
    scopes: Vec<usize>,
}

impl EndedFormatting {
    /// Returns true if no formatting element is opened again at the current event or after an element that contains it.
    #[inline(always)]
    fn is_empty(&self) -> bool {
        !self.is_after && self.scopes.is_empty()
    }

    /// Returns true if content before the current event opens formatting elements again.
    pub(super) fn is_opened_before(&self, content: &str) -> bool {
        self.is_before && !is_only_comments(content)
    }

    /// Returns true if content after the current event, or in the element that it starts, opens formatting elements again.
    pub(super) fn is_opened_after(&self, content: &str) -> bool {
        self.is_after && !is_only_comments(content)
    }

    /// Returns true if another element instead of that of the current start tag, or after the element, opens formatting
    /// elements again.
    pub(super) fn is_opened_by_elements(&self) -> bool {
        self.is_before || self.is_after
    }

    /// Called for the start tag of an element of [`html_facts::FORMATTING_SCOPES`] with this depth.
    #[cold]
    fn enter(&mut self, depth: usize) {
        if self.is_after {
            self.scopes.push(depth);
            self.is_after = false;
        }
    }

    /// Called when such an element ends. The formatting elements that ended in it are forgotten.
    #[cold]
    fn leave(&mut self, depth: usize) {
        self.is_after = self.scopes.pop_if(|scope| *scope == depth).is_some();
    }
}

/// An element whose contents are omitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Omitted {
    /// Depth of the element; the root element has the depth 1.
    pub(super) depth: usize,
    /// True if the tags are omitted too.
    pub(super) has_tags: bool,
    /// True if a node in the element is at another position in the tree, which was reported.
    pub(super) has_moved: bool,
    /// True if the contents have the end tag of a formatting element that began before them. Without the tag, that element
    /// would be opened again after them.
    pub(super) closes_formatting: bool,
}

impl RewriterState {
    pub(super) fn new(syntax: Syntax, top_level: TopLevel, is_balanced: bool) -> RewriterState {
        RewriterState {
            output: OutputBuffer::new(syntax, top_level),
            edits: Edits::default(),
            syntax,
            top_level,
            is_balanced,
            elements: Elements::default(),
            ends: Vec::new(),
            omitted: None,
            place: Place::default(),
            implied: ImpliedTags::default(),
            ending: None,
            edited_formatting: 0,
            ended_formatting: EndedFormatting::default(),
            failed: None,
        }
    }

    pub(super) fn is_html(&self) -> bool {
        self.syntax.is_html()
    }

    pub(super) fn is_html_tree(&self) -> bool {
        self.is_balanced && self.is_html()
    }

    /// Records an error, which the next call of `next_event` returns. Only the first one is kept.
    #[cold]
    pub(super) fn fail(&mut self, reason: Reason, what: &str, position: Position) {
        let refusal = Refusal::new(reason, what);
        self.failed
            .get_or_insert(RewriteError::Refused(refusal, position));
    }

    /// Returns true if [`settle`](Self::settle) has something to do.
    #[inline(always)]
    pub(super) fn has_pending(&self) -> bool {
        self.ending.is_some() || self.failed.is_some()
    }

    /// Completes the last event, and returns the error of edits that could not be made.
    #[cold]
    pub(super) fn settle(&mut self) -> Result<(), RewriteError> {
        self.finish_end();
        let failed = self.failed.take();
        if let Some(RewriteError::Read(_)) = failed {
            // The document is not read further.
            self.failed.clone_from(&failed);
        }
        failed.map_or(Ok(()), Err)
    }

    /// Records the error of something that the encoding of the output does not have.
    pub(super) fn fail_if_unwritten(&mut self, position: impl FnOnce() -> Position) {
        if let Some(refusal) = self.output.take_refused() {
            let error = RewriteError::Refused(refusal, position());
            self.failed.get_or_insert(error);
        }
    }

    // ------------------------------------------------------------------------------ Passing events

    /// Called before the next event becomes the current one.
    #[inline]
    pub(super) fn leave(&mut self) {
        let place = &mut self.place;
        if place.is_written() {
            place.previous_end = place.previous_end.max(place.span.end);
        } else if !place.is_at_end() {
            place.implied_end = place.implied_end.max(place.span.start);
        }
    }

    /// Moves to the next event. Returns the number of elements that it ends, and whether the program gets the event.
    /// `released` is the offset of a delayed text that may follow the event: see
    /// [`released_start`](crate::Parser::released_start). Implied events before that text are at its start, although
    /// the token after the text implies them.
    #[inline]
    pub(super) fn pass(&mut self, event: &Event<'_>, released: u64) -> (usize, bool) {
        if self.implied.is_owed() {
            self.write_owed();
        }
        self.leave();
        if self.place.previous_end == 0 {
            self.place.previous_end = self.output.mark_length();
        }
        self.place.move_to(event.span(), released);
        self.place.text.is_from_entity = self.syntax == Syntax::Xml && event.is_from_entity();
        if !self.implied.is_empty() {
            self.pass_implied(event);
        }
        let was_removed = self.omitted.is_some_and(|omitted| omitted.has_tags);
        self.ended_formatting.is_before = self.ended_formatting.is_after;
        let mut ended = 0;
        match event {
            Event::Start(tag) => self.pass_start(tag),
            Event::End(tag) => ended = self.pass_end(tag),
            Event::Text(text) => {
                if self.is_balanced {
                    let is_phrasing = self.place.context == Context::Content;
                    if is_phrasing && !self.elements.last().refuses_text {
                        self.ended_formatting.is_after = false;
                    }
                    self.place.text.is_moved = event.is_moved();
                }
                self.place.text.is_in_section = text.is_cdata() && self.omitted.is_none();
                self.place.text.follows_incomplete |=
                    self.place.incomplete_end == Some(self.place.start());
                self.pass_text(text);
            }
            Event::Declaration(declaration) => {
                self.output.has_nel = declaration.version() == Some("1.1");
            }
            Event::ProcessingInstruction(instruction) if instruction.is_in_doctype() => {
                self.place.doctype_part_end = Some(self.place.span.end);
                // The instruction is not content, and cannot be edited.
                return (0, self.omitted.is_none());
            }
            _ => {}
        }
        let is_text = matches!(event, Event::Text(_));
        if !is_text && self.place.is_written() && self.may_be_incomplete() {
            (
                self.place.text.is_in_section,
                self.place.text.follows_incomplete,
            ) = (false, false);
            if !event.is_complete() {
                self.place.incomplete_end = Some(self.place.span.end);
            } else if let Some(end) = self.place.incomplete_end {
                self.pass_after_incomplete(end);
            }
        }
        if self.is_balanced && event.is_moved() {
            self.pass_moved(event);
        }
        (ended, self.omitted.is_none() && !was_removed)
    }

    /// Forgets an incomplete token that ends at `end`, unless only `<` follow it before the current event. The first of
    /// them ends the token, so nothing can be inserted before the event.
    #[cold]
    fn pass_after_incomplete(&mut self, end: u64) {
        let start = self.place.start();
        if end != start && !self.output.is_only_angles(end, start) {
            self.place.incomplete_end = None;
        }
    }

    /// Called for an event whose node is elsewhere in the tree. An edit of an element around it can change where the node
    /// is.
    #[cold]
    fn pass_moved(&mut self, event: &Event<'_>) {
        if let Some(omitted) = &mut self.omitted
            && !core::mem::replace(&mut omitted.has_moved, true)
        {
            self.fail(Reason::Moved, "", event.position());
        }
        // The node is moved out of a table, which is reported at the end of the table.
        let elements = &self.elements;
        let mut ends = self.ends.iter_mut().rev();
        let is_table = |end: &&mut ElementEnd| {
            end.depth <= elements.depth() && elements.at(end.depth).refuses_text
        };
        if let Some(end) = ends.find(is_table) {
            end.has_moved = true;
        }
        self.elements.set_moved_in_template();
    }

    /// Passes a piece of text to the raw text of the innermost element.
    #[inline]
    pub(super) fn pass_text(&mut self, text: &Text<'_>) {
        if self.place.context == Context::RawText {
            self.pass_raw_text(text);
        }
    }

    #[cold]
    #[inline(never)]
    fn pass_raw_text(&mut self, text: &Text<'_>) {
        let is_omitted = self.omitted.is_some();
        let end = text.span().end;
        let restored = match is_omitted {
            true => None,
            false => self.place.raw.restored(text.as_str()),
        };
        if let Some(word) = &restored {
            self.output.copy_to(self.place.start());
            self.output.insert(word, Context::RawText);
        }
        let restored = restored.as_deref().unwrap_or_default();
        let kind = PieceKind {
            has_more: text.is_piece(),
            is_omitted,
            may_change_script: text.may_follow_escaped_script(),
        };
        self.place.raw.pass(restored, text.as_str(), end, kind);
    }

    /// Returns true if the current event may lack its closing delimiter. In HTML and Sky that is possible only at the
    /// end of the input.
    #[inline(always)]
    fn may_be_incomplete(&self) -> bool {
        match self.syntax {
            Syntax::Html { .. } | Syntax::Sky => self.place.span.end == self.output.end(),
            _ => true,
        }
    }

    /// Writes owed tags before the current event, which stays. [`pass_implied`](Self::pass_implied) found that the input
    /// before the event is copied or omitted already.
    #[cold]
    pub(super) fn write_owed(&mut self) {
        let tags = self.implied.take_owed();
        self.output.insert(&tags, Context::Content);
    }

    /// Writes owed tags before input without an event, which could have another meaning without the tags.
    #[cold]
    fn pay_owed_before(&mut self, to: u64) {
        if self.implied.is_owed() && self.output.done() < to {
            let tags = self.implied.take_all();
            self.output.insert(&tags, Context::Content);
        }
    }

    /// Updates the implied tags before an event.
    #[cold]
    fn pass_implied(&mut self, event: &Event<'_>) {
        if self.implied.is_owed() && self.omitted.is_none() {
            self.pay_owed_before(self.place.start());
            self.implied.pass_owed(event);
        }
        self.implied.move_to(self.place.start());
    }

    #[inline]
    pub(super) fn pass_start(&mut self, tag: &StartTag<'_>) {
        match self.is_balanced {
            true => self.pass_balanced_start(tag),
            false => self.pass_written_start(tag),
        }
    }

    /// Passes a start tag as written.
    #[inline(always)]
    pub(super) fn pass_written_start(&mut self, tag: &StartTag<'_>) {
        let name = tag.name();
        let hash = self.elements.hash(name);
        if !self.is_html() {
            self.place.closes_itself = tag.is_self_closing();
            self.elements.push_hashed(hash, false);
            if self.syntax == Syntax::Sky && is_raw_text_in_sky(name) {
                self.set_context(Context::RawText, name);
            }
            return;
        }
        let is_foreign = tag.is_foreign();
        let traits = match is_foreign {
            true => ElementTraits {
                is_void: tag.is_self_closing(),
                has_special_content: false,
            },
            false => self.elements.traits_of(hash, name),
        };
        self.place.closes_itself = traits.is_void;
        self.place.leaves_foreign = !is_foreign && self.elements.last().is_foreign;
        if !traits.is_void {
            let is_foreign = is_foreign && !html_facts::is_integration_point(name);
            self.elements.push_hashed(hash, is_foreign);
            // In all other cases, the parser limits the depth.
            if self.elements.exceed_memory() {
                self.exhaust(tag);
            }
        }
        if traits.has_special_content {
            self.pass_special_start(tag);
        }
    }

    /// Passes a start tag of balanced events.
    fn pass_balanced_start(&mut self, tag: &StartTag<'_>) {
        let (name, is_foreign) = (tag.name(), tag.is_foreign());
        if !self.is_html() {
            self.place.closes_itself = tag.is_self_closing();
            self.elements.push(Element::default());
            if self.syntax == Syntax::Sky && is_raw_text_in_sky(name) {
                self.set_context(Context::RawText, name);
            }
            return;
        }
        let known = match is_foreign {
            true => None,
            false => ElementName::find(name),
        };
        let has = |names: Names| known.is_some_and(|name| names.holds(name));
        self.place.closes_itself = match is_foreign {
            true => tag.is_self_closing(),
            false => has(html_facts::VOID),
        };
        let is_noscript = has(html_facts::RAW_TEXT_IF_SCRIPTING);
        self.elements.push(Element {
            refuses_text: has(html_facts::WITHOUT_TEXT)
                || is_noscript && self.elements.last().refuses_text,
            is_in_table: match has(html_facts::TABLE_MODES) {
                true => has(html_facts::WITHOUT_TEXT),
                false => self.elements.last().is_in_table,
            },
            is_foreign,
            is_template: has(html_facts::TEMPLATE),
            is_moved: tag.is_moved(),
            is_reopened: tag.is_implied() && has(html_facts::FORMATTING),
            ..Element::default()
        });
        if tag.is_implied() && self.omitted.is_none() {
            self.pass_implied_start(tag);
        }
        if !self.ended_formatting.is_empty() {
            if has(html_facts::FORMATTING) {
                self.ended_formatting.is_after = false;
            } else if has(html_facts::FORMATTING_SCOPES) {
                self.ended_formatting.enter(self.elements.depth());
            }
        }
        self.place.has_frameset |= has(html_facts::FRAMESET);
        if has(html_facts::SPECIAL_CONTENT) {
            self.pass_special_start(tag);
        }
    }

    /// Called for the start tag of an element of HTML whose contents are not read like those of other elements.
    #[cold]
    fn pass_special_start(&mut self, tag: &StartTag<'_>) {
        let name = tag.name();
        if html_facts::DROPS_NEWLINE.contains(name) && self.omitted.is_none() {
            self.output.set_ignores_newline(tag.span().end);
        }
        match self.syntax {
            Syntax::Html { .. } if html_facts::ESCAPABLE_TEXT.contains(name) => {
                self.set_context(Context::EscapableText, name);
            }
            Syntax::Html { scripting } if html_facts::unescaped(scripting).contains(name) => {
                self.set_context(Context::RawText, name);
            }
            _ => {}
        }
    }

    /// Ends the rewriting with an error at a start tag, because the open elements need too much memory. The output ends
    /// before the tag.
    #[cold]
    fn exhaust(&mut self, tag: &StartTag<'_>) {
        if self.omitted.is_none() {
            self.output.copy_to(tag.span().start);
        }
        self.omitted = Some(Omitted {
            depth: usize::MAX,
            has_tags: true,
            has_moved: false,
            closes_formatting: false,
        });
        self.fail_for_memory(tag);
    }

    /// Records the error that ends the rewriting.
    #[cold]
    pub(super) fn fail_for_memory(&mut self, tag: &StartTag<'_>) {
        let kind = ErrorKind::Limit(Limit::Memory);
        let about = About {
            limit: Some(self.elements.memory()),
            ..About::default()
        };
        let error = Error::new(kind, tag.span(), tag.position()).about(about);
        self.failed = Some(RewriteError::Read(error));
    }

    #[cold]
    fn set_context(&mut self, context: Context, name: &str) {
        self.place.context = context;
        self.place.raw_name.clear();
        self.place.raw_name.push_str(name);
        let is_script = self.is_html() && html_facts::SCRIPT.contains(name);
        self.place.raw = RawText::new(is_script);
    }

    /// Called when an element without an end tag ends, which may be a formatting element that is opened again later.
    fn pass_ended_formatting(&mut self, ended: Element, name: &str) {
        let bit = RewriterState::formatting_bit(name);
        if bit != 0 {
            self.ended_formatting.is_after = true;
            if ended.is_edited || self.omitted.is_some() {
                self.edited_formatting |= bit;
            }
        }
    }

    /// Called when a formatting element ends that is edited or was opened again.
    #[cold]
    fn pass_special_end(&mut self, ended: Element, is_written: bool, tag: &EndTag<'_>) {
        // A moved end tag means that tree construction copies the formatting element. The tree then has several elements,
        // and the edit was meant for one.
        if ended.is_edited && tag.is_moved() {
            self.fail(Reason::Moved, tag.name(), tag.position());
        }
        if let Some(omitted) = &mut self.omitted {
            omitted.closes_formatting |= ended.is_reopened && is_written;
        }
    }

    /// Forgets the ended formatting elements in an element that ends, if they are not opened again after it.
    #[cold]
    fn pass_ended_scope(&mut self, name: &str, depth: usize) {
        if html_facts::FORMATTING_SCOPES.contains(name) {
            self.ended_formatting.leave(depth);
        }
    }

    #[cold]
    fn pass_implied_start(&mut self, tag: &StartTag<'_>) {
        self.implied.move_to(self.place.start());
        self.implied.start(tag.name());
        if self.edited_formatting & RewriterState::formatting_bit(tag.name()) != 0 {
            self.edited_formatting = 0;
            self.fail(Reason::Moved, tag.name(), tag.position());
        }
    }

    /// Returns true if the current start tag has no end event: HTML as written has none for tags that end their element.
    #[cfg(feature = "select")]
    pub(super) fn has_no_end_event(&self) -> bool {
        !self.is_balanced && self.is_html()
    }

    /// Moves to the empty text at the end of a run of text. `next` is the position of the next event. `released`: see
    /// [`pass`](RewriterState::pass).
    pub(super) fn pass_empty_text(&mut self, next: Span, released: u64) {
        self.write_owed();
        self.leave();
        self.place.move_to(next, released);
        self.place.span.end = self.place.span.start;
        let start = self.place.start();
        self.place.span = Span { start, end: start };
        if self.omitted.is_none() {
            self.pay_owed_before(start);
        }
        self.implied.move_to(start);
        let kind = PieceKind {
            has_more: false,
            is_omitted: true,
            may_change_script: false,
        };
        self.place.raw.pass("", "", start, kind);
    }

    /// Returns true if the input ends inside a token or a DOCTYPE at an offset, so that nothing can be inserted there.
    pub(super) fn is_cut_at(&self, place: u64) -> bool {
        let is_in_doctype = self.place.input.limit.is_some()
            && self.place.follows_doctype_part()
            && !(place > self.place.previous_end && self.output.ends_with(place, ">"));
        // A `<` after an incomplete token cannot be escaped, because it ends the token.
        let is_in_token = self.place.incomplete_end.is_some_and(|end| {
            end == place || end < place && self.output.is_only_angles(end, place)
        });
        is_in_doctype || is_in_token || !self.output.is_between_characters(place)
    }

    /// Returns the offset up to which the input is passed on, and true if that is all of it. `next` is an offset before
    /// which no later event begins.
    pub(super) fn passed(&mut self, next: u64) -> (u64, bool) {
        self.finish_end();
        self.write_owed();
        let to = match self.place.input.is_ended {
            true => self.output.end(),
            false => {
                let next = self.place.input.limit.map_or(next, |limit| next.min(limit));
                self.place.end().max(next)
            }
        };
        if self.omitted.is_some() {
            self.output.omit_to(to, self.place.context);
        } else if self.implied.is_owed() {
            self.pay_owed_before(to);
        }
        (to, self.place.input.is_ended)
    }

    /// Returns a bit for the name of a formatting element of HTML, and zero for all other names.
    pub(super) fn formatting_bit(name: &str) -> u32 {
        match ElementName::find(name) {
            Some(name) if html_facts::FORMATTING.holds(name) => {
                1 << html_facts::FORMATTING.rank(name as usize)
            }
            _ => 0,
        }
    }

    /// Passes the end of an element. Returns the number of elements that end.
    #[inline(always)]
    pub(super) fn pass_end(&mut self, tag: &EndTag<'_>) -> usize {
        let is_written = self.place.is_written();
        self.place.ended_context = core::mem::replace(&mut self.place.context, Context::Content);
        if !self.is_balanced {
            let depth = self.elements.depth();
            let Some(to) = self.elements.closed_by(tag.name()) else {
                return 0;
            };
            if !self.ends.is_empty() || self.omitted.is_some() {
                let mut leaves_foreign = false;
                for inner in (to + 1..=depth).rev() {
                    let is_own = is_written && inner == to + 1;
                    let element = self.elements.at(inner);
                    leaves_foreign |= element.leaves_foreign;
                    self.close(inner, is_own, tag, leaves_foreign);
                    leaves_foreign |= element.is_foreign && !is_own;
                }
                self.elements.set_leaves_foreign(to, leaves_foreign);
            }
            self.elements.close_to(to);
            self.place.closes_itself = false;
            return depth - to;
        }
        let depth = self.elements.depth();
        let missing = self.close(depth, is_written, tag, false);
        let ended = self.elements.pop();
        self.place.ended_refuses_text = ended.refuses_text;
        let is_foreign = ended.is_foreign;
        self.place.ended_is_moved = ended.is_moved;
        if !is_foreign && !self.ended_formatting.is_empty() {
            self.pass_ended_scope(tag.name(), depth);
        }
        if ended.is_edited || ended.is_reopened {
            self.pass_special_end(ended, is_written, tag);
        }
        if !is_written && !self.place.closes_itself {
            if is_foreign {
                self.place.foreign_end = Some(self.place.start());
            } else if self.is_html() {
                self.pass_ended_formatting(ended, tag.name());
            }
            self.implied.move_to(self.place.start());
            let is_html = self.is_html() && !is_foreign;
            if let Some(name) = &missing {
                let encode = &self.output.encode;
                let is_writable = name.is_ascii() || encode.check(name, References::No).is_ok();
                self.implied.end(name, is_html, is_writable);
            }
            if self.place.ended_context != Context::Content {
                // The input ends in the element, so whatever follows would be a part of its text.
                self.place.incomplete_end = Some(self.place.start());
            }
        }
        self.place.closes_itself = false;
        1
    }
}

/// Returns true if markup has no nodes other than comments.
fn is_only_comments(mut markup: &str) -> bool {
    while let Some(rest) = markup.strip_prefix("<!--") {
        let Some((_, after)) = rest.split_once("-->") else {
            return false;
        };
        markup = after;
    }
    markup.is_empty()
}

crate::checkpoint::checkpointable! {
    struct RewriterState {
        output, syntax, top_level, is_balanced, elements, ends, omitted, place, implied, ending, edited_formatting,
        ended_formatting, failed
        ; skip edits = Edits::default()
    }
    struct EndedFormatting { is_before, is_after, scopes }
    struct Omitted { depth, has_tags, has_moved, closes_formatting }
}
