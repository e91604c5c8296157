//! Applying edits: those of the current event, and those of elements that end.

use super::edits::{Edits, join_reversed};
use super::elements::ElementEnd;
use super::seam::Context;
use super::state::{Omitted, RewriterState};
use super::tag::TagWriter;
use crate::engine::error::{Position, Span};
use crate::engine::event::{EndTag, Event, StartTag};
use crate::engine::text::html_facts;
use crate::write::Reason;
use alloc::borrow::Cow;
use alloc::string::String;

impl RewriterState {
    // ------------------------------------------------------------------------------ Ends of elements

    /// Called when the element with this depth ends. `is_own` is true if the current event is its own end tag, and
    /// `leaves_foreign` if an element of SVG or MathML in it stays open for the parser. Returns the name of the end tag
    /// that the output lacks, if the end is implied.
    #[inline]
    pub(super) fn close<'t>(
        &mut self,
        depth: usize,
        is_own: bool,
        tag: &EndTag<'t>,
        leaves_foreign: bool,
    ) -> Option<Cow<'t, str>> {
        let mut missing = Some(Cow::Borrowed(tag.name()));
        // Without the element, or with another name, the parser would not be in SVG or MathML any more.
        let omitted = self.omitted.filter(|omitted| omitted.depth == depth);
        let is_left = match omitted {
            Some(omitted) if omitted.has_tags => {
                leaves_foreign || !is_own && !self.is_balanced && self.elements.at(depth).is_foreign
            }
            Some(_) => leaves_foreign,
            None => leaves_foreign && self.is_tag_edited(depth),
        };
        if is_left {
            self.fail(Reason::Foreign, tag.name(), tag.position());
        }
        // The tree has the end of the element elsewhere, and may have copies of it.
        let is_moved = match omitted {
            Some(_) => tag.is_moved(),
            None if !self.is_tag_edited(depth) => false,
            None => tag.is_moved() || self.has_moved(depth) || self.ends_formatting(depth),
        };
        if is_moved || omitted.is_some_and(|omitted| omitted.closes_formatting) {
            self.fail(Reason::Moved, tag.name(), tag.position());
        }
        if !is_own && self.is_html_tree() && self.is_end_edited(depth) {
            self.check_implied_end(depth, tag);
        }
        if let Some(omitted) = self.omitted {
            if omitted.depth != depth || omitted.has_tags {
                missing = None;
            }
            if omitted.depth == depth {
                self.end_omission(is_own, tag);
            }
        }
        if let Some(end) = self.take_end(depth) {
            let own = is_own.then_some(tag);
            let name = match end.is_removed {
                true => self.make_removed_end(&end, own, tag.is_moved(), tag.position()),
                false => self.make_end(end, own, tag.is_moved(), tag.position()),
            };
            missing = missing.and(name.map(Cow::Owned));
        }
        missing
    }

    /// Records edits that wait for the end of an element.
    fn push_end(&mut self, mut end: ElementEnd, tag: &StartTag<'_>) {
        end.memory_used = end.bytes();
        self.elements.hold(end.memory_used);
        self.ends.push(end);
        if self.elements.exceed_memory() {
            self.fail_for_memory(tag);
        }
    }

    /// Returns the edits that wait for the end of the element with this depth.
    fn take_end(&mut self, depth: usize) -> Option<ElementEnd> {
        let end = self.ends.pop_if(|last| last.depth == depth)?;
        self.elements.release(end.memory_used);
        Some(end)
    }

    /// Returns true if an edit changes the end of the element with this depth, or what follows the end.
    fn is_end_edited(&self, depth: usize) -> bool {
        let last = self.ends.last().filter(|last| last.depth == depth);
        let is_removed = |omitted: Omitted| omitted.depth == depth && omitted.has_tags;
        self.omitted.is_some_and(is_removed)
            || self.is_tag_edited(depth)
            || last.is_some_and(|end| !end.after.is_empty())
    }

    /// Returns true if a node was moved out of the element with this depth, whose end is edited.
    fn has_moved(&self, depth: usize) -> bool {
        let last = self.ends.last().filter(|last| last.depth == depth);
        last.is_some_and(|end| end.has_moved)
    }

    /// Returns true if the element with this depth gets the name of a formatting element, and formatting elements in it end
    /// without their own end tags. Its end tag would end one of them, or forget them.
    fn ends_formatting(&self, depth: usize) -> bool {
        let last = self.ends.last().filter(|last| last.depth == depth);
        let is_formatting = last.is_some_and(|end| RewriterState::formatting_bit(&end.name) != 0);
        is_formatting && self.ended_formatting.is_opened_by_elements()
    }

    /// Returns true if the element with this depth is renamed or unwrapped.
    fn is_tag_edited(&self, depth: usize) -> bool {
        let last = self.ends.last().filter(|last| last.depth == depth);
        last.is_some_and(|end| end.is_unwrapped || end.is_renamed)
    }

    /// Records an error if the tag that ends the element with this depth would have another meaning after an end tag of
    /// the element, or without the element. That tag stays in the output.
    #[cold]
    fn check_implied_end(&mut self, depth: usize, tag: &EndTag<'_>) {
        // What follows an element that its start tag ends is not read yet.
        let next = match self.place.closes_itself {
            true => None,
            false => self.output.tag_name_at(self.place.start()),
        };
        let Some((is_end, name)) = next else {
            return;
        };
        let is_foreign = self.elements.last().is_foreign;
        let is_other = match is_end {
            // A start tag `select` in a `select` ends it, and would otherwise begin an element. A part of a table ends the
            // elements of SVG and MathML around an integration point, and would otherwise be one of these elements.
            false if is_foreign => html_facts::TABLE_PARTS.contains(&name),
            false => html_facts::SELECT.contains(tag.name()) && html_facts::SELECT.contains(&name),
            // The end tag of one heading ends another one.
            true => !is_foreign && is_heading(tag.name()) && is_heading(&name),
        };
        if is_other {
            self.fail(Reason::Moved, tag.name(), tag.position());
            if let Some(end) = self.ends.last_mut().filter(|end| end.depth == depth) {
                end.after.clear();
            }
        }
    }

    /// Ends the omission of an element's contents: omits the input up to the end of the contents, or of the end tag if the
    /// tags are omitted too. `is_own` is true if the current event is the element's own end tag.
    fn end_omission(&mut self, is_own: bool, tag: &EndTag<'_>) {
        let Some(omitted) = self.omitted.take() else {
            return;
        };
        // The end tags of these elements end nothing: what follows is still in the element.
        let is_page_part = omitted.has_tags
            && self.is_html_tree()
            && matches!(tag.name(), "html" | "body")
            && !self.elements.at(omitted.depth).is_foreign
            && self
                .ends
                .last()
                .is_none_or(|end| end.depth != omitted.depth);
        // The input ends inside a DOCTYPE or a CDATA section in the element, whose rest has no event.
        let is_cut =
            || self.place.follows_doctype_part() || self.output.ends_with(self.output.end(), "]");
        let to = match is_own && omitted.has_tags {
            true => self.place.span.end,
            false if self.place.is_at_end() && (is_page_part || is_cut()) => self.output.end(),
            false => self.place.start(),
        };
        let context = match omitted.has_tags {
            true => Context::Content,
            false => self.place.ended_context,
        };
        self.output.omit_to(to, context);
    }

    /// Inserts the content that follows a removed element. Returns the name of the end tag, if neither the input nor the
    /// output has one.
    #[cold]
    fn make_removed_end(
        &mut self,
        end: &ElementEnd,
        own: Option<&EndTag<'_>>,
        is_moved: bool,
        position: Position,
    ) -> Option<String> {
        // The end tag is omitted already.
        let place = match own {
            Some(_) => self.place.span.end,
            None => self.place.start(),
        };
        let is_cut = match own {
            Some(tag) => !tag.is_complete(),
            None => self.is_cut_at(place) || self.place.ended_context != Context::Content,
        };
        let is_stuck = self.implied.is_stuck_at(self.place.start())
            || self.ended_formatting.is_opened_after(&end.after);
        let is_misplaced = own.is_none() && self.is_misplaced(&end.after);
        let reason = match () {
            () if is_cut => Some(Reason::Cut),
            () if is_moved || is_stuck || is_misplaced => Some(Reason::Moved),
            () if self.output.done() > place || self.is_unrepairable_at(place) => {
                Some(Reason::Passed)
            }
            () => None,
        };
        match reason {
            Some(reason) => self.fail(reason, &end.name, position),
            None => self.insert(&end.after, Context::Content),
        }
        own.is_none().then(|| end.name.clone())
    }

    /// Applies the pending edits of an element that ends, except those that follow its end tag if the end tag is the
    /// current event. Returns the name of the end tag, if neither the input nor the output has one.
    #[cold]
    fn make_end(
        &mut self,
        mut end: ElementEnd,
        own: Option<&EndTag<'_>>,
        is_moved: bool,
        position: Position,
    ) -> Option<String> {
        let place = self.place.start();
        let inserts = !end.last.is_empty() || !end.after.is_empty();
        let own = own.filter(|_| self.place.span.start >= self.place.previous_end);
        let needs_end = !end.closes_itself && (end.is_renamed || !end.after.is_empty());
        let needs_end = end.is_opened || self.is_balanced && needs_end;
        let writes_end = own.is_none() && needs_end && !end.is_unwrapped;
        // If the input ends inside a raw text element, text can still be inserted at the end of that element.
        let is_in_raw_text = end.context != Context::Content
            && self.place.ended_context == end.context
            && end.after.is_empty()
            && !writes_end;
        let is_cut =
            self.is_cut_at(place) || own.is_none() && self.place.ended_context != Context::Content;
        let context = end.context;
        let first = if end.last.is_empty() {
            &end.after
        } else {
            &end.last
        };
        let is_misplaced = self.is_misplaced(first);
        let continues_raw_text = context == Context::RawText
            && !end.last.is_empty()
            && self.place.continues_raw_text(&end.last);
        let has_references = matches!(context, Context::Content | Context::EscapableText);
        // If this end tag is changed or omitted, the elements inside that have no end tags of their own, and that this
        // end tag also ended, need end tags.
        let is_last = self.place.is_at_end();
        let needs_others =
            end.is_unwrapped && !is_last && !end.closes_itself || own.is_some() && end.is_renamed;
        let reason = match () {
            () if needs_others && self.implied.is_stuck_at(place) => Some(Reason::Moved),
            () if !inserts && !writes_end => None,
            () if is_cut && !is_in_raw_text => Some(Reason::Cut),
            () if is_misplaced && own.is_none() => Some(Reason::Moved),
            () if own.is_some_and(|tag| !tag.is_complete()) && !end.after.is_empty() => {
                Some(Reason::Cut)
            }
            () if inserts && is_moved || self.implied.is_stuck_at(place) => Some(Reason::Moved),
            () if self.ended_formatting.is_opened_after(&end.last)
                || self.ended_formatting.is_opened_after(&end.after) =>
            {
                Some(Reason::Moved)
            }
            () if writes_end && end.is_formatting => Some(Reason::Moved),
            () if self.output.done() > place => Some(Reason::Passed),
            () if continues_raw_text => Some(Reason::RawText),
            () if has_references && self.is_unrepairable_at(place) => Some(Reason::Passed),
            () if !has_references && self.is_partial_at(place) => Some(Reason::Passed),
            () => None,
        };
        // At the end of the input, a renamed element needs no end tag.
        let is_optional = is_last && !inserts && !end.is_opened;
        if let Some(reason) = reason {
            if !is_optional {
                self.fail(reason, &end.name, position);
            }
            end.last.clear();
            end.after.clear();
        } else if inserts || writes_end || needs_others {
            self.output.copy_to(place);
            if needs_others && self.implied.is_at(place) {
                let tags = self.implied.take_all();
                self.output.insert(&tags, Context::Content);
            }
            let mut piece = core::mem::take(&mut end.last);
            if writes_end {
                piece.extend(["</", &end.name, ">"]);
            }
            if own.is_none() {
                piece.push_str(&core::mem::take(&mut end.after));
            }
            self.insert(&piece, context);
            self.fail_if_unwritten(|| position);
        }
        let is_missing = own.is_none() && !end.is_unwrapped && !(writes_end && reason.is_none());
        let name = is_missing.then(|| end.name.clone());
        if let Some(tag) = own {
            self.ending = Some((end, tag.name_span()));
        }
        name
    }

    /// Copies the input before an offset, and returns true if a seam there cannot be repaired.
    fn is_unrepairable_at(&mut self, place: u64) -> bool {
        self.output.copy_to(place);
        self.output.is_unrepairable()
    }

    /// Copies the input before an offset, and returns true if it ends with bytes of an incomplete character.
    fn is_partial_at(&mut self, place: u64) -> bool {
        self.output.copy_to(place);
        self.output.ends_in_partial()
    }

    /// Returns the content model at an offset, except in raw text: inside a CDATA section that the input does not end,
    /// or outside of all sections.
    fn context_at(&self, place: u64) -> Context {
        let is_open = self.place.input.limit.is_some()
            && self.place.text.is_in_section
            // The input can end with one or two brackets of the end of the section, which belong to no event.
            && self.output.end().saturating_sub(place) <= 2
            && place == self.place.previous_end
            || self.may_have_sections() && self.output.ends_with_written("<![CDATA[");
        match is_open {
            true => Context::Cdata,
            false => Context::Content,
        }
    }

    /// Returns true if content would be a comment after ignored markup. After an ignored `</body>`, a comment belongs to
    /// another element.
    pub(super) fn is_misplaced(&self, content: &str) -> bool {
        let is_comment = content.starts_with("<!") || content.starts_with("<?");
        is_comment && self.is_html_tree() && self.place.start() > self.place.previous_end
    }

    fn may_have_sections(&self) -> bool {
        use crate::engine::dialect::Syntax;
        match self.syntax {
            Syntax::Html { .. } | Syntax::Xml | Syntax::LeafXml => true,
            Syntax::MicroXml { has_cdata } => has_cdata,
            Syntax::Sky => false,
        }
    }

    /// Writes the end tag that is the current event, and the content after it.
    pub(super) fn finish_end(&mut self) {
        if let Some((end, name_span)) = self.ending.take() {
            self.write_end(&end, name_span);
            self.insert_after(&end.after, Context::Content);
        }
    }

    /// Inserts content after the current event, which may be omitted, and may have implied other tags.
    fn insert_after(&mut self, piece: &str, context: Context) {
        match self.implied.is_owed() {
            true => self.insert(piece, context),
            false => self.output.insert(piece, context),
        }
    }

    fn write_end(&mut self, end: &ElementEnd, name_span: Span) {
        let Span { start, end: to } = self.place.span;
        self.output.copy_to(start);
        if end.is_unwrapped {
            self.output.omit_to(to, Context::Content);
        } else if end.is_renamed && name_span.start < name_span.end {
            self.output.copy_to(name_span.start);
            self.output.write(&end.name, false);
            self.output.skip_to(name_span.end);
        }
        self.output.copy_to(to);
    }

    /// Applies the edits of all elements that are open at the end of the input.
    pub(super) fn finish(&mut self, position: Position) {
        self.finish_end();
        let end = self.output.end();
        self.pass_empty_text(Span { start: end, end }, u64::MAX);
        self.place.ended_context = self.place.context;
        while self.elements.depth() > 0 {
            let depth = self.elements.depth();
            self.elements.pop();
            if self.omitted.is_some_and(|omitted| omitted.depth == depth) {
                self.omitted = None;
                self.output.omit_to(self.output.end(), Context::Content);
            }
            if let Some(end) = self.take_end(depth) {
                match end.is_removed {
                    true => self.make_removed_end(&end, None, false, position),
                    false => self.make_end(end, None, false, position),
                };
            }
        }
        self.place.input.is_ended = true;
    }

    // ------------------------------------------------------------------------------ The current event

    /// Inserts content at the current position, after the tags that are implied there. A CDATA section that the input
    /// does not end is ended before content that is not for the inside of a section, and begun again after it.
    fn insert(&mut self, piece: &str, context: Context) {
        if piece.is_empty() {
            return;
        }
        let place = self.place.start();
        let tags = self.implied.take_for(piece, place);
        if context == Context::Content && self.context_at(place) == Context::Cdata {
            let is_last = place == self.output.end();
            let begin = if is_last { "" } else { "<![CDATA[" };
            self.place.text.is_in_section &= !is_last;
            let piece = ["]]>", &tags, piece, begin].concat();
            return self.output.insert(&piece, Context::Cdata);
        }
        self.output.insert(&tags, Context::Content);
        self.output.insert(piece, context);
    }

    /// Called before the current event is omitted: writes the tags that it implies.
    fn omit_implied(&mut self) {
        let tags = self.implied.omit(self.place.start());
        self.output.insert(&tags, Context::Content);
    }

    /// Applies the edits of the current event. The checks of the edits have copied the input before it, except
    /// before a start tag of which only attributes are edited.
    #[cold]
    pub(super) fn apply(&mut self, event: &Event<'_>) {
        // PERF: most edits are of attributes only, and the state of all others is large.
        if !self.edits.has_others
            && let Event::Start(tag) = event
            && !tag.is_implied()
        {
            return self.apply_to_attributes(tag);
        }
        let mut edits = core::mem::take(&mut self.edits);
        edits.settle();
        let stays = !edits.is_removed && !edits.is_unwrapped && edits.text.is_none();
        if stays && self.implied.is_due() {
            self.write_owed();
        }
        match event {
            Event::Start(tag) => self.apply_start(tag, &mut edits),
            _ => self.apply_other(event, &edits),
        }
        edits.clear();
        self.edits = edits;
        self.fail_if_unwritten(|| event.position());
    }

    /// Applies the edits of a start tag of which only attributes are edited.
    fn apply_to_attributes(&mut self, tag: &StartTag<'_>) {
        if self.implied.is_due() {
            self.write_owed();
        }
        let mut writer = TagWriter {
            output: &mut self.output,
            is_html: self.syntax.is_html(),
            tag,
            attributes: &mut self.edits.attributes,
            name: None,
            is_opened: false,
        };
        if writer.change() {
            self.pass_rewritten_tag(tag, tag.name());
        }
        // PERF: the rest of a tag as written is copied together with the input after it.
        if self.is_balanced {
            self.output.copy_to(self.place.span.end);
        }
        self.edits.clear_attributes();
        self.pass_edited_tag(tag);
        self.fail_if_unwritten(|| tag.position());
    }

    /// Called after a start tag was edited.
    fn pass_edited_tag(&mut self, tag: &StartTag<'_>) {
        if self.is_html_tree() && RewriterState::formatting_bit(tag.name()) != 0 {
            self.elements.set_edited();
        }
    }

    /// Returns the content model of the current text event.
    pub(super) fn text_context(&self) -> Context {
        match self.place.text.is_in_section {
            true if self.place.is_written() => Context::Cdata,
            _ if self.place.context != Context::Content => self.place.context,
            _ => self.context_at(self.place.start()),
        }
    }

    /// Applies the edits of an event that is not a start tag.
    fn apply_other(&mut self, event: &Event<'_>, edits: &Edits) {
        let (before, after) = match event {
            Event::End(_) => (self.place.ended_context, Context::Content),
            Event::Text(_) => [self.text_context(); 2].into(),
            _ => (Context::Content, Context::Content),
        };
        let end = self.place.span.end;
        self.insert(&edits.before, before);
        if edits.is_removed || edits.text.is_some() {
            let text = edits.text.as_deref().unwrap_or_default();
            let is_space = text.starts_with(|first: char| first.is_ascii_whitespace());
            if text.is_empty() || is_space && edits.before.is_empty() {
                self.omit_implied();
            }
            self.insert(text, before);
            self.output.omit_to(end, after);
        }
        let mut pieces = join_reversed(&edits.after);
        if let Some((end, name_span)) = self.ending.take() {
            self.write_end(&end, name_span);
            pieces.push_str(&end.after);
        }
        self.output.copy_to(end);
        self.insert_after(&pieces, after);
        if let Event::Text(text) = event
            && self.place.context == Context::RawText
        {
            self.place.raw.edit(text.as_str(), edits);
        }
    }

    fn apply_start(&mut self, tag: &StartTag<'_>, edits: &mut Edits) {
        let end = self.place.span.end;
        let is_opened = self.place.closes_itself && edits.fills();
        if tag.is_implied() {
            // Without contents, nothing would imply the element.
            let is_written = edits.is_emptied || !edits.first.is_empty();
            if is_written || !edits.attributes.is_empty() {
                let tags = self.implied.take_before_start();
                self.output.insert(&tags, Context::Content);
                self.write_tag(tag, edits, false);
            }
        } else {
            self.insert(&edits.before, Context::Content);
            if edits.name.is_some() {
                let tags = self.implied.take_others(self.place.start());
                self.output.insert(&tags, Context::Content);
            }
            if edits.is_removed || edits.is_unwrapped {
                self.omit_implied();
                self.output.omit_to(end, Context::Content);
            } else {
                self.write_tag(tag, edits, is_opened);
            }
        }
        if edits.changes_tag() {
            self.pass_edited_tag(tag);
        }
        if edits.reaches_end() {
            self.apply_to_contents(tag, edits, is_opened);
        }
    }

    /// Applies the edits of a start tag that change the contents of its element, or that wait for its end.
    fn apply_to_contents(&mut self, tag: &StartTag<'_>, edits: &mut Edits, is_opened: bool) {
        let closes_itself = self.place.closes_itself;
        let has_end = self.is_balanced || !self.is_html() || !closes_itself;
        let context = self.place.context;
        let first = join_reversed(&edits.first);
        match edits.is_unwrapped {
            // The tag may have implied other tags.
            true => self.insert(&first, Context::Content),
            false => self.output.insert(&first, context),
        }
        if edits.is_emptied && !closes_itself || edits.is_removed && has_end {
            self.omitted = Some(Omitted {
                depth: self.elements.depth(),
                has_tags: edits.is_removed,
                has_moved: false,
                closes_formatting: false,
            });
        }
        let name = String::from(edits.name.as_deref().unwrap_or(tag.name()));
        let is_html = self.is_html() && !tag.is_foreign();
        let becomes_void = edits.name.is_some() && is_html && html_facts::VOID.contains(&name);
        let end = ElementEnd {
            depth: self.elements.depth(),
            is_renamed: edits.name.is_some(),
            is_unwrapped: edits.is_unwrapped || becomes_void,
            is_removed: edits.is_removed,
            is_opened,
            closes_itself: closes_itself || becomes_void,
            has_moved: false,
            is_formatting: self.is_html() && html_facts::FORMATTING.contains(tag.name()),
            context,
            last: core::mem::take(&mut edits.last),
            after: join_reversed(&edits.after),
            memory_used: 0,
            name,
        };
        if has_end {
            if end.is_needed() {
                self.push_end(end, tag);
            }
            return;
        }
        self.output.insert(&end.last, context);
        if is_opened && !end.is_unwrapped {
            self.output
                .insert(&["</", &end.name, ">"].concat(), Context::Content);
        }
        self.output.insert(&end.after, Context::Content);
    }

    fn write_tag(&mut self, tag: &StartTag<'_>, edits: &mut Edits, is_opened: bool) {
        let name = edits.name.as_deref();
        let mut writer = TagWriter {
            output: &mut self.output,
            is_html: self.syntax.is_html(),
            tag,
            attributes: &mut edits.attributes,
            name,
            is_opened,
        };
        if tag.is_implied() {
            return writer.write();
        }
        let is_anew = writer.change();
        self.output.copy_to(tag.span().end);
        if is_anew || name.is_some() {
            self.pass_rewritten_tag(tag, name.unwrap_or(tag.name()));
        }
    }

    /// Called after a start tag was written anew or with another name.
    #[cold]
    fn pass_rewritten_tag(&mut self, tag: &StartTag<'_>, name: &str) {
        if self.is_html() && !tag.is_foreign() {
            let was = html_facts::DROPS_NEWLINE.contains(tag.name());
            let is = html_facts::DROPS_NEWLINE.contains_in_any_case(name);
            if was || is {
                self.output.rename_tag(was, is);
            }
        }
    }
}

/// Returns true for the names of the headings of HTML.
fn is_heading(name: &str) -> bool {
    matches!(name.as_bytes(), [b'h', b'1'..=b'6'])
}
