//! Input: from chunks of bytes to windows of text.
//!
//! The one room that knows where a chunk ends. Chunks wait in a queue; the one in hand is shown to
//! the machine window by window, each window whole characters of valid UTF-8. A large chunk is read
//! where it is; what a token still needs of it when it ends moves to the retained bytes. Small chunks,
//! text decoded from other encodings, characters cut by the end of a chunk and the U+FFFD for
//! ill-formed bytes are appended to a buffer of our own, which is then the chunk.

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
mod mark;
pub(crate) mod one_byte;
mod open;
pub(crate) mod raw;
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

use crate::scan::{Checked, Classes, Validity};
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use bytes::Bytes;
use decode::Decoder;
use encoding::Encoding;
use fed::front;
use held_text::{HeldText, Leaving};
use ill_formed::REPLACEMENT;
use line_ends::LineEnds;
use line_index::LineIndex;
pub(crate) use mark::Mark;
use sizes::Sizes;
use sniff::{Sniffed, Source};

/// So many bytes are looked at for the encoding at most; HTML's standard has fewer.
const SNIFFED: usize = 64 << 10;

/// So much memory of an input is kept for the next at most.
const KEPT: usize = 64 << 10;

/// What of the beginning of the input is looked at for the encoding.
fn beginning(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(SNIFFED)]
}

/// What there is to run a machine on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// A window of text.
    Window,
    /// A window that is U+FFFD for an ill-formed sequence.
    IllFormed,
    /// The end of the input.
    End,
    /// Nothing until more is fed.
    Starved,
}

/// Why input is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) enum Refused {
    /// It is a string, after bytes that are not UTF-8.
    Text,
    /// This build cannot decode it.
    Encoding(#[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))] Encoding),
}

/// What an advance has changed beside the window.
#[derive(Clone, Copy, Debug)]
pub struct Advance {
    pub(crate) supply: Supply,
    /// This mark became mark 0.
    pub(crate) rebase: u32,
    /// Bytes copied.
    pub(crate) copied: usize,
}

/// The chunks fed, the one in hand, and the window in it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Input {
    sizes: Sizes,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pending: VecDeque<Bytes>,
    /// Bytes that were lent, behind all that is pending.
    staged: Vec<u8>,
    unread: usize,
    finished: bool,
    /// Whether the first chunk was a string; so many bytes were fed before the first, if it was not.
    is_text: Option<bool>,
    text_from: Option<u64>,
    /// All bytes fed.
    fed: u64,
    /// Why what waits is not read, nor what follows.
    refusal: Option<Refused>,

    /// The answer to the question of the encoding, and the bytes looked at while there is none.
    sniffed: Option<Sniffed>,
    prefix: Vec<u8>,
    prefix_pieces: usize,
    prefix_bytes: usize,
    /// The first bytes beyond ASCII tell the encoding.
    is_open: bool,
    /// Set for any encoding but UTF-8.
    decoder: Option<Decoder>,
    flushed: bool,
    /// NEL and LS are read as LF.
    replaces_line_ends: bool,
    line_ends: LineEnds,

    /// The chunk in hand is `own` or `shared`.
    is_own: bool,
    own: String,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    shared: Checked,
    /// Mark at which the chunk begins: the length of the retained bytes.
    shift: Mark,
    /// The window in the chunk, and the next byte for the machine.
    from: usize,
    to: usize,
    at: usize,
    stride: usize,

    /// The beginning of a character that the chunk's end has cut.
    tail: [u8; 4],
    tail_length: usize,
    /// Length of an ill-formed sequence that follows the window; its bytes are taken already.
    ill_formed: usize,
    /// Whether what comes next may well be ill-formed.
    is_noisy: bool,
    /// The class of bytes at which the machine stops, if it takes all others without more ado: then it can be told of
    /// several ill-formed sequences at once.
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    stops: Option<usize>,
    /// The ill-formed sequences of the window that were not told: the index behind the U+FFFD of each in the chunk, and its length.
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    sequences: Vec<(usize, usize)>,

    lines: LineIndex,
    masks: Vec<u64>,
    /// Bytes of text so far, and those of them that were inserted.
    text: u64,
    inserted: u64,
    /// What follows this one, which was inserted: the inputs that wait, the next one last.
    beneath: Vec<Input>,
}

/// A window, and how much of it was taken: the bytes `from..to` of a chunk, up to `at`.
#[derive(Clone, Copy)]
pub(crate) struct View<'w> {
    pub(crate) chunk: &'w str,
    /// The mark at which the chunk begins.
    pub(crate) shift: Mark,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) at: usize,
    pub(crate) masks: &'w [u64],
}

impl View<'_> {
    /// What was not taken, and its mark.
    pub(crate) fn rest(&self) -> (&str, Mark) {
        (&self.chunk[self.at..self.to], self.shift + self.at as u32)
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
            shift: Mark::ZERO,
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

    /// Begins a new input, in the memory of this one.
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

    /// Sets the sizes of windows and chunks; before the first feed.
    #[cfg(feature = "inspect")]
    pub(crate) fn set_sizes(&mut self, sizes: &Sizes) {
        self.sizes = *sizes;
        self.stride = sizes.window;
    }

    /// What was found out about the encoding, if anything yet.
    pub(crate) fn sniffed(&self) -> Option<Sniffed> {
        self.fed_to().sniffed
    }

    /// The chunk in hand, as far as it is known to be text, and the mark at which it begins.
    #[inline(always)]
    pub(crate) fn chunk(&self) -> (&str, Mark) {
        (
            if self.is_own {
                &self.own
            } else {
                self.shared.as_str()
            },
            self.shift,
        )
    }

    #[inline(always)]
    pub(crate) fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// Whether the machine has taken the whole window.
    #[inline(always)]
    pub(crate) fn is_dry(&self) -> bool {
        self.at == self.to
    }

    /// Whether all that was fed was taken, and more is to come.
    pub(crate) fn is_starved(&self) -> bool {
        !self.finished && self.is_used_up()
    }

    /// Whether no byte can come any more.
    pub(crate) fn is_at_end(&self) -> bool {
        let is_decoded = self.decoder.is_none() || self.flushed;
        self.finished && is_decoded && self.tail_length == 0 && self.is_used_up()
    }

    /// Whether all that was fed was taken, but for the beginning of a character.
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

    /// The mark after the last byte of the window.
    pub(crate) fn end(&self) -> Mark {
        self.shift + self.to as u32
    }

    /// The mark after all that the machine has taken.
    pub(crate) fn taken(&self) -> Mark {
        self.shift + self.at as u32
    }

    /// Bytes of text that the input has come to so far.
    pub(crate) fn text(&self) -> u64 {
        self.text
    }

    /// What is left of the window.
    #[inline(always)]
    pub(crate) fn view(&self) -> View<'_> {
        let (chunk, shift) = self.chunk();
        View {
            chunk,
            shift,
            from: self.from,
            to: self.to,
            at: self.at,
            masks: &self.masks,
        }
    }

    /// The machine has taken the bytes of the chunk up to this index; gives how many these were.
    #[inline(always)]
    pub(crate) fn took(&mut self, at: usize) -> usize {
        let taken = at - self.at;
        self.at = at;
        taken
    }

    /// Asks `sniff` for the encoding, unless that is known. `sniff` is called with a growing prefix
    /// of the input until it answers. Gives whether the encoding is known.
    pub(crate) fn sniff(&mut self, mut sniff: impl FnMut(&[u8], bool) -> Option<Sniffed>) -> bool {
        if self.sniffed.is_some() {
            return true;
        }
        // What is not settled by then, never is.
        let ended = self.finished || self.unread >= SNIFFED;
        let answer = match self.pending.front() {
            Some(only) if only.len() == self.unread => sniff(beginning(only), ended),
            None => sniff(beginning(&self.staged), ended),
            // The bytes stay where they are; the sniffer sees a copy in one piece.
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

    /// Makes the next window of at most `most` bytes. Everything from the mark `keep` on stays held; of what
    /// goes, `leaving` is told before.
    pub(crate) fn advance<K: Classes>(
        &mut self,
        keep: Mark,
        retained: &mut String,
        most: usize,
        leaving: &mut dyn Leaving,
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
                .extend(text.as_bytes(), self.shift, self.to, stride);
            self.text += window.len() as u64;
        }
        match supply {
            Supply::IllFormed => {
                self.stride = self.sizes.cautious;
                if self.decoder.is_none() {
                    for &(end, length) in &self.sequences {
                        let end = self.shift + end as u32;
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
                self.shift = Mark::new(retained.len() as u32);
                continue;
            } else {
                self.append::<K>(retained, change);
            }
        }
    }

    /// The window is from the end of the one before up to `to`.
    fn window(&mut self, to: usize) {
        self.from = self.to;
        self.at = self.to;
        self.to = to;
    }

    /// Bytes of the chunk and the retained bytes that must stay.
    fn kept(&self, change: &Change<'_>) -> usize {
        self.shift.index() + self.to - change.keep.index()
    }

    /// All before `at` was taken, and there is no window yet.
    fn stand_at(&mut self, at: usize) {
        (self.from, self.at, self.to) = (at, at, at);
    }

    /// Takes the bytes that complete a character cut by the end of a chunk.
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
                // The next byte is no part of the ill-formed sequence: without it there was none.
                Some(_) => {
                    self.ill_formed = self.tail_length;
                    self.tail_length = 0;
                }
            },
        }
    }

    /// Makes our own buffer the chunk, with everything from `keep` on in it.
    fn hold(&mut self, retained: &mut String, change: &mut Change<'_>) {
        if self.is_own {
            // What is dead goes when it is most of the buffer, so that each byte moves once at most.
            let keep = change.keep.index();
            if keep < self.own.len() && (keep < self.sizes.in_place || keep < self.own.len() / 2) {
                return;
            }
            self.tell_leaving(retained, change);
            self.lines.rebase(change.keep, &self.own.as_bytes()[..keep]);
            self.own.drain(..keep);
            change.copied += self.own.len();
            self.stand_at(self.to - keep);
            change.rebased();
            return;
        }
        self.release(retained, change);
        core::mem::swap(&mut self.own, retained);
        retained.clear();
        self.shared = Checked::default();
        self.is_own = true;
        self.shift = Mark::ZERO;
        self.stand_at(self.own.len());
    }

    /// Says what goes, before it does.
    fn tell_leaving(&self, retained: &str, change: &mut Change<'_>) {
        change.leaving.leave(&self.held_text(retained), change.keep);
    }

    /// All that is held, in the retained bytes and in the chunk.
    fn held_text<'a>(&'a self, retained: &'a str) -> HeldText<'a> {
        let (chunk, shift) = self.chunk();
        HeldText {
            lines: &self.lines,
            retained,
            chunk,
            shift,
        }
    }

    /// Leaves everything from `keep` on in the retained bytes, in one piece.
    fn release(&mut self, retained: &mut String, change: &mut Change<'_>) {
        let keep = change.keep;
        self.tell_leaving(retained, change);
        let text = if self.is_own {
            &self.own
        } else {
            self.shared.as_str()
        };
        self.lines.border(text.as_bytes(), self.shift);
        if self.is_own {
            let dropped = &self.own[..keep.index()];
            self.lines.rebase(keep, dropped.as_bytes());
            self.own.drain(..keep.index());
            change.copied += if keep > Mark::ZERO { self.own.len() } else { 0 };
            core::mem::swap(&mut self.own, retained);
            self.own.clear();
        } else if keep >= self.shift {
            let (dropped, kept) = self.shared.as_str().split_at(keep.index_from(self.shift));
            self.lines.rebase(keep, dropped.as_bytes());
            retained.clear();
            retained.push_str(kept);
            change.copied += kept.len();
        } else {
            retained.truncate(self.shift.index());
            self.lines
                .rebase(keep, &retained.as_bytes()[..keep.index()]);
            if keep > Mark::ZERO {
                retained.drain(..keep.index());
                change.copied += retained.len();
            }
            retained.push_str(self.shared.as_str());
            change.copied += self.shared.valid();
        }
        self.stand_at(0);
        change.rebased();
    }
}

/// The end of a window of about `most` bytes from `from` on: whole characters, and at least one.
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

/// What an advance is told and what it tells.
struct Change<'l> {
    keep: Mark,
    rebase: u32,
    copied: usize,
    leaving: &'l mut dyn Leaving,
}

impl Change<'_> {
    /// `keep` became mark 0.
    fn rebased(&mut self) {
        self.rebase += self.keep.get();
        self.keep = Mark::ZERO;
    }
}
