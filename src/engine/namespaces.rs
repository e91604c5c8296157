//! Namespaces in XML: the bindings of prefixes to namespace names, and the numbering of these names.
//!
//! The tokenizer passes declarations to [`Bindings::bind`] when an element starts, looks up prefixes with
//! [`Bindings::find`], and removes the bindings of an element with [`Bindings::truncate`] when the element ends.
//! Events refer to a namespace by an index: 0 is no namespace, 1 to 6 are the predefined namespaces, and from 7 on
//! the index refers to the list of names that the document declares (`Queue::namespaces`).
//!
//! While bindings and names are few, they are searched in a list; beyond [`MAX_UNHASHED`], a hash table is used, so
//! that a document with many declarations takes linear time.

mod history;

pub(crate) use history::{History, Now};

use crate::engine::hash_seed::Seeds;
use crate::engine::room::push_first;
use crate::engine::scan::same;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// The namespace to which the prefix `xml` is bound.
pub(crate) const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace of namespace declarations, to which the prefix `xmlns` is bound.
pub(crate) const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The namespaces of elements in HTML documents (HTML, SVG and MathML), and of their attributes.
pub(crate) const HTML: &str = "http://www.w3.org/1999/xhtml";
pub(crate) const SVG: &str = "http://www.w3.org/2000/svg";
pub(crate) const MATHML: &str = "http://www.w3.org/1998/Math/MathML";
pub(crate) const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Indices of predefined namespaces, by which events refer to them. 0 means no namespace.
pub(crate) const NO_NAMESPACE: u32 = 0;
pub(crate) const XML_INDEX: u32 = 1;
pub(crate) const XMLNS_INDEX: u32 = 2;
pub(crate) const HTML_INDEX: u32 = 3;
pub(crate) const SVG_INDEX: u32 = 4;
pub(crate) const MATHML_INDEX: u32 = 5;
pub(crate) const XLINK_INDEX: u32 = 6;

/// Index of the first namespace that a document declares.
const FIRST: u32 = 7;

/// Returns the prefix that an attribute of this name declares, which is empty for the default namespace, or `None` if
/// the attribute is not a namespace declaration.
#[inline(always)]
pub(crate) fn declared_prefix(name: &str) -> Option<&str> {
    match name.strip_prefix("xmlns")? {
        "" => Some(""),
        rest => rest.strip_prefix(':'),
    }
}

/// Returns the part of a name after its first colon, or the whole name if there is no colon.
pub(crate) fn unprefixed(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, rest)| rest)
}

/// Returns whether names in the namespace with this index may have a prefix. Names in no namespace have none. The
/// indices of HTML, SVG and MathML are used for elements of HTML only, where a colon is part of the local name.
#[inline(always)]
pub(crate) fn has_prefixes(index: u32) -> bool {
    !matches!(index, NO_NAMESPACE | HTML_INDEX..=MATHML_INDEX)
}

/// Returns the name of the predefined namespace with this index, or `None` for an index that is not predefined.
#[inline(always)]
pub(crate) fn always(index: u32) -> Option<&'static str> {
    match index {
        XML_INDEX => Some(XML),
        XMLNS_INDEX => Some(XMLNS),
        HTML_INDEX => Some(HTML),
        SVG_INDEX => Some(SVG),
        MATHML_INDEX => Some(MATHML),
        XLINK_INDEX => Some(XLINK),
        _ => None,
    }
}

/// Returns the name of a namespace that the document declares, by its index. `names` is the list of these names.
#[inline(always)]
pub(crate) fn declared(names: &[Arc<str>], index: u32) -> Option<&Arc<str>> {
    names.get(index.wrapping_sub(FIRST) as usize)
}

/// Returns the index of the namespace at a position in the list of names that the document declares.
pub(crate) const fn index_of(place: usize) -> u32 {
    place as u32 + FIRST
}

/// Maximum number of bindings, and of names, that are searched in a list. More are searched in a hash table.
const MAX_UNHASHED: usize = 8;

/// Maximum number of bindings for which memory is kept for the next document.
const MAX_KEPT_BINDINGS: usize = 64;

/// Compares two prefixes. Prefixes are short, so an inline comparison is faster than a call of memcmp.
fn is_same(one: &str, two: &str) -> bool {
    same(one.as_bytes(), two.as_bytes())
}

/// Returns a prefix of one to eight bytes as an integer, in the same byte order as a window of the tokenizer provides
/// it. Returns 0 for any other prefix.
const fn number_of(prefix: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    if prefix.len() > bytes.len() {
        return 0;
    }
    let mut at = 0;
    while at < prefix.len() {
        bytes[at] = prefix[at];
        at += 1;
    }
    u64::from_le_bytes(bytes)
}

/// A binding of a prefix to a namespace, which is in scope.
#[derive(Clone, Debug)]
struct Binding {
    prefix: Box<str>,
    /// The prefix as an integer: see [`number_of`].
    number: u64,
    /// Index of the namespace, or 0 if the declaration removes a binding (`xmlns=""`).
    namespace: u32,
    /// Number of bytes of memory that the binding uses.
    memory_used: usize,
    /// Number of the binding of the same prefix that this binding hides, counted from 1. 0 if there is none, or while
    /// `by_prefix` does not exist.
    hidden: u32,
}

/// The namespace bindings in scope. The innermost is the last.
#[derive(Clone, Debug)]
pub struct Bindings {
    list: Vec<Binding>,
    /// For each prefix, the number of its innermost binding, counted from 1. Created when there are more than
    /// [`MAX_UNHASHED`] bindings.
    by_prefix: Option<Box<HashMap<Box<str>, u32, Seeds>>>,
    /// For each name of a namespace, its index. Created when there are more than [`MAX_UNHASHED`] names.
    by_name: Option<Box<HashMap<Arc<str>, u32, Seeds>>>,
    /// True if two prefixes in scope may be bound to the same namespace.
    has_synonyms: bool,
    /// Index of the default namespace.
    default: u32,
    /// Number of bytes of memory that the bindings use, including their names.
    memory_used: usize,
    /// Total length in bytes of the names of all namespaces that the document has declared, whether they are still
    /// bound or not.
    named: usize,
}

/// Upper bound of the bytes of memory that a binding uses without its prefix and name, including its entries in the
/// tables.
const BINDING_BYTES: usize = 256;

/// While the names of all declared namespaces have at most this number of bytes in total, their length is no reason to
/// remove the names that are no longer bound.
const MAX_STALE_NAME_BYTES: usize = 64 << 10;

impl Bindings {
    pub(crate) fn new() -> Bindings {
        Bindings {
            list: Vec::new(),
            by_prefix: None,
            by_name: None,
            has_synonyms: false,
            default: NO_NAMESPACE,
            memory_used: 0,
            named: 0,
        }
    }

    /// Takes over the buffer of other bindings, to reuse its memory.
    pub(crate) fn inherit(&mut self, other: &mut Bindings) {
        self.list = core::mem::take(&mut other.list);
        self.list.clear();
        self.list.shrink_to(MAX_KEPT_BINDINGS);
    }

    /// Returns the number of bytes of memory that the bindings in scope use, including their names.
    pub(crate) fn memory_used(&self) -> usize {
        // A prefix is stored twice, in the list and in the table.
        self.memory_used
    }

    /// Returns true if the names must be cleaned up: they have more than [`MAX_STALE_NAME_BYTES`] in total, which is
    /// also more than twice the memory that the bindings in scope use.
    #[inline(always)]
    pub(crate) fn is_stale(&self) -> bool {
        self.named > MAX_STALE_NAME_BYTES && self.named / 2 > self.memory_used
    }

    /// Returns the number of bindings in scope. At the end of an element, [`truncate`](Self::truncate) returns to the
    /// number that there was before its start tag.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the index of the default namespace.
    #[inline(always)]
    pub(crate) fn default(&self) -> u32 {
        self.default
    }

    /// Returns the index of the namespace to which `prefix` is bound, or `None` if it is not bound.
    pub(crate) fn find(&self, prefix: &str) -> Option<u32> {
        match prefix {
            "xml" => return Some(XML_INDEX),
            "xmlns" => return Some(XMLNS_INDEX),
            _ => {}
        }
        let binding = match &self.by_prefix {
            Some(table) => &self.list[*table.get(prefix)? as usize - 1],
            None => self
                .list
                .iter()
                .rev()
                .find(|binding| is_same(&binding.prefix, prefix))?,
        };
        (binding.namespace != NO_NAMESPACE).then_some(binding.namespace)
    }

    /// Returns the index of the namespace to which a short prefix is bound, if there are few bindings. `prefix` is
    /// the integer of [`number_of`]. Returns `None` in all other cases and for the prefix `xmlns`; then
    /// [`find`](Self::find) decides.
    #[inline(always)]
    pub(crate) fn find_few(&self, prefix: u64) -> Option<u32> {
        if prefix == number_of(b"xml") {
            return Some(XML_INDEX);
        }
        if self.by_prefix.is_some() || prefix == 0 {
            return None;
        }
        let mut inner = self.list.iter().rev();
        let found = inner.find(|binding| binding.number == prefix)?;
        (found.namespace > XMLNS_INDEX).then_some(found.namespace)
    }

    /// Returns whether two prefixes may be bound to the same namespace. If so, two attributes with different
    /// qualified names may have the same expanded name.
    #[inline(always)]
    pub(crate) fn has_synonyms(&self) -> bool {
        self.has_synonyms
    }

    /// Updates `has_synonyms`. If there are many bindings, the field becomes true without a search.
    fn look_for_synonyms(&mut self) {
        let are_synonyms = |one: &Binding, two: &Binding| {
            one.namespace == two.namespace && one.prefix != two.prefix
        };
        let list = || self.list.iter().filter(|one| !one.prefix.is_empty());
        self.has_synonyms = self.by_prefix.is_some()
            || list().any(|one| list().any(|other| are_synonyms(one, other)));
    }

    /// Binds `prefix` to the namespace `name`. With an empty prefix it sets the default namespace. An empty name
    /// removes the binding.
    pub(crate) fn bind(&mut self, prefix: &str, name: &str, mut now: Now<'_>) {
        let namespace = if name.is_empty() {
            NO_NAMESPACE
        } else {
            self.intern(name, now.names)
        };
        now.record_bound();
        let number = self.list.len() as u32 + 1;
        let mut hidden = 0;
        if let Some(table) = &mut self.by_prefix {
            hidden = table.insert(prefix.into(), number).unwrap_or(0);
        }
        let bytes = BINDING_BYTES + 2 * prefix.len() + name.len();
        self.memory_used += bytes;
        push_first(
            &mut self.list,
            Binding {
                prefix: prefix.into(),
                number: number_of(prefix.as_bytes()),
                namespace,
                memory_used: bytes,
                hidden,
            },
        );
        if self.by_prefix.is_none() && self.list.len() > MAX_UNHASHED {
            let mut table = Box::<HashMap<_, _, _>>::default();
            for (binding, number) in self.list.iter_mut().zip(1..) {
                binding.hidden = table.insert(binding.prefix.clone(), number).unwrap_or(0);
            }
            self.by_prefix = Some(table);
        }
        if prefix.is_empty() {
            self.default = namespace;
        }
        self.look_for_synonyms();
    }

    /// Removes the innermost bindings until `length` are left.
    #[cold]
    pub(crate) fn truncate(&mut self, length: usize, mut now: Now<'_>) {
        let mut is_default_removed = false;
        now.expect_removed(self.list.len().saturating_sub(length));
        while self.list.len() > length {
            let Some(binding) = self.list.pop() else {
                break;
            };
            self.memory_used -= binding.memory_used;
            is_default_removed |= binding.prefix.is_empty();
            if let Some(table) = &mut self.by_prefix {
                if binding.hidden == 0 {
                    table.remove(&binding.prefix);
                } else if let Some(number) = table.get_mut(&binding.prefix) {
                    *number = binding.hidden;
                }
            }
            now.remove(binding);
        }
        now.record_removed();
        if is_default_removed {
            let outer = match &self.by_prefix {
                Some(table) => table.get("").map(|number| &self.list[*number as usize - 1]),
                None => self
                    .list
                    .iter()
                    .rev()
                    .find(|binding| binding.prefix.is_empty()),
            };
            self.default = outer.map_or(NO_NAMESPACE, |binding| binding.namespace);
        }
        self.look_for_synonyms();
    }

    /// Returns the index of a namespace, after adding its name to `names` if the name is new.
    fn intern(&mut self, name: &str, names: &mut Vec<Arc<str>>) -> u32 {
        let known = match (name, &self.by_name) {
            (XML, _) => Some(XML_INDEX),
            (XMLNS, _) => Some(XMLNS_INDEX),
            (_, Some(table)) => table.get(name).copied(),
            (_, None) => names
                .iter()
                .position(|other| &**other == name)
                .map(index_of),
        };
        if let Some(index) = known {
            return index;
        }
        self.named += name.len();
        let name: Arc<str> = Arc::from(name);
        let index = index_of(names.len());
        if let Some(table) = &mut self.by_name {
            table.insert(Arc::clone(&name), index);
        }
        push_first(names, name);
        match &mut self.by_name {
            Some(_) => {}
            None if names.len() > MAX_UNHASHED => {
                let table = names.iter().cloned().zip(FIRST..).collect();
                self.by_name = Some(Box::new(table));
            }
            None => {}
        }
        index
    }

    /// Removes names that are no longer bound, if they are the majority. An endless stream may declare ever new
    /// names. Called only while no event is in the queue, because events refer to names by index.
    #[inline(always)]
    pub(crate) fn forget(&mut self, names: &mut Vec<Arc<str>>) {
        let many = names.len() >= 64 && names.len() / 4 >= self.list.len();
        if many || self.is_stale() {
            self.forget_cold(names);
        }
    }

    #[cold]
    #[inline(never)]
    fn forget_cold(&mut self, names: &mut Vec<Arc<str>>) {
        let old = core::mem::take(names);
        self.by_name = None;
        self.named = 0;
        for index in 0..self.list.len() {
            if let Some(name) = declared(&old, self.list[index].namespace) {
                self.list[index].namespace = self.intern(name, names);
            }
        }
        if let Some(name) = declared(&old, self.default) {
            self.default = self.intern(name, names);
        }
    }
}

crate::checkpoint::checkpointable! {
    struct Binding { prefix, number, namespace, memory_used, hidden }
    struct Bindings { list, by_prefix, by_name, has_synonyms, default, memory_used, named }
}
