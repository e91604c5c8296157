//! An element that is open as a map: what is known of its fields, and its children that are kept for later. It must
//! not know of types.

use super::cursor::Child;
use crate::event::{Attribute, StartTag};
use crate::seeds::Seeds;
use alloc::borrow::ToOwned;
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
struct Waiting {
    children: Vec<Option<(Option<String>, Child)>>,
    /// Those before it are gone.
    from: usize,
    /// The places of those of a name, of as many as are in it.
    places: HashMap<String, VecDeque<usize>, Seeds>,
    placed: usize,
}

pub(super) struct Level {
    fields: &'static [&'static str],
    pub(super) has_value: bool,
    pub(super) has_text: bool,
    /// Whether fields name namespaces.
    has_braces: bool,
    /// Whether the element has `xsi:nil`.
    pub(super) is_nil: bool,
    waiting: Waiting,
}

/// Which children a sequence takes.
pub(super) enum Filter {
    /// Those of this field.
    Of(String),
    /// Those that are of no other field than `$value`.
    Others,
}

/// Whether the tag says that its element is nothing.
pub(super) fn is_nil(tag: &StartTag<'_>) -> bool {
    tag.attributes().any(|one| {
        one.name().ends_with("nil")
            && one.local_name() == "nil"
            && one.namespace() == Some(XSI)
            && matches!(one.value(), "true" | "1")
    })
}

/// What is behind the colon of a name, if it has one.
#[inline]
pub(super) fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

impl Level {
    pub(super) fn new(fields: &'static [&'static str], is_nil: bool) -> Level {
        let mut level = Level {
            fields,
            has_value: false,
            has_text: false,
            has_braces: false,
            is_nil,
            waiting: Waiting::default(),
        };
        for field in fields {
            match field.as_bytes() {
                [b'$', ..] => {
                    level.has_value |= *field == VALUE;
                    level.has_text |= *field == TEXT;
                }
                [b'{', ..] | [b'@', b'{', ..] => level.has_braces = true,
                _ => {}
            }
        }
        level
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
        key.push_str(match name.split_once(':') {
            None | Some(("xmlns" | "xml", _)) => name,
            Some((_, local)) => local,
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
    pub(super) fn keep(&mut self, name: Option<String>, child: Child) {
        self.waiting.children.push(Some((name, child)));
    }

    /// The first of the children that are kept.
    pub(super) fn first(&mut self) -> Option<Child> {
        let waiting = &mut self.waiting;
        while let Some(child) = waiting.children.get_mut(waiting.from) {
            waiting.from += 1;
            if let Some((_, child)) = child.take() {
                return Some(child);
            }
        }
        // All are gone, and so may be what knows of them.
        if waiting.from > 0 {
            *waiting = Waiting::default();
        }
        None
    }

    /// The next child that is kept, at this place or behind it, which a sequence takes.
    pub(super) fn next(&mut self, filter: &Filter, at: &mut usize) -> Option<Child> {
        *at = (*at).max(self.waiting.from);
        if let Filter::Of(name) = filter
            && self.waiting.children.len() - *at > FEW
        {
            self.waiting.place();
            let place = self.waiting.next_of(name)?;
            return Some(self.waiting.children[place].take()?.1);
        }
        while *at < self.waiting.children.len() {
            *at += 1;
            let takes = match &self.waiting.children[*at - 1] {
                Some((Some(name), _)) => self.takes_element(filter, name),
                Some((None, _)) => self.takes_text(filter),
                None => false,
            };
            if takes {
                let taken = self.waiting.children[*at - 1].take();
                return taken.map(|(_, child)| child);
            }
        }
        None
    }
}

impl Waiting {
    /// Says of those that came since where they are.
    fn place(&mut self) {
        for place in self.placed..self.children.len() {
            let Some((Some(name), _)) = &self.children[place] else {
                continue;
            };
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
    fn next_of(&mut self, name: &str) -> Option<usize> {
        let places = self.places.get_mut(name)?;
        while let Some(place) = places.pop_front() {
            if self.children[place].is_some() {
                return Some(place);
            }
        }
        None
    }
}
