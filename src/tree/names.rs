//! Names, interned: of elements and attributes, of namespaces, of prefixes. It must not know of
//! nodes.

use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use crate::text::html_element_names::ElementName;
use crate::text::key::Key;

use super::index::{FEW, Index};
use super::namespaces;
use super::strings::{Stored, Strings};

/// The name of an element or attribute on its way into a tree.
///
/// `N` is the handle by which a [`TreeSink`](super::TreeSink) knows a namespace; for
/// [`Document`](super::Document) that is [`NamespaceId`]. The prefix and the local name are always
/// parts of the qualified name.
#[derive(Clone, Copy, Debug)]
pub struct QualifiedName<'a, N = NamespaceId> {
    qualified: &'a str,
    local_start: usize,
    namespace: Option<N>,
    /// By which the name is found sooner: no other one is given with it in this namespace.
    known: Option<ElementName>,
}

impl<N: PartialEq> PartialEq for QualifiedName<'_, N> {
    fn eq(&self, other: &Self) -> bool {
        (self.qualified, self.local_start) == (other.qualified, other.local_start)
            && self.namespace == other.namespace
    }
}

impl<N: Eq> Eq for QualifiedName<'_, N> {}

impl<N: Hash> Hash for QualifiedName<'_, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.qualified, self.local_start, &self.namespace).hash(state);
    }
}

impl<'a, N> QualifiedName<'a, N> {
    /// A name without namespace; a colon in it is a character like others.
    pub const fn new(name: &'a str) -> Self {
        Self {
            qualified: name,
            local_start: 0,
            namespace: None,
            known: None,
        }
    }

    /// A name in `namespace` and without prefix; a colon in it is a character like others.
    pub const fn unprefixed(name: &'a str, namespace: Option<N>) -> Self {
        Self {
            qualified: name,
            local_start: 0,
            namespace,
            known: None,
        }
    }

    /// The same for a name that HTML knows, in capitals or not: it is the same wherever it has this
    /// number and namespace.
    #[inline(always)]
    pub(crate) fn known(name: &'a str, namespace: N, number: Option<ElementName>) -> Self {
        Self {
            known: number,
            ..Self::unprefixed(name, Some(namespace))
        }
    }

    /// A name in `namespace` whose prefix ends at the first colon; without a colon it has no
    /// prefix.
    pub fn prefixed(qualified: &'a str, namespace: Option<N>) -> Self {
        let local_start = qualified.find(':').map_or(0, |colon| colon + 1);
        Self {
            qualified,
            local_start,
            namespace,
            known: None,
        }
    }

    /// The whole name, as the source has it.
    pub const fn qualified(&self) -> &'a str {
        self.qualified
    }

    /// The part after the prefix.
    pub fn local(&self) -> &'a str {
        &self.qualified[self.local_start..]
    }

    /// The part before the colon.
    pub fn prefix(&self) -> Option<&'a str> {
        prefix(self.qualified, self.local_start)
    }

    /// The namespace.
    pub const fn namespace(&self) -> Option<&N> {
        self.namespace.as_ref()
    }
}

/// A namespace within one [`Document`](super::Document).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamespaceId(u32);

impl NamespaceId {
    /// [`namespaces::XML`], interned first in every table.
    pub(super) const XML: Self = Self(0);
    /// [`namespaces::XMLNS`], interned second.
    pub(super) const XMLNS: Self = Self(1);
}

/// An interned name: qualified name, where its local part starts, and namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameId(u32);

/// An interned prefix; the first is "no prefix".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PrefixId(u32);

impl PrefixId {
    pub(super) const NONE: Self = Self(0);
    /// The prefix `xml`.
    pub(super) const XML: Self = Self(1);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the table keeps of a name.
#[derive(Clone, Copy, Debug)]
struct NameRecord {
    qualified: Stored,
    local_start: usize,
    namespace: Option<NamespaceId>,
    prefix: PrefixId,
}

/// All names of one document.
#[derive(Clone, Debug)]
pub(super) struct Names {
    strings: Strings,
    records: Vec<NameRecord>,
    index: Index,
    /// Names used last, by a cheap hash: most names are met again and again. Those that share a
    /// place only cost each other the memory.
    /// It is empty while there are few.
    recent: Vec<Recent>,
    /// The names that HTML knows, by their numbers, in the namespace that they were last met in: empty
    /// before the first.
    known: Vec<(Option<NamespaceId>, NameId)>,
    namespaces: Symbols,
    prefixes: Symbols,
}

/// How many names are remembered as used lately: two to the power of it.
const RECENT_BITS: u32 = 7;

/// Spreads the names over the places.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// A name used lately, as what is compared of it.
#[derive(Clone, Copy, Debug)]
struct Recent {
    key: Key,
    local_start: usize,
    namespace: Option<NamespaceId>,
    id: NameId,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Self {
            strings: Strings::default(),
            records: Vec::new(),
            index: Index::default(),
            recent: Vec::new(),
            known: Vec::new(),
            namespaces: Symbols::default(),
            prefixes: Symbols::default(),
        };
        names.namespaces.intern(namespaces::XML);
        names.namespaces.intern(namespaces::XMLNS);
        names.prefixes.intern("");
        names.prefixes.intern("xml");
        names
    }
}

impl Names {
    /// The handle of a namespace name; equal names have equal handles.
    pub(super) fn intern_namespace(&mut self, name: &str) -> NamespaceId {
        NamespaceId(self.namespaces.intern(name))
    }

    /// The handle of a namespace name, if anything has used it.
    pub(super) fn find_namespace(&self, name: &str) -> Option<NamespaceId> {
        self.namespaces.find(name).map(NamespaceId)
    }

    /// The handle of a prefix, if any name has it.
    pub(super) fn find_prefix(&self, prefix: &str) -> Option<PrefixId> {
        self.prefixes.find(prefix).map(PrefixId)
    }

    pub(super) fn prefix_name(&self, prefix: PrefixId) -> &str {
        self.prefixes.read(prefix.0)
    }

    /// How many prefixes there are: the bound of [`PrefixId::index`].
    pub(super) fn prefix_count(&self) -> usize {
        self.prefixes.index.count() as usize
    }

    /// The handle of a name; equal names have equal handles.
    #[inline]
    pub(super) fn intern(&mut self, name: &QualifiedName<'_>) -> NameId {
        match name.known {
            Some(known) => self.intern_known(name, known),
            None => self.intern_any(name),
        }
    }

    /// The same for a name that HTML knows.
    #[inline(always)]
    fn intern_known(&mut self, name: &QualifiedName<'_>, known: ElementName) -> NameId {
        match self.known.get(known as usize) {
            Some((namespace, id)) if *namespace == name.namespace => *id,
            _ => self.meet_known(name, known),
        }
    }

    /// The same for one that is met for the first time in its namespace, or was met in others since.
    #[cold]
    fn meet_known(&mut self, name: &QualifiedName<'_>, known: ElementName) -> NameId {
        let id = self.intern_any(name);
        self.known.resize(ElementName::ALL.len(), (None, id));
        self.known[known as usize] = (name.namespace, id);
        id
    }

    fn intern_any(&mut self, name: &QualifiedName<'_>) -> NameId {
        let Some(key) = Key::new(name.qualified.as_bytes()) else {
            return self.look_up(name);
        };
        let place = key.place(MULTIPLIER, RECENT_BITS);
        if let Some(recent) = self.recent.get(place)
            && recent.key == key
            && recent.local_start == name.local_start
            && recent.namespace == name.namespace
            && (key.is_all() || self.qualified(recent.id) == name.qualified)
        {
            return recent.id;
        }
        let id = self.look_up(name);
        if self.records.len() <= FEW as usize {
            // They are as soon looked at one by one.
            return id;
        }
        let (local_start, namespace) = (name.local_start, name.namespace);
        let recent = |key| Recent {
            key,
            local_start,
            namespace,
            id,
        };
        self.recent.resize(1 << RECENT_BITS, recent(Key::EMPTY));
        self.recent[place] = recent(key);
        id
    }

    /// The same by the table of all names.
    #[inline(never)]
    fn look_up(&mut self, name: &QualifiedName<'_>) -> NameId {
        let Self {
            strings,
            records,
            index,
            prefixes,
            ..
        } = self;
        let found = index.find((name.qualified, name.namespace), |id| {
            let record = &records[id as usize];
            record.namespace == name.namespace
                && record.local_start == name.local_start
                && strings.read(record.qualified) == name.qualified
        });
        if let Some(id) = found {
            return NameId(id);
        }
        let prefix = name.prefix();
        records.push(NameRecord {
            qualified: strings.store(name.qualified),
            local_start: name.local_start,
            namespace: name.namespace,
            prefix: prefix.map_or(PrefixId::NONE, |prefix| PrefixId(prefixes.intern(prefix))),
        });
        // Names that differ in nothing else but where the local part starts are few.
        NameId(index.add(|id| {
            let record = &records[id as usize];
            (strings.read(record.qualified), record.namespace)
        }))
    }

    pub(super) fn qualified(&self, name: NameId) -> &str {
        self.strings.read(self.record(name).qualified)
    }

    pub(super) fn local(&self, name: NameId) -> &str {
        &self.qualified(name)[self.record(name).local_start..]
    }

    pub(super) fn prefix(&self, name: NameId) -> Option<&str> {
        prefix(self.qualified(name), self.record(name).local_start)
    }

    pub(super) fn prefix_id(&self, name: NameId) -> PrefixId {
        self.record(name).prefix
    }

    pub(super) fn namespace_id(&self, name: NameId) -> Option<NamespaceId> {
        self.record(name).namespace
    }

    pub(super) fn namespace(&self, name: NameId) -> Option<&str> {
        self.record(name)
            .namespace
            .map(|id| self.namespace_name(id))
    }

    pub(super) fn namespace_name(&self, namespace: NamespaceId) -> &str {
        self.namespaces.read(namespace.0)
    }

    /// Bytes that the names take, by length; those of namespaces aside.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.strings.len() + self.records.len() * size_of::<NameRecord>()
    }

    /// Bytes of memory held.
    pub(super) fn heap_size(&self) -> usize {
        self.strings.heap_size()
            + self.records.capacity() * size_of::<NameRecord>()
            + self.index.heap_size()
            + self.recent.capacity() * size_of::<Recent>()
            + self.known.capacity() * size_of::<(Option<NamespaceId>, NameId)>()
            + self.namespaces.heap_size()
            + self.prefixes.heap_size()
    }

    fn record(&self, name: NameId) -> &NameRecord {
        &self.records[name.0 as usize]
    }
}

/// Strings with a number each, in order of first use.
#[derive(Clone, Debug, Default)]
struct Symbols {
    strings: Strings,
    entries: Vec<Stored>,
    index: Index,
}

impl Symbols {
    fn find(&self, text: &str) -> Option<u32> {
        self.index.find(text, |id| self.read(id) == text)
    }

    fn intern(&mut self, text: &str) -> u32 {
        if let Some(id) = self.find(text) {
            return id;
        }
        let Self {
            strings,
            entries,
            index,
        } = self;
        entries.push(strings.store(text));
        index.add(|id| strings.read(entries[id as usize]))
    }

    fn read(&self, id: u32) -> &str {
        self.strings.read(self.entries[id as usize])
    }

    fn heap_size(&self) -> usize {
        self.strings.heap_size()
            + self.entries.capacity() * size_of::<Stored>()
            + self.index.heap_size()
    }
}

/// The prefix of a name whose local part starts at `local_start`.
fn prefix(qualified: &str, local_start: usize) -> Option<&str> {
    local_start.checked_sub(1).map(|colon| &qualified[..colon])
}
