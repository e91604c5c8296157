//! How many elements are open at an event, counted when somebody asks. It must not know where the events
//! of the batch come from.

use super::record::{Kind, Queue, Record};

impl Queue {
    /// How many elements are open before the event of this index: in a batch whose events are nested.
    pub(crate) fn depth_before(&self, index: usize) -> u64 {
        self.depth.saturating_add_signed(-self.opened_from(index))
    }

    /// How many elements the events from this index on open and do not close.
    pub(crate) fn opened_from(&self, index: usize) -> i64 {
        let rest = self.records.get(index..).unwrap_or_default();
        rest.iter().map(opens).sum()
    }

    /// How many elements are open at an event: its own, if it is a tag, is one of them.
    pub(crate) fn depth_at(&self, index: usize) -> u64 {
        let opened = self.records.get(index).map_or(0, opens);
        self.depth_before(index) + u64::from(opened > 0)
    }

    /// The same, of the event of a record, if it is one of the batch.
    pub(crate) fn depth_of(&self, record: &Record) -> Option<u64> {
        let from = self.records.as_ptr().addr();
        let index = core::ptr::from_ref(record).addr().checked_sub(from)? / size_of::<Record>();
        (index < self.records.len()).then(|| self.depth_at(index))
    }
}

/// How many elements an event opens. (What is kept from an earlier batch is no tag.)
fn opens(record: &Record) -> i64 {
    i64::from(record.kind == Kind::Start) - i64::from(record.kind == Kind::End)
}
