//! How many elements are open at an event, counted when somebody asks. It must not know where the events
//! of the batch come from.

use super::record::{Kind, Queue, Record};

impl Queue {
    /// How many elements are open before the event of this index: in a batch whose events are nested.
    pub(crate) fn depth_before(&self, index: usize) -> u64 {
        let passed = &self.records[..index.min(self.records.len())];
        let depth = passed.iter().map(|record| self.opens(record)).sum::<i64>();
        self.depth.saturating_add_signed(depth)
    }

    /// How many elements are open at an event: its own, if it is a tag, is one of them.
    pub(crate) fn depth_at(&self, index: usize) -> u64 {
        let is_start = self
            .records
            .get(index)
            .is_some_and(|record| self.opens(record) > 0);
        self.depth_before(index) + u64::from(is_start)
    }

    /// The same, of the event of a record, if it is one of the batch.
    pub(crate) fn depth_of(&self, record: &Record) -> Option<u64> {
        let from = self.records.as_ptr().addr();
        let index = core::ptr::from_ref(record).addr().checked_sub(from)? / size_of::<Record>();
        (index < self.records.len()).then(|| self.depth_at(index))
    }

    /// The batch is over.
    #[inline]
    pub(super) fn pass_depth(&mut self) {
        self.depth = self.depth_before(self.records.len());
    }

    /// How many elements an event opens.
    #[inline(always)]
    fn opens(&self, record: &Record) -> i64 {
        let kind = match record.kind {
            Kind::Kept => self.kept[record.a as usize].kind(),
            kind => kind,
        };
        i64::from(kind == Kind::Start) - i64::from(kind == Kind::End)
    }
}
