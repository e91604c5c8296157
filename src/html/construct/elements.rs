//! What the schema makes of elements: a class for each, with the groups that it is in, the scopes that
//! it and through it, and the mode that it stands for. It must not know which names are in which: that
//! is the schema's.

use super::notation::Scope;
use super::numbers::known;
use super::schema::{self, Mode, SCOPES};
use crate::html::construct::rules::{Group, Scoped};
use crate::html::names::{KNOWN, Names, Space};

/// An element is open whose end tag must be written; one of SVG or MathML.
pub(super) const OTHERS: Scoped = Scoped::nth(SCOPES.first(SCOPES.0.len()));
pub(super) const FOREIGN: Scoped = Scoped::nth(SCOPES.first(SCOPES.0.len()) + 1);

/// All that is asked for in the default scope, and in table scope.
const IN_SCOPE: Scoped = scoped(Scope::Default, Names::ALL);
const IN_TABLE_SCOPE: Scoped = scoped(Scope::Table, Names::ALL);

/// Those of the names `which` that are asked for in a scope.
pub(super) const fn scoped(scope: Scope, which: Names) -> Scoped {
    SCOPES.scoped(scope as usize, which)
}

/// What is known of an element by its name and namespace.
#[derive(Clone, Copy, Debug)]
pub(in crate::html) struct Class {
    pub(super) groups: Group,
    /// The bits by which the element itself is in scope.
    own: Scoped,
    /// What is not in scope above it, a boundary of scopes.
    bounds: Scoped,
    /// The insertion mode that it stands for.
    pub(super) mode: Option<Mode>,
}

/// The classes of HTML's elements; the last is that of all names that are not known.
pub(in crate::html) static HTML: [Class; KNOWN + 1] = {
    let mut classes = [NOTHING; KNOWN + 1];
    let mut number = 0;
    while number <= KNOWN {
        classes[number] = Class::html(number);
        number += 1;
    }
    classes
};

/// Those of SVG and MathML; that of the document.
pub(in crate::html) static FOREIGN_ORDINARY: Class = Class::foreign(Group::NONE);
pub(in crate::html) static FOREIGN_SPECIAL: Class = Class::foreign(schema::SPECIAL);
pub(in crate::html) static FOREIGN_SCRIPT: Class = Class::foreign(schema::SVG_SCRIPT);
pub(in crate::html) const NOTHING: Class = Class {
    groups: Group::NONE,
    own: Scoped::NONE,
    bounds: Scoped::NONE,
    mode: None,
};

impl Class {
    /// The class of an element.
    #[inline(always)]
    pub(super) fn of(name: u32, space: Space) -> &'static Class {
        let number = known(name);
        match space {
            Space::Html => &HTML[number],
            Space::Svg if schema::SVG_HTML_INTEGRATION_POINTS.has(number) => &FOREIGN_SPECIAL,
            Space::Svg if schema::SVG_SCRIPTS.has(number) => &FOREIGN_SCRIPT,
            Space::Math if schema::MATH_INTEGRATION_POINTS.has(number) => &FOREIGN_SPECIAL,
            _ => &FOREIGN_ORDINARY,
        }
    }

    /// What is in scope where an element of this class is the current node, above one where `below` is.
    #[inline(always)]
    pub(super) const fn in_scope_above(&self, below: Scoped) -> Scoped {
        below.without(self.bounds).or(self.own)
    }

    /// The bit of the element in the default scope, or in table scope.
    #[inline(always)]
    pub(super) const fn in_default_scope(&self) -> Scoped {
        self.own.and(IN_SCOPE)
    }

    #[inline(always)]
    pub(super) const fn in_table_scope(&self) -> Scoped {
        self.own.and(IN_TABLE_SCOPE)
    }

    /// Whether the element is a boundary of the default scope.
    #[inline(always)]
    pub(super) const fn is_boundary(&self) -> bool {
        self.bounds.meets(IN_SCOPE)
    }

    const fn html(number: usize) -> Class {
        let mut class = Class {
            own: SCOPES.own(number),
            bounds: SCOPES.bounded_by(Some(number)),
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
            bounds: match groups.meets(schema::SPECIAL) {
                true => SCOPES.bounded_by(None),
                false => Scoped::NONE,
            },
            mode: None,
        }
    }
}
