//! An element that is open as a map: what is known of its fields, and its children that are kept for later. It must
//! not know of types.

use super::cursor::Child;
use crate::event::{Attribute, StartTag};
use crate::seeds::Seeds;
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

/// The children that are kept, in their order.
#[derive(Default)]
struct Waiting<'de> {
    children: Vec<Option<Child<'de>>>,
    /// Those before it are gone.
    from: usize,
    /// The places of those of a name, of as many as are in it.
    places: HashMap<String, VecDeque<usize>, Seeds>,
    placed: usize,
}

/// Which fields with a meaning of their own there are.
#[derive(Clone, Copy, Default)]
pub(super) struct Special {
    has_value: bool,
    has_text: bool,
    /// Whether fields name namespaces.
    has_braces: bool,
}

/// What is known of the fields of types that were read last, which are mostly those that are read next.
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

pub(super) struct Level<'de> {
    fields: &'static [&'static str],
    pub(super) has_value: bool,
    pub(super) has_text: bool,
    has_braces: bool,
    /// Whether the element has `xsi:nil`.
    pub(super) is_nil: bool,
    /// The children that are kept, if there are any.
    waiting: Option<Box<Waiting<'de>>>,
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
pub(super) fn is_nil(tag: &StartTag<'_>) -> bool {
    tag.attributes().any(|one| says_nil(&one))
}

/// Whether an attribute says that of its element.
#[inline]
pub(super) fn says_nil(attribute: &Attribute<'_>) -> bool {
    attribute.name().ends_with("nil")
        && attribute.local_name() == "nil"
        && attribute.namespace() == Some(XSI)
        && matches!(attribute.value(), "true" | "1")
}

/// What is behind the colon of a name, if it has one.
///
/// PERF: names are short: no call of a search.
#[inline]
pub(super) fn local(name: &str) -> &str {
    match name.bytes().rposition(|byte| byte == b':') {
        Some(colon) => &name[colon + 1..],
        None => name,
    }
}

impl<'de> Level<'de> {
    pub(super) fn new(fields: &'static [&'static str], known: &mut Known) -> Level<'de> {
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
    pub(super) fn key_of<'a>(&self, tag: &StartTag<'a>) -> &'a str {
        let name = local(tag.name());
        if !self.has_braces {
            return name;
        }
        self.braced("", tag.namespace(), name).unwrap_or(name)
    }

    /// Writes the field that an attribute is: behind the `@`, its local name, but for `xmlns:p` and `xml:lang`, which
    /// are known by their prefix.
    #[inline]
    pub(super) fn write_key_of(&self, attribute: &Attribute<'_>, key: &mut String) {
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

    /// Keeps a child for later.
    pub(super) fn keep(&mut self, child: Child<'de>) {
        let waiting = self.waiting.get_or_insert_default();
        waiting.children.push(Some(child));
    }

    /// The first of the children that are kept.
    #[inline]
    pub(super) fn first(&mut self) -> Option<Child<'de>> {
        let waiting = self.waiting.as_deref_mut()?;
        while let Some(child) = waiting.children.get_mut(waiting.from) {
            waiting.from += 1;
            if let Some(child) = child.take() {
                return Some(child);
            }
        }
        // All are gone, and so may be what knows of them.
        self.waiting = None;
        None
    }

    /// The next child that is kept, at this place or behind it, which a sequence takes.
    /// Counts those that were looked at.
    pub(super) fn next(
        &mut self,
        filter: &Filter,
        at: &mut usize,
        looked_at: &mut u64,
    ) -> Option<Child<'de>> {
        let mut waiting = self.waiting.take()?;
        let child = self.next_of(&mut waiting, filter, at, looked_at);
        self.waiting = Some(waiting);
        child
    }

    fn next_of(
        &self,
        waiting: &mut Waiting<'de>,
        filter: &Filter,
        at: &mut usize,
        looked_at: &mut u64,
    ) -> Option<Child<'de>> {
        *at = (*at).max(waiting.from);
        if let Filter::Of(name) = filter
            && waiting.children.len() - *at > FEW
        {
            waiting.place(self, looked_at);
            let place = waiting.next_of(name, looked_at)?;
            return waiting.children[place].take();
        }
        while let Some(child) = waiting.children.get_mut(*at) {
            *at += 1;
            *looked_at += 1;
            let takes = match child.as_ref().map(Child::tag) {
                Some(Some(tag)) => self.takes_element(filter, self.key_of(&tag)),
                Some(None) => self.takes_text(filter),
                None => false,
            };
            if takes {
                return child.take();
            }
        }
        None
    }
}

impl<'de> Waiting<'de> {
    /// Says of those that came since where they are.
    fn place(&mut self, level: &Level<'de>, looked_at: &mut u64) {
        for place in self.placed..self.children.len() {
            *looked_at += 1;
            let Some(tag) = self.children[place].as_ref().and_then(Child::tag) else {
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

    /// The place of the next child of this name.
    fn next_of(&mut self, name: &str, looked_at: &mut u64) -> Option<usize> {
        let places = self.places.get_mut(name)?;
        while let Some(place) = places.pop_front() {
            *looked_at += 1;
            if self.children[place].is_some() {
                return Some(place);
            }
        }
        None
    }
}
