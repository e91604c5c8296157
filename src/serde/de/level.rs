//! The state of an element that is read as a map: the fields of the Rust type, and the children that were recorded
//! because their field is read later.

use super::blank::Blank;
use super::cursor::{Child, Cursor, Next};
use super::error::{DeError, DeErrorKind};
use super::names::{Match, Namespace, OwnedSlot, Rivals, Slot, best, local, prefix_of};
use super::tag::{Tag, TagAttribute};
use super::waiting::{MAX_SCANNED_CHILDREN, Waiting};
use crate::engine::dialect::Balance;
use crate::engine::hash_seed::Seeds;
use crate::stream::Source;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// The name of the field that contains all children that have no field of their own.
pub(super) const VALUE: &str = "$value";
/// The name of the field that contains the text of an element, and of the enum variant that represents text.
pub(super) const TEXT: &str = "$text";
/// The namespace of the attribute `xsi:nil`.
const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
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

/// The way in which an element is read as a part of its parent.
pub(super) enum Turn<'a> {
    /// The element is the field with this name, or the entry of a map with this key.
    Field(&'a str),
    /// The element is the entry of a map with this key, which contains a namespace.
    Braced(String),
    /// The element belongs to the field `$value`.
    Value,
    /// The element is read at the end of its parent.
    Defer,
    /// The element is skipped, because another element is a better match for its field.
    Skip,
}

/// The fields and keys of an element that have been read.
#[derive(Default)]
struct Read {
    /// For each of the first 64 fields, a bit that is set if the field was read.
    fields: u64,
    /// The other fields that were read, by their index.
    more_fields: Vec<usize>,
    /// The keys of a map, with the namespace of their elements; `None` if it is that of the map, or no namespace.
    keys: HashMap<String, Option<Namespace>, Seeds>,
    /// Total length of `keys`, in bytes.
    key_bytes: usize,
}

/// Number of bytes in the keys of a map that are not charged to the buffer limit, so that small maps can be read if it
/// is 0.
const FREE_KEY_BYTES: usize = 4_096;

impl Read {
    /// Returns whether a field is read for the first time, and notes that it is read unless `is_foreign` is true: an
    /// element in another namespace is not better than another such element.
    fn add_field(&mut self, field: usize, is_foreign: bool) -> bool {
        let bit = u32::try_from(field).ok();
        let bit = bit.and_then(|bit| 1_u64.checked_shl(bit));
        let is_first = match bit {
            Some(bit) => self.fields & bit == 0,
            None => !self.more_fields.contains(&field),
        };
        match bit {
            _ if is_foreign || !is_first => {}
            Some(bit) => self.fields |= bit,
            None => self.more_fields.push(field),
        }
        is_first
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
    pub(super) is_map: bool,
    /// True if the key of a map that is read has been read before.
    pub(super) is_repeated: bool,
    /// The namespace of the element.
    namespace: Namespace,
    /// True if children in another namespace are read at the end of the element: see [`Level::slot_of`].
    defers_foreign: bool,
    /// True if all children that are not deferred have been read.
    is_at_end: bool,
    read: Read,
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
    /// The next item of the sequence that is read, if it was searched already.
    found: Option<Child>,
}

/// The condition that selects the children that are items of a sequence.
pub(super) enum Filter {
    /// The elements of one field.
    Of(OwnedSlot),
    /// The elements with this namespace and local name: the items of a variant of an enum that is a list or tuple.
    Named(Namespace, String),
    /// The elements, and text, that belong to the field `$value` because they have no field of their own.
    Others,
    /// The texts of a map.
    Texts,
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
    pub(super) fn new<D: Balance, S: Source>(
        fields: Option<&'static [&'static str]>,
        cursor: &mut Cursor<'_, D, S>,
        namespace: Namespace,
    ) -> Level {
        let is_map = fields.is_none();
        let fields = fields.unwrap_or_default();
        let Special {
            has_value,
            has_text,
            has_braces,
        } = cursor.known.special(fields);
        Level {
            fields,
            is_map,
            is_repeated: false,
            namespace,
            defers_foreign: !cursor.has_contiguous_lists,
            is_at_end: false,
            read: Read::default(),
            has_value,
            has_text,
            has_braces,
            is_nil: false,
            has_read_value: false,
            has_read_text: false,
            held_blank: None,
            waiting: None,
            at: 0,
            found: None,
        }
    }

    /// Returns the field to which an element belongs. An element in another namespace than its parent belongs to a
    /// field without a namespace only if no other element does, which is known at the end of the parent. So it has a
    /// slot of its own.
    #[inline]
    pub(super) fn slot_of<'a>(&self, tag: &Tag<'_, 'a>) -> Slot<'a> {
        let name = local(tag.name());
        let is_own = !self.defers_foreign || tag.is_in_none_or(&self.namespace);
        if is_own && !self.has_braces {
            return Slot::own(name);
        }
        match best(self.fields, "", tag.expanded(), is_own) {
            Some(Match { name, is_foreign }) => match is_foreign {
                true => Slot::foreign(name),
                false => Slot::own(name),
            },
            None if self.is_map && !is_own => Slot::in_namespace(name, tag.taped_namespace()),
            None => Slot::own(name),
        }
    }

    /// Writes the name of the field for an attribute to `key`. `rivals` are the attributes of the tag with the same
    /// local name. Names such as `xmlns:p` and `xml:lang` keep their prefix.
    #[inline]
    pub(super) fn write_key_of(
        &self,
        attribute: &TagAttribute<'_, '_>,
        rivals: Rivals,
        key: &mut String,
    ) {
        let name = attribute.name();
        let is_own = prefix_of(name).is_none();
        key.clear();
        if self.has_braces
            && let Some(found) = best(self.fields, "@", attribute.expanded(), is_own)
            && !(found.is_foreign && rivals.has_plain)
            && (is_own != name.contains(':') || found.name.starts_with("@{"))
        {
            return key.push_str(found.name);
        }
        key.push('@');
        let is_alone = !rivals.has_plain && (rivals.prefixed <= 1 || !self.is_map);
        match attribute.namespace() {
            _ if is_own => key.push_str(name),
            _ if is_alone => key.push_str(local(name)),
            // Two attributes in a map have different keys.
            Some(namespace) if self.is_map => {
                key.extend(["{", namespace, "}", local(name)]);
            }
            // A struct has no field with this name, since the attribute without a prefix is the field.
            _ => key.push_str(name),
        }
    }

    /// Returns whether the type has a field with this name.
    pub(super) fn has_field(&self, name: &str) -> bool {
        self.fields.contains(&name)
    }

    /// Returns whether an element is an item of the sequence.
    fn takes_element(&self, filter: &Filter, tag: &Tag<'_, '_>) -> bool {
        match filter {
            Filter::Of(slot) => slot.borrow() == self.slot_of(tag),
            Filter::Named(namespace, name) => {
                local(tag.name()) == name && tag.shared_namespace() == *namespace
            }
            Filter::Others => !self.has_field(self.slot_of(tag).name),
            Filter::Texts => false,
        }
    }

    /// Returns whether text is an item of the sequence.
    fn takes_text(&self, filter: &Filter) -> bool {
        match filter {
            Filter::Others => !self.has_text,
            Filter::Texts => true,
            Filter::Of(_) | Filter::Named(..) => false,
        }
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

    /// Prepares to read the next key.
    pub(super) fn begin_key(&mut self) {
        self.found = None;
        self.is_repeated = false;
    }

    /// Returns whether the peeked child of a map is followed by another child that the filter accepts. Both are the
    /// next items of a sequence then. The children between them are recorded.
    pub(super) fn has_another<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
        filter: &Filter,
    ) -> Result<bool, DeError> {
        if cursor.has_contiguous_lists {
            return Ok(false);
        }
        let top = cursor.tape.top();
        let child = cursor.keep_item(self.name_of(filter))?;
        if child.base.is_none() {
            // The list of recorded children discards the child from the tape later.
            self.keep(child, top);
            if let Some(waiting) = &mut self.waiting {
                waiting.take(waiting.children.len() - 1);
            }
        }
        self.rewind();
        self.found = self.next(cursor, filter);
        let has_another = self.found.is_some() || self.seek(cursor, filter)?;
        cursor.read_again(child);
        Ok(has_another)
    }

    /// Returns the name of the field whose items a filter accepts, for error messages.
    fn name_of<'f>(&self, filter: &'f Filter) -> &'f str {
        match filter {
            Filter::Of(slot) => &slot.name,
            Filter::Named(_, name) => name,
            Filter::Others => VALUE,
            Filter::Texts => TEXT,
        }
    }

    /// Advances to the next item of a sequence; other children are recorded for later. Returns whether there is an item.
    pub(super) fn advance<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
        filter: &Filter,
    ) -> Result<bool, DeError> {
        if let Some(child) = self.found.take().or_else(|| self.next(cursor, filter)) {
            cursor.read_again(child);
            return Ok(true);
        }
        self.seek(cursor, filter)
    }

    /// Records children that have not been recorded, up to one that the filter accepts. Returns whether there is one.
    fn seek<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
        filter: &Filter,
    ) -> Result<bool, DeError> {
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
            let child = cursor.keep_item(self.name_of(filter))?;
            self.keep(child, top);
        }
    }

    /// Records the peeked element, which is read at the end of its parent.
    pub(super) fn defer<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
    ) -> Result<(), DeError> {
        let name = cursor.tag().map_or("", |tag| local(tag.name())).to_owned();
        let top = cursor.tape.top();
        let child = cursor.keep_item(&name)?;
        self.keep(child, top);
        if let Some(child) = self.first(cursor) {
            cursor.read_again(child);
        }
        Ok(())
    }

    /// Adds a recorded child. `top` is the length of the tape, in bytes, before the child was recorded.
    pub(super) fn keep(&mut self, child: Child, top: usize) {
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::new(Waiting::new(child.base, top)));
        waiting.children.push(child.at);
    }

    /// Removes and returns the first recorded child that has not been read. If all have been read, discards them from
    /// the tape and returns `None`.
    #[inline]
    pub(super) fn first<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
    ) -> Option<Child> {
        let mut waiting = self.waiting.take()?;
        let mut found = None;
        while found.is_none() && waiting.from < waiting.children.len() {
            let index = waiting.from;
            waiting.from += 1;
            let tag = waiting.child(index).and_then(|child| cursor.tag_of(child));
            match tag.is_some_and(|tag| self.slot_of(&tag).is_foreign()) {
                true => waiting.deferred.push_back(index),
                false => found = waiting.take(index),
            }
        }
        let is_empty = found.is_none() && waiting.deferred.is_empty();
        self.waiting = Some(waiting);
        if is_empty {
            self.forget(cursor);
        }
        found
    }

    /// Removes and returns the next recorded child that was deferred to the end of the element. If all have been read,
    /// discards them from the tape and returns `None`.
    pub(super) fn next_deferred<D: Balance, S: Source>(
        &mut self,
        cursor: &mut Cursor<'_, D, S>,
    ) -> Option<Child> {
        let waiting = self.waiting.as_deref_mut()?;
        self.is_at_end = true;
        while let Some(index) = waiting.deferred.pop_front() {
            if let Some(child) = waiting.take(index) {
                return Some(child);
            }
        }
        self.forget(cursor);
        None
    }

    /// Returns how the peeked element is read.
    #[inline]
    pub(super) fn turn_of<'a, D: Balance, S: Source>(
        &mut self,
        cursor: &'a Cursor<'_, D, S>,
    ) -> Result<Turn<'a>, DeError> {
        let Some(tag) = cursor.tag() else {
            return Ok(Turn::Field(""));
        };
        let slot = self.slot_of(&tag);
        if slot.is_foreign() && !self.is_at_end {
            return Ok(Turn::Defer);
        }
        if self.is_map {
            return self.key_in_map(cursor, &tag, slot);
        }
        if self.has_value && !self.has_field(slot.name) {
            return Ok(Turn::Value);
        }
        let field = self.fields.iter().position(|field| *field == slot.name);
        let is_first = field.is_none_or(|field| self.read.add_field(field, slot.is_foreign()));
        Ok(match slot.is_foreign() && !is_first {
            true => Turn::Skip,
            false => Turn::Field(slot.name),
        })
    }

    /// Returns how an element of a map is read. Elements of different namespaces have different keys: the key of an
    /// element in another namespace than that of the map is its local name, unless other elements have this key.
    fn key_in_map<'a, D: Balance, S: Source>(
        &mut self,
        cursor: &Cursor<'_, D, S>,
        tag: &Tag<'_, 'a>,
        slot: Slot<'a>,
    ) -> Result<Turn<'a>, DeError> {
        let namespace = slot.is_foreign().then(|| tag.shared_namespace());
        let other = self.read.keys.get(slot.name);
        let braced = match (other, tag.namespace()) {
            (Some(other), Some(of)) if *other != namespace => {
                Some(["{", of, "}", slot.name].concat())
            }
            _ => None,
        };
        let key = braced.as_deref().unwrap_or(slot.name);
        self.is_repeated = self.read.keys.contains_key(key);
        if !self.is_repeated {
            self.read.key_bytes += key.len();
            let charged = self.read.key_bytes.saturating_sub(FREE_KEY_BYTES);
            if cursor.tape.weight() + charged > cursor.buffer_limit {
                return Err(cursor.fail(DeErrorKind::Buffer(cursor.buffer_limit)));
            }
            self.read.keys.insert(key.to_owned(), namespace);
        }
        Ok(braced.map_or(Turn::Field(slot.name), Turn::Braced))
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
        // Deferred children are among those that were passed.
        let mut at = match self.is_at_end {
            true => self.at,
            false => self.at.max(waiting.from),
        };
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
        if let Filter::Of(slot) = filter
            && waiting.children.len() - *at > MAX_SCANNED_CHILDREN
        {
            waiting.add_to_indices(self, cursor);
            return waiting.next_of(slot.borrow(), &mut cursor.looked_at);
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
