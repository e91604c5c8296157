//! Sets of names, and the namespaces that they are of. It must not know what names mean.

use crate::text::html_element_names::ElementName;

/// How many names are known.
pub(crate) const KNOWN: usize = ElementName::ALL.len();

/// A namespace: of elements of HTML, SVG, MathML; of attributes of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub enum Space {
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
