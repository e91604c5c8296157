//! What the schema makes of elements: a class for each, with the groups that it is in, what is seen of
//! it and through it, and the mode that it stands for. It must not know which names are in which: that
//! is the schema's.

use super::notation::Scope;
use super::schema::{self, Mode, SCOPES};
use crate::html::rules::{Group, Seen};
use crate::text::html_name_sets::{KNOWN, Names, Space, known};

/// The first bit of each scope; within it the names that are asked for have theirs in order.
const FIRST: [u32; SCOPES.len() + 1] = {
    let (mut first, mut scope) = ([0; SCOPES.len() + 1], 0);
    while scope < SCOPES.len() {
        first[scope + 1] = first[scope] + SCOPES[scope].0.rank(KNOWN);
        scope += 1;
    }
    first
};

/// An element is open whose end tag must be written; one of SVG or MathML.
pub(super) const OTHERS: Seen = Seen::nth(FIRST[SCOPES.len()]);
pub(super) const FOREIGN: Seen = Seen::nth(FIRST[SCOPES.len()] + 1);

/// All that are asked for in each scope.
const ALL: [Seen; SCOPES.len()] = {
    let (mut all, mut scope) = ([Seen::NONE; SCOPES.len()], 0);
    while scope < SCOPES.len() {
        all[scope] = among(scope, Names::ALL);
        scope += 1;
    }
    all
};

/// Those of the names `which` that are asked for in a scope.
pub(super) const fn seen(scope: Scope, which: Names) -> Seen {
    among(scope as usize, which)
}

pub(super) const fn among(scope: usize, which: Names) -> Seen {
    let (asked, mut seen, mut number) = (SCOPES[scope].0, Seen::NONE, 0);
    while number < KNOWN {
        if which.has(number) && asked.has(number) {
            seen = seen.or(Seen::nth(FIRST[scope] + asked.rank(number)));
        }
        number += 1;
    }
    seen
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
    let mut classes = [EMPTY; KNOWN + 1];
    let mut number = 0;
    while number <= KNOWN {
        classes[number] = Class::html(number);
        number += 1;
    }
    classes
};

/// Those of SVG and MathML; that of the document.
static FOREIGN_ORDINARY: Class = Class::foreign(Group::NONE);
static FOREIGN_SPECIAL: Class = Class::foreign(schema::SPECIAL);
static FOREIGN_SCRIPT: Class = Class::foreign(schema::SVG_SCRIPT);
pub(super) static NOTHING: Class = EMPTY;

const EMPTY: Class = Class {
    groups: Group::NONE,
    own: Seen::NONE,
    hides: Seen::NONE,
    mode: None,
};

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
            _ => &FOREIGN_ORDINARY,
        }
    }

    /// What is seen from an element of this class, above one from which `below` is seen.
    #[inline(always)]
    pub(super) const fn sees(&self, below: Seen) -> Seen {
        below.without(self.hides).or(self.own)
    }

    /// The bit of the element in a scope.
    #[inline(always)]
    pub(super) const fn seen_in(&self, scope: Scope) -> Seen {
        self.own.and(ALL[scope as usize])
    }

    /// Whether the element is a boundary of the default scope.
    #[inline(always)]
    pub(super) const fn is_boundary(&self) -> bool {
        self.hides.meets(ALL[Scope::Default as usize])
    }

    const fn html(number: usize) -> Class {
        let mut class = EMPTY;
        let mut next = 0;
        while next < schema::GROUPS.len() {
            let (group, members) = schema::GROUPS[next];
            if members.has(number) {
                class.groups = class.groups.or(group);
            }
            next += 1;
        }
        let mut scope = 0;
        while scope < SCOPES.len() {
            class.own = class.own.or(among(scope, Names::one(number)));
            if SCOPES[scope].1.has(number) {
                class.hides = class.hides.or(ALL[scope]);
            }
            scope += 1;
        }
        if !schema::MAY_STAY_OPEN.has(number) {
            class.own = class.own.or(OTHERS);
        }
        next = 0;
        while next < schema::STANDS_FOR.len() {
            let (names, mode) = schema::STANDS_FOR[next];
            if names.has(number) {
                class.mode = Some(mode);
            }
            next += 1;
        }
        class
    }

    /// An element of SVG or MathML.
    const fn foreign(groups: Group) -> Class {
        let mut class = Class {
            groups,
            own: OTHERS.or(FOREIGN),
            ..EMPTY
        };
        let mut scope = 0;
        while scope < SCOPES.len() {
            if SCOPES[scope].2 && groups.meets(schema::SPECIAL) {
                class.hides = class.hides.or(ALL[scope]);
            }
            scope += 1;
        }
        class
    }
}
