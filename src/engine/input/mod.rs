//! The input layer: turns chunks of bytes into windows of UTF-8 text for the tokenizers.
//!
//! Data in: chunks of bytes or strings of any size ([`Input::feed`]). Data out: *windows*, ranges of valid UTF-8 made
//! of whole characters ([`Input::advance`], [`Input::view`]). No other module can observe where a chunk ends.
//!
//! ```text
//! retained bytes    current chunk                                 pending, staged
//! |---------------|----------------------------------------------|--------- - - -
//! 0               chunk_start    from      at        to
//!                                |------- window ----|
//!                                consumed  not yet
//! ```
//!
//! The *buffered text* is the retained bytes (owned by the event queue) followed by the current chunk. A
//! [`BufferOffset`] is an offset in the buffered text. Whenever buffered text is discarded, its remainder starts at
//! offset 0 again, and all marks are rebased by the number of bytes discarded.
//!
//! The current chunk is either `shared` or `own`. A large chunk of UTF-8 is parsed in place (`shared`); when it ends,
//! the part that the unfinished token still needs is moved to the retained bytes. Everything else is appended to the
//! input's own buffer (`own`), which then is the current chunk: small chunks, text decoded from other encodings,
//! characters split between two chunks, and U+FFFD for ill-formed bytes.

mod buffer_offset;
pub(crate) mod chunk;
pub(crate) mod content_type;
pub(crate) mod decode;
mod encoded;
pub(crate) mod encoding;
mod fed;
pub(crate) mod held_text;
mod ill_formed;
mod inserted;
mod labels;
mod latest;
pub(crate) mod line_ends;
pub(crate) mod line_index;
pub(crate) mod lossy;
pub(crate) mod one_byte;
mod open;
pub(crate) mod raw;
mod retain;
mod rewind;
mod shift;
#[cfg_attr(not(feature = "inspect"), expect(unreachable_pub))]
pub(crate) mod sizes;
pub(crate) mod sniff;
#[cfg(feature = "checkpoints")]
mod sound;
#[cfg(feature = "encodings")]
pub(crate) mod tables;
mod unicode;
mod written;

use crate::engine::scan::{Checked, Classes, Validity};
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
pub(crate) use buffer_offset::BufferOffset;
use bytes::Bytes;
use decode::Decoder;
use encoding::Encoding;
use fed::front;
use held_text::BeforeDiscard;
use ill_formed::REPLACEMENT;
use line_ends::LineEnds;
use line_index::LineIndex;
use retain::Change;
use sizes::Sizes;
use sniff::{Sniffed, Source};

/// Maximum number of bytes that are searched for an encoding declaration. HTML's standard searches fewer.
const SNIFFED: usize = 64 << 10;

/// Maximum capacity, in bytes, of each buffer that [`Input::reset`] keeps for the next document.
const KEPT: usize = 64 << 10;

/// Returns the part of `bytes` that is searched for an encoding declaration.
fn beginning(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(SNIFFED)]
}

/// Result of advancing the input: the data that the tokenizer runs on next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// A window of text.
    Window,
    /// A window that starts with the U+FFFD of an ill-formed sequence that has to be reported.
    IllFormed,
    /// The end of the input.
    End,
    /// Nothing, until more bytes are fed.
    Starved,
}

/// Reason why the rest of the input is not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) enum Refused {
    /// A string was fed after bytes that turned out not to be UTF-8.
    Text,
    /// This build cannot decode the encoding.
    Encoding(#[cfg_attr(feature = "checkpoints", serde(with = "crate::checkpoint"))] Encoding),
}

/// Result of [`Input::advance`], apart from the window itself.
#[derive(Clone, Copy, Debug)]
pub struct Advance {
    pub(crate) supply: Supply,
    /// Number of bytes discarded from the start of the buffered text, by which all marks have to be rebased.
    pub(crate) rebase: u32,
    /// Number of bytes copied, for the counters of work.
    pub(crate) copied: usize,
}

/// The chunks that were fed, the current chunk, and the current window in it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Input {
    sizes: Sizes,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::checkpoint"))]
    /// Chunks not yet parsed, in order.
    pending: VecDeque<Bytes>,
    /// Borrowed bytes that were copied because they are short. They follow `pending`.
    staged: Vec<u8>,
    /// Number of bytes that were fed and not yet decoded or validated.
    unread: usize,
    finished: bool,
    /// True if the first non-empty chunk was a string; `None` before it. If it was not, `text_from` is the number of
    /// bytes fed before the first string.
    is_text: Option<bool>,
    text_from: Option<u64>,
    /// Number of bytes fed so far, in total.
    fed: u64,
    /// Set when the rest of the input must not be parsed: pending bytes are dropped and further chunks are ignored.
    refusal: Option<Refused>,

    /// The encoding, once it is known. Until then `prefix` is a contiguous copy of the bytes searched for it, of
    /// which the first `prefix_bytes` bytes come from the first `prefix_pieces` pending chunks and the others from
    /// `staged`.
    sniffed: Option<Sniffed>,
    prefix: Vec<u8>,
    prefix_pieces: usize,
    prefix_bytes: usize,
    /// True if the encoding is still undecided and the first bytes outside ASCII decide it.
    is_open: bool,
    /// The decoder of the encoding; `None` for UTF-8. `flushed` is true after its last call.
    decoder: Option<Decoder>,
    flushed: bool,
    /// True if NEL and LS are replaced by LF, as XML 1.1 requires.
    replaces_line_ends: bool,
    line_ends: LineEnds,

    /// True if the current chunk is `own`, false if it is `shared`.
    is_own: bool,
    own: String,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::checkpoint"))]
    shared: Checked,
    /// Offset, in the buffered text, of the start of the current chunk: the length of the retained bytes.
    chunk_start: BufferOffset,
    /// The window is `from..to` in the current chunk, and `at` is the next byte to consume. `stride` is the maximum
    /// length of the next window.
    from: usize,
    to: usize,
    at: usize,
    stride: usize,

    /// First bytes of a character that is split between two chunks; `tail_length` is their number.
    tail: [u8; 4],
    tail_length: usize,
    /// Length in bytes of an ill-formed sequence that follows the window, or 0. Its bytes are already removed from
    /// the chunk.
    ill_formed: usize,
    /// True if an ill-formed sequence was found recently, so that more are likely to follow.
    is_noisy: bool,
    /// The class of bytes that ends the current run of text, if the tokenizer consumes one (see `ill_formed.rs`).
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    stops: Option<usize>,
    /// Ill-formed sequences in the window to report: end of the U+FFFD in the chunk, and length in the input.
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    sequences: Vec<(usize, usize)>,

    lines: LineIndex,
    masks: Vec<u64>,
    /// Number of bytes of text in all windows so far, and the number of bytes that were inserted.
    text: u64,
    inserted: u64,
    /// If this input was inserted: the inputs after it. The last is parsed next; the first is the one that is fed.
    beneath: Vec<Input>,
}

/// A window of text and the progress in it: the window is `chunk[from..to]`, and `at` is the next byte to consume.
#[derive(Clone, Copy)]
pub(crate) struct View<'w> {
    pub(crate) chunk: &'w str,
    /// Offset, in the buffered text, of the start of `chunk`.
    pub(crate) chunk_start: BufferOffset,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) at: usize,
    pub(crate) masks: &'w [u64],
}

impl View<'_> {
    /// Returns the unconsumed rest of the window, and its offset in the buffered text.
    pub(crate) fn rest(&self) -> (&str, BufferOffset) {
        (
            &self.chunk[self.at..self.to],
            self.chunk_start + self.at as u32,
        )
    }
}

impl Input {
    pub(crate) fn new() -> Input {
        Input {
            sizes: Sizes::USUAL,
            pending: VecDeque::new(),
            staged: Vec::new(),
            unread: 0,
            finished: false,
            is_text: None,
            text_from: None,
            fed: 0,
            refusal: None,
            sniffed: None,
            prefix: Vec::new(),
            prefix_pieces: 0,
            prefix_bytes: 0,
            is_open: false,
            decoder: None,
            flushed: false,
            replaces_line_ends: false,
            line_ends: LineEnds::default(),
            is_own: true,
            own: String::new(),
            shared: Checked::default(),
            chunk_start: BufferOffset::ZERO,
            from: 0,
            to: 0,
            at: 0,
            stride: Sizes::USUAL.window,
            tail: [0; 4],
            tail_length: 0,
            ill_formed: 0,
            is_noisy: false,
            stops: None,
            sequences: Vec::new(),
            lines: LineIndex::new(0),
            masks: Vec::new(),
            text: 0,
            inserted: 0,
            beneath: Vec::new(),
        }
    }

    /// Starts a new document. The buffers are reused.
    pub(crate) fn reset(&mut self) {
        let fresh = Input {
            sizes: self.sizes,
            stride: self.sizes.window,
            ..Input::new()
        };
        let mut old = core::mem::replace(self, fresh);
        old.pending.clear();
        old.staged.clear();
        old.own.clear();
        old.own.shrink_to(KEPT);
        old.staged.shrink_to(KEPT);
        (self.pending, self.staged) = (old.pending, old.staged);
        (self.own, self.masks) = (old.own, old.masks);
    }

    /// Sets the sizes of windows and chunks. Call it before the first chunk is fed.
    #[cfg(feature = "inspect")]
    pub(crate) fn set_sizes(&mut self, sizes: &Sizes) {
        self.sizes = *sizes;
        self.stride = sizes.window;
    }

    /// Returns the encoding and how it was determined, or `None` if it is not known yet.
    pub(crate) fn sniffed(&self) -> Option<Sniffed> {
        self.fed_to().sniffed
    }

    /// Returns the validated part of the current chunk, and the offset of the chunk in the buffered text.
    #[inline(always)]
    pub(crate) fn chunk(&self) -> (&str, BufferOffset) {
        (
            if self.is_own {
                &self.own
            } else {
                self.shared.as_str()
            },
            self.chunk_start,
        )
    }

    #[inline(always)]
    pub(crate) fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// Returns whether the tokenizer has consumed the whole window.
    #[inline(always)]
    pub(crate) fn is_dry(&self) -> bool {
        self.at == self.to
    }

    /// Returns whether everything that was fed is consumed and more can be fed.
    pub(crate) fn is_starved(&self) -> bool {
        !self.finished && self.is_used_up()
    }

    /// Returns whether the input is finished and completely consumed.
    pub(crate) fn is_at_end(&self) -> bool {
        let is_decoded = self.decoder.is_none() || self.flushed;
        self.finished && is_decoded && self.tail_length == 0 && self.is_used_up()
    }

    /// Returns whether everything that was fed is consumed, except for the first bytes of an incomplete character.
    fn is_used_up(&self) -> bool {
        let in_hand = match self.is_own {
            true => self.own.len(),
            false => self.shared.len(),
        };
        self.sniffed.is_some()
            && self.refusal.is_none()
            && self.is_dry()
            && self.to == in_hand
            && self.ill_formed == 0
            && self.pending.is_empty()
            && self.staged.is_empty()
    }

    /// Returns the end of the window as an offset in the buffered text.
    pub(crate) fn end(&self) -> BufferOffset {
        self.chunk_start + self.to as u32
    }

    /// Returns the offset, in the buffered text, of the next byte to consume.
    pub(crate) fn taken(&self) -> BufferOffset {
        self.chunk_start + self.at as u32
    }

    /// Returns the number of bytes of text in all windows so far.
    pub(crate) fn text(&self) -> u64 {
        self.text
    }

    /// Returns the current window and the progress in it.
    #[inline(always)]
    pub(crate) fn view(&self) -> View<'_> {
        let (chunk, chunk_start) = self.chunk();
        View {
            chunk,
            chunk_start,
            from: self.from,
            to: self.to,
            at: self.at,
            masks: &self.masks,
        }
    }

    /// Records that the tokenizer has consumed the chunk up to the index `at`. Returns the number of bytes consumed.
    #[inline(always)]
    pub(crate) fn took(&mut self, at: usize) -> usize {
        let taken = at - self.at;
        self.at = at;
        taken
    }

    /// Determines the encoding, unless it is known already. Calls `sniff` with the first bytes of the input, which
    /// are more from call to call, and with whether no further bytes will be searched. Returns whether the encoding
    /// is known.
    pub(crate) fn sniff(&mut self, mut sniff: impl FnMut(&[u8], bool) -> Option<Sniffed>) -> bool {
        if self.sniffed.is_some() {
            return true;
        }
        // A declaration after this limit is ignored.
        let ended = self.finished || self.unread >= SNIFFED;
        let answer = match self.pending.front() {
            Some(only) if only.len() == self.unread => sniff(beginning(only), ended),
            None => sniff(beginning(&self.staged), ended),
            // The chunks are not merged; the sniffer gets a contiguous copy.
            Some(_) => {
                while let Some(piece) = self.pending.get(self.prefix_pieces)
                    && self.prefix_bytes < SNIFFED
                {
                    let skip = self.prefix.len() - self.prefix_bytes;
                    self.prefix.extend_from_slice(&beginning(piece)[skip..]);
                    self.prefix_pieces += 1;
                    self.prefix_bytes += beginning(piece).len();
                }
                if self.prefix_bytes < SNIFFED {
                    let skip = self.prefix.len() - self.prefix_bytes;
                    let staged = beginning(&self.staged);
                    self.prefix.extend_from_slice(&staged[skip..]);
                }
                sniff(beginning(&self.prefix), ended)
            }
        };
        let Some(sniffed) = answer else { return false };
        self.prefix = Vec::new();
        self.drop_front(sniffed.mark);
        let utf8 = sniffed.encoding == Encoding::UTF_8;
        self.decoder = (!utf8).then(|| Decoder::new(sniffed.encoding));
        self.is_open = sniffed.source == Source::Open;
        self.lines = LineIndex::new(if utf8 { sniffed.mark as u64 } else { 0 });
        self.sniffed = Some(sniffed);
        self.refuse();
        true
    }

    /// Makes the next window, of at most about `most` bytes. The buffered text from `keep` on is retained. If text
    /// before `keep` is discarded, `leaving` is called first.
    pub(crate) fn advance<K: Classes>(
        &mut self,
        keep: BufferOffset,
        retained: &mut String,
        most: usize,
        leaving: &mut dyn BeforeDiscard,
    ) -> Advance {
        let mut change = Change {
            keep,
            rebase: 0,
            copied: 0,
            leaving,
        };
        self.sequences.clear();
        let supply = self.supply::<K>(retained, most, &mut change);
        if matches!(supply, Supply::Window | Supply::IllFormed) {
            let text = if self.is_own {
                &self.own
            } else {
                self.shared.as_str()
            };
            let window = &text.as_bytes()[self.from..self.to];
            K::classify(window, &mut self.masks);
            let stride = self.sizes.lines;
            self.lines
                .extend(text.as_bytes(), self.chunk_start, self.to, stride);
            self.text += window.len() as u64;
        }
        match supply {
            Supply::IllFormed => {
                self.stride = self.sizes.cautious;
                if self.decoder.is_none() {
                    for &(end, length) in &self.sequences {
                        let end = self.chunk_start + end as u32;
                        self.lines.replaced(end, REPLACEMENT.len(), length);
                    }
                }
            }
            Supply::Window => self.stride = self.sizes.window.min(self.stride.saturating_mul(4)),
            Supply::End | Supply::Starved => {}
        }
        Advance {
            supply,
            rebase: change.rebase,
            copied: change.copied,
        }
    }

    fn supply<K: Classes>(
        &mut self,
        retained: &mut String,
        most: usize,
        change: &mut Change<'_>,
    ) -> Supply {
        let stride = self.stride.min(most);
        loop {
            let known = self.chunk().0;
            if known.len() > self.to {
                self.window(whole_characters(known, self.to, stride));
                return Supply::Window;
            }
            if self.ill_formed > 0 {
                self.hold(retained, change);
                self.replace_told::<K>(most);
                self.window(self.own.len());
                return Supply::IllFormed;
            }
            if !self.is_own && self.tail_length == 0 && self.shared.valid() < self.shared.len() {
                let (from, found) = (self.shared.valid(), self.shared.extend(stride));
                let taken = self.shared.valid() - from;
                self.unread -= taken;
                match found {
                    Validity::Whole => {}
                    Validity::Unfinished => {
                        let rest = self.shared.rest();
                        self.unread -= rest.len();
                        self.tail[..rest.len()].copy_from_slice(rest);
                        self.tail_length = rest.len();
                    }
                    Validity::IllFormed(length) => {
                        self.unread -= length;
                        self.ill_formed = length;
                        self.is_noisy = true;
                        self.pending.push_front(self.shared.split_rest(length));
                    }
                }
                if taken > 0 {
                    self.window(from + taken);
                    return Supply::Window;
                }
                continue;
            }
            if self.pending.front().is_some_and(Bytes::is_empty) {
                self.pending.pop_front();
                continue;
            }
            if self.is_open && !self.settle() {
                return Supply::Starved;
            }
            if self.pending.is_empty() && self.staged.is_empty() {
                if !self.finished || self.refusal.is_some() {
                    return Supply::Starved;
                }
                if self.tail_length > 0 {
                    self.ill_formed = self.tail_length;
                    self.tail_length = 0;
                    continue;
                }
                if !self.flush_decoder(retained, change) {
                    return Supply::End;
                }
            } else if self.decoder.is_some() {
                self.decode::<K>(retained, change);
            } else if self.tail_length > 0 {
                self.complete_character(retained, change);
            } else if self.pending.front().is_some_and(|piece| {
                piece.len() >= self.sizes.in_place && piece.len() > self.kept(change)
            }) && !self.replaces_line_ends
                && !self.is_noisy
            {
                self.release(retained, change);
                self.shared = self
                    .pending
                    .pop_front()
                    .map(Checked::new)
                    .unwrap_or_default();
                self.is_own = false;
                self.chunk_start = BufferOffset::new(retained.len() as u32);
                continue;
            } else {
                self.append::<K>(retained, change);
            }
        }
    }

    /// Sets the window to the text from the end of the previous window up to `to`.
    fn window(&mut self, to: usize) {
        self.from = self.to;
        self.at = self.to;
        self.to = to;
    }

    /// Returns the number of bytes of buffered text, up to the end of the window, that have to be retained.
    fn kept(&self, change: &Change<'_>) -> usize {
        self.chunk_start.index() + self.to - change.keep.index()
    }

    /// Sets an empty window at the index `at`: the chunk up to there is consumed.
    fn stand_at(&mut self, at: usize) {
        (self.from, self.at, self.to) = (at, at, at);
    }

    /// Takes one more byte of a character that is split between two chunks.
    fn complete_character(&mut self, retained: &mut String, change: &mut Change<'_>) {
        let Some(&next) = front(&self.pending, &self.staged).first() else {
            return;
        };
        self.tail[self.tail_length] = next;
        let tail = self.tail;
        match core::str::from_utf8(&tail[..=self.tail_length]) {
            Ok(character) => {
                self.tail_length = 0;
                self.drop_front(1);
                self.hold(retained, change);
                let from = self.own.len();
                self.own.push_str(character);
                self.replace_appended(from);
            }
            Err(error) => match error.error_len() {
                None => {
                    self.tail_length += 1;
                    self.drop_front(1);
                }
                // The next byte does not belong to the ill-formed sequence, because the bytes before it were a valid
                // prefix.
                Some(_) => {
                    self.ill_formed = self.tail_length;
                    self.tail_length = 0;
                }
            },
        }
    }
}

/// Returns the end of a window of about `most` bytes from `from` on: whole characters, and at least one.
fn whole_characters(text: &str, from: usize, most: usize) -> usize {
    let mut to = from.saturating_add(most).min(text.len());
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    if to > from {
        return to;
    }
    from + text[from..].chars().next().map_or(0, char::len_utf8)
}
