//! The edits of the attributes of one tag, with a lookup by attribute name. A program may edit all attributes of a tag
//! with many attributes, so the lookup uses a hash table once there are more than a few edits.

use crate::engine::event::{Attribute, StartTag};
use crate::engine::hash_seed::Seeds;
use crate::engine::input::sizes::Sizes;
use crate::engine::work;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Write};
use core::ops::Range;
use hashbrown::HashMap;

/// The edits of the attributes of a tag.
///
/// PERF: the strings of all edits are ranges of one text, which keeps its memory from tag to tag, so that an edit
/// allocates nothing.
#[derive(Clone, Debug)]
pub(super) struct AttributeEdits {
    edits: Vec<AttributeEdit>,
    /// The texts of the edits: see [`AttributeEdit`].
    text: String,
    /// Number of bytes of `text` that belong to edits which later ones have replaced.
    replaced: usize,
    /// True if an edit has removed an attribute.
    has_removals: bool,
    /// Index in `edits` of each name, if there are more than `max_linear`.
    indexes: HashMap<String, usize, Seeds>,
    /// Maximum number of edits for which the lookup is a linear search: see [`Sizes::linear_edits`].
    max_linear: usize,
}

impl Default for AttributeEdits {
    fn default() -> AttributeEdits {
        AttributeEdits {
            edits: Vec::new(),
            text: String::new(),
            replaced: 0,
            has_removals: false,
            indexes: HashMap::default(),
            max_linear: Sizes::USUAL.linear_edits,
        }
    }
}

/// The edit of an attribute: a range of the text of all edits. It contains a space, the attribute name, which is lowercase
/// in HTML, and, if the attribute gets a value, `=` and the value in quotation marks, as they are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttributeEdit {
    /// Start of the space before the name.
    start: usize,
    /// End of the name.
    name_end: usize,
    /// End of the new value with its quotation marks, or `None` to remove the attribute.
    end: Option<usize>,
    /// True if the tag has the attribute, which is known once the attribute is written.
    is_found: bool,
}

impl AttributeEdit {
    /// Returns the range of the edit in the text of all edits.
    fn range(self) -> Range<usize> {
        self.start..self.end.unwrap_or(self.name_end)
    }

    /// Returns the name of the attribute. `text` is the text of all edits.
    #[inline]
    fn name(self, text: &str) -> &str {
        &text[self.start + 1..self.name_end]
    }

    /// Returns the new value with its `=` and quotation marks, or `None` to remove the attribute.
    #[inline]
    fn assignment(self, text: &str) -> Option<&str> {
        Some(&text[self.name_end..self.end?])
    }
}

/// Number of bytes of replaced edits from which they are dropped, if they are also half of the text.
const MAX_REPLACED_BYTES: usize = 4 << 10;

/// The characters that precede and follow an attribute value.
const BEFORE_VALUE: &str = "=\"";
const AFTER_VALUE: &str = "\"";

impl AttributeEdits {
    /// Sets the number of edits from which a hash table is used.
    #[cfg(feature = "inspect")]
    pub(super) fn set_sizes(&mut self, sizes: &Sizes) {
        self.max_linear = sizes.linear_edits;
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.edits.clear();
        self.text.clear();
        self.replaced = 0;
        self.has_removals = false;
        // PERF: clearing an empty table is slower than this test.
        if !self.indexes.is_empty() {
            self.indexes.clear();
        }
    }

    /// Writes an attribute name to the text of the edits.
    #[inline]
    fn write_name(&mut self, name: &str, is_html: bool) -> AttributeEdit {
        let start = self.text.len();
        self.text.push(' ');
        self.text.push_str(name);
        if is_html {
            self.text[start..].make_ascii_lowercase();
        }
        AttributeEdit {
            start,
            name_end: self.text.len(),
            end: None,
            is_found: false,
        }
    }

    /// Makes the edit that gives an attribute a new value, which is not escaped yet. The edit has no effect before it is
    /// [recorded](Self::record).
    ///
    /// # Panics
    ///
    /// If the formatting of the value returns an error, as [`ToString`](alloc::string::ToString) does.
    #[inline]
    pub(super) fn make(&mut self, name: &str, value: &dyn Display, is_html: bool) -> AttributeEdit {
        let mut edit = self.write_name(name, is_html);
        self.text.push_str(BEFORE_VALUE);
        let written = write!(self.text, "{value}");
        written.expect("a Display implementation returned an error unexpectedly");
        self.text.push_str(AFTER_VALUE);
        edit.end = Some(self.text.len());
        edit
    }

    /// Replaces the value of the last edit that was made, and is not recorded yet.
    #[cold]
    pub(super) fn replace_value(&mut self, edit: &mut AttributeEdit, value: &str) {
        self.text.truncate(edit.name_end);
        for part in [BEFORE_VALUE, value, AFTER_VALUE] {
            self.text.push_str(part);
        }
        edit.end = Some(self.text.len());
    }

    /// Discards the last edit that was made, which is not recorded.
    #[cold]
    pub(super) fn discard(&mut self, edit: AttributeEdit) {
        self.text.truncate(edit.start);
    }

    /// Returns the new value of an attribute, as it is in the text of the edits, or `None` if the attribute is removed.
    #[inline]
    pub(super) fn value(&self, edit: AttributeEdit) -> Option<&str> {
        let assignment = edit.assignment(&self.text)?;
        Some(&assignment[BEFORE_VALUE.len()..assignment.len() - AFTER_VALUE.len()])
    }

    /// Records the removal of an attribute.
    pub(super) fn remove(&mut self, name: &str, is_html: bool) {
        let edit = self.write_name(name, is_html);
        self.has_removals = true;
        self.record(edit);
    }

    /// Records an edit in place of an earlier one of the same attribute. In HTML, names that differ only in case name the
    /// same attribute.
    #[inline]
    pub(super) fn record(&mut self, edit: AttributeEdit) {
        if !self.edits.is_empty()
            && let Some(at) = self.find(edit.name(&self.text), false)
        {
            let before = core::mem::replace(&mut self.edits[at], edit);
            self.replaced += before.range().len();
            if self.replaced > MAX_REPLACED_BYTES.max(self.text.len() / 2) {
                self.drop_replaced();
            }
            return;
        }
        self.edits.push(edit);
        if self.edits.len() > self.max_linear {
            self.add_indexes();
        }
    }

    /// Copies the texts of the edits that are in effect, and drops those of replaced ones.
    #[cold]
    fn drop_replaced(&mut self) {
        let before = core::mem::take(&mut self.text);
        self.replaced = 0;
        for edit in &mut self.edits {
            let (from, to) = (edit.start, self.text.len());
            self.text.push_str(&before[edit.range()]);
            edit.start = to;
            edit.name_end = edit.name_end - from + to;
            edit.end = edit.end.map(|end| end - from + to);
        }
    }

    /// Adds the names that the table lacks: all of them when it is first needed, and then one at a time.
    #[cold]
    fn add_indexes(&mut self) {
        for (at, edit) in self.edits.iter().enumerate().skip(self.indexes.len()) {
            work::count(1);
            self.indexes.insert(edit.name(&self.text).into(), at);
        }
    }

    /// Returns the index of the edit of an attribute.
    #[inline]
    fn find(&self, name: &str, is_html: bool) -> Option<usize> {
        if self.edits.len() > self.max_linear {
            work::count(1);
            return self.indexes.get(&*folded(name, is_html)).copied();
        }
        work::count(self.edits.len());
        self.edits.iter().position(|edit| {
            let own = edit.name(&self.text);
            own.len() == name.len()
                && match is_html {
                    true => own.eq_ignore_ascii_case(name),
                    false => own == name,
                }
        })
    }

    /// Returns the edit of an attribute of XML: its new value as it is written, or `Some(None)` if it is removed.
    pub(super) fn get(&self, name: &str) -> Option<Option<&str>> {
        let at = self.find(name, false)?;
        Some(self.value(self.edits[at]))
    }

    /// Returns the names of the attributes of XML that get a value.
    pub(super) fn set_names(&self) -> impl Iterator<Item = &str> {
        let set = self.edits.iter().filter(|edit| edit.end.is_some());
        set.map(|edit| edit.name(&self.text))
    }

    /// Returns true if an attribute is edited.
    pub(super) fn has(&self, name: &str, is_html: bool) -> bool {
        self.find(name, is_html).is_some()
    }

    /// Returns true if an attribute of the tag is removed.
    #[inline]
    pub(super) fn removes(&self, tag: &StartTag<'_>, is_html: bool) -> bool {
        let is_removed = |at: usize| self.edits[at].end.is_none();
        let finds = |name: &str| self.find(name, is_html);
        self.has_removals
            && tag
                .attributes()
                .filter(Attribute::is_specified)
                .any(|attribute| finds(attribute.name()).is_some_and(is_removed))
    }

    /// Returns the edit of an attribute that is written now: its new value with its `=` and quotation marks, or
    /// `Some(None)` to remove the attribute. Returns `None` if the attribute is not edited.
    #[inline]
    pub(super) fn change(
        &mut self,
        attribute: &Attribute<'_>,
        is_html: bool,
    ) -> Option<Option<&str>> {
        let at = self.find(attribute.name(), is_html)?;
        let edit = &mut self.edits[at];
        edit.is_found = true;
        Some(edit.assignment(&self.text))
    }

    /// Returns the attributes to add, as they are written after the other attributes: those that get a value, and that no
    /// call of [`change`](Self::change) has found.
    #[inline]
    pub(super) fn added(&self) -> impl Iterator<Item = &str> {
        let added = self.edits.iter().filter(|edit| !edit.is_found);
        added.filter_map(|edit| Some(&self.text[edit.start..edit.end?]))
    }
}

/// Returns an attribute name in the form of the keys of the lookup: lowercase in HTML, unchanged elsewhere.
fn folded(name: &str, is_html: bool) -> Cow<'_, str> {
    match is_html && name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}
