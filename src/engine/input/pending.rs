//! The queue of chunks that were fed and not parsed yet.

use crate::engine::on_demand::{Blank, OnDemand};
use alloc::collections::VecDeque;
use bytes::Bytes;

/// A queue of chunks. The first chunk is not in allocated memory, because most inputs of one chunk are short.
#[derive(Clone, Debug)]
pub(super) struct PendingChunks {
    /// The first chunk. `None` if the queue is empty.
    first: Option<Bytes>,
    /// The chunks after the first one.
    rest: OnDemand<VecDeque<Bytes>>,
}

impl PendingChunks {
    pub(super) const fn new() -> PendingChunks {
        PendingChunks {
            first: None,
            rest: OnDemand::NONE,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub(super) fn front(&self) -> Option<&Bytes> {
        self.first.as_ref()
    }

    pub(super) fn front_mut(&mut self) -> Option<&mut Bytes> {
        self.first.as_mut()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Bytes> {
        match index.checked_sub(1) {
            None => self.front(),
            Some(index) => self.rest.get(index),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Bytes> {
        self.first.iter().chain(self.rest.iter())
    }

    pub(super) fn push_back(&mut self, chunk: Bytes) {
        match self.first {
            None => self.first = Some(chunk),
            Some(_) => self.rest.push_back(chunk),
        }
    }

    pub(super) fn push_front(&mut self, chunk: Bytes) {
        if let Some(second) = self.first.replace(chunk) {
            self.rest.push_front(second);
        }
    }

    pub(super) fn pop_front(&mut self) -> Option<Bytes> {
        let first = self.first.take();
        if !self.rest.is_empty() {
            self.first = self.rest.pop_front();
        }
        first
    }

    /// Removes all bytes after the first `length` bytes, and all empty chunks.
    pub(super) fn truncate(&mut self, mut length: usize) {
        let rest = self.rest.get_mut().into_iter().flatten();
        for chunk in self.first.iter_mut().chain(rest) {
            chunk.truncate(length);
            length -= chunk.len();
        }
        if let Some(rest) = self.rest.get_mut() {
            rest.retain(|chunk| !chunk.is_empty());
        }
        if self.first.as_ref().is_some_and(Bytes::is_empty) {
            self.pop_front();
        }
    }

    pub(super) fn clear(&mut self) {
        self.first = None;
        if let Some(rest) = self.rest.get_mut() {
            rest.clear();
        }
    }
}

impl Blank for VecDeque<Bytes> {
    const BLANK: &'static Self = &VecDeque::new();
}

/// Returns the next pending bytes, or an empty slice if there are none.
pub(super) fn front<'p>(pending: &'p PendingChunks, staged: &'p [u8]) -> &'p [u8] {
    pending.front().map_or(staged, |piece| piece)
}

crate::checkpoint::checkpointable! {
    struct PendingChunks { first, rest }
}
