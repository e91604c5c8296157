//! What the schema makes of elements: the groups that they are in, and what can be seen through them,
//! as bits. It must not know which names are in which: that is the schema's.

use super::notation::{Scope, Space};
use super::schema::{self, Mode};
use crate::text::html_name_sets::{KNOWN, Names, known};

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
const FIRST: [u32; schema::SCOPES.len() + 1] = {
    let (mut first, mut scope) = ([0; schema::SCOPES.len() + 1], 0);
    while scope < schema::SCOPES.len() {
        first[scope + 1] = first[scope] + schema::SCOPES[scope].0.rank(KNOWN);
        scope += 1;
    }
    first
};

/// The bits of what is seen through everything.
const OPEN: u32 = FIRST[schema::SCOPES.len()];
const _: () = assert!(OPEN + 3 <= 64);

impl Seen {
    pub(super) const NOTHING: Seen = Seen(0);
    /// A template is open, whatever is around it.
    pub(super) const TEMPLATE: Seen = Seen(1 << OPEN);
    /// An element is open whose end tag must be written.
    pub(super) const OTHERS: Seen = Seen(1 << (OPEN + 1));
    /// An element of SVG or MathML is open.
    pub(super) const FOREIGN: Seen = Seen(1 << (OPEN + 2));

    /// Those of the names `which` that are asked for in a scope.
    pub(super) const fn of(scope: Scope, which: Names) -> Seen {
        let (asked, _) = schema::SCOPES[scope as usize];
        let (mut seen, mut number) = (0, 0);
        while number < KNOWN {
            if which.has(number) && asked.has(number) {
                seen |= 1 << (FIRST[scope as usize] + asked.rank(number));
            }
            number += 1;
        }
        Seen(seen)
    }

    /// All that are asked for in a scope.
    const fn all(scope: Scope) -> Seen {
        let (first, end) = (FIRST[scope as usize], FIRST[scope as usize + 1]);
        Seen((u64::MAX >> (64 - (end - first))) << first)
    }

    pub(super) const fn or(self, other: Seen) -> Seen {
        Seen(self.0 | other.0)
    }

    #[inline(always)]
    pub(super) const fn meets(self, other: Seen) -> bool {
        self.0 & other.0 != 0
    }
}

/// What is known of an element by its name and namespace.
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

/// The classes of HTML's elements; the last is that of all names that are not known.
static HTML: [Class; KNOWN + 1] = {
    let mut classes = [Class::foreign(Group::NONE); KNOWN + 1];
    let mut number = 0;
    while number <= KNOWN {
        classes[number] = Class::html(number);
        number += 1;
    }
    classes
};

/// Those of SVG and MathML.
static FOREIGN: Class = Class::foreign(Group::NONE);
static FOREIGN_SPECIAL: Class = Class::foreign(schema::SPECIAL);
static FOREIGN_SCRIPT: Class = Class::foreign(schema::SVG_SCRIPT);

impl Class {
    /// The class of an element.
    #[inline(always)]
    pub(super) fn of(name: u32, space: Space) -> &'static Class {
        let number = known(name);
        match space {
            Space::Html => &HTML[number],
            Space::Svg if schema::SVG_HTML_POINTS.has(number) => &FOREIGN_SPECIAL,
            Space::Svg if schema::SVG_SCRIPTS.has(number) => &FOREIGN_SCRIPT,
            Space::Math if schema::MATH_POINTS.has(number) => &FOREIGN_SPECIAL,
            Space::Svg | Space::Math => &FOREIGN,
        }
    }

    /// What is seen from an element of this class, above one from which `below` is seen.
    #[inline(always)]
    pub(super) const fn sees(&self, below: Seen) -> Seen {
        Seen(below.0 & !self.hides.0 | self.own.0)
    }

    /// The bit of the element in a scope.
    #[inline(always)]
    pub(super) const fn seen_in(&self, scope: Scope) -> Seen {
        Seen(self.own.0 & Seen::all(scope).0)
    }

    /// Whether the element is a boundary of the default scope.
    #[inline(always)]
    pub(super) const fn is_boundary(&self) -> bool {
        self.hides.meets(Seen::all(Scope::Default))
    }

    const fn html(number: usize) -> Class {
        let (mut groups, mut own, mut hides) = (Group::NONE, Seen::NOTHING, Seen::NOTHING);
        let mut mode = None;
        let mut next = 0;
        while next < schema::GROUPS.len() {
            let (group, members) = schema::GROUPS[next];
            if members.has(number) {
                groups = groups.or(group);
            }
            next += 1;
        }
        next = 0;
        while next < Scope::ALL.len() {
            let scope = Scope::ALL[next];
            own = own.or(Seen::of(scope, Names::one(number)));
            if schema::SCOPES[next].1.has(number) {
                hides = hides.or(Seen::all(scope));
            }
            next += 1;
        }
        if groups.meets(schema::TEMPLATE) {
            own = own.or(Seen::TEMPLATE);
        }
        if !schema::MAY_STAY_OPEN.has(number) {
            own = own.or(Seen::OTHERS);
        }
        next = 0;
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

    /// An element of SVG or MathML: the special ones end all scopes but that of tables.
    const fn foreign(groups: Group) -> Class {
        let (mut hides, mut next) = (Seen::NOTHING, 0);
        while groups.meets(schema::SPECIAL) && next < Scope::ALL.len() {
            if Scope::ALL[next] as u8 != Scope::Table as u8 {
                hides = hides.or(Seen::all(Scope::ALL[next]));
            }
            next += 1;
        }
        Class {
            groups,
            own: Seen::OTHERS.or(Seen::FOREIGN),
            hides,
            mode: None,
        }
    }
}
