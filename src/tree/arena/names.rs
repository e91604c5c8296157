//! Interned names: names of elements and attributes, and namespace names.
//!
//! A [`NameId`] denotes a name with its prefix and its namespace. Finding the ID of a name is a frequent operation, so
//! there are three ways, from fast to slow: an array indexed by the numbers of HTML's element names (`known`), a small
//! cache indexed by a hash of the name (`recent`), and a hash table of all names (`index`).

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::key::{GOLDEN_RATIO, Key};

use super::index::Index;
use super::texts::{TextRange, Texts};
use crate::tree::namespaces;
use crate::tree::qualified_name::{NamespaceId, QualifiedName, prefix};

/// The ID of an interned name: an index into `Names::records`. Two IDs of a document are equal if the qualified name,
/// the start of its local part and the namespace are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameId(u32);

impl NameId {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name in the table of interned names.
#[derive(Clone, Copy, Debug)]
struct NameRecord {
    key: NameKey,
    qualified: TextRange,
    /// Offset of the local part in `qualified`, in bytes; 0 if the name has no prefix.
    local_start: usize,
    namespace: Option<NamespaceId>,
}

/// The part of a name that is compared first: a few bytes, which are compared faster than strings. For names of up to 16
/// bytes it determines the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NameKey {
    /// The key of the qualified name, or [`Key::EMPTY`] if the name is empty or too long for a key.
    qualified: Key,
    /// The number of the namespace plus one, or 0 for none, and in the highest byte the offset of the local part, if that
    /// is less than 256.
    rest: u64,
}

impl NameKey {
    #[inline(always)]
    fn new(name: &QualifiedName<'_>) -> NameKey {
        let qualified = Key::new(name.qualified.as_bytes());
        NameKey::with(qualified.unwrap_or(Key::EMPTY), name)
    }

    /// Returns the key of a name. `qualified` is the key of the qualified name.
    #[inline(always)]
    fn with(qualified: Key, name: &QualifiedName<'_>) -> NameKey {
        let namespace = name.namespace.map_or(0, |id| u64::from(id.0) + 1);
        NameKey {
            qualified,
            rest: namespace | (name.local_start as u64) << 56,
        }
    }

    /// Returns the index of the name in a cache with 2 to the power of `bits` entries. It does not depend on the
    /// namespace.
    #[inline(always)]
    fn place(self, bits: u32) -> usize {
        self.qualified.place(GOLDEN_RATIO, bits)
    }

    /// Returns whether the key determines the name, so that no other name has the same key.
    #[inline(always)]
    fn is_all(self) -> bool {
        self.qualified.is_all() && self.qualified != Key::EMPTY
    }
}

/// All names of one document, and the names of their namespaces.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The texts of the qualified names.
    strings: Texts,
    /// The names, in the order of their IDs.
    records: Vec<NameRecord>,
    /// Hash table that finds the ID of a name by its string and its namespace.
    index: Index,
    /// A cache of names, indexed by a cheap hash of the key. Each entry is the name that was last looked up with that
    /// hash. Names with the same hash replace each other, and each replacement costs a lookup in `index`. The cache is
    /// empty until there are more than [`MAX_UNCACHED_NAMES`] names.
    recent: Vec<NameId>,
    /// Binary logarithm of the number of entries of `recent`.
    recent_bits: u32,
    /// For each element name of HTML, by its number, the namespace in which the name was last looked up and the ID that
    /// it has there. Empty until the first lookup.
    known: Vec<(Option<NamespaceId>, NameId)>,
    /// The names of the namespaces. The number of a name is the ID of the namespace.
    namespaces: Symbols,
}

/// Maximum number of names in a table that does not use the cache `recent`. With so few names, a comparison with each
/// of them is cheap.
const MAX_UNCACHED_NAMES: usize = 4;

/// Number of bytes that a name counts for the limit on the bytes of a tree, without its text.
const COUNTED_BYTES: usize = 24;

/// Minimum number of cache entries for each name. The number of entries is a power of two and at most 2 to the power of
/// `MAX_CACHE_BITS`, even if there are more names.
const CACHE_ENTRIES_PER_NAME: usize = 4;
const MAX_CACHE_BITS: u32 = 12;

/// The namespaces that have the same IDs in each document, so that a document of HTML stores no namespace.
static NAMESPACES: [&str; 6] = [
    namespaces::XML,
    namespaces::XMLNS,
    namespaces::HTML,
    namespaces::SVG,
    namespaces::MATHML,
    namespaces::XLINK,
];

/// Maximum number of names, and of namespaces, that a document shares with the next one of a series. The next document
/// copies the table when it adds a name, so the table must be small.
const MAX_SHARED_NAMES: usize = 64;

impl Default for Names {
    fn default() -> Self {
        Self {
            strings: Texts::default(),
            records: Vec::new(),
            index: Index::default(),
            recent: Vec::new(),
            recent_bits: 1,
            known: Vec::new(),
            namespaces: Symbols::after(&NAMESPACES),
        }
    }
}

impl Names {
    /// Returns a table without names that has the same namespaces, so that each `NamespaceId` stays valid.
    pub(super) fn without_names(&self) -> Names {
        Names {
            namespaces: self.namespaces.clone(),
            ..Names::default()
        }
    }

    /// Returns the ID of the namespace with this name, and adds the namespace if it is new. Equal names have equal IDs.
    pub(super) fn intern_namespace(names: &mut Arc<Names>, name: &str) -> NamespaceId {
        match names.namespaces.find(name) {
            Some(id) => NamespaceId(id),
            None => NamespaceId(Arc::make_mut(names).namespaces.intern(name)),
        }
    }

    /// Returns the ID of a name, and adds the name to the table if it is new. Equal names have equal IDs.
    #[inline]
    pub(super) fn intern(names: &mut Arc<Names>, name: &QualifiedName<'_>) -> NameId {
        match name.known {
            Some(known) => Names::intern_known(names, name, known),
            None => Names::intern_any(names, name),
        }
    }

    /// Returns the ID of a name that is an element name of HTML. `known` is its number in the table of HTML's element
    /// names.
    #[inline(always)]
    fn intern_known(
        names: &mut Arc<Names>,
        name: &QualifiedName<'_>,
        known: ElementName,
    ) -> NameId {
        match names.known.get(known as usize) {
            Some((namespace, id)) if *namespace == name.namespace => *id,
            _ => Names::add_known(names, name, known),
        }
    }

    /// Returns the ID of an element name of HTML that the array `known` does not contain with this namespace, and adds
    /// the name to the array.
    #[cold]
    fn add_known(names: &mut Arc<Names>, name: &QualifiedName<'_>, known: ElementName) -> NameId {
        let id = Names::intern_any(names, name);
        let names = Arc::make_mut(names);
        names.known.resize(ElementName::ALL.len(), (None, id));
        names.known[known as usize] = (name.namespace, id);
        id
    }

    /// Returns the ID of a name that need not be a name of HTML. The name is looked up in the cache first, and then in
    /// the table of all names, to which a new name is added.
    #[inline]
    fn intern_any(names: &mut Arc<Names>, name: &QualifiedName<'_>) -> NameId {
        Names::intern_inline(names, name)
    }

    /// The same as [`intern`](Names::intern), inlined.
    ///
    /// PERF: where the caller knows that the name has no namespace and no prefix, as for most attributes, the compiler
    /// leaves out their comparisons.
    #[inline(always)]
    pub(super) fn intern_inline(names: &mut Arc<Names>, name: &QualifiedName<'_>) -> NameId {
        let key = NameKey::new(name);
        let place = key.place(names.recent_bits);
        match names.recent.get(place) {
            Some(recent) if names.is_it(*recent, name, key) => *recent,
            _ => Names::look_up(names, name, key, place),
        }
    }

    /// Returns the ID of the name between two indices of a text, and adds the name to the table if it is new. The prefix
    /// of the name ends at the first colon, if `may_have_prefix` is true.
    #[inline(always)]
    pub(super) fn intern_plain(
        names: &mut Arc<Names>,
        (text, from, to): (&str, usize, usize),
        namespace: Option<NamespaceId>,
        may_have_prefix: bool,
    ) -> NameId {
        let qualified = Key::within(text.as_bytes(), from, to).unwrap_or(Key::EMPTY);
        let table = &**names;
        if let Some(&recent) = table
            .recent
            .get(qualified.place(GOLDEN_RATIO, table.recent_bits))
        {
            let key = &table.records[recent.index()].key;
            let in_namespace = namespace.map_or(0, |id| u64::from(id.0) + 1);
            let is_it = match may_have_prefix {
                false => key.rest == in_namespace,
                true => {
                    let has_prefix = key.rest >> 56 != 0;
                    key.rest & !(0xFF << 56) == in_namespace
                        && (has_prefix || !qualified.may_have_colon())
                }
            };
            if is_it
                && key.qualified == qualified
                && (key.is_all() || table.is_text(recent, &text[from..to]))
            {
                return recent;
            }
        }
        let text = &text[from..to];
        Names::look_up_split(names, (text, qualified), namespace, may_have_prefix)
    }

    #[inline(never)]
    fn is_text(&self, id: NameId, text: &str) -> bool {
        self.qualified(id) == text
    }

    /// Finds or adds a name that is not in the cache, as [`look_up`](Self::look_up) does. `qualified` is its key.
    #[inline(never)]
    fn look_up_split(
        names: &mut Arc<Names>,
        (text, qualified): (&str, Key),
        namespace: Option<NamespaceId>,
        may_have_prefix: bool,
    ) -> NameId {
        let name = match may_have_prefix {
            true => QualifiedName::prefixed(text, namespace),
            false => QualifiedName::unprefixed(text, namespace),
        };
        let key = NameKey::with(qualified, &name);
        let place = key.place(names.recent_bits);
        Names::look_up(names, &name, key, place)
    }

    /// Finds or adds a name in the table of all names. If other documents share the table, it is copied only if the
    /// name is new. A name that is found in a shared table is not added to the cache.
    #[inline(never)]
    fn look_up(
        names: &mut Arc<Names>,
        name: &QualifiedName<'_>,
        key: NameKey,
        place: usize,
    ) -> NameId {
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
        if names.records.len() > MAX_UNCACHED_NAMES {
            names.remember(id, place);
        }
        id
    }

    /// Returns true if `id` is the ID of `name`. `key` is the key of `name`, which is computed once for several
    /// comparisons.
    #[inline(always)]
    fn is_it(&self, id: NameId, name: &QualifiedName<'_>, key: NameKey) -> bool {
        let record = self.record(id);
        record.key == key && (key.is_all() || self.is_long(record, name))
    }

    /// Returns true if `record` is that of `name`. Both have the same key, which does not determine the name.
    #[inline(never)]
    fn is_long(&self, record: &NameRecord, name: &QualifiedName<'_>) -> bool {
        record.local_start == name.local_start
            && self.strings.read(record.qualified) == name.qualified
    }

    /// Adds a name to the table and returns its ID. The table must not contain the name yet. `key` is the key of the
    /// name.
    fn add(&mut self, name: &QualifiedName<'_>, key: NameKey) -> NameId {
        let Self {
            strings,
            records,
            index,
            ..
        } = self;
        if records.is_empty() {
            // Nearly every document has at least three names, so that the first allocation is large enough for several.
            *records = Vec::with_capacity(8);
            strings.reserve(64);
        }
        records.push(NameRecord {
            key,
            qualified: strings.store(name.qualified),
            local_start: name.local_start,
            namespace: name.namespace,
        });
        // The hash does not include the start of the local part. Names that differ only in this start have the same
        // hash, but such names are rare.
        NameId(index.add(|id| {
            let record = &records[id as usize];
            (strings.read(record.qualified), record.namespace)
        }))
    }

    /// Stores a name in the cache, at the index `place`. Enlarges the cache first if it is too small for the number of
    /// names.
    fn remember(&mut self, id: NameId, place: usize) {
        if let Some(recent) = self.recent.get_mut(place)
            && (self.records.len() * CACHE_ENTRIES_PER_NAME <= 1 << self.recent_bits
                || self.recent_bits == MAX_CACHE_BITS)
        {
            *recent = id;
            return;
        }
        let places = self.records.len() * CACHE_ENTRIES_PER_NAME * 2;
        self.recent_bits = places.next_power_of_two().ilog2().min(MAX_CACHE_BITS);
        self.recent.clear();
        self.recent.resize(1 << self.recent_bits, id);
        for (number, record) in (0..).zip(&self.records) {
            self.recent[record.key.place(self.recent_bits)] = NameId(number);
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

    /// Returns the IDs of all namespaces that the document has.
    pub(super) fn namespace_ids(&self) -> impl Iterator<Item = NamespaceId> {
        (0..self.namespaces.count() as u32).map(NamespaceId)
    }

    pub(super) fn namespace_name(&self, namespace: NamespaceId) -> &str {
        self.namespaces.read(namespace.0)
    }

    /// Returns the number of bytes of the names and their records. The names of the namespaces are not included.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.strings.len() + self.records.len() * COUNTED_BYTES
    }

    /// Returns true if the table is small enough to be shared with the next document of a series. The next document may
    /// need none of these names, so a large table would waste memory.
    pub(super) fn are_few(&self) -> bool {
        self.records.len() <= MAX_SHARED_NAMES
            && self.namespaces.count() <= MAX_SHARED_NAMES
            && self.strings.len() + self.namespaces.strings.len() <= MAX_SHARED_NAMES * 64
    }

    /// Returns the number of bytes that the table has allocated on the heap.
    pub(super) fn heap_size(&self) -> usize {
        self.strings.heap_size()
            + self.records.capacity() * size_of::<NameRecord>()
            + self.index.heap_size()
            + self.recent.capacity() * size_of::<NameId>()
            + self.known.capacity() * size_of::<(Option<NamespaceId>, NameId)>()
            + self.namespaces.heap_size()
    }

    #[inline]
    fn record(&self, name: NameId) -> &NameRecord {
        &self.records[name.0 as usize]
    }
}

/// Interned strings. Each has a number, in the order of first use.
#[derive(Clone, Debug)]
struct Symbols {
    /// The strings that have the first numbers in each table. They need no allocation.
    first: &'static [&'static str; NAMESPACES.len()],
    /// The texts of all other strings.
    strings: Texts,
    /// Locations of the other strings. The index is the number of the string minus the number of the first ones.
    entries: Vec<TextRange>,
    index: Index,
}

impl Symbols {
    fn after(first: &'static [&'static str; NAMESPACES.len()]) -> Self {
        Self {
            first,
            strings: Texts::default(),
            entries: Vec::new(),
            index: Index::default(),
        }
    }

    /// Returns the number of strings, including the first ones.
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
            + self.entries.capacity() * size_of::<TextRange>()
            + self.index.heap_size()
    }
}

#[cfg(feature = "checkpoints")]
impl Names {
    pub(super) fn has(&self, name: NameId) -> bool {
        (name.0 as usize) < self.records.len()
    }

    /// Builds the hash tables of names that were loaded from a checkpoint, which does not contain the tables. Returns
    /// an error if the loaded data is invalid: for example, if a name refers to a string that does not exist.
    fn validate(&mut self) -> Result<(), crate::checkpoint::Damaged> {
        let Names {
            strings,
            records,
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
        let is_valid = are_names
            && entries
                .iter()
                .all(|entry| of_namespaces.find(*entry).is_some())
            && (1..=MAX_CACHE_BITS).contains(recent_bits)
            && recent.iter().all(|id| id.0 < most)
            && known.iter().all(|(_, id)| id.0 < most);
        if !is_valid {
            return Err(crate::checkpoint::Damaged);
        }
        for _ in 0..entries.len() {
            by_namespace.add(|id| of_namespaces.read(entries[id as usize]));
        }
        for _ in 0..records.len() {
            index.add(|id| {
                let record = &records[id as usize];
                (strings.read(record.qualified), record.namespace)
            });
        }
        Ok(())
    }
}

crate::checkpoint::checkpointable! {
    struct NameId(value);
    struct NameRecord { key, qualified, local_start, namespace }
    struct NameKey { qualified, rest }
    struct Names {
        strings, records, recent, recent_bits, known, namespaces
        ; skip index = Index::default(); then Names::validate
    }
    struct Symbols {
        strings, entries
        ; skip first = &NAMESPACES, index = Index::default()
    }
}
