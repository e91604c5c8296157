//! How selectors are read: by `selectors`, which is told here what strings and pseudo-classes there are. It must
//! not know what becomes of them.

use super::program::State;
use crate::error::{SelectorError, SelectorErrorKind};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cell::RefCell;
use core::fmt;
use cssparser::{Parser as Input, ToCss, Token};
use precomputed_hash::PrecomputedHash;
use selectors::parser::{
    NonTSPseudoClass, PseudoElement, Selector, SelectorImpl, SelectorParseErrorKind,
};

/// A string of a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word(pub(super) Arc<str>);

impl Default for Word {
    fn default() -> Word {
        Word("".into())
    }
}

impl From<&str> for Word {
    fn from(text: &str) -> Word {
        Word(text.into())
    }
}

impl Borrow<str> for Word {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl ToCss for Word {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

impl PrecomputedHash for Word {
    /// Nothing here filters by hashes.
    fn precomputed_hash(&self) -> u32 {
        0
    }
}

/// The pseudo-classes that are not of the structure of a tree, and their names.
const STATES: [(&str, State); 10] = [
    ("link", State::Link),
    ("any-link", State::Link),
    ("checked", State::Checked),
    ("disabled", State::Disabled),
    ("enabled", State::Enabled),
    ("required", State::Required),
    ("optional", State::Optional),
    ("read-only", State::ReadOnly),
    ("read-write", State::ReadWrite),
    ("placeholder-shown", State::PlaceholderShown),
];

/// Those of the structure.
const STRUCTURAL: [&str; 9] = [
    "root",
    "empty",
    "scope",
    "first-child",
    "last-child",
    "only-child",
    "first-of-type",
    "last-of-type",
    "only-of-type",
];

/// Those with arguments.
const FUNCTIONS: [&str; 8] = [
    "is",
    "where",
    "not",
    "has",
    "nth-child",
    "nth-last-child",
    "nth-of-type",
    "nth-last-of-type",
];

/// Whether there is a pseudo-class of this name, in lower case.
pub(super) fn is_pseudo_class(name: &str, is_function: bool) -> bool {
    match is_function {
        true => FUNCTIONS.contains(&name),
        false => STRUCTURAL.contains(&name) || STATES.iter().any(|(known, _)| *known == name),
    }
}

impl ToCss for State {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        let name = STATES.iter().find(|(_, state)| state == self);
        write!(out, ":{}", name.map_or("", |(name, _)| name))
    }
}

impl NonTSPseudoClass for State {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        false
    }
}

/// There is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoPseudoElement {}

impl ToCss for NoPseudoElement {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl PseudoElement for NoPseudoElement {}

/// The selectors that are read.
#[derive(Clone, Debug)]
pub(super) struct Css;

impl SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Word;
    type Identifier = Word;
    type LocalName = Word;
    type NamespaceUrl = Word;
    type NamespacePrefix = Word;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = str;
    type NonTSPseudoClass = State;
    type PseudoElement = NoPseudoElement;
}

/// Who answers for `selectors` what is a prefix and what a pseudo-class.
struct Reader<'n> {
    namespaces: &'n [(String, String)],
    /// A prefix that is not known.
    unknown: RefCell<Option<String>>,
}

impl<'i> selectors::Parser<'i> for Reader<'_> {
    type Impl = Css;
    type Error = SelectorParseErrorKind;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    /// What is not known in `:is` is refused there too: whoever writes it should hear of it.
    fn allow_forgiving_selectors(&self) -> bool {
        false
    }

    fn parse_non_ts_pseudo_class(
        &self,
        name: &str,
    ) -> Result<State, cssparser::ParseError<SelectorParseErrorKind>> {
        let mut states = STATES.iter();
        match states.find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, state)) => Ok(*state),
            None => Err(cssparser::ParseError::custom(
                SelectorParseErrorKind::UnsupportedPseudoClassOrElement,
            )),
        }
    }

    fn default_namespace(&self) -> Option<Word> {
        self.namespace("")
    }

    fn namespace_for_prefix(&self, prefix: &Word) -> Option<Word> {
        let found = self.namespace(&prefix.0);
        if found.is_none() {
            let mut unknown = self.unknown.borrow_mut();
            unknown.get_or_insert_with(|| prefix.0.as_ref().to_owned());
        }
        found
    }
}

impl Reader<'_> {
    /// The last that was said of a prefix.
    fn namespace(&self, prefix: &str) -> Option<Word> {
        let mut said = self.namespaces.iter().rev();
        let found = said.find(|(known, _)| known == prefix);
        found.map(|(_, name)| name.as_str().into())
    }
}

/// The selectors of a list.
pub(super) fn read(
    text: &str,
    namespaces: &[(String, String)],
) -> Result<Vec<Selector<Css>>, SelectorError> {
    let reader = Reader {
        namespaces,
        unknown: RefCell::default(),
    };
    let mut input = Input::new(text);
    let begin = input.position();
    let mut selectors = Vec::new();
    loop {
        let read = Selector::parse(&reader, &mut input);
        let offset = input.slice_from(begin).len();
        match read {
            Ok(selector) => selectors.push(selector),
            Err(_) => {
                let unknown = reader.unknown.take();
                return Err(match unknown {
                    Some(prefix) => {
                        SelectorError::new(SelectorErrorKind::UnknownPrefix, offset, prefix)
                    }
                    None => SelectorError::new(SelectorErrorKind::Syntax, offset, ""),
                });
            }
        }
        match input.next() {
            Ok(Token::Comma) => {}
            Ok(_) => return Err(SelectorError::new(SelectorErrorKind::Syntax, offset, "")),
            Err(_) => return Ok(selectors),
        }
    }
}
