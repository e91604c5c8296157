//! `Selector`, a compiled selector list, and `SelectorBuilder`, which declares namespace prefixes.

use super::compile::compile;
use super::css::{self, Css};
use super::places::{PartKind, find_parts};
use super::program::Program;
use crate::engine::error::{SelectorError, SelectorErrorKind};
use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use selectors::parser::Selector as ParsedSelector;

/// A compiled list of CSS selectors: see [`select`](crate::select).
///
/// ```
/// use tagstream::select::Selector;
/// use tagstream::{Document, Html};
///
/// let links = Selector::new("a[href]")?;
/// for page in ["<a href=/a>a</a>", "<a>b</a><a href=/c>c</a>"] {
///     assert_eq!(Document::parse(Html::default(), page)?.select(&links)?.count(), 1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Selector {
    /// The text from which the selector was compiled.
    pub(super) source: SelectorSource,
    /// The compiled selector list.
    pub(super) program: Program,
    /// The error that is returned if the selector is used on a stream, or `None` if start tags alone decide the
    /// selector.
    pub(super) stream_error: Option<SelectorError>,
}

impl fmt::Debug for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Selector({:?})", self.source.text)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source.text)
    }
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Selector, SelectorError> {
        Selector::new(text)
    }
}

impl Selector {
    /// Compiles a selector list.
    ///
    /// ```
    /// use tagstream::select::Selector;
    ///
    /// assert!(Selector::new("h1, h2 > :not(.x)").is_ok());
    /// assert!(Selector::new("h1 >").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// A syntax error, or a selector that is not supported: see [`SelectorErrorKind`].
    #[doc(alias("parse", "compile"))]
    pub fn new(text: &str) -> Result<Selector, SelectorError> {
        Selector::builder().build(text)
    }

    /// Returns the specificity of the selector: the numbers of IDs, of classes, attributes and pseudo-classes, and of
    /// types, as CSS counts them. In a list, this is the highest specificity of its selectors. No number is above 1023.
    /// The selector is parsed again at each call.
    ///
    /// ```
    /// use tagstream::select::Selector;
    ///
    /// assert_eq!(Selector::new("ul > li.x:first-child")?.specificity(), (0, 2, 2));
    /// assert_eq!(Selector::new("p, :not(#a, b)")?.specificity(), (1, 0, 0));
    /// # Ok::<(), tagstream::select::SelectorError>(())
    /// ```
    pub fn specificity(&self) -> (u32, u32, u32) {
        // The text was parsed before, so that this returns no error.
        let selectors = self.source.parse().unwrap_or_default();
        let all = selectors.iter().map(ParsedSelector::specificity);
        let highest = all.max().unwrap_or(0);
        let part = |shift: u32| highest >> shift & 0x3FF;
        (part(20), part(10), part(0))
    }

    /// Returns a builder, which compiles selectors with namespace prefixes.
    ///
    /// ```
    /// use tagstream::select::Selector;
    /// use tagstream::{Document, Xml};
    ///
    /// let atom = Selector::builder().namespace("atom", "http://www.w3.org/2005/Atom");
    /// let titles = atom.build("atom|entry > atom|title")?;
    /// let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>One</title></entry></feed>";
    /// assert_eq!(Document::parse(Xml::default(), feed)?.select(&titles)?.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder() -> SelectorBuilder {
        SelectorBuilder::default()
    }
}

/// The text of a selector list, with the namespace prefixes that were declared for it. It can be compiled again.
#[derive(Clone, Debug)]
pub(super) struct SelectorSource {
    /// The source text of the selector list.
    pub(super) text: String,
    /// Pairs of prefix and namespace name: see [`SelectorBuilder`].
    pub(super) namespaces: Vec<(String, String)>,
}

impl SelectorSource {
    /// Parses the selector list.
    pub(super) fn parse(&self) -> Result<Vec<ParsedSelector<Css>>, SelectorError> {
        css::parse_selectors(&self.text, &self.namespaces)
    }
}

/// A set of namespace prefixes that compiles selectors: see [`Selector::builder`].
#[derive(Clone, Debug, Default)]
pub struct SelectorBuilder {
    /// Pairs of prefix and namespace name, without the predefined ones. The last declaration of a prefix applies.
    pub(super) namespaces: Vec<(String, String)>,
}

impl SelectorBuilder {
    /// Declares the namespace of a prefix. The empty prefix declares the default namespace, which applies to type
    /// selectors without a prefix.
    ///
    /// ```
    /// use tagstream::select::Selector;
    ///
    /// assert!(Selector::builder().namespace("p", "uri").build("p|a").is_ok());
    /// assert!(Selector::new("p|a").is_err());
    /// ```
    #[must_use]
    pub fn namespace(mut self, prefix: &str, name: &str) -> SelectorBuilder {
        self.namespaces.push((prefix.to_owned(), name.to_owned()));
        self
    }

    /// Compiles a selector list.
    ///
    /// # Errors
    ///
    /// The same as for [`Selector::new`].
    pub fn build(&self, text: &str) -> Result<Selector, SelectorError> {
        let stream_error = check_parts(text)?;
        let source = SelectorSource {
            text: text.to_owned(),
            namespaces: self.namespaces.clone(),
        };
        let program = compile(&source.parse()?)?;
        Ok(Selector {
            source,
            program,
            stream_error,
        })
    }
}

/// Checks the parts of a selector. Returns an error if a part is not supported at all. Otherwise returns the error that
/// streams return, if a start tag cannot decide a part.
fn check_parts(text: &str) -> Result<Option<SelectorError>, SelectorError> {
    let mut stream_error = None;
    for part in find_parts(text) {
        let error = |kind, what: String| SelectorError::new(kind, part.offset, what);
        let later = match part.kind {
            PartKind::TooDeep => return Err(error(SelectorErrorKind::TooLarge, String::new())),
            PartKind::PseudoElement(name) => {
                return Err(error(SelectorErrorKind::Unsupported, format!("::{name}")));
            }
            PartKind::PseudoClass {
                name,
                is_function,
                has_type_selector,
            } if !css::is_pseudo_class(&name, is_function) => {
                let is_name =
                    has_type_selector && !is_function && !css::is_other_pseudo_class(&name);
                let prefix = match is_name {
                    true => name_before(&text[..part.offset]),
                    false => "",
                };
                let what = format!("{prefix}:{name}");
                return Err(error(SelectorErrorKind::Unsupported, what));
            }
            PartKind::PseudoClass {
                name,
                has_type_selector,
                ..
            } => (!is_decided_at_start_tag(&name, has_type_selector)).then(|| format!(":{name}")),
            PartKind::Sibling(combinator) => Some(combinator.to_string()),
            PartKind::Of => Some("of".to_owned()),
        };
        if let Some(what) = later
            && stream_error.is_none()
        {
            stream_error = Some(error(SelectorErrorKind::NotOnStreams, what));
        }
    }
    Ok(stream_error)
}

/// Returns the name at the end of a part of a selector.
fn name_before(text: &str) -> &str {
    let is_in_name = |one: char| one.is_alphanumeric() || matches!(one, '-' | '_');
    &text[text.trim_end_matches(is_in_name).len()..]
}

/// Returns true if the start tags of the element and of the open elements decide a pseudo-class. `has_type_selector` is
/// true if the compound selector of the pseudo-class contains a type selector. Without one, `:nth-of-type` is refused
/// on streams, because it would need a counter for each type of element, without a bound on memory.
fn is_decided_at_start_tag(name: &str, has_type_selector: bool) -> bool {
    match name {
        "first-of-type" | "nth-of-type" => has_type_selector,
        "root" | "scope" | "first-child" | "nth-child" => true,
        "is" | "where" | "not" => true,
        "link" | "any-link" | "required" | "optional" | "-xpath-unprefixed" => true,
        "open" | "defined" => true,
        _ => css::is_of_no_element(name),
    }
}

/// A type that can be used as a selector: a string, which is compiled at each call, or a [`Selector`].
///
/// ```
/// use tagstream::select::{IntoSelector, Selector};
///
/// assert!("a[href]".into_selector().is_ok());
/// assert!(Selector::new("a[href]")?.into_selector().is_ok());
/// # Ok::<(), tagstream::select::SelectorError>(())
/// ```
pub trait IntoSelector<'s>: Sealed {
    /// Returns the compiled selector.
    ///
    /// # Errors
    ///
    /// The same as for [`Selector::new`].
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError>;
}

/// Supertrait of [`IntoSelector`] that is not exported, so that other crates cannot implement it.
pub trait Sealed {}

impl Sealed for &str {}
impl Sealed for &String {}
impl Sealed for &Selector {}
impl Sealed for Selector {}

impl<'s> IntoSelector<'s> for &str {
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError> {
        Selector::new(self).map(Cow::Owned)
    }
}

impl<'s> IntoSelector<'s> for &String {
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError> {
        Selector::new(self).map(Cow::Owned)
    }
}

impl<'s> IntoSelector<'s> for &'s Selector {
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError> {
        Ok(Cow::Borrowed(self))
    }
}

impl<'s> IntoSelector<'s> for Selector {
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError> {
        Ok(Cow::Owned(self))
    }
}

crate::checkpoint::checkpointable! {
    struct SelectorSource { text, namespaces }
}
