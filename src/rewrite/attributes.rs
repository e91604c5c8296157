//! The edits of the attributes of one tag, with a lookup by attribute name. A program may edit all attributes of a tag
//! with many attributes, so the lookup uses a hash table once there are more than a few edits.

use crate::engine::event::{Attribute, StartTag};
use crate::engine::hash_seed::Seeds;
use crate::engine::input::sizes::Sizes;
use crate::engine::work;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// The edits of the attributes of a tag.
#[derive(Clone, Debug)]
pub(super) struct AttributeEdits {
    edits: Vec<AttributeEdit>,
    /// Index in `edits` of each name, if there are more than `max_linear`.
    indexes: HashMap<String, usize, Seeds>,
    /// Maximum number of edits for which the lookup is a linear search: see [`Sizes::linear_edits`].
    max_linear: usize,
}

impl Default for AttributeEdits {
    fn default() -> AttributeEdits {
        AttributeEdits {
            edits: Vec::new(),
            indexes: HashMap::default(),
            max_linear: Sizes::USUAL.linear_edits,
        }
    }
}

/// The edit of an attribute.
#[derive(Clone, Debug)]
struct AttributeEdit {
    /// The attribute name; in HTML in lowercase.
    name: String,
    /// The new value as it is written, or `None` to remove the attribute.
    value: Option<String>,
    /// True if the tag has the attribute, which is known once the attribute is written.
    is_found: bool,
}

impl AttributeEdits {
    /// Sets the number of edits from which a hash table is used.
    #[cfg(feature = "inspect")]
    pub(super) fn set_sizes(&mut self, sizes: &Sizes) {
        self.max_linear = sizes.linear_edits;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.edits.clear();
        self.indexes.clear();
    }

    /// Records a new value of an attribute, or with `None` its removal. In HTML, names that differ only in case name
    /// the same attribute.
    pub(super) fn set(&mut self, name: &str, value: Option<String>, is_html: bool) {
        let name = folded(name, is_html);
        if let Some(at) = self.find(&name, false) {
            self.edits[at].value = value;
            return;
        }
        self.edits.push(AttributeEdit {
            name: name.into_owned(),
            value,
            is_found: false,
        });
        if self.edits.len() > self.max_linear {
            // Adds the names that the table lacks: all of them when it is first needed, and then one at a time.
            for (at, edit) in self.edits.iter().enumerate().skip(self.indexes.len()) {
                work::count(1);
                self.indexes.insert(edit.name.clone(), at);
            }
        }
    }

    /// Returns the index of the edit of an attribute.
    fn find(&self, name: &str, is_html: bool) -> Option<usize> {
        if self.edits.len() > self.max_linear {
            work::count(1);
            return self.indexes.get(&*folded(name, is_html)).copied();
        }
        work::count(self.edits.len());
        self.edits.iter().position(|edit| match is_html {
            true => edit.name.eq_ignore_ascii_case(name),
            false => edit.name == name,
        })
    }

    /// Returns the edit of an attribute of XML: its new value as it is written, or `Some(None)` if it is removed.
    pub(super) fn get(&self, name: &str) -> Option<Option<&str>> {
        let at = self.find(name, false)?;
        Some(self.edits[at].value.as_deref())
    }

    /// Returns the names of the attributes of XML that get a value.
    pub(super) fn set_names(&self) -> impl Iterator<Item = &str> {
        let set = self.edits.iter().filter(|edit| edit.value.is_some());
        set.map(|edit| edit.name.as_str())
    }

    /// Returns true if an attribute is edited.
    pub(super) fn has(&self, name: &str, is_html: bool) -> bool {
        self.find(name, is_html).is_some()
    }

    /// Returns true if an attribute of the tag is removed.
    pub(super) fn removes(&self, tag: &StartTag<'_>, is_html: bool) -> bool {
        let is_removed = |edit: &AttributeEdit| edit.value.is_none();
        let finds = |name: &str| self.find(name, is_html).map(|at| &self.edits[at]);
        self.edits.iter().any(is_removed)
            && tag
                .attributes()
                .filter(Attribute::is_specified)
                .any(|attribute| finds(attribute.name()).is_some_and(is_removed))
    }

    /// Returns the edit of an attribute that is written now: its new value, or `Some(None)` to remove the attribute.
    /// Returns `None` if the attribute is not edited.
    pub(super) fn change(
        &mut self,
        attribute: &Attribute<'_>,
        is_html: bool,
    ) -> Option<Option<&str>> {
        let at = self.find(attribute.name(), is_html)?;
        let edit = &mut self.edits[at];
        edit.is_found = true;
        Some(edit.value.as_deref())
    }

    /// Returns the names and values of the attributes to add: those that get a value, and that no call of
    /// [`change`](Self::change) has found.
    pub(super) fn added(&self) -> impl Iterator<Item = (&str, &str)> {
        let added = self.edits.iter().filter(|edit| !edit.is_found);
        added.filter_map(|edit| Some((edit.name.as_str(), edit.value.as_deref()?)))
    }
}

/// Returns an attribute name in the form of the keys of the lookup: lowercase in HTML, unchanged elsewhere.
fn folded(name: &str, is_html: bool) -> Cow<'_, str> {
    match is_html && name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}
