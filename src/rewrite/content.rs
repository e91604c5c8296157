//! Validation and escaping of inserted content.

use super::edits::Content;
use super::seam::Context;
use crate::engine::dialect::{Balance, Syntax};
use crate::engine::event::Event;
use crate::engine::parser::Parser;
use crate::engine::text::html_facts;
use crate::engine::text::xml_names::is_char;
use crate::write::{
    Reason, Refusal, html_attribute_name, html_characters, html_name, raw_text, sure,
    xml_name_with_colons,
};
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::Write;

pub(super) fn is_html(syntax: Syntax) -> bool {
    matches!(syntax, Syntax::Html { .. })
}

/// Returns the content as it is written. `element` is the name of the innermost element, if the context is raw text.
pub(super) fn piece(
    content: Content<'_>,
    context: Context,
    element: &str,
    syntax: Syntax,
) -> Result<String, Refusal> {
    match (content, context) {
        (Content::Text(text), Context::Content | Context::EscapableText) => {
            escape(text, syntax, false).map(Cow::into_owned)
        }
        (Content::Text(text), Context::RawText) => {
            check_raw_text(text, element)?;
            Ok(String::from(text))
        }
        (Content::Text(text), Context::Cdata) => section(text, syntax),
        (Content::Markup(markup), Context::Content) => {
            check_markup(markup, syntax)?;
            Ok(String::from(markup))
        }
        // The section ends before the markup, and a new one begins after it.
        (Content::Markup(markup), Context::Cdata) => {
            check_markup(markup, syntax)?;
            Ok(["]]>", markup, "<![CDATA["].concat())
        }
        (Content::Markup(markup), Context::EscapableText | Context::RawText) => {
            Err(Refusal::new(Reason::Child, markup))
        }
    }
}

/// Returns text or an attribute value with references in place of characters that would be markup. Numeric references
/// are hexadecimal, because MicroXML has no decimal ones.
pub(super) fn escape(text: &str, syntax: Syntax, is_value: bool) -> Result<Cow<'_, str>, Refusal> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !b"&<>\"".contains(&byte);
    if text.bytes().all(is_plain) {
        return Ok(Cow::Borrowed(text));
    }
    let is_html = is_html(syntax);
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if is_value => out.push_str("&quot;"),
            '\r' if syntax != Syntax::LeafXml => refer(character, &mut out),
            '\u{7F}'..='\u{9F}' | '\u{2028}' if !is_html => refer(character, &mut out),
            '\t' | '\n' if is_value => refer(character, &mut out),
            _ if is_html || is_char(character) && character != '\r' => out.push(character),
            _ => return Err(character_refused(character)),
        }
    }
    if is_html {
        html_characters(text)?;
    }
    Ok(Cow::Owned(out))
}

fn character_refused(character: char) -> Refusal {
    Refusal::new(Reason::Character, character.encode_utf8(&mut [0; 4]))
}

fn refer(character: char, out: &mut String) {
    let _ = write!(out, "&#x{:X};", u32::from(character));
}

/// Returns text as it is written in a CDATA section. The section ends before each character that must be a reference,
/// and a new one begins after it. A `]` is one of these characters, because it may be the last one of the input.
fn section(text: &str, syntax: Syntax) -> Result<String, Refusal> {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let is_plain = matches!(character, '&' | '<' | '"' | '\t');
        let mut utf8 = [0; 4];
        let text = &*character.encode_utf8(&mut utf8);
        if character == ']' {
            out.push_str("]]>&#x5D;<![CDATA[");
            continue;
        }
        match escape(text, syntax, false)? {
            Cow::Borrowed(_) => out.push(character),
            Cow::Owned(written) if !is_plain && written != text => {
                out.push_str("]]>");
                out.push_str(&written);
                out.push_str("<![CDATA[");
            }
            Cow::Owned(_) => out.push(character),
        }
    }
    Ok(out)
}

/// Returns an error unless the text stays text in a raw text element, whatever follows.
fn check_raw_text(text: &str, element: &str) -> Result<(), Refusal> {
    raw_text(element, text)?;
    let lower = text.to_ascii_lowercase();
    let end = ["</", element].concat();
    let words: &[&str] = match element {
        "script" => &[&end, "<!--", "-->", "<script"],
        _ => &[&end],
    };
    let is_begun = |word: &&str| (1..word.len()).any(|length| lower.ends_with(&word[..length]));
    let has_mark =
        element == "script" && ["<!--", "-->", "<script"].iter().any(|w| lower.contains(w));
    let is_well = !has_mark && !words.iter().any(is_begun);
    sure(is_well, Reason::RawText, text)
}

/// Returns an error if this cannot be the name of an element or an attribute.
pub(super) fn check_name(name: &str, is_attribute: bool, syntax: Syntax) -> Result<(), Refusal> {
    match (is_html(syntax), is_attribute) {
        (true, true) => html_attribute_name(name),
        (true, false) => html_name(name),
        (false, _) => xml_name_with_colons(name),
    }
}

/// Returns an error if the last token of the markup is not complete, or if an element that can contain only text is
/// open at its end. In dialects other than HTML, the tags must be balanced.
fn check_markup(markup: &str, syntax: Syntax) -> Result<(), Refusal> {
    let is_well = match syntax {
        #[cfg(feature = "html")]
        Syntax::Html { scripting } => is_complete(
            crate::dialects::html::Html::default().scripting(scripting),
            markup,
            true,
        ),
        #[cfg(feature = "xml")]
        Syntax::Xml => is_complete(crate::dialects::xml::Xml::default(), markup, false),
        #[cfg(feature = "microxml")]
        Syntax::MicroXml { .. } => is_complete(
            crate::dialects::microxml::MicroXml::default(),
            markup,
            false,
        ),
        #[cfg(feature = "leafxml")]
        Syntax::LeafXml => is_complete(crate::dialects::leafxml::LeafXml::default(), markup, false),
        #[cfg(feature = "sky")]
        Syntax::Sky => is_complete(crate::dialects::sky::Sky::fragment(), markup, false),
        // There are no documents of a dialect that is not enabled.
        #[cfg(not(feature = "html"))]
        Syntax::Html { .. } => false,
        #[cfg(not(feature = "xml"))]
        Syntax::Xml => false,
        #[cfg(not(feature = "microxml"))]
        Syntax::MicroXml { .. } => false,
        #[cfg(not(feature = "leafxml"))]
        Syntax::LeafXml => false,
        #[cfg(not(feature = "sky"))]
        Syntax::Sky => false,
    };
    sure(is_well, Reason::Markup, markup)
}

/// Parses markup in an element, and returns whether each token is complete, and except in HTML whether the tags are
/// balanced.
fn is_complete<D: Balance>(dialect: D, markup: &str, is_html: bool) -> bool {
    if markup.contains('\0') || markup.ends_with('\r') || ends_in_reference(markup) {
        return false;
    }
    let (before, after) = if is_html {
        ("<p>", "")
    } else {
        ("<r>", "</r>")
    };
    let mut parser = Parser::new(dialect);
    parser.feed(before);
    parser.feed(markup);
    parser.feed(after);
    parser.finish();
    let (mut depth, mut ended_at, mut only_text) = (0_i64, 0, false);
    let length = (before.len() + markup.len()) as u64;
    let mut is_root_open = true;
    loop {
        let event = match parser.next_event() {
            Ok(Some(event)) => event,
            Ok(None) => break,
            Err(_) => return false,
        };
        if !event.is_complete() {
            return false;
        }
        let span = event.span();
        match event {
            Event::Start(tag) => {
                depth += 1;
                is_root_open &= is_html || depth > 0;
                only_text = is_html && !tag.is_foreign() && holds_only_text(tag.name());
            }
            Event::End(_) => {
                depth -= 1;
                only_text = false;
                // The root element ends with the markup.
                is_root_open &= is_html || depth > 0 || span.start >= length;
            }
            Event::Text(_) if is_html && span.end == length => {
                let last = markup.rfind('<').map_or("", |at| &markup[at..]);
                if matches!(last, "<" | "</") {
                    return false;
                }
            }
            Event::Doctype(_) | Event::Declaration(_) => return false,
            _ => {}
        }
        ended_at = span.end;
    }
    // HTML drops a tag that is not complete at the end of the input.
    let is_whole = !is_html || ended_at == length;
    is_whole && !only_text && (is_html || depth == 0 && is_root_open)
}

fn holds_only_text(name: &str) -> bool {
    html_facts::unescaped(true)
        .or(html_facts::ESCAPABLE_TEXT)
        .contains(name)
        && name != "noscript"
}

fn ends_in_reference(markup: &str) -> bool {
    let name = markup.rfind('&').map(|at| &markup[at + 1..]);
    name.is_some_and(|name| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'#' || byte >= 0x80)
    })
}
