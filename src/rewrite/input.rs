//! The buffered input of a rewriter: the chunks that were fed, from the first byte that is not written yet.

use crate::engine::work;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use bytes::Bytes;

/// Chunks below this size are copied into one buffer, so that many small chunks do not need much memory.
const MIN_SHARED_BYTES: usize = 1024;

/// Chunks of the input. A large chunk is shared with the parser.
#[derive(Clone, Debug, Default)]
pub(super) struct InputBuffer {
    /// Each large chunk with its offset in the input.
    chunks: VecDeque<(u64, Bytes)>,
    /// The bytes of small chunks, which follow `chunks`.
    small: Vec<u8>,
    /// Offset in the input of the first buffered byte.
    start: u64,
    /// Offset in the input of the end of the last chunk.
    end: u64,
}

impl InputBuffer {
    pub(super) fn feed(&mut self, chunk: &Bytes) {
        let is_small = chunk.len() < MIN_SHARED_BYTES;
        if (!is_small || self.small.len() >= MIN_SHARED_BYTES) && !self.small.is_empty() {
            let small = Bytes::copy_from_slice(&self.small);
            self.chunks.push_back((self.small_start(), small));
            self.small.clear();
        }
        match is_small {
            true => self.small.extend_from_slice(chunk),
            false => self.chunks.push_back((self.end, chunk.clone())),
        }
        self.end += chunk.len() as u64;
    }

    /// Offset in the input of the bytes of small chunks.
    fn small_start(&self) -> u64 {
        self.end - self.small.len() as u64
    }

    /// Offset in the input of the end of the last chunk.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Discards the chunks that end at or before an offset.
    pub(super) fn discard_to(&mut self, to: u64) {
        while let Some((start, first)) = self.chunks.front() {
            let end = start + first.len() as u64;
            if end > to {
                return;
            }
            self.start = end;
            self.chunks.pop_front();
        }
        if self.end <= to {
            self.small.clear();
            self.start = self.end;
        }
    }

    /// Calls a function with the buffered bytes between two offsets, in order.
    pub(super) fn for_each(&self, from: u64, to: u64, mut visit: impl FnMut(&[u8])) {
        if from >= to {
            return;
        }
        // PERF: most ranges are in the last chunk.
        if let Some((start, last)) = self.chunks.back()
            && *start <= from
            && let Some(part) = last.get((from - start) as usize..(to - start) as usize)
        {
            work::count(1);
            return visit(part);
        }
        let ends_before = |(start, chunk): &(u64, Bytes)| start + chunk.len() as u64 <= from;
        let first = self.chunks.partition_point(ends_before);
        let chunks = self.chunks.range(first..);
        let chunks = chunks.map(|(start, chunk)| (*start, &chunk[..]));
        for (start, chunk) in chunks.chain([(self.small_start(), &self.small[..])]) {
            let end = start + chunk.len() as u64;
            if start >= to {
                return;
            }
            work::count(1);
            if from < end {
                let first = from.max(start) - start;
                visit(&chunk[first as usize..(to.min(end) - start) as usize]);
            }
        }
    }

    /// Returns the buffered bytes between two offsets.
    pub(super) fn range(&self, from: u64, to: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.for_each(from, to, |part| bytes.extend_from_slice(part));
        bytes
    }

    /// Returns the bytes at an offset: at most `N`, and fewer at the end of the input. The rest is zero.
    pub(super) fn peek<const N: usize>(&self, at: u64) -> ([u8; N], usize) {
        let (mut bytes, mut length) = ([0; N], 0);
        self.for_each(at.max(self.start), at.saturating_add(N as u64), |part| {
            bytes[length..length + part.len()].copy_from_slice(part);
            length += part.len();
        });
        (bytes, length)
    }

    /// Returns the last bytes before an offset, at most `most`.
    pub(super) fn before(&self, to: u64, most: usize) -> Vec<u8> {
        self.range(to.saturating_sub(most as u64).max(self.start), to)
    }
}

#[cfg(feature = "checkpoints")]
mod checkpoint {
    use super::{Bytes, InputBuffer, Vec};
    use crate::checkpoint::{Checkpointable, Damaged, Reader, Writer};

    impl Checkpointable for InputBuffer {
        fn save(&self, to: &mut Writer) {
            self.start.save(to);
            self.range(self.start, self.end).save(to);
        }

        fn load(from: &mut Reader<'_>) -> Result<InputBuffer, Damaged> {
            let start = u64::load(from)?;
            let bytes = Vec::<u8>::load(from)?;
            let end = start.checked_add(bytes.len() as u64).ok_or(Damaged)?;
            Ok(InputBuffer {
                chunks: [(start, Bytes::from(bytes))].into(),
                small: Vec::new(),
                start,
                end,
            })
        }
    }
}
