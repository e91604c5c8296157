//! Writing of edited start tags: the bytes of the tag are copied, except where its name or an attribute is edited.

use super::attributes::AttributeEdits;
use super::output::OutputBuffer;
use super::seam::Context;
use crate::engine::event::{Attribute, StartTag};

/// A start tag that is written to the output.
pub(super) struct TagWriter<'t, 'e> {
    pub(super) output: &'t mut OutputBuffer,
    pub(super) is_html: bool,
    pub(super) tag: &'t StartTag<'e>,
    pub(super) attributes: &'t mut AttributeEdits,
    /// The new name of the tag, if it is renamed.
    pub(super) name: Option<&'t str>,
    /// True if the tag is an empty-element tag and its element gets contents.
    pub(super) is_opened: bool,
}

impl TagWriter<'_, '_> {
    /// Writes a tag that is in the input, with the input before it. The last part of the tag that is not edited remains to
    /// be copied. Returns true if the tag is written anew.
    pub(super) fn change(&mut self) -> bool {
        let removes = self.attributes.removes(self.tag, self.is_html);
        if self.is_opened || removes && self.is_irregular() {
            let span = self.tag.span();
            self.output.copy_to(span.start);
            self.write();
            self.output.omit_to(span.end, Context::Content);
            return true;
        }
        if let Some(name) = self.name {
            let span = self.tag.name_span();
            self.output.copy_to(span.start);
            self.output.write(name, false);
            self.output.skip_to(span.end);
        }
        if !self.attributes.is_empty() {
            self.change_attributes();
        }
        false
    }

    /// Returns true if the bytes of the other attributes cannot stay when an attribute is removed: another attribute
    /// with the same name would replace it, or its neighbours would become one attribute.
    fn is_irregular(&self) -> bool {
        let written = self.tag.attributes().filter(Attribute::is_specified);
        let end = written.map(|one| one.span().end).max();
        let next = end.and_then(|end| self.output.ascii_at(end));
        let is_apart =
            next.is_none_or(|next| next.is_ascii_whitespace() || matches!(next, b'/' | b'>'));
        // An attribute name that starts with `=` would be read as the previous attribute's value.
        let has_sign = || self.tag.attributes().any(|one| one.name().starts_with('='));
        self.tag.has_duplicates() || !is_apart || has_sign()
    }

    /// Writes the whole tag anew: its name, and its attributes with the edits.
    pub(super) fn write(&mut self) {
        self.output.begin_tag(self.tag.is_implied());
        self.output.write("<", false);
        let name = self.name.unwrap_or(self.tag.name());
        self.output.write(name, false);
        let mut last = Last::Name;
        for attribute in self.tag.attributes().filter(Attribute::is_specified) {
            match self.attributes.change(&attribute, self.is_html) {
                None => {
                    last = Last::Kept(attribute);
                    let span = attribute.span();
                    self.output.write(" ", false);
                    self.output.copy_range(span.start, span.end);
                    if attribute.name_span().end == span.end {
                        self.output.write("=\"\"", false);
                    } else if is_without_value(&attribute) {
                        self.output.write("\"\"", false);
                    }
                }
                Some(Some(value)) => {
                    last = Last::Name;
                    self.output.write(" ", false);
                    self.output.write(attribute.name(), false);
                    self.output.write(value, true);
                }
                Some(None) => {}
            }
        }
        for added in self.attributes.added() {
            last = Last::Name;
            self.output.write(added, true);
        }
        let stays_empty = self.tag.is_self_closing() && !self.is_opened;
        let end = match stays_empty {
            // A slash directly after an unquoted value would become a part of the value.
            true if last.is_unquoted() => " />",
            true => "/>",
            false => ">",
        };
        self.output.write(end, false);
    }

    /// Writes the attributes: copies the bytes of those that are not edited.
    fn change_attributes(&mut self) {
        let mut last = Last::Name;
        for attribute in self.tag.attributes().filter(Attribute::is_specified) {
            if let Last::Removed(end, _) = last
                && attribute.span().start == end
            {
                self.output.write(" ", false);
            }
            last = match self.attributes.change(&attribute, self.is_html) {
                None => Last::Kept(attribute),
                Some(Some(value)) => {
                    self.output.copy_to(attribute.name_span().end);
                    self.output.write(value, true);
                    let end = attribute.span().end;
                    self.output.skip_to(end);
                    Last::Set(end)
                }
                Some(None) => {
                    let end = attribute.span().end;
                    self.output.copy_to(last.end(self.tag));
                    self.output.skip_to(end);
                    // A slash directly after an unquoted value would become a part of the value.
                    let mut is_unquoted = last.is_unquoted();
                    if is_unquoted && self.output.ascii_at(end) == Some(b'/') {
                        self.output.write(" ", false);
                        is_unquoted = false;
                    }
                    Last::Removed(end, is_unquoted)
                }
            };
        }
        for added in self.attributes.added() {
            self.output.copy_to(last.end(self.tag));
            if let Last::Kept(attribute) = last
                && is_without_value(&attribute)
            {
                self.output.write("\"\"", false);
                last = Last::Set(attribute.span().end);
            }
            self.output.write(added, true);
        }
    }
}

/// The last attribute of a tag that is written, or the name of the tag.
#[derive(Clone, Copy)]
enum Last<'e> {
    Name,
    /// An attribute that is not edited.
    Kept(Attribute<'e>),
    /// An attribute with a new value, and the offset of its end in the input.
    Set(u64),
    /// A removed attribute: the offset of its end in the input, and whether the output ends with an unquoted value. An
    /// attribute that follows it without whitespace needs a space.
    Removed(u64, bool),
}

impl Last<'_> {
    /// Offset of the end in the input.
    fn end(&self, tag: &StartTag<'_>) -> u64 {
        match self {
            Last::Name => tag.name_span().end,
            Last::Kept(attribute) => attribute.span().end,
            Last::Set(end) | Last::Removed(end, _) => *end,
        }
    }

    /// Returns true if the tag, as it is written so far, ends with an unquoted value.
    fn is_unquoted(&self) -> bool {
        match self {
            Last::Name | Last::Set(_) => false,
            Last::Kept(attribute) => {
                let value = attribute.value_span();
                value.start < value.end && value.end == attribute.span().end
            }
            Last::Removed(_, is_unquoted) => *is_unquoted,
        }
    }
}

/// Returns true if an attribute ends with its `=`.
fn is_without_value(attribute: &Attribute<'_>) -> bool {
    let (span, value) = (attribute.span(), attribute.value_span());
    value.start == value.end && span.end == value.end && span.end > attribute.name_span().end
}
