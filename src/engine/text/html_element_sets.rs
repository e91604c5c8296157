//! Sets of the element names that the crate knows, as bit sets that are computed at compile time.

use super::html_element_names::ElementName;

/// Number of element names that the crate knows.
pub(crate) const KNOWN_NAMES: usize = ElementName::ALL.len();

/// A set of element names, as a bit set that is computed at compile time. All names that the crate does not know are
/// one member, with the number [`KNOWN_NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Names([u64; 3]);

// One bit for each known name, and one bit for all other names.
const _: () = assert!(KNOWN_NAMES < 192);

impl Names {
    pub(crate) const NONE: Names = Names([0; 3]);
    pub(crate) const ALL: Names = Names([u64::MAX; 3]);

    /// Returns the set of the given names.
    pub(crate) const fn of(list: &[ElementName]) -> Names {
        let (mut set, mut next) = (Names::NONE, 0);
        while next < list.len() {
            set = set.or(Names::one(list[next] as usize));
            next += 1;
        }
        set
    }

    /// Returns the set that contains only the name with the given number.
    pub(crate) const fn one(number: usize) -> Names {
        let mut set = Names::NONE;
        set.0[number / 64] |= 1 << (number % 64);
        set
    }

    /// Returns the union of both sets.
    pub(crate) const fn or(self, other: Names) -> Names {
        let (a, b) = (self.0, other.0);
        Names([a[0] | b[0], a[1] | b[1], a[2] | b[2]])
    }

    /// Returns the names of this set that are not in `other`.
    pub(crate) const fn without(self, other: Names) -> Names {
        let (a, b) = (self.0, other.0);
        Names([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2]])
    }

    /// Returns the smallest number in the set.
    pub(crate) const fn first(self) -> Option<usize> {
        let mut word = 0;
        while word < self.0.len() {
            if self.0[word] != 0 {
                return Some(64 * word + self.0[word].trailing_zeros() as usize);
            }
            word += 1;
        }
        None
    }

    /// Returns whether the set contains the name with the given number. The number [`KNOWN_NAMES`] represents all
    /// unknown names.
    pub(crate) const fn has(self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 != 0
    }

    /// Returns whether the set contains a known name.
    #[inline(always)]
    pub(crate) const fn holds(self, name: ElementName) -> bool {
        self.has(name as usize)
    }

    /// Returns whether the set contains the name of an HTML element, as the tokenizer and trees spell it: in lower
    /// case.
    #[inline]
    pub(crate) fn contains(self, name: &str) -> bool {
        ElementName::find(name).is_some_and(|name| self.holds(name))
    }

    /// Returns whether the set contains the name of an HTML element, as a program spells it: in any case.
    pub(crate) fn contains_in_any_case(self, name: &str) -> bool {
        ElementName::find_in_any_case(name).is_some_and(|name| self.holds(name))
    }

    /// Returns how many members of the set have a smaller number than `number`.
    pub(crate) const fn rank(self, number: usize) -> u32 {
        let (mut rank, mut word) = (0, 0);
        while word < number / 64 {
            rank += self.0[word].count_ones();
            word += 1;
        }
        match number % 64 {
            0 => rank,
            rest => rank + (self.0[word] & ((1 << rest) - 1)).count_ones(),
        }
    }
}

/// Creates a [`Names`] set from the variants of `ElementName` that are listed.
macro_rules! set {
    ($($name:ident)*) => {
        $crate::engine::text::html_element_sets::Names::of(&[
            $($crate::engine::text::html_element_names::ElementName::$name),*
        ])
    };
}
pub(crate) use set;
