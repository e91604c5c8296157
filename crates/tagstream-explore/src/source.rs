//! The source as text, and the conversion between its byte offsets and UTF-16 offsets in that text.
//!
//! Editors in browsers count UTF-16 code units, and the parser counts bytes. The map between the two is a list of runs
//! of characters that all have the same length in both. ASCII text, for example, is a single run.

use tagstream::Encoding;

/// A run of characters with the same lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Offset of the first character in bytes and in UTF-16 code units.
    byte: u32,
    unit: u32,
    /// Number of characters.
    count: u32,
    /// Length of each character in bytes and in code units.
    bytes: u32,
    units: u32,
}

/// The text of a source, and the map of its offsets.
#[derive(Debug, Default)]
pub(crate) struct Source {
    runs: Vec<Run>,
    /// Length of the source in bytes and in UTF-16 code units.
    bytes: u32,
    units: u32,
    text: String,
}

impl Source {
    /// Decodes the bytes of a source. A byte-order mark is not a part of the text. If the source has not ended, an
    /// unfinished character at its end is left out.
    pub(crate) fn new(bytes: &[u8], encoding: Encoding, is_finished: bool) -> Source {
        let mut source = Source {
            text: String::with_capacity(bytes.len()),
            ..Source::default()
        };
        let mut is_first = true;
        encoding.inspect_characters(bytes, is_finished, &mut |end, text| {
            let is_mark = is_first && text.starts_with('\u{FEFF}') && encoding.inspect_is_unicode();
            is_first = false;
            match is_mark {
                true => source.push(end, ""),
                false => source.push(end, text),
            }
        });
        source
    }

    /// Adds the text of the bytes up to the offset `end`: a run of ASCII, or a character. An escape sequence before a
    /// run of ASCII belongs to its first character.
    fn push(&mut self, end: usize, text: &str) {
        self.text.push_str(text);
        let bytes = end as u32 - self.bytes;
        let units = text.encode_utf16().count() as u32;
        match text.is_ascii() && (1..=bytes).contains(&units) {
            true => {
                self.add(1, bytes - (units - 1), 1);
                self.add(units - 1, 1, 1);
            }
            false => self.add(1, bytes, units),
        }
    }

    /// Adds characters with the same lengths.
    fn add(&mut self, count: u32, bytes: u32, units: u32) {
        if count == 0 {
            return;
        }
        match self.runs.last_mut() {
            Some(run) if (run.bytes, run.units) == (bytes, units) => run.count += count,
            _ => self.runs.push(Run {
                byte: self.bytes,
                unit: self.units,
                count,
                bytes,
                units,
            }),
        }
        self.bytes += count * bytes;
        self.units += count * units;
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the UTF-16 offset of the character that contains the byte at an offset.
    pub(crate) fn unit_of(&self, byte: u32) -> u32 {
        if byte >= self.bytes {
            return self.units;
        }
        let after = self.runs.partition_point(|run| run.byte <= byte);
        let Some(run) = after.checked_sub(1).and_then(|at| self.runs.get(at)) else {
            return 0;
        };
        run.unit + (byte - run.byte) / run.bytes.max(1) * run.units
    }

    /// Returns the byte offset of the character that contains the code unit at a UTF-16 offset.
    pub(crate) fn byte_of(&self, unit: u32) -> u32 {
        if unit >= self.units {
            return self.bytes;
        }
        // Of several runs at one offset, the last one has the characters; the others have bytes without text.
        let after = self.runs.partition_point(|run| run.unit <= unit);
        let Some(run) = after.checked_sub(1).and_then(|at| self.runs.get(at)) else {
            return 0;
        };
        run.byte + (unit - run.unit) / run.units.max(1) * run.bytes
    }
}
