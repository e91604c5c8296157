//! The classes of elements, computed from the schema at compile time. A class contains the groups to which an element
//! belongs, its effect on scopes, and the insertion mode that the element determines.

use super::modes::Mode;
use super::numbers::known;
use super::schema::{self, FOREIGN, OTHERS, SCOPES};
use crate::dialects::html::construct::rules::{Group, Scope, Scoped};
use crate::dialects::html::names::{KNOWN_NAMES, Names, Space};
use crate::engine::text::html_facts;

/// The bits of the default scope in [`Scoped`]: one for each name that is searched for in this scope.
const IN_SCOPE: Scoped = SCOPES.of(Scope::Default, Names::ALL);
/// The bits of table scope in [`Scoped`]: one for each name that is searched for in this scope.
const IN_TABLE_SCOPE: Scoped = SCOPES.of(Scope::Table, Names::ALL);

/// The facts about an element that are the same for all elements with its name and its namespace.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialects::html) struct Class {
    /// The groups to which the element belongs.
    pub(super) groups: Group,
    /// The bits in [`Scoped`] that are set while this element is in scope, one for each scope in which the element is
    /// searched for.
    sets: Scoped,
    /// The bits in [`Scoped`] that this element clears for the elements above it on the stack, because the element ends
    /// the scopes to which these bits belong. Empty if the element ends no scope.
    bounds: Scoped,
    /// The insertion mode that applies while this element is the nearest open element that determines a mode. `None` if
    /// this element determines none.
    pub(super) mode: Option<Mode>,
}

/// The classes of HTML elements, by the number of the name. The last class is that of all unknown names.
pub(in crate::dialects::html) static HTML: [Class; KNOWN_NAMES + 1] = {
    let mut classes = [NOTHING; KNOWN_NAMES + 1];
    let mut number = 0;
    while number <= KNOWN_NAMES {
        classes[number] = Class::html(number);
        number += 1;
    }
    classes
};

/// The class of the elements of SVG and MathML that are neither in the category "special" nor SVG scripts.
pub(in crate::dialects::html) static FOREIGN_ORDINARY: Class = Class::foreign(Group::NONE);
/// The class of elements of SVG and MathML in the category "special": integration points.
pub(in crate::dialects::html) static FOREIGN_SPECIAL: Class = Class::foreign(schema::SPECIAL);
/// The class of SVG scripts.
pub(in crate::dialects::html) static FOREIGN_SCRIPT: Class = Class::foreign(schema::SVG_SCRIPT);
/// The class of the document, which is not an element.
pub(in crate::dialects::html) const NOTHING: Class = Class {
    groups: Group::NONE,
    sets: Scoped::NONE,
    bounds: Scoped::NONE,
    mode: None,
};

impl Class {
    /// Returns the class of elements with this name and namespace.
    #[inline(always)]
    pub(super) fn of(name: u32, space: Space) -> &'static Class {
        let number = known(name);
        match space {
            Space::Html => &HTML[number],
            Space::Svg if html_facts::SVG_HTML_INTEGRATION_POINTS.has(number) => &FOREIGN_SPECIAL,
            Space::Svg if html_facts::SCRIPT.has(number) => &FOREIGN_SCRIPT,
            Space::Math if schema::MATH_INTEGRATION_POINTS.has(number) => &FOREIGN_SPECIAL,
            _ => &FOREIGN_ORDINARY,
        }
    }

    /// Returns the elements that are in scope when an element of this class is the current node. `below` contains the
    /// elements that were in scope before this element was pushed.
    #[inline(always)]
    pub(super) const fn in_scope_above(&self, below: Scoped) -> Scoped {
        below.without(self.bounds).or(self.sets)
    }

    /// Returns the bit that is set in [`Scoped`] while this element is in the default scope.
    #[inline(always)]
    pub(super) const fn in_default_scope(&self) -> Scoped {
        self.sets.and(IN_SCOPE)
    }

    /// Returns the bit that is set in [`Scoped`] while this element is in table scope.
    #[inline(always)]
    pub(super) const fn in_table_scope(&self) -> Scoped {
        self.sets.and(IN_TABLE_SCOPE)
    }

    /// Returns whether an element of this class is itself one of the elements in `which`, so that at least one of them
    /// is in scope while the element is the current node.
    pub(super) const fn is_itself_in_scope(&self, which: Scoped) -> bool {
        self.sets.meets(which)
    }

    /// Returns whether elements of this class end the default scope.
    #[inline(always)]
    pub(super) const fn is_boundary(&self) -> bool {
        self.bounds.meets(IN_SCOPE)
    }

    /// Computes the class of HTML elements from the schema. `number` is the number of the name.
    const fn html(number: usize) -> Class {
        let mut class = Class {
            sets: SCOPES.own(number),
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
            class.sets = class.sets.or(OTHERS);
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

    /// Computes the class of those elements of SVG or MathML that belong to the given groups.
    const fn foreign(groups: Group) -> Class {
        Class {
            groups,
            sets: OTHERS.or(FOREIGN),
            bounds: match groups.meets(schema::SPECIAL) {
                true => SCOPES.bounded_by(None),
                false => Scoped::NONE,
            },
            mode: None,
        }
    }
}
