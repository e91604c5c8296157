//! Names of HTML's tags as numbers, and sets of names. Known names have their numbers from the
//! beginning, others get one when they are first met. It must not know what names mean.

use crate::seeds::Seeds;
use crate::text::html_element_names::ElementName;
use crate::text::key::Key;
use alloc::boxed::Box;
use hashbrown::HashMap;

/// How many names are known.
pub(crate) const KNOWN: usize = ElementName::ALL.len();

/// A namespace: of elements of HTML, SVG, MathML; of attributes of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Html,
    Svg,
    Math,
    XLink,
    Xml,
    Xmlns,
}

impl Space {
    /// The context of a fragment, written `div`, `svg path` or `math mi`: its namespace and name.
    pub(crate) fn of_context(context: &str) -> (Space, &str) {
        match context.split_once(' ') {
            Some(("svg", name)) => (Space::Svg, name),
            Some(("math", name)) => (Space::Math, name),
            _ => (Space::Html, context),
        }
    }
}

/// The name of a tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub(crate) number: u32,
    pub(crate) text: &'a str,
}

impl Name<'_> {
    /// What has no name.
    pub(crate) const NONE: Name<'static> = Name {
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
pub(crate) fn known(number: u32) -> usize {
    (number as usize).min(KNOWN)
}

/// The numbers of the names that are not known.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    numbers: HashMap<Box<str>, u32, Seeds>,
    /// Short names met lately, by a cheap hash: those of one place only cost each other the memory.
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
            recent: [(Key::EMPTY, 0); 1 << RECENT_BITS],
        }
    }
}

impl Numbers {
    /// A name, which is given in lower case, with its number.
    #[inline]
    pub(crate) fn name<'a>(&mut self, text: &'a str) -> Name<'a> {
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

    /// The number by the table of all of them.
    fn look_up(&mut self, text: &str) -> u32 {
        let next = (KNOWN + self.numbers.len()) as u32;
        *self.numbers.entry_ref(text).or_insert(next)
    }
}

/// A set of names, worked out at compile time. All names that are not known are one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Names([u64; 3]);

// A bit for each known name, and one for all others.
const _: () = assert!(KNOWN < 192);

impl Names {
    pub(crate) const NONE: Names = Names([0; 3]);
    pub(crate) const ALL: Names = Names([u64::MAX; 3]);

    /// The set of these names.
    pub(crate) const fn of(list: &[ElementName]) -> Names {
        let (mut set, mut next) = (Names::NONE, 0);
        while next < list.len() {
            set = set.or(Names::one(list[next] as usize));
            next += 1;
        }
        set
    }

    /// The set of the name of this number.
    pub(crate) const fn one(number: usize) -> Names {
        let mut set = Names::NONE;
        set.0[number / 64] |= 1 << (number % 64);
        set
    }

    /// The names in either set.
    pub(crate) const fn or(self, other: Names) -> Names {
        let (a, b) = (self.0, other.0);
        Names([a[0] | b[0], a[1] | b[1], a[2] | b[2]])
    }

    /// The names of this set that are not in the other.
    pub(crate) const fn without(self, other: Names) -> Names {
        let (a, b) = (self.0, other.0);
        Names([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2]])
    }

    /// Whether the name of this number is in the set; [`KNOWN`] stands for all others.
    pub(crate) const fn has(self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 != 0
    }

    /// Whether a known name is in the set.
    #[inline(always)]
    pub(crate) const fn holds(self, name: ElementName) -> bool {
        self.has(name as usize)
    }

    /// How many names of the set come before this number.
    pub(crate) const fn rank(self, number: usize) -> u32 {
        let (mut rank, mut before) = (0, 0);
        while before < number {
            rank += self.has(before) as u32;
            before += 1;
        }
        rank
    }
}

/// A set of names.
macro_rules! set {
    ($($name:ident)*) => {
        $crate::html::names::Names::of(&[
            $($crate::text::html_element_names::ElementName::$name),*
        ])
    };
}
pub(crate) use set;
