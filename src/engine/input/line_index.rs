//! Conversion of offsets in the buffered text ([`BufferOffset`]) to positions: offsets in the input, lines and columns.
//!
//! Nothing is computed for an event until a program asks for its position. While text arrives, the index only records
//! an *anchor* every few kilobytes: an offset in the buffered text with its line and column. A request counts line
//! ends and characters from the nearest anchor before the offset, or from the position that was requested last if
//! that is nearer.
//!
//! ```text
//!                  first        anchor       anchor    latest   mark
//! buffered text    |------------|------------|---------|========|- - -
//!                                                       counted
//! ```
//!
//! The offset in the input is `base + mark`, with three kinds of corrections:
//!
//! - An ill-formed sequence has another length than the U+FFFD that replaces it, and so has a replaced line end. Each
//!   such difference is a [`Shift`].
//! - In an encoding other than UTF-8, the result is an offset in the decoded text, which [`Raw`] converts to one in
//!   the input.
//! - Text inserted by a script is not in the input. It is at the front of the buffered text, and `first.mark` is its
//!   length. All its characters have the position of the byte after it.

use super::anchor::Anchor;
use super::buffer_offset::BufferOffset;
use super::corrections::{Shift, push, section, shift};
use super::encoding::Encoding;
use super::latest::Latest;
use super::raw::{Raw, Side};
use super::sizes::Sizes;
use super::written::Written;
use crate::engine::scan::Survey;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Maximum distance, in bytes, from which counting continues at the position requested last. An anchor is nearer
/// otherwise.
const NEAR: u32 = Sizes::USUAL.lines as u32;

/// Converts offsets in the buffered text to offsets, lines and columns in the input.
#[derive(Clone, Debug)]
pub(crate) struct LineIndex {
    /// Offset of the first buffered byte in the input, or in the decoded text if the encoding is not UTF-8.
    base: u64,
    /// Corrections for replaced sequences, in order. Empty for most documents.
    shifts: Vec<Shift>,
    /// The encoded bytes of the buffered text, if the encoding is not UTF-8.
    raw: Option<Box<Raw>>,
    /// The position of the first buffered byte, and positions after it: one every few kilobytes and one at the start
    /// of each chunk. If the buffered text starts with inserted text, `first` is the position of the byte after that
    /// text.
    first: Anchor,
    anchors: Vec<Anchor>,
    /// The position that was requested last.
    latest: Latest,
    /// The buffered text before its line ends were replaced, if any were.
    written: Option<Box<Written>>,
}

impl LineIndex {
    /// Creates the index of an input whose text starts at the offset `base` in the input.
    pub(crate) const fn new(base: u64) -> LineIndex {
        LineIndex {
            base,
            shifts: Vec::new(),
            raw: None,
            first: Anchor::START,
            anchors: Vec::new(),
            latest: Latest::new(),
            written: None,
        }
    }

    /// Creates the index of text inserted at a position. All offsets in the inserted text have that position.
    pub(super) fn nowhere(offset: u64, place: Anchor) -> LineIndex {
        let mut lines = LineIndex::new(offset);
        lines.first = Anchor {
            mark: BufferOffset::NONE,
            ..place
        };
        lines
    }

    /// Increases all offsets of this index by `to`, because this number of bytes of inserted text is buffered before
    /// its text now. The index of an inserted text has no offsets and stays the same.
    pub(super) fn follow(&mut self, to: BufferOffset) {
        self.latest = Latest::new();
        if self.first.mark.is_none() {
            return;
        }
        self.first.mark += to.get();
        let anchors = self.anchors.iter_mut().map(|anchor| &mut anchor.mark);
        let shifts = self.shifts.iter_mut().map(|shift| &mut shift.mark);
        for mark in anchors.chain(shifts) {
            *mark += to.get();
        }
    }

    /// Returns the number of buffered bytes before `mark` that are part of the input. Inserted text is not counted.
    #[inline(always)]
    fn passed(&self, mark: BufferOffset) -> u32 {
        mark.saturating_sub(self.first.mark.get()).get()
    }

    /// Returns the value of `first.mark` after the text before `by` is discarded.
    fn first_after(&self, by: BufferOffset) -> BufferOffset {
        match self.first.mark.is_none() {
            true => BufferOffset::NONE,
            false => self.first.mark.saturating_sub(by.get()),
        }
    }

    /// Creates the index of a complete text.
    pub(crate) fn of(text: &str) -> LineIndex {
        let mut lines = LineIndex::new(0);
        lines.extend(
            text.as_bytes(),
            BufferOffset::ZERO,
            text.len(),
            Sizes::USUAL.lines,
        );
        lines
    }

    /// Returns the position of the byte `at` of a complete text.
    pub(crate) fn place_in(&self, text: &str, at: usize) -> Anchor {
        let anchor = self.anchor(BufferOffset::new(at as u32));
        self.after(anchor, &text.as_bytes()[anchor.mark.index()..at])
    }

    /// Returns an index of the text from `from` to `to` alone, for an event that outlives the buffered text. `anchor`
    /// is the position of `from`.
    pub(crate) fn section(
        &self,
        from: BufferOffset,
        to: BufferOffset,
        anchor: Anchor,
    ) -> LineIndex {
        let base = self.text_offset(from);
        let raw = self.raw.as_ref();
        let raw = raw.map(|raw| Box::new(raw.section(base, self.text_offset(to))));
        let shifts = match self.shifts.is_empty() {
            true => Vec::new(),
            false => section(&self.shifts, from, to),
        };
        let written = self.written.as_ref();
        let written = written.and_then(|written| written.section(from, to));
        let first = Anchor {
            mark: self.first_after(from),
            ..anchor
        };
        LineIndex {
            base,
            shifts,
            raw,
            first,
            anchors: Vec::new(),
            latest: Latest::new(),
            written: written.map(Box::new),
        }
    }

    /// Returns an index of the text from `start` to `to` with the same offsets, for a copy of that text. The index must
    /// be [plain](Self::is_plain).
    pub(crate) fn part(&self, start: Anchor, to: BufferOffset) -> LineIndex {
        let before = |mark| self.anchors.partition_point(|anchor| anchor.mark <= mark);
        let mut anchors = alloc::vec![start];
        anchors.extend_from_slice(&self.anchors[before(start.mark)..before(to)]);
        LineIndex {
            first: self.first,
            anchors,
            ..LineIndex::new(self.base)
        }
    }

    /// Returns whether the buffered text equals the input as fed: nothing was inserted, replaced or decoded.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        let is_placed = self.first.mark == BufferOffset::ZERO;
        is_placed && self.shifts.is_empty() && self.written.is_none() && self.raw.is_none()
    }

    /// Returns the offset in the input of `mark`. `side` matters only within the text of one encoded sequence: see
    /// [`Side`].
    #[inline]
    pub(crate) fn offset(&self, mark: BufferOffset, side: Side) -> u64 {
        match self.shifts.is_empty() && self.raw.is_none() {
            true => self.base + u64::from(self.passed(mark)),
            false => self.odd_offset(mark, side),
        }
    }

    #[cold]
    fn odd_offset(&self, mark: BufferOffset, side: Side) -> u64 {
        let text = self.text_offset(mark);
        match &self.raw {
            None => text,
            Some(raw) => raw.offset(text, side),
        }
    }

    /// Returns the offset in the decoded text. In UTF-8 it is the offset in the input.
    fn text_offset(&self, mark: BufferOffset) -> u64 {
        let offset = self.base + u64::from(self.passed(mark));
        match self.shifts.is_empty() {
            true => offset,
            false => offset.wrapping_add_signed(i64::from(self.shift(mark) as i32)),
        }
    }

    /// Returns the encoded bytes of the text, for an encoding other than UTF-8. They are created at the first call,
    /// empty: the next bytes to be appended have the offset `raw` in the input, and decode to the text after `end`.
    pub(super) fn raw(&mut self, encoding: Encoding, end: BufferOffset, raw: u64) -> &mut Raw {
        let text = self.text_offset(end);
        let new = || Box::new(Raw::new(encoding, text, raw));
        self.raw.get_or_insert_with(new)
    }

    /// Returns the encoded bytes of the text, if the encoding is not UTF-8.
    pub(super) fn existing_raw(&mut self) -> Option<&mut Raw> {
        self.raw.as_deref_mut()
    }

    /// Returns the number of bytes that were decoded a second time to compute positions.
    pub(crate) fn looked_at(&self) -> u64 {
        self.raw.as_ref().map_or(0, |raw| raw.looked_at())
    }

    #[cold]
    fn shift(&self, mark: BufferOffset) -> u32 {
        shift(&self.shifts, mark)
    }

    /// Returns the last anchor at or before `mark`. The text from the anchor to `mark` is contiguous, in the retained
    /// bytes or in the current chunk.
    pub(crate) fn anchor(&self, mark: BufferOffset) -> Anchor {
        let before = self.anchors.partition_point(|anchor| anchor.mark <= mark);
        if before > 0 {
            self.anchors[before - 1]
        } else {
            self.first
        }
    }

    /// Returns the position of `mark`. `source` is the retained bytes or the current chunk, whichever contains
    /// `mark`, and starts at the offset `base`.
    ///
    /// Counting continues from the position requested last if it is near, so requesting the positions of all events
    /// in order counts each byte once.
    #[inline(always)]
    pub(crate) fn place(&self, mark: BufferOffset, source: &str, base: BufferOffset) -> Anchor {
        if let Some(mut place) = self.latest.get(self.first.line)
            && place.mark >= base
            && mark >= place.mark
            && let Some(text) = source.as_bytes().get(place.mark.index_from(base)..)
            && place.pass_short(text, mark.index_from(place.mark))
        {
            self.latest.set(&place, self.first.line);
            return place;
        }
        self.place_far(mark, source, base)
    }

    /// Returns the position requested last if it is between `anchor` and `mark`, and `anchor` otherwise.
    fn nearer(&self, anchor: Anchor, mark: BufferOffset) -> Anchor {
        match self.latest.get(self.first.line) {
            Some(known) if known.mark > anchor.mark && known.mark <= mark => known,
            _ => anchor,
        }
    }

    /// Returns the position of `mark` in the cases that [`place`](Self::place) does not handle inline.
    #[inline(never)]
    fn place_far(&self, mark: BufferOffset, source: &str, base: BufferOffset) -> Anchor {
        if mark <= self.first.mark {
            return self.first;
        }
        let from = match self.latest.get(self.first.line) {
            Some(known)
                if known.mark >= base && known.mark <= mark && mark - known.mark <= NEAR =>
            {
                known
            }
            _ => self.anchor(mark),
        };
        let at = from.mark.max(base).index_from(base);
        let place = self.after(from, &source.as_bytes()[at..mark.index_from(base)]);
        // If line ends were replaced, counting cannot simply continue from this position.
        if self.written.is_none() {
            self.latest.set(&place, self.first.line);
        }
        place
    }

    /// Returns the position after `text`, which starts at `anchor`.
    #[inline]
    pub(crate) fn after(&self, anchor: Anchor, text: &[u8]) -> Anchor {
        let inserted = self.first.mark.saturating_sub(anchor.mark.get());
        let text = text.get(inserted.index()..).unwrap_or_default();
        match &self.written {
            None => anchor.after(text),
            Some(written) => written.after(anchor, text),
        }
    }

    /// Records an anchor every `stride` bytes of the text up to the index `to` of the current chunk, which starts at
    /// the offset `chunk_start`.
    pub(crate) fn extend(
        &mut self,
        chunk: &[u8],
        chunk_start: BufferOffset,
        to: usize,
        stride: usize,
    ) {
        let mut last = self.anchors.last().copied().unwrap_or(self.first);
        while (chunk_start.index() + to).saturating_sub(last.mark.index()) >= stride {
            let from = last.mark.index_from(chunk_start);
            last = self.after(last, &chunk[from..from + stride]);
            self.anchors.push(last);
        }
    }

    /// Records an anchor at the end of the text that was validated, unless less than half of the distance `stride`
    /// between two anchors was added. `chunk` is that text, which starts at the offset `chunk_start`, `from` is the
    /// index of the text that was added, and `found` is a survey of it.
    pub(super) fn pass_surveyed(
        &mut self,
        chunk: &[u8],
        chunk_start: BufferOffset,
        from: usize,
        found: &Survey,
        stride: usize,
    ) {
        let start = chunk_start + from as u32;
        let mut last = self.anchors.last().copied().unwrap_or(self.first);
        if last.mark > start || self.written.is_some() || chunk.len() - from <= stride / 2 {
            return;
        }
        if last.mark < start {
            last = self.after(last, &chunk[last.mark.index_from(chunk_start)..from]);
        }
        last.pass_surveyed(&chunk[from..], found);
        self.anchors.push(last);
    }

    /// Records the position at the end of the current chunk, which starts at the offset `chunk_start`. The text after
    /// the chunk will be in another buffer, so counting cannot continue across this offset.
    pub(crate) fn border(&mut self, chunk: &[u8], chunk_start: BufferOffset) {
        let last = self.anchors.last().copied().unwrap_or(self.first);
        let end = chunk_start + chunk.len() as u32;
        if last.mark < end {
            let known = self.nearer(last, end);
            let rest = &chunk[known.mark.index_from(chunk_start)..];
            self.anchors.push(self.after(known, rest));
        }
    }

    /// Removes the anchors after `end`. The text after `end` will be added again.
    pub(crate) fn forget(&mut self, end: BufferOffset) {
        let before = self.anchors.partition_point(|anchor| anchor.mark <= end);
        self.anchors.truncate(before);
        self.latest = Latest::new();
    }

    /// Records that the `length` bytes before `mark` replace `source` bytes of the input.
    pub(crate) fn replaced(&mut self, mark: BufferOffset, length: usize, source: usize) {
        let each = (source as i64 - length as i64) as i8;
        push(&mut self.shifts, mark, each);
    }

    /// Returns the source text between two offsets if it differs from the buffered text there because of replaced
    /// line ends.
    pub(crate) fn written(&self, from: BufferOffset, to: BufferOffset) -> Option<&str> {
        let written = self.written.as_ref()?;
        Some(written.between(from, to))
    }

    /// Starts to keep the source text, because line ends are replaced from now on. `held` is the text buffered so far,
    /// in which none was replaced.
    pub(super) fn keep_written(&mut self, held: &str) {
        self.latest = Latest::new();
        let new = || Box::new(Written::new(held));
        self.written.get_or_insert_with(new);
    }

    /// Appends source text of newly buffered text.
    pub(super) fn append_written(&mut self, text: &str) {
        if let Some(written) = &mut self.written {
            written.append(text);
        }
    }

    /// Records that a NEL or LS, which has `source` bytes, was replaced by the `length` LF before `mark`.
    pub(super) fn replaced_line_end(&mut self, mark: BufferOffset, length: usize, source: usize) {
        self.replaced(mark, length, source);
        if let Some(written) = &mut self.written {
            written.replaced(mark, length, source);
        }
    }

    /// Adapts the index when the text before `by` is discarded. `dropped` is that text, or the last part of it.
    pub(crate) fn rebase(&mut self, by: BufferOffset, dropped: &[u8]) {
        if by == BufferOffset::ZERO {
            return;
        }
        let anchor = self.nearer(self.anchor(by), by);
        self.latest = Latest::new();
        let passed = by.saturating_sub(anchor.mark.get()).index();
        let folded_by = self.passed(by);
        let place = self.after(anchor, &dropped[dropped.len() - passed..]);
        self.first = Anchor {
            mark: self.first_after(by),
            ..place
        };
        let before = self.anchors.partition_point(|anchor| anchor.mark <= by);
        self.anchors.drain(..before);
        for anchor in &mut self.anchors {
            anchor.mark -= by.get();
        }
        self.base += u64::from(folded_by);
        if !self.shifts.is_empty() {
            let folded = self.shift(by);
            self.shifts.retain_mut(|shift| shift.rebase(by, folded));
            self.base = self.base.wrapping_add_signed(i64::from(folded as i32));
        }
        self.written.take_if(|written| !written.rebase(by));
        if let Some(raw) = &mut self.raw {
            raw.release(self.base);
        }
    }
}

crate::checkpoint::checkpointable! {
    struct LineIndex {
        base, shifts, raw, first, anchors, written
        ; skip latest = Latest::new()
    }
}
