//! The number of open elements at an event. It is not stored with each record, but counted backwards from the end of
//! the batch when a program asks for it.
//!
//! All functions assume that the events are a tree.

use super::record::{Queue, Record, RecordKind};

impl Queue {
    /// Returns the number of open elements before the record at an index.
    pub(crate) fn depth_before(&self, index: usize) -> u64 {
        self.depth.saturating_add_signed(-self.opened_from(index))
    }

    /// Returns the number of start events minus the number of end events, from the record at an index to the end of
    /// the batch.
    pub(crate) fn opened_from(&self, index: usize) -> i64 {
        let rest = self.records.get(index..).unwrap_or_default();
        rest.iter().map(opens).sum()
    }

    /// Returns the number of open elements at the record at an index. The element of a start or end tag is included.
    pub(crate) fn depth_at(&self, index: usize) -> u64 {
        let opened = self.records.get(index).map_or(0, opens);
        self.depth_before(index) + u64::from(opened > 0)
    }

    /// Returns the number of open elements at a record, or `None` if the record is not in the current batch. The
    /// index of the record follows from its address.
    pub(crate) fn depth_of(&self, record: &Record) -> Option<u64> {
        let from = self.records.as_ptr().addr();
        let index = core::ptr::from_ref(record).addr().checked_sub(from)? / size_of::<Record>();
        (index < self.records.len()).then(|| self.depth_at(index))
    }
}

/// Returns 1 for a start tag, -1 for an end tag and 0 for other events. An event retained from an earlier batch is
/// never a tag.
fn opens(record: &Record) -> i64 {
    i64::from(record.kind == RecordKind::Start) - i64::from(record.kind == RecordKind::End)
}
