//! Proof of the offsets at which a document can be cut.
//!
//! A document is read by several partitions only if the parts have the rows of one pass. An offset that looks like the
//! start tag of a row is not enough: it may be in a comment, in a CDATA section, or in another row. Each partition hands
//! out rows before other partitions have read theirs, so that it cannot rely on a later check.
//!
//! A [`Prover`] therefore reads all bytes before a cut. It knows a subset of XML, whose tokens it finds much faster than
//! a parser, and checks it strictly: comments, CDATA sections and processing instructions; tags whose names are ASCII and
//! whose attributes are well-formed; end tags that have the names of their start tags. It stops at anything else, and
//! there are no cuts after that offset. In what it has read, a parser finds the same tokens and no error that depends on
//! its state. A cut is the start tag of an element with the name of a row that is not in a row, has the same elements
//! around it as the first row, and follows the previous tag without text.
//!
//! The offsets that a prover finds depend on the document alone, so that partitions that know nothing of each other cut a
//! document at the same offsets.

use bytes::BytesMut;
use memchr::{memchr, memchr2, memmem};
use std::ops::Range;

/// Maximum length of a tag, a comment, a CDATA section or a processing instruction. Longer ones stop the proof, because
/// a token that is not complete is read again with the next chunk.
const MAX_TOKEN_BYTES: usize = 1 << 20;

/// Maximum length of a text. It is below the limit of the parser.
const MAX_TEXT_BYTES: usize = 16 << 20;

/// Maximum number of open elements. It is below the limit of the parser.
const MAX_DEPTH: usize = 1_000;

/// Maximum number of attributes of a tag. It is below the limit of the parser.
const MAX_ATTRIBUTES: usize = 1_000;

/// Maximum length of a name. It is below the limit of the parser.
const MAX_NAME_BYTES: usize = 1_000;

/// A construct that the prover does not know, or that is not well-formed.
struct Refused;

/// The result of reading a token.
enum Token {
    /// The token is complete, and has this length.
    Whole(usize),
    /// The end of the token is not in the bytes.
    Incomplete,
}

/// Finds the offsets at which a document can be cut, in chunks of the document from its start on.
pub(crate) struct Prover {
    row_tag: Vec<u8>,
    /// The names of the elements around the rows.
    around: Vec<Vec<u8>>,
    /// Names of the open elements, one after another, and the offset of each.
    names: Vec<u8>,
    open: Vec<usize>,
    /// Number of open elements around the current row, if there is one.
    row: Option<usize>,
    /// True if there was only whitespace since the last tag.
    is_blank: bool,
    has_root: bool,
    has_doctype: bool,
    /// The start of a token that is not complete.
    rest: BytesMut,
    /// Offset in the document of the first byte that was not read.
    offset: u64,
    is_refused: bool,
    /// Number of bytes of text since the last tag, comment, section or instruction.
    text_bytes: usize,
    /// The offsets from which on a cut is wanted: the start and the end of a range.
    wanted: [u64; 2],
    /// The first cuts at or after these offsets.
    found: [Option<u64>; 2],
}

impl Prover {
    /// Creates a prover of documents whose rows have these elements around them. It searches the first cuts at or after
    /// the start and the end of a range. The start of the document needs no proof.
    pub(crate) fn new<'a>(
        row_tag: &str,
        around: impl Iterator<Item = &'a str>,
        range: Range<u64>,
    ) -> Prover {
        Prover {
            row_tag: row_tag.as_bytes().to_vec(),
            around: around.map(|name| name.as_bytes().to_vec()).collect(),
            names: Vec::new(),
            open: Vec::new(),
            row: None,
            is_blank: true,
            has_root: false,
            has_doctype: false,
            rest: BytesMut::new(),
            offset: 0,
            is_refused: false,
            text_bytes: 0,
            wanted: [range.start, range.end],
            found: [(range.start == 0).then_some(0), None],
        }
    }

    /// Reads a chunk of the document.
    pub(crate) fn feed(&mut self, chunk: &[u8]) {
        if self.is_refused {
            return;
        }
        let mut rest = std::mem::take(&mut self.rest);
        let result = if rest.is_empty() {
            self.read(chunk).map(|read| {
                rest.extend_from_slice(&chunk[read..]);
            })
        } else {
            rest.extend_from_slice(chunk);
            self.read(&rest).map(|read| {
                let _ = rest.split_to(read);
            })
        };
        self.is_refused = result.is_err();
        self.rest = rest;
    }

    /// Returns the first cut at or after the start of the range, if it was found.
    pub(crate) fn start(&self) -> Option<u64> {
        self.found[0]
    }

    /// Returns the first cut at or after the end of the range, if it was found.
    pub(crate) fn end(&self) -> Option<u64> {
        self.found[1]
    }

    /// Returns whether no more cuts will be found.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// Reads complete tokens, and returns their length.
    fn read(&mut self, bytes: &[u8]) -> Result<usize, Refused> {
        let mut at = 0;
        if self.offset == 0 && bytes.starts_with(b"\xEF\xBB\xBF") {
            at = 3;
        }
        loop {
            let text = &bytes[at..];
            let length = memchr(b'<', text).unwrap_or(text.len());
            self.is_blank = self.is_blank && text[..length].iter().all(|byte| is_space(*byte));
            at += length;
            self.text_bytes += length;
            if self.text_bytes > MAX_TEXT_BYTES {
                return Err(Refused);
            }
            if at == bytes.len() {
                break;
            }
            let token = &bytes[at..];
            match self.token(token, self.offset + at as u64)? {
                Token::Whole(length) if length <= MAX_TOKEN_BYTES => {
                    at += length;
                    self.text_bytes = 0;
                }
                Token::Incomplete if token.len() <= MAX_TOKEN_BYTES => break,
                _ => return Err(Refused),
            }
        }
        self.offset += at as u64;
        Ok(at)
    }

    /// Reads a token that begins with `<` at an offset of the document.
    fn token(&mut self, bytes: &[u8], offset: u64) -> Result<Token, Refused> {
        match bytes.get(1) {
            None => Ok(Token::Incomplete),
            Some(b'/') => self.end_tag(bytes),
            Some(b'?') => self.instruction(bytes, offset),
            Some(b'!') => self.declaration(bytes),
            Some(_) => self.start_tag(bytes, offset),
        }
    }

    fn start_tag(&mut self, bytes: &[u8], offset: u64) -> Result<Token, Refused> {
        let name = name(&bytes[1..])?;
        let mut at = 1 + name.len();
        let mut attributes = 0;
        let is_empty = loop {
            let space = spaces(&bytes[at..]);
            at += space;
            match bytes.get(at..) {
                Some([b'>', ..]) => {
                    at += 1;
                    break false;
                }
                Some([b'/', b'>', ..]) => {
                    at += 2;
                    break true;
                }
                Some([] | [b'/']) | None => return Ok(Token::Incomplete),
                Some(_) if space == 0 => return Err(Refused),
                Some(rest) => match attribute(rest)? {
                    Token::Whole(length) => at += length,
                    Token::Incomplete => return Ok(Token::Incomplete),
                },
            }
            attributes += 1;
            if attributes > MAX_ATTRIBUTES {
                return Err(Refused);
            }
        };
        let depth = self.open.len();
        if (depth == 0 && self.has_root) || depth == MAX_DEPTH {
            return Err(Refused);
        }
        self.has_root = true;
        if self.row.is_none() && name == self.row_tag {
            if self.is_blank && self.is_around_rows() {
                for (found, wanted) in self.found.iter_mut().zip(self.wanted) {
                    if found.is_none() && offset >= wanted {
                        *found = Some(offset);
                    }
                }
            }
            if !is_empty {
                self.row = Some(depth);
            }
        }
        if !is_empty {
            self.open.push(self.names.len());
            self.names.extend_from_slice(name);
        }
        self.is_blank = true;
        Ok(Token::Whole(at))
    }

    fn end_tag(&mut self, bytes: &[u8]) -> Result<Token, Refused> {
        let Some(start) = self.open.last() else {
            return Err(Refused);
        };
        let name = &self.names[*start..];
        let shown = &bytes[2..];
        let length = shown.len().min(name.len());
        if shown[..length] != name[..length] {
            return Err(Refused);
        }
        let mut at = 2 + length;
        at += spaces(&bytes[at..]);
        match bytes.get(at) {
            None => return Ok(Token::Incomplete),
            Some(b'>') => at += 1,
            Some(_) => return Err(Refused),
        }
        self.names.truncate(*start);
        self.open.pop();
        if self.row == Some(self.open.len()) {
            self.row = None;
        }
        self.is_blank = true;
        Ok(Token::Whole(at))
    }

    fn instruction(&mut self, bytes: &[u8], offset: u64) -> Result<Token, Refused> {
        let Some(end) = memmem::find(&bytes[2..], b"?>") else {
            return Ok(Token::Incomplete);
        };
        let target = name(&bytes[2..])?;
        let is_start = offset == 0 || (offset == 3 && !self.has_root);
        let is_separated = 2 + target.len() == 2 + end
            || bytes
                .get(2 + target.len())
                .is_some_and(|byte| is_space(*byte));
        if !is_separated || (target.eq_ignore_ascii_case(b"xml") && !is_start) {
            return Err(Refused);
        }
        Ok(Token::Whole(2 + end + 2))
    }

    fn declaration(&mut self, bytes: &[u8]) -> Result<Token, Refused> {
        const CDATA: &[u8] = b"<![CDATA[";
        const DOCTYPE: &[u8] = b"<!DOCTYPE";
        if let Some(content) = bytes.strip_prefix(b"<!--") {
            // Two hyphens must be the end of a comment.
            let Some(hyphens) = memmem::find(content, b"--") else {
                return Ok(Token::Incomplete);
            };
            return match content.get(hyphens + 2) {
                None => Ok(Token::Incomplete),
                Some(b'>') => Ok(Token::Whole(4 + hyphens + 3)),
                Some(_) => Err(Refused),
            };
        }
        if let Some(content) = bytes.strip_prefix(CDATA) {
            if self.open.is_empty() {
                return Err(Refused);
            }
            self.is_blank = false;
            return Ok(match memmem::find(content, b"]]>") {
                Some(end) => Token::Whole(CDATA.len() + end + 3),
                None => Token::Incomplete,
            });
        }
        if let Some(content) = bytes.strip_prefix(DOCTYPE) {
            if self.has_root || self.has_doctype {
                return Err(Refused);
            }
            return match content.iter().position(|byte| b"[<>\"'".contains(byte)) {
                None => Ok(Token::Incomplete),
                Some(end) if content[end] == b'>' => {
                    self.has_doctype = true;
                    Ok(Token::Whole(DOCTYPE.len() + end + 1))
                }
                // Entities may contain rows, and identifiers may contain `>`.
                Some(_) => Err(Refused),
            };
        }
        match [&b"<!--"[..], CDATA, DOCTYPE]
            .iter()
            .any(|start| start.starts_with(bytes))
        {
            true => Ok(Token::Incomplete),
            false => Err(Refused),
        }
    }

    /// Returns whether the open elements are those around the first row.
    fn is_around_rows(&self) -> bool {
        let ends = self.open.iter().skip(1).copied().chain([self.names.len()]);
        self.open.len() == self.around.len()
            && self
                .open
                .iter()
                .zip(ends)
                .zip(&self.around)
                .all(|((start, end), name)| self.names[*start..end] == name[..])
    }
}

/// Reads a name of ASCII characters. It may be incomplete at the end of the bytes.
fn name(bytes: &[u8]) -> Result<&[u8], Refused> {
    let is_start = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':');
    let is_part =
        |byte: &u8| is_start(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    let length = bytes
        .iter()
        .position(|byte| !is_part(byte))
        .unwrap_or(bytes.len());
    match bytes.first().is_none_or(is_start) && length <= MAX_NAME_BYTES {
        true => Ok(&bytes[..length]),
        false => Err(Refused),
    }
}

/// Reads an attribute: a name, `=`, and a value in quotes.
fn attribute(bytes: &[u8]) -> Result<Token, Refused> {
    let mut at = name(bytes)?.len();
    at += spaces(&bytes[at..]);
    match bytes.get(at) {
        None => return Ok(Token::Incomplete),
        Some(b'=') if at > 0 => at += 1,
        Some(_) => return Err(Refused),
    }
    at += spaces(&bytes[at..]);
    let quote = match bytes.get(at) {
        None => return Ok(Token::Incomplete),
        Some(quote @ (b'"' | b'\'')) => *quote,
        Some(_) => return Err(Refused),
    };
    at += 1;
    match memchr2(quote, b'<', &bytes[at..]) {
        None => Ok(Token::Incomplete),
        Some(end) if bytes[at + end] == quote => Ok(Token::Whole(at + end + 1)),
        Some(_) => Err(Refused),
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns the length of the whitespace at the start.
fn spaces(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|byte| !is_space(*byte))
        .unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::Prover;

    /// The cuts do not depend on the chunks.
    #[test]
    fn chunks() {
        let document = "\u{FEFF}<?xml version='1.0'?><!DOCTYPE r><!-- <p> --><r a='>'>\n<s>\
            <p id='1'>x<![CDATA[ <p/> ]] ]]></p > <p\n/><?pi <p/> ??><p><p></p></p><q></q>\n<p/><p></s>";
        let cuts = |document: &[u8], chunk: usize, start| {
            let mut prover = Prover::new("p", ["r", "s"].into_iter(), start..start + 20);
            for chunk in document.chunks(chunk) {
                prover.feed(chunk);
            }
            (prover.start(), prover.end(), prover.is_refused())
        };
        for start in 1..document.len() as u64 {
            let expected = cuts(document.as_bytes(), document.len(), start);
            for chunk in 3..40 {
                assert_eq!(
                    cuts(document.as_bytes(), chunk, start),
                    expected,
                    "{start} {chunk}"
                );
            }
        }
        let offset = |text| document.find(text).map(|at| at as u64);
        assert_eq!(cuts(document.as_bytes(), 7, 1).0, offset("<p id"));
        let (start, end) = (offset("<p\n/>"), offset("<p/><p></s>"));
        assert_eq!(
            cuts(document.as_bytes(), 7, start.unwrap()),
            (start, end, true)
        );
    }
}
