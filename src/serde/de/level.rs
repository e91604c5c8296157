//! The state of an element that is read as a map: the fields of the Rust type, and the children that were recorded
//! because their field is read later.

use super::blank::Blank;
use super::cursor::{Child, Cursor, Next};
use super::error::{DeError, DeErrorKind};
use super::names::{Namespace, braced, local};
use super::tag::{Tag, TagAttribute};
use super::tape::EventLocation;
use crate::engine::dialect::Balance;
use crate::engine::hash_seed::Seeds;
use crate::stream::Source;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// The name of the field that contains all children that have no field of their own.
pub(super) const VALUE: &str = "$value";
/// The name of the field that contains the text of an element, and of the enum variant that represents text.
pub(super) const TEXT: &str = "$text";
/// The namespace of the attribute `xsi:nil`.
const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
/// Maximum number of recorded children that are examined one by one. More children are found by a hash table of their
/// names; for fewer children, building the table would cost more.
const MAX_SCANNED_CHILDREN: usize = 16;

/// The children of an element that were recorded because their field is read later, in document order.
struct Waiting {
    /// For each child, its byte offset in the tape of recorded events, or [`TAKEN`] if the child has been read.
    children: Vec<usize>,
    /// The location that the locations in all children are relative to; `None` if the record of each child begins with
    /// such a location.
    base: Option<EventLocation>,
    /// Length of the tape, in bytes, before the first child was recorded.
    top: usize,
    /// Number of children at the front of `children` that have been read.
    from: usize,
    /// For each field name, the indices in `children` of the elements with this name.
    indices: HashMap<String, VecDeque<usize>, Seeds>,
    /// Number of children at the front of `children` that have been added to `indices`.
    indexed: usize,
}

/// Value in [`Waiting::children`] that marks a child that has been read.
const TAKEN: usize = usize::MAX;

/// The presence of field names with a special meaning in a Rust type.
#[derive(Clone, Copy, Default)]
pub(super) struct Special {
    /// True if the type has a field `$value`.
    has_value: bool,
    /// True if the type has a field `$text`.
    has_text: bool,
    /// True if the name of a field begins with a namespace in braces: `{namespace}name`.
    has_braces: bool,
}

/// A cache of the special fields of recently read types. Most types are read several times in sequence.
///
/// PERF: with the cache, reading one cell of a spreadsheet takes 5 % fewer instructions than if the field names were
/// examined for each value (`valgrind --tool=callgrind`, `benches/peers --only values`).
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

/// The treatment of whitespace that is content: see `blank.rs`.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum BlankRole {
    /// The text belongs to a field now.
    Deliver,
    /// The text is the field `$text`, unless the element has other text.
    Hold,
    /// No field takes the text.
    Drop,
}

/// The state of an element that is read as a map.
pub(super) struct Level {
    /// The names of the fields of the type; empty if the type is a map.
    fields: &'static [&'static str],
    /// True if the type is a map, whose keys are not known.
    is_map: bool,
    /// True if the type has a field `$value`.
    pub(super) has_value: bool,
    /// True if the type has a field `$text`.
    pub(super) has_text: bool,
    /// True if the name of a field begins with a namespace in braces: `{namespace}name`.
    has_braces: bool,
    /// True if an attribute `xsi:nil="true"` of the element has been read.
    pub(super) is_nil: bool,
    /// True if the field `$value` has been read to its end.
    pub(super) has_read_value: bool,
    /// True if the field `$text` has been read.
    pub(super) has_read_text: bool,
    /// The first whitespace that is the field `$text` if the element has no other text.
    held_blank: Option<String>,
    /// The recorded children; `None` if there are none.
    waiting: Option<Box<Waiting>>,
    /// Index, in the recorded children, from which to search for the next item of the sequence that is read.
    at: usize,
}

/// The condition that selects the children that are items of a sequence.
pub(super) enum Filter {
    /// The elements with this field name.
    Of(String),
    /// The elements with this namespace and local name: the items of a variant of an enum that is a list or tuple.
    Named(Namespace, String),
    /// The elements, and text, that belong to the field `$value` because they have no field of their own.
    Others,
}

/// Returns whether a start tag has the attribute `xsi:nil="true"`, so that its element is `None`.
#[inline]
pub(super) fn is_nil<D: Balance, S: Source>(cursor: &Cursor<'_, D, S>, tag: &Tag<'_, '_>) -> bool {
    match tag {
        Tag::Live(tag) => tag
            .attributes()
            .any(|one| says_nil(&TagAttribute::Live(one))),
        Tag::Taped(tag) => cursor.taped_attributes(tag).any(|one| says_nil(&one)),
    }
}

/// Returns whether an attribute is `xsi:nil="true"` (or `"1"`).
#[inline]
pub(super) fn says_nil(attribute: &TagAttribute<'_, '_>) -> bool {
    attribute.name().ends_with("nil")
        && local(attribute.name()) == "nil"
        && attribute.namespace() == Some(XSI)
        && matches!(attribute.value(), "true" | "1")
}

impl Level {
    /// Creates the state for a type with these fields, or for a map if `fields` is `None`.
    pub(super) fn new(fields: Option<&'static [&'static str]>, known: &mut Known) -> Level {
        let is_map = fields.is_none();
        let fields = fields.unwrap_or_default();
        let Special {
            has_value,
            has_text,
            has_braces,
        } = known.special(fields);
        Level {
            fields,
            is_map,
            has_value,
            has_text,
            has_braces,
            is_nil: false,
            has_read_value: false,
            has_read_text: false,
            held_blank: None,
            waiting: None,
            at: 0,
        }
    }

    /// Returns the name of the field for an element: `{namespace}name` if the type has this field, otherwise the local
    /// name.
    #[inline]
    pub(super) fn key_of<'a>(&self, tag: &Tag<'_, 'a>) -> &'a str {
        if !self.has_braces {
            return local(tag.name());
        }
        let name = tag.expanded();
        braced(self.fields, "", name).unwrap_or(name.local)
    }

    /// Writes the name of the field for an attribute to `key`: `@{namespace}name` if the type has this field, otherwise
    /// `@` and the local name. Names such as `xmlns:p` and `xml:lang` keep their prefix.
    #[inline]
    pub(super) fn write_key_of(&self, attribute: &TagAttribute<'_, '_>, key: &mut String) {
        let name = attribute.name();
        key.clear();
        if self.has_braces
            && let Some(field) = braced(self.fields, "@", attribute.expanded())
        {
            return key.push_str(field);
        }
        key.push('@');
        key.push_str(match name.bytes().position(|byte| byte == b':') {
            Some(colon) if !matches!(&name[..colon], "xmlns" | "xml") => &name[colon + 1..],
            _ => name,
        });
    }

    /// Returns whether the type has a field with this name.
    pub(super) fn has_field(&self, name: &str) -> bool {
        self.fields.contains(&name)
    }

    /// Returns whether an element is an item of the sequence.
    fn takes_element(&self, filter: &Filter, tag: &Tag<'_, '_>) -> bool {
        match filter {
            Filter::Of(own) => own == self.key_of(tag),
            Filter::Named(namespace, name) => {
                local(tag.name()) == name && tag.shared_namespace() == *namespace
            }
            Filter::Others => !self.has_field(self.key_of(tag)),
        }
    }

    /// Returns whether text is an item of the sequence.
    fn takes_text(&self, filter: &Filter) -> bool {
        matches!(filter, Filter::Others) && !self.has_text
    }

    /// Returns the treatment of whitespace that is content for a reason. A struct with neither `$text` nor `$value` has
    /// no field for it, and whitespace after a field `$value` that is no list is ignored. A map would have to have values that can be whitespace, so whitespace between its elements is
    /// ignored unless it is explicit.
    fn blank_role(&self, reason: Blank) -> BlankRole {
        match reason {
            Blank::Alone if self.has_text => BlankRole::Deliver,
            _ if self.has_text => BlankRole::Hold,
            _ if self.has_value && !self.has_read_value => BlankRole::Deliver,
            Blank::Alone | Blank::Explicit if self.is_map => BlankRole::Deliver,
            _ => BlankRole::Drop,
        }
    }

    /// Returns whether the peeked text is whitespace that no field takes now. If it is, the text is consumed, and kept
    /// for the field `$text` if it can become this field.
    pub(super) fn skips_blank<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
    ) -> Result<bool, DeError> {
        let role = cursor
            .blank()
            .map_or(BlankRole::Deliver, |reason| self.blank_role(reason));
        if role == BlankRole::Deliver {
            return Ok(false);
        }
        if role == BlankRole::Hold && self.held_blank.is_none() {
            let text = cursor.text().text();
            if cursor.tape.weight() + text.len() > cursor.buffer_limit {
                return Err(cursor.fail(DeErrorKind::Buffer(cursor.buffer_limit)));
            }
            self.held_blank = Some(text.to_owned());
        }
        cursor.take();
        Ok(true)
    }

    /// Removes and returns the text of the field `$text` at the end of an element that has no other text: whitespace
    /// between elements, or no text at all. Returns `None` if the type has no such field, or if it was read.
    pub(super) fn text_at_end(&mut self) -> Option<String> {
        let is_missing = self.has_text && !core::mem::replace(&mut self.has_read_text, true);
        is_missing.then(|| self.held_blank.take().unwrap_or_default())
    }

    /// Begins the search for the items of a sequence with the first recorded child.
    pub(super) fn rewind(&mut self) {
        self.at = 0;
    }

    /// Advances to the next item of a sequence; other children are recorded for later. Returns whether there is an item.
    pub(super) fn advance<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
        filter: &Filter,
    ) -> Result<bool, DeError> {
        if let Some(child) = self.next(cursor, filter) {
            cursor.read_again(child);
            return Ok(true);
        }
        loop {
            match cursor.peek()? {
                Next::Text if self.skips_blank(cursor)? => continue,
                Next::Text if self.takes_text(filter) => return Ok(true),
                Next::Text => {}
                Next::Start => {
                    let tag = cursor.tag();
                    if tag.is_some_and(|tag| self.takes_element(filter, &tag)) {
                        return Ok(true);
                    }
                }
                Next::End => return Ok(false),
                Next::Nothing => return Err(cursor.fail(DeErrorKind::End)),
            }
            if cursor.has_contiguous_lists {
                return Ok(false);
            }
            let top = cursor.tape.top();
            let child = cursor.keep_item(match filter {
                Filter::Of(name) | Filter::Named(_, name) => name,
                Filter::Others => VALUE,
            })?;
            self.keep(child, top);
        }
    }

    /// Adds a recorded child. `top` is the length of the tape, in bytes, before the child was recorded.
    pub(super) fn keep(&mut self, child: Child, top: usize) {
        let waiting = self.waiting.get_or_insert_with(|| {
            Box::new(Waiting {
                children: Vec::new(),
                base: child.base,
                top,
                from: 0,
                indices: HashMap::default(),
                indexed: 0,
            })
        });
        waiting.children.push(child.at);
    }

    /// Removes and returns the first recorded child that has not been read. If all have been read, discards them from
    /// the tape and returns `None`.
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

    /// Discards all recorded children of this element.
    pub(super) fn forget<D: Balance, S: Source>(&mut self, cursor: &mut Cursor<'_, D, S>) {
        if let Some(waiting) = self.waiting.take()
            && waiting.base.is_none()
        {
            cursor.forget(waiting.top);
        }
    }

    /// Removes and returns the next recorded child that is an item of a sequence. The cursor counts the children that
    /// were examined.
    fn next<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
        filter: &Filter,
    ) -> Option<Child> {
        let mut waiting = self.waiting.take()?;
        let mut at = self.at.max(waiting.from);
        let child = self.next_of(&mut waiting, cursor, filter, &mut at);
        self.at = at;
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
        if let Filter::Of(name) = filter
            && waiting.children.len() - *at > MAX_SCANNED_CHILDREN
        {
            waiting.add_to_indices(self, cursor);
            return waiting.next_of(name, &mut cursor.looked_at);
        }
        while *at < waiting.children.len() {
            *at += 1;
            cursor.looked_at += 1;
            let Some(child) = waiting.child(*at - 1) else {
                continue;
            };
            let takes = match cursor.tag_of(child) {
                Some(tag) => self.takes_element(filter, &tag),
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
    /// Returns the recorded child with an index, or `None` if the child has been read.
    fn child(&self, index: usize) -> Option<Child> {
        let at = self.children[index];
        let base = self.base;
        (at != TAKEN).then_some(Child { at, base })
    }

    /// Returns the recorded child with an index, and marks the child as read. Returns `None` if it was read before.
    fn take(&mut self, index: usize) -> Option<Child> {
        let child = self.child(index);
        self.children[index] = TAKEN;
        child
    }

    /// Adds the children that were recorded since the last call to the table `indices`.
    fn add_to_indices<D: Balance, S: Source>(
        &mut self,
        level: &Level,
        cursor: &mut Cursor<'_, D, S>,
    ) {
        for index in self.indexed..self.children.len() {
            cursor.looked_at += 1;
            let Some(tag) = self.child(index).and_then(|child| cursor.tag_of(child)) else {
                continue;
            };
            let name = level.key_of(&tag);
            match self.indices.get_mut(name) {
                Some(indices) => indices.push_back(index),
                None => {
                    self.indices.insert(name.to_owned(), [index].into());
                }
            }
        }
        self.indexed = self.children.len();
    }

    /// Removes and returns the next recorded element with this field name. `looked_at` counts the examined children.
    fn next_of(&mut self, name: &str, looked_at: &mut u64) -> Option<Child> {
        while let Some(index) = self.indices.get_mut(name)?.pop_front() {
            *looked_at += 1;
            if let Some(child) = self.take(index) {
                return Some(child);
            }
        }
        None
    }
}
