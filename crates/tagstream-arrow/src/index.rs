//! Indexes: the offsets at which a document can be cut, found by one pass and kept in a file beside the document.

use crate::chunks::read_chunk;
use crate::decoder::Decoder;
use crate::error::Error;
use crate::options::{Mode, Options};
use crate::pieces::HeadFinder;
use arrow_schema::Schema;
use bytes::Bytes;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The first line of an index file.
const SIGNATURE: &str = "tagstream row index 2";

/// Offsets at which a document can be cut.
///
/// An index is kept in a file beside the document, so that a document needs one pass for the index, and then any number
/// of readers can begin at any of its offsets. The [`Display`](fmt::Display) of an index is the text of this file, and
/// [`parse`](RowIndex::parse) reads it:
///
/// ```text
/// tagstream row index 2
/// row_tag page
/// bytes 12582912
/// modified 1764172800.123456789
/// 51
/// 4194417
/// 8388730
/// end 3 5d1c0b2a
/// ```
///
/// The numbers between the fields and the last line are [`starts`](RowIndex::starts). The last line has their number, by
/// which an incomplete file is recognized, and the CRC-32 of the lines before it, by which a changed one is.
///
/// ```
/// use tagstream_arrow::{Options, RowIndex, index_rows};
///
/// let xml = b"<log><entry n='1'/><entry n='2'/><entry n='3'/></log>";
/// let index = index_rows(&xml[..], &Options::new("entry"), 10)?.unwrap();
/// assert_eq!(index.to_string().parse(), Ok(index.clone()));
/// assert_eq!(index.first_cut_from(1), Some(19));
/// assert_eq!(index.first_cut_from(34), None);
/// # Ok::<(), tagstream_arrow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowIndex {
    /// The name of the rows.
    pub row_tag: String,
    /// The offsets, in ascending order: the [end of the head](crate::Head::end), and then those of rows. A piece begins
    /// at each offset, and ends at the next one or at the end of the document.
    pub starts: Vec<u64>,
    /// Length of the document in bytes. A document of another length has changed.
    pub bytes: u64,
    /// The time at which the document was last modified, if it is known. A document with another time may have changed.
    pub modified: Option<SystemTime>,
}

impl RowIndex {
    /// The end of the name of an index file: the index of `pages.xml` is in `pages.xml.row-index`.
    pub const SUFFIX: &str = ".row-index";

    /// Returns the path of the index file of a document.
    pub fn path_of(document: &Path) -> PathBuf {
        let mut path = document.as_os_str().to_owned();
        path.push(RowIndex::SUFFIX);
        path.into()
    }

    /// Returns the offset of the first row in the index at or after an offset. The end of the head is none.
    pub fn first_cut_from(&self, offset: u64) -> Option<u64> {
        let rows = self.starts.get(1..).unwrap_or_default();
        rows.get(rows.partition_point(|start| *start < offset))
            .copied()
    }

    /// Reads the text of an index file.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not an index, or is incomplete.
    pub fn parse(text: &str) -> Result<RowIndex, IndexError> {
        let mut lines = Lines { text, line: 0 };
        let signature = lines.next()?;
        if signature != SIGNATURE {
            return Err(lines.expected(SIGNATURE));
        }
        let row_tag = lines.field("row_tag")?.to_owned();
        let bytes = lines.number_of("bytes")?;
        let modified = match lines.field("modified")? {
            "unknown" => None,
            text => Some(time(text).ok_or_else(|| lines.expected("seconds since 1970"))?),
        };
        let mut starts: Vec<u64> = Vec::new();
        loop {
            let line = lines.next()?;
            if let Some(end) = line.strip_prefix("end ") {
                let before = text.len() - lines.text.len() - line.len() - 1;
                let sum = crc32fast::hash(&text.as_bytes()[..before]);
                let is_whole = end == format!("{} {sum:08x}", starts.len());
                return match is_whole && lines.text.is_empty() {
                    true => Ok(RowIndex {
                        row_tag,
                        starts,
                        bytes,
                        modified,
                    }),
                    false => Err(lines
                        .expected("the number of offsets, the checksum, and the end of the file")),
                };
            }
            match line.parse() {
                Ok(start) if start < bytes && starts.last().is_none_or(|last| *last < start) => {
                    starts.push(start);
                }
                _ => return Err(lines.expected("an offset above the one before it")),
            }
        }
    }
}

impl std::str::FromStr for RowIndex {
    type Err = IndexError;

    fn from_str(text: &str) -> Result<RowIndex, IndexError> {
        RowIndex::parse(text)
    }
}

impl fmt::Display for RowIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_lines(&mut text)?;
        let sum = crc32fast::hash(text.as_bytes());
        writeln!(f, "{text}end {} {sum:08x}", self.starts.len())
    }
}

impl RowIndex {
    /// Writes all lines but the last one.
    fn write_lines(&self, out: &mut impl fmt::Write) -> fmt::Result {
        writeln!(out, "{SIGNATURE}\nrow_tag {}", self.row_tag)?;
        writeln!(out, "bytes {}", self.bytes)?;
        match self.modified {
            None => writeln!(out, "modified unknown")?,
            Some(time) => {
                let (sign, since) = match time.duration_since(SystemTime::UNIX_EPOCH) {
                    Ok(since) => ("", since),
                    Err(error) => ("-", error.duration()),
                };
                let (seconds, nanos) = (since.as_secs(), since.subsec_nanos());
                writeln!(out, "modified {sign}{seconds}.{nanos:09}")?;
            }
        }
        for start in &self.starts {
            writeln!(out, "{start}")?;
        }
        Ok(())
    }
}

/// A text that is not an index of rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the index: expected {expected}")]
#[non_exhaustive]
pub struct IndexError {
    /// The line, from 1.
    pub line: usize,
    /// The text that was expected there.
    pub expected: String,
}

/// The lines of an index file, each of which ends with a newline.
struct Lines<'a> {
    text: &'a str,
    line: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Result<&'a str, IndexError> {
        self.line += 1;
        let (line, rest) = self
            .text
            .split_once('\n')
            .ok_or_else(|| self.expected("a line, because the index is incomplete"))?;
        self.text = rest;
        Ok(line)
    }

    /// Reads a line of a name and a value.
    fn field(&mut self, name: &str) -> Result<&'a str, IndexError> {
        let line = self.next()?;
        let value = line
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(' '));
        value.ok_or_else(|| self.expected(&format!("`{name}` and its value")))
    }

    fn number_of(&mut self, name: &str) -> Result<u64, IndexError> {
        let value = self.field(name)?;
        value.parse().map_err(|_| self.expected("a number"))
    }

    fn expected(&self, expected: &str) -> IndexError {
        IndexError {
            line: self.line,
            expected: expected.to_owned(),
        }
    }
}

/// Reads a time: seconds since 1970, with nine digits after the point.
fn time(text: &str) -> Option<SystemTime> {
    let (is_before, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (seconds, nanos) = text.split_once('.').filter(|(_, nanos)| nanos.len() == 9)?;
    let since = Duration::from_secs(seconds.parse().ok()?)
        .checked_add(Duration::from_nanos(nanos.parse().ok()?))?;
    match is_before {
        true => SystemTime::UNIX_EPOCH.checked_sub(since),
        false => SystemTime::UNIX_EPOCH.checked_add(since),
    }
}

/// Reads a document once, and returns offsets that are about `distance` bytes apart. Pieces that begin at these
/// offsets have the rows of one pass, so that they can be read in any order and without the pieces before them. Returns
/// `None` if the document has no row or cannot be cut, as [`Head::of`](crate::Head::of) says.
///
/// ```
/// use tagstream_arrow::{Options, index_rows};
///
/// let xml = b"<log><entry n='1'/><!-- <entry n='9'/> --><entry n='2'/></log>";
/// let index = index_rows(&xml[..], &Options::new("entry"), 10)?;
/// assert_eq!(index.unwrap().starts, [5, 42]);
/// # Ok::<(), tagstream_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the input cannot be read or parsed.
pub fn index_rows(
    mut read: impl Read,
    options: &Options,
    distance: u64,
) -> Result<Option<RowIndex>, Error> {
    let Some(row_tag) = options.row_name() else {
        return Ok(None);
    };
    let mut finder = Some(HeadFinder::new(options)?);
    let mut head = None;
    // Errors of rows do not matter here.
    let options = options.clone().mode(Mode::DropMalformed);
    let mut decoder = Decoder::new(Arc::new(Schema::empty()), options)?;
    decoder.read_to(0);
    let (mut starts, mut bytes) = (Vec::new(), 0);
    let mut buffer = Vec::new();
    loop {
        let length = read_chunk(&mut read, &mut buffer)?;
        bytes += length as u64;
        match length {
            0 => decoder.finish(),
            length => decoder.feed_slice(&buffer[..length]),
        }
        if let Some(mut before) = finder.take() {
            match before.feed(Bytes::copy_from_slice(&buffer[..length]))? {
                true => head = before.head(),
                false if length == 0 => {}
                false => finder = Some(before),
            }
            if finder.is_none() && head.is_none() {
                return Ok(None);
            }
        }
        let Some(head) = &head else {
            continue;
        };
        loop {
            while decoder.next_batch()?.is_some() {}
            let Some(next) = decoder.next_row() else {
                break;
            };
            if starts.is_empty() {
                starts.push(head.end());
                decoder.read_to(head.first_row.saturating_add(distance.max(1)));
                continue;
            }
            match next.confirms(head, next.offset) {
                true => {
                    starts.push(next.offset);
                    decoder.read_to(next.offset.saturating_add(distance.max(1)));
                }
                false => decoder.read_to(next.offset + 1),
            }
        }
        if length == 0 {
            return Ok(Some(RowIndex {
                row_tag: row_tag.to_owned(),
                starts,
                bytes,
                modified: None,
            }));
        }
    }
}
