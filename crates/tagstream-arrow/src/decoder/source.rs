//! The input from the start of the current row, for the column of corrupt records.

use bytes::Bytes;
use std::collections::VecDeque;
use std::ops::Range;
use tagstream::{Encoding, TextDecoder};

/// Chunks of the input that may belong to a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    chunks: VecDeque<Bytes>,
    /// Offset in the input of the first byte of the first chunk.
    start: u64,
    /// The encoding of the input, once it is known.
    pub(super) encoding: Option<Encoding>,
}

impl Source {
    /// Creates a source whose first chunk has this offset in the input.
    pub(super) fn starting_at(start: u64) -> Source {
        Source {
            chunks: VecDeque::new(),
            start,
            encoding: None,
        }
    }

    /// Appends a chunk.
    pub(super) fn push(&mut self, chunk: Bytes) {
        if !chunk.is_empty() {
            self.chunks.push_back(chunk);
        }
    }

    /// Discards the input before an offset.
    pub(super) fn discard(&mut self, offset: u64) {
        while let Some(first) = self.chunks.front_mut() {
            let wanted = offset.saturating_sub(self.start);
            if wanted < first.len() as u64 {
                // Fewer bytes than the chunk has.
                let _ = first.split_to(wanted as usize);
                self.start += wanted;
                return;
            }
            self.start += first.len() as u64;
            self.chunks.pop_front();
        }
    }

    /// Returns the text of the input in a range of offsets. Bytes that were discarded are left out.
    pub(super) fn text(&self, range: Range<u64>) -> String {
        let bytes = self.copy(range);
        match self.encoding {
            Some(encoding) if !encoding.is_utf8() => {
                let mut text = String::new();
                TextDecoder::new(encoding).decode(&bytes, true, &mut text);
                text
            }
            _ => String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    fn copy(&self, range: Range<u64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut at = self.start;
        for chunk in &self.chunks {
            let end = at + chunk.len() as u64;
            let (from, to) = (range.start.max(at), range.end.min(end));
            if from < to {
                bytes.extend_from_slice(&chunk[(from - at) as usize..(to - at) as usize]);
            }
            at = end;
        }
        bytes
    }
}
