//! From marks to places: offsets in the input, lines and columns.
//!
//! Marks are positions in what the parser holds: the retained bytes and the chunk behind it. The index
//! knows the line and column of a mark every few kilobytes; a question counts on from there, so that
//! an event that is not asked for its position costs nothing.

use super::Mark;
use super::encoding::Encoding;
use super::latest::Latest;
use super::raw::{Raw, Side};
use super::sizes::Sizes;
use super::written::Written;
use crate::scan::lines;
use alloc::boxed::Box;
use alloc::vec::Vec;
use memchr::{memchr, memchr_iter, memrchr2};

/// The line and column of a mark, all counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Anchor {
    pub(crate) mark: Mark,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) column_utf16: u64,
    /// The character before is a CR: an LF that follows belongs to its line end.
    pub(crate) after_cr: bool,
}

impl Anchor {
    pub(crate) const START: Anchor = Anchor {
        mark: Mark::ZERO,
        line: 1,
        column: 1,
        column_utf16: 1,
        after_cr: false,
    };

    /// The place after `text`, which begins here.
    pub(crate) fn after(mut self, text: &[u8]) -> Anchor {
        self.pass(text);
        self
    }

    /// A byte goes by that stands for a character which ends no line.
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

    /// The first `length` bytes of `text` go by, if these are few without CR; else says no.
    ///
    /// PERF: what stands between two events is short, and has no call of a search.
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
        let line = match memrchr2(b'\n', b'\r', text) {
            None => text,
            Some(at) => {
                self.line += line_ends(&text[..=at], self.after_cr);
                self.column = 1;
                self.column_utf16 = 1;
                &text[at + 1..]
            }
        };
        let (characters, units) = lengths(line);
        self.column += characters;
        self.column_utf16 += units;
        self.after_cr = last == b'\r';
        self.mark += text.len() as u32;
    }
}

/// How many characters a line has, and how many units it has in UTF-16.
fn lengths(line: &[u8]) -> (u64, u64) {
    if line.is_ascii() {
        return (line.len() as u64, line.len() as u64);
    }
    // Sums that fit in a byte keep vectors full.
    let (mut characters, mut pairs) = (0, 0);
    for part in line.chunks(255) {
        let (mut first, mut long) = (0u8, 0u8);
        for &byte in part {
            first += u8::from((byte as i8) >= -0x40);
            long += u8::from(byte >= 0xF0);
        }
        characters += u64::from(first);
        pairs += u64::from(long);
    }
    (characters, characters + pairs)
}

/// How many lines end in `text`.
fn line_ends(text: &[u8], after_cr: bool) -> u64 {
    if !after_cr && memchr(b'\r', text).is_none() {
        return memchr_iter(b'\n', text).count() as u64;
    }
    // A CR ends a line, and an LF that comes after none. Sums that fit in a byte keep vectors full.
    let Some(&first) = text.first() else { return 0 };
    let mut count = u64::from(ends_line(if after_cr { b'\r' } else { 0 }, first));
    for (befores, bytes) in text.chunks(255).zip(text[1..].chunks(255)) {
        let mut ends = 0u8;
        for (&before, &byte) in befores.iter().zip(bytes) {
            ends += u8::from(ends_line(before, byte));
        }
        count += u64::from(ends);
    }
    count
}

/// Whether a byte ends a line, after another one.
fn ends_line(before: u8, byte: u8) -> bool {
    (byte == b'\r') | (byte == b'\n') & (before != b'\r')
}

/// Where ill-formed bytes were replaced: marks from which on offsets in the input differ from those in
/// the text. A run of them at equal distances is one entry, so that noise does not fill the memory.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Shift {
    /// The first mark, and how much more the offset is from there on, modulo 2^32.
    pub(super) mark: Mark,
    by: u32,
    /// There are `count` marks in all, each `stride` bytes after the one before, and each adds `each`.
    count: u32,
    stride: u16,
    pub(super) each: i8,
}

impl Shift {
    /// How much more the offset of `mark` is, which is not before the first mark.
    fn at(&self, mark: Mark) -> u32 {
        let passed = (mark - self.mark)
            .checked_div(u32::from(self.stride))
            .unwrap_or(0);
        let passed = passed.min(self.count - 1);
        self.by
            .wrapping_add((i32::from(self.each) as u32).wrapping_mul(passed))
    }

    /// The mark `by` becomes mark 0, where offsets were `folded` more; gives whether marks are left.
    pub(super) fn rebase(&mut self, by: Mark, folded: u32) -> bool {
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

    /// The last of the marks.
    pub(super) fn last(&self) -> Mark {
        self.mark + (self.count - 1) * u32::from(self.stride)
    }

    /// Those of the marks that come after `start`.
    pub(super) fn marks_after(&self, start: Mark) -> impl Iterator<Item = Mark> {
        let (mark, stride) = (self.mark, u32::from(self.stride));
        let passed = match mark <= start {
            true => (start - mark).checked_div(stride).unwrap_or(0) + 1,
            false => 0,
        };
        (passed..self.count).map(move |index| mark + index * stride)
    }
}

/// How much more the offset of `mark` is.
pub(super) fn shift(shifts: &[Shift], mark: Mark) -> u32 {
    let before = shifts.partition_point(|shift| shift.mark <= mark);
    if before > 0 {
        shifts[before - 1].at(mark)
    } else {
        0
    }
}

/// The offsets from `mark` on are `each` more than before; it comes after the marks so far.
pub(super) fn push(shifts: &mut Vec<Shift>, mark: Mark, each: i8) {
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

/// Those from the mark `from`, which becomes mark 0, up to `to`.
pub(super) fn section(shifts: &[Shift], from: Mark, to: Mark) -> Vec<Shift> {
    // They are in order: those before and behind are not looked at one by one.
    let folded = shift(shifts, from);
    let first = shifts.partition_point(|shift| shift.last() <= from);
    let end = shifts.partition_point(|shift| shift.mark <= to);
    let mut inside = Vec::from(&shifts[first..end.max(first)]);
    inside.retain_mut(|shift| shift.rebase(from, folded));
    inside
}

/// A place that is farther away than this is not counted on from: an anchor is nearer.
const NEAR: u32 = Sizes::USUAL.lines as u32;

/// The offsets and positions of all marks in use.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct LineIndex {
    /// Offset in the input of mark 0; in the text decoded from it, where that is not UTF-8.
    base: u64,
    /// Where ill-formed bytes were replaced; empty but for the rare input.
    shifts: Vec<Shift>,
    /// The bytes of the text, if they are not UTF-8.
    raw: Option<Box<Raw>>,
    /// The place of mark 0, and of marks behind it, one every few kilobytes and one where a chunk
    /// begins. Where what is held begins with text that was inserted, the first is that of the byte behind it.
    first: Anchor,
    anchors: Vec<Anchor>,
    /// The place that was asked for last.
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    latest: Latest,
    /// What was written, if line ends that are held were replaced.
    written: Option<Box<Written>>,
}

impl LineIndex {
    /// The places of an input whose text begins at the offset `base`.
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

    /// The places of text that was inserted at a place: all are that one.
    #[cfg(feature = "html")]
    pub(super) fn nowhere(offset: u64, place: Anchor) -> LineIndex {
        let mut lines = LineIndex::new(offset);
        lines.first = Anchor {
            mark: Mark::NONE,
            ..place
        };
        lines
    }

    /// What was inserted up to the mark `to` is held before all that these are the places of.
    pub(super) fn follow(&mut self, to: Mark) {
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

    /// How much of what is held before a mark is in the input.
    #[inline(always)]
    fn passed(&self, mark: Mark) -> u32 {
        mark.saturating_sub(self.first.mark.get()).get()
    }

    /// The first mark with a place of its own, when the mark `by` has become mark 0.
    fn first_after(&self, by: Mark) -> Mark {
        match self.first.mark.is_none() {
            true => Mark::NONE,
            false => self.first.mark.saturating_sub(by.get()),
        }
    }

    /// The places of a text that is held whole.
    pub(crate) fn of(text: &str) -> LineIndex {
        let mut lines = LineIndex::new(0);
        lines.extend(text.as_bytes(), Mark::ZERO, text.len(), Sizes::USUAL.lines);
        lines
    }

    /// The place of a byte of such a text.
    pub(crate) fn place_in(&self, text: &str, at: usize) -> Anchor {
        let anchor = self.anchor(Mark::new(at as u32));
        self.after(anchor, &text.as_bytes()[anchor.mark.index()..at])
    }

    /// The places from the mark `from`, which becomes mark 0 and stands at `anchor`, up to `to`.
    pub(crate) fn section(&self, from: Mark, to: Mark, anchor: Anchor) -> LineIndex {
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

    /// Whether all that is held is in the input as it is read.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        let is_placed = self.first.mark == Mark::ZERO;
        is_placed && self.shifts.is_empty() && self.written.is_none() && self.raw.is_none()
    }

    /// Offset in the input, where something begins or ends.
    #[inline]
    pub(crate) fn offset(&self, mark: Mark, side: Side) -> u64 {
        match self.shifts.is_empty() && self.raw.is_none() {
            true => self.base + u64::from(self.passed(mark)),
            false => self.odd_offset(mark, side),
        }
    }

    #[cold]
    fn odd_offset(&self, mark: Mark, side: Side) -> u64 {
        let text = self.text_offset(mark);
        match &self.raw {
            None => text,
            Some(raw) => raw.offset(text, side),
        }
    }

    /// Offset in the text decoded.
    fn text_offset(&self, mark: Mark) -> u64 {
        let offset = self.base + u64::from(self.passed(mark));
        match self.shifts.is_empty() {
            true => offset,
            false => offset.wrapping_add_signed(i64::from(self.shift(mark) as i32)),
        }
    }

    /// The bytes of the text, in an encoding that is not UTF-8. Where none were taken yet, they begin at
    /// the offset `raw`, behind the text up to the mark `end`.
    pub(super) fn raw(&mut self, encoding: Encoding, end: Mark, raw: u64) -> &mut Raw {
        let text = self.text_offset(end);
        let new = || Box::new(Raw::new(encoding, text, raw));
        self.raw.get_or_insert_with(new)
    }

    /// The same, if any were taken yet.
    pub(super) fn raw_in_hand(&mut self) -> Option<&mut Raw> {
        self.raw.as_deref_mut()
    }

    /// Bytes that were decoded again to say where something stands.
    pub(crate) fn looked_at(&self) -> u64 {
        self.raw.as_ref().map_or(0, |raw| raw.looked_at())
    }

    #[cold]
    fn shift(&self, mark: Mark) -> u32 {
        shift(&self.shifts, mark)
    }

    /// The nearest known place at or before `mark`; the text from there to `mark` is held in one
    /// piece by the retained bytes or by the chunk, whichever holds `mark`.
    pub(crate) fn anchor(&self, mark: Mark) -> Anchor {
        let before = self.anchors.partition_point(|anchor| anchor.mark <= mark);
        if before > 0 {
            self.anchors[before - 1]
        } else {
            self.first
        }
    }

    /// The place of `mark`, which is in `source` or at its end; that begins at the mark `base`.
    ///
    /// It is counted from the place that was asked for before, where that is near: who asks for the
    /// places of all events has each byte counted once.
    #[inline(always)]
    pub(crate) fn place(&self, mark: Mark, source: &str, base: Mark) -> Anchor {
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

    /// A known place before a mark: the one asked for last, if that is nearer than an anchor.
    fn nearer(&self, anchor: Anchor, mark: Mark) -> Anchor {
        match self.latest.get(self.first.line) {
            Some(known) if known.mark > anchor.mark && known.mark <= mark => known,
            _ => anchor,
        }
    }

    /// The same, wherever that is and whatever stands between.
    #[inline(never)]
    fn place_far(&self, mark: Mark, source: &str, base: Mark) -> Anchor {
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
        // Where line ends were replaced, it is not simply counted on.
        if self.written.is_none() {
            self.latest.set(&place, self.first.line);
        }
        place
    }

    /// The place after `text`, which begins at the anchor.
    #[inline]
    pub(crate) fn after(&self, anchor: Anchor, text: &[u8]) -> Anchor {
        let inserted = self.first.mark.saturating_sub(anchor.mark.get());
        let text = text.get(inserted.index()..).unwrap_or_default();
        match &self.written {
            None => anchor.after(text),
            Some(written) => written.after(anchor, text),
        }
    }

    /// Takes note of the text up to the index `to` of the chunk that begins at the mark `shift`: of a
    /// place every `stride` bytes.
    pub(crate) fn extend(&mut self, chunk: &[u8], shift: Mark, to: usize, stride: usize) {
        let mut last = self.anchors.last().copied().unwrap_or(self.first);
        while (shift.index() + to).saturating_sub(last.mark.index()) >= stride {
            let from = last.mark.index_from(shift);
            last = self.after(last, &chunk[from..from + stride]);
            self.anchors.push(last);
        }
    }

    /// The chunk, which begins at the mark `shift`, ends: what follows is not held in one piece with
    /// it.
    pub(crate) fn border(&mut self, chunk: &[u8], shift: Mark) {
        let last = self.anchors.last().copied().unwrap_or(self.first);
        let end = shift + chunk.len() as u32;
        if last.mark < end {
            let known = self.nearer(last, end);
            let rest = &chunk[known.mark.index_from(shift)..];
            self.anchors.push(self.after(known, rest));
        }
    }

    /// What follows the mark `end` is read again.
    pub(crate) fn forget(&mut self, end: Mark) {
        let before = self.anchors.partition_point(|anchor| anchor.mark <= end);
        self.anchors.truncate(before);
        self.latest = Latest::default();
    }

    /// The `length` bytes before `mark` stand for `source` bytes of the input.
    pub(crate) fn replaced(&mut self, mark: Mark, length: usize, source: usize) {
        let each = (source as i64 - length as i64) as i8;
        push(&mut self.shifts, mark, each);
    }

    /// What was written between two marks, unless it is what is read there.
    pub(crate) fn written(&self, from: Mark, to: Mark) -> Option<&str> {
        let written = self.written.as_ref()?;
        Some(written.between(from, to))
    }

    /// Line ends are replaced in what follows the text `held`: from now on what was written is kept.
    pub(super) fn keep_written(&mut self, held: &str) {
        self.latest = Latest::default();
        let new = || Box::new(Written::new(held));
        self.written.get_or_insert_with(new);
    }

    /// More text is held, which was so written.
    pub(super) fn append_written(&mut self, text: &str) {
        if let Some(written) = &mut self.written {
            written.append(text);
        }
    }

    /// The `length` LF before `mark` stand for a line end of `source` bytes.
    pub(super) fn replaced_line_end(&mut self, mark: Mark, length: usize, source: usize) {
        self.replaced(mark, length, source);
        if let Some(written) = &mut self.written {
            written.replaced(mark, length, source);
        }
    }

    /// The mark `by` becomes mark 0; `dropped` is the text before it, or an end of that.
    pub(crate) fn rebase(&mut self, by: Mark, dropped: &[u8]) {
        if by == Mark::ZERO {
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
