//! Validation and escaping of inserted content.

use super::edits::Content;
use super::seam::{Context, is_in_name};
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
use alloc::vec::Vec;
use core::fmt::Write;

/// Returns the content as it is written. `element` is the name of the innermost element, if the context is raw text.
pub(super) fn piece(
    content: Content<'_>,
    context: Context,
    element: &str,
    syntax: Syntax,
) -> Result<String, Refusal> {
    // A section ends before content that cannot be inside of it, and a new one begins after the content.
    let outside = |piece: &str| ["]]>", piece, "<![CDATA["].concat();
    Ok(match (content, context) {
        (Content::Text(text), Context::Content | Context::EscapableText) => {
            escape(text, syntax, false)?.into_owned()
        }
        (Content::Text(text), Context::RawText) => {
            check_raw_text(text, element)?;
            String::from(text)
        }
        (Content::Text(text), Context::Cdata) => {
            let mut out = String::with_capacity(text.len());
            // Each character is judged alone, because a text may be inserted in pieces. A `]` may be the last one of the
            // input.
            for one in text.chars() {
                let plain = String::from(one);
                let escaped = escape(&plain, syntax, false)?;
                match matches!(one, '&' | '<' | '>') || one != ']' && escaped == plain {
                    true => out.push(one),
                    false => out.push_str(&outside(&escaped)),
                }
            }
            out
        }
        (Content::Markup(markup), Context::Content | Context::Cdata) => {
            check_markup(markup, syntax)?;
            match context {
                Context::Cdata => outside(markup),
                _ => String::from(markup),
            }
        }
        (Content::Markup(markup), Context::EscapableText | Context::RawText) => {
            return Err(Refusal::new(Reason::Child, markup));
        }
    })
}

/// Returns text or an attribute value with references in place of characters that would be markup. Numeric references
/// are hexadecimal, because MicroXML has no decimal ones.
pub(super) fn escape(text: &str, syntax: Syntax, is_value: bool) -> Result<Cow<'_, str>, Refusal> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !b"&<>\"".contains(&byte);
    if text.bytes().all(is_plain) {
        return Ok(Cow::Borrowed(text));
    }
    let is_html = syntax.is_html();
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
            _ => {
                let what = String::from(character);
                return Err(Refusal::new(Reason::Character, &what));
            }
        }
    }
    if is_html {
        html_characters(text)?;
    }
    Ok(Cow::Owned(out))
}

fn refer(character: char, out: &mut String) {
    let _ = write!(out, "&#x{:X};", u32::from(character));
}

/// Returns an error unless the text stays text in a raw text element, whatever follows.
fn check_raw_text(text: &str, element: &str) -> Result<(), Refusal> {
    raw_text(element, text)?;
    let end = ["</", element].concat();
    let words = raw_words(element, &end);
    let lower = text.to_ascii_lowercase();
    let has = |word: &&str| {
        let is_begun = (1..word.len()).any(|length| lower.ends_with(&word[..length]));
        is_begun || lower.contains(word)
    };
    sure(!words.iter().any(has), Reason::RawText, text)
}

/// Returns the words that change how the text of a raw text element is parsed. `end` is the beginning of its end tag.
pub(super) fn raw_words<'w>(element: &str, end: &'w str) -> Vec<&'w str> {
    match element {
        "script" => [end, "<!--", "-->", "<script"].into(),
        _ => [end].into(),
    }
}

/// Returns an error if this cannot be the name of an element or an attribute.
pub(super) fn check_name(name: &str, is_attribute: bool, syntax: Syntax) -> Result<(), Refusal> {
    match (syntax.is_html(), is_attribute) {
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
        #[cfg(not(all(
            feature = "html",
            feature = "xml",
            feature = "microxml",
            feature = "leafxml",
            feature = "sky"
        )))]
        _ => false,
    };
    sure(is_well, Reason::Markup, markup)
}

/// Parses markup in an element, and returns whether each token is complete, and except in HTML whether the tags are
/// balanced.
fn is_complete<D: Balance>(dialect: D, markup: &str, is_html: bool) -> bool {
    let name = markup.rsplit_once('&').map(|(_, name)| name);
    let is_reference = name.is_some_and(|name| name.bytes().all(is_in_name));
    let is_begun = is_reference || ["<", "</", "\r"].iter().any(|end| markup.ends_with(end));
    if markup.contains('\0') || is_begun {
        return false;
    }
    let (before, after) = match is_html {
        true => ("<p>", ""),
        false => ("<r>", "</r>"),
    };
    // XML has no event for a DOCTYPE in an element, but it has one for the same DOCTYPE before the root element.
    let mut parser = Parser::new(dialect).report_errors(!is_html);
    for part in [before, markup, after] {
        parser.feed(part);
    }
    parser.finish();
    let length = (before.len() + markup.len()) as u64;
    let text_only = html_facts::unescaped(false).or(html_facts::ESCAPABLE_TEXT);
    let (mut depth, mut ended_at, mut holds_text, mut is_root_open) = (0_i64, 0, false, true);
    loop {
        let event = match parser.next_event() {
            Ok(Some(event)) if event.is_complete() => event,
            Ok(None) => break,
            _ => return false,
        };
        if let Event::ParseError(error) = &event {
            if error.code().as_str() == "misplaced-doctype" {
                return false;
            }
            continue;
        }
        match event {
            Event::Start(tag) => {
                depth += 1;
                holds_text = is_html && !tag.is_foreign() && text_only.contains(tag.name());
            }
            Event::End(_) => {
                depth -= 1;
                holds_text = false;
            }
            Event::Doctype(_) => return false,
            _ => {}
        }
        // The root element ends with the markup.
        is_root_open &= is_html || depth > 0 || event.span().start >= length;
        ended_at = event.span().end;
    }
    match is_html {
        // HTML drops a tag that is not complete at the end of the input.
        true => ended_at == length && !holds_text,
        false => depth == 0 && is_root_open,
    }
}
