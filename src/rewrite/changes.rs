//! Writing of an edited event: copies parts of its bytes, omits others, and inserts new text.

use super::attributes::AttributeEdits;
use super::edits::{Closing, Edits, Kept};
use super::through::Through;
use crate::engine::dialect::Syntax;
use crate::engine::error::Span;
use crate::engine::event::{Attribute, EndTag, StartTag, Text};
use crate::engine::namespaces::HTML_INDEX;
use crate::engine::text::html_facts;
use crate::engine::text::xml_names::is_char;
use crate::write::html::ContentModel;
use crate::write::{
    Reason, Refusal, html_attribute_name, html_characters, html_comment, html_name, raw_text, sure,
    xml_comment, xml_name_with_colons,
};
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::Write;

/// The output buffer, and the context in which an event is written.
pub(super) struct Changes<'c> {
    /// The output buffer, which also retains the input.
    pub(super) through: &'c mut Through,
    /// The syntax of the dialect.
    pub(super) syntax: Syntax,
    /// The content model of the innermost open element.
    pub(super) holds: ContentModel,
    /// The name of the innermost open element, if `holds` is raw text.
    pub(super) raw: &'c str,
}

impl Changes<'_> {
    fn is_html(&self) -> bool {
        matches!(self.syntax, Syntax::Html { .. })
    }

    /// Copies the input before an event. Refuses the edit if the output is already past the start of the event.
    fn go_to(&mut self, span: Span) -> Result<(), Refusal> {
        sure(span.start >= self.through.done(), Reason::Passed, "")?;
        self.through.copy_to(span.start);
        Ok(())
    }

    /// Copies the input before an event. The caller then writes other bytes than the first bytes of the event, so
    /// characters at the end of the copied input may be escaped. Refuses the edit if the output is already past the
    /// start of the event.
    fn go_apart_to(&mut self, span: Span, holds: ContentModel) -> Result<(), Refusal> {
        sure(span.start >= self.through.done(), Reason::Passed, "")?;
        self.copy_apart_to(span.start, holds)
    }

    /// Copies the input before an offset. The caller writes other bytes after it than those that follow in the input.
    fn copy_apart_to(&mut self, to: u64, holds: ContentModel) -> Result<(), Refusal> {
        match holds {
            // Raw text does not become markup, whatever follows.
            ContentModel::RawText => self.through.copy_to(to),
            _ => self.through.copy_apart_to(to)?,
        }
        Ok(())
    }

    // ------------------------------------------------------------------------------------- Content

    pub(super) fn put_all(
        &mut self,
        all: &[Kept],
        holds: ContentModel,
        raw: &str,
    ) -> Result<(), Refusal> {
        all.iter().try_for_each(|content| match content.is_markup {
            true if holds == ContentModel::RawText => self.through.put(&content.text, false),
            true => {
                self.through.part();
                self.through.put(&content.text, true)
            }
            false => self.put_text(&content.text, holds, raw),
        })
    }

    fn put_text(&mut self, text: &str, holds: ContentModel, raw: &str) -> Result<(), Refusal> {
        if holds == ContentModel::RawText {
            raw_text(raw, text)?;
            // An incomplete end tag at the end of the text, such as `</scr`, could close the element together with the
            // following text.
            let tail = text.rfind('<').map_or("", |at| &text[at..]);
            let end = alloc::format!("</{raw}");
            let is_begun = end
                .get(..tail.len())
                .is_some_and(|end| end.eq_ignore_ascii_case(tail));
            sure(tail.is_empty() || !is_begun, Reason::RawText, text)?;
            return self.through.put(text, false);
        }
        let escaped = self.escaped(text, false)?;
        self.through.put_data(&escaped)
    }

    /// Returns text or an attribute value with references in place of characters that would be markup. Numeric
    /// references are hexadecimal, because MicroXML has no decimal ones.
    fn escaped<'t>(&self, text: &'t str, is_value: bool) -> Result<Cow<'t, str>, Refusal> {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !b"&<>\"".contains(&byte);
        if text.bytes().all(is_plain) {
            return Ok(Cow::Borrowed(text));
        }
        let is_html = self.is_html();
        let mut out = String::with_capacity(text.len() + 16);
        for character in text.chars() {
            match character {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' if is_value => out.push_str("&quot;"),
                '\r' if self.syntax != Syntax::LeafXml => refer(character, &mut out),
                '\u{7F}'..='\u{9F}' | '\u{2028}' if !is_html => refer(character, &mut out),
                '\t' | '\n' if is_value => refer(character, &mut out),
                _ if is_html || is_char(character) && character != '\r' => out.push(character),
                _ => {
                    return Err(Refusal::new(
                        Reason::Character,
                        character.encode_utf8(&mut [0; 4]),
                    ));
                }
            }
        }
        if is_html {
            html_characters(text)?;
        }
        Ok(Cow::Owned(out))
    }

    // ------------------------------------------------------------------------------------- Tags

    fn check_name(&self, name: &str, is_attribute: bool) -> Result<(), Refusal> {
        match (self.is_html(), is_attribute) {
            (true, true) => html_attribute_name(name),
            (true, false) => html_name(name),
            (false, _) => xml_name_with_colons(name),
        }
    }

    /// Returns true if a tag starts and ends its element.
    pub(super) fn is_self_closed(&self, tag: &StartTag<'_>) -> bool {
        tag.is_self_closing() && !(self.is_html() && tag.namespace_index() == HTML_INDEX)
    }

    /// Writes an edited start tag. Returns true if the edits remove the contents of the element.
    pub(super) fn start(
        &mut self,
        tag: &StartTag<'_>,
        span: Span,
        edits: &Edits,
    ) -> Result<bool, Refusal> {
        sure(edits.text.is_none(), Reason::Edit, tag.name())?;
        let is_html = self.is_html() && tag.namespace_index() == HTML_INDEX;
        let is_void = is_html && html_facts::VOID.contains(tag.name());
        let fills = edits.opens() || edits.is_emptied;
        sure(!is_void || !fills, Reason::Void, tag.name())?;
        if let Some(name) = &edits.name {
            self.check_name(name, false)?;
        }
        for (name, _) in &edits.attributes {
            self.check_name(name, true)?;
        }
        if tag.is_implied() {
            let is_written = edits.sets() || fills;
            // The parser implies formatting elements again in later paragraphs (and `br` for `</br>`). If such an
            // implied tag was written, the reader of the output would create one more element, so the edit is refused.
            let is_again = html_facts::FORMATTING.contains(tag.name()) || tag.name() == "br";
            let is_renamed = edits.name.is_some() || edits.is_unwrapped;
            let is_well = !(is_renamed || is_written && is_again);
            sure(is_well, Reason::Implied, tag.name())?;
        } else {
            sure(tag.raw().starts_with('<'), Reason::Elsewhere, tag.name())?;
        }
        let is_put = tag.is_implied() && (edits.sets() || fills);
        if edits.is_removed || edits.is_unwrapped || is_put || !edits.before.is_empty() {
            self.go_apart_to(span, ContentModel::All)?;
        }
        self.go_to(span)?;
        self.put_all(&edits.before, ContentModel::All, "")?;
        if edits.is_removed {
            self.through.cut_to(span.end);
            return Ok(true);
        }
        if edits.is_unwrapped {
            self.through.cut_to(span.end);
        } else if tag.is_implied() {
            if is_put {
                self.put_tag(tag, edits)?;
            }
        } else {
            let removes = edits.attributes.iter().any(|(_, value)| value.is_none());
            let opens = self.is_self_closed(tag) && edits.opens();
            // At the end of the input, a tag may lack its `>`.
            let ends = tag.attributes().map(|one| one.span().end).max();
            let is_cut = !tag.raw().ends_with('>') || ends == Some(span.end);
            let is_apart = || ends.is_none_or(|end| self.through.is_apart(end));
            // An attribute name that starts with `=` would be read as the previous attribute's value.
            let has_sign = || tag.attributes().any(|one| one.name().starts_with('='));
            let is_anew = || tag.has_duplicates() || !is_apart() || has_sign();
            if opens || is_cut || removes && is_anew() {
                self.put_tag(tag, edits)?;
                self.through.leave_out_to(span.end);
            } else {
                self.change_tag(tag, edits)?;
                self.through.copy_to(span.end);
            }
        }
        let name = edits.name.as_deref().unwrap_or(tag.name());
        let drops = !edits.is_unwrapped && html_facts::DROPS_NEWLINE.contains(name);
        self.through
            .drop_as(html_facts::DROPS_NEWLINE.contains(tag.name()), drops);
        self.put_all(&edits.first, self.holds, self.raw)?;
        Ok(edits.is_emptied)
    }

    /// Writes a space, an attribute name and a value in quotation marks.
    fn put_attribute(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        let value = self.escaped(value, true)?;
        let parts = [
            (" ", false),
            (name, false),
            ("=\"", false),
            (&*value, true),
            ("\"", false),
        ];
        self.through.put_all(&parts)
    }

    /// Writes `=` and an attribute value in quotation marks.
    fn put_value(&mut self, value: &str) -> Result<(), Refusal> {
        let value = self.escaped(value, true)?;
        self.through
            .put_all(&[("=\"", false), (&*value, true), ("\"", false)])
    }

    /// Writes a start tag from its name and its attributes, for tags whose bytes cannot be copied: implied tags, tags
    /// without their `>`, and empty-element tags that get content.
    fn put_tag(&mut self, tag: &StartTag<'_>, edits: &Edits) -> Result<(), Refusal> {
        self.through.put("<", false)?;
        self.through
            .put(edits.name.as_deref().unwrap_or(tag.name()), false)?;
        let attributes = AttributeEdits::new(&edits.attributes, self.syntax);
        for attribute in tag.attributes().filter(Attribute::is_specified) {
            match attributes.change(&attribute) {
                None => self.put_attribute(attribute.name(), attribute.value())?,
                Some(Some(value)) => self.put_attribute(attribute.name(), value)?,
                Some(None) => {}
            }
        }
        for (name, value) in attributes.added(tag) {
            self.put_attribute(name, value)?;
        }
        let is_empty = self.is_self_closed(tag) && !edits.opens();
        self.through.put(if is_empty { "/>" } else { ">" }, false)
    }

    /// Writes a start tag up to its last attribute: copies the bytes of the tag, except where a name or an attribute is
    /// edited.
    fn change_tag(&mut self, tag: &StartTag<'_>, edits: &Edits) -> Result<(), Refusal> {
        if let Some(name) = &edits.name {
            let span = tag.name_span();
            self.through.copy_to(span.start);
            self.through.put(name, false)?;
            self.through.leave_out_to(span.end);
        }
        if edits.attributes.is_empty() {
            return Ok(());
        }
        let attributes = AttributeEdits::new(&edits.attributes, self.syntax);
        let mut end = tag.name_span().end;
        let mut is_bare = false;
        // `is_gap` is true if the previous attribute was removed: an attribute that follows it without whitespace then
        // needs a space. `is_unquoted` is true if the last remaining value is unquoted: a slash directly after it would
        // become a part of the value.
        let mut is_gap = false;
        let mut is_unquoted = false;
        // The previous attribute, if it was copied unchanged.
        let mut kept = None;
        for attribute in tag.attributes().filter(Attribute::is_specified) {
            if is_gap && attribute.span().start == end {
                self.through.put(" ", false)?;
            }
            is_gap = false;
            let Some(value) = attributes.change(&attribute) else {
                kept = Some(attribute);
                continue;
            };
            if let Some(kept) = kept.take() {
                (end, is_bare) = (kept.span().end, is_without_value(&kept));
                let value = kept.value_span();
                is_unquoted = value.start < value.end && value.end == end;
            }
            let span = attribute.span();
            match value {
                Some(value) => {
                    self.through.copy_to(attribute.name_span().end);
                    self.put_value(value)?;
                    self.through.leave_out_to(span.end);
                    (is_bare, is_unquoted) = (false, false);
                }
                None => {
                    self.through.copy_to(end);
                    self.through.leave_out_to(span.end);
                    is_gap = true;
                    if is_unquoted && self.through.is_slash(span.end) {
                        self.through.put(" ", false)?;
                        is_unquoted = false;
                    }
                }
            }
            end = span.end;
        }
        if let Some(kept) = kept {
            (end, is_bare) = (kept.span().end, is_without_value(&kept));
        }
        for (name, value) in attributes.added(tag) {
            self.through.copy_to(end);
            if core::mem::take(&mut is_bare) {
                self.through.put("\"\"", false)?;
            }
            self.put_attribute(name, value)?;
        }
        Ok(())
    }

    /// Writes end tags that the input omits.
    fn put_ends(&mut self, names: &[String]) -> Result<(), Refusal> {
        names.iter().try_for_each(|name| self.put_end(name))
    }

    fn put_end(&mut self, name: &str) -> Result<(), Refusal> {
        self.through.put("</", false)?;
        self.through.put(name, false)?;
        self.through.put(">", false)
    }

    pub(super) fn end(
        &mut self,
        (tag, span): (&EndTag<'_>, Span),
        edits: &Edits,
        closing: Option<&Closing>,
        ends: &[String],
    ) -> Result<(), Refusal> {
        let is_written = span.start < span.end;
        let (holds, raw) = closing.map_or((ContentModel::All, ""), |one| (one.holds, &*one.raw));
        if closing.is_none() && edits.before.is_empty() {
            // Content after the end is inserted at this position.
            sure(span.end >= self.through.done(), Reason::Passed, tag.name())?;
            self.copy_apart_to(span.end, ContentModel::All)?;
            self.put_ends(ends)?;
            return self.put_all(&edits.after, ContentModel::All, "");
        }
        match is_written {
            true => self.go_apart_to(span, holds)?,
            false => self.copy_apart_to(span.start, holds)?,
        }
        self.put_ends(ends)?;
        if let Some(closing) = closing {
            self.put_all(&closing.last, holds, raw)?;
        }
        self.put_all(&edits.before, holds, raw)?;
        match closing {
            Some(one) if one.is_unwrapped => self.through.cut_to(span.end),
            Some(Closing {
                name: Some(name), ..
            }) if is_written && !tag.is_short() => {
                self.put_end(name)?;
                self.through.leave_out_to(span.end);
            }
            Some(Closing {
                end_tag: Some(name),
                ..
            }) if !is_written => {
                self.put_end(name)?;
            }
            _ => self.through.copy_to(span.end),
        }
        self.put_all(&edits.after, ContentModel::All, "")?;
        match closing {
            Some(closing) => self.put_all(&closing.after, ContentModel::All, ""),
            None => Ok(()),
        }
    }

    // ------------------------------------------------------------------------------------- All else

    /// Writes an edited text. Returns true if the following pieces of the same run of text have to be rewritten too.
    pub(super) fn text(
        &mut self,
        text: &Text<'_>,
        span: Span,
        edits: &Edits,
        (was_in_cdata, is_in_cdata): (bool, bool),
        is_changed: bool,
    ) -> Result<bool, Refusal> {
        if is_changed {
            self.through.leave_out_gap_to(span.start);
        }
        let (holds, raw) = (self.holds, self.raw);
        if holds == ContentModel::RawText {
            // If text is inserted after this piece of raw text, the two together could form the end tag of the element.
            let ends = !edits.after.is_empty() && self.through.is_raw_open(span.end);
            sure(
                !ends && !self.through.is_raw_open(span.start),
                Reason::RawText,
                text.as_str(),
            )?;
        }
        let is_cut = is_changed || was_in_cdata || is_in_cdata;
        match was_in_cdata || edits.before.is_empty() && edits.text.is_none() && !edits.is_removed {
            true => self.go_to(span)?,
            false => self.go_apart_to(span, holds)?,
        }
        if was_in_cdata && !is_changed {
            self.through.part();
            self.through.put("]]>", false)?;
        }
        self.put_all(&edits.before, holds, raw)?;
        if let Some(text) = &edits.text {
            self.put_text(text, holds, raw)?;
        } else if is_cut && !edits.is_removed {
            self.put_text(text.as_str(), holds, raw)?;
        }
        match edits.text.is_some() || edits.is_removed || is_cut {
            true if holds == ContentModel::RawText => self.through.leave_out_to(span.end),
            true => self.through.cut_to(span.end),
            false if edits.after.is_empty() => self.through.copy_to(span.end),
            false => self.copy_apart_to(span.end, holds)?,
        }
        self.put_all(&edits.after, holds, raw)?;
        Ok(is_cut)
    }

    /// Writes an edited event that is neither a tag nor text.
    pub(super) fn other(&mut self, span: Span, edits: &Edits) -> Result<(), Refusal> {
        sure(self.through.is_angle(span.start), Reason::Elsewhere, "")?;
        self.go_apart_to(span, ContentModel::All)?;
        self.put_all(&edits.before, ContentModel::All, "")?;
        if let Some(text) = &edits.text {
            match self.is_html() {
                true => html_comment(text)?,
                false => xml_comment(text, false)?,
            }
            self.through.put("<!--", false)?;
            self.through.put(text, false)?;
            self.through.put("-->", false)?;
        }
        match edits.is_removed || edits.text.is_some() {
            true => self.through.cut_to(span.end),
            false => self.through.copy_to(span.end),
        }
        self.put_all(&edits.after, ContentModel::All, "")
    }
}

/// Returns true if an attribute ends with its `=`, so that whatever follows would be read as its value.
fn is_without_value(attribute: &Attribute<'_>) -> bool {
    let (span, value) = (attribute.span(), attribute.value_span());
    value.start == value.end && span.end == value.end && span.end > attribute.name_span().end
}

fn refer(character: char, out: &mut String) {
    let _ = write!(out, "&#x{:X};", u32::from(character));
}
