//! Advice below an error: the likely mistake in the source, where the message of the library only says what the standard
//! expects.

use super::report::Finding;
use super::source::Source;
use crate::options::DialectName;
use std::ops::Range;
use tagstream::{Document, Encoding, Html, Relation, TextDecoder};

/// Maximum length in bytes of the source text that is examined for a hint.
const MAX_BYTES: usize = 60;

/// Returns the hint for an error, if there is one. Errors in external entities have none.
pub(crate) fn hint(finding: &Finding, dialect: DialectName, source: &Source) -> Option<String> {
    if finding.entity.is_some() || dialect == DialectName::Html {
        return None;
    }
    let span = finding.span.start..finding.span.end;
    let bytes = text_of(source, span)?;
    let written = String::from_utf8_lossy(bytes);
    match finding.code {
        "ill-formed-bytes" => ill_formed(bytes, source),
        "reserved-target" if written == "xml" => {
            Some("the XML declaration must be at the very start of the document".to_owned())
        }
        "stray-end-tag" | "mismatched-end-tag" => other_case(finding, &written, source),
        _ => reference(finding, &written, dialect),
    }
}

/// Returns the beginning of the text of a byte range, if the text is available.
fn text_of(source: &Source, span: Range<u64>) -> Option<&[u8]> {
    let start = source.index(span.start)?;
    let end = source.index(span.end)?.clamp(start, start + MAX_BYTES);
    source.text().get(start..end)
}

/// Shows bytes that are no UTF-8, and the text that they are in the encoding of most old documents.
fn ill_formed(bytes: &[u8], source: &Source) -> Option<String> {
    // In other encodings, the source is decoded text, which does not have the bytes.
    if bytes.is_empty() || !source.is_utf8() {
        return None;
    }
    let shown: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    let noun = if bytes.len() == 1 { "byte" } else { "bytes" };
    let mut text = String::new();
    if let Some(latin) = Encoding::for_label("windows-1252") {
        TextDecoder::new(latin).decode(bytes, true, &mut text);
    }
    let is_seen = !text.is_empty() && !text.contains(crate::shown::is_unseen);
    Some(match is_seen {
        true => format!(
            "the {noun} {} cannot be UTF-8 here; in windows-1252, this is `{text}`",
            shown.join(" ")
        ),
        false => format!("the {noun} {} cannot be UTF-8 here", shown.join(" ")),
    })
}

/// Returns the hint for an end tag whose name differs from that of the open element in upper and lower case only.
fn other_case(finding: &Finding, written: &str, source: &Source) -> Option<String> {
    let related = finding.related.as_ref()?;
    if related.relation() != Relation::OpenTag || related.entity().is_some() {
        return None;
    }
    let span = related.span();
    let open = text_of(source, span.start..span.end)?;
    let open = String::from_utf8_lossy(open);
    let open = tag_name(open.strip_prefix('<')?);
    let end = tag_name(written.strip_prefix("</")?);
    let is_other = open != end && open.to_lowercase() == end.to_lowercase();
    is_other.then(|| format!("expected </{open}>: names are case-sensitive"))
}

/// Returns the name at the beginning of the rest of a tag.
fn tag_name(tag: &str) -> &str {
    let is_end = |character: char| character.is_whitespace() || matches!(character, '/' | '>');
    tag.split(is_end).next().unwrap_or_default()
}

/// Returns the hint for a `&` that begins no reference, or a reference that only HTML knows.
fn reference(finding: &Finding, written: &str, dialect: DialectName) -> Option<String> {
    let name = written.strip_prefix('&')?;
    let is_unknown = matches!(
        finding.code,
        "undeclared-entity" | "invalid-character-reference"
    );
    if is_unknown && name.ends_with(';') && !name.starts_with('#') {
        let text = in_html(written)?;
        let numbers: String = text
            .chars()
            .map(|character| format!("&#{};", u32::from(character)))
            .collect();
        return Some(match dialect {
            DialectName::Xml => {
                format!("{written} is of HTML: write {numbers}, or use --html-entities")
            }
            _ => format!("{written} is of HTML: write {numbers}"),
        });
    }
    // Some messages of the library say this.
    let is_said = finding.sentence.contains("&amp;");
    let is_unfinished = finding.code == "missing-semicolon" && !is_said;
    is_unfinished.then(|| "write & as &amp; if it begins no reference".to_owned())
}

/// Returns the characters of a named reference of HTML, or `None` if HTML does not know it.
fn in_html(reference: &str) -> Option<String> {
    let html = Html::fragment("p").ok()?;
    let document = Document::parse(html, reference).ok()?;
    let text = document.root().text_content();
    (text != reference).then_some(text)
}
