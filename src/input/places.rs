//! From marks to places: offsets in the input, lines and columns.
//!
//! Marks are positions in what the parser holds: the carry-over and the chunk behind it. The index
//! knows the line and column of a mark every few kilobytes; a question counts on from there, so that
//! an event that is not asked for its position costs nothing.

use alloc::vec::Vec;
use memchr::{memchr, memchr_iter, memrchr2};

/// How far two anchors are apart, in bytes.
const STRIDE: usize = 4096;

/// The line and column of a mark, all counted from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    pub(crate) mark: u32,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) column_utf16: u64,
    /// The character before is a CR: an LF that follows belongs to its line end.
    after_cr: bool,
}

impl Anchor {
    const START: Anchor = Anchor {
        mark: 0,
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

    fn pass(&mut self, text: &[u8]) {
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
        let characters = line.iter().filter(|&&byte| (byte as i8) >= -0x40).count() as u64;
        let pairs = line.iter().filter(|&&byte| byte >= 0xF0).count() as u64;
        self.column += characters;
        self.column_utf16 += characters + pairs;
        self.after_cr = last == b'\r';
        self.mark += text.len() as u32;
    }
}

/// How many lines end in `text`.
fn line_ends(text: &[u8], after_cr: bool) -> u64 {
    let feeds = memchr_iter(b'\n', text).count() as u64;
    if !after_cr && memchr(b'\r', text).is_none() {
        return feeds;
    }
    let mut count = feeds;
    let mut previous = if after_cr { b'\r' } else { 0 };
    for &byte in text {
        match byte {
            b'\r' => count += 1,
            b'\n' if previous == b'\r' => count -= 1,
            _ => {}
        }
        previous = byte;
    }
    count
}

/// From this mark on, offsets in the input differ from those in the text by so much more.
#[derive(Clone, Copy, Debug)]
struct Shift {
    mark: u32,
    by: i64,
}

/// The offsets and positions of all marks in use.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Offset in the input of mark 0.
    base: u64,
    /// Where ill-formed bytes were replaced; empty but for the rare input.
    shifts: Vec<Shift>,
    anchors: Vec<Anchor>,
    end: Anchor,
}

impl Places {
    /// The places of an input whose text begins at the offset `base`.
    pub(crate) fn new(base: u64) -> Places {
        Places {
            base,
            shifts: Vec::new(),
            anchors: Vec::new(),
            end: Anchor::START,
        }
    }

    /// The places from the mark `from`, which becomes mark 0 and stands at `anchor`, up to `to`.
    pub(crate) fn section(&self, from: u32, to: u32, anchor: Anchor) -> Places {
        let base = self.offset(from);
        let mut shifts = Vec::new();
        if !self.shifts.is_empty() {
            let by = base.wrapping_sub(self.base + u64::from(from)) as i64;
            let inside = self
                .shifts
                .iter()
                .filter(|shift| shift.mark > from && shift.mark <= to);
            shifts.extend(inside.map(|s| Shift {
                mark: s.mark - from,
                by: s.by - by,
            }));
        }
        let end = Anchor { mark: 0, ..anchor };
        Places {
            base,
            shifts,
            anchors: Vec::new(),
            end,
        }
    }

    /// Offset in the input.
    #[inline]
    pub(crate) fn offset(&self, mark: u32) -> u64 {
        let offset = self.base + u64::from(mark);
        if self.shifts.is_empty() {
            offset
        } else {
            self.shifted(mark)
        }
    }

    #[cold]
    fn shifted(&self, mark: u32) -> u64 {
        let before = self.shifts.partition_point(|shift| shift.mark <= mark);
        let by = if before > 0 {
            self.shifts[before - 1].by
        } else {
            0
        };
        (self.base + u64::from(mark)).wrapping_add_signed(by)
    }

    /// The nearest known place at or before `mark`; the text from there to `mark` is held in one
    /// piece by the carry-over or by the chunk, whichever holds `mark`.
    pub(crate) fn anchor(&self, mark: u32) -> Anchor {
        let before = self.anchors.partition_point(|anchor| anchor.mark <= mark);
        if before > 0 {
            self.anchors[before - 1]
        } else {
            self.end
        }
    }

    /// Takes note of a window's text, which follows what was noted so far.
    pub(crate) fn extend(&mut self, text: &[u8]) {
        for block in text.chunks(STRIDE) {
            if self
                .anchors
                .last()
                .is_none_or(|last| self.end.mark - last.mark >= STRIDE as u32)
            {
                self.anchors.push(self.end);
            }
            self.end.pass(block);
        }
    }

    /// A chunk begins here: what follows is not held in one piece with what is before.
    pub(crate) fn border(&mut self) {
        if self
            .anchors
            .last()
            .is_none_or(|last| last.mark != self.end.mark)
        {
            self.anchors.push(self.end);
        }
    }

    /// The `length` bytes noted last stand for `source` bytes of the input.
    pub(crate) fn replaced(&mut self, length: usize, source: usize) {
        let by = self.shifts.last().map_or(0, |shift| shift.by) + source as i64 - length as i64;
        self.shifts.push(Shift {
            mark: self.end.mark,
            by,
        });
    }

    /// The mark `by` becomes mark 0; `dropped` is the text before it, or an end of that.
    pub(crate) fn rebase(&mut self, by: u32, dropped: &[u8]) {
        if by == 0 {
            return;
        }
        let first = if by == self.end.mark {
            self.end
        } else {
            let anchor = self.anchor(by);
            anchor.after(&dropped[dropped.len() - (by - anchor.mark) as usize..])
        };
        let before = self.anchors.partition_point(|anchor| anchor.mark <= by);
        self.anchors.drain(..before.saturating_sub(1));
        match self.anchors.first_mut() {
            Some(anchor) => *anchor = first,
            None => self.anchors.push(first),
        }
        for anchor in &mut self.anchors {
            anchor.mark -= by;
        }
        self.end.mark -= by;
        self.base += u64::from(by);
        if !self.shifts.is_empty() {
            let before = self.shifts.partition_point(|shift| shift.mark <= by);
            let folded = if before > 0 {
                self.shifts[before - 1].by
            } else {
                0
            };
            self.shifts.drain(..before);
            for shift in &mut self.shifts {
                shift.mark -= by;
                shift.by -= folded;
            }
            self.base = self.base.wrapping_add_signed(folded);
        }
    }
}
