//! The guess at a dialect, from the name of the file, else from its first bytes.
//!
//! It waits for no more bytes than decide, so that the events of a slow input are not held up.

use crate::failure::Failure;
use crate::input::Input;
use crate::options::DialectName;
use std::path::Path;

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
];

/// What the name of a packed file has behind that.
const PACKED: &[&str] = &["gz", "zst", "bz2", "xz"];

/// What a document may begin with, in lower case, after a byte-order mark and white space.
const BEGINNINGS: &[(&[u8], DialectName)] = &[
    (b"<!doctype html>", DialectName::Html),
    (b"<!doctype html ", DialectName::Html),
    (b"<html>", DialectName::Html),
    (b"<html ", DialectName::Html),
    (b"#!mojo mojo:sky", DialectName::Sky),
    (b"sky module", DialectName::Sky),
];

/// So much white space in front decides for XML.
const LOOK: usize = 1024;

/// The dialect of a file: its name decides where it says something, else the first bytes, else it
/// is XML.
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

/// The first byte of the text, after a byte-order mark; `None` where there is none.
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

/// The dialect that the name of a file says.
pub(crate) fn by_name(file: &Path) -> Option<DialectName> {
    let mut extension = file.extension()?.to_str()?;
    let is_packed = |known: &&str| known.eq_ignore_ascii_case(extension);
    if PACKED.iter().any(is_packed) {
        extension = Path::new(file.file_stem()?).extension()?.to_str()?;
    }
    let mut rows = EXTENSIONS.iter();
    let row = rows.find(|(known, _)| known.eq_ignore_ascii_case(extension))?;
    Some(row.1)
}

/// The dialect that a prefix of the input decides for, if it decides.
fn by_content(prefix: &[u8]) -> Option<DialectName> {
    let marked = prefix.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(prefix);
    let rest = marked.trim_ascii_start();
    let mut open = rest.is_empty() || b"\xEF\xBB\xBF".starts_with(prefix);
    for (beginning, dialect) in BEGINNINGS {
        let common = rest.len().min(beginning.len());
        if rest[..common].eq_ignore_ascii_case(&beginning[..common]) {
            if common == beginning.len() {
                return Some(*dialect);
            }
            open = true;
        }
    }
    (!open || prefix.len() >= LOOK).then_some(DialectName::Xml)
}
