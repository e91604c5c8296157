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

use super::BufferOffset;
use super::encoding::Encoding;
use super::latest::Latest;
use super::raw::{Raw, Side};
use super::sizes::Sizes;
use super::written::Written;
use crate::engine::scan::{lengths, lines, survey};
use alloc::boxed::Box;
use alloc::vec::Vec;
use memchr::memrchr2;

/// The line and columns of an offset in the buffered text. Lines and columns count from 1; `column` counts
/// characters, `column_utf16` UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) mark: BufferOffset,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) column_utf16: u64,
    /// True if the character before is a CR. An LF that follows belongs to the same line end.
    pub(crate) after_cr: bool,
}

impl Anchor {
    pub(crate) const START: Anchor = Anchor {
        mark: BufferOffset::ZERO,
        line: 1,
        column: 1,
        column_utf16: 1,
        after_cr: false,
    };

    /// Returns the position after `text`, which starts at this position.
    pub(crate) fn after(mut self, text: &[u8]) -> Anchor {
        self.pass(text);
        self
    }

    /// Advances over one byte of buffered text that replaces one character of the input, where that character does not
    /// end a line.
    pub(super) fn pass_character(&mut self) {
        self.column += 1;
        self.column_utf16 += 1;
        self.after_cr = false;
        self.mark += 1;
    }

    fn pass(&mut self, text: &[u8]) {
        if !self.pass_short(text, text.len()) {
            self.pass_any(text);
        }
    }

    /// Advances over the first `length` bytes of `text`, if `length` is small and these bytes contain no CR. Returns
    /// false, without a change, otherwise.
    ///
    /// PERF: the gap between two events is short, so an inline loop beats a call of memchr.
    #[inline(always)]
    fn pass_short(&mut self, text: &[u8], length: usize) -> bool {
        if self.after_cr {
            return false;
        }
        let Some(lines) = lines(text, length) else {
            return false;
        };
        if lines.ends > 0 {
            self.line += lines.ends;
            (self.column, self.column_utf16) = (1, 1);
        }
        let (characters, units) = lines.column(length);
        self.column += characters;
        self.column_utf16 += units;
        self.mark += length as u32;
        true
    }

    #[inline(never)]
    fn pass_any(&mut self, text: &[u8]) {
        let Some(&last) = text.last() else { return };
        let found = survey(text);
        let is_simple = !found.has_return && !self.after_cr;
        let ends_line = found.has_return || found.newlines > 0;
        // PERF: a search from the end of a text without line ends would read all of it again.
        let line = match ends_line.then(|| memrchr2(b'\n', b'\r', text)).flatten() {
            None => text,
            Some(at) => {
                self.line += match is_simple {
                    true => found.newlines,
                    false => line_ends(&text[..=at], self.after_cr),
                };
                self.column = 1;
                self.column_utf16 = 1;
                &text[at + 1..]
            }
        };
        let (characters, units) = match found.is_ascii {
            true => (line.len() as u64, line.len() as u64),
            false => lengths(line),
        };
        self.column += characters;
        self.column_utf16 += units;
        self.after_cr = last == b'\r';
        self.mark += text.len() as u32;
    }
}

/// Returns the number of line ends in `text`. `after_cr` says that the byte before it is a CR.
fn line_ends(text: &[u8], after_cr: bool) -> u64 {
    let (Some(&first), Some(&last)) = (text.first(), text.last()) else {
        return 0;
    };
    // A CR ends a line; an LF directly after a CR does not end another. So the boundary between two bytes ends a line
    // if the first of them is a CR or the second is an LF, and it ends only one line if both are so.
    let is_end = |before: u8, byte: u8| u8::from((before == b'\r') | (byte == b'\n'));
    let mut count = u64::from(first == b'\n' && !after_cr) + u64::from(last == b'\r');
    for (befores, bytes) in text
        .chunks(SUMMED_BYTES)
        .zip(text[1..].chunks(SUMMED_BYTES))
    {
        let ends = befores.iter().zip(bytes);
        let sum = ends.fold(0, |sum: u8, (&before, &byte)| sum + is_end(before, byte));
        count += u64::from(sum);
    }
    count
}

/// Number of bytes whose line ends are counted in one byte, which the compiler does in all lanes of a vector. As a
/// multiple of the length of a vector, it leaves no rest.
const SUMMED_BYTES: usize = 224;

/// A run of corrections between offsets in the buffered text and offsets in the input, one for each replaced
/// sequence.
///
/// Sequences at equal distances and with equal differences share one entry, so that a document full of ill-formed
/// bytes does not fill the memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// The first offset that is corrected, and the sum of all corrections there, modulo 2^32.
    pub(super) mark: BufferOffset,
    by: u32,
    /// The run has `count` corrections, `stride` bytes apart. Each adds `each` bytes to the sum.
    count: u32,
    stride: u16,
    pub(super) each: i8,
}

impl Shift {
    /// Returns the sum of all corrections at `mark`, which must not precede the run.
    fn at(&self, mark: BufferOffset) -> u32 {
        let passed = (mark - self.mark)
            .checked_div(u32::from(self.stride))
            .unwrap_or(0);
        let passed = passed.min(self.count - 1);
        self.by
            .wrapping_add((i32::from(self.each) as u32).wrapping_mul(passed))
    }

    /// Adapts the run after the buffered text before `by` was discarded. `folded` is the sum of all corrections up to
    /// `by`, which [`LineIndex::base`] now contains. Returns false if the run has no corrections left.
    pub(super) fn rebase(&mut self, by: BufferOffset, folded: u32) -> bool {
        if self.last() <= by {
            return false;
        }
        if self.mark <= by {
            let passed = (by - self.mark) / u32::from(self.stride) + 1;
            self.by = self.at(self.mark + passed * u32::from(self.stride));
            self.mark += passed * u32::from(self.stride);
            self.count -= passed;
        }
        self.mark -= by.get();
        self.by = self.by.wrapping_sub(folded);
        true
    }

    /// Returns the offset of the last correction of the run.
    pub(super) fn last(&self) -> BufferOffset {
        self.mark + (self.count - 1) * u32::from(self.stride)
    }

    /// Returns the offsets after `start`, in the buffered text, at which this run corrects offsets: there, the distance
    /// between the buffered text and the input changes.
    pub(super) fn marks_after(&self, start: BufferOffset) -> impl Iterator<Item = BufferOffset> {
        let (mark, stride) = (self.mark, u32::from(self.stride));
        let passed = match mark <= start {
            true => (start - mark).checked_div(stride).unwrap_or(0) + 1,
            false => 0,
        };
        (passed..self.count).map(move |index| mark + index * stride)
    }
}

/// Returns the sum of all corrections at `mark`: the number of bytes by which the input up to `mark` is longer than the
/// buffered text up to `mark`, modulo 2^32.
pub(super) fn shift(shifts: &[Shift], mark: BufferOffset) -> u32 {
    let before = shifts.partition_point(|shift| shift.mark <= mark);
    if before > 0 {
        shifts[before - 1].at(mark)
    } else {
        0
    }
}

/// Adds a correction of `each` bytes from `mark` on. `mark` must follow all earlier corrections.
pub(super) fn push(shifts: &mut Vec<Shift>, mark: BufferOffset, each: i8) {
    let mut total = i32::from(each) as u32;
    if let Some(last) = shifts.last_mut() {
        total = total.wrapping_add(last.at(mark));
        let distance = mark - last.last();
        let fits = u16::try_from(distance).is_ok_and(|distance| {
            let equal = last.count == 1 || distance == last.stride;
            if equal && each == last.each {
                last.stride = distance;
            }
            equal && each == last.each
        });
        if fits {
            last.count += 1;
            return;
        }
    }
    shifts.push(Shift {
        mark,
        by: total,
        count: 1,
        stride: 0,
        each,
    });
}

/// Returns the corrections between two offsets, relative to `from`.
pub(super) fn section(shifts: &[Shift], from: BufferOffset, to: BufferOffset) -> Vec<Shift> {
    // The runs are in order, so a binary search finds both ends.
    let folded = shift(shifts, from);
    let first = shifts.partition_point(|shift| shift.last() <= from);
    let end = shifts.partition_point(|shift| shift.mark <= to);
    let mut inside = Vec::from(&shifts[first..end.max(first)]);
    inside.retain_mut(|shift| shift.rebase(from, folded));
    inside
}

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
    pub(crate) fn new(base: u64) -> LineIndex {
        LineIndex {
            base,
            shifts: Vec::new(),
            raw: None,
            first: Anchor::START,
            anchors: Vec::new(),
            latest: Latest::default(),
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

    /// Puts `to` bytes of inserted text in front of the text of this index, and increases all its offsets by that
    /// number.
    pub(super) fn follow(&mut self, to: BufferOffset) {
        self.latest = Latest::default();
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
            latest: Latest::default(),
            written: written.map(Box::new),
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
        self.latest = Latest::default();
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
        self.latest = Latest::default();
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
        self.latest = Latest::default();
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
    struct Anchor { mark, line, column, column_utf16, after_cr }
    struct Shift { mark, by, count, stride, each }
    struct LineIndex {
        base, shifts, raw, first, anchors, written
        ; skip latest = Default::default()
    }
}
