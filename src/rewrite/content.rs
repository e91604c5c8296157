//! Validation and escaping of inserted content.

use super::edits::Content;
use super::seam::Context;
use crate::engine::dialect::Syntax;
use crate::engine::scan::Set;
#[cfg(feature = "leafxml")]
use crate::engine::text::leafxml_names;
use crate::engine::text::xml_names::{is_char, is_white_space};
use crate::write::{
    Reason, Refusal, html_attribute_name, html_characters, html_name, raw_text, sure,
    xml_name_with_colons,
};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// Returns the content as it is written. `element` is the name of the innermost element, if the context is raw text.
/// Markup was checked before: see `fragment.rs`.
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
            // Each character is escaped without regard to its neighbours, because a text may be inserted in pieces. A
            // `]` is always written outside of the section: if the input ends in the section, a parser drops a `]` at
            // the end.
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
        (Content::Markup(markup), Context::Content | Context::Cdata) => match context {
            Context::Cdata => outside(markup),
            _ => String::from(markup),
        },
        (Content::Markup(markup), Context::EscapableText | Context::RawText) => {
            return Err(Refusal::new(Reason::Child, markup));
        }
    })
}

/// Returns text or an attribute value with references in place of characters that would be markup. Numeric references
/// are hexadecimal, because MicroXML has no decimal ones.
pub(super) fn escape(text: &str, syntax: Syntax, is_value: bool) -> Result<Cow<'_, str>, Refusal> {
    // PERF: a look at a table is faster than six comparisons.
    static SPECIAL: Set = Set::of(b"&<>\"\t\n\x7F").and_controls().and_high();
    if !text.bytes().any(|byte| SPECIAL.contains(byte)) {
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
            // MicroXML allows these characters neither as they are nor as references.
            '\r' | '\u{7F}'..='\u{9F}' if matches!(syntax, Syntax::MicroXml { .. }) => {
                let what = String::from(character);
                return Err(Refusal::new(Reason::Character, &what));
            }
            '\r' if syntax != Syntax::LeafXml => refer(character, &mut out),
            '\u{7F}'..='\u{9F}' | '\u{2028}' if !is_html && syntax != Syntax::LeafXml => {
                refer(character, &mut out);
            }
            '\t' | '\n' if is_value => refer(character, &mut out),
            _ if is_html || is_allowed(character, syntax) => out.push(character),
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

/// Returns true if a character can be written in a dialect other than HTML, and is read as it was written.
fn is_allowed(character: char, syntax: Syntax) -> bool {
    match syntax {
        // Line breaks become newlines, also if they are written as references.
        #[cfg(feature = "leafxml")]
        Syntax::LeafXml => {
            let is_break = matches!(character, '\r' | '\u{85}' | '\u{2028}');
            leafxml_names::is_char(character) && !is_break
        }
        _ => is_char(character) && character != '\r',
    }
}

/// Returns an error if an attribute value would be read as another one. LeafXML removes whitespace at both ends of a
/// value, and writes one space for each run of whitespace in it.
pub(super) fn check_value(value: &str, syntax: Syntax) -> Result<(), Refusal> {
    let is_same = |value: &str| {
        let is_plain = !value.contains(['\t', '\n', '\r']) && !value.contains("  ");
        is_plain && !value.starts_with(is_white_space) && !value.ends_with(is_white_space)
    };
    let is_well = syntax != Syntax::LeafXml || is_same(value);
    sure(is_well, Reason::Character, value)
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
