//! Writing of edited start tags: the bytes of the tag are copied, except where its name or an attribute is edited.

use super::content::is_html;
use super::edits::Edits;
use super::output::OutputBuffer;
use crate::engine::dialect::Syntax;
use crate::engine::event::{Attribute, StartTag};
use crate::engine::text::html_facts;

/// A start tag that is written to the output.
pub(super) struct TagWriter<'t, 'e> {
    pub(super) output: &'t mut OutputBuffer,
    pub(super) syntax: Syntax,
    pub(super) tag: &'t StartTag<'e>,
    pub(super) edits: &'t Edits,
    /// True if the tag is an empty-element tag and its element gets contents.
    pub(super) is_opened: bool,
}

impl TagWriter<'_, '_> {
    /// Writes a tag that is in the input. The output is at its start.
    pub(super) fn change(&mut self) {
        let end = self.tag.span().end;
        let has = |name: &str| self.tag.attribute(name).is_some();
        let mut removed = self
            .edits
            .attributes
            .iter()
            .filter(|(_, value)| value.is_none());
        let removes = removed.any(|(name, _)| has(name));
        if self.is_opened || removes && self.is_irregular() {
            self.write();
            return self.output.skip_to(end);
        }
        if let Some(name) = &self.edits.name {
            let span = self.tag.name_span();
            self.output.copy_to(span.start);
            self.output.write(name, false);
            self.output.skip_to(span.end);
        }
        if !self.edits.attributes.is_empty() {
            self.change_attributes();
        }
        self.output.copy_to(end);
    }

    /// Returns true if the bytes of the other attributes cannot stay when an attribute is removed: another attribute
    /// with the same name would replace it, or its neighbours would become one attribute.
    fn is_irregular(&self) -> bool {
        let end = self.tag.attributes().map(|one| one.span().end).max();
        let next = end.and_then(|end| self.output.ascii_at(end));
        let is_apart =
            next.is_none_or(|next| next.is_ascii_whitespace() || matches!(next, b'/' | b'>'));
        // An attribute name that starts with `=` would be read as the previous attribute's value.
        let has_sign = || self.tag.attributes().any(|one| one.name().starts_with('='));
        self.tag.has_duplicates() || !is_apart || has_sign()
    }

    /// Writes a tag from its name and its attributes.
    pub(super) fn write(&mut self) {
        self.output.write("<", false);
        let name = self.edits.name.as_deref().unwrap_or(self.tag.name());
        self.output.write(name, false);
        let edits = self.edits.attribute_edits(self.syntax);
        for attribute in self.tag.attributes().filter(Attribute::is_specified) {
            match edits.change(&attribute) {
                None => {
                    let span = attribute.span();
                    self.output.write(" ", false);
                    self.output.copy_range(span.start, span.end);
                    if attribute.name_span().end == span.end {
                        self.output.write("=\"\"", false);
                    } else if is_without_value(&attribute) {
                        self.output.write("\"\"", false);
                    }
                }
                Some(Some(value)) => self.write_attribute(attribute.name(), value),
                Some(None) => {}
            }
        }
        for (name, value) in edits.added(self.tag) {
            self.write_attribute(name, value);
        }
        let stays_empty = self.tag.is_self_closing() && !self.is_opened;
        self.output
            .write(if stays_empty { "/>" } else { ">" }, false);
    }

    /// Writes a space, an attribute name and an escaped value in quotation marks.
    fn write_attribute(&mut self, name: &str, value: &str) {
        self.output.write(" ", false);
        self.output.write(name, false);
        self.write_value(value);
    }

    fn write_value(&mut self, value: &str) {
        self.output.write("=\"", false);
        self.output.write(value, true);
        self.output.write("\"", false);
    }

    /// Writes the attributes: copies the bytes of those that are not edited.
    fn change_attributes(&mut self) {
        let edits = self.edits.attribute_edits(self.syntax);
        let mut end = self.tag.name_span().end;
        // True if the last attribute ends with its `=`, so that a following name would be read as its value.
        let mut is_bare = false;
        // True if the previous attribute was removed. An attribute that follows it without whitespace needs a space.
        let mut is_gap = false;
        // True if the last value is unquoted, so that a slash directly after it would become a part of the value.
        let mut is_unquoted = false;
        for attribute in self.tag.attributes().filter(Attribute::is_specified) {
            let span = attribute.span();
            if is_gap && span.start == end {
                self.output.write(" ", false);
            }
            is_gap = false;
            match edits.change(&attribute) {
                None => {
                    let value = attribute.value_span();
                    is_bare = is_without_value(&attribute);
                    is_unquoted = value.start < value.end && value.end == span.end;
                }
                Some(Some(value)) => {
                    self.output.copy_to(attribute.name_span().end);
                    self.write_value(value);
                    self.output.skip_to(span.end);
                    (is_bare, is_unquoted) = (false, false);
                }
                Some(None) => {
                    self.output.copy_to(end);
                    self.output.skip_to(span.end);
                    is_gap = true;
                    if is_unquoted && self.output.ascii_at(span.end) == Some(b'/') {
                        self.output.write(" ", false);
                        is_unquoted = false;
                    }
                }
            }
            end = span.end;
        }
        for (name, value) in edits.added(self.tag) {
            self.output.copy_to(end);
            if core::mem::take(&mut is_bare) {
                self.output.write("\"\"", false);
            }
            self.write_attribute(name, value);
        }
    }
}

/// Returns true if an attribute ends with its `=`.
fn is_without_value(attribute: &Attribute<'_>) -> bool {
    let (span, value) = (attribute.span(), attribute.value_span());
    value.start == value.end && span.end == value.end && span.end > attribute.name_span().end
}

/// Returns true if a parser of HTML ignores a newline directly after the start tag.
pub(super) fn ignores_newline(name: &str, syntax: Syntax) -> bool {
    is_html(syntax) && html_facts::DROPS_NEWLINE.contains(name)
}
