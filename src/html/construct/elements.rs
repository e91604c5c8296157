//! What the schema makes of elements: a class for each, with the groups that it is in, what is seen of
//! it and through it, and the mode that it stands for. It must not know which names are in which: that
//! is the schema's.

use super::notation::Scope;
use super::schema::{self, Mode, SCOPES};
use crate::html::construct::rules::{Group, Seen};
use crate::html::names::{KNOWN, Names, Space, known};

/// An element is open whose end tag must be written; one of SVG or MathML.
pub(super) const OTHERS: Seen = Seen::nth(SCOPES.first(SCOPES.0.len()));
pub(super) const FOREIGN: Seen = Seen::nth(SCOPES.first(SCOPES.0.len()) + 1);

/// All that is asked for in the default scope, and in table scope.
const IN_SCOPE: Seen = seen(Scope::Default, Names::ALL);
const IN_TABLE_SCOPE: Seen = seen(Scope::Table, Names::ALL);

/// Those of the names `which` that are asked for in a scope.
pub(super) const fn seen(scope: Scope, which: Names) -> Seen {
    SCOPES.seen(scope as usize, which)
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
    let mut classes = [NOTHING; KNOWN + 1];
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
pub(super) const NOTHING: Class = Class {
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

    /// The bit of the element in the default scope, or in table scope.
    #[inline(always)]
    pub(super) const fn in_scope(&self) -> Seen {
        self.own.and(IN_SCOPE)
    }

    #[inline(always)]
    pub(super) const fn in_table_scope(&self) -> Seen {
        self.own.and(IN_TABLE_SCOPE)
    }

    /// Whether the element is a boundary of the default scope.
    #[inline(always)]
    pub(super) const fn is_boundary(&self) -> bool {
        self.hides.meets(IN_SCOPE)
    }

    const fn html(number: usize) -> Class {
        let mut class = Class {
            own: SCOPES.own(number),
            hides: SCOPES.hidden_by(Some(number)),
            ..NOTHING
        };
        let mut next = 0;
        while next < schema::GROUPS.len() {
            let (group, members) = schema::GROUPS[next];
            if members.has(number) {
                class.groups = class.groups.or(group);
            }
            next += 1;
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
        Class {
            groups,
            own: OTHERS.or(FOREIGN),
            hides: match groups.meets(schema::SPECIAL) {
                true => SCOPES.hidden_by(None),
                false => Seen::NONE,
            },
            mode: None,
        }
    }
}
