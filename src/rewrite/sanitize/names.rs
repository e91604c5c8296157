//! Names of elements, attributes, instructions and schemes in the lists of a [`Sanitizer`](super::Sanitizer): their
//! validation, and the form in which the lists store them.

use crate::engine::error::Error;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::fmt;
use hashbrown::HashSet;

/// A set of attribute names. The name of an attribute in a namespace is stored as its prefix, a space, and its local
/// name.
pub(super) type Names = HashSet<Box<str>>;

/// The prefixes of element names. The index of each is the number of its namespace: HTML, SVG, MathML.
const PREFIXES: [&str; 3] = ["", "svg ", "math "];

/// The kind of a name in a list of a [`Sanitizer`](super::Sanitizer).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameKind {
    /// An element: `p`, `svg path`, `math mi`.
    Element,
    /// An attribute: `href`, `xlink:href`, `xml:lang`.
    Attribute,
    /// A processing instruction, named by its target.
    ProcessingInstruction,
    /// The scheme of a URL, without the colon.
    Scheme,
    /// A class: a word in the attribute `class`.
    Class,
    /// A property of CSS: `color`, `--accent`.
    CssProperty,
    /// The prefix of identifiers.
    IdPrefix,
    /// An attribute that is set, and that cannot run a script.
    SetAttribute,
    /// The value of an attribute that is set and contains a URL: its scheme is allowed.
    SetUrl,
}

/// The error for a name that a program adds to a list of a [`Sanitizer`](super::Sanitizer) although no element,
/// attribute, instruction or scheme can have this name, such as a name with a space. It is also the error for a URL that a
/// program sets although the sanitizer does not allow its scheme.
///
/// ```
/// use tagstream::Sanitizer;
/// use tagstream::sanitize::NameKind;
///
/// let error = Sanitizer::default().allow_elements(&["em", "foo bar"]).unwrap_err();
/// assert_eq!((error.name(), error.kind()), ("foo bar", NameKind::Element));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct NameError {
    name: Box<str>,
    kind: NameKind,
    described: &'static str,
}

impl NameError {
    /// Creates the error for a name that the rule does not allow.
    pub(super) fn new(rule: &Rule, given: &str) -> NameError {
        NameError {
            name: given.into(),
            kind: rule.kind,
            described: rule.described,
        }
    }

    /// The name or the URL as the program passed it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind of name that was expected.
    pub fn kind(&self) -> NameKind {
        self.kind
    }
}

crate::engine::error::debug_as_display!(NameError);

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} cannot be {}", self.name, self.described)
    }
}

impl core::error::Error for NameError {}

/// Converts the error, so that a function that returns [`Error`] can use `?`.
///
/// ```
/// use tagstream::{Error, Sanitizer};
///
/// fn sanitizer(allowed: &[&str]) -> Result<Sanitizer, Error> {
///     Ok(Sanitizer::default().allow_elements(allowed)?)
/// }
/// assert!(sanitizer(&["foo bar"]).is_err());
/// ```
impl From<NameError> for Error {
    fn from(error: NameError) -> Error {
        Error::other(error)
    }
}

/// Returns the prefix that the lists put before the local names of elements in a namespace.
pub(super) fn prefix(space: Option<usize>) -> &'static str {
    space.map_or("", |space| PREFIXES[space])
}

/// The rule for names of a kind. Each rule is a constant of its own, so that a program contains only those that it uses.
pub(super) struct Rule {
    kind: NameKind,
    /// A description of the kind and of the expected names, which follows "cannot be" in error messages.
    described: &'static str,
    /// Returns true if a name, which is not empty, can be one of this kind.
    is_possible: fn(&str) -> bool,
}

const ELEMENT: Rule = Rule {
    kind: NameKind::Element,
    described: "the name of an element: expected a name such as `p`, `svg path` or `math mi`",
    // The first character is one with which the name of an element can begin by the DOM standard.
    is_possible: |name| {
        name.starts_with(|one: char| {
            one.is_ascii_alphabetic() || ":_".contains(one) || !one.is_ascii()
        }) && !name.contains(|one: char| one.is_ascii_whitespace() || "\0<>/=\"'&".contains(one))
    },
};

const ATTRIBUTE: Rule = Rule {
    kind: NameKind::Attribute,
    described: "the name of an attribute: expected a name such as `href` or `xlink:href`",
    is_possible: |name| {
        !name.contains(|one: char| one.is_ascii_whitespace() || "\0/=>".contains(one))
    },
};

const INSTRUCTION: Rule = Rule {
    kind: NameKind::ProcessingInstruction,
    described: "the name of a processing instruction: expected a name such as `xml-stylesheet`",
    is_possible: |name| {
        !name.contains(|one: char| one.is_ascii_whitespace() || "\0?>".contains(one))
    },
};

const SCHEME: Rule = Rule {
    kind: NameKind::Scheme,
    described: "the name of a URL scheme: expected a name such as `https`",
    is_possible: |name| {
        let mut characters = name.chars();
        name.starts_with(|one: char| one.is_ascii_alphabetic())
            && characters.all(|one| one.is_ascii_alphanumeric() || "+-.".contains(one))
    },
};

const CLASS: Rule = Rule {
    kind: NameKind::Class,
    described: "the name of a class: expected a name such as `note`",
    is_possible: |name| !name.contains(|one: char| one.is_ascii_whitespace()),
};

const CSS_PROPERTY: Rule = Rule {
    kind: NameKind::CssProperty,
    described: "the name of a CSS property: expected a name such as `color` or `--accent`",
    is_possible: |name| name.chars().all(is_plain),
};

const ID_PREFIX: Rule = Rule {
    kind: NameKind::IdPrefix,
    described: "the name of a prefix of identifiers: expected a name such as `user-`",
    is_possible: |name| {
        name.starts_with(|one: char| one.is_ascii_alphabetic()) && name.chars().all(is_plain)
    },
};

/// The rule for attributes that are set. The method that sets attributes decides which can run a script.
pub(super) const SET_ATTRIBUTE: Rule = Rule {
    kind: NameKind::SetAttribute,
    described: "the name of an attribute that is set: expected a name such as `target` or `rel`",
    is_possible: |_| true,
};

/// The rule for the URLs of attributes that are set. The methods that know the allowed schemes decide.
pub(super) const SET_URL: Rule = Rule {
    kind: NameKind::SetUrl,
    described: "the URL of an attribute that is set: its scheme is not allowed",
    is_possible: |_| true,
};

/// Validates a name. `given` is the whole name, for the error; `name` is the part to validate.
fn check(rule: &Rule, given: &str, name: &str) -> Result<(), NameError> {
    match !name.is_empty() && (rule.is_possible)(name) {
        true => Ok(()),
        false => Err(NameError::new(rule, given)),
    }
}

/// Splits the name of an element into the number of its namespace and its local name. Names of HTML elements are
/// lowercased, as the parser lowercases them. Names of SVG and MathML elements keep their case.
pub(super) fn element(given: &str) -> Result<(usize, Cow<'_, str>), NameError> {
    let mut prefixes = PREFIXES.iter().enumerate().skip(1);
    let found = prefixes.find_map(|(space, prefix)| Some((space, given.strip_prefix(prefix)?)));
    let (space, local) = found.unwrap_or((0, given));
    check(&ELEMENT, given, local)?;
    Ok((
        space,
        if space == 0 {
            lowercase(local)
        } else {
            local.into()
        },
    ))
}

/// Returns the forms of an attribute name that a list stores: the name itself, which SVG and MathML can contain, and
/// for a name with capitals the lowercase name, which HTML has instead.
pub(super) fn attribute(given: &str) -> Result<impl Iterator<Item = Box<str>>, NameError> {
    check(&ATTRIBUTE, given, given)?;
    let lower = given.bytes().any(|byte| byte.is_ascii_uppercase());
    let lower = lower.then(|| key(&given.to_ascii_lowercase()));
    Ok(core::iter::once(key(given)).chain(lower))
}

/// Validates the target of a processing instruction.
pub(super) fn target(given: &str) -> Result<Box<str>, NameError> {
    check(&INSTRUCTION, given, given)?;
    Ok(given.into())
}

/// Validates a URL scheme and lowercases it.
pub(super) fn scheme(given: &str) -> Result<Box<str>, NameError> {
    check(&SCHEME, given, given)?;
    Ok(given.to_ascii_lowercase().into())
}

/// Validates a class.
pub(super) fn class(given: &str) -> Result<Box<str>, NameError> {
    check(&CLASS, given, given)?;
    Ok(given.into())
}

/// Validates a property of CSS, and lowercases it unless it is a custom property.
pub(super) fn property(given: &str) -> Result<Box<str>, NameError> {
    check(&CSS_PROPERTY, given, given)?;
    Ok(match given.starts_with("--") {
        true => given.into(),
        false => given.to_ascii_lowercase().into(),
    })
}

/// Validates the prefix of identifiers.
pub(super) fn id_prefix(given: &str) -> Result<Box<str>, NameError> {
    check(&ID_PREFIX, given, given)?;
    Ok(given.into())
}

/// Returns true for the characters of names that need no escape anywhere.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_')
}

/// Converts the name of an attribute to the form that [`Names`] stores.
pub(super) fn key(attribute: &str) -> Box<str> {
    match attribute.split_once(':') {
        Some((prefix @ ("xlink" | "xml" | "xmlns"), local)) => [prefix, " ", local].concat().into(),
        _ => attribute.into(),
    }
}

fn lowercase(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => name.to_ascii_lowercase().into(),
        false => name.into(),
    }
}
