//! The methods by which bytes are fed to the input, and taken from the pending chunks.

use super::chunk::{ChunkParts, Piece};
use super::{Input, Refused};
use bytes::{Buf, Bytes};

impl Input {
    /// Appends a chunk to the input, without examining it.
    pub(crate) fn feed(&mut self, chunk: ChunkParts<'_>) {
        self.fed_to_mut().take(chunk);
    }

    /// Appends a chunk to this input.
    pub(super) fn take(&mut self, chunk: ChunkParts<'_>) {
        let length = chunk.len();
        if length == 0 || self.chunks.refusal.is_some() {
            return;
        }
        if *self.chunks.is_text.get_or_insert(chunk.is_text) != chunk.is_text && chunk.is_text {
            self.chunks.text_from.get_or_insert(self.chunks.total);
            self.refuse();
            if self.chunks.refusal.is_some() {
                return;
            }
        }
        self.chunks.total += length as u64;
        self.chunks.unread += length;
        match chunk.bytes {
            Piece::Owned(bytes) => self.put(bytes),
            Piece::Borrowed(bytes) if length >= self.sizes.in_place => {
                self.put(Bytes::copy_from_slice(bytes));
            }
            // PERF: a list that is made of the bytes takes half as many instructions as one that grows.
            Piece::Borrowed(bytes) if self.chunks.staged.capacity() == 0 => {
                self.chunks.staged = bytes.to_vec();
            }
            Piece::Borrowed(bytes) => self.chunks.staged.extend_from_slice(bytes),
        }
    }

    fn put(&mut self, mut bytes: Bytes) {
        if !self.chunks.staged.is_empty() {
            let staged = Bytes::copy_from_slice(&self.chunks.staged);
            self.chunks.staged.clear();
            self.chunks.pending.push_back(staged);
        }
        while bytes.len() > self.sizes.part {
            self.chunks
                .pending
                .push_back(bytes.split_to(self.sizes.part));
        }
        if !bytes.is_empty() {
            self.chunks.pending.push_back(bytes);
        }
    }

    /// Discards pending input that the parser cannot read. Called when the encoding becomes known, and when a string is
    /// fed after bytes. If the encoding is not available in this build, all pending input is discarded. If the encoding
    /// is available and not UTF-8, the first string and all chunks after it are discarded.
    pub(super) fn refuse(&mut self) {
        if self.decoding.decoder.is_none() {
            return;
        }
        let encoding = self.detection.sniffed.map(|sniffed| sniffed.encoding);
        let unavailable = encoding.filter(|encoding| !encoding.is_available());
        let left = match (unavailable, self.chunks.text_from) {
            (Some(encoding), _) => {
                self.chunks.refusal = Some(Refused::Encoding(encoding));
                0
            }
            (None, Some(from)) => {
                self.chunks.refusal = Some(Refused::Text);
                self.chunks.unread - (self.chunks.total - from) as usize
            }
            (None, None) => return,
        };
        self.chunks.unread = left;
        let pending: usize = self.chunks.pending.iter().map(Bytes::len).sum();
        self.chunks.staged.truncate(left.saturating_sub(pending));
        self.chunks.pending.truncate(left);
    }

    /// Returns whether the first non-empty chunk was a string.
    pub(crate) fn is_text(&self) -> bool {
        self.chunks.is_text == Some(true)
    }

    /// Returns the reason why input was discarded unparsed, if it was.
    pub(crate) fn refused(&self) -> Option<Refused> {
        self.chunks.refusal
    }

    /// Records that nothing more will be fed.
    pub(crate) fn finish(&mut self) {
        self.fed_to_mut().chunks.is_finished = true;
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.fed_to().chunks.is_finished
    }

    /// Removes the first `count` bytes of the pending input.
    #[inline(always)]
    pub(super) fn drop_front(&mut self, count: usize) {
        self.chunks.unread -= count;
        // PERF: the usual case for short chunks.
        if self.chunks.pending.is_empty() && count == self.chunks.staged.len() {
            self.chunks.staged.clear();
        } else {
            self.drop_part(count);
        }
    }

    #[inline(never)]
    fn drop_part(&mut self, mut count: usize) {
        while let Some(piece) = self.chunks.pending.front_mut() {
            let here = count.min(piece.len());
            piece.advance(here);
            count -= here;
            if !piece.is_empty() {
                return;
            }
            self.chunks.pending.pop_front();
        }
        if count == self.chunks.staged.len() {
            self.chunks.staged.clear();
        } else if count > 0 {
            // Move the remaining staged bytes into a chunk once. Otherwise they would be moved again for each
            // ill-formed sequence among them.
            self.chunks
                .pending
                .push_back(Bytes::copy_from_slice(&self.chunks.staged[count..]));
            self.chunks.staged.clear();
        }
    }
}
