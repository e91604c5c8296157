//! History of the namespace bindings in a batch.
//!
//! The tokenizer is ahead of the program: it has read the whole batch when the program looks at its first event. The
//! history records each change of the bindings together with the number of records before the change. To resolve a
//! prefix at an event, [`Bindings::at`] starts from the current bindings and undoes all later changes:
//!
//! ```text
//! input            <a xmlns:p="u">   <p:b>   </p:b>   </a>
//! record           0                 1       2        3
//! changes          Bound(1)                           Removed([p])
//!                  before record 0                    after record 3
//! program                            ^ undoes Removed([p]): `p` is bound to "u"
//! tokenizer                                                  ^ `p` is not bound
//! ```

use super::{Binding, Bindings, NO_NAMESPACE, XML, XMLNS, declared, is_same};
use crate::engine::room::{push_first, reserve_first};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A binding of a prefix that went out of scope in this batch.
#[derive(Clone, Debug)]
pub(super) struct RemovedBinding {
    prefix: Box<str>,
    /// The namespace of the binding, or `None` if the prefix had no namespace, because of `xmlns=""`.
    namespace: Option<Arc<str>>,
}

impl RemovedBinding {
    /// Converts a binding that was removed. `names` are the names that the document declares.
    pub(super) fn new(binding: Binding, names: &[Arc<str>]) -> RemovedBinding {
        RemovedBinding {
            prefix: binding.prefix,
            namespace: declared(names, binding.namespace).cloned(),
        }
    }
}

/// Maximum number of changes, and of removed bindings, for which memory is kept for the next document.
const MAX_KEPT_CHANGES: usize = 256;

/// A change of the bindings, with its place between two records of the batch.
#[derive(Clone, Copy, Debug)]
struct Change {
    /// Number of records of the batch that precede the change.
    records: usize,
    what: ChangeKind,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug)]
enum ChangeKind {
    /// This number of bindings came into scope.
    Bound(usize),
    /// Bindings went out of scope: the next ones of [`History::removed`], up to this index.
    Removed(usize),
}

/// The changes of the bindings in a batch, in order. The list is empty if no binding came into scope or went out of
/// scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    changes: Vec<Change>,
    /// The bindings that went out of scope, in the order of the changes. Those of one change are in the order in which
    /// they were removed, the innermost first.
    removed: Vec<RemovedBinding>,
}

impl History {
    pub(crate) const fn new() -> History {
        History {
            changes: Vec::new(),
            removed: Vec::new(),
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the number of changes, for [`truncate`](Self::truncate).
    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Returns the number of bindings that the first `length` changes have removed.
    fn removed_by(&self, length: usize) -> usize {
        let before = self.changes[..length].iter().rev();
        let mut ends = before.filter_map(|change| match change.what {
            ChangeKind::Bound(_) => None,
            ChangeKind::Removed(end) => Some(end),
        });
        ends.next().unwrap_or(0)
    }

    /// Removes all changes but the first `length`. The removed changes must cancel each other, and no event may lie
    /// between them.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.removed.truncate(self.removed_by(length));
        self.changes.truncate(length);
    }

    /// Returns true if a binding of `prefix` goes out of scope directly after the record with the index `record`, or
    /// before the first record if that is `None`.
    pub(crate) fn removes(&self, prefix: &str, record: Option<usize>) -> bool {
        let records = record.map_or(0, |record| record + 1);
        let first = self.changes.partition_point(|one| one.records < records);
        let end = self.changes.partition_point(|one| one.records <= records);
        let mut removed = self.removed[self.removed_by(first)..self.removed_by(end)].iter();
        removed.any(|one| is_same(&one.prefix, prefix))
    }

    /// Removes all changes, for a new document.
    pub(crate) fn reset(&mut self) {
        self.changes.clear();
        self.removed.clear();
        self.changes.shrink_to(MAX_KEPT_CHANGES);
        self.removed.shrink_to(MAX_KEPT_CHANGES);
    }

    /// Starts a new batch after one of `records` records. Changes after its last record are kept: while that record
    /// is the current event, the program may still resolve prefixes at it.
    #[cold]
    pub(crate) fn clear(&mut self, records: usize) {
        let first = self.changes.partition_point(|one| one.records < records);
        let gone = self.removed_by(first);
        self.removed.drain(..gone);
        self.changes.drain(..first);
        for change in &mut self.changes {
            change.records = 0;
            if let ChangeKind::Removed(end) = &mut change.what {
                *end -= gone;
            }
        }
    }
}

/// A handle for recording a change: the history, the number of records before the change, and the names that the
/// document declares.
pub(crate) struct Now<'q> {
    pub(crate) history: &'q mut History,
    pub(crate) records: usize,
    pub(crate) names: &'q mut Vec<Arc<str>>,
}

impl Now<'_> {
    /// Records that a binding came into scope.
    pub(super) fn record_bound(&mut self) {
        let records = self.records;
        match self.history.changes.last_mut() {
            Some(Change {
                records: at,
                what: ChangeKind::Bound(count),
            }) if *at == records => *count += 1,
            _ => push_first(
                &mut self.history.changes,
                Change {
                    records,
                    what: ChangeKind::Bound(1),
                },
            ),
        }
    }

    /// Makes room for this number of bindings that go out of scope now.
    pub(super) fn expect_removed(&mut self, count: usize) {
        reserve_first(&mut self.history.removed, count);
    }

    /// Adds a binding to those that go out of scope now, the innermost first. [`record_removed`](Self::record_removed)
    /// records the change after the last one.
    pub(super) fn remove(&mut self, binding: Binding) {
        let removed = RemovedBinding::new(binding, self.names);
        self.history.removed.push(removed);
    }

    /// Records that bindings went out of scope.
    pub(super) fn record_removed(&mut self) {
        push_first(
            &mut self.history.changes,
            Change {
                records: self.records,
                what: ChangeKind::Removed(self.history.removed.len()),
            },
        );
    }
}

impl Bindings {
    /// Returns the namespace to which `prefix` was bound at the record with the index `record`, or before the first
    /// record if that is `None`. An empty prefix means the default namespace.
    pub(crate) fn at<'q>(
        &self,
        prefix: &str,
        record: Option<usize>,
        history: &'q History,
        names: &'q [Arc<str>],
    ) -> Option<&'q str> {
        match prefix {
            "xml" => return Some(XML),
            "xmlns" => return Some(XMLNS),
            _ => {}
        }
        let (length, back) = self.undo_after(record, history);
        let mut inner = back.into_iter().rev();
        if let Some(found) = inner.find(|removed| is_same(&removed.prefix, prefix)) {
            return found.namespace.as_deref();
        }
        let found = self.among(prefix, length)?;
        match found.namespace {
            NO_NAMESPACE => None,
            index => declared(names, index).map(|name| &**name),
        }
    }

    /// Undoes the changes after the record with the index `record`, or all changes if that is `None`. Returns the number of
    /// current bindings that were already in scope, and the removed bindings that follow them, the innermost last.
    fn undo_after<'q>(
        &self,
        record: Option<usize>,
        history: &'q History,
    ) -> (usize, Vec<&'q RemovedBinding>) {
        let is_later = |change: &Change| record.is_none_or(|record| change.records > record);
        let (mut length, mut back) = (self.list.len(), Vec::new());
        for (index, change) in history.changes.iter().enumerate().rev() {
            if !is_later(change) {
                break;
            }
            match &change.what {
                ChangeKind::Removed(end) => {
                    let bindings = history.removed_by(index)..*end;
                    back.extend(history.removed[bindings].iter().rev());
                }
                ChangeKind::Bound(count) => {
                    let again = back.len().min(*count);
                    back.truncate(back.len() - again);
                    length -= count - again;
                }
            }
        }
        (length, back)
    }

    /// Returns the prefixes that were bound to a namespace at the record with the index `record`, or before the first record
    /// if that is `None`, in the order of the prefixes, each with its namespace. The prefixes `xml` and `xmlns` are not
    /// included.
    pub(crate) fn all_at<'q>(
        &'q self,
        record: Option<usize>,
        history: &'q History,
        names: &'q [Arc<str>],
    ) -> Vec<(&'q str, &'q str)> {
        let (length, back) = self.undo_after(record, history);
        let outer = self.list[..length].iter();
        let outer = outer.map(|one| {
            (
                &*one.prefix,
                declared(names, one.namespace).map(|name| &**name),
            )
        });
        let inner = back
            .into_iter()
            .map(|one| (&*one.prefix, one.namespace.as_deref()));
        let mut all: Vec<_> = inner.rev().chain(outer.rev()).collect();
        // The sort is stable, so that the innermost binding of each prefix is the first.
        all.sort_by_key(|&(prefix, _)| prefix);
        all.dedup_by_key(|&mut (prefix, _)| prefix);
        let bound = all
            .into_iter()
            .filter_map(|(prefix, namespace)| Some((prefix, namespace?)));
        bound
            .filter(|&(prefix, _)| prefix != "xml" && prefix != "xmlns")
            .collect()
    }

    /// Returns the innermost of the first `length` bindings that binds `prefix`.
    fn among(&self, prefix: &str, length: usize) -> Option<&Binding> {
        let Some(table) = &self.by_prefix else {
            let mut inner = self.list[..length].iter().rev();
            return inner.find(|binding| is_same(&binding.prefix, prefix));
        };
        let mut number = *table.get(prefix)? as usize;
        while number > length {
            number = self.list[number - 1].hidden as usize;
        }
        self.list.get(number.checked_sub(1)?)
    }
}

#[cfg(feature = "checkpoints")]
impl History {
    /// Returns an error if the changes that were loaded are not in order, or do not have all removed bindings.
    fn validate(&mut self) -> Result<(), crate::checkpoint::Damaged> {
        let (mut records, mut removed) = (0, 0);
        for change in &self.changes {
            let end = match change.what {
                ChangeKind::Bound(_) => removed,
                ChangeKind::Removed(end) => end,
            };
            if change.records < records || end < removed {
                return Err(crate::checkpoint::Damaged);
            }
            (records, removed) = (change.records, end);
        }
        match removed == self.removed.len() {
            true => Ok(()),
            false => Err(crate::checkpoint::Damaged),
        }
    }
}

crate::checkpoint::checkpointable! {
    struct RemovedBinding { prefix, namespace }
    struct Change { records, what }
    enum ChangeKind { Bound(value), Removed(value) }
    struct History { changes, removed; then History::validate }
}
