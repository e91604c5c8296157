//! The rules by which a [`Sanitizer`] judges nodes and attributes. Verdicts are cached by name.

use super::attribute_rule::AttributeRule;
use super::lists;
use super::names::{self, Names};
use super::sanitizer::{Element, Fate, Sanitizer};
use super::url::Scheme;
use crate::engine::text::html_facts;
use crate::tree::{Attribute, Node, namespaces};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The form in which the program gets the sanitized tree. For strings, the rules are stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The result is the tree.
    Tree,
    /// The tree is serialized. The string may later be parsed in another context.
    String,
    /// The tree was parsed from a string that is already sanitized with the form `String`, and is serialized again to
    /// check that the string stays the same. The program's function for attribute values is not called a second time.
    StringAgain,
}

impl Form {
    fn is_string(self) -> bool {
        self != Form::Tree
    }
}

/// A sanitizer and its cached verdicts.
#[derive(Debug)]
pub(super) struct Rules<'a> {
    /// The configuration.
    pub(super) sanitizer: &'a Sanitizer,
    /// The form in which the program gets the result.
    pub(super) form: Form,
    /// Cached verdicts on elements, by the number that the document gave to the element's name. `None` if not computed
    /// yet.
    known: Vec<Option<Known<'a>>>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(sanitizer: &'a Sanitizer, form: Form) -> Rules<'a> {
        Rules {
            sanitizer,
            form,
            known: Vec::new(),
        }
    }

    /// Returns the function that changes attribute values, unless it was already applied.
    pub(super) fn attribute_rule(&self) -> Option<&'a AttributeRule> {
        let rule = self.sanitizer.rule.as_ref();
        rule.filter(|_| self.form != Form::StringAgain)
    }

    /// Returns the verdicts on the elements with the name of this node, which are computed at the first call for that
    /// name. `None` if the node has no name number.
    pub(super) fn known(&mut self, node: Node<'_>) -> Option<&mut Known<'a>> {
        let number = node.name_number()?;
        if number >= self.known.len() {
            self.known.resize_with(number + 1, || None);
        }
        let place = &mut self.known[number];
        Some(place.get_or_insert_with(|| Known::of(node, self.sanitizer, self.form)))
    }

    /// Returns the treatment of an element. The `html`, `head` and `body` of a page are kept unless a list names them.
    pub(super) fn fate(&mut self, element: Node<'_>, is_part_of_page: bool) -> Fate {
        match self.known(element) {
            Some(known) if is_part_of_page && !known.is_listed => Fate::Allowed,
            Some(known) => known.fate,
            None => Fate::Removed,
        }
    }

    /// Returns true if a text node is allowed: in a string, text that is serialized without escapes must not contain
    /// markup.
    pub(super) fn allows_text(&mut self, text: Node<'_>) -> bool {
        if !self.form.is_string() || is_plain(text.text()) {
            return true;
        }
        let parent = text.parent().and_then(|parent| self.known(parent));
        !parent.is_some_and(|parent| parent.is_raw)
    }

    pub(super) fn allows_comment(&self, data: &str) -> bool {
        self.sanitizer.comments && (!self.form.is_string() || is_plain(data))
    }

    pub(super) fn allows_instruction(&self, target: &str, data: &str) -> bool {
        let is_listed = self.sanitizer.instructions.contains(target);
        is_listed == self.sanitizer.only_instructions && (!self.form.is_string() || is_plain(data))
    }
}

/// Returns true if a string that is serialized without escapes cannot be parsed as markup.
fn is_plain(text: &str) -> bool {
    // PERF: compilers make vector instructions of this loop, which looks at all bytes.
    !text
        .bytes()
        .fold(false, |found, byte| found | (byte & !2 == b'<'))
}

/// The cached decisions on elements with a certain name: whether they are kept, and which attributes they may have.
#[derive(Debug)]
pub(super) struct Known<'a> {
    space: Option<usize>,
    /// The name of these elements in the form that the lists of the sanitizer use: `a`, `svg a`.
    pub(super) listed_name: Box<str>,
    /// The entry of these elements in the lists of the sanitizer. `None` if no list names them.
    said: Option<&'a Element>,
    fate: Fate,
    /// True if a list names these elements, or they are unsafe.
    is_listed: bool,
    /// True if text in these elements is serialized without escapes.
    is_raw: bool,
    /// Cached verdicts on attributes, each with the number of the attribute's name.
    attributes: Vec<(usize, Verdict)>,
}

/// The verdict on all attributes with the same name, on the elements with the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Stays,
    Goes,
    /// The verdict depends on the value.
    ByValue(Leads),
}

/// The checks to make of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leads {
    /// True if a browser may navigate to the value as a URL.
    navigates: bool,
    /// True if the value is the name of the attribute that an SVG element animates.
    animates: bool,
    /// True if the value is a URL whose scheme must be allowed by the configuration.
    has_scheme: bool,
}

/// Maximum number of cached attribute verdicts per element name. Hardly any elements have more attributes.
const MOST_KEPT: usize = 32;

impl<'a> Known<'a> {
    #[cold]
    fn of(node: Node<'_>, sanitizer: &'a Sanitizer, form: Form) -> Known<'a> {
        let (name, space) = (node.local_name(), space(node));
        let said = space.and_then(|space| sanitizer.elements[space].get(name));
        let is_unsafe = match space {
            _ if form.is_string() => {
                let is = |one: &&str| one.eq_ignore_ascii_case(name);
                lists::UNSAFE_HTML.iter().any(is) || lists::UNSAFE_SVG.iter().any(is)
            }
            Some(0) => lists::UNSAFE_HTML.contains(&name),
            Some(1) => lists::UNSAFE_SVG.contains(&name),
            _ => false,
        };
        let said_fate = said.map_or(Fate::Unsaid, |element| element.fate);
        let unknown = sanitizer.unknown.filter(|_| said_fate == Fate::Unsaid);
        let asked_fate = unknown.map_or(said_fate, |one| (one.fate)(space, name, is_unsafe));
        let fate = match asked_fate {
            Fate::Escaped => Fate::Escaped,
            _ if is_unsafe => Fate::Removed,
            Fate::Unsaid if sanitizer.only_elements => Fate::Removed,
            Fate::Removed => Fate::Removed,
            // No end tag ends this element, so that the rest of the page would be its text.
            _ if form.is_string() && html_facts::PLAIN_TEXT.contains_in_any_case(name) => {
                Fate::Replaced
            }
            fate => fate,
        };
        Known {
            space,
            listed_name: [names::prefix(space), name].concat().into(),
            said,
            fate,
            is_listed: is_unsafe || said_fate != Fate::Unsaid,
            is_raw: space == Some(0) && html_facts::unescaped(false).contains(name),
            attributes: Vec::new(),
        }
    }

    /// Returns the local name of these elements.
    pub(super) fn name(&self) -> &str {
        &self.listed_name[names::prefix(self.space).len()..]
    }

    /// Returns the verdict on all attributes that have the same name as this one.
    #[inline]
    pub(super) fn verdict(
        &mut self,
        attribute: Attribute<'_>,
        sanitizer: &Sanitizer,
        form: Form,
    ) -> Verdict {
        if let Some(verdict) = self.kept(attribute) {
            return verdict;
        }
        let verdict = self.judge(attribute, sanitizer, form);
        if self.attributes.len() < MOST_KEPT {
            self.attributes.push((attribute.name_number(), verdict));
        }
        verdict
    }

    #[inline]
    pub(super) fn kept(&self, attribute: Attribute<'_>) -> Option<Verdict> {
        let number = attribute.name_number();
        let mut kept = self.attributes.iter();
        let found = kept.find(|(other, _)| *other == number);
        found.map(|(_, verdict)| *verdict)
    }

    pub(super) fn judge(
        &self,
        attribute: Attribute<'_>,
        sanitizer: &Sanitizer,
        form: Form,
    ) -> Verdict {
        if !sanitizer.allows(self.said, attribute) || is_handler(attribute) {
            return Verdict::Goes;
        }
        let leads = self.leads(attribute, sanitizer, form);
        match leads.navigates || leads.animates || leads.has_scheme {
            true => Verdict::ByValue(leads),
            false => Verdict::Stays,
        }
    }

    fn leads(&self, attribute: Attribute<'_>, sanitizer: &Sanitizer, form: Form) -> Leads {
        let (name, namespace) = (attribute.local_name(), attribute.namespace());
        let has_schemes = sanitizer.schemes.is_some();
        if form.is_string() {
            let name = name.rsplit(':').next().unwrap_or(name);
            let is = |one: &&str| one.eq_ignore_ascii_case(name);
            let navigates = lists::URL_ATTRIBUTES.iter().any(is);
            return Leads {
                navigates,
                animates: name.eq_ignore_ascii_case("attributename"),
                has_scheme: has_schemes && navigates,
            };
        }
        let own = (self.name(), name);
        Leads {
            navigates: match (self.space, namespace) {
                (Some(0), None) => lists::NAVIGATING_HTML.contains(&own),
                (Some(1), None | Some(namespaces::XLINK)) => own == ("a", "href"),
                (Some(2), None | Some(namespaces::XLINK)) => name == "href",
                _ => false,
            },
            animates: self.space == Some(1)
                && lists::ANIMATING_SVG.contains(&self.name())
                && (name, namespace) == ("attributeName", None),
            has_scheme: has_schemes && lists::URL_ATTRIBUTES.contains(&name),
        }
    }
}

impl Verdict {
    /// Returns true if the attribute is kept, according to the verdict on its name and, if necessary, its value.
    #[inline]
    pub(super) fn stays(self, attribute: Attribute<'_>, sanitizer: &Sanitizer, form: Form) -> bool {
        match self {
            Verdict::Stays => true,
            Verdict::Goes => false,
            Verdict::ByValue(leads) => leads.may(attribute.value(), sanitizer, form),
        }
    }
}

impl Leads {
    /// Returns true if the value of an attribute is allowed: as a URL it cannot run a script, and the configuration
    /// allows its scheme.
    fn may(self, value: &str, sanitizer: &Sanitizer, form: Form) -> bool {
        let is_animated = match form.is_string() {
            true => animates_url(value),
            false => matches!(value, "href" | "xlink:href"),
        };
        if self.animates && is_animated {
            return false;
        }
        let Some(scheme) = Scheme::of(value) else {
            return true;
        };
        let allowed = sanitizer.schemes.as_ref().filter(|_| self.has_scheme);
        !(self.navigates && scheme.is("javascript"))
            && allowed.is_none_or(|allowed| allowed.iter().any(|one| scheme.is(one)))
    }
}

fn animates_url(value: &str) -> bool {
    let value = value.trim_matches(|character: char| character.is_ascii_whitespace());
    value
        .rsplit(':')
        .next()
        .is_some_and(|name| name.eq_ignore_ascii_case("href"))
}

impl Sanitizer {
    /// Returns true if the lists of the sanitizer allow an attribute on an element. `said` is the entry of the element
    /// in these lists.
    fn allows(&self, said: Option<&Element>, attribute: Attribute<'_>) -> bool {
        let allowed = said.and_then(|element| element.allowed.as_ref());
        let is_removed = said.is_some_and(|element| has(&element.removed, attribute));
        if is_removed {
            return false;
        }
        if self.only_attributes {
            return has(&self.attributes, attribute)
                || allowed.is_some_and(|allowed| has(allowed, attribute))
                || self.data_attributes
                    && attribute.namespace().is_none()
                    && attribute.local_name().starts_with("data-");
        }
        allowed.is_none_or(|allowed| has(allowed, attribute)) && !has(&self.attributes, attribute)
    }
}

fn has(names: &Names, attribute: Attribute<'_>) -> bool {
    let prefix = match attribute.namespace() {
        None => return names.contains(attribute.local_name()),
        Some(namespaces::XLINK) => "xlink ",
        Some(namespaces::XML) => "xml ",
        Some(namespaces::XMLNS) => "xmlns ",
        Some(_) => return false,
    };
    names.contains(&*[prefix, attribute.local_name()].concat())
}

/// Returns true if an attribute is an event handler. All names that begin with `on` count, because browsers may add
/// handlers.
fn is_handler(attribute: Attribute<'_>) -> bool {
    let name = attribute.local_name().as_bytes();
    attribute.namespace().is_none() && name.len() > 2 && name[..2].eq_ignore_ascii_case(b"on")
}

/// Returns the number of an element's namespace: 0 is HTML, 1 is SVG, 2 is MathML.
fn space(node: Node<'_>) -> Option<usize> {
    match node.namespace()? {
        namespaces::HTML => Some(0),
        namespaces::SVG => Some(1),
        namespaces::MATHML => Some(2),
        _ => None,
    }
}
