//! What became of the bindings in a batch, so that one can ask which were in scope at an event that was read
//! before the machine went on. It must not know what the events are.

use super::{Binding, Bindings, NO_NAMESPACE, XML, XMLNS, brought, is_same};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A binding that is out of scope.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Gone {
    prefix: Box<str>,
    /// The namespace; none if the binding took one away.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    namespace: Option<Arc<str>>,
}

impl Gone {
    /// A binding to one of these namespaces.
    pub(super) fn new(binding: Binding, names: &[Arc<str>]) -> Gone {
        Gone {
            prefix: binding.prefix,
            namespace: brought(names, binding.namespace).cloned(),
        }
    }
}

/// A change, and how many records of the batch come before it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct Change {
    records: usize,
    what: What,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
enum What {
    /// So many bindings came into scope.
    Bound(usize),
    /// These went out of scope, the innermost first.
    Gone(Vec<Gone>),
}

/// The changes of a batch. Where there is no declaration there are none.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct History {
    changes: Vec<Change>,
}

impl History {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// How many changes there are: what to go back to.
    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    /// The changes behind the first so many came to nothing.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.changes.truncate(length);
    }

    /// The batch of so many records is read. What changed behind its last one may still be asked for, as long as
    /// that is the one in hand.
    #[cold]
    pub(crate) fn clear(&mut self, records: usize) {
        self.changes.retain(|change| change.records >= records);
        for change in &mut self.changes {
            change.records = 0;
        }
    }
}

/// Where a change is written down: the history, how many records there are, and the names of namespaces.
pub(crate) struct Now<'q> {
    pub(crate) history: &'q mut History,
    pub(crate) records: usize,
    pub(crate) names: &'q mut Vec<Arc<str>>,
}

impl Now<'_> {
    /// A binding came into scope.
    pub(super) fn bound(&mut self) {
        let records = self.records;
        match self.history.changes.last_mut() {
            Some(Change {
                records: at,
                what: What::Bound(count),
            }) if *at == records => *count += 1,
            _ => self.history.changes.push(Change {
                records,
                what: What::Bound(1),
            }),
        }
    }

    /// Bindings went out of scope, the innermost first.
    pub(super) fn gone(&mut self, gone: Vec<Gone>) {
        self.history.changes.push(Change {
            records: self.records,
            what: What::Gone(gone),
        });
    }
}

impl Bindings {
    /// The namespace of a prefix, or the default one if that is empty, at a record of the batch; none of these is
    /// what was before the first.
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
        let is_later = |change: &&Change| record.is_none_or(|record| change.records > record);
        let (mut length, mut back) = (self.list.len(), Vec::new());
        for change in history.changes.iter().rev().take_while(is_later) {
            match &change.what {
                What::Gone(gone) => back.extend(gone.iter().rev()),
                What::Bound(count) => {
                    let again = back.len().min(*count);
                    back.truncate(back.len() - again);
                    length -= count - again;
                }
            }
        }
        let mut inner = back.into_iter().rev();
        if let Some(found) = inner.find(|gone| is_same(&gone.prefix, prefix)) {
            return found.namespace.as_deref();
        }
        let found = self.among(prefix, length)?;
        match found.namespace {
            NO_NAMESPACE => None,
            index => brought(names, index).map(|name| &**name),
        }
    }

    /// The innermost binding of a prefix among the first so many.
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
