//! Where the text of another encoding than UTF-8 stands in the input: from offsets in what was decoded
//! to offsets in what was fed.
//!
//! The bytes of all text that is held are kept as they were fed, and every KiB of text the state of the
//! decoder there; who asks for a place has it decoded again from the last of these. An escape sequence
//! belongs to the character behind it, and code points that one sequence stands for share its place.
//! This file must not know what a mark is.

use super::decode::{Decoded, Decoder};
use super::encoding::Encoding;
use super::shift::Shift;
use alloc::string::String;
use alloc::vec::Vec;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

/// So much text is between two states of the decoder that are kept.
pub(super) const STRIDE: usize = 1 << 10;

/// The text of a byte is no longer, but for what was held back before it.
const LONGEST: u64 = 3;

/// The text of what is held back is no longer.
const HELD_BACK: u64 = 12;

/// So many bytes behind a sequence tell of it at most.
const BEHIND: u64 = 4;

/// Which of two characters an offset between them is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The one behind it begins there.
    Start,
    /// The one before it ends there.
    End,
}

/// A place between two characters, and how ISO-2022-JP is shifted there.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct Checkpoint {
    /// Offset in the text.
    text: u64,
    /// Offset in the input.
    raw: u64,
    shift: Shift,
}

/// The bytes of the text that is held.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Raw {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    encoding: Encoding,
    /// As they were fed, from the first checkpoint on.
    bytes: Vec<u8>,
    /// In order; there is one.
    checkpoints: Vec<Checkpoint>,
    /// Where the text ends, and its bytes, of which some more may be here.
    text: u64,
    raw: u64,
    /// No bytes follow.
    is_ended: bool,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    latest: Latest,
}

impl Raw {
    /// Text of this encoding follows the offset `text`, which is `raw` in the input. Where there is text
    /// before, its offsets are the same in both.
    pub(super) fn new(encoding: Encoding, text: u64, raw: u64) -> Raw {
        Raw {
            encoding,
            bytes: Vec::new(),
            checkpoints: Vec::from([Checkpoint {
                text,
                raw,
                shift: Shift::default(),
            }]),
            text,
            raw,
            is_ended: false,
            latest: Latest::default(),
        }
    }

    /// The decoder has taken these bytes, and written so much text; if an ill-formed sequence ended it,
    /// that is still to be [`replaced`](Raw::replaced).
    pub(super) fn took(&mut self, bytes: &[u8], text: usize, decoder: &Decoder, was: Decoded) {
        // Of an encoding that is never decoded, the first byte stands for all.
        let is_replaced = self.encoding == Encoding::REPLACEMENT && !self.bytes.is_empty();
        self.bytes
            .extend_from_slice(if is_replaced { &[] } else { bytes });
        self.text += text as u64;
        self.raw = self.end() - decoder.held().len() as u64;
        let is_far = self.text - self.last().text >= STRIDE as u64;
        if is_far && was == Decoded::Text {
            self.checkpoints.push(Checkpoint {
                text: self.text,
                raw: self.raw,
                shift: decoder.shift(),
            });
        }
    }

    /// An ill-formed sequence was read as U+FFFD.
    pub(super) fn replaced(&mut self) {
        self.text += char::REPLACEMENT_CHARACTER.len_utf8() as u64;
    }

    /// No bytes follow.
    pub(super) fn finish(&mut self) {
        self.is_ended = true;
    }

    /// Nothing before the offset `text` will be asked for.
    pub(super) fn release(&mut self, text: u64) {
        let done = self
            .checkpoints
            .partition_point(|checkpoint| checkpoint.text < text);
        if done < 2 {
            return;
        }
        let dropped = self.checkpoints[done - 1].raw - self.checkpoints[0].raw;
        self.checkpoints.drain(..done - 1);
        self.bytes.drain(..dropped as usize);
        self.latest.clear();
    }

    /// Offset in the input of an offset in the text.
    pub(super) fn offset(&self, text: u64, side: Side) -> u64 {
        let (before, behind) = self.find(text);
        match side {
            Side::Start if behind.text > text => before.raw,
            _ => behind.raw,
        }
    }

    /// The bytes of the text between two offsets.
    pub(super) fn section(&self, from: u64, to: u64) -> Raw {
        let (before, at) = self.find(from);
        let Checkpoint {
            text, raw: base, ..
        } = self.checkpoints[0];
        let first = match at.text > from {
            _ if from < text => self.checkpoints[0],
            true => before,
            false => at,
        };
        let end = self.find(to).1.raw.max(first.raw);
        // What is ill-formed may be so because of bytes behind it.
        let behind = (end + BEHIND).min(self.end());
        let range = (first.raw - base) as usize..(behind - base) as usize;
        let inside =
            |checkpoint: &&Checkpoint| first.text < checkpoint.text && checkpoint.raw < end;
        let further = self.checkpoints.iter().filter(inside).copied();
        Raw {
            encoding: self.encoding,
            bytes: Vec::from(&self.bytes[range]),
            checkpoints: core::iter::once(first).chain(further).collect(),
            text: to,
            raw: end,
            is_ended: self.is_ended && behind == self.end(),
            latest: Latest::default(),
        }
    }

    /// Bytes that were decoded again so far.
    pub(super) fn looked_at(&self) -> u64 {
        self.latest.work()
    }

    fn end(&self) -> u64 {
        self.checkpoints[0].raw + self.bytes.len() as u64
    }

    fn last(&self) -> Checkpoint {
        self.checkpoints[self.checkpoints.len() - 1]
    }

    /// The place at or behind an offset in the text, as near as there is one, and a place before.
    fn find(&self, text: u64) -> (Checkpoint, Checkpoint) {
        let first = self.checkpoints[0];
        if text < first.text {
            let same = Checkpoint {
                text,
                raw: text,
                ..first
            };
            return (same, same);
        }
        // There may be an escape sequence before the checkpoint at the offset itself.
        let before = self
            .checkpoints
            .partition_point(|checkpoint| checkpoint.text < text);
        let mut from = self.checkpoints[before.saturating_sub(1)];
        let latest = self.latest.get(first);
        if (from.text..=text).contains(&latest.text) {
            from = latest;
        }
        let mut walk = Walk::new(self, from);
        let mut behind = from;
        let mut before = from;
        while behind.text < text {
            before = behind;
            behind = match walk.step(text) {
                Some(place) => place,
                // What is ill-formed is so because of bytes behind it, which are not here.
                None => Checkpoint {
                    text,
                    raw: self.raw,
                    ..behind
                },
            };
        }
        self.latest.count(walk.at as u64 - (from.raw - first.raw));
        if behind.text == text {
            self.latest.set(first, behind);
        }
        (before, behind)
    }
}

/// The bytes from a checkpoint on, once more through a decoder.
struct Walk<'r> {
    raw: &'r Raw,
    decoder: Decoder,
    /// So many of the bytes were taken.
    at: usize,
    text: u64,
    out: String,
}

impl Walk<'_> {
    fn new(raw: &Raw, from: Checkpoint) -> Walk<'_> {
        Walk {
            raw,
            decoder: Decoder::at(raw.encoding, from.shift),
            at: (from.raw - raw.checkpoints[0].raw) as usize,
            text: from.text,
            out: String::new(),
        }
    }

    /// Goes on, not beyond the first place at or behind the offset `to`; gives where that is.
    fn step(&mut self, to: u64) -> Option<Checkpoint> {
        let rest = &self.raw.bytes[self.at..];
        if self.decoder.held().is_empty() {
            let passed = self
                .decoder
                .pass_ascii(rest, to.saturating_sub(self.text) as usize);
            if passed > 0 {
                self.at += passed;
                self.text += passed as u64;
                return Some(self.place());
            }
        }
        let few = (to - self.text).saturating_sub(HELD_BACK) / LONGEST;
        let mut piece = &rest[..rest.len().min(few.max(1) as usize)];
        if rest.is_empty() && !self.raw.is_ended {
            // A byte that was not taken showed that those before it are ill-formed: one of ASCII, as the
            // end of a line is.
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
                // What was held back is read again, so that each character has its own place.
                self.at -= self.decoder.let_go();
            }
            Decoded::Text if rest.is_empty() => return None,
            Decoded::Text => {}
        }
        self.at = self.at.min(self.raw.bytes.len());
        Some(self.place())
    }

    fn place(&self) -> Checkpoint {
        Checkpoint {
            text: self.text,
            raw: self.raw.checkpoints[0].raw + (self.at - self.decoder.held().len()) as u64,
            shift: self.decoder.shift(),
        }
    }
}

/// The place that was asked for last, and the work of all questions.
#[cfg(target_has_atomic = "64")]
#[derive(Debug, Default)]
struct Latest {
    /// Offsets from the first checkpoint, of the text in the upper bits and of the input in those below;
    /// the shift's number in the lowest.
    place: AtomicU64,
    work: AtomicU64,
}

#[cfg(target_has_atomic = "64")]
impl Latest {
    const OFFSET_BITS: u32 = 30;
    const SHIFT_BITS: u32 = 4;

    fn get(&self, first: Checkpoint) -> Checkpoint {
        let place = self.place.load(Ordering::Relaxed);
        if place == 0 {
            return first;
        }
        let offsets = place >> Self::SHIFT_BITS;
        Checkpoint {
            text: first.text + (offsets >> Self::OFFSET_BITS),
            raw: first.raw + (offsets & ((1 << Self::OFFSET_BITS) - 1)),
            shift: Shift::from_number(place & ((1 << Self::SHIFT_BITS) - 1)),
        }
    }

    fn set(&self, first: Checkpoint, place: Checkpoint) {
        let (text, raw) = (place.text - first.text, place.raw - first.raw);
        if (text | raw) >> Self::OFFSET_BITS == 0 {
            let offsets = text << Self::OFFSET_BITS | raw;
            let number = offsets << Self::SHIFT_BITS | place.shift.number();
            self.place.store(number, Ordering::Relaxed);
        }
    }

    fn clear(&self) {
        self.place.store(0, Ordering::Relaxed);
    }

    fn count(&self, bytes: u64) {
        self.work.fetch_add(bytes, Ordering::Relaxed);
    }

    fn work(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }
}

#[cfg(target_has_atomic = "64")]
impl Clone for Latest {
    fn clone(&self) -> Latest {
        Latest {
            place: AtomicU64::default(),
            work: AtomicU64::new(self.work()),
        }
    }
}

/// Where there are no such numbers, no place is kept.
#[cfg(not(target_has_atomic = "64"))]
#[derive(Clone, Debug, Default)]
struct Latest;

#[cfg(not(target_has_atomic = "64"))]
impl Latest {
    fn get(&self, first: Checkpoint) -> Checkpoint {
        first
    }

    fn set(&self, _: Checkpoint, _: Checkpoint) {}

    fn clear(&self) {}

    fn count(&self, _: u64) {}

    fn work(&self) -> u64 {
        0
    }
}

/// The place that was asked for is found again; the work is kept.
#[cfg(feature = "checkpoints")]
impl crate::saved::Saved for Latest {
    fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(self.work())
    }

    fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<Latest, D::Error> {
        let latest = Latest::default();
        latest.count(serde_core::Deserialize::deserialize(from)?);
        Ok(latest)
    }
}
