//! The guess of a dialect, from the name of the file, otherwise from its first bytes.
//!
//! The guess reads no more bytes than it needs, so that the events of a slow input are not delayed.

use crate::failure::Failure;
use crate::input::Input;
use clap::ValueEnum;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectName {
    /// HTML, as in the WHATWG standard.
    Html,
    /// XML 1.0; input that is not well-formed is parsed by the rules of XML-ER.
    Xml,
    /// MicroXML with error recovery.
    #[value(name = "microxml")]
    MicroXml,
    /// Sky.
    Sky,
    /// LeafXML; the first violation of a rule ends the parse, with or without --strict.
    #[value(name = "leafxml")]
    LeafXml,
}

const EXTENSIONS: &[(&str, DialectName)] = &[
    ("htm", DialectName::Html),
    ("html", DialectName::Html),
    ("microxml", DialectName::MicroXml),
    ("sky", DialectName::Sky),
    ("leafxml", DialectName::LeafXml),
    ("xml", DialectName::Xml),
    ("xhtml", DialectName::Xml),
    ("svg", DialectName::Xml),
    ("atom", DialectName::Xml),
    ("rss", DialectName::Xml),
    ("rdf", DialectName::Xml),
    ("xsd", DialectName::Xml),
    ("xsl", DialectName::Xml),
    ("xslt", DialectName::Xml),
    ("fb2", DialectName::Xml),
    ("gpx", DialectName::Xml),
    ("kml", DialectName::Xml),
    ("osm", DialectName::Xml),
    ("plist", DialectName::Xml),
    ("wsdl", DialectName::Xml),
];

/// Extensions of compressed files, which follow the extension of the contents.
const PACKED: &[&str] = &["gz", "zst", "bz2", "xz"];

/// Beginnings of HTML, in lowercase, after a byte-order mark, whitespace and comments: those by which the MIME Sniffing
/// standard recognizes HTML. Whitespace or `>` must follow each.
const HTML: &[&[u8]] = &[
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
];

/// Beginnings of Sky, in lowercase, after a byte-order mark and whitespace.
const SKY: &[&[u8]] = &[b"#!mojo mojo:sky", b"sky module"];

/// Number of bytes after which an input that has only whitespace and comments is taken for XML.
const MAX_LOOKAHEAD_BYTES: usize = 16 << 10;

/// Returns the dialect of a file: determined by its name if possible, otherwise by its first bytes, otherwise XML.
pub(crate) fn dialect(file: &Path, input: &mut Input) -> Result<DialectName, Failure> {
    if let Some(named) = by_name(file) {
        return Ok(named);
    }
    loop {
        if let Some(found) = by_content(input.peeked()) {
            return Ok(found);
        }
        if !input.peek_more()? {
            return Ok(DialectName::Xml);
        }
    }
}

/// Returns the first byte of the text, after a byte-order mark; `None` if the text is empty.
pub(crate) fn first_byte(input: &mut Input) -> Result<Option<u8>, Failure> {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    loop {
        let prefix = input.peeked();
        if !MARK.starts_with(prefix) {
            let marked = prefix.strip_prefix(MARK).unwrap_or(prefix);
            return Ok(marked.first().copied());
        }
        if !input.peek_more()? {
            return Ok(None);
        }
    }
}

/// Returns the extension of a file, without that of a compression.
fn extension(file: &Path) -> Option<&str> {
    let extension = file.extension()?.to_str()?;
    let is_packed = |known: &&str| known.eq_ignore_ascii_case(extension);
    match PACKED.iter().any(is_packed) {
        true => Path::new(file.file_stem()?).extension()?.to_str(),
        false => Some(extension),
    }
}

/// Returns true if the name of a file is that of an SVG image.
pub(crate) fn is_svg(file: &Path) -> bool {
    extension(file).is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
}

/// Returns the dialect that the name of a file indicates.
pub(crate) fn by_name(file: &Path) -> Option<DialectName> {
    let extension = extension(file)?;
    let mut rows = EXTENSIONS.iter();
    let row = rows.find(|(known, _)| known.eq_ignore_ascii_case(extension))?;
    Some(row.1)
}

/// Returns the dialect that a prefix of the input indicates, or `None` if more bytes are needed.
fn by_content(prefix: &[u8]) -> Option<DialectName> {
    // The guess must not depend on how many bytes arrive at once.
    let prefix = &prefix[..prefix.len().min(MAX_LOOKAHEAD_BYTES)];
    let marked = prefix.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(prefix);
    let first = marked.trim_ascii_start();
    let rest = after_comments(first);
    let is_html = |name: &&[u8]| {
        begins_with(rest, name) && matches!(rest.get(name.len()), Some(b'>' | b'\t'..=b'\r' | b' '))
    };
    if HTML.iter().any(is_html) {
        return Some(DialectName::Html);
    }
    if SKY.iter().any(|signature| begins_with(first, signature)) {
        return Some(DialectName::Sky);
    }
    // More bytes can still change the result if all bytes so far are the beginning of one of these, or are in a
    // comment.
    let is_open = b"\xEF\xBB\xBF".starts_with(prefix)
        || rest.starts_with(b"<!--")
        || b"<!--".starts_with(rest)
        || HTML.iter().any(|name| begins_with(name, rest))
        || SKY.iter().any(|signature| begins_with(signature, first));
    (!is_open || prefix.len() >= MAX_LOOKAHEAD_BYTES).then_some(DialectName::Xml)
}

/// Returns true if `text` begins with `beginning`, compared ASCII case-insensitively.
fn begins_with(text: &[u8], beginning: &[u8]) -> bool {
    let start = text.get(..beginning.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(beginning))
}

/// Returns `text` without the comments and whitespace at its beginning. An unclosed comment is kept.
fn after_comments(mut text: &[u8]) -> &[u8] {
    while let Some(comment) = text.strip_prefix(b"<!--")
        && let Some(end) = comment.windows(3).position(|bytes| bytes == b"-->")
    {
        text = comment[end + 3..].trim_ascii_start();
    }
    text
}
