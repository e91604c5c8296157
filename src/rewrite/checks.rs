//! Validation of edits: each edit is checked when the program calls its method, and recorded if it can be made.

use super::attributes::{AttributeEdit, AttributeEdits};
use super::content::{self, check_name, check_value, escape};
use super::edits::{Content, Edits};
use super::encode::References;
use super::fragment::{self, Fragments, PrefixScope};
use super::raw_text::is_raw_text_in_sky;
use super::seam::Context;
use super::state::RewriterState;
use crate::engine::dialect::{Syntax, TopLevel};
use crate::engine::event::{Attribute, Doctype, Event, StartTag};
use crate::engine::text::html_element_sets::Names;
use crate::engine::text::html_facts;
use crate::write::{Reason, Refusal, html_comment, sure, xml_comment};
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::Display;

/// The side of an event at which content is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// The position in an element at which content is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    First,
    Last,
    /// In place of all contents.
    All,
}

type Checked<T = ()> = Result<T, Refusal>;

impl RewriterState {
    /// Returns the edits to record one of another part than the attributes. Copies the input before the event.
    fn recorded(&mut self) -> &mut Edits {
        self.copy_before();
        (self.edits.is_some, self.edits.has_others) = (true, true);
        &mut self.edits
    }

    /// Returns the edits of attributes to record one.
    fn recorded_attributes(&mut self) -> &mut AttributeEdits {
        self.edits.is_some = true;
        &mut self.edits.attributes
    }

    // ------------------------------------------------------------------------------ Edits

    pub(super) fn set_attribute(
        &mut self,
        event: &Event<'_>,
        name: &str,
        value: &dyn Display,
        document: &dyn Fragments,
    ) -> Checked {
        let tag = self.begin_tag_edit(event)?;
        self.check_implied_tag(&tag)?;
        check_name(name, true, self.syntax)?;
        self.check_foreign_attribute(&tag, name)?;
        self.output.encode.check(name, References::No)?;
        let is_html = self.is_html();
        let mut edit = self.edits.attributes.make(name, value, is_html);
        if let Err(refusal) = self.check_attribute(&tag, name, &mut edit, document) {
            self.edits.attributes.discard(edit);
            return Err(refusal);
        }
        self.recorded_attributes().record(edit);
        self.update_prefixed_names(name, true, document);
        Ok(())
    }

    /// Checks the new value of an attribute, and escapes it.
    fn check_attribute(
        &mut self,
        tag: &StartTag<'_>,
        name: &str,
        edit: &mut AttributeEdit,
        document: &dyn Fragments,
    ) -> Checked {
        let value = self.edits.attributes.value(*edit).unwrap_or_default();
        check_value(value, self.syntax)?;
        if let Cow::Owned(escaped) = escape(value, self.syntax, true)? {
            self.edits.attributes.replace_value(edit, &escaped);
        }
        let value = self.edits.attributes.value(*edit).unwrap_or_default();
        let encode = &self.output.encode;
        encode.check(value, References::Of(self.syntax))?;
        if fragment::is_plain_name(name, self.syntax) {
            return Ok(());
        }
        let value = String::from(value);
        self.check_attribute_name(tag, name, &value, document)
    }

    /// Checks that an attribute name that is not plain is read as it is written.
    #[cold]
    fn check_attribute_name(
        &mut self,
        tag: &StartTag<'_>,
        name: &str,
        value: &str,
        document: &dyn Fragments,
    ) -> Checked {
        let scope = PrefixScope::inside(document, &self.edits);
        fragment::check_name(name, Some(value), self.syntax, scope)?;
        match self.is_html() {
            true => Ok(()),
            false => self.check_expanded_name(tag, name, value, document),
        }
    }

    pub(super) fn remove_attribute(
        &mut self,
        event: &Event<'_>,
        name: &str,
        document: &dyn Fragments,
    ) -> Checked {
        let tag = self.begin_tag_edit(event)?;
        let is_html = self.is_html();
        let is_same = |other: &str| match is_html {
            true => other.eq_ignore_ascii_case(name),
            false => other == name,
        };
        // A default value of an attribute is not in the tag, so nothing changes.
        let mut written = tag.attributes().filter(Attribute::is_specified);
        let has = written.any(|one| is_same(one.name()));
        if !is_html {
            self.check_declaration(&tag, name, document)?;
        }
        if has {
            self.check_foreign_attribute(&tag, name)?;
            // The attributes of an element that is opened again are in another tag.
            self.check_implied_tag(&tag)?;
        }
        if has || self.edits.attributes.has(name, is_html) {
            self.recorded_attributes().remove(name, is_html);
            self.update_prefixed_names(name, false, document);
        }
        Ok(())
    }

    /// Checks that an attribute does not determine whether an element or its contents are in HTML or in another namespace.
    fn check_foreign_attribute(&self, tag: &StartTag<'_>, name: &str) -> Checked {
        let is_foreign = tag.is_foreign();
        let is_beside_foreign = is_foreign
            || self.place.leaves_foreign
            || self.place.foreign_end == Some(self.place.start());
        let of_font = html_facts::BREAKOUT_FONT;
        let decides = match tag.name() {
            "font" => is_beside_foreign && of_font.iter().any(|one| name.eq_ignore_ascii_case(one)),
            "annotation-xml" => is_foreign && name.eq_ignore_ascii_case("encoding"),
            _ => false,
        };
        sure(!(self.is_html() && decides), Reason::Foreign, name)
    }

    pub(super) fn rename(
        &mut self,
        event: &Event<'_>,
        name: &str,
        document: &dyn Fragments,
    ) -> Checked {
        let tag = self.begin_replacement(event)?;
        check_name(name, false, self.syntax)?;
        self.output.encode.check(name, References::No)?;
        let scope = PrefixScope::inside(document, &self.edits);
        fragment::check_name(name, None, self.syntax, scope)?;
        let is_template = self.is_html_tree() && html_facts::TEMPLATE.contains(tag.name());
        sure(!is_template, Reason::Moved, tag.name())?;
        // Only some start tags open formatting elements again.
        let is_opened = self.ended_formatting.is_opened_by_elements();
        sure(!is_opened, Reason::Moved, tag.name())?;
        self.check_new_name(&tag, name)?;
        self.check_form(&tag, name)?;
        self.check_form(&tag, tag.name())?;
        // Another name changes which default attributes the element has.
        let has_defaults = [tag.name(), name].map(|name| document.has_prefixed_defaults(name));
        sure(has_defaults == [false; 2], Reason::Prefix, name)?;
        self.recorded().name = Some(String::from(name));
        Ok(())
    }

    /// Checks that the contents and the surroundings of an element are read in the same way if it has another name.
    fn check_new_name(&self, tag: &StartTag<'_>, name: &str) -> Checked {
        let old = tag.name();
        if self.syntax == Syntax::Sky {
            let is_text = is_raw_text_in_sky(name) || is_raw_text_in_sky(old);
            sure(!is_text, Reason::Child, name)?;
            let is_template = name == "template" || old == "template";
            return sure(!is_template, Reason::Moved, name);
        }
        if !self.is_html() {
            return Ok(());
        }
        let is_in = |names: Names| names.contains_in_any_case(name);
        if tag.is_foreign() {
            let is_point = html_facts::is_integration_point(name) && !self.place.closes_itself;
            let is_other = is_point || is_in(html_facts::BREAKOUT);
            return sure(!is_other, Reason::Foreign, name);
        }
        sure(!is_in(html_facts::FOREIGN_ROOTS), Reason::Foreign, name)?;
        let holds_text = html_facts::unescaped(true).or(html_facts::ESCAPABLE_TEXT);
        let is_text = is_in(holds_text) || holds_text.contains(old);
        sure(!is_text, Reason::Child, name)?;
        let is_void = html_facts::VOID.contains(old);
        let becomes_void = is_in(html_facts::VOID);
        sure(!is_void || becomes_void, Reason::Void, old)?;
        sure(!becomes_void || !self.edits.fills(), Reason::Void, name)?;
        let is_template = is_in(html_facts::TEMPLATE);
        sure(!is_template, Reason::Moved, name)?;
        let was_part = html_facts::TABLE_PARTS.contains(old);
        let is_part = is_in(html_facts::TABLE_PARTS) && !was_part;
        let has_no_place = self.is_balanced && (is_part || is_in(html_facts::WITHOUT_PLACE));
        sure(!has_no_place, Reason::Parent, name)
    }

    pub(super) fn remove(&mut self, event: &Event<'_>) -> Checked {
        let is_right = match event {
            Event::Start(tag) => {
                sure(!self.place.leaves_foreign, Reason::Foreign, "")?;
                self.check_template(tag)?;
                self.check_no_root(tag)?;
                true
            }
            Event::Text(_) | Event::Comment(_) | Event::ProcessingInstruction(_) => true,
            // The declarations may be of entities that the document needs.
            Event::Doctype(doctype) => self.is_html() || !self.has_declarations(doctype),
            _ => false,
        };
        sure(is_right, Reason::Edit, "")?;
        self.begin_insertion_before(event)?;
        self.check_script(event)?;
        self.check_root(event)?;
        self.recorded().is_removed = true;
        Ok(())
    }

    pub(super) fn unwrap(&mut self, event: &Event<'_>) -> Checked {
        let tag = self.begin_replacement(event)?;
        self.check_no_root(&tag)?;
        if !self.is_html() {
            self.check_no_declaration(&tag)?;
        }
        self.recorded().is_unwrapped = true;
        Ok(())
    }

    /// Returns true if a DOCTYPE has an internal subset or names an external one.
    fn has_declarations(&self, doctype: &Doctype<'_>) -> bool {
        // The last character is `>`.
        let end = self
            .place
            .span
            .end
            .saturating_sub(self.output.unit().length as u64);
        let is_internal = matches!(self.output.last_visible_before(end), Some(b']') | None);
        is_internal || doctype.public_id().is_some() || doctype.system_id().is_some()
    }

    /// Checks that the current element is not the root element of a document that must have one.
    fn check_no_root(&self, tag: &StartTag<'_>) -> Checked {
        let is_root = self.top_level == TopLevel::OneElement && self.elements.depth() == 1;
        sure(!is_root, Reason::NoRoot, tag.name())
    }

    /// Returns the start tag of the current event, if the tags of its element can be replaced or omitted.
    fn begin_replacement<'e>(&mut self, event: &Event<'e>) -> Checked<StartTag<'e>> {
        let Event::Start(tag) = event else {
            return Err(Refusal::new(Reason::Edit, ""));
        };
        self.begin_insertion_before(event)?;
        let is_text = self.place.context != Context::Content;
        sure(!is_text, Reason::Child, tag.name())?;
        // The elements `svg` and `math` and integration points determine the namespace of their contents.
        let is_root = self.is_html() && html_facts::FOREIGN_ROOTS.contains(tag.name());
        let is_point = tag.is_foreign() && html_facts::is_integration_point(tag.name());
        let is_outside = !is_root && !is_point && !self.place.leaves_foreign;
        sure(is_outside, Reason::Foreign, tag.name())?;
        // Another element, or the contents alone, would be moved differently.
        let is_moved = self.is_html_tree() && tag.is_moved();
        sure(!is_moved, Reason::Moved, tag.name())?;
        self.check_template(tag)?;
        Ok(*tag)
    }

    pub(super) fn insert_inside(
        &mut self,
        event: &Event<'_>,
        content: Content<'_>,
        side: Inside,
        document: &dyn Fragments,
    ) -> Checked {
        let piece = self.inner_piece(event, content, document)?;
        if side == Inside::All {
            let edits = self.recorded();
            edits.is_emptied = true;
            edits.first.clear();
            edits.last.clear();
        }
        if piece.is_empty() {
            return Ok(());
        }
        match side {
            Inside::Last => self.recorded().last.push_str(&piece),
            Inside::First | Inside::All => self.recorded().first.push(piece),
        }
        Ok(())
    }

    /// Returns content as it is written inside the element of a start tag.
    fn inner_piece(
        &mut self,
        event: &Event<'_>,
        content: Content<'_>,
        document: &dyn Fragments,
    ) -> Checked<String> {
        let tag = self.begin_tag_edit(event)?;
        self.check_implied_tag(&tag)?;
        let is_html = self.is_html() && !tag.is_foreign();
        let name = self.edits.name.as_deref().unwrap_or(tag.name());
        let is_void = is_html && html_facts::VOID.contains_in_any_case(name);
        sure(!is_void, Reason::Void, tag.name())?;
        let has_no_end = is_html && html_facts::PLAIN_TEXT.contains(tag.name());
        sure(!has_no_end, Reason::RawText, tag.name())?;
        self.check_form(&tag, name)?;
        let is_empty_raw_text = self.place.closes_itself && self.place.context != Context::Content;
        sure(!is_empty_raw_text, Reason::RawText, tag.name())?;
        let is_outside = self.is_html_tree() && tag.name() == "html";
        self.check_content(content, is_outside, self.elements.last().refuses_text)?;
        let context = self.place.context;
        let scope = PrefixScope::inside(document, &self.edits);
        let piece = self.piece(content, context, tag.name(), scope)?;
        let is_opened = self.ended_formatting.is_opened_after(&piece);
        sure(!is_opened, Reason::Moved, tag.name())?;
        Ok(piece)
    }

    /// Checks that the element is not, with this name, a `form` that its start tag ends, because it is in a table and in no
    /// cell.
    fn check_form(&self, tag: &StartTag<'_>, name: &str) -> Checked {
        let is_in_table = self.is_html_tree() && self.elements.parent().is_in_table;
        let is_form =
            is_in_table && !tag.is_foreign() && html_facts::FORM.contains_in_any_case(name);
        sure(!is_form, Reason::Moved, tag.name())
    }

    /// Checks that the element does not determine how the rest of a template is parsed.
    fn check_template(&self, tag: &StartTag<'_>) -> Checked {
        let is_first = self.is_html_tree()
            && self.elements.parent().is_template
            && html_facts::TABLE_PARTS.contains(tag.name());
        sure(!is_first, Reason::Moved, tag.name())
    }

    /// Checks that content can be at a place. `is_outside` is true for places where an XML document and the tree of an
    /// HTML document have no text and no elements.
    fn check_content(&self, content: Content<'_>, is_outside: bool, refuses_text: bool) -> Checked {
        let (is_xml, is_tree) = (self.top_level != TopLevel::Any, self.is_html_tree());
        let (text, is_well) = match content {
            Content::Text(text) => {
                // In XML, a carriage return is written as a reference, which is not whitespace.
                let is_space = match is_xml {
                    true => text
                        .bytes()
                        .all(|byte| matches!(byte, b'\t' | b'\n' | b' ')),
                    false => text.bytes().all(|byte| byte.is_ascii_whitespace()),
                };
                let is_space = is_space && (!is_outside || is_xml);
                let is_refused = is_outside || refuses_text;
                (text, !is_refused || is_space || text.is_empty())
            }
            Content::Markup(markup) => {
                let is_other = is_comment(markup) || is_xml && is_outside && is_misc(markup);
                (markup, !is_outside || is_other)
            }
        };
        let reason = if is_xml {
            Reason::OutsideRoot
        } else {
            Reason::Parent
        };
        sure(is_well || !is_xml && !is_tree, reason, text)
    }

    pub(super) fn insert_beside(
        &mut self,
        event: &Event<'_>,
        content: Content<'_>,
        side: Side,
        document: &dyn Fragments,
    ) -> Checked {
        let piece = self.outer_piece(event, content, side, document)?;
        if piece.is_empty() {
            return Ok(());
        }
        let edits = self.recorded();
        match side {
            Side::Before => edits.before.push_str(&piece),
            Side::After => edits.after.push(piece),
        }
        Ok(())
    }

    /// Returns content as it is written beside the current event.
    fn outer_piece(
        &mut self,
        event: &Event<'_>,
        content: Content<'_>,
        side: Side,
        document: &dyn Fragments,
    ) -> Checked<String> {
        let context = self.begin_insertion_beside(event, content, side)?;
        let is_empty_text = matches!(event, Event::Text(_)) && !self.place.is_written();
        match side == Side::Before || is_empty_text {
            true => self.begin_insertion_before(event)?,
            false if matches!(event, Event::Text(_)) => self.begin_insertion_after_text(event)?,
            false => self.begin_edit(event)?,
        }
        if is_empty_text || side == Side::After && matches!(event, Event::Text(_)) {
            self.check_end_of_text()?;
        }
        let scope = PrefixScope {
            fragments: document,
            is_after: side == Side::After && matches!(event, Event::End(_)),
            is_declared_here: &|prefix| matches!(event, Event::Start(tag) if declares(tag, prefix)),
            edits: None,
        };
        let piece = self.piece(content, context, &self.place.raw_name, scope)?;
        let is_opened_before = self.ended_formatting.is_opened_before(&piece);
        let is_opened = match (event, side) {
            (Event::Text(_), _) => false,
            (_, Side::Before) => is_opened_before,
            // In a cell, content opens no elements again that ended before the cell, but content after it does.
            (Event::Start(_), Side::After) => {
                is_opened_before || self.ended_formatting.is_opened_after(&piece)
            }
            _ => self.ended_formatting.is_opened_after(&piece),
        };
        sure(!is_opened, Reason::Moved, &piece)?;
        let is_raw_end = context == Context::RawText && matches!(event, Event::End(_));
        let continues = is_raw_end && self.place.continues_raw_text(&piece);
        sure(!continues, Reason::RawText, &piece)?;
        Ok(piece)
    }

    pub(super) fn set_text(
        &mut self,
        event: &Event<'_>,
        text: &str,
        document: &dyn Fragments,
    ) -> Checked {
        let text = match event {
            Event::Comment(_) => {
                self.begin_insertion_before(event)?;
                match self.is_html() {
                    true => html_comment(text)?,
                    false => xml_comment(text, false)?,
                }
                self.output.encode.check(text, References::No)?;
                ["<!--", text, "-->"].concat()
            }
            Event::Text(_) => {
                let piece = self.outer_piece(event, Content::Text(text), Side::Before, document)?;
                self.check_script(event)?;
                piece
            }
            _ => return Err(Refusal::new(Reason::Edit, "")),
        };
        self.recorded().text = Some(text);
        Ok(())
    }

    // ------------------------------------------------------------------------------ Checks

    /// Returns content as it is written in a context.
    fn piece(
        &self,
        content: Content<'_>,
        context: Context,
        element: &str,
        scope: PrefixScope<'_>,
    ) -> Checked<String> {
        if let Content::Markup(markup) = content
            && matches!(context, Context::Content | Context::Cdata)
        {
            fragment::check_markup(markup, self.syntax, scope)?;
        }
        let piece = content::piece(content, context, element, self.syntax)?;
        let references = match (content, context) {
            (Content::Text(_), Context::Content | Context::EscapableText) => {
                References::Of(self.syntax)
            }
            _ => References::No,
        };
        self.output.encode.check(&piece, references)?;
        Ok(piece)
    }

    /// Checks that the current event can be edited, and copies the input before it to the output.
    ///
    /// PERF: the input before a start tag as written is copied later, together with the first part of the tag, unless there
    /// is a seam before it.
    fn begin_edit(&mut self, event: &Event<'_>) -> Checked {
        self.check_editable(event)?;
        if self.is_balanced || self.output.has_seam() || !matches!(event, Event::Start(_)) {
            self.copy_before();
        }
        let is_late = self.place.is_written() && self.place.span.start < self.place.previous_end;
        let is_passed = is_late || self.output.done() > self.place.start();
        sure(!is_passed, Reason::Passed, "")
    }

    /// Checks that the current event is in the input, and complete.
    fn check_editable(&self, event: &Event<'_>) -> Checked {
        sure(!self.place.text.is_from_entity, Reason::Elsewhere, "")?;
        let is_cut = match event {
            Event::Text(_) => self.place.text.follows_incomplete,
            _ => !event.is_complete(),
        };
        sure(!is_cut, Reason::Cut, "")?;
        let is_in_doctype =
            matches!(event, Event::ProcessingInstruction(one) if one.is_in_doctype());
        sure(!is_in_doctype, Reason::Edit, "")
    }

    /// Copies the input before the current event. If the event begins with the rest of a newline that is omitted, it
    /// begins after that.
    fn copy_before(&mut self) {
        self.output.copy_to(self.place.start());
        let omitted = self.output.omitted_newline;
        if self.place.is_written() && self.place.span.start == omitted.start {
            self.place.span.start = omitted.end;
        }
    }

    /// Checks that the current event can be edited, and that bytes other than its own can be written at its start.
    fn begin_insertion_before(&mut self, event: &Event<'_>) -> Checked {
        if let Event::Start(tag) = event {
            sure(!tag.is_implied(), Reason::Implied, tag.name())?;
        }
        self.begin_edit(event)?;
        self.copy_before();
        let start = self.place.start();
        sure(!self.is_cut_at(start), Reason::Cut, "")?;
        sure(!self.output.is_unrepairable(), Reason::Passed, "")?;
        sure(!self.implied.is_stuck_at(start), Reason::Moved, "")?;
        let is_text = matches!(event, Event::Text(_));
        let is_open = is_text && self.place.is_open_before_text();
        sure(!is_open, Reason::RawText, "")
    }

    /// Checks that the current event is not text that changes the state of the parser in a script.
    fn check_script(&self, event: &Event<'_>) -> Checked {
        let changes =
            matches!(event, Event::Text(text) if self.place.changes_script(text.as_str()));
        sure(!changes, Reason::RawText, "")
    }

    /// Checks that content can be written after the current text. The text can contain other events, such as comments of
    /// LeafXML, which come before it.
    fn begin_insertion_after_text(&mut self, event: &Event<'_>) -> Checked {
        self.check_editable(event)?;
        self.copy_before();
        let end = self.place.span.end;
        let is_passed = self.place.previous_end > end || self.output.done() > end;
        sure(!is_passed, Reason::Passed, "")
    }

    /// Checks that the text before a seam, which ends with the current text, can be kept apart from content after it. The
    /// text of the input is judged, and not the current piece, so that the result does not depend on the pieces.
    fn check_end_of_text(&mut self) -> Checked {
        let end = self.place.span.end;
        let is_unrepairable = self.output.is_unrepairable_in_input(end);
        sure(!is_unrepairable, Reason::Passed, "")?;
        sure(!self.place.is_open_after_text(), Reason::RawText, "")
    }

    /// Checks that the current event is not text outside of the root element, where most dialects have no text.
    fn check_root(&self, event: &Event<'_>) -> Checked {
        let is_outside = self.top_level != TopLevel::Any && self.elements.depth() == 0;
        let is_text = matches!(event, Event::Text(_));
        sure(!(is_outside && is_text), Reason::OutsideRoot, "")?;
        sure(!(is_text && self.place.has_frameset), Reason::Parent, "")
    }

    /// Returns the start tag of the current event, if its element can be edited.
    fn begin_tag_edit<'e>(&mut self, event: &Event<'e>) -> Checked<StartTag<'e>> {
        let Event::Start(tag) = event else {
            return Err(Refusal::new(Reason::Edit, ""));
        };
        self.begin_edit(event)?;
        self.check_name_is_written(tag)?;
        Ok(*tag)
    }

    /// Checks that the name of a tag can be written again, although ill-formed bytes of the name were read as U+FFFD.
    fn check_name_is_written(&self, tag: &StartTag<'_>) -> Checked {
        self.output.encode.check(tag.name(), References::No)
    }

    /// Checks that the tag is in the input, or can be written where it is implied.
    fn check_implied_tag(&self, tag: &StartTag<'_>) -> Checked {
        if !tag.is_implied() {
            return Ok(());
        }
        let name = tag.name();
        let is_known = html_facts::DOCUMENT_STRUCTURE.contains(name)
            || html_facts::IMPLIED_BY_CONTENT.contains(name);
        sure(is_known, Reason::Implied, name)?;
        let start = self.place.start();
        sure(!self.implied.is_stuck_at(start), Reason::Moved, name)?;
        sure(!self.is_cut_at(start), Reason::Cut, name)
    }

    /// Checks that content can be inserted beside the current event, and returns the content model there.
    fn begin_insertion_beside(
        &mut self,
        event: &Event<'_>,
        content: Content<'_>,
        side: Side,
    ) -> Checked<Context> {
        self.copy_before();
        let (is_before, is_tree) = (side == Side::Before, self.is_html_tree());
        let (mut context, mut depth) = (Context::Content, self.elements.depth());
        let mut refuses_text = self.elements.last().refuses_text;
        let mut is_outer = false;
        match event {
            Event::Start(tag) => {
                let name = tag.name();
                let has_end = self.is_balanced || !self.is_html() || !self.place.closes_itself;
                depth = depth.saturating_sub(usize::from(has_end));
                refuses_text = self.elements.parent().refuses_text;
                is_outer = is_tree && html_facts::DOCUMENT_STRUCTURE.contains(name);
                sure(!tag.is_implied() || !is_before, Reason::Implied, name)?;
                sure(!tag.is_moved() || !is_tree, Reason::Moved, name)?;
                let has_no_end = self.is_html() && html_facts::PLAIN_TEXT.contains(name);
                sure(!has_no_end || is_before, Reason::RawText, name)?;
                if !is_before {
                    self.check_name_is_written(tag)?;
                }
            }
            Event::End(tag) => {
                sure(self.place.is_written(), Reason::Implied, tag.name())?;
                sure(!tag.is_moved(), Reason::Moved, tag.name())?;
                // A formatting element ends here without an end tag, and content would open it again.
                let is_stuck = self.implied.is_stuck_at(self.place.start());
                sure(!is_stuck, Reason::Moved, tag.name())?;
                sure(
                    is_before || !self.place.ended_is_moved,
                    Reason::Moved,
                    tag.name(),
                )?;
                if is_before {
                    context = self.place.ended_context;
                    refuses_text = self.place.ended_refuses_text;
                    depth += 1;
                }
            }
            Event::Text(_) => {
                sure(!self.place.text.is_moved, Reason::Moved, "")?;
                context = self.text_context();
            }
            Event::Comment(_) | Event::ProcessingInstruction(_) => {
                sure(!event.is_moved() || !is_tree, Reason::Moved, "")?;
            }
            Event::Doctype(_) => {}
            Event::Declaration(_) => sure(!is_before, Reason::Edit, "")?,
            _ => return Err(Refusal::new(Reason::Edit, "")),
        }
        if let Content::Markup(markup) = content
            && (is_before || !self.place.is_written())
        {
            sure(
                depth <= 1 || !self.is_misplaced(markup),
                Reason::Moved,
                markup,
            )?;
        }
        self.check_root(event)?;
        self.check_content(content, is_outer || depth == 0, refuses_text)?;
        Ok(context)
    }
}

/// Returns true if a tag declares a namespace prefix.
fn declares(tag: &StartTag<'_>, prefix: &str) -> bool {
    let mut names = tag.attributes().map(|one| one.name());
    names.any(|name| name.strip_prefix("xmlns:") == Some(prefix))
}

/// Returns true if markup of XML consists of comments, processing instructions and whitespace.
fn is_misc(markup: &str) -> bool {
    let mut rest = markup.trim_ascii_start();
    while !rest.is_empty() {
        let after = match rest.strip_prefix("<!--") {
            Some(comment) => comment.split_once("-->"),
            None => rest.strip_prefix("<?").and_then(|it| it.split_once("?>")),
        };
        let Some((_, after)) = after else {
            return false;
        };
        rest = after.trim_ascii_start();
    }
    true
}

/// Returns true if markup is one comment.
fn is_comment(markup: &str) -> bool {
    let inner = markup.strip_prefix("<!--");
    inner.is_some_and(|inner| inner.find("-->") == inner.len().checked_sub(3))
}
