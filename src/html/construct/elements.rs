//! What the schema makes of element names: sets of names, groups of elements, and what can be seen
//! through which elements, as bits. It must not know which names are in which: that is the schema's.

use super::notation::Mode;
use super::schema;
use crate::text::html_element_names::ElementName;

/// How many names are known.
pub(super) const KNOWN: usize = ElementName::ALL.len();

/// A set of names, worked out at compile time. All names that are not known are one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Names([u64; 3]);

// A bit for each known name, and one for all others.
const _: () = assert!(KNOWN < 192);

/// The set of these names.
pub(super) const fn names(list: &[ElementName]) -> Names {
    let mut set = Names::NONE;
    let mut next = 0;
    while next < list.len() {
        let number = list[next] as usize;
        set.0[number / 64] |= 1 << (number % 64);
        next += 1;
    }
    set
}

impl Names {
    pub(super) const NONE: Names = Names([0; 3]);
    pub(super) const ALL: Names = Names([u64::MAX; 3]);

    /// The names in either set.
    pub(super) const fn or(self, other: Names) -> Names {
        let (a, b) = (self.0, other.0);
        Names([a[0] | b[0], a[1] | b[1], a[2] | b[2]])
    }

    /// Whether the name of this number is in the set; `KNOWN` stands for all others.
    pub(super) const fn has(self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 != 0
    }

    /// How many names of the set come before this number.
    const fn rank(self, number: usize) -> u32 {
        let (mut rank, mut before) = (0, 0);
        while before < number {
            rank += self.has(before) as u32;
            before += 1;
        }
        rank
    }

    const fn len(self) -> u32 {
        self.rank(KNOWN)
    }
}

/// A group of elements, or several: an element carries a bit for each that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group(u64);

impl Group {
    pub(super) const NONE: Group = Group(0);

    pub(super) const fn nth(number: u32) -> Group {
        Group(1 << number)
    }

    pub(super) const fn or(self, other: Group) -> Group {
        Group(self.0 | other.0)
    }

    /// Whether the two have a group in common.
    #[inline(always)]
    pub(super) const fn meets(self, other: Group) -> bool {
        self.0 & other.0 != 0
    }
}

/// Elements that can be seen from a place in the stack, each in the scope in which the schema asks
/// for it: a bit for each pair of scope and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen(u64);

/// The first bit of each scope; within it the names have theirs in order.
const IN_SCOPE: u32 = 0;
const IN_BUTTON_SCOPE: u32 = IN_SCOPE + schema::ASKED_IN_SCOPE.len();
const IN_LIST_SCOPE: u32 = IN_BUTTON_SCOPE + schema::ASKED_IN_BUTTON_SCOPE.len();
const IN_TABLE_SCOPE: u32 = IN_LIST_SCOPE + schema::ASKED_IN_LIST_SCOPE.len();
const AS_ITEM: u32 = IN_TABLE_SCOPE + schema::ASKED_IN_TABLE_SCOPE.len();
const OPEN: u32 = AS_ITEM + schema::ITEMS.len();
const LAST: u32 = OPEN + 3;
const _: () = assert!(LAST <= 64);

/// The bits from `first` up to `last`.
const fn bits(first: u32, last: u32) -> Seen {
    Seen((u64::MAX >> (64 - (last - first))) << first)
}

/// The bits of those of the names `which` that are asked for in a scope.
const fn seen(first: u32, asked: Names, which: Names) -> Seen {
    let (mut seen, mut number) = (0, 0);
    while number < KNOWN {
        if which.has(number) && asked.has(number) {
            seen |= 1 << (first + asked.rank(number));
        }
        number += 1;
    }
    Seen(seen)
}

impl Seen {
    pub(super) const NOTHING: Seen = Seen(0);
    /// A template is open, whatever is around it.
    pub(super) const TEMPLATE: Seen = Seen(1 << OPEN);
    /// An element is open whose end tag must be written.
    pub(super) const OTHERS: Seen = Seen(1 << (OPEN + 1));
    /// An element of SVG or MathML is open.
    pub(super) const FOREIGN: Seen = Seen(1 << (OPEN + 2));

    /// In the default scope.
    pub(super) const fn scope(which: Names) -> Seen {
        seen(IN_SCOPE, schema::ASKED_IN_SCOPE, which)
    }

    pub(super) const fn button_scope(which: Names) -> Seen {
        seen(IN_BUTTON_SCOPE, schema::ASKED_IN_BUTTON_SCOPE, which)
    }

    pub(super) const fn list_scope(which: Names) -> Seen {
        seen(IN_LIST_SCOPE, schema::ASKED_IN_LIST_SCOPE, which)
    }

    pub(super) const fn table_scope(which: Names) -> Seen {
        seen(IN_TABLE_SCOPE, schema::ASKED_IN_TABLE_SCOPE, which)
    }

    /// As an item of a list: with nothing special inside it but what items may stand in.
    pub(super) const fn item(which: Names) -> Seen {
        seen(AS_ITEM, schema::ITEMS, which)
    }

    pub(super) const fn or(self, other: Seen) -> Seen {
        Seen(self.0 | other.0)
    }

    const fn and(self, other: Seen) -> Seen {
        Seen(self.0 & other.0)
    }

    /// What is seen through an element that hides what is in `other`.
    const fn without(self, other: Seen) -> Seen {
        Seen(self.0 & !other.0)
    }

    #[inline(always)]
    pub(super) const fn meets(self, other: Seen) -> bool {
        self.0 & other.0 != 0
    }
}

/// What is known of an element by its name, or by its name in SVG or MathML.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    pub(super) groups: Group,
    /// The bits by which the element itself is seen.
    own: Seen,
    /// What is not seen through it.
    hides: Seen,
    /// The insertion mode that it stands for.
    pub(super) mode: Option<Mode>,
}

impl Class {
    /// What is seen from an element of this class, above one from which `below` is seen.
    #[inline(always)]
    pub(super) const fn sees(&self, below: Seen) -> Seen {
        below.without(self.hides).or(self.own)
    }

    /// The bit of the element in the default scope; in table scope.
    #[inline(always)]
    pub(super) const fn in_scope(&self) -> Seen {
        self.own.and(bits(IN_SCOPE, IN_BUTTON_SCOPE))
    }

    #[inline(always)]
    pub(super) const fn in_table_scope(&self) -> Seen {
        self.own.and(bits(IN_TABLE_SCOPE, AS_ITEM))
    }

    /// Whether the element is a boundary of the default scope.
    #[inline(always)]
    pub(super) const fn is_boundary(&self) -> bool {
        self.hides.meets(bits(IN_SCOPE, IN_BUTTON_SCOPE))
    }

    const fn html(number: usize) -> Class {
        let mut which = Names::NONE;
        which.0[number / 64] |= 1 << (number % 64);
        let mut groups = Group::NONE;
        let mut next = 0;
        while next < schema::GROUPS.len() {
            let (group, members) = schema::GROUPS[next];
            if members.has(number) {
                groups = groups.or(group);
            }
            next += 1;
        }
        let mut own = Seen::scope(which)
            .or(Seen::button_scope(which))
            .or(Seen::list_scope(which))
            .or(Seen::table_scope(which))
            .or(Seen::item(which));
        if groups.meets(schema::TEMPLATE) {
            own = own.or(Seen::TEMPLATE);
        }
        if !schema::MAY_STAY_OPEN.has(number) {
            own = own.or(Seen::OTHERS);
        }
        let mut hides = Seen::NOTHING;
        if schema::BOUNDARIES.has(number) {
            hides = hides.or(bits(IN_SCOPE, IN_TABLE_SCOPE));
        }
        if schema::BUTTON_BOUNDARIES.has(number) {
            hides = hides.or(bits(IN_BUTTON_SCOPE, IN_LIST_SCOPE));
        }
        if schema::LIST_BOUNDARIES.has(number) {
            hides = hides.or(bits(IN_LIST_SCOPE, IN_TABLE_SCOPE));
        }
        if schema::TABLE_BOUNDARIES.has(number) {
            hides = hides.or(bits(IN_TABLE_SCOPE, AS_ITEM));
        }
        if groups.meets(schema::SPECIAL) && !schema::AROUND_ITEMS.has(number) {
            hides = hides.or(bits(AS_ITEM, OPEN));
        }
        let mut mode = None;
        let mut next = 0;
        while next < schema::STANDS_FOR.len() {
            let (names, stands_for) = schema::STANDS_FOR[next];
            if names.has(number) {
                mode = Some(stands_for);
            }
            next += 1;
        }
        Class {
            groups,
            own,
            hides,
            mode,
        }
    }

    /// An element of SVG or MathML: the special ones are boundaries too.
    pub(super) const fn foreign(special: bool) -> Class {
        let hides = match special {
            true => bits(IN_SCOPE, IN_TABLE_SCOPE).or(bits(AS_ITEM, OPEN)),
            false => Seen::NOTHING,
        };
        Class {
            groups: if special {
                schema::SPECIAL
            } else {
                Group::NONE
            },
            own: Seen::OTHERS.or(Seen::FOREIGN),
            hides,
            mode: None,
        }
    }
}

/// The classes of HTML's elements; the last is that of all names that are not known.
pub(super) static CLASSES: [Class; KNOWN + 1] = {
    let mut classes = [Class::foreign(false); KNOWN + 1];
    let mut number = 0;
    while number <= KNOWN {
        classes[number] = Class::html(number);
        number += 1;
    }
    classes
};
