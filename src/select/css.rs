//! Parsing of selectors with the crate `selectors`: the types that the crate is generic over, and the pseudo-classes
//! and namespace prefixes that this crate accepts.

use super::program::HtmlPseudoClass;
use crate::engine::error::{SelectorError, SelectorErrorKind};
use crate::tree::namespaces::PREDEFINED_PREFIXES;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cell::{Cell, RefCell};
use core::fmt;
use core::ops::Range;
use cssparser::{
    BasicParseErrorKind, ParseErrorKind, Parser as Input, SourcePosition, ToCss, Token,
};
use precomputed_hash::PrecomputedHash;
use selectors::parser::{
    NonTSPseudoClass, PseudoElement, Selector, SelectorImpl, SelectorParseErrorKind,
};

/// A string in a parsed selector: a name, an attribute value or a namespace.
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
    /// Returns a constant, because only the Bloom filters of `selectors` use these hashes and this crate does not use
    /// the filters.
    fn precomputed_hash(&self) -> u32 {
        0
    }
}

/// A pseudo-class of a parsed selector that does not depend on the structure of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ParsedPseudoClass {
    /// A pseudo-class of the HTML standard.
    Html(HtmlPseudoClass),
    /// `:lang(…)`, with its language ranges.
    Language(Vec<Word>),
    /// `:dir(…)`, with the name of the direction.
    Direction(Word),
}

/// The pseudo-classes that the HTML standard defines, by name, and the one into which XPath expressions are translated.
const HTML_PSEUDO_CLASSES: [(&str, HtmlPseudoClass); 13] = [
    ("-xpath-unprefixed", HtmlPseudoClass::XPathUnprefixed),
    ("link", HtmlPseudoClass::Link),
    ("any-link", HtmlPseudoClass::Link),
    ("checked", HtmlPseudoClass::Checked),
    ("disabled", HtmlPseudoClass::Disabled),
    ("enabled", HtmlPseudoClass::Enabled),
    ("required", HtmlPseudoClass::Required),
    ("optional", HtmlPseudoClass::Optional),
    ("read-only", HtmlPseudoClass::ReadOnly),
    ("read-write", HtmlPseudoClass::ReadWrite),
    ("placeholder-shown", HtmlPseudoClass::PlaceholderShown),
    ("open", HtmlPseudoClass::Open),
    ("defined", HtmlPseudoClass::Defined),
];

/// Names of pseudo-classes that match no element of a document without users and scripts: Selectors lets a program that
/// has no such states treat them so.
const PSEUDO_CLASSES_OF_NO_ELEMENT: [&str; 22] = [
    "active",
    "autofill",
    "buffering",
    "current",
    "focus",
    "focus-visible",
    "focus-within",
    "fullscreen",
    "future",
    "hover",
    "modal",
    "past",
    "picture-in-picture",
    "popover-open",
    "seeking",
    "stalled",
    "target",
    "target-current",
    "target-within",
    "user-invalid",
    "user-valid",
    "visited",
];

/// Returns the pseudo-class with this name, compared case-insensitively, unless it depends on the structure of the tree.
fn html_pseudo_class(name: &str) -> Option<HtmlPseudoClass> {
    let mut known = HTML_PSEUDO_CLASSES.iter();
    let found = known.find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, state)| *state).or_else(|| {
        let is_known = is_of_no_element(&name.to_ascii_lowercase());
        is_known.then_some(HtmlPseudoClass::NoElement)
    })
}

/// Returns true if the pseudo-class with this name in lower case matches no element.
pub(super) fn is_of_no_element(name: &str) -> bool {
    PSEUDO_CLASSES_OF_NO_ELEMENT.contains(&name)
}

/// Names of the pseudo-classes without arguments that depend on the structure of the tree.
const STRUCTURAL_PSEUDO_CLASSES: [&str; 9] = [
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

/// Names of the pseudo-classes with arguments in parentheses.
const FUNCTIONAL_PSEUDO_CLASSES: [&str; 10] = [
    "dir",
    "lang",
    "is",
    "where",
    "not",
    "has",
    "nth-child",
    "nth-last-child",
    "nth-of-type",
    "nth-last-of-type",
];

/// Returns true if the pseudo-class is supported. `name` is in lower case and has no colon; `is_function` is true if
/// an opening parenthesis follows the name.
pub(super) fn is_pseudo_class(name: &str, is_function: bool) -> bool {
    match is_function {
        true => FUNCTIONAL_PSEUDO_CLASSES.contains(&name),
        false => STRUCTURAL_PSEUDO_CLASSES.contains(&name) || html_pseudo_class(name).is_some(),
    }
}

/// Names of pseudo-classes of CSS that a document alone does not determine.
const OTHER_PSEUDO_CLASSES: [&str; 11] = [
    "blank",
    "default",
    "in-range",
    "indeterminate",
    "invalid",
    "local-link",
    "muted",
    "out-of-range",
    "paused",
    "playing",
    "valid",
];

/// Returns true if CSS has a pseudo-class with this name in lower case, which is not supported.
pub(super) fn is_other_pseudo_class(name: &str) -> bool {
    OTHER_PSEUDO_CLASSES.contains(&name)
}

impl ToCss for ParsedPseudoClass {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        match self {
            ParsedPseudoClass::Html(state) => {
                let name = HTML_PSEUDO_CLASSES.iter().find(|(_, known)| known == state);
                write!(out, ":{}", name.map_or("hover", |(name, _)| name))
            }
            ParsedPseudoClass::Language(ranges) => {
                for (number, range) in ranges.iter().enumerate() {
                    out.write_str(if number == 0 { ":lang(" } else { ", " })?;
                    cssparser::serialize_string(&range.0, out)?;
                }
                out.write_str(")")
            }
            ParsedPseudoClass::Direction(name) => {
                out.write_str(":dir(")?;
                name.to_css(out)?;
                out.write_str(")")
            }
        }
    }
}

impl NonTSPseudoClass for ParsedPseudoClass {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        false
    }
}

/// An empty type: no pseudo-element is supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoPseudoElement {}

impl ToCss for NoPseudoElement {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl PseudoElement for NoPseudoElement {}

/// The type parameter that selects the types of this module in the generic types of the crate `selectors`.
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
    type NonTSPseudoClass = ParsedPseudoClass;
    type PseudoElement = NoPseudoElement;
}

/// The callbacks that the parser of the crate `selectors` calls, for namespace prefixes and pseudo-classes.
struct ParserCallbacks<'n> {
    /// Pairs of prefix and namespace name.
    namespaces: &'n [(String, String)],
    /// The first undeclared prefix that was found. `selectors` does not include the prefix in its errors.
    unknown: RefCell<Option<String>>,
    /// The beginning of the text.
    begin: SourcePosition,
    /// Byte offset of a part in parentheses that is not valid. `selectors` consumes the parentheses before it returns the
    /// error.
    invalid: Cell<Option<usize>>,
}

impl<'i> selectors::Parser<'i> for ParserCallbacks<'_> {
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

    /// Returns true: in `:is(…)` and `:where(…)`, CSS ignores invalid and empty selectors. Unsupported pseudo-classes and
    /// undeclared prefixes are errors there too.
    fn allow_forgiving_selectors(&self) -> bool {
        true
    }

    /// Returns the pseudo-class with this name, compared case-insensitively.
    fn parse_non_ts_pseudo_class(
        &self,
        name: &str,
    ) -> Result<ParsedPseudoClass, cssparser::ParseError<SelectorParseErrorKind>> {
        let found = html_pseudo_class(name).map(ParsedPseudoClass::Html);
        found.ok_or_else(unsupported)
    }

    /// Returns the pseudo-class `:lang` with its language ranges, which are identifiers or strings with commas between
    /// them, or the pseudo-class `:dir` with its identifier.
    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: &str,
        arguments: &mut Input<'i>,
        _: bool,
    ) -> Result<ParsedPseudoClass, cssparser::ParseError<SelectorParseErrorKind>> {
        if name.eq_ignore_ascii_case("dir") {
            let direction = arguments.expect_ident()?;
            return Ok(ParsedPseudoClass::Direction(Word::from(&**direction)));
        }
        if !name.eq_ignore_ascii_case("lang") {
            return Err(unsupported());
        }
        let ranges = arguments.parse_comma_separated(|argument| {
            argument.skip_whitespace();
            let offset = self.offset(argument);
            let range = argument.expect_ident_or_string();
            let range = Word::from(&**range.inspect_err(|_| self.invalid.set(Some(offset)))?);
            argument.skip_whitespace();
            if !argument.is_exhausted() {
                self.invalid.set(Some(self.offset(argument)));
            }
            Ok::<_, cssparser::ParseError<SelectorParseErrorKind>>(range)
        })?;
        Ok(ParsedPseudoClass::Language(ranges))
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

fn unsupported() -> cssparser::ParseError<SelectorParseErrorKind> {
    cssparser::ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)
}

impl ParserCallbacks<'_> {
    /// Returns the byte offset of the next token.
    fn offset(&self, input: &Input<'_>) -> usize {
        input.slice_from(self.begin).len()
    }

    /// Returns the name of the namespace that was declared for a prefix or is predefined. The last declaration of the
    /// prefix applies.
    fn namespace(&self, prefix: &str) -> Option<Word> {
        let mut declarations = self.namespaces.iter().rev();
        let declared = declarations.find(|(known, _)| known == prefix);
        let mut predefined = PREDEFINED_PREFIXES.iter();
        match declared {
            Some((_, name)) => Some(name.as_str().into()),
            None => {
                let found = predefined.find(|(known, _)| *known == prefix);
                found.map(|(_, name)| (*name).into())
            }
        }
    }
}

/// Parses a comma-separated list of selectors. `namespaces` contains pairs of prefix and namespace name, in addition to
/// the predefined ones.
pub(super) fn parse_selectors(
    text: &str,
    namespaces: &[(String, String)],
) -> Result<Vec<Selector<Css>>, SelectorError> {
    let mut input = Input::new(text);
    let begin = input.position();
    let callbacks = ParserCallbacks {
        namespaces,
        unknown: RefCell::default(),
        begin,
        invalid: Cell::default(),
    };
    let mut selectors = Vec::new();
    loop {
        let start = input.slice_from(begin).len();
        let parsed = Selector::parse(&callbacks, &mut input);
        let offset = input.slice_from(begin).len();
        if let Some(prefix) = callbacks.unknown.take() {
            let kind = SelectorErrorKind::UnknownPrefix;
            return Err(SelectorError::new(kind, offset, prefix));
        }
        match parsed {
            Ok(selector) => selectors.push(selector),
            Err(error) => {
                let inner = callbacks.invalid.take();
                return Err(invalid(text, start..offset, inner, &error.kind));
            }
        }
        callbacks.invalid.take();
        match input.next() {
            Ok(Token::Comma) => {}
            Ok(_) => return Err(invalid_at(text, offset)),
            Err(_) => return Ok(selectors),
        }
    }
}

/// Creates the error for an invalid selector. `consumed` is the byte range of `text` that the parser consumed before it
/// failed, and `inner` the offset of a part in parentheses that is not valid.
fn invalid(
    text: &str,
    consumed: Range<usize>,
    inner: Option<usize>,
    kind: &ParseErrorKind<SelectorParseErrorKind>,
) -> SelectorError {
    let selector = text[consumed.start..].trim_start();
    let ends_early = matches!(
        kind,
        ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput)
            | ParseErrorKind::Custom(
                SelectorParseErrorKind::EmptySelector | SelectorParseErrorKind::DanglingCombinator
            )
    );
    let is_at_end = text[consumed.end..].trim_start().is_empty();
    // If the error is within parentheses or brackets, the parser consumes the whole block before it fails. If the offset
    // of the error is then unknown, the start of the selector is reported.
    let is_after_block = is_at_end && !ends_early;
    // In `:is` and `:where`, invalid parts are not errors.
    let is_inner = is_after_block || text[..consumed.end].ends_with(')');
    let is_start = selector.starts_with(['>', '+', '~']);
    match inner.filter(|_| is_inner && !is_start) {
        Some(inner) => invalid_at(text, inner),
        None if is_start || is_after_block => invalid_at(text, text.len() - selector.len()),
        None => invalid_at(text, consumed.end),
    }
}

/// Creates a syntax error at this byte offset. The error contains the beginning of the text after the offset.
fn invalid_at(text: &str, offset: usize) -> SelectorError {
    let rest = text[offset..].trim();
    let end = rest.char_indices().nth(MAX_SHOWN_CHARS);
    let shown = &rest[..end.map_or(rest.len(), |(at, _)| at)];
    SelectorError::new(SelectorErrorKind::Syntax, offset, shown)
}

/// Maximum number of characters of an invalid selector that its error contains.
const MAX_SHOWN_CHARS: usize = 60;
