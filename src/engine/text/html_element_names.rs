//! Element names as small integers.
//!
//! A name is found with a perfect hash: one multiplication, one lookup in a table of 1,024 bytes, and a comparison of
//! words. If a new name collides with another, the test `names_have_places_of_their_own` finds a new multiplier and
//! prints it.

use super::html_element_table::html_element_table;
use super::key::Key;

/// Declares `ElementName` from the rows of `html_element_table!`.
macro_rules! element_names {
    ($($variant:ident $name:literal $($svg:literal)?,)*) => {
        /// One of the known names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub(crate) enum ElementName {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        crate::checkpoint::checkpointable! {
            enum ElementName { $($variant),* }
        }

        impl ElementName {
            /// All names; the index of each is its number.
            pub(crate) const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Returns the spelling in SVG elements, after HTML has restored its capital letters.
            pub(crate) const fn svg_name(self) -> &'static str {
                match self {
                    $($(Self::$variant => $svg,)?)*
                    _ => self.name(),
                }
            }
        }

        /// The lower-case spellings, indexed by number.
        static NAMES: [&str; ElementName::ALL.len()] = [$($name),*];
    };
}

html_element_table!(element_names);

impl ElementName {
    /// Finds the element with a name in lower case, which is how the tokenizer emits names.
    #[inline]
    pub(crate) fn find(name: &str) -> Option<Self> {
        let key = Key::new(name.as_bytes())?;
        let found = Self::of_key(key)?;
        (key.is_all() || name == found.name()).then_some(found)
    }

    /// Finds the element with a name in lower case, which is between two indices of a text.
    #[inline(always)]
    pub(crate) fn find_within(text: &str, from: usize, to: usize) -> Option<Self> {
        let key = Key::within(text.as_bytes(), from, to)?;
        let found = Self::of_key(key)?;
        (key.is_all() || text[from..to] == *found.name()).then_some(found)
    }

    /// Finds the element with a name in any case.
    #[inline]
    pub(crate) fn find_in_any_case(name: &str) -> Option<Self> {
        let key = Key::new(name.as_bytes())?.in_lower_case();
        let found = Self::of_key(key)?;
        (key.is_all() || name.eq_ignore_ascii_case(found.name())).then_some(found)
    }

    /// Returns the element whose name has this key.
    #[inline(always)]
    fn of_key(key: Key) -> Option<Self> {
        let found = PLACES[key.place(MULTIPLIER, PLACES_BITS)]?;
        (KEYS[found as usize] == key).then_some(found)
    }

    /// Returns the name in lower case.
    pub(crate) const fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

/// The hash table has 2^`PLACES_BITS` entries.
const PLACES_BITS: u32 = 10;

/// The multiplier of the hash function. It was searched for so that no two names have the same index in the table.
const MULTIPLIER: u64 = 0xE211_9E1A_98DA_EDBF;

/// The hash table: at the index that the hash function gives for a name, the element with that name.
static PLACES: [Option<ElementName>; 1 << PLACES_BITS] = {
    let mut places = [None; 1 << PLACES_BITS];
    let mut number = 0;
    while number < ElementName::ALL.len() {
        places[KEYS_MADE[number].place(MULTIPLIER, PLACES_BITS)] = Some(ElementName::ALL[number]);
        number += 1;
    }
    places
};

/// The keys of the names, indexed by number.
static KEYS: [Key; ElementName::ALL.len()] = KEYS_MADE;

/// The value of [`KEYS`] as a constant, because the hash table is built from it at compile time.
const KEYS_MADE: [Key; ElementName::ALL.len()] = {
    let mut keys = [Key::EMPTY; ElementName::ALL.len()];
    let mut number = 0;
    while number < keys.len() {
        let Some(key) = Key::new(NAMES[number].as_bytes()) else {
            panic!("a name is longer than keys are made for");
        };
        keys[number] = key;
        number += 1;
    }
    keys
};

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, vec::Vec};

    /// Returns whether no two names have the same index in the table with this multiplier.
    fn is_perfect(multiplier: u64) -> bool {
        let mut taken = [false; 1 << PLACES_BITS];
        KEYS.iter()
            .all(|key| !core::mem::replace(&mut taken[key.place(multiplier, PLACES_BITS)], true))
    }

    #[test]
    fn names_have_places_of_their_own() {
        if !is_perfect(MULTIPLIER) {
            // About one in 100,000 multipliers works. The candidates are a Weyl sequence.
            let step = 0x9E37_79B9_7F4A_7C15_u64;
            let mut tries = (1..50_000_000).map(|count| step.wrapping_mul(count) | 1);
            let found = tries.find(|&multiplier| is_perfect(multiplier));
            panic!("let MULTIPLIER be {found:#X?}");
        }
    }

    #[test]
    fn every_name_is_found_and_nothing_else() {
        let known: Vec<&str> = NAMES.to_vec();
        assert!(known.is_sorted_by(|a, b| a < b));
        let check = |name: &str| {
            let expected = known.iter().position(|&known| known == name);
            assert_eq!(
                ElementName::find(name).map(|found| found as usize),
                expected,
                "{name:?}"
            );
            let text = format!("<{name}>        ");
            let found = ElementName::find_within(&text, 1, 1 + name.len());
            assert_eq!(found, ElementName::find(name), "{name:?}");
        };
        check("");
        for (number, &name) in known.iter().enumerate() {
            let found = ElementName::find(name).unwrap();
            let capitals = name.to_ascii_uppercase();
            assert_eq!(ElementName::find_in_any_case(&capitals), Some(found));
            assert_eq!((found, found.name()), (ElementName::ALL[number], name));
            assert_eq!(found as usize, number);
            // Test all strings one edit away: with a character removed, replaced or inserted, or in capitals.
            check(&name.to_ascii_uppercase());
            for at in 0..=name.len() {
                check(&name[..at]);
                check(&name[at..]);
                for other in ('\0'..='\u{7F}').chain(['é', '\u{10FFFF}']) {
                    check(&format!("{}{other}{}", &name[..at], &name[at..]));
                    let rest = name.get(at + 1..).unwrap_or_default();
                    check(&format!("{}{other}{rest}", &name[..at]));
                }
            }
        }
        for length in 0..100 {
            check(&"a".repeat(length));
        }
    }

    #[test]
    fn svg_spellings_differ_in_capitals_only() {
        let mut restored = 0;
        for name in ElementName::ALL {
            assert_eq!(name.svg_name().to_ascii_lowercase(), name.name());
            restored += usize::from(name.svg_name() != name.name());
        }
        assert_eq!(restored, 37);
        assert_eq!(ElementName::ForeignObject.svg_name(), "foreignObject");
        assert_eq!(ElementName::FeFuncR.svg_name(), "feFuncR");
        assert_eq!(ElementName::A.svg_name(), "a");
    }
}
