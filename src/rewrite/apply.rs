//! Changes made: where the bytes of an event are copied, left out, and others put. It must not know what comes
//! next.

use super::edits::{Closing, Edits, Kept};
use super::through::Through;
use super::{RewriteError, Rewriter};
use crate::dialect::{Balance, Syntax};
use crate::error::{Position, Span};
use crate::event::{Attribute, EndTag, Event, StartTag, Text};
use crate::namespaces::HTML_INDEX;
use crate::parser::Status;
use crate::text::xml_names::is_char;
use crate::write::html::{Holds, VOID};
use crate::write::{
    Reason, Refusal, html_attribute_name, html_characters, html_comment, html_name, raw_text, sure,
    xml_comment, xml_name_with_colons,
};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// Elements that the standard opens once more: a tag of one would be a further element.
const FORMATTING: [&str; 14] = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// What an element holds: text, in those whose text is no markup.
#[inline(always)]
pub(super) fn holds(syntax: Syntax, tag: &StartTag<'_>) -> Holds {
    match syntax {
        Syntax::Xml => Holds::All,
        Syntax::Sky => match tag.name() {
            "script" | "style" => Holds::RawText,
            _ => Holds::All,
        },
        Syntax::Html { scripting } if tag.namespace_index() == HTML_INDEX => {
            match tag.name().as_bytes() {
                b"script" | b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes"
                | b"plaintext" => Holds::RawText,
                b"noscript" if scripting => Holds::RawText,
                b"textarea" | b"title" => Holds::Text,
                _ => Holds::All,
            }
        }
        Syntax::Html { .. } => Holds::All,
    }
}

/// Whether a start tag ends its element too.
fn closes_itself(syntax: Syntax, tag: &StartTag<'_>) -> bool {
    let is_html = matches!(syntax, Syntax::Html { .. }) && tag.namespace_index() == HTML_INDEX;
    match is_html {
        true => VOID.contains(&tag.name()),
        false => tag.is_self_closing(),
    }
}

impl<D: Balance> Rewriter<D> {
    /// Makes what is to become of the event in hand; what cannot be made is left, and said with the next.
    pub(super) fn make(&mut self) {
        self.through.forget_taken();
        if !self.edits.is_some && !self.is_closing {
            return;
        }
        self.through.set_encoding(self.parser.encoding());
        let edits = core::mem::take(&mut self.edits);
        let before = self.through.before();
        let event = match &self.empty {
            None => self.parser.last_event(),
            Some(record) => Some(self.parser.empty_text(record)),
        };
        if let Some(event) = event {
            let position = event.position();
            // The end of an element is made whatever becomes of what is said of it.
            let edits = match self.make_event(edits) {
                Ok(()) => None,
                Err(refusal) => Some(refusal),
            };
            if let Some(refusal) = edits {
                self.through.go_back(before);
                self.refuse(refusal, position);
                if self.is_closing {
                    let closed = self.make_event(Edits::default());
                    self.forgive(closed, position);
                }
            }
        }
        self.is_closing = false;
    }

    /// Text was changed that the event in hand stands in: an entity has both.
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

    fn refuse(&mut self, refusal: Refusal, position: Position) {
        self.failed = Some(RewriteError::Refused(refusal, position));
    }

    fn forgive(&mut self, made: Result<(), Refusal>, position: Position) {
        if let Err(refusal) = made {
            self.refuse(refusal, position);
        }
    }

    fn make_event(&mut self, edits: Edits) -> Result<(), Refusal> {
        let event = match &self.empty {
            None => self.parser.last_event(),
            Some(record) => Some(self.parser.empty_text(record)),
        };
        let Some(event) = event else { return Ok(()) };
        let mut span = event.span();
        if let Event::Text(text) = event {
            span = self.through.part_of(span, text.as_str());
        }
        let is_implied = match event {
            Event::Start(tag) => tag.is_implied(),
            Event::End(_) => span.start == span.end,
            _ => false,
        };
        if is_implied {
            // A part of the token that implied it may have come before it.
            let behind = self.parser.previous_end().unwrap_or(0);
            span.start = span.start.max(behind).max(self.through.done());
            span.end = span.start;
        }
        let mut changes = Changes {
            through: &mut self.through,
            syntax: self.syntax,
            holds: self.holds,
            raw: &self.raw,
        };
        match event {
            Event::Start(tag) => {
                let leaves_out = changes.start(&tag, span, &edits)?;
                let is_self_closed = changes.is_self_closed(&tag);
                let is_opened = is_self_closed && edits.opens();
                let waits = edits.name.is_some()
                    || edits.is_unwrapped
                    || is_opened
                    || !edits.last.is_empty()
                    || !edits.after.is_empty();
                let name = String::from(edits.name.as_deref().unwrap_or(tag.name()));
                let becomes_void = edits.name.is_some() && VOID.contains(&&*name);
                // An end that is not written is, where the new name would not be implied.
                let is_renamed = edits.name.is_some();
                let needs_end = (is_renamed || !edits.after.is_empty())
                    && !closes_itself(self.syntax, &tag)
                    && !becomes_void;
                let closing = waits.then(|| Closing {
                    depth: self.depth,
                    last: edits.last,
                    after: edits.after,
                    is_unwrapped: edits.is_unwrapped || becomes_void,
                    end_tag: (is_opened || needs_end).then_some(name),
                    holds: self.holds,
                    raw: self.raw.clone(),
                    name: edits.name,
                });
                self.closings.extend(closing);
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
                let is_closed =
                    closing.is_some_and(|one| one.end_tag.is_some() || one.is_unwrapped);
                let fills = !edits.before.is_empty() || is_closed || closing.is_some_and(puts);
                // What is put behind an element is not to come into it.
                let is_own = !edits.after.is_empty() && !is_closed;
                let ends = match fills || is_own {
                    true => self
                        .parser
                        .ends_left_out(is_own, |tag| closes_itself(self.syntax, &tag)),
                    false => Vec::new(),
                };
                // Those of elements from a depth on are written already; this one was `self.depth + 1` deep.
                let outermost = self.depth + if is_own { 1 } else { 2 };
                let left = self
                    .closed_from
                    .saturating_sub(outermost)
                    .min(ends.len() as u64);
                let ends = &ends[ends.len() - left as usize..];
                if fills || is_own {
                    self.closed_from = outermost - u64::from(is_closed);
                }
                changes.end((&tag, span), &edits, closing, ends)?;
                if self.is_closing {
                    self.closings.pop();
                }
            }
            Event::Text(text) => {
                sure(!edits.is_of_elements(), Reason::Edit, text.as_str())?;
                let cdata = (self.was_in_cdata, self.is_in_cdata);
                let is_changed = changes.text(&text, span, &edits, cdata, self.is_run_changed)?;
                self.is_run_changed |= is_changed;
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

    /// The element whose content was left out ends here, and is left out too or not.
    pub(super) fn end_left_out(&mut self, with_it: bool) {
        self.leaves_out = None;
        self.closed_from = self.depth + if with_it { 1 } else { 2 };
        let Some(event) = self.parser.last_event() else {
            return;
        };
        let (span, position) = (event.span(), event.position());
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
                holds: Holds::All,
                raw: "",
            };
            let closing = self.closings.pop();
            let put = match &closing {
                Some(closing) => changes.put_all(&closing.after, Holds::All, ""),
                None => Ok(()),
            };
            self.is_closing = false;
            self.forgive(put, position);
        }
    }

    /// A piece of a run of text comes, after which there may be more.
    #[cold]
    pub(super) fn pass_piece(&mut self, is_piece: bool, starts: bool) {
        if starts {
            (self.is_in_cdata, self.is_run_changed) = (false, false);
        }
        self.was_in_cdata = self.is_in_cdata;
        if let Some(event) = self.parser.last_event()
            && self.holds == Holds::All
        {
            let span = event.span();
            self.through.set_encoding(self.parser.encoding());
            let open = self.through.rfind("<![CDATA[", span);
            let close = self.through.rfind("]]>", span);
            self.is_in_cdata = match (open, close) {
                (Some(open), Some(close)) => open > close,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => self.is_in_cdata,
            };
        }
        self.is_in_run = is_piece;
        // What was begun otherwise is gone on with otherwise.
        self.is_closing |= self.is_run_changed;
    }

    /// Puts all that no event which is still to come can have.
    pub(super) fn put_passed(&mut self) {
        self.through.set_encoding(self.parser.encoding());
        let is_there = self.parser.coming().is_some();
        let mut to = match self.parser.last_event() {
            Some(event) => event.span().end,
            None => 0,
        };
        if !is_there {
            to = to.max(self.parser.passed());
            if self.parser.status() == Status::Finished && !self.is_in_run {
                to = self.through.end();
            }
        }
        match self.leaves_out {
            Some(_) => self.through.leave_out_to(to),
            None => self.through.copy_to(to),
        }
    }
}

impl Edits {
    /// Whether an attribute gets a value.
    fn sets(&self) -> bool {
        self.attributes.iter().any(|(_, value)| value.is_some())
    }

    /// Whether an element comes to hold something.
    fn opens(&self) -> bool {
        !self.first.is_empty() || !self.last.is_empty()
    }
}

/// What changes are made with.
struct Changes<'c> {
    through: &'c mut Through,
    syntax: Syntax,
    holds: Holds,
    /// The name of the innermost element, if that holds text as it stands.
    raw: &'c str,
}

impl Changes<'_> {
    fn is_html(&self) -> bool {
        matches!(self.syntax, Syntax::Html { .. })
    }

    /// Goes to where an event begins, if that is still ahead.
    fn go_to(&mut self, span: Span) -> Result<(), Refusal> {
        sure(span.start >= self.through.done(), Reason::Passed, "")?;
        self.through.copy_to(span.start);
        Ok(())
    }

    // ------------------------------------------------------------------------------------- Content

    fn put_all(&mut self, all: &[Kept], holds: Holds, raw: &str) -> Result<(), Refusal> {
        all.iter().try_for_each(|content| match content.is_markup {
            true => self.through.put(&content.text, holds != Holds::RawText),
            false => self.put_text(&content.text, holds, raw),
        })
    }

    fn put_text(&mut self, text: &str, holds: Holds, raw: &str) -> Result<(), Refusal> {
        if holds == Holds::RawText {
            raw_text(raw, text)?;
            // With what comes behind it, it could still end the element.
            let tail = text.rfind('<').map_or("", |at| &text[at..]);
            let end = alloc::format!("</{raw}");
            let is_begun = end
                .get(..tail.len())
                .is_some_and(|end| end.eq_ignore_ascii_case(tail));
            sure(tail.is_empty() || !is_begun, Reason::RawText, text)?;
            return self.through.put(text, false);
        }
        let escaped = self.escaped(text, false)?;
        self.through.put(&escaped, true)
    }

    /// Text or a value with references in place of what would be markup. Numbers are of base 16: MicroXML
    /// has no others.
    fn escaped(&self, text: &str, is_value: bool) -> Result<String, Refusal> {
        let is_html = self.is_html();
        let mut out = String::with_capacity(text.len() + 16);
        for character in text.chars() {
            match character {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' if is_value => out.push_str("&quot;"),
                '\r' | '\u{7F}'..='\u{9F}' | '\u{2028}' => refer(character, &mut out),
                '\t' | '\n' if is_value => refer(character, &mut out),
                _ if is_html || is_char(character) => out.push(character),
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
        Ok(out)
    }

    // ------------------------------------------------------------------------------------- Tags

    fn check_name(&self, name: &str, is_attribute: bool) -> Result<(), Refusal> {
        match (self.is_html(), is_attribute) {
            (true, true) => html_attribute_name(name),
            (true, false) => html_name(name),
            (false, _) => xml_name_with_colons(name),
        }
    }

    /// Whether a tag begins and ends its element.
    fn is_self_closed(&self, tag: &StartTag<'_>) -> bool {
        tag.is_self_closing() && !(self.is_html() && tag.namespace_index() == HTML_INDEX)
    }

    /// A start tag; gives whether what its element holds is left out.
    fn start(&mut self, tag: &StartTag<'_>, span: Span, edits: &Edits) -> Result<bool, Refusal> {
        sure(edits.text.is_none(), Reason::Edit, tag.name())?;
        let is_html = self.is_html() && tag.namespace_index() == HTML_INDEX;
        let is_void = is_html && VOID.contains(&tag.name());
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
            let is_again = FORMATTING.contains(&tag.name()) || tag.name() == "br";
            let is_renamed = edits.name.is_some() || edits.is_unwrapped;
            let is_well = !(is_written && is_again) && !is_renamed;
            sure(is_well, Reason::Implied, tag.name())?;
        } else {
            sure(tag.raw().starts_with('<'), Reason::Elsewhere, tag.name())?;
        }
        self.go_to(span)?;
        self.put_all(&edits.before, Holds::All, "")?;
        if edits.is_removed {
            self.through.leave_out_to(span.end);
            return Ok(true);
        }
        if edits.is_unwrapped {
            self.through.leave_out_to(span.end);
        } else if tag.is_implied() {
            if edits.sets() || fills {
                self.put_tag(tag, edits)?;
            }
        } else {
            let removes = edits.attributes.iter().any(|(_, value)| value.is_none());
            let opens = self.is_self_closed(tag) && edits.opens();
            // At the end of the input a tag may have come without its end.
            let ends = tag.attributes().map(|one| one.span().end).max();
            let is_cut = !tag.raw().ends_with('>') || ends == Some(span.end);
            if opens || is_cut || removes && tag.has_duplicates() {
                self.put_tag(tag, edits)?;
                self.through.leave_out_to(span.end);
            } else {
                self.change_tag(tag, edits)?;
                self.through.copy_to(span.end);
            }
        }
        self.put_all(&edits.first, self.holds, self.raw)?;
        Ok(edits.is_emptied)
    }

    fn is_same(&self, attribute: &Attribute<'_>, name: &str) -> bool {
        match self.is_html() {
            true => attribute.name().eq_ignore_ascii_case(name),
            false => attribute.name() == name,
        }
    }

    /// What an attribute is to become: nothing is to change, it is to go, or to have this value.
    fn change<'e>(&self, attribute: &Attribute<'_>, edits: &'e Edits) -> Option<Option<&'e str>> {
        let is_it = |(name, _): &&(String, Option<String>)| self.is_same(attribute, name);
        let (_, value) = edits.attributes.iter().find(is_it)?;
        Some(value.as_deref())
    }

    /// The attributes that a tag has not, and is to have.
    fn added<'e>(&self, tag: &StartTag<'_>, edits: &'e Edits) -> Vec<(&'e str, &'e str)> {
        let has = |name: &str| {
            let mut written = tag.attributes().filter(Attribute::is_specified);
            written.any(|attribute| self.is_same(&attribute, name))
        };
        let added = edits.attributes.iter().filter(|(name, _)| !has(name));
        added
            .filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?)))
            .collect()
    }

    fn put_attribute(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        self.through.put(" ", false)?;
        self.through.put(name, false)?;
        self.put_value(value)
    }

    fn put_value(&mut self, value: &str) -> Result<(), Refusal> {
        let value = self.escaped(value, true)?;
        self.through.put("=\"", false)?;
        self.through.put(&value, true)?;
        self.through.put("\"", false)
    }

    /// Writes a tag anew.
    fn put_tag(&mut self, tag: &StartTag<'_>, edits: &Edits) -> Result<(), Refusal> {
        self.through.put("<", false)?;
        self.through
            .put(edits.name.as_deref().unwrap_or(tag.name()), false)?;
        for attribute in tag.attributes().filter(Attribute::is_specified) {
            match self.change(&attribute, edits) {
                None => self.put_attribute(attribute.name(), attribute.value())?,
                Some(Some(value)) => self.put_attribute(attribute.name(), value)?,
                Some(None) => {}
            }
        }
        for (name, value) in self.added(tag, edits) {
            self.put_attribute(name, value)?;
        }
        let is_empty = self.is_self_closed(tag) && !edits.opens();
        self.through.put(if is_empty { "/>" } else { ">" }, false)
    }

    /// Changes what is to change of a tag, up to its last attribute.
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
        let added = self.added(tag, edits);
        let mut end = tag.name_span().end;
        let mut is_bare = false;
        // What stands directly behind a removed one is still apart.
        let mut is_gap = false;
        for attribute in tag.attributes().filter(Attribute::is_specified) {
            let (span, change) = (attribute.span(), self.change(&attribute, edits));
            if is_gap && span.start == end {
                self.through.put(" ", false)?;
            }
            is_gap = false;
            match change {
                None => is_bare = is_without_value(&attribute),
                Some(Some(value)) => {
                    self.through.copy_to(attribute.name_span().end);
                    self.put_value(value)?;
                    self.through.leave_out_to(span.end);
                    is_bare = false;
                }
                Some(None) => {
                    self.through.copy_to(end);
                    self.through.leave_out_to(span.end);
                    is_gap = true;
                }
            }
            end = span.end;
        }
        if !added.is_empty() {
            self.through.copy_to(end);
            if is_bare {
                self.through.put("\"\"", false)?;
            }
            for (name, value) in added {
                self.put_attribute(name, value)?;
            }
        }
        Ok(())
    }

    /// Writes end tags that were left out.
    fn put_ends(&mut self, names: &[String]) -> Result<(), Refusal> {
        names.iter().try_for_each(|name| self.put_end(name))
    }

    fn put_end(&mut self, name: &str) -> Result<(), Refusal> {
        self.through.put("</", false)?;
        self.through.put(name, false)?;
        self.through.put(">", false)
    }

    fn end(
        &mut self,
        (tag, span): (&EndTag<'_>, Span),
        edits: &Edits,
        closing: Option<&Closing>,
        ends: &[String],
    ) -> Result<(), Refusal> {
        let is_written = span.start < span.end;
        let (holds, raw) = closing.map_or((Holds::All, ""), |one| (one.holds, &*one.raw));
        if closing.is_none() && edits.before.is_empty() {
            // What comes behind the end is put where it is.
            sure(span.end >= self.through.done(), Reason::Passed, tag.name())?;
            self.through.copy_to(span.end);
            self.put_ends(ends)?;
            return self.put_all(&edits.after, Holds::All, "");
        }
        match is_written {
            true => self.go_to(span)?,
            false => self.through.copy_to(span.start),
        }
        self.put_ends(ends)?;
        if let Some(closing) = closing {
            self.put_all(&closing.last, holds, raw)?;
        }
        self.put_all(&edits.before, holds, raw)?;
        match closing {
            Some(one) if one.is_unwrapped => self.through.leave_out_to(span.end),
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
        self.put_all(&edits.after, Holds::All, "")?;
        match closing {
            Some(closing) => self.put_all(&closing.after, Holds::All, ""),
            None => Ok(()),
        }
    }

    // ------------------------------------------------------------------------------------- All else

    /// Text; gives whether what follows of its run is to be written anew.
    fn text(
        &mut self,
        text: &Text<'_>,
        span: Span,
        edits: &Edits,
        (was_in_cdata, is_in_cdata): (bool, bool),
        is_changed: bool,
    ) -> Result<bool, Refusal> {
        self.go_to(span)?;
        let is_cut = is_changed || was_in_cdata || is_in_cdata;
        if was_in_cdata && !is_changed {
            self.through.put("]]>", false)?;
        }
        let (holds, raw) = (self.holds, self.raw);
        self.put_all(&edits.before, holds, raw)?;
        if let Some(text) = &edits.text {
            self.put_text(text, holds, raw)?;
        } else if is_cut && !edits.is_removed {
            self.put_text(text.as_str(), holds, raw)?;
        }
        match edits.text.is_some() || edits.is_removed || is_cut {
            true => self.through.leave_out_to(span.end),
            false => self.through.copy_to(span.end),
        }
        self.put_all(&edits.after, holds, raw)?;
        Ok(is_cut)
    }

    /// What is neither a tag nor text.
    fn other(&mut self, span: Span, edits: &Edits) -> Result<(), Refusal> {
        self.go_to(span)?;
        self.put_all(&edits.before, Holds::All, "")?;
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
            true => self.through.leave_out_to(span.end),
            false => self.through.copy_to(span.end),
        }
        self.put_all(&edits.after, Holds::All, "")
    }
}

/// Whether an attribute ends with its `=`, so that what follows would be its value.
fn is_without_value(attribute: &Attribute<'_>) -> bool {
    let (span, value) = (attribute.span(), attribute.value_span());
    value.start == value.end && span.end == value.end && span.end > attribute.name_span().end
}

fn refer(character: char, out: &mut String) {
    let _ = write!(out, "&#x{:X};", u32::from(character));
}
