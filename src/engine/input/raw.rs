//! Conversion of offsets in decoded text to offsets in the input, for encodings other than UTF-8.
//!
//! The lengths of characters differ between the two, and no table of all characters is kept. Instead [`Raw`] keeps
//! the encoded bytes of the buffered text and, for every KiB of text, an [`OffsetPair`]: the two offsets and the shift
//! state of the decoder. A request decodes the bytes again from the last pair before the offset.
//!
//! ```text
//! decoded text   0          1024           2048  text
//!                |----------|--------------|-----^
//! offset pairs    *          *              *====>|   decoded again
//! encoded bytes  |----------|------|-------------^
//!                raw                             result
//! ```
//!
//! An escape sequence belongs to the character after it. If one byte sequence decodes to several code points, they
//! all have the offsets of that sequence.

use super::decode::Decoder;
use super::decoded::Decoded;
use super::encoding::Encoding;
use super::shared_cell::SharedCell;
use super::shift::Shift;
use alloc::string::String;
use alloc::vec::Vec;

/// Minimum distance, in bytes of decoded text, between two entries of `offset_pairs`.
pub(super) const STRIDE: usize = 1 << 10;

/// Maximum number of UTF-8 bytes that one input byte decodes to, not counting bytes held back earlier.
const MAX_TEXT_PER_BYTE: u64 = 3;

/// Maximum number of UTF-8 bytes that all the bytes held back by a decoder decode to.
const MAX_HELD_TEXT_BYTES: u64 = 12;

/// Maximum number of bytes after an ill-formed sequence that the decoder has to see before it reports that sequence.
const MAX_LOOKAHEAD_BYTES: u64 = 4;

/// The end of an encoded sequence to which an offset in the decoded text is mapped.
///
/// Nearly always both sides give the same result. They differ only for an offset inside the text of one encoded
/// sequence that decodes to several code points (a few of Big5 do), where no byte of the input belongs to the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The start of the sequence. Used for the start of a range in the input.
    Start,
    /// The end of the sequence. Used for the end of a range in the input.
    End,
}

/// A boundary between two characters, and the shift state of ISO-2022-JP there.
#[derive(Clone, Copy, Debug)]
struct OffsetPair {
    /// Offset in the decoded text.
    text: u64,
    /// Offset in the input.
    raw: u64,
    shift: Shift,
}

/// The encoded bytes of the buffered text.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    encoding: Encoding,
    /// The encoded input, as fed. The first byte is the one at the offset `raw` of the first entry of `offset_pairs`.
    /// Earlier bytes were released.
    bytes: Vec<u8>,
    /// Offset pairs in order; never empty.
    offset_pairs: Vec<OffsetPair>,
    /// Length of the decoded text so far, and the offset in the input up to which it was decoded. `bytes` may contain
    /// more bytes, which the decoder holds back.
    text: u64,
    raw: u64,
    /// The shift state at `raw`.
    shift: Shift,
    /// True if no more bytes follow.
    is_ended: bool,
    latest: Latest,
}

impl Raw {
    /// Creates an empty value whose text starts at the offset `text` in the decoded text and `raw` in the input. In
    /// text before that, both offsets are equal.
    pub(super) fn new(encoding: Encoding, text: u64, raw: u64) -> Raw {
        Raw {
            encoding,
            bytes: Vec::new(),
            offset_pairs: Vec::from([OffsetPair {
                text,
                raw,
                shift: Shift::default(),
            }]),
            text,
            raw,
            shift: Shift::default(),
            is_ended: false,
            latest: Latest::default(),
        }
    }

    /// Appends bytes that the decoder consumed and that decoded to `text` bytes of text. If they end with an
    /// ill-formed sequence, a call of [`replaced`](Raw::replaced) has to follow.
    pub(super) fn took(&mut self, bytes: &[u8], text: usize, decoder: &Decoder, was: Decoded) {
        // In the "replacement" encoding only the first byte is decoded, so only that byte is stored.
        let is_replaced = self.encoding == Encoding::REPLACEMENT && !self.bytes.is_empty();
        self.bytes
            .extend_from_slice(if is_replaced { &[] } else { bytes });
        self.text += text as u64;
        self.raw = self.end() - decoder.partial().len() as u64;
        self.shift = decoder.shift();
        if was == Decoded::Text {
            self.add_pair_if_far();
        }
    }

    /// Records that U+FFFD was appended to the text for an ill-formed sequence.
    pub(super) fn replaced(&mut self) {
        self.text += char::REPLACEMENT_CHARACTER.len_utf8() as u64;
        self.add_pair_if_far();
    }

    /// Adds an offset pair for the end of the text so far, if it is far from the last one.
    fn add_pair_if_far(&mut self) {
        if self.text - self.last().text >= STRIDE as u64 {
            self.offset_pairs.push(OffsetPair {
                text: self.text,
                raw: self.raw,
                shift: self.shift,
            });
        }
    }

    /// Records that no more bytes follow.
    pub(super) fn finish(&mut self) {
        self.is_ended = true;
    }

    /// Discards bytes that are only needed for text before the offset `text`.
    pub(super) fn release(&mut self, text: u64) {
        let done = self.offset_pairs.partition_point(|pair| pair.text < text);
        if done < 2 {
            return;
        }
        let dropped = self.offset_pairs[done - 1].raw - self.offset_pairs[0].raw;
        self.offset_pairs.drain(..done - 1);
        self.bytes.drain(..dropped as usize);
        self.latest.clear();
    }

    /// Returns the offset in the input that belongs to the offset `text` in the decoded text.
    pub(super) fn offset(&self, text: u64, side: Side) -> u64 {
        let (before, after) = self.find(text);
        match side {
            Side::Start if after.text > text => before.raw,
            _ => after.raw,
        }
    }

    /// Returns the encoded bytes of the text between two offsets, with the bytes after them that decoding may look at.
    pub(super) fn section(&self, from: u64, to: u64) -> Raw {
        let (before, at) = self.find(from);
        let OffsetPair {
            text, raw: base, ..
        } = self.offset_pairs[0];
        let first = match at.text > from {
            _ if from < text => self.offset_pairs[0],
            true => before,
            false => at,
        };
        let end = self.find(to).1.raw.max(first.raw);
        // Keep some bytes after the end: an ill-formed sequence may be recognizable only by the byte after it.
        let after = (end + MAX_LOOKAHEAD_BYTES).min(self.end());
        let range = (first.raw - base) as usize..(after - base) as usize;
        let inside = |pair: &&OffsetPair| first.text < pair.text && pair.raw < end;
        let further = self.offset_pairs.iter().filter(inside).copied();
        Raw {
            encoding: self.encoding,
            bytes: Vec::from(&self.bytes[range]),
            offset_pairs: core::iter::once(first).chain(further).collect(),
            text: to,
            raw: end,
            shift: self.shift,
            is_ended: self.is_ended && after == self.end(),
            latest: Latest::default(),
        }
    }

    /// Returns the number of bytes that were decoded again so far.
    pub(super) fn looked_at(&self) -> u64 {
        self.latest.work()
    }

    fn end(&self) -> u64 {
        self.offset_pairs[0].raw + self.bytes.len() as u64
    }

    fn last(&self) -> OffsetPair {
        self.offset_pairs[self.offset_pairs.len() - 1]
    }

    /// Returns the first boundary between characters at or after the offset `text`, preceded by the boundary before
    /// it.
    fn find(&self, text: u64) -> (OffsetPair, OffsetPair) {
        let first = self.offset_pairs[0];
        if text < first.text {
            let same = OffsetPair {
                text,
                raw: text,
                ..first
            };
            return (same, same);
        }
        // Start before a pair at the offset itself, because an escape sequence may precede that pair.
        let before = self.offset_pairs.partition_point(|pair| pair.text < text);
        let mut from = self.offset_pairs[before.saturating_sub(1)];
        let latest = self.latest.get(first);
        if (from.text..=text).contains(&latest.text) {
            from = latest;
        }
        let mut walk = Walk::new(self, from);
        let mut after = from;
        let mut before = from;
        while after.text < text {
            before = after;
            after = match walk.step(text) {
                Some(place) => place,
                // The bytes end with an ill-formed sequence that only a byte after them would reveal.
                None => OffsetPair {
                    text,
                    raw: self.raw,
                    ..after
                },
            };
        }
        self.latest.count(walk.at as u64 - (from.raw - first.raw));
        if after.text == text {
            self.latest.set(first, after);
        }
        (before, after)
    }
}

/// A decoding that starts at an offset pair, to find the input offsets of single characters.
struct Walk<'r> {
    raw: &'r Raw,
    decoder: Decoder,
    /// Index in [`Raw::bytes`] of the next byte to pass to the decoder.
    at: usize,
    text: u64,
    out: String,
}

impl Walk<'_> {
    fn new(raw: &Raw, from: OffsetPair) -> Walk<'_> {
        Walk {
            raw,
            decoder: Decoder::at(raw.encoding, from.shift),
            at: (from.raw - raw.offset_pairs[0].raw) as usize,
            text: from.text,
            out: String::new(),
        }
    }

    /// Decodes a part of the remaining bytes, at most up to the first boundary at or after the text offset `to`.
    /// Returns the boundary reached, or `None` if no bytes are left.
    fn step(&mut self, to: u64) -> Option<OffsetPair> {
        let rest = &self.raw.bytes[self.at..];
        if self.decoder.partial().is_empty() {
            let passed = self
                .decoder
                .pass_ascii(rest, to.saturating_sub(self.text) as usize);
            if passed > 0 {
                self.at += passed;
                self.text += passed as u64;
                return Some(self.place());
            }
        }
        let few = (to - self.text).saturating_sub(MAX_HELD_TEXT_BYTES) / MAX_TEXT_PER_BYTE;
        let mut piece = &rest[..rest.len().min(few.max(1) as usize)];
        if rest.is_empty() && !self.raw.is_ended {
            // A byte that was not consumed revealed that the bytes before it are ill-formed. An ASCII byte such as a
            // newline does the same.
            piece = b"\n";
        }
        let length = piece.len();
        self.out.clear();
        let decoded = self
            .decoder
            .decode(&mut piece, length == 0, &mut self.out, usize::MAX);
        self.at += length - piece.len();
        self.text += self.out.len() as u64;
        match decoded {
            Decoded::IllFormed => {
                self.text += char::REPLACEMENT_CHARACTER.len_utf8() as u64;
                // Decode the held bytes again, so that each character gets its own offset.
                self.at -= self.decoder.release_held();
            }
            Decoded::Text if rest.is_empty() => return None,
            Decoded::Text => {}
        }
        self.at = self.at.min(self.raw.bytes.len());
        Some(self.place())
    }

    fn place(&self) -> OffsetPair {
        OffsetPair {
            text: self.text,
            raw: self.raw.offset_pairs[0].raw + (self.at - self.decoder.partial().len()) as u64,
            shift: self.decoder.shift(),
        }
    }
}

/// A cache of the boundary that was found last, and a counter of the bytes decoded again.
#[derive(Debug)]
struct Latest {
    /// The boundary relative to the first pair: 30 bits of text offset, 30 bits of input offset, and in the
    /// lowest 4 bits the shift state's number. 0 if nothing is cached.
    place: SharedCell,
    work: SharedCell,
}

impl Latest {
    const OFFSET_BITS: u32 = 30;
    const SHIFT_BITS: u32 = 4;

    fn get(&self, first: OffsetPair) -> OffsetPair {
        let place = self.place.get();
        if place == 0 {
            return first;
        }
        let offsets = place >> Self::SHIFT_BITS;
        OffsetPair {
            text: first.text + (offsets >> Self::OFFSET_BITS),
            raw: first.raw + (offsets & ((1 << Self::OFFSET_BITS) - 1)),
            shift: Shift::from_number(place & ((1 << Self::SHIFT_BITS) - 1)),
        }
    }

    fn set(&self, first: OffsetPair, place: OffsetPair) {
        let (text, raw) = (place.text - first.text, place.raw - first.raw);
        if (text | raw) >> Self::OFFSET_BITS == 0 {
            let offsets = text << Self::OFFSET_BITS | raw;
            let number = offsets << Self::SHIFT_BITS | place.shift.number();
            self.place.set(number);
        }
    }

    fn clear(&self) {
        self.place.set(0);
    }

    fn count(&self, bytes: u64) {
        self.work.add(bytes);
    }

    fn work(&self) -> u64 {
        self.work.get()
    }
}

impl Default for Latest {
    fn default() -> Latest {
        Latest {
            place: SharedCell::new(0),
            work: SharedCell::new(0),
        }
    }
}

impl Clone for Latest {
    fn clone(&self) -> Latest {
        Latest {
            place: SharedCell::new(0),
            work: SharedCell::new(self.work()),
        }
    }
}

/// Saves only the counter; the cache is filled again on demand.
#[cfg(feature = "checkpoints")]
impl crate::checkpoint::Checkpointable for Latest {
    fn save(&self, to: &mut crate::checkpoint::Writer) {
        to.number(self.work());
    }

    fn load(
        from: &mut crate::checkpoint::Reader<'_>,
    ) -> Result<Latest, crate::checkpoint::Damaged> {
        let latest = Latest::default();
        latest.count(from.number()?);
        Ok(latest)
    }
}

crate::checkpoint::checkpointable! {
    struct OffsetPair { text, raw, shift }
    struct Raw { encoding, bytes, offset_pairs, text, raw, shift, is_ended, latest }
}
