//! An element that is read as a map: the fields of the type, and the recorded children that wait for their field.

use super::cursor::{Child, Cursor, Tag, TagAttribute};
use super::tape::Place;
use crate::engine::dialect::Balance;
use crate::engine::hash_seed::Seeds;
use crate::stream::Source;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// The field that all children are, which are no other.
pub(super) const VALUE: &str = "$value";
/// The field that text is, and the variant.
pub(super) const TEXT: &str = "$text";
/// The namespace of `xsi:nil`.
const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
/// With fewer children a table would cost more than looking at each.
const FEW: usize = 16;

/// The children that wait, in their order.
struct Waiting {
    /// Their offsets in the tape; [`TAKEN`] for those that were read.
    children: Vec<usize>,
    /// The place that all of their places are relative to; `None` if each begins with its own.
    base: Option<Place>,
    /// The length of the tape before the first of them.
    top: usize,
    /// The number of children at the front that were read.
    from: usize,
    /// The indices of those of a name, of as many as are in it.
    places: HashMap<String, VecDeque<usize>, Seeds>,
    placed: usize,
}

/// In the place of a child that was read.
const TAKEN: usize = usize::MAX;

/// Which fields with a meaning of their own there are.
#[derive(Clone, Copy, Default)]
pub(super) struct Special {
    has_value: bool,
    has_text: bool,
    /// Whether fields name namespaces.
    has_braces: bool,
}

/// A cache of the fields of recently read types. Most types are read several times in sequence.
///
/// PERF: a cell of a sheet takes 5 % fewer instructions than if they were looked at for each
/// (`valgrind --tool=callgrind`, `benches/peers --only values`).
#[derive(Default)]
pub(super) struct Known([(&'static [&'static str], Special); 8]);

impl Known {
    #[inline]
    pub(super) fn special(&mut self, fields: &'static [&'static str]) -> Special {
        let known = &mut self.0[(fields.as_ptr() as usize >> 4) & 7];
        if !core::ptr::eq(known.0, fields) {
            *known = (fields, Special::of(fields));
        }
        known.1
    }
}

impl Special {
    fn of(fields: &[&str]) -> Special {
        let mut special = Special::default();
        for field in fields {
            match field.as_bytes() {
                [b'$', ..] => {
                    special.has_value |= *field == VALUE;
                    special.has_text |= *field == TEXT;
                }
                [b'{', ..] | [b'@', b'{', ..] => special.has_braces = true,
                _ => {}
            }
        }
        special
    }
}

pub(super) struct Level {
    fields: &'static [&'static str],
    pub(super) has_value: bool,
    pub(super) has_text: bool,
    has_braces: bool,
    /// Whether the element has `xsi:nil`.
    pub(super) is_nil: bool,
    /// The children that wait, if there are any.
    waiting: Option<Box<Waiting>>,
}

/// Which children a sequence takes.
pub(super) enum Filter {
    /// Those of this field.
    Of(String),
    /// Those that are of no other field than `$value`.
    Others,
}

/// Whether the tag says that its element is nothing.
#[inline]
pub(super) fn is_nil<D: Balance, S: Source>(cursor: &Cursor<'_, D, S>, tag: &Tag<'_, '_>) -> bool {
    match tag {
        Tag::Live(tag) => tag
            .attributes()
            .any(|one| says_nil(&TagAttribute::Live(one))),
        Tag::Taped(tag) => cursor.taped_attributes(tag).any(|one| says_nil(&one)),
    }
}

/// Whether an attribute says that of its element.
#[inline]
pub(super) fn says_nil(attribute: &TagAttribute<'_, '_>) -> bool {
    attribute.name().ends_with("nil")
        && local(attribute.name()) == "nil"
        && attribute.namespace() == Some(XSI)
        && matches!(attribute.value(), "true" | "1")
}

/// Returns the part of a name after its colon, or the whole name if it has none.
///
/// PERF: names are short: no call of a search.
#[inline]
pub(super) fn local(name: &str) -> &str {
    match name.bytes().rposition(|byte| byte == b':') {
        Some(colon) => &name[colon + 1..],
        None => name,
    }
}

impl Level {
    pub(super) fn new(fields: &'static [&'static str], known: &mut Known) -> Level {
        let Special {
            has_value,
            has_text,
            has_braces,
        } = known.special(fields);
        Level {
            fields,
            has_value,
            has_text,
            has_braces,
            is_nil: false,
            waiting: None,
        }
    }

    /// The field that names a namespace, if there is one.
    fn braced(&self, sign: &str, namespace: Option<&str>, name: &str) -> Option<&'static str> {
        let namespace = namespace.filter(|_| self.has_braces)?;
        self.fields.iter().copied().find(|field| {
            let rest = field
                .strip_prefix(sign)
                .and_then(|rest| rest.strip_prefix('{'));
            let rest = rest.and_then(|rest| rest.strip_prefix(namespace));
            rest.and_then(|rest| rest.strip_prefix('}')) == Some(name)
        })
    }

    /// The field that an element is.
    #[inline]
    pub(super) fn key_of<'a>(&self, tag: &Tag<'_, 'a>) -> &'a str {
        let name = local(tag.name());
        if !self.has_braces {
            return name;
        }
        self.braced("", tag.namespace(), name).unwrap_or(name)
    }

    /// Writes the name of the field for an attribute: `@` and the local name. The names `xmlns:p` and `xml:lang` keep
    /// their prefix.
    #[inline]
    pub(super) fn write_key_of(&self, attribute: &TagAttribute<'_, '_>, key: &mut String) {
        let name = attribute.name();
        key.clear();
        if self.has_braces
            && let Some(field) = self.braced("@", attribute.namespace(), local(name))
        {
            return key.push_str(field);
        }
        key.push('@');
        key.push_str(match name.bytes().position(|byte| byte == b':') {
            Some(colon) if !matches!(&name[..colon], "xmlns" | "xml") => &name[colon + 1..],
            _ => name,
        });
    }

    /// Whether a child of this name is of a field of its own.
    pub(super) fn has_field(&self, name: &str) -> bool {
        self.fields.contains(&name)
    }

    /// Whether a sequence takes an element.
    pub(super) fn takes_element(&self, filter: &Filter, name: &str) -> bool {
        match filter {
            Filter::Of(own) => own == name,
            Filter::Others => !self.has_field(name),
        }
    }

    /// Whether a sequence takes text.
    pub(super) fn takes_text(&self, filter: &Filter) -> bool {
        matches!(filter, Filter::Others) && !self.has_text
    }

    /// Adds a child that waits, before which the tape had this length.
    pub(super) fn keep(&mut self, child: Child, top: usize) {
        let waiting = self.waiting.get_or_insert_with(|| {
            Box::new(Waiting {
                children: Vec::new(),
                base: child.base,
                top,
                from: 0,
                places: HashMap::default(),
                placed: 0,
            })
        });
        waiting.children.push(child.at);
    }

    /// The first of the children that wait. Discards their part of the tape if there is none.
    #[inline]
    pub(super) fn first<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
    ) -> Option<Child> {
        let waiting = self.waiting.as_deref_mut()?;
        while waiting.from < waiting.children.len() {
            waiting.from += 1;
            if let Some(child) = waiting.take(waiting.from - 1) {
                return Some(child);
            }
        }
        self.forget(cursor);
        None
    }

    /// Discards the children that wait.
    pub(super) fn forget<D: Balance, S: Source>(&mut self, cursor: &mut Cursor<'_, D, S>) {
        if let Some(waiting) = self.waiting.take()
            && waiting.base.is_none()
        {
            cursor.forget(waiting.top);
        }
    }

    /// The next child that waits, at this index or after it, and that a sequence takes.
    /// Counts those that were looked at.
    pub(super) fn next<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
        filter: &Filter,
        at: &mut usize,
    ) -> Option<Child> {
        let mut waiting = self.waiting.take()?;
        let child = self.next_of(&mut waiting, cursor, filter, at);
        self.waiting = Some(waiting);
        child
    }

    fn next_of<D: Balance, S: Source>(
        &self,
        waiting: &mut Waiting,
        cursor: &mut Cursor<'_, D, S>,
        filter: &Filter,
        at: &mut usize,
    ) -> Option<Child> {
        *at = (*at).max(waiting.from);
        if let Filter::Of(name) = filter
            && waiting.children.len() - *at > FEW
        {
            waiting.place(self, cursor);
            return waiting.next_of(name, &mut cursor.looked_at);
        }
        while *at < waiting.children.len() {
            *at += 1;
            cursor.looked_at += 1;
            let Some(child) = waiting.child(*at - 1) else {
                continue;
            };
            let takes = match cursor.tag_of(child) {
                Some(tag) => self.takes_element(filter, self.key_of(&tag)),
                None => self.takes_text(filter),
            };
            if takes {
                return waiting.take(*at - 1);
            }
        }
        None
    }
}

impl Waiting {
    /// The child of an index, if it waits.
    fn child(&self, index: usize) -> Option<Child> {
        let at = self.children[index];
        let base = self.base;
        (at != TAKEN).then_some(Child { at, base })
    }

    /// The same, which waits no longer.
    fn take(&mut self, index: usize) -> Option<Child> {
        let child = self.child(index);
        self.children[index] = TAKEN;
        child
    }

    /// Adds those that came since to the table.
    fn place<D: Balance, S: Source>(&mut self, level: &Level, cursor: &mut Cursor<'_, D, S>) {
        for place in self.placed..self.children.len() {
            cursor.looked_at += 1;
            let Some(tag) = self.child(place).and_then(|child| cursor.tag_of(child)) else {
                continue;
            };
            let name = level.key_of(&tag);
            match self.places.get_mut(name) {
                Some(places) => places.push_back(place),
                None => {
                    self.places.insert(name.to_owned(), [place].into());
                }
            }
        }
        self.placed = self.children.len();
    }

    /// The next child of this name.
    fn next_of(&mut self, name: &str, looked_at: &mut u64) -> Option<Child> {
        while let Some(place) = self.places.get_mut(name)?.pop_front() {
            *looked_at += 1;
            if let Some(child) = self.take(place) {
                return Some(child);
            }
        }
        None
    }
}
