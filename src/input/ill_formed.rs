//! Ill-formed sequences of UTF-8, for each of which U+FFFD is read. Some machines are told of each, before they read the
//! window in which its U+FFFD stands; where characters that mean nothing come next, there may be many in one. It must not
//! know what an error is.

use super::fed::front;
use super::{Change, Input, Mark};
use crate::scan::{Classes, Set};
use alloc::string::String;

/// So many bytes behind an ill-formed sequence are copied: where there is one, others are near, and a chunk that is
/// read in place ends at each.
const NOISY: usize = 4 << 10;

/// What is read for an ill-formed sequence.
pub(super) const REPLACEMENT: &str = "\u{FFFD}";

impl Input {
    /// Says at which class of bytes the machine stops, if it takes all others, and U+FFFD, without more ado.
    pub(crate) fn set_stops(&mut self, stops: Option<usize>) {
        self.stops = stops;
    }

    /// Appends the next small piece to our own buffer.
    pub(super) fn append<K: Classes>(&mut self, retained: &mut String, change: &mut Change<'_>) {
        self.hold(retained, change);
        let piece = front(&self.pending, &self.staged);
        let most = if self.is_noisy { NOISY } else { piece.len() };
        let piece = &piece[..piece.len().min(most)];
        let from = self.own.len();
        let mut taken = piece.len();
        match simdutf8::compat::from_utf8(piece) {
            Ok(text) => {
                self.own.push_str(text);
                self.is_noisy = false;
            }
            Err(error) => {
                // Nothing beyond is looked at again and again.
                let near = error.valid_up_to().saturating_add(NOISY);
                taken = self.append_ill_formed::<K>(near);
            }
        }
        self.drop_front(taken);
        self.replace_appended(from);
    }

    /// Appends about the first `most` bytes of the next piece, which are not all text, up to the first ill-formed
    /// sequence that is to be told; gives how many were taken.
    fn append_ill_formed<K: Classes>(&mut self, most: usize) -> usize {
        let piece = front(&self.pending, &self.staged);
        let piece = &piece[..piece.len().min(most)];
        let mut taken = 0;
        for part in piece.utf8_chunks() {
            self.own.push_str(part.valid());
            let odd = part.invalid();
            taken += part.valid().len() + odd.len();
            if odd.is_empty() {
                break;
            }
            if taken == piece.len() && is_unfinished(odd) {
                self.tail[..odd.len()].copy_from_slice(odd);
                self.tail_length = odd.len();
                break;
            }
            self.is_noisy = true;
            if K::TELLS_ILL_FORMED || self.replaces_line_ends {
                self.ill_formed = odd.len();
                break;
            }
            self.own.push_str(REPLACEMENT);
            let end = self.shift + self.own.len() as u32;
            self.lines.replaced(end, REPLACEMENT.len(), odd.len());
        }
        taken
    }

    /// Appends U+FFFD for the ill-formed sequence that comes next, and what may stand in a window with it.
    pub(super) fn replace_told<K: Classes>(&mut self, most: usize) {
        let from = self.own.len();
        self.own.push_str(REPLACEMENT);
        self.sequences.push((self.own.len(), self.ill_formed));
        self.ill_formed = 0;
        if self.decoder.is_some() {
            self.raw().replaced();
        } else if let Some(stops) = self.stops.filter(|_| !self.replaces_line_ends) {
            let taken = self.append_plain(&K::SETS[stops], from.saturating_add(most));
            self.drop_front(taken);
        }
        self.line_ends.pass(REPLACEMENT);
        self.lines.append_written(REPLACEMENT);
    }

    /// Appends further ill-formed sequences and what stands between them, up to a byte of `stops` and so that our own
    /// buffer is no longer than `end`; gives how many bytes were taken.
    fn append_plain(&mut self, stops: &Set, end: usize) -> usize {
        let piece = front(&self.pending, &self.staged);
        let piece = &piece[..piece.len().min(NOISY)];
        let mut taken = 0;
        for part in piece.utf8_chunks() {
            let (text, odd) = (part.valid(), part.invalid());
            let is_beyond = self.own.len() + text.len() + REPLACEMENT.len() > end;
            let is_last = odd.is_empty()
                || taken + text.len() + odd.len() == piece.len() && is_unfinished(odd);
            if is_last || is_beyond || text.bytes().any(|byte| stops.contains(byte)) {
                break;
            }
            self.own.push_str(text);
            self.own.push_str(REPLACEMENT);
            self.sequences.push((self.own.len(), odd.len()));
            taken += text.len() + odd.len();
        }
        taken
    }

    /// The marks before and behind the U+FFFD of each ill-formed sequence in the window, which is to be told.
    pub(crate) fn ill_formed(&self) -> impl Iterator<Item = (Mark, Mark)> {
        self.sequences.iter().map(|&(end, _)| {
            let end = self.shift + end as u32;
            (end - REPLACEMENT.len() as u32, end)
        })
    }
}

/// Whether a sequence that is not well-formed may become so.
fn is_unfinished(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}
