//! Names, interned: of elements and attributes, of namespaces, of prefixes. It must not know of
//! nodes.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::text::html_element_names::ElementName;
use crate::text::key::Key;

use super::index::Index;
use super::namespaces;
use super::qualified_name::{NamespaceId, QualifiedName, prefix};
use super::strings::{Stored, Strings};

/// An interned name: qualified name, where its local part starts, and namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct NameId(u32);

impl NameId {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the table keeps of a name.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct NameRecord {
    qualified: Stored,
    local_start: usize,
    namespace: Option<NamespaceId>,
}

/// All names of one document.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Names {
    strings: Strings,
    records: Vec<NameRecord>,
    /// By which they are known sooner than by their strings: of names that have none, that of no name.
    keys: Vec<Key>,
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    index: Index,
    /// Names used last, by a cheap hash: most names are met again and again. Those that share a
    /// place only cost each other a look into the index.
    /// It is empty while there are few.
    recent: Vec<NameId>,
    /// It has two to the power of so many places.
    recent_bits: u32,
    /// The names that HTML knows, by their numbers, in the namespace that they were last met in: empty
    /// before the first.
    known: Vec<(Option<NamespaceId>, NameId)>,
    namespaces: Symbols,
}

/// So many names are looked at one by one, without a place for what was used last.
const FEWEST: usize = 4;

/// There are so many places for each name at least, up to two to the power of some number.
const PLACES: usize = 4;
const MOST_BITS: u32 = 12;

/// So many names are given from one document to the next, which copies them if it has another one.
const MOST_SHARED: usize = 64;

/// Spreads the names over the places.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for Names {
    fn default() -> Self {
        Self {
            strings: Strings::default(),
            records: Vec::new(),
            keys: Vec::new(),
            index: Index::default(),
            recent: Vec::new(),
            recent_bits: 1,
            known: Vec::new(),
            namespaces: Symbols::after(&[namespaces::XML, namespaces::XMLNS]),
        }
    }
}

impl Names {
    /// No names, of the same namespaces: their handles hold.
    pub(super) fn without_names(&self) -> Names {
        Names {
            namespaces: self.namespaces.clone(),
            ..Names::default()
        }
    }

    /// The handle of a namespace name; equal names have equal handles.
    pub(super) fn intern_namespace(names: &mut Arc<Names>, name: &str) -> NamespaceId {
        match names.namespaces.find(name) {
            Some(id) => NamespaceId(id),
            None => NamespaceId(Arc::make_mut(names).namespaces.intern(name)),
        }
    }

    /// The handle of a name; equal names have equal handles.
    #[inline]
    pub(super) fn intern(names: &mut Arc<Names>, name: &QualifiedName<'_>) -> NameId {
        match name.known {
            Some(known) => Names::intern_known(names, name, known),
            None => Names::intern_any(names, name),
        }
    }

    /// The same for a name that HTML knows.
    #[inline(always)]
    fn intern_known(
        names: &mut Arc<Names>,
        name: &QualifiedName<'_>,
        known: ElementName,
    ) -> NameId {
        match names.known.get(known as usize) {
            Some((namespace, id)) if *namespace == name.namespace => *id,
            _ => Names::meet_known(names, name, known),
        }
    }

    /// The same for one that is met for the first time in its namespace, or was met in others since.
    #[cold]
    fn meet_known(names: &mut Arc<Names>, name: &QualifiedName<'_>, known: ElementName) -> NameId {
        let id = Names::intern_any(names, name);
        let names = Arc::make_mut(names);
        names.known.resize(ElementName::ALL.len(), (None, id));
        names.known[known as usize] = (name.namespace, id);
        id
    }

    #[inline]
    fn intern_any(names: &mut Arc<Names>, name: &QualifiedName<'_>) -> NameId {
        let key = Key::new(name.qualified.as_bytes()).unwrap_or(Key::EMPTY);
        let place = key.place(MULTIPLIER, names.recent_bits);
        match names.recent.get(place) {
            Some(recent) if names.is_it(*recent, name, key) => *recent,
            _ => Names::look_up(names, name, key, place),
        }
    }

    /// The same by the table of all names. It changes nothing that others have too, unless it must.
    #[inline(never)]
    fn look_up(names: &mut Arc<Names>, name: &QualifiedName<'_>, key: Key, place: usize) -> NameId {
        let found = names.index.find((name.qualified, name.namespace), |id| {
            names.is_it(NameId(id), name, key)
        });
        let (names, id) = match (found, Arc::get_mut(names)) {
            (Some(id), None) => return NameId(id),
            (Some(id), Some(names)) => (names, NameId(id)),
            (None, _) => {
                let names = Arc::make_mut(names);
                let id = names.add(name, key);
                (names, id)
            }
        };
        if names.records.len() > FEWEST {
            names.remember(id, place);
        }
        id
    }

    /// Whether a name is this one, which has this key.
    #[inline(always)]
    fn is_it(&self, id: NameId, name: &QualifiedName<'_>, key: Key) -> bool {
        let index = id.0 as usize;
        let record = &self.records[index];
        self.keys[index] == key
            && record.local_start == name.local_start
            && record.namespace == name.namespace
            && (key.is_all() && key != Key::EMPTY
                || self.strings.read(record.qualified) == name.qualified)
    }

    fn add(&mut self, name: &QualifiedName<'_>, key: Key) -> NameId {
        let Self {
            strings,
            records,
            keys,
            index,
            ..
        } = self;
        if records.is_empty() {
            // Hardly a document has but one name or two.
            records.reserve(8);
            keys.reserve(8);
            strings.reserve(64);
        }
        keys.push(key);
        records.push(NameRecord {
            qualified: strings.store(name.qualified),
            local_start: name.local_start,
            namespace: name.namespace,
        });
        // Names that differ in nothing else but where the local part starts are few.
        NameId(index.add(|id| {
            let record = &records[id as usize];
            (strings.read(record.qualified), record.namespace)
        }))
    }

    /// Takes note that a name was used; makes places for more, if need be.
    fn remember(&mut self, id: NameId, place: usize) {
        if let Some(recent) = self.recent.get_mut(place)
            && (self.records.len() * PLACES <= 1 << self.recent_bits
                || self.recent_bits == MOST_BITS)
        {
            *recent = id;
            return;
        }
        let places = self.records.len() * PLACES * 2;
        self.recent_bits = places.next_power_of_two().ilog2().min(MOST_BITS);
        self.recent.clear();
        self.recent.resize(1 << self.recent_bits, id);
        for (number, key) in (0..).zip(&self.keys) {
            self.recent[key.place(MULTIPLIER, self.recent_bits)] = NameId(number);
        }
    }

    #[inline]
    pub(super) fn qualified(&self, name: NameId) -> &str {
        self.strings.read(self.record(name).qualified)
    }

    pub(super) fn local(&self, name: NameId) -> &str {
        &self.qualified(name)[self.record(name).local_start..]
    }

    pub(super) fn prefix(&self, name: NameId) -> Option<&str> {
        prefix(self.qualified(name), self.record(name).local_start)
    }

    pub(super) fn namespace_id(&self, name: NameId) -> Option<NamespaceId> {
        self.record(name).namespace
    }

    pub(super) fn namespace(&self, name: NameId) -> Option<&str> {
        self.record(name)
            .namespace
            .map(|id| self.namespace_name(id))
    }

    /// The handles of all namespaces.
    pub(super) fn namespace_ids(&self) -> impl Iterator<Item = NamespaceId> {
        (0..self.namespaces.count() as u32).map(NamespaceId)
    }

    pub(super) fn namespace_name(&self, namespace: NamespaceId) -> &str {
        self.namespaces.read(namespace.0)
    }

    /// Bytes that the names take, by length; those of namespaces aside.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.strings.len() + self.records.len() * size_of::<NameRecord>()
    }

    /// Whether they are so few that a further document may have them too, whatever it holds.
    pub(super) fn are_few(&self) -> bool {
        self.records.len() <= MOST_SHARED
            && self.namespaces.count() <= MOST_SHARED
            && self.strings.len() + self.namespaces.strings.len() <= MOST_SHARED * 64
    }

    /// Bytes of memory held.
    pub(super) fn heap_size(&self) -> usize {
        self.strings.heap_size()
            + self.records.capacity() * size_of::<NameRecord>()
            + self.keys.capacity() * size_of::<Key>()
            + self.index.heap_size()
            + self.recent.capacity() * size_of::<NameId>()
            + self.known.capacity() * size_of::<(Option<NamespaceId>, NameId)>()
            + self.namespaces.heap_size()
    }

    #[cfg(feature = "checkpoints")]
    pub(super) fn has(&self, name: NameId) -> bool {
        (name.0 as usize) < self.records.len()
    }

    #[inline]
    fn record(&self, name: NameId) -> &NameRecord {
        &self.records[name.0 as usize]
    }
}

/// Strings with a number each, in order of first use.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct Symbols {
    /// Those that have the first numbers, in every table: nothing is made for them.
    #[cfg_attr(feature = "checkpoints", serde(skip, default = "first_namespaces"))]
    first: &'static [&'static str; 2],
    strings: Strings,
    entries: Vec<Stored>,
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    index: Index,
}

impl Symbols {
    fn after(first: &'static [&'static str; 2]) -> Self {
        Self {
            first,
            strings: Strings::default(),
            entries: Vec::new(),
            index: Index::default(),
        }
    }

    /// How many there are.
    fn count(&self) -> usize {
        self.first.len() + self.entries.len()
    }

    fn find(&self, text: &str) -> Option<u32> {
        if let Some(first) = self.first.iter().position(|first| *first == text) {
            return Some(first as u32);
        }
        let is_it = |id| self.strings.read(self.entries[id as usize]) == text;
        let found = self.index.find(text, is_it)?;
        Some(self.first.len() as u32 + found)
    }

    fn intern(&mut self, text: &str) -> u32 {
        if let Some(id) = self.find(text) {
            return id;
        }
        let Self {
            strings,
            entries,
            index,
            first,
        } = self;
        entries.push(strings.store(text));
        first.len() as u32 + index.add(|id| strings.read(entries[id as usize]))
    }

    fn read(&self, id: u32) -> &str {
        let id = id as usize;
        match self.first.get(id) {
            Some(first) => first,
            None => self.strings.read(self.entries[id - self.first.len()]),
        }
    }

    fn heap_size(&self) -> usize {
        self.strings.heap_size()
            + self.entries.capacity() * size_of::<Stored>()
            + self.index.heap_size()
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::plain!(NameId);

/// Tables of hashes are made anew.
#[cfg(feature = "checkpoints")]
impl crate::saved::Saved for Names {
    fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serde_core::Serialize::serialize(self, to)
    }

    fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<Names, D::Error> {
        let mut names: Names = serde_core::Deserialize::deserialize(from)?;
        match names.index_again() {
            true => Ok(names),
            false => Err(serde_core::de::Error::custom("there is no such name")),
        }
    }
}

#[cfg(feature = "checkpoints")]
impl Names {
    /// Makes the tables of hashes; gives whether all that is referred to is there.
    fn index_again(&mut self) -> bool {
        let Names {
            strings,
            records,
            keys,
            index,
            recent,
            recent_bits,
            known,
            namespaces,
        } = self;
        let known_namespaces = namespaces.count() as u32;
        let Symbols {
            first: _,
            strings: of_namespaces,
            entries,
            index: by_namespace,
        } = namespaces;
        let are_names = records.iter().all(|record| {
            let name = strings.find(record.qualified);
            name.is_some_and(|name| name.is_char_boundary(record.local_start))
                && record.namespace.is_none_or(|id| id.0 < known_namespaces)
        });
        let most = records.len() as u32;
        let is_sound = are_names
            && entries
                .iter()
                .all(|entry| of_namespaces.find(*entry).is_some())
            && keys.len() == records.len()
            && (1..=MOST_BITS).contains(recent_bits)
            && recent.iter().all(|id| id.0 < most)
            && known.iter().all(|(_, id)| id.0 < most);
        if is_sound {
            for _ in 0..entries.len() {
                by_namespace.add(|id| of_namespaces.read(entries[id as usize]));
            }
            for _ in 0..records.len() {
                index.add(|id| {
                    let record = &records[id as usize];
                    (strings.read(record.qualified), record.namespace)
                });
            }
        }
        is_sound
    }
}
#[cfg(feature = "checkpoints")]
fn first_namespaces() -> &'static [&'static str; 2] {
    &[namespaces::XML, namespaces::XMLNS]
}
