//! What was fed and waits to be read.

use super::Input;
use super::chunk::{Given, Piece};
use bytes::{Buf, Bytes};

impl Input {
    /// Takes a chunk without looking at it.
    pub(crate) fn feed(&mut self, chunk: Given<'_>) {
        let length = chunk.len();
        if length == 0 || self.is_refused {
            return;
        }
        if *self.is_text.get_or_insert(chunk.is_text) != chunk.is_text && chunk.is_text {
            self.text_from.get_or_insert(self.fed);
            self.refuse();
            if self.is_refused {
                return;
            }
        }
        self.fed += length as u64;
        self.unread += length;
        match chunk.bytes {
            Piece::Owned(bytes) => self.put(bytes),
            Piece::Lent(bytes) if length >= self.sizes.in_place => {
                self.put(Bytes::copy_from_slice(bytes));
            }
            Piece::Lent(bytes) => self.staged.extend_from_slice(bytes),
        }
    }

    fn put(&mut self, mut bytes: Bytes) {
        if !self.staged.is_empty() {
            let staged = Bytes::copy_from_slice(&self.staged);
            self.staged.clear();
            self.pending.push_back(staged);
        }
        while bytes.len() > self.sizes.part {
            self.pending.push_back(bytes.split_to(self.sizes.part));
        }
        if !bytes.is_empty() {
            self.pending.push_back(bytes);
        }
    }

    /// Drops the first string and what follows it, if the encoding is known to be another than that of
    /// strings.
    pub(super) fn refuse(&mut self) {
        if self.decoder.is_none() {
            return;
        }
        let Some(from) = self.text_from else { return };
        self.is_refused = true;
        let mut left = self.unread - (self.fed - from) as usize;
        self.unread = left;
        for piece in &mut self.pending {
            piece.truncate(left);
            left -= piece.len();
        }
        self.staged.truncate(left);
        self.pending.retain(|piece| !piece.is_empty());
    }

    /// Whether the first chunk was a string.
    pub(crate) fn is_text(&self) -> bool {
        self.is_text == Some(true)
    }

    /// Whether all is read up to a string that could not be.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// Nothing more will be fed.
    pub(crate) fn finish(&mut self) {
        self.finished = true;
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Takes bytes off the beginning of what waits.
    pub(super) fn drop_front(&mut self, mut count: usize) {
        self.unread -= count;
        while let Some(piece) = self.pending.front_mut() {
            let here = count.min(piece.len());
            piece.advance(here);
            count -= here;
            if !piece.is_empty() {
                return;
            }
            self.pending.pop_front();
        }
        if count == self.staged.len() {
            self.staged.clear();
        } else if count > 0 {
            // What is left is moved once, and not again for each ill-formed sequence in it.
            self.pending
                .push_back(Bytes::copy_from_slice(&self.staged[count..]));
            self.staged.clear();
        }
    }
}
