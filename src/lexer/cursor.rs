//! The cursor: what a machine sees of its input.
//!
//! A state asks for one unit. Where there is none yet, the answer is `None`, and the state suspends
//! with `?` before it has changed anything. The cursor knows a window; the marks that it gives are
//! positions in the retained bytes and the chunk behind it, and stay good until the machine is told of a
//! new base.

use crate::input::Mark;
use crate::input::View;
use crate::scan::{self, Block, Classes, Set, same};
use alloc::string::String;
use core::marker::PhantomData;

/// What a state takes: a byte of text, or the end of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Byte(u8),
    Eof,
}

/// A window, and the place of the next unit in it.
///
/// ```text
///   retained        chunk
///  |-----------|-------------------------------|
///  0           shift      |--- window ---|
///                         origin    ^ mark()
/// ```
pub struct Cursor<'w, K: Classes> {
    bytes: &'w [u8],
    at: usize,
    masks: &'w [K::Block],
    origin: Mark,
    shift: Mark,
    chunk: &'w str,
    eof: bool,
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
    /// A cursor on a window, which the end of the input may follow.
    #[inline(always)]
    pub(crate) fn new(view: View<'w>, eof: bool) -> Cursor<'w, K> {
        let View {
            chunk,
            shift,
            from,
            to,
            at,
            masks,
        } = view;
        Cursor {
            bytes: &chunk.as_bytes()[from..to],
            at: at - from,
            masks: K::Block::blocks(masks),
            origin: shift + from as u32,
            shift,
            chunk,
            eof,
            again: 0,
            classes: PhantomData,
        }
    }

    /// The window, for a loop that reads it by index.
    #[inline(always)]
    pub(crate) fn window(&self) -> Window<'w, K> {
        Window {
            bytes: self.bytes,
            masks: self.masks,
            origin: self.origin,
            classes: PhantomData,
        }
    }

    /// The index in the window of the next unit.
    #[inline(always)]
    pub(crate) fn index(&self) -> usize {
        self.at
    }

    /// Goes on at an index in the window.
    #[inline(always)]
    pub(crate) fn take_to(&mut self, at: usize) {
        self.at = at;
    }

    #[inline(always)]
    fn dry(&self) -> Option<Unit> {
        if self.eof { Some(Unit::Eof) } else { None }
    }

    /// Takes the next unit.
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

    /// Crosses the bytes that are not of class `C` and takes the one that is.
    #[inline(always)]
    pub(crate) fn until<const C: usize>(&mut self) -> Option<Unit> {
        let index = scan::find::<K, C>(self.masks, self.bytes, self.at);
        match self.bytes.get(index) {
            Some(&byte) => {
                self.at = index + 1;
                Some(Unit::Byte(byte))
            }
            None => {
                // What was taken before a fence stays taken.
                self.at = self.at.max(self.bytes.len());
                self.dry()
            }
        }
    }

    /// Crosses bytes up to `stop` or the end of the window; takes nothing if `stop` is not there.
    pub(crate) fn until_byte(&mut self, stop: u8) -> Option<Unit> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match memchr::memchr(stop, rest) {
            Some(index) => {
                self.at += index + 1;
                Some(Unit::Byte(stop))
            }
            None => {
                // What was taken before a fence stays taken.
                self.at = self.at.max(self.bytes.len());
                self.dry()
            }
        }
    }

    /// Crosses the bytes that are not in `set` and takes the one that is. There are no masks of it.
    pub(crate) fn until_set(&mut self, set: &Set) -> Option<Unit> {
        let index = scan::find_in(set, self.bytes, self.at);
        match self.bytes.get(index) {
            Some(&byte) => {
                self.at = index + 1;
                Some(Unit::Byte(byte))
            }
            None => {
                // What was taken before a fence stays taken.
                self.at = self.at.max(self.bytes.len());
                self.dry()
            }
        }
    }

    /// Gives the byte taken last back: it is reconsumed in the next state.
    #[inline(always)]
    pub(crate) fn back(&mut self) {
        self.at -= 1;
        self.again += 1;
    }

    /// The byte taken last is reconsumed in this state.
    #[inline(always)]
    pub(crate) fn reconsume<S>(&mut self, state: S) -> S {
        self.back();
        state
    }

    /// Gives back what was taken since the mark `to`, in this state.
    pub(crate) fn back_to(&mut self, to: Mark) {
        let at = to.index_from(self.origin);
        self.again += (self.at - at) as u32;
        self.at = at;
    }

    /// The mark of the next unit.
    #[inline(always)]
    pub(crate) fn mark(&self) -> Mark {
        self.origin + self.at as u32
    }

    /// Lets nothing more be taken in this run. Bytes that were looked at must have been taken before.
    #[inline(always)]
    pub(crate) fn fence(&mut self) {
        self.bytes = &self.bytes[..self.at.min(self.bytes.len())];
        self.eof = false;
    }

    /// Goes on where another cursor on this window stands, behind its fence if there is one.
    #[inline(always)]
    pub(crate) fn follow(&mut self, other: Cursor<'_, K>) {
        self.bytes = self.bytes.get(..other.bytes.len()).unwrap_or_default();
        (self.at, self.eof, self.again) = (other.at, other.eof, other.again);
    }

    /// The character whose first byte was taken last, taking the rest of it.
    pub(crate) fn wide(&mut self) -> char {
        let from = self.origin.index_from(self.shift) + self.at - 1;
        let character = self.chunk[from..]
            .chars()
            .next()
            .unwrap_or(char::REPLACEMENT_CHARACTER);
        self.at += character.len_utf8() - 1;
        character
    }

    /// The character that comes next in the chunk, in this window or behind it.
    pub(crate) fn following(&self) -> Option<char> {
        let from = self.origin.index_from(self.shift) + self.at;
        self.chunk.get(from..)?.chars().next()
    }

    /// How much of the window is left.
    #[inline(always)]
    pub(crate) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Looks at the next byte without taking it; `None` at the end of the window too.
    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Looks at the byte `ahead` of the next one.
    #[inline(always)]
    pub(crate) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Where the next byte of class `C` stands, `from` bytes or more ahead, and which it is.
    #[inline(always)]
    pub(crate) fn seek<const C: usize>(&self, from: usize) -> Option<(usize, u8)> {
        let index = scan::find::<K, C>(self.masks, self.bytes, self.at + from);
        self.bytes.get(index).map(|&byte| (index - self.at, byte))
    }

    /// Takes `count` bytes that were looked at.
    #[inline(always)]
    pub(crate) fn skip(&mut self, count: usize) {
        self.at += count;
        debug_assert!(self.at <= self.bytes.len(), "skipped past the window");
    }

    /// Where the next byte of class `C` stands, `from` bytes or more ahead; how far the window's end
    /// is, if there is none in it.
    #[inline(always)]
    pub(crate) fn seek_or_end<const C: usize>(&self, from: usize) -> (usize, Option<u8>) {
        let index = scan::find::<K, C>(self.masks, self.bytes, self.at + from);
        (index - self.at, self.bytes.get(index).copied())
    }

    /// Where the next byte of `set` stands, as [`seek_or_end`](Self::seek_or_end) says it of a class.
    #[inline(always)]
    pub(crate) fn seek_in(&self, set: &Set, from: usize) -> (usize, Option<u8>) {
        let index = scan::find_in(set, self.bytes, self.at + from);
        (index - self.at, self.bytes.get(index).copied())
    }

    /// Whether `want` and then `then` come `skip` bytes ahead in this window.
    #[inline(always)]
    pub(crate) fn ahead_after(&self, skip: usize, want: &[u8], then: u8) -> bool {
        let from = self.at + skip;
        let end = from + want.len();
        self.bytes.get(end) == Some(&then) && same(&self.bytes[from..end], want)
    }

    /// Notes that `count` bytes were looked at and not taken.
    #[inline(always)]
    pub(crate) fn looked(&mut self, count: usize) {
        self.again += count as u32;
    }

    /// What of the window is not taken yet.
    pub(crate) fn rest(&self) -> &'w str {
        let from = self.origin.index_from(self.shift) + self.at;
        &self.chunk[from..][..self.bytes.len() - self.at]
    }

    /// What of the window is not taken yet, from a character on that begins so many bytes ahead.
    pub(crate) fn ahead(&self, from: usize) -> &'w str {
        &self.rest()[from..]
    }

    /// What of the window is not taken yet, and the character before it, of which one byte was taken;
    /// nothing if there is a fence in that.
    pub(crate) fn since_last(&self) -> &'w str {
        let window = self.origin.index_from(self.shift);
        let range = window + self.at - 1..window + self.bytes.len();
        self.chunk.get(range).unwrap_or_default()
    }

    /// The chunk as far as it is known, and the mark at which it begins.
    #[inline(always)]
    pub(crate) fn chunk(&self) -> (&'w str, Mark) {
        (self.chunk, self.shift)
    }

    /// The byte at a mark that is still held.
    pub(crate) fn byte(&self, retained: &str, mark: Mark) -> u8 {
        if mark < self.shift {
            retained.as_bytes()[mark.index()]
        } else {
            self.chunk.as_bytes()[mark.index_from(self.shift)]
        }
    }

    /// The text between two marks as two pieces, one of the retained bytes and one of the chunk.
    #[inline(always)]
    pub(crate) fn pieces<'c>(&self, retained: &'c str, from: Mark, to: Mark) -> (&'c str, &'w str) {
        pieces(self.chunk, self.shift, retained, from, to)
    }

    /// The text between two marks of a token that was joined.
    #[inline(always)]
    pub(crate) fn one_piece<'c>(&self, retained: &'c str, from: Mark, to: Mark) -> &'c str
    where
        'w: 'c,
    {
        let shift = self.shift;
        if from >= shift {
            &self.chunk[from.index_from(shift)..to.index_from(shift)]
        } else {
            &retained[from.index()..to.index()]
        }
    }

    /// Appends to the retained bytes what it lacks of the text up to the mark `to`, so that a token which
    /// begins there is one piece; gives the number of bytes appended.
    #[cold]
    #[inline(never)]
    pub(crate) fn join(self, retained: &mut String, to: Mark) -> usize {
        let held = retained.len();
        if to.index() <= held {
            return 0;
        }
        let shift = self.shift.index();
        retained.push_str(&self.chunk[held - shift..to.index() - shift]);
        retained.len() - held
    }

    /// Index in the chunk of the next unit, and how many bytes were looked at again.
    pub(crate) fn done(&self) -> (usize, u32) {
        (self.origin.index_from(self.shift) + self.at, self.again)
    }
}

/// What a loop over plain markup needs of a cursor, small enough to stay in registers.
///
/// Behind its end there are zeros, which are no markup either.
pub(crate) struct Window<'w, K: Classes> {
    bytes: &'w [u8],
    masks: &'w [K::Block],
    origin: Mark,
    classes: PhantomData<K>,
}

impl<K: Classes> Clone for Window<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Classes> Copy for Window<'_, K> {}

impl<'w, K: Classes> Window<'w, K> {
    /// The index of the next byte of class `C` at or after `at`, or one behind the window.
    #[inline(always)]
    pub(crate) fn find<const C: usize>(self, at: u32) -> u32 {
        scan::find_within::<K, C>(self.masks, self.bytes, at as usize) as u32
    }

    /// The byte at an index, or zero.
    #[inline(always)]
    pub(crate) fn byte(self, index: u32) -> u8 {
        self.bytes.get(index as usize).copied().unwrap_or(0)
    }

    /// The four bytes from an index on, zeros behind the window.
    #[inline(always)]
    pub(crate) fn four(self, index: u32) -> [u8; 4] {
        let index = index as usize;
        let four = self.bytes.get(index..index + 4);
        match four.and_then(<[u8]>::first_chunk) {
            Some(four) => *four,
            None => last(self.bytes, index),
        }
    }

    /// The bytes between two indices as one number, if they are one to eight; otherwise, and in the last
    /// eight bytes of the window, zero.
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

    /// Whether `want` stands at an index.
    #[inline(always)]
    pub(crate) fn has(self, index: u32, want: &[u8]) -> bool {
        let index = index as usize;
        self.bytes
            .get(index..index + want.len())
            .is_some_and(|bytes| same(bytes, want))
    }

    /// The index, or the end of the window if that comes first.
    #[inline(always)]
    pub(crate) fn clamp(self, index: u32) -> u32 {
        index.min(self.bytes.len() as u32)
    }

    #[inline(always)]
    pub(crate) fn length(self) -> usize {
        self.bytes.len()
    }

    /// What stands between two indices.
    #[inline(always)]
    pub(crate) fn between(self, from: u32, to: u32) -> &'w [u8] {
        &self.bytes[from as usize..to as usize]
    }

    /// The mark of an index.
    #[inline(always)]
    pub(crate) fn mark(self, index: u32) -> Mark {
        self.origin + index
    }
}

/// The last bytes of a window, which are fewer than four, and zeros.
#[cold]
#[inline(never)]
fn last(bytes: &[u8], from: usize) -> [u8; 4] {
    core::array::from_fn(|index| bytes.get(from + index).copied().unwrap_or(0))
}

/// The text between two marks as two pieces: one of the retained bytes, and one of the chunk, which begins
/// at the mark `shift`.
#[inline(always)]
pub(crate) fn pieces<'w, 'c>(
    chunk: &'w str,
    shift: Mark,
    retained: &'c str,
    from: Mark,
    to: Mark,
) -> (&'c str, &'w str) {
    if from >= shift {
        return ("", &chunk[from.index_from(shift)..to.index_from(shift)]);
    }
    let first = &retained[from.index()..to.min(shift).index()];
    let second = match to > shift {
        true => &chunk[..to.index_from(shift)],
        false => "",
    };
    (first, second)
}
