//! The names of tags as numbers, so that names are compared as integers. Known names have constant numbers. Any other
//! name gets the next number when it occurs first.

use crate::dialects::html::names::KNOWN_NAMES;
use crate::engine::hash_seed::Seeds;
use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts::is_custom;
use crate::engine::text::key::{GOLDEN_RATIO, Key};
use alloc::boxed::Box;
use hashbrown::{HashMap, HashSet};

/// The name of a tag: its number and its text.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    pub(in crate::dialects::html) number: u32,
    pub(in crate::dialects::html) text: &'a str,
}

impl Name<'_> {
    /// The absence of a name.
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

/// Returns the index of a name in arrays that have an element for each known name and a last one for all unknown names.
#[inline(always)]
pub(super) fn known(number: u32) -> usize {
    (number as usize).min(KNOWN_NAMES)
}

/// The numbers that were assigned to unknown names, in the order in which the names occurred.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// The number of each unknown name that has occurred.
    numbers: HashMap<Box<str>, u32, Seeds>,
    /// Numbers of the names that are valid names of custom elements.
    custom: HashSet<u32, Seeds>,
    /// A cache of short names that occurred recently, indexed by a cheap hash. A collision only costs a lookup.
    recent: [(Key, u32); 1 << RECENT_BITS],
}

/// Base-2 logarithm of the size of the cache.
const RECENT_BITS: u32 = 4;

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
    /// Returns the name between two indices of a text, with its number. The name is in lowercase.
    #[inline(always)]
    pub(super) fn name_within<'a>(
        &mut self,
        (text, from, to): (&'a str, usize, usize),
    ) -> Name<'a> {
        match ElementName::find_within(text, from, to) {
            Some(known) => known.into(),
            None => self.unknown(&text[from..to]),
        }
    }

    /// Returns an unknown name with its number, from the cache if possible.
    #[inline(never)]
    fn unknown<'a>(&mut self, text: &'a str) -> Name<'a> {
        let key = Key::new(text.as_bytes()).filter(|key| key.is_all());
        let number = match key.map(|key| (key, key.place(GOLDEN_RATIO, RECENT_BITS))) {
            Some((key, place)) if self.recent[place].0 == key => self.recent[place].1,
            Some((key, place)) => {
                let number = self.look_up(text);
                self.recent[place] = (key, number);
                number
            }
            None => self.look_up(text),
        };
        Name { number, text }
    }

    /// Returns whether the name with this number is a valid name of a custom element.
    pub(super) fn is_custom(&self, number: u32) -> bool {
        number as usize >= KNOWN_NAMES && self.custom.contains(&number)
    }

    /// Returns the number of an unknown name. Assigns one if the name is new.
    fn look_up(&mut self, text: &str) -> u32 {
        let next = (KNOWN_NAMES + self.numbers.len()) as u32;
        let number = *self.numbers.entry_ref(text).or_insert(next);
        if number == next && is_custom(text) {
            self.custom.insert(number);
        }
        number
    }
}

crate::checkpoint::checkpointable! {
    struct Numbers { numbers, custom, recent }
}
