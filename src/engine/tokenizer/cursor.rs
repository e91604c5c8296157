//! The cursor: the view that a tokenizer has of its input.
//!
//! A state reads one [`Unit`] at a time. If the window has no more bytes, [`Cursor::next`] returns `None`, and the
//! state suspends with `?` before it has changed anything; it runs again on the next window. Offsets returned by the
//! cursor ([`Cursor::mark`]) are offsets in the buffered text. They stay valid until the tokenizer is rebased.

use crate::engine::input::BufferOffset;
use crate::engine::input::View;
use crate::engine::scan::{self, Block, Classes, Set, same};
use alloc::string::String;
use core::marker::PhantomData;

/// The unit that a state consumes: a byte of text, or the end of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Byte(u8),
    Eof,
}

/// A window, and the position of the next unit in it.
///
/// ```text
///   retained        chunk
///  |-----------|-------------------------------|
///  0           chunk_start |--- window ---|
///                          origin  ^ mark()
/// ```
pub struct Cursor<'w, K: Classes> {
    /// The window, possibly truncated by [`suspend`](Cursor::suspend).
    bytes: &'w [u8],
    /// Index in the window of the next unit.
    at: usize,
    masks: &'w [K::Block],
    /// Offset of the window in the buffered text.
    origin: BufferOffset,
    /// Offset of the chunk in the buffered text.
    chunk_start: BufferOffset,
    chunk: &'w str,
    /// True if the end of the input follows the window. The read after the last byte then returns [`Unit::Eof`] instead
    /// of suspending.
    eof: bool,
    /// Number of bytes that were read more than once, for the counters of work.
    again: u32,
    classes: PhantomData<K>,
}

impl<K: Classes> Clone for Cursor<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Classes> Copy for Cursor<'_, K> {}

impl<'w, K: Classes> Cursor<'w, K> {
    /// Creates a cursor. `eof` says that the end of the input follows the window.
    #[inline(always)]
    pub(crate) fn new(view: View<'w>, eof: bool) -> Cursor<'w, K> {
        let View {
            chunk,
            chunk_start,
            from,
            to,
            at,
            masks,
        } = view;
        Cursor {
            bytes: &chunk.as_bytes()[from..to],
            at: at - from,
            masks: K::Block::blocks(masks),
            origin: chunk_start + from as u32,
            chunk_start,
            chunk,
            eof,
            again: 0,
            classes: PhantomData,
        }
    }

    /// Returns the window, for a loop that reads it by index.
    #[inline(always)]
    pub(crate) fn window(&self) -> Window<'w, K> {
        Window {
            bytes: self.bytes,
            masks: self.masks,
            origin: self.origin,
            classes: PhantomData,
        }
    }

    /// Returns true if the input ends with the window.
    #[inline(always)]
    pub(crate) fn is_last(&self) -> bool {
        self.eof
    }

    /// Returns the index in the window of the next unit.
    #[inline(always)]
    pub(crate) fn index(&self) -> usize {
        self.at
    }

    /// Moves to an index in the window.
    #[inline(always)]
    pub(crate) fn take_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Returns the unit after the last byte of the window: [`Unit::Eof`] if the input ends there, otherwise `None`,
    /// which suspends the state.
    #[inline(always)]
    fn dry(&self) -> Option<Unit> {
        if self.eof { Some(Unit::Eof) } else { None }
    }

    /// Consumes the next unit. Returns `None` at the end of the window.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Unit> {
        match self.bytes.get(self.at) {
            Some(&byte) => {
                self.at += 1;
                Some(Unit::Byte(byte))
            }
            None => self.dry(),
        }
    }

    /// Skips bytes that are not of class `C`, and consumes and returns the first byte that is. Without one, consumes
    /// the whole window and returns `None`, or [`Unit::Eof`] at the end of the input.
    // Programs for the web are small rather than fast.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn until<const C: usize>(&mut self) -> Option<Unit> {
        let index = scan::find::<K, C>(self.masks, self.bytes, self.at);
        match self.bytes.get(index) {
            Some(&byte) => {
                self.at = index + 1;
                Some(Unit::Byte(byte))
            }
            None => {
                // `suspend` may have truncated the window before the cursor. The cursor must not move back.
                self.at = self.at.max(self.bytes.len());
                self.dry()
            }
        }
    }

    /// Skips bytes up to the byte `stop`, then consumes and returns that byte. If the window does not contain it,
    /// consumes the whole window, and returns [`Unit::Eof`] if the input ends there, otherwise `None`.
    pub(crate) fn until_byte(&mut self, stop: u8) -> Option<Unit> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match memchr::memchr(stop, rest) {
            Some(index) => {
                self.at += index + 1;
                Some(Unit::Byte(stop))
            }
            None => {
                // `suspend` may have truncated the window before the cursor. The cursor must not move back.
                self.at = self.at.max(self.bytes.len());
                self.dry()
            }
        }
    }

    /// Skips bytes that are not in `set`, and consumes and returns the first byte that is, for sets without precomputed
    /// masks. Without one, consumes the whole window, and returns [`Unit::Eof`] if the input ends there, otherwise
    /// `None`.
    pub(crate) fn until_set(&mut self, set: &Set) -> Option<Unit> {
        let index = scan::find_in(set, self.bytes, self.at);
        match self.bytes.get(index) {
            Some(&byte) => {
                self.at = index + 1;
                Some(Unit::Byte(byte))
            }
            None => {
                // `suspend` may have truncated the window before the cursor. The cursor must not move back.
                self.at = self.at.max(self.bytes.len());
                self.dry()
            }
        }
    }

    /// Gives back the byte that was just consumed, so that the next state reconsumes it.
    #[inline(always)]
    pub(crate) fn back(&mut self) {
        self.at -= 1;
        self.again += 1;
    }

    /// Gives back the byte that was just consumed and returns `state`: "reconsume in" that state.
    #[inline(always)]
    pub(crate) fn reconsume<S>(&mut self, state: S) -> S {
        self.back();
        state
    }

    /// Moves back to the offset `to`, which the current state has passed.
    pub(crate) fn back_to(&mut self, to: BufferOffset) {
        let at = to.index_from(self.origin);
        self.again += (self.at - at) as u32;
        self.at = at;
    }

    /// Returns the offset of the next unit in the buffered text.
    #[inline(always)]
    pub(crate) fn mark(&self) -> BufferOffset {
        self.origin + self.at as u32
    }

    /// Returns the offset of the next unit, or of the character in which that is. A state that gives back the first byte
    /// of a character when it suspends is followed by one that consumes this byte alone.
    pub(crate) fn mark_of_character(&self) -> BufferOffset {
        let mut at = self.mark();
        while !self.chunk.is_char_boundary(at.index_from(self.chunk_start)) {
            at -= 1;
        }
        at
    }

    /// Truncates the window at the cursor, so that the next read suspends. Peeked bytes must already be consumed.
    #[inline(always)]
    pub(crate) fn suspend(&mut self) {
        self.bytes = &self.bytes[..self.at.min(self.bytes.len())];
        self.eof = false;
    }

    /// Moves to the position of another cursor on the same window. If that cursor was suspended, this one is suspended
    /// too.
    #[inline(always)]
    pub(crate) fn follow(&mut self, other: Cursor<'_, K>) {
        debug_assert_eq!(self.origin, other.origin, "the same window");
        debug_assert!(other.bytes.len() <= self.bytes.len() && other.at >= self.at);
        self.bytes = self.bytes.get(..other.bytes.len()).unwrap_or_default();
        (self.at, self.eof, self.again) = (other.at, other.eof, other.again);
    }

    /// Consumes the rest of the character whose first byte was just consumed, and returns the character.
    pub(crate) fn wide(&mut self) -> char {
        let from = self.origin.index_from(self.chunk_start) + self.at - 1;
        let character = self.chunk[from..]
            .chars()
            .next()
            .unwrap_or(char::REPLACEMENT_CHARACTER);
        self.at += character.len_utf8() - 1;
        character
    }

    /// Returns the next character of the chunk, which may be after the window.
    pub(crate) fn following(&self) -> Option<char> {
        let from = self.origin.index_from(self.chunk_start) + self.at;
        self.chunk.get(from..)?.chars().next()
    }

    /// Returns the number of bytes left in the window.
    #[inline(always)]
    pub(crate) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Returns the next byte without consuming it, or `None` at the end of the window.
    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Returns the byte `ahead` bytes after the next one without consuming anything.
    #[inline(always)]
    pub(crate) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Returns the next byte of class `C` that is at least `from` bytes ahead, preceded by its distance from the
    /// cursor.
    #[inline(always)]
    pub(crate) fn seek<const C: usize>(&self, from: usize) -> Option<(usize, u8)> {
        let index = scan::find::<K, C>(self.masks, self.bytes, self.at + from);
        self.bytes.get(index).map(|&byte| (index - self.at, byte))
    }

    /// Consumes `count` bytes, which must be in the window.
    #[inline(always)]
    pub(crate) fn skip(&mut self, count: usize) {
        self.at += count;
        debug_assert!(self.at <= self.bytes.len(), "skipped past the window");
    }

    /// Returns the distance to the next byte of class `C` that is at least `from` bytes ahead, and that byte. Without
    /// one, returns the distance to the end of the window.
    #[inline(always)]
    pub(crate) fn seek_or_end<const C: usize>(&self, from: usize) -> (usize, Option<u8>) {
        let index = scan::find::<K, C>(self.masks, self.bytes, self.at + from);
        (index - self.at, self.bytes.get(index).copied())
    }

    /// Returns the distance to the next byte of `set` and that byte, as [`seek_or_end`](Self::seek_or_end) does for a
    /// class.
    #[inline(always)]
    pub(crate) fn seek_in(&self, set: &Set, from: usize) -> (usize, Option<u8>) {
        let index = scan::find_in(set, self.bytes, self.at + from);
        (index - self.at, self.bytes.get(index).copied())
    }

    /// Returns whether `want` followed by `then` is `skip` bytes ahead in this window.
    #[inline(always)]
    pub(crate) fn ahead_after(&self, skip: usize, want: &[u8], then: u8) -> bool {
        let from = self.at + skip;
        let end = from + want.len();
        self.bytes.get(end) == Some(&then) && same(&self.bytes[from..end], want)
    }

    /// Counts `count` bytes that were examined and not consumed, for the counters of work.
    #[inline(always)]
    pub(crate) fn looked(&mut self, count: usize) {
        self.again += count as u32;
    }

    /// Returns the rest of the window.
    pub(crate) fn rest(&self) -> &'w str {
        let from = self.origin.index_from(self.chunk_start) + self.at;
        &self.chunk[from..][..self.bytes.len() - self.at]
    }

    /// Returns the rest of the window from `from` bytes ahead, where a character must begin.
    pub(crate) fn ahead(&self, from: usize) -> &'w str {
        &self.rest()[from..]
    }

    /// Returns the rest of the window, preceded by the byte that was just consumed, which must begin a character.
    /// Returns an empty string if a suspend cuts that character.
    pub(crate) fn since_last(&self) -> &'w str {
        let window = self.origin.index_from(self.chunk_start);
        let range = window + self.at - 1..window + self.bytes.len();
        self.chunk.get(range).unwrap_or_default()
    }

    /// Returns the validated part of the chunk, and its offset in the buffered text.
    #[inline(always)]
    pub(crate) fn chunk(&self) -> (&'w str, BufferOffset) {
        (self.chunk, self.chunk_start)
    }

    /// Returns the byte at an offset in the buffered text.
    pub(crate) fn byte(&self, retained: &str, mark: BufferOffset) -> u8 {
        if mark < self.chunk_start {
            retained.as_bytes()[mark.index()]
        } else {
            self.chunk.as_bytes()[mark.index_from(self.chunk_start)]
        }
    }

    /// Returns the text between two offsets in two pieces: the first from the retained bytes, the second from the
    /// chunk.
    #[inline(always)]
    pub(crate) fn pieces<'c>(
        &self,
        retained: &'c str,
        from: BufferOffset,
        to: BufferOffset,
    ) -> (&'c str, &'w str) {
        pieces(self.chunk, self.chunk_start, retained, from, to)
    }

    /// Returns the text between two offsets of a token that is contiguous after [`join`](Self::join).
    #[inline(always)]
    pub(crate) fn one_piece<'c>(
        &self,
        retained: &'c str,
        from: BufferOffset,
        to: BufferOffset,
    ) -> &'c str
    where
        'w: 'c,
    {
        let chunk_start = self.chunk_start;
        if from >= chunk_start {
            &self.chunk[from.index_from(chunk_start)..to.index_from(chunk_start)]
        } else {
            &retained[from.index()..to.index()]
        }
    }

    /// Completes the retained bytes up to the offset `to`, so that a token that starts in them is contiguous. Returns
    /// the number of bytes appended.
    #[cold]
    #[inline(never)]
    pub(crate) fn join(self, retained: &mut String, to: BufferOffset) -> usize {
        let held = retained.len();
        if to.index() <= held {
            return 0;
        }
        let chunk_start = self.chunk_start.index();
        retained.push_str(&self.chunk[held - chunk_start..to.index() - chunk_start]);
        retained.len() - held
    }

    /// Returns the index in the chunk of the next unit, and the number of bytes that were read more than once, for the
    /// counters of work.
    pub(crate) fn done(&self) -> (usize, u32) {
        (
            self.origin.index_from(self.chunk_start) + self.at,
            self.again,
        )
    }
}

/// The bytes of a window with their masks, but without a current position, for loops that keep the position in a local
/// variable. The type is small enough to stay in machine registers.
///
/// Bytes after the end of the window read as zero, which such a loop treats as the end of plain markup.
pub(crate) struct Window<'w, K: Classes> {
    bytes: &'w [u8],
    masks: &'w [K::Block],
    origin: BufferOffset,
    classes: PhantomData<K>,
}

impl<K: Classes> Clone for Window<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Classes> Copy for Window<'_, K> {}

impl<'w, K: Classes> Window<'w, K> {
    /// Returns the index of the next byte of class `C` at or after `at`, or any index after the end of the window.
    #[inline(always)]
    pub(crate) fn find<const C: usize>(self, at: u32) -> u32 {
        scan::find_within::<K, C>(self.masks, self.bytes, at as usize) as u32
    }

    /// Returns the byte at an index, or zero after the end of the window.
    #[inline(always)]
    pub(crate) fn byte(self, index: u32) -> u8 {
        self.bytes.get(index as usize).copied().unwrap_or(0)
    }

    /// Returns the four bytes from an index on. Bytes after the end of the window are zero.
    #[inline(always)]
    pub(crate) fn four(self, index: u32) -> [u8; 4] {
        let index = index as usize;
        let four = self.bytes.get(index..index + 4);
        match four.and_then(<[u8]>::first_chunk) {
            Some(four) => *four,
            None => last(self.bytes, index),
        }
    }

    /// Returns the bytes between two indices as one little-endian number, if they are one to eight. Returns zero
    /// otherwise, and in the last bytes of the window, where eight bytes cannot be loaded.
    #[inline(always)]
    pub(crate) fn number(self, from: u32, to: u32) -> u64 {
        let (from, length) = (from as usize, to - from);
        match self.bytes.get(from..from + 8).and_then(<[u8]>::first_chunk) {
            Some(eight) if (1..=8).contains(&length) => {
                u64::from_le_bytes(*eight) & (!0 >> (64 - 8 * length))
            }
            _ => 0,
        }
    }

    /// Returns whether `want` is at an index.
    #[inline(always)]
    pub(crate) fn has(self, index: u32, want: &[u8]) -> bool {
        let index = index as usize;
        self.bytes
            .get(index..index + want.len())
            .is_some_and(|bytes| same(bytes, want))
    }

    /// Returns the index, or the length of the window if that is smaller.
    #[inline(always)]
    pub(crate) fn clamp(self, index: u32) -> u32 {
        index.min(self.bytes.len() as u32)
    }

    #[inline(always)]
    pub(crate) fn length(self) -> usize {
        self.bytes.len()
    }

    /// Returns the bytes between two indices.
    #[inline(always)]
    pub(crate) fn between(self, from: u32, to: u32) -> &'w [u8] {
        &self.bytes[from as usize..to as usize]
    }

    /// Returns the offset in the buffered text of an index.
    #[inline(always)]
    pub(crate) fn mark(self, index: u32) -> BufferOffset {
        self.origin + index
    }
}

/// Returns up to four last bytes of a window, filled up with zeros.
#[cold]
#[inline(never)]
fn last(bytes: &[u8], from: usize) -> [u8; 4] {
    core::array::from_fn(|index| bytes.get(from + index).copied().unwrap_or(0))
}

/// Returns the text between two offsets in two pieces: the first from the retained bytes, the second from the chunk,
/// which starts at the offset `chunk_start`.
#[inline(always)]
pub(crate) fn pieces<'w, 'c>(
    chunk: &'w str,
    chunk_start: BufferOffset,
    retained: &'c str,
    from: BufferOffset,
    to: BufferOffset,
) -> (&'c str, &'w str) {
    if from >= chunk_start {
        return (
            "",
            &chunk[from.index_from(chunk_start)..to.index_from(chunk_start)],
        );
    }
    let first = &retained[from.index()..to.min(chunk_start).index()];
    let second = match to > chunk_start {
        true => &chunk[..to.index_from(chunk_start)],
        false => "",
    };
    (first, second)
}
