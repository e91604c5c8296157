//! Names of HTML's tags as numbers. Known names have theirs from the beginning, others get one when they are
//! first met. It must not know what names mean.

use super::schema::NOT_CUSTOM;
use crate::html::names::KNOWN;
use crate::seeds::Seeds;
use crate::text::html_element_names::ElementName;
use crate::text::key::Key;
use alloc::boxed::Box;
use hashbrown::{HashMap, HashSet};

/// The name of a tag.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    pub(in crate::html) number: u32,
    pub(in crate::html) text: &'a str,
}

impl Name<'_> {
    /// What has no name.
    pub(super) const NONE: Name<'static> = Name {
        number: u32::MAX,
        text: "",
    };
}

impl From<ElementName> for Name<'static> {
    fn from(name: ElementName) -> Name<'static> {
        Name {
            number: name as u32,
            text: name.name(),
        }
    }
}

/// The place of a number in tables of names, in which all that are not known share the last.
#[inline(always)]
pub(super) fn known(number: u32) -> usize {
    (number as usize).min(KNOWN)
}

/// The numbers of the names that are not known.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Numbers {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    numbers: HashMap<Box<str>, u32, Seeds>,
    /// Those that custom elements may have.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    custom: HashSet<u32, Seeds>,
    /// Short names met lately, by a cheap hash: those of one place only cost each other the memory.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    recent: [(Key, u32); 1 << RECENT_BITS],
}

/// Two to the power of it are remembered.
const RECENT_BITS: u32 = 4;

/// Spreads them over the places.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers {
            numbers: HashMap::default(),
            custom: HashSet::default(),
            recent: [(Key::EMPTY, 0); 1 << RECENT_BITS],
        }
    }
}

impl Numbers {
    /// A name, which is given in lower case, with its number.
    #[inline]
    pub(super) fn name<'a>(&mut self, text: &'a str) -> Name<'a> {
        let number = match ElementName::find(text) {
            Some(known) => known as u32,
            None => self.unknown(text),
        };
        Name { number, text }
    }

    #[inline(never)]
    fn unknown(&mut self, text: &str) -> u32 {
        let Some(key) = Key::new(text.as_bytes()).filter(|key| key.is_all()) else {
            return self.look_up(text);
        };
        let place = key.place(MULTIPLIER, RECENT_BITS);
        if self.recent[place].0 != key {
            self.recent[place] = (key, self.look_up(text));
        }
        self.recent[place].1
    }

    /// Whether a number is that of a name that custom elements may have.
    pub(super) fn is_custom(&self, number: u32) -> bool {
        number as usize >= KNOWN && self.custom.contains(&number)
    }

    /// The number by the table of all of them.
    fn look_up(&mut self, text: &str) -> u32 {
        let next = (KNOWN + self.numbers.len()) as u32;
        let number = *self.numbers.entry_ref(text).or_insert(next);
        if number == next && is_custom(text) {
            self.custom.insert(number);
        }
        number
    }
}

/// Whether custom elements may have a name, which is one of a tag: the DOM standard's "valid custom element name".
fn is_custom(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.contains('-')
        && !NOT_CUSTOM.contains(&name)
}
