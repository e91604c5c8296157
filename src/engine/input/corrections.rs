//! The differences between offsets in the buffered text and offsets in the input, where a sequence was replaced by one of
//! another length.

use super::buffer_offset::BufferOffset;
use alloc::vec::Vec;

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
    /// `by`, which [`LineIndex`](super::line_index::LineIndex) now contains. Returns false if the run has no corrections left.
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

crate::checkpoint::checkpointable! {
    struct Shift { mark, by, count, stride, each }
}
