//! Decoding of ill-formed UTF-8: each ill-formed sequence becomes one U+FFFD, as in the Encoding standard.
//!
//! HTML has no parse error for ill-formed bytes, so U+FFFD is simply appended to the text. The dialects of the XML
//! family report an error for each sequence, and the error has to be delivered before the event that contains its
//! U+FFFD. Their tokenizers therefore receive the ranges of all sequences in a window before they run on it
//! ([`Input::ill_formed`]).
//!
//! One window per sequence would be the simple solution. It is also slow: a Latin-1 page that claims to be UTF-8 has
//! a sequence in every other word. But within one run of text nobody can observe the order of errors and characters,
//! because the run is a single event. So while the tokenizer is in a state that consumes everything up to a known
//! class of bytes ([`Input::set_run_terminators`]), one window may hold many sequences:
//!
//! ```text
//! input    caf<E9> au lait <E0> vol<b>
//! window   caf�    au lait �    vol         ends before `<`, which is in the class
//!             ^            ^                two errors, then one text event
//! ```

use super::buffer_offset::BufferOffset;
use super::held_text::Change;
use super::pending::front;
use super::{Input, REPLACEMENT, SplitCharacter};
use crate::engine::scan::{self, Set};
use alloc::string::String;
use core::mem::{replace, take};

/// Number of bytes after an ill-formed sequence that are copied instead of parsed in place. Ill-formed sequences come
/// in clusters, and parsing in place would end a chunk at each of them.
const COPY_AFTER_ILL_FORMED_BYTES: usize = 4 << 10;

impl Input {
    /// Sets the bytes that end the current run of text, or `None` if the tokenizer is not in a state that consumes a
    /// run. All other bytes, and U+FFFD, are consumed without a change of state.
    pub(crate) fn set_run_terminators(&mut self, terminators: Option<&'static Set>) {
        self.ill_formed.run_terminators = terminators;
    }

    /// Decodes the next part of the pending UTF-8 into `buffer`. Stops after the first ill-formed sequence that has to
    /// be reported.
    pub(super) fn append(
        &mut self,
        retained: &mut String,
        tells_ill_formed: bool,
        change: &mut Change<'_>,
    ) {
        self.hold(retained, change);
        if self.current.buffer.is_empty() && self.take_staged() {
            return;
        }
        let piece = front(&self.chunks.pending, &self.chunks.staged);
        let most = if self.ill_formed.was_recent {
            COPY_AFTER_ILL_FORMED_BYTES
        } else {
            piece.len()
        };
        let piece = &piece[..piece.len().min(most)];
        let from = self.current.buffer.len();
        // If the last byte is not ASCII, a character may be split there.
        let ends_in_ascii = piece.last().is_some_and(u8::is_ascii);
        if ends_in_ascii && let Ok(text) = simdutf8::compat::from_utf8(piece) {
            self.current.buffer.push_str(text);
            self.ill_formed.was_recent = false;
            let taken = piece.len();
            self.drop_front(taken);
        } else {
            self.append_cut(0, most, tells_ill_formed);
        }
        self.replace_appended(from);
    }

    /// Makes the staged bytes the content of `buffer`, which is empty, without a copy. Returns false without a change if
    /// they are not the next text, or not as long as their text.
    fn take_staged(&mut self) -> bool {
        let is_plain = self.chunks.pending.is_empty()
            && !self.ill_formed.was_recent
            && !self.decoding.replaces_line_ends;
        if !is_plain {
            return false;
        }
        let empty = take(&mut self.current.buffer).into_bytes();
        match String::from_utf8(replace(&mut self.chunks.staged, empty)) {
            Ok(text) => {
                self.chunks.unread -= text.len();
                self.current.buffer = text;
                true
            }
            Err(error) => {
                let staged = replace(&mut self.chunks.staged, error.into_bytes());
                debug_assert!(staged.is_empty(), "the content of an empty buffer");
                false
            }
        }
    }

    /// Like [`append`](Self::append), if the last chunk has ended inside the character `split`.
    #[inline(never)]
    pub(super) fn append_split(
        &mut self,
        split: SplitCharacter,
        retained: &mut String,
        tells_ill_formed: bool,
        change: &mut Change<'_>,
    ) {
        self.hold(retained, change);
        let from = self.current.buffer.len();
        let character = core::str::from_utf8(&split.bytes[..split.length]);
        self.current.buffer.push_str(character.unwrap_or_default());
        self.decoding.partial_length = 0;
        self.append_cut(split.taken, COPY_AFTER_ILL_FORMED_BYTES, tells_ill_formed);
        self.replace_appended(from);
    }

    /// Decodes at most `most` bytes of the next pending chunk, after the first `skip` bytes, into `buffer`. They may end
    /// inside a character.
    #[inline(never)]
    fn append_cut(&mut self, skip: usize, most: usize, tells_ill_formed: bool) {
        let piece = &front(&self.chunks.pending, &self.chunks.staged)[skip..];
        let piece = &piece[..piece.len().min(most)];
        let (whole, rest) = piece.split_at(scan::whole_characters(piece, piece.len()));
        let is_well_formed = (rest.is_empty() || is_partial_character(rest))
            && push_well_formed(&mut self.current.buffer, whole);
        if is_well_formed {
            self.decoding.partial[..rest.len()].copy_from_slice(rest);
            self.decoding.partial_length = rest.len();
            self.ill_formed.was_recent = false;
            let taken = skip + piece.len();
            self.drop_front(taken);
        } else {
            // Limit the part that is validated again after the error; otherwise noise would take quadratic time.
            let well_formed = match simdutf8::compat::from_utf8(piece) {
                Ok(_) => piece.len(),
                Err(error) => error.valid_up_to(),
            };
            let near = well_formed.saturating_add(COPY_AFTER_ILL_FORMED_BYTES);
            self.drop_front(skip);
            let taken = self.decode_lossy(near, tells_ill_formed);
            self.drop_front(taken);
        }
    }

    /// Decodes at most `most` bytes of the next pending chunk into `buffer`. Replaces ill-formed sequences by U+FFFD,
    /// but stops at the first one that has to be reported. Returns the number of input bytes consumed.
    fn decode_lossy(&mut self, most: usize, tells_ill_formed: bool) -> usize {
        let piece = front(&self.chunks.pending, &self.chunks.staged);
        let piece = &piece[..piece.len().min(most)];
        let mut taken = 0;
        for part in piece.utf8_chunks() {
            self.current.buffer.push_str(part.valid());
            let odd = part.invalid();
            taken += part.valid().len() + odd.len();
            if odd.is_empty() {
                break;
            }
            if taken == piece.len() && is_partial_character(odd) {
                self.decoding.partial[..odd.len()].copy_from_slice(odd);
                self.decoding.partial_length = odd.len();
                break;
            }
            self.ill_formed.was_recent = true;
            if tells_ill_formed || self.decoding.replaces_line_ends {
                self.ill_formed.next_length = odd.len();
                break;
            }
            self.current.buffer.push_str(REPLACEMENT);
            let end = self.current.start + self.current.buffer.len() as u32;
            self.lines.replaced(end, REPLACEMENT.len(), odd.len());
        }
        taken
    }

    /// Starts a window with the U+FFFD of the ill-formed sequence that has to be reported next. If the tokenizer is
    /// consuming a run of text, and the input needs neither a decoder nor replaced line ends, the window also takes the
    /// plain text and the ill-formed sequences that follow, up to about `most` bytes.
    pub(super) fn start_window_with_replacement(&mut self, most: usize) {
        let from = self.current.buffer.len();
        self.current.buffer.push_str(REPLACEMENT);
        self.ill_formed
            .sequences
            .push((self.current.buffer.len(), self.ill_formed.next_length));
        self.ill_formed.next_length = 0;
        if self.decoding.decoder.is_some() {
            self.raw().replaced();
        } else if let Some(terminators) = self
            .ill_formed
            .run_terminators
            .filter(|_| !self.decoding.replaces_line_ends)
        {
            let taken = self.extend_window(terminators, from.saturating_add(most));
            self.drop_front(taken);
        }
        self.decoding.line_ends.pass(REPLACEMENT);
        self.lines.append_written(REPLACEMENT);
    }

    /// Extends the window by plain text and further ill-formed sequences, up to the next byte in `terminators`.
    /// `buffer` grows to at most `end` bytes. Returns the number of input bytes consumed.
    fn extend_window(&mut self, terminators: &Set, end: usize) -> usize {
        let piece = front(&self.chunks.pending, &self.chunks.staged);
        let piece = &piece[..piece.len().min(COPY_AFTER_ILL_FORMED_BYTES)];
        let mut taken = 0;
        for part in piece.utf8_chunks() {
            let (text, odd) = (part.valid(), part.invalid());
            let is_beyond = self.current.buffer.len() + text.len() + REPLACEMENT.len() > end;
            let is_last = odd.is_empty()
                || taken + text.len() + odd.len() == piece.len() && is_partial_character(odd);
            if is_last || is_beyond || text.bytes().any(|byte| terminators.contains(byte)) {
                break;
            }
            self.current.buffer.push_str(text);
            self.current.buffer.push_str(REPLACEMENT);
            self.ill_formed
                .sequences
                .push((self.current.buffer.len(), odd.len()));
            taken += text.len() + odd.len();
        }
        taken
    }

    /// Returns the start and end, in the buffered text, of each U+FFFD in the window whose ill-formed sequence has to
    /// be reported, in document order.
    pub(crate) fn ill_formed(&self) -> impl Iterator<Item = (BufferOffset, BufferOffset)> {
        self.ill_formed.sequences.iter().map(|&(end, _)| {
            let end = self.current.start + end as u32;
            (end - REPLACEMENT.len() as u32, end)
        })
    }
}

/// Appends bytes to a text if they are well-formed. Returns whether they are.
///
/// PERF: the validator is fast from 64 bytes on, so shorter text is followed by spaces, which change nothing.
#[inline]
fn push_well_formed(text: &mut String, bytes: &[u8]) -> bool {
    let mut block = [b' '; 64];
    let checked = match block.get_mut(..bytes.len()) {
        Some(start) if bytes.len() < 64 && !bytes.is_ascii() => {
            start.copy_from_slice(bytes);
            simdutf8::basic::from_utf8(&block).ok()
        }
        _ => simdutf8::compat::from_utf8(bytes).ok(),
    };
    match checked.and_then(|checked| checked.get(..bytes.len())) {
        Some(checked) => {
            text.push_str(checked);
            true
        }
        None => false,
    }
}

/// Returns whether `bytes` is the beginning of a character whose remaining bytes may follow in the next chunk.
fn is_partial_character(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}
