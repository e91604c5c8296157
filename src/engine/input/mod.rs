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
//! offset 0 again, and all offsets are rebased by the number of bytes discarded.
//!
//! The current chunk is either `shared` or `buffer`. A large chunk of UTF-8 is parsed in place (`shared`); when it
//! ends, the part that the unfinished token still needs is moved to the retained bytes. Everything else is appended to
//! the input's own buffer (`buffer`), which then is the current chunk: small chunks, text decoded from other encodings,
//! characters split between two chunks, and U+FFFD for ill-formed bytes.
//!
//! The methods of [`Input`] are in several files:
//!
//! | methods | file | purpose |
//! |---|---|---|
//! | `new`, `reset`, `sniff`, `advance`, `view`, `took`, `is_dry`, `is_starved`, `is_at_end`, `has_ended` | `mod.rs` | detection of the encoding, windows, progress in a window |
//! | `feed`, `finish`, `is_text`, `refused` | `feed.rs` | pending chunks |
//! | `hold`, `release`, `rewind` | `retain.rs` | retained bytes, when a chunk is replaced |
//! | `set_run_terminators`, `append`, `ill_formed` | `ill_formed.rs` | decoding of UTF-8 into the buffer, ill-formed sequences |
//! | `decode`, `flush_decoder` | `encoded.rs` | decoding of other encodings |
//! | `is_open`, `adopt`, `settle` | `open.rs` | an encoding that the first bytes outside ASCII decide |
//! | `set_raw_terminators`, `limit_to_raw_text` | `raw_text.rs` | windows of raw text |
//! | `replace_line_ends`, `replace_appended` | `replaced_line_ends.rs` | line ends of XML 1.1 |
//! | `begin_insertion`, `insert`, `end_insertion`, `abort` | `inserted.rs` | text that a script inserts |
//! | `fed`, `insertions`, `is_valid` | `checkpoint.rs` | checkpoints |
//!
//! `parts.rs` has the structs that an input consists of.

pub(crate) mod anchor;
mod buffer_offset;
#[cfg(feature = "inspect")]
mod characters;
#[cfg(feature = "checkpoints")]
mod checkpoint;
pub(crate) mod chunk;
pub(crate) mod content_type;
mod corrections;
pub(crate) mod decode;
pub(crate) mod decoded;
mod encoded;
pub(crate) mod encoding;
mod feed;
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
mod parts;
mod pending;
pub(crate) mod raw;
mod raw_text;
mod replaced_line_ends;
mod retain;
pub(crate) mod shared_cell;
mod shift;
#[cfg_attr(not(feature = "inspect"), expect(unreachable_pub))]
pub(crate) mod sizes;
pub(crate) mod sniff;
#[cfg(feature = "encodings")]
pub(crate) mod tables;
mod unicode;
mod written;

use crate::engine::scan::{self, ByteClasses, Checked, Masks, Set, Validity};
use alloc::string::String;
use alloc::vec::Vec;
pub(crate) use buffer_offset::BufferOffset;
use bytes::Bytes;
use decode::Decoder;
use encoding::Encoding;
use held_text::{BeforeDiscard, Change};
use line_index::LineIndex;
use parts::{Chunks, CurrentChunk, Decoding, Detection, IllFormed, SplitCharacter, WindowRange};
use pending::front;
use sizes::{Sizes, UsedSizes};
use sniff::{Sniffed, Source};

/// U+FFFD REPLACEMENT CHARACTER in UTF-8.
const REPLACEMENT: &str = "\u{FFFD}";

/// Maximum number of bytes that are searched for an encoding declaration. HTML's standard searches fewer.
const MAX_SNIFFED_BYTES: usize = 64 << 10;

/// Returns the part of `bytes` that is searched for an encoding declaration.
fn beginning(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(MAX_SNIFFED_BYTES)]
}

/// Result of advancing the input: the data that the tokenizer runs on next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
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
pub(crate) enum Refused {
    /// A string was fed after bytes that turned out not to be UTF-8.
    Text,
    /// This build cannot decode the encoding.
    Encoding(Encoding),
}

/// Maximum numbers of bytes of text in the next window, at least 1. A window has at least one character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) bytes: usize,
    /// The number if the input turns out not to be in UTF-8: its bytes are held too then.
    pub(crate) decoded: usize,
}

/// Result of [`Input::advance`], apart from the window itself, which [`Input::view`] returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Advance {
    pub(crate) supply: Supply,
    /// Number of bytes discarded from the front of the buffered text, by which all offsets in it have to be rebased.
    pub(crate) rebase: u32,
    /// Number of bytes copied, for the counters of work.
    pub(crate) copied: usize,
}

/// The chunks that were fed, the current chunk, and the current window in it.
#[derive(Clone, Debug)]
pub struct Input {
    sizes: UsedSizes,
    chunks: Chunks,
    detection: Detection,
    decoding: Decoding,
    current: CurrentChunk,
    window: WindowRange,
    ill_formed: IllFormed,
    lines: LineIndex,
    masks: Masks,
    /// Before a window is made: the bytes that end the raw text in which it begins, if it begins in raw text. Afterwards:
    /// the same, if the window contains nothing but raw text.
    raw_terminators: Option<&'static Set>,
    /// True if it is known that the window contains no NUL and no CR.
    is_plain: bool,
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
    pub(crate) const fn new() -> Input {
        Input {
            sizes: UsedSizes::of(Sizes::USUAL),
            chunks: Chunks::new(),
            detection: Detection::new(),
            decoding: Decoding::new(),
            current: CurrentChunk::new(),
            window: WindowRange::new(Sizes::USUAL.window),
            ill_formed: IllFormed::new(),
            lines: LineIndex::new(0),
            masks: Masks::new(),
            raw_terminators: None,
            is_plain: false,
            text: 0,
            inserted: 0,
            beneath: Vec::new(),
        }
    }

    /// Creates an input whose current chunk is `text`, at the offset `start` in the buffered text. Nothing can be parsed
    /// from it: it is for events that outlive the input that they come from.
    pub(crate) fn of_text(text: String, start: BufferOffset, lines: LineIndex) -> Input {
        let mut input = Input::new();
        (input.current.buffer, input.current.start) = (text, start);
        input.lines = lines;
        input
    }

    /// Starts a new document. The buffers are reused.
    ///
    /// PERF: each part is reset in its place. A new input that replaces this one would be moved twice.
    pub(crate) fn reset(&mut self) {
        let Input {
            sizes,
            chunks,
            detection,
            decoding,
            current,
            window,
            ill_formed,
            lines,
            masks: _,
            raw_terminators,
            is_plain,
            text,
            inserted,
            beneath,
        } = self;
        chunks.reset();
        *detection = Detection::new();
        *decoding = Decoding::new();
        current.reset();
        *window = WindowRange::new(sizes.window);
        *ill_formed = IllFormed::new();
        *lines = LineIndex::new(0);
        *raw_terminators = None;
        *is_plain = false;
        (*text, *inserted) = (0, 0);
        beneath.clear();
    }

    /// Sets the sizes of windows and chunks. Call it before the first chunk is fed.
    #[cfg(feature = "inspect")]
    pub(crate) fn set_sizes(&mut self, sizes: &Sizes) {
        self.sizes = UsedSizes::of(*sizes);
        self.window.stride = sizes.window;
    }

    /// Returns the encoding and how it was determined, or `None` if it is not known yet.
    pub(crate) fn sniffed(&self) -> Option<Sniffed> {
        self.fed_to().detection.sniffed
    }

    /// Returns the validated part of the current chunk, and the offset of the chunk in the buffered text.
    #[inline(always)]
    pub(crate) fn chunk(&self) -> (&str, BufferOffset) {
        (self.current.as_str(), self.current.start)
    }

    /// Returns the current chunk, if it is read in place.
    #[inline]
    pub(crate) fn chunk_in_place(&self) -> Option<&Checked> {
        (!self.current.is_own).then_some(&self.current.shared)
    }

    #[inline(always)]
    pub(crate) fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// Returns whether the tokenizer has consumed the whole current window.
    #[inline(always)]
    pub(crate) fn is_dry(&self) -> bool {
        self.window.at == self.window.to
    }

    /// Returns whether everything that was fed is consumed and more can be fed.
    pub(crate) fn is_starved(&self) -> bool {
        !self.chunks.is_finished && self.is_used_up()
    }

    /// Returns whether the input is finished and completely consumed.
    pub(crate) fn is_at_end(&self) -> bool {
        let is_decoded = self.decoding.decoder.is_none() || self.decoding.is_flushed;
        self.chunks.is_finished
            && is_decoded
            && self.decoding.partial_length == 0
            && self.is_used_up()
    }

    /// Returns whether the next call of [`advance`](Self::advance) certainly returns [`Supply::End`], and changes nothing.
    #[inline]
    pub(crate) fn has_ended(&self) -> bool {
        self.is_at_end() && !self.detection.is_open && self.raw_terminators.is_none()
    }

    /// Returns whether the input certainly ends after the current window.
    #[inline(never)]
    pub(crate) fn ends_with_window(&self) -> bool {
        self.chunks.is_finished
            && !self.detection.is_open
            && self.decoding.decoder.is_none()
            && self.decoding.partial_length == 0
            && self.beneath.is_empty()
            && self.has_no_more()
    }

    /// Returns whether everything that was fed is consumed, except for the first bytes of an incomplete character.
    fn is_used_up(&self) -> bool {
        self.is_dry() && self.has_no_more()
    }

    /// Returns whether the window is followed by nothing that was fed, except for the first bytes of an incomplete
    /// character.
    #[inline(always)]
    fn has_no_more(&self) -> bool {
        let available = match self.current.is_own {
            true => self.current.buffer.len(),
            false => self.current.shared.len(),
        };
        // PERF: a short chunk that was just fed is staged, so that condition is first.
        self.chunks.staged.is_empty()
            && self.window.to == available
            && self.chunks.pending.is_empty()
            && self.ill_formed.next_length == 0
            && self.detection.sniffed.is_some()
            && self.chunks.refusal.is_none()
    }

    /// Returns the end of the current window as an offset in the buffered text.
    pub(crate) fn end(&self) -> BufferOffset {
        self.current.start + self.window.to as u32
    }

    /// Returns the offset, in the buffered text, of the next byte to consume.
    pub(crate) fn taken(&self) -> BufferOffset {
        self.current.start + self.window.at as u32
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
            from: self.window.from,
            to: self.window.to,
            at: self.window.at,
            masks: &self.masks,
        }
    }

    /// Records that the tokenizer has consumed the chunk up to the index `at`. Returns the number of bytes consumed.
    #[inline(always)]
    pub(crate) fn took(&mut self, at: usize) -> usize {
        let taken = at - self.window.at;
        self.window.at = at;
        taken
    }

    /// Determines the encoding, unless it is known already. Calls `sniff` with a prefix of the input, which grows from
    /// call to call, and with a `bool` that is true if no longer prefix will follow. Returns whether the encoding is
    /// known.
    pub(crate) fn sniff(&mut self, mut sniff: impl FnMut(&[u8], bool) -> Option<Sniffed>) -> bool {
        if self.detection.sniffed.is_some() {
            return true;
        }
        // A declaration after this limit is ignored.
        let ended = self.chunks.is_finished || self.chunks.unread >= MAX_SNIFFED_BYTES;
        let answer = match self.chunks.pending.front() {
            Some(only) if only.len() == self.chunks.unread => sniff(beginning(only), ended),
            None => sniff(beginning(&self.chunks.staged), ended),
            // The chunks are not merged; the sniffer gets a contiguous copy.
            Some(_) => {
                while let Some(piece) = self.chunks.pending.get(self.detection.prefix_pieces)
                    && self.detection.prefix_bytes < MAX_SNIFFED_BYTES
                {
                    let skip = self.detection.prefix.len() - self.detection.prefix_bytes;
                    self.detection
                        .prefix
                        .extend_from_slice(&beginning(piece)[skip..]);
                    self.detection.prefix_pieces += 1;
                    self.detection.prefix_bytes += beginning(piece).len();
                }
                if self.detection.prefix_bytes < MAX_SNIFFED_BYTES {
                    let skip = self.detection.prefix.len() - self.detection.prefix_bytes;
                    let staged = beginning(&self.chunks.staged);
                    self.detection.prefix.extend_from_slice(&staged[skip..]);
                }
                sniff(beginning(&self.detection.prefix), ended)
            }
        };
        let Some(sniffed) = answer else { return false };
        self.detection.prefix = Vec::new();
        self.drop_front(sniffed.mark);
        let utf8 = sniffed.encoding == Encoding::UTF_8;
        self.decoding.decoder = (!utf8).then(|| Decoder::new(sniffed.encoding));
        self.detection.is_open = sniffed.source == Source::Open;
        self.lines = LineIndex::new(if utf8 { sniffed.mark as u64 } else { 0 });
        self.detection.sniffed = Some(sniffed);
        self.refuse();
        true
    }

    /// Makes the next window, which takes at most about the bytes of `room`, and its masks. The buffered text from the
    /// offset `keep` on is retained. `before_discard` is called before the text that precedes `keep` is discarded.
    pub(crate) fn advance(
        &mut self,
        keep: BufferOffset,
        retained: &mut String,
        room: Room,
        classes: ByteClasses,
        before_discard: &mut BeforeDiscard<'_>,
    ) -> Advance {
        let mut change = Change::new(keep, before_discard);
        self.ill_formed.sequences.clear();
        self.is_plain = false;
        let supply = self.supply(retained, room, classes.tells_ill_formed, &mut change);
        let terminators = self.raw_terminators.take();
        if matches!(supply, Supply::Window | Supply::IllFormed) {
            let terminators = terminators.filter(|_| supply == Supply::Window);
            self.raw_terminators =
                terminators.filter(|terminators| self.limit_to_raw_text(terminators));
            let text = self.current.as_str();
            let window = &text.as_bytes()[self.window.from..self.window.to];
            match self.has_raw_window() {
                true => classes.classify_nothing(window, &mut self.masks),
                false => (classes.classify)(window, &mut self.masks),
            }
            let stride = self.sizes.lines;
            self.lines
                .extend(text.as_bytes(), self.current.start, self.window.to, stride);
            self.text += window.len() as u64;
        }
        match supply {
            Supply::IllFormed => {
                self.window.stride = self.sizes.cautious;
                if self.decoding.decoder.is_none() {
                    for &(end, length) in &self.ill_formed.sequences {
                        let end = self.current.start + end as u32;
                        self.lines.replaced(end, REPLACEMENT.len(), length);
                    }
                }
            }
            Supply::Window => {
                self.window.stride = self.sizes.window.min(self.window.stride.saturating_mul(4))
            }
            Supply::End | Supply::Starved => {}
        }
        Advance {
            supply,
            rebase: change.rebase,
            copied: change.copied,
        }
    }

    /// Makes the next window, or says why there is none. Each round of the loop either returns or moves text into the
    /// current chunk.
    fn supply(
        &mut self,
        retained: &mut String,
        room: Room,
        tells_ill_formed: bool,
        change: &mut Change<'_>,
    ) -> Supply {
        let mut most = room.bytes;
        loop {
            let stride = self.window.stride.min(most);
            let known = self.current.as_str();
            if known.len() > self.window.to {
                self.set_window(whole_characters(known, self.window.to, stride));
                return Supply::Window;
            }
            if self.ill_formed.next_length > 0 {
                self.hold(retained, change);
                self.start_window_with_replacement(most);
                self.set_window(self.current.buffer.len());
                return Supply::IllFormed;
            }
            if self.has_bytes_to_validate() {
                if self.validate(stride) {
                    return Supply::Window;
                }
                continue;
            }
            if self.chunks.pending.front().is_some_and(Bytes::is_empty) {
                self.chunks.pending.pop_front();
                continue;
            }
            if self.detection.is_open {
                if !self.settle() {
                    return Supply::Starved;
                }
                if self.decoding.decoder.is_some() {
                    most = room.decoded;
                }
            }
            if !(self.chunks.pending.is_empty() && self.chunks.staged.is_empty()) {
                self.take_pending(retained, tells_ill_formed, change);
            } else if let Some(supply) = self.end_of_chunks(retained, change) {
                return supply;
            }
        }
    }

    /// Returns whether the current chunk is read in place and has bytes that are not validated yet.
    fn has_bytes_to_validate(&self) -> bool {
        let shared = &self.current.shared;
        !self.current.is_own && self.decoding.partial_length == 0 && shared.valid() < shared.len()
    }

    /// Validates about `stride` more bytes of the current chunk, up to an ill-formed sequence or an incomplete
    /// character. Returns whether there is text in a window then.
    ///
    /// PERF: the line index, the validation and the search for the end of raw text use one survey of the text.
    fn validate(&mut self, stride: usize) -> bool {
        let CurrentChunk { shared, start, .. } = &mut self.current;
        let (lines, part) = (&mut self.lines, self.sizes.lines);
        let from = shared.valid();
        // Number of bytes up to the first part with a NUL or a CR.
        let mut plain = 0;
        let found = shared.extend(stride, part, |text, at, survey| {
            lines.pass_surveyed(text, *start, at, survey, part);
            if at == from + plain && !survey.has_return && !survey.has_null {
                plain = text.len() - from;
            }
        });
        let taken = shared.valid() - from;
        self.is_plain = plain == taken;
        self.chunks.unread -= taken;
        match found {
            Validity::Whole => {}
            Validity::Unfinished => {
                let rest = shared.rest();
                self.chunks.unread -= rest.len();
                self.decoding.partial[..rest.len()].copy_from_slice(rest);
                self.decoding.partial_length = rest.len();
            }
            Validity::IllFormed(length) => {
                self.chunks.unread -= length;
                self.ill_formed.next_length = length;
                self.ill_formed.was_recent = true;
                self.chunks.pending.push_front(shared.split_rest(length));
            }
        }
        if taken > 0 {
            self.set_window(from + taken);
        }
        taken > 0
    }

    /// Moves the next pending bytes to the current chunk: decoded, copied, or as a chunk that is read in place. Stops at
    /// an ill-formed sequence if the dialect reports them, that is, if `tells_ill_formed` is true.
    fn take_pending(
        &mut self,
        retained: &mut String,
        tells_ill_formed: bool,
        change: &mut Change<'_>,
    ) {
        if self.decoding.decoder.is_some() {
            self.decode(retained, tells_ill_formed, change);
        } else if self.decoding.partial_length > 0 {
            match self.completed_character() {
                Some(character) => self.append_split(character, retained, tells_ill_formed, change),
                None => self.complete_character(retained, change),
            }
        } else if self.can_read_in_place(change) {
            self.release(retained, change);
            let chunk = self.chunks.pending.pop_front();
            self.current.shared = chunk.map(Checked::new).unwrap_or_default();
            self.current.is_own = false;
            self.current.start = BufferOffset::new(retained.len() as u32);
        } else {
            self.append(retained, tells_ill_formed, change);
        }
    }

    /// Returns whether the next pending chunk can be read without a copy, and is long enough for that.
    fn can_read_in_place(&self, change: &Change<'_>) -> bool {
        let is_long =
            |piece: &Bytes| piece.len() >= self.sizes.in_place && piece.len() > self.kept(change);
        self.chunks.pending.front().is_some_and(is_long)
            && !self.decoding.replaces_line_ends
            && !self.ill_formed.was_recent
    }

    /// Handles the end of the pending bytes. Returns `None` if this adds text: that of an incomplete character, or
    /// the last text of the decoder.
    fn end_of_chunks(&mut self, retained: &mut String, change: &mut Change<'_>) -> Option<Supply> {
        if !self.chunks.is_finished || self.chunks.refusal.is_some() {
            return Some(Supply::Starved);
        }
        if self.decoding.partial_length > 0 {
            self.ill_formed.next_length = self.decoding.partial_length;
            self.decoding.partial_length = 0;
            return None;
        }
        let has_more = self.flush_decoder(retained, change);
        (!has_more).then_some(Supply::End)
    }

    /// Sets the window to the text from the end of the previous window up to the index `to` of the current chunk.
    fn set_window(&mut self, to: usize) {
        self.window.from = self.window.to;
        self.window.at = self.window.to;
        self.window.to = to;
    }

    /// Returns the length in bytes of the buffered text from `change.keep` to the end of the window: the text that has
    /// to be retained.
    fn kept(&self, change: &Change<'_>) -> usize {
        self.current.start.index() + self.window.to - change.keep.index()
    }

    /// Sets an empty window at the index `at` of the current chunk. The chunk up to this index counts as consumed.
    fn set_empty_window(&mut self, at: usize) {
        (self.window.from, self.window.at, self.window.to) = (at, at, at);
    }

    /// Returns the character that is split between two chunks, if all its other bytes are at the start of `staged` and
    /// more bytes follow them.
    ///
    /// PERF: [`complete_character`](Self::complete_character) alone moves the rest of `staged` into a chunk. ml.xml in
    /// chunks of 64 bytes takes a fifth of the instructions less (`valgrind --tool=callgrind`, `benches/peers`).
    fn completed_character(&self) -> Option<SplitCharacter> {
        let have = self.decoding.partial_length;
        let mut bytes = self.decoding.partial;
        let length = scan::character_length(bytes[0]);
        let taken = length.checked_sub(have)?;
        if !self.chunks.pending.is_empty() || self.chunks.staged.len() <= taken {
            return None;
        }
        bytes[have..length].copy_from_slice(&self.chunks.staged[..taken]);
        core::str::from_utf8(&bytes[..length]).ok()?;
        Some(SplitCharacter {
            bytes,
            length,
            taken,
        })
    }

    /// Reads one more byte of a character that is split between two chunks, and appends the character to `buffer` once
    /// it is complete.
    fn complete_character(&mut self, retained: &mut String, change: &mut Change<'_>) {
        let Some(&next) = front(&self.chunks.pending, &self.chunks.staged).first() else {
            return;
        };
        self.decoding.partial[self.decoding.partial_length] = next;
        let tail = self.decoding.partial;
        match core::str::from_utf8(&tail[..=self.decoding.partial_length]) {
            Ok(character) => {
                self.decoding.partial_length = 0;
                self.drop_front(1);
                self.hold(retained, change);
                let from = self.current.buffer.len();
                self.current.buffer.push_str(character);
                self.replace_appended(from);
            }
            Err(error) => match error.error_len() {
                None => {
                    self.decoding.partial_length += 1;
                    self.drop_front(1);
                }
                // The next byte does not belong to the ill-formed sequence, because the bytes before it were a valid
                // prefix.
                Some(_) => {
                    self.ill_formed.next_length = self.decoding.partial_length;
                    self.decoding.partial_length = 0;
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

crate::checkpoint::checkpointable! {
    enum Refused { Text, Encoding(value) }
    struct Input {
        sizes, chunks, detection, decoding, current, window, ill_formed, lines, masks, text, inserted, beneath
        ; skip raw_terminators = None, is_plain = false
    }
}
