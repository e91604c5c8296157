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

/// A change of the bindings, with its place between two records of the batch.
#[derive(Clone, Debug)]
struct Change {
    /// Number of records of the batch that precede the change.
    records: usize,
    what: ChangeKind,
}

/// The kind of a change.
#[derive(Clone, Debug)]
enum ChangeKind {
    /// This number of bindings came into scope.
    Bound(usize),
    /// These bindings went out of scope, the innermost first.
    Removed(Vec<RemovedBinding>),
}

/// The changes of the bindings in a batch, in order. The list is empty if no binding came into scope or went out of
/// scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    changes: Vec<Change>,
}

impl History {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the number of changes, for [`truncate`](Self::truncate).
    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Removes all changes but the first `length`. The removed changes must cancel each other, and no event may lie
    /// between them.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.changes.truncate(length);
    }

    /// Returns true if a binding of `prefix` goes out of scope directly after the record with the index `record`, or
    /// before the first record if that is `None`.
    pub(crate) fn removes(&self, prefix: &str, record: Option<usize>) -> bool {
        let records = record.map_or(0, |record| record + 1);
        let mut changes = self.changes.iter().filter(|one| one.records == records);
        changes.any(|change| match &change.what {
            ChangeKind::Bound(_) => false,
            ChangeKind::Removed(bindings) => {
                bindings.iter().any(|one| is_same(&one.prefix, prefix))
            }
        })
    }

    /// Starts a new batch after one of `records` records. Changes after its last record are kept: while that record
    /// is the current event, the program may still resolve prefixes at it.
    #[cold]
    pub(crate) fn clear(&mut self, records: usize) {
        self.changes.retain(|change| change.records >= records);
        for change in &mut self.changes {
            change.records = 0;
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
            _ => self.history.changes.push(Change {
                records,
                what: ChangeKind::Bound(1),
            }),
        }
    }

    /// Records that bindings went out of scope, the innermost first.
    pub(super) fn record_removed(&mut self, bindings: Vec<RemovedBinding>) {
        self.history.changes.push(Change {
            records: self.records,
            what: ChangeKind::Removed(bindings),
        });
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
        // Undo the changes after the record. `length` is the number of current bindings that were already in scope,
        // and `back` has the removed bindings that follow them, the innermost last.
        let is_later = |change: &&Change| record.is_none_or(|record| change.records > record);
        let (mut length, mut back) = (self.list.len(), Vec::new());
        for change in history.changes.iter().rev().take_while(is_later) {
            match &change.what {
                ChangeKind::Removed(bindings) => back.extend(bindings.iter().rev()),
                ChangeKind::Bound(count) => {
                    let again = back.len().min(*count);
                    back.truncate(back.len() - again);
                    length -= count - again;
                }
            }
        }
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

crate::checkpoint::checkpointable! {
    struct RemovedBinding { prefix, namespace }
    struct Change { records, what }
    enum ChangeKind { Bound(value), Removed(value) }
    struct History { changes }
}
