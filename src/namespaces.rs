//! Namespaces in XML: which prefix is bound to which name, at each depth.
//!
//! It must not know how tags are read: the machine hands it declarations and asks for prefixes.

mod history;

use history::Gone;
pub(crate) use history::{History, Now};

use crate::scan::same;
use crate::seeds::Seeds;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// The namespace that the prefix `xml` is bound to.
pub(crate) const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace of namespace declarations.
pub(crate) const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The namespaces of HTML's elements, and of attributes of these.
pub(crate) const HTML: &str = "http://www.w3.org/1999/xhtml";
pub(crate) const SVG: &str = "http://www.w3.org/2000/svg";
pub(crate) const MATHML: &str = "http://www.w3.org/1998/Math/MathML";
pub(crate) const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Index of no namespace, and of those that are always there.
pub(crate) const NO_NAMESPACE: u32 = 0;
pub(crate) const XML_INDEX: u32 = 1;
pub(crate) const XMLNS_INDEX: u32 = 2;
pub(crate) const HTML_INDEX: u32 = 3;
pub(crate) const SVG_INDEX: u32 = 4;
pub(crate) const MATHML_INDEX: u32 = 5;
pub(crate) const XLINK_INDEX: u32 = 6;

/// The index of the first name that a document brings.
const FIRST: u32 = 7;

/// Whether the names in the namespace of an index may have a prefix: in none they have not, and those of
/// elements of HTML may have colons that are letters like others.
#[inline(always)]
pub(crate) fn has_prefixes(index: u32) -> bool {
    !matches!(index, NO_NAMESPACE | HTML_INDEX..=MATHML_INDEX)
}

/// The name of the namespace of an index, if it is one of those that are always there.
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

/// The name of the namespace of an index, where `names` are those that the document brought.
#[inline(always)]
pub(crate) fn brought(names: &[Arc<str>], index: u32) -> Option<&Arc<str>> {
    names.get(index.wrapping_sub(FIRST) as usize)
}

/// The index of the name at a place in the list of those that the document brought.
pub(crate) const fn index_of(place: usize) -> u32 {
    place as u32 + FIRST
}

/// Up to so many bindings or names a list is searched, beyond that a table.
const FEW: usize = 8;

/// Prefixes are short: no call for a comparison.
fn is_same(one: &str, two: &str) -> bool {
    same(one.as_bytes(), two.as_bytes())
}

/// A prefix of one to eight bytes in one number, as a window gives it; zero for any other.
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

/// One declaration in scope.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct Binding {
    prefix: Box<str>,
    /// The prefix in one number, if it is short.
    number: u64,
    namespace: u32,
    /// What it takes of the memory.
    held: usize,
    /// The binding of the same prefix that this one hides, counted from 1.
    hidden: u32,
}

/// The bindings in scope, the innermost last.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Bindings {
    list: Vec<Binding>,
    /// The innermost binding of each prefix, counted from 1; kept once there are many.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    by_prefix: Option<HashMap<Box<str>, u32, Seeds>>,
    /// Index of each namespace's name; kept once there are many.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    by_name: Option<HashMap<Arc<str>, u32, Seeds>>,
    /// Two prefixes, or more, are bound to the same namespace.
    has_synonyms: bool,
    /// The default namespace.
    default: u32,
    /// Bytes that the bindings take, with their names.
    held: usize,
    /// Bytes of the names of namespaces, bound or not.
    named: usize,
}

/// What a binding takes beside prefix and name, all tables included.
const BINDING: usize = 256;

/// So many bytes of names may stay that are not bound any more.
const STALE: usize = 64 << 10;

impl Bindings {
    pub(crate) fn new() -> Bindings {
        Bindings {
            list: Vec::new(),
            by_prefix: None,
            by_name: None,
            has_synonyms: false,
            default: NO_NAMESPACE,
            held: 0,
            named: 0,
        }
    }

    /// Bytes that the bindings in scope take, with the names that they bind to.
    pub(crate) fn held(&self) -> usize {
        // Prefixes are kept twice, in the list and in the table; names in the list of them only.
        self.held
    }

    /// Whether most of the bytes of names are of such as are not bound any more.
    #[inline(always)]
    pub(crate) fn is_stale(&self) -> bool {
        self.named > STALE && self.named / 2 > self.held
    }

    /// How many bindings are in scope: what to go back to at the end of an element.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The default namespace.
    #[inline(always)]
    pub(crate) fn default(&self) -> u32 {
        self.default
    }

    /// The namespace bound to `prefix`.
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

    /// The namespace bound to the prefix that this number stands for, where few are in scope; not that
    /// of declarations.
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

    /// Whether two prefixes may be bound to the same namespace, so that attributes whose names differ
    /// may still be the same.
    #[inline(always)]
    pub(crate) fn has_synonyms(&self) -> bool {
        self.has_synonyms
    }

    fn look_for_synonyms(&mut self) {
        let are_synonyms = |one: &Binding, two: &Binding| {
            one.namespace == two.namespace && one.prefix != two.prefix
        };
        let list = || self.list.iter().filter(|one| !one.prefix.is_empty());
        self.has_synonyms = self.by_prefix.is_some()
            || list().any(|one| list().any(|other| are_synonyms(one, other)));
    }

    /// Binds `prefix`, or the default namespace if that is empty, to the namespace `name`; an empty
    /// name takes the binding away.
    pub(crate) fn bind(&mut self, prefix: &str, name: &str, mut now: Now<'_>) {
        let namespace = if name.is_empty() {
            NO_NAMESPACE
        } else {
            self.intern(name, now.names)
        };
        now.bound();
        let number = self.list.len() as u32 + 1;
        let mut hidden = 0;
        if let Some(table) = &mut self.by_prefix {
            hidden = table.insert(prefix.into(), number).unwrap_or(0);
        }
        let held = BINDING + 2 * prefix.len() + name.len();
        self.held += held;
        self.list.push(Binding {
            prefix: prefix.into(),
            number: number_of(prefix.as_bytes()),
            namespace,
            held,
            hidden,
        });
        if self.by_prefix.is_none() && self.list.len() > FEW {
            let mut table = HashMap::default();
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

    /// Takes bindings away until `length` are left.
    #[cold]
    pub(crate) fn truncate(&mut self, length: usize, mut now: Now<'_>) {
        let mut default_gone = false;
        let mut gone = Vec::with_capacity(self.list.len().saturating_sub(length));
        while self.list.len() > length {
            let Some(binding) = self.list.pop() else {
                break;
            };
            self.held -= binding.held;
            default_gone |= binding.prefix.is_empty();
            if let Some(table) = &mut self.by_prefix {
                if binding.hidden == 0 {
                    table.remove(&binding.prefix);
                } else if let Some(number) = table.get_mut(&binding.prefix) {
                    *number = binding.hidden;
                }
            }
            gone.push(Gone::new(binding, now.names));
        }
        now.gone(gone);
        if default_gone {
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

    /// The index of a namespace's name.
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
        names.push(Arc::clone(&name));
        match &mut self.by_name {
            Some(table) => {
                table.insert(name, index);
            }
            None if names.len() > FEW => {
                self.by_name = Some(names.iter().cloned().zip(FIRST..).collect());
            }
            None => {}
        }
        index
    }

    /// Forgets the names that no binding in scope has, if they are most: an endless stream may name
    /// ever new ones. Called only while no event is in the queue.
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
            if let Some(name) = brought(&old, self.list[index].namespace) {
                self.list[index].namespace = self.intern(name, names);
            }
        }
        if let Some(name) = brought(&old, self.default) {
            self.default = self.intern(name, names);
        }
    }
}
